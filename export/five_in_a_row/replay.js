const figure = document.currentScript.closest("figure"), host = figure.querySelector("div");
const data = JSON.parse(figure.querySelector("script").textContent);
const root = host.attachShadow({mode: "open"}), last = data.frames.length - 1;
root.innerHTML = data.page;
const find = name => root.querySelector(name);
const board = find(".board"), slider = find(".slider"), says = find(".says");
find(".player").ariaLabel = data.title;
board.setAttribute("viewBox", data.box.join(" "));
slider.max = last;

// A group for each part of the picture; show() decides which of them are seen.
find(".parts").innerHTML = data.parts.map(([shape, x, y, , , text]) =>
  `<g transform="translate(${x} ${y})">${data.shapes[shape] ?? ""}` +
  (text ? `<text class="${shape}">${text}</text></g>` : "</g>")).join("");
const parts = [...find(".parts").children];

// A button for each move. Only one of them is a stop of the Tab key.
const moves = data.frames.slice(1).map(([move, who], i) => {
  const item = find(".moves").appendChild(document.createElement("li"));
  const button = item.appendChild(document.createElement("button"));
  button.textContent = [i + 1, data.marks[who] ?? who, move].filter(x => x !== "").join(" ");
  button.onclick = () => go(i + 1);
  return button;
});
if (!moves.length) find(".moves").remove();

// {frame: [[cell, per cent], ...]}; a letter skips cells, a number is a cell.
const shares = Object.fromEntries(Object.entries(data.shares).map(([frame, [text]]) => {
  const found = [];
  let cell = 0;
  for (const [piece] of text.matchAll(/[a-z]|\d+/g))
    if (piece >= "a") cell += piece.charCodeAt() - 96;
    else found.push([cell++, Number(piece)]);
  return [frame, found];
}));
const shade = share => data.shades.filter(least => least <= share).length - 1;
const heat = find(".switch input"), key = find(".key");
key.setAttribute("viewBox", `0 0 ${40 * data.shades.length} 20`);
key.innerHTML += data.shades.map((least, i) => `<rect class="s${i}" x="${40 * i}" y="5"
  width="10" height="10"/><text x="${40 * i + 12}" y="10">${least}%</text>`).join("");
if (!Object.keys(shares).length) find(".switch").remove();

// The curve: one unit to the right is one frame; +1 is above.
const curve = find(".curve svg"), [good, bad] = data.sides;
const points = data.frames.map(([, , , value], i) => [i, value])
  .filter(([, value]) => value !== null).map(([i, value]) => `${i} ${-value}`);
const draw = (name, d) => curve.querySelector(name).setAttribute("d", d);
curve.setAttribute("viewBox", `-.5 -1.2 ${last + 1} 2.4`);
curve.querySelector("title").textContent = `Expected result by move: +1 ${good}, −1 ${bad}`;
draw(".edges", [-1, 0, 1].map(y => `M-.5 ${y}h${last + 1}`).join(""));
draw(".dots", points.map(point => `M${point}h0`).join(""));
if (points.length) draw(".line", "M" + points.join("L"));
else find(".curve").remove();
const [high, , low] = curve.previousElementSibling.children;
[high.textContent, low.textContent] = [`+1 ${good}`, `−1 ${bad}`];

let now = last, timer = 0;

function show(frame) {
  now = Math.max(0, Math.min(last, frame));
  data.parts.forEach(([, , , first, end], i) => {
    parts[i].style.display = first <= now && now <= (end ?? last) ? "" : "none";
    parts[i].classList.toggle("new", now > 0 && first === now);
  });
  const [move, who, lines] = data.frames[now];
  showShares(who);
  const name = now ? `Move ${now} of ${last}: ${move}, ${who}` : "Start";
  says.replaceChildren(...[name, ...lines].map(line => {
    const text = document.createElement("p");
    text.textContent = line;
    return text;
  }));
  const played = data.frames.slice(1, now + 1).map(([move]) => move).join(" ");
  board.querySelector("desc").textContent = `${name}. ${played}`;
  slider.value = now;
  slider.setAttribute("aria-valuetext", name);
  curve.querySelector(".now").setAttribute("transform", `translate(${now})`);
  showMove();
}

// The three largest shares are written, and that of the move on its stone.
function showShares(who) {
  const found = heat.checked && shares[now] || [], played = data.shares[now]?.[1];
  const place = cell => [cell % data.columns * 10, -Math.floor(cell / data.columns) * 10];
  const write = (cell, look, text) => `<text class="percent ${look}"
    transform="translate(${place(cell)})">${text}</text>`;
  find(".cells").innerHTML = found.map(([cell, share]) => `<path class="s${shade(share)}"
    transform="translate(${place(cell)})" d="M-5-5h10v10h-10z"/>`).join("");
  const most = [...found].sort(([, a], [, b]) => b - a).slice(0, 3);
  const own = found.find(([cell]) => cell === played)?.[1];
  const look = "on-" + who.replace(/\W/g, "");
  find(".percents").innerHTML = most.filter(([cell]) => cell !== played)
    .map(([cell, share]) => write(cell, "t" + shade(share), share + "%")).join("")
    + (found.length ? write(played, look, own ? own + "%" : "&lt;1%") : "");
  board.classList.toggle("shares", found.length > 0);
}

function showMove() {
  const inside = moves.includes(root.activeElement), button = moves[Math.max(0, now - 1)];
  for (const other of moves) {
    other.tabIndex = other === button ? 0 : -1;
    other.ariaCurrent = now && other === button ? "step" : null;
  }
  const list = button?.closest("ol");
  if (list) list.scrollTop = button.offsetTop - list.clientHeight / 2;
  if (inside) button.focus({preventScroll: true});
}

// While it plays nothing is announced: who listens could not keep up.
function play(on) {
  clearInterval(timer);
  const step = () => host.isConnected && now < last ? show(now + 1) : play(false);
  timer = on ? setInterval(step, 900) : 0;
  find(".play").ariaLabel = find(".play").title = on ? "Pause" : "Play";
  find(".play path").setAttribute("d", on ? "M4 3h2v10h-2zM10 3h2v10h-2z" : "M5 3v10l8-5z");
  says.ariaLive = on ? "off" : "polite";
  if (on && now === last) show(0);
}

function go(frame) {
  play(false);
  show(frame);
}

const steps = {first: () => 0, back: () => now - 1, forth: () => now + 1, last: () => last};
const keys = {Home: "first", ArrowLeft: "back", ArrowRight: "forth", End: "last"};
for (const name in steps) find("." + name).onclick = () => go(steps[name]());
find(".play").onclick = () => play(!timer);
slider.oninput = () => go(Number(slider.value));
heat.onchange = () => show(now);
find(".all").onclick = ({target}) => {
  target.ariaExpanded = find(".still").classList.toggle("open");
};
curve.onclick = event => {
  const {left, width} = curve.getBoundingClientRect();
  go(Math.round((event.clientX - left) / width * (last + 1) - 0.5));
};
find(".player").onkeydown = event => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  if (keys[event.key]) go(steps[keys[event.key]]());
  else if (event.key === " " && !event.target.matches("button, [type=checkbox]")) play(!timer);
  else return;
  event.preventDefault();
};
play(false);
show(last);
