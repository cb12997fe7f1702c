"""--svg, from outside: documents that are well-formed XML, and that show what the text and the JSON say."""

import itertools
import random
import re
import subprocess
import unittest
import xml.etree.ElementTree as ElementTree

from helpers.harness import GOAT_SEED, SOURCE, Case, GoatCase

NAMESPACE = "{http://www.w3.org/2000/svg}"


class Shape:
    """A rectangle, a circle or an outline: which points lie in it?"""

    def __init__(self, element):
        self.element = element
        self.fill = element.get("fill")
        if element.tag == NAMESPACE + "path":  # round corners are Q commands: their control points are the corners
            loops = [re.findall(r"Q(-?\d+) (-?\d+)", loop) for loop in element.get("d").split("Z")[:-1]]
            self.loops = [[(int(x), int(y)) for x, y in loop] for loop in loops]
            return
        get = lambda name: float(element.get(name))
        if element.tag == NAMESPACE + "circle":
            x, y, width, height = get("cx") - get("r"), get("cy") - get("r"), 2 * get("r"), 2 * get("r")
        else:
            x, y, width, height = get("x"), get("y"), get("width"), get("height")
        self.loops = [[(x, y), (x + width, y), (x + width, y + height), (x, y + height)]]

    def has(self, x, y):
        """The even-odd rule."""
        inside = False
        for loop in self.loops:
            for (x1, y1), (x2, y2) in zip(loop, loop[1:] + loop[:1]):
                if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
                    inside = not inside
        return inside


class Board:
    """A picture of a board."""

    def __init__(self, group):
        self.group = group
        self.text = group.find(NAMESPACE + "title").text
        self.pieces = [Shape(element) for element in self.members("pieces")]
        self.empty = [Shape(element) for element in self.members("empty")]
        self.walls = [Shape(element) for element in self.members("walls")]
        self.tray = Shape(self.element("tray")) if self.element("tray") is not None else None
        self.glyphs = [(element.text, int(element.get("x")), int(element.get("y")))
                       for element in self.members("glyphs")]
        moved = self.members("moved")
        self.moved = [Shape(element) for element in moved if element.get("stroke-dasharray") is None]
        self.left = [Shape(element) for element in moved if element.get("stroke-dasharray") is not None]

    def element(self, name):
        """The one element of this class; None where there is none."""
        return next((element for element in self.group if element.get("class") == name), None)

    def members(self, name):
        return [element for group in self.group if group.get("class") == name for element in group]

    def middles(self, rows, columns):
        """The middle of each cell, by the tray's size."""
        corners = [point for loop in self.tray.loops for point in loop]
        left, top = min(x for x, _ in corners), min(y for _, y in corners)
        width, height = max(x for x, _ in corners) - left, max(y for _, y in corners) - top
        return {(row, column): (left + (column + 0.5) * width / columns, top + (row + 0.5) * height / rows)
                for row in range(rows) for column in range(columns)}


