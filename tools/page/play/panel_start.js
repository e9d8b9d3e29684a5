const figure = document.currentScript.closest("figure");
const data = JSON.parse(figure.querySelector("script").textContent);
const wide = matchMedia("(min-width: 44rem)").matches;
if (isAble) startPanel(figure, {...data, size: data.size ?? (wide ? 15 : 8), packed: unpackEngines()});
