"""The long tables: a decorator names each, beside the function that makes it."""

import importlib
from typing import NamedTuple

from experiments import behaviour
from experiments.store import store

STUDIES = ("strength", "connect_four", "tic_tac_toe", "ludo")
TABLES = {}  # {name: Table} of the modules that were imported


class Table(NamedTuple):
    """A table of a study.

    function   function(number, jobs) yields its rows; the first line of its text is listed
    number     the usual number, of `unit`
    kinds      of players, on which it rests (experiments/kinds)
    budget     in words, where no column tells it
    """

    study: str
    name: str
    number: int
    kinds: tuple[str, ...]
    unit: str
    budget: str | None
    function: object

    def code(self):
        """Return the fingerprint of its players, eight digits."""
        return behaviour.code(*self.kinds)

    def rows(self, keys, values):
        """Return the rows of its own that are kept; see Store.rows."""
        return store(self.study).rows(f"{self.name}-{self.code()}", keys, values)


def table(name, number, kinds, unit="games", budget=None):
    """Return a decorator that enters a function in TABLES; see Table.

    Its study is that of its module, experiments.STUDY or one in that folder.
    """

    def enter(function):
        study = function.__module__.split(".")[1]
        TABLES[name] = Table(study, name, number, kinds, unit, budget, function)
        return function

    return enter


def load():
    """Return {name: Table} of all studies whose modules are in export/."""
    found = []
    for study in STUDIES:
        try:
            importlib.import_module(f"experiments.{study}")
        except ModuleNotFoundError as error:
            if not error.name.startswith("five_in_a_row."):
                raise
            continue  # what is handed in holds the main notebook alone
        found.append(study)
    # in the order of STUDIES, whatever was imported before
    entered = sorted(TABLES.items(), key=lambda entry: STUDIES.index(entry[1].study))
    return {name: each for name, each in entered if each.study in found}
