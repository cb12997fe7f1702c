/* deal.js -- boards to begin with: of about this difficulty, the hardest, those with names */
import { api } from "./api.js";
import { button, h, onceSeen, say } from "./dom.js";
import { BoardView } from "./boardview.js";
import { pictureOf } from "./picture.js";
import { t } from "./text.js";

const HARDEST = 24, BARS = 60;

/* A picture of a board, drawn once it is seen. */
function smallBoard(puzzle, text) {
  const view = new BoardView(puzzle);
  view.element.setAttribute("aria-hidden", "true");
  return onceSeen(view.element, async () => view.show(pictureOf(puzzle, await api.position(puzzle.puzzle, text))));
}

/* How many boards there are at each distance, as bars; `chosen` says which are meant. */
function bars(histogram, [from, to]) {
  const per = Math.ceil(histogram.length / BARS), sums = [];
  histogram.forEach((count, distance) =>
    (sums[Math.floor(distance / per)] = (sums[Math.floor(distance / per)] ?? 0) + count));
  const most = Math.max(...sums.map(Math.sqrt)); /* by roots, so that the few hard ones are seen too */
  return h("svg", { class: "bars", viewBox: `0 0 ${sums.length} 20`, preserveAspectRatio: "none",
    "aria-hidden": "true" },
    sums.map((sum, i) => h("rect", {
      class: (i + 1) * per > from && i * per <= to ? "chosen" : null, x: i + 0.1, width: 0.8,
      height: Math.max(0.4, 20 * Math.sqrt(sum) / most), y: 20 - Math.max(0.4, 20 * Math.sqrt(sum) / most),
    })));
}

export class Deal {
  constructor(game) {
    this.game = game;
    const { puzzle } = game;
    this.output = h("output", {});
    this.element = h("section", { class: "card deal" }, h("h2", {}, t("new board")));
    if (puzzle.max !== null && puzzle.max > 1 && !puzzle.unordered) this.element.append(this.#slider(puzzle));
    const named = Object.keys(puzzle.named).filter((name) => name !== "goal");
    this.element.append(h("div", { class: "row" },
      button(t("deal"), () => this.deal(), { class: "main", "data-deal": "random" }),
      named.map((name) => button(name, () => this.begin(name), { "data-board": name }))), this.output);
    if (puzzle.max !== null) this.element.append(this.#hardest(puzzle));
  }

  #slider(puzzle) {
    this.slider = h("input", { type: "range", id: "difficulty", min: 1, max: puzzle.max,
      value: Math.round(puzzle.mean ?? puzzle.max / 2) });
    const about = h("output", { for: "difficulty" }), place = h("div", { class: "histogram" });
    const show = async () => {
      about.textContent = t("about", { n: Number(this.slider.value) });
      try {
        place.replaceChildren(bars((await api.histogram(puzzle.puzzle)).histogram, this.#range()));
      } catch (error) {
        this.#complain(error);
      }
    };
    this.slider.addEventListener("input", show);
    show();
    return h("div", { class: "difficulty" }, h("label", { for: "difficulty" }, t("difficulty"), " ", about), place,
      this.slider);
  }

  /* Distances around the chosen one, a twentieth of the greatest to either side. */
  #range() {
    const at = Number(this.slider.value), about = Math.floor(this.game.puzzle.max / 20);
    return [Math.max(1, at - about), Math.min(this.game.puzzle.max, at + about)];
  }

  async deal() {
    try {
      const range = this.slider ? this.#range().join("-") : null;
      await this.begin((await api.random(this.game.puzzle.puzzle, range)).board);
    } catch (error) {
      this.#complain(error);
    }
  }

  async begin(text) {
    try {
      this.output.textContent = "";
      await this.game.begin(text);
    } catch (error) {
      this.#complain(error);
    }
  }

  #complain(error) {
    this.output.textContent = t(error.message);
    say(this.output.textContent);
  }

  #hardest(puzzle) {
    const list = h("div", { class: "boards" });
    const open = async ({ target }) => {
      if (!target.open || list.childElementCount > 0) return;
      try {
        const { boards, count, distance } = await api.hardest(puzzle.puzzle, HARDEST);
        list.replaceChildren(h("p", {}, t("hardest are", { n: count, distance })), ...boards.map((text, i) =>
          h("button", { type: "button", "aria-label": t("hardest board", { number: i + 1 }), "data-hardest": i,
            onclick: () => this.begin(text) },
            smallBoard(puzzle, text))));
      } catch (error) {
        this.#complain(error);
      }
    };
    return h("details", { ontoggle: open }, h("summary", {}, t("hardest")), list);
  }
}
