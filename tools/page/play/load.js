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
