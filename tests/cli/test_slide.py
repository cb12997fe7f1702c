"""Whole puzzles of the slide family against the plain search in helpers/oracle.py: every board, the unreachable ones
included."""

import random
import unittest

from helpers.harness import Case
from helpers.oracle import EMPTY, OPEN, WALL, Slide


def block(lines):
    return "|\n" + "".join("  " + line + "\n" for line in lines)


def rows_of(puzzle, board):
    return [" ".join(board[r * puzzle.columns:(r + 1) * puzzle.columns]) for r in range(puzzle.rows)]


def cells(text):
    """A board's text as the oracle has it."""
    words = text.split(",") if "," in text else list(text)
    return tuple(EMPTY if word == "0" else word for word in words)


class Whole(Case):
    def compare(self, puzzle, definition, methods=("db", "search")):
        """Histogram, hardest boards and every board's distance, from a database and from a search; what is said of the
        drawn board."""
        distance = puzzle.distances()
        reached = [d for d in distance.values() if d is not None]
        histogram = [reached.count(d) for d in range(max(reached) + 1)]
        hardest = {board for board, d in distance.items() if d == max(reached)}
        path = self.write("puzzle.yaml", definition)
        forgotten = {puzzle.forget(board): d for board, d in distance.items()}
        lost = forgotten[puzzle.forget(puzzle.board)] is None
        made = self.gen("-d", self.db, "--force", path)
        self.assertEqual((made.code, made.err),
                         (0, f"pdb-gen: {path}: the goal cannot be reached from the board 'board'\n" if lost else ""))
        for method in methods:
            ask = ("-d", self.db, f"--method={method}", path)
            answer = self.assert_answer(self.query(*ask, "--histogram", "--json")).json
            self.assertEqual((answer["states"], answer["histogram"]), (len(reached), histogram), definition)
            boards = self.assert_answer(self.query(*ask, "--hardest=10000", "--json")).json["boards"]
            self.assertEqual({puzzle.forget(cells(board)) for board in boards}, hardest, definition)
            self.assertEqual(len(boards), len(hardest))
            result = self.query(*ask, "-", stdin="".join(" ".join(board) + "\n" for board in distance))
            self.assertEqual(result.code, 1 if None in distance.values() else 0, result)
            found = [line.split("\t")[1] for line in result.lines]
            wanted = ["unreachable" if d is None else str(d) for d in distance.values()]
            self.assertEqual(found, wanted, definition)
        return distance

    def define(self, puzzle, board, goal, pieces=(), alike=()):
        lines = [
            "puzzle: random", "family: slide",
            "board: " + block(rows_of(puzzle, board)) + "goal: " + block(rows_of(puzzle, goal))
        ]
        if pieces:
            lines += ["pieces:"
                      ] + ["  - " + block(piece.split("/")).replace("\n  ", "\n      ").rstrip() for piece in pieces]
        if alike:
            lines += ["alike:"] + [f"  - {group}" for group in alike]
        return "\n".join(lines) + "\n"

    def test_tiny(self):
        puzzle = Slide("123/45.", "123/45.")
        distance = self.compare(puzzle, self.define(puzzle, puzzle.board, puzzle.goal))
        self.assertEqual((len(distance), sum(d is None for d in distance.values())), (720, 360))

    def test_8_puzzle(self):
        """A published figure too: 181,440 states, deepest 31, two of them."""
        path = self.write("eight.yaml", "puzzle: eight\nfamily: slide\ngoal: 123/456/78.\n")
        answer = self.assert_answer(self.query("--histogram", "--json", path)).json
        self.assertEqual((answer["states"], answer["max"], answer["histogram"][-1]), (181440, 31, 2))
        self.assertEqual(self.assert_answer(self.query("--json", path, "8 6 7 / 2 5 4 / 3 . 1")).json["distance"], 31)

    def test_klotski(self):
        """A published figure: 116 moves of one cell."""
        path = self.write(
            "klotski.yaml",
            "puzzle: k\nfamily: slide\nboard: baac/baac/deef/dghf/i..j\ngoal: '****/****/****/*aa*/*aa*'\n"
            "pieces: [aa/aa, b/b, c/c, d/d, f/f, ee]\nalike: [b c d f, g h i j]\n")
        self.assertEqual(
            self.assert_answer(self.query("--json", path, "baac/baac/deef/dghf/i..j")).json["distance"], 116)

    def test_random_puzzles(self):
        """Walls, pieces of every shape, identical and alike pieces, several empty cells, goals with open cells."""
        shapes = ["xx", "x/x", "xx/x.", "x./xx", ".x/xx", "xx/xx", "xxx", "x/x/x"]
        seen = dict.fromkeys(("wall", "large", "identical", "alike", "open", "unreachable", "several empty"), 0)
        made = 0
        dice = random.Random(20240229)
        while made < 40:
            rows, columns = dice.choice([(2, 2), (2, 3), (3, 2), (3, 3), (2, 4), (1, 5), (4, 2)])
            board = [WALL if dice.random() < 0.1 else None for _ in range(rows * columns)]
            letters = iter("abcdefghijklmn")
            pieces, alike = [], []
            for _ in range(dice.choice([0, 0, 1, 1, 2])):
                picture = dice.choice(shapes).split("/")
                top, left = dice.randrange(rows), dice.randrange(columns)
                inside = [(top + r) * columns + left + c if top + r < rows and left + c < columns else None
                          for r, line in enumerate(picture) for c, x in enumerate(line) if x == "x"]
                if None in inside or any(board[cell] is not None for cell in inside):
                    continue
                letter = next(letters)
                for cell in inside:
                    board[cell] = letter
                pieces.append("/".join(" ".join(line).replace("x", letter) for line in picture))
            free = [cell for cell, symbol in enumerate(board) if symbol is None]
            dice.shuffle(free)
            if len(free) < 2:
                continue
            empties = min(dice.choice([1, 1, 1, 2, 3]), len(free) - 1)
            for cell in free[:empties]:
                board[cell] = EMPTY
            units = []
            for cell in free[empties:]:
                repeat = units and dice.random() < 0.3
                board[cell] = dice.choice(units) if repeat else next(letters)
                units.append(board[cell])
            if len(set(units)) >= 2 and dice.random() < 0.3:
                alike = [" ".join(sorted(set(units))[:2])]
            draw = "/".join(" ".join(board[r * columns:(r + 1) * columns]) for r in range(rows))
            if columns == 1:
                continue
            puzzle = Slide(draw, draw, pieces, alike)
            arrangements = sum(1 for _, _ in zip(range(6001), puzzle.arrangements()))
            if arrangements > 6000:
                continue
            goal = dice.choice(list(puzzle.arrangements())) if not alike else tuple(board)
            pattern = list(goal)
            names = list(goal)
            if dice.random() < 0.5:
                for _, cells in puzzle.cut(puzzle.forget(goal)):
                    if dice.random() < 0.5:
                        for cell in cells:
                            pattern[cell] = OPEN
                for cell, symbol in enumerate(goal):
                    if symbol == EMPTY and dice.random() < 0.5:
                        pattern[cell] = OPEN
            puzzle.goal = puzzle.forget(tuple(pattern))
            definition = self.define(puzzle, tuple(board), tuple(pattern), pieces, alike)
            made += 1
            with self.subTest(number=made, definition=definition):
                if alike:
                    self.compare_alike(puzzle, definition, tuple(names))
                    seen["alike"] += 1
                    continue
                distance = self.compare(puzzle, definition)
                seen["wall"] += WALL in board
                seen["large"] += bool(pieces)
                seen["identical"] += len(set(units)) < len(units)
                seen["open"] += OPEN in pattern
                seen["several empty"] += empties > 1
                seen["unreachable"] += None in distance.values()
        self.assertTrue(all(count >= 3 for count in seen.values()), seen)

    def compare_alike(self, puzzle, definition, board):
        """As compare(), but alike pieces have names: whichever way they are given to the pieces, the distance is the
        same."""
        distance = puzzle.distances()
        reached = [d for d in distance.values() if d is not None]
        path = self.write("puzzle.yaml", definition)
        answer = self.assert_answer(self.query(path, "--histogram", "--json")).json
        self.assertEqual(answer["histogram"], [reached.count(d) for d in range(max(reached) + 1)], definition)
        named = {}
        for symbol in board:
            named.setdefault(puzzle.same[symbol], []).append(symbol)
        for order in (1, -1):
            lines = []
            for anonymous in distance:
                left = {symbol: names[::order] for symbol, names in named.items()}
                lines.append(" ".join(left[symbol].pop() for symbol in anonymous))
            result = self.query(path, "-", stdin="\n".join(lines))
            found = [line.split("\t")[1] for line in result.lines]
            self.assertEqual(found, ["unreachable" if d is None else str(d) for d in distance.values()], definition)


