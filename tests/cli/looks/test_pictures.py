"""How puzzles look, from outside: colours, legends, exits, names of cells, nets of stickers, pages of pictures."""

import itertools
import json
import re
import unittest

from helpers.harness import Case

# Faces of a cube: outward, and the directions to the right and down in the picture; where the face stands in the net.
FACES = {"U": ((0, 1, 0), (1, 0, 0), (0, 0, 1), (0, 1)), "L": ((-1, 0, 0), (0, 0, 1), (0, -1, 0), (1, 0)),
         "F": ((0, 0, 1), (1, 0, 0), (0, -1, 0), (1, 1)), "R": ((1, 0, 0), (0, 0, -1), (0, -1, 0), (1, 2)),
         "B": ((0, 0, -1), (-1, 0, 0), (0, -1, 0), (1, 3)), "D": ((0, -1, 0), (1, 0, 0), (0, 0, -1), (2, 1))}
COLOURS = {"U": "W", "L": "O", "F": "G", "R": "R", "B": "B", "D": "Y"}

GARAGE = """puzzle: garage
family: slide
axis: length
board: |
  A A v .
  . . v w
  . . . w
pieces: [AA, v/v, w/w]
goal: |
  * * A A
  * * * *
  * * * *
colours: {A: red, v: "#4477cc"}
legend: {A: the red car}
exit: {right: 1, bottom: 2-3}
boards:
  start: AAv./..vw/...w
"""

RING = """puzzle: ring
family: permute
places: a b c
twists: 2
generators: {m: (a+1 b+1 c)}
net:
  stickers: |
    a   b   c
    a+1 b+1 c+1
  colours: |
    W W R
    Y B G
colours: {W: white}
"""

MAZE = """puzzle: maze
family: rules
board: |
  @kD
  DkD
  kDx
state:
  man: cell
  open['D']: 0..1
  taken['k']: 0..1
  keys: 0..3
start: {man: "'@'"}
goal: man in 'x'
moves:
  - name: go {d}
    for: {d: direction}
    let: {n: "step[man, d]"}
    if: n != none and (not n in 'D' or open[n])
    do: man = n, keys = keys + 1 if n in 'k' and not taken[n] else keys, taken[c] = 1 for c in 'k' if c == n
  - name: open {d}
    for: {d: direction}
    let: {n: "step[man, d]"}
    if: n in 'D' and not open[n] and keys > 0
    do: open[n] = 1, keys = keys - 1
draw:
  for: {c: cell}
  show: {"@": c == man, D: "c in 'D' and not open[c]", k: "c in 'k' and not taken[c]", x: "c in 'x'"}
"""
ROBOT = """puzzle: robot
family: rules
board: |
  . . .
  . # .
  . . .
state: {at: cell, facing: direction, fuel: 0..2, "lamp[cell]": 0..1}
start: {at: a1, facing: right, fuel: 2, "lamp[c]": c == c3}
goal: at == c3 and facing == up
moves:
  - name: go
    let: {to: "step[at, facing]"}
    if: to != none and fuel > 0
    do: at = to, fuel = fuel - 1
  - {name: turn, do: facing = (facing + 1) % 4}
  - {name: fill, if: fuel == 0, do: fuel = 2}
draw:
  for: {c: cell}
  show: {R: c == at, "*": "lamp[c]"}
"""


def turned(vector, axis):
    """A vector after a quarter turn, clockwise as one looks at the face from outside: v' = a (a.v) - a x v."""
    along = sum(a * v for a, v in zip(axis, vector))
    cross = [axis[i - 2] * vector[i - 1] - axis[i - 1] * vector[i - 2] for i in range(3)]
    return tuple(axis[i] * along - cross[i] for i in range(3))


