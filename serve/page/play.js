/* play.js -- the page of a puzzle with moves: its parts, and what they tell each other */
import { api } from "./api.js";
import { BoardView } from "./boardview.js";
import { Deal } from "./deal.js";
import { button, h, later, say } from "./dom.js";
import { Game } from "./game.js";
import { Gestures } from "./gestures.js";
import { Graph } from "./graph.js";
import { Hints, moveText } from "./hints.js";
import { pictureOf } from "./picture.js";
import { Scene } from "./scene.js";
import { wave } from "./shapes.js";
import { Share } from "./share.js";
import { Solution } from "./solution.js";
import { t, words } from "./text.js";

const LISTED = 60; /* moves in the list; of more, those at a cell are offered there */

/* What is to be reached: a picture, or where that is no matter of cells the title. */
function goalOf(puzzle) {
  if (puzzle.goal_cells === undefined) return null;
  const view = new BoardView(puzzle);
  view.show(pictureOf(puzzle, { cells: puzzle.goal_cells, pieces: puzzle.goal_pieces }));
  view.element.setAttribute("role", "img");
  view.element.setAttribute("aria-label", t("goal spoken", { goal: puzzle.named.goal ?? puzzle.goal }));
  return h("figure", { class: "goal" }, h("figcaption", { "aria-hidden": "true" }, t("goal")), view.element);
}

function titleOf(puzzle, open) {
  const { title } = puzzle, goal = goalOf(puzzle);
  const metric = puzzle.max_cost > 1 ? t("costs count")
    : puzzle.metric === "one move" ? null : t("a move", { metric: words(puzzle.metric) });
  return h("header", { class: "title" }, h("div", {}, h("h1", {}, puzzle.puzzle),
    h("p", {}, goal === null && title !== "" ? t("goal told", { title }) : title),
    metric && h("p", { class: "metric" }, metric), open), goal);
}

/* A symbol as it is on the board: a shape of its own, or a glyph on a tile. */
function swatchOf({ glyph, colour, ink, shape, figure }) {
  if (shape !== undefined && shape !== "label") {
    const fill = colour ?? "currentcolor";
    const parts = {
      water: () => [h("rect", { width: 100, height: 100, fill }), h("path", { class: "shape-wave", d: wave(0, 0, 100) })],
      glass: () => [h("path", { class: "shape-walls", d: "M15 10v80h70v-80" })],
    };
    return h("svg", { class: "swatch", viewBox: "0 0 100 100", "aria-hidden": "true" },
      parts[shape]?.() ?? h("path", { class: "shape", d: figure, fill, "fill-rule": "evenodd" }));
  }
  const swatch = h("span", { class: "swatch", "aria-hidden": "true" }, glyph.trim());
  swatch.style.setProperty("--colour", colour ?? "transparent");
  swatch.style.setProperty("--glyph", ink ?? "currentcolor");
  return swatch;
}

/* What symbols mean, where the definition says so: the first that means it, and the words. */
function legendOf(puzzle) {
  const told = new Map();
  for (const symbol of puzzle.symbols)
    if (symbol.legend !== undefined && !told.has(symbol.legend)) told.set(symbol.legend, symbol);
  if (told.size === 0) return null;
  return h("ul", { class: "legend" }, [...told].map(([words, symbol]) =>
    h("li", {}, swatchOf(symbol), h("span", {}, words))));
}

