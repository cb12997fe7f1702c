"""A generation that is stopped: what is kept, how it goes on, and what is never there."""

import fcntl
import os
import random
import re
import signal
import subprocess
import time
import unittest

from helpers.harness import GEN, SHORT, TINY, Case

# 6,652,800 states: 3x4 with two threes and a pair of identical tiles. The work takes a second or more on one core.
PUZZLE = """\
puzzle: twelve
family: slide
goal: |
  a a a b
  b b c d
  d f g .
"""
STATES = 6652800

# Those that are not searched state by state: layers a word of states at a time, of two families; all distances at once.
WAYS = {
    "slide, by words": (19958400, "puzzle: twelve\nfamily: slide\ngoal: 1 2 3 4/5 6 7 8/. . . .\n"),
    "permute, by rows": (3628800, "puzzle: twelve\nfamily: permute\nplaces: 1 2 3 4 5 6 7 8 9 10\ngenerators:\n" +
                         "".join(f"  flip {top}: {{reverse: {' '.join(str(place) for place in range(1, top + 1))}}}\n"
                                 for top in range(2, 11))),
    "flip, at once": (16777216, "puzzle: twelve\nfamily: flip\naround: 8\nboard: ...../...../...../...../.....\n"),
}


class Interrupted(Case):
    def setUp(self):
        super().setUp()
        self.path = self.write("twelve.yaml", PUZZLE)
        self.db.mkdir()
        self.file = self.db / "twelve.pdb"

    def start(self, *arguments, **options):
        """Starts the generator and waits until its work has begun, which its lock shows. It gives way to the tests: on a
        busy machine it must not be done before the test can stop it."""
        options.setdefault("preexec_fn", lambda: os.nice(5))
        (self.db / "twelve.pdb.new").unlink(missing_ok=True)  # of one that was killed
        program = subprocess.Popen(
            [GEN, "-d", str(self.db), *arguments, str(self.path)], env=self.environment(self.dir),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
        self.addCleanup(self.end, program)
        while not (self.db / "twelve.pdb.new").exists() and program.poll() is None:
            time.sleep(0.001)
        return program

    @staticmethod
    def end(program):
        program.kill()
        program.communicate()

    def stop(self, number, *arguments):
        """Starts, waits for a part of the work to be done and sends the signal: how the program ended. The signal is
        sent earlier where that was too late: the database was there, whatever the signal did to the program's last
        moments."""
        for delay in (0.3, 0.1, 0.02, 0, 0, 0):
            program = self.start(*arguments)
            time.sleep(delay)
            program.send_signal(number)
            out, err = program.communicate(timeout=200)
            if not self.file.exists() and b"while the database was written" not in err:
                return program.returncode, out.decode(), err.decode()
            self.assert_too_late(program, number, err)
        self.fail("the work was done before it could be stopped")

    def assert_too_late(self, program, number, err):
        """The database was there before the signal, or was being written: the program ended as usual, or as one that is
        interrupted does."""
        self.assertIn(program.returncode, (0, 130, -number), err)
        self.file.unlink(missing_ok=True)

    def names(self):
        return sorted(path.name for path in self.db.iterdir())

    references = {}

    def uninterrupted(self, threads, states=STATES):
        """The bytes that a run makes which nobody stops."""
        key = self.path.read_text(), threads
        if key not in self.references:
            other = self.dir / "other"
            answer = self.assert_answer(self.gen("--json", "-d", other, "-j", threads, self.path)).json
            self.assertEqual(answer["states"], states)
            self.references[key] = (other / "twelve.pdb").read_bytes()
        return self.references[key]

    def go_on(self, *arguments):
        """Runs to the end on a terminal, which is told in the place of standard error."""
        result = self.on_terminal(GEN, "-d", self.db, *arguments, self.path, stdout=subprocess.PIPE)
        self.assertEqual(result.code, 0, result)
        return result

    def test_interrupt_and_go_on(self):
        """Stopped with one thread, finished with two: the bytes are those of a run that nobody stopped."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number.name):
                code, out, err = self.stop(number, "-j1")
                self.assertEqual((code, out), (130, ""), err)
                told = re.fullmatch(
                    r"pdb-gen: twelve: interrupted after layer (\d+); what is done is kept, "
                    r"the next run goes on from there\n", err)
                self.assertIsNotNone(told, err)
                self.assertEqual(self.names(), ["twelve.pdb.partial"])
                self.assert_complaint(self.query("-d", self.db, "--method=db", self.path, "goal"), 3, "no database")
                result = self.go_on("-j2")
                self.assertIn(f"twelve: going on from layer {told[1]}\n", result.err)
                self.assertIn("6,652,800 states", result.out)
                self.assertEqual(self.names(), ["twelve.pdb"])
                self.assertEqual(self.file.read_bytes(), self.uninterrupted(2))
                self.file.unlink()

    def test_interrupt_again_and_again(self):
        """No run falls behind the one before; the last one's bytes are the same."""
        layers = []
        delay = 0.02
        for _ in range(12):
            program = self.start("-j1")
            time.sleep(delay)
            program.send_signal(signal.SIGINT)
            err = program.communicate(timeout=200)[1].decode()
            too_late = self.file.exists()
            if too_late:
                self.assert_too_late(program, signal.SIGINT, err)
            else:
                self.assertEqual(program.returncode, 130, err)
            if too_late or "nothing is kept" in err:  # the search was done: from the beginning, and sooner
                layers.clear()
                delay /= 2
                continue
            layers.append(int(re.search(r"(?:after|up to) layer (\d+)", err)[1]))
            if len(layers) == 4:
                break
        self.assertTrue(layers)
        self.assertEqual(layers, sorted(layers))
        self.assert_answer(self.gen("-j1", "-d", self.db, self.path))
        self.assertEqual(self.file.read_bytes(), self.uninterrupted(1))

    def test_interrupt_every_way_to_search(self):
        """Stopped again and again, at moments of all kinds, with one thread or two."""
        moments = random.Random(5)
        for what, (states, text) in WAYS.items():
            with self.subTest(what):
                self.path.write_text(text)
                stopped = 0
                for _ in range(5 if SHORT else 12):
                    program = self.start(moments.choice(("-j1", "-j2")))
                    time.sleep(moments.choice((0, 0.002, 0.01, 0.03)))
                    program.send_signal(signal.SIGINT)
                    _, err = program.communicate(timeout=200)
                    if self.file.exists():  # from the beginning
                        self.assert_too_late(program, signal.SIGINT, err)
                        continue
                    self.assertEqual(program.returncode, 130, err)
                    kept = b"nothing is kept" not in err  # the search was done, and what it found was being written
                    self.assertEqual(self.names(), ["twelve.pdb.partial"] if kept else [], err)
                    stopped += 1
                self.assertGreater(stopped, 0)
                self.assert_answer(self.gen("-j2", "-d", self.db, self.path))
                self.assertEqual(self.file.read_bytes(), self.uninterrupted(2, states))
                self.assertEqual(self.names(), ["twelve.pdb"])
                self.file.unlink()

    def test_interrupt_at_once(self):
        """A signal that is there before the work begins: nothing is done, and that is kept."""
        held = {signal.SIGINT}
        program = self.start(
            preexec_fn=lambda: (signal.pthread_sigmask(signal.SIG_BLOCK, held), os.kill(os.getpid(), signal.SIGINT)))
        _, err = program.communicate(timeout=200)
        self.assertEqual(program.returncode, 130, err)
        self.assertFalse(self.file.exists())

    def test_interrupt_while_goals_are_looked_for(self):
        """A goal that nearly all states fit: some 40 million are visited before there is a layer."""
        self.path.write_text("puzzle: twelve\nfamily: slide\nboard: ABCD/EFGH/IJK.\ngoal: A***/****/****\n")
        program = self.start("-j1")
        program.send_signal(signal.SIGTERM)
        _, err = program.communicate(timeout=200)
        self.assertEqual((program.returncode, err.decode()), (
            130, "pdb-gen: twelve: interrupted while its goals were looked for; nothing is kept of this run\n"))
        self.assertEqual(self.names(), [])

    def test_ignored_signals(self):
        """A shell's background job has SIGINT ignored, nohup SIGHUP: they do not stop it, whoever sends them."""
        ignored = (signal.SIGINT, signal.SIGHUP)
        program = self.start(preexec_fn=lambda: [signal.signal(number, signal.SIG_IGN) for number in ignored])
        for number in ignored:
            program.send_signal(number)
        _, err = program.communicate(timeout=200)
        self.assertEqual((program.returncode, err), (0, b""))
        self.assertEqual(self.names(), ["twelve.pdb"])

    def test_what_killed_runs_left(self):
        """A run that finds its database there removes it; but for a checkpoint of a later run, and not while somebody
        works."""
        self.assert_answer(self.gen("-d", self.db, self.path))
        partial, new, partial_new = (self.db / f"twelve.pdb.{end}" for end in ("partial", "new", "partial.new"))
        made = self.file.stat().st_mtime_ns
        for age, left in ((-1, []), (0, []), (1, ["twelve.pdb.partial"])):
            for path in (partial, new, partial_new):
                path.write_bytes(b"what is left")
            os.utime(partial, ns=(made + age, made + age))
            with open(new, "rb") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                self.assertIn("already there", self.assert_answer(self.gen("-d", self.db, self.path)).out)
                self.assertEqual(len(self.names()), 4)
            self.assertIn("already there", self.assert_answer(self.gen("-d", self.db, self.path)).out)
            self.assertEqual(self.names(), ["twelve.pdb", *left])

    def test_a_checkpoint_stays_beside_patterns(self):
        """It is of the whole space, for which there may be memory another time."""
        (self.db / "15-puzzle.pdb.partial").write_bytes(b"of the whole space")
        for _ in range(2):
            self.assert_answer(self.gen("-q", "-d", self.db, "-j1", "--memory=100K", "15-puzzle"), 0)
            self.assertEqual(self.names(), ["15-puzzle.pdb", "15-puzzle.pdb.partial"])

    def test_a_checkpoint_of_another_definition_is_not_taken(self):
        self.stop(signal.SIGINT, "-j1")
        self.path = self.write("twelve.yaml", PUZZLE.replace("f g .", "g f ."))
        said = self.go_on().err
        self.assertIn("twelve: beginning anew: ", said)
        self.assertNotIn("going on", said)
        self.assertEqual(self.file.read_bytes(), self.uninterrupted(2))

    def test_a_damaged_checkpoint_is_not_taken(self):
        self.stop(signal.SIGINT, "-j1")
        partial = self.db / "twelve.pdb.partial"
        content = partial.read_bytes()
        reference = self.uninterrupted(2)
        for damaged in (content[:len(content) // 2], b"", content[:100] + b"x" + content[101:],
                        content[:-5000] + bytes([content[-5000] ^ 1]) + content[-4999:]):
            partial.write_bytes(damaged)
            self.assertIn("twelve: beginning anew: ", self.go_on().err)
            self.assertEqual(self.file.read_bytes(), reference)
            self.assertEqual(self.names(), ["twelve.pdb"])
            self.file.unlink()

    def test_killed(self):
        """No database, and the next run is none the worse."""
        code, _, _ = self.stop(signal.SIGKILL)
        self.assertEqual(code, -signal.SIGKILL)
        self.assertFalse(self.file.exists())
        self.assert_complaint(self.query("-d", self.db, "--method=db", self.path, "goal"), 3, "no database")
        self.assert_answer(self.gen("-d", self.db, self.path))
        self.assertEqual(self.names(), ["twelve.pdb"])
        self.assertEqual(self.file.read_bytes(), self.uninterrupted(2))

    def test_killed_while_an_old_database_is_replaced(self):
        """With --force the old file stays until the new one is whole."""
        self.assert_answer(self.gen("-d", self.db, self.path))
        before = self.file.read_bytes()
        for number, code in ((signal.SIGKILL, -signal.SIGKILL), (signal.SIGINT, 130)):
            for _ in range(5):
                program = self.start("--force")
                program.send_signal(number)
                program.communicate(timeout=200)
                if program.returncode != 0:  # else it was too late
                    break
            self.assertEqual(program.returncode, code)
            self.assertEqual(self.file.read_bytes(), before)
            self.assertEqual(
                self.assert_answer(self.query("-d", self.db, "--method=db", "--json", self.path,
                                              "goal")).json["distance"], 0)

    def test_verify_is_interrupted(self):
        self.assert_answer(self.gen("-d", self.db, self.path))
        program = subprocess.Popen(
            [GEN, "--verify", "-d", str(self.db), str(self.path)], env=self.environment(
                self.dir), stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=lambda:
            (signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}), os.kill(os.getpid(), signal.SIGINT)))
        out, err = program.communicate(timeout=200)
        self.assertEqual((program.returncode, out), (130, b""), err)
        self.assertEqual(err.count(b"\n"), 1, err)
        self.assertEqual(self.names(), ["twelve.pdb"])


