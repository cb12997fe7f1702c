"""The memory that pdb-gen announces is all that it takes."""

import ctypes
import fcntl
import os
import pathlib
import re
import signal
import subprocess
import time
import unittest

from helpers.harness import GEN, SHORT, Case, Result

MIB = 1 << 20
PROGRAM = 6 * MIB  # what the program itself, its libraries, the definition and the puzzle's own tables may take besides

# A puzzle for each way of searching, at several sizes: families, encodings, keys.
DENSE = ("8-puzzle", "goat", "lights-out", "lights-out-4x5", "8-flip-4x6", "cube-2x2x2", "topspin-10", "knights",
         "diagonal-21", "triangle-21", "tiles-2x5", "tiles-2x6", "diagonal-slide")
if SHORT:
    DENSE = ("goat", "lights-out", "topspin-10", "knights")
KEYED = ("klotski", "rush-hour")


class Memory(Case):
    def peak(self, *arguments):
        """The greatest resident size in bytes, and the result. What Python itself takes would count for its child too,
        so a shell starts the program, and ends; this process takes over as the program's parent and waits for it.
        (MALLOC_PERTURB_, which meson test sets, touches memory that is only reserved.)"""
        ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
        out, err = self.dir / "out", self.dir / "err"
        script = 'out=$1 err=$2; shift 2; exec 3<&0; { read go; exec "$@" >"$out" 2>"$err"; } <&3 & echo $!'
        with subprocess.Popen(["sh", "-c", script, "sh", out, err, GEN, "-d", self.db, *map(str, arguments)],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=self.environment(
                                  self.dir, MALLOC_PERTURB_=None)) as shell:
            program = int(shell.stdout.readline())
            shell.wait()
        _, status, usage = os.wait4(program, 0)  # it began when the shell's input was closed
        return usage.ru_maxrss * 1024, Result(os.waitstatus_to_exitcode(status), out.read_text(), err.read_text())

    def setUp(self):
        super().setUp()
        if b"__asan_init" in pathlib.Path(GEN).read_bytes():
            self.skipTest("a sanitizer takes memory of its own")

    def announced(self, puzzle, *options):
        peak, result = self.peak("--json", "--force", *options, puzzle)
        answer = self.assert_answer(result).json
        self.assertLessEqual(peak, answer["memory"] + PROGRAM, f"{puzzle} {options}")
        return answer

    def test_what_is_announced(self):
        for puzzle in DENSE:
            for threads in (1, 4):
                with self.subTest(puzzle=puzzle, threads=threads):
                    self.announced(puzzle, "-j", threads)

    def test_what_is_allowed(self):
        """Where less is allowed than the quickest way takes, another way is taken, or what is needed is said; and that
        is enough."""
        for puzzle in DENSE:
            with self.subTest(puzzle):
                best = self.announced(puzzle)
                least = self.peak("--force", "--memory=1K", puzzle)[1]
                self.assert_complaint(least, 3, "states need", "--memory allows 1.0 KiB")
                allowed = best["memory"] - 1
                peak, result = self.peak("--json", "--force", f"--memory={allowed}", puzzle)
                if result.code != 0:
                    self.assert_complaint(result, 3, "states need", "--memory allows")
                elif "patterns" not in result.json:
                    self.assertLessEqual(result.json["memory"], allowed)
                    self.assertNotEqual(result.json["way"], best["way"])
                self.assertLessEqual(peak, allowed + PROGRAM)

    def test_ways(self):
        for puzzle, way in (("goat", "in layers by words"), ("lights-out", "all at once"),
                            ("topspin-10", "in layers by words"), ("knights", "in layers by words"),
                            ("triangle-15", "all at once")):
            self.assertEqual(self.announced(puzzle)["way"], way)
        self.assertEqual(self.announced("lights-out", "--memory=9M")["way"], "in layers state by state")

    def test_keys(self):
        """The states have to be found first, within the memory allowed; what can be done without it is said."""
        for puzzle in KEYED:
            for allowed in (2, 4, 16, 64):
                with self.subTest(puzzle=puzzle, allowed=allowed):
                    peak, result = self.peak("--json", "--force", f"--memory={allowed}M", puzzle)
                    self.assertIn(result.code, (0, 3), result)
                    if result.code == 3:
                        self.assert_complaint(result, 3, "pdb-query --method=search searches for single boards")
                    self.assertLessEqual(peak, allowed * MIB + PROGRAM)