class SvgCase(Case):
    def picture(self, result, code=0):
        """The document's root; none of them may need anything from elsewhere."""
        self.assert_answer(result, code)
        for word in ("href", "url(", "<style", "<script", "<!"):
            self.assertNotIn(word, result.out)
        root = ElementTree.fromstring(result.out)
        self.assertEqual(root.tag, NAMESPACE + "svg")
        self.assertEqual(root.get("viewBox"), f"0 0 {root.get('width')} {root.get('height')}")
        self.assertEqual(root.find(NAMESPACE + "title").text, root.get("aria-label"))
        self.assert_inside(root)
        return root

    def assert_inside(self, root):
        """Boards end before the document does."""
        for group in root.iter(NAMESPACE + "g"):
            if group.get("class") == "board":
                x, y = map(int, re.fullmatch(r"translate\((\d+) (\d+)\)", group.get("transform")).groups())
                for rect in group.iter(NAMESPACE + "rect"):
                    self.assertLessEqual(x + float(rect.get("x")) + float(rect.get("width")), float(root.get("width")))
                    self.assertLessEqual(y + float(rect.get("y")) + float(rect.get("height")),
                                         float(root.get("height")))

    def boards(self, root):
        return [Board(group) for group in root.iter(NAMESPACE + "g") if group.get("class") == "board"]

    def texts(self, root):
        return ["".join(element.itertext()) for element in root.iter(NAMESPACE + "text")]

    def assert_pieces(self, board, rows, empty="."):
        """A picture shows these rows of names: cells have one name if and only if one shape covers them."""
        at = {}
        for (row, column), (x, y) in board.middles(len(rows), len(rows[0])).items():
            name = rows[row][column]
            covering = {sort: [number for number, shape in enumerate(shapes) if shape.has(x, y)]
                        for sort, shapes in (("piece", board.pieces), ("empty", board.empty), ("wall", board.walls))}
            expected = {"piece": 0, "empty": 0, "wall": 0}
            expected["empty" if name == empty else "wall" if name == "#" else "piece"] = 1
            self.assertEqual({sort: len(numbers) for sort, numbers in covering.items()}, expected, (row, column, name))
            if expected["piece"]:
                at.setdefault(name, set()).add(covering["piece"][0])
        for numbers in at.values():
            self.assertEqual(len(numbers), 1, at)
        self.assertEqual(len(set.union(*at.values())), len(at), "no shape has two names")
        self.assertEqual(len(board.pieces), len(at))
        return at


