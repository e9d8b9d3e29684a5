"""The replay of a game: one piece of a page, with a board, a slider, moves, visits and values.

It needs no running Python and no network, so it works in the exported page as well. Where
scripts are off, and on paper, the last position, the record and a sheet of small boards stand
in its place.

A player and a drawing make it up, and neither knows the other. The player (replay.html,
replay.css, replay.js) knows frames: what each is called, what is said of it, what result it
promises. The drawing is a list of parts, shapes with a place and with the first and the last
frame that shows them: a stone appears with its move and stays, a die would be seen in one
frame only. Another game needs only frames, shapes and parts of its own.
"""

import base64
import dataclasses
import html
import itertools
import json
import math
import re
import textwrap
from pathlib import Path
from typing import NamedTuple

import numpy as np

from five_in_a_row.figures import evenly, position_at, result_text
from five_in_a_row.files import one_line
from five_in_a_row.game import BLACK, COLOUR, WHITE, Game, Rules, is_whole, point_name
from five_in_a_row.mcts import SearchResult
from five_in_a_row.verdicts import verdict
from five_in_a_row.window import result_lines

STEP = 10  # units of the drawing from a line of the board to the next
VISIT_SHADES = {  # the least share of each shade in per cent, and its colour: as in figures
    1: "#deebf7", 2: "#c6dbef", 5: "#9ecae1", 10: "#6baed6", 20: "#4292c6", 40: "#2171b5",
    70: "#084594",
}  # fmt: skip
SHADE_STYLE = ".percent{font-size:2.9px;font-weight:600;paint-order:stroke}" + "".join(
    f".s{i}{{fill:{colour}}}.t{i}{{stroke:{colour};fill:{'#fff' if least >= 40 else '#000'}}}"
    for i, (least, colour) in enumerate(VISIT_SHADES.items())
)


def read_asset(name: str) -> str:
    """Return the text of a file beside this one, after a line break."""
    return "\n" + Path(__file__).with_name(name).read_text("utf-8")


BOARD_STYLE = read_asset("replay_board.css")
PLAYER_STYLE = read_asset("replay.css")
PLAYER_SCRIPT = read_asset("replay.js")
PLAYER_PAGE = read_asset("replay.html").replace("\n<button", "<button")  # side by side


class Frame(NamedTuple):
    """A moment of a replay; frame 0 is the start, and every move makes the next one."""

    move: str  # its name in the list of moves
    who: str  # who moved
    lines: tuple[str, ...] = ()  # what is said of it
    value: float | None = None  # the expected result, -1 to +1; None where nobody knows


class Part(NamedTuple):
    """A shape at a place, and when it is seen. Later parts lie over earlier ones."""

    shape: str  # its name among the shapes of the drawing, and the class of its text
    x: float = 0
    y: float = 0
    first: int = 0  # the first frame that shows it
    last: int | None = None  # the last one, included; None: it stays to the end
    text: str = ""  # written at the place

    def is_shown(self, frame: int) -> bool:
        """True if that frame shows the part."""
        return self.first <= frame and (self.last is None or frame <= self.last)


class Drawing(NamedTuple):
    """How a game is drawn at every frame. Its SVG and CSS are trusted, its texts are not."""

    box: tuple[float, float, float, float]  # x, y, width, height of the picture
    shapes: dict[str, str]  # {name: SVG}
    parts: list[Part]
    style: str = ""  # CSS of the shapes; what is new in a frame has the class "new"
    over: list[Part] = []  # seen over the last position, where it stands alone


class Shares(NamedTuple):
    """How a search was spent on the cells of a grid, each 10 units wide in the drawing."""

    share: np.ndarray  # float[rows, columns], row 0 at the bottom, whose middle is y = 0
    played: int  # the cell of the move, row * columns + column; its text has class on-<who>


# The board is drawn as in the figures: letters below, line 1 at the bottom, a small square on
# the last stone, a frame around each stone of the winning line.


def place_in_drawing(point: int, rules: Rules) -> tuple[int, int]:
    """Return x and y of a point in the drawing: a1 at 0, 0, and y grows downwards."""
    row, col = divmod(point, rules.size)
    return STEP * col, -STEP * row


