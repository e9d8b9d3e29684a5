"""A league of notebooks: python -m experiments league teams/*.ipynb [--games 20] [--jobs 2]

Each notebook plays each other one, and yardsticks whose strength is known, with both colours
from the same openings. Finished games are kept in FOLDER/games.csv, so a league that was
stopped goes on where it was; a notebook that has changed plays its games again. FOLDER/
league.html is the page, FOLDER/league.csv its table. Many teams play a Swiss system: in each
round neighbours in the rating meet, ceil(log2 n) + 4 rounds or until all are connected.
"""

import argparse
import hashlib
import itertools
import sys
import time
from pathlib import Path

import five_in_a_row as five
import numpy as np
import pandas as pd
from filelock import FileLock, Timeout
from five_in_a_row import notebook_player, seats, strength
from five_in_a_row.files import replace_file
from tqdm import tqdm

from experiments import league_page
from experiments.command import number, whole
from experiments.matches import SEED, openings
from experiments.ratings import rounds_of
from experiments.store import Rows

PER_SECOND = 2_000  # simulations of the notebook's own search in Python, about
KEYS = ("a", "b", "code", "game")
VALUES = (*strength.MATCH_COLUMNS, "fault")
LEVELS = (1, 3, 5, 7)


# -- who plays -----------------------------------------------------------------------------
def yardsticks(simulations):
    """Return {name: player} whose strength is known; their moves cost hardly any time."""
    budget = {"simulations": simulations}
    found = {"random": five.mcts.RandomPlayer(), "plain UCT": five.PlainUCT(**budget)}
    found["classic"] = five.Classic(**budget)
    return found | {
        f"level {each}": five.EnginePlayer(level=each, simulations=1_000) for each in LEVELS
    }


def teams(paths, taken, **limits):
    """Return ({name: player}, [sentence]): the notebooks that play, and why others do not."""
    found, refused = {}, []
    for path in dict.fromkeys(paths):
        try:
            player = notebook_player.NotebookPlayer(path, **limits)
            found.setdefault(player.name, []).append((path, player))
        except ValueError as error:
            refused.append(str(error))
    for name, those in list(found.items()):
        path, player = those[0]
        if name in taken:
            refused.append(f"{path} has the name of a yardstick: rename it")
        elif len(those) > 1:
            where = " and ".join(str(each) for each, _ in those)
            refused.append(f"{where} are teams of one name, so none of them plays: rename one")
        else:
            try:
                player.start()
                player.rest()
                found[name] = player
                continue
            except seats.EngineFault as fault:
                refused.append(f"{path}: {fault.what.partition(': ')[2]}")
        del found[name]
    return found, refused


