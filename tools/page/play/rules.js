// A game of five in a row, as a page keeps it: stones, moves, names.

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const COLOURS = {"1": "black", "-1": "white"};
const capital = text => text[0].toUpperCase() + text.slice(1);

class Game {
  constructor(size, inARow = 5) {
    Object.assign(this, {size, inARow, played: [], cells: Array(size * size).fill(0), five: []});
  }

  get toMove() { return this.played.length % 2 ? -1 : 1; }
  get winner() { return this.five.length ? -this.toMove : 0; }
  get over() { return this.five.length > 0 || this.played.length === this.cells.length; }
  get moves() { return this.played.map(point => this.name(point)); }

  name(point) { return LETTERS[point % this.size] + (Math.floor(point / this.size) + 1); }

  play(point) {
    this.cells[point] = this.toMove;
    this.played.push(point);
    this.five = this.lineThrough(point);
  }

  undo() {
    this.cells[this.played.pop()] = 0;
    this.five = [];
  }

  copy() {
    const game = new Game(this.size, this.inARow);
    this.played.forEach(point => game.play(point));
    return game;
  }

  // The points of a line that is long enough through a stone; none, if there is none.
  lineThrough(point) {
    const {size, cells} = this, row = Math.floor(point / size), col = point % size;
    for (const [up, right] of [[0, 1], [1, 0], [1, 1], [1, -1]]) {
      const found = [point];
      for (const way of [1, -1])
        for (let i = 1; ; i++) {
          const r = row + way * i * up, c = col + way * i * right, other = r * size + c;
          if (r < 0 || c < 0 || r >= size || c >= size || cells[other] !== cells[point]) break;
          way > 0 ? found.push(other) : found.unshift(other);
        }
      if (found.length >= this.inARow) return found;
    }
    return [];
  }

  // The first point where a colour would make a line, or -1.
  winningPoint(colour) {
    return this.cells.findIndex((cell, point) => {
      if (cell) return false;
      this.cells[point] = colour;
      const wins = this.lineThrough(point).length > 0;
      this.cells[point] = 0;
      return wins;
    });
  }
}

// How many stones of both sides a line takes to a win, or null; a line that ends in a double
// threat is played on: each side wins, or stops a win.
function pliesToWin(game, line, winner) {
  const after = game.copy(), rest = [...line];
  while (!after.over) {
    let point = rest.shift() ?? after.winningPoint(after.toMove);
    if (point < 0) point = after.winningPoint(-after.toMove);
    if (point < 0 || after.cells[point]) return null;
    after.play(point);
  }
  return after.winner === winner ? after.played.length - game.played.length : null;
}

// Whether every threat of a winning line is a four: its answer stands where five would be made.
function onlyFours(game, line) {
  const after = game.copy();
  return line.every((point, i) => {
    if (after.over || after.cells[point]) return true;
    const forced = i % 2 === 0 || after.winningPoint(-after.toMove) === point;
    after.play(point);
    return forced;
  });
}

const REASONS = {
  "five": "makes five", "blocks five": "stops a five", "fours": "wins by fours",
  "threats": "wins by fours and open threes", "only move": "the only move",
  "only candidate": "the only defence found", "proven": "proved best",
  "level": "chosen as its level plays", "first candidate": "the first candidate",
};

// What a search expects, in words; "" where it says nothing.
function verdictOf(game, found) {
  const winner = game.toMove * (found.proven || 1), who = capital(COLOURS[winner]);
  if (found.proven === 0) return "A draw, if both play well";
  if (found.proven) {
    const count = pliesToWin(game, found.line, winner);
    return `${who} wins ${count ? `in ${count}` : "by force"}`;
  }
  const move = found.line[0], visits = found.visits[move];
  if (!visits || found.why === "level") return "";
  return `${who} expects ${Math.round(100 * found.rewards[move] / visits)} %`;
}

function reasonOf(game, found) {
  const why = found.why === "force" ? onlyFours(game, found.line) ? "fours" : "threats" : found.why;
  return REASONS[why] ?? why;
}
