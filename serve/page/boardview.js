/* boardview.js -- a board as a picture whose pieces move
 *
 * Below lies the ground (a tray, cells, lines of a graph), then the pieces, each an element of its own that a style
 * takes to its place, so that it glides there; above them frames and the walls of vessels, and the marks:
 * what is pointed at, held, aimed at.
 */
import { h } from "./dom.js";
import { layoutOf, piecesOf } from "./picture.js";
import { matchPieces } from "./scene.js";
import { exit, lineGlyph, link, outline, polygon, wave } from "./shapes.js";

const GAP = 2, RADIUS = 8;
const isRound = (cell) => cell !== null && /^[●○]$/.test(cell.glyph);

export class BoardView {
  constructor(puzzle) {
    this.puzzle = puzzle;
    this.glass = puzzle.symbols.some(({ shape }) => shape === "glass"); /* columns are vessels */
    this.element = h("svg", { class: "board" });
    this.layers = ["ground", "below", "pieces", "over", "marks"].map((name) => h("g", { class: name }));
    this.element.append(...this.layers);
    this.picture = null;
  }

  /* Shows a picture; where it is what a move made of the one before, `from` is the cell that it is taken hold of. */
  show(picture, from) {
    const before = this.picture, [ground, , pieces, over] = this.layers;
    const glides = before !== null && from !== undefined && before.rows === picture.rows &&
      before.columns === picture.columns;
    this.picture = picture;
    if (!glides) this.#measure(picture);
    this.round = picture.cells.some(isRound) || this.layout.graph;
    ground.replaceChildren(...this.#ground(picture));
    over.replaceChildren(...this.#frames(), ...this.glass ? this.#walls(picture) : []);
    if (picture.lines) {
      pieces.replaceChildren(...this.#letters(picture));
      return;
    }
    const { old, young, pairs } = glides ? matchPieces(this.puzzle, before, picture, from)
      : { old: [], young: piecesOf(picture), pairs: [] };
    const stays = new Map(pairs.map(([o, y]) => [y, o])), elements = this.pieces ?? [];
    const going = new Set(pairs.map(([o]) => o));
    if (!glides) pieces.replaceChildren();
    for (const o of old.keys()) if (!going.has(o)) this.#leave(elements[o]);
    this.pieces = young.map((piece, y) => {
      const o = stays.get(y), element = o === undefined ? this.#enter(glides) : elements[o];
      const same = o !== undefined && piece.cells.length === old[o].cells.length &&
        piece.cells.every((cell, i) => before.cells[old[o].cells[i]].code === picture.cells[cell].code);
      if (!same) this.#dress(element, picture, piece);
      if (o !== undefined && old[o].cells[0] !== piece.cells[0]) pieces.append(element); /* over those that stay */
      element.classList.remove("dragged");
      this.#place(element, piece.cells[0]);
      return element;
    });
  }

  #measure(picture) {
    this.layout = layoutOf(this.puzzle, picture);
    this.element.setAttribute("viewBox", `0 0 ${this.layout.width} ${this.layout.height}`);
    this.element.style.setProperty("--ratio", this.layout.width / this.layout.height);
    this.element.style.setProperty("--across", this.layout.width);
    this.pieces = null;
  }

  #place(element, cell, [dx, dy] = [0, 0]) {
    element.style.transform = `translate(${this.layout.x(cell) + dx}px, ${this.layout.y(cell) + dy}px)`;
  }

  #enter(glides) {
    const element = h("g", { class: glides ? "piece comes" : "piece" });
    this.layers[2].append(element);
    return element;
  }

