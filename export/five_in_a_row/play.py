"""Games against the computer, in a window or in the notebook, with the desk behind a key.

The desk is loaded when it is first opened, so a board opens before.
"""

import math
from pathlib import Path

import five_in_a_row as five

from . import check_imports
from .mcts import SearchPlayer
from .panels import Panel


def play_now(size=8, seconds=5, human="black", level=None, opponent=None, opponents=None):
    """Play at once, against the engine: in a window, or in the notebook without a display.

    The arguments are those of five.window.play; opponents=None: those of the package. Return
    the game, or a board in the notebook; where neither can be shown, a sentence says why.
    """
    check_imports()  # this may be the second try, after the first one was interrupted
    return five.window.play(
        opponents or five.opponents.OPPONENTS,
        size,
        seconds,
        human,
        level,
        opponent=opponent,
        ways=(five.window.in_window, five.inline.in_notebook),
        more=add_figures_and_desk,
    )


def play_inline(
    size=8, seconds=5, human="black", path=None, opponents=None, opponent=None, **settings
):
    """Show a new game in the notebook; give it a name, as in board = play_inline().

    The arguments are those of five.window.play. Raises NoInline outside a notebook.
    """
    opponents = opponents or five.opponents.OPPONENTS
    settings |= {"opponent": five.window.check_opponent(opponents, opponent)}
    record = five.window.new_record(size, seconds, human, **settings)
    controller = five.window.Controller(five.window.Session(record, opponents))
    if why := five.inline.why_not_inline():
        raise five.inline.NoInline(why)
    five.extras.add_extras(controller, path)
    add_desk(controller)
    return five.inline.in_notebook(controller)


class DeskSwitch:
    """Opens the desk in a window that is open, with its game, and leaves it again."""

    is_open = False

    def toggle(self, controller) -> None:
        """Open the desk, or leave it; the panels of play wait meanwhile."""
        five.window.stop_search(controller.session)
        if self.is_open:
            self.leave(controller)
        else:
            self.open(controller)

    def open(self, controller) -> None:
        """Put the desk in the place of the panels of play, which are remembered."""
        self.panels = controller.panels
        self.commands = controller.commands
        self.paused = controller.session.paused
        self.record = controller.record
        self.moves = list(self.record.game.played)
        stay = (five.extras.Typed, five.extras.Prepare, five.extras.Choice)
        plain = [*five.window.COMMANDS, *five.extras.SETTINGS, "resign", "colours", "desk"]
        controller.panels = [each for each in self.panels if isinstance(each, stay)]
        controller.commands = {
            name: self.commands[name] for name in self.commands if name in plain
        }
        five.desk.Desk(controller)
        self.is_open = True
        controller.session.show("The analysis desk; Shift+Z: back to the game")

    def leave(self, controller) -> None:
        """Let the panels of play go on where they were."""
        for panel in controller.panels:
            if panel not in self.panels:
                panel.on_finish(controller)
        self.go_back()
        controller.panels = self.panels
        controller.commands = self.commands
        controller.session.paused = self.paused
        controller.view.overlay = ()
        self.is_open = False
        controller.session.show()

    def go_back(self) -> None:
        """Show the game where it stood, if the desk has only stepped through it."""
        game = self.record.game
        moves = game.played + game.undone[::-1]
        if moves[: len(self.moves)] == self.moves:
            game.go_to(len(self.moves))


def add_desk(controller) -> None:
    """Add the command that opens the desk in this window."""
    switch = DeskSwitch()
    command = five.window.Command(
        "Desk",
        "Z",
        "the analysis desk, with this game; again: back",
        switch.toggle,
        on=lambda controller: switch.is_open,
    )
    five.extras.add_after(controller, "help", {"desk": command})
    controller.panels.append(Notebooks())


class Notebooks(Panel):
    """A notebook that is dropped onto the window becomes its opponent."""

    def key_lines(self, controller) -> tuple[str, ...]:
        """Return the line of the list of keys."""
        return ("drop .ipynb\ta notebook on the window: it is the opponent",)

    def on_drop(self, controller, path: str) -> bool:
        """Let the notebook of a file take the opponent's place; a sentence where it cannot."""
        if Path(path).suffix not in (".ipynb", ".zip"):
            return False
        session = controller.session
        try:
            name = add_notebook(session, path)
        except ValueError as error:
            session.note = str(error)
            return True
        for panel in controller.panels:
            if isinstance(panel, five.extras.Choice):
                panel.take_opponent(session, name)
        session.note = session.note or f"{name} plays next, in a process of its own"
        return True

    def on_finish(self, controller) -> None:
        """End the processes of the notebooks."""
        for opponent in controller.session.opponents.values():
            getattr(opponent, "close", lambda: None)()


def add_notebook(session, path) -> str:
    """Add the notebook of a file to the opponents of a session, and return its name there."""
    opponent = five.notebook_player.NotebookOpponent(path)
    name = opponent.name
    while name in ("person", *session.opponents):
        name += "'"
    session.opponents = session.opponents | {name: opponent}
    return name


def add_figures_and_desk(controller, path=None):
    """Add everything, above cells that show the game; see five.extras.add_with_figures."""
    games = five.extras.add_with_figures(controller, path)
    add_desk(controller)
    return games


# ---- is a change stronger? ------------------------------------------------------------------


class OwnSearch(SearchPlayer):
    """A search of the notebook as it is now, called as plain_search."""

    name = "now"

    def __init__(self, own, *, seconds=None, simulations=None):
        super().__init__(seconds=seconds, simulations=simulations)
        self.own = own
        self.settings["own"] = own

    def search(self, game, **asked):
        """Return what the notebook's own search finds."""
        return self.own(game, **asked)


def compare(search, before="export/five_in_a_row.zip", games=20, *, size=8, **budget):
    """Play a search against an earlier notebook; print which is stronger, and how surely.

    search   as `mine` of the notebook that runs, with its edits, saved or not
    before   what was handed in last, or any .ipynb or zip with one
    budget   seconds or simulations of a move; 100 simulations where nothing is said
    Return the table of the match; ValueError where there is nothing to compare with.
    """
    if not Path(before).exists():
        raise ValueError(
            f"{before} is not there: hand the notebook in first, as README says, or name "
            "another notebook"
        )
    strength, budget = five.strength, budget or {"simulations": 100}
    old = five.notebook_player.NotebookPlayer(before, **budget)
    rules, pairs = five.game.Rules(size), max(1, games // 2)
    openings = strength.random_openings(rules, pairs, 3)
    table = strength.play_match(
        OwnSearch(search, **budget), old, games, rules, openings, progress=True
    )
    print(strength.match_words(f"Now against {Path(before).name}", table) + ".")
    print(change_words(table))
    return table


def change_words(table) -> str:
    """Return what the pairs of a match say, and how many games would settle it."""
    won, lost = five.strength.count_pairs(table).values()
    pairs = len(table) // 2
    said = f"Of {pairs} pairs of games it won {won} and lost {lost}"
    if won == lost:
        return f"{said}: nothing speaks for either."
    luck = five.strength.chance_if_equal(won, lost)
    better = "stronger" if won > lost else "weaker"
    if luck < 0.05:
        return f"{said}: it is {better} (p = {luck:.2g})."
    share = max(won, lost) / (won + lost)
    needed = five.strength.games_needed(share) if share < 1 else 6  # p = 2 / 2**6
    games = 2 * math.ceil(needed * pairs / (won + lost))
    return (
        f"{said}: equals do that too (p = {luck:.2f}). If it is {better} by as much as it "
        f"seems, about {games:,} games show it four times in five."
    )
