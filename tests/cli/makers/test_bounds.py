"""--bounds: never more than the distance, in every family; Manhattan distances and peg classes as they are worked out here
once more; what is said in text, JSON and lines."""

import itertools
import json
import unittest

from helpers.harness import Case

PAIRS = """\
puzzle: pairs
family: permute
board: 1 2 3 4 5 6 7 8
generators:
  a: (1 2 3 4)
  b: (3 4 5 6 7 8)
"""


def manhattan(board, columns):
    return sum(abs(i // columns - (tile - 1) // columns) + abs(i % columns - (tile - 1) % columns)
               for i, tile in enumerate(board) if tile != 0)


def triangle_jumps(rows):
    """Holes of a triangle and all jumps along its three directions."""
    number = {}
    for row in range(rows):
        for at in range(row + 1):
            number[row, at] = len(number)
    return [(hole, number[row + down, at + right], number[row + 2 * down, at + 2 * right])
            for (row, at), hole in number.items()
            for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1))
            if (row + 2 * down, at + 2 * right) in number]


class Bounds(Case):
    def bounds(self, puzzle, *arguments):
        return self.assert_answer(self.query(puzzle, "--bounds", "--json", *arguments)).json

    def test_never_more_than_the_distance(self):
        pairs = self.write("pairs.yaml", PAIRS)
        for puzzle, method in itertools.product(("8-puzzle", "hoppers", "triangle-15", "knights", "lights-out-3x3",
                                                 "cube-2x2x2", "frogs-2x2", pairs), ("auto", "search")):
            result = self.query(puzzle, "--method=auto", "--random=1..6", "--number=4", "--seed=3", "--json")
            for line in self.assert_answer(result).lines:
                board, distance = (json.loads(line)[key] for key in ("board", "distance"))
                answer = self.bounds(puzzle, board, f"--method={method}")
                values = [bound["value"] for bound in answer["bounds"]]
                with self.subTest(puzzle=puzzle, board=board, method=method):
                    self.assertTrue(all(value <= distance for value in values))
                    taken = [bound["value"] for bound in answer["bounds"] if bound["taken"]]
                    self.assertEqual(taken, [max(values)] if values else [])

    def test_manhattan(self):
        for board in ("867254301", "123456708", "647850321"):
            answer = self.bounds("8-puzzle", board)
            self.assertEqual(answer["bounds"][0],
                             {"bound": "Manhattan distance", "value": manhattan(list(map(int, board)), 3),
                              "taken": False if answer["bounds"][1]["value"] > answer["bounds"][0]["value"] else True})

    def test_pattern_databases(self):
        self.write("patterned.yaml",
                   "puzzle: patterned\nfamily: slide\ngoal: 1234/5678/9fab/cde.\npatterns: 1 2 3 | 4 5 6 | 9 a b\n")
        self.assert_answer(self.gen("-q", "patterned.yaml"))
        answer = self.bounds("patterned.yaml", "1234/5678/9fab/cd.e")
        named = [bound["bound"] for bound in answer["bounds"]]
        self.assertIn("pattern databases 1 2 3 | 4 5 6 | 9 a b", named)
        self.assertEqual({bound["value"] for bound in answer["bounds"]}, {1})
        answer = self.bounds(self.write("pairs.yaml", PAIRS), "1 2 3 4 5 6 8 7", "--method=search")
        self.assertEqual([bound["bound"] for bound in answer["bounds"]],
                         ["pattern database 1 2 3 4", "pattern database 5 6 7 8"])

    def test_names_of_patterns(self):
        """Two views of a table may name the same tiles and count their twists from different sides: their names say so."""
        for puzzle in ("pyraminx", "cube-2x2x2", "skewb"):
            named = [bound["bound"] for bound in self.bounds(puzzle)["bounds"]]
            self.assertGreater(len(named), 1)
            self.assertEqual(len(set(named)), len(named))

    def test_never(self):
        result = self.query("8-puzzle", "123456870", "--bounds")
        self.assert_answer(result, 1)
        self.assertIn("  * parity of the permutation  the goal cannot be reached", result.lines)
        answer = self.query("8-puzzle", "123456870", "--bounds", "--json").json
        self.assertEqual(answer["bounds"][-1], {"bound": "parity of the permutation", "value": None, "taken": True})

    def test_classes(self):
        """Each set meets every jump in two holes or none; they are independent, and as many as there can be."""
        answer = self.bounds("triangle-15")
        jumps, sets = triangle_jumps(5), [set(map(int, text.split())) for text in answer["classes"]["sets"]]
        for jump in jumps:
            for each in sets:
                self.assertEqual(len(each & set(jump)) % 2, 0)
        span = {frozenset()}
        for each in sets:
            span |= {frozenset(each ^ other) for other in span}
        self.assertEqual(len(span), 1 << len(sets))
        kept = [holes for holes in range(1 << 15)
                if all(sum(holes >> hole & 1 for hole in jump) % 2 == 0 for jump in jumps)]
        self.assertEqual(len(kept), len(span))
        pegs = {hole for hole, cell in enumerate(answer["board"]) if cell == "1"}
        self.assertEqual(answer["classes"]["board"], "".join(str(len(each & pegs) % 2) for each in sets))
        self.assertEqual(set(answer["classes"]["goal"]),
                         {"".join(str(int(hole in each)) for each in sets) for hole in range(15)})
        self.assertTrue(answer["classes"]["fits"])

    def test_a_class_without_a_goal(self):
        """A board of 4x4 holes that is full but for one: its last peg cannot be in a hole of another class."""
        self.write("cross.yaml", "puzzle: cross\nfamily: peg\njumps: orthogonal\ngoal: 1.../..../..../....\n")
        full = "1.11/1111/1111/1111"
        answer = self.query("cross.yaml", full, "--bounds", "--json").json
        self.assertFalse(answer["classes"]["fits"])
        self.assertIsNone(answer["distance"])
        self.assertNotIn(answer["classes"]["board"], answer["classes"]["goal"])
        self.assertIn("No goal is of the board's class: it cannot be reached.",
                      self.query("cross.yaml", full, "--bounds").lines)
        self.assertIn("All boards are of one position class: on no set of cells pegs stay even or odd in number.",
                      self.assert_answer(self.query("hoppers", "--bounds")).lines)

    def test_lines(self):
        result = self.query("8-puzzle", "-", "--bounds", stdin="867254301\n123456870\n")
        self.assertEqual(result.lines,
                         ["867254301\tat least 23: Manhattan distance and linear conflicts",
                          "123456870\tunreachable\tnever: parity of the permutation"])
        self.assertEqual(result.code, 1)

    def test_distances(self):
        """Without a database they are not looked for, unless something else needs them."""
        bare = {"puzzle", "board", "method", "search", "bounds"}
        self.assertEqual(set(self.bounds("8-puzzle", "867254301")), bare)
        self.assertEqual(self.bounds("8-puzzle", "867254301", "--path")["distance"], 31)
        self.assertEqual(self.bounds("8-puzzle", "867254301", "--count", "--method=search")["distance"], 31)
        result = self.query("8-puzzle", "867254301", "--bounds")
        self.assert_answer(result)
        self.assertEqual(result.lines[0], "8-puzzle: the distance was not looked for")
        self.assert_answer(self.gen("-q", "8-puzzle"))
        self.assertEqual(self.bounds("8-puzzle", "867254301")["distance"], 31)
        self.assertEqual(self.query("8-puzzle", "-", "--bounds", stdin="867254301\n").lines,
                         ["867254301\t31\t5 down | 3 right | 1 left\tat least 23: Manhattan distance and linear conflicts"])
        self.assertEqual(set(self.bounds("8-puzzle", "867254301", "--method=search")), bare)

    def test_a_space_too_large_to_wait_for(self):
        """No board of 33 pegs has a move: this one is not of the goal's class either, which is told at once."""
        full = "##111##/##111##/1111111/1111111/1111111/##111##/##111##"
        answer = self.assert_answer(self.query("english-33", full, "--bounds", "--json"), 1).json
        self.assertIsNone(answer["distance"])
        self.assertFalse(answer["classes"]["fits"])
        self.assertNotIn("distance", self.bounds("english-33"))

    def test_refused(self):
        for arguments in (["8-puzzle", "--svg"], ["8-puzzle", "--histogram"], ["8-puzzle", "--hint"], ["mastermind"]):
            self.assert_complaint(self.query(*arguments, "--bounds"), 2, "bounds")
        self.assert_complaint(self.query("8-puzzle", "--bounds", "--hint"), 2, "--bounds does not go with --hint")


if __name__ == "__main__":
    unittest.main()
