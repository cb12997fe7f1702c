"""pdb-gen where there is no room: file systems and limits of files' sizes from nothing to more than is needed, and
places that refuse or vanish.

Whatever fails says so in one line, exit 3, and leaves an old database as it was and nothing besides but the checkpoint;
from there the work goes on once there is room. The file systems are in memory (tmpfs) and in a mount namespace of this
process alone, so none is left behind. Where mounting is not permitted only the limits are tried.
"""

import ctypes
import os
import pathlib
import resource
import signal
import sys
import unittest

from programs import GEN, TINY, Case

PAGE = 4096
STEPS = 12  # sizes between nothing and enough
ROOM = 64 << 20  # more than any database here takes

# A way of making databases each: layers without and with checkpoints; keys; exact distances; patterns; an enumeration;
# all at once.
WAYS = {
    "goat": ["goat"],
    "8-puzzle": ["--checkpoint=0", "8-puzzle"],
    "klotski": ["klotski"],
    "hoppers": ["--checkpoint=0", "hoppers"],
    "15-puzzle": ["--memory=200K", "15-puzzle"],
    "mastermind": ["mastermind"],
    "lights-out-4x4": ["lights-out-4x4"],
}

LIBC = ctypes.CDLL(None, use_errno=True)
NEW_NAMESPACE, NEW_USER = 0x00020000, 0x10000000
READ_ONLY, REMOUNT, BIND, RECURSIVE, PRIVATE = 1, 32, 4096, 16384, 1 << 18
DETACH = 2


def mount(source, target, kind=None, flags=0, options=None):
    words = [None if word is None else os.fsencode(word) for word in (source, target, kind)]
    if LIBC.mount(*words, ctypes.c_ulong(flags), None if options is None else options.encode()) != 0:
        raise OSError(ctypes.get_errno(), f"mount {target}: {os.strerror(ctypes.get_errno())}")


def mounting():
    """Leaves the machine's mounts to others: whether this process may mount file systems of its own now."""
    uid, gid = os.geteuid(), os.getegid()
    if LIBC.unshare(NEW_NAMESPACE) != 0:
        if LIBC.unshare(NEW_USER | NEW_NAMESPACE) != 0:
            return False
        for name, text in (("setgroups", "deny"), ("uid_map", f"0 {uid} 1"), ("gid_map", f"0 {gid} 1")):
            pathlib.Path("/proc/self", name).write_text(text)
    try:
        mount(None, "/", flags=RECURSIVE | PRIVATE)
    except OSError:
        return False
    return True


def names(directory):
    return sorted(path.name for path in directory.iterdir())


MAY_MOUNT = mounting()


