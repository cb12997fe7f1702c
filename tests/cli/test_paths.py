"""Lists of shortest solutions: each is one, none is missing and none is there twice, by rules that are written down here
once more; and what goes with them: --count --first, JSON, SVG, many boards, memory."""

import itertools
import json
import os
import re
import subprocess
import unittest

from helpers.harness import QUERY, Case

# (over, to) from each hole.
HOPPERS = {
    0: "1,2 3,6 5,10", 1: "3,5 6,11 4,7", 2: "1,0 4,6 7,12", 3: "6,9", 4: "6,8", 5: "3,1 6,7 8,11",
    6: "3,0 4,2 8,10 9,12", 7: "4,1 6,5 9,11", 8: "6,4", 9: "6,3", 10: "5,0 8,6 11,12", 11: "8,5 6,1 9,7",
    12: "11,10 9,6 7,2"
}
TRIANGLE = {
    0: "2,4", 1: "2,3", 2: "3,5 4,7", 3: "2,1 5,8 6,10", 4: "2,0 6,9 7,11", 5: "3,2 6,7 8,13 9,15", 6: "9,14 10,16",
    7: "4,2 6,5 10,15 11,17", 8: "5,3 9,10 13,19", 9: "6,4 10,11", 10: "6,3 9,8", 11: "7,4 10,9 17,20", 12: "13,14",
    13: "8,5 14,15", 14: "9,6 13,12 15,16", 15: "9,5 10,7 14,13 16,17", 16: "10,6 15,14 17,18", 17: "11,7 16,15",
    18: "17,16", 19: "13,8", 20: "17,11"
}


def jump_table(texts):
    return {(hole, int(to)): int(over)
            for hole, text in texts.items() for over, to in (pair.split(",") for pair in text.split())}


def all_shortest(jumps, start, goal):
    """Every shortest sequence of sweeps, layer by layer and back."""

    def sweeps(pegs):
        chains = [((hole,), pegs) for hole in pegs]
        while chains:
            chain, left = chains.pop()
            for (source, to), over in jumps.items():
                if source == chain[-1] and over in left and to not in left:
                    longer = (chain + (to,), left - {source, over} | {to})
                    chains.append(longer)
                    yield longer

    ways = {frozenset(start): [()]}
    while frozenset(goal) not in ways:
        layer = {}
        for pegs, lines in ways.items():
            for chain, after in sweeps(pegs):
                layer.setdefault(after, []).extend(line + ("-".join(map(str, chain)),) for line in lines)
        ways = layer
    return set(ways[frozenset(goal)])


def listed(out):
    """The numbered lines of a text answer: the moves of each solution."""
    lines = re.findall(r"^ *(\d+)\. (.*)$", out, re.MULTILINE)
    assert [int(number) for number, _ in lines] == list(range(1, len(lines) + 1))
    return [tuple(line.split(", ")) for _, line in lines]