class Cube:
    """A cube as stickers in space, and nothing else: (where, which way) to colour, where the coordinates are n apart."""

    def __init__(self, size):
        self.size = size
        self.stickers = {self.sticker(face, row, column): COLOURS[face] for face, row, column in self.cells()}

    def cells(self):
        return itertools.product(FACES, range(self.size), range(self.size))

    def sticker(self, face, row, column):
        out, right, down, _ = FACES[face]
        n = self.size - 1
        return tuple(n * out[i] + (2 * column - n) * right[i] + (2 * row - n) * down[i] for i in range(3)), out

    def turn(self, move):
        axis = FACES[move[0]][0]
        for _ in range({"": 1, "2": 2, "'": 3}[move[1:]]):
            self.stickers = {
                (turned(where, axis), turned(way, axis)) if sum(a * w for a, w in zip(axis, where)) == self.size - 1 else (where, way): colour
                for (where, way), colour in self.stickers.items()}

    def net(self):
        rows = [[" "] * 4 * self.size for _ in range(3 * self.size)]
        for face, row, column in self.cells():
            down, right = FACES[face][3]
            rows[down * self.size + row][right * self.size + column] = self.stickers[self.sticker(face, row, column)]
        return [" ".join(row).rstrip() for row in rows]


def third(vector, corner):
    """A vector after a third of a turn about a corner, clockwise from outside: v' = (a (a.v) - v - a x v) / 2."""
    along = sum(a * v for a, v in zip(corner, vector))
    cross = [corner[i - 2] * vector[i - 1] - corner[i - 1] * vector[i - 2] for i in range(3)]
    return tuple((corner[i] * along - vector[i] - cross[i]) // 2 for i in range(3))


class Skewb:
    """A Skewb as stickers in space: (where, which way) to colour. A face has its four corners, and a middle."""

    def __init__(self):
        self.stickers = {self.sticker(face, row, column): COLOURS[face] for face, row, column in self.cells()}

    def cells(self):
        return [(face, row, column) for face in FACES for row, column in ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2))]

    def sticker(self, face, row, column):
        out, right, down, _ = FACES[face]
        return tuple(out[i] + (column - 1) * right[i] + (row - 1) * down[i] for i in range(3)), out

    def turn(self, corner, times):
        """All that lies on a corner's side of the cube's middle goes along."""
        axis = tuple(sum(FACES[face][0][i] for face in corner) for i in range(3))
        for _ in range(times):
            self.stickers = {(third(where, axis), third(way, axis)) if sum(a * w for a, w in zip(axis, where)) > 0
                             else (where, way): colour for (where, way), colour in self.stickers.items()}

    def net(self):
        rows = [[" "] * 15 for _ in range(11)]
        for face, row, column in self.cells():
            down, right = FACES[face][3]
            rows[4 * down + row][4 * right + column] = self.stickers[self.sticker(face, row, column)]
        return [" ".join(row).rstrip() for row in rows]


def picture(text, lines):
    """The first board that a text shows."""
    return [line[4:].rstrip() for line in text.split("\n\n", 1)[1].splitlines()[:lines]]


