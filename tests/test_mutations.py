"""Tests that notice: each small edit of tools/mutations.txt must make its test fail."""

import ast

import mutate
import pytest
from helpers import only_full

EDITS = mutate.edits()


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """Return a copy of the project to break."""
    return mutate.copied(tmp_path_factory.mktemp("broken"))


def test_the_list_is_read_whole(root):
    text = (root / "tools" / "mutations.txt").read_text("utf-8")
    assert len(EDITS) == text.count("\n@ ") >= 60 and len(set(EDITS)) == len(EDITS)


@pytest.mark.parametrize("number", range(1, len(EDITS) + 1))
def test_an_edit_changes_one_place_and_its_test_is_there(number, root):
    edit = EDITS[number - 1]
    text = (root / edit.file).read_text("utf-8")
    assert text.count(edit.old) == 1 and edit.old != edit.new, edit
    ast.parse(text.replace(edit.old, edit.new))
    file, name = edit.test.split("::")
    assert f"def {name}(" in (root / file).read_text("utf-8"), edit


def test_what_ends_without_a_failed_test_is_no_kill(tmp_path, full):
    """By default the first three ways to end: each starts a pytest."""
    (tmp_path / "some.py").write_text("def one():\n    return 1\n")
    head = "import pytest\nimport some\n\n\n"
    (tmp_path / "test_some.py").write_text(
        head
        + "def test_one():\n    assert some.one() == 1\n\n\ndef test_none():\n    some.one\n"
        "\n\n@pytest.fixture\ndef lame():\n    assert some.one() == 1\n\n\n"
        "def test_lame(lame):\n    pass\n"
    )
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    ends = [
        ("test_one", "return 2", "killed"),
        ("test_none", "return 2", "survived"),
        ("test_one", "return )", "broken"),  # it cannot be imported
        ("test_lame", "return 2", "broken"),
        ("test_other", "return 2", "broken"),  # there is none
    ]
    for test, new, expected in ends if full else ends[:3]:
        edit = mutate.Edit("some.py", f"test_some.py::{test}", "return 1", new)
        assert mutate.outcome(edit, tmp_path)[0] == expected, edit
        assert (tmp_path / "some.py").read_text() == "def one():\n    return 1\n"


@pytest.mark.parametrize("number", range(1, len(EDITS) + 1))
def test_every_edit_is_killed(number, copy, full):
    only_full(full)  # hours: each runs a pytest of its own, many compile the search anew
    name, words = mutate.outcome(EDITS[number - 1], copy)
    assert name == "killed", f"{EDITS[number - 1]}\n{words}"
