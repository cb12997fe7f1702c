"""pdb-gen, ended, failed or held up at each single call by which it changes files: what is left behind, what is said,
what the next run or one beside it makes of that.

calls.c, loaded before the program, counts the calls and spoils the one that is wanted. So this is every moment, where
kills.py is any moment.
"""

import errno
import fcntl
import os
import pathlib
import re
import shutil
import signal
import tempfile
import unittest

from programs import GEN, TINY, Case

LIBRARY = os.environ["PDB_CALLS_LIBRARY"]

# Three states in as many layers, each kept in a checkpoint but for the last. What stands there before is a database of
# another definition.
SMALL = "puzzle: small\nfamily: slide\ngoal: 1 2 .\n"
OLD = TINY.replace("puzzle: tiny", "puzzle: {}")


class CallsCase(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # thousands of syncs
        cls.quick = pathlib.Path(tempfile.mkdtemp(prefix="pdb calls ", dir=memory))
        cls.addClassCleanup(shutil.rmtree, cls.quick, ignore_errors=True)

    def prepare(self, name, *arguments):
        """The puzzle, the bytes that its database has to have, those of another's, and the calls of a run that is left
        in peace."""
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

    def preloaded(self, **changes):
        options = f"detect_leaks=1:halt_on_error=1:verify_asan_link_order=0:log_path={self.reports}/asan"
        return dict(changes, LD_PRELOAD=LIBRARY,
                    ASAN_OPTIONS=":".join(filter(None, (os.environ.get("ASAN_OPTIONS"), options))))

    def run_gen(self, **changes):
        return self.gen("-d", self.db, *self.arguments, env=self.preloaded(**changes))

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

    def at_each_call(self, act):
        """act(number, call) for each call of the run that was left in peace."""
        for number, (call, path) in enumerate(self.log):
            with self.subTest(puzzle=self.name, number=number, call=call, path=path):
                act(number, call)

    def prepare_small(self):
        self.prepare("small", "--checkpoint=0", self.write("small.yaml", SMALL))

    def assert_clean(self):
        """Nothing but the database and its checkpoint."""
        self.assertLessEqual(set(self.names()), {self.file.name, self.partial.name})


class Spoilt(CallsCase):
    def check_call(self, number, call):
        self.check_killed(number, f"signal:{signal.SIGKILL}")
        if call == "write":
            self.check_killed(number, "torn")
        if call != "unlink":
            self.check_failed(number, f"errors:{errno.ENOSPC}", "No space left", "the disk may be full")
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
        else:
            self.assert_complaint(result, 3, str(self.db))
            self.assertTrue(any(reason in result.err for reason in reasons), result)
        self.assert_clean()
        self.assert_next_run()

    def check_stopped(self, number, wanted):
        """In any case it says what is kept, and that is so."""
        result, done = self.spoil(number, f"signal:{wanted}")
        if result.code == 0:
            self.assert_answer(result)
            self.assertEqual((done, self.names()), (True, [self.file.name]))
        else:
            self.assert_complaint(result, 130, f"{self.name}: interrupted")
            self.assertFalse(done)
            kept = "is kept, the next run goes on from there" in result.err
            self.assertTrue(kept or re.search("nothing( of that)? is kept", result.err), result)
            self.assertEqual(self.partial.exists(), kept, result)
        self.assert_clean()
        self.assert_next_run()

    def test_layers(self):
        self.prepare_small()
        self.assertGreaterEqual(sum(call == "rename" for call, _ in self.log), 3)
        self.at_each_call(self.check_call)

    def test_patterns(self):
        self.prepare("15-puzzle", "--quiet", "-j1", "--memory=100K", "15-puzzle")
        self.partial = self.db / "15-puzzle.pdb.tables"
        def act(number, _):
            self.check_killed(number, f"signal:{signal.SIGKILL}")
            self.check_stopped(number, signal.SIGTERM)
        self.at_each_call(act)

    def test_enumeration(self):
        self.prepare("four-fours", "four-fours")
        self.at_each_call(self.check_call)

    def test_order(self):
        """Every file is written, synced, renamed and its directory synced, in this order; the checkpoint goes when the
        database is there."""
        self.prepare_small()
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


class HeldUp(CallsCase):
    """A run that stops before a call while something happens beside it, and then goes on."""

    def hold(self, number):
        program = self.launch(GEN, "-d", self.db, *self.arguments,
                              env=self.preloaded(PDB_CALLS=f"{number + 1}:signal:{signal.SIGSTOP}"))
        state = os.waitid(os.P_PID, program.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        self.assertEqual(state.si_status, signal.SIGSTOP)
        return program

    def go_on(self, program):
        program.send_signal(signal.SIGCONT)
        return self.finish(program)

    def hold_at_each_call(self, act):
        """act(number, the program that is held up before that call)."""
        def hold(number, _):
            self.reset(self.old if number % 2 else None)
            act(number, self.hold(number))
        self.prepare_small()
        self.at_each_call(hold)

    def test_two_at_once(self):
        """While one has the lock the other one says so; else both make the same file. They never get into each other's
        way."""
        held = published = busy = False
        self.prepare_small()
        for number, (call, path) in enumerate(self.log):
            for force in (False, True):
                with self.subTest(number=number, call=call, path=path, force=force):
                    self.reset(None)
                    program = self.hold(number)
                    other = self.gen("-d", self.db, *["--force"] * force, *self.arguments)
                    if held and (force or not published):
                        self.assert_complaint(other, 3, "another pdb-gen", f"{self.file.name}.new")
                        busy = True
                    else:
                        self.assert_answer(other)
                    self.assert_answer(self.go_on(program))
                    self.assertEqual((self.file.read_bytes(), self.names()), (self.wanted, [self.file.name]))
            if call == "lock":
                held = True
            elif path.startswith(f"{self.file.name}.new") and call in ("rename", "unlink"):
                held, published = False, True
        self.assertTrue(published and busy and not held)

    def test_the_directory_vanishes(self):
        def act(_, program):
            shutil.rmtree(self.db)
            result = self.go_on(program)
            if result.code != 0:
                self.assert_complaint(result, 3, str(self.db))
                self.assertFalse(self.db.exists())
        self.hold_at_each_call(act)

    def test_the_directory_is_another_one(self):
        def act(_, program):
            moved = self.db.with_suffix(".moved")
            self.db.rename(moved)
            self.db.mkdir()
            result = self.go_on(program)
            shutil.rmtree(moved)
            self.assert_clean()
            if result.code != 0:
                self.assert_complaint(result, 3, str(self.db))
                self.assertFalse(self.file.exists())
            self.assert_next_run()
        self.hold_at_each_call(act)

    def test_the_lock_is_taken_away(self):
        """Somebody removes the file that is the lock, and another run makes one of its own: that is not touched, nor
        published."""
        def act(number, program):
            if self.log[number][0] in ("rename", "unlink"):
                return  # these take names: between the last look at it and the call there is nothing to be done
            lock = self.file.with_suffix(".pdb.new")
            before = self.file.read_bytes() if self.file.exists() else None
            lock.unlink(missing_ok=True)
            with open(lock, "wb") as other:
                other.write(b"what the other one writes")
                other.flush()
                fcntl.flock(other, fcntl.LOCK_EX)
                result = self.go_on(program)
                self.assertEqual(lock.read_bytes(), b"what the other one writes")
            if result.code == 0:
                before = self.wanted
            else:
                self.assert_complaint(result, 3, lock.name)
            self.assertEqual(self.file.read_bytes() if self.file.exists() else None, before)
            self.assertLessEqual(set(self.names()), {self.file.name, self.partial.name, lock.name})
            self.assert_next_run()
        self.hold_at_each_call(act)


if __name__ == "__main__":
    unittest.main()