class Play {
  constructor(puzzle, embedded) {
    this.puzzle = puzzle;
    this.game = new Game(puzzle);
    this.view = new BoardView(puzzle);
    this.gestures = new Gestures(this.view, {
      take: (move) => this.#do(this.game.take(move)),
      choose: (cell, moves) => this.#choose(cell, moves),
      takeOut: (cell) => this.#takeOut(cell),
      whenReady: (then) => this.game.ready.then(then, () => {}),
    });
    this.hints = new Hints(this.game, this.gestures);
    this.hints.listeners.push(() => this.#list());
    this.parts = [this.hints, new Graph(this.game), new Solution(this.game), new Share(this.game)];
    [, , this.solution] = this.parts;
    this.deal = new Deal(this.game);
    this.status = h("p", { class: "status" });
    this.chooser = h("div", { class: "chooser", hidden: true });
    this.list = h("div", { class: "moves row" });
    this.listCard = h("details", { class: "card" }, h("summary", {}, t("moves")), this.list);
    this.element = this.#page(embedded);
    this.game.addEventListener("change", ({ detail }) => this.#changed(detail));
    this.keep = later(150, () => this.#keep());
    this.onkey = (event) => this.#key(event);
    document.addEventListener("keydown", this.onkey);
  }

  #page(embedded) {
    const { game, puzzle } = this;
    const tools = [["undo", "↶", () => game.go(game.at - 1)], ["redo", "↷", () => game.go(game.at + 1)],
      ["restart", "⟲", () => game.go(0)]];
    this.tools = tools.map(([name, sign, act]) => button(t(name), act, { sign, "data-tool": name, title: t(name) }));
    this.hidden = h("p", { class: "hidden-part" });
    const hint = button(t("hint"), () => this.hints.ask(Math.min(3, this.hints.level + 1)), { "data-tool": "hint" });
    const frame = h("div", { class: "frame" }, this.view.element, this.hidden, legendOf(puzzle));
    const stage = h("div", { class: "stage" }, frame,
      this.status, this.hints.output, this.chooser,
      h("div", { class: "row tools" }, this.tools, hint));
    const keys = h("details", { class: "card" }, h("summary", {}, t("keys")), h("p", {}, t("keys are")));
    const panel = h("div", { class: "panel" }, this.hints.element, this.deal.element, this.listCard,
      this.parts.slice(1).map((part) => part.element), keys);
    const open = embedded ? h("a", { class: "open", target: "_blank", rel: "noopener", href: "./" }, t("open")) : null;
    return h("div", { class: "play" }, titleOf(puzzle, open), stage, embedded ? null : panel);
  }

  close() {
    this.solution.stop();
    document.removeEventListener("keydown", this.onkey);
    this.closed = true;
  }

  async #do(promise) {
    try {
      await promise;
    } catch (error) {
      this.status.textContent = t(error.message);
      say(this.status.textContent);
    }
  }

  /* -- the board has changed -- */

  #changed({ change, from }) {
    const { game } = this, scene = new Scene(this.puzzle, game.position);
    this.view.show(scene.picture, change === "move" ? from : undefined);
    this.#choose(null, []);
    this.gestures.hints = {};
    this.gestures.begin(scene, change === "begin");
    if (change === "begin") this.#arrange(scene);
    for (const part of this.parts) part.changed();
    this.#tell(change);
    this.keep();
  }