class Jumps(Case):
    def replay(self, texts, solution, holes, empty):
        """Jump by jump, from all holes but one to a single peg in that one."""
        jumps, pegs = jump_table(texts), set(range(holes)) - {empty}
        for move in solution:
            chain = list(map(int, move.split("-")))
            for source, to in itertools.pairwise(chain):
                over = jumps[source, to]
                self.assertTrue(source in pegs and over in pegs and to not in pegs, (solution, move))
                pegs = pegs - {source, over} | {to}
        self.assertEqual(pegs, {empty})

    def test_hoppers(self):
        result = self.assert_answer(self.query("hoppers", "--path=all", "--count"))
        solutions = listed(result.out)
        self.assertIn("72 shortest solutions", result.lines)
        self.assertEqual(result.lines[-1], "72 solutions in all")
        for solution in solutions:
            self.replay(HOPPERS, solution, 13, 6)
        self.assertEqual(len(solutions), 72)
        self.assertEqual(set(solutions), all_shortest(jump_table(HOPPERS), set(range(13)) - {6}, {6}))
        self.assertEqual(sum(solution[0] == "0-6" for solution in solutions), 18)

    def test_triangle(self):
        solutions = listed(self.assert_answer(self.query("triangle-21", "--path=all")).out)
        for solution in solutions:
            self.assertEqual(len(solution), 12)
            self.replay(TRIANGLE, solution, 21, 6)
        self.assertEqual(len(solutions), len(set(solutions)))
        self.assertEqual(sum(solution[0] == "14-6" for solution in solutions), 96)
        answer = self.assert_answer(self.query("triangle-21", "--path=all", "--json")).json
        self.assertEqual([tuple(moves) for moves in answer["path_moves"]], [tuple(solution) for solution in solutions])
        self.assertEqual(len(answer["paths"]), len(solutions))  # two ways for one peg to go round: the same boards twice
        some = self.assert_answer(self.query("triangle-21", "--path=5", "--json")).json
        self.assertEqual(some["path_moves"], answer["path_moves"][:5])

    def test_first(self):
        for puzzle, wanted in (("hoppers", {"0-6": 18, "2-6": 18, "10-6": 18, "12-6": 18}),
                               ("triangle-21", {"14-6": 96, "16-6": 96})):
            answer = self.assert_answer(self.query(puzzle, "--count", "--first", "--json")).json
            self.assertEqual({move["move"]: move["solutions"] for move in answer["moves"]}, wanted)
            self.assertEqual(sum(wanted.values()), answer["solutions"])
        out = self.assert_answer(self.query("hoppers", "--count", "--first")).out
        self.assertRegex(out, r"\* 0-6 +6  18 solutions\n")
        line = self.assert_answer(self.query("8-puzzle", "--count", "--first", "-", stdin="123456078\n")).out
        self.assertEqual(line, "123456078\t2\t7 left (1)\t1\n")


