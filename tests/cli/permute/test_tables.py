"""Tables of a permutation puzzle: built in pieces, opened without being read, and refused where they are others."""

import json
import pathlib
import resource
import signal
import time
import unittest

from helpers.harness import GEN, Case

# Two triangles that turn at each corner of a ring: of a table's entries few can be reached. And a hand of each of four
# clocks, so that distances are long.
TWINS = """puzzle: twins
family: permute
places: b1 a1 b2 a2 b3 a3 b4 a4 b5 a5 b6 a6 b7 a7 b8 a8 b9 a9 b10 a10
generators:
  A: (a1 a2 a3)(b1 b2 b3)
  B: (a3 a4 a5)(b3 b4 b5)
  C: (a5 a6 a7)(b5 b6 b7)
  D: (a7 a8 a9)(b7 b8 b9)
  E: (a9 a10 a1)(b9 b10 b1)
patterns: [a1 a3 (a5 a7 a9) b1 b3 (b5 b7 b9)BOUNDED]
"""
CLOCKS = ("puzzle: clocks\nfamily: permute\nplaces: |\n" +
          "".join("  " + " ".join([f"{c}{i}" for i in range(n)] + ["#"] * (17 - n)) + "\n"
                  for c, n in zip("pqrs", (7, 11, 13, 17))) +
          "twists: 2\ngenerators:\n  g: " +
          "".join("(" + " ".join(f"{c}{i}" for i in range(n)) + ")" for c, n in zip("pqrs", (7, 11, 13, 17))) +
          "\n  u: (p0+1)(q0+1)(r0+1)(s0+1)\npatterns: [p0 q0 r0 s0BOUNDED]\n")

MEMORY = "--memory=64M"
LARGER = "--memory=120M"  # a table of 34 MiB
LIMIT = 28 << 20          # bytes of memory that may be written to


class Tables(Case):

    def setUp(self):
        super().setUp()
        self.db.mkdir(exist_ok=True)
        self.file = self.db / "cube-3x3x3.pdb"
        self.partial = self.db / "cube-3x3x3.pdb.tables"

    def make(self, *arguments):
        self.assert_answer(self.gen("-q", "-d", self.db, *arguments, "cube-3x3x3"))
        return self.file.read_bytes()

    def names(self):
        return sorted(path.name for path in self.db.iterdir())

    def test_interrupted_and_killed(self):
        """By turns, later and later: the bytes are those of a run that nobody stopped."""
        wanted = self.make("-j1", MEMORY)
        self.file.unlink()
        kept = 0
        for run in range(12):
            program = self.launch(GEN, "-d", self.db, f"-j{1 + run % 2}", MEMORY, "--checkpoint=0", "cube-3x3x3")
            time.sleep(0.05 + 0.03 * run)
            program.send_signal((signal.SIGINT, signal.SIGKILL)[run % 2])
            program.communicate(timeout=100)
            if self.file.exists():
                break
            kept += self.partial.exists()
        self.assertGreater(kept, 2)
        self.assertEqual(self.make("-j2", MEMORY), wanted)
        self.assertEqual(self.names(), ["cube-3x3x3.pdb"])

    def test_bounded_tables(self):
        """Where few entries can be reached, and where distances are long: the same lengths as with a plain table."""
        for text, boards in ((TWINS, ("A C", "A C E B D A' C E' B D' A C B E")),
                             (CLOCKS, ("g300", "u g537"))):
            lengths = []
            for bounded in ("", " ~"):
                puzzle = self.write("bounded.yaml", text.replace("BOUNDED", bounded))
                self.assert_answer(self.gen("-q", "-f", "-d", self.db, "-m300M", puzzle))
                answer = self.assert_answer(self.query("-d", self.db, "-j1", "--path", "--json", puzzle, "-",
                                                       stdin="\n".join(boards) + "\n"))
                lengths.append([json.loads(line)["distance"] for line in answer.lines])
            self.assertEqual(*lengths)
            self.assertGreater(min(lengths[0]), 0)

    def test_a_checkpoint_of_other_tables_is_not_taken(self):
        wanted = self.make("-j1", MEMORY)
        self.file.unlink()
        program = self.launch(GEN, "-d", self.db, LARGER, "--checkpoint=0", "cube-3x3x3")
        while not self.partial.exists():
            time.sleep(0.01)
        program.kill()
        program.communicate(timeout=100)
        self.assertEqual(self.make("-j1", MEMORY), wanted)

    def test_another_puzzle_of_nearly_this_name(self):
        """Its checkpoint is not that of these tables, which are made, found and made again beside it."""
        other = self.write("other.yaml", "puzzle: cube-3x3x3.tables\nfamily: slide\n"
                                         "goal: 1 2 3 / 4 5 6 / 7 8 9 / A B .\n")
        program = self.launch(GEN, "-d", self.db, "-j1", "--checkpoint=0", other)
        kept = self.db / "cube-3x3x3.tables.pdb.partial"
        while not kept.exists():
            time.sleep(0.01)
        program.kill()
        program.communicate(timeout=100)
        there = kept.read_bytes()
        self.make(MEMORY)
        self.make(MEMORY)
        self.make(MEMORY, "--force")
        self.assertEqual(kept.read_bytes(), there)

    def test_damage(self):
        """Every page is checked before it is used: a search that reads all of them is refused, and one that reads few
        is, or its answer is right."""
        good = bytearray(self.make(MEMORY))
        for page in range(16, len(good) // 4096 // 2, 20):
            good[4096 * page + 1000] ^= 1
        self.file.write_bytes(good)
        refused = 0
        for moves in ("R", "R U F' L2 D", "R U F' L2 D B R2 F U' L B2"):
            result = self.query("-d", self.db, "--json", "cube-3x3x3", moves)
            refused += result.code == 4
            if result.code == 4:
                self.assert_complaint(result, 4, "damaged")
            else:
                self.assertEqual(self.assert_answer(result).json["distance"], len(moves.split()))
        self.assertGreater(refused, 0)

    def test_opened_without_being_read(self):
        """Where there is no memory for the tables boards are answered all the same: their entries are looked up in the
        file."""
        if b"__asan_init" in pathlib.Path(GEN).read_bytes():
            self.skipTest("a sanitizer takes memory of its own")
        self.make(LARGER)
        self.assertGreater(self.file.stat().st_size, LIMIT)
        limited = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_DATA, (LIMIT, LIMIT))}
        near = self.query("-d", self.db, "-j1", "--json", "cube-3x3x3", "R U F' L2 D", **limited)
        self.assertEqual(self.assert_answer(near).json["distance"], 5)
        far = "R U F' L2 D B R2 F U' L B2 D' R"
        for limits in ({}, limited):
            self.assertIn("13 moves", self.assert_answer(
                self.query("-d", self.db, "-j1", "--hint=1", "cube-3x3x3", far, **limits)).out)


if __name__ == "__main__":
    unittest.main()
