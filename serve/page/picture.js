/* picture.js -- what is to be seen of a position: cells, pieces, and where they stand
 *
 * A picture has rows and columns of cells: { glyph, code, kind, colour, ink, mark }, or null where there is none.
 * `kind` is null for what is empty, `any` says that a goal does not say what stands there. A puzzle that draws its
 * boards in lines of text has the characters as cells; where these are a grid with spaces between, it is a chess board
 * with pieces of one sort.
 */

import { cornersOf, middleOf } from "./shapes.js";

const UNIT = 60; /* of a cell, in the units of the drawing */

const WALL = { glyph: "", code: "#", kind: null, wall: true };
const ANY = { glyph: "", code: "*", kind: null, any: true };

/* The characters of a sketch whose lines are single characters with spaces between; null where it is none. */
function sketchedGrid(lines) {
  const rows = lines.map((line) => [...line]);
  const spaced = rows.every((row) => row.length === rows[0].length && row.length % 2 === 1 &&
    row.every((character, i) => (character === " ") === (i % 2 === 1)));
  return spaced ? rows.map((row) => row.filter((_, i) => i % 2 === 0)) : null;
}

function sketched(lines) {
  const grid = sketchedGrid(lines);
  const rows = grid ?? lines.map((line) => [...line]), columns = Math.max(...rows.map((row) => row.length));
  const cells = rows.flatMap((row) => Array.from({ length: columns }, (_, i) => row[i] ?? " ")).map((code) =>
    grid ? { glyph: code === "." ? "" : code === "Q" ? "♛" : code, code, kind: code === "." ? null : 0 }
      : code === " " ? null : { glyph: code, code, kind: null, letter: true });
  let pieces = 0;
  return {
    rows: rows.length, columns, cells, lines: grid === null, chess: grid !== null,
    pieces: cells.map((cell) => (cell !== null && cell.kind !== null ? pieces++ : -1)),
  };
}

/* A symbol of a tile that turns in its place: what its code says of that. `of` is how many ways there are. */
function twistOf(puzzle, symbol) {
  const of = puzzle.symbols.filter((other) => other.kind === symbol.kind).length;
  const base = symbol.kind === null ? null : puzzle.symbols[symbol.kind].glyph;
  const by = base !== null && symbol.glyph.startsWith(base) ? /^\+(\d+)$|^$/.exec(symbol.glyph.slice(base.length))
    : null;
  const named = puzzle.symbols.some((other) => other.kind === symbol.kind && other.glyph === `${base}+1`);
  return by !== null && named ? { glyph: base, turn: Number(by[1] ?? 0) * 360 / of } : {};
}

const isChess = (cell) => /^[\u2654-\u265f]$/u.test(cell.glyph);

/* The cell that a move fills where its picture would be too much to send: the board's text says what comes into which
 * slot, and on a chess board slots are rows, their values columns. Null where it is none. */
export function filledCell(puzzle, position, move) {
  const [now, then] = [position, move].map(({ board }) => codesOf(board)), rows = position.sketch ?? [];
  const values = puzzle.symbols.filter(({ kind }) => kind !== null).map(({ code }) => code);
  const slot = then.findIndex((code, i) => code !== now[i]), column = values.indexOf(then[slot]);
  const chess = rows.length === now.length && rows[0].length === values.length * 2 - 1;
  return chess && column >= 0 ? slot * values.length + column : null;
}

/* The parts of a board's text or of a code. */
export const codesOf = (text) => (text.includes(",") ? text.split(",") : [...text]);

/* The picture of a position, or of what a move leads to. */
export function pictureOf(puzzle, position) {
  if (position.sketch !== undefined) return sketched(position.sketch);
  const seen = new Map();
  const cellOf = (number) => {
    if (number === null) return ANY;
    if (number < 0) return puzzle.walls ? WALL : null;
    if (!seen.has(number)) seen.set(number, { ...puzzle.symbols[number], ...twistOf(puzzle, puzzle.symbols[number]) });
    return seen.get(number);
  };
  const things = puzzle.symbols.filter((symbol) => symbol.kind !== null);
  return {
    rows: puzzle.rows, columns: puzzle.columns, cells: position.cells.map(cellOf), pieces: position.pieces,
    lines: false,
    chess: puzzle.joined.length === 0 && things.length > 0 && things.every(isChess),
  };
}

