/* hints.js -- distance and best moves, which are hidden until they are asked for */
import { api } from "./api.js";
import { button, h, say } from "./dom.js";
import { t, words } from "./text.js";

/* A move in words, with the glyph of its piece, where that is said, in place of the code, as it is seen on the board.
 * Names that a definition gives its moves stay as they are. */
export function moveText(puzzle, text, piece) {
  const symbol = puzzle.symbols.find(({ code, kind }) => code === piece && kind !== null);
  const glyph = symbol?.glyph.trim();
  const seen = glyph && text.startsWith(`${piece} `) ? glyph + text.slice(piece.length) : text;
  return puzzle.family === "rules" || puzzle.family === "permute" ? seen : words(seen);
}

function distanceText(puzzle, distance) {
  if (distance === null) return t("no way");
  return t(puzzle.unordered ? "slots left" : puzzle.max_cost > 1 ? "cost left" : "moves left", { n: distance });
}

/* Three grades of a hint, and a switch that shows distance and best moves all the time. */
export class Hints {
  constructor(game, gestures) {
    Object.assign(this, { game, gestures, level: 0, weighed: null });
    const { puzzle } = game, levels = [puzzle.unordered ? "how many" : "how far",
      puzzle.unordered ? "which slot" : "which piece", "which move"];
    this.output = h("output", { class: "hint" });
    this.buttons = levels.map((key, i) => button(t(key), () => this.ask(i + 1), { "data-hint": i + 1 }));
    this.always = h("input", { type: "checkbox", id: "always", onchange: () => this.changed() });
    this.element = h("section", { class: "card hints" }, h("h2", {}, t("hints")),
      h("div", { class: "row" }, this.buttons),
      h("label", { class: "switch", for: "always" }, this.always, h("span", {}, t("always"))));
    this.listeners = [];
  }

  /* The board has changed: a hint was about the one before. */
  changed() {
    this.level = 0;
    this.weighed = null;
    this.output.textContent = "";
    this.#mark({});
    if (this.always.checked) this.#weigh();
    else this.listeners.forEach((listener) => listener());
  }

  #mark(hints) {
    this.gestures.draw(hints);
  }

  async ask(level) {
    const { puzzle, board, position } = this.game;
    this.output.textContent = t("searching");
    try {
      const far = level === 1 ? { distance: await api.distance(puzzle.puzzle, board) }
        : await api.hint(puzzle.puzzle, board);
      if (board !== this.game.board) return;
      const number = position.moves.findIndex(({ move }) => move === far.move);
      this.level = level;
      const said = [distanceText(puzzle, far.distance)];
      if (number >= 0 && level > 1) said.push(level === 3 ? moveText(puzzle, far.move, far.piece) : t("look there"));
      this.output.textContent = position.solved ? t("solved") : said.join(" · ");
      if (number >= 0 && level > 1) this.#show(number, level);
    } catch (error) {
      this.output.textContent = t(error.message);
    }
    say(this.output.textContent);
  }

  /* The piece that a best move takes, and with the third grade where it goes. */
  #show(number, level) {
    const { scene } = this.gestures, move = scene.move(number);
    const piece = move.from === null ? [...move.trips.keys()]
      : [scene.picture.pieces[move.from]].filter((other) => other >= 0);
    const cells = [...scene.picture.cells.keys()].filter((cell) => piece.includes(scene.picture.pieces[cell]));
    const hint = cells.length > 0 ? cells : move.from === null ? [...move.changed] : [move.from];
    const lands = [...move.trips.values()].flatMap((trip) => trip.cells).filter((cell) => !hint.includes(cell));
    this.#mark({ hint, best: level === 3 && move.from !== null ? lands : [] });
  }

  async #weigh() {
    const { puzzle, board } = this.game;
    try {
      const weighed = await api.weighed(puzzle.puzzle, board);
      if (board !== this.game.board || !this.always.checked) return;
      this.weighed = weighed;
      this.output.textContent = distanceText(puzzle, weighed.distance);
    } catch (error) {
      this.output.textContent = t(error.message);
    }
    this.listeners.forEach((listener) => listener());
  }
}
