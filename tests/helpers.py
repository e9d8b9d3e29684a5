"""What several test files need: a clock that a test moves, and a board inside a search."""

import five_in_a_row as five


class StepClock:
    """A clock for tests: each look at it is `step` seconds later."""

    def __init__(self, step):
        self.step, self.now = step, 0.0

    def __call__(self):
        self.now += self.step
        return self.now


def board_of(game):
    """Return a search record whose board holds the game's position, with its shapes."""
    s = five.new_search(five.engine_game(), game, 1)
    five.begin_live(s)
    return s
