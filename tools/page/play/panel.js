// The panel: a board to play on, and what is said beside it. It asks the worker and draws.

const SIZES = [8, 10, 12, 15, 19];
const BUDGETS = [["0.3", 0.3], ["1", 1], ["3", 3], ["10", 10]].map(([name, seconds]) =>
  [`${name} second${name === "1" ? "" : "s"}`, {seconds}]).concat([1000, 10000, 100000].map(count =>
  [`${count.toLocaleString("en")} simulations`, {simulations: count}]));
const NAMES = {person: "You", engine: "the engine", plain: "plain search"};
const SMALL = 40;  // pixels between points; with less, a finger's tap is asked again

function startPanel(figure, {html, css, worker, packed, size}) {
  const host = figure.querySelector("div"), root = host.attachShadow({mode: "open"});
  root.innerHTML = `<style>:host{container:five/inline-size}${css}</style>${html}`;
  const find = name => root.querySelector(name);
  const panel = find(".panel"), board = find(".board"), points = find(".points"), svg = find("svg");
  const picks = {"1": find(".black"), "-1": find(".white")};
  const suits = size ?? (matchMedia("(min-width: 44rem)").matches ? 15 : 8);
  // `game` is the position on the board, `line` all moves of the game: while one looks back,
  // the game has only its first moves. Where another move is made then, `branches` keeps the
  // line as it was, for Undo. `trial`: a second try at a move, that is no move of the game.
  let game = new Game(suits), line = [], branches = [], trial = null, isLoaded = false;
  let buttons = [], cursor = 0, seed = 0, timer = 0;
  let found = null, says = [], hint = -1, paused = false, chosen = -1, fresh = -1;
  let engine = null, asked = null, number = 0, ready = false, failed = "";

  const kind = colour => picks[colour].value, isPerson = colour => kind(colour) === "person";
  const persons = () => [1, -1].filter(isPerson);
  const isBack = () => !trial && game.played.length < line.length;  // one looks back
  const mayPlay = () => !game.over && (trial ? trial.point < 0 : isPerson(game.toMove));
  // Programs wait to be told to go on.
  const waits = () => !trial && (paused || isBack()) && !game.over && !isPerson(game.toMove);

  function positionAt(ply) {
    const position = new Game(game.size);
    line.slice(0, ply).forEach(point => position.play(point));
    return position;
  }

  find(".size").innerHTML = SIZES.map(n => `<option value="${n}">${n}×${n}</option>`).join("");
  find(".level").innerHTML = Array.from({length: 10}, (_, i) => 10 - i).map(n =>
    `<option value="${n}">${n}${n === 10 ? " (full)" : n === 1 ? " (beginner)" : ""}</option>`).join("");
  find(".budget").innerHTML = BUDGETS.map(([name], i) => `<option value="${i}">${name}</option>`).join("");
  find(".budget").value = 1;

  // ---- the worker ----

  function startWorker() {
    const url = URL.createObjectURL(new Blob([worker], {type: "text/javascript"}));
    engine = new Worker(url);
    engine.onmessage = hear;
    engine.onerror = event => { failed = event.message || "the search cannot run here"; show(); };
    packed.then(bytes => engine.postMessage({packed: bytes}), error => {
      failed = String(error.message ?? error);
      show();
    });
  }

  // Ask for a search of a position; `hear` is told what is found, until it is done.
  function ask(purpose, position, more, hear, stopped = () => {}) {
    asked = {id: ++number, purpose, hear, stopped};
    engine.postMessage({id: number, game: more.who ?? "engine", ask: {
      size: position.size, cells: [...position.cells], toMove: position.toMove,
      played: [...position.played], ...more,
    }});
  }

  function askMove(purpose) {
    const before = game.copy(), isHint = purpose === "hint";
    const more = {...BUDGETS[find(".budget").value][1], seed, keep: true,
      who: isHint ? "engine" : kind(game.toMove), level: isHint ? 10 : Number(find(".level").value)};
    ask(purpose, before, more, (thought, isDone) => {
      found = thought;
      says = describe(before, found, isHint);
      find(".bar span").style.width = `${isDone ? 0 : 100 * Math.min(1, found.share ?? 0)}%`;
      if (!isDone) { draw(); tell(); return; }
      if (!isHint) { place(found.move); return; }
      hint = found.move;
      announce(`Hint: ${game.name(hint)}, ${reasonOf(before, found)}. ${says[0] ?? ""}`);
      show();
    });
  }

  // A short search, for the review or for a try: the same for the same position. Gives null
  // where it is stopped.
  const think = purpose => position => new Promise(done => {
    ask(purpose, position, {simulations: EACH, level: 10},
      (thought, isDone) => { if (isDone) done(thought); }, () => done(null));
  });

  // End what is searched; `wanted`: with what is found so far.
  function stop(wanted) {
    if (!asked) return;
    engine.postMessage({stop: asked.id});
    if (wanted) return;
    const {stopped} = asked;
    asked = null;
    stopped();
  }

  function hear({data}) {
    if (data.ready) { ready = true; goOn(); return; }
    if (!asked || data.id !== asked.id) return;
    const {hear: heard, stopped} = asked;
    if (data.done || data.error) asked = null;
    if (data.error) { failed = data.error; stopped(); show(); return; }
    heard(data.found, data.done);
  }

  function describe(before, thought, isHint) {
    const lines = [verdictOf(before, thought)], why = thought.why && reasonOf(before, thought);
    if (why) lines.push(`${isHint ? "Hint: " : ""}${before.name(thought.move)}, ${why}`);
    if (thought.simulations) {
      const rate = thought.simulations / Math.max(thought.seconds, 1e-3);
      lines.push(`${thought.simulations.toLocaleString("en")} simulations, ${short(rate)} per second`);
    }
    if (thought.line.length > 1)
      lines.push(`Line: ${thought.line.slice(0, 8).map(point => before.name(point)).join(" ")}`);
    return lines.filter(line => line);
  }

  const short = rate => rate >= 1e6 ? `${(rate / 1e6).toFixed(1)} million`
    : Number(rate.toPrecision(2)).toLocaleString("en");

  // ---- the game ----

  function place(point) {
    if (game.over || game.cells[point]) return;
    const who = capital(COLOURS[game.toMove]);
    branch();
    game.play(point);
    line = [...game.played];
    hint = chosen = -1;
    fresh = point;
    announce(`${who} ${game.name(point)}. ${game.over ? status() + "." : ""}`);
    goOn();
  }

  // From here on the game goes another way; Undo brings back how it went.
  function branch() {
    if (!isBack()) return;
    branches.push({at: game.played.length, line});
    line = [...game.played];
  }

  function goOn() {
    show();
    fresh = -1;
    clearTimeout(timer);
    const isTurn = () => !asked && !review.running && !waits() && !trial && !game.over && !isPerson(game.toMove);
    if (!ready || !isTurn()) return;
    const wait = persons().length || !game.played.length ? 0 : 450;  // two programs: to be watched
    timer = setTimeout(() => { if (isTurn()) { askMove("move"); show(); } }, wait);
  }

  function person(point) {
    if (!mayPlay() || game.cells[point]) return;
    if (trial) { judge(point); return; }
    end();
    place(point);
  }

  // End every search, and forget what was said of the position.
  function end() {
    review.stop();
    stop();
    forget();
  }

  function forget() {
    found = null;
    says = [];
    hint = chosen = -1;
  }

  function begin(wanted, known) {
    end();
    game = wanted;
    line = [...game.played];
    branches = [];
    trial = null;
    isLoaded = line.length > 0;
    seed = known ?? Math.floor(Math.random() * 2 ** 31);
    if (buttons.length !== game.cells.length) makePoints();
    find(".size").value = game.size;
    goOn();
  }

  const mayUndo = () => !trial && !isBack() && (game.played.length > 0 || branches.length > 0);

  function undo() {
    if (!mayUndo()) return;
    end();
    const last = branches.at(-1), least = last ? last.at : 0;
    while (game.played.length > least) {
      game.undo();
      if (persons().length !== 1 || isPerson(game.toMove)) break;
    }
    const isBefore = last && game.played.length === least;
    line = isBefore ? branches.pop().line : [...game.played];
    paused = !isPerson(game.toMove);
    announce(`Undone. ${capital(COLOURS[game.toMove])} to move.${isBefore ? " The moves that followed are back." : ""}`);
    goOn();
  }

  // Show the position after so many moves of the game; a review goes on meanwhile.
  function goTo(ply) {
    const goal = Math.max(0, Math.min(line.length, ply));
    if (goal === game.played.length && !trial) return;
    if (asked?.purpose !== "review") stop();
    forget();
    trial = null;
    game = positionAt(goal);
    const shown = review.of(positionAt(line.length))?.linesAt(goal) ?? [];
    const last = game.played.at(-1);
    announce([last === undefined ? "The start" : `Move ${goal}, ${COLOURS[-game.toMove]} ${game.name(last)}`, ...shown].join(". "));
    goOn();
  }

  // ---- a second try ----

  function tryAgain() {
    const ply = trial?.ply ?? game.played.length;
    end();
    game = positionAt(ply);
    trial = {ply, point: -1};
    says = [`In place of move ${ply + 1}, ${game.name(line[ply])}`, "Play a move that is better"];
    announce(`${says.join(". ")}. ${status()}.`);
    show();
    buttons[cursor].focus();
  }

  async function judge(point) {
    stop();
    forget();
    const own = trial, known = review.of(positionAt(line.length));
    own.point = point;
    game.play(point);
    show();
    const isMove = line[own.ply] === point, search = think("try");
    const tried = isMove ? {value: known.values[own.ply + 1]} : await valueOf(game, search);
    if (!tried || !await known.compare(own.ply, search) || trial !== own) return;
    says = known.verdict(own.ply, point, tried.value);
    own.isJudged = true;
    announce(says.join(". "));
    show();
  }

  function status() {
    if (failed) return "No search here";
    const alone = persons().length === 1, side = capital(COLOURS[game.toMove]);
    if (trial?.point < 0) return `Second try: ${side} to move`;
    if (trial) return trial.isJudged ? "Second try" : "Looking at your move";
    if (game.winner)
      return alone ? isPerson(game.winner) ? "You win" : "The computer wins" : `${capital(COLOURS[game.winner])} wins`;
    if (game.over) return "A draw: the board is full";
    if (isPerson(game.toMove)) {
      if (asked?.purpose === "hint") return "Looking for a hint";
      return alone ? "Your move" : `${side} to move`;
    }
    if (isBack()) return `${side} to move`;
    if (!ready) return "One moment";
    if (paused) return "Paused";
    return alone ? "The computer thinks" : `${side} thinks`;
  }

  // ---- what is seen ----

  function makePoints() {
    const n = game.size;
    board.style.setProperty("--n", n);
    points.replaceChildren(...Array.from({length: n * n}, (_, i) => {
      const point = (n - 1 - Math.floor(i / n)) * n + i % n, button = document.createElement("button");
      button.type = "button";
      button.tabIndex = -1;
      button.dataset.point = point;
      return button;
    }));
    buttons = [];
    for (const button of points.children) buttons[button.dataset.point] = button;
    cursor = Math.floor(n / 2) * n + Math.floor(n / 2);
    buttons[cursor].tabIndex = 0;
    layOut();
  }

  function layOut() {
    const [edge, low] = drawBack(svg, game.size, (board.clientWidth || 500) / game.size > 30);
    points.style.inset = `${edge} ${edge} ${low} ${low}`;
    draw();
  }

  const between = () => points.clientWidth / game.size;  // pixels between two points

  // Discs belong to the position on the board, not to the one before the move that was found.
  const discs = () => found?.visits.length && find(".visits").checked && !game.cells[found.move];

  function draw() {
    const n = game.size, at = p => placeOn(n, p);
    const flat = find(".contrast").checked || matchMedia("(prefers-contrast: more)").matches;
    panel.classList.toggle("flat", flat);
    let out = discs() ? discsOf(n, game.cells, found, between()) : "";
    game.played.forEach((p, i) => {
      const [x, y] = at(p), colour = i % 2 ? "w" : "b";
      out += stoneAt(n, p, colour, p === fresh ? "fresh" : "");
      if (find(".numbers").checked) out += numberOn(n, p, i + 1, colour);
      else if (i === game.played.length - 1 && !game.winner) out += `<circle class="last" cx="${x}" cy="${y}" r="1.15"/>`;
    });
    for (const p of game.five) out += `<circle class="five" cx="${at(p)[0]}" cy="${at(p)[1]}" r="3.1"/>`;
    if (hint >= 0) out += `<rect class="frame" x="${at(hint)[0] - 4.4}" y="${at(hint)[1] - 4.4}" width="8.8" height="8.8" rx=".8"/>`;
    svg.lastElementChild.innerHTML = out;
  }

  function tell() {
    const key = discs() && !game.over;
    const known = trial ? [] : review.of(positionAt(line.length))?.linesAt(game.played.length) ?? [];
    const lines = failed ? [failed] : says.length ? says : known.length ? known
      : game.over ? [] : ["Five or more in a row win"];
    find(".says").replaceChildren(...lines.map(line => Object.assign(document.createElement("p"), {textContent: line})),
      ...key ? [Object.assign(document.createElement("p"), {
        textContent: `Discs: visits %${between() < ROOMY ? "" : ", value"}`, className: "key"})] : []);
  }

  function show() {
    const n = game.size, last = game.played.at(-1), ply = game.played.length;
    buttons.forEach((button, p) => {
      const cell = game.cells[p];
      let name = `${game.name(p)}, ${cell ? COLOURS[cell] : "empty"}`;
      if (p === last) name += ", last move";
      if (game.five.includes(p)) name += ", in the winning line";
      if (p === hint) name += ", hint";
      button.ariaLabel = name;
      if (cell || !mayPlay()) button.setAttribute("aria-disabled", "true");
      else button.removeAttribute("aria-disabled");
      button.classList.toggle("chosen", p === chosen);
    });
    panel.classList.toggle("white-moves", game.toMove < 0);
    const shown = trial?.point >= 0 ? -game.toMove : game.winner || game.toMove;
    find(".turn").className = `turn ${shown < 0 ? "w" : "b"}`;
    find(".status").textContent = status();
    find(".stage").textContent = `${n}×${n}, ${isBack() ? `move ${ply} of ${line.length}` : ply ? `move ${ply}` : "no move yet"}`;
    const watched = !persons().length && !game.over && !trial;
    find(".now").textContent = waits() ? isBack() ? "Play from here" : "Go on" : watched ? "Pause" : "Move now";
    able(".now", waits() || asked && !["review", "try"].includes(asked.purpose) || watched);
    able(".undo", mayUndo());
    able(".hint", mayPlay() && ready && !asked);
    for (const name of [".first", ".before"]) able(name, trial || ply);
    for (const name of [".after", ".last-move"]) able(name, trial || isBack());
    const whole = positionAt(line.length), known = review.of(whole);
    list.show(whole, trial ? trial.ply : ply, new Set(known?.costly));
    review.show(whole, trial ? trial.ply : ply, ready && !trial && (!asked || isBack()));
    const canTry = trial ? trial.isJudged : known && ply + 1 < known.values.length;
    find(".again").hidden = !canTry;
    find(".again").textContent = trial ? "Another try" : `Try move ${ply + 1} again`;
    find(".back").hidden = !trial;
    find(".tries").hidden = !trial && !canTry;
    find(".level").disabled = ![1, -1].some(colour => kind(colour) === "engine");
    find(".confirm").hidden = chosen < 0;
    if (chosen >= 0) find(".confirm button").textContent = `Play ${game.name(chosen)}`;
    if (!asked) find(".bar span").style.width = 0;
    draw();
    tell();
  }

  function able(name, is) {
    if (is) find(name).removeAttribute("aria-disabled");
    else find(name).setAttribute("aria-disabled", "true");
  }

  function announce(text) { find(".heard").textContent = text; }

  // ---- hands and keys ----

  let touched = false;
  points.onpointerdown = event => { touched = event.pointerType === "touch"; };
  points.onclick = event => {
    const point = Number(event.target.closest("button")?.dataset.point ?? -1);
    if (point < 0) return;
    moveTo(point);
    if (game.cells[point] || !mayPlay()) return;
    if (touched && between() < SMALL && chosen !== point) { chosen = point; show(); } else person(point);
  };
  find(".confirm button").onclick = () => { if (chosen >= 0) person(chosen); };

  function moveTo(point, focus) {
    buttons[cursor].tabIndex = -1;
    cursor = point;
    buttons[cursor].tabIndex = 0;
    if (focus) buttons[cursor].focus();
  }

  points.addEventListener("focusin", ({target}) => moveTo(Number(target.dataset.point)));
  points.onkeydown = event => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const n = game.size, row = Math.floor(cursor / n), col = cursor % n;
    const goal = {ArrowLeft: [row, col - 1], ArrowRight: [row, col + 1], ArrowUp: [row + 1, col],
      ArrowDown: [row - 1, col], Home: [row, 0], End: [row, n - 1], PageUp: [n - 1, col], PageDown: [0, col]}[event.key];
    touched = false;
    if (goal) {
      if (goal.every(x => x >= 0 && x < n)) moveTo(goal[0] * n + goal[1], true);
    } else if ({h: 1, u: 1}[event.key]) find(event.key === "h" ? ".hint" : ".undo").click();
    else return;
    event.preventDefault();
  };

  // Arrow keys move about on the board, so there a comma and a full stop step through the game.
  panel.addEventListener("keydown", event => {
    const {target, key} = event;
    if (event.ctrlKey || event.altKey || event.metaKey || target.closest("textarea, select")) return;
    const ply = trial ? trial.ply : game.played.length, steps = {",": ply - 1, ".": ply + 1};
    if (!points.contains(target)) Object.assign(steps, {ArrowLeft: ply - 1, ArrowRight: ply + 1});
    if (target.closest(".list, .walk")) Object.assign(steps, {Home: 0, End: line.length});
    if (target.closest(".list")) Object.assign(steps, {ArrowUp: ply - 2, ArrowDown: ply + 2});
    if (!(key in steps)) return;
    goTo(steps[key]);
    event.preventDefault();
  });

  const click = (name, act) => {
    find(name).onclick = ({currentTarget}) => { if (!currentTarget.ariaDisabled) act(); };
  };
  click(".new", () => { paused = false; begin(new Game(Number(find(".size").value))); });
  click(".undo", undo);
  click(".hint", () => { paused = false; says = []; hint = -1; askMove("hint"); show(); });
  click(".first", () => goTo(0));
  click(".before", () => goTo(trial ? trial.ply : game.played.length - 1));
  click(".after", () => goTo((trial ? trial.ply : game.played.length) + 1));
  click(".last-move", () => goTo(line.length));
  click(".start", () => {
    if (review.running) { stop(); return; }
    end();
    review.start(positionAt(line.length), isLoaded || persons().length !== 1 ? [1, -1] : persons());
  });
  click(".again", tryAgain);
  click(".back", () => { goTo(trial.ply); find(".again").focus(); });
  click(".now", () => {
    if (waits()) { paused = false; branch(); goOn(); } else if (!persons().length) { stop(); paused = true; goOn(); } else stop(true);
  });
  find(".size").onchange = () => find(".new").click();
  for (const colour of [1, -1]) picks[colour].onchange = () => { stop(); paused = false; goOn(); };
  find(".level").onchange = find(".budget").onchange = () => {
    if (asked?.purpose === "move") { stop(); goOn(); }
  };
  for (const name of [".visits", ".numbers", ".contrast"]) find(name).onchange = () => { draw(); tell(); };

  // ---- records ----

  const area = find("textarea"), note = find(".note");
  function say(text, isError) {
    note.textContent = text;
    note.classList.toggle("error", Boolean(isError));
  }
  async function copy(text) {
    area.value = text;
    area.focus();
    area.select();
    try {
      await navigator.clipboard.writeText(text);
      say("Copied.");
    } catch {
      say(document.execCommand("copy") ? "Copied." : "Selected: copy it from here.");
    }
  }
  const who = colour => isPerson(colour) ? "person" : kind(colour) === "engine" ? `engine, level ${find(".level").value}` : "plain search";
  click(".moves", () => copy(movesText(positionAt(line.length))));
  click(".sgf", () => copy(sgfText(positionAt(line.length), [who(1), who(-1)], new Date().toISOString().slice(0, 10), seed)));
  click(".load", () => {
    try {
      const {game: read, left} = readRecord(area.value, game.size, SIZES);
      paused = !isPerson(read.toMove);
      const known = /GC\[seed (\d{1,10})\]/.exec(area.value);  // a record of this page
      begin(read, known ? Number(known[1]) : undefined);
      say(`Loaded: ${read.size}×${read.size}, ${read.played.length} moves${left && `; ${left}`}.`);
    } catch (error) {
      say(`${error.message} The game on the board stays.`, true);
    }
  });

  const list = makeList(find(".list"), goTo);
  const review = makeReview(find(".review"), {
    think: think("review"),
    goTo(ply) {
      goTo(ply);
      find(".left").scrollIntoView({block: "nearest"});  // on a phone it is far above
    },
    changed(text) {
      if (text) announce(text);
      goOn();
    },
  });
  new ResizeObserver(layOut).observe(board);
  begin(game);
  startWorker();
}
