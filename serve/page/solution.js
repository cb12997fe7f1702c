/* solution.js -- a shortest solution, played step by step */
import { api } from "./api.js";
import { button, h, say } from "./dom.js";
import { t } from "./text.js";

const PACES = [1600, 800, 350];

export class Solution {
  constructor(game) {
    Object.assign(this, { game, path: null, timer: 0 });
    this.play = button(t("play"), () => (this.timer ? this.stop() : this.run()),
      { sign: "▶", "data-solution": "play" });
    this.single = button(t("one step"), () => this.#once(), { sign: "▸", "data-solution": "step" });
    this.pace = h("input", { type: "range", min: 0, max: PACES.length - 1, value: 1, "aria-label": t("pace") });
    this.output = h("output", {});
    this.element = h("section", { class: "card" }, h("h2", {}, t("solution")),
      h("div", { class: "row" }, this.play, this.single, this.pace), this.output);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.#label();
  }

  #label() {
    const [sign, words] = this.play.children;
    sign.textContent = this.timer ? "⏸" : "▶";
    words.textContent = t(this.timer ? "pause" : "play");
  }

  /* The board has changed: if the solution does not lead on from it, it is over. */
  changed() {
    if (this.path !== null && !this.path.includes(this.game.board)) {
      this.path = null;
      this.output.textContent = "";
      this.stop();
    }
  }

  /* Makes the next move; false where there is none. */
  async #step() {
    const { game } = this, { board } = game;
    if (game.position.solved) return false;
    if (this.path === null) {
      this.output.textContent = t("searching");
      const answer = await api.path(game.puzzle.puzzle, board);
      if (board !== game.board) return false;
      this.output.textContent = "";
      if (answer.path === undefined) throw new Error(t("no way"));
      this.path = answer.path;
    }
    const next = this.path[this.path.indexOf(board) + 1],
      number = game.position.moves.findIndex((move) => move.board === next);
    if (number < 0) return false;
    await game.take(number, true);
    return !game.position.solved;
  }

  async #once() {
    this.stop();
    await this.#try();
  }

  async #try() {
    try {
      return await this.#step();
    } catch (error) {
      this.output.textContent = t(error.message);
      say(this.output.textContent);
      return false;
    }
  }

  run() {
    const step = async () => {
      const on = await this.#try();
      if (!on || !this.timer) this.stop();
      else this.timer = setTimeout(step, PACES[this.pace.value]);
    };
    this.timer = setTimeout(step, 0);
    this.#label();
  }
}
