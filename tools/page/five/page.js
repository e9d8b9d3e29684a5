// What the page does besides being read: the contents mark where the reader is, a figure that
// is drawn smaller than its letters can be read grows on a click. Without scripts all is there.
addEventListener("DOMContentLoaded", () => {
  const SMALL = 0.6; // of the size in which a figure was drawn
  const nav = document.querySelector("nav.contents");
  if (nav) follow(nav);
  for (const figure of document.querySelectorAll("figure.picture")) enlargeable(figure);

  function follow(nav) {
    const fold = nav.querySelector("details"), bar = nav.querySelector("summary");
    const places = [...nav.querySelectorAll("a")].map(link =>
      [link, document.getElementById(decodeURIComponent(link.hash.slice(1)))]);
    const here = bar.appendChild(document.createElement("span"));
    let current = null, waiting = false;
    here.className = "here";
    document.documentElement.classList.add("follows");

    function mark() {
      waiting = false;
      const end = scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
      const passed = places.filter(([, goal]) => goal.getBoundingClientRect().top < innerHeight / 3);
      const [link] = (end && scrollY ? places : passed).at(-1) || [null];
      if (link === current) return;
      current?.removeAttribute("aria-current");
      link?.setAttribute("aria-current", "location");
      current = link;
      here.textContent = link ? link.textContent.replace(" ★", "") : "";
      show();
    }
    function show() { // the marked link, within a list that is longer than the window
      const list = fold.open ? fold.querySelector("ol") : nav;
      if (!current || !current.offsetParent) return;
      const box = current.getBoundingClientRect(), room = list.getBoundingClientRect();
      if (box.top < room.top + 40 || box.bottom > room.bottom - 40)
        list.scrollTop += box.top - room.top - room.height / 2;
    }
    const later = () => { waiting ||= Boolean(requestAnimationFrame(mark)); };
    addEventListener("scroll", later, { passive: true });
    addEventListener("resize", later);
    nav.addEventListener("click", event => { if (event.target.closest("a")) fold.open = false; });
    nav.addEventListener("keydown", event => {
      if (event.key !== "Escape" || !fold.open) return;
      fold.open = false;
      bar.focus();
    });
    fold.addEventListener("toggle", show);
    mark();
  }

  function enlargeable(figure) {
    const image = figure.querySelector("img"), drawn = Number(image?.getAttribute("width"));
    if (!drawn) return;
    const button = document.createElement("button"), box = document.createElement("div");
    button.type = "button";
    button.className = "enlarge";
    box.className = "enlarged";
    const turn = () => {
      const large = figure.classList.toggle("large");
      button.setAttribute("aria-pressed", String(large));
      box.tabIndex = large ? 0 : -1;
    };
    const offer = () => {
      const small = image.clientWidth < SMALL * drawn || figure.classList.contains("large");
      button.hidden = !small;
      image.classList.toggle("small", small);
    };
    button.textContent = "Enlarge";
    button.setAttribute("aria-pressed", "false");
    button.addEventListener("click", turn);
    image.addEventListener("click", () => { if (!button.hidden) turn(); });
    image.before(box);
    box.tabIndex = -1;
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", "figure");
    box.append(image);
    box.after(button);
    new ResizeObserver(offer).observe(figure);
  }
});