# -- the games -----------------------------------------------------------------------------
class League:
    """The players and games of a league; `rows` is what is kept, by (a, b, code, game)."""

    def __init__(self, players, rules, games, rows):
        self.players, self.names = players, list(players)
        self.rules, self.games, self.rows = rules, games, rows
        self.openings = openings(rules, games // 2)
        self.pairs = []  # that have met

    def code(self, a, b):
        """Return what tells the games of a pair from those of other players or rules."""
        words = [strength.player_words(self.players[name]) for name in (a, b)]
        words = f"{words} {self.rules} {self.openings}"
        return hashlib.sha256(words.encode()).hexdigest()[:8]

    def keys(self, pairs):
        """Return the keys of the games of some pairs; the first games of all come first."""
        codes = {pair: self.code(*pair) for pair in pairs}
        return [(*pair, codes[pair], i) for i in range(self.games) for pair in pairs]

    def play(self, jobs, asked=None, progress=True):
        """Play what is not played yet; see rounds_of."""
        for pairs in rounds_of(self.names, asked, self.points):
            self.pairs += pairs
            todo = [key for key in self.keys(pairs) if key not in self.rows]
            work = [(key, self.players[key[0]], self.players[key[1]]) for key in todo]
            waiting, part = dict.fromkeys(todo), (self.rules, self.openings)
            done = strength.in_parallel(Play(*part), work, jobs, progress=False)
            with tqdm(total=len(todo), disable=not progress, file=sys.stdout) as bar:
                bar.set_description_str(self.playing(waiting, jobs))
                for key, row in done:
                    values = [row[name] for name in VALUES]
                    self.rows[key] = ["" if value is None else value for value in values]
                    del waiting[key]
                    bar.set_description_str(self.playing(waiting, jobs))
                    bar.update()

    def playing(self, waiting, jobs):
        """Return the games that are played now, in words."""
        now = itertools.islice(waiting, min(jobs, 3))
        return ", ".join(f"{a} v {b} {i + 1}" for a, b, _, i in now) or "done"

    def table(self):
        """Return the games as a table, a row each; faults are kind and words."""
        keys = [key for key in self.keys(self.pairs) if key in self.rows]
        rows = [dict(zip(KEYS + VALUES, (*key, *self.rows[key]), strict=True)) for key in keys]
        table = pd.DataFrame(rows, columns=KEYS + VALUES)
        for name in VALUES[4:5] + VALUES[6:10]:
            table[name] = pd.to_numeric(table[name])
        return table

    def points(self):
        """Return float[n, n]: what each has scored against each."""
        points = np.zeros((len(self.names), len(self.names)))
        at = {name: i for i, name in enumerate(self.names)}
        for a, b, winner in self.table()[["a", "b", "winner"]].itertuples(index=False):
            points[at[a], at[b]] += {"a": 1.0, "draw": 0.5}.get(winner, 0.0)
            points[at[b], at[a]] += {"b": 1.0, "draw": 0.5}.get(winner, 0.0)
        return points


class Play:
    """Plays a game of a league: what joblib sends to a worker."""

    def __init__(self, rules, openings):
        self.rules, self.openings = rules, openings

    def __call__(self, item):
        """Return (key, row) of a game between two players."""
        key, a, b = item
        return key, seats.judged_number(a, b, self.rules, self.openings, SEED, key[3])


# -- the command ---------------------------------------------------------------------------
def parsed(arguments):
    """Return the options of the command line; a wrong one ends with status 2."""
    parser = argparse.ArgumentParser(
        "python -m experiments league", description=__doc__.split("\n")[0]
    )
    add = parser.add_argument
    add("files", nargs="+", metavar="NOTEBOOK", help=".ipynb, or a zip that was handed in")
    add("--size", type=whole(5, 20), default=8, help="points a side (8)")
    add("--seconds", type=number(0.01, 600), default=0.5, help="time for a move (0.5)")
    add(
        "--simulations",
        type=whole(1, 10**9),
        help="instead of seconds; a move may take a minute",
    )
    add("--grace", type=number(0, 600), default=1.0, help="seconds until it is too late (1)")
    add("--games", type=whole(2, 10_000), default=20, help="games of a pair, even (20)")
    add("--jobs", type=whole(1, 1_000), default=2, help="games played at once (2)")
    add("--cluster", metavar="ADDRESS", help="play on Dask, as the tables do; here: processes")
    add("--rounds", type=whole(0, 1_000), help="of a Swiss system; 0: a round robin")
    add("--yardsticks", help="which, with commas; all without, '' for none")
    add("--out", type=Path, default=Path("league"), metavar="FOLDER", help="(league)")
    asked = parser.parse_args(arguments)
    if asked.games % 2:
        parser.error(f"--games {asked.games}: games come in pairs, colours exchanged")
    return asked, parser


def simulations_of(asked):
    """Return the simulations of plain UCT and classic: what Python makes in the time."""
    return asked.simulations or max(1, round(PER_SECOND * asked.seconds))


def main(arguments, workers, address_fault):
    """Play a league; return the exit status: 0, or 2 where there is nobody to play."""
    asked, parser = parsed(arguments)
    if asked.cluster not in (None, "here") and (fault := address_fault(asked.cluster)):
        parser.error(fault)
    marks = yardsticks(simulations_of(asked))
    if asked.yardsticks is not None:
        chosen = [name.strip() for name in asked.yardsticks.split(",") if name.strip()]
        if wrong := [name for name in chosen if name not in marks]:
            parser.error(f"no yardstick {wrong[0]!r}: there are {', '.join(marks)}")
        marks = {name: marks[name] for name in chosen}
    limits = {"seconds": asked.seconds, "grace": asked.grace}
    if asked.simulations:
        limits |= {"simulations": asked.simulations, "seconds": 60.0}
    found, refused = teams(asked.files, marks, **limits)
    for sentence in filter(None, [notebook_player.unlimited(), *refused]):
        print(sentence, file=sys.stderr)
    if len(found) + len(marks) < 2 or not found:
        print("There are no two players: nothing is played.", file=sys.stderr)
        return 2
    asked.out.mkdir(parents=True, exist_ok=True)
    lock = FileLock(asked.out / ".lock", timeout=0)
    try:
        held = lock.acquire()
    except Timeout:
        print(f"Another league plays in {asked.out}: choose another --out.", file=sys.stderr)
        return 2
    with held:  # it is let go at the end, not when the object happens to be collected
        rows = Rows(asked.out / "games.csv", KEYS, VALUES)
        league = League(found | marks, five.Rules(asked.size), asked.games, rows)
        begun, known = time.perf_counter(), len(rows.found)
        with workers(asked.cluster, asked.jobs):
            league.play(asked.jobs, asked.rounds)
        write(league, marks, asked, refused, begun, known)
    return 0


def counted(number, thing):
    """Return a number of things in words: 1 notebook, 2 notebooks."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def write(league, marks, asked, refused, begun, known):
    """Write page and table, and print where they are and what the games took."""
    games, table = league.table(), league_page.standings(league, marks)
    spent = games[["seconds a", "seconds b"]].sum(axis=1, min_count=2)  # where both told
    seconds = spent.dropna().mean() if spent.notna().any() else 0.0
    budget, made = f"{asked.seconds:g} s", simulations_of(asked)
    if asked.simulations:
        budget = f"{asked.simulations:,} simulations"
    about = (
        f"{counted(len(league.names) - len(marks), 'notebook')} and "
        f"{counted(len(marks), 'yardstick')}; "
        f"{asked.size}×{asked.size}, {budget} per move; {asked.games} games of each pair that "
        f"met, both colours from the same openings; {len(games):,} games, {seconds:.1f} s of "
        f"thinking each. Plain UCT and classic: {made:,} simulations per move."
    )
    text = league_page.page(league, table, marks, about, refused)
    replace_file(asked.out / "league.html", text.encode())
    csv = table.to_csv(lineterminator="\n", float_format="%.4g")
    replace_file(asked.out / "league.csv", csv.encode())
    took, new = time.perf_counter() - begun, len(league.rows.found) - known
    print(f"{new:,} new games in {took / 3600:.2f} hours; {about}")
    print(table[["name", "rating", "low", "high", "stands"]].round(0).to_string())
    print(f"{asked.out / 'league.html'}, {asked.out / 'league.csv'}")
