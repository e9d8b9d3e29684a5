// The compiled search of the notebooks: one WebAssembly module, and a memory for one search.
// What is here only moves numbers in and out; all thinking is in the module.

const MOST = 64 * 2 ** 20;  // bytes of memory for a tree and the one that follows it
const PAGE = 65536;

// Takes the bytes that tools/wasm.py packs; gives what they hold.
async function openEngines(packed) {
  const head = new DataView(packed.buffer, packed.byteOffset).getUint32(0, true);
  const facts = JSON.parse(new TextDecoder().decode(packed.subarray(4, 4 + head)));
  const body = packed.subarray(4 + head), code = body.slice(0, facts.code);
  const [start, size] = facts.table, half = size / 2;  // see apart in tools/wasm.py
  for (let i = 0; i < half; i++) {
    const number = body[start + i] + 256 * body[start + half + i] - 128;
    code.set([number, number >> 8], start + 2 * i);
  }
  const module = await WebAssembly.compile(code);
  return {facts, body, module};
}

// The place on the board of each point that is searched: as first_turning of the notebook.
function firstTurning(cells, size) {
  const points = cells.map((_, point) => point), row = p => Math.floor(p / size);
  const quarter = places => points.map(p => places[(p % size + 1) * size - 1 - row(p)]);
  const turned = [points], stone = p => cells[p] & 255;
  while (turned.length < 8)
    turned.push(turned.length === 4 ? points.map(p => p % size * size + row(p)) : quarter(turned.at(-1)));
  return turned.reduce((best, now) => {
    const k = points.findIndex(p => stone(now[p]) !== stone(best[p]));
    return k >= 0 && stone(now[k]) < stone(best[k]) ? now : best;
  });
}

// A search of one game, `engine`, `plain` or `four`. Make a new one for another game.
class Search {
  constructor({facts, body, module}, game) {
    Object.assign(this, {facts, body, game, size: 0, records: 0});
    const top = Math.ceil(facts.data / 16) * 16 + facts.stack;
    this.memory = new WebAssembly.Memory({initial: Math.ceil((top + 2 ** 18) / PAGE)});
    const env = {
      __linear_memory: this.memory,
      __stack_pointer: new WebAssembly.Global({value: "i32", mutable: true}, top),
    };
    for (const name of ["log", "tanh", "exp", "pow", "sin", "cos"]) env[name] = Math[name];
    this.kernels = new WebAssembly.Instance(module, {env}).exports;
    // What lies behind the stack, each at a multiple of 16.
    let at = top;
    const take = bytes => { const place = at; at += Math.ceil(bytes / 16) * 16; return place; };
    this.back = take(16);  // what a kernel gives back, and where it would note an error
    this.options = take(8 * facts.options.length);
    this.cells = take(400);
    this.out = take(4 * facts.out);
    this.space = take(facts.workspace[game]);
    this.first = at;
  }

  call(name, ...args) {
    if (this.kernels[`${this.game}_${name}`](this.back, this.back + 8, ...args))
      throw new Error(`the kernel ${name} failed`);
    return new Int32Array(this.memory.buffer, this.back, 1)[0];
  }

  // Where a tree begins: there is room for two, and `side` says which one is used.
  place(side) { return this.first + side * this.records * this.facts.node; }