class Scratch(Case):
    """Planes that memory has no room for lie in a file: the database is the same to the last byte, and the file is gone
    in the end."""

    # 11 * 10!/2 states: 12 MiB in memory, of which the most is for lists and for writing.
    ARGUMENTS = ["--memory=11M", "--checkpoint=0"]
    BOARD = "puzzle: ring\nfamily: slide\ngoal: '1 # 2 3/4 5 6 ./7 8 9 10'\n"

    def setUp(self):
        super().setUp()
        self.board = self.write("ring.yaml", self.BOARD)
        self.disk = self.dir / "disk"
        self.arguments = [*self.ARGUMENTS, f"--scratch={self.disk}", self.board]

    def in_memory(self):
        self.assert_answer(self.gen("-d", self.dir / "memory", self.board))
        return (self.dir / "memory" / "ring.pdb").read_bytes()

    def expect_made(self, wanted):
        self.assertEqual((self.db / "ring.pdb").read_bytes(), wanted)
        self.assertEqual([path.name for path in self.db.iterdir()], ["ring.pdb"])
        self.assertEqual(list(self.disk.iterdir()), [])

    def test_the_same_bytes(self):
        wanted = self.in_memory()
        self.assert_complaint(self.gen("-d", self.db, *self.ARGUMENTS, self.board), 3, "states need")
        self.assert_answer(self.gen("-d", self.db, *self.arguments))
        self.expect_made(wanted)
        self.assert_answer(self.gen("-d", self.db, "--verify", *self.arguments))
        self.expect_made(wanted)

    def killed(self):
        """A run that is killed once it has kept something: the scratch file that it leaves. One that was through before
        anybody looked is made again."""
        for _ in range(20):
            program = self.launch(GEN, "-d", self.db, *self.arguments)
            while program.poll() is None and self.layer() < 12:
                time.sleep(0.002)
            program.kill()
            if self.finish(program).code == -signal.SIGKILL:
                file, = self.disk.iterdir()
                return file
            self.expect_made(self.wanted)
            (self.db / "ring.pdb").unlink()
        raise AssertionError("no run could be killed midway")

    def layer(self):
        """How far what is kept has come: the first number behind the checkpoint's head."""
        try:
            with open(self.db / "ring.pdb.partial", "rb") as partial:
                return int.from_bytes(partial.read(96)[88:], "little")
        except FileNotFoundError:
            return 0

    def test_kills_and_damage(self):
        self.wanted = self.in_memory()

        def change(file):
            with open(file, "r+b") as stream:
                for at in range(100, file.stat().st_size, 4096):
                    stream.seek(at)
                    byte = stream.read(1)
                    stream.seek(at)
                    stream.write(bytes([byte[0] ^ 1]))
        for what, said in ((lambda file: None, "going on from layer"), (change, "it was changed"),
                           (lambda file: os.truncate(file, file.stat().st_size // 2), "it was changed"),
                           (lambda file: file.unlink(), "it is gone")):
            what(self.killed())
            shown = self.on_terminal(GEN, "-d", str(self.db), *map(str, self.arguments))
            self.assertIn(said, str(shown))
            self.expect_made(self.wanted)
            (self.db / "ring.pdb").unlink()

    def test_two_directories(self):
        """What one run has kept stays where another one, for another directory, uses the same disk: it is made whole
        there, and the first goes on."""
        self.wanted = self.in_memory()
        file = self.killed()
        kept = file.read_bytes()
        self.assert_answer(self.gen("-d", self.dir / "other", *self.arguments))
        self.assertEqual((self.dir / "other" / "ring.pdb").read_bytes(), self.wanted)
        self.assert_answer(self.gen("-d", self.dir / "other", "--verify", *self.arguments))
        self.assertEqual((list(self.disk.iterdir()), file.read_bytes()), ([file], kept))
        with open(file, "rb") as taken:
            fcntl.flock(taken, fcntl.LOCK_EX)
            self.assert_complaint(self.gen("-d", self.db, *self.arguments), 3, "is using this scratch file", str(file))
        self.assertIn("going on from layer",
                      str(self.on_terminal(GEN, "-d", str(self.db), *map(str, self.arguments))))
        self.expect_made(self.wanted)

    def test_too_little_memory(self):
        """What would do is said, with a disk named and without, and does; and where --scratch does nothing."""
        arguments = ["-d", self.db, f"--scratch={self.disk}"]
        said = self.gen(*arguments, "--memory=2M", self.board)
        self.assert_complaint(said, 3, "states need", "with --scratch", "would do")
        least, = re.findall(r"with --scratch ([0-9.]+) MiB of memory would do", said.err)
        does = f"--memory={int(float(least) * 1024)}K"
        self.assert_complaint(self.gen("-d", self.db, does, self.board), 3, "--scratch=DIR would do, with", "MiB of disk")
        self.assert_answer(self.gen(*arguments, does, self.board))
        self.assert_complaint(self.gen(*arguments, "--memory=1K", "goat"), 3, "--scratch does nothing for this puzzle")
        self.assertEqual(list(self.disk.iterdir()), [])

    def test_no_directory(self):
        """What --scratch takes is said where it is given a file."""
        self.disk.write_text("no directory")
        self.assert_complaint(self.gen("-d", self.db, *self.arguments), 3, str(self.disk),
                              "--scratch takes a directory")
        self.assertEqual(self.disk.read_text(), "no directory")


if __name__ == "__main__":
    unittest.main()
