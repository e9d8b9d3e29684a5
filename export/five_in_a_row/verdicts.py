"""What a search expects of a position, in words, with what it has proved."""

from five_in_a_row.game import COLOUR, Game
from five_in_a_row.mcts import SearchResult
from five_in_a_row.window import expectation


def plies_to_win(game: Game, result: SearchResult) -> int | None:
    """Return how many stones of both sides the result's line takes to a win, or None.

    A line that ends in a double threat is played on: each side wins, or stops a win.
    """
    from five_in_a_row.search import winning_points  # it has found the proof, so it is loaded

    after, line = game.copy(), list(result.line)
    while not after.over:
        line = line or winning_points(after, after.to_move)[:1]
        line = line or winning_points(after, -after.to_move)[:1]
        if not line or after.why_illegal(line[0]):
            return None
        after.play(line.pop(0))
    won = after.winner == game.to_move * result.proven
    return len(after.played) - len(game.played) if won else None


def verdict(game: Game, result: SearchResult) -> str:
    """Return what a search of this position expects, in words; "" where it says nothing."""
    if result.proven is None:
        return expectation(game, result)
    if result.proven == 0:
        return "A draw, if both play well"
    who = COLOUR[game.to_move * result.proven].capitalize()
    count = plies_to_win(game, result)
    return f"{who} wins {f'in {count}' if count else 'by force'}"
