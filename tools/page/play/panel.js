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
  let game = new Game(suits), buttons = [], cursor = 0, seed = 0, timer = 0;
  let found = null, says = [], hint = -1, paused = false, chosen = -1, fresh = -1;
  let engine = null, asked = null, number = 0, ready = false, failed = "";

  const kind = colour => picks[colour].value, isPerson = colour => kind(colour) === "person";
  const persons = () => [1, -1].filter(isPerson);

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

  function ask(purpose) {
    const who = purpose === "hint" ? "engine" : kind(game.toMove);
    const budget = BUDGETS[find(".budget").value][1];
    asked = {id: ++number, purpose, before: game.copy()};
    engine.postMessage({id: number, game: who, ask: {
      size: game.size, cells: [...game.cells], toMove: game.toMove, played: [...game.played],
      ...budget, level: purpose === "hint" ? 10 : Number(find(".level").value), seed, keep: true,
    }});
  }

  function stop(wanted) {
    if (!asked) return;
    engine.postMessage({stop: asked.id});
    if (!wanted) asked = null;
  }

  function hear({data}) {
    if (data.ready) { ready = true; goOn(); return; }
    if (!asked || data.id !== asked.id) return;
    if (data.error) { failed = data.error; asked = null; show(); return; }
    const {before, purpose} = asked;
    found = data.found;
    says = describe(before, found, purpose === "hint");
    find(".bar span").style.width = `${data.done ? 0 : 100 * Math.min(1, found.share ?? 0)}%`;
    if (!data.done) { draw(); tell(); return; }
    asked = null;
    if (purpose === "hint") {
      hint = found.move;
      announce(`Hint: ${game.name(hint)}, ${reasonOf(before, found)}. ${says[0] ?? ""}`);
      show();
    } else place(found.move);
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
    game.play(point);
    hint = chosen = -1;
    fresh = point;
    announce(`${who} ${game.name(point)}. ${game.over ? status() + "." : ""}`);
    goOn();
  }

  function goOn() {
    show();
    fresh = -1;
    clearTimeout(timer);
    if (!ready || game.over || paused || asked || isPerson(game.toMove)) return;
    const wait = persons().length || !game.played.length ? 0 : 450;  // two programs: to be watched
    timer = setTimeout(() => { if (!asked && !paused && !game.over) { ask("move"); show(); } }, wait);
  }

  function person(point) {
    if (game.over || game.cells[point] || !isPerson(game.toMove)) return;
    stop();
    found = null;
    says = [];
    place(point);
  }

  function begin(wanted, known) {
    stop();
    game = wanted;
    seed = known ?? Math.floor(Math.random() * 2 ** 31);
    found = null;
    says = [];
    hint = chosen = -1;
    if (buttons.length !== game.cells.length) makePoints();
    find(".size").value = game.size;
    goOn();
  }

  function undo() {
    if (!game.played.length) return;
    stop();
    do game.undo(); while (game.played.length && persons().length === 1 && !isPerson(game.toMove));
    paused = !isPerson(game.toMove);
    found = null;
    says = [];
    hint = chosen = -1;
    announce(`Undone. ${capital(COLOURS[game.toMove])} to move.`);
    goOn();
  }

  function status() {
    if (failed) return "No search here";
    const alone = persons().length === 1;
    if (game.winner)
      return alone ? isPerson(game.winner) ? "You win" : "The computer wins" : `${capital(COLOURS[game.winner])} wins`;
    if (game.over) return "A draw: the board is full";
    if (isPerson(game.toMove)) {
      if (asked?.purpose === "hint") return "Looking for a hint";
      return alone ? "Your move" : `${capital(COLOURS[game.toMove])} to move`;
    }
    if (!ready) return "One moment";
    if (paused) return "Paused";
    return alone ? "The computer thinks" : `${capital(COLOURS[game.toMove])} thinks`;
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

  // Discs belong to the position on the board, not to the one before the move that was found.
  const discs = () => found?.visits.length && find(".visits").checked && !game.cells[found.move];

  function draw() {
    const n = game.size, at = p => placeOn(n, p);
    const flat = find(".contrast").checked || matchMedia("(prefers-contrast: more)").matches;
    panel.classList.toggle("flat", flat);
    let out = discs() ? discsOf(n, game.cells, found) : "";
    game.played.forEach((p, i) => {
      const [x, y] = at(p), colour = i % 2 ? "w" : "b";
      out += stoneAt(n, p, colour, p === fresh ? "fresh" : "");
      if (find(".numbers").checked) out += `<text class="number ${colour}" x="${x}" y="${y + 0.15}">${i + 1}</text>`;
      else if (i === game.played.length - 1 && !game.winner) out += `<circle class="last" cx="${x}" cy="${y}" r="1.15"/>`;
    });
    for (const p of game.five) out += `<circle class="five" cx="${at(p)[0]}" cy="${at(p)[1]}" r="3.1"/>`;
    if (hint >= 0) out += `<rect class="frame" x="${at(hint)[0] - 4.4}" y="${at(hint)[1] - 4.4}" width="8.8" height="8.8" rx=".8"/>`;
    svg.lastElementChild.innerHTML = out;
  }

  function tell() {
    const key = discs() && !game.over;
    const lines = failed ? [failed] : says.length || game.over ? [...says] : ["Five or more in a row win"];
    find(".says").replaceChildren(...lines.map(line => Object.assign(document.createElement("p"), {textContent: line})),
      ...key ? [Object.assign(document.createElement("p"), {textContent: "Discs: visits %, value", className: "key"})] : []);
  }

  function show() {
    const n = game.size, last = game.played.at(-1), mayPlay = !game.over && isPerson(game.toMove);
    buttons.forEach((button, p) => {
      const cell = game.cells[p];
      let name = `${game.name(p)}, ${cell ? COLOURS[cell] : "empty"}`;
      if (p === last) name += ", last move";
      if (game.five.includes(p)) name += ", in the winning line";
      if (p === hint) name += ", hint";
      button.ariaLabel = name;
      if (cell || !mayPlay) button.setAttribute("aria-disabled", "true");
      else button.removeAttribute("aria-disabled");
      button.classList.toggle("chosen", p === chosen);
    });
    panel.classList.toggle("white-moves", game.toMove < 0);
    const shown = game.winner || game.toMove;
    find(".turn").className = `turn ${shown < 0 ? "w" : "b"}`;
    find(".status").textContent = status();
    find(".stage").textContent = `${n}×${n}, ${game.played.length ? `move ${game.played.length}` : "no move yet"}`;
    const waits = paused && !game.over && !isPerson(game.toMove);
    const watched = !persons().length && !game.over;
    find(".now").textContent = waits ? "Go on" : watched ? "Pause" : "Move now";
    able(".now", waits || asked || watched);
    able(".undo", game.played.length);
    able(".hint", mayPlay && ready && !asked);
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
    if (game.cells[point] || game.over || !isPerson(game.toMove)) return;
    const small = points.clientWidth / game.size < SMALL;
    if (touched && small && chosen !== point) { chosen = point; show(); } else person(point);
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

  const click = (name, act) => {
    find(name).onclick = ({currentTarget}) => { if (!currentTarget.ariaDisabled) act(); };
  };
  click(".new", () => { paused = false; begin(new Game(Number(find(".size").value))); });
  click(".undo", undo);
  click(".hint", () => { paused = false; says = []; hint = -1; ask("hint"); show(); });
  click(".now", () => {
    if (paused) { paused = false; goOn(); } else if (!persons().length) { stop(); paused = true; goOn(); } else stop(true);
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
  click(".moves", () => copy(movesText(game)));
  click(".sgf", () => copy(sgfText(game, [who(1), who(-1)], new Date().toISOString().slice(0, 10), seed)));
  click(".load", () => {
    try {
      const read = readRecord(area.value, game.size, SIZES);
      paused = !isPerson(read.toMove);
      const known = /GC\[seed (\d{1,10})\]/.exec(area.value);  // a record of this page
      begin(read, known ? Number(known[1]) : undefined);
      say(`Loaded: ${read.size}×${read.size}, ${read.played.length} moves.`);
    } catch (error) {
      say(`${error.message} The game on the board stays.`, true);
    }
  });

  new ResizeObserver(layOut).observe(board);
  begin(game);
  startWorker();
}
