/* scene.js -- which moves belong to which cells of a board
 *
 * What a move does is seen from the pictures before and after it, so nothing here knows a puzzle's rules. A move is
 * taken hold of where the server says so (`from`), or else at every cell that it changes. Where it takes a piece
 * somewhere, that can be dragged there.
 */
import { filledCell, pictureOf, piecesOf } from "./picture.js";

const far = (columns, a, b) =>
  Math.hypot(Math.floor(a / columns) - Math.floor(b / columns), a % columns - b % columns);

/* Which piece of the one picture is which of the other: pairs of numbers. Those that stay are themselves; of the others
 * those that look alike and lie nearest to each other. Where a cell is taken hold of, one piece goes and others may
 * vanish; else pieces go only where none of their sort vanishes or appears. Which sticker of a net came from where, its
 * colour does not tell. */
export function matchPieces(puzzle, before, after, from) {
  const [old, young] = [piecesOf(before), piecesOf(after)];
  const pairs = [], [oldLeft, youngLeft] = [new Set(old.keys()), new Set(young.keys())];
  const pair = (o, y) => {
    pairs.push([o, y]);
    oldLeft.delete(o);
    youngLeft.delete(y);
  };
  for (const o of old.keys()) {
    const y = after.pieces[old[o].cells[0]];
    if (y >= 0 && young[y].cells[0] === old[o].cells[0] && young[y].key === old[o].key) pair(o, y);
  }
  if (puzzle.unordered || puzzle.family === "flip" || puzzle.net !== null) return { old, young, pairs };
  const alike = (o, y) => young[y].key === old[o].key, fresh = (_, y) => !old.some(({ key }) => key === young[y].key);
  const nearest = (olds, fits = alike) => {
    const ways = olds.flatMap((o) => [...youngLeft].filter((y) => fits(o, y)).map((y) =>
      [far(before.columns, old[o].cells[0], young[y].cells[0]), o, y]));
    for (const [, o, y] of ways.sort((a, b) => a[0] - b[0])) if (oldLeft.has(o) && youngLeft.has(y)) pair(o, y);
  };
  const count = (left, list, key) => [...left].filter((piece) => list[piece].key === key).length;
  if (from !== null) {
    const held = () => [before.pieces[from]].filter((o) => oldLeft.has(o));
    nearest(held());
    nearest(held(), fresh); /* it looks otherwise where it comes to: a man on a target */
    nearest(held(), () => true);
  }
  else nearest([...oldLeft].filter((o) => count(oldLeft, old, old[o].key) === count(youngLeft, young, old[o].key)));
  if (from === null && oldLeft.size === 1 && youngLeft.size === 1) { /* one that looks otherwise where it comes to */
    const [o] = oldLeft, [y] = youngLeft;
    if (String(old[o].cells) !== String(young[y].cells)) pair(o, y);
  }
  return { old, young, pairs };
}

/* How far one group of cells lies from another, in the mean. */
function shift(columns, from, to) {
  const mean = (cells, of) => cells.reduce((sum, cell) => sum + of(cell), 0) / cells.length;
  const [row, column] = [(cell) => Math.floor(cell / columns), (cell) => cell % columns];
  return [mean(to, row) - mean(from, row), mean(to, column) - mean(from, column)];
}

export class Scene {
  #seen = [];
  #actor;

  constructor(puzzle, position) {
    this.puzzle = puzzle;
    this.position = position;
    this.picture = pictureOf(puzzle, position);
    this.moves = position.moves;
  }

  /* What a move does: the cells that it changes, where its pieces go, and in which direction it goes as a whole. */
  move(m) {
    return (this.#seen[m] ??= this.#look(this.moves[m]));
  }

  #look(move) {
    const { picture: before, puzzle } = this, { columns } = before;
    if (move.cells === undefined) return this.#fills(move);
    const after = pictureOf(puzzle, move);
    const from = this.#from(move);
    const { old, young, pairs } = matchPieces(puzzle, before, after, from);
    const trips = new Map();
    for (const [o, y] of pairs)
      if (old[o].cells[0] !== young[y].cells[0] || old[o].key !== young[y].key)
        trips.set(o, { cells: young[y].cells, by: shift(columns, old[o].cells, young[y].cells) });
    const full = (picture, cell) => picture.pieces[cell] >= 0;
    const changed = [...before.cells.keys()].filter((cell) => before.cells[cell]?.code !== after.cells[cell]?.code);
    const left = changed.filter((cell) => full(before, cell) && !full(after, cell));
    const filled = changed.filter((cell) => !full(before, cell) && full(after, cell));
    const way = trips.size === 1 ? [...trips.values()][0].by
      : left.length > 0 && filled.length > 0 && from === null ? shift(columns, left, filled) : null;
    return { after, from, trips, changed: new Set(changed), left, filled, way };
  }

