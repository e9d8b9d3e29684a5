// The moves of a game as a list, in pairs: a click or an arrow key goes to the position after one.

function makeList(list, goTo) {
  let shown = null, marked = "", buttons = [];

  function fill(game, marks) {
    const pairs = [];
    game.played.forEach((point, i) => {
      if (i % 2 === 0) {
        const pair = document.createElement("li"), number = document.createElement("span");
        number.textContent = `${i + 1}`;
        number.setAttribute("aria-hidden", "true");
        pair.append(number);
        pairs.push(pair);
      }
      const button = document.createElement("button"), costly = marks.has(i);
      button.type = "button";
      button.dataset.ply = i + 1;
      button.textContent = game.name(point) + (costly ? " ▲" : "");
      button.ariaLabel = `Move ${i + 1}, ${COLOURS[i % 2 ? -1 : 1]} ${game.name(point)}${costly ? ", costly" : ""}`;
      pairs.at(-1).append(button);
    });
    list.replaceChildren(...pairs);
    buttons = [...list.querySelectorAll("button")];
  }

  list.onclick = ({target}) => {
    const button = target.closest("button");
    if (button) goTo(Number(button.dataset.ply));
  };

  return {
    // game: the whole game; ply: how many of its moves stand on the board; marks: costly moves
    show(game, ply, marks) {
      const hadFocus = list.contains(list.getRootNode().activeElement), key = [...marks].join();
      if (`${game.played}` !== shown || key !== marked) fill(game, marks);
      [shown, marked] = [`${game.played}`, key];
      list.hidden = !buttons.length;
      buttons.forEach((button, i) => {
        const isHere = i === ply - 1;
        button.tabIndex = i === Math.max(0, ply - 1) ? 0 : -1;
        if (isHere) button.setAttribute("aria-current", "true");
        else button.removeAttribute("aria-current");
      });
      const here = buttons[Math.max(0, ply - 1)];
      if (!here) return;
      if (hadFocus) here.focus({preventScroll: true});
      // In the list alone: the page itself is not to move while a game is played.
      const row = here.parentElement, low = row.offsetTop + row.offsetHeight - list.clientHeight;
      list.scrollTop = Math.min(row.offsetTop, Math.max(list.scrollTop, low));
    },
  };
}
