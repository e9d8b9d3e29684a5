# Made from ludo.ipynb by tools/build.py: change the notebook, not this file.


import copy
import itertools
import math
import os
import random
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

import five_in_a_row as five


# ---- 1. Rules and board ---------------------------------------------------------------------


# by Rules · the values that make a game of Ludo



class LudoRules(NamedTuple):
    """The rules of a game of Ludo; the defaults are the dissertation's on the common board."""

    players: int = 4  # 2, 3 or 4; two sit opposite
    ring: int = 52  # squares of the ring, a multiple of 4
    lane: int = 6  # squares of each player's lane; the last one is home
    safe: tuple[int, ...] = ()  # squares without captures, counted from every start
    again: bool = False  # True: a capture gives another roll
    three_sixes: bool = False  # True: the third six in a row is lost, and the turn passes
    forced_exit: bool = False  # True: a six must bring a token out while one is in the yard

    @property
    def goal(self) -> int:
        """Steps that a token has made at home: 1 on its start, ring - 1 before its lane."""
        return self.ring + self.lane - 1


# by Rules · the rules, checked
def check_ludo(rules: LudoRules) -> LudoRules:
    """Return the rules. ValueError names what is wrong with them and what is allowed."""

    def need(fine: bool, what: str):
        if not fine:
            raise ValueError(what)

    if not isinstance(rules, LudoRules):
        raise ValueError(f"rules must be LudoRules, not {five.game.quoted(rules)}")
    players, ring, lane, safe, *switches = rules
    count = five.game.is_whole(players) and 2 <= players <= 4
    need(count, f"Ludo is for 2, 3 or 4 players, not {five.game.quoted(players)}")
    sides = five.game.is_whole(ring) and 8 <= ring <= 100 and ring % 4 == 0
    need(
        sides, f"the ring must be a multiple of 4 from 8 to 100, not {five.game.quoted(ring)}"
    )
    need(
        five.game.is_whole(lane) and 1 <= lane <= 20,
        f"a lane has 1 to 20 squares, not {five.game.quoted(lane)}",
    )
    listed = isinstance(safe, tuple) and all(map(five.game.is_whole, safe))
    listed = listed and all(0 <= step < ring // 4 for step in safe)
    steps = f"a tuple of steps from 0 to {ring // 4 - 1}"
    need(listed, f"safe must be {steps}, not {five.game.quoted(safe)}")
    need(
        all(isinstance(switch, bool) for switch in switches),
        f"again, three_sixes and forced_exit must be True or False, not {switches}",
    )
    return rules


# by Rules · a position, and the track that tokens walk on
TOKENS, SEATS = 4, 4
STATE = np.dtype(
    [
        ("at", np.int8, (SEATS, TOKENS)),  # steps of each token
        ("to_move", np.int64),  # 0 to 3
        ("die", np.int64),  # 1 to 6; 0: to be rolled
        ("sixes", np.int64),  # sixes in a row that this turn has had
        ("winner", np.int64),  # 0 to 3; -1: nobody yet
        ("random", np.uint64),  # see five.search.random_below
    ],
    align=True,
)
TRACK = np.dtype(
    [
        ("square", np.int16, (SEATS, 128)),  # of the ring, by steps; -1: not on the ring
        ("steps", np.int16, (SEATS, 100)),  # by square; -1: none stands there
        ("safe", np.int8, 100),  # by square; 1: no captures
        ("players", np.int64),
        ("ring", np.int64),
        ("goal", np.int64),
        ("again", np.int64),
        ("three_sixes", np.int64),
        ("forced_exit", np.int64),
    ],
    align=True,
)


def starts(rules: LudoRules) -> list[int]:
    """Return the square of the ring where each player's tokens come out, clockwise."""
    quarters = {2: (0, 2), 3: (0, 1, 2), 4: (0, 1, 2, 3)}[rules.players]
    return [quarter * rules.ring // 4 for quarter in quarters]


# by Rules · fill the track
def track_of(rules: LudoRules) -> np.record:
    """Return the track of some rules, a TRACK record. ValueError as check_ludo."""
    return build_track(check_ludo(rules)).view(np.recarray)[0]


@lru_cache
def build_track(rules: LudoRules) -> np.ndarray:
    """Return the track of rules that have been checked, TRACK[1]."""
    tracks = np.zeros(1, TRACK)
    track = tracks.view(np.recarray)[0]
    track.square[:], track.steps[:] = -1, -1
    for player, start in enumerate(starts(rules)):
        for steps in range(1, rules.ring):
            square = (start + steps - 1) % rules.ring
            track.square[player, steps], track.steps[player, square] = square, steps
    for step in rules.safe:
        track.safe[step : rules.ring : rules.ring // 4] = 1
    track.players, track.ring, track.goal = rules.players, rules.ring, rules.goal
    track.again, track.three_sixes = rules.again, rules.three_sixes
    track.forced_exit = rules.forced_exit
    return tracks


def new_state(first: int = 0) -> np.record:
    """Return the position before the first roll, a STATE record; player `first` begins."""
    state = np.zeros(1, STATE).view(np.recarray)[0]
    state.to_move, state.winner = first, -1
    return state


# by Rules · which tokens may move
jit = five.cache.jit if "__file__" in globals() else five.cache.inline_kernel


@jit
def movable(track, state):
    """Return the tokens that may move, a bit each; 0 where the turn is lost."""
    if track.three_sixes and state.die == 6 and state.sixes == 2:
        return 0
    tokens, yard = 0, 0
    for token in range(TOKENS):
        steps = np.int64(state.at[state.to_move, token])
        if steps == 0:
            yard |= (state.die == 6) << token
        elif steps + state.die <= track.goal:
            tokens |= 1 << token
    return yard if yard and track.forced_exit else tokens | yard


@jit
def movable_in(tracks, states):
    """Return movable of arrays that hold one record: a call from Python takes them sooner."""
    return movable(tracks[0], states[0])


@jit
def different(state, tokens):
    """Return the tokens of a set without those that stand where a lower one of it stands."""
    for token in range(TOKENS):
        for lower in range(token):
            same = state.at[state.to_move, lower] == state.at[state.to_move, token]
            if same and tokens >> lower & 1:
                tokens &= ~(1 << token)
    return tokens


# by Rules · a move, and whose turn comes next
@jit
def end_turn(track, state, again):
    """Pass the turn, or keep it for another roll; the die is to be rolled."""
    state.sixes = state.sixes + 1 if again and state.die == 6 else 0
    if not again:
        state.to_move = state.to_move + 1 if state.to_move + 1 < track.players else 0
    state.die = 0


# by Rules · move a token
@jit
def move_token(track, state, token):
    """Move a token of the player to move by the die; it must be movable."""
    mover, caught = state.to_move, False
    steps = np.int64(state.at[mover, token])
    steps = steps + state.die if steps > 0 else 1
    state.at[mover, token] = steps
    square = track.square[mover, steps]
    if square >= 0 and not track.safe[square]:
        for other in range(track.players):
            there = track.steps[other, square]
            for i in range(TOKENS):
                if other != mover and state.at[other, i] == there:
                    state.at[other, i] = 0
                    caught = True
    if steps == track.goal:
        home = 0
        for i in range(TOKENS):
            home += state.at[mover, i] == steps
        if home == TOKENS:
            state.winner = mover
    end_turn(track, state, state.die == 6 or (caught and track.again == 1))


@jit
def move_in(tracks, states, token):
    """Move a token as move_token does, or pass the turn for a token of -1."""
    if token < 0:
        end_turn(tracks[0], states[0], False)
    else:
        move_token(tracks[0], states[0], token)


# by Rules · where a game of Ludo stands
COLOURS = ("blue", "orange", "green", "purple")


class LudoPosition:
    """Where a game stands. Players are 0 to 3, tokens 1 to 4."""

    def __init__(self, rules: LudoRules = LudoRules(), first: int = 0):
        self.rules, self.tracks = rules, build_track(check_ludo(rules))
        if not (five.game.is_whole(first) and 0 <= first < rules.players):
            last = rules.players - 1
            raise ValueError(f"first must be a player, 0 to {last}, not {first!r}")
        self.states, self.first = np.array([new_state(first)], STATE), first

    @property
    def track(self) -> np.record:
        """The track of its rules."""
        return self.tracks.view(np.recarray)[0]

    @property
    def state(self) -> np.record:
        """The position, a STATE record; what is written to it is written to the game."""
        return self.states.view(np.recarray)[0]

    @property
    def to_move(self) -> int:
        """Whose turn it is, 0 to 3."""
        return int(self.states["to_move"][0])

    @property
    def die(self) -> int:
        """What was rolled and waits for a move; 0 where a roll is due."""
        return int(self.states["die"][0])

    @property
    def winner(self) -> int | None:
        """Who has won, 0 to 3; None while nobody has."""
        return int(self.states["winner"][0]) if self.over else None

    @property
    def over(self) -> bool:
        """True once somebody has all tokens at home."""
        return bool(self.states["winner"][0] >= 0)

    @property
    def steps(self) -> np.ndarray:
        """Steps of all tokens, int[players, 4], a copy; 0 in the yard, rules.goal at home."""
        return self.states["at"][0, : self.rules.players].astype(int)


# by Rules · what may be moved
class LudoChoice(LudoPosition):
    """A position with the tokens that may move, 1 to 4."""

    def legal(self, once: bool = False) -> list[int]:
        """Return the tokens that may move; once: of several on one square the lowest."""
        if self.over or not self.die:
            return []
        tokens = movable_in(self.tracks, self.states)
        found = [token + 1 for token in range(TOKENS) if tokens >> token & 1]
        return self.different(found) if once else found

    def different(self, tokens: list[int]) -> list[int]:
        """Return tokens of the player to move, of several on one square the lowest."""
        at = self.states["at"][0, self.to_move].tolist()
        return sorted({at[token - 1]: token for token in reversed(tokens)}.values())

    def allowed(self) -> str:
        """Return the tokens that may move, in words."""
        names = list(map(str, self.legal()))
        return "token " + " or ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


# by Rules · a game of Ludo, roll by roll
class Ludo(LudoChoice):
    """One game; `record` holds (player, die, token) of every roll, token 0 for none."""

    def __init__(self, rules: LudoRules = LudoRules(), first: int = 0):
        super().__init__(rules, first)
        self.record: list[tuple[int, int, int]] = []

    def roll(self, die: int) -> list[int]:
        """Take a roll; return the tokens that may move. With none the turn passes."""
        if self.over:
            raise ValueError("no roll: the game is over")
        if self.die:
            raise ValueError(f"no roll: a {self.die} waits, {self.allowed()} may move")
        if not (five.game.is_whole(die) and 1 <= die <= 6):
            raise ValueError(f"a die shows 1 to 6, not {five.game.quoted(die)}")
        self.states["die"] = die
        tokens = self.legal()
        if not tokens:
            self.record.append((self.to_move, int(die), 0))
            move_in(self.tracks, self.states, -1)
        return tokens

    def move(self, token: int) -> None:
        """Move a token, 1 to 4, by the die. ValueError names those that may move."""
        if self.over or not self.die:
            raise ValueError("no move: " + ("the game is over" if self.over else "roll first"))
        if not (five.game.is_whole(token) and token in self.legal()):
            token = five.game.quoted(token)
            raise ValueError(
                f"token {token} cannot move with a {self.die}: {self.allowed()} may"
            )
        self.record.append((self.to_move, self.die, int(token)))
        move_in(self.tracks, self.states, int(token) - 1)

    def copy(self) -> "Ludo":
        """Return a game that goes on by itself from here."""
        other = copy.copy(self)
        other.states, other.record = self.states.copy(), list(self.record)
        return other


# by Rules · a position set up by hand
def set_up(steps, to_move: int = 0, rules: LudoRules = LudoRules()) -> Ludo:
    """Return a game that stands with these steps, int[players][4]; ValueError if it cannot."""
    game = Ludo(rules, to_move)
    try:
        steps = np.array(steps)
    except ValueError:  # rows of different lengths
        steps = np.zeros(0)
    if steps.shape != (rules.players, TOKENS) or steps.dtype.kind != "i":
        raise ValueError(f"steps must be whole numbers, {rules.players} players by {TOKENS}")
    if steps.min() < 0 or steps.max() > rules.goal or (steps == rules.goal).all(axis=1).any():
        raise ValueError(f"steps go from 0 to {rules.goal}, and nobody may have won")
    squares = [set(game.track.square[i, row].tolist()) - {-1} for i, row in enumerate(steps)]
    for one, other in itertools.combinations(squares, 2):
        if shared := [square for square in one & other if not game.track.safe[square]]:
            raise ValueError(f"two players stand on square {shared[0]}, which is not safe")
    game.state.at[: rules.players] = steps
    return game


# ---- The board of Ludo ----------------------------------------------------------------------


# by Interface · where the squares lie
def half_of(ring: int) -> int:
    """Return how many squares lie between the centre of the board and its edge."""
    return (ring // 4 + 1) // 2


def check_board(rules: LudoRules) -> LudoRules:
    """Return rules that fit on the board; ValueError says which do."""
    arm = half_of(check_ludo(rules).ring) - 1
    if arm < 2 or rules.lane > arm:
        room = f"lanes of up to {arm}" if arm >= 2 else "no yards, only from 20 up"
        raise ValueError(f"a board with a ring of {rules.ring} has room for {room}")
    return rules


# by Interface · along the cross
def turned(x: int, y: int, quarters: int) -> tuple[int, int]:
    """Return a place after so many quarter turns round the centre, clockwise."""
    for _ in range(quarters):
        x, y = y, -x
    return x, y


def along_cross(length: int, ring: int) -> tuple[int, int]:
    """Return x and y of the square so many squares after the first start."""
    half, side = half_of(ring), ring // 4
    quarter, rest = divmod((length + 1) % ring, side)
    if rest < half - side % 2:
        x, y = -1, rest - half
    else:
        x, y = max(side - 2 - rest, 0) - half, -1 if rest < side - 1 else 0
    return turned(x, y, quarter)


def place_of_token(rules: LudoRules, player: int, token: int, steps: int) -> tuple[int, int]:
    """Return x and y of a token, 0 to 3, after so many steps; the centre is 0, 0."""
    start, half = starts(rules)[player], half_of(rules.ring)
    if 0 < steps < rules.ring:
        return along_cross(start + steps - 1, rules.ring)
    x, y = 0, steps - rules.ring + 1 - half  # in the lane
    if steps == 0:  # the yard
        x, y = (-((half + 1 + 3 * far) // 2) for far in (token % 2 == 0, token < 2))
    return turned(x, y, 4 * start // rules.ring)


def point_at(ring: int, x: int, y: int) -> int:
    """Return a place as a point of a board that has room for the cross."""
    half = half_of(ring)
    return (y + half) * (2 * half + 1) + x + half


def point_of_token(rules: LudoRules, player: int, token: int, steps: int) -> int:
    """Return the point where a token, 0 to 3, stands after so many steps."""
    return point_at(rules.ring, *place_of_token(rules, player, token, steps))


# by Interface · the empty board
PAINTS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7")  # told apart by the colour-blind too
SHAPES = ("o", "s", "^", "D")


def draw_square(canvas: five.window.Canvas, point: int, paint, part: float = 0.94) -> None:
    """Paint a square with a thin edge; `part` is that of the distance between two points."""
    draw, cell = five.window.load_pygame().draw, canvas.layout.cell
    box = square_at(canvas, point, part)
    draw.rect(canvas.surface, paint, box, border_radius=cell // 8)
    draw.rect(canvas.surface, canvas.theme.lines, box, max(1, cell // 32), cell // 8)


def square_at(canvas: five.window.Canvas, point: int, part: float = 1.0):
    """Return the Rect of a square, or of a part of its width in its middle."""
    side = int(part * canvas.layout.cell)
    box = five.window.load_pygame().Rect(0, 0, side, side)
    box.center = canvas.at(point)
    return box


def pale(player: int, share: float = 0.4):
    """Return the colour of a player, mixed with white."""
    white = five.window.load_pygame().Color("white")
    return white.lerp(five.window.load_pygame().Color(PAINTS[player]), share)


# by Interface · where the board stands
def ludo_layout(width: int, height: int, ring: int, controls: int = 0) -> five.window.Layout:
    """Return the layout of a surface: no coordinates stand round the squares."""
    size = 2 * half_of(ring) + 1
    layout = five.window.make_layout(width, height, five.game.Rules(size), controls)
    x, y, wide, high = layout.wood
    cell = wide * 30 // 31 // size
    left, bottom = x + (wide - cell * size + cell) // 2, y + (high + cell * size - cell) // 2
    return layout._replace(cell=cell, left=left, bottom=bottom)


# by Interface · painted once and kept
@lru_cache(maxsize=4)
def empty_ludo(rules: LudoRules, layout: five.window.Layout, theme: five.window.Theme):
    """Return the empty board as a picture: ring, starts, safe squares, lanes and yards."""
    pygame, (x, y, width, height) = five.window.load_pygame(), layout.wood
    here = layout._replace(left=layout.left - x, bottom=layout.bottom - y)
    canvas = five.window.Canvas(pygame.Surface((width, height)), here, theme)
    five.window.draw_wood(canvas.surface, theme)
    ring = [point_at(rules.ring, *along_cross(i, rules.ring)) for i in range(rules.ring)]
    for player in range(rules.players):
        yard = [point_of_token(rules, player, token, 0) for token in range(TOKENS)]
        box = square_at(canvas, yard[0]).unionall([square_at(canvas, p) for p in yard])
        box = box.inflate(layout.cell // 2, layout.cell // 2)
        pygame.draw.rect(canvas.surface, pale(player), box, border_radius=layout.cell // 2)
        for point in yard:
            draw_square(canvas, point, "white")
        for steps in range(rules.ring, rules.goal + 1):
            home = steps == rules.goal
            point = point_of_token(rules, player, 0, steps)
            draw_square(canvas, point, pale(player, 0.8 if home else 0.4))
    for square, point in enumerate(ring):
        begins = [i for i, start in enumerate(starts(rules)) if start == square]
        draw_square(canvas, point, pale(begins[0]) if begins else "white")
        if track_of(rules).safe[square]:
            box = square_at(canvas, point, 0.7)
            for ends in ((box.topleft, box.bottomright), (box.topright, box.bottomleft)):
                pygame.draw.line(canvas.surface, theme.soft, *ends, max(1, layout.cell // 16))
    return canvas.surface


# by Interface · how a token looks
CORNERS = {"o": (36, 0, 0.97), "s": (4, 0.5, 1.16), "^": (3, -0.75, 1.14), "D": (4, 0, 1)}


@lru_cache(maxsize=256)
def token_image(player: int, side: int, number: str, marked: bool = False):
    """Return a token as a picture of that width; marked: with a white ring."""
    pygame, big = (
        five.window.load_pygame(),
        2 * side,
    )  # half of its size before it is made smaller
    image = pygame.Surface((2 * big, 2 * big), pygame.SRCALPHA)
    paint, (corners, turn, reach) = pygame.Color(PAINTS[player]), CORNERS[SHAPES[player]]
    image.fill((*paint[:3], 0))
    down = 0.22 if corners == 3 else 0.0  # its middle is not that of its height
    rings = [("black", 1.0), ("white", 0.9), ("black", 0.7)][: 3 if side >= 16 else 2]
    inside = (0.62 if side >= 16 else 0.6) if marked else 0.88
    for colour, part in (*(rings if marked else rings[:1]), (paint, inside)):
        angles = [2 * math.pi * (i + turn) / corners for i in range(corners)]
        places = [(reach * part * math.cos(a), reach * part * math.sin(a)) for a in angles]
        places = [(big * (1 + x), big * (1 + down + y)) for x, y in places]
        pygame.draw.polygon(image, colour, places)
    image = pygame.transform.smoothscale(image, (side, side))
    ink = "white" if player == 0 else "black"
    text = five.window.font_of(side * (5 if side >= 16 else 6) // 9).render(number, True, ink)
    middle = side / 2, side * (1 + down) / 2
    image.blit(text, text.get_rect(center=middle))
    return image


# by Interface · tokens on their squares
def token_boxes(canvas: five.window.Canvas, rules: LudoRules, steps, raised=()) -> dict:
    """Return {(player, token): Rect}, tokens from 0; steps is int[players, 4].

    raised   points where the lower part of the square is left free
    """
    groups: dict[int, list] = {}
    for key, made in np.ndenumerate(steps):
        groups.setdefault(point_of_token(rules, *key, int(made)), []).append(key)
    boxes, Rect = {}, five.window.load_pygame().Rect
    for point, keys in groups.items():
        columns = math.ceil(math.sqrt(len(keys)))
        rows = -(-len(keys) // columns)
        edge = -2 * max(1, canvas.layout.cell // 16)
        square = square_at(canvas, point, 0.94).inflate(edge, edge)
        square.height = square.height * 3 // 5 if point in raised else square.height
        side = min(square.width // columns, square.height // rows)
        box = Rect(0, 0, side * columns, side * rows)
        box.center = square.center
        for i, key in enumerate(keys):
            row, column = divmod(i, columns)
            boxes[key] = Rect(box.x + side * column, box.y + side * row, side, side)
    return boxes


def draw_tokens(canvas, rules: LudoRules, steps, marked=(), raised=()) -> None:
    """Paint the tokens; `marked` are the (player, token) that may move."""
    for key, box in token_boxes(canvas, rules, steps, raised).items():
        image = token_image(key[0], box.width, str(key[1] + 1), key in marked)
        canvas.surface.blit(image, box)


# by Interface · the die
PIPS = ("", "5", "19", "159", "1379", "13579", "134679")  # by roll, as on a number pad


def draw_die(canvas: five.window.Canvas, box, player: int, die: int) -> None:
    """Paint a die, 1 to 6, with an edge of its player's colour."""
    draw, side = five.window.load_pygame().draw, box.width
    draw.rect(canvas.surface, PAINTS[player], box, border_radius=side // 5)
    draw.rect(canvas.surface, "white", box.inflate(-side // 6, -side // 6), 0, side // 6)
    for key in PIPS[die]:
        up, right = divmod(int(key) - 1, 3)
        place = box.centerx + (right - 1) * side / 4, box.centery + (1 - up) * side / 4
        draw.circle(canvas.surface, "black", place, max(1.0, side / 11))


# by Interface · a position, and the board as a part of a figure
def draw_position(canvas: five.window.Canvas, game: LudoChoice) -> None:
    """Paint a position: board, tokens, and in the middle a die that waits for a move."""
    canvas.surface.blit(empty_ludo(game.rules, *canvas[1:]), canvas.layout.wood[:2])
    marked = {(game.to_move, token - 1) for token in game.legal()}
    draw_tokens(canvas, game.rules, game.steps, marked)
    if game.die:
        middle = square_at(canvas, point_at(game.rules.ring, 0, 0), 0.9)
        draw_die(canvas, middle, game.to_move, game.die)


def draw_ludo(ax, game: LudoChoice, width: int = 640) -> None:
    """Show a position in a part of a figure."""
    pygame, layout = (
        five.window.load_pygame(),
        ludo_layout(width, width, check_board(game.rules).ring),
    )
    canvas = five.window.Canvas(pygame.Surface((width, width)), layout, five.window.CALM)
    draw_position(canvas, game)
    board = canvas.surface.subsurface(layout.wood)
    ax.imshow(pygame.surfarray.array3d(board).swapaxes(0, 1))
    ax.axis("off")


# by Interface · a position in words and as a figure
def step_words(rules: LudoRules, steps: int) -> str:
    """Return where a token stands after so many steps."""
    if steps in (0, rules.goal):
        return "home" if steps else "yard"
    return f"step {steps}" if steps < rules.ring else f"lane {steps - rules.ring + 1}"


def ludo_words(game: LudoChoice) -> list[str]:
    """Return a line for each player: where the tokens stand, and whose turn it is."""
    lines = []
    roll = f" · to move, die {game.die}" if game.die else " · to roll"
    for player, steps in enumerate(game.steps.tolist()):
        where = ", ".join(f"{i} {step_words(game.rules, s)}" for i, s in enumerate(steps, 1))
        turn = roll * (game.to_move == player and not game.over)
        turn = " · has won" if game.winner == player else turn
        lines.append(f"{COLOURS[player]}: {where}{turn}")
    return lines


def show_ludo(game: LudoChoice, caption: str = "") -> None:
    """Display a position with a description in words."""
    figure = five.figures.new_figure(4.4, 4.4)
    draw_ludo(figure.subplots(), game)
    five.figures.show(figure, "A Ludo board. " + "; ".join(ludo_words(game)) + ".", caption)


# ---- 2. The compiled game -------------------------------------------------------------------


# by Rules · a random game
@jit
def random_token(state, tokens):
    """Return one of the tokens of a set that is not empty, each equally likely."""
    count = 0
    for token in range(TOKENS):
        count += tokens >> token & 1
    left = five.search.random_below(state, count)
    for token in range(TOKENS):
        left -= tokens >> token & 1
        if left < 0:
            break
    return token


LONG = 1 << 40  # more rolls than any game has


@jit
def finish(track, state, most=LONG):
    """Play at random to the end, a roll that waits included, for so many rolls at most.

    Return how many rolls it took.
    """
    rolls = 0
    while state.winner < 0 and (rolls < most or state.die > 0):
        if state.die == 0:
            state.die = 1 + five.search.random_below(state, 6)
            rolls += 1
        tokens = movable(track, state)
        if tokens:
            move_token(track, state, random_token(state, tokens))
        else:
            end_turn(track, state, False)
    return rolls


# by Experiments · many random games
@jit
def play_randomly(track, state, wins, lengths):
    """Play a random game for each item of `lengths`, int64, which takes its rolls."""
    for number in range(lengths.size):
        for player in range(track.players):
            for token in range(TOKENS):
                state.at[player, token] = 0
        state.to_move, state.die, state.sixes, state.winner = 0, 0, 0, -1
        lengths[number] = finish(track, state)
        wins[state.winner] += 1


def random_games(games: int, rules: LudoRules = LudoRules(), seed: int = 1):
    """Return (wins of each player, rolls of each game) of random games; player 0 begins."""
    games = five.game.check_number("games", games, 1, 10**9, whole=True)
    state, lengths = new_state(), np.zeros(games, np.int64)
    state.random, wins = np.uint64(five.search.check_seed(seed)), np.zeros(SEATS, np.int64)
    play_randomly(track_of(rules), state, wins, lengths)
    return wins[: rules.players], lengths


# by Experiments · the same game as Python reads it
def python_games(games: int, rules: LudoRules = LudoRules(), seed: int = 1):
    """Return (rolls of each game,) of random games by the uncompiled rules, other dice."""
    rng, track, lengths = random.Random(seed), track_of(rules), []
    for _ in range(games):
        state, rolls = new_state(), 0
        while state.winner < 0:
            state.die, rolls = rng.randint(1, 6), rolls + 1
            tokens = int(movable.py_func(track, state))
            if tokens:
                free = [token for token in range(TOKENS) if tokens >> token & 1]
                move_token.py_func(track, state, rng.choice(free))
            else:
                end_turn.py_func(track, state, False)
        lengths.append(rolls)
    return (np.array(lengths),)


# ---- 3. Agents ------------------------------------------------------------------------------


# by Search · the random player
def random_ludo(game: Ludo, seed: int | None = None) -> int:
    """Return a token at random."""
    return random.Random(seed).choice(game.legal())


# ---- The rule: an evaluation, looked at once ------------------------------------------------


# by Heuristics · what a board is worth, by the rule
class Weights(NamedTuple):
    """The numbers of the evaluation; the defaults are the dissertation's."""

    out: float = 0.0  # for each token outside the yard
    lane: float = 50.0  # for each own token in the lane
    home: float = 60.0  # for each own token at home
    near: float = 1 / 6  # share of an opponent's value that counts as prey within six squares
    behind: float = 1 / 6  # share of its own value that a token loses to each threat
    won: float = 1000.0  # for a game that is won; nothing a sum can reach


AS_PRINTED = Weights()


def check_weights(weights: Weights) -> Weights:
    """Return the weights as floats; ValueError for what is none."""
    if not isinstance(weights, Weights):
        raise ValueError(f"weights must be Weights, not {five.game.quoted(weights)}")
    most = 10**9
    return Weights(
        *(five.game.check_number(n, x, -most, most) for n, x in weights._asdict().items())
    )


@jit
def token_value(track, steps, weights):
    """Return what a token counts on its way, for its owner and against the others."""
    return 0.0 if steps == 0 else weights.out + min(steps, track.ring - 1)


# by Heuristics · the value of a position
@jit
def evaluate_ludo(track, state, player, weights):
    """Return what a position is worth to a player, by the rule."""
    if state.winner >= 0:
        return weights.won if state.winner == player else -weights.won
    worth = 0.0
    for other in range(track.players):
        for i in range(TOKENS):
            steps = state.at[other, i]
            value = token_value(track, steps, weights)
            if other != player:
                worth -= value
                continue
            worth += value
            if steps >= track.ring:
                worth += weights.home if steps == track.goal else weights.lane
            elif steps > 0:
                worth += neighbours(track, state, player, i, weights)
    return worth


# by Heuristics · prey ahead and threats behind
@jit
def neighbours(track, state, player, token, weights):
    """Return the gain from opponents up to six squares ahead less the risk from behind."""
    square, sum_ = track.square[player, state.at[player, token]], 0.0
    own = token_value(track, state.at[player, token], weights)
    for other in range(track.players):
        if other == player:
            continue
        for i in range(TOKENS):
            there = track.square[other, state.at[other, i]]
            if there < 0:
                continue
            ahead = (there - square) % track.ring
            if 1 <= ahead <= 6:
                sum_ += weights.near * token_value(track, state.at[other, i], weights)
            elif track.ring - ahead <= 6:
                sum_ -= weights.behind * own
    return sum_


# ---- Looking ahead, with dice and with more than two players --------------------------------


# by Search · what looking ahead needs at each step
@jit
def copy_state(old, new):
    """Make `new` the same position as `old`; its random numbers stay its own."""
    for player in range(SEATS):
        for token in range(TOKENS):
            new.at[player, token] = old.at[player, token]
    new.to_move, new.die = old.to_move, old.die
    new.sixes, new.winner = old.sixes, old.winner


@jit
def liking(values, mover, me, selfish):
    """Return how much the mover likes a vector of values, in the mind of player `me`."""
    return values[mover] if selfish else values[me] if mover == me else -values[me]


@jit
def evaluate_all(track, states, values, found, level, me, selfish, weights):
    """Set values[level] to what states[level] is worth by the rule; see build_expect."""
    for player in range(track.players):
        if selfish or player == me:
            values[level, player] = evaluate_ludo(track, states[level], player, weights)


# by Search · what a position is worth before a roll
@lru_cache
def build_expect(rolls: int):
    """Return expect(track, states, values, found, level, me, selfish, weights).

    It sets values[level] to what states[level] is worth to each player, before a roll, if one
    looks `rolls` ahead. states   STATE[levels], scratch from `level` on; values, found
    float[levels, 4]; selfish   True: max^n; False: paranoid, for player `me`, whose value
    alone is then set.
    """
    if rolls == 0:
        return evaluate_all
    below = build_expect(rolls - 1)

    @five.cache.inline_kernel
    def expect(track, states, values, found, level, me, selfish, weights):
        state, after = states[level], states[level + 1]
        if state.winner >= 0:
            evaluate_all(track, states, values, found, level, me, selfish, weights)
            return
        for seat in range(SEATS):  # one by one: a copy of rows takes long to compile
            values[level, seat] = 0.0
        for die in range(1, 7):
            state.die = die
            tokens, best = different(state, movable(track, state)), -np.inf
            for token in range(TOKENS if tokens else 1):
                if tokens and not tokens >> token & 1:
                    continue
                copy_state(state, after)
                if tokens:
                    move_token(track, after, token)
                else:
                    end_turn(track, after, False)
                below(track, states, values, found, level + 1, me, selfish, weights)
                like = liking(values[level + 1], state.to_move, me, selfish)
                if like > best + 1e-9:  # of equal ones the first
                    best = like
                    for seat in range(SEATS):
                        found[level, seat] = values[level + 1, seat]
            for seat in range(SEATS):
                values[level, seat] += found[level, seat] / 6
        state.die = 0

    return expect


# by Search · the token that leads to the best position
@lru_cache
def build_choose(rolls: int):
    """Return choose(track, root, states, values, found, selfish, weights, worth) -> token.

    The token, 0 to 3, is the best in the eyes of expect. root   the position, its die rolled
    and a token movable; root.random breaks ties. worth   float[4], set to what the player
    to move expects after each token; NaN: not looked at.
    """
    expect = build_expect(rolls)

    def choose(track, root, states, values, found, selfish, weights, worth):
        me, best, chosen, ties = root.to_move, -np.inf, 0, 0
        tokens = different(root, movable(track, root))
        for token in range(TOKENS):
            worth[token] = np.nan
            if not tokens >> token & 1:
                continue
            copy_state(root, states[0])
            move_token(track, states[0], token)
            level = np.int64(0)  # a literal 0 would be compiled once more
            expect(track, states, values, found, level, me, selfish, weights)
            worth[token] = values[0, me]
            ties = 1 if worth[token] > best else ties + (worth[token] == best)
            if worth[token] >= best and five.search.random_below(root, ties) == 0:
                best, chosen = worth[token], token
        return chosen

    return five.cache.compile_search(
        choose, expect, different, movable, copy_state, move_token
    )


# by Search · ask for the best token
def look_ahead(game: Ludo, rolls: int, selfish: bool, weights: Weights, seed: int):
    """Return (token 1 to 4, float[4] what is expected after each) of build_choose."""
    if not isinstance(game, Ludo):
        raise ValueError(f"game must be a Ludo, not {five.game.quoted(game)}")
    if not game.legal():
        raise ValueError("nothing to choose: " + ("it is over" if game.over else "roll"))
    levels, worth, root = rolls + 1, np.zeros(TOKENS), game.state.copy()
    root.random = np.uint64(five.search.check_seed(seed))
    five.search.random_below(root, 2)  # a small seed spreads over the bits
    scratch = np.zeros(levels, STATE), np.zeros((levels, SEATS)), np.zeros((levels, SEATS))
    token = build_choose(rolls)(game.track, root, *scratch, selfish, weights, worth)
    return token + 1, worth


# by Search · the agents that judge by the rule
MENDED = Weights(out=20.0)


def looker(rolls: int = 0, selfish: bool = False, weights: Weights = MENDED):
    """Return a player that looks so many rolls ahead: 0 rule-based, else expectiminimax.

    selfish   True: max^n; False: paranoid, for two players expectiminimax
    Raises ValueError for a depth that is not a whole number from 0 to 4.
    """
    rolls = five.game.check_number("rolls", rolls, 0, 4, whole=True)
    selfish = five.game.check_switch("selfish", selfish)
    weights = check_weights(weights)

    def play(game: Ludo, seed: int | None = None) -> int:
        own = random.getrandbits(32) if seed is None else seed
        return look_ahead(game, rolls, selfish, weights, own)[0]

    return play


def rule_based(weights: Weights = MENDED):
    """Return the rule-based player."""
    return looker(0, False, weights)


# ---- Monte Carlo Tree Search with dice ------------------------------------------------------


# by Search · the tree, and the choice of a token
COUNTS = [
    ("N", np.int32),  # visits
    ("W", np.float64, SEATS),  # playouts that each player has won
    ("child", np.int32, 6),  # index by token 0 to 3, or by die less one; 0: none yet
]
TWIG = np.dtype(COUNTS, align=True)


class LudoSearch(NamedTuple):
    """How a search chooses, and how it judges; the defaults are plain UCT."""

    c: float = 0.5  # weight of sqrt(ln N / n)
    c_sigma: float = 0.0  # weight of sqrt(ln N) times the spread of a belief
    beliefs: bool = False  # True: nodes hold beliefs, for two players; see section 5
    cut: int = 0  # rolls after which a playout ends and is judged by the rule; 0: none
    scale: float = 150.0  # points of the rule for which a win is e times as likely
    weights: Weights = MENDED  # of the rule that judges


@jit
def untried(tree, node, tokens):
    """Return those tokens of a set that have no node yet."""
    for token in range(TOKENS):
        if tree[node].child[token] > 0:
            tokens &= ~(1 << token)
    return tokens


@jit
def select_token(tree, node, state, tokens, options):
    """Return the token to try at a choice: one without a node, else the best by UCT."""
    fresh = untried(tree, node, tokens)
    if fresh:
        return random_token(state, fresh)
    exploration, best, chosen = options.c * math.sqrt(math.log(tree[node].N)), -1.0, 0
    for token in range(TOKENS):
        if tokens >> token & 1:
            child = tree[node].child[token]
            visits = tree[child].N
            score = tree[child].W[state.to_move] / visits + exploration / math.sqrt(visits)
            if score > best:
                best, chosen = score, token
    return chosen


# by Search · a playout and what it brings
@jit
def play_out(track, state, rewards, options):
    """Play at random to the end, or for options.cut rolls; set each player's reward."""
    finish(track, state, options.cut if options.cut > 0 else LONG)
    rewards[:] = 0.0
    if state.winner >= 0:
        rewards[state.winner] = 1.0
    else:
        judge_ludo(track, state, rewards, options)


@jit
def judge_ludo(track, state, rewards, options):
    """Share the win by the rule: in proportion to exp(value / scale)."""
    most, total = -np.inf, 0.0
    for player in range(track.players):
        value = evaluate_ludo(track, state, player, options.weights)
        rewards[player] = value / options.scale
        most = max(most, rewards[player])
    for player in range(track.players):
        rewards[player] = math.exp(rewards[player] - most)
        total += rewards[player]
    for player in range(track.players):
        rewards[player] /= total


@jit
def add_rewards(tree, node, rewards):
    """Credit a node with one playout."""
    tree[node].N += 1
    for player in range(SEATS):
        tree[node].W[player] += rewards[player]


# by Search · the search
@lru_cache
def build_ludo_search(select, credit):
    """Return search(track, root, state, tree, path, rewards, options, simulations).

    It fills the tree from a position whose die is rolled.
    root, state   STATE records: the position, and scratch whose `random` makes all chance
    tree      records like TWIG[simulations + 1], zeros; path   int32[simulations + 2]
    rewards   float64[4], scratch; select, credit   kernels like select_token, add_rewards
    Source: Kocsis and Szepesvári 2006; a reward for each player as in max^n.
    """

    def search_ludo(track, root, state, tree, path, rewards, options, simulations):
        used = 1
        for _ in range(simulations):
            copy_state(root, state)
            node, depth, fresh = 0, 0, False
            path[0] = 0
            while state.winner < 0 and not fresh:
                if state.die == 0:
                    slot = five.search.random_below(state, 6)
                    state.die = slot + 1
                else:
                    tokens = different(state, movable(track, state))
                    if tokens == 0:
                        end_turn(track, state, False)
                        continue  # the node's children are the next rolls
                    slot = select(tree, node, state, tokens, options)
                    move_token(track, state, slot)
                child = np.int64(tree[node].child[slot])
                if child == 0:
                    child, fresh = used, True
                    tree[node].child[slot] = used
                    used += 1
                node, depth = child, depth + 1
                path[depth] = node
            play_out(track, state, rewards, options)
            for i in range(depth, -1, -1):
                credit(tree, path[i], rewards)

    return five.cache.compile_search(search_ludo, select, credit)


# by Search · think about a roll
class LudoThought(NamedTuple):
    """What a search found; arrays hold tokens 1 to 4 in order."""

    move: int  # the token, 1 to 4
    visits: np.ndarray  # int64[4]; 0 for a token that need not be tried
    values: np.ndarray  # float64[4], share of playouts won by the player to move; NaN: none
    chances: np.ndarray  # float64[players], share of all playouts that each player won
    simulations: int  # 0 where there was only one choice


def token_words(thought: LudoThought) -> str:
    """Return what a search found for each token it tried."""
    tried = [i for i in range(TOKENS) if thought.visits[i]]
    return ", ".join(f"token {i + 1} {thought.values[i]:.0%}" for i in tried)


# by Search · think, and the player that does
SEARCH_RANGES = {"c": (0, 10**9), "c_sigma": (0, 10**9), "scale": (0.001, 10**9)}


def check_search(simulations: int, options: LudoSearch) -> tuple[int, LudoSearch]:
    """Return both as plain numbers; ValueError unless a search can depend on them."""
    most = five.search.MOST_VISITS
    simulations = five.game.check_number("simulations", simulations, 1, most, whole=True)
    if not isinstance(options, LudoSearch):
        raise ValueError(f"options must be LudoSearch, not {five.game.quoted(options)}")
    numbers = {
        name: five.game.check_number(name, getattr(options, name), *limits)
        for name, limits in SEARCH_RANGES.items()
    }
    beliefs = five.game.check_switch("beliefs", options.beliefs)
    cut = five.game.check_number("cut", options.cut, 0, 10**9, whole=True)
    weights = check_weights(options.weights)
    return simulations, LudoSearch(beliefs=beliefs, cut=cut, weights=weights, **numbers)


def think_ludo(game: Ludo, simulations=400, seed=2024, c=0.5, options: LudoSearch = None):
    """Return the LudoThought of a search with so many simulations; the game is left as it was.

    options   LudoSearch, in place of c
    Raises ValueError where no roll waits for a move, and for a bad budget, option or seed.
    """
    if not isinstance(game, Ludo):
        raise ValueError(f"game must be a Ludo, not {five.game.quoted(game)}")
    options = LudoSearch(c) if options is None else options
    simulations, options = check_search(simulations, options)
    seed = five.search.check_seed(seed)
    if not (choices := game.legal(once=True)):
        raise ValueError("nothing to think about: " + ("it is over" if game.over else "roll"))
    nothing = np.full(game.rules.players, np.nan)
    if len(choices) == 1:
        empty = np.zeros(TOKENS, np.int64)
        return LudoThought(choices[0], empty, np.full(TOKENS, np.nan), nothing, 0)
    tree = ludo_tree(game, simulations, seed, options)
    nodes = tree[tree[0]["child"][:TOKENS]]
    visits = np.where(tree[0]["child"][:TOKENS] > 0, nodes["N"], 0).astype(np.int64)
    with np.errstate(invalid="ignore"):
        values = np.where(visits > 0, nodes["W"][:, game.to_move], np.nan) / visits
    chances = tree[0]["W"][: game.rules.players] / simulations
    return LudoThought(int(visits.argmax()) + 1, visits, values, chances, simulations)


# by Search · the tree of a position
def ludo_tree(game: Ludo, simulations: int, seed: int, options: LudoSearch) -> np.ndarray:
    """Return the tree that a search has filled, its root first."""
    state, kind, kernels = new_state(), TWIG, (select_token, add_rewards)
    if options.beliefs:
        if game.rules.players != 2:
            raise ValueError("beliefs are about two players: one's win is the other's loss")
        kind, kernels = BELIEF_TWIG, (select_believed, build_believe())
    state.random = np.uint64(five.search.check_seed(seed))
    tree, path = np.zeros(simulations + 1, kind), np.zeros(simulations + 2, np.int32)
    scratch = state, tree, path, np.zeros(SEATS)
    build_ludo_search(*kernels)(game.track, game.state, *scratch, options, simulations)
    return tree


# by Search · the players
def ludo_mcts(simulations: int = 400, c: float = 0.5):
    """Return a player: the most visited token after so many simulations for each choice.

    Raises ValueError for a bad budget or c.
    """
    check_search(simulations, LudoSearch(c))

    def play(game: Ludo, seed: int | None = None) -> LudoThought:
        own = random.getrandbits(32) if seed is None else seed
        return think_ludo(game, simulations, own, c)

    return play


def ludo_searcher(simulations: int, options: LudoSearch):
    """Return a player like ludo_mcts with other options."""
    check_search(simulations, options)

    def play(game: Ludo, seed: int | None = None) -> LudoThought:
        own = random.getrandbits(32) if seed is None else seed
        return think_ludo(game, simulations, own, options=options)

    return play


# ---- A search that keeps beliefs ------------------------------------------------------------


# by Search · nodes with beliefs
BELIEF_TWIG = np.dtype(  # its own fields first: numba takes a record for one it begins like
    [
        ("mu", np.float64),  # of player 0's share of wins
        ("sigma", np.float64),
        ("kind", np.int64),  # 1, 2: a choice of player 0, 1, all tried; 3: not yet; 0: else
        *COUNTS,
    ],
    align=True,
)
ROOT_TWO = math.sqrt(2)
BAYES_LUDO = {
    "Bayes-UCT1": LudoSearch(c=ROOT_TWO, beliefs=True),
    "Bayes-UCT2": LudoSearch(c=0.0, c_sigma=ROOT_TWO, beliefs=True),
}


@jit
def select_believed(tree, node, state, tokens, options):
    """Return the token to try at a choice: one without a node, else the best by Bayes-UCT."""
    fresh = untried(tree, node, tokens)
    if fresh:
        tree[node].kind = 3
        return random_token(state, fresh)
    tree[node].kind = 1 + state.to_move
    exploration, best, chosen = math.sqrt(math.log(tree[node].N)), -np.inf, 0
    for token in range(TOKENS):
        if tokens >> token & 1:
            child = tree[tree[node].child[token]]
            mine = child.mu if state.to_move == 0 else 1 - child.mu
            unsure = options.c / math.sqrt(child.N) + options.c_sigma * child.sigma
            if mine + exploration * unsure > best:
                best, chosen = mine + exploration * unsure, token
    return chosen


# by Search · the belief of a node, anew after each playout
@lru_cache
def build_believe():
    """Return believe(tree, node, rewards): credit a node and renew its belief."""
    from five_in_a_row.tic_tac_toe import beta_belief, clark

    @five.cache.inline_kernel
    def believe(tree, node, rewards):
        add_rewards(tree, node, rewards)
        twig, known, mu, variance, sigma = tree[node], 0, 0.0, 0.0, 0.0
        sign = -1 if twig.kind == 2 else 1  # the minimum is less the maximum of the negative
        for slot in range(6):
            if twig.child[slot] > 0:
                child, known = tree[twig.child[slot]], known + 1
                if twig.kind == 0:
                    mu += child.mu / 6
                    variance += child.sigma * child.sigma / 36
                elif known == 1:
                    mu, sigma = sign * child.mu, child.sigma
                else:
                    mu, sigma = clark(mu, sigma, sign * child.mu, child.sigma)
        if twig.kind == 0 and known == 6:
            twig.mu, twig.sigma = mu, math.sqrt(variance)
        elif 1 <= twig.kind <= 2:
            twig.mu, twig.sigma = sign * mu, sigma
        else:
            twig.mu, twig.sigma = beta_belief(twig.W[0], twig.N)

    return believe


# ---- A playout that is cut short ------------------------------------------------------------


# by Heuristics · how many points make a win likely
def judged_games(games: int, seed: int = 1):
    """Return (float[n], bool[n]): values of player 0 less player 1's, and whether 0 won."""
    rng, agent, apart, won = random.Random(seed), rule_based(), [], []
    for _ in range(games):
        game, seen = Ludo(LudoRules(players=2), rng.randrange(2)), []
        while not game.over:
            if rng.random() < 0.1:
                own = [evaluate_ludo(game.track, game.state, p, MENDED) for p in (0, 1)]
                seen.append(own[0] - own[1])
            if game.roll(rng.randint(1, 6)):
                game.move(agent(game, rng.getrandbits(32)))
        apart += seen
        won += [game.winner == 0] * len(seen)
    return np.array(apart), np.array(won)


def likelihood(apart, won, scale: float) -> float:
    """Return the mean logarithm of the chance that a scale gives to what happened."""
    return float(-np.log1p(np.exp(np.where(won, -apart, apart) / scale)).mean())


# by Experiments · the agents of the matches, with their budgets
AHEAD = 2  # rolls that expectiminimax, max^n and paranoid look ahead
TWO_SIMULATIONS, FOUR_SIMULATIONS = 1_000, 400  # a choice, with two and with four players


def pair_agents(simulations: int = TWO_SIMULATIONS) -> dict:
    """Return {name: player} of the agents for two players."""
    return {
        "random": random_ludo,
        "rule as printed": rule_based(AS_PRINTED),
        "rule-based": rule_based(),
        "expectiminimax": looker(AHEAD),
        "MCTS": ludo_mcts(simulations),
    }


def four_agents(simulations: int = FOUR_SIMULATIONS) -> dict:
    """Return {name: player} of the agents for four players."""
    return {
        "random": random_ludo,
        "max^n": looker(AHEAD, selfish=True),
        "MCTS": ludo_mcts(simulations),
        "rule-based": rule_based(),
    }


# by Experiments · choices per second
def choice_run(player, game: Ludo, choices: int):
    """Return a run for measure_rates that makes so many choices in one position."""

    def run(seed: int) -> tuple[int, int]:
        for i in range(choices):
            player(game, seed + i)
        return choices, 0

    return run


# ---- 4. Play --------------------------------------------------------------------------------


# by Interface · Ludo as a game of points
def roll_words(player: int, die: int, token: int) -> str:
    """Return a roll and what moved."""
    return f"{COLOURS[player]} {die}: " + (f"token {token}" if token else "no move")


class LudoPoints:
    """A game of Ludo as a session takes it: player 0 is black, and all others are white.

    ludo     the Ludo as it stands, rolled; `past` as it stood before each move
    played   the points of the tokens that moved; `undone` those taken back, the last first
    """

    five = ()  # no line of stones wins

    def __init__(self, rules: LudoRules = LudoRules(2), seed: int = 0):
        self.ludo, self.seed = Ludo(check_board(rules)), five.search.check_seed(seed)
        self.rules = five.game.Rules(2 * half_of(rules.ring) + 1)
        self.played, self.undone, self.past = [], [], []

    over = property(lambda self: self.ludo.over)
    to_move = property(lambda self: -1 if self.ludo.to_move else 1)
    winner = property(lambda self: 0 if not self.over else -1 if self.ludo.winner else 1)
    moves = property(lambda self: [roll_words(*roll) for roll in self.ludo.record if roll[2]])
    stage = property(
        lambda self: f"{self.ludo.rules.players} players, move {len(self.played)}"
    )

    @property
    def array(self) -> np.ndarray:
        """Where tokens stand, int8[rows, size]: their player, from 1 on."""
        cells = np.zeros((self.rules.height, self.rules.size), np.int8)
        for (player, token), steps in np.ndenumerate(self.ludo.steps):
            cells.flat[point_of_token(self.ludo.rules, player, token, int(steps))] = player + 1
        return cells

    def point(self, token: int) -> int:
        """Return where a token, 1 to 4, of the player to move stands."""
        player, at = self.ludo.to_move, self.ludo.steps
        return point_of_token(self.ludo.rules, player, token - 1, int(at[player, token - 1]))

    def token(self, point: int | None) -> int | None:
        """Return the token that may move from a point, the lowest of several; None: none."""
        found = (token for token in self.ludo.legal() if self.point(token) == point)
        return next(found, None)

    def legal(self) -> list[int]:
        """Return the points from which a token may move."""
        return list(dict.fromkeys(map(self.point, self.ludo.legal())))

    def copy(self) -> "LudoPoints":
        """Return a game that goes on by itself from here."""
        other = copy.copy(self)
        other.ludo = self.ludo.copy()
        other.played, other.undone, other.past = self.played[:], self.undone[:], self.past[:]
        return other


# by Interface · its rolls and moves
class LudoGame(LudoPoints):
    """The same game with its rolls, and moves forth and back."""

    def __init__(self, rules: LudoRules = LudoRules(2), seed: int = 0):
        super().__init__(rules, seed)
        self.roll()

    def play(self, point: int) -> None:
        """Move the token of a point, roll, and pass turns in which no token can move."""
        if (token := self.token(point)) is None:
            why = "the game is over" if self.over else f"only {self.ludo.allowed()} may"
            raise ValueError(f"no token may move from there: {why}")
        self.past.append(self.ludo)
        self.ludo = self.ludo.copy()
        self.ludo.move(token)
        self.played, self.undone = [*self.played, point], []
        self.roll()

    def roll(self) -> None:
        """Roll until a token can move; the numbers follow from seed and rolls so far."""
        while not (self.ludo.over or self.ludo.die):
            chance = random.Random(f"{self.seed} {len(self.ludo.record)}")
            self.ludo.roll(chance.randint(1, 6))

    def undo(self) -> None:
        """Take the last move back."""
        self.ludo = self.past.pop()
        self.undone.append(self.played.pop())

    def redo(self) -> None:
        """Play again the move that was taken back last."""
        *rest, point = self.undone
        self.play(point)
        self.undone = rest


# by Search · a player as the session's opponent
PACE = 1.4  # seconds that a choice stays on view, half where there is none; see "Move now"


def ludo_thinker(agent):
    """Return a thinker for a session that asks a player, such as ludo_mcts(1_000)."""

    def think(game: LudoGame, *budget, seed=0, stop=None, on_progress=None, **how):
        answer, shape = agent(game.ludo.copy(), seed), (game.rules.size,) * 2
        visits, values = np.zeros(shape, np.int64), np.full(shape, np.nan)
        for i in range(TOKENS) if isinstance(answer, LudoThought) else ():
            if answer.visits[i]:
                visits.flat[game.point(i + 1)] = answer.visits[i]
                values.flat[game.point(i + 1)] = 2 * answer.values[i] - 1
        move, count = game.point(getattr(answer, "move", answer)), int(visits.sum())
        boards, rest = (visits, values, values), (count, 0.0, [move], None, seed)
        result = five.mcts.SearchResult(move, "most visited", *boards, *rest)
        if on_progress and game.ludo.to_move:  # not for a hint
            on_progress(result)
            stop.wait(PACE if count else PACE / 2)
        return result

    return think


# by Interface · a session of Ludo in words
def found_in(session: five.window.Session) -> dict[int, tuple[float, float]]:
    """Return {token: (share of visits, of playouts won)} of a search of this position."""
    game, result = session.game, session.result
    if result is None or result.seed != session.record.seed + len(game.played):
        return {}
    points = {token: game.point(token) for token in game.ludo.legal(once=True)}
    visits = {token: int(result.visits.flat[point]) for token, point in points.items()}
    shares = {token: n / result.simulations for token, n in visits.items() if n}
    return {t: (s, (1 + result.values.flat[points[t]]) / 2) for t, s in shares.items()}


def told(session: five.window.Session) -> list[str]:
    """Return the roll, what the search found, and the last rolls, line by line."""
    ludo, lines = session.game.ludo, session.note.splitlines()
    if not ludo.over:
        colour = COLOURS[ludo.to_move]
        who = f"You, {colour}, roll" if session.yours else f"{colour.capitalize()} rolls"
        lines.append(f"{who} {ludo.die}" + f": {ludo.allowed()}" * session.yours)
    for token, (share, won) in found_in(session).items():
        lines.append(f"Token {token}: {share:.0%} of visits, wins {won:.0%}")
    return lines + [roll_words(*roll) for roll in ludo.record[:-6:-1]]


# by Interface · what is seen while a move is shown
ROLL, LONGEST = 0.25, 0.7  # seconds for each roll; for all of them


def rolls_shown(game: LudoGame) -> list[tuple[int, int, int]]:
    """Return the rolls from the last move on: (player, die, token or 0)."""
    record = game.ludo.record
    moved = max((i for i, roll in enumerate(record) if roll[2]), default=0)
    waits = [] if game.over else [(game.ludo.to_move, game.ludo.die, 0)]
    return record[moved:] + waits


def moment(game: LudoGame, done: float):
    """Return (steps, player, die) to be seen when that part of the time has passed, 0 to 1."""
    rolls, steps = rolls_shown(game), game.ludo.steps
    now, (player, _, token) = done * len(rolls), rolls[0]
    if token and now < 1:
        walks = steps[player, token - 1] - game.past[-1].steps[player, token - 1]
        steps[player, token - 1] -= math.ceil((1 - now) * walks)
    return steps, *rolls[min(int(now), len(rolls) - 1)][:2]


# by Interface · the board in the window
class LudoBoard(five.window.Board):
    """Paints a session of Ludo on any surface."""

    def canvas(self, surface, session: five.window.Session, view: five.window.View):
        """Return the surface with its layout and colours."""
        ring, controls = session.game.ludo.rules.ring, len(view.controls)
        layout = ludo_layout(*surface.get_size(), ring, controls)
        return super().canvas(surface, session, view)._replace(layout=layout)

    def fallen(self, session: five.window.Session) -> float:
        """Return which part of the time for the last move has passed, 0 to 1."""
        takes = min(LONGEST, ROLL * len(rolls_shown(session.game)))
        return min(1.0, (session.clock() - session.moved_at) / takes)

    def draw(self, surface, session: five.window.Session, view: five.window.View) -> None:
        """Paint board, tokens, die, marks, words and controls, from back to front."""
        _, layout, theme = canvas = self.canvas(surface, session, view)
        surface.fill(theme.paper)
        surface.blit(empty_ludo(session.game.ludo.rules, layout, theme), layout.wood[:2])
        rests = self.fallen(session) == 1
        shares = found_in(session) if view.heat and rests and layout.cell >= 24 else {}
        self.stones(canvas, session, shares)
        if rests:
            draw_choices(canvas, session, view)
        draw_shares(canvas, session.game, shares)
        shown = copy.copy(session)
        shown.note, shown.verdict, shown.result = "\n".join(told(session)), "", None
        five.window.draw_panel(canvas, shown, view)
        draw_turn(canvas, session.game, self.fallen(session))
        boxes = five.window.control_boxes(layout.grid, layout.columns, len(view.controls))
        five.window.draw_controls(canvas, view.controls.values(), boxes)
        if view.overlay:
            five.window.draw_overlay(canvas, view.overlay)

    def stones(
        self, canvas: five.window.Canvas, session: five.window.Session, shares=()
    ) -> None:
        """Paint the tokens, some with room for their share, and the die in the middle."""
        ludo, done = session.game.ludo, self.fallen(session)
        steps, player, die = moment(session.game, done)
        marked = {(ludo.to_move, token - 1) for token in ludo.legal() if done == 1}
        raised = [session.game.point(token) for token in shares]
        draw_tokens(canvas, ludo.rules, steps, marked, raised)
        middle = point_at(ludo.rules.ring, 0, 0)
        draw_die(canvas, square_at(canvas, middle, 0.9), player, die)


# by Interface · the die beside the heading, and what may be chosen
def draw_turn(canvas: five.window.Canvas, game: LudoPoints, done: float) -> None:
    """Paint the die, or the winner's token, beside the heading, in place of a stone."""
    unit, (x, y) = canvas.layout.unit, canvas.layout.text[:2]
    box = five.window.load_pygame().Rect(x, y + unit // 4, 3 * unit // 2, 3 * unit // 2)
    canvas.surface.fill(canvas.theme.paper, box.inflate(2, 2))
    if game.over:
        canvas.surface.blit(token_image(game.ludo.winner, box.width, ""), box)
    else:
        draw_die(canvas, box, *moment(game, done)[1:])


def draw_choices(canvas: five.window.Canvas, session: five.window.Session, view) -> None:
    """Paint the hint, the cursor, and where a token would go."""
    game, (surface, layout, theme) = session.game, canvas
    draw, thick = five.window.load_pygame().draw, max(2, layout.cell // 14)
    chosen = view.cursor if view.hover is None else view.hover
    token = game.token(chosen) if session.yours else None
    if token is not None:
        player, after = game.ludo.to_move, game.ludo.copy()
        after.move(token)
        goes = point_of_token(
            after.rules, player, token - 1, int(after.steps[player, token - 1])
        )
        draw.circle(surface, theme.signal, canvas.at(goes), layout.cell // 3, thick)
    cursor = view.cursor if token is not None else None
    for point, ink in ((session.hint, theme.signal), (cursor, theme.ink)):
        if point is not None:
            draw.rect(surface, ink, square_at(canvas, point), thick)


def draw_shares(canvas: five.window.Canvas, game: LudoPoints, shares: dict) -> None:
    """Write the share of visits below each token that was searched."""
    for token, (share, _) in shares.items():
        box = square_at(canvas, game.point(token), 0.94)
        box.top, box.height = box.bottom - box.height * 2 // 5, box.height * 2 // 5
        corner = box.height // 4
        five.window.load_pygame().draw.rect(canvas.surface, canvas.theme.heat, box, 0, corner)
        white, high = (255, 255, 255), box.height * 9 // 10
        canvas.write(f"{share:.0%}", "center", box.center, high, box.width, white)


# by Interface · keys of Ludo
class LudoKeys(five.panels.Panel):
    """Numbers move a token; arrows go from one token that may move to the next."""

    def handle(self, c: five.window.Controller, kind: str, value) -> bool:
        """Take the keys 1 to 4 and the arrows."""
        game, session = c.session.game, c.session
        if kind == "key" and value in five.window.ARROWS:
            points, step = (
                game.legal() if session.yours else [],
                sum(five.window.ARROWS[value]),
            )
            at = points.index(c.view.cursor) if c.view.cursor in points else -(step > 0)
            c.view.cursor = points[(at + step) % len(points)] if points else None
            c.view.hover = None
        elif kind == "key" and value in ("1", "2", "3", "4"):
            if session.yours and int(value) in game.ludo.legal():
                five.window.choose_point(c, game.point(int(value)))
        else:
            return False
        return True


# by Interface · commands of Ludo
def step_ludo(c: five.window.Controller, step: str) -> None:
    """Undo or redo moves until a person is to choose."""
    session, game = c.session, c.session.game
    five.window.stop_search(session)
    while game.played if step == "undo" else game.undone:
        getattr(game, step)()
        if session.yours:
            break
    session.moved_at = -math.inf
    session.show()


def can_undo_ludo(c: five.window.Controller) -> bool:
    """Return True once a person has chosen."""
    return any(ludo.to_move == 0 for ludo in c.session.game.past)


def new_ludo(c: five.window.Controller) -> None:
    """Begin another game, with the dice of the next seed."""
    session, game = c.session, c.session.game
    session.before = session.record if game.played else session.before
    five.window.take_up(session, ludo_record(game.ludo.rules, game.seed + 1))


def help_ludo(c: five.window.Controller) -> None:
    """Lay the list of keys over the board."""
    five.window.show_help(c)
    own = ("Arrows, Enter\tchoose a token, move it", "1, 2, 3, 4\tmove that token")
    c.view.overlay = own + c.view.overlay[1:]


# by Interface · a game and its controller
def ludo_record(rules: LudoRules, seed: int, who: str = "person") -> five.window.GameRecord:
    """Return a game that has not begun; its dice and searches follow from the seed."""
    return five.window.GameRecord(LudoGame(rules, seed), (who, "computer"), seed=seed)


def ludo_controller(record: five.window.GameRecord, agent) -> five.window.Controller:
    """Return a controller for a game against a player of section 3."""
    session = five.window.Session(record, {"computer": ludo_thinker(agent)})
    c = five.window.Controller(session, LudoBoard(), [LudoKeys()])
    del c.commands["opponent"]  # the agent plays for all others
    c.shown.remove("opponent")
    for name, action, possible in (
        ("undo", partial(step_ludo, step="undo"), can_undo_ludo),
        ("redo", partial(step_ludo, step="redo"), lambda c: bool(c.session.game.undone)),
        ("new", new_ludo, lambda c: True),
        ("help", help_ludo, lambda c: True),
    ):
        c.commands[name] = c.commands[name]._replace(action=action, possible=possible)
    return c


def ludo_window(controller: five.window.Controller) -> five.window.GameRecord:
    """Open the window, play, and return the game when it is closed; or raise NoDisplay."""
    five.window.open_window("Ludo")
    return five.window.Window(controller).run()


def ludo_png(session: five.window.Session, width: int = 480, **view) -> tuple[bytes, str]:
    """Return a session's board as PNG, and the same in words."""
    png, _ = five.window.board_png(session, width, LudoBoard(), **view)
    said = [five.window.heading(session), *told(session), *ludo_words(session.game.ludo)]
    return png, "A Ludo board. " + ". ".join(said) + "."


def ludo_by_itself(record: five.window.GameRecord, think) -> five.window.GameRecord:
    """Play a game to its end by a thinker, and return it."""
    while not record.over:
        record.play(think(record.game, seed=record.seed + len(record.game.played)).move)
    return record


# by Interface · play
def play_ludo(players: int = 2, agent=None, seed: int | None = None, rules=None, ways=None):
    """Return the game from the window, a board in the notebook, or a recorded game.

    players   2, 3 or 4, the person among them; rules   LudoRules, in place of `players`
    agent     the player that moves for all others; None: MCTS with 1,000 simulations
    seed      of dice and agents; None: another game each time
    ways      functions that show a controller, or raise NoDisplay; None: the window
    Raises ValueError for anything else.
    """
    rules = check_board(LudoRules(players) if rules is None else rules)
    if agent is not None and not callable(agent):
        raise ValueError(f"agent must be a player, such as ludo_mcts(400), not {agent!r:.60}")
    seed = random.getrandbits(32) if seed is None else seed
    c, why = ludo_controller(ludo_record(rules, seed), agent or ludo_mcts(TWO_SIMULATIONS)), []
    ways = (ludo_window,) if ways is None else ways
    if os.environ.get("FIVE_PLAY") == "recorded":
        why, ways = ["the notebook was run without a window"], ()
    for show in ways:
        try:
            return show(c)
        except five.window.NoDisplay as error:
            why.append(str(error))
    print(f"No game is played here ({'; '.join(why)}). The computer plays against itself.")
    record = ludo_record(rules, seed, "computer")
    return ludo_by_itself(record, c.session.opponents["computer"])


# ---- 5. Two players -------------------------------------------------------------------------


# by Experiments · one game of a match
def dice_of(seed: int, turn: int, seat: int):
    """Yield the rolls of a seat in a round, without end."""
    rng = np.random.default_rng([seed, turn, seat])
    while True:
        yield from rng.integers(1, 7, 128).tolist()


def until_home(players: dict, seats: list, game: Ludo, dice: list, rng) -> None:
    """Play on until somebody is home; ValueError names a player that fails."""
    while not game.over:
        if not (tokens := game.roll(next(dice[game.to_move]))):
            continue
        choices, name = game.different(tokens), seats[game.to_move]
        try:
            answer = choices[0]
            if len(choices) > 1:
                answer = players[name](game.copy(), int(rng.integers(2**62)))
            game.move(getattr(answer, "move", answer))
        except Exception as error:
            number = len(game.record) + 1
            raise ValueError(f"player {name} failed at roll {number}: {error}") from error


def ludo_game(players: dict, rules: LudoRules, first: int, dice: list, seed, places=False):
    """Play one game and return its row.

    players   {name: player}, in the order round the table; the one with index `first` begins
    dice      an iterator of rolls for each seat; seed   of the players' chance
    places    True: the others play on, and "order" names who came home, one after another
    """
    names, game, rng = list(players), Ludo(rules), np.random.default_rng(seed)
    seats = [names[(seat + first) % len(names)] for seat in range(len(names))]
    until_home(players, seats, game, dice, rng)
    rolled: dict = {name: [] for name in names}
    for seat, die, _ in game.record:
        rolled[seats[seat]].append(die)
    pips = [np.mean(rolls) if rolls else 3.5 for rolls in rolled.values()]
    home = [seats[game.winner]]
    row = {"first": seats[0], "winner": home[0], "rolls": len(game.record)}
    while places and len(home) < len(seats) - 1:
        game.state.winner = -1  # who is home has no token to move, so the turn passes on
        until_home(players, seats, game, dice, rng)
        home.append(seats[game.winner])
    row["pips"] = " ".join(map("{:.3f}".format, pips))
    if places:
        row["order"] = " / ".join(home + [name for name in names if name not in home])
    return row


# by Experiments · a match of Ludo
LUDO_COLUMNS = ("first", "winner", "rolls", "pips")


def play_ludo_match(
    players: dict,
    games: int,
    rules: LudoRules,
    seed: int = 1,
    jobs: int = 1,
    path: Path | str | None = None,
    progress: bool = False,
    places: bool = False,
):
    """Return a pandas table, one row a game; attrs holds games, wins and settings.

    players   {name: player} in the order round the table, as many as the rules say
    games     a multiple of the number of players: in each round everybody begins once
    jobs, path, progress   as in five.strength.play_match
    places    True: each game is played on until one is left; see ludo_game
    Raises ValueError for another number of players or games, or a file of another match.
    """
    import pandas as pd

    check_ludo(rules)
    if not isinstance(players, dict):
        raise ValueError(f"players must be {{name: player}}, not {five.game.quoted(players)}")
    for name, player in players.items():
        if not callable(player):
            what = "a player, which is a function of a game and a seed"
            raise ValueError(f"{name} must be {what}, not {five.game.quoted(player)}")
    five.strength.check_match(seed, jobs, path, progress)
    if len(players) != rules.players:
        raise ValueError(f"these rules are for {rules.players} players, not {len(players)}")
    most = five.strength.MOST_GAMES
    if five.game.check_number("games", games, 1, most, whole=True) % len(players):
        raise ValueError(f"games come in rounds of {len(players)}: {games!r} is no multiple")
    described = {name: five.strength.value_words(player) for name, player in players.items()}
    told = str(rules).replace(", forced_exit=False", "")  # as in files older than that rule
    settings = f"{described}; {told}; seed {five.search.check_seed(seed)}"
    columns = (*LUDO_COLUMNS, "order") if places else LUDO_COLUMNS
    rows = {} if path is None else five.strength.read_match(Path(path), settings, columns)

    def one(number: int) -> tuple[int, dict]:
        turn, first = divmod(number, len(players))
        dice = [dice_of(seed, turn, seat) for seat in range(len(players))]
        return number, ludo_game(players, rules, first, dice, [seed, number, 99], places)

    todo = [number for number in range(games) if number not in rows]
    for number, row in five.strength.in_parallel(one, todo, jobs, progress):
        rows[number] = row
        if path is not None:
            with Path(path).open("a", encoding="utf-8") as file:
                file.write(",".join(map(str, [number, *(row[c] for c in columns)])) + "\n")
    table = pd.DataFrame([{c: rows[n][c] for c in columns} for n in range(games)])
    table["rolls"] = table["rolls"].astype(int)
    wins = {name: int((table.winner == name).sum()) for name in players}
    table.attrs = {"games": games, "wins": wins, "settings": settings}
    return table


# by Experiments · all pairs
def no_file(*match) -> None:
    """Name no file for a match: nothing is kept."""


def show_wins(table, name: str) -> tuple[int, float, float, float]:
    """Return (games won, share, low, high) of a player in the table of a match."""
    won, games = table.attrs["wins"][name], table.attrs["games"]
    low, high = five.strength.wilson(won, games)
    return won, round(won / games, 4), round(low, 4), round(high, 4)


def pair_row(a: str, b: str, rules: LudoRules, games: int, agents: dict, **how) -> dict:
    """Play a match of two agents and return its row in the table of pairs."""
    table = play_ludo_match({a: agents[a], b: agents[b]}, games, rules, **how)
    won, score, low, high = show_wins(table, a)
    first = float((table["first"] == table.winner).mean())
    # One seat, the same dice: it wins both games of a round, whoever sits there.
    by_dice = (table["first"] == table.winner).to_numpy().reshape(-1, 2)
    return {
        **{"a": a, "b": b, "ring": rules.ring, "games": games, "won": won},
        **{"score": score, "low": low, "high": high, "first wins": round(first, 4)},
        "dice decide": round(float((by_dice[:, 0] == by_dice[:, 1]).mean()), 4),
        "rolls": round(float(table.rolls.mean()), 1),
    }


def pair_rows(
    games: int,
    jobs: int = 1,
    simulations: int = TWO_SIMULATIONS,
    path_of=no_file,
    forced: bool = False,
):
    """Yield a row for each pair and ring.

    path_of   path_of(a, b, ring) returns the file of a match, or None
    forced    True: a six must bring a token out
    The ring of 40 gets a fifth of the games. Pairs with MCTS get a fifth of all games; with
    `forced` on either ring, so those on the ring of 40 as many as the other pairs there.
    """
    agents = pair_agents(simulations)
    for ring, share in ((52, 1), (40, 5)):
        for b, a in itertools.combinations(agents, 2):
            slow = 1 if "MCTS" not in (a, b) or (forced and ring == 40) else 5
            count = games // share // slow
            count = max(2, count // 2 * 2)
            rules = LudoRules(players=2, ring=ring, forced_exit=forced)
            yield pair_row(a, b, rules, count, agents, jobs=jobs, path=path_of(a, b, ring))


# by Experiments · a table as it was kept, or a few games
def stored_ludo(name: str, few):
    """Return a table that an experiment kept; without one, say so, and that of few()."""
    import pandas as pd

    table = five.strength.stored_results(name)
    if table is None:
        print("Here are a few games instead, with few simulations: how, not how much.")
        table = five.strength.with_intervals(pd.DataFrame(few()))
    return table


def made_ludo(table) -> str:
    """Return when and with what a table was made, in one sentence."""
    if "made" not in table:
        return "A few games, played in this notebook."
    made = five.strength.made_words(table.iloc[0])
    return f"{made[0].upper()}{made[1:]}; seed 1."


# by Experiments · the dissertation's pairs beside ours
PRINTED_GAMES = 500
PRINTED_PAIRS = {  # per cent that the first one wins
    ("rule-based", "random"): 86.6,
    ("expectiminimax", "random"): 82.0,
    ("MCTS", "random"): 87.8,
    ("expectiminimax", "rule-based"): 49.4,
    ("MCTS", "rule-based"): 58.2,
    ("MCTS", "expectiminimax"): 59.8,
}


def by_chance(won: float, games: int, other_won: float, other_games: int) -> float:
    """Return how likely so large a difference of two shares is if the true ones are equal."""
    both = (won + other_won) / (games + other_games)
    spread = math.sqrt(max(1e-12, both * (1 - both) * (1 / games + 1 / other_games)))
    z = (won / games - other_won / other_games) / spread
    return math.erfc(abs(z) / math.sqrt(2))


def share_words(won: float, games: int) -> str:
    """Return a share in per cent with its interval."""
    low, high = five.strength.wilson(won, games)
    return f"{won / games:.1%} ({100 * low:.1f}–{100 * high:.1f})"


# by Experiments · the pairs as a table
def matrix_rows(table, ring: int) -> dict:
    """Return {column: {pair: text}} of all pairs, for five.strength.show_rows."""
    heads = ("wins of the first", "games", "the source", "p if equal", "Holm, 5 %")
    columns: dict = {head: {} for head in heads}
    chances = {}
    for row in table[table.ring == ring].itertuples():
        name = f"{row.a} v {row.b}"
        columns["wins of the first"][name] = share_words(row.won, row.games)
        columns["games"][name] = f"{row.games:,}"
        pair = row.a, row.b.replace("rule as printed", "rule-based")
        if row.a == "rule as printed":
            pair = "rule-based", row.b
        if (printed := PRINTED_PAIRS.get(pair)) is not None:
            won = printed / 100 * PRINTED_GAMES
            p = by_chance(row.won, row.games, won, PRINTED_GAMES)
            columns["the source"][name] = share_words(won, PRINTED_GAMES)
            columns["p if equal"][name] = "< 0.001" if p < 0.001 else f"{p:.3f}"
            chances[name] = p
    for name, differs in five.strength.holm(chances).items():
        columns["Holm, 5 %"][name] = "differs" if differs else "may be equal"
    return columns


# ---- Which game was it? ---------------------------------------------------------------------


# by Experiments · the four games that the source may have played
HOUSES = {  # (ring, whether a six must bring a token out): its name
    (52, False): "52, free",
    (40, False): "40, free",
    (52, True): "52, must bring out",
    (40, True): "40, must bring out",
}
READINGS = {"rule as printed": "the rule as printed", "rule-based": "the mended rule"}


def house_cells(tables: dict, rule: str) -> dict:
    """Return {house: {pair: (games won, games, chance of the distance to the source)}}.

    tables   {whether a six must bring a token out: table of pairs}
    rule     which of our two plays the source's rule
    """
    found: dict = {}
    for (ring, forced), name in HOUSES.items():
        table = tables[forced][tables[forced].ring == ring].set_index(["a", "b"])
        for pair, printed in PRINTED_PAIRS.items():
            row = table.loc[tuple(rule if who == "rule-based" else who for who in pair)]
            source = printed / 100 * PRINTED_GAMES, PRINTED_GAMES
            chance = by_chance(row.won, row.games, *source)
            found.setdefault(name, {})[pair] = int(row.won), int(row.games), chance
    return found


# by Experiments · what fits, and what does not
def fits(cells: dict) -> dict:
    """Return {pair: whether it may equal the source's} of a house, by Holm's rule."""
    rejected = five.strength.holm({pair: cell[2] for pair, cell in cells.items()})
    return {pair: not out for pair, out in rejected.items()}


def distance(cells: dict) -> float:
    """Return how many points the cells of a house are off the source's, in the mean."""
    gaps = [100 * won / games - PRINTED_PAIRS[pair] for pair, (won, games, _) in cells.items()]
    return float(np.mean(np.abs(gaps)))


def house_columns(found: dict) -> dict:
    """Return {column: {row: text}} of house_cells for five.strength.show_rows."""
    columns: dict = {"the source": {}}
    for pair, printed in PRINTED_PAIRS.items():
        source = share_words(printed / 100 * PRINTED_GAMES, PRINTED_GAMES)
        columns["the source"][" v ".join(pair)] = source
    for name, cells in found.items():
        fit = fits(cells)
        columns[name] = {
            " v ".join(pair): share_words(won, games) + " ≠" * (not fit[pair])
            for pair, (won, games, _) in cells.items()
        }
        columns[name]["cells that fit"] = f"{sum(fit.values())} of {len(fit)}"
        columns[name]["points off, mean"] = f"{distance(cells):.1f}"
    return columns


# by Experiments · the cells as a figure
def houses_figure(in_houses: dict):
    """Return a figure: each printed cell with the same cell in four games, a panel a rule."""
    figure = five.figures.new_figure(9.8, 4.0)
    panels = figure.subplots(1, len(in_houses), sharey=True)
    names = [" v ".join(pair).replace("expectiminimax", "minimax") for pair in PRINTED_PAIRS]
    for ax, (rule, found) in zip(panels, in_houses.items(), strict=True):
        for y, printed in enumerate(PRINTED_PAIRS.values()):
            low, high = five.strength.wilson(printed / 100 * PRINTED_GAMES, PRINTED_GAMES)
            label = "the source, 95 %" * (y == 0)
            ax.barh(y, high - low, 0.7, left=low, color="0.85", label=label)
        for k, (house, cells) in enumerate(found.items()):
            shares = np.array([won / games for won, games, _ in cells.values()])
            how = dict(color=PAINTS[k], marker=SHAPES[k], markeredgecolor="black")
            places = np.arange(len(shares)) + 0.16 * (k - 1.5)
            ax.plot(shares, places, linestyle="none", label=house, **how)
        ax.set_yticks(range(len(names)), names, fontsize=9)
        ax.set(title=READINGS[rule], xlabel="share of wins of the first", xlim=(0.3, 1.02))
        ax.axvline(0.5, color="0.9", zorder=0)
        ax.spines[["top", "right"]].set_visible(False)
    panels[0].invert_yaxis()
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, fontsize=8, ncols=5, loc="outside lower center")
    return figure


# by Experiments · the payoff matrix
def payoff(table, ring: int):
    """Return (names, float[n, n] wins of the row as shares; NaN on the diagonal)."""
    rows = table[table.ring == ring]
    names = list(dict.fromkeys([*rows.b, *rows.a]))
    shares = np.full((len(names), len(names)), np.nan)
    for row in rows.itertuples():
        i, j = names.index(row.a), names.index(row.b)
        shares[i, j], shares[j, i] = row.won / row.games, 1 - row.won / row.games
    order = np.argsort(np.nanmean(shares, axis=1))
    return [names[i] for i in order], shares[np.ix_(order, order)]


# by Experiments · the matrix as a figure
def payoff_figure(table):
    """Return a figure with the matrix of each ring."""
    rings = list(dict.fromkeys(table.ring))
    figure = five.figures.new_figure(9.8, 4.6)
    panels = figure.subplots(1, len(rings), squeeze=False)[0]
    for ax, ring in zip(panels, rings, strict=True):
        names, shares = payoff(table, ring)
        image = ax.imshow(shares, cmap="RdBu", vmin=0, vmax=1)
        for (i, j), share in np.ndenumerate(shares):
            if not np.isnan(share):
                dark = "white" if abs(share - 0.5) > 0.3 else "black"
                ax.text(j, i, f"{share:.0%}", ha="center", va="center", color=dark)
        short = [name.replace("expectiminimax", "expecti-\nminimax") for name in names]
        short = [name.replace("rule as printed", "rule as\nprinted") for name in short]
        ax.set_xticks(range(len(names)), short, fontsize=8)
        ax.set_yticks(range(len(names)), short, fontsize=8)
        ax.set_title(f"ring {ring}", fontsize=10)
    five.figures.add_bar(
        figure, image, panels, "share of games that the row wins against the column"
    )
    return figure


# ---- The rule as printed --------------------------------------------------------------------


# by Heuristics · what coming out should be worth
def out_rows(games: int, bonuses=(0, 5, 10, 20, 40), rings=(52, 40)) -> dict:
    """Return {(ring, bonus): games won} of the rule against the random player."""
    return {
        (ring, bonus): play_ludo_match(
            {"rule": rule_based(Weights(out=float(bonus))), "random": random_ludo},
            games,
            LudoRules(players=2, ring=ring),
        ).attrs["wins"]["rule"]
        for ring in rings
        for bonus in bonuses
    }


# ---- What more simulations bring ------------------------------------------------------------


# by Search · the search by simulations, and by its constant
def against_rule(player, games: int, jobs: int, path) -> dict:
    """Play MCTS against the mended rule, ring 52, and return its row; see pair_row."""
    agents, rules = {"MCTS": player, "rule-based": rule_based()}, LudoRules(players=2)
    return pair_row("MCTS", "rule-based", rules, games, agents, jobs=jobs, path=path)


def budget_rows(games: int, budgets=(100, 400, 1_600, 6_400), jobs: int = 1, path_of=no_file):
    """Yield a row for each budget; above 2,000 simulations half of the games.

    path_of   path_of(budget) returns the file of a match, or None
    """
    for budget in budgets:
        count = max(2, games // (2 if budget > 2_000 else 1) // 2 * 2)
        row = against_rule(ludo_mcts(budget), count, jobs, path_of(budget))
        yield {"simulations": budget} | row


def constant_rows(
    games: int,
    constants=(0.1, 0.2, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8),
    simulations: int = TWO_SIMULATIONS,
    jobs: int = 1,
    path_of=no_file,
):
    """Yield a row for each c; path_of as in budget_rows, of c."""
    for c in constants:
        row = against_rule(ludo_mcts(simulations, c), games, jobs, path_of(c))
        yield {"c": c, "simulations": simulations} | row


# by Search · score by simulations and by the constant
def budget_figure(budgets, constants):
    """Return a figure: the share of wins against the rule by simulations, and by c."""
    figure = five.figures.new_figure(9.6, 3.4)
    panels = zip(
        figure.subplots(1, 2, sharey=True),
        (budgets, constants),
        ("simulations", "c"),
        strict=True,
    )
    for ax, table, x in panels:
        error = [table.score - table.low, table.high - table.score]
        ax.errorbar(table[x], table.score, yerr=error, fmt="o-", capsize=3)
        ax.axhline(0.5, color="0.7", linewidth=1)
        ax.set_xscale("log")
        ax.set_xticks(list(table[x]), [f"{value:,}" for value in table[x]])
        ax.minorticks_off()
        ax.spines[["top", "right"]].set_visible(False)
        ax.set(xlabel="simulations per choice" if x == "simulations" else x, ylim=(0, 1))
    figure.axes[0].set_ylabel("share of wins against the rule")
    return figure


# ---- Beliefs, and playouts cut short --------------------------------------------------------


# by Search · the matches of the two ideas
CUTS = (2, 8, 32)  # rolls of a playout


def idea_rows(games: int, jobs=1, simulations: int = TWO_SIMULATIONS, path_of=no_file):
    """Yield a row for each idea and rival, ring 52; path_of(idea, rival) as in pair_rows."""
    rivals = {name: pair_agents(simulations)[name] for name in ("rule-based", "MCTS")}
    far = rivals | {"expectiminimax": looker(AHEAD)}
    ideas = {f"cut {cut}": (LudoSearch(cut=cut), rivals) for cut in CUTS}
    ideas["cut 8"] = LudoSearch(cut=8), far
    ideas |= {name: (options, rivals) for name, options in BAYES_LUDO.items()}
    for name, (options, others) in ideas.items():
        agents = others | {name: ludo_searcher(simulations, options)}
        for other in others:
            path, rules = path_of(name, other), LudoRules(players=2)
            row = pair_row(name, other, rules, games, agents, jobs=jobs, path=path)
            yield row | {"simulations": simulations}


# ---- Aggressive, defensive, balanced --------------------------------------------------------


# by Heuristics · three tempers, and all their pairs
TEMPERS = {
    "aggressive": MENDED._replace(near=0.5, behind=0.0),
    "defensive": MENDED._replace(near=0.0, behind=0.5),
    "balanced": MENDED,
}


def temper_rows(games: int, jobs: int = 1, path_of=no_file):
    """Yield a row for each pair of tempers, with and without a forced exit; see pair_row."""
    agents = {name: rule_based(weights) for name, weights in TEMPERS.items()}
    for forced in (False, True):
        rules = LudoRules(players=2, forced_exit=forced)
        for a, b in itertools.combinations(agents, 2):
            path = path_of("must" if forced else "free", a, b)
            row = pair_row(a, b, rules, games, agents, jobs=jobs, path=path)
            yield {"forced": forced} | row


# by Experiments · the equilibrium of a symmetric game
def equilibrium(shares: np.ndarray) -> np.ndarray:
    """Return the mix, float[n], against which no agent wins more than half.

    shares   float[n, n]: the row's share of wins, the mirror cells adding up to 1; the
             diagonal counts as 1/2. Of several mixes one with the fewest agents is returned.
    Source: Nash, Annals of Mathematics, 1951; by trying each support.
    """
    n = len(shares)
    payoffs = np.where(np.eye(n, dtype=bool), 0.5, shares)
    for size in range(1, n + 1):
        for chosen in map(list, itertools.combinations(range(n), size)):
            equations = np.ones((size + 1, size + 1))  # the same score for all, and sum 1
            equations[:size, :size] = payoffs[np.ix_(chosen, chosen)]
            equations[:size, size], equations[size, size] = -1, 0
            if abs(np.linalg.det(equations)) < 1e-12:
                continue
            mix = np.zeros(n)
            mix[chosen] = np.linalg.solve(equations, [0] * size + [1])[:size]
            if mix.min() > -1e-9 and (payoffs @ mix).max() < 0.5 + 1e-9:
                return mix
    raise ValueError("shares must be a square of numbers whose mirror cells add up to 1")


def likely_mixes(rows, draws: int, seed: int = 1) -> np.ndarray:
    """Return float[draws, n]: equilibria of matrices that the games of some rows allow."""
    rng, (names, shares) = np.random.default_rng(seed), payoff(rows, 52)
    mixes = []
    for _ in range(draws):
        for row in rows.itertuples():
            i, j = names.index(row.a), names.index(row.b)
            shares[i, j] = rng.beta(row.won + 1, row.games - row.won + 1)
            shares[j, i] = 1 - shares[i, j]
        mixes.append(equilibrium(shares))
    return np.array(mixes)


# ---- 6. Four players ------------------------------------------------------------------------


# by Experiments · the seatings as printed
PRINTED_SEATS = (  # the order round the board, and the per cent that each one wins
    (("random", "minimax", "MCTS", "rule-based"), (8.0, 28.8, 33.4, 29.8)),
    (("random", "minimax", "rule-based", "MCTS"), (6.0, 33.0, 25.2, 35.8)),
    (("random", "MCTS", "minimax", "rule-based"), (3.8, 40.2, 33.6, 35.8)),
    (("random", "MCTS", "rule-based", "minimax"), (6.2, 34.0, 27.0, 32.8)),
    (("random", "rule-based", "minimax", "MCTS"), (6.8, 26.6, 32.4, 34.2)),
    (("random", "rule-based", "MCTS", "minimax"), (5.4, 23.2, 40.2, 31.2)),
)
PRINTED_MEANS = {"random": 6.03, "minimax": 31.97, "MCTS": 36.3, "rule-based": 25.7}


def printed_seats(mended: bool) -> list[tuple]:
    """Return [(order, {agent: per cent})]; mended: a row over a hundred is corrected."""
    rows = [(order, dict(zip(order, shares, strict=True))) for order, shares in PRINTED_SEATS]
    for _, shares in rows:
        if mended and sum(shares.values()) > 100.5:
            shares["rule-based"] = round(shares["rule-based"] + 100 - sum(shares.values()), 1)
    return rows


def next_of(order: tuple, agent: str) -> str:
    """Return who moves after an agent."""
    return order[(order.index(agent) + 1) % len(order)]


# by Experiments · who sits next when an agent does worst, and best
def by_next(rows: list[tuple], agent: str) -> dict[str, list[float]]:
    """Return {who sits next: the agent's shares in per cent}."""
    found: dict = {}
    for order, shares in rows:
        found.setdefault(next_of(order, agent), []).append(shares[agent])
    return found


def extremes(rows: list[tuple], agent: str, best: bool) -> tuple[str, str]:
    """Return who sits next at the agent's lowest (best: highest) number, and mean of two."""
    found, sign = by_next(rows, agent), -1 if best else 1
    single = min(found, key=lambda other: min(sign * share for share in found[other]))
    return single, min(found, key=lambda other: sign * np.mean(found[other]))


def claims(look: str = "minimax") -> dict[str, tuple[bool, str]]:
    """Return {agent: (best, who sits next)} as the dissertation claims it."""
    worst = {agent: (False, "MCTS") for agent in ("random", look, "rule-based")}
    return worst | {"MCTS": (True, look)}


# by Experiments · does it matter who sits next?
def next_chance(wins, games) -> float:
    """Return how likely counts as far apart are if the true shares are equal; three groups.

    Source: Pearson, Philosophical Magazine, 1900; two degrees of freedom, Fisher 1922.
    """
    wins, games = np.asarray(wins, float), np.asarray(games, float)
    if wins.shape != (3,) or games.shape != (3,):
        raise ValueError("the test is for three groups: the three who may sit next")
    p = wins.sum() / games.sum()
    if p in (0, 1):
        return 1.0
    return math.exp(-float(((wins - games * p) ** 2 / (games * p * (1 - p))).sum()) / 2)


# by Experiments · the tests as a table
def null_rows(counts: dict, agents) -> tuple[dict, dict]:
    """Return ({column: {agent: text}}, {agent: chance}) of the tests.

    counts   {(agent, next): (games won, games)}
    """
    columns: dict = {}
    chances = {}
    for agent in agents:
        others = [other for other in agents if other != agent]
        won, games = zip(*(counts[agent, other] for other in others), strict=True)
        chances[agent] = next_chance(won, games)
        for other, w, n in zip(others, won, games, strict=True):
            columns.setdefault(f"before {other}", {})[agent] = share_words(w, n)
    columns["if the null is true"] = {agent: f"{p:.3f}" for agent, p in chances.items()}
    return columns, chances


# by Experiments · matches of every seating
LATER = ((1, "second"), (2, "third"), (3, "last"))  # places after the winner's


def orders(agents) -> list[tuple]:
    """Return the six orders of four agents round a board, the first agent first."""
    first, *rest = agents
    return [(first, *others) for others in itertools.permutations(rest)]


def seat_rows(
    games: int,
    jobs: int = 1,
    simulations: int = FOUR_SIMULATIONS,
    path_of=no_file,
    rules: LudoRules = LudoRules(),
    places: bool = False,
):
    """Yield a row for each seating and agent: who sits next, games, wins, wins when first.

    path_of   path_of(*order) returns the file of a match, or None
    places    True: play on, and count how often each came home second, third and last
    """
    agents = four_agents(simulations)
    for order in orders(agents):
        players = {name: agents[name] for name in order}
        how = {"jobs": jobs, "path": path_of(*order), "places": places}
        table = play_ludo_match(players, games, rules, **how)
        for name in order:
            won, score, low, high = show_wins(table, name)
            begun = table[table["first"] == name]
            came = table.order.str.split(" / ").str if places else None
            counts = {w: int((came[k] == name).sum()) for k, w in LATER if places}
            yield {
                **{"seating": " / ".join(order), "agent": name},
                **{"next": next_of(order, name), "games": games, "won": won},
                **{"score": score, "low": low, "high": high},
                "won as first": int((begun.winner == name).sum()),
                "rolls": round(float(table.rolls.mean()), 1),
            } | counts


# by Experiments · the seatings as a table
def seat_columns(table) -> dict:
    """Return {agent: {seating: text}} for five.strength.show_rows, and the means."""
    columns: dict = {}
    for row in table.itertuples():
        columns.setdefault(row.agent, {})[row.seating] = share_words(row.won, row.games)
    for agent in columns:
        rows = table[table.agent == agent]
        columns[agent]["all"] = share_words(int(rows.won.sum()), int(rows.games.sum()))
    return columns


# by Experiments · the three agents of the claim, tested together
def shortfall(shares: np.ndarray, seatings: list, agents: list, feared: str) -> np.ndarray:
    """Return how much less the others win before one agent, summed.

    shares   float[..., seatings, agents]
    """
    total = np.zeros(shares.shape[:-2])
    for column, agent in enumerate(agents):
        if agent != feared:
            before_it = np.array([next_of(order, agent) == feared for order in seatings])
            mine = shares[..., column]
            total += mine[..., ~before_it].mean(-1) - mine[..., before_it].mean(-1)
    return total


# by Experiments · how likely a shortfall is by chance
def claim_chance(table: dict, games: int, feared: str, runs: int, seed: int = 1):
    """Return (shortfall, how likely one as large is if the neighbour plays no part).

    table   {seating: {agent: share of wins, 0...1}}; games a seating; one-sided, by sampling
    """
    seatings, agents = list(table), list(next(iter(table.values())))
    found = np.array([[table[order][agent] for agent in agents] for order in seatings])
    means = found.mean(axis=0)
    drawn = np.random.default_rng(seed).multinomial(
        games, means / means.sum(), (runs, len(seatings))
    )
    own = float(shortfall(found, seatings, agents, feared))
    others = shortfall(drawn / games, seatings, agents, feared)
    return own, (1 + int((others >= own - 1e-12).sum())) / (1 + runs)


TOGETHER = "the three together"


def null_words(chances: dict) -> dict:
    """Return {test: its chance, and whether its null is rejected} of a family of tests."""
    rejected = five.strength.holm(chances)
    told = {True: "rejected", False: "stands"}
    return {name: f"{p:.3f}, {told[rejected[name]]}" for name, p in chances.items()}


# by Experiments · shares of wins by who sits next
def next_figure(sets: dict):
    """Return a figure; sets is {title: {(agent, next): (games won, games)}}."""
    figure = five.figures.new_figure(9.8, 3.8)
    panels = figure.subplots(1, len(sets), squeeze=False, sharey=True)[0]
    for ax, (title, counts) in zip(panels, sets.items(), strict=True):
        agents = list(dict.fromkeys(agent for agent, _ in counts))
        for i, agent in enumerate(agents):
            others = [other for who, other in counts if who == agent]
            for k, other in enumerate(sorted(others)):
                won, games = counts[agent, other]
                low, high = five.strength.wilson(won, games)
                place, share = i + 0.25 * (k - 1), won / games
                error = [[share - low], [high - share]]
                paint = PAINTS[sorted(agents).index(other)]
                marker = SHAPES[sorted(agents).index(other)]
                how = dict(color=paint, marker=marker, capsize=3, markeredgecolor="black")
                ax.errorbar(place, share, yerr=error, linestyle="none", **how)
        ax.set_xticks(range(len(agents)), agents)
        ax.set_title(title, fontsize=10)
        ax.spines[["top", "right"]].set_visible(False)
        for k, other in enumerate(sorted(agents)):
            how = dict(color=PAINTS[k], marker=SHAPES[k], markeredgecolor="black")
            ax.plot([], [], linestyle="none", label=f"before {other}", **how)
        ax.legend(fontsize=8, frameon=False, loc="upper left")
    panels[0].set(ylabel="share of wins", ylim=(0, 0.6))
    return figure


# ---- Four players in the four games ---------------------------------------------------------


# by Experiments · the seatings in the four games
def house_rows(games: int, jobs=1, simulations: int = FOUR_SIMULATIONS, path_of=no_file):
    """Yield the rows of seat_rows with places, in each of HOUSES.

    path_of   path_of(ring, "must" or "free", *order) returns the file of a match, or None
    """
    for ring, forced in HOUSES:
        path = partial(path_of, ring, "must" if forced else "free")
        rules = LudoRules(ring=ring, forced_exit=forced)
        for row in seat_rows(games, jobs, simulations, path, rules, places=True):
            yield {"ring": ring, "forced": forced} | row


def house_sums(table) -> dict:
    """Return {house: table of sums by agent: games, won, second, third, last}."""
    counts = ["games", "won", *(word for _, word in LATER)]
    return {
        name: table[(table.ring == ring) & (table.forced == forced)]
        .groupby("agent", sort=False)[counts]
        .sum()
        for (ring, forced), name in HOUSES.items()
    }


# ---- What a place is worth ------------------------------------------------------------------


# by Experiments · the payoff by place
def place_payoff(place: int, players: int = SEATS) -> float:
    """Return what a place is worth, 1 for the first to 0 for the last."""
    return (players - place) / (players - 1)


def place_columns(sums) -> dict:
    """Return {column: {agent: text}} of a table of house_sums for five.strength.show_rows."""
    places = ["won", *(word for _, word in LATER)]
    worth = np.array([place_payoff(k) for k in range(1, SEATS + 1)])
    columns: dict = {}
    for agent, row in sums.iterrows():
        shares = row[places].to_numpy(float) / row.games
        for word, share in zip(("first", *places[1:]), shares, strict=True):
            columns.setdefault(word, {})[agent] = f"{share:.1%}"
        mean = float(shares @ worth)
        error = math.sqrt(float(shares @ worth**2) - mean**2) / math.sqrt(row.games)
        columns.setdefault("mean payoff", {})[agent] = f"{mean:.3f} ± {1.96 * error:.3f}"
    return columns


# by Experiments · places as a figure
def places_figure(sums: dict):
    """Return a figure: a panel for each game, the shares of the places of each agent."""
    figure = five.figures.new_figure(9.8, 3.0)
    panels = figure.subplots(1, len(sums), sharey=True)
    paints = ("#08519c", "#4292c6", "#9ecae1", "#deebf7")
    for ax, (house, table) in zip(panels, sums.items(), strict=True):
        left = np.zeros(len(table))
        for place, word in enumerate(("won", *(word for _, word in LATER))):
            share = (table[word] / table.games).to_numpy()
            label = "first" if word == "won" else word
            ax.barh(list(table.index), share, left=left, color=paints[place], label=label)
            for y, (x, width) in enumerate(zip(left, share, strict=True)):
                ink = "white" if place < 2 else "black"
                text = f"{100 * width:.0f}" if width >= 0.06 else ""
                ax.text(x + width / 2, y, text, ha="center", va="center", color=ink, size=8)
            left += share
        ax.set_title(house, fontsize=10)
        ax.set(xlim=(0, 1), xticks=[], xlabel="games, %")
        ax.spines[["top", "right", "bottom"]].set_visible(False)
    panels[0].invert_yaxis()
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, fontsize=8, ncols=4, loc="outside lower center")
    return figure


# by Search · max^n against paranoid
def style_rows(games: int, jobs: int = 1, path=None):
    """Yield a row for each of the four players of the match."""
    players = {
        "max^n": looker(AHEAD, selfish=True),
        "rule-based 1": rule_based(),
        "paranoid": looker(AHEAD),
        "rule-based 2": rule_based(),
    }
    table = play_ludo_match(players, games, LudoRules(), jobs=jobs, path=path)
    for name in players:
        won, score, low, high = show_wins(table, name)
        row = {"agent": name, "games": games, "won": won}
        yield row | {"score": score, "low": low, "high": high}


ALLIANCES = {  # for each seat how far on its ally sits; 0: it has none
    "opposite": (2, 0, 2, 0),
    "neighbours": (1, 3, 0, 0),
    "kept by one": (2, 0, 0, 0),
}


def allied(distance: int):
    """Return the rule-based player who looks past the player so many seats on."""
    rule = rule_based()

    def play(game: Ludo, seed: int | None = None) -> int:
        seen = game.copy()
        seen.state.at[(game.to_move + distance) % game.rules.players] = 0
        return rule(seen, seed)

    return play


def ally_rows(games: int, jobs: int = 1, path_of=no_file):
    """Yield a row for each alliance: games won by either ally, by the first, by the second."""
    for name, seats in ALLIANCES.items():
        agents = [allied(distance) if distance else rule_based() for distance in seats]
        players = {f"seat {number}": agent for number, agent in enumerate(agents, 1)}
        table = play_ludo_match(players, games, LudoRules(), jobs=jobs, path=path_of(name))
        first, second = (show_wins(table, f"seat {k}")[0] for k in (1, 1 + seats[0]))
        won = {"won": first + second, "first": first, "second": second}
        yield {"alliance": name, "games": games, **won}


# ---- 7. Luck --------------------------------------------------------------------------------


# by Experiments · until the better player is ahead
def chance_ahead(games: int, p: float) -> float:
    """Return how likely a player who wins a share p is ahead after an odd number of games."""
    wins = np.arange(games // 2 + 1, games + 1)
    choose = [
        math.lgamma(games + 1) - math.lgamma(k + 1) - math.lgamma(games - k + 1)
        for k in wins.tolist()
    ]
    return float(np.exp(choose + wins * np.log(p) + (games - wins) * np.log(1 - p)).sum())


def games_ahead(p: float, certain: float = 0.95, most: int = 99_999) -> int | None:
    """Return the smallest odd number of games after which chance_ahead is that certain.

    None where it is more than `most`. ValueError unless 1/2 < p < 1.
    """
    if not 0.5 < p < 1:
        raise ValueError(f"the better player wins more than half and less than all, not {p}")
    low, high = 0, 1  # in pairs of games: 2 * low - 1 are too few, 2 * high - 1 enough
    while chance_ahead(2 * high - 1, p) < certain:
        low, high = high, 2 * high
        if 2 * high - 1 > 2 * most:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        enough = chance_ahead(2 * middle - 1, p) >= certain
        low, high = (low, middle) if enough else (middle, high)
    return 2 * high - 1 if 2 * high - 1 <= most else None


# by Experiments · wins by dice
def by_luck(table, name: str, groups: int = 5) -> dict:
    """Return what the dice say of a two-player match, from the view of one player.

    "edges"   float[groups]: mean difference of pips a roll; "wins", "games": counts of each
    "luckier", "better"   shares of games that the luckier player and `name` won
    """
    first, second = (
        list(table.attrs["wins"]).index(n) for n in (name, *other_of(table, name))
    )
    pips = np.array([list(map(float, text.split())) for text in table.pips])
    more, won = pips[:, first] - pips[:, second], (table.winner == name).to_numpy()
    parts = np.array_split(np.argsort(more, kind="stable"), groups)
    luckier = np.where(more > 0, won, ~won)[more != 0]
    return {
        "edges": np.array([more[part].mean() for part in parts]),
        "wins": np.array([won[part].sum() for part in parts]),
        "games": np.array([len(part) for part in parts]),
        "luckier": float(luckier.mean()),
        "better": float(won.mean()),
    }


def other_of(table, name: str) -> list[str]:
    """Return the names of the other players of a match."""
    return [other for other in table.attrs["wins"] if other != name]


# by Experiments · wins by dice, drawn
def luck_figure(found: dict):
    """Return a figure of shares of wins by luck; found is {match: by_luck}."""
    figure = five.figures.new_figure(7.4, 3.8)
    ax = figure.subplots()
    for k, (name, luck) in enumerate(found.items()):
        share = luck["wins"] / luck["games"]
        bounds = [
            five.strength.wilson(*pair)
            for pair in zip(luck["wins"], luck["games"], strict=True)
        ]
        error = np.abs(np.array(bounds).T - share)
        how = dict(color=PAINTS[k], marker=SHAPES[k], capsize=3, label=name)
        ax.errorbar(luck["edges"], share, yerr=error, **how)
    ax.axhline(0.5, color="0.8", linewidth=1)
    ax.set(xlabel="mean roll of the one named first less that of the other", ylim=(0, 1.04))
    ax.set_ylabel("share of wins of the one named first")
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(fontsize=8, frameon=False, loc="lower right")
    return figure


# by Experiments · the first move, and other rules
VARIANTS = {
    "two players": LudoRules(players=2),
    "three players": LudoRules(players=3),
    "four players": LudoRules(),
    "two, ring 40": LudoRules(players=2, ring=40),
    "four, ring 40": LudoRules(ring=40),
    "two, safe squares": LudoRules(players=2, safe=(0, 8)),
    "two, a capture rolls again": LudoRules(players=2, again=True),
    "two, the third six is lost": LudoRules(players=2, three_sixes=True),
    "two, a six must bring out": LudoRules(players=2, forced_exit=True),
    "four, a six must bring out": LudoRules(forced_exit=True),
}


def begin_rows(games: int) -> dict:
    """Return {column: {variant: text}} of random games for five.strength.show_rows."""
    columns: dict = {f"seat {seat}": {} for seat in range(1, SEATS + 1)}
    for name, rules in VARIANTS.items():
        wins, lengths = random_games(games, rules)
        for seat, won in enumerate(wins.tolist(), 1):
            columns[f"seat {seat}"][name] = f"{won / games:.2%}"
        low, high = five.strength.wilson(int(wins[0]), games)
        share = 1 / rules.players
        told = "more" if low > share else "less" if high < share else "not told apart"
        columns.setdefault("first seat, against an equal share", {})[name] = told
        columns.setdefault("rolls per game", {})[name] = f"{lengths.mean():.0f}"
    return columns


# ---- 8. A game, move by move ----------------------------------------------------------------


# by Interface · a game with the thoughts of a player
def recorded_ludo(agents: list, rules: LudoRules, seed: int) -> tuple[Ludo, dict]:
    """Return (game, {index of the roll: LudoThought}); player i moves by agents[i]."""
    game, thoughts, rng = Ludo(rules), {}, random.Random(seed)
    while not game.over:
        if not game.roll(rng.randint(1, 6)):
            continue
        answer = agents[game.to_move](game.copy(), rng.getrandbits(32))
        if getattr(answer, "simulations", 0):
            thoughts[len(game.record)] = answer
        game.move(getattr(answer, "move", answer))
    return game, thoughts


def before(game: Ludo, count: int, rolled: bool = True) -> Ludo:
    """Return the game as it stood before roll number `count`; rolled: with its die on view."""
    earlier = Ludo(game.rules, game.first)
    for _, die, token in game.record[:count]:
        earlier.roll(die)
        if token:
            earlier.move(token)
    if rolled:
        earlier.roll(game.record[count][1])
    return earlier


# by Interface · the shapes of a board of Ludo
def in_picture(x: float, y: float) -> tuple[float, float]:
    """Return x and y of a place on the board in the picture, where y grows downwards."""
    return round(10 * x, 1), round(-10 * y, 1)


def svg_place(rules: LudoRules, player: int, token: int, steps: int) -> tuple[float, float]:
    """Return x and y of a token in the picture: each has its own quarter of a square."""
    x, y = place_of_token(rules, player, token, steps)
    apart = 0.23 if steps else 0.0
    return in_picture(x + apart * (2 * (token % 2) - 1), y + apart * (2 * (token // 2) - 1))


# by Interface · the shapes by name
def ludo_shapes(rules: LudoRules) -> dict[str, str]:
    """Return the shapes by name: the board, a token of each player, the die."""
    dots = [in_picture(*along_cross(i, rules.ring)) for i in range(rules.ring)]
    square = "<path d='M{:g} {:g}m-4.6-4.6h9.2v9.2h-9.2z' class='{}'/>".format
    board = "".join(square(*place, "dot") for place in dots)
    for player, start in enumerate(starts(rules)):
        board += square(*dots[start], f"dot start{player}")
        places = [svg_place(rules, player, token, 0) for token in range(TOKENS)]
        lanes = [
            place_of_token(rules, player, 0, i) for i in range(rules.ring, rules.goal + 1)
        ]
        places += [in_picture(*place) for place in lanes]
        board += "".join(square(*place, f"lane lane{player}") for place in places)
    drawn = (
        "<circle r='2.1'/>",
        "<path d='M-1.9-1.9h3.8v3.8h-3.8z'/>",
        "<path d='M-2.2 1.7h4.4l-2.2-3.8z'/>",
        "<path d='M0-2.2l2.2 2.2-2.2 2.2-2.2-2.2z'/>",
    )
    shapes = {"board": board, "die": "<path class='die' d='M-4-4h8v8h-8z'/>"}
    for player in range(rules.players):
        shapes[f"token{player}"] = f"<g class='token paint{player}'>{drawn[player]}</g>"
    return shapes


LUDO_STYLE = """
text{font:2.6px system-ui,sans-serif;text-anchor:middle;dominant-baseline:central;fill:#000}
.dot{fill:#fff;stroke:#999;stroke-width:.5}.lane{opacity:.3}
.token{stroke:#000;stroke-width:.4}.new .token{stroke-width:.8}
path.die{fill:#fff;stroke:#000;stroke-width:.5}text.die{font-size:6px}text.token0{fill:#fff}
""" + "".join(
    f".start{i}{{stroke:{paint};stroke-width:1.4}}.lane{i},.paint{i}{{fill:{paint}}}"
    for i, paint in enumerate(PAINTS)
)


# by Interface · the frames
def ludo_frames(game: Ludo, thoughts: dict) -> tuple[list, list]:
    """Return (frames, parts) of a game for five.replay.replay_piece; value +1: blue wins."""
    rules, now, waits = game.rules, Ludo(game.rules, game.first), []
    stands = {key: (int(s), 0) for key, s in np.ndenumerate(now.steps)}
    frames, parts = [five.replay.Frame("start", "")], [five.replay.Part("board")]

    def put(key, until):
        steps, since = stands[key]
        place = svg_place(rules, *key, steps)
        parts.append(five.replay.Part(f"token{key[0]}", *place, since, until, str(key[1] + 1)))

    for number, (player, die, token) in enumerate(game.record):
        now.roll(die)
        if not token:
            waits.append(f"{COLOURS[player]} {die}")
            continue
        now.move(token)
        who, value = COLOURS[player].capitalize(), None
        lines = [f"{who} rolled {die} and moved token {token}."]
        if waits:
            lines.append(f"Before it no token could move: {', '.join(waits)}.")
        if (thought := thoughts.get(number)) is not None:
            lines.append(f"Playouts won: {token_words(thought)}.")
            value = round(2 * float(thought.chances[0]) - 1, 3) if rules.players == 2 else None
        caught = sum(int(s) == 0 < stands[k][0] for k, s in np.ndenumerate(now.steps))
        lines += [f"{caught} sent home."] * bool(caught)
        frames.append(
            five.replay.Frame(f"{die}→{token}", COLOURS[player], tuple(lines), value)
        )
        parts.append(five.replay.Part("die", 0, 0, len(frames) - 1, len(frames) - 1, str(die)))
        for key, steps in np.ndenumerate(now.steps):
            if steps != stands[key][0]:
                put(key, len(frames) - 2)
                stands[key] = int(steps), len(frames) - 1
        waits = []
    for key in stands:
        put(key, None)
    if game.over:
        end = f"{COLOURS[game.winner].capitalize()} has won."
        frames[-1] = frames[-1]._replace(lines=(*frames[-1].lines, end))
    return frames, parts


# by Interface · the replay of a game of Ludo
def replay_ludo(
    game: Ludo, thoughts: dict | None = None, title: str = "Ludo"
) -> five.replay.Replay:
    """Return the replay of a game; thoughts is {index of the roll: LudoThought} or None."""
    if not isinstance(game, Ludo):
        raise ValueError(f"game must be a Ludo, not {game!r:.60}")
    if wrong := [n for n in thoughts or {} if not 0 <= n < len(game.record)]:
        raise ValueError(f"there is no roll {wrong[0]}: the game has {len(game.record)}")
    frames, parts = ludo_frames(game, thoughts or {})
    reach = 10 * half_of(check_board(game.rules).ring) + 6
    box = (-reach, -reach, 2 * reach, 2 * reach)
    drawing = five.replay.Drawing(box, ludo_shapes(game.rules), parts, LUDO_STYLE)
    sides = (f"{COLOURS[0]} wins", f"{COLOURS[1]} wins")
    marks = dict(zip(COLOURS, "●■▲◆", strict=True))
    return five.replay.replay_piece(title, frames, drawing, marks=marks, sides=sides)


# by Search · a choice of tokens with the values of a search
def clearness(thought: LudoThought) -> float:
    """Return how far the two best values are apart, in standard errors of their difference."""
    first, second = np.argsort(np.where(thought.visits > 0, -thought.values, np.inf))[:2]
    values, visits = thought.values[[first, second]], thought.visits[[first, second]]
    error = float(np.hypot(*five.strength.standard_error(values, visits)))
    return float(values[0] - values[1]) / max(error, 1e-9)


def choices_figure(game: Ludo, thoughts: dict, numbers):
    """Return a figure: for each roll the board, and a bar for each token that was tried."""
    figure = five.figures.new_figure(9.6, 4.2 * len(numbers))
    for (board, bars), number in zip(
        figure.subplots(len(numbers), 2, squeeze=False), numbers, strict=True
    ):
        position, thought = before(game, number), thoughts[number]
        draw_ludo(board, position)
        board.set_title(f"{COLOURS[position.to_move]} has rolled {position.die}", fontsize=10)
        tried = [i for i in range(TOKENS) if thought.visits[i]]
        values = thought.values[tried]
        error = five.strength.standard_error(values, thought.visits[tried])
        paint = ["tab:blue" if i + 1 == thought.move else "0.75" for i in tried]
        names = [f"token {i + 1}" for i in tried]
        bars.bar(names, values, yerr=error, capsize=4, color=paint, width=0.6)
        for place, i in enumerate(tried):
            text = f"{thought.visits[i]:,} visits"
            ink = "white" if i + 1 == thought.move else "black"
            bars.text(place, 0.02, text, ha="center", fontsize=8, color=ink)
        bars.set(ylim=(0, 1), ylabel="share of playouts won")
        bars.spines[["top", "right"]].set_visible(False)
    return figure