  // Make room for trees of so many records, at most what MOST allows.
  reserve(records) {
    const most = Math.floor(MOST / 2 / this.facts.node);
    this.records = Math.max(4 * this.size ** 2, Math.min(Math.ceil(records), most));
    const missing = this.place(2) - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE));
  }

  setOptions(changes = {}) {
    const {names, options} = this.facts;
    const values = names.map((name, i) => Number(changes[name] ?? options[i]));
    new Float64Array(this.memory.buffer, this.options, values.length).set(values);
    this.seed = Number(changes.seed ?? options[names.indexOf("seed")]);
  }

  // Begin a search of a position: cells +1 black, -1 white, row by row from the lowest.
  begin(size, cells, toMove, changes, records) {
    const {node, workspace, blanks} = this.facts, blank = blanks[`${this.game} ${size}`];
    this.size = size;
    this.points = cells.length;
    this.reserve(records);
    this.side = 0;
    this.setOptions(changes);
    const bytes = new Uint8Array(this.memory.buffer);
    bytes.set(this.body.subarray(blank, blank + workspace[this.game]), this.space);
    bytes.fill(0, this.place(0), this.place(0) + node);
    this.turning = this.game === "engine" ? firstTurning(cells, size) : cells.map((_, p) => p);
    this.setUp(cells, this.place(0), toMove);
  }

  // Fill the workspace and the root of a tree with a position, turned as the search has it.
  setUp(cells, tree, toMove) {
    const turned = this.turning.map(point => cells[point]);
    new Int8Array(this.memory.buffer, this.cells, this.points).set(turned);
    this.call("begin", this.space, tree, this.cells, toMove, this.seed);
  }

  // Begin a search of a later position of the same game with what is known of it. `path` is
  // the moves since; false where nothing is known.
  advance(path, cells, toMove, changes) {
    let node = 0;
    for (const point of path) {
      const seen = this.turning.indexOf(point);
      node = this.call("child", this.place(this.side), this.records, node, seen);
      if (!node) return false;
    }
    const old = this.place(this.side), other = this.place(1 - this.side);
    if (this.peek(node).status > this.facts.status.complete) return false;
    const {workspace, blanks} = this.facts, blank = blanks[`${this.game} ${this.size}`];
    this.setOptions(changes);
    const bytes = new Uint8Array(this.memory.buffer);
    bytes.set(this.body.subarray(blank, blank + workspace[this.game]), this.space);
    bytes.fill(0, other, other + this.facts.node);
    this.setUp(cells, other, toMove);
    this.call("advance", old, this.records, node, other, this.space, this.seed);
    this.side = 1 - this.side;
    return true;
  }

  // Make simulations; fewer where the root is decided. A full tree is cut down, and goes on.
  run(simulations) {
    let done = 0;
    for (;;) {
      const tree = this.place(this.side);
      done += this.call("run", this.space, tree, this.records, this.options, simulations - done, 1);
      if (done >= simulations || !this.call("is_full", this.space)) return done;
      this.call("recycle", tree, this.records, this.place(1 - this.side), this.space);
      this.side = 1 - this.side;
    }
  }

  told(count = this.facts.out) { return new Int32Array(this.memory.buffer, this.out, count); }

  // What is known: visits, rewards and ranks by point, the line to expect.
  read() {
    const {head} = this.facts, {turning} = this, columns = [[], [], []];
    this.call("read", this.space, this.place(this.side), this.records, this.options, this.out);
    const told = this.told(), line = told[4], [visits, rewards, ranks] = columns;
    turning.forEach((point, p) => columns.forEach((c, i) => { c[point] = told[head + 3 * p + i]; }));
    return {
      N: told[0], status: told[1], listed: told[2], visits, rewards: rewards.map(w => w / 64), ranks,
      line: this.pointsOf(told.subarray(line, line + told[3])),
    };
  }

  peek(node) {
    this.call("peek", this.place(this.side), this.records, node, this.out);
    const [N, W64, status, first, children, visited, move] = this.told(7);
    return {N, W: W64 / 64, status, first, children, visited, move: this.pointsOf([move])[0]};
  }

  // The points of the board, of places in the search; -1 stays.
  pointsOf(told) { return Array.from(told, place => this.turning[place] ?? -1); }

  board() {
    this.call("board", this.space, this.out);
    const told = this.told(this.points), stones = [];
    this.turning.forEach((point, p) => { stones[point] = told[p]; });
    return stones;
  }

  // Look for wins by threats before the first simulation, within so many positions.
  look(mostWin, mostLoss, mostAlarm) {
    this.call("look", this.space, this.place(this.side), this.records, this.options,
      mostWin, mostLoss, mostAlarm, this.out);
  }

  // Ask the favourite whether it loses by threats, within so many positions.
  doubt(positions) {
    this.call("doubt", this.space, this.place(this.side), this.records, positions);
  }

  // Points of five, and the opponent's threat with its answers.
  threat() {
    this.call("threat", this.space, this.out);
    const told = this.told(), {head} = this.facts;
    const [own, other] = this.pointsOf(told.subarray(0, 2)), [, , kind, many] = told;
    return {own, other, kind, answers: this.pointsOf(told.subarray(head, head + many))};
  }
}

