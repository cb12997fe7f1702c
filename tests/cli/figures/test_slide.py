"""Known figures of the slide family, and a large space with open cells against the plain search in helpers/oracle.py.
(reliability/definitions.py compares whole random puzzles.)"""

import unittest

from helpers.harness import Case
from helpers.oracle import EMPTY, Slide


def cells(text):
    """A board's text as the oracle has it."""
    words = text.split(",") if "," in text else list(text)
    return tuple(EMPTY if word == "0" else word for word in words)


class Figures(Case):
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
