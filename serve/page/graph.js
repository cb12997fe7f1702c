/* graph.js -- how the distance went over the game so far */
import { api } from "./api.js";
import { h } from "./dom.js";
import { t } from "./text.js";

const WIDE = 320, HIGH = 120, LEFT = 26, EDGE = 10;

export class Graph {
  constructor(game) {
    this.game = game;
    this.drawing = h("div", { class: "graph" });
    this.element = h("details", { class: "card", ontoggle: () => this.changed() }, h("summary", {}, t("graph")),
      this.drawing);
  }

  async changed() {
    if (!this.element.open) return;
    const { game } = this, { steps } = game;
    const distances = await Promise.all(steps.map(({ position }) =>
      api.distance(game.puzzle.puzzle, position.board).catch(() => undefined)));
    if (steps === game.steps) this.#draw(distances.slice(0, steps.length));
  }

  #draw(distances) {
    const { at } = this.game, known = distances.filter((distance) => typeof distance === "number");
    const most = Math.max(1, ...known), last = Math.max(1, distances.length - 1);
    const x = (step) => LEFT + step / last * (WIDE - LEFT - EDGE),
      y = (distance) => HIGH - EDGE - distance / most * (HIGH - 2 * EDGE);
    const points = distances.flatMap((distance, step) =>
      (typeof distance === "number" ? [[x(step), y(distance), step]] : []));
    const dots = points.map(([cx, cy, step]) => h("circle", {
      class: step === at ? "dot now" : step < at ? "dot" : "dot later", cx, cy,
        r: step === at ? 6 : distances.length > 60 ? 2 : 3.5,
      onclick: () => this.game.go(step),
    }));
    const label = (distance) => h("text", { x: LEFT - 6, y: y(distance), dy: "0.35em", "text-anchor": "end" },
      String(distance));
    const lines = [0, most].map((distance) =>
      h("line", { x1: LEFT, x2: WIDE - EDGE, y1: y(distance), y2: y(distance) }));
    this.drawing.replaceChildren(h("svg", {
      viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img",
        "aria-label": t("graph spoken", { distances: distances.map((d) => d ?? "?").join(", ") }),
    }, lines, label(0), label(most), h("polyline", { points: points.map(([px, py]) => `${px},${py}`).join(" ") }),
      dots));
  }
}
