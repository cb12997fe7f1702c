/* game.js -- a game: the boards on the way, and how an address keeps them
 *
 * A step is { position, text, cost, from, shown, placed }: what the server says of its board (/moves), and the move
 * that led there; `shown` if the program made it; `placed` are the moves that stand, where their order does not matter, so
 * that one can be taken out again. In an address a move is its number among the legal ones; one taken out is -1 - its
 * number among those placed.
 */
import { api } from "./api.js";

export class Game extends EventTarget {
  constructor(puzzle) {
    super();
    this.puzzle = puzzle;
    this.steps = [];
    this.at = 0;
    this.ready = Promise.resolve();
  }

  get step() {
    return this.steps[this.at];
  }

  get position() {
    return this.step.position;
  }

  get board() {
    return this.position.board;
  }

  get moves() {
    return this.steps.slice(1, this.at + 1).filter((step) => step.number >= 0).length;
  }

  /* What the moves so far cost. */
  get cost() {
    return this.steps.slice(1, this.at + 1).reduce((sum, step) => sum + step.cost, 0);
  }

  #tell(change, from) {
    this.dispatchEvent(new CustomEvent("change", { detail: { change, from } }));
  }

  /* One thing after the other: what comes while an answer is under way waits for it. */
  #then(act) {
    this.ready = this.ready.then(act, act);
    return this.ready;
  }

  /* A new game from a board; or an error, and the old one goes on. */
  begin(text, moves = [], at = NaN) {
    return this.#then(async () => {
      const steps = [{ position: await api.position(this.puzzle.puzzle, text), text: "", cost: 0, placed: [] }];
      for (const move of moves) {
        const last = steps.at(-1), known = move < 0 ? -1 - move in last.placed : move in last.position.moves;
        if (!known) break;
        steps.push(move < 0 ? await this.#without(steps[0], last, -1 - move) : await this.#after(last, move));
      }
      [this.steps, this.at] = [steps, at in steps ? at : steps.length - 1];
      this.named = text;
      this.#tell("begin");
    });
  }

  async #after(step, number) {
    const move = step.position.moves[number];
    return {
      position: await api.position(this.puzzle.puzzle, move.board), text: move.move, piece: move.piece, number,
      cost: move.cost ?? 1, from: step.position.sketch === undefined ? move.from : null,
        placed: [...step.placed, move.move],
    };
  }

  /* Where the order of moves does not matter: the board without one of them. */
  async #without(first, step, number) {
    const placed = step.placed.filter((_, i) => i !== number);
    let { position } = first;
    for (const text of placed)
      position = await api.position(this.puzzle.puzzle, position.moves.find((move) => move.move === text).board);
    return { position, text: step.placed[number], number: -1 - number, cost: -1, from: null, placed };
  }

  #append(step) {
    this.steps.splice(++this.at, Infinity, step);
    this.#tell("move", step.from);
  }

  /* Makes a legal move, by its number; `shown`: the program does. A number that there is no more is none. */
  take(number, shown = false) {
    const board = this.board;
    return this.#then(async () => {
      if (this.board !== board || !(number in this.position.moves)) return;
      this.#append({ ...await this.#after(this.step, number), shown });
    });
  }

  takeOut(number) {
    return this.#then(async () => {
      if (number in this.step.placed) this.#append(await this.#without(this.steps[0], this.step, number));
    });
  }

  go(at) {
    return this.#then(() => {
      if (at === this.at || !(at in this.steps)) return;
      const near = Math.abs(at - this.at) === 1, { from } = this.steps[Math.max(at, this.at)];
      const back = at < this.at;
      this.at = at;
      this.#tell(near ? "move" : "jump", back ? null : from);
    });
  }

  /* -- the address -- */

  /* The whole game as what stands behind the # of an address. */
  get address() {
    const { puzzle } = this.puzzle, words = new URLSearchParams();
    const name = Object.entries(this.puzzle.named).find(([, board]) => board === this.steps[0].position.board);
    words.set("board", name ? name[0] : this.steps[0].position.board);
    if (this.steps.length > 1) words.set("moves", this.steps.slice(1).map((step) => step.number).join("."));
    if (this.at < this.steps.length - 1) words.set("at", this.at);
    return `#${encodeURIComponent(puzzle)}?${words}`;
  }

  /* What an address says: the puzzle's name, and from what board which moves were made. */
  static read(address) {
    const [name, words = ""] = address.replace(/^#/, "").split(/\?(.*)/s), said = new URLSearchParams(words);
    let puzzle = name;
    try {
      puzzle = decodeURIComponent(name);
    } catch { /* then there is no such puzzle, and that is said */ }
    const moves = said.get("moves")?.split(".").map(Number) ?? [], at = said.get("at");
    return { puzzle, board: said.get("board"), moves, at: Number(at ?? NaN) };
  }
}
