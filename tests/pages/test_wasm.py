"""The compiled search as WebAssembly: fresh, the same moves as the package, never full."""

import base64
import gzip
import json
import struct

import build
import five_in_a_row as five
import numpy as np
import page
import play
import pytest
import wasm
import wasm_entry
from bs4 import BeautifulSoup
from helpers import found_by, only_full

EXPORT = build.ROOT / "export"
PACKAGE = EXPORT / build.PACKAGE

# A worker of this test: it does what the worker of a page does, and answers at once.
ASK = """
let engines, searches = {};
const drawn = chancesOf;
onmessage = async ({data}) => {
  try {
    if (data.packed) { engines = await openEngines(data.packed); return postMessage(0); }
    const told = data.asks.map(({game, chance, ...ask}) => {
      chancesOf = chance === undefined ? drawn : () => () => chance;
      if (!ask.keep || !searches[game]) searches[game] = new Search(engines, game);
      const search = searches[game];
      const steps = thinkAbout(search, ask, () => performance.now() / 1000, () => false);
      let step;
      do step = steps.next(); while (!step.done);
      return {...step.value, bytes: search.memory.buffer.byteLength};
    });
    postMessage(told);
  } catch (error) { postMessage(String(error.stack ?? error)); }
};"""
START = """async source => {
  const holder = document.querySelector(".five-engines");
  const bytes = Uint8Array.from(atob(holder.textContent), letter => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const packed = new Uint8Array(await new Response(stream).arrayBuffer());
  self.worker?.terminate();  // its memory would stay
  const worker = self.worker = new Worker(URL.createObjectURL(new Blob([source])));
  self.send = message => new Promise(done => {
    worker.onmessage = ({data}) => done(data);
    worker.onerror = event => done(event.message);
    worker.postMessage(message);
  });
  return send({packed});
}"""


@pytest.fixture(scope="module")
def ask(browser):
    """Return ask(games, ...) -> what the search in play.html finds; see ask_of."""
    return asked_in(browser, play.NAME)


@pytest.fixture(scope="module")
def ask_small(browser):
    """Return the same of the search in the page of Connect-4, which has both small games."""
    return asked_in(browser, "connect_four.html")


def asked_in(browser, name):
    """Return ask(games, ...) for a page in export/."""
    view = browser.new_page()
    view.goto((EXPORT / name).as_uri())

    running = None

    def send(asks, change=("", "")):
        nonlocal running
        if running != change:
            source = play.part("search.js").replace(*change) + ASK
            assert view.evaluate(START, source) == 0
            running = change
        found = view.evaluate("asks => send({asks})", asks)
        assert isinstance(found, list), found
        return found

    return send


def ask_of(position, simulations, seed=2024, game="engine", **more):
    """Return what the worker is asked about a position."""
    where = {"size": position.rules.size, "cells": position.array.ravel().tolist()}
    where |= {"played": list(map(int, position.played)), "toMove": int(position.to_move)}
    return where | {"game": game, "simulations": simulations, "seed": seed} | more


def some_positions(count, seed, sizes=(8, 12, 15)):
    """Return positions of up to 30 random stones about the middle, sizes in turn."""
    found, rng = [], np.random.default_rng(seed)
    for i in range(count):
        game, middle = five.Game(five.Rules(sizes[i % len(sizes)])), sizes[i % len(sizes)] // 2
        for _ in range(int(rng.integers(0, 30))):
            row, col = rng.integers(-3, 4, 2) + middle
            if not game.over and not game.why_illegal(int(row * game.rules.size + col)):
                game.play(int(row * game.rules.size + col))
        if game.over:
            game.undo()
        found.append(game)
    return found


# ---- made from the kernels -------------------------------------------------------------


def unpacked(text):
    """Return (head, module, blanks) of what a page holds."""
    data = gzip.decompress(base64.b64decode(text))
    length = struct.unpack("<I", data[:4])[0]
    head = json.loads(data[4 : 4 + length])
    return (
        head,
        data[4 + length : 4 + length + head["code"]],
        data[4 + length + head["code"] :],
    )


def test_the_pages_hold_the_engines_of_the_package(full):
    text = (EXPORT / play.NAME).read_text("utf-8")
    main = (EXPORT / "five_in_a_row.html").read_text("utf-8")
    assert play.MADE.search(text)[1] == play.engines_digest(PACKAGE)
    packed = play.PACKED.search(text)[1]
    tables = (PACKAGE / "places.npz").stat().st_size  # which the engines hold
    assert play.PACKED.findall(main) == [packed] and len(packed) - tables <= 150_000
    if full:
        made = wasm.payload(EXPORT)
        assert unpacked(made) == unpacked(packed) and wasm.payload(EXPORT) == made


def test_an_edit_of_a_kernel_makes_the_engines_stale_and_a_comment_does_not(tmp_path):
    for name in (*play.KERNELS, *play.NUMBERS):
        (tmp_path / name).write_bytes((PACKAGE / name).read_bytes())
    before, file = play.engines_digest(tmp_path), tmp_path / "search.py"
    assert before == play.engines_digest(PACKAGE)
    file.write_text(file.read_text("utf-8") + "\n# more to say\n", "utf-8")
    assert play.engines_digest(tmp_path) == before
    file.write_text(file.read_text("utf-8") + "\nHALF = 31\n", "utf-8")
    assert play.engines_digest(tmp_path) != before
    assert play.engines_digest(tmp_path / "nowhere") == ""


