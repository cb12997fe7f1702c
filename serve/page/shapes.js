/* shapes.js -- outlines of cells that belong together, glyphs that are lines, the lines of a graph, stickers, exits, waves */

/* Right, down, left, up, as a clockwise outline goes; what is to the right hand of a direction is the next one. */
const STEP = [[0, 1], [1, 0], [0, -1], [-1, 0]];
/* The cells ahead of a corner of the grid on the left and the right hand, as it is left in each direction. */
const AHEAD = [[[-1, 0], [0, 0]], [[0, 0], [0, -1]], [[0, -1], [-1, -1]], [[-1, -1], [-1, 0]]];

/* The outline of the cells for which inside(row, column) holds, every cell `size` wide and drawn in by `inset`, with
 * round corners. It follows the edges of the grid, from every upper edge that no loop has passed yet. */
export function outline(rows, columns, inside, size, inset, radius) {
  const passed = new Set();
  let path = "";
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      if (!inside(row, column) || inside(row - 1, column) || passed.has(row * columns + column)) continue;
      let [r, c, direction, command] = [row, column, 0, "M"];
      do {
        if (direction === 0) passed.add(r * columns + c);
        const came = direction;
        r += STEP[came][0];
        c += STEP[came][1];
        const [left, right] = AHEAD[came].map(([down, across]) => inside(r + down, c + across));
        if (!right) direction = (came + 1) % 4;
        else if (left) direction = (came + 3) % 4;
        if (direction === came) continue;
        const into = [STEP[(came + 1) % 4], STEP[(direction + 1) % 4]]; /* where the inside is */
        const x = c * size + inset * (into[0][1] + into[1][1]), y = r * size + inset * (into[0][0] + into[1][0]);
        path += `${command}${x - radius * STEP[came][1]} ${y - radius * STEP[came][0]}Q${x} ${y} ` +
          `${x + radius * STEP[direction][1]} ${y + radius * STEP[direction][0]}`;
        command = "L";
      } while (r !== row || c !== column || direction !== 0);
      path += "Z";
    }
  return path;
}

const LINES = {
  "─━": "lr", "│┃": "ud", "┌┏╭": "dr", "┐┓╮": "ld", "└┗╰": "ur", "┘┛╯": "ul", "├┣": "udr", "┤┫": "udl",
  "┬┳": "lrd", "┴┻": "lru", "┼╋": "lrud", "║∥": "|", "═": "=",
};

/* The path of a glyph that consists of lines, in a cell of this size; null for any other glyph. */
export function lineGlyph(glyph, size, inset) {
  const key = glyph === "" ? undefined : Object.keys(LINES).find((glyphs) => glyphs.includes(glyph));
  const half = size / 2, apart = size / 11, from = inset, to = size - inset;
  if (key === undefined) return null;
  if (LINES[key] === "|") return `M${half - apart} ${from}V${to}M${half + apart} ${from}V${to}`;
  if (LINES[key] === "=") return `M${from} ${half - apart}H${to}M${from} ${half + apart}H${to}`;
  const ends = { u: [half, from], d: [half, to], l: [from, half], r: [to, half] };
  const [first, ...others] = LINES[key];
  return `M${ends[first]}L${half} ${half}` + others.map((end, i) =>
    `${i > 0 ? `M${half} ${half}` : ""}L${ends[end]}`).join("");
}

/* A line between two points, bent to its left hand by `bend` in the middle; and an arrow there, where it is one-way. */
export function link([x, y], [toX, toY], bend, arrow) {
  const length = Math.hypot(toX - x, toY - y), [alongX, alongY] = [(toX - x) / length, (toY - y) / length];
  const [middleX, middleY] = [(x + toX) / 2 + alongY * bend, (y + toY) / 2 - alongX * bend];
  const point = (along, aside) =>
    `${middleX + along * alongX - aside * alongY} ${middleY + along * alongY + aside * alongX}`;
  return {
    line: `M${x} ${y}` + (bend === 0 ? `L${toX} ${toY}` : `Q${point(0, -bend)} ${toX} ${toY}`),
    arrow: arrow ? `M${point(9, 0)}L${point(-8, 7)}L${point(-8, -7)}Z` : "",
  };
}

/* The mean of some points, each counted once. */
export function middleOf(points) {
  const apart = points.filter((point, i) => points.findIndex((other) => String(other) === String(point)) === i);
  return [0, 1].map((i) => apart.reduce((sum, point) => sum + point[i], 0) / apart.length);
}

/* The path of a polygon. */
export const polygon = (points) => `M${points.map((point) => point.join(" ")).join("L")}Z`;

/* The corners of a cell's sticker, seen from the cell's own corner. Triangles point up and down in turn; diamonds reach
 * as far as the middles of the cells beside theirs, but not out of their face, which is all that hangs together by
 * corners. */
export function cornersOf(net, { rows, columns, there, across, down, size }) {
  const place = (cell) => [Math.floor(cell / columns), cell % columns];
  const triangle = (cell) => {
    const [row, column] = place(cell), [base, tip] = (row + column) % 2 === 0 ? [down, 0] : [0, down];
    return [[0, base], [size / 2, tip], [size, base]];
  };
  const diamond = (cell) => {
    const face = [place(cell)];
    for (const [row, column] of face) /* which grows meanwhile */
      for (const [r, c] of [[row - 1, column - 1], [row - 1, column + 1], [row + 1, column - 1], [row + 1, column + 1]])
        if (r >= 0 && r < rows && c >= 0 && c < columns && there(r * columns + c) &&
          !face.some((other) => other[0] === r && other[1] === c)) face.push([r, c]);
    const reach = (way, i) => {
      const ends = face.map((other) => other[i] - place(cell)[i]);
      return Math.min(Math.max(way, Math.min(...ends)), Math.max(...ends));
    };
    return STEP.map(([rowWise, columnWise]) =>
      [size / 2 + across * reach(columnWise, 1), size / 2 + down * reach(rowWise, 0)]);
  };
  return net === "triangles" ? triangle : diamond;
}

/* A gap in a board's rim from one place of an edge to another, and an arrow that leads out there. An edge is
 * [where it is, which way leads out of it]; upright says that it is on the left or the right. */
export function exit(upright, [edge, out], begin, end, rim) {
  const points = (...pairs) => polygon(pairs.map(([far, along]) =>
    (upright ? [edge + out * far, along] : [along, edge + out * far])));
  const middle = (begin + end) / 2;
  return { gap: points([0, begin], [0, end], [rim, end], [rim, begin]),
    arrow: points([rim + 2, middle - 10], [rim + 14, middle], [rim + 2, middle + 10]) };
}

/* The wave of a river in a cell of this size, whose corner is at (x, y). */
export const wave = (x, y, size) =>
  `M${x} ${y + size / 2}q${size / 8} ${-size / 8} ${size / 4} 0` + `t${size / 4} 0`.repeat(3);
