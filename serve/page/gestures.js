/* gestures.js -- mouse, finger and keys on a board choose among its legal moves
 *
 * A piece is dragged along one of its ways, or tapped and then the place where it is to go; what has one move only is
 * moved by a tap. With keys, arrows lead a cursor, Enter takes hold, and arrows move what is held; where a direction
 * says it all, they move at once. `act` says what follows: act.take(move), act.choose(cell, moves), act.takeOut(cell).
 */
import { say } from "./dom.js";
import { t } from "./text.js";

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const NEAR = 6; /* pixels that are no drag yet */

export class Gestures {
  constructor(view, act) {
    Object.assign(this, { view, act, scene: null, cursor: null, held: null, pull: null, focused: false,
      steered: false, follow: null });
    const { element } = view;
    element.setAttribute("tabindex", "0");
    element.setAttribute("role", "application");
    for (const [type, handle] of Object.entries({
      pointerdown: this.#down, pointermove: this.#move, pointerup: this.#up, pointercancel: this.#cancel,
        keydown: this.#key,
      focus: this.#focus, blur: this.#blur,
    })) element.addEventListener(type, handle.bind(this));
  }

  /* The board has changed. What is held and pointed at goes with the piece that was moved. */
  begin(scene, fresh) {
    this.scene = scene;
    this.pull = null;
    if (fresh) [this.cursor, this.held] = [null, null];
    if (fresh || scene.moves.length > 1) this.steered = scene.steered && scene.moves.length > 1;
    if (this.follow !== null) {
      if (this.held !== null) this.held = scene.travels(this.follow).length > 0 ? this.follow : null;
      if (this.cursor !== null) this.cursor = this.follow;
    } else if (this.held !== null && scene.travels(this.held).length === 0) this.held = null;
    this.follow = null;
    this.draw();
  }

  /* What is to be marked, the hints that are shown included. */
  draw(hints = this.hints ?? {}) {
    this.hints = hints;
    const marks = { ...hints, held: [], aim: [], cursor: [] };
    if (this.held !== null) {
      marks.held = this.#piece(this.held);
      for (const m of this.scene.travels(this.held))
        marks.aim.push(...this.scene.move(m).trips.get(this.scene.picture.pieces[this.held]).cells.filter((cell) =>
          !marks.held.includes(cell)));
    }
    if (this.focused && this.cursor !== null) marks.cursor = [this.cursor];
    this.view.element.dataset.cursor = this.cursor ?? "";
    this.view.mark(marks);
  }

