"""The figures that are known of the built-in puzzles, as pdb-gen and pdb-query print them. Goat's are in test_goat.py.

Figures of classic puzzles come from print (puzzle collections, Korf, the cube's literature). Those of puzzles that no
source answers (8-flip, the diagonal slide, Diagonal-21) are confirmed by plain searches in the module tests; here they
are held fast.
"""

import unittest

from helpers.harness import Case

# puzzle: states, greatest distance, how many boards have it, distance of the start (None where it is not known by
# itself)
FIGURES = {
    "knights": (2970, 18, 4, 16),
    "guarini": (None, None, None, 16),
    "8-puzzle": (181440, 31, 2, 31),
    "8-flip": (None, None, None, 6),
    "lights-out": (8388608, 15, 7350, 15),
    "diagonal-slide": (181440, None, None, 12),
    "cube-2x2x2": (3674160, 11, 2644, None),
    "cube-2x2x2-qtm": (3674160, 14, 276, None),
    "pyraminx": (933120, 11, 32, None),
    "hoppers": (None, None, None, 7),
    "triangle-21": (None, None, None, 12),
    "diagonal-21": (None, None, None, 10),
    "klotski": (25955, None, None, 116),
    "klotski-slide": (25955, None, None, 81),
}


class Figures(Case):
    def make(self, puzzle):
        return self.assert_answer(self.gen("-d", self.db, "--json", puzzle)).json

    def ask(self, *arguments, code=0):
        return self.assert_answer(self.query("-d", self.db, "--json", *arguments), code).json

    def test_figures(self):
        for puzzle, (states, greatest, hardest, start) in FIGURES.items():
            with self.subTest(puzzle):
                summary = self.make(puzzle)
                histogram = self.ask(puzzle, "--histogram")
                self.assertEqual(summary["states"], sum(histogram["histogram"]))
                if states is not None:
                    self.assertEqual(summary["states"], states)
                if greatest is not None:
                    self.assertEqual(summary["max"], greatest)
                if hardest is not None:
                    self.assertEqual(histogram["histogram"][-1], hardest)
                if start is not None:
                    self.assertEqual(self.ask(puzzle, "start")["distance"], start)

    def test_random_at_a_rare_distance(self):
        """Each of the few boards there comes, and no other."""
        self.make("triangle-21")
        drawn = {self.ask("triangle-21", "--random=1", f"--seed={seed}")["board"] for seed in range(30)}
        self.assertEqual(len(drawn), self.ask("triangle-21", "--histogram")["histogram"][1])
        for board in drawn:
            self.assertEqual(self.ask("triangle-21", board)["distance"], 1)

    def test_hardest_boards(self):
        self.make("knights")
        self.assertEqual(set(self.ask("knights", "--hardest")["boards"]),
                         {"..b.w..b...w", "..b.w..b.w..", "b...w..b...w", "b...w..b.w.."})
        self.make("8-puzzle")
        hardest = self.ask("8-puzzle", "--hardest")
        self.assertEqual((hardest["distance"], hardest["count"], len(hardest["boards"])), (31, 2, 2))
        self.assertIn("867254301", hardest["boards"])

    def count_after(self, puzzle, first_jump):
        """Shortest solutions that begin with this jump: the move is the jump alone, or a sweep that begins with it."""
        total = 0
        for move in self.ask(puzzle, "start")["moves"]:
            if move["optimal"] and (move["move"] + "-").startswith(first_jump + "-"):
                total += self.ask(puzzle, "--count", move["board"])["solutions"]
        return total

    def test_shortest_peg_solutions(self):
        for puzzle, first_jump, solutions in (("hoppers", "0-6", 18), ("triangle-21", "14-6", 96)):
            with self.subTest(puzzle):
                self.make(puzzle)
                self.assertEqual(self.count_after(puzzle, first_jump), solutions)

    def test_shifts_of_the_diagonal_slide(self):
        """Each of the eight shifts of the solved board, as it is printed with the puzzle's rules."""
        self.make("diagonal-slide")
        boards = {move["board"] for move in self.ask("diagonal-slide", "goal")["moves"]}
        self.assertEqual(
            boards,
            {"153486729", "183426759", "123564789", "123645789", "523496781", "923416785", "125476389", "127436589"})

    def test_boards_that_cannot_be_solved(self):
        self.make("8-flip-3x3")
        self.assertIsNone(self.ask("8-flip-3x3", "start", code=1)["distance"])
        self.make("hoppers")
        self.assertIsNone(self.ask("hoppers", "1000000000001", code=1)["distance"])

    def test_any_size(self):
        self.assertEqual(self.make("tiles-2x4")["states"], 20160)
        self.assertEqual(self.make("8-flip-2x3")["states"], 64)
        self.assertEqual(self.make("lights-out-3x3")["states"], 512)

    def test_spaces_too_large(self):
        for puzzle in ("8-flip-10x10", "lights-out-20x20"):
            with self.subTest(puzzle):
                self.assert_complaint(self.gen("-d", self.db, puzzle), 3, puzzle)


if __name__ == "__main__":
    unittest.main()
