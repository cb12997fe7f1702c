"""Boards on standard input, and standard output that goes somewhere else than to a patient reader."""

import json
import os
import random
import select
import subprocess
import unittest

from helpers.harness import GEN, GOAT_GOAL, GOAT_START, QUERY, SHORT, Case, GoatCase

BAD = "1,8,9,10,2,0,7,5,3,8,4"


class Lines(GoatCase):
    def test_bad_lines_in_between(self):
        result = self.ask("-", stdin=f"start\n{BAD}\n\ngoal\nnonsense\n{GOAT_START}\n")
        self.assertEqual(result.code, 2)
        self.assertEqual(
            [line.split("\t")[:2] for line in result.lines],
            [[GOAT_START, "20"], [BAD, "error"], [GOAT_GOAL, "0"], ["nonsense", "error"], [GOAT_START, "20"]])
        complaints = result.err.splitlines()
        self.assertEqual([line.split(": ", 2)[2] for line in complaints],
                         [result.lines[i].split("\t")[2] for i in (1, 3)])
        self.assertEqual(len(complaints), 2)
        self.assertRegex(complaints[0], r"^pdb-query: line 2: 11 cells given")
        self.assertRegex(complaints[1], r"^pdb-query: line 5: .*'nonsense'")

    def test_bad_lines_in_between_json(self):
        result = self.ask("-", "--json", stdin=f"start\n{BAD}\ngoal\n")
        self.assertEqual((result.code, result.err.count("\n")), (2, 1))
        answers = [json.loads(line) for line in result.lines]
        self.assertEqual([(answer["board"], answer.get("distance")) for answer in answers],
                         [(GOAT_START, 20), (BAD, None), (GOAT_GOAL, 0)])
        self.assertEqual(answers[1], {"puzzle": "goat", "board": BAD, "error": result.err.strip().split(": ", 2)[2]})
        for arguments in (["--hint=3"], ["--count"], ["--path"], ["--method=search"]):
            result = self.ask("-", "--json", *arguments, stdin=f"{BAD}\ngoal\n")
            self.assertEqual([json.loads(line).get("error", "")[:14] for line in result.lines], ["11 cells given", ""])

    def test_unreachable_and_bad(self):
        """A bad line outweighs an unreachable board, whichever comes first."""
        unreachable = "1 8 0 7 2 9 10 5 3 8 4 6"
        self.assertEqual(self.ask("-", stdin=f"{unreachable}\nstart\n").code, 1)
        self.assertEqual(self.ask("-", stdin=f"start\n{unreachable}\n").code, 1)
        self.assertEqual(self.ask("-", stdin=f"{unreachable}\n{BAD}\n").code, 2)
        self.assertEqual(self.ask("-", stdin=f"{BAD}\n{unreachable}\n").code, 2)
        many = "start\n" * 500
        self.assertEqual(self.ask("-", stdin=f"{BAD}\n{many}{unreachable}\n").code, 2)
        self.assertEqual(self.ask("-", stdin=f"{unreachable}\n{many}{BAD}\n{many}").code, 2)

    def test_nothing(self):
        for text in ("", "\n", "\n \n\t\r\n"):
            self.assertEqual(self.assert_answer(self.ask("-", stdin=text)).out, "")

    def test_last_line_without_newline_and_carriage_returns(self):
        self.assertEqual(self.assert_answer(self.ask("-", stdin="start\r\ngoal")).out.count("\n"), 2)

    def test_order_is_kept(self):
        """Many more lines than are worked on at once, in one piece and in odd pieces: answered in order, each as it
        would be alone."""
        dice = random.Random(7)
        boards = [self.ask("--random", f"--seed={seed}", "--json").json["board"] for seed in range(50)]
        alone = {board: self.assert_answer(self.ask("-", stdin=board)).out for board in boards}
        asked = [dice.choice(boards) for _ in range(10000 if SHORT else 30000)]
        expected = "".join(alone[board] for board in asked)
        self.assertEqual(self.assert_answer(self.ask("-", stdin="\n".join(asked) + "\n")).out, expected)
        for threads in ("1", "3"):
            result = self.ask("-", f"--threads={threads}", stdin="\n".join(asked))
            self.assertEqual(self.assert_answer(result).out, expected)

    def test_line_numbers_of_many_lines(self):
        lines = ["start"] * 2000
        for number in (1, 128, 129, 1000, 2000):
            lines[number - 1] = BAD
        result = self.ask("-", stdin="\n".join(lines))
        self.assertEqual([line.split(":")[1] for line in result.err.splitlines()],
                         [f" line {n}" for n in (1, 128, 129, 1000, 2000)])
        self.assertEqual([i for i, line in enumerate(result.lines, 1) if line.split("\t")[1] == "error"],
                         [1, 128, 129, 1000, 2000])
        self.assertEqual(len(result.lines), 2000)

    def test_lines_far_too_long(self):
        """They are refused in their places, however many reads they take, and what comes behind them is answered."""
        limit = 1 << 16
        room = " " * (limit - len(GOAT_START))
        for long in (limit + 1, 70_000, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3_000_000):
            lines = ["start", "0" * long, "goal", room + GOAT_START, room + " " + GOAT_START, "", BAD, "0" * long]
            for end in ("", "\n", "\ngoal"):
                with self.subTest(long=long, end=end):
                    result = self.ask("-", stdin="\n".join(lines) + end)
                    self.assertEqual(result.code, 2)
                    self.assertEqual([line.split("\t")[1] for line in result.lines],
                                     ["20", "error", "0", "20", "error", "error", "error"] + ["0"] * (end == "\ngoal"))
                    self.assertEqual([line.split(": ")[1] for line in result.err.splitlines()],
                                     ["line 2", "line 5", "line 7", "line 8"])
                    self.assertEqual(result.err.count("the line is longer than 65536 bytes"), 3)

    def test_a_board_behind_blanks_far_too_long(self):
        for blanks in (70_000, 140_000, 1 << 20, 3_000_000):
            result = self.ask("-", stdin=" " * blanks + GOAT_START + "\ngoal\n" + " " * blanks)
            self.assertEqual(result.code, 2)
            self.assertEqual([line.split("\t")[1] for line in result.lines], ["error", "0", "error"])

    def test_questions_far_too_long(self):
        result = self.query("mastermind", "-", stdin="0123\n" + "1" * 100_000 + "\n0123\n")
        self.assertEqual(result.code, 2)
        self.assertEqual(result.err, "pdb-query: line 2: the line is longer than 65536 bytes\n")
        self.assertEqual((len(result.lines), result.lines[0]), (3, result.lines[2]))

    def test_bytes_that_are_no_text(self):
        for line in (b"\0", b"start\0\n", b"\xff\xfe\n", b"\x80" * 300):
            result = self.ask_bytes(line + b"\ngoal\n")
            self.assertEqual((result[0], result[1].count(b"\n")), (2, 2), line)
            self.assertEqual(result[2].count(b"\n"), 1)
            self.assertTrue((result[1] + result[2]).decode().replace("\n", "").replace("\t", "").isprintable())
            json.loads(self.ask_bytes(line + b"\n", "--json")[1])

    def ask_bytes(self, stdin, *arguments):
        done = subprocess.run([QUERY, "-d", str(self.goat), "goat", "-", *arguments], input=stdin, capture_output=True,
                              timeout=60, env=self.environment(self.dir))
        return done.returncode, done.stdout, done.stderr


