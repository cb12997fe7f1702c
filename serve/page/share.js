/* share.js -- the board as text that can be changed or pasted, and links to the game */
import { api } from "./api.js";
import { button, h, later, say } from "./dom.js";
import { codesOf } from "./picture.js";
import { t } from "./text.js";

/* A board's text in rows, where it has one part for each cell. */
function inRows(puzzle, position) {
  const parts = codesOf(position.board);
  const cells = position.cells.filter((cell) => cell >= 0).length, wide = Math.max(...parts.map((code) => code.length));
  if (parts.length !== cells) return position.board;
  let at = 0;
  const rows = Array.from({ length: puzzle.rows },
    (_, row) => position.cells.slice(row * puzzle.columns, (row + 1) * puzzle.columns)
    .map((cell) => (cell < 0 ? " ".repeat(wide) : parts[at++].padEnd(wide))).join(" ").trimEnd());
  return rows.join("\n");
}

export class Share {
  constructor(game) {
    this.game = game;
    this.text = h("textarea", { id: "board-text", rows: 4, spellcheck: "false", autocapitalize: "off",
      oninput: later(250, () => this.check()) });
    this.output = h("output", { for: "board-text" });
    this.embed = h("input", { type: "text", readonly: true, id: "embed", onfocus: () => this.embed.select() });
    this.element = h("details", { class: "card share", ontoggle: () => this.changed() },
      h("summary", {}, t("edit and share")),
      h("label", { for: "board-text" }, t("board as text")), this.text, this.output,
      h("div", { class: "row" }, button(t("use board"), () => this.use(), { class: "main", "data-edit": "use" }),
        button(t("copy link"), () => this.copy(location.href), { "data-share": "link" })),
      h("label", { for: "embed" }, t("embed")), this.embed);
  }

  changed() {
    if (!this.element.open) return;
    this.text.value = inRows(this.game.puzzle, this.game.position);
    this.text.rows = Math.min(12, Math.max(2, this.text.value.split("\n").length));
    this.output.textContent = "";
    const address = `${location.origin}${location.pathname}?embed${this.game.address}`;
    this.embed.value = `<iframe src="${address}" width="420" height="520"></iframe>`;
  }

  #complain(text) {
    this.output.textContent = text;
    say(text);
  }

  /* Is what is written a board? The server has the words for what is not. */
  async check() {
    const text = this.text.value;
    try {
      await api.position(this.game.puzzle.puzzle, text);
      if (text === this.text.value) this.#complain(t("a board"));
    } catch (error) {
      if (text === this.text.value) this.#complain(t(error.message));
    }
  }

  async use() {
    try {
      await this.game.begin(this.text.value);
    } catch (error) {
      this.#complain(t(error.message));
    }
  }

  async copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      this.#complain(t("copied"));
    } catch {
      this.#complain(text);
    }
  }
}
