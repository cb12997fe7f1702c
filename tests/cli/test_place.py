"""Values put into slots, from outside: what is said of solutions that are left, databases and search, exit codes."""

import itertools
import json
import signal
import unittest

from helpers.harness import QUERY, Case

COUNTS = {5: 10, 6: 4, 7: 40, 8: 92, 9: 352, 10: 724, 11: 2680, 12: 14200}


def queens(n):
    """All solutions, by trying every permutation."""
    return [p for p in itertools.permutations(range(1, n + 1))
            if all(abs(p[i] - p[j]) != j - i for i in range(n) for j in range(i + 1, n))]


class Queens(Case):
    def test_counts(self):
        for n, count in COUNTS.items():
            answer = self.assert_answer(self.query(f"queens-{n}", "--count", "--json")).json
            self.assertEqual((answer["distance"], answer["solutions"], answer["method"]), (n, count, "search"))

    def test_fourteen(self):
        self.assertEqual(self.assert_answer(self.query("queens-14", "--count", "--json")).json["solutions"], 365596)

    def test_database_and_search_agree(self):
        made = self.assert_answer(self.gen("-d", self.db, "--json", "queens-8")).json
        self.assertEqual(made["max"], 8)
        self.assert_answer(self.gen("-d", self.db, "--verify", "queens-8"))
        histogram = self.assert_answer(self.query("-d", self.db, "queens-8", "--histogram", "--json")).json["histogram"]
        solutions = queens(8)
        for empty in range(9):  # how many sets of 8 - empty queens are part of a solution
            partial = {tuple(v if s in kept else 0 for s, v in enumerate(solution)) for solution in solutions
                       for kept in itertools.combinations(range(8), 8 - empty)}
            self.assertEqual(histogram[empty], len(partial))
        boards = "\n".join([
            "........", "1.......", "...4....", "15863724", "1.8.3.24", "11......", "12345678", ".5.6....", "4.1....."
        ])
        answers = {}
        for method in ("db", "search"):
            result = self.query("-d", self.db, "queens-8", "--json", "--count", f"--method={method}", "-", stdin=boards)
            self.assertEqual((result.code, result.err), (1, ""))
            answers[method] = [json.loads(line) for line in result.lines]
        for found, searched in zip(answers["db"], answers["search"]):
            for key in ("board", "distance", "moves", "solutions"):
                self.assertEqual(found[key], searched[key], found["board"])
        self.assertEqual(
            [answer["solutions"] for answer in answers["db"]],
            [sum(all(c in (".", str(v)) for c, v in zip(board, s)) for s in solutions) for board in boards.split()])

    def test_words(self):
        out = self.assert_answer(self.query("queens-6", "2.....", "--path", "--count")).lines
        self.assertTrue(out[0].startswith("queens-6: 5 slots empty, 1 solution left"), out[0])
        self.assertIn("1 solution", out)
        self.assertEqual("\n".join(out[-6:]),
                         "    . Q . . . .\n    . . . Q . .\n    . . . . . Q\n"
                         "    Q . . . . .\n    . . Q . . .\n    . . . . Q .")
        out = self.query("queens-6", "1.....")
        self.assertEqual(out.code, 1)
        self.assertTrue(out.lines[0].startswith("queens-6: no solution is left"), out)
        self.assertEqual(self.assert_answer(self.query("queens-6", "246135", "--hint")).out, "this is a solution\n")
        self.assertEqual(self.assert_answer(self.query("queens-6", "123456", "--hint"), 1).out, "this is no solution\n")
        self.assertEqual(
            self.assert_answer(self.query("queens-6", "2.....", "--hint=3")).out,
            "5 slots empty, 1 solution left; next row 2 column 4\n")

    def test_a_printed_board_is_read_back(self):
        out = self.query("queens-6", "24....").out
        picture = "\n".join(line.strip() for line in out.splitlines()[2:8])
        self.assertEqual(self.query("queens-6", picture, "--json").json["board"], "24....")

    def test_no_solution(self):
        for n in (2, 3):
            answer = self.query(f"queens-{n}", "--count", "--json")
            self.assertEqual((answer.code, answer.json["distance"], answer.json["solutions"]), (1, None, 0))
            self.assertEqual(self.assert_answer(self.query(f"queens-{n}", "--hint"), 1).out, "there is no solution\n")
            self.assert_complaint(self.gen("-d", self.db, f"queens-{n}"), 1, f"queens-{n} has no solution")
            self.assert_complaint(self.query(f"queens-{n}", "--histogram"), 1, f"queens-{n} has no solution")
            self.assert_answer(self.gen("--check", f"queens-{n}"))

    def test_too_many_states(self):
        self.assert_complaint(self.gen("-d", self.db, "queens-20"), 3, "2.8e26 states")
        self.assert_complaint(self.query("queens-20", "--histogram"), 3)
        out = self.assert_answer(self.query("queens-20", "--path")).lines
        self.assertTrue(out[0].startswith("queens-20: 20 slots empty, solutions are left"), out[0])
        rows = [line.split() for line in out[-20:]]
        self.assertEqual(sorted(row.index("Q") for row in rows), list(range(20)))

    def test_soon(self):
        """Solutions of some million boards are counted where that is asked for, with any number of threads."""
        for threads in (1, 2, 64):
            out = self.assert_answer(self.query("queens-12", "-j", threads)).out
            self.assertTrue(out.startswith("queens-12: 12 slots empty, 14,200 solutions left"), out)
            out = self.assert_answer(self.query("queens-14", "-j", threads, "--count")).out
            self.assertTrue(out.startswith("queens-14: 14 slots empty, solutions are left"), out)
            self.assertTrue(out.endswith("\n365596 solutions\n"), out)

    def test_interrupted(self):
        """What is known before solutions are counted has been told."""
        program = self.launch(QUERY, "queens-24", "--count")
        told = [program.stdout.readline().decode() for _ in range(27)]
        self.assertTrue(told[0].startswith("queens-24: 24 slots empty, solutions are left"), told)
        program.send_signal(signal.SIGINT)
        self.assert_complaint(self.finish(program), 130,
                              "queens-24: 24 slots empty; interrupted while solutions were counted")


