"""The files of numbers: whole or not used."""

import five_in_a_row as five
import numpy as np
import pytest
from five_in_a_row.cache import HERE

from experiments.training import fit


@pytest.mark.parametrize(
    "name, otherwise, held",
    [
        ("places.npz", five.engine.NO_PLACES, five.engine.PLACES),
        ("policy.npz", five.engine.NO_POLICY, five.engine.POLICY_ROWS),
    ],
)
def test_a_missing_file_of_numbers_is_said_and_others_take_their_place(
    tmp_path, capsys, name, otherwise, held
):
    whole = (HERE / name).read_bytes()
    found = five.engine.read_numbers(HERE / name, **otherwise)
    assert (found[0] == held).all() and capsys.readouterr().err == ""
    numbers = dict(zip(otherwise, found, strict=True))
    fit.write_numbers(tmp_path / "again.npz", "so", **numbers)
    again = five.engine.read_numbers(tmp_path / "again.npz", **otherwise)
    assert all((one == other).all() for one, other in zip(again, found, strict=True))
    assert capsys.readouterr().err == ""
    digest = five.engine.numbers_digest(numbers)
    numbers["rows"] = numbers["rows"] + 1  # whole numbers, of another file
    fit.write_arrays(tmp_path / "other.npz", digest=digest, **numbers)
    middle = len(whole) // 2
    flipped = whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :]
    other = (tmp_path / "other.npz").read_bytes()
    for number, data in enumerate((other, flipped, whole[:500], b"", b"PK\x03\x04", None)):
        file = tmp_path / f"{number}.npz"
        if data is not None:
            file.write_bytes(data)
        found = five.engine.read_numbers(file, **otherwise)
        for one, like in zip(found, otherwise.values(), strict=True):
            assert (one == like).all()
        assert capsys.readouterr().err.count(f"plays without {number}.npz") == 1


def test_a_file_that_cannot_be_written_whole_leaves_nothing(tmp_path, monkeypatch):
    def full(file, **arrays):
        file.write(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(fit.np, "savez_compressed", full)
    with pytest.raises(OSError, match="No space left"):
        fit.write_arrays(tmp_path / "games.npz", a=np.zeros(3))
    assert not list(tmp_path.iterdir())