  /* A move without a picture: of too many that would be, what can be told of each is the cell that it fills. */
  #fills(move) {
    const cell = filledCell(this.puzzle, this.position, move), filled = cell === null ? [] : [cell];
    return { after: null, from: this.#from(move), trips: new Map(), changed: new Set(filled), left: [], filled,
      way: null };
  }

  /* Where a move is taken hold of; the server counts in slots, which a sketch has not. */
  #from(move) {
    return this.position.sketch === undefined ? move.from : null;
  }

  /* What a move makes of a cell, as it is typed. */
  codeAfter(m, cell) {
    return this.move(m).after?.cells[cell].code ?? "Q";
  }

  /* The cell that all moves change, where there is one: who makes them stands there, whatever he looks like. */
  get actor() {
    if (this.#actor === undefined) {
      const moves = this.puzzle.family === "rules" ? [...this.moves.keys()] : [];
      const [first, ...others] = moves.map((m) => this.move(m).changed);
      const common = [...first ?? []].filter((cell) => others.every((changed) => changed.has(cell)));
      this.#actor = common.length === 1 ? common[0] : null;
    }
    return this.#actor;
  }

  /* The direction of a move as a whole; of a change around the actor, away from there. */
  way(m) {
    const { way, changed } = this.move(m), { actor } = this;
    return way !== null || actor === null || changed.size < 2 ? way
      : shift(this.picture.columns, [actor], [...changed].filter((cell) => cell !== actor));
  }

  /* Can a move be taken hold of at a cell? Does it bring the piece there to another cell? */
  holds(m, cell) {
    const { from, changed, trips } = this.move(m), piece = this.picture.pieces[cell];
    if (from === null) return changed.has(cell) || trips.has(piece);
    return cell === from || (piece >= 0 && piece === this.picture.pieces[from]);
  }

  brings(m, held, cell) {
    const piece = this.picture.pieces[held], trip = this.move(m).trips.get(piece);
    return trip !== undefined && trip.cells.includes(cell) && this.picture.pieces[cell] !== piece;
  }

  /* The moves at a cell: those that are taken hold of there, or else those that fill it. */
  at(cell) {
    const all = [...this.moves.keys()], held = all.filter((m) => this.holds(m, cell));
    return held.length > 0 ? held : all.filter((m) => this.move(m).filled.includes(cell));
  }

  /* Those that take the piece on a cell somewhere. */
  travels(cell) {
    const piece = this.picture.pieces[cell];
    return piece < 0 || this.puzzle.unordered ? []
      : [...this.moves.keys()].filter((m) => this.holds(m, cell) && this.move(m).trips.has(piece));
  }

  /* The move that takes the piece on one cell to another: of several, the one that changes least. */
  moveTo(held, cell) {
    const ways = this.travels(held).filter((m) => this.brings(m, held, cell));
    return ways.sort((a, b) => this.move(a).changed.size - this.move(b).changed.size)[0] ?? null;
  }

  /* The shortest move straight in a direction, of the piece on a cell or, with null, of any. */
  straight([down, right], held) {
    const along = (m) => {
      const way = held === null ? this.way(m) : this.move(m).trips.get(this.picture.pieces[held])?.by ?? null;
      return way !== null && Math.abs(way[0] * right) + Math.abs(way[1] * down) < 0.01
        ? way[0] * down + way[1] * right : 0;
    };
    const moves = held === null ? [...this.moves.keys()] : this.travels(held);
    return moves.filter((m) => along(m) > 0).sort((a, b) => along(a) - along(b))[0] ?? null;
  }

  /* Does a direction alone say which move is meant? So it is where all of them fill one gap, or one actor makes them,
   * and no two go the same way. */
  get steered() {
    if (this.puzzle.unordered) return false;
    const seen = [...this.moves.keys()].map((m) => this.move(m)), ways = [...seen.keys()].map((m) => this.way(m));
    const common = (cells) => seen.length > 0 &&
      cells(seen[0]).some((cell) => seen.every((move) => cells(move).includes(cell)));
    const straight = ways.every((way) => way !== null && (way[0] === 0) !== (way[1] === 0));
    return straight && new Set(ways.map((way) => way.map(Math.sign).join())).size === seen.length &&
      (this.actor !== null || common((move) => move.filled) || common((move) => move.left));
  }

  /* Are all moves of many places at once, which only a list can tell apart (a face that turns)? */
  get listed() {
    return !this.puzzle.unordered && this.moves.length > 0 &&
      this.moves.every((_, m) => this.move(m).from === null && this.way(m) === null &&
        (this.move(m).trips.size > 2 || this.move(m).trips.size === 0));
  }
}