/* The pieces of a picture, by number: their cells, and a key that is the same for pieces that look alike. */
export function piecesOf(picture) {
  const pieces = [];
  picture.pieces.forEach((number, cell) => {
    if (number >= 0) (pieces[number] ??= { cells: [] }).cells.push(cell);
  });
  for (const piece of pieces) {
    const [first] = piece.cells;
    piece.key = piece.cells.map((cell) => `${cell - first}:${picture.cells[cell].kind}`).join();
  }
  return pieces;
}

/* The columns that a text takes, where a letter takes one. */
const width = (text) => [...text].reduce((sum, letter) => sum + (letter > "\u2e7f" ? 2 : 1), 0);

/* Where the cells of such pictures stand: the corner of a cell, its size, the size of all. Stickers that are no squares
 * have `corners`, seen from there, and are `flat`. Around the cells are a rim and, where ways lead out, arrows. */
export function layoutOf(puzzle, picture) {
  const { rows, columns, cells } = picture, graph = !picture.lines && !picture.chess && puzzle.joined.length > 0;
  const there = (cell) => cells[cell] !== null && !(graph && cells[cell].wall);
  const beside = cells.some((_, cell) => there(cell) &&
    ((cell % columns > 0 && there(cell - 1)) || (cell >= columns && there(cell - columns))));
  const flat = !picture.lines && (puzzle.net === "triangles" || puzzle.net === "diamonds");
  const staggered = !picture.lines && !graph && !flat && !beside && cells.filter((_, cell) => there(cell)).length > 1;
  const bars = !picture.lines && puzzle.net === null && puzzle.symbols.some(({ bar }) => bar);
  let [across, down, size] = [UNIT, UNIT, UNIT];
  if (picture.lines) [across, down] = [UNIT * 0.62, UNIT * 1.2];
  else if (flat) [across, down] = puzzle.net === "triangles" ? [UNIT / 2, UNIT * 0.87] : [UNIT * 0.7, UNIT * 0.7];
  else if (bars) [across, down, size] = [UNIT * 2.4, UNIT * 0.6, UNIT * 0.6];
  else if (graph) across = down = UNIT * 1.75;
  else if (staggered && puzzle.triangular) [across, down] = [UNIT / 2, UNIT * 0.87];
  else if (staggered) [across, down, size] = [UNIT / 2, UNIT / 2, UNIT * 0.7];
  const rim = graph ? UNIT * 0.75 : staggered ? 2 : 8, margin = rim + (picture.lines || !puzzle.exits.length ? 0 : 18);
  const widest = Math.max(1, ...puzzle.symbols.filter((symbol) => symbol.kind !== null).map((symbol) =>
    width(twistOf(puzzle, symbol).glyph ?? symbol.glyph)));
  const twists = puzzle.symbols.some((symbol) => twistOf(puzzle, symbol).turn);
  const [wide, high] = picture.lines ? [across, down] : [size, puzzle.net === "triangles" ? down : size];
  const corners = flat ? cornersOf(puzzle.net, { rows, columns, there, across, down, size }) : null;
  const columnX = (column) => margin + column * across + (bars ? (across - size) / 2 : 0), rowY = (row) => margin + row * down;
  const x = (cell) => columnX(cell % columns), y = (cell) => rowY(Math.floor(cell / columns));
  return {
    rows, columns, across, down, size, wide, high, rim, margin, graph, flat, bare: staggered || flat || bars, bars, there, x, y,
    columnX, rowY,
    corners,
    font: picture.lines ? UNIT : picture.chess ? size * 0.8
      : Math.min(size * (flat ? 0.34 : 0.52), size * (twists ? 0.98 : 1.16) / widest),
    middle: (cell) => {
      const [right, below] = flat ? middleOf(corners(cell)) : [wide / 2, high / 2];
      return [x(cell) + right, y(cell) + below];
    },
    width: 2 * margin + (columns - 1) * across + (bars ? across : wide),
    height: 2 * margin + (rows - 1) * down + high,
  };
}
