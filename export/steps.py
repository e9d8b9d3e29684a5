"""The four steps of one simulation, drawn from a real search on a small board."""

import five_in_a_row as five
import numpy as np


def four_steps():
    """Return a figure of one simulation of a real search, in four panels."""
    game = five.Game.from_text("a1b1a2b2a3b3c1c2d1", size=5)
    options = five.SearchOptions(keep=4, widen=0, sure=10**9, solve=False)
    tree = five.Tree(game, five.shaped_game(), options, records=1000)
    walk, reward = [0], 32
    while len(walk) != 4 or tree.root.N < 12 or reward == 32:  # three plies deep, and no draw
        tree.run(1)
        walk = last_walk(tree)
        reward = int(tree.nodes["W64"][walk[-1]])
    titles = (
        "1 select\nfollow the highest UCB",
        "2 expand\nadd one child",
        "3 simulate\nfinish the game at random",
        "4 backpropagate\nevery node on the path learns",
    )
    figure = five.new_figure(10, 8.4)
    axes = figure.subplots(2, 2).ravel()
    for step, (ax, title) in enumerate(zip(axes, titles, strict=True)):
        nodes = tree.nodes.copy()
        if step < 3:  # not yet backpropagated
            nodes["N"][walk] -= 1
            nodes["W64"][walk] -= [gain_of(walk, node, reward) for node in walk]
        if step < 1:  # not yet expanded
            nodes["tried"][walk[-2]] -= 1
        draw_step(ax, nodes, walk, step, reward)
        ax.set_title(title, fontsize=13)
    return figure


def last_walk(tree):
    """Return the nodes of the last simulation, root first; the new child ends it."""
    walk = [0]
    while tree.nodes["N"][walk[-1]] > 1:
        walk.append(int(tree.s.path[len(walk)]))
    return walk


def gain_of(walk, node, reward):
    """Return 64 times the reward that a node on the walk receives."""
    return reward if (len(walk) - 1 - walk.index(node)) % 2 == 0 else 64 - reward


def draw_step(ax, nodes, walk, step, reward):
    """Draw the tree at one step, with the walk of the simulation in colour."""
    places, lines = {}, []
    place(nodes, 0, 0, places, lines, [0.0])
    deep = max(y for _, y in places.values())
    new, known = walk[-1], walk if step else walk[:-1]
    for a, b in lines:
        on = a in known and b in known
        (x, y), (x2, y2) = places[a], places[b]
        style = {"color": "tab:orange" if on else "0.7", "linewidth": 3.5 if on else 1}
        ax.plot([x, x2], [-y, -y2], zorder=1, **style)
    for node, (x, y) in places.items():
        record = nodes[node]
        on = node in known
        text = f"{record['W64'] / 64:g}/{record['N']}"
        fill = "#ffe0b8" if on else "white"
        if node == new and step in (1, 2):
            fill = "#c8e6c9"
        if on and step == 3:
            text += f"\n+{gain_of(walk, node, reward) / 64:g}/+1"
        name = five.point_name(int(record["move"]), 5) if node else "root"
        box = {"boxstyle": "round,pad=0.3", "facecolor": fill, "edgecolor": "0.2"}
        ax.text(x, -y, f"{name}\n{text}", ha="center", va="center", fontsize=9.5, bbox=box)
    if step >= 2:
        x, y = places[new]
        end = "win" if reward == 64 else "loss"
        wave = np.linspace(0, 1, 60)
        ax.plot(x + 0.12 * np.sin(22 * wave), -y - 0.3 - 0.8 * wave, color="tab:green", lw=1.5)
        ax.text(
            x,
            -y - 1.32,
            f"{end} for the\nplayer of {name_of(nodes, new)}",
            ha="center",
            va="center",
            fontsize=10,
            color="#1b5e20",
        )
    columns = max(x for x, _ in places.values())
    ax.set(xlim=(-0.7, columns + 0.7), ylim=(-deep - 1.7, 0.5))
    ax.set_axis_off()


def name_of(nodes, node):
    """Return the name of the move into a node."""
    return five.point_name(int(nodes["move"][node]), 5)


def place(nodes, node, y, places, lines, free):
    """Place a node above its visited children; return its column."""
    first, tried = int(nodes["first"][node]), int(nodes["tried"][node])
    columns = []
    for child in range(first, first + tried):
        lines.append((node, child))
        columns.append(place(nodes, child, y + 1, places, lines, free))
    x = (columns[0] + columns[-1]) / 2 if columns else free[0]
    if not columns:
        free[0] += 1
    places[node] = (x, y)
    return x