class Progress(Case):
    def test_progress_on_a_terminal(self):
        path = self.write("tiny.yaml", TINY)
        result = self.on_terminal(GEN, "-d", self.db, path, stdout=subprocess.PIPE)
        self.assertEqual(result.code, 0)
        self.assertIn("tiny: 360 states, ", result.err)
        self.assertTrue(result.err.endswith("\r\033[K"), "the progress line is gone at the end")
        for option in ("--no-progress", "--quiet"):
            result = self.on_terminal(GEN, "--force", option, "-d", self.db, path, stdout=subprocess.PIPE)
            self.assertEqual((result.code, result.err), (0, ""))

    def test_progress_in_a_file(self):
        """Where it is asked for, lines that stay, a second apart; --quiet does not take them away, and the last wish
        counts."""
        silent = self.gen("-d", self.db, "tiles-2x3", "--quiet")
        self.assertEqual((silent.code, silent.out, silent.err), (0, "", ""))
        began = time.monotonic()
        program = self.launch(GEN, "-d", self.db, "english-33", "--quiet", "-j1", "--no-progress", "--progress")
        self.assertRegex(program.stderr.readline(), rb"\Aenglish-33: states are found on the way")
        for seconds in (1, 2):
            self.assertRegex(program.stderr.readline(),
                             rb"\Aenglish-33: [\d,]+ states found, \d+ % of them looked at, .* [MG]iB\n\Z")
            self.assertGreater(time.monotonic() - began, seconds)
        result = self.on_terminal(GEN, "--force", "--progress", "--no-progress", "-d", self.db, "tiles-2x3",
                                  stdout=subprocess.PIPE)
        self.assertEqual((result.code, result.err), (0, ""))


if __name__ == "__main__":
    unittest.main()