// Random numbers from 0 to 1, the same for the same seed and move of a game (mulberry32).
function chancesOf(seed, ply) {
  let state = seed ^ Math.imul(ply + 1, 0x9e3779b9);
  return () => {
    state = state + 0x6d2b79f5 | 0;
    let mixed = Math.imul(state ^ state >>> 15, 1 | state);
    mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed;
    return ((mixed ^ mixed >>> 14) >>> 0) / 2 ** 32;
  };
}

// ---- a move ----------------------------------------------------------------------------

// How a move is thought about: a generator that yields what is known after each slice, and
// gives back a result. `ask` is {size, cells, toMove, played, seconds, simulations, level,
// seed, options, keep}; keep: go on with the tree of an earlier move; `now` is a clock in seconds; `stopped` says whether to end.
function* thinkAbout(search, ask, now, stopped) {
  const begun = now(), {facts} = search, isEngine = search.game === "engine";
  const level = facts.levels[isEngine ? ask.level ?? 10 : 10], own = {...ask.options};
  own.seed = ask.seed ?? 2024;
  const chance = chancesOf(own.seed, ask.played.length);
  if (!isEngine) own.solve = 0;
  if (level.simulations !== null)
    for (const name of facts.limited) own[name] = level[name];
  const seconds = ask.seconds ?? Infinity;
  const most = Math.min(ask.simulations ?? Infinity, level.simulations ?? Infinity, facts.most);
  const records = Math.min(40000 + 2.6 * most, 40000 + 8e6 * seconds);
  const before = search.played ?? [-1], later = ask.played.slice(before.length);
  const goesOn = ask.keep && search.size === ask.size && level.simulations === null
    && before.length <= ask.played.length && before.every((point, i) => point === ask.played[i]);
  if (!(goesOn && search.advance(later, ask.cells, ask.toMove, own)))
    search.begin(ask.size, ask.cells, ask.toMove, own, records);
  search.played = level.simulations === null ? ask.played : null;
  const result = (found, done) => ({
    ...found, simulations: done, seconds: now() - begun, toMove: ask.toMove, proven:
    found.status === facts.status.lost ? 1 : found.status === facts.status.won ? -1
      : found.status > facts.status.complete ? 0 : null,
  });
  const stones = ask.cells.filter(cell => cell).length;
  const forced = (move, why) => ({
    move, why, line: [move], visits: [], rewards: [], ranks: [], N: 0, simulations: 0,
    seconds: now() - begun, toMove: ask.toMove, proven: why === "five" ? 1 : null,
  });
  let threat = {own: -1, other: -1, kind: 0, answers: []}, missed = false;
  let parts = [], positions = 0;
  if (isEngine) {
    threat = search.threat();
    const rate = [0, level.threes, level.fours][threat.kind];
    missed = chance() < rate;
    if (!level.threes) threat.answers = [];
    if (!missed && threat.own >= 0) return forced(threat.own, "five");
    if (!missed && threat.other >= 0) return forced(threat.other, "blocks five");
    if (stones === ask.cells.length - 1) return forced(ask.cells.indexOf(0), "only move");
    const {share, seconds: each, each: per, least} = facts.looks;
    const looks = part => Math.min(Math.max(least, per * most), part * share * seconds / each, 2e9);
    if (Math.max(...[1, -1].map(c => ask.cells.filter(cell => cell === c).length)) > 1) {
      const whole = Math.min(seconds / each, 2 * most);
      search.look(looks(1), looks(2), Math.min(share * whole, 2e9));
      const chosen = name => Number(own[name] ?? facts.options[facts.names.indexOf(name)]);
      const {doubt, short} = facts.looks, nodes = chosen("doubt") && chosen("vct_nodes");
      const spared = doubt * Math.min(whole, short) + chosen("doubt") * Math.max(0, whole - short);
      positions = Math.floor(Math.min(spared, nodes));
      if (nodes > 0) parts = facts.looks.parts.filter(part => Math.floor(part * most) > 0);
    }
  }
  let done = search.run(0), step = 16, last = now(), made, asked;
  while (done < most) {
    const end = Math.floor((parts[0] ?? 1) * most);
    asked = Math.min(step, end - done);
    made = search.run(asked);
    done += made;
    const time = now(), left = seconds - (time - begun), took = time - last;
    last = time;
    if (made < asked || done >= most || left <= 0 || stopped()) break;
    if (done >= end || time - begun >= parts[0] * seconds) {
      if (search.peek(0).status > facts.status.complete) break;
      parts = parts.filter(part => Math.floor(part * most) > done && time - begun < part * seconds);
      search.doubt(Math.floor(Math.min(positions, left / facts.looks.seconds)));
      last = now();
    }
    const target = Math.min(0.01, left);
    step = took > 0 ? Math.max(1, Math.floor(Math.min(4 * step, step * target / took))) : 4 * step;
    step = Math.min(step, 50000);
    yield () => ({...result(search.read(), done), share: Math.max(done / most, (time - begun) / seconds)});
  }
  const found = result(search.read(), done);
  found.move = found.line[0];
  const wins = found.ranks[found.move] === 2;
  found.why = found.proven === 1 && !wins ? "force" : found.proven !== null ? "proven"
    : found.listed === 1 && found.status === facts.status.complete ? "only candidate"
    : found.N ? "most visited" : "first candidate";
  return isEngine ? drawMove(found, level, ask, threat.answers, missed, chance) : found;
}

