"""The memory that pdb-gen announces is all that it takes."""

import ctypes
import os
import pathlib
import subprocess
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
                        self.assert_complaint(result, 3, "pdb-query searches for single boards without a database")
                    self.assertLessEqual(peak, allowed * MIB + PROGRAM)


if __name__ == "__main__":
    unittest.main()
