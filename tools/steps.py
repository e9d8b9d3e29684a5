"""The four steps of one simulation, drawn from a real search on a small board."""

import math
from typing import NamedTuple

import five_in_a_row as five
import numpy as np

TITLES = (
    "1 select\nfollow the highest UCB",
    "2 expand\nadd one child",
    "3 simulate\nfinish the game at random",
    "4 backpropagate\nevery node on the path learns",
)


class Simulation(NamedTuple):
    """The last simulation of a search: the tree after it, its walk, its reward."""

    game: five.game.Game
    nodes: np.ndarray  # records of the tree
    walk: list[int]  # node ids, root first; the last one is the new child
    reward: int  # 64 win, 0 loss, for the player of the new child


def one_simulation():
    """Return a simulation that goes three plies deep and does not end in a draw."""
    game = five.game.Game.from_text("a1b1a2b2a3b3c1c2d1", size=5)
    options = five.search.SearchOptions(max_children=4, forcing_score=10**9, solve=False)
    tree = five.search.Tree(game, five.search.shaped_game(), options, records=1000)
    walk, reward = [0], 32
    while len(walk) != 4 or tree.root.N < 12 or reward == 32:
        tree.run(1)
        walk = last_walk(tree)
        reward = int(tree.nodes["W64"][walk[-1]])
    return Simulation(game, tree.nodes, walk, reward)


def before_step(simulation, step):
    """Return the tree as it was during a step, 0 to 3: what comes later is taken back."""
    nodes, walk = simulation.nodes.copy(), simulation.walk
    if step < 3:  # not yet backpropagated
        nodes["N"][walk] -= 1
        nodes["W64"][walk] -= [gain_of(walk, node, simulation.reward) for node in walk]
    if step < 1:  # not yet expanded
        nodes["num_visited"][walk[-2]] -= 1
    return nodes


def four_steps():
    """Return a figure of one simulation of a real search, in four panels."""
    simulation = one_simulation()
    figure = five.figures.new_figure(10, 8.4)
    for step, ax in enumerate(figure.subplots(2, 2).ravel()):
        draw_step(ax, simulation, step)
        ax.set_title(TITLES[step], fontsize=13)
    return figure


def one_step(step):
    """Return a figure of one step, 0 to 3: the board of the walk, and the tree."""
    simulation = one_simulation()
    figure = five.figures.new_figure(9.6, 4.8)
    left, right = figure.subplots(1, 2, width_ratios=(1, 1.9))
    game = simulation.game.copy()
    walk = simulation.walk[1:] if step else simulation.walk[1:-1]
    for node in walk:
        game.play(int(simulation.nodes["move"][node]))
    five.figures.draw_board(left, game.array)
    five.figures.number_stones(left, game, game.played[len(simulation.game.played) :])
    draw_step(right, simulation, step, bounds=step == 0)
    return figure


def last_walk(tree):
    """Return the nodes of the last simulation, root first; the new child ends it."""
    walk = [0]
    while tree.nodes["N"][walk[-1]] > 1:
        walk.append(int(tree.workspace.path[len(walk)]))
    return walk


def gain_of(walk, node, reward):
    """Return 64 times the reward that a node on the walk receives."""
    return reward if (len(walk) - 1 - walk.index(node)) % 2 == 0 else 64 - reward


def draw_step(ax, simulation, step, bounds=False):
    """Draw the tree at one step, with the walk of the simulation in colour.

    bounds   True: write the UCB of every child that select compares
    """
    nodes, walk = before_step(simulation, step), simulation.walk
    places, lines = {}, []
    place(nodes, 0, 0, places, lines, [0.0])
    deep = max(y for _, y in places.values())
    new, known = walk[-1], walk if step else walk[:-1]
    for a, b in lines:
        on = a in known and b in known
        (x, y), (x2, y2) = places[a], places[b]
        style = {"color": "tab:orange" if on else "0.7", "linewidth": 3.5 if on else 1}
        ax.plot([x, x2], [-y, -y2], zorder=1, **style)
    compared = upper_bounds(nodes, walk[:-1]) if bounds else {}
    for node, (x, y) in places.items():
        on = node in known
        fill = "#ffe0b8" if on else "white"
        if node == new and step in (1, 2):
            fill = "#c8e6c9"
        text = numbers_of(nodes, node)
        if on and step == 3:
            text += f"\n+{gain_of(walk, node, simulation.reward) / 64:g}/+1"
        if node in compared:
            text += f"\nUCB\n{compared[node]:.2f}"
        box = {"boxstyle": "round,pad=0.3", "facecolor": fill, "edgecolor": "0.2"}
        ax.text(x, -y, text, ha="center", va="center", fontsize=9.5, bbox=box)
    if step >= 2:
        draw_playout(ax, *places[new], simulation)
    columns = max(x for x, _ in places.values())
    ax.set(xlim=(-0.7, columns + 0.7), ylim=(-deep - 1.7, 0.5))
    ax.set_axis_off()


def numbers_of(nodes, node):
    """Return what stands in a node's box: its move, and reward and visits as m/n."""
    name = name_of(nodes, node) if node else "root"
    return f"{name}\n{nodes['W64'][node] / 64:g}/{nodes['N'][node]}"


def upper_bounds(nodes, walk):
    """Return {child: UCB} of the children of all nodes but the last on the way down.

    Raises ValueError if the way does not follow the highest bound: then the drawing would lie.
    """
    found = {}
    for parent, chosen in zip(walk, walk[1:], strict=False):
        first, tried = int(nodes["first_child"][parent]), int(nodes["num_visited"][parent])
        for child in range(first, first + tried):
            n, m = int(nodes["N"][child]), nodes["W64"][child] / 64
            spread = math.sqrt(math.log(nodes["N"][parent]) / n)
            found[child] = m / n + five.search.SearchOptions().c_uct * spread
        if found[chosen] < max(found[child] for child in range(first, first + tried)):
            raise ValueError("the walk does not follow the highest UCB")
    return found


def draw_playout(ax, x, y, simulation):
    """Draw the random game below the new child, and how it ended."""
    name = name_of(simulation.nodes, simulation.walk[-1])
    end = "win" if simulation.reward == 64 else "loss"
    wave = np.linspace(0, 1, 60)
    ax.plot(x + 0.12 * np.sin(22 * wave), -y - 0.3 - 0.8 * wave, color="tab:green", lw=1.5)
    words = {"ha": "center", "va": "center", "fontsize": 10, "color": "#1b5e20"}
    ax.text(x, -y - 1.32, f"{end} for the\nplayer of {name}", **words)


def name_of(nodes, node):
    """Return the name of the move into a node."""
    return five.game.point_name(int(nodes["move"][node]), 5)


def place(nodes, node, y, places, lines, free):
    """Place a node above its visited children; return its column."""
    first, tried = int(nodes["first_child"][node]), int(nodes["num_visited"][node])
    columns = []
    for child in range(first, first + tried):
        lines.append((node, child))
        columns.append(place(nodes, child, y + 1, places, lines, free))
    x = (columns[0] + columns[-1]) / 2 if columns else free[0]
    if not columns:
        free[0] += 1
    places[node] = (x, y)
    return x