// A level below 10 draws its move: by a power of the visits, near a stone, and among the
// answers to a threat that it sees, or just not among those of one that it overlooks.
function drawMove(found, level, ask, answers, missed, chance) {
  const sure = found.proven === 1 && !(missed && answers.includes(found.move));
  if (sure || level.z === null) return found;
  const {size, cells} = ask, {visits} = found;
  const near = cells.map((cell, point) => {
    if (cell) return 0;
    const row = Math.floor(point / size), col = point % size;
    for (let r = Math.max(0, row - 2); r <= Math.min(size - 1, row + 2); r++)
      for (let c = Math.max(0, col - 2); c <= Math.min(size - 1, col + 2); c++)
        if (cells[r * size + c]) return 1;
    return 0;
  }).map((is, point) => answers.length && answers.includes(point) === missed ? 0 : is);
  const lone = cells.filter(cell => cell).length === 1 && near.filter(is => is).length === 24;
  let weights = visits.map((n, point) => n * near[point]);
  if (!weights.some(w => w)) weights = answers.length || lone ? near : visits;
  if (!weights.some(w => w)) return found;
  const best = Math.max(...weights), least = Math.max(1, level.least * best);
  const chances = weights.map(w => w >= least ? (w / best) ** level.z : 0);
  let left = chance() * chances.reduce((a, b) => a + b, 0), move = -1;
  for (let point = 0; point < chances.length && left >= 0; point++)
    if (chances[point]) { left -= chances[point]; move = point; }
  return {...found, move, why: "level", line: [move], proven: missed ? null : found.proven};
}
