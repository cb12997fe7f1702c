"""Puzzles without moves, from outside: generating, asking, what is refused, and databases that are not what was
written."""

import collections
import fractions
import json
import os
import signal
import subprocess
import unittest

from helpers.harness import GEN, QUERY, SHORT, Case

FOURS = """\
puzzle: fours
title: what four fours make
family: express
digits: 4 4 4 4
operators: + - * / join
"""


def combine(a, b):
    """Every value that two values make."""
    yield from (a + b, a - b, a * b)
    if b != 0:
        yield a / b


def four_fours():
    """How many operators each value takes at least: an independent, slow count."""
    tables = {}
    for length in range(1, 5):
        least = {fractions.Fraction(int("4" * length)): 0}
        for left in range(1, length):
            for a, m in tables[left].items():
                for b, n in tables[length - left].items():
                    for value in combine(a, b):
                        least[value] = min(least.get(value, 99), m + n + 1)
        tables[length] = least
    return {str(value): operators for value, operators in tables[4].items()}


class Fours(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.path = cls.shared / "fours.yaml"
        cls.path.write_text(FOURS)
        cls.base = cls.shared / "base"
        subprocess.run([GEN, "-q", "-d", str(cls.base), str(cls.path)], check=True, env=cls.environment(cls.shared))
        cls.values = four_fours()

    def ask(self, *arguments, **options):
        return self.query("-d", self.base, self.path, *arguments, **options)


class Generating(Fours):
    def test_summary(self):
        values = self.values.values()
        histogram = collections.Counter(values)
        mean = sum(values) / len(values)
        made = self.assert_answer(self.gen("-d", self.db, self.path)).out
        begin = f"fours: {len(values)} values, the hardest {histogram[3]} take 3 operators, {mean:.3f} in the mean; "
        self.assertRegex(made, rf"\A{begin}made in \d+\.\d\d s: .*fours\.pdb, [\d.]+ KiB\n\Z")
        there = self.assert_answer(self.gen("-d", self.db, self.path)).out
        self.assertTrue(there.startswith(begin + "already there (--force"), there)
        verified = self.assert_answer(self.gen("-d", self.db, "--verify", self.path)).out
        self.assertTrue(verified.startswith(begin + "every one verified in "), verified)
        answer = self.assert_answer(self.gen("-d", self.db, "--force", "--json", self.path)).json
        self.assertEqual(set(answer), {"puzzle", "states", "max", "bytes", "seconds", "file", "made", "mean"})
        self.assertEqual((answer["puzzle"], answer["states"], answer["max"]), ("fours", len(values), 3))
        self.assertAlmostEqual(answer["mean"], mean, 9)
        self.assertEqual(answer["bytes"], os.path.getsize(answer["file"]))
        self.assertEqual(self.assert_answer(self.gen("-d", self.db, "-q", self.path)).out, "")
        self.assertEqual([p.name for p in self.db.iterdir()], ["fours.pdb"])

    def test_same_bytes(self):
        for threads in (1, 2, 5):
            self.assert_answer(self.gen("-d", self.db, "-j", threads, "--force", self.path))
            self.assertEqual((self.db / "fours.pdb").read_bytes(), (self.base / "fours.pdb").read_bytes())

    def test_check(self):
        rules = ["building", "figures", "questions", "histogram", "texts"]
        answer = self.assert_answer(self.gen("--check", "--json", self.path)).json
        self.assertEqual((answer["checked"], answer["all"], answer["rules"]), (len(self.values), True, rules))
        self.assertEqual(self.assert_answer(self.gen("--check", self.path)).out,
                         f"fours: {len(self.values)} values checked: {', '.join(rules)}\n")

    def test_memory(self):
        """What is too little is refused, with what it takes, and nothing is left behind."""
        for memory in ("1K", "512K"):
            self.assert_complaint(self.gen("-d", self.db, "-m", memory, self.path), 3, "fours", "memory")
        self.assertEqual(list(self.db.iterdir()), [])
        self.assert_answer(self.gen("-d", self.db, "-m", "64M", self.path))

    def test_keys_of_boards_are_refused(self):
        for key, line in (("boards", "boards: {start: 1}"), ("board", "board: 1"), ("goal", "goal: 1")):
            path = self.write("x.yaml", FOURS + line + "\n")
            for program in (self.gen, self.query):
                self.assert_complaint(program("-d", self.db, path), 2, "x.yaml:6:1: ", f"unknown key '{key}'")

    def test_a_title_is_no_part_of_the_definition(self):
        path = self.write("x.yaml", FOURS.replace("what four fours make", "another title"))
        self.assertIn("already there", self.assert_answer(self.gen("-d", self.base, path)).out)
        self.assertEqual(
            self.assert_answer(self.query("-d", self.base, "--info", "--json", path)).json["title"], "another title")


class Asking(Fours):
    def test_every_value(self):
        """Distances are those of the slow count; and as many values are asked for in one go as are not there."""
        values = list(self.values) + ["41", "1/7", "1000000"]
        answers = self.assert_answer(self.ask("--json", "--count", "-", stdin="\n".join(values)), 1).lines
        self.assertEqual(len(answers), len(values))
        total = 0
        for value, line in zip(values, answers):
            answer = json.loads(line)
            self.assertEqual((answer["board"], answer["distance"], answer["method"]),
                             (value, self.values.get(value), "db"))
            total += answer.get("solutions", 0)
        self.assertGreater(total, len(self.values))

    def test_without_a_database(self):
        kept, made = self.ask("--json", "10"), self.query("-d", self.db, "--json", self.path, "10")
        self.assertEqual(self.assert_answer(made).out, self.assert_answer(kept).out.replace('"db"', '"search"'))
        self.assertEqual(self.assert_answer(self.ask("--method=search", "--json", "10")).out, made.out)
        self.assertTrue(self.assert_answer(self.query("-d", self.db, self.path, "10")).out
                        .startswith("fours 10: 2 operators (worked out: no database was used)\n"))
        self.assert_complaint(self.query("-d", self.db, "--method=db", self.path, "10"), 3, "no database", "fours.pdb")
        self.assertFalse(self.db.exists())

    def test_text(self):
        out = self.assert_answer(self.ask("10", "24")).out
        first, second = out.split("\n\nfours ")
        self.assertTrue(first.startswith("fours 10: 2 operators\n\n  "), first)
        self.assertTrue(second.startswith("24: 3 operators\n\n  "), second)
        self.assertIn("(44 - 4) / 4", first)
        result = self.ask("41")
        self.assertTrue(self.assert_answer(result, 1).out.startswith("fours 41: there is no answer\n\n"))

    def test_path_and_count(self):
        plain, path, count = (self.assert_answer(self.ask("--json", *options, "1")).json
                              for options in ([], ["--path"], ["--count"]))
        lists = [value for value in path.values() if isinstance(value, list)]
        self.assertEqual([len(value) for value in lists], [33])
        self.assertEqual(len(set(lists[0])), 33)
        self.assertIn(33, [value for name, value in count.items() if name not in plain])
        text = self.assert_answer(self.ask("--path", "1")).out
        for expression in lists[0]:
            self.assertIn(expression, text)
        self.assertLessEqual(max(map(len, text.splitlines())), 80)

    def test_a_line_a_question(self):
        result = self.ask("-", stdin="10\n\n  24 \r\nten\n41\n1/0\n")
        self.assertEqual(result.code, 2, result)
        self.assertEqual([line.split("\t")[:2] for line in result.lines],
                         [["10", "2"], ["24", "3"], ["ten", "error"], ["41", "none"], ["1/0", "error"]])
        self.assertRegex(result.err, r"\Apdb-query: line 4: [^\n]+\npdb-query: line 6: [^\n]+\n\Z")
        self.assert_answer(self.ask("-", stdin="41\n10\n"), 1)
        self.assertEqual(self.assert_answer(self.ask("-", stdin="")).out, "")

    def test_many_lines(self):
        """In order, whatever the threads."""
        numbers = [str(i % 50 - 25) for i in range(3000)]
        for threads in (1, 4):
            out = self.ask("-j", threads, "-", stdin="\n".join(numbers)).lines
            self.assertEqual([line.split("\t")[0] for line in out], numbers)

    def test_values_below_zero(self):
        """A minus sign and a digit begin no option."""
        for arguments in (["-3"], ["--", "-3"], ["-3", "--path"]):
            self.assertTrue(self.assert_answer(self.ask(*arguments)).out.startswith("fours -3: 3 operators\n"))
        self.assertEqual(len(self.assert_answer(self.ask("--json", "-60", "-15/4", "-16")).lines), 3)

    def test_no_question(self):
        result = self.assert_complaint(self.ask(), 2, "fours", "values", "pdb-query")
        example = result.err.rstrip("'\n").split()[-1]
        self.assertIn(example, self.values)
        self.assert_answer(self.ask(example))

    def test_bad_questions(self):
        for words in (["ten"], [""], ["start"], ["goal"], ["10", "ten"], ["1/0"], ["1" * 5000], ["10 24"]):
            self.assert_complaint(self.ask(*words), 2)

    def test_hints(self):
        for option in ("--hint", "--hint=3"):
            for words in ([], ["10"], ["-"]):
                self.assert_complaint(self.ask(option, *words), 2, "fours is a puzzle without moves", "--hint")


class All(Fours):
    def test_histogram(self):
        counted = collections.Counter(self.values.values())
        answer = self.assert_answer(self.ask("--histogram", "--json")).json
        self.assertEqual(answer["histogram"], [counted[d] for d in range(4)])
        self.assertEqual((answer["states"], answer["max"]), (len(self.values), 3))
        self.assertAlmostEqual(answer["mean"], sum(self.values.values()) / len(self.values), 9)
        lines = self.assert_answer(self.ask("--histogram", "--ascii")).lines
        self.assertEqual(lines[0],
                         f"fours: {len(self.values)} values, at most 3 operators, {answer['mean']:.3f} in the mean")
        self.assertEqual([line.split()[:2] for line in lines[3:]], [[str(d), str(counted[d])] for d in range(4)])

    def test_hardest(self):
        hardest = {value for value, operators in self.values.items() if operators == 3}
        answer = self.assert_answer(self.ask("--hardest", "--json")).json
        self.assertEqual((answer["distance"], answer["count"], set(answer["boards"])), (3, len(hardest), hardest))
        self.assertEqual(len(answer["boards"]), len(hardest))
        self.assertEqual(
            self.assert_answer(self.ask("--hardest", "--path")).out,
            self.ask("--path", *answer["boards"]).out)
        lines = self.assert_answer(self.ask("--hardest=5")).lines
        self.assertEqual(lines[0],
                         f"fours: {len(hardest)} of {len(self.values)} values take 3 operators, the most; the first 5")
        self.assertEqual(" ".join(lines[2:]).split(), answer["boards"][:5])

    def test_random(self):
        for distance in (None, 0, 1, 2, 3):
            option = "--random" if distance is None else f"--random={distance}"
            answer = self.assert_answer(self.ask(option, "--seed=5", "--json")).json
            self.assertEqual(answer["distance"], self.values[answer["board"]] if distance is None else distance)
            self.assertEqual(self.values[answer["board"]], answer["distance"])
            self.assertEqual(self.assert_answer(self.ask(option, "--seed=5", "--json")).json, answer)
            plural = "" if answer["distance"] == 1 else "s"
            self.assertEqual(self.assert_answer(self.ask(option, "--seed=5")).out,
                             f"fours {answer['board']}: {answer['distance']} operator{plural}\n")
        self.assert_complaint(self.ask("--random=4"), 2, "fours", "4")

    def test_info(self):
        answer = self.assert_answer(self.ask("--info", "--json")).json
        self.assertEqual((answer["states"], answer["indices"], answer["max"], answer["metric"], answer["method"]),
                         (len(self.values), len(self.values), 3, "operator", "db"))
        self.assertNotIn("goal", answer)
        self.assertEqual(answer["bytes"], (self.base / "fours.pdb").stat().st_size)
        lines = [line.split(None, 1) for line in self.assert_answer(self.ask("--info")).lines]
        self.assertIn(["values", str(len(self.values))], lines)
        self.assertIn(["encoding", answer["encoding"]], lines)
        without = self.assert_answer(self.query("-d", self.db, "--info", self.path)).out
        self.assertIn("database    none yet: pdb-gen ", without)


class Codes(Case):
    """A puzzle that has something to begin with, and questions of several words."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.base = cls.shared / "base"
        subprocess.run([GEN, "-q", "-d", str(cls.base), "mastermind"], check=True, env=cls.environment(cls.shared))

    def ask(self, *arguments, **options):
        return self.query("-d", self.base, "mastermind", *arguments, **options)

    def test_figures(self):
        summary = self.assert_answer(self.gen("-d", self.db, "--json", "mastermind")).json
        self.assertEqual((summary["states"], summary["max"], f"{summary['mean']:.2f}"), (5040, 9, "5.56"))
        hardest = self.assert_answer(self.ask("--hardest", "--json")).json
        self.assertEqual((hardest["distance"], set(hardest["boards"])), (9, {"9431", "9241", "5293", "9204", "9214"}))
        self.assertEqual(
            [json.loads(line)["distance"]
             for line in self.assert_answer(self.ask("--json", "9431", "9876")).lines], [9, 6])

    def test_nothing_asked_is_the_start(self):
        self.assertEqual(self.assert_answer(self.ask()).out, self.assert_answer(self.ask("start")).out)
        self.assertEqual(self.assert_answer(self.ask("--json")).json["board"], "start")

    def test_words_that_make_one_question(self):
        quoted = self.assert_answer(self.ask("--json", "0123:0,2 1045:0,2"))
        self.assertEqual(quoted.json["board"], "0123:0,2 1045:0,2")
        self.assertEqual(self.assert_answer(self.ask("--json", "0123:0,2", "1045:0,2")).out, quoted.out)
        self.assertEqual(self.assert_answer(self.ask("--json", "-", stdin="0123:0,2 1045:0,2\n")).out, quoted.out)
        lines = self.ask("--json", "9431", "0123:0,2", "1045:0,2", "9876", "0123:0,0").lines
        boards = [json.loads(line)["board"] for line in lines]
        self.assertEqual(boards, ["9431", "0123:0,2 1045:0,2", "9876", "0123:0,0"])

    def test_a_history_that_cannot_be(self):
        answer = self.assert_answer(self.ask("--json", "0123:4,0", "0124:4,0"), 1).json
        self.assertEqual((answer["distance"], answer["method"]), (None, "db"))

    def test_no_hints(self):
        self.assert_complaint(self.ask("--hint"), 2, "mastermind is a puzzle without moves", "--hint")


class Damaged(Fours):
    """Whatever happens to a file: exit 4 and clear words."""

    def setUp(self):
        super().setUp()
        self.db.mkdir()
        self.file = self.db / "fours.pdb"
        self.good = (self.base / "fours.pdb").read_bytes()

    def assert_damaged(self, *fragments):
        for arguments in (["10"], ["--hardest"], ["--histogram"], ["--info"], ["--random"], ["--method=db", "-"]):
            self.assert_complaint(self.query("-d", self.db, self.path, *arguments), 4, "fours.pdb", "pdb-gen",
                                  *fragments)
        self.assert_complaint(self.gen("-d", self.db, "--verify", self.path), 4, "fours.pdb", *fragments)

    def test_flipped_bits(self):
        """Wherever there is anything to be read."""
        found = 0
        for at in range(0, len(self.good), 389 if SHORT else 97):  # reliability/damage.py does the like
            damaged = bytearray(self.good)
            damaged[at] ^= 1 << at % 8
            self.file.write_bytes(damaged)
            result = self.query("-d", self.db, "--json", self.path, "10")
            if result.code == 0:
                self.assertEqual(result.out, self.ask("--json", "10").out)
                continue
            self.assert_complaint(result, 4, "fours.pdb")
            found += 1
        self.assertGreater(found, 5 if SHORT else 20)

    def test_no_database_at_all(self):
        for content in (b"", b"junk", self.good[:-4096], self.good[:5000], self.good + b"x", bytes(len(self.good))):
            self.file.write_bytes(content)
            self.assert_damaged()

    def test_another_definition(self):
        path = self.write("fours.yaml", FOURS.replace("4 4 4 4", "4 4 4"))
        self.assert_answer(self.gen("-d", self.db, path))
        self.assert_complaint(self.query("-d", self.db, self.path, "10"), 4, "fours.pdb", "another definition")
        self.assert_answer(self.gen("-d", self.db, self.path))
        self.assertEqual(self.file.read_bytes(), self.good)

    def test_the_file_of_another_puzzle(self):
        path = self.write("other.yaml", FOURS.replace("puzzle: fours", "puzzle: other"))
        self.assert_answer(self.gen("-d", self.db, path))
        (self.db / "other.pdb").rename(self.file)
        self.assert_damaged()

    def test_made_again(self):
        self.file.write_bytes(self.good[:5000] + b"x" + self.good[5001:])
        self.assert_answer(self.gen("-d", self.db, "--force", self.path))
        self.assertEqual(self.file.read_bytes(), self.good)


class Interrupted(Case):
    """What takes minutes is stopped at once, and leaves nothing behind."""

    def stop(self, program, number, *arguments):
        long = FOURS.replace("fours", "long").replace("4 4 4 4", "1 2 3 4 5 6 7")
        path = self.write("long.yaml", long.replace("join", "join power root factorial"))
        self.db.mkdir(exist_ok=True)
        running = self.launch(program, "-d", self.db, *arguments, path)
        self.send_once_handled(running, number)
        result = self.finish(running)
        self.assertEqual((result.code, result.out, list(self.db.iterdir())), (130, "", []), result)
        return result.err

    def test_generating(self):
        for number, lists in ((signal.SIGINT, ([], ["--force", "-j1"])), (signal.SIGTERM, (["-j1"], []))):
            for arguments in lists[:1 if SHORT else None]:
                self.assertEqual(self.stop(GEN, number, *arguments),
                                 "pdb-gen: long: interrupted; its values are worked out in one go, nothing is kept\n")

    def test_asking(self):
        for arguments in ([], ["--histogram"], ["--no-progress"])[:1 if SHORT else None]:
            self.assertEqual(self.stop(QUERY, signal.SIGINT, *arguments),
                             "pdb-query: long: interrupted while its values were worked out\n")

    def test_progress(self):
        lines = self.stop(QUERY, signal.SIGINT, "--progress").splitlines()
        self.assertEqual(lines.pop(), "pdb-query: long: interrupted while its values were worked out")
        for line in lines:
            self.assertRegex(line, r"\Along: \d+ % worked out(, \d+ (s|min) left)?, [\d.]+ MiB\Z")


if __name__ == "__main__":
    unittest.main()
