// One simulation in four steps, on a small board with its tree; the search is the compiled one.

function startSteps(figure, {html, css, moves, packed}) {
  const host = figure.querySelector("div"), root = host.attachShadow({mode: "open"});
  root.innerHTML = `<style>:host{container:five/inline-size}${css}</style>${html}`;
  const find = name => root.querySelector(name);
  const start = readMoves(moves, 5, [5]), n = 5, svg = find(".board svg"), slider = find(".c input");
  start.inARow = 4;
  let search, before, after, path = [], step = 4, done = 0, seed = 1, shown = [], result = null, timers = [];
  drawBack(svg, n, true);

  // The tree as objects: each node has the moves that lead to it as a key.
  function snapshot() {
    const nodes = new Map();
    const walk = (id, key, game) => {
      const record = search.peek(id), node = {...record, key, children: []};
      nodes.set(key, node);
      for (let i = 0; i < record.visited; i++) {
        const child = search.peek(record.first + i);
        node.children.push(walk(record.first + i, key ? `${key} ${start.name(child.move)}` : start.name(child.move)));
      }
      return node;
    };
    walk(0, "");
    return nodes;
  }

  function begin() {
    search.begin(n, start.cells, start.toMove, {solve: 0, seed, c_uct: slider.value}, 4000);
    before = after = snapshot();
    path = [];
    done = 0;
    step = 4;
    result = null;
    show();
  }

  // One simulation; the steps of it are shown afterwards.
  function simulate() {
    before = after;
    search.setOptions({solve: 0, seed, c_uct: slider.value});
    search.run(1);
    done++;
    after = snapshot();
    path = [after.get("")];
    for (;;) {
      const next = path.at(-1).children.find(child => child.N > (before.get(child.key)?.N ?? 0));
      if (!next) break;
      path.push(next);
    }
    const last = path.at(-1);
    result = last.W - (before.get(last.key)?.W ?? 0);
    shown = search.board();
  }

  const isNew = () => path.length > 1 && !before.has(path.at(-1).key);
  const mover = depth => capital(COLOURS[depth % 2 ? start.toMove : -start.toMove]);
  const names = nodes => nodes.map(node => start.name(node.move)).join(", ");

  function caption() {
    if (!done) return `${capital(COLOURS[start.toMove])} to move; four in a row win. Each click makes the compiled search go on.`;
    const way = path.slice(1), last = way.at(-1), walked = isNew() ? way.slice(0, -1) : way;
    const who = result === 0.5 ? "nobody" : (result === 1 ? mover(way.length) : mover(way.length + 1)).toLowerCase();
    return [
      walked.length ? `Select: go down by the highest UCB: ${names(walked)}.` : "Select: the root has moves not tried yet, so the walk ends here.",
      isNew() ? `Expand: ${start.name(last.move)} becomes a new node, 0/0.` : "Expand: nothing to add, the game is over in this node.",
      isNew() && !over() ? `Simulate: both sides play at random to the end. Winner: ${who}.` : `Simulate: nothing to play, the result is known. Winner: ${who}.`,
      `Backpropagate: n grows by 1 on the whole way, and m for whom the result is good. ${count(done)} simulation${done === 1 ? "" : "s"} so far.`,
    ][Math.min(step, 4) - 1];
  }

  function over() {
    const game = start.copy();
    game.inARow = 4;
    for (const node of path.slice(1)) game.play(node.move);
    return game.over;
  }

  // ---- drawing ----

  const count = n => n.toLocaleString("en");
  const half = W => `${Math.floor(W) ? count(Math.floor(W)) : W % 1 ? "" : 0}${W % 1 ? "½" : ""}`;

  function show() {
    [...find(".four").children].forEach((item, i) => {
      item.classList.toggle("lit", done > 0 && i === step - 1);
      if (done > 0 && i === step - 1) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
    });
    find(".caption").textContent = caption();
    find(".c output").textContent = Number(slider.value).toFixed(1);
    showBoard();
    showTree();
    showList();
  }

  function showBoard() {
    let out = start.played.map((p, i) => stoneAt(n, p, i % 2 ? "w" : "b", "old")).join("");
    const way = done ? path.slice(1, step === 1 && isNew() ? -1 : undefined) : [];
    if (done && step === 3 && isNew()) {
      const own = new Set(path.map(node => node.move));
      shown.forEach((cell, p) => {
        if (cell && !start.cells[p] && !own.has(p)) out += stoneAt(n, p, cell === 1 ? "b" : "w", "random");
      });
    }
    way.forEach((node, i) => {
      const colour = (start.played.length + i) % 2 ? "w" : "b";
      out += stoneAt(n, node.move, colour) + numberOn(n, node.move, i + 1, colour);
    });
    svg.lastElementChild.innerHTML = out;
    find(".side").textContent = !done ? "The position at the root" : step === 3 && isNew() ? "The random game, at its end" : "Numbers: the walk";
  }

  function showTree() {
    const tree = step < 4 && done ? before : after, top = tree.get("");
    const onPath = new Set(path.map(node => node.key)), fresh = isNew() && step > 1 ? path.at(-1) : null;
    const walkEnd = step === 1 && isNew() ? path.length - 1 : path.length;
    const lit = new Set(done ? path.slice(0, walkEnd).map(node => node.key) : []);
    const places = [], lines = [];
    let free = 0;
    const place = (node, depth, main) => {
      let children = [...node.children].sort((a, b) => b.N - a.N);
      if (depth > 0) children = children.filter((child, i) => onPath.has(child.key) || main && i < (depth === 1 ? 2 : 1) && depth < 4);
      if (fresh && step < 4 && fresh.key.split(" ").slice(0, -1).join(" ") === node.key) children.push({...fresh, N: 0, W: 0, children: []});
      children.sort((a, b) => a.move - b.move);
      const best = Math.max(...node.children.map(child => child.N), 0);
      const xs = children.map(child => place(child, depth + 1, main && (depth > 0 || child.N >= best * 0.5)));
      const x = xs.length ? (xs[0] + xs.at(-1)) / 2 : free++;
      xs.forEach((to, i) => lines.push([x, depth, to, depth + 1, children[i]]));
      places.push([x, depth, node, node.children.length - children.filter(child => child.N).length]);
      return x;
    };
    place(top, 0, true);
    const wide = Math.max(free, 6), deep = Math.max(...places.map(([, depth]) => depth), 1);
    const X = x => 33 + 64 * x + (wide - free) * 32, Y = y => 26 + 62 * y, picture = find(".tree svg");
    const width = 64 * wide + 2, height = 62 * deep + 52;
    picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    picture.setAttribute("width", width);
    picture.setAttribute("height", height);
    const on = node => done > 0 && lit.has(node.key);
    picture.innerHTML = `<title>${`The tree after ${done} simulations; root ${half(top.W)}/${top.N}`}</title>` + lines.map(([x, y, x2, y2, child]) =>
      `<path class="edge${on(child) ? " lit" : ""}" stroke-width="${(0.8 + 6 * child.N / Math.max(1, top.N)).toFixed(1)}" d="M${X(x)} ${Y(y)}L${X(x2)} ${Y(y2)}"/>`).join("")
      + places.map(([x, y, node]) => {
        const colour = y === 0 ? "root" : (start.played.length + y) % 2 ? "b" : "w";
        return `<g class="node ${colour}${on(node) ? " lit" : ""}" transform="translate(${X(x)} ${Y(y)})"><rect x="-29" y="-17" width="58" height="34" rx="7"/>`
          + `<text y="-6">${y ? start.name(node.move) : "root"}</text><text y="8" class="mn">${half(node.W)}/${count(node.N)}</text></g>`;
      }).join("");
  }

  function showList() {
    const tree = step < 4 && done ? before : after, top = tree.get(""), c = Number(slider.value);
    const rows = top.children.map(child => {
      const value = child.W / child.N, more = c * Math.sqrt(Math.log(Math.max(top.N, 1)) / child.N);
      return [start.name(child.move), `${half(child.W)}/${count(child.N)}`, value, more, value + more];
    }).sort((a, b) => b[4] - a[4]);
    const untried = start.cells.filter(cell => !cell).length - rows.length;
    find("tbody").innerHTML = rows.map(([move, mn, ...numbers], i) =>
      `<tr${i === 0 && !untried ? ' class="best"' : ""}><th scope="row">${move}</th><td>${mn}</td>${numbers.map(x => `<td>${x.toFixed(2)}</td>`).join("")}</tr>`).join("")
      + (untried ? `<tr><th scope="row">${untried} more</th><td colspan="4">not tried yet: they come first</td></tr>` : "");
  }

  // ---- hands ----

  const quiet = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
  function halt() {
    timers.forEach(clearTimeout);
    timers = [];
    if (done) step = 4;
  }
  find(".step").onclick = () => {
    timers.forEach(clearTimeout);
    timers = [];
    if (step === 4) { simulate(); step = 1; } else step++;
    show();
  };
  for (const button of root.querySelectorAll("[data-count]")) button.onclick = () => {
    halt();
    const others = Number(button.dataset.count) - 1;
    if (others) {
      search.setOptions({solve: 0, seed, c_uct: slider.value});
      done += search.run(others);
      after = snapshot();
    }
    simulate();
    step = others || quiet() ? 4 : 1;
    show();
    if (step === 1) timers = [1, 2, 3].map(i => setTimeout(() => { step = i + 1; show(); }, 700 * i));
  };
  find(".again").onclick = () => { halt(); seed++; begin(); };
  slider.oninput = () => { find(".c output").textContent = Number(slider.value).toFixed(1); showList(); };

  packed.then(openEngines).then(engines => {
    search = new Search(engines, "four");
    begin();
  }).catch(error => { find(".caption").textContent = String(error.message ?? error); });
}