class Nets(Case):
    def test_cubes_turn_as_cubes_do(self):
        """Solutions of mixed cubes, the other way round, are turns of stickers in space."""
        for name, size in (("cube-2x2x2", 2), ("cube-3x3x3", 3)):
            moves = self.assert_answer(self.query(name, "--path", "-", stdin="start\n")).out.rstrip("\n").split("\t")[2].split(", ")
            cube = Cube(size)
            for move in reversed(moves):
                cube.turn(move[0] + {"": "'", "2": "2", "'": ""}[move[1:]])
            self.assertEqual(picture(self.query(name, "--path").out, 3 * size), cube.net())
            for move in moves:
                cube.turn(move)
            self.assertEqual(cube.net(), Cube(size).net())
            self.assertEqual(picture(self.query(name, "goal").out, 3 * size), cube.net())

    def test_a_skewb_turns_as_skewbs_do(self):
        for seed in range(4):
            board = self.query("skewb", "--random", f"--seed={seed}", "--json").json["board"]
            moves = self.assert_answer(self.query("skewb", "--path", "-", stdin=board + "\n")).out.rstrip("\n").split("\t")[2]
            skewb = Skewb()
            for move in reversed(moves.split(", ")):
                skewb.turn(move[:3], 1 if move.endswith("'") else 2)
            self.assertEqual(skewb.net(), picture(self.query("skewb", board).out, 11))

    def test_diamonds_fill_their_face(self):
        """In a picture the middle of a Skewb's face is half of it, and a corner an eighth."""
        areas = []
        for path in re.findall(r'<path d="M([\d L]+)Z" fill', self.assert_answer(self.query("skewb", "--svg", "goal")).out):
            points = [tuple(map(int, point.split())) for point in path.split("L")]
            areas.append(abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in zip(points, points[1:] + points[:1]))) // 2)
        self.assertEqual((len(areas), len(set(areas))), (30, 2))
        self.assertEqual((areas.count(max(areas)), max(areas)), (6, 4 * min(areas)))

    def test_a_net_is_read_back(self):
        for name, lines in (("cube-2x2x2", 6), ("cube-3x3x3", 9), ("pyraminx", 6)):
            shown = self.assert_answer(self.query(name, "--json")).out
            typed = "\n".join(picture(self.query(name).out, lines))
            self.assertEqual(json.loads(self.query(name, "--json", typed).out)["board"], json.loads(shown)["board"])
        # Where stickers are called as tiles are, a board in the order of its places is one, in the net's rows a net.
        places = " ".join(map(str, range(1, 11)))
        rows = "\n    1 2 3 4\n    10 # # 5\n    9 8 7 6\n"
        ring = self.write("ring.yaml", f"puzzle: ring\nfamily: permute\nplaces: {places}\ngenerators:\n  on: {places}\n"
                                       f"  spin: {{reverse: 1 2 3 4}}\nnet:\n  stickers: |{rows}  colours: |{rows}")
        for typed, board in (("2 1 3 4 5 6 7 8 9 10",) * 2, ("2 1 3 4/10 # # 5/9 8 7 6", "2 1 3 4 5 6 7 8 9 10")):
            said = json.loads(self.assert_answer(self.query(ring, "--json", typed)).out)
            self.assertEqual(said["board"], board.replace(" ", ","))
        strange = "\n".join(picture(self.query("cube-2x2x2", "goal").out, 6)).replace("W", "Y", 1)
        self.assert_complaint(self.query("cube-2x2x2", strange), 2, "UBL", "no tile")

    def test_mistakes(self):
        path = self.write("ring.yaml", RING)
        self.assert_answer(self.query(path, "goal"))
        for old, new, line, column, fragment in (
                ("a   b   c\n", "a   b   d\n", 8, 13, "'d' is no sticker"), ("b+1 c+1", "b+1 b+1", 9, 13, "there twice"),
                ("b+1 c+1", "b+1 *  ", 7, 13, "1 stickers"), ("b+1 c+1", "b+1 c+2", 7, 13, "'c+1' is missing"),
                ("    Y B G\n", "", 10, 12, "rows"), ("  colours: |\n    W W R\n    Y B G\n", "", 7, 3, "colours"),
                ("{W: white}", "{X: white}", 13, 11, "'X' is no symbol"), ("net:\n", "net:\n  shape: round\n", 7, 10, "squares"),
                ("{W: white}", "{W: wite}", 13, 14, "did you mean 'white'"), ("{W: white}", '{W: "#12"}', 13, 14, "no colour")):
            with self.subTest(new):
                self.assertIn(old, RING)
                result = self.query(self.write("ring.yaml", RING.replace(old, new, 1)), "goal")
                self.assert_complaint(result, 2, f"ring.yaml:{line}:{column}:", fragment)

    def write(self, name, text):
        path = self.dir / name
        path.write_text(text)
        return path


