"""Boards that are searched one by one: both methods agree, pattern databases, what is said and how it is stopped."""

import json
import os
import random
import re
import signal
import subprocess
import unittest

from helpers.harness import GEN, QUERY, Case
from helpers.installed import SANITIZED

# Random boards of each puzzle that both methods are asked for; more of them with PDB_AGREE=1000.
BOARDS = int(os.environ.get("PDB_AGREE", "5" if SANITIZED else "25"))

# Puzzles whose whole space is quickly made, of every family, and how much of BOARDS is asked for.
PUZZLES = {
    "8-puzzle": 1, "tiles-2x4": 1, "goat": 1, "klotski": 0.04, "rush-hour": 0.2,
    "knights": 1, "guarini": 1,
    "8-flip": 1, "8-flip-3x4": 1, "lights-out": 1, "lights-out-3x5": 1,
    "diagonal-slide": 1, "pancakes-8": 1, "topspin-10": 1, "cube-2x2x2": 0.4, "cube-2x2x2-qtm": 0.4, "pyraminx": 1,
    "hoppers": 1, "triangle-15": 1, "triangle-21": 1, "diagonal-21": 0.4,
    "queens-7": 1, "send-more": 1,
}
LARGE = ("goat", "lights-out", "topspin-10", "cube-2x2x2", "cube-2x2x2-qtm", "triangle-21", "diagonal-21")

FIFTEEN = "puzzle: fifteen\nfamily: slide\ngoal: 1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 .\n"
HARDEST_FIFTEEN = "0 12 9 13/15 11 10 14/3 7 5 6/4 8 2 1"  # 80 moves
SLOW_MOVES = "15 4 0 6 12 2 8 11 13 10 5 1 9 14 7 3"  # 56 moves; those that it has take twice as long to look into
TALL = "puzzle: tall\nfamily: slide\ngoal: 1 2 3/4 5 6/7 8 9/10 11 12/13 14 .\n"


def scramble(rows, columns, steps, seed):
    """A board so many random moves away from the goal, as text."""
    chance = random.Random(seed)
    board = [*range(1, rows * columns), 0]
    at, before = rows * columns - 1, None
    for _ in range(steps):
        row, column = divmod(at, columns)
        near = [r * columns + c for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
                if 0 <= r < rows and 0 <= c < columns and r * columns + c != before]
        to = chance.choice(near)
        board[at], board[to], before, at = board[to], 0, at, to
    return " ".join(map(str, board))


