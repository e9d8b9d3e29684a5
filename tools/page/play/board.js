// How a board is drawn: wood, lines, stones, and where the simulations went.

const placeOn = (n, point) => [point % n * 10, -Math.floor(point / n) * 10];

// What does not change while a game lasts; `roomy`: letters stand beside the lines.
function drawBack(svg, n, roomy) {
  const pad = roomy ? 4 : 0, gap = roomy ? 1 : 0, total = 10 * n + pad + gap;
  svg.setAttribute("viewBox", `${-5 - pad} ${5 - 10 * n - gap} ${total} ${total}`);
  const far = 10 * (n - 1), out = roomy ? 6.6 : 3.7, look = roomy ? "" : ' style="font-size:2.3px"';
  const stone = (id, r, stops) => `<radialGradient id="${id}" cx=".38" cy=".34" r="${r}">`
    + stops.map((colour, i) => `<stop offset="${[0, 0.5, 1][i]}" stop-color="${colour}"/>`).join("") + "</radialGradient>";
  let drawn = `<defs>${stone("b", 0.7, ["#6b6b6b", "#242424", "#0c0c0c"])}${stone("w", 0.75, ["#fff", "#f2f2f2", "#bdbdbd"])}
    <pattern id="g" width="300" height="2.6" patternUnits="userSpaceOnUse"><rect width="300" height="2.6" fill="var(--wood)"/>
    <rect width="300" height=".9" fill="var(--grain)"/></pattern></defs>
    <rect x="-20" y="-300" width="500" height="400" fill="url(#g)"/><path class="grid" d="`;
  for (let i = 0; i < n; i++) drawn += `M0 ${-10 * i}h${far}M${10 * i} 0v${-far}`;
  drawn += '"/>';
  const dots = n >= 15 ? [3, n - 4, ...n % 2 ? [(n - 1) / 2] : []] : [];
  for (const x of dots) for (const y of dots) drawn += `<circle class="dot" cx="${10 * x}" cy="${-10 * y}" r=".9"/>`;
  for (let i = 0; i < n; i++)
    drawn += `<text${look} x="${10 * i}" y="${out}">${LETTERS[i]}</text><text${look} x="${-out}" y="${-10 * i}">${i + 1}</text>`;
  svg.innerHTML = `${drawn}<g></g>`;
  return [gap, pad].map(length => `${100 * length / total}%`);
}

function stoneAt(n, point, colour, look = "") {
  const [x, y] = placeOn(n, point);
  return `<g class="${look}"><circle class="shade" cx="${x + 0.35}" cy="${y + 0.55}" r="4.5"/>`
    + `<circle class="stone ${colour}" cx="${x}" cy="${y}" r="4.5" fill="url(#${colour})"/></g>`;
}

// A number on a stone: as large as its digits allow, since a phone has small stones.
function numberOn(n, point, number, colour) {
  const [x, y] = placeOn(n, point), size = [0, 4.6, 4.4, 3.7][`${number}`.length];
  return `<text class="number ${colour}" x="${x}" y="${y + 0.15}" style="font-size:${size}px">${number}</text>`;
}

const ROOMY = 44;    // pixels between points; with less, a disc has one number
const READABLE = 9;  // pixels that a digit needs to be high

// Discs with the shares of the visits, on the empty points. The three largest are labelled with
// per cent and value, -1 to +1 for the side to move; with less room, with per cent alone, and
// only where the digits fit their disc and can be read. `pixels`: between two points.
function discsOf(n, cells, {visits, rewards}, pixels = ROOMY) {
  const sum = visits.reduce((a, b) => a + b, 0) || 1;
  const order = visits.map((_, p) => p).filter(p => visits[p] && !cells[p])
    .sort((p, q) => visits[q] - visits[p]);
  let out = "";
  for (const p of order) {
    const share = visits[p] / sum, [x, y] = placeOn(n, p);
    if (share > 0.002)
      out += `<circle class="disc" cx="${x}" cy="${y}" r="${radiusOf(share).toFixed(2)}"/>`;
  }
  for (const p of order.slice(0, 3)) {
    const share = visits[p] / sum, [x, y] = placeOn(n, p), label = `${Math.round(100 * share)}`;
    if (share < 0.02) continue;
    if (pixels >= ROOMY) {
      const value = 2 * rewards[p] / visits[p] - 1, sign = value < 0 ? "−" : "+";
      out += `<text class="share" x="${x}" y="${y - 1}">${label}</text>`
        + `<text class="value" x="${x}" y="${y + 1.9}">${sign}${Math.abs(value).toFixed(2)}</text>`;
    } else {
      const size = Math.min(4.5, 2 * radiusOf(share) / (0.68 * label.length));  // fits its disc
      if (size * pixels / 10 >= READABLE)
        out += `<text class="share" x="${x}" y="${y}" style="font-size:${size.toFixed(1)}px">${label}</text>`;
    }
  }
  return out;
}

const radiusOf = share => 0.9 + 3.8 * Math.sqrt(share);