def board_shapes(rules: Rules) -> dict[str, str]:
    """Return the shapes of a board by name."""
    right, high = STEP * (rules.size - 1), STEP * (rules.height - 1)
    lines = [f"M0 {-y}h{right}" for y in range(0, high + 1, STEP)]
    lines += [f"M{x} 0v{-high}" for x in range(0, right + 1, STEP)]
    names = [(STEP * i, 8.5, "abcdefghijklmnopqrst"[i]) for i in range(rules.size)]
    names += [(-8.5, -STEP * i, i + 1) for i in range(rules.height)]
    texts = "".join(f"<text x='{x}' y='{y}'>{name}</text>" for x, y, name in names)
    stone = "<circle r='4.2'/><path class='mark' d='M-1 0h2'/>"
    return {
        "grid": f"<path class='grid' d='{''.join(lines)}'/>{texts}",
        "black": stone,
        "white": f"<g class='white'>{stone}</g>",
        "five": "<path class='five' d='M-4.7-4.7h9.4v9.4h-9.4z'/>",
    }


def draw_game(game: Game) -> Drawing:
    """Return how a game is drawn, from frame 0, its start, to its last move."""
    rules, start = game.rules, position_at(game, 0)
    parts = [Part("grid")]
    numbers = []  # of the moves, on the stones
    for point in np.flatnonzero(start.array).tolist():
        colour = COLOUR[int(start.array.flat[point])]
        parts.append(Part(colour, *place_in_drawing(point, rules)))
    for frame, point in enumerate(game.played, 1):
        colour = COLOUR[start.to_move * (1 if frame % 2 else -1)]
        parts.append(Part(colour, *place_in_drawing(point, rules), frame))
        numbers.append(Part(f"on-{colour}", *place_in_drawing(point, rules), text=str(frame)))
    for point in game.five:
        parts.append(Part("five", *place_in_drawing(point, rules), len(game.played)))
    box = -12, 4 - STEP * rules.height, STEP * rules.size + 8, STEP * rules.height + 8
    return Drawing(box, board_shapes(rules), parts, BOARD_STYLE, numbers)


def visit_shares(game: Game, thoughts: dict) -> dict[int, Shares]:
    """Return {frame: Shares}: in the frame of a move, the search that chose it."""
    return {
        ply + 1: Shares(thought.visits / thought.visits.sum(), game.played[ply])
        for ply, thought in sorted(thoughts.items())
        if thought.visits.any()
    }


def game_frames(game: Game, thoughts: dict, resigned: int = 0) -> list[Frame]:
    """Return a frame for the start and for each move; values are +1 where black wins."""
    now = position_at(game, 0)
    over = game.over or resigned
    frames = [Frame("start", "", (f"{COLOUR[now.to_move].capitalize()} to move.",))]
    for ply, point in enumerate(game.played):
        side = now.to_move
        lines, value = [], None
        if (thought := thoughts.get(ply)) is not None:
            lines = search_lines(now, thought, point)
            value = expected(now, thought)
        name = point_name(point, game.rules.size)
        frames.append(Frame(name, COLOUR[side], tuple(lines), value))
        now.play(point)
    end = f"{result_text(game, resigned).capitalize()}."
    if not over:
        end = f"Unfinished, {COLOUR[game.to_move]} to move."
    value = (game.winner or -resigned) if over and thoughts else frames[-1].value
    lines = (*frames[-1].lines, end) if game.played else (end,)
    frames[-1] = frames[-1]._replace(lines=lines, value=value)
    return frames


def expected(game: Game, thought: SearchResult) -> float | None:
    """Return the result that a thought expects or has proved, +1 where black wins."""
    value = game.to_move * thought.expected
    return None if math.isnan(value) else round(value, 2) + 0.0  # not -0.0


def search_lines(game: Game, thought: SearchResult, played: int) -> list[str]:
    """Return how the move of a position was found: reason, simulations, line, verdict."""
    reason, *lines = result_lines(dataclasses.replace(thought, seconds=0.0))
    if thought.move == played:
        reason = reason.partition(": ")[2].capitalize()
    else:  # a search that was made again with fewer simulations
        reason = f"This search prefers {reason}"
    return [reason, *lines, *filter(None, [verdict(game, thought)])]