class Agree(Case):
    def boards(self, puzzle, count):
        for seed in range(count):
            yield self.assert_answer(self.query("-d", self.db, puzzle, "--random", f"--seed={seed}",
                                                "--json")).json["board"]

    def answers(self, puzzle, boards, method):
        result = self.query("-d", self.db, puzzle, "--json", f"--method={method}", "-", stdin="\n".join(boards))
        self.assertEqual(result.err, "")
        answers = [json.loads(line) for line in result.lines]
        self.assertEqual({answer["method"] for answer in answers}, {method})
        return [[answer["board"], answer["distance"], answer["moves"]] for answer in answers]

    def test_random_boards_of_every_family(self):
        for puzzle, share in PUZZLES.items():
            if SANITIZED and puzzle in LARGE:  # each family has smaller ones
                continue
            with self.subTest(puzzle):
                self.assert_answer(self.gen("-q", "-d", self.db, puzzle))
                boards = list(self.boards(puzzle, max(3, int(BOARDS * share))))
                self.assertEqual(self.answers(puzzle, boards, "search"), self.answers(puzzle, boards, "db"))

    def test_hardest_boards(self):
        for puzzle, distance in (("goat", 52), ("8-puzzle", 31)):
            self.assert_answer(self.gen("-q", "-d", self.db, puzzle))
            hardest = self.query("-d", self.db, puzzle, "--hardest", "--json").json
            result = self.query("-d", self.db, puzzle, "--json", "--method=search", "-",
                                stdin="\n".join(hardest["boards"]))
            found = [json.loads(line)["distance"] for line in result.lines]
            self.assertEqual(found, [distance] * hardest["count"])

    def test_counts(self):
        """How many shortest solutions there are, by both methods."""
        for puzzle, boards in (("hoppers", ["start"]), ("triangle-21", ["start"]), ("8-flip", ["start"]),
                               ("knights", ["start"]), ("goat", ["start"]), ("8-puzzle", [scramble(3, 3, 30, 1)]),
                               ("diagonal-slide", ["start"])):
            with self.subTest(puzzle):
                self.assert_answer(self.gen("-q", "-d", self.db, puzzle))
                counts = [[json.loads(line)["solutions"] for line in
                           self.query("-d", self.db, puzzle, "--json", "--count", f"--method={method}", *boards).lines]
                          for method in ("db", "search")]
                self.assertEqual(counts[0], counts[1])

    def test_unreachable(self):
        for puzzle, board in (("8-puzzle", "213456780"), ("15-puzzle", "2 1 3 4/5 6 7 8/9 10 11 12/13 14 15 ."),
                              ("24-puzzle", "2 1 3 4 5/6 7 8 9 10/11 12 13 14 15/16 17 18 19 20/21 22 23 24 ."),
                              ("hoppers", "1010000000000"), ("lights-out", "1000000000000000000000000")):
            with self.subTest(puzzle):
                result = self.query("-d", self.db, puzzle, board, "--json", "--method=search")
                self.assertEqual((result.code, result.err), (1, ""), result)
                self.assertEqual((result.json["distance"], result.json["method"]), (None, "search"))