class Looks(Case):
    def write(self, text):
        path = self.dir / "garage.yaml"
        path.write_text(text)
        return path

    def test_exits_are_shown_and_read_back(self):
        path = self.write(GARAGE)
        lines = picture(self.assert_answer(self.query(path)).out, 4)
        self.assertEqual(lines, ["A A v . →", ". . v w", ". . . w", "  ↓ ↓"])
        self.assertIn("3 moves", self.assert_answer(self.query(path, "\n".join(lines))).out)
        self.assertIn("A A v . >", self.query(path, "--ascii").out)

    def test_svg(self):
        text = self.assert_answer(self.query(self.write(GARAGE), "--svg")).out
        for part in ('fill="#ff0000"', 'fill="#4477cc"', "the red car", 'class="exit"'):
            self.assertIn(part, text)
        self.assertIn("\033[38;5;16;48;5;196m", self.query(self.write(GARAGE), "--color=always").out)

    def test_a_database_stays_good(self):
        path = self.write(GARAGE)
        self.assert_answer(self.gen("-d", self.dir, path))
        self.write(GARAGE.replace("red, v", "blue, v").replace("bottom: 2-3", "top: 1").replace("red car", "car"))
        self.assertEqual(json.loads(self.query("-d", self.dir, path, "--method=db", "--json").out)["distance"], 3)

    def test_mistakes(self):
        for old, new, line, column, fragment in (
                ("A: red,", "A: rde,", 13, 14, "no colour"), ("A: red,", "A: red, ._: red,", 13, 19, "'._' is no symbol"),
                ("A: red,", ".: red,", 13, 11, "empty ground"), ("right: 1", "right: 4", 15, 15, "from 1 to 3"),
                ("right: 1", "up: 1", 15, 8, "top"), ("legend: {A", "legend: {B", 14, 10, "no symbol"),
                ("{A: the red car}", "red", 14, 9, "mapping"), ("2-3", "3-2", 15, 26, "range")):
            with self.subTest(new):
                self.assertIn(old, GARAGE)
                self.assert_complaint(self.query(self.write(GARAGE.replace(old, new, 1))), 2,
                                      f"garage.yaml:{line}:{column}:", fragment)

    def test_names_of_holes(self):
        text = self.assert_answer(self.query("hoppers")).out
        self.assertIn("●   ○   ●      5     6     7\n", text)
        text = self.assert_answer(self.query("hoppers", "--numbers", "--path")).out
        self.assertIn("●5      ○6      ●7", text)
        self.assert_complaint(self.query("goat", "--numbers"), 2, "goat", "--numbers")
        names = re.findall(r'<g class="names".*?</g>', self.query("hoppers", "--svg").out, re.DOTALL)
        self.assertEqual(re.findall(r">(\d+)</text>", names[0]), [str(n) for n in range(13)])

    def test_long_paths_have_pages(self):
        """Each page is a view, they follow each other without a gap, and none is higher than a sheet of paper."""
        text = self.assert_answer(self.query("klotski", "--path", "--svg")).out
        views = [[int(n) for n in view] for view in re.findall(r'<view id="page-\d+" viewBox="0 (\d+) (\d+) (\d+)"', text)]
        self.assertGreater(len(views), 3)
        self.assertEqual([v[0] for v in views], [sum(v[2] for v in views[:i]) for i in range(len(views))])
        self.assertTrue(all(height <= 1160 for _, _, height in views))
        self.assertEqual(int(re.search(r'height="(\d+)"', text)[1]), sum(v[2] for v in views))
        self.assertNotIn("<view", self.query("klotski", "--svg").out)


STACK = """puzzle: stack
family: permute
places: 1/2/3/4
generators:
  flip 2: {reverse: 1 2}
  flip 3: {reverse: 1 2 3}
  flip 4: {reverse: 1 2 3 4}
bars: 1 2 3 4
"""