  /* Where moves are told apart by their names alone, the list of them stands beside the board. */
  #arrange(scene) {
    const listed = scene.listed || this.view.picture.lines;
    if (listed && !this.puzzle.unordered) this.status.after(this.list);
    else this.listCard.append(this.list);
    this.listCard.hidden = this.puzzle.unordered || listed;
  }

  #tell(change) {
    const { game, puzzle } = this, { solved, board } = game.position;
    const [undo, redo, restart] = this.tools;
    undo.disabled = restart.disabled = game.at === 0;
    redo.disabled = game.at === game.steps.length - 1;
    this.element.classList.toggle("won", solved && game.at > 0);
    const made = t(puzzle.unordered ? "filled" : "moves made", { n: game.moves });
    const cost = puzzle.max_cost > 1 ? ` · ${t("cost so far", { n: game.cost })}` : "";
    const dead = !solved && game.position.moves.length === 0 ? ` · ${t("dead end")}` : "";
    this.status.textContent = solved && game.at > 0 ? t("solved in", { n: game.cost, moves: made })
      : made + cost + dead;
    this.view.element.dataset.board = board;
    this.hidden.textContent = game.position.hidden ?? "";
    this.view.element.setAttribute("aria-label", t("board spoken", { board, title: puzzle.title }));
    if (solved && game.at > 0) this.#praise(board);
    const move = change === "move" && game.step.text ? moveText(puzzle, game.step.text, game.step.piece) : "";
    if (change !== "begin" || this.began) say([move, this.status.textContent].filter(Boolean).join(". "));
    this.began = true;
  }

  /* How good the solution was. */
  async #praise(board) {
    const { game, puzzle } = this;
    if (puzzle.unordered) return;
    const best = await api.distance(puzzle.puzzle, game.steps[0].position.board).catch(() => null);
    if (best === null || board !== game.board) return;
    const text = game.steps.slice(1, game.at + 1).some((step) => step.shown) ? "with help" : game.cost === best
      ? "perfect" : "best is";
    this.status.textContent += ` ${t(text, { n: best })}`;
    say(this.status.textContent);
  }

  #keep() {
    if (this.closed) return;
    history.replaceState(null, "", this.game.address);
    const open = this.element.querySelector(".open");
    if (open) open.href = `./${this.game.address}`;
  }

  /* -- lists of moves -- */

  #entry(move, number, label = moveText(this.puzzle, move.move, move.piece)) {
    const known = this.hints.weighed?.moves?.[number];
    const about = (on) => this.gestures.draw(on ? { hint: [...this.gestures.scene.move(number).changed] } : {});
    return h("button", {
      type: "button", "data-move": number, class: known?.optimal ? "best" : null,
    "aria-label": label === move.move ? null : moveText(this.puzzle, move.move),
      onclick: () => this.#do(this.game.take(number)), onpointerenter: () => about(true),
      onpointerleave: () => about(false),
    }, label, known ? h("span", { class: "far" }, known.distance === null ? "–" : String(known.distance)) : null);
  }

  #list() {
    const { moves } = this.game.position;
    this.list.replaceChildren(...moves.slice(0, LISTED).map((move, number) => this.#entry(move, number)));
    if (moves.length > LISTED) this.list.append(h("p", {}, t("more moves", { n: moves.length - LISTED })));
  }

  /* Offers the moves at a cell; none: closes. */
  #choose(cell, numbers) {
    const { scene } = this.gestures, { moves } = this.game.position;
    this.chooser.hidden = numbers.length === 0;
    if (numbers.length === 0) return;
    const label = (number) => (this.puzzle.unordered ? scene.codeAfter(number, cell) : undefined);
    this.chooser.replaceChildren(...numbers.map((number) => this.#entry(moves[number], number, label(number))),
      button(t("close"), () => this.#choose(null, []), { sign: "✕" }));
    say(t("choose", { n: numbers.length }));
  }

  /* Takes out what was put into a cell, where the order does not matter; false where nothing was. */
  #takeOut(cell) {
    const { game, puzzle } = this;
    if (!puzzle.unordered) return false;
    for (let at = game.at; at > 0; at--) {
      const step = game.steps[at], number = game.step.placed.indexOf(step.text);
      const [before, after] = [at - 1, at].map((i) => pictureOf(puzzle, game.steps[i].position).cells[cell]?.code);
      if (step.number < 0 || number < 0 || before === after) continue;
      this.#do(game.takeOut(number));
      return true;
    }
    return false;
  }

  /* Keys that mean the same everywhere on the page, but where something is typed. */
  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, textarea, select")) return;
    const { game } = this;
    const act = {
      u: () => game.go(game.at - 1), r: () => game.go(game.at + 1), 0: () => game.go(0), n: () => this.deal.deal(),
      h: () => this.hints.ask(Math.min(3, this.hints.level + 1)),
        s: () => (this.solution.timer ? this.solution.stop() : this.solution.run()),
    }[event.key.toLowerCase()];
    if (act) {
      event.preventDefault();
      act();
    }
  }

  /* A game as an address says; without a board from `start`, or a random one where there is none. */
  async begin({ board, moves, at }) {
    const { puzzle } = this;
    const first = board ?? (puzzle.named.start === undefined ? (await api.random(puzzle.puzzle, null)).board : "start");
    await this.game.begin(first, moves, at);
  }
}

export async function playPage(puzzle, said, embedded) {
  const play = new Play(puzzle, embedded);
  try {
    await play.begin(said).catch(async (error) => { /* then the board that it begins with, and what was wrong */
      await play.begin({ board: null, moves: [] });
      play.status.textContent = t(error.message);
    });
  } catch (error) {
    play.close();
    throw error;
  }
  return play;
}
