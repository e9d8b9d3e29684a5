# Made from ludo.ipynb by tools/build.py: change the notebook, not this file.


import copy
import math
import os
import random
from dataclasses import replace
from functools import lru_cache

import numpy as np

import five_in_a_row as five
from five_in_a_row.game import quoted
from five_in_a_row.ludo import (
    TOKENS,
    TWO_SIMULATIONS,
    Ludo,
    LudoRules,
    LudoThought,
    check_ludo,
    ludo_mcts,
    own_seed,
    starts,
    token_words,
    track_of,
)
from five_in_a_row.search import check_seed


# ---- Ludo: search under dice ----------------------------------------------------------------


# by Interface · where the squares lie, and how board, tokens and die are drawn
def half_of(ring: int) -> int:
    """Return how many squares lie between the centre of the board and its edge."""
    return (ring // 4 + 1) // 2


def board_rules(rules: LudoRules) -> five.game.Rules:
    """Return the rules of the board of points that has room for a game; or ValueError."""
    arm = half_of(check_ludo(rules).ring) - 1
    if arm < 2 or rules.lane > arm:
        room = f"lanes of up to {arm}" if arm >= 2 else "no yards, only from 20 up"
        raise ValueError(f"a board with a ring of {rules.ring} has room for {room}")
    return five.game.Rules(2 * arm + 3)


def quarter_turns(x: int, y: int, count: int) -> tuple[int, int]:
    """Return a place after so many quarter turns round the centre, clockwise."""
    for _ in range(count):
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
    return quarter_turns(x, y, quarter)


def place_of_token(rules: LudoRules, player: int, token: int, steps: int) -> tuple[int, int]:
    """Return x and y of a token, 0 to 3, after so many steps."""
    start, half = starts(rules)[player], half_of(rules.ring)
    if 0 < steps < rules.ring:
        return along_cross(start + steps - 1, rules.ring)
    x, y = 0, steps - rules.ring + 1 - half  # in the lane
    if steps == 0:  # the yard
        x, y = (-((half + 1 + 3 * far) // 2) for far in (token % 2 == 0, token < 2))
    return quarter_turns(x, y, 4 * start // rules.ring)


def squares_of(rules: LudoRules) -> dict:
    """Return {(x, y): the player whose colour the square has, or None} of the whole board."""
    squares = {along_cross(i, rules.ring): None for i in range(rules.ring)}
    for player in range(rules.players):
        for steps in (1, *range(rules.ring, rules.goal + 1)):
            squares[place_of_token(rules, player, 0, steps)] = player
        for token in range(TOKENS):
            squares[place_of_token(rules, player, token, 0)] = player
    return squares


PLAYER_COLOURS = ("blue", "orange", "green", "purple")
PAINTS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7")  # told apart by the colour-blind too


def cross_point(ring: int, x: int, y: int) -> int:
    """Return a place as a point of a board that has room for the cross."""
    half = half_of(ring)
    return (y + half) * (2 * half + 1) + x + half


def point_of_token(rules: LudoRules, player: int, token: int, steps: int) -> int:
    """Return the point where a token, 0 to 3, stands after so many steps."""
    return cross_point(rules.ring, *place_of_token(rules, player, token, steps))


def square_at(canvas: five.window.Canvas, point: int, part: float = 1.0):
    """Return the Rect of a square, or of a part of its width in its middle."""
    side = int(part * canvas.layout.cell)
    box = five.window.load_pygame().Rect(0, 0, side, side)
    box.center = canvas.at(point)
    return box


def draw_squares(canvas: five.window.Canvas, rules: LudoRules) -> None:
    """Paint the empty board: starts, lanes and yards in pale colours, safe squares crossed."""
    pygame, cell = five.window.load_pygame(), canvas.layout.cell
    white, thin = pygame.Color("white"), max(1, cell // 32)
    for place, player in squares_of(rules).items():
        box = square_at(canvas, cross_point(rules.ring, *place), 0.94)
        paint = white if player is None else white.lerp(pygame.Color(PAINTS[player]), 0.4)
        pygame.draw.rect(canvas.surface, paint, box, border_radius=cell // 8)
        pygame.draw.rect(canvas.surface, canvas.theme.lines, box, thin, cell // 8)
    for square in np.flatnonzero(track_of(rules).safe).tolist():
        box = square_at(canvas, cross_point(rules.ring, *along_cross(square, rules.ring)), 0.7)
        for ends in ((box.topleft, box.bottomright), (box.topright, box.bottomleft)):
            pygame.draw.line(canvas.surface, canvas.theme.soft, *ends, 2 * thin)


TOKEN_SHAPES = ("o", "s", "^", "D")  # circle, square, triangle, diamond, as matplotlib's
CORNERS = {"o": (36, 0, 0.97), "s": (4, 0.5, 1.16), "^": (3, -0.75, 1.14), "D": (4, 0, 1)}


@lru_cache(maxsize=256)
def token_image(player: int, side: int, number: str, marked: bool = False):
    """Return a token as a picture of that width; marked: with a white ring."""
    pygame, big = five.window.load_pygame(), 2 * side  # half of its size before it shrinks
    image = pygame.Surface((2 * big, 2 * big), pygame.SRCALPHA)
    corners, turn, reach = CORNERS[TOKEN_SHAPES[player]]
    middle = big * (1.22 if corners == 3 else 1.0)  # a triangle's is below half its height
    rings = [("black", 1.0), ("white", 0.9), ("black", 0.7)] if marked else [("black", 1.0)]
    for colour, part in (*rings, (PAINTS[player], 0.6 if marked else 0.88)):
        angles = [2 * math.pi * (i + turn) / corners for i in range(corners)]
        radius = reach * part * big
        places = [(big + radius * math.cos(a), middle + radius * math.sin(a)) for a in angles]
        pygame.draw.polygon(image, colour, places)
    image = pygame.transform.smoothscale(image, (side, side))
    ink = "white" if player == 0 else "black"
    text = five.window.font_of(side * 5 // 9).render(number, True, ink)
    image.blit(text, text.get_rect(center=(side / 2, middle / 4)))
    return image


def draw_die(canvas: five.window.Canvas, box, player: int, die: int) -> None:
    """Paint a die, 1 to 6, with an edge of its player's colour."""
    draw, side = five.window.load_pygame().draw, box.width
    draw.rect(canvas.surface, PAINTS[player], box, border_radius=side // 5)
    draw.rect(canvas.surface, "white", box.inflate(-side // 6, -side // 6), 0, side // 6)
    canvas.write(str(die), "center", box.center, side * 3 // 4, side, "black")


def token_boxes(canvas: five.window.Canvas, rules: LudoRules, steps) -> dict:
    """Return {(player, token): Rect}, tokens from 0; steps is int[players, 4]."""
    groups: dict[int, list] = {}
    for key, made in np.ndenumerate(steps):
        groups.setdefault(point_of_token(rules, *key, int(made)), []).append(key)
    boxes = {}
    for point, keys in groups.items():
        columns = math.ceil(math.sqrt(len(keys)))  # that share the square, side by side
        rows = -(-len(keys) // columns)
        square = square_at(canvas, point, 0.88)
        side = square.width // columns
        square.y += side * (columns - rows) // 2
        for i, key in enumerate(keys):
            row, column = divmod(i, columns)
            box = square.move(side * column, side * row)
            box.size = side, side
            boxes[key] = box
    return boxes


def draw_position(canvas: five.window.Canvas, game: Ludo) -> None:
    """Paint the tokens, with a ring those that may move, and in the middle the die."""
    movers = {(game.to_move, token - 1) for token in game.legal()}
    for key, box in token_boxes(canvas, game.rules, game.steps).items():
        image = token_image(key[0], box.width, str(key[1] + 1), key in movers)
        canvas.surface.blit(image, box)
    if game.die:
        middle = square_at(canvas, cross_point(game.rules.ring, 0, 0), 0.9)
        draw_die(canvas, middle, game.to_move, game.die)


def draw_ludo(ax, game: Ludo, width: int = 640) -> None:
    """Show a position in a part of a figure."""
    pygame = five.window.load_pygame()
    layout = five.window.make_layout(width, width, board_rules(game.rules))
    canvas = five.window.Canvas(pygame.Surface((width, width)), layout, five.window.CALM)
    five.window.draw_wood(canvas.surface, canvas.theme)
    draw_squares(canvas, game.rules)
    draw_position(canvas, game)
    board = canvas.surface.subsurface(layout.wood)
    ax.imshow(pygame.surfarray.array3d(board).swapaxes(0, 1))
    ax.axis("off")


def ludo_words(game: Ludo) -> list[str]:
    """Return a line for each player: where the tokens stand, and whose turn it is."""
    ring, lines = game.rules.ring, []
    words = {0: "yard", game.rules.goal: "home"}
    words |= {steps: f"lane {steps - ring + 1}" for steps in range(ring, game.rules.goal)}
    turn = "has won" if game.over else f"to move, die {game.die}" if game.die else "to roll"
    for player, steps in enumerate(game.steps.tolist()):
        where = [f"{i} {words.get(s, f'step {s}')}" for i, s in enumerate(steps, 1)]
        last = f" · {turn}" * (player == (game.winner if game.over else game.to_move))
        lines.append(f"{PLAYER_COLOURS[player]}: {', '.join(where)}{last}")
    return lines


def show_ludo(game: Ludo, caption: str = "") -> None:
    """Display a position with a description in words."""
    figure = five.figures.new_figure(4.4, 4.4)
    draw_ludo(figure.subplots(), game)
    five.figures.show(figure, "A Ludo board. " + "; ".join(ludo_words(game)) + ".", caption)


# ---- 3. Play --------------------------------------------------------------------------------


# by Interface · Ludo as a session takes it: a move is the point of the token that moves
def roll_words(player: int, die: int, token: int) -> str:
    """Return a roll and what moved."""
    return f"{PLAYER_COLOURS[player]} {die}: " + (f"token {token}" if token else "no move")


class LudoGame:
    """A game that rolls by itself. Player 0 is the session's black, all others are its white.

    positions   the Ludo before each move and after the last, rolled; `ludo` is the one shown
    points      where the tokens stood that moved, undone moves included
    """

    five = ()  # no line of stones wins

    def __init__(self, rules: LudoRules = LudoRules(2), seed: int = 0, ludo=None):
        self.rules, self.seed = board_rules(rules), check_seed(seed)
        self.positions, self.points, self.count = [ludo or Ludo(rules)], [], 0
        self.roll()

    @property
    def ludo(self) -> Ludo:
        """The position that is shown."""
        return self.positions[self.count]

    @property
    def played(self) -> list[int]:
        """The points of the moves that have been played."""
        return self.points[: self.count]

    @property
    def undone(self) -> list[int]:
        """The points of the moves that were taken back, the last one first."""
        return self.points[self.count :][::-1]

    @property
    def over(self) -> bool:
        """True once somebody has all tokens at home."""
        return self.ludo.over

    @property
    def to_move(self) -> int:
        """+1 for player 0, -1 for all others."""
        return -1 if self.ludo.to_move else 1

    @property
    def winner(self) -> int:
        """+1 if player 0 has won, -1 if another one has, else 0."""
        return 0 if not self.over else -1 if self.ludo.winner else 1

    @property
    def moves(self) -> list[str]:
        """The rolls by which a token has moved, in words."""
        return [roll_words(*roll) for roll in self.ludo.record if roll[2]]

    @property
    def stage(self) -> str:
        """How many play, and how many tokens have moved."""
        return f"{self.ludo.rules.players} players, move {self.count}"

    @property
    def array(self) -> np.ndarray:
        """Where tokens stand, int8[rows, size]: their player, from 1 on."""
        cells = np.zeros((self.rules.height, self.rules.size), np.int8)
        for (player, token), steps in np.ndenumerate(self.ludo.steps):
            cells.flat[point_of_token(self.ludo.rules, player, token, int(steps))] = player + 1
        return cells

    def point(self, token: int) -> int:
        """Return where a token, 1 to 4, of the player to move stands."""
        player, steps = self.ludo.to_move, self.ludo.steps
        at = int(steps[player, token - 1])
        return point_of_token(self.ludo.rules, player, token - 1, at)

    def token(self, point: int | None) -> int | None:
        """Return the token that may move from a point, the lowest of several; None: none."""
        return next((t for t in self.ludo.legal() if self.point(t) == point), None)

    def legal(self) -> list[int]:
        """Return the points from which a token may move."""
        return list(dict.fromkeys(map(self.point, self.ludo.legal())))

    def play(self, point: int) -> None:
        """Move the token of a point, roll, and pass turns in which no token can move."""
        if (token := self.token(point)) is None:
            why = "the game is over" if self.over else f"only {self.ludo.allowed()} may"
            raise ValueError(f"no token may move from there: {why}")
        after = self.ludo.copy()
        after.move(token)
        self.positions[self.count + 1 :], self.points[self.count :] = [after], [point]
        self.count += 1
        self.roll()

    def roll(self) -> None:
        """Roll until a token can move; the numbers follow from seed and rolls so far."""
        while not (self.ludo.over or self.ludo.die):
            chance = random.Random(f"{self.seed} {len(self.ludo.record)}")
            self.ludo.roll(chance.randint(1, 6))

    def go_to(self, count: int) -> None:
        """Go back or forth in the direction of that many moves, to a choice of player 0."""
        way = int(np.sign(count - self.count))
        while way and 0 <= self.count + way <= len(self.points):
            self.count += way
            if self.ludo.to_move == 0:
                break

    def copy(self) -> "LudoGame":
        """Return a game that goes on by itself from here."""
        other = copy.copy(self)
        other.positions, other.points = self.positions[:], self.points[:]
        return other


# by Interface · the board in the window, its keys and commands
def ludo_lines(session: five.window.Session, visits: bool = True) -> list[str]:
    """Return the roll, what the search found, and the last rolls, line by line."""
    ludo, lines = session.game.ludo, session.note.splitlines()
    if not ludo.over:
        colour = PLAYER_COLOURS[ludo.to_move]
        other = f"{colour.capitalize()} rolls {ludo.die}"
        own = f"You, {colour}, roll {ludo.die}: {ludo.allowed()}"
        lines.append(own if session.yours else other)
    if session.result is not None and visits:
        lines += session.result.why.splitlines()
    return lines + [roll_words(*roll) for roll in ludo.record[:-6:-1]]


class LudoBoard(five.window.Board):
    """Paints a session of Ludo on any surface."""

    def __init__(self, rules: LudoRules):
        self.rules = rules

    def grid(self, canvas: five.window.Canvas) -> None:
        """Paint the squares in place of lines."""
        draw_squares(canvas, self.rules)

    def stones(self, canvas: five.window.Canvas, session: five.window.Session) -> None:
        """Paint tokens and die in place of stones."""
        draw_position(canvas, session.game.ludo)

    def draw(self, surface, session: five.window.Session, view: five.window.View) -> None:
        """Paint everything, with words of its own and a token in place of the turn's stone."""
        shown = copy.copy(session)
        shown.note = "\n".join(ludo_lines(session, view.heat))
        shown.verdict, shown.result = "", None
        super().draw(surface, shown, replace(view, hover=None))
        if not view.overlay:
            canvas, ludo = self.canvas(surface, session, view), session.game.ludo
            self.draw_turn(canvas, ludo.winner if ludo.over else ludo.to_move)
            chosen = view.cursor if view.hover is None else view.hover
            if session.yours and (token := session.game.token(chosen)):
                self.draw_target(canvas, ludo, token)

    def draw_turn(self, canvas: five.window.Canvas, player: int) -> None:
        """Paint a token of the player who moves, or has won, beside the heading."""
        unit, (x, y) = canvas.layout.unit, canvas.layout.text[:2]
        box = five.window.load_pygame().Rect(x, y + unit // 4, 3 * unit // 2, 3 * unit // 2)
        canvas.surface.fill(canvas.theme.paper, box.inflate(2, 2))
        canvas.surface.blit(token_image(player, box.width, ""), box)

    def draw_target(self, canvas: five.window.Canvas, ludo: Ludo, token: int) -> None:
        """Paint a ring where a token of the player to move would go."""
        player, after = ludo.to_move, ludo.copy()
        after.move(token)
        steps = int(after.steps[player, token - 1])
        place = canvas.at(point_of_token(ludo.rules, player, token - 1, steps))
        cell, signal = canvas.layout.cell, canvas.theme.signal
        draw = five.window.load_pygame().draw
        draw.circle(canvas.surface, signal, place, cell // 3, max(2, cell // 14))


class LudoKeys(five.panels.Panel):
    """The keys 1 to 4 move a token."""

    def shown(self, controller: five.window.Controller):
        """Return the die: another game may begin with the same tokens."""
        return controller.session.game.ludo.die

    def key_lines(self, controller: five.window.Controller) -> tuple[str, ...]:
        """Return the line of the list of keys."""
        return ("1, 2, 3, 4\tmove that token",)

    def on_key(self, controller: five.window.Controller, key: str) -> bool:
        """Take the keys 1 to 4."""
        session = controller.session
        if key not in ("1", "2", "3", "4"):
            return False
        if session.yours and int(key) in session.game.ludo.legal():
            five.window.choose_point(controller, session.game.point(int(key)))
        return True


def has_chosen(controller: five.window.Controller) -> bool:
    """Return True once a person has chosen, so that there is a choice to take back."""
    game = controller.session.game
    return any(ludo.to_move == 0 for ludo in game.positions[: game.count])


def new_ludo(controller: five.window.Controller) -> None:
    """Begin another game, with the dice of the next seed."""
    session, game = controller.session, controller.session.game
    session.before = session.record if game.played else session.before
    five.window.take_up(session, ludo_record(game.ludo.rules, game.seed + 1))


def ludo_record(rules: LudoRules, seed: int, who: str = "person") -> five.window.GameRecord:
    """Return a game that has not begun; its dice and searches follow from the seed."""
    return five.window.GameRecord(LudoGame(rules, seed), (who, "computer"), seed=seed)


def ludo_controller(record: five.window.GameRecord, agent) -> five.window.Controller:
    """Return a controller for a game against a player, such as ludo_mcts()."""
    session = five.window.Session(record, {"computer": ludo_thinker(agent)})
    board = LudoBoard(record.game.ludo.rules)
    controller = five.window.Controller(session, board, [LudoKeys()])
    commands = controller.commands
    commands["undo"] = commands["undo"]._replace(possible=has_chosen)
    commands["new"] = commands["new"]._replace(action=new_ludo)
    five.extras.add_after(controller, "new", {"colours": five.extras.CONTRAST})
    return controller


# by Interface · play, and a player as the session's opponent
def ludo_window(controller: five.window.Controller) -> five.window.GameRecord:
    """Open the window, play, and return the game when it is closed; or raise NoDisplay."""
    five.window.open_window("Ludo")
    return five.window.Window(controller).run()


def play_ludo(players: int = 2, agent=None, seed: int | None = None, rules=None, ways=None):
    """Return the game from the window, a board in the notebook, or a recorded game.

    players   2, 3 or 4, the person among them; rules   LudoRules, in place of `players`
    agent     the player that moves for all others; None: MCTS with 1,000 simulations
    seed      of dice and agents; None: another game each time
    ways      functions that show a controller, or raise NoDisplay; None: the window
    Raises ValueError for anything else.
    """
    rules = LudoRules(players) if rules is None else rules
    agent = ludo_mcts(simulations=TWO_SIMULATIONS) if agent is None else agent
    if not callable(agent):
        raise ValueError(f"agent must be a player, such as ludo_mcts(), not {quoted(agent)}")
    seed = own_seed(seed)
    controller, why = ludo_controller(ludo_record(rules, seed), agent), []
    ways = (ludo_window,) if ways is None else ways
    if os.environ.get("FIVE_PLAY") == "recorded":
        why, ways = ["the notebook was run without a window"], ()
    for show in ways:
        try:
            return show(controller)
        except five.window.NoDisplay as error:
            why.append(str(error))
    print(f"No game is played here ({'; '.join(why)}). The computer plays against itself.")
    record, think = ludo_record(rules, seed, "computer"), ludo_thinker(agent)
    while not record.over:
        record.play(think(record.game, seed=seed + len(record.game.played)).move)
    return record


PACE = 1.4  # seconds that a choice stays on view, half where there is none; see "Move now"


def ludo_thinker(agent):
    """Return a thinker for a session that asks a player, such as ludo_mcts()."""

    def think(game: LudoGame, *, seed=0, stop=None, on_progress=None, **budget):
        answer, shape = agent(game.ludo.copy(), seed), game.array.shape
        visits, values, words = np.zeros(shape, np.int64), np.full(shape, np.nan), []
        for i in range(TOKENS) if isinstance(answer, LudoThought) else ():
            if answer.visits[i]:
                visits.flat[game.point(i + 1)] = answer.visits[i]
                values.flat[game.point(i + 1)] = 2 * answer.values[i] - 1
                share = answer.visits[i] / answer.simulations
                said = f"{share:.0%} of visits, wins {answer.values[i]:.0%}"
                words.append(f"Token {i + 1}: {said}")
        move, count = game.point(getattr(answer, "move", answer)), int(visits.sum())
        boards, rest = (visits, values, values), (count, 0.0, [move], None, seed)
        result = five.mcts.SearchResult(move, "\n".join(words), *boards, *rest)
        if on_progress and game.ludo.to_move:  # not for a hint
            on_progress(result)
            stop.wait(PACE if count else PACE / 2)
        return result

    return think


# by Interface · the shapes of a board, the frames, and the replay of a game of Ludo
def svg_place(rules: LudoRules, player: int, token: int, steps: int) -> tuple[float, float]:
    """Return x and y of a token in the picture: each has its own quarter of a square."""
    x, y = place_of_token(rules, player, token, steps)
    apart = 0.23 if steps else 0.0
    x, y = x + apart * (2 * (token % 2) - 1), y + apart * (2 * (token // 2) - 1)
    return round(10 * x, 1), round(-10 * y, 1)


def ludo_shapes(rules: LudoRules) -> dict[str, str]:
    """Return the shapes by name: the board, a token of each player, the die."""
    square = "<path d='M{} {}m-4.6-4.6h9.2v9.2h-9.2z' class='square {}'/>".format
    board = ""
    for (x, y), player in squares_of(rules).items():
        board += square(10 * x, -10 * y, "" if player is None else f"pale paint{player}")
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
.square{stroke:#999;stroke-width:.5}.square:not(.pale){fill:#fff}.pale{fill-opacity:.4}
.token{stroke:#000;stroke-width:.4}.new .token{stroke-width:.8}
path.die{fill:#fff;stroke:#000;stroke-width:.5}text.die{font-size:6px}text.token0{fill:#fff}
""" + "".join(f".paint{i}{{fill:{paint}}}" for i, paint in enumerate(PAINTS))


def ludo_frames(game: Ludo, thoughts: dict) -> tuple[list, list]:
    """Return (frames, parts) of a game for five.replay.replay_piece; value +1: blue wins."""
    rules, now, waits = game.rules, Ludo(game.rules, game.first), []
    stands = {key: (int(s), 0) for key, s in np.ndenumerate(now.steps)}  # steps, since when
    frames, parts = [five.replay.Frame("start", "")], [five.replay.Part("board")]

    def put(key, until):
        steps, since = stands[key]
        place = svg_place(rules, *key, steps)
        parts.append(five.replay.Part(f"token{key[0]}", *place, since, until, str(key[1] + 1)))

    for number, (player, die, token) in enumerate(game.record):
        now.roll(die)
        if not token:
            waits.append(f"{PLAYER_COLOURS[player]} {die}")
            continue
        now.move(token)
        who, value = PLAYER_COLOURS[player], None
        lines = [f"{who.capitalize()} rolled {die} and moved token {token}."]
        if waits:
            lines.append(f"Before it no token could move: {', '.join(waits)}.")
        if (thought := thoughts.get(number)) is not None:
            lines.append(f"Playouts won: {token_words(thought)}.")
            value = round(2 * float(thought.chances[0]) - 1, 3) if rules.players == 2 else None
        frames.append(five.replay.Frame(f"{die}→{token}", who, tuple(lines), value))
        at = len(frames) - 1
        parts.append(five.replay.Part("die", 0, 0, at, at, str(die)))
        for key, steps in np.ndenumerate(now.steps):
            if steps != stands[key][0]:
                put(key, at - 1)
                stands[key] = int(steps), at
        waits = []
    for key in stands:
        put(key, None)
    if game.over:
        end = f"{PLAYER_COLOURS[game.winner].capitalize()} has won."
        frames[-1] = frames[-1]._replace(lines=(*frames[-1].lines, end))
    return frames, parts


def replay_ludo(game: Ludo, thoughts: dict | None = None, title: str = "Ludo"):
    """Return the Replay of a game; thoughts is {index of the roll: LudoThought} or None."""
    if not isinstance(game, Ludo):
        raise ValueError(f"game must be a Ludo, not {quoted(game)}")
    if wrong := [n for n in thoughts or {} if not 0 <= n < len(game.record)]:
        raise ValueError(f"there is no roll {wrong[0]}: the game has {len(game.record)}")
    frames, parts = ludo_frames(game, thoughts or {})
    reach = 5 * board_rules(game.rules).size + 1
    box = (-reach, -reach, 2 * reach, 2 * reach)
    drawing = five.replay.Drawing(box, ludo_shapes(game.rules), parts, LUDO_STYLE)
    marks = dict(zip(PLAYER_COLOURS, "●■▲◆", strict=True))
    sides = (f"{PLAYER_COLOURS[0]} wins", f"{PLAYER_COLOURS[1]} wins")
    return five.replay.replay_piece(title, frames, drawing, marks=marks, sides=sides)