# What is seen without scripts is one picture: the last position with the number of its move
# on each stone, and around it small boards of earlier ones. It is an SVG inside an `img`, so
# nothing in it can clash with the page, and JupyterLab shows it even in a notebook that it
# does not trust. What the boards have in common is written once.


def still_picture(frames: list[Frame], drawing: Drawing) -> str:
    """Return an img: the last position, and up to 11 earlier ones, evenly spaced.

    The last one takes three columns and rows of four; small ones stand beside and below it.
    """
    last = len(frames) - 1
    chosen = evenly(range(last + 1), 13)[1:-1]
    x, y, wide, high = drawing.box
    gap = wide / 10
    shared, boards = shared_parts([*chosen, last], drawing)
    boards[last] += "".join(part_svg(part, drawing.shapes) for part in drawing.over)
    right, down = wide + gap, high + 1.6 * gap  # from one small board to the next
    scale = (3 * wide + 2 * gap) / wide
    places = [(3, 0), (3, 1), (3, 2), *((col, row) for row in (3, 4) for col in range(4))]
    picture = shared + board_svg(boards[last], (0, 0), scale, drawing.box)
    for frame, (col, row) in zip(chosen, places, strict=False):
        name = f"{frame}: {html.escape(frames[frame].move)}"
        label = (
            f"<text class='of' x='{x + wide / 2:g}' y='{y + high + gap / 2:g}'>{name}</text>"
        )
        picture += board_svg(boards[frame] + label, (col * right, row * down), 1, drawing.box)
    rows = 1 + max((row for _, row in places[: len(chosen)]), default=0)
    box = (4 if chosen else 3) * right - gap, max(3, rows) * down
    style = f"{drawing.style}.of{{font-size:{0.8 * gap:g}px;fill:#222}}"
    names = ", ".join(f"{frame} {frames[frame].move}" for frame in chosen)
    alt = "The last position" + (
        f", and the positions after moves {names}." if chosen else "."
    )
    return svg_image(picture, box, style, alt)


def board_svg(svg: str, place: tuple[float, float], scale: float, box) -> str:
    """Return a board in a larger picture, at x and y."""
    where = f"{place[0] - scale * box[0]:g} {place[1] - scale * box[1]:g}"
    return f"<g transform='translate({where}) scale({scale:.5g})'>{svg}</g>"


def svg_image(svg: str, box: tuple[float, float], style: str, alt: str, width=560) -> str:
    """Return an img, at most `width` CSS pixels wide, that holds an SVG on white paper."""
    head = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {:g} {:g}'>".format(*box)
    paper = "<rect width='100%' height='100%' fill='#fff'/>"
    data = f"{head}<style>{style}</style>{paper}{svg}</svg>".encode()
    return (
        f'<img src="data:image/svg+xml;base64,{base64.b64encode(data).decode()}" '
        f'alt="{html.escape(alt)}" width="{width}" height="{round(width * box[1] / box[0])}" '
        'style="max-width: 100%; height: auto">'
    )


def shared_parts(chosen: list[int], drawing: Drawing) -> tuple[str, dict[int, str]]:
    """Return what the boards of some frames share, as SVG, and {frame: SVG} that uses it.

    What is new in a frame has the class "new", but not in the last of them.
    """
    shapes = drawing.shapes
    boards = dict.fromkeys(chosen, "")
    groups = ""

    def where(part):
        """The frame that begins with the part, or False, and the frames that show it."""
        frames = [frame for frame in boards if part.is_shown(frame)]
        return part.first in boards and part.first, frames

    for number, ((new, frames), parts) in enumerate(itertools.groupby(drawing.parts, where)):
        if frames:
            svg = "".join(part_svg(part, shapes) for part in parts)
            groups += f"<g id='g{number}'>{svg}</g>"
        for frame in frames:
            mark = " class='new'" if 0 < new == frame < chosen[-1] else ""
            boards[frame] += f"<use href='#g{number}'{mark}/>"
    named = "".join(f"<g id='{name}'>{svg}</g>" for name, svg in shapes.items())
    return f"<defs>{named}{groups}</defs>", boards


