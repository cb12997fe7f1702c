"""Sets of boards: which are drawn, how they are graded and said, held against a plain search over the whole space."""

import json
import unittest

from helpers.harness import SOURCE, Case

# Cars on 5x5: the A has to get to the right. Each moves along its own length, any number of cells at a time.
CARS = """\
puzzle: cars
family: slide
metric: slide
axis: length
board: |
  . . . C C
  . . B . D
  A A B . D
  E . . . .
  E F F . .
pieces: [AA, B/B, CC, D/D, E/E, FF]
goal: |
  * * * * *
  * * * * *
  * * * A A
  * * * * *
  * * * * *
"""


def tiny_moves(board):
    """2 rows of 3, the blank is 0."""
    blank = board.index("0")
    for other in (blank - 3, blank + 3, blank - 1, blank + 1):
        if 0 <= other < 6 and (abs(other - blank) == 3 or other // 3 == blank // 3):
            cells = list(board)
            cells[blank], cells[other] = cells[other], cells[blank]
            yield "".join(cells)


def car_moves(board, side=5):
    for car in sorted(set(board) - {"."}):
        cells = [i for i, symbol in enumerate(board) if symbol == car]
        step = cells[1] - cells[0]
        for way in (-step, step):
            now, at = board, cells
            while True:
                at = [i + way for i in at]
                inside = all(0 <= i < side * side and (step == side or i // side == cells[0] // side) for i in at)
                if not inside or any(now[i] not in (car, ".") for i in at):
                    break
                now = "".join(car if i in at else "." if symbol == car else symbol for i, symbol in enumerate(now))
                yield now


class Space:
    """All that moves lead to: how far each board is, and how many shortest solutions it has."""

    def __init__(self, start, moves, is_goal):
        reached, self.moves = [start], {start: list(moves(start))}
        for board in reached:
            for after in self.moves[board]:
                if after not in self.moves:
                    self.moves[after] = list(moves(after))
                    reached.append(after)
        layer = [board for board in reached if is_goal(board)]
        self.distance, self.count, d = {board: 0 for board in layer}, {board: 1 for board in layer}, 0
        while layer:
            d, after = d + 1, []
            for board in layer:
                for before in self.moves[board]:  # moves can be undone
                    if before not in self.distance:
                        self.distance[before] = d
                        after.append(before)
            for board in after:
                self.count[board] = sum(self.count[m] for m in self.moves[board] if self.distance.get(m) == d - 1)
            layer = after

    def best(self, board):
        return [m for m in self.moves[board] if self.distance[m] < self.distance[board]]

    def at(self, first, last):
        return {board for board, d in self.distance.items() if first <= d <= last}


class Tiny(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.space = Space("123450", tiny_moves, "123450".__eq__)

    def setUp(self):
        super().setUp()
        self.puzzle = self.make_tiny()

    def set(self, *options, code=0):
        result = self.query("-d", self.db, self.puzzle, "--json", *options)
        self.assertEqual(result.code, code, result)
        self.assertEqual(result.err == "", code == 0, result)
        boards = [json.loads(line) for line in result.lines]
        self.assertEqual(len(boards), len({board["board"] for board in boards}))
        for board in boards:
            self.check(board)
        order = [(board["distance"], -board["count"]) for board in boards]
        self.assertEqual(order, sorted(order))
        return {board["board"] for board in boards}

    def check(self, answer):
        """The fields of a query, and the grades."""
        board, space = answer["board"], self.space
        self.assertEqual(answer["distance"], space.distance[board])
        self.assertEqual(answer["count"], space.count[board])
        self.assertEqual({move["board"]: move["distance"] for move in answer["moves"]},
                         {after: space.distance[after] for after in space.moves[board]})
        self.assertEqual(answer["away"], sum(space.distance[after] > space.distance[board]
                                             for after in space.moves[board]))
        through = [board]  # the boards that shortest solutions lead through
        for at in through:
            through += [after for after in space.best(at) if after not in through and space.distance[after] > 0]
        self.assertAlmostEqual(answer["branching"], sum(len(space.moves[at]) for at in through) / len(through), 9)

    def test_all_there_are(self):
        """Too few: all of them, and how many."""
        for first, last in ((3, 3), (10, 14), (19, 21), (21, 21)):
            wanted = self.space.at(first, last)
            self.assertEqual(self.set(f"--random={first}..{last}", "--number=1000", code=1), wanted)
        self.assertEqual(self.set("--random=10..14", f"--number={len(self.space.at(10, 14))}"), self.space.at(10, 14))
        complaint = self.query("-d", self.db, self.puzzle, "--random=10..14", "--number=1000", "--unique").err
        unique = {board for board in self.space.at(10, 14) if self.space.count[board] == 1}
        self.assertIn(f": {len(unique)} boards at distance 10 to 14 with one solution, and no more: 1000 were asked for",
                      complaint)

    def test_unique(self):
        space = self.space
        boards = space.at(1, 21)
        self.assertEqual(self.set("--random=1..99", "--number=1000", "--unique", code=1),
                         {board for board in boards if space.count[board] == 1})
        self.assertEqual(self.set("--random=1..99", "--number=1000", "--unique=first", code=1),
                         {board for board in boards if len(space.best(board)) == 1})
        for option, few in (("--unique=first", lambda board: len(space.best(board)) == 1),
                            ("--fixed=*5*/***", lambda board: board[1] == "5")):
            wanted = set(filter(few, space.at(21, 21)))
            self.assertEqual(self.set("--hardest", option, code=0 if wanted else 1), wanted)

    def test_spread(self):
        """Each distance that has more has as many as any other, or one less. Where it is known how many there are, what is
        left over goes to distances at even steps; the oracle gives every one that has more one at a time."""
        space = self.space
        for option, like in (("--json", lambda board: True),
                             ("--unique=first", lambda board: len(space.best(board)) == 1),
                             ("--fixed=1 . . / . . .", lambda board: board[0] == "1")):
            for first, last, number in ((1, 21, 40), (2, 9, 8), (1, 21, 7), (1, 4, 9), (18, 21, 30)):
                there = {d: sum(map(like, space.at(d, d))) for d in range(first, last + 1)}
                share, left = dict.fromkeys(there, 0), number
                while opened := [d for d in share if share[d] < there[d]]:
                    given = opened if left >= len(opened) else [opened[-(-step * len(opened) // left) - 1]
                                                                for step in range(1, left + 1)]
                    share.update((d, share[d] + 1) for d in given)
                    left -= len(given)
                    if not given:
                        break
                drawn = self.set(f"--random={first}..{last}", f"--number={number}", "--spread", option,
                                 code=int(sum(there.values()) < number))
                self.assertTrue(all(map(like, drawn)))
                got = {d: len(drawn & space.at(d, d)) for d in there}
                self.assertEqual(sum(got.values()), min(number, sum(there.values())))
                self.assertTrue(all(got[d] in (there[d], max(got.values()), max(got.values()) - 1) for d in got), got)
                if option == "--json":
                    self.assertEqual(got, share)
        self.assert_complaint(self.query(self.puzzle, "--random=2..5", "--spread"), 2, "--number")
        self.assert_complaint(self.query(self.puzzle, "--hardest", "--number=5", "--spread"), 2, "--random")
        self.assert_complaint(self.query(self.puzzle, "--random=22..30", "--number=5", "--spread"), 2, "no board is at")

    def test_fixed(self):
        self.assertEqual(self.set("--random=5..15", "--number=1000", "--fixed=1 . . / . 5 .", code=1),
                         {board for board in self.space.at(5, 15) if board[0] == "1" and board[4] == "5"})
        self.assert_complaint(self.query(self.puzzle, "--random", "--fixed=12"), 2, "fixed cells", "2 cells")

    def test_seed(self):
        some = [self.query(self.puzzle, "--random=5..15", "--number=8", f"--seed={seed}", "--json", f"-j{threads}").out
                for seed, threads in ((1, 1), (1, 2), (2, 1))]
        self.assertEqual(some[0], some[1])
        self.assertNotEqual(some[0], some[2])
        drawn = set()  # every board comes up
        for seed in range(60):
            drawn |= {json.loads(line)["board"] for line in self.query(
                "-d", self.db, self.puzzle, "--random=4..4", "--number=1", f"--seed={seed}", "--json").lines}
        self.assertEqual(drawn, self.space.at(4, 4))

    def test_forms(self):
        out = self.assert_answer(self.query(self.puzzle, "--random=5..15", "--number=3", "--ascii", "--seed=1")).lines
        self.assertEqual(out[0], "tiny: 3 boards at distance 5 to 15")
        self.assertIn("  1. ", out[2])
        svg = self.assert_answer(self.query(self.puzzle, "--random=5..15", "--number=3", "--svg", "--seed=1")).out
        self.assertEqual(svg.count("moves from"), 3)

    def test_one_board(self):
        """A random board has a path and a count as a set of one has."""
        for options in (["--path"], ["--count"], ["--path=3", "--count"]):
            for distance in ("--random=12", "--random"):
                one = self.assert_answer(self.query("-d", self.db, self.puzzle, distance, "--seed=5", *options, "--json"))
                some = self.query("-d", self.db, self.puzzle, distance, "--seed=5", "--number=1", *options, "--json")
                self.assertEqual(one.json, some.json)
                self.assertTrue({"path", "paths", "solutions"} & set(one.json))

    def test_refused(self):
        for options, words in ((["--number=3"], ["go with --random"]), (["--unique", "--path"], ["go with --random"]),
                               (["--random=7..5"], ["--random", "'7..5'"]), (["--random=..5"], ["--random", "''"]),
                               (["--random", "--unique=last"], ["--unique=first", "'last'"]),
                               (["--random", "--number=0"], ["--number", "'0'"]),
                               (["--random=30..40", "--number=2"], ["no board is at distance 30 or farther"])):
            self.assert_complaint(self.query(self.puzzle, *options), 2, *words)
        self.assert_complaint(self.query("mastermind", "--random", "--number=2"), 2, "without moves")

    def test_hardest(self):
        """As many as there are; with a number, so many, or how many there are."""
        space, all_of_them = self.space, self.space.at(21, 21)
        self.assertEqual(self.set("--hardest", "--distinct"), all_of_them)
        self.assertEqual(self.set("--hardest", f"--number={len(all_of_them)}"), all_of_them)
        self.assertEqual(self.set("--hardest", "--number=1000", code=1), all_of_them)
        far = [n for n, board in enumerate(sorted(all_of_them)) if space.count[board] == 1]
        complaint = self.query("-d", self.db, self.puzzle, "--hardest", "--unique", "--number=1000")
        self.assertIn(f": {len(far) or 'no'} board", complaint.err)
        self.assertEqual((complaint.code, len(complaint.out) > 0), (1, len(far) > 0))

    def test_solutions(self):
        """What is asked about a board is asked about each of a set."""
        lines = self.assert_answer(self.query(self.puzzle, "--random=5..15", "--number=5", "--seed=3", "--json",
                                              "--path=all", "--count", "--first")).lines
        for answer in map(json.loads, lines):
            self.assertEqual(len(answer["paths"]), answer["count"])
            self.assertEqual(answer["solutions"], answer["count"])
            self.assertEqual(sum(move["solutions"] for move in answer["moves"]), answer["count"])
            for path in answer["paths"]:
                self.assertEqual([self.space.distance[board] for board in path],
                                 list(range(answer["distance"], -1, -1)))
                self.assertTrue(all(after in self.space.moves[board] for board, after in zip(path, path[1:])))
        lines = self.query(self.puzzle, "--random=5..15", "--number=5", "--seed=3", "--json", "--path").lines
        self.assertTrue(all(len(answer["path"]) == answer["distance"] + 1 for answer in map(json.loads, lines)))
        text = self.assert_answer(self.query(self.puzzle, "--random=5..15", "--number=2", "--seed=3", "--path")).out
        self.assertEqual(text.count("A shortest solution:"), 2)


SHAPES = """\
puzzle: shapes
family: slide
board: |
  A A .
  b c .
  . c .
goal: |
  * * *
  * b *
  * * *
pieces: [AA, c/c]
"""
RING = """\
puzzle: ring
family: slide
goal: |
  1 2 1
  2 . 2
  1 2 1
"""
TURNED = """\
puzzle: turned
family: slide
goal: |
  1 2 3
  4 . .
"""


class Symmetries(Case):
    """Which turns and mirror images of a small board are symmetries is found out by trying them on every board that
    there is: do its moves become the image's moves, and is it as far away?"""

    def space(self, puzzle):
        lines = self.query(puzzle, "--random=0..99", "--number=100000", "--json").lines
        answers = [json.loads(line) for line in lines]
        return {answer["board"]: (answer["distance"], {move["board"] for move in answer["moves"]})
                for answer in answers}

    def relabellings(self, space, rows, columns):
        """(place -> place, symbol -> symbol): symbols as a goal, cell by cell, needs them."""
        goals = [board for board, (distance, _) in space.items() if distance == 0]
        for number in range(8 if rows == columns else 4):
            to = []
            for row in range(rows):
                for column in range(columns):
                    r, c = (column, row) if number & 4 else (row, column)
                    to.append((rows - 1 - r if number & 2 else r) * columns + (columns - 1 - c if number & 1 else c))
            tables = set()
            for goal in goals:
                turned = "".join(goal[to.index(i)] for i in range(len(goal)))
                for other in goals:
                    table = dict(zip(turned, other))
                    if [table[symbol] for symbol in turned] == list(other) and len(set(table.values())) == len(table):
                        tables.add(tuple(sorted(table.items())))
            for table in sorted(tables):
                yield to, dict(table)

    def classes(self, space, rows, columns):
        """Boards that are alike, and by how many turns and mirror images."""
        alike, turns = {board: {board} for board in space}, set()
        for to, table in self.relabellings(space, rows, columns):
            back = [to.index(i) for i in range(len(to))]
            image = {board: "".join(table.get(board[i], board[i]) for i in back) for board in space}
            if all(image[board] in space and space[image[board]] == (distance, {image[move] for move in moves})
                   for board, (distance, moves) in space.items()):
                turns.add(tuple(to))
                for board in space:
                    alike[board].add(image[board])
        return alike, len(turns)

    def test_grids(self):
        for name, text, rows, columns in (("lights-out-3x3", None, 3, 3), ("lights-out-2x4", None, 2, 4),
                                          ("guarini", None, 3, 3), ("shapes", SHAPES, 3, 3), ("ring", RING, 3, 3),
                                          ("turned", TURNED, 2, 3)):
            puzzle = name if text is None else self.write(f"{name}.yaml", text)
            space = self.space(puzzle)
            alike, turns = self.classes(space, rows, columns)
            with self.subTest(puzzle=name):
                result = self.query(puzzle, "--random=0..99", "--number=100000", "--distinct", "--json", "--seed=3")
                boards = [json.loads(line)["board"] for line in result.lines]
                self.assertEqual(sum(len(alike[board]) for board in boards), len(space))
                self.assertEqual(set().union(*(alike[board] for board in boards)), set(space))
                words = f"none like another by its {turns - 1} symmetr" if turns > 1 else "no symmetries are known"
                self.assertIn(words, result.err)
                some = self.query(puzzle, "--random=1..99", "--number=5", "--distinct", "--json", "--seed=4").lines
                self.assertTrue({json.loads(line)["board"] for line in some} <= set(space))

    def test_pegs(self):
        """Holes of Hoppers in rows of three and two, shifted against each other: turned and mirrored as a square."""
        holes = [(2 * row, 2 * column) if row % 2 == 0 else (2 * row, 2 * column + 1)
                 for row in range(5) for column in range(3 - row % 2)]
        holes = [(row // 2, column) for row, column in holes]
        turn = [holes.index((column, 4 - row)) for row, column in holes]
        mirror = [holes.index((row, 4 - column)) for row, column in holes]
        every, distinct = ([json.loads(line)["board"] for line in self.query(
            "hoppers", "--random=4..5", "--number=100000", "--json", *options).lines] for options in ([], ["--distinct"]))
        classes = set()
        for board in every:
            images = []
            for way in (list(range(13)), mirror):
                now = "".join(board[i] for i in way)
                for _ in range(4):
                    images.append(now)
                    now = "".join(now[i] for i in turn)
            classes.add(min(images))
            if board in distinct:
                self.assertEqual(len(set(images) & set(distinct)), 1)
        self.assertEqual(len(classes), len(distinct))
        self.assertTrue(set(distinct) <= set(every))


class Others(Case):
    def test_costs_are_no_moves(self):
        self.gen("-qd", self.db, "bridge-1-2-5-10")
        for said, asked in (("  1. a cost of 17\n", ("--random=17", "--number=1")), ("\ngreatest    a cost of 27 ", ("--info", )),
                            ("30 states, at most a cost of 27 from the goal", ("--histogram", ))):
            self.assertIn(said, self.query("-d", self.db, "bridge-1-2-5-10", *asked).out)

    def test_distinct(self):
        """Two pegs of a tower of Hanoi that may be exchanged."""
        text = (SOURCE / "tests/cli/rules/hanoi.yaml").read_text()
        four = text.replace("  peg: [A, B, C, D]", "  peg: [A, B, C, D]\n  spare: [B, C]") + "symmetric: spare\n"
        self.assertNotEqual(four, text + "symmetric: spare\n")
        path = self.write("hanoi.yaml", four)
        exchange = str.maketrans("BC", "CB")
        every, distinct = ([json.loads(line)["board"] for line in self.query(
            path, "--random=3..6", "--number=100000", "--json", "--seed=5", *options).lines]
                           for options in ([], ["--distinct"]))
        self.assertEqual(len(every), len(set(every)))
        classes = {min(board, board.translate(exchange)) for board in every}
        self.assertEqual({min(board, board.translate(exchange)) for board in distinct}, classes)
        self.assertEqual(len(distinct), len(classes))
        self.assertTrue(set(distinct) < set(every))
        histogram = self.assert_answer(self.query(path, "--histogram", "--json")).json["histogram"]
        self.assertEqual(len(every), sum(histogram[3:7]))

    def test_cars(self):
        """A Rush Hour puzzle of one's own: boards with one best first move, each confirmed by a plain search of all that
        moves lead to."""
        path = self.write("cars.yaml", CARS)
        result = self.assert_answer(self.query(path, "--random=4..6", "--number=20", "--unique=first", "--distinct",
                                               "--seed=1", "--json"))
        answers = [json.loads(line) for line in result.lines]
        self.assertEqual(len({answer["board"] for answer in answers}), 20)
        for answer in answers:
            board = answer["board"]
            space = Space(board, car_moves, lambda now: now[13:15] == "AA")
            self.assertEqual((answer["distance"], answer["count"], len(space.best(board))),
                             (space.distance[board], space.count[board], 1))
            self.assertIn(answer["distance"], (4, 5, 6))

    def test_rush_hour(self):
        """Cards of twenty moves and more, of pdb's own board and of one without its car E; a plain search of all that
        moves lead to says the same of each."""
        text = (SOURCE / "puzzles/rush-hour.yaml").read_text()
        text = text.replace("puzzle: rush-hour", "puzzle: cards").replace("  - EE\n", "").replace("E E", ". .")
        own = self.write("cards.yaml", text.replace("EEJFF.", "..JFF."))
        for puzzle, wish, number in (("rush-hour", ["--random=45..51", "--distinct"], 10),
                                     (own, ["--random=20..30", "--unique=first"], 20)):
            answers = [json.loads(line) for line in self.assert_answer(
                self.query(puzzle, *wish, f"--number={number}", "--seed=1", "--json")).lines]
            self.assertEqual(len({answer["board"] for answer in answers}), number)
            space = Space(answers[0]["board"], lambda now: car_moves(now, 6), lambda now: now[16:18] == "AA")
            for answer in answers:
                board = answer["board"]
                self.assertEqual((answer["distance"], answer["count"]), (space.distance[board], space.count[board]))
                self.assertTrue("--distinct" in wish or len(space.best(board)) == 1)


if __name__ == "__main__":
    unittest.main()
