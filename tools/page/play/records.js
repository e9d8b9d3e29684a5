// Records of games as text: written as moves or SGF, read as moves, SGF or psq.

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

// Read a record as {game, left}; `left` says what of the text was not read, or "". Throws an
// Error whose message says why it cannot be read, and where.
function readRecord(text, size, sizes) {
  const begin = text.trim();
  if (!begin) throw new Error("There is nothing to read: paste moves such as h8 i9, an SGF or a psq.");
  if (begin[0] === "(") return readSgf(text, sizes);
  const game = /^piskvorky/i.test(begin) ? readPsq(text, sizes) : readMoves(text, size, sizes);
  return {game, left: ""};
}

const quoted = text => `“${text.length > 12 ? text.slice(0, 12) + "…" : text}”`;
const whereIn = (text, at) => {
  const before = text.slice(0, at).split("\n");
  return `line ${before.length}, character ${before.at(-1).length + 1}`;
};
const moveName = (game, what, where) => `Move ${game.played.length + 1}, ${quoted(what)} (${where})`;

function playRead(game, point, what, where) {
  const name = moveName(game, what, where), many = game.five.length;
  if (many > game.inARow)
    throw new Error(`${name}: ${many} in a row ended the game before it, since five or more win here.`);
  if (game.over) throw new Error(`${name}: the game was over before it.`);
  if (game.cells[point]) throw new Error(`${name}: there is a stone on ${game.name(point)} already.`);
  game.play(point);
}

// The side of a square board of columns and rows; `written` is named in an error.
function sideOf(columns, rows, written, where, sizes) {
  if (columns !== rows) throw new Error(`${written} at ${where}: only square boards are read here.`);
  if (!sizes.includes(columns))
    throw new Error(`${written} at ${where}: boards here have ${sizes.join(", ")} points a side.`);
  return columns;
}

// Moves such as h8 i9: with numbers before them, with other signs between them, or with none.
function readMoves(text, size, sizes) {
  const game = new Game(size);
  for (const found of text.matchAll(/[^\s,;|/_→–-]+/g)) {
    const word = found[0].replace(/^\d+\.+/, "");
    const joined = /^([a-z]\d{1,2})+$/i.test(word) ? word.match(/[a-z]\d+/gi) : [word];
    let place = found.index + found[0].length - word.length;
    for (const move of word ? joined : []) {
      readMove(game, move, whereIn(text, place), sizes);
      place += move.length;
    }
  }
  if (!game.played.length) throw new Error("There is no move in it: paste moves such as h8 i9.");
  return game;
}

function readMove(game, word, where, sizes) {
  const {size} = game, name = moveName(game, word, where);
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

// The format of Gomocup's manager: a head, then a line for each move, 8,8,1200: column and row
// from the upper left corner, and milliseconds. What follows the moves is not needed.
function readPsq(text, sizes) {
  let game = null;
  for (const [i, line] of text.trim().split(/\r\n?|\n/).entries()) {
    const where = `line ${i + 1}`, numbers = (line.match(/\d+/g) ?? []).map(Number);
    if (!game) {
      if (!/^piskvorky\s+\d+\s*x\s*\d+/i.test(line))
        throw new Error(`${quoted(line)} (${where}): a psq begins with a size, such as Piskvorky 15x15.`);
      game = new Game(sideOf(numbers[0], numbers[1], line.split(",")[0], where, sizes));
    } else if (/^\s*\d+,\d+(,\d+)?\s*$/.test(line)) {
      const [x, y] = numbers, {size} = game;
      if (Math.min(x, y) < 1 || Math.max(x, y) > size)
        throw new Error(`${moveName(game, line, where)}: the board of ${size}×${size} has no such point.`);
      playRead(game, (size - y) * size + x - 1, line, where);
    } else if (/^\s*\d+\s*,/.test(line)) {
      throw new Error(`${moveName(game, line, where)}: not a move; 8,8,1200 has a column, a row and milliseconds.`);
    } else break;
  }
  return game;
}

// An SGF: of several games the first, and of its variations the first, as other programs show.
function readSgf(text, sizes) {
  const tokens = text.matchAll(/[();]|([A-Za-z]+)\s*((?:\[(?:\\[^]|[^\]\\])*\]\s*)+)|\S/g);
  let game = null, depth = 0, games = 0, ended = false, varies = false;
  for (const token of tokens) {
    const [all, property, values] = token, where = whereIn(text, token.index);
    if (all === "(") {
      if (!depth++) games++;
      else if (ended && games === 1) varies = true;
    } else if (all === ")") {
      depth--;
      ended = true;
    } else if (ended || all === ";") continue;
    else if (!property)
      throw new Error(`This is not SGF: ${quoted(all)} at ${where} is out of place`
        + (all === "]" ? "; inside of a text, a bracket is written \\]." : "."));
    else {
      // Programs of the nineties wrote names as Black[hh]: only the capitals count.
      const name = property.replace(/[a-z]/g, "") || property.toUpperCase();
      game = readProperty(game, name, values.trim().slice(1, -1).trim(), where, sizes);
    }
  }
  if (depth > 0) throw new Error("This is not a whole SGF: a bracket ) is missing at its end.");
  if (!game) throw new Error("SZ is missing in this SGF: write the size of its board, such as SZ[15].");
  const left = [games > 1 && `the first of ${games} games`, varies && "variations are left out"];
  return {game, left: left.filter(part => part).join("; ")};
}

// What one property of an SGF makes of a game, which is null before there is a size.
function readProperty(game, name, value, where, sizes) {
  const written = `${name}[${value}]`;
  if (name === "GM" && value !== "4")
    throw new Error(`${written} at ${where}: this record is of another game; five in a row has GM[4].`);
  if (["AB", "AW", "AE"].includes(name))
    throw new Error(`${name} at ${where}: a position that is set up cannot be read, only moves.`);
  if (name === "SZ") {
    if (game) throw new Error(`${written} at ${where}: the size is given twice, or after a move.`);
    const sides = /^(\d+)(?:\s*:\s*(\d+))?$/.exec(value);
    if (!sides) throw new Error(`${written} at ${where}: a size is a number, such as SZ[15].`);
    return new Game(sideOf(Number(sides[1]), Number(sides[2] ?? sides[1]), written, where, sizes));
  }
  if (name !== "B" && name !== "W") return game;
  if (!game) throw new Error(`SZ is missing before ${written} at ${where}: write the size, such as SZ[15].`);
  const {size} = game, move = moveName(game, written, where);
  if (!value || value === "tt" && size <= 19)
    throw new Error(`${move}: a pass; nobody may pass in five in a row.`);
  if (!/^[a-z]{2}$/i.test(value))
    throw new Error(`${move}: not one point, which is two letters in SGF, such as B[hh].`);
  const col = LETTERS.indexOf(value[0]), row = size - 1 - LETTERS.indexOf(value[1]);
  if (col < 0 || row >= size || col >= size || row < 0)
    throw new Error(`${move}: the board of ${size}×${size} has no such point.`);
  if ((game.toMove > 0) !== (name === "B"))
    throw new Error(`${move}: it is ${COLOURS[game.toMove]}'s turn.`);
  playRead(game, row * size + col, written, where);
  return game;
}
