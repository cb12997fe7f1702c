"""pdb-gen, ended or failed at each single call by which it changes files: what is left behind, what is said, and what the next run makes of it.

calls.c, loaded before the program, counts the calls and spoils the one that is wanted. So this is every moment, where kills.py is any moment.
"""

import errno
import os
import pathlib
import re
import shutil
import signal
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from harness import TINY, Case  # noqa: E402

LIBRARY = os.environ["PDB_CALLS_LIBRARY"]

# 12 states in seven layers, each kept in a checkpoint. What stands there before is a database of another definition.
SMALL = "puzzle: small\nfamily: slide\ngoal: 1 2/3 .\n"
OLD = TINY.replace("puzzle: tiny", "puzzle: {}")


class Calls(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # thousands of syncs
        cls.quick = pathlib.Path(tempfile.mkdtemp(prefix="pdb calls ", dir=memory))
        cls.addClassCleanup(shutil.rmtree, cls.quick, ignore_errors=True)

    def prepare(self, name, *arguments):
        """The puzzle, the bytes that its database has to have, those of another's, and the calls of a run that is left in peace."""
        self.name, self.arguments = name, arguments
        self.db = self.quick / name
        self.file, self.partial = (self.db / f"{name}.pdb{end}" for end in ("", ".partial"))
        self.assert_answer(self.gen("-d", self.db, self.write("old.yaml", OLD.format(name))))
        self.old = self.file.read_bytes()
        self.reset(None)
        log = self.dir / "log"
        self.assert_answer(self.run_gen(PDB_CALLS_LOG=log))
        self.wanted = self.file.read_bytes()
        self.assertEqual(self.names(), [self.file.name])
        self.log = [line.split(" ", 1) for line in log.read_text().replace(f"{self.db}/", "").splitlines()]

    def run_gen(self, **changes):
        return self.gen("-d", self.db, *self.arguments, env=dict(changes, LD_PRELOAD=LIBRARY, ASAN_OPTIONS=":".join(filter(None, (
            os.environ.get("ASAN_OPTIONS"), "verify_asan_link_order=0", f"detect_leaks=1:halt_on_error=1:log_path={self.reports}/asan")))))

    def names(self):
        return sorted(path.name for path in self.db.iterdir())

    def reset(self, content):
        shutil.rmtree(self.db, ignore_errors=True)
        self.db.mkdir()
        if content is not None:
            self.file.write_bytes(content)

    def spoil(self, number, what):
        """A run whose call of this number is spoilt; an old database is there in every other one."""
        before = self.old if number % 2 else None
        self.reset(before)
        result = self.run_gen(PDB_CALLS=f"{number + 1}:{what}")
        self.assertNotEqual(result.code, -signal.SIGABRT, result)
        content = self.file.read_bytes() if self.file.exists() else None
        self.assertIn(content, (before, self.wanted), f"a bad database: {result}")
        return result, content == self.wanted

    def assert_next_run(self):
        """It makes the same bytes as ever, and clears up."""
        self.assert_answer(self.gen("-d", self.db, *self.arguments))
        self.assertEqual(self.file.read_bytes(), self.wanted)
        self.assertEqual(self.names(), [self.file.name])

    def check_every_call(self):
        for number, (call, path) in enumerate(self.log):
            with self.subTest(puzzle=self.name, number=number, call=call, path=path):
                self.check_killed(number, f"signal:{signal.SIGKILL}")
                if call == "write":
                    self.check_killed(number, "torn")
                if call != "unlink":
                    self.check_failed(number, f"errors:{errno.ENOSPC}", "No space left", "the disk is full")
                    self.check_failed(number, f"error:{errno.EIO}", "Input/output error")
                self.check_stopped(number, (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)[number % 3])

    def check_killed(self, number, what):
        result, _ = self.spoil(number, what)
        self.assertEqual((result.code, result.err), (-signal.SIGKILL, ""), result)
        self.assert_next_run()

    def check_failed(self, number, what, *reasons):
        """One line, exit 3, nothing besides but the checkpoint; or it did not matter."""
        result, done = self.spoil(number, what)
        if result.code == 0:
            self.assertTrue(done, result)
            self.assertLessEqual(set(self.names()), {self.file.name, self.partial.name})
        else:
            self.assert_complaint(result, 3, str(self.db))
            self.assertTrue(any(reason in result.err for reason in reasons), result)
            self.assertLessEqual(set(self.names()), {self.file.name, self.partial.name})
        self.assert_next_run()

    def check_stopped(self, number, wanted):
        """Whatever comes, it says what is kept, and that is so."""
        result, done = self.spoil(number, f"signal:{wanted}")
        if result.code == 0:
            self.assert_answer(result)
            self.assertEqual((done, self.names()), (True, [self.file.name]))
        elif result.code == -wanted:  # before it began, or when all was done
            self.assertEqual(result.err, "")
        else:
            self.assert_complaint(result, 130, f"{self.name}: interrupted")
            self.assertFalse(done)
            kept = re.search(r"is kept, the next run goes on from there", result.err)
            self.assertTrue(kept or re.search("nothing( of that)? is kept", result.err), result)
            self.assertEqual(self.partial.exists(), kept is not None, result)
            self.assertLessEqual(set(self.names()), {self.file.name, self.partial.name})
        self.assert_next_run()

    def test_layers(self):
        self.prepare("small", "--checkpoint=0", self.write("small.yaml", SMALL))
        self.assertGreater(sum(call == "rename" for call, _ in self.log), 5)
        self.check_every_call()

    def test_patterns(self):
        self.prepare("15-puzzle", "--quiet", "-j1", "--memory=100K", "15-puzzle")
        for number, (call, path) in enumerate(self.log):
            with self.subTest(number=number, call=call, path=path):
                self.check_killed(number, f"signal:{signal.SIGKILL}")
                self.check_stopped(number, signal.SIGTERM)

    def test_enumeration(self):
        self.prepare("four-fours", "four-fours")
        self.check_every_call()

    def test_order(self):
        """Every file is written, synced, renamed and its directory synced, in this order; the checkpoint goes when the database is there."""
        self.prepare("small", "--checkpoint=0", self.write("small.yaml", SMALL))
        for number, (call, what) in enumerate(self.log):
            if call == "rename":
                name = what.split(" -> ")[0]
                self.assertEqual(self.log[number - 1], ["sync", name])
                self.assertEqual(self.log[number + 1], ["sync", str(self.db)])
                self.assertIn(["write", name], self.log[:number])
        published = self.log.index(["rename", f"{self.file.name}.new -> {self.file.name}"])
        self.assertNotIn(["unlink", self.partial.name], self.log[:published])
        self.assertIn(["unlink", self.partial.name], self.log[published:])

    def test_new_directories(self):
        """What is made lasts: its parent is synced."""
        self.prepare("small", self.write("small.yaml", SMALL))
        self.db, log = self.dir / "one" / "two", self.dir / "log of directories"
        self.assert_answer(self.run_gen(PDB_CALLS_LOG=log))
        lines = log.read_text().splitlines()
        for directory in (self.db.parent, self.db):
            self.assertEqual(lines[lines.index(f"mkdir {directory}") + 1], f"sync {directory.parent}")


if __name__ == "__main__":
    unittest.main()
