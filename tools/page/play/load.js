// The engines of a page, unpacked once for all that want them.

const isAble = Boolean(self.WebAssembly && self.Worker && self.DecompressionStream);

function unpackEngines() {
  const holder = document.querySelector(".five-engines");
  holder.unpacked ??= (async () => {
    const bytes = Uint8Array.from(atob(holder.textContent), letter => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  })();
  return holder.unpacked;
}

// What stands in a figure begins where it can; where it cannot, the figure stays as it is.
function startIn(script, start) {
  const figure = script.closest("figure"), data = JSON.parse(figure.querySelector("script").textContent);
  if (!isAble) return;
  figure.hidden = false;
  start(figure, {css: STYLE, ...data, packed: unpackEngines()});
}
