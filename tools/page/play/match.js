// A small game against plain search: Connect-4, where a stone falls, and tic-tac-toe.

function startMatch(figure, {html, css, packed, game: kind, size, rows, inARow}) {
  const host = figure.querySelector("div"), root = host.attachShadow({mode: "open"});
  root.innerHTML = `<style>:host{container:five/inline-size}${css}</style>${html}`;
  const find = part => root.querySelector(part), grid = find(".grid"), falls = kind === "rack";
  let game, search = null, seed = 0, visits = [], turn = 0;

  find(".budget").innerHTML = [10, 100, 1000, 10000, 100000].map(n =>
    `<option value="${n}">${n.toLocaleString("en")} simulations</option>`).join("");
  find(".budget").value = 1000;
  grid.style.setProperty("--n", size);

  const mine = () => (game.toMove > 0) === (find(".black").value === "you");
  // Where a stone in this column would lie; elsewhere the point itself.
  const landing = point => {
    if (!falls) return point;
    for (let p = point % size; p < game.cells.length; p += size) if (!game.cells[p]) return p;
    return -1;
  };

  function begin() {
    game = new Game(size, inARow);
    game.cells = Array(rows * size).fill(0);
    seed = Math.floor(Math.random() * 2 ** 31);
    find(".says").textContent = falls ? "Four in a row win; a stone falls to the lowest free place."
      : "Three in a row win.";
    visits = [];
    goOn();
  }

  function goOn(focus = -1) {
    show(focus);
    const own = ++turn;
    if (search && !game.over && !mine()) setTimeout(() => { if (own === turn) answer(); }, 30);
  }

  function answer() {
    const simulations = Number(find(".budget").value), before = game.moves.length;
    const ask = {size, cells: [...game.cells], toMove: game.toMove, played: [...game.played], simulations, seed};
    const steps = thinkAbout(search, ask, () => performance.now() / 1000, () => false);
    let step;
    do step = steps.next(); while (!step.done);
    const found = step.value, sum = found.visits.reduce((a, b) => a + b, 0) || 1;
    const who = capital(COLOURS[game.toMove]), share = Math.round(100 * found.visits[found.move] / sum);
    const expects = Math.round(100 * found.rewards[found.move] / (found.visits[found.move] || 1));
    visits = found.visits.map(n => n / sum);
    game.play(found.move);
    find(".says").textContent = `Move ${before + 1}: ${who} ${game.name(found.move)}, with ${share} % of the `
      + `visits; it expects ${expects} %. Numbers: the visits, in per cent.`;
    goOn();
  }

  function show(focus) {
    const yours = search && !game.over && mine(), held = root.activeElement?.dataset?.point;
    const cells = [];
    for (let row = rows - 1; row >= 0; row--)
      for (let col = 0; col < size; col++) {
        const point = row * size + col, cell = game.cells[point], place = document.createElement("button");
        const may = yours && !cell && landing(point) === point, share = Math.round(100 * (visits[point] || 0));
        place.type = "button";
        place.dataset.point = point;
        place.className = [cell > 0 ? "b" : cell ? "w" : "", game.five.includes(point) ? "won" : "",
          point === game.played.at(-1) ? "last" : ""].join(" ");
        place.textContent = share && !cell ? share : "";
        place.ariaLabel = `${game.name(point)}, ${cell ? COLOURS[cell] : "empty"}${share && !cell ? `, ${share} % of the visits` : ""}`;
        if (!may) { place.setAttribute("aria-disabled", "true"); place.tabIndex = -1; }
        cells.push(place);
      }
    grid.replaceChildren(...cells);
    if (focus >= 0 || held !== undefined) grid.querySelector(`[data-point="${focus >= 0 ? focus : held}"]`)?.focus();
    const won = game.winner && ((game.winner > 0) === (find(".black").value === "you") ? "You win" : "The search wins");
    find(".status").textContent = !search ? "One moment" : won || (game.over ? "A draw" : mine() ? "Your move" : "It thinks");
  }

  grid.onclick = event => {
    const button = event.target.closest("button"), point = button ? landing(Number(button.dataset.point)) : -1;
    if (point < 0 || game.cells[point] || game.over || !search || !mine()) return;
    game.play(point);
    visits = [];
    goOn(point);
  };
  find(".new").onclick = begin;
  find(".black").onchange = begin;
  find(".undo").onclick = () => {
    if (!game.played.length) return;
    do game.undo(); while (game.played.length && !mine());
    visits = [];
    goOn();
  };
  begin();
  packed.then(openEngines).then(engines => { search = new Search(engines, kind); goOn(); })
    .catch(error => { find(".status").textContent = String(error.message ?? error); });
}