class Sums(Case):
    def test_send_more(self):
        answer = self.assert_answer(self.query("send-more", "--count", "--path", "--json")).json
        self.assertEqual((answer["solutions"], answer["path"][-1]), (1, "95671082"))
        self.assert_answer(self.gen("-q", "-d", self.db, "send-more"))
        answer = self.assert_answer(self.query("-d", self.db, "send-more", "--count", "--path", "--json")).json
        self.assertEqual((answer["solutions"], answer["path"][-1], answer["method"]), (1, "95671082", "db"))
        self.assertEqual([move["move"] for move in answer["moves"] if move["distance"] is not None],
                         ["S = 9", "E = 5", "N = 6", "D = 7", "M = 1", "O = 0", "R = 8", "Y = 2"])
        out = self.assert_answer(self.query("send-more", "--path", "M=1")).out
        self.assertIn("       9567\n    +  1085\n    = 10652\n", out)

    def test_on_the_command_line(self):
        for word, name, count in (("alphametic:TWO + TWO = FOUR", "alphametic-TWO-plus-TWO-is-FOUR", 7),
                                  ("alphametic:ab+ba=cc", "alphametic-AB-plus-BA-is-CC", 32),
                                  ("alphametic:SEND+MORE=MONEY+X", "alphametic-SEND-plus-MORE-is-MONEY-plus-X", 0),
                                  ("alphametic-5:A+B=CA", "alphametic-5-A-plus-B-is-CA", 0)):
            with self.subTest(word):
                answer = self.query(word, "--count", "--json")
                self.assertEqual((answer.code, answer.json["puzzle"], answer.json["solutions"]),
                                 (0 if count else 1, name, count))
                made = self.gen("-d", self.db, "--json", word)
                self.assertEqual(made.code, 0 if count else 1)
                if count:
                    self.assertEqual(made.json["file"], f"{self.db}/{name}.pdb")
                    shouted = word.upper().replace("ALPHAMETIC", "alphametic")
                    answer = self.query("-d", self.db, shouted, "--count", "--json").json
                    self.assertEqual(answer["solutions"], count)

    def test_too_many_letters(self):
        self.assert_complaint(self.query("alphametic:ABCDEF+GHIJK=LMNOP"), 2, "16 different letters", "the base 10",
                              "10 digits")
        self.assert_complaint(self.gen("alphametic:ABCDEF+GHIJK=LMNOP"), 2, "16 different letters")

    def test_complaints(self):
        self.assert_complaint(self.query("alphametic:A+B"), 2, "SEND+MORE=MONEY")
        self.assert_complaint(self.query("send-more", "S=9 Q=1"), 2, "'Q=1'")
        self.assert_complaint(self.query("send-more", "12345"), 2)


class Definitions(Case):
    def ask(self, rest, *arguments):
        return self.query(self.write("slots.yaml", "puzzle: slots\nfamily: place\nboard: ...\n" + rest), *arguments)

    def test_one_word_stands_for_its_characters(self):
        for values in ("a b c", "abc", "[a, b, c]", "äöü"):
            with self.subTest(values):
                self.assertEqual(
                    self.ask(f"values: {values}\ndifferent: all\n", "--count", "--json").json["solutions"], 6)

    def test_complaints(self):
        for rest, words in (
                ("values: 1-3\ndifferent: rows columns\n", ":5:12: several groups are a list, as in [rows, columns]"),
                ("values: 1-3\ndifferent: [all, all 1]\n", ":5:18: several groups are a list"),
                ("values: 1-3\ndifferent: 1 4\n", "there is no place '4'"),
                ("values: 1-1\ndifferent: all\n", "3 slots cannot be different from one another with 1 value\n"),
                ("values: aba\ndifferent: all\n", ":4:11: 'a' is there twice")):
            with self.subTest(rest):
                self.assert_complaint(self.ask(rest), 2, words)
        self.assert_complaint(self.ask("values: 1-3\ndifferent: all\n", "12"), 2, "(1 row of 3)")


if __name__ == "__main__":
    unittest.main()
