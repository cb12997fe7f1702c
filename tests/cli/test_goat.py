"""Goat, as puzzles.md has it: the figures, the seven hardest boards, whole solutions and how many there are."""

import itertools
import json
import unittest

from helpers.harness import GOAT_GOAL, GOAT_SEED, GOAT_START, SHORT, GoatCase
from helpers.oracle import Slide

HISTOGRAM = [1] + [int(n) for n in """
    2 3 7 13 20 37 57 103 161 273 414 693 1057 1737 2584 4162 6181 9774 14242 21637 30774 45069 61806 86121 113434
    149621 187650 232743 276099 321314 360502 392621 413094 417811 409576 382164 346339 297291 247704 194081 147352
    104416 70454 43976 25441 13330 5904 2408 717 194 29 7""".split()]

HARDEST = """6 7 9 10/4 5 3 1/0 8 2 8  6 9 10 1/7 5 2 8/4 8 3 0  7 6 9 10/4 5 1 0/8 3 2 8  0 7 9 10/6 4 2 8/8 5 3 1
    6 7 9 10/4 5 2 8/0 8 3 1  0 7 9 10/6 4 2 1/5 8 3 8  7 6 9 10/4 5 2 1/0 8 3 8"""

RULES = Slide("1 8 9 10/2 5 7 0/3 8 4 6", "1 8 9 10/2 5 7 0/3 8 4 6", pieces=["9 10"])


def cells(text):
    return tuple("." if word == "0" else word for word in text.split(","))


def text(board):
    return ",".join("0" if cell == "." else cell for cell in board)


def percent(number):
    """A share of the states; all of them alone are 100."""
    return f"{100 * number / 5443200 if number == 5443200 else min(100 * number / 5443200, 99.9):.1f}"