  #leave(element) {
    element.classList.add("goes");
    this.layers[1].append(element); /* below what comes in its place */
    setTimeout(() => element.remove(), 200);
  }

  /* -- the ground -- */

  /* The shape of a cell, as a piece of its own at (0, 0). */
  #shape(cell, inset, attributes = {}, [x, y] = [this.layout.x(cell), this.layout.y(cell)]) {
    const { size, corners } = this.layout;
    if (corners !== null)
      return h("path", { d: polygon(corners(cell).map(([right, below]) => [x + right, y + below])), ...attributes });
    return this.round ? h("circle", { cx: x + size / 2, cy: y + size / 2, r: size * 0.42 - inset, ...attributes })
      : h("rect", { x: x + inset, y: y + inset, width: size - 2 * inset, height: size - 2 * inset, rx: RADIUS - inset,
        ...attributes });
  }

  #ground(picture) {
    const { rows, columns, size, margin, rim, graph, bare, there } = this.layout, parts = [];
    if (picture.lines) return parts;
    if (graph) parts.push(...this.#links(picture));
    else if (!bare && !this.glass) {
      const inside = (row, column) =>
        row >= 0 && column >= 0 && row < rows && column < columns && there(row * columns + column);
      parts.push(h("path", {
        class: "tray", transform: `translate(${margin} ${margin})`,
          d: outline(rows, columns, inside, size, -rim, RADIUS + rim / 2),
      }));
    }
    parts.push(...this.#exits());
    picture.cells.forEach((cell, number) => {
      if (cell === null || !there(number)) return;
      if (this.layout.bars || (this.glass && !cell.mark)) { /* a rod where no bar is, or air */
        const rod = this.layout.bars && cell.kind === null, wide = rod ? 6 : size;
        parts.push(h("rect", { class: rod ? "rod" : "air", "data-cell": number, width: wide, rx: 3,
          x: this.layout.x(number) + (size - wide) / 2, y: this.layout.y(number), height: this.layout.down }));
        return;
      }
      const odd = (number + Math.floor(number / columns) * (columns + 1)) % 2;
      const kind = cell.wall ? "wall" : picture.chess ? `square ${odd ? "odd" : "even"}`
        : cell.any ? "empty any" : "empty";
      if (picture.chess) parts.push(h("rect",
        { class: kind, "data-cell": number, x: this.layout.x(number), y: this.layout.y(number), width: size,
        height: size }));
      else parts.push(this.#shape(number, cell.wall ? 0 : GAP, { class: kind, "data-cell": number }));
      const [x, y] = [this.layout.x(number), this.layout.y(number)];
      if (cell.mark && cell.shape) parts.push(...this.#figure(cell, x, y));
      else if (cell.mark) parts.push(this.#text(cell.glyph, ...this.layout.middle(number), "mark"));
    });
    return parts;
  }

  #frames() {
    const { size, rim } = this.layout, [x, y] = [this.layout.columnX, this.layout.rowY];
    return this.puzzle.frames.map(({ top, left, bottom, right }) => h("rect", {
      class: "cell-frame", x: x(left) - rim / 2, y: y(top) - rim / 2, rx: RADIUS, width: x(right) + size + rim - x(left),
      height: y(bottom) + size + rim - y(top) }));
  }

  /* The walls of vessels, a mark on them for each cell, and their bottoms. */
  #walls({ cells, columns }) {
    const { size, x, y } = this.layout, inset = size / 8, wide = size - 2 * inset;
    const holds = (cell) => ["glass", "water"].includes(cells[cell]?.shape);
    return cells.map((_, cell) => holds(cell) && h("path", { class: "shape-walls",
      d: `M${x(cell) + inset} ${y(cell)}v${size}m${wide} 0v${-size}` +
        (holds(cell - columns) ? `M${x(cell) + inset} ${y(cell)}h${wide / 5}` : "") +
        (holds(cell + columns) ? "" : `M${x(cell) + inset} ${y(cell) + size}h${wide}`) })).filter(Boolean);
  }

  /* A symbol with a shape of its own, in the cell whose corner is at (x, y). */
  #figure({ shape, figure, glyph, colour }, x, y) {
    const { size } = this.layout, inset = this.glass ? size / 8 : 0;
    if (shape === "label") return [this.#text(glyph, x + size / 2, y + size / 2, "shape-label")];
    if (figure !== undefined)
      return [h("path", { class: "shape", d: figure, fill: colour, "fill-rule": "evenodd",
        transform: `translate(${x} ${y}) scale(${size / 100})` })];
    if (shape !== "water") return [];
    const water = h("rect",
      { class: "shape-water", x: x + inset, y, width: size - 2 * inset, height: size, fill: colour });
    return [water, ...this.glass ? [] : [h("path", { class: "shape-wave", d: wave(x, y, size) })]];
  }

  /* Where ways lead out; those beside one another are one. */
  #exits() {
    const { rows, columns, across, down, size, margin, rim, bare } = this.layout;
    return this.puzzle.exits.flatMap(({ side, at }) => {
      const there = (place) => this.puzzle.exits.some((other) => other.side === side && other.at === place);
      if (there(at - 1)) return [];
      let last = at;
      while (there(last + 1)) last++;
      const upright = side === "left" || side === "right", step = upright ? down : across;
      const edge = side === "left" || side === "top" ? [margin, -1]
        : [margin + (upright ? (columns - 1) * across : (rows - 1) * down) + size, 1];
      const { gap, arrow } = exit(upright, edge, margin + at * step, margin + last * step + size, rim);
      return [...bare || this.layout.graph ? [] : [h("path", { class: "gap", d: gap })],
        h("path", { class: "exit", d: arrow })];
    });
  }

  #links(picture) {
    const { columns, across, there, middle } = this.layout, joined = new Set(this.puzzle.joined.map(String));
    const blocked = (from, to) => {
      const [rows, on] = [Math.floor(to / columns) - Math.floor(from / columns), to % columns - from % columns];
      const steps = Math.max(Math.abs(rows), Math.abs(on));
      for (let i = 1; i < steps; i++)
        if (rows * i % steps === 0 && on * i % steps === 0 &&
          there(from + rows * i / steps * columns + on * i / steps)) return true;
      return false;
    };
    return this.puzzle.joined.filter(([from, to]) =>
      from < to || !joined.has(String([to, from]))).flatMap(([from, to]) => {
      const [a, b] = [middle(from), middle(to)],
        bend = blocked(from, to) ? across * 0.3 + Math.hypot(a[0] - b[0], a[1] - b[1]) / 8 : 0;
      const drawn = link(a, b, bend, !joined.has(String([to, from])));
      return [h("path", { class: "link", d: drawn.line }),
        drawn.arrow && h("path", { class: "arrow", d: drawn.arrow })];
    }).filter(Boolean);
  }

  /* -- pieces -- */

  #text(glyph, x, y, name, attributes = {}) {
    const size = name === "mark" ? this.layout.size * 0.4 : this.layout.font;
    return h("text", { class: name, x, y, dy: "0.35em", "text-anchor": "middle", "font-size": size, ...attributes },
      glyph);
  }

  #letters(picture) {
    const { across, down } = this.layout;
    return picture.cells.flatMap((cell, number) => {
      const [x, y] = [this.layout.x(number), this.layout.y(number)];
      if (cell === null) return [];
      return cell.code === "." ? h("rect",
        { class: "empty", "data-cell": number, x: x + 1, y: y + 6, width: across - 2, height: down - 12, rx: 6 })
        : this.#text(cell.glyph, ...this.layout.middle(number), "letter");
    });
  }

  #dress(element, picture, piece) {
    const { colour, ink } = picture.cells[piece.cells[0]];
    element.replaceChildren(...this.#piece(picture, piece));
    if (this.puzzle.unordered || picture.chess) return;
    element.style.setProperty("--colour", colour);
    element.style.setProperty("--glyph", ink);
  }

  /* The shape of a piece, its first cell at (0, 0). */
  #outline(piece, inset, attributes) {
    const { columns, size } = this.layout, [first] = piece.cells;
    const at = piece.cells.map((cell) =>
      [Math.floor(cell / columns) - Math.floor(first / columns), cell % columns - first % columns]);
    const left = Math.min(...at.map(([, column]) => column)), rows = at.at(-1)[0] + 1;
    const wide = Math.max(...at.map(([, column]) => column)) - left + 1;
    const inside = (row, column) => at.some(([r, c]) => r === row && c - left === column);
    return h("path", { transform: `translate(${left * size} 0)`,
      d: outline(rows, wide, inside, size, inset, RADIUS - inset), ...attributes });
  }

  #piece(picture, piece) {
    const { columns, size, flat, middle } = this.layout, [first] = piece.cells, cell = picture.cells[first], parts = [];
    const from = [this.layout.x(first), this.layout.y(first)];
    if (picture.chess) { /* the white ones are the black ones in white, so that they are filled */
      const point = cell.glyph.codePointAt(0), white = point < 0x265a;
      return [this.#text(String.fromCodePoint(point + (white ? 6 : 0), 0xfe0e), size / 2, size / 2,
        white ? "figure white" : "figure")];
    }
    if (cell.shape) return this.#figure(cell, 0, 0);
    if (cell.bar) {
      const { across, down } = this.layout, wide = (across - 6) * (0.25 + 0.75 * cell.bar);
      return [...["side", "face"].map((name) => h("rect",
        { class: name, x: (size - wide) / 2, y: 1, width: wide, height: down - 4, rx: RADIUS })),
      this.#text(cell.glyph, size / 2, down / 2, "glyph", { "font-size": down * 0.6 })];
    }
    for (const name of flat ? ["face flat"] : ["side", "face"])
      parts.push(piece.cells.length === 1 ? this.#shape(first, GAP, { class: name }, [0, 0])
        : this.#outline(piece, GAP, { class: name }));
    if (cell.turn !== undefined)
      parts.push(h("path", {
        class: "twist", transform: `rotate(${cell.turn} ${size / 2} ${size / 2})`, d: `M${size / 2 - 7} 5h14l-7 8z`,
      }));
    const [right, bottom] = [Math.max(...piece.cells.map((c) => c % columns)),
      Math.floor(piece.cells.at(-1) / columns)];
    const rectangle = piece.cells.length === (right - first % columns + 1) * (bottom - Math.floor(first / columns) + 1);
    const one = rectangle && lineGlyph(cell.glyph, size, GAP) === null &&
      piece.cells.every((c) => picture.cells[c].glyph === cell.glyph);
    for (const number of one ? [first] : piece.cells) {
      const ends = [number, one ? bottom * columns + right : number].map(middle);
      const [x, y] = [0, 1].map((i) => (ends[0][i] + ends[1][i]) / 2 - from[i]);
      const { glyph } = picture.cells[number], lines = lineGlyph(glyph, size, GAP);
      if (lines !== null)
        parts.push(h("path", { class: "lines", transform: `translate(${x - size / 2} ${y - size / 2})`, d: lines }));
      else if (!isRound(picture.cells[number])) parts.push(this.#text(glyph, x, y, "glyph"));
    }
    return parts;
  }

  /* -- what is pointed at -- */

  /* The cell at a point of the window; null beside all cells. */
  cellAt(clientX, clientY) {
    const point = new DOMPoint(clientX, clientY).matrixTransform(this.element.getScreenCTM().inverse());
    const { wide, high } = this.layout;
    let [best, least] = [null, 0.75];
    this.picture.cells.forEach((cell, number) => {
      if (cell === null || cell.wall) return;
      const [x, y] = this.layout.middle(number), away = Math.hypot((point.x - x) / wide, (point.y - y) / high);
      if (away < least) [best, least] = [number, away];
    });
    return best;
  }

  /* How far the window's units lead in those of the drawing. */
  get scale() {
    return this.layout.width / this.element.getBoundingClientRect().width;
  }

  /* A vector of cells in the drawing's units. */
  units([down, right]) {
    return [right * this.layout.across, down * this.layout.down];
  }

  /* Takes a piece, and others that go with it, a share of their ways; null lets it go. */
  drag(trips, share) {
    const pieces = piecesOf(this.picture);
    for (const [piece, { by }] of trips) {
      const [dx, dy] = this.units(by);
      this.pieces[piece].classList.toggle("dragged", share !== null);
      this.#place(this.pieces[piece], pieces[piece].cells[0], [dx * (share ?? 0), dy * (share ?? 0)]);
    }
  }

  /* Marks cells: { cursor: cells, held: cells, aim: cells, hint: cells, best: cells }. */
  mark(marks) {
    const { size, across, down } = this.layout;
    const parts = Object.entries(marks).flatMap(([name, cells]) => cells.map((cell) => {
      const [x, y] = [this.layout.x(cell), this.layout.y(cell)], [cx, cy] = this.layout.middle(cell);
      if (this.picture.lines) return h("rect", { class: name, x, y: y + 4, width: across, height: down - 8, rx: 4 });
      return name === "aim" || name === "best"
        ? h("circle", { class: name, cx, cy, r: size * 0.14 })
        : this.#shape(cell, 4, { class: name });
    }));
    this.layers[4].replaceChildren(...parts);
  }
}
