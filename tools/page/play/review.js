// A review of a game: what black can expect in each position, by a short search of each; the
// moves that cost most; and whether another move in their place holds.

const EACH = 5000;   // simulations for a position
const COSTLY = 0.1;  // a move that loses so much of what its side could expect is costly
const NAMED = 3;     // costly moves that are named

const perCent = share => `${Math.round(100 * share)}\u00a0%`;

// What black can expect in a position, from 0 to 1, and the best move in it, -1 after the end;
// null where the search was stopped. `think` takes a game and gives, later, what a search of it
// found. A forced move is found without a search, so its position is worth what the next is.
async function valueOf(game, think) {
  const after = game.copy();
  let best = -1;
  while (!after.over) {
    const found = await think(after.copy());
    if (!found) return null;
    if (best < 0) best = found.move;
    const visits = found.visits[found.move];
    if (found.proven !== null || visits) {
      const own = visits && found.proven === null ? found.rewards[found.move] / visits : (found.proven + 1) / 2;
      return {value: after.toMove > 0 ? own : 1 - own, best};
    }
    after.play(found.move);
  }
  return {value: (after.winner + 1) / 2, best};
}

class Review {
  // game: the whole game; colours: whose costly moves are named
  constructor(game, colours) {
    // For each position what black can expect, and the best move; for some, what it can expect
    // after the best move.
    Object.assign(this, {game, colours, values: [], bests: [], afterBest: []});
  }

  get isWhole() { return this.values.length > this.game.played.length; }

  position(ply) {
    const game = new Game(this.game.size);
    this.game.played.slice(0, ply).forEach(point => game.play(point));
    return game;
  }

  // Value position after position; ends early where a search was stopped.
  async run(think, onStep) {
    while (!this.isWhole) {
      onStep();
      const ply = this.values.length, found = await valueOf(this.position(ply), think);
      if (!found) return;
      [this.values[ply], this.bests[ply]] = [found.value, found.best];
      if (ply && this.expected(ply - 1).cost >= COSTLY && !await this.compare(ply - 1, think)) {
        this.values.pop();
        return;
      }
    }
  }

  // Search what move i is compared with, the position after the best move; false if stopped. A
  // search expects somewhat more for the side to move, so two positions after a move compare
  // better than one before it with one after it.
  async compare(i, think) {
    const best = this.bests[i];
    if (this.afterBest[i] === undefined) {
      const position = this.position(i);
      position.play(best);
      const isMove = this.game.played[i] === best;
      const found = isMove ? {value: this.values[i + 1]} : await valueOf(position, think);
      if (!found) return false;
      this.afterBest[i] = found.value;
    }
    return true;
  }

  // What the side of move i (from 0) can expect at best, and after its move or another one.
  expected(i, value = this.values[i + 1]) {
    const own = each => i % 2 ? 1 - each : each;
    const after = own(value), best = Math.max(after, own(this.afterBest[i] ?? this.values[i]));
    return {best, after, cost: best - after};
  }

  get costly() {
    const moves = this.values.slice(1).map((_, i) => i);
    return moves.filter(i => this.colours.includes(i % 2 ? -1 : 1) && this.expected(i).cost >= COSTLY)
      .sort((i, j) => this.expected(j).cost - this.expected(i).cost).slice(0, NAMED);
  }

  nameOf(i) { return `Move ${i + 1}, ${COLOURS[i % 2 ? -1 : 1]} ${this.game.name(this.game.played[i])}`; }

  // A move and what it did to what its side expects.
  priceOf(i) {
    const {best, after, cost} = this.expected(i);
    if (perCent(best) === perCent(after)) return `${this.nameOf(i)}: nothing lost`;
    return `${cost >= COSTLY ? "▲ " : ""}${this.nameOf(i)}: ${perCent(best)} → ${perCent(after)}`;
  }

  // What is said of the position after so many moves.
  linesAt(ply) {
    if (!(ply < this.values.length)) return [];
    const lines = [`Black expects ${perCent(this.values[ply])}`];
    return ply ? [...lines, this.priceOf(ply - 1)] : lines;
  }

  // What is said of another move in place of move i; `value`: black's expectation after it.
  verdict(i, point, value) {
    const {best, after, cost} = this.expected(i, value), name = this.game.name(point);
    const who = capital(COLOURS[i % 2 ? -1 : 1]), holds = cost < COSTLY;
    const own = this.game.played[i] === point;
    return [
      own ? `${name} is the move of the game` : `${name} ${holds ? "holds" : "does not hold"}`,
      `${who} expects ${perCent(after)} after it, at best ${perCent(best)}`,
      `A try holds if it loses less than ${100 * COSTLY} points of 100.`,
    ];
  }
}