class GoatWithOpenCells(Case):
    """Goat's board with only the sheep's cell and the door's fixed. The wide piece may then stand in the bottom row as
    well, from where it never gets to the top: both halves of the space count, 120,960 goals in all."""

    definition = ("puzzle: pen\nfamily: slide\nboard: |\n  1 8 9 10\n  2 5 7 0\n  3 8 4 6\n"
                  "goal: |\n  * * * *\n  * 5 7 *\n  * * * *\npieces:\n  - 9 10\n")
    rules = Slide("1 8 9 10/2 5 7 0/3 8 4 6", "* * * */* 5 7 */* * * *", pieces=["9 10"])

    def test_layers_and_random_boards(self):
        path = self.write("pen.yaml", self.definition)
        self.assert_answer(self.gen("-d", self.db, path))
        ask = ("-d", self.db, "--method=db", path)
        histogram = self.assert_answer(self.query(*ask, "--histogram", "--json")).json
        self.assertEqual((histogram["states"], sum(histogram["histogram"])), (2 * 5443200, 2 * 5443200))
        goals = set(self.goals())
        self.assertEqual(len(goals), 120960)
        for depth, layer in zip(range(2), self.rules.layers(goals)):
            self.assertEqual(len(layer), histogram["histogram"][depth])
            result = self.assert_answer(self.query(*ask, "-", stdin="".join(" ".join(b) + "\n" for b in sorted(layer))))
            self.assertEqual({line.split("\t")[1] for line in result.lines}, {str(depth)})
        for distance in range(2, histogram["max"] + 1, 3):
            answer = self.assert_answer(self.query(*ask, f"--random={distance}", "--seed=7", "--json")).json
            board = cells(answer["board"])
            near = [layer for _, layer in zip(range(min(distance + 1, 10)), self.rules.layers([board]))]
            self.assertEqual([depth for depth, layer in enumerate(near) if any(map(self.rules.is_goal, layer))][:1],
                             [distance] if distance < 10 else [], answer)
            path_boards = self.assert_answer(self.query(*ask, "--path", "--json", answer["board"])).json["path"]
            self.assertEqual(len(path_boards), distance + 1)
            steps = [cells(text) for text in path_boards]
            self.assertTrue(self.rules.is_goal(steps[-1]))
            self.assertFalse(any(map(self.rules.is_goal, steps[:-1])))
            for one, other in zip(steps, steps[1:]):
                self.assertIn(other, self.rules.neighbours(one))

    def goals(self):
        """Boards with the sheep and the door in their cells, and everything else anywhere."""
        board = "1 8 9 10/2 # # 0/3 8 4 6"
        for board in Slide(board, board, pieces=["9 10"]).arrangements():
            yield board[:5] + ("5", "7") + board[7:]


if __name__ == "__main__":
    unittest.main()