def part_svg(part: Part, shapes: dict[str, str]) -> str:
    """Return a part as SVG; a name without a shape is only the class of the text."""
    place = f" x='{part.x:g}' y='{part.y:g}'" if part.x or part.y else ""
    shape = f"<use href='#{part.shape}'{place}/>" if part.shape in shapes else ""
    text = f"<text class='{part.shape}'{place}>{html.escape(part.text)}</text>"
    return shape + (text if part.text else "")


# The shares are the largest part of the data, so they are written short: in whole per cents,
# and a letter for how many cells are skipped.


def shares_text(share: np.ndarray) -> str:
    """Return shares as text: "12c3" is 12 %, three cells of less than a half, and 3 %.

    A letter skips as many cells as its place in the alphabet; spaces divide numbers.
    """
    text = ""
    for blank, run in itertools.groupby(
        np.rint(100 * share).astype(int).flat, lambda n: n == 0
    ):
        numbers = list(run)
        if blank:
            full, rest = divmod(len(numbers), 26)
            text += "z" * full + "abcdefghijklmnopqrstuvwxyz"[rest - 1 : rest]
        else:
            text += " ".join(map(str, numbers))
    return text


# The player lives in a *shadow root*, a part of the page whose styles and names stay inside
# it, so two replays on one page leave each other alone. Its script builds the player from the
# data, shows a frame, and answers clicks and keys.


class Replay:
    """What a notebook displays: `html` for pages, and the record in words for all others."""

    def __init__(self, page: str, words: str):
        self.html, self.words = page, words

    def __str__(self) -> str:
        return self.words

    def _repr_mimebundle_(self, **_) -> dict[str, str]:
        return {"text/html": self.html, "text/plain": self.words}


def replay_piece(
    title: str,
    frames: list[Frame],
    drawing: Drawing,
    shares: dict[int, Shares] | None = None,
    marks: dict[str, str] | None = None,
    sides: tuple[str, str] = ("", ""),
) -> Replay:
    """Return a player of frames, whatever game they show.

    frames    the start and every move, at least one
    drawing   the picture; the player only shows and hides its parts
    shares    {frame: Shares} of the searches, or None
    marks     {who: sign} for the list of moves, such as {"red": "R"}; None: the names
    sides     what the values +1 and -1 of the frames mean
    The same arguments give the same text. It has no ids and no global names, so many
    replays may stand on one page. Raises ValueError for a frame that does not exist.
    """
    shares, marks = shares or {}, marks or {}
    check_frames(frames, drawing, shares)
    moves = [f"{marks.get(frame.who, frame.who)} {frame.move}".strip() for frame in frames[1:]]
    record = [f"{number}. {move}".replace(" ", "\xa0") for number, move in enumerate(moves, 1)]
    end = frames[-1].lines[-1:]
    data = {
        "title": title,
        "frames": frames,
        "box": drawing.box,
        "shapes": drawing.shapes,
        "parts": [part_data(part) for part in drawing.parts],
        "shares": {k: [shares_text(each.share), each.played] for k, each in shares.items()},
        "columns": max((each.share.shape[1] for each in shares.values()), default=0),
        "shades": list(VISIT_SHADES),
        "marks": marks,
        "sides": sides,
        "page": f"<style>{PLAYER_STYLE}{drawing.style}{SHADE_STYLE}</style>{PLAYER_PAGE}",
    }
    lines = [" ".join(record), *end] if record else end
    page = replay_html(
        data, still_picture(frames, drawing), "<br>".join(map(html.escape, lines))
    )
    return Replay(page, "\n".join([title, *(textwrap.fill(line, 92) for line in lines)]))


def replay_html(data: dict, picture: str, record: str) -> str:
    """Return the HTML of a replay: what is seen without scripts, the data, the script."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    text = text.replace("</", "<\\/").replace("<!--", "<\\u0021--")  # ends no script
    return f"""<figure class="five-replay" style="margin: 1em 0">