class Conversation(GoatCase):
    def read_line(self, pipe):
        line = b""
        while not line.endswith(b"\n"):
            ready, _, _ = select.select([pipe], [], [], 60)
            self.assertTrue(ready, "no answer came although a whole line was written")
            piece = os.read(pipe.fileno(), 4096)
            self.assertNotEqual(piece, b"", "the program ended early")
            line += piece
        return line.decode()

    def test_an_answer_comes_before_the_next_question(self):
        for options, expected in ([], f"{GOAT_START}\t20\t"), (["--json"], '{"puzzle":"goat"'):
            program = self.launch(QUERY, "-d", self.goat, *options, "goat", "-", stdin=subprocess.PIPE, bufsize=0)
            for _ in range(3):
                program.stdin.write(b"start\n")
                self.assertTrue(self.read_line(program.stdout).startswith(expected))
            program.stdin.write(b"nonsense\n")
            self.assertIn("line 4", self.read_line(program.stderr))
            self.assertIn("error", self.read_line(program.stdout))
            program.stdin.write(b"go")
            program.stdin.write(b"al\n")
            self.assertIn(GOAT_GOAL, self.read_line(program.stdout))
            self.assertEqual(self.finish(program).code, 2)


class Streams(GoatCase):
    def test_a_reader_who_has_seen_enough(self):
        """As with `| head -1`: no error, no noise."""
        for stdin, options in ((b"start\n" * (20000 if SHORT else 300000), ["-"]), (b"start\n" * (2000 if SHORT else 20000), ["--json", "--path", "-"])):
            file = self.dir / "boards"
            file.write_bytes(stdin)
            with file.open("rb") as boards:
                program = self.launch(QUERY, "-d", self.goat, "goat", *options, stdin=boards)
                self.assertIn(GOAT_START.encode(), program.stdout.readline())
                program.stdout.close()
                self.assertEqual((program.wait(60), program.stderr.read()), (0, b""))

    def closed_output(self, *command):
        """Runs with a standard output that nobody will ever read."""
        reader, writer = os.pipe()
        os.close(reader)
        try:
            return self.run_program(*command, stdout=writer)
        finally:
            os.close(writer)

    def test_nobody_reads(self):
        for arguments in (["start"], ["--histogram"], ["--hardest", "--json"], ["--info"], ["--random"]):
            self.assert_answer(self.closed_output(QUERY, "-d", self.goat, "goat", *arguments))

    def test_full_device(self):
        for arguments in (["start"], ["--histogram"], ["--hardest", "--json"], ["--info"], ["--random"], ["--hint"]):
            with self.subTest(arguments), open("/dev/full", "wb") as full:
                self.assert_complaint(self.ask(*arguments, stdout=full), 3, "standard output", "No space left")
        with open("/dev/full", "wb") as full:
            self.assert_complaint(self.ask("-", stdin="start\n" * 50000, stdout=full), 3, "standard output",
                                  "No space left")

    def test_full_device_for_the_generator(self):
        for arguments in (["--list"], ["-d", self.goat, "goat"], ["-d", self.goat, "--json", "goat"]):
            with self.subTest(arguments), open("/dev/full", "wb") as full:
                self.assert_complaint(self.gen(*arguments, stdout=full), 3, "standard output", "No space left")
        with open("/dev/full", "wb") as full: # what it says is lost, and the database is not
            self.assert_complaint(self.gen("-d", self.dir, "goat", stdout=full), 3, "standard output", "No space left")
        self.assertEqual((self.dir / "goat.pdb").read_bytes(), (self.goat / "goat.pdb").read_bytes())

    def test_full_device_for_help_and_version(self):
        for program in (GEN, QUERY):
            for option in ("--help", "--version"):
                with self.subTest(program=program, option=option), open("/dev/full", "wb") as full:
                    self.assert_complaint(self.run_program(program, option, stdout=full), 3, "standard output")

    def close(self, program, *arguments, descriptors):
        """Runs with some of the standard descriptors closed, as `>&-` does it."""
        redirections = "".join(f" {descriptor}<&-" if descriptor == 0 else f" {descriptor}>&-"
                               for descriptor in descriptors)
        return self.run_program("sh", "-c", f'exec "$0" "$@"{redirections}', program, *arguments)

    def test_closed_descriptors_do_no_harm_to_databases(self):
        """A file must not be opened under the number of a closed stream and then written to as if it were that."""
        path = self.make_tiny()
        good = (self.db / "tiny.pdb").read_bytes()
        for descriptors in ((0,), (1,), (2,), (0, 1, 2), (1, 2), (0, 2)):
            with self.subTest(descriptors):
                result = self.close(GEN, "--force", "-d", self.db, path, descriptors=descriptors)
                self.assertEqual(result.code, 3 if 1 in descriptors else 0, result)
                self.assertEqual((self.db / "tiny.pdb").read_bytes(), good)
                result = self.close(QUERY, "-d", self.db, path, descriptors=descriptors)
                self.assertEqual(result.code, 3 if 1 in descriptors else 0, result)
                self.assertEqual((self.db / "tiny.pdb").read_bytes(), good)
                self.assertEqual(sorted(p.name for p in self.db.iterdir()), ["tiny.pdb"])

    def test_closed_input(self):
        result = self.close(QUERY, "-d", self.goat, "goat", "-", descriptors=(0,))
        self.assert_complaint(result, 3, "standard input")

    def test_a_directory_as_input(self):
        directory = os.open(self.dir, os.O_RDONLY)
        try:
            self.assert_complaint(self.ask("-", stdin_file=directory), 3, "standard input", "directory")
        finally:
            os.close(directory)


class Silence(Case):
    def test_no_progress_where_there_is_no_terminal(self):
        self.assert_answer(self.gen("-d", self.db, "goat"))


if __name__ == "__main__":
    unittest.main()
