"""Games against the computer, in a window or in the notebook, with the desk behind a key.

The desk is loaded when it is first opened, so a board opens before.
"""

import five_in_a_row as five

from . import check_imports


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


def add_figures_and_desk(controller, path=None):
    """Add everything, above cells that show the game; see five.extras.add_with_figures."""
    games = five.extras.add_with_figures(controller, path)
    add_desk(controller)
    return games