class Goat(GoatCase, SvgCase):
    NAMES = {"羊": (1, 3), "狼": (2, 3)}  # of the start

    def test_board(self):
        root = self.picture(self.ask("--svg"))
        self.assertEqual(root.get("aria-label"), "goat: 20 moves from the goal")
        (board,) = self.boards(root)
        self.assertEqual(board.text, "1,8,9,10,2,0,7,5,3,8,4,6")
        self.assert_pieces(board, [["1", "8a", "9", "9"], ["2", ".", "7", "5"], ["3", "8b", "4", "6"]])
        self.assertEqual({glyph for glyph, _, _ in board.glyphs}, set(self.NAMES))
        middles = board.middles(3, 4)
        for glyph, x, y in board.glyphs:
            at = middles[self.NAMES[glyph]]
            self.assertLess(abs(x - at[0]), 6)  # of a cell of 52
            self.assertTrue(0 < y - at[1] < 16, "the base line is below the middle")

    def test_ascii_shows_codes(self):
        (board,) = self.boards(self.picture(self.ask("--svg", "--ascii")))
        self.assertEqual([glyph for glyph, _, _ in board.glyphs],
                         ["1", "8", "9", "10", "2", "7", "5", "3", "8", "4", "6"])

    def test_path(self):
        path = self.ask("--path", "--json").json["path"]
        root = self.picture(self.ask("--path", "--svg"))
        boards = self.boards(root)
        self.assertEqual([board.text for board in boards], path)
        self.assertEqual(len(boards), 21)
        captions = self.texts(root)
        for step in range(21):
            self.assertTrue(any(text.startswith(f"{step}.") for text in captions), step)
        self.assertEqual((boards[0].moved, boards[0].left), ([], []))
        for before, after in zip(boards, boards[1:]):
            old, new = before.text.split(","), after.text.split(",")
            middles = list(after.middles(3, 4).values())
            self.assertEqual(len(after.moved), 1)
            for cell, (x, y) in enumerate(middles):
                changed = old[cell] != new[cell]
                if changed and new[cell] != "0":
                    self.assertTrue(after.moved[0].has(x, y))
                self.assertEqual(any(shape.has(x, y) for shape in after.left), changed and new[cell] == "0")

    def test_hardest(self):
        expected = self.ask("--hardest", "--json").json
        root = self.picture(self.ask("--hardest", "--svg"))
        self.assertEqual([board.text for board in self.boards(root)], expected["boards"])
        self.assertEqual(root.get("aria-label"), "goat: 7 boards at distance 52, the farthest from the goal")
        self.assertEqual(len(self.boards(self.picture(self.ask("--hardest=3", "--svg")))), 3)
        self.assertEqual(len(self.boards(self.picture(self.ask("--hardest=2", "--path", "--svg")))), 2 * 53)

    def test_random(self):
        expected = self.ask("--random=30", "--seed=1", "--json").json
        root = self.picture(self.ask("--random=30", "--seed=1", "--svg"))
        self.assertEqual([board.text for board in self.boards(root)], [expected["board"]])
        self.assertEqual(root.get("aria-label"), "goat: 30 moves from the goal")

    def test_several_boards(self):
        root = self.picture(self.ask("--svg", "start", "goal", GOAT_SEED))
        self.assertEqual([len(board.pieces) for board in self.boards(root)], [10, 10, 10])
        self.assertEqual(self.texts(root)[:1], ["goat"])
        words = " ".join(self.texts(root))
        for caption in ("20 moves from the goal", "this is the goal", "52 moves from the goal"):
            self.assertIn(caption, words)
        root = self.picture(self.ask("--svg", "--path", "start", "goal"))
        self.assertEqual(len(self.boards(root)), 22)

    def test_count(self):
        root = self.picture(self.ask("--svg", "--count", GOAT_SEED))
        self.assertEqual(root.get("aria-label"), "goat: 52 moves from the goal; 59 shortest solutions")

    def test_histogram(self):
        self.check_histogram(self.goat, "goat")

    def check_histogram(self, directory, puzzle):
        figures = self.assert_answer(self.query("-d", directory, puzzle, "--histogram", "--json")).json
        root = self.picture(self.query("-d", directory, puzzle, "--histogram", "--svg"))
        histogram = figures["histogram"]
        span = next(span for power in itertools.count() for span in (10**power, 2 * 10**power, 5 * 10**power)
                    if figures["max"] // span < 700)  # distances a bar
        counts = [sum(histogram[first:first + span]) for first in range(0, len(histogram), span)]
        drawn = [number for number, count in enumerate(counts) if count > 0]
        bars = next(group for group in root if group.get("class") == "bars")
        self.assertEqual(len(bars), len(drawn))
        highest = max(float(bar.get("height")) for bar in bars)
        for number, bar in zip(drawn, bars):
            first, last = number * span, min((number + 1) * span, len(histogram)) - 1
            self.assertEqual(bar.find(NAMESPACE + "title").text,
                             f"{first}: {counts[number]:,}" if first == last else
                             f"{first} to {last}: {counts[number]:,}")
            self.assertAlmostEqual(float(bar.get("height")), max(counts[number] * highest / max(counts), 0.5),
                                   delta=0.011)
            self.assertAlmostEqual(float(bar.get("y")) + float(bar.get("height")),
                                   float(bars[0].get("y")) + float(bars[0].get("height")), delta=0.011)
        places = [float(bar.get("x")) for bar in bars]
        (width,) = {(b - a) / (after - before)
                    for before, after, a, b in zip(drawn, drawn[1:], places, places[1:])}
        self.assertTrue(width >= 1 and width * len(counts) <= 700)
        self.assertEqual(f"{span} a bar" in " ".join(self.texts(root)), span > 1)
        mean = sum(d * n for d, n in enumerate(histogram)) / sum(histogram)
        half = sum(histogram) / 2
        median = next(d for d, within in enumerate(itertools.accumulate(histogram)) if within >= half)
        self.assertIn(f"mean {mean:.2f}", self.texts(root))
        self.assertIn(f"median {median}", self.texts(root))
        self.assertIn(f"{sum(histogram):,}", root.get("aria-label"))

    def test_other_histograms(self):
        for puzzle in ("hoppers", "guarini", "four-fours", "queens-5", "tiles-2x2"):
            with self.subTest(puzzle):
                self.check_histogram(self.db, puzzle)
        # A hundred states, and costs of hundred thousands: a picture all the same, not a bar for each cost.
        costs = self.write("costs.yaml", "puzzle: costs\nfamily: rules\nstate: {at: 0..99}\nstart: {at: 99}\ngoal: at == 0\n"
                           "moves: [{name: on, if: at > 0, do: at = at - 1, cost: 1000 + at * at}]\n")
        self.assert_answer(self.gen("-q", "-d", self.dir, costs))
        self.check_histogram(self.dir, costs)

    def test_the_same_bytes(self):
        self.assertEqual(self.ask("--svg", "--path").out, self.ask("--svg", "--path").out)
        self.assertEqual(
            self.ask("--svg", "--histogram").out,
            self.ask("--svg", "--histogram", env={"LANG": "de_DE.UTF-8", "LC_ALL": "de_DE.UTF-8"}).out)

    def test_exit_codes(self):
        self.assert_complaint(self.ask("--svg", "start", "1 2 3"), 2, "3 cells")
        self.assert_complaint(self.ask("--svg", "--json"), 2, "--svg or --json")
        self.assert_complaint(self.ask("--svg", "--hint"), 2, "--hint has no picture")
        self.assert_complaint(self.ask("--svg", "--info"), 2, "--info has no picture")
        self.assert_complaint(self.ask("--svg", "-", stdin="start\n"), 2, "command line")
        root = self.picture(self.query("8-puzzle", "--svg", "213456780"), code=1)
        self.assertEqual(root.get("aria-label"), "8-puzzle: the goal cannot be reached from here")
        for puzzle in ("mastermind", "four-fours"):
            for question in (["10"], ["--hardest"], ["--random"], []):
                self.assert_complaint(self.query(puzzle, "--svg", *question), 2, puzzle, "--histogram")

    def test_full_disk(self):
        with open("/dev/full", "wb") as full:
            self.assert_complaint(self.ask("--svg", "--path", stdout=full), 3, "standard output")


class Pieces(SvgCase):
    def shown(self, *arguments):
        (board,) = self.boards(self.picture(self.query(*arguments, "--svg")))
        return board

    def test_rectangles(self):
        board = self.shown("rush-hour")
        self.assert_pieces(board, ["GBB.L.", "GHI.LM", "GHIAAM", "CCCK.M", "..JKDD", "EEJFF."])
        self.assertEqual(sorted(glyph for glyph, _, _ in board.glyphs), list("ABCDEFGHIJKLM"))

    def test_walls(self):
        path = self.write("walls.yaml", "puzzle: walls\nfamily: slide\ngoal: |\n  1 # 2\n  3 4 .\n")
        self.assert_pieces(self.shown(path, "1#2/34."), ["1#2", "34."])

    def test_a_picture_is_about_as_wide_as_its_board(self):
        """A heading is broken into lines, but at spaces only."""
        for name in ("slider", "x" * 64):
            path = self.write("wide.yaml", f"puzzle: {name}\nfamily: slide\ngoal: |\n  1 2 3\n  4 5 .\n")
            root = self.picture(self.query(path, "--hardest", "--svg"))
            (board,) = self.boards(root)
            tray = board.element("tray")
            headings = [element.text for element in root.iter(NAMESPACE + "text") if element.get("font-size") == "15"]
            self.assertEqual(" ".join(headings), f"{name}: 1 board at distance 21, the farthest from the goal")
            self.assertGreater(len(headings), 1)
            if name == "slider":
                self.assertLess(int(root.get("width")), 1.25 * int(tray.get("width")) + 40)
            else:
                self.assertGreater(int(root.get("width")), 64 * 8)

    def test_outlines(self):
        ring = ["aaa.", "aba.", "aaa."]
        corners = ["aab.", "acbb", "aac."]
        for rows in (ring, corners):
            self.check_shape(rows)

    def test_random_outlines(self):
        chance = random.Random(8)
        for _ in range(12):
            cells = {(2, 2)}
            while len(cells) < 14:
                row, column = chance.choice(sorted(cells))
                step = chance.choice([(0, 1), (1, 0), (0, -1), (-1, 0)])
                if 0 <= row + step[0] < 5 and 0 <= column + step[1] < 6:
                    cells.add((row + step[0], column + step[1]))
            self.check_shape(["".join("a" if (r, c) in cells else "." for c in range(6)) for r in range(5)])

    def check_shape(self, rows):
        """The whole board is the goal, and each letter a piece of its own."""
        pieces = []
        for letter in sorted(set("".join(rows)) - {"."}):
            cells = [(r, c) for r, row in enumerate(rows) for c, name in enumerate(row) if name == letter]
            top, left = min(r for r, _ in cells), min(c for _, c in cells)
            bottom, right = max(r for r, _ in cells), max(c for _, c in cells)
            if len(cells) > 1:
                pieces.append("/".join(" ".join(letter if (r, c) in cells else "." for c in range(left, right + 1))
                                       for r in range(top, bottom + 1)))
        goal = "".join(f"  {row}\n" for row in rows)
        text = f"puzzle: shape\nfamily: slide\ngoal: |\n{goal}pieces: {pieces!r}\n"
        self.assert_pieces(self.shown(self.write("shape.yaml", text), "goal"), rows)

    def test_pegs(self):
        root = self.picture(self.query("english-33", "goal", "--svg", "--method=search"))
        (board,) = self.boards(root)
        self.assertEqual((len(board.pieces), len(board.empty)), (1, 32))
        self.assertEqual({shape.element.tag for shape in board.pieces + board.empty}, {NAMESPACE + "circle"})
        for (row, column), (x, y) in board.middles(7, 7).items():
            hole = 2 <= row <= 4 or 2 <= column <= 4
            self.assertEqual(board.tray.has(x, y), hole)
            self.assertEqual(sum(shape.has(x, y) for shape in board.pieces + board.empty), hole)
            self.assertEqual(board.pieces[0].has(x, y), (row, column) == (3, 3))

    def test_triangles_have_equal_sides(self):
        """Neighbours are equally far from each other in all directions, and no two pegs overlap."""
        for puzzle, holes, directions in (("triangle-15", 15, 3), ("hoppers", 13, 2)):
            root = self.picture(self.query(puzzle, "--svg"))
            circles = [element for element in root.iter(NAMESPACE + "circle")]
            self.assertEqual(len(circles), holes)
            middles = [(int(circle.get("cx")), int(circle.get("cy"))) for circle in circles]
            lengths = {}
            for (x1, y1), (x2, y2) in itertools.combinations(middles, 2):
                vector = (x2 - x1, y2 - y1) if (y2, x2) > (y1, x1) else (x1 - x2, y1 - y2)
                lengths[vector] = (vector[0] ** 2 + vector[1] ** 2) ** 0.5
            shortest = min(lengths.values())
            self.assertEqual(sum(length < 1.05 * shortest for length in lengths.values()), directions, puzzle)
            self.assertLess(2 * int(circles[0].get("r")), shortest)

    def test_staggered_holes_stand_on_one_tray(self):
        """Broad lines join each hole to another, so that the tray is one piece, and lie within the picture."""
        for puzzle in ("triangle-15", "triangle-21", "hoppers"):
            board = self.shown(puzzle)
            tray = board.element("tray")
            self.assertEqual((tray.get("fill"), tray.get("stroke"), tray.get("stroke-linecap")),
                             ("none", "#d5dae0", "round"))
            lines = [tuple(map(int, line)) for line in re.findall(r"M(\d+) (\d+)l(-?\d+) (\d+)", tray.get("d"))]
            circles = {(int(shape.element.get("cx")), int(shape.element.get("cy"))): int(shape.element.get("r"))
                       for shape in board.pieces + board.empty}
            half = int(tray.get("stroke-width")) / 2
            self.assertLess(max(circles.values()), half, puzzle)
            self.assertGreaterEqual(min(min(middle) for middle in circles), half)
            together = {min(circles)}
            for _ in circles:
                for x, y, across, down in lines:
                    ends = {(x, y), (x + across, y + down)}
                    together |= ends if ends & together else set()
            self.assertEqual(together, set(circles), puzzle)

    def test_distances_that_take_long(self):
        """Boards are drawn all the same, and the exit code says nothing of them; one method has its answer."""
        root = self.picture(self.query("-j1", "french-37", "--svg"))
        self.assertEqual((root.get("aria-label"), len(self.boards(root))), ("french-37", 1))
        far = " ".join(map(str, [34, 35, *range(33, -1, -1)]))
        root = self.picture(self.query("-j1", "tiles-6x6", "--svg", "goal", far))
        self.assertEqual(self.texts(root)[:2], ["tiles-6x6", "this is the goal"])
        self.assertEqual(len(self.boards(root)), 2)
        root = self.picture(self.query("8-puzzle", "--svg", "--method=search"))
        self.assertEqual(root.get("aria-label"), "8-puzzle: 31 moves from the goal")

    def test_a_block_that_stands(self):
        """It looks otherwise than half of one that lies."""
        boards = self.boards(self.picture(self.query("bloxorz-1", "--path", "--svg")))
        shown = [(sorted(glyph for glyph, _, _ in board.glyphs), len({shape.fill for shape in board.pieces}))
                 for board in boards]
        self.assertEqual(shown[:3], [(["S"], 1), (["B", "B"], 1), (["S"], 1)])

    def test_figures_without_a_colour(self):
        """What lies on an empty cell can be seen there."""
        for shape in ("target", "ring", "hole", "water"):
            path = self.write("crate.yaml", "puzzle: crate\nfamily: rules\nstate: {at: 1..4}\nstart: {at: 1}\n"
                              "moves:\n  - {name: push, do: at = at + 1}\ngoal: at == 4\n"
                              "draw: {for: {row: 1..1, i: 1..4}, show: {c: i == at, x: i == 4}}\n"
                              f"shapes: {{x: {shape}}}\n")
            fills = [element.get("fill") for element in self.picture(self.query(path, "--svg")).iter()
                     if element.get("class") in ("figure", "water")]
            self.assertEqual(len(fills), 1, shape)
            self.assertRegex(fills[0], "^#[0-9a-f]{6}$")
            light = [int(fills[0][i:i + 2], 16) for i in (1, 3, 5)]
            self.assertLess(sum(light), 3 * 0xF4 - 150, shape)

    def test_flips(self):
        board = self.shown("8-flip", "1110/1010/1110/0000")
        self.assertEqual((len(board.pieces), len(board.empty)), (8, 8))
        for ((row, column), (x, y)), lit in zip(board.middles(4, 4).items(), "1110101011100000"):
            self.assertEqual(any(shape.has(x, y) for shape in board.pieces), lit == "1", (row, column))

    def test_hostile_text(self):
        names = ["<", "&", '"', "]]>"]
        glyphs = "{'<': '<b>', '&': '&amp;', '\"': \"'\", ']]>': '\\\\'}"
        path = self.write(
            "hostile.yaml",
            f"puzzle: hostile\nfamily: slide\ngoal: |\n  < & \"\n  ]]> . .\nglyphs: {glyphs}\n"
            "boards: {start: '& < \" ]]> . .'}\n")
        root = self.picture(self.query(path, "--svg", "--path"))
        boards = self.boards(root)
        self.assertEqual(boards[0].text.split(","), ["&", "<", '"', "]]>", ".", "."])
        self.assertEqual([glyph for glyph, _, _ in boards[0].glyphs], ["&amp;", "<b>", "'", "\\\\"])
        boards = self.boards(self.picture(self.query(path, "--svg", "--ascii")))
        self.assertEqual([glyph for glyph, _, _ in boards[0].glyphs], ["&", "<", '"', "]]>"])
        self.assertEqual(sorted(names), sorted(glyph for glyph, _, _ in boards[0].glyphs))


class Graphs(SvgCase):
    GRAPH = """\
puzzle: graph
family: walk
places: |
  a b c
  d # e
board: |
  w . .
  . # b
goal: |
  b . .
  . # w
edges: [a b c e d a, a c]
one-way: [c d]
boards: {start: w..#.b/}
"""

    def test_lines(self):
        path = self.write("graph.yaml", self.GRAPH.replace("w..#.b/", "w../.#b"))
        (board,) = self.boards(self.picture(self.query(path, "--svg")))
        self.assertEqual(board.text, "w...#b")
        circles = sorted(
            (int(shape.element.get("cy")), int(shape.element.get("cx"))) for shape in board.pieces + board.empty)
        a, b, c, d, e = ((x, y) for y, x in circles)
        self.assertEqual((a[0], a[1], b[1], c[1], d[0], d[1], e[0]), (d[0], b[1], c[1], a[1], a[0], e[1], c[0]))
        links = re.findall(r"M(\d+) (\d+)(L|Q-?\d+ -?\d+ )(\d+) (\d+)", board.element("links").get("d"))
        drawn = {(frozenset([(int(x1), int(y1)), (int(x2), int(y2))]), how[0]) for x1, y1, how, x2, y2 in links}
        self.assertEqual(
            drawn, {(frozenset(ends), how) for ends, how in [((a, b), "L"), ((b, c), "L"), ((c, e), "L"), (
                (e, d), "L"), ((d, a), "L"), ((c, d), "L"), ((a, c), "Q")]})
        self.assertEqual(len(links), 7)
        arrows = re.findall(r"M(\d+) (\d+)L(\d+) (\d+)L(\d+) (\d+)Z", board.element("arrows").get("d"))
        self.assertEqual(len(arrows), 1, "c to d only")
        x, y, x1, y1, x2, y2 = map(int, arrows[0])
        self.assertTrue(x < min(x1, x2) and y > max(y1, y2), "it points from c down to the left")

    def test_no_lines_on_a_chess_board(self):
        (board,) = self.boards(self.picture(self.query("guarini", "--svg")))
        self.assertIsNone(board.element("links"))
        self.assertEqual([glyph for glyph, _, _ in board.glyphs], ["♞", "♞", "♘", "♘"])


class Pictures(SvgCase):
    def test_the_documents_pictures_are_what_is_drawn_now(self):
        subprocess.run([SOURCE / "tools" / "pictures", self.dir / "pictures"], check=True,
                       env=self.environment(self.dir), timeout=120)
        drawn = {path.name: path.read_text() for path in (self.dir / "pictures").iterdir()}
        kept = {path.name: path.read_text() for path in (SOURCE / "docs" / "pictures").glob("*.svg")}
        self.assertEqual(sorted(drawn), sorted(kept))
        for name, text in kept.items():
            self.assertTrue(text == drawn[name], f"{name} has changed: run tools/pictures")
            self.assertLess(len(text.encode()), 30 << 10)


class Sketches(SvgCase):
    def test_queens(self):
        root = self.picture(self.query("queens-6", "24....", "--path", "--svg"))
        boards = self.boards(root)
        self.assertEqual([board.text for board in boards], ["24....", "246135"])
        for board, columns in zip(boards, ([1, 3], [1, 3, 5, 0, 2, 4])):
            middles = board.middles(6, 6)
            self.assertEqual([glyph for glyph, _, _ in board.glyphs], ["♛"] * len(columns))
            for row, ((_, x, _), column) in enumerate(zip(board.glyphs, columns)):
                self.assertLess(abs(x - middles[row, column][0]), 6)
            squares = [path for path in board.group if path.tag == NAMESPACE + "path"]
            self.assertEqual([path.get("d").count("M") for path in squares], [18, 18])
        self.assertIn("A solution", self.texts(root))

    def test_sums(self):
        root = self.picture(self.query("send-more", "--path", "--svg"))
        words = self.texts(root)
        for word in ("SEND", "MORE", "MONEY", "9567", "1085", "10652"):
            self.assertIn(word, words)

    def test_no_solution(self):
        root = self.picture(self.query("queens-6", "1.....", "--svg"), code=1)
        self.assertEqual(root.get("aria-label"), "queens-6: no solution is left")


if __name__ == "__main__":
    unittest.main()