  #piece(cell) {
    const { pieces } = this.scene.picture;
    return pieces[cell] < 0 ? [cell] : [...pieces.keys()].filter((other) => pieces[other] === pieces[cell]);
  }

  /* -- tapping -- */

  /* Makes a move of the piece on a cell. Only arrows go on moving it, so what was held is let go of else. */
  #take(move, cell, goesOn = false) {
    const trip = this.scene.move(move).trips.get(this.scene.picture.pieces[cell]);
    this.follow = trip ? trip.cells[0] : cell;
    if (!goesOn) this.held = null;
    this.act.take(move);
  }

  use(cell) {
    const { scene } = this, to = this.held === null ? null : scene.moveTo(this.held, cell);
    if (to !== null) {
      this.#take(to, this.held);
      return;
    }
    const again = this.held !== null && this.#piece(this.held).includes(cell);
    this.held = null;
    const moves = again ? [] : scene.at(cell);
    if (again || this.act.takeOut(cell)) say(t("let go"));
    else if (moves.length === 0) say(t(scene.position.solved ? "solved" : "cannot move"));
    else if (moves.length === 1) this.#take(moves[0], cell);
    else if (scene.travels(cell).length > 0) {
      this.held = cell;
      say(t("held"));
    } else this.act.choose(cell, moves);
    this.draw();
  }

  /* -- dragging -- */

  #down(event) {
    if (!event.isPrimary || event.button !== 0) return;
    const cell = this.view.cellAt(event.clientX, event.clientY);
    if (cell === null || this.scene === null) return;
    this.view.element.setPointerCapture(event.pointerId);
    this.pull = { cell, x: event.clientX, y: event.clientY, ways: this.scene.travels(cell), move: null, share: 0,
      far: false };
    this.cursor = cell;
  }

  #move(event) {
    const { pull, scene, view } = this;
    if (pull === null || !event.isPrimary) return;
    const [x, y] = [event.clientX - pull.x, event.clientY - pull.y];
    pull.far ||= Math.hypot(x, y) > NEAR;
    if (!pull.far || pull.ways.length === 0) return;
    const piece = scene.picture.pieces[pull.cell], [px, py] = [x * view.scale, y * view.scale];
    const ways = pull.ways.map((m) => {
      const [dx, dy] = view.units(scene.move(m).trips.get(piece).by), whole = (px * dx + py * dy) / (dx * dx + dy * dy);
      const share = Math.max(0, Math.min(1, whole));
      return { m, share, whole, away: Math.hypot(px - share * dx, py - share * dy) + scene.move(m).changed.size / 100 };
    });
    const [best] = ways.sort((a, b) => a.away - b.away);
    if (pull.move !== null && pull.move !== best.m) view.drag(scene.move(pull.move).trips, null);
    Object.assign(pull, { move: best.m, share: best.share });
    view.drag(scene.move(best.m).trips, best.share);
    if (best.whole > 1.3) this.#on(best.m, event);
  }

  /* Dragged past the end of a way: the move is made, and the piece can be dragged on. */
  #on(move, event) {
    const { cell } = this.pull, { cells } = this.scene.move(move).trips.get(this.scene.picture.pieces[cell]);
    this.#drop();
    this.#take(move, cell);
    this.act.whenReady(() => {
      if (this.scene.position.moves.length > 0 && this.view.element.hasPointerCapture(event.pointerId))
        this.pull = { cell: cells[0], x: event.clientX, y: event.clientY, ways: this.scene.travels(cells[0]),
          move: null, share: 0, far: true };
    });
  }

  #up(event) {
    const { pull } = this;
    if (pull === null || !event.isPrimary) return;
    if (!pull.far) {
      this.pull = null;
      this.use(pull.cell);
    } else if (pull.move !== null && pull.share > 0.4) {
      this.#drop();
      this.#take(pull.move, pull.cell);
    } else this.#drop();
  }

  #cancel() {
    this.#drop();
  }

  /* Lets go of what is dragged: it glides to where it is. */
  #drop() {
    const { pull } = this;
    this.pull = null;
    if (pull?.move != null && this.scene !== null) this.view.drag(this.scene.move(pull.move).trips, null);
  }

  /* -- keys -- */

  #focus() {
    this.focused = this.view.element.matches(":focus-visible");
    const first = [...this.scene.picture.cells.keys()].find((cell) => this.scene.at(cell).length > 0);
    if (this.focused && !this.steered) this.cursor ??= first ?? null;
    this.draw();
  }

  #blur() {
    this.focused = false;
    this.draw();
  }

  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || this.scene === null) return;
    this.focused = true;
    const done = event.key in ARROWS ? this.#arrow(ARROWS[event.key])
      : event.key === "Enter" || event.key === " " ? this.#enter()
      : event.key === "Escape" && this.held !== null ? this.#release()
      : event.key === "Backspace" || event.key === "Delete" ? this.cursor !== null && this.act.takeOut(this.cursor)
      : event.key.length === 1 && this.#type(event.key);
    if (!done) return;
    event.preventDefault();
    event.stopPropagation();
  }

  #enter() {
    if (this.cursor !== null) this.use(this.cursor);
    return true;
  }

  #release() {
    this.held = null;
    this.draw();
    return true;
  }

  #arrow(direction) {
    const { scene } = this, move = this.held !== null || this.steered ? scene.straight(direction, this.held) : null;
    if (move !== null) this.#take(move, this.held ?? this.cursor, true);
    else if (this.steered && this.held === null) say(t("cannot move"));
    else this.#step(direction);
    return true;
  }

  /* The cursor goes to the next cell in a direction; where a piece is held, to the next one that it can go to. */
  #step([down, right]) {
    const { picture } = this.scene, { columns } = picture, from = this.cursor ?? this.held;
    let [best, least] = [null, Infinity];
    picture.cells.forEach((cell, number) => {
      if (cell === null || cell.wall || (this.held !== null && this.scene.moveTo(this.held, number) === null)) return;
      if (picture.lines && this.scene.at(number).length === 0) return;
      const rows = Math.floor(number / columns) - Math.floor(from / columns),
        across = number % columns - from % columns;
      const along = rows * down + across * right, cost = along + 8 * (Math.abs(rows * right) + Math.abs(across * down));
      if (along > 0 && cost < least) [best, least] = [number, cost];
    });
    if (from === null) this.#focus();
    else if (best !== null) this.cursor = best;
    this.draw();
    if (this.cursor !== null) say(this.describe(this.cursor));
  }

  /* A character: the value that is to stand where the cursor is. Where values are typed it is never anything else. */
  #type(key) {
    const { scene, cursor } = this;
    if (!scene.puzzle.unordered) return false;
    const move = cursor === null ? undefined : scene.at(cursor).find((m) =>
      scene.codeAfter(m, cursor).toLowerCase() === key.toLowerCase());
    if (move !== undefined) this.act.take(move);
    else say(t("no value", { value: key }));
    return true;
  }

  /* A cell in words. */
  describe(cell) {
    const { picture } = this.scene, { columns } = picture, what = picture.cells[cell];
    const name = what.kind === null && !what.letter ? t("empty") : what.glyph.trim() || what.code;
    return `${t("cell", { row: Math.floor(cell / columns) + 1, column: cell % columns + 1 })}: ${name}` +
      (this.scene.at(cell).length > 0 ? `, ${t("can move")}` : "");
  }
}
