// A game of five in a row, as a page keeps it: stones, moves, names, records.

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

// ---- records ---------------------------------------------------------------------------

function movesText(game) { return game.moves.join(" "); }

function sgfText(game, players, date, seed) {
  const {size} = game;
  const point = p => LETTERS[p % size] + LETTERS[size - 1 - Math.floor(p / size)];
  const result = game.winner ? `RE[${game.winner > 0 ? "B" : "W"}+]` : game.over ? "RE[0]" : "";
  const moves = game.played.map((p, i) => `;${i % 2 ? "W" : "B"}[${point(p)}]`);
  const lines = [];
  for (let i = 0; i < moves.length; i += 10) lines.push(moves.slice(i, i + 10).join(""));
  return `(;FF[4]GM[4]CA[UTF-8]SZ[${size}]PB[${players[0]}]PW[${players[1]}]DT[${date}]${result}GC[seed ${seed}]\n`
    + `${lines.join("\n")})\n`;
}

// Read a record; throws an Error whose message says why it cannot be, and where.
function readRecord(text, size, sizes) {
  if (!text.trim()) throw new Error("There is nothing to read: paste moves such as h8 i9, or an SGF.");
  return text.trim()[0] === "(" ? readSgf(text, sizes) : readMoves(text, size, sizes);
}

const quoted = text => `“${text.length > 12 ? text.slice(0, 12) + "…" : text}”`;
const whereIn = (text, at) => {
  const before = text.slice(0, at).split("\n");
  return `line ${before.length}, character ${before.at(-1).length + 1}`;
};

function playRead(game, point, what, where) {
  const number = game.played.length + 1, name = `Move ${number}, ${quoted(what)} (${where})`;
  if (game.over) throw new Error(`${name}: the game was over before it.`);
  if (game.cells[point]) throw new Error(`${name}: there is a stone on ${game.name(point)} already.`);
  game.play(point);
}

function readMoves(text, size, sizes) {
  const game = new Game(size);
  for (const found of text.matchAll(/[^\s,;]+/g)) {
    const word = found[0].replace(/^\d+\.+/, ""), where = whereIn(text, found.index);
    if (!word) continue;
    const number = game.played.length + 1, name = `Move ${number}, ${quoted(word)} (${where})`;
    const parts = /^([a-z])([1-9]\d?)$/i.exec(word);
    if (!parts) throw new Error(`${name}: not a move; a letter and a number, such as h8, name a point.`);
    const col = LETTERS.indexOf(parts[1].toLowerCase()), row = parts[2] - 1;
    if (col >= size || row >= size) {
      const larger = sizes.find(each => each > Math.max(col, row));
      throw new Error(`${name}: the board of ${size}×${size} has no such point`
        + (larger ? `; choose ${larger}×${larger} first.` : "."));
    }
    playRead(game, row * size + col, word, where);
  }
  return game;
}

function readSgf(text, sizes) {
  const tokens = [...text.matchAll(/[();]|([A-Za-z]+)\s*((?:\[(?:\\[^]|[^\]\\])*\]\s*)+)|\S/g)];
  let game = null, size = sizes.includes(19) ? 19 : sizes.at(-1), depth = 0, ended = false;
  for (const token of tokens) {
    const [all, property, values] = token, where = whereIn(text, token.index);
    if (ended) break;  // only the first line of play is read
    if (all === "(") depth++;
    else if (all === ")") { if (--depth <= 0 || game) ended = true; }
    else if (all === ";") continue;
    else if (!property) throw new Error(`This is not SGF: ${quoted(all)} at ${where} is out of place.`);
    else {
      const name = property.toUpperCase(), value = values.trim().slice(1, -1).trim();
      if (name === "GM" && value !== "4")
        throw new Error(`GM[${value}] at ${where}: this record is of another game; five in a row has GM[4].`);
      if (name === "SZ") {
        size = Number(value.split(":")[0]);
        if (!sizes.includes(size) || game)
          throw new Error(`SZ[${value}] at ${where}: boards here have ${sizes.join(", ")} points a side.`);
      }
      if (["AB", "AW", "AE"].includes(name))
        throw new Error(`${name} at ${where}: a position that is set up cannot be read, only moves.`);
      if (name !== "B" && name !== "W") continue;
      game ??= new Game(size);
      const col = LETTERS.indexOf(value[0]), row = size - 1 - LETTERS.indexOf(value[1]);
      const move = `Move ${game.played.length + 1}, ${quoted(`${name}[${value}]`)} (${where})`;
      if (value.length !== 2 || col < 0 || row >= size || col >= size || row < 0)
        throw new Error(`${move}: the board of ${size}×${size} has no such point.`);
      if ((game.toMove > 0) !== (name === "B"))
        throw new Error(`${move}: it is ${COLOURS[game.toMove]}'s turn.`);
      playRead(game, row * size + col, `${name}[${value}]`, where);
    }
  }
  if (!ended) throw new Error("This is not a whole SGF: a bracket ) is missing at its end.");
  return game ?? new Game(size);
}