def test_what_cannot_be_lowered_is_named():
    entry = "define void @entry() { call void @fopen() ret void } declare void @fopen()"
    made = wasm.object_of([entry], {"entry": "run"})
    with pytest.raises(wasm.LoweringError, match="cannot be lowered .* asks for fopen$"):
        wasm.with_exports(made, {"entry": "run"})


# ---- the same moves --------------------------------------------------------------------


def plain(position, simulations, seed):
    """Return what plain search of the package finds, as a page asks for it."""
    options, kernels = five.SearchOptions(solve=False), five.search.plain_kernels
    asked = {"simulations": simulations, "seed": seed}
    return five.search.search_once(position, kernels, options, **asked)


@pytest.mark.parametrize("name", ["rack", "cross"])
def test_small_games_choose_the_same_moves_in_page_and_package(ask_small, name, full):
    """By default where stones fall; test_play_page.py plays the other one in its page too."""
    only_full(full, name == "rack")
    rules = wasm_entry.RULES[name]
    positions, rng = [], np.random.default_rng(7)
    while len(positions) < (100 if full else 8):
        game = five.Game(rules)
        for _ in range(rng.integers(0, 5)):
            game.play(int(rng.choice(game.legal())))
        positions += [] if game.over else [game]
    theirs = ask_small([ask_of(game, 500, i, name) for i, game in enumerate(positions)])
    for i, (game, found) in enumerate(zip(positions, theirs, strict=True)):
        own = plain(game, 500, i)
        assert found["visits"] == own.visits.ravel().tolist() and found["move"] == own.move


def test_page_and_package_choose_the_same_move_with_the_same_visits(ask, full):
    positions = some_positions(300 if full else 12, 5)
    simulations = 2_000 if full else 300
    asks = [
        ask_of(position, simulations, seed, game)
        for seed, position in enumerate(positions)
        for game in ("engine", "plain")
    ]
    found = iter(ask(asks))
    reasons = set()
    for seed, position in enumerate(positions):
        engine = five.think(position, simulations=simulations, seed=seed)
        for own in (engine, plain(position, simulations, seed)):
            theirs = next(found)
            visits = theirs["visits"] or [0] * position.rules.points
            assert (visits, theirs["line"]) == (own.visits.ravel().tolist(), own.line)
            assert (theirs["move"], theirs["proven"]) == (own.move, own.proven)
            assert theirs["simulations"] == own.simulations
        reasons.add(engine.why)
    assert {"most visited", "blocks five"} <= reasons


def test_a_tree_goes_on_after_two_moves(ask):
    game = five.Game.from_text("e4 e5 d5")
    first = ask_of(game, 600)
    player = five.EnginePlayer(simulations=600)
    own = found_by(player, game)
    game.play(own.move)
    game.play(own.line[1])
    later = found_by(player, game)
    found = ask([first, ask_of(game, 600, keep=True)])
    assert found[1]["visits"] == later.visits.ravel().tolist()
    assert sum(found[1]["visits"]) > 600


def test_a_full_tree_goes_on_and_memory_stays_small(ask):
    game = five.Game(five.Rules(15))
    (found,) = ask([ask_of(game, 30_000)], ("64 * 2 ** 20", "2 ** 19"))
    assert found["simulations"] == 30_000 == sum(found["visits"])
    assert found["bytes"] < 4 * 2**20


def test_a_level_answers_a_threat_that_it_sees_and_no_other(ask):
    game = five.Game.from_text("e4 a1 e5 h1 e6")  # an open three; white answers
    _, answers = five.engine.threat_answers(game)
    asks = [ask_of(game, 100, seed, level=3) for seed in range(3)]
    seen = ask([each | {"chance": 0.999} for each in asks])
    missed = ask([each | {"chance": 0.0} for each in asks])
    assert answers and {each["move"] for each in seen} <= set(answers)
    assert not {each["move"] for each in missed} & set(answers)


def test_levels_and_options_are_those_of_the_engine():
    head, _, _ = unpacked(play.PACKED.search((EXPORT / play.NAME).read_text("utf-8"))[1])
    levels = {int(number): tuple(each.values()) for number, each in head["levels"].items()}
    assert levels == {number: tuple(level) for number, level in five.engine.LEVELS.items()}
    assert head["names"] == list(five.SearchOptions._fields)
    assert head["options"] == [float(value) for value in five.SearchOptions()]


# ---- in a page -------------------------------------------------------------------------


def test_pieces_stand_below_their_headings_and_nowhere_else():
    soup = BeautifulSoup((EXPORT / "five_in_a_row.html").read_text("utf-8"), "html.parser")
    names = [
        page.heading_name(each.find_previous("h2")) for each in soup.select("figure.five-play")
    ]
    assert names == ["How MCTS thinks", "What plain search misses", "Play", "Essays"]
    reading = (EXPORT / "five_in_a_row_reading.html").read_text("utf-8")
    assert "five-play" not in BeautifulSoup(reading, "html.parser").main.decode()
    assert "wasm-unsafe-eval" not in reading