class NoRoom(Case):
    """Runs of one way of making a database, in places of any size; `reason` is what has to be said where there is no
    room."""

    def setUp(self):
        super().setUp()
        self.place = self.dir / "small place"
        self.place.mkdir()
        if MAY_MOUNT:
            mount("none", self.place, "tmpfs")
            self.addCleanup(LIBC.umount2, os.fsencode(self.place), DETACH)

    def prepare(self, name):
        self.name, self.arguments = name, WAYS[name]
        old = self.write("old.yaml", TINY.replace("puzzle: tiny", f"puzzle: {name}"))
        made = {}
        for what, arguments in (("old", ["--quiet", old]), ("wanted", ["--quiet", *self.arguments])):
            self.assert_answer(self.gen("-d", self.dir / what, *arguments))
            made[what] = (self.dir / what / f"{name}.pdb").read_bytes()
        self.old, self.wanted = made["old"], made["wanted"]

    def try_once(self, directory, before, **options):
        """Whether there was room; if not, everything is as it has to be."""
        file, partial = (directory / f"{self.name}.pdb{end}" for end in ("", ".partial"))
        result = self.gen("--quiet", "-j1", "-d", directory, *self.arguments, **options)
        content = file.read_bytes() if file.exists() else None
        if result.code == 0:
            self.assert_answer(result)
            self.assertEqual((content, names(directory)), (self.wanted, [file.name]))
            return True
        self.assert_complaint(result, 3, str(directory))
        self.assertRegex(result.err, self.reason)
        self.assertEqual(content, before, "the old database")
        self.assertLessEqual(set(names(directory)), {file.name, partial.name})
        return False

    def check_sizes(self, first, place):
        """From `first` to more than enough, with an old database in the place of every other size; place(size, before)
        prepares one and gives the options to run with. How often a checkpoint was left."""
        enough, went_on = max(len(self.wanted), 2 * PAGE), 0
        while not self.try_once(self.place, None, **place(enough, None)):
            enough *= 2
        # Steps on the whole way; then pages, from where the database alone would fit.
        steps = [first + (enough - first) * step // STEPS for step in range(STEPS)]
        pages = [len(self.wanted) + by * PAGE for by in (-2, -1, 0, 1, 2)]
        results = []
        for number, size in enumerate(sorted({*steps, *pages})):
            before = self.old if number % 2 and size > 2 * len(self.old) else None
            with self.subTest(puzzle=self.name, size=size, old=before is not None):
                results.append(self.try_once(self.place, before, **place(size, before)))
                if (self.place / f"{self.name}.pdb.partial").exists():
                    went_on += 1
                    self.resize(ROOM)
                    self.assertTrue(self.try_once(self.place, before))
        self.assertFalse(results[0])
        return went_on

    def resize(self, size):
        if MAY_MOUNT:
            mount("none", self.place, "tmpfs", REMOUNT, f"size={size}")

    def empty(self, size, before):
        """The place with so much room, where it can have any size, and the old database in it."""
        for path in self.place.iterdir():
            path.unlink()
        self.resize(size)
        if before is not None:
            (self.place / f"{self.name}.pdb").write_bytes(before)

    def test_limits(self):
        self.reason = "File too large|a limit on files' sizes reached"
        def place(size, before):
            self.empty(ROOM, before)
            return {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))}
        for name in WAYS:
            self.prepare(name)
            self.check_sizes(0, place)

    @unittest.skipUnless(MAY_MOUNT, "mounting is not permitted here: only limits of files' sizes were tried")
    def test_file_systems(self):
        self.reason = "No space left on device|the disk may be full"
        def place(size, before):
            self.empty(size, before)
            return {}
        went_on = 0
        for name in WAYS:
            self.prepare(name)
            went_on += self.check_sizes(PAGE, place)
        self.assertGreater(went_on, 0, "no checkpoint was ever left")

    @unittest.skipUnless(MAY_MOUNT, "mounting is not permitted here")
    def test_scratch(self):
        """What a file of planes needs is said before the work begins. Where there is just room for it, and none for the
        database besides, it shrinks while that grows: not before what is said of named boards has been read from it."""
        board = self.write("ring.yaml", "puzzle: ring\nfamily: slide\ngoal: '# 1 2 3/4 5 6 7/8 9 10 .'\nboards:\n"
                           "  a: '# 10 9 8/7 6 5 4/3 1 2 .'\n  b: '# 1 3 2/4 5 6 7/8 10 9 .'\n"
                           "  c: '# 5 3 1/4 2 6 7/8 10 9 .'\n")
        self.assert_answer(self.gen("--quiet", "-d", self.dir / "wanted", board))
        wanted = (self.dir / "wanted" / "ring.pdb").read_bytes()
        refused = 0
        for size in range(1 << 20, ROOM, 1 << 20):
            self.resize(size)
            result = self.gen("--quiet", "-d", self.place, "--memory=11M", f"--scratch={self.place}", board)
            if result.code == 0:
                break
            self.assert_complaint(result, 3, "of room on the disk", "--scratch")  # no patterns are made instead
            self.assertEqual(names(self.place), [])
            refused += 1
        self.assertGreater(refused, 1)
        self.assertLess(size, 9 << 20)
        self.assertEqual(names(self.place), ["ring.pdb"])
        self.assertEqual((self.place / "ring.pdb").read_bytes(), wanted)


