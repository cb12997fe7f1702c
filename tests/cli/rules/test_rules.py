"""The family rules: known answers with solutions that the plain rules of reliability/plain accept, and puzzles of other
families written as rules, which have the same spaces. (reliability/definitions.py compares whole random puzzles.)"""

import itertools
import pathlib
import sys
import unittest

from helpers.harness import SHORT, SOURCE, Case

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "reliability"))
from plain.rules import Rules  # noqa: E402

FILES = SOURCE / "tests/cli/rules"

# The files: distance of the start. All are known answers of these puzzles, but for Sokoban's, which SPIN's and Rumur's
# counts of its states confirm.
ANSWERS = {
    "bloxorz": 7,
    "bridge": 17,
    "frogs": 15,
    "hanoi": 13,
    "jugs": 6,
    "missionaries": 11,
    "rings": 341,
    "sokoban": 19,
    "wolf": 7,
}

# The built-in puzzles, the distance of their start, and the file that has the same space.
BUILT_IN = {
    "bloxorz-1": (7, "bloxorz"),
    "bridge-1-2-5-10": (17, "bridge"),
    "chinese-rings-9": (341, "rings"),
    "frogs-3x3": (15, "frogs"),
    "hanoi-3x10": (1023, None),
    "hanoi-4x5": (13, "hanoi"),
    "jugs-8-5-3:4-4-0": (7, None),
    "missionaries-3-2": (11, None),
    "wolf-goat-cabbage": (7, "wolf"),
}

# The files: the puzzle of another family, and what is added to its definition. The first few take seconds.
FAMILIES = {
    "flip": ("8-flip", ""),
    "knights": ("knights", ""),
    "hoppers": ("hoppers", "metric: jump\n"),
    "rush-hour": ("rush-hour", ""),
    "klotski": ("klotski", ""),
    "eight": ("8-puzzle", ""),
    "cube": ("cube-2x2x2", ""),
}


class RulesCase(Case):
    def make(self, puzzle):
        return self.assert_answer(self.gen("-d", self.db, "--json", puzzle)).json

    def ask(self, puzzle, *arguments, code=0):
        return self.assert_answer(self.query("-d", self.db, "--json", puzzle, *arguments), code).json

    def assert_path(self, rules, answer, cost):
        """From the first start to a goal, each step a move of the plain rules; they cost so much together."""
        path = [rules.read(board) for board in answer["path"]]
        self.assertEqual((path[0], answer["distance"]), (rules.first, cost))
        self.assertTrue(rules.is_goal(path[-1]), answer)
        for before, after in zip(path, path[1:]):
            costs = [price for to, price in rules.costed_moves(before) if to == after]
            self.assertTrue(costs, (rules.show(before), rules.show(after)))
            cost -= min(costs)
        self.assertEqual(cost, 0)


class Answers(RulesCase):
    def test_files(self):
        for name, distance in ANSWERS.items():
            if name == "sokoban" and SHORT:
                continue
            with self.subTest(name):
                path = FILES / f"{name}.yaml"
                rules = Rules(path.read_text())
                self.assert_path(rules, self.ask(path, "--path", "--method=search"), distance)
                self.make(path)
                answer = self.ask(path, "--path", "--method=db")
                self.assert_path(rules, answer, distance)
                self.assertEqual(sorted(move["move"] for move in answer["moves"]),
                                 sorted(name for name, _ in rules.named_moves(rules.first)))

    def test_no_goal(self):
        path = FILES / "lunar.yaml"
        self.assertEqual(len(Rules(path.read_text()).explore()), 8)
        self.assert_complaint(self.gen("-d", self.db, path), 1,
                              "rules-lunar: none of the 8 states that can be reached is a goal")
        self.assert_complaint(self.query("-d", self.db, path), 1, "none of the 8 states that can be reached is a goal")

    def test_built_in(self):
        for name, (distance, file) in BUILT_IN.items():
            with self.subTest(name):
                self.make(name)
                self.assertEqual(self.ask(name)["distance"], distance)
                if file is not None:
                    path = FILES / f"{file}.yaml"
                    self.make(path)
                    self.assertEqual(self.ask(name, "--histogram")["histogram"],
                                     self.ask(path, "--histogram")["histogram"])

    @unittest.skipIf(SHORT, "16.8 million states")
    def test_twelve_disks(self):
        """81 moves: the figure of Frame and Stewart, proved for these."""
        self.assertEqual(self.make("hanoi-4x12")["states"], 4**12)
        self.assertEqual(self.ask("hanoi-4x12")["distance"], 81)


# A file, what is changed in it so that it names a set of things that are alike, and that set.
ALIKE = [
    ("hanoi", {"  peg: [A, B, C, D]": "  peg: [A, B, C, D]\n  spare: [B, C]"}, "spare"),
    ("lunar", {"  robot: [X, a, b, c]": "  robot: [X, a, b, c, d]\n  others: [a, b, c, d]",
               "{x: [4, 2, 0, 4], y: [0, 4, 2, 4]}": "{x: [4, 3, 0, 0, 0], y: [1, 4, 0, 3, 2]}"}, "others"),
    ("bridge", {"  time[who]: [1, 2, 5, 10]": "  time[who]: [1, 5, 5, 5]",
                "{who: [A, B, C, D]}": "{who: [A, B, C, D], slow: [B, C, D]}",
                "a <= b and ": ""}, "slow"),
]


class Symmetric(RulesCase):
    def test_same_answers(self):
        """What is kept once is asked as if it were kept whole."""
        for name, changes, alike in ALIKE:
            if SHORT and name == "lunar":
                continue
            with self.subTest(name):
                text = (FILES / f"{name}.yaml").read_text()
                for old, new in changes.items():
                    self.assertIn(old, text)
                    text = text.replace(old, new)
                rules = Rules(text)
                if name == "lunar":  # boards that differ in which robot is which are states, too
                    rules.starts = [tuple(rules.first[at + 5 * axis] for axis in range(2) for at in (0, *order))
                                    for order in itertools.permutations(range(1, 5))]
                distance, states = rules.search()
                path = self.write(f"{name}.yaml", text + f"symmetric: {alike}\n")
                self.make(path)
                histogram = self.ask(path, "--histogram")["histogram"]
                self.assertEqual(histogram,
                                 [sum(far == d for far in distance.values()) for d in range(len(histogram))])
                every = sorted(states)
                found = self.query("-d", self.db, "--method=db", path, "-",
                                   stdin="".join(rules.show(state) + "\n" for state in every)).lines
                self.assertEqual([line.split("\t")[1] for line in found],
                                 [str(distance.get(state, "unreachable")) for state in every])
                self.assert_path(rules, self.ask(path, "--path", "--method=db"), distance[rules.first])


class Families(RulesCase):
    def test_same_histograms(self):
        for name, (family, more) in list(FAMILIES.items())[:4 if SHORT else None]:
            with self.subTest(name):
                definition = (SOURCE / f"puzzles/{family}.yaml").read_text()
                other = self.write(f"{family}.yaml", definition + more)
                self.make(other)
                path = FILES / f"{name}.yaml"
                self.make(path)
                found, wanted = self.ask(path, "--histogram"), self.ask(other, "--histogram")
                self.assertEqual(found["histogram"], wanted["histogram"])


if __name__ == "__main__":
    unittest.main()