<figcaption style="margin: 0 0 0.4em; text-align: left; break-after: avoid">
<b>{html.escape(data["title"])}</b></figcaption>
<div data-lm-suppress-shortcuts="true">
<p>{picture}</p>
<p>{record}</p>
</div>
<script type="application/json">{text}</script>
<script>(() => {{{PLAYER_SCRIPT}}})();</script>
</figure>"""


def part_data(part: Part) -> list:
    """Return a part as the player reads it, without what is left out at its end."""
    data = [*part[:-1], html.escape(part.text)]
    while data[-1] in (None, ""):
        data.pop()
    return data


def check_frames(frames: list[Frame], drawing: Drawing, shares: dict[int, Shares]) -> None:
    """Raise ValueError unless there is a frame, and all that is shown belongs to frames."""
    if not frames or not all(isinstance(frame, Frame) for frame in frames):
        raise ValueError("frames must be a list with at least one Frame")
    last = len(frames) - 1
    for number, frame in enumerate(frames):
        if frame.value is not None and not -1 <= frame.value <= 1:
            raise ValueError(f"frame {number}: a value is -1 to +1 or None, not {frame.value}")
    for part in [*drawing.parts, *drawing.over]:
        if not re.fullmatch(r"[A-Za-z][\w-]*", part.shape) or re.fullmatch(
            r"g\d+", part.shape
        ):
            raise ValueError(
                f"the name {part.shape!r} of a shape: letters, digits, - and _ do"
            )
    for part in drawing.parts:
        end = last if part.last is None else part.last
        if not 0 <= part.first <= end <= last:
            raise ValueError(
                f"the shape {part.shape!r} is seen from frame {part.first} to {end}, "
                f"but the frames are 0 to {last}"
            )
    if wrong := [frame for frame in shares if not 0 < frame <= last]:
        raise ValueError(f"shares of frame {wrong[0]}, but the moves are frames 1 to {last}")
    if len({each.share.shape for each in shares.values()}) > 1:
        raise ValueError("the shares of all frames must have one shape")
    if wrong := [n for n, each in shares.items() if not 0 <= each.played < each.share.size]:
        raise ValueError(
            f"shares of frame {wrong[0]}: there is no cell {shares[wrong[0]].played}"
        )


def replay(
    game: Game, thoughts: dict | None = None, title: str | None = None, resigned: int = 0
) -> Replay:
    """Return the replay of a game, finished or not, of any Rules.

    thoughts   {ply: SearchResult}, as the Play cell records them; None or {} for none
    title      the heading; None: board, number of moves and result
    resigned   the colour that has given up, +1 or -1, or 0
    Raises ValueError for anything else, and for thoughts that belong to another game.
    """
    if not all(hasattr(game, name) for name in ("rules", "played", "moves", "undo")):
        raise ValueError(f"replay needs a Game, not {game!r:.60}")
    if resigned not in (BLACK, WHITE, 0):
        raise ValueError(f"resigned must be +1 (black), -1 (white) or 0, not {resigned!r}")
    thoughts = check_thoughts(game, {} if thoughts is None else thoughts)
    rules, count = game.rules, len(game.played)
    moves = f"{count} move{'' if count == 1 else 's'}"
    if title is None:
        title = f"{rules.size}×{rules.height}, {moves}: {result_text(game, resigned)}"
    frames, shares = game_frames(game, thoughts, resigned), visit_shares(game, thoughts)
    marks, sides = {"black": "", "white": ""}, ("black wins", "white wins")
    return replay_piece(one_line(str(title)), frames, draw_game(game), shares, marks, sides)


def check_thoughts(game: Game, thoughts: dict) -> dict:
    """Return {ply: SearchResult} if it fits the game; ValueError says what does not."""
    if not isinstance(thoughts, dict):
        raise ValueError(
            f"thoughts must be a dict of ply and SearchResult, not {thoughts!r:.60}"
        )
    for ply, thought in thoughts.items():
        if not is_whole(ply) or not 0 <= ply < len(game.played):
            last = len(game.played) - 1
            plies = f"its plies are 0 to {last}" if game.played else "it has no moves"
            raise ValueError(f"there is no ply {ply!r} in this game: {plies}")
        if not all(hasattr(thought, name) for name in ("move", "visits", "line")):
            raise ValueError(f"thoughts[{ply}] must be a SearchResult, not {thought!r:.60}")
        before = position_at(game, ply)
        taken = before.array != 0
        if thought.visits.shape != taken.shape:
            raise ValueError(f"thoughts[{ply}] is about a board of another size")
        if before.why_illegal(thought.move) or thought.visits[taken].any():
            raise ValueError(
                f"thoughts[{ply}] belongs to another game: it plays where a stone is"
            )
    return dict(thoughts)