// The curve as the inside of an SVG of 300 by 110; `ply`: where the board stands.
function curveOf(review, ply) {
  const {values, game} = review, moves = Math.max(1, game.played.length);
  const x = i => (24 + 268 * i / moves).toFixed(1), y = value => (18 + 80 * (1 - value)).toFixed(1);
  const path = values.map((value, i) => `${i ? "L" : "M"}${x(i)} ${y(value)}`).join("");
  const marks = review.costly.map(i => {
    const low = values[i + 1] < 0.25, at = Number(y(values[i + 1]));
    return `<text class="mark" x="${x(i + 1)}" y="${low ? at - 8 : at + 8}">▲</text>`
      + `<text x="${x(i + 1)}" y="${low ? at - 18 : at + 18}">${i + 1}</text>`;
  });
  return [["100", 1], ["50", 0.5], ["0", 0]].map(([label, value]) =>
    `<path class="level" d="M24 ${y(value)}h268"/><text class="scale" x="20" y="${y(value)}">${label}</text>`).join("")
    + `<path class="here" d="M${x(ply)} 14v88"/><path class="values" d="${path}"/>${marks.join("")}`;
}

// The review in the panel. `hands` is what it asks the panel for: think(game), goTo(ply), and
// changed(), after which the panel shows itself again.
function makeReview(box, {think, goTo, changed}) {
  const find = name => box.querySelector(name), curve = find("svg");
  let review = null, running = false, own = 0;

  // The review of this game, null where it is another one.
  const of = game => review && `${review.game.played}` === `${game.played}` && review.game.size === game.size ? review : null;

  async function start(game, colours) {
    const number = ++own;
    review = of(game) ?? new Review(game, colours);
    running = true;
    await review.run(think, changed);
    if (number !== own) return;
    running = false;
    changed(review.isWhole ? summary() : "Stopped.");
  }

  function summary() {
    const {costly} = review;
    return costly.length ? `Costliest: ${costly.map(i => review.nameOf(i)).join("; ")}.`
      : `No move lost ${100 * COSTLY} points of 100 or more.`;
  }

  function show(game, ply, mayStart) {
    const shown = of(game), whole = shown?.isWhole, count = game.played.length + 1;
    const begun = shown?.values.length, button = find(".start");
    box.hidden = !game.played.length;
    button.textContent = running ? "Stop" : whole ? "Reviewed" : begun ? "Go on with the review" : "Review the game";
    if (running || mayStart && !whole) button.removeAttribute("aria-disabled");
    else button.setAttribute("aria-disabled", "true");
    find("progress").hidden = find(".count").hidden = !running;
    find("progress").max = count;
    find("progress").value = begun ?? 0;
    find(".count").textContent = running ? `Position ${Math.min(count, begun + 1)} of ${count}` : "";
    find(".found").hidden = !begun;
    if (!begun) return;
    curve.innerHTML = curveOf(shown, ply);
    curve.ariaLabel = `What black expects, after each move. ${summary()}`;
    find(".sum").textContent = running ? "" : shown.costly.length ? "Costliest moves (▲)" : summary();
    const held = box.getRootNode().activeElement?.dataset.costly;
    find(".costly").replaceChildren(...shown.costly.map(i => {
      const item = document.createElement("li"), button = document.createElement("button");
      button.type = "button";
      button.dataset.costly = i;
      button.textContent = shown.priceOf(i);
      if (i === ply) button.setAttribute("aria-current", "true");
      item.append(button);
      return item;
    }));
    if (held !== undefined) find(`[data-costly="${held}"]`)?.focus();
  }

  find(".costly").onclick = ({target}) => {
    const button = target.closest("button");
    if (button) goTo(Number(button.dataset.costly));
  };
  curve.onclick = event => {
    const box = curve.getBoundingClientRect(), moves = review.game.played.length;
    const at = ((event.clientX - box.left) / box.width * 300 - 24) / 268;
    goTo(Math.max(0, Math.min(moves, Math.round(at * moves))));
  };
  return {
    of, start, show,
    get running() { return running; },
    stop() { own++; running = false; },
  };
}