class Lists(Case):
    def test_queens(self):
        for n, count in ((6, 4), (8, 92), (12, 14200)):
            answer = self.assert_answer(self.query(f"queens-{n}", "--json", "--path=all")).json
            boards = [tuple(map(int, path[-1].replace(",", " ").split() if n > 9 else path[-1]))
                      for path in answer["paths"]]
            self.assertEqual((len(boards), len(set(boards))), (count, count))
            for board in boards:
                for shifted in (board, [c + r for r, c in enumerate(board)], [c - r for r, c in enumerate(board)]):
                    self.assertEqual(len(set(shifted)), n)
            self.assertEqual({len(path) for path in answer["paths"]}, {n + 1})
            self.assertNotIn("path_moves", answer)  # the order of placements does not matter

    def test_queens_from_a_board_and_a_database(self):
        self.assert_answer(self.gen("-d", self.db, "queens-8"))
        for board in ("........", "1.......", "...4....", "15863724"):
            answers = [self.assert_answer(self.query("-d", self.db, f"--method={method}", "queens-8", board, "--json",
                                                     "--path=all", "--count")).json for method in ("db", "search")]
            self.assertEqual(answers[0]["paths"], answers[1]["paths"])
            self.assertEqual(len(answers[0]["paths"]), answers[0]["solutions"])

    def test_flips(self):
        """All orders of all smallest sets of presses."""
        cells = list(itertools.product(range(4), range(4)))
        effect = [sum(1 << 4 * r + c for r, c in cells if max(abs(r - row), abs(c - column)) == 1)
                  for row, column in cells]
        turned = [0] * (1 << 16)
        for presses in range(1, 1 << 16):
            low = (presses & -presses).bit_length() - 1
            turned[presses] = turned[presses & presses - 1] ^ effect[low]
        fits = [presses for presses in range(1 << 16) if turned[presses] == 0xffff]
        fewest = min(map(int.bit_count, fits))
        wanted = {order for presses in fits if presses.bit_count() == fewest
                  for order in itertools.permutations(i for i in range(16) if presses >> i & 1)}
        solutions = listed(self.assert_answer(self.query("8-flip", "--path=all")).out)
        numbers = [tuple((int(row) - 1) * 4 + int(column) - 1 for row, column in re.findall(
            r"row (\d), column (\d)", " ".join(f"{a}, {b}" for a, b in zip(line[::2], line[1::2]))))
                   for line in solutions]
        self.assertEqual((len(numbers), set(numbers)), (2880, wanted))

    def test_ways_agree(self):
        """With a database, solved in memory and searched: the same list, each path legal and as long as the distance."""
        tiny = self.make_tiny()
        boards = [self.query(tiny, f"--random={d}", "--seed=1").lines[-1] for d in (4, 9, 14, 17)] + ["123/450"]
        lists = []
        for options in (("-d", self.db), ("--method=search",)):
            result = self.assert_answer(self.query(*options, tiny, "--json", "--path=all", "--count", *boards))
            lists.append([json.loads(line) for line in result.lines])
        for found, searched in zip(*lists):
            self.assertEqual(found["paths"], searched["paths"])
            self.assertEqual(len(found["paths"]), found["solutions"])
            self.assertEqual(len(set(map(tuple, found["paths"]))), found["solutions"])
            for path in found["paths"]:
                self.assertEqual((len(path), path[0], path[-1]), (found["distance"] + 1, found["board"], "123450"))
                for before, after in itertools.pairwise(path):
                    changed = [i for i in range(6) if before[i] != after[i]]
                    self.assertEqual(len(changed), 2)
                    self.assertIn("0", (before[changed[0]], before[changed[1]]))
                    self.assertTrue(changed[1] - changed[0] == 3 or changed == [0, 1] or changed == [1, 2] or
                                    changed == [3, 4] or changed == [4, 5])
        some = self.assert_answer(self.query("tiny.yaml", "--json", "--path=1", boards[3])).json["paths"]
        self.assertEqual(some, lists[0][3]["paths"][:1])

    def test_forms(self):
        lines = self.assert_answer(self.query("hoppers", "--path=2", "-", stdin="start\n")).lines
        self.assertEqual([line.split("\t")[1] for line in lines], ["7", "7"])
        self.assertEqual(self.query("hoppers", "--path=2").lines[-1], "the first 2 solutions")
        svg = self.assert_answer(self.query("hoppers", "--path=2", "--svg")).out
        self.assertEqual(svg.count("7 moves from the goal"), 2 + 2)  # headings, title and description
        for args, words in (((["--path=0"]), ["--path", "'0'"]), (["--path=some"], ["--path", "'some'"]),
                            (["--first"], ["--first goes with --count"]),
                            (["--path=all", "--hint"], ["--hint says less"])):
            self.assert_complaint(self.query("hoppers", *args), 2, *words)
        self.assert_complaint(self.query("queens-12", "--path=all", "--svg"), 2, "at most 1000", "--path=1000")
        self.assert_complaint(self.query("mastermind", "--path=all", "0123"), 2, "without moves")

    def test_unreachable(self):
        answer = self.query("8-puzzle", "--json", "--path=all", "123456870")
        self.assertEqual((answer.code, answer.json["paths"]), (1, []))

    @unittest.skipIf(os.environ.get("PDB_SANITIZE", "none") != "none", "sanitizers keep what was freed")
    def test_memory_is_flat(self):
        board = self.query("lights-out-4x5", "--hardest=1", "--json").json["boards"][0]  # 20 presses, in any order

        def peak(count):
            with subprocess.Popen([QUERY, "lights-out-4x5", board, f"--path={count}", "--json"], stdout=subprocess.PIPE,
                                  env=self.environment(self.dir)) as process:
                size = sum(map(len, iter(lambda: process.stdout.read(1 << 16), b"")))
                usage = os.wait4(process.pid, 0)[2]
                process.returncode = 0
            return usage.ru_maxrss, size

        few, many = peak(100), peak(30000)
        self.assertGreater(many[1], 100 * few[1])
        self.assertLess(many[0], few[0] + 2048)  # KiB


if __name__ == "__main__":
    unittest.main()