class Refused(Case):
    """Places where nothing can be kept."""

    def assert_refused(self, directory, *fragments):
        self.assert_complaint(self.gen("-d", directory, self.write("tiny.yaml", TINY)), 3, str(directory), *fragments)

    @unittest.skipUnless(MAY_MOUNT, "mounting is not permitted here")
    def test_read_only(self):
        """A database there is found and checked; none can be made, and one that is there stays."""
        path = self.make_tiny()
        before = (self.db / "tiny.pdb").read_bytes()
        mount(self.db, self.db, flags=BIND)
        self.addCleanup(LIBC.umount2, os.fsencode(self.db), DETACH)
        mount(None, self.db, flags=REMOUNT | BIND | READ_ONLY)
        self.assert_complaint(self.gen("-d", self.db, "goat"), 3, str(self.db), "Read-only file system")
        self.assert_complaint(self.gen("-d", self.db, "--force", path), 3, str(self.db), "Read-only file system")
        self.assert_refused(self.db / "below", "Read-only file system")
        self.assert_answer(self.gen("-d", self.db, path))
        self.assert_answer(self.gen("-d", self.db, "--verify", path))
        self.assertEqual([(p.name, p.read_bytes()) for p in self.db.iterdir()], [("tiny.pdb", before)])

    @unittest.skipUnless(MAY_MOUNT, "mounting is not permitted here")
    def test_a_mount_that_vanishes(self):
        """In the middle of the work (calls.c holds it up); on the disk below nothing is written."""
        self.db.mkdir()
        mount("none", self.db, "tmpfs", 0, "size=64M")
        arguments, log = ["-d", self.db, "--checkpoint=0", "--force", "8-puzzle"], self.dir / "log"
        counted = {"LD_PRELOAD": os.environ["PDB_CALLS_LIBRARY"], "ASAN_OPTIONS": "verify_asan_link_order=0"}
        self.assert_answer(self.gen(*arguments, env={**counted, "PDB_CALLS_LOG": log}))
        calls = log.read_text().splitlines()
        after = next(number for number, call in enumerate(calls, 1)
                     if call.startswith("rename"))  # the first checkpoint is there
        program = self.launch(GEN, *arguments, env={**counted, "PDB_CALLS": f"{after + 1}:signal:{signal.SIGSTOP}"})
        state = os.waitid(os.P_PID, program.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        detached = LIBC.umount2(os.fsencode(self.db), DETACH)
        program.send_signal(signal.SIGCONT)
        result = self.finish(program)
        self.assertEqual((detached, state.si_status), (0, signal.SIGSTOP))
        self.assert_complaint(result, 3, "8-puzzle.pdb", "somebody removed or replaced it, or its directory")
        self.assertEqual(list(self.db.iterdir()), [])

    def test_links_that_lead_nowhere(self):
        """As the directory: it says so. As the database's name: the database takes its place. As a name that is written
        to: never followed."""
        path = self.write("tiny.yaml", TINY)
        away = self.dir / "away"
        self.db.symlink_to(away)
        self.assert_refused(self.db)
        self.assertFalse(away.exists())
        self.db.unlink()
        self.db.mkdir()
        for end in ("", ".partial", ".partial.new"):
            (self.db / f"tiny.pdb{end}").symlink_to(away)
        self.assert_answer(self.gen("-d", self.db, path))
        self.assertEqual([(p.name, p.is_symlink()) for p in self.db.iterdir()], [("tiny.pdb", False)])
        (self.db / "tiny.pdb.new").symlink_to(away)
        self.assert_complaint(self.gen("-d", self.db, "--force", path), 3, "tiny.pdb.new", "symbolic link")
        self.assertFalse(away.exists())

    def test_files_in_the_way(self):
        """What is not ours is not removed, and what cannot be replaced is said."""
        path = self.write("tiny.yaml", TINY)
        self.write("a file", "not a directory")
        self.assert_refused(self.dir / "a file")
        for end in ("", ".new"):
            (self.db / f"tiny.pdb{end}").mkdir(parents=True)
            self.assert_complaint(self.gen("-d", self.db, path), 3, f"tiny.pdb{end}")
            (self.db / f"tiny.pdb{end}").rmdir()
            self.assertEqual(list(self.db.iterdir()), [])
        (self.db / "tiny.pdb.partial").mkdir()
        self.assert_complaint(self.gen("-q", "-d", self.db, "--checkpoint=0", path), 3, "tiny.pdb.partial")
        self.assertEqual([p.name for p in self.db.iterdir()], ["tiny.pdb.partial"])


if __name__ == "__main__":
    if not MAY_MOUNT:
        print("mounting is not permitted here: only limits of files' sizes are tried, no file systems", file=sys.stderr)
    unittest.main()
