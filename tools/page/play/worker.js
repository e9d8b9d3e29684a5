// The worker of a page: it holds one search, and thinks in slices so that it can be stopped.

let engines, search, current = 0;
const channel = new MessageChannel(), now = () => performance.now() / 1000;
const pause = () => new Promise(done => {
  channel.port1.onmessage = done;
  channel.port2.postMessage(0);
});

async function think({id, ask, game}) {
  if (search?.game !== game) search = new Search(engines, game);
  const steps = thinkAbout(search, ask, now, () => current !== id);
  let told = 0;
  while (current === id || current === 0) {  // another question takes the search over
    const {value, done} = steps.next();
    if (done) return postMessage({id, done, found: value});
    if (now() - told > 0.06) {
      postMessage({id, found: value()});
      told = now();
    }
    await pause();
  }
}

onmessage = async ({data}) => {
  try {
    if (data.packed) {
      engines = await openEngines(data.packed);
      postMessage({ready: true});
    } else if (data.ask) {
      current = data.id;
      await think(data);
    } else current = 0;
  } catch (error) {
    postMessage({id: data.id, error: String(error.message ?? error)});
  }
};