class Bars(Case):
    def drawn(self, *arguments):
        return list(itertools.takewhile(str.strip, self.assert_answer(self.query(*arguments)).lines[2:]))

    def test_terminal(self):
        """In the middle of the column, two columns wider each; what was printed is a board again."""
        stack = self.write("stack.yaml", STACK)
        for ascii_only, end in ([], "━"), (["--ascii"], "="):
            lines = self.drawn(stack, "3/1/4/2", *ascii_only)
            self.assertEqual([line.strip() for line in lines],
                             [end * int(bar) + bar + end * int(bar) for bar in "3142"])
            self.assertEqual({len(line) - len(line.lstrip()) + len(line.strip()) // 2 for line in lines}, {8})
            self.assertEqual(self.query(stack, "\n".join(lines), "--json").json["board"], "3142")
        coloured = self.assert_answer(self.query(stack, "3/1/4/2", "--color=always")).lines[2]
        self.assertRegex(coloured, "^ +\x1b\\[38;5;\\d+;48;5;\\d+m   3   \x1b")
        self.write("wide.yaml", STACK.replace("1/2/3/4", "1 2 3 4"))
        self.assertEqual(self.query("wide.yaml", "goal").lines[2].split(), ["━1━", "━━2━━", "━━━3━━━", "━━━━4━━━━"])

    def test_svg(self):
        picture = self.assert_answer(self.query("hanoi-3x4", "--svg")).out
        widths = list(map(int, re.findall(r'<rect x="\d+" y="\d+" width="(\d+)" height="\d+" rx="\d+" fill=', picture)))
        self.assertEqual(len(widths), 4)
        self.assertEqual(widths, sorted(set(widths)))
        self.assertEqual(picture.count('width="6"'), 3)  # a rod for each peg
        self.assertNotIn('class="rods"', self.query(self.write("stack.yaml", STACK), "goal", "--svg").out)

    def test_mistakes(self):
        for bars, complaint in (("1 2 9", "'9' is no piece"), ("1 2 1", "'1' is a bar already"),
                                ("1 .", "'.' is no piece")):
            path = self.write("stack.yaml", STACK.replace("bars: 1 2 3 4", f"bars: {bars}"))
            self.assert_complaint(self.query(path, "goal"), 2, complaint, "stack.yaml:8:")


class Tiles(Case):
    def test_a_ring(self):
        """A board in a line is one in the order of its places; in the rows of the ring it is the ring."""
        lines = self.assert_answer(self.query("topspin-10", "--method=search")).lines
        self.assertEqual(lines[2:7], ["    ┌─────────────┐", "    │ 10 9  8  7  │", "    └─────────────┘",
                                      "      1        6", "      2  3  4  5"])
        for typed in ("10 9 8 7 6 5 4 3 2 1", "10 9 8 7 / 1 # # 6 / 2 3 4 5", "\n".join(lines[2:7])):
            self.assertEqual(self.query("topspin-10", typed, "--json").json["board"], "10,9,8,7,6,5,4,3,2,1")


BARREL = """puzzle: barrel
family: rules
state: {at: 1..4}
start: {at: 1}
moves:
  - {name: push, do: at = at + 1}
goal: at == 4
draw:
  for: {row: 1..2, i: 1..4}
  show: {$: row == 1 and i == at, x: row == 1 and i == 4, "~": row == 2}
legend: {$: a crate}
shapes: {$: crate, x: target, "~": water}
colours: {$: peru, x: crimson, "~": skyblue}
frames: [1 3-4]
"""


class Shapes(Case):
    def drawn(self, *arguments):
        return self.assert_answer(self.query(*arguments, "--svg")).out

    def test_figures(self):
        """A figure has its symbol's colour and no letter, in the legend too; what is ASCII is drawn in letters."""
        path = self.write("barrel.yaml", BARREL)
        picture = self.drawn(path, "start")
        figures = re.findall(r'class="figure" transform="translate\((\d+) \d+\) scale\([\d.]+\)" fill="(#\w+)"', picture)
        self.assertEqual(sorted(colour for _, colour in figures), ["#cd853f", "#cd853f", "#dc143c"])
        self.assertNotIn(">$<", picture)
        self.assertIn(">a crate<", picture)
        letters = self.assert_answer(self.query(path, "start", "--svg", "--ascii")).out
        self.assertNotIn("figure", letters)
        self.assertIn(">$<", letters)

    def test_water_has_no_gaps(self):
        picture = self.drawn(self.write("barrel.yaml", BARREL), "start")
        cells = [tuple(map(int, found)) for found in re.findall(r'class="water" x="(\d+)" y="\d+" width="(\d+)"', picture)]
        self.assertEqual(len(cells), 4)
        self.assertEqual([x + width for x, width in cells[:-1]], [x for x, _ in cells[1:]])

    def test_jugs(self):
        """Walls as high as a jug is large and water as high as it stands, below the jug's name, above how much it is."""
        for puzzle, board, sizes, water in (("jugs-8-5-3:4-4-0", "start", [8, 5, 3], [8, 0, 0]),
                                            ("jugs-8-5-3:4-4-0", "3 5 0", [8, 5, 3], [3, 5, 0]),
                                            ("jugs-12-7-5:6-6-0", "3 7 2", [12, 7, 5], [3, 7, 2])):
            picture = self.drawn(puzzle, board)
            xs = re.findall(r'class="water" x="(\d+)"', picture)
            self.assertEqual([xs.count(x) for x in sorted(set(xs), key=int)], [amount for amount in water if amount])
            walls = re.search(r'd="([^"]*)" class="glass"', picture)[1]
            self.assertEqual(len(re.findall("v", walls)), 2 * sum(sizes))
            texts = re.findall(r'>([^<>\n]+)</text>', picture)
            told = [str(amount) for amount in water if amount and max(sizes) < 10]  # one digit each
            for text in ["A", "B", "C", *told, f"A  holds {sizes[0]}"]:
                self.assertIn(text, texts)
            self.assertNotIn('class="tray"', picture)

    def test_frames(self):
        picture = self.drawn(self.write("barrel.yaml", BARREL), "start")
        x, width = map(int, re.search(r'class="frame" x="(\d+)" y="\d+" width="(\d+)"', picture).groups())
        self.assertGreater(x, 2 * 52)  # two cells stand before it, and two are in it
        self.assertTrue(2 * 52 <= width < 3 * 52, width)
        self.assertEqual(self.drawn("topspin-10").count('class="frame"'), 1)

    def test_a_river(self):
        """It parts two banks, and has waves."""
        rows = [line.split() for line in self.assert_answer(self.query("wolf-goat-cabbage")).lines[2:5]]
        self.assertEqual(rows, [list("FWGC"), ["~"] * 4, ["."] * 4])
        picture = self.drawn("wolf-goat-cabbage")
        self.assertEqual([picture.count(f'class="{part}"') for part in ("water", "wave")], [4, 4])

    def test_frames_on_a_terminal(self):
        """Lines around the cells, which a board that is read back may have; those of neighbours are one."""
        text = BARREL.replace("[1 3-4]", "[1 3-4, 1-2 1-1, 1-2 2-2]")
        path = self.write("barrel.yaml", text)
        for options, signs in (((), "┌─┬┐│├┘└┴"), (("--ascii",), "+-|")):
            lines = self.assert_answer(self.query(path, "start", *options)).lines[2:7]
            shown = "\n".join(lines)
            for sign in signs:
                self.assertIn(sign, shown)
            self.assertEqual(self.query(path, shown, "--json").json["board"], self.query(path, "start", "--json").json["board"])
        self.assertEqual(self.query(path, "start").lines[2:7], [
            "    ┌───┬───┬─────┐", "    │ $ │ . │ . x │", "    │   │   ├─────┘", "    │ ~ │ ~ │ ~ ~", "    └───┴───┘"])
        beside = self.query(path, "start", "--path").lines
        self.assertIn("  │ . │ $ │ . x │    │ . │ . │ $ x │    │ . │ . │ . $ │", beside)
        self.assertIn("  └───┴───┘          └───┴───┘          └───┴───┘", beside)
        plain = self.write("barrel.yaml", BARREL.replace("frames: [1 3-4]", ""))
        self.assert_complaint(self.query(plain, "$ . │ . x / ~ ~ ~ ~"), 2, "'│' is no symbol")

    def test_mistakes(self):
        for good, bad, complaint in (("$: crate", "$: cart", "crate"), ("$: crate", "y: crate", "'y' is no symbol"),
                                     ("1 3-4]", "1 3-5]", "a frame is rows and columns"),
                                     ("1 3-4]", "1]", "a frame is rows and columns"),
                                     ("[1 3-4]", "1 3-4", "has to be a list")):
            path = self.write("barrel.yaml", BARREL.replace(good, bad))
            self.assert_complaint(self.query(path, "goal"), 2, complaint)


class Marks(Case):
    def test_ground(self):
        """A picture has a white ground below all of it: its dark words are read on a dark page, too."""
        for arguments in (["8-puzzle"], ["8-puzzle", "--path"], ["topspin-10", "--histogram"], ["hanoi-3x4", "goal"]):
            picture = self.assert_answer(self.query(*arguments, "--svg")).out
            width, height = re.search(r'<svg [^>]*width="(\d+)" height="(\d+)"', picture).groups()
            first = re.search(r"<(?!svg|title|/)\w+ [^>]*>", picture)[0]
            self.assertRegex(first, f'^<rect width="{width}" height="{height}" [^>]*fill="#ffffff"/>$')

    def test_colours(self):
        """A river is ground, and has a colour all the same; an empty cell has none."""
        picture = self.assert_answer(self.query("missionaries-3-2", "--svg")).out
        self.assertEqual(picture.count('fill="#87cefa"'), 7 + 1)  # and one in the legend
        self.assertIn("the river", picture)
        self.assert_complaint(self.query(self.write("garage.yaml", GARAGE.replace("A: red", '".": red'))), 2,
                              "has no colour of its own")

    def test_lamps(self):
        """Lit and dark ones stand on the same dark ground, and a lit one is as bright as it is said."""
        out = self.assert_answer(self.query("lights-out-2x2", "1./..", "--color=always")).out
        self.assertIn("\x1b[1;38;5;220;48;5;236m● \x1b[0m\x1b[1;38;5;245;48;5;236m○ \x1b[0m", out)


class Hidden(Case):
    """What a picture does not show is said beside it: of the robot where it faces and its fuel, but no lamp."""

    def setUp(self):
        super().setUp()
        self.puzzle = self.write("robot.yaml", ROBOT)
        self.assert_answer(self.gen("-d", self.db, self.puzzle))

    def ask(self, *arguments):
        return self.assert_answer(self.query("-d", self.db, self.puzzle, *arguments))

    def words(self, board):
        _, facing, fuel = board.split(",")[:3]
        return f"facing={facing}, fuel={fuel}"

    def test_in_text(self):
        answer = self.ask("--path")
        self.assertEqual(answer.lines[2:6], ["    R . .", "    . # .", "    . . *", "    facing=right, fuel=2"])
        told = self.ask("--path", "--json").json
        for step, board in enumerate(told["path"][1:], 1):
            self.assertRegex(answer.out, rf"\b{step}\. \w+: {self.words(board)}\b")
        hardest = self.ask("--hardest", "--json").json["boards"]
        self.assertGreater(len(hardest), 1)
        self.assertEqual(re.findall(r"\d+\. (facing=\w+, fuel=\d)", self.ask("--hardest").out),
                         [self.words(board) for board in hardest])
        chosen = ("--random=2..6", "--number=5", "--seed=3")
        boards = [json.loads(line)["board"] for line in self.ask(*chosen, "--json").lines]
        self.assertEqual(re.findall(r"\d moves?: (facing=\w+, fuel=\d)", self.ask(*chosen).out),
                         [self.words(board) for board in boards])

    def test_pasted_back(self):
        """A picture with what stands below it is the same board again, however it is typed."""
        for board in self.ask("--hardest", "--json").json["boards"]:
            said = self.ask(board).lines
            picture = said[2:said.index("", 2)]
            self.assertEqual(len(picture), 4)
            self.assertEqual(self.ask("--json", "\n".join(picture)).json["board"], board)

    def test_what_is_covered(self):
        """A man stands in doors that are open and on keys that are taken: that is told, for a picture does not show it."""
        maze = self.write("maze.yaml", MAZE)
        self.assert_answer(self.gen("-q", "-d", self.dir, maze))
        boards = [json.loads(line)["board"] for line in self.assert_answer(
            self.query("-d", self.dir, maze, "--random=1..9", "--number=60", "--seed=5", "--json")).lines]
        self.assertGreater(self.paste_back(maze, boards), 10)

    def test_fixed_cells_of_a_picture(self):
        maze = self.write("maze.yaml", MAZE)
        self.assert_answer(self.gen("-q", "-d", self.dir, maze))
        chosen = ("-d", self.dir, maze, "--random=1..9", "--number=300", "--seed=2")
        places = {}
        for fixed in ("...\n.@.\n...", "..D/.@./...", "***/***/***"):
            boards = self.query(*chosen, "--json", f"--fixed={fixed}").lines
            places[fixed] = [json.loads(line)["board"].split(",") for line in boards]
        self.assertEqual({board[0] for board in places["...\n.@.\n..."]}, {"b2"})
        self.assertEqual(places["..D/.@./..."],  # the first value behind the man's is the door's in row 1
                         [board for board in places["...\n.@.\n..."] if board[1] == "0"])
        self.assertTrue(0 < len(places["..D/.@./..."]) < len(places["...\n.@.\n..."]) < len(places["***/***/***"]))
        self.assert_complaint(self.query(*chosen, "--fixed=..D/.@."), 2, "the fixed cells: 6 cells given", "3 rows of 3")
        self.assert_complaint(self.query(*chosen, "--fixed=..D.@."), 2, "the fixed cells: cell 1: '..D.@.' is no symbol")

    def test_fixed_cells_among_marks(self):
        """A lamp that burns is drawn as *, which is any cell here, as everywhere."""
        boards = [json.loads(line)["board"] for line in
                  self.ask("--random=1..20", "--number=8", "--json", "--fixed=R../.#./...").lines]
        self.assertEqual({board.split(",")[0] for board in boards}, {"a1"})
        self.assertTrue(all("1" in board.split(",")[3:] for board in boards), boards)

    def test_fixed_cells_of_a_net(self):
        """A ring that is drawn in rows is read in these: the last cell is the sixth place, not the tenth."""
        self.assert_answer(self.gen("-q", "-d", self.dir, "topspin-10"))
        chosen = ("-d", self.dir, "topspin-10", "--random=1..9", "--number=100", "--json")
        boards = [json.loads(line)["board"].split(",") for line in
                  self.query(*chosen, "--fixed=. . . ./. # # ./. . . 6").lines]
        self.assertEqual((len(boards), {board[5] for board in boards}), (100, {"6"}))
        self.assert_complaint(self.query(*chosen, "--fixed=. . . ./. # # ./. . . X"), 2, "'X' is no symbol of this puzzle (1 2 3 4 10")
        self.assert_complaint(self.query(*chosen, "--fixed=. . . . . . . . . X"), 2, "'X' is no symbol of this puzzle (1 2 3 4 5")

    def test_what_boxes_cannot_be(self):
        """There is no box under the man, though there was one at first: there would be one too many. It need not be told."""
        level = "sokoban:" + str(self.write("mine.xsb", "######\n#@ $.#\n# $ .#\n#  $.#\n######\n"))
        self.assert_answer(self.gen("-q", "-d", self.dir, level))
        path = self.assert_answer(self.query("-d", self.dir, level, "--path", "--json")).json["path"]
        self.assertGreater(len(path), 8)
        self.assertEqual(self.paste_back(level, path), 0)

    def paste_back(self, puzzle, boards):
        """Each board is told, and what is told is typed; of how many is something told beside the picture?"""
        covered = 0
        for board in boards:
            said = self.assert_answer(self.query("-d", self.dir, puzzle, board)).lines
            picture = said[2:said.index("", 2) if "" in said[2:] else None]
            covered += "[" in picture[-1]
            pasted = self.query("-d", self.dir, puzzle, "--json", "\n".join(picture))
            self.assertEqual(self.assert_answer(pasted).json["board"], board)
        return covered

    def test_values_are_no_start_of_a_search(self):
        """What reads as values, but is none, is a picture, and leaves what no cell shows as in the start."""
        puzzle = self.write("typed.yaml", "puzzle: typed\nfamily: rules\nsets: {p: 0..2}\n"
                            "state: {fuel: 0..2, at: 0..1, gone: 0..1}\nstart: {fuel: 0, at: 0, gone: 0}\ngoal: fuel == 1\n"
                            "moves: [{name: fill, do: fuel = fuel + 1}, {name: go, do: at = 1 - at},\n"
                            "  {name: leave, do: gone = 1 - gone}]\n"
                            "draw: {for: {i: p}, show: {2: i == 2 * at, 1: i == 1 and gone == 0}}\n")
        told = self.assert_answer(self.query("--method=search", "--json", puzzle, ". 1 2")).json
        self.assertEqual(told["board"], "010")

    def test_in_pictures(self):
        def texts(picture):
            return " ".join(re.findall(r"<text[^>]*>([^<]*)</text>", picture))
        path = self.ask("--path", "--json").json["path"]
        self.assertEqual(re.findall(r"facing=\w+, fuel=\d", texts(self.ask("--path", "--svg").out)),
                         list(map(self.words, path)))
        self.assertIn("facing=right, fuel=2", texts(self.ask("--svg").out))
        chosen = ("--random=2..6", "--number=5", "--seed=3")
        boards = [json.loads(line)["board"] for line in self.ask(*chosen, "--json").lines]
        self.ask(*chosen, f"--sheet={self.dir / 'sheet.svg'}")
        self.assertEqual(re.findall(r"facing=\w+, fuel=\d", texts((self.dir / "sheet.svg").read_text())),
                         list(map(self.words, boards)))

    def test_much(self):
        """Very much is cut where a picture has its caption, and whole below one that stands alone."""
        puzzle = self.write("lamps.yaml", ROBOT.replace(', "*": "lamp[c]"', ""))
        alone = self.assert_answer(self.query("--method=search", puzzle)).out
        self.assertIn("fuel=2, " + ", ".join(f"lamp[{cell}]={int(cell == 'c3')}" for cell in
                                             ("a1", "b1", "c1", "a2", "c2", "a3", "b3", "c3")), alone)
        self.assertNotIn("facing", self.assert_answer(self.query("goat", "--method=search")).out)


if __name__ == "__main__":
    unittest.main()