class Goat(GoatCase):
    def distances(self, boards):
        """What pdb-query says of many boards."""
        result = self.assert_answer(self.ask("-", stdin="".join(text(board) + "\n" for board in boards)))
        rows = [line.split("\t") for line in result.lines]
        self.assertEqual([row[0] for row in rows], [text(board) for board in boards])
        return {board: int(row[1]) for board, row in zip(boards, rows)}

    def test_histogram(self):
        self.assertEqual(len(HISTOGRAM), 53)
        self.assertEqual(self.assert_answer(self.ask("--histogram", "--json")).json,
                         {"puzzle": "goat", "states": 5443200, "max": 52, "histogram": HISTOGRAM})

    def test_histogram_text(self):
        lines = self.assert_answer(self.ask("--histogram")).lines
        self.assertEqual(lines[0], "goat: 5,443,200 states, at most 52 moves from the goal, %.2f in the mean"
                         % (sum(d * n for d, n in enumerate(HISTOGRAM)) / 5443200))
        rows = [line.split() for line in lines[3:]]
        self.assertEqual([(int(row[0]), int(row[1].replace(",", ""))) for row in rows], list(enumerate(HISTOGRAM)))
        within = list(itertools.accumulate(HISTOGRAM))
        self.assertEqual([row[2:4] for row in rows], [[percent(number), "%"] for number in within])
        median = next(d for d, number in enumerate(within) if 2 * number >= 5443200)
        self.assertEqual(lines[1], f"the median is {median}: {percent(within[median - 1])} % are below it, "
                                   f"{percent(5443200 - within[median])} % above")
        bars = [len(row[4]) for row in rows]
        self.assertTrue(all(bar >= 1 for bar in bars), "a number that is not zero has a bar")
        self.assertEqual(max(bars), bars[HISTOGRAM.index(max(HISTOGRAM))])
        self.assertTrue(all(len(line) <= 80 for line in lines), "no line is wider than a terminal")

    def test_histogram_ascii(self):
        result = self.assert_answer(self.ask("--histogram", "--ascii"))
        self.assertTrue(result.out.isascii())
        self.assertEqual({line.split()[4].strip("#") for line in result.lines[3:]}, {""})

    def test_hardest(self):
        answer = self.assert_answer(self.ask("--hardest", "--json")).json
        boards = answer.pop("boards")
        self.assertEqual(answer, {"puzzle": "goat", "distance": 52, "count": 7})
        words = HARDEST.replace("/", " ").split()
        expected = [",".join(words[i:i + 12]) for i in range(0, len(words), 12)]
        self.assertEqual(len(expected), 7)
        self.assertEqual(sorted(boards), sorted(expected))

    def test_hardest_some(self):
        everything = self.ask("--hardest", "--json").json["boards"]
        answer = self.assert_answer(self.ask("--hardest=3", "--json")).json
        self.assertEqual((answer["count"], answer["boards"]), (7, everything[:3]))

    def test_hardest_pictures_can_be_read_back(self):
        lines = self.assert_answer(self.ask("--hardest=1")).lines
        self.assertEqual(lines[0], "goat: 7 boards at distance 52, the farthest from the goal; the first 1")
        self.assertEqual(self.ask("--hint", "\n".join(lines[3:6])).out, "52 moves from the goal\n")

    def test_named_boards(self):
        for name, board, distance in ("start", GOAT_START, 20), ("goal", GOAT_GOAL, 0), ("hardest", GOAT_SEED, 52):
            with self.subTest(name):
                answer = self.assert_answer(self.ask("--json", name)).json
                self.assertEqual((answer["board"], answer["distance"], answer["method"]), (board, distance, "db"))

    def test_start_is_what_is_asked_for_without_a_board(self):
        self.assertEqual(self.ask("--json").out, self.ask("--json", "start").out)

    def test_seed_board_path(self):
        answer = self.assert_answer(self.ask("--path", "--json", "6 7 9 10 4 5 2 8 0 8 3 1")).json
        path = [cells(board) for board in answer["path"]]
        self.assertEqual((answer["distance"], len(path)), (52, 53))
        self.assertEqual((path[0], path[-1]), (cells(GOAT_SEED), cells(GOAT_GOAL)))
        for board, following in zip(path, path[1:]):
            self.assertIn(following, RULES.neighbours(board))

    def test_count_agrees_with_a_count_over_the_distances(self):
        """Number of ways down, layer by layer, with moves made here and distances asked for."""
        for name, start, distance in ("start", GOAT_START, 20), ("seed", GOAT_SEED, 52):
            ways, depth = {cells(start): 1}, distance
            while depth > 0:
                following = {}
                for board, count in ways.items():
                    for neighbour in set(RULES.neighbours(board)):
                        following[neighbour] = following.get(neighbour, 0) + count
                distances = self.distances(sorted(following))
                depth -= 1
                ways = {board: count for board, count in following.items() if distances[board] == depth}
            self.assertEqual(set(ways), {cells(GOAT_GOAL)})
            answer = self.assert_answer(self.ask("--count", "--json", name if name == "start" else GOAT_SEED)).json
            self.assertEqual(answer["solutions"], ways[cells(GOAT_GOAL)])
            self.assertGreater(answer["solutions"], 1)

    def test_boards_near_the_goal(self):
        """All boards of the first 18 layers (in short: 14), searched for here."""
        for depth, layer in zip(range(15 if SHORT else 19), RULES.layers([cells(GOAT_GOAL)])):
            self.assertEqual(len(layer), HISTOGRAM[depth])
            self.assertEqual(set(self.distances(sorted(layer)).values()), {depth})

    def test_moves_of_random_boards(self):
        """Every legal move, and no other, each with its own distance; the best are those that lead one nearer."""
        boards = [self.ask("--random", f"--seed={seed}", "--json").json["board"] for seed in range(40)]
        answers = [
            json.loads(line) for line in self.assert_answer(self.ask("--json", "-", stdin="\n".join(boards))).lines
        ]
        self.assertEqual([answer["board"] for answer in answers], boards)
        for answer in answers:
            moves = answer["moves"]
            self.assertEqual(sorted(cells(move["board"]) for move in moves),
                             sorted(RULES.neighbours(cells(answer["board"]))))
            alone = self.distances([cells(move["board"]) for move in moves])
            for move in moves:
                self.assertEqual(move["distance"], alone[cells(move["board"])])
                self.assertIn(move["distance"] - answer["distance"], (-1, 0, 1))
                self.assertEqual(move["optimal"], move["distance"] == answer["distance"] - 1)
            self.assertTrue(any(move["optimal"] for move in moves))


if __name__ == "__main__":
    unittest.main()
