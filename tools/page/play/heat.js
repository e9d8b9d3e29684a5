// A search of one position, kept at many counts of simulations, to go to and fro in.

const COUNTS = [1, 2, 3, 5, 8, 10, 20, 30, 50, 80, 100, 200, 300, 500, 800, 1000, 2000, 3000, 5000,
  8000, 10000, 20000, 30000, 50000];

function startHeat(figure, {html, css, moves, size, name, seed, packed}) {
  const host = figure.querySelector("div"), root = host.attachShadow({mode: "open"});
  root.innerHTML = `<style>:host{container:five/inline-size}${css}</style>${html}`;
  const find = part => root.querySelector(part), svg = find("svg"), slider = find("input");
  const game = readMoves(moves, size, [size]), kept = {};
  let engines, number = 0;
  slider.max = COUNTS.length - 1;
  drawBack(svg, size, true);

  // Search on, a little in each frame, until all counts are there.
  function make(who) {
    const own = ++number, search = new Search(engines, who), seen = kept[who] = [];
    search.begin(size, game.cells, game.toMove, {solve: who === "engine" ? 1 : 0, seed}, 2e5);
    let done = 0;
    const goOn = () => {
      const until = performance.now() + 10;
      while (own === number && seen.length < COUNTS.length && performance.now() < until) {
        const goal = COUNTS[seen.length], made = search.run(Math.min(500, goal - done));
        done += made;
        if (done >= goal || !made) {
          const found = search.read();
          seen.push({...found, simulations: done, proven: {2: 1, 3: 0, 4: -1}[found.status] ?? null});
          if (!made) while (seen.length < COUNTS.length) seen.push(seen.at(-1));
        }
      }
      show();
      if (own === number && seen.length < COUNTS.length) requestAnimationFrame(goOn);
    };
    goOn();
  }

  function show() {
    const seen = kept[find(".who").value] ?? [], at = Number(slider.value);
    const found = seen[Math.min(at, seen.length - 1)];
    find("output").textContent = `${COUNTS[at].toLocaleString("en")} simulation${at ? "s" : ""}`;
    slider.setAttribute("aria-valuetext", find("output").textContent);
    const stones = game.played.map((p, i) => stoneAt(size, p, i % 2 ? "w" : "b", "old")).join("");
    svg.lastElementChild.innerHTML = (found ? discsOf(size, game.cells, found, svg.clientWidth / size) : "") + stones;
    if (!found) return;
    const move = found.line[0];
    found.why = "most visited";
    const lines = [`${name} Most visited: ${game.name(move)}`, verdictOf(game, found),
      `Line: ${found.line.slice(0, 8).map(point => game.name(point)).join(" ")}`,
      seen.length <= at ? "The search is still on its way" : ""];
    find(".says").replaceChildren(...lines.filter(line => line).map(line =>
      Object.assign(document.createElement("p"), {textContent: line})));
    svg.setAttribute("aria-label", `Board with the share of the visits. ${lines[0]}.`);
  }

  slider.oninput = show;
  find(".who").onchange = () => { if (kept[find(".who").value]?.length === COUNTS.length) show(); else make(find(".who").value); };
  packed.then(openEngines).then(found => {
    engines = found;
    slider.value = COUNTS.indexOf(100);
    make("engine");
  }).catch(error => { find(".says").textContent = String(error.message ?? error); });
}
