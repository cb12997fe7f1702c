"""The figures that are known of the built-in puzzles, as pdb-gen and pdb-query print them. Goat's are in test_goat.py.

Figures of classic puzzles come from print (puzzle collections, Korf, the cube's literature). Those of puzzles that no
source answers (8-flip, the diagonal slide, Diagonal-21) are confirmed by plain searches in the module tests; here they
are held fast.
"""

import unittest

from helpers.harness import SOURCE, Case

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
    "skewb": (3149280, 11, 90, None),
    "hoppers": (None, None, None, 7),
    "triangle-21": (None, None, None, 12),
    "diagonal-21": (None, None, None, 10),
    "klotski": (25955, None, None, 116),
    "klotski-slide": (25955, None, None, 81),
    "bloxorz-1": (None, None, None, 7),
    "lunar-lockout": (None, 12, None, 12),
    "wolf-goat-cabbage": (10, 7, 1, 7),
}

# The same of puzzles with numbers in their names: their distances from the start, from print (Dudeney, Lucas, Tartaglia;
# Hanoi over four and five pegs by Frame and Stewart's numbers) or worked out by hand.
DISTANCES = {
    "bridge-1-2-5-10": 17, "bridge-1-3-6-8-12": 29, "chinese-rings-5": 21, "chinese-rings-9": 341, "frogs-2x2": 8,
    "frogs-3x3": 15, "hanoi-3x10": 1023, "hanoi-4x8": 33, "hanoi-4x12": 81, "hanoi-5x8": 23, "jugs-8-5-3:4-4-0": 7,
    "jugs-12-7-5:6-6-0": 11, "jugs-8-5-3:*-4-*": 6, "missionaries-3-2": 11, "missionaries-5-3": 11,
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

    def test_skewb(self):
        """At each distance, OEIS A079745."""
        self.make("skewb")
        self.assertEqual(self.ask("skewb", "--histogram")["histogram"],
                         [1, 8, 48, 288, 1728, 10248, 59304, 315198, 1225483, 1455856, 81028, 90])

    def test_definition_files(self):
        """At each distance, as twsearch counts them; the larger domino as a plain search through all 8! * 8! ways does to
        put corners and edges into places that stay, where the four ways to turn the whole about are one state."""
        for name, expected in (
                ("domino-2x2x3", [1, 8, 35, 157, 678, 2527, 7442, 17088, 31568, 44704, 47216, 49792, 29024, 11104, 576]),
                ("domino-3x3x2", [1, 7, 34, 168, 807, 3768, 17250, 77696, 342305, 1472169, 6052497, 22364538, 65693109,
                                  121339537, 127175987, 58226238, 3627117, 32344, 28]),
                ("dino", [1, 16, 160, 1408, 11712, 90912, 640192, 3740838, 11138597, 4313963, 20577, 24])):
            with self.subTest(name):
                path = SOURCE / "examples" / "puzzles" / f"{name}.yaml"
                self.make(path)
                self.assertEqual(self.ask(path, "--histogram")["histogram"], expected)

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

    def test_numbers_in_names(self):
        for puzzle, distance in DISTANCES.items():
            with self.subTest(puzzle):
                self.assertEqual(self.ask(puzzle, "start")["distance"], distance)
        self.assertEqual(self.make("hanoi-3x7")["states"], 3**7)
        self.make("jugs-8-5-3:*-4-*")
        self.assertTrue((self.db / "jugs-8-5-3-to-any-4-any.pdb").is_file())

    def test_names_refused(self):
        for name, words in (
            ("hanoi-3", "such a name is written hanoi-PxD, as in hanoi-4x8"),
            ("hanoi-3x4x5", "such a name is written hanoi-PxD"), ("frogs-3-3", "such a name is written frogs-NxM"),
            ("hanoi-2x3", "the number of pegs is 3 to 26"), ("hanoi-4x63", "the number of disks is 1 to 62"),
            ("frogs-3x0", "the number of toads is 1 to 50"), ("chinese-rings-0", "the number of rings is 1 to 62"),
            ("missionaries-3-99", "the number of places in the boat is 1 to 20"), ("bridge-5", "2 to 26 numbers"),
            ("bridge-0-1", "a time is 1 to 10000"), ("bridge-01-2", "such a name is written bridge-TIMES"),
            ("jugs-8-5-3", "such a name is written jugs-SIZES:GOAL"), ("jugs-3:3", "there are 2 to 12 numbers"),
            ("jugs-8-5-3:4-4", "the goal has 2 numbers for 3 jugs"), ("jugs-250-1:1-*", "a jug's size is 1 to 249"),
            ("jugs-8-5-3:2-6-0", "6 does not fit into a jug of 5"), ("jugs-8-5-3:*-*-*", "leaves all jugs open"),
            ("jugs-8-5-3:4-3-0", "the goal has 7 in all, and the first jug, full, has 8"),
            ("jugs-8-5-3:*-5-3", None), ("jugs-3-5-3:*-4-*", "the goal has 4 in all, and the first jug, full, has 3")):
            with self.subTest(name):
                result = self.query("--info", "--json", name)
                if words is None:
                    self.assert_answer(result)
                else:
                    self.assert_complaint(result, 2, name, words)

    def test_spaces_too_large(self):
        for puzzle in ("8-flip-10x10", "lights-out-20x20", "hanoi-26x62", "frogs-50x50"):
            with self.subTest(puzzle):
                self.assert_complaint(self.gen("-d", self.db, puzzle), 3, puzzle)


if __name__ == "__main__":
    unittest.main()