class Large(Case):
    """Puzzles that are too large to be kept, without a database."""

    def test_short_ways(self):
        for puzzle, rows, columns in (("15-puzzle", 4, 4), ("24-puzzle", 5, 5), ("tiles-4x5", 4, 5),
                                      ("tiles-6x6", 6, 6), ("tiles-2x9", 2, 9)):
            with self.subTest(puzzle):
                board = scramble(rows, columns, 24, 7)
                answer = self.assert_answer(self.query("-d", self.db, puzzle, board, "--json", "--path")).json
                self.assertEqual((answer["method"], answer["distance"] % 2), ("search", 0))
                self.assertLessEqual(answer["distance"], 24)
                self.assertEqual(len(answer["path"]), answer["distance"] + 1)
                self.assertEqual({move["distance"] - answer["distance"] for move in answer["moves"]} - {-1, 1}, set())
                for move in answer["moves"]:
                    self.assertEqual(move["optimal"], move["distance"] == answer["distance"] - 1)

    def test_flip(self):
        for puzzle in ("8-flip-10x10", "lights-out-20x20"):
            answer = self.assert_answer(self.query("-d", self.db, puzzle, "--json", "--path")).json
            self.assertEqual(len(answer["path"]), answer["distance"] + 1)
            self.assertEqual(set(answer["path"][-1]), {"0"})

    def test_info(self):
        info = self.assert_answer(self.query("-d", self.db, "24-puzzle", "--info", "--json")).json
        self.assertEqual((info["method"], info["states"]), ("search", None))
        self.assertNotIn("file", info)
        self.assertRegex(
            self.assert_answer(self.query("-d", self.db, "24-puzzle", "--info")).out, r"(?m)^states +about 7\.8e24$")

    def test_questions_about_all_states(self):
        for question in ("--hardest", "--histogram", "--random=3"):
            self.assert_complaint(self.query("-d", self.db, "15-puzzle", question), 3,
                                  "10,461,394,944,000 states are too many")
            self.assert_complaint(self.query("-d", self.db, "24-puzzle", question), 3, "7.8e24 states are too many")

    def test_the_database_or_nothing(self):
        self.assert_complaint(self.query("-d", self.db, "15-puzzle", "goal", "--method=db"), 3, "15-puzzle.pdb",
                              "make it with `pdb-gen`")

    def searching(self, puzzle, board, **options):
        """A search under way: it has told its first bound, which is self.first."""
        program = self.launch(QUERY, puzzle, board, "--progress", **options)
        self.first = program.stderr.readline().decode()
        self.assertIn("no solution under", self.first)
        return program

    def test_interrupted(self):
        """Ctrl-C tells the bound that is proven."""
        for number in (signal.SIGINT, signal.SIGTERM):
            program = self.searching("15-puzzle", HARDEST_FIFTEEN)
            program.send_signal(number)
            result = self.finish(program)
            self.assertEqual((result.code, result.out), (130, ""), result)
            found = re.fullmatch(
                r"pdb-query: 15-puzzle: interrupted: no solution under (\d+) moves \([\d,]+ boards looked at\)",
                result.err.splitlines()[-1])
            self.assertTrue(found, result)
            self.assertTrue(40 <= int(found[1]) <= 80 and int(found[1]) % 2 == 0, result)

    def test_interrupted_while_moves_are_looked_into(self):
        """The distance is told as soon as it is proven, and stays when the rest is stopped."""
        stopped = r"15-puzzle: 56 moves from the goal; interrupted while its moves were looked into, [0-2] of 3 "
        program = self.launch(QUERY, "15-puzzle", SLOW_MOVES, "--threads=1")
        told = "".join(program.stdout.readline().decode() for _ in range(7))
        program.send_signal(signal.SIGINT)
        heading, *rest = told.splitlines()
        self.assertRegex(heading, r"\A15-puzzle: 56 moves from the goal \(searched: [\d,]+ boards looked at\)\Z")
        self.assertEqual(" ".join(rest).split(), SLOW_MOVES.split(), told)
        result = self.finish(program)
        self.assertEqual((result.code, result.out), (130, ""), result)
        self.assertRegex(result.err, rf"\Apdb-query: {stopped}\(--hint and --path look into none\)\n\Z")
        program = self.launch(QUERY, "15-puzzle", SLOW_MOVES, "--threads=1", "--json", "--progress")
        while "no solution" in (line := program.stderr.readline().decode()):
            pass
        self.assertRegex(line, r"\A15-puzzle: the rest of the answer is looked for \(--hint takes less\), [\d,]+ boards")
        program.send_signal(signal.SIGINT)
        result = self.finish(program)
        self.assertEqual(result.code, 130, result)
        self.assertEqual((result.json["distance"], "moves" in result.json), (56, False), result)
        self.assertRegex(result.err, rf"\Apdb-query: {stopped}\(--hint looks into none\)\n\Z")

    def test_ignored_signals(self):
        """A shell's background job has SIGINT ignored: Ctrl-C in another one does not stop it."""
        program = self.searching("15-puzzle", HARDEST_FIFTEEN,
                                 preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
        program.send_signal(signal.SIGINT)
        with self.assertRaises(subprocess.TimeoutExpired):
            program.wait(1)
        program.send_signal(signal.SIGTERM)
        result = self.finish(program)
        self.assertEqual(result.code, 130, result)
        self.assertIn("interrupted", result.err.splitlines()[-1])

    def test_progress(self):
        """A line for each bound, where it is asked for; nothing else changes."""
        program = self.searching("24-puzzle", scramble(5, 5, 400, 3))
        program.send_signal(signal.SIGINT)
        result = self.finish(program)
        bounds = []
        for line in [self.first, *result.err.splitlines(keepends=True)[:-1]]:
            found = re.fullmatch(r"24-puzzle: no solution under (\d+) moves, [\d,]+ boards looked at"
                                 r"(, [\d.]+ [kM]/s)?, \d+ s so far, [\d.]+ [MG]iB\n", line)
            self.assertTrue(found, line)
            bounds.append(int(found[1]))
        self.assertEqual(bounds, sorted(set(bounds)))


class Permutations(Case):
    """A pattern database of twelve tiles that are permuted: 479,001,600 states."""

    TEXT = (
        "puzzle: ring\nfamily: permute\nplaces: 1 2 3 4 5 6 7 8 9 10 11 12\n"
        "generators:\n  on: 1 2 3 4 5 6 7 8 9 10 11 12\n"
        "  spin: {reverse: 1 2 3 4}\nboards:\n  start: 5 4 3 2 1 6 7 8 12 11 10 9\n")

    def test_made_verified_and_used(self):
        path = self.write("ring.yaml", self.TEXT)
        made = self.gen("-d", self.db, "-m", "100M", "--json", path)
        self.assertEqual(made.code, 0, made)
        self.assertGreater(made.json["entries"], 10000)
        self.assertRegex(self.assert_answer(self.gen("-d", self.db, "-m", "100M", "--verify", path)).out, "verified")
        info = self.assert_answer(self.query("-d", self.db, path, "--info", "--json")).json
        self.assertEqual((info["encoding"], info["entries"]), ("patterns-2bit", made.json["entries"]))
        with_it = self.assert_answer(self.query("-d", self.db, path, "--json")).json
        without = self.assert_answer(self.query("-d", self.dir / "none", path, "--json")).json
        self.assertEqual((with_it["distance"], with_it["moves"]), (without["distance"], without["moves"]))


class Patterns(Case):
    """Pattern databases, of a puzzle of 3x5: 653,837,184,000 states."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.made = cls.shared / "made"
        cls.path = cls.shared / "tall.yaml"
        cls.path.write_text(TALL)
        cls.first = subprocess.run(
            [GEN, "-d", str(cls.made), "-m", "64M", str(cls.path)], env=cls.environment(cls.shared),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=200)

    def ask(self, *arguments, **options):
        return self.query("-d", self.made, self.path, *arguments, **options)

    def test_says_what_it_does(self):
        self.assertEqual(self.first.returncode, 0)
        said = re.fullmatch(
            r"tall: 653,837,184,000 states do not fit in 64 MiB; with --scratch [0-9.]+ MiB of memory would do: "
            r"building pattern databases ([\d-]+) \([\d.]+ [KM]iB\)\n",
            self.first.stderr)
        self.assertTrue(said, self.first.stderr)
        self.assertRegex(
            self.first.stdout,
            rf"\Atall: pattern databases {said[1]}, [\d,]+ entries; made in [\d.]+ s: .*tall\.pdb, [\d.]+ [KM]iB\n\Z")
        self.assertEqual(sum(map(int, said[1].split("-"))), 14)

    def test_again(self):
        file = self.made / "tall.pdb"
        again = self.assert_answer(self.gen("-d", self.made, "--json", self.path)).json
        self.assertEqual((again["states"], again["max"], again["file"]), (653837184000, None, str(file)))
        self.assertEqual(again["bytes"], file.stat().st_size)
        self.assertRegex(
            self.assert_answer(self.gen("-d", self.made, "--verify", self.path)).out, "pattern databases .* verified")

    def test_the_same_bytes_whatever_the_threads(self):
        for threads in (1, 3):
            where = self.dir / str(threads)
            self.assertEqual(self.gen("-q", "-d", where, "-m", "64M", "-j", str(threads), self.path).code, 0)
            self.assertEqual((where / "tall.pdb").read_bytes(), (self.made / "tall.pdb").read_bytes())

    def test_info(self):
        info = self.assert_answer(self.ask("--info", "--json")).json
        self.assertEqual((info["method"], info["encoding"], info["states"]), ("search", "patterns-4bit", 653837184000))
        self.assertEqual(sorted(int(tile) for tile in re.findall(r"\d+", info["patterns"])), list(range(1, 15)))
        self.assertRegex(self.assert_answer(self.ask("--info")).out, r"(?m)^patterns +[\d-]+: [\d |]+$")

    def test_the_same_with_and_without(self):
        boards = [scramble(5, 3, steps, steps) for steps in range(0, 48, 3)]
        with_them = self.ask("--json", "-", stdin="\n".join(boards))
        without = self.query("-d", self.db, self.path, "--json", "-", stdin="\n".join(boards))
        self.assertEqual((with_them.err, without.err), ("", ""))
        one, other = ([json.loads(line) for line in result.lines] for result in (with_them, without))
        self.assertEqual([(a["board"], a["distance"], a["moves"]) for a in one],
                         [(a["board"], a["distance"], a["moves"]) for a in other])
        self.assertLess(sum(a["nodes"] for a in one), sum(a["nodes"] for a in other))

    def test_threads(self):
        board = scramble(5, 3, 60, 11)
        answers = [
            self.assert_answer(self.ask("--json", "--path", "-j", str(threads), board)).json for threads in (1, 2, 3)
        ]
        for answer in answers:
            answer.pop("nodes")
        self.assertEqual(answers[0], answers[1])
        self.assertEqual(answers[0], answers[2])

    def test_hint_and_random(self):
        board = self.assert_answer(self.ask("--random", "--seed=5", "--json")).json
        again = self.assert_answer(self.ask("--random", "--seed=5", "--json")).json
        self.assertEqual(board, again)
        hint = self.assert_answer(self.ask(board["board"], "--hint=3", "--json")).json
        best = [move["move"] for move in self.ask(board["board"], "--json").json["moves"] if move["optimal"]]
        self.assertEqual(hint["distance"], board["distance"])
        self.assertIn(hint["move"], best)

    def test_questions_about_all_states(self):
        for question in ("--hardest", "--histogram", "--random=3"):
            self.assert_complaint(self.ask(question), 3, "pattern databases, not the distances of all states")

    def test_damage(self):
        good = (self.made / "tall.pdb").read_bytes()
        self.db.mkdir()
        damaged = self.db / "tall.pdb"
        for offset in (len(good) // 3, len(good) // 2, len(good) * 3 // 4):
            bad = bytearray(good)
            bad[offset] ^= 1
            damaged.write_bytes(bad)
            self.assert_complaint(self.query("-d", self.db, self.path, "goal"), 4, "damaged")
            self.assert_complaint(self.gen("-d", self.db, "--verify", self.path), 4, "damaged")

    def test_interrupted(self):
        program = self.launch(GEN, "-d", self.db, self.write("fifteen.yaml", FIFTEEN))
        self.assertIn(b"building pattern databases", program.stderr.readline())
        program.send_signal(signal.SIGINT)
        result = self.finish(program)
        self.assertEqual((result.code, result.out), (130, ""), result)
        self.assertIn("interrupted; what is done of the tables is kept, the next run goes on from there", result.err)
        self.assertEqual(sorted(path.name for path in self.db.iterdir()), ["fifteen.pdb.tables"])

    def test_too_deep(self):
        """Wheels of 2, 3, 5 ... 23 places that turn together: one cycle of as many states as the product."""
        wheels, goal, first = [], "", 1
        for symbols, size in zip(("Aa", "Bb", "Cc", "Dd", "Ee", "Ff", "Gg", "Hh", "Ii"), (2, 3, 5, 7, 11, 13, 17, 19, 23)):
            goal += symbols[0] + symbols[1] * (size - 1)
            wheels.append("'(" + " ".join(map(str, range(first, first + size))) + ")'")
            first += size
        rows = "".join("  " + " ".join(goal[at:at + 20]) + "\n" for at in range(0, len(goal), 20))
        path = self.write("wheels.yaml", f"puzzle: wheels\nfamily: permute\nturns: forward\ngoal: |\n{rows}"
                          f"generators:\n  turn: [{', '.join(wheels)}]\n")
        program = self.launch(GEN, "-d", self.db, path)
        self.assertIn(b"wheels: distances of 223,092,869 cannot be kept: building pattern", program.stderr.readline())
        program.send_signal(signal.SIGINT)
        self.assertEqual(self.finish(program).code, 130)

    def test_too_little_memory(self):
        self.assert_complaint(self.gen("-d", self.db, "-m", "1K", self.path), 3, "653,837,184,000 states need",
                              "pattern")


if __name__ == "__main__":
    unittest.main()
