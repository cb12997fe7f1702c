"""Several processes under mpirun make the same database as one, end together, go on from what was kept, and refuse what
they cannot do."""

import contextlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from helpers.harness import GEN, SHORT, SOURCE, Case, needs

# As root mpirun wants to be told twice; a small machine has fewer cores than a test has ranks.
MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
MPIRUN = ("--oversubscribe", "--bind-to", "none", "-q")

HAS_MPI = b"pdb-mpi.so" in pathlib.Path(GEN).read_bytes()  # which it loads


class WithoutOthers(Case):
    """What starts processes tells them in the environment that there are several."""

    def test_one_of_several_that_do_not_find_each_other_says_what_to_do(self):
        for size, rank in (("PMI_SIZE", "PMI_RANK"), ("SLURM_STEP_NUM_TASKS", "SLURM_PROCID")):
            if HAS_MPI and size != "PMI_SIZE":
                continue  # MPI itself would complain first of a Slurm that is not there
            first = self.gen("-d", self.db, "goat", env={size: "4", rank: "0"})
            self.assertEqual((first.code, first.out), (2, ""))
            self.assertRegex(first.err, r"\Apdb-gen: 4 processes were started[^\n]*\n\Z")
            other = self.gen("-d", self.db, "goat", env={size: "4", rank: "3"})
            self.assertEqual((other.code, other.out, other.err), (2, "", ""))
        self.assertFalse(self.db.exists())

    def test_too_many_are_told_how_many_may_be(self):
        if HAS_MPI:
            refused = self.gen("-d", self.db, "goat", env={"PMI_SIZE": "5000", "PMI_RANK": "0"})
            self.assertEqual((refused.code, refused.out), (2, ""))
            self.assertRegex(refused.err, r"\Apdb-gen: 5000 processes were started, and at most 4096 [^\n]*\n\Z")

    def test_mpi_is_loaded_where_there_are_others_alone(self):
        self.assertNotIn(b"libmpi", pathlib.Path(GEN).read_bytes())
        if HAS_MPI:
            copy = self.dir / "copy"
            shutil.copy(GEN, copy)
            lonely = self.run_program(copy, "-d", self.db, "goat", env={"OMPI_COMM_WORLD_SIZE": "2"})
            self.assertEqual((lonely.code, lonely.out), (2, ""))
            self.assertRegex(lonely.err, r"\Apdb-gen: 2 processes were started[^\n]*is not there: "
                             r"[^\n]*pdb-mpi.so: [^\n]*\n\Z")
            self.assertEqual(self.run_program(copy, "-qd", self.db, "8-puzzle").code, 0)

    def test_what_needs_no_others_is_said_once(self):
        """Without MPI being started: it would fail here, for nothing listens to it."""
        for arguments in (("--version",), ("--help",), ("--list",), ("--list", "goat")):
            alone = self.gen(*arguments)
            first = self.gen(*arguments, env={"OMPI_COMM_WORLD_SIZE": "4", "OMPI_COMM_WORLD_RANK": "0"})
            other = self.gen(*arguments, env={"OMPI_COMM_WORLD_SIZE": "4", "OMPI_COMM_WORLD_RANK": "3"})
            self.assertEqual((first.code, first.out, first.err), (0, alone.out, ""))
            self.assertEqual((other.code, other.out, other.err), (0, "", ""))
        for wrong, code in (("--no-such-option",), 2), (("--list", "no-such"), 0):
            other = self.gen(*wrong, env={"OMPI_COMM_WORLD_SIZE": "4", "OMPI_COMM_WORLD_RANK": "3"})
            self.assertEqual((other.code, other.out, other.err), (code, "", ""))

    def test_one_process_works_alone(self):
        self.assertEqual(self.gen("-qd", self.db, "8-puzzle", env={"OMPI_COMM_WORLD_SIZE": "1"}).code, 0)
        self.assertEqual(self.gen("-qd", self.db, "knights", env={"SLURM_STEP_NUM_TASKS": "1"}).code, 0)


# Towers whose small disk is dear to move, and may not go back to where it began: states have dense indices, or keys.
COSTS = """
puzzle: costs
family: rules
sets: {disk: 1..4, peg: [A, B, C]}
state:
  on[disk]: peg
start: {on: A}
moves:
- name: disk {d} to {to}
  for: {d: disk, to: peg}
  if: all(on[e] != on[d] and on[e] != to for e in disk if e < d) and (d > 1 or to != A)
  do: on[d] = to
  cost: 5 - d
goal: all(on[d] == C for d in disk)
"""

# 70 bits.
WIDE = """
puzzle: wide
family: rules
state:
  at[1..35]: 0..3
start: {at: 0}
moves:
- name: press {p}
  for: {p: 1..2}
  do: at[p] = 3 - at[p]
goal: at[1] == 3
"""


@needs("mpirun")
@unittest.skipUnless(HAS_MPI, "pdb-gen is built without MPI")
class Ranks(Case):
    def together(self, size, *arguments):
        return self.run_program("mpirun", *MPIRUN, "-n", size, GEN, "-j1", "-d", self.db, *arguments, env=MPI)

    def test_make_the_same_database_as_one_process(self):
        puzzles = ("goat", "8-puzzle", "cube-2x2x2", "pancakes-8", "knights", "klotski", "triangle-15",
                   "wolf-goat-cabbage", self.write("costs.yaml", COSTS))
        if SHORT:  # by words, by keys, over moves
            puzzles = (puzzles[0], puzzles[5], puzzles[8])
        for puzzle in puzzles:
            alone = self.dir / "alone"
            name = pathlib.Path(self.gen("--json", "-d", alone, puzzle).json["file"]).name
            expected = (alone / name).read_bytes()
            for size in (3,) if SHORT else (1, 2, 3):
                made = self.together(size, "--force", "--json", puzzle)
                self.assertEqual((made.code, made.err), (0, ""))
                self.assertEqual(made.json.get("ranks", 1), size)
                if size > 1 and puzzle != "knights":  # whose groups are of one rank and no other's sources
                    self.assertGreater(made.json["exchanged"], 0)
                self.assertEqual((self.db / name).read_bytes(), expected, (puzzle, size))
            self.assertEqual(self.together(2, puzzle).out.count("already there"), 1)

    def test_find_each_other_where_they_are_installed(self):
        program = self.dir / "bin" / "pdb-gen"
        module = program.parent / re.search(rb"\.\./[^\0]*pdb-mpi\.so", pathlib.Path(GEN).read_bytes())[0].decode()
        program.parent.mkdir()
        module.parent.mkdir(parents=True)
        shutil.copy(GEN, program)
        shutil.copy(pathlib.Path(GEN).with_name("pdb-mpi.so"), module)
        made = self.run_program("mpirun", *MPIRUN, "-n", 2, program, "--json", "-d", self.db, "8-puzzle", env=MPI)
        self.assertEqual((made.code, made.err), (0, ""))
        self.assertEqual(made.json["ranks"], 2)

    def test_say_one_line_where_they_cannot(self):
        wide = self.write("wide.yaml", WIDE)
        cases = ((("--verify", "goat"), 2), (("no-such-puzzle",), 2), ((wide,), 3), (("-m1M", "klotski"), 3),
                 (("-m400M", "15-puzzle"), 3), (("mastermind",), 2), (("-m1M", "goat"), 3), (("--no-such-option", ), 2))
        for arguments, code in cases[:4] if SHORT else cases:
            refused = self.together(3, *arguments)
            self.assertEqual(refused.code, code, arguments)
            self.assertEqual(refused.out, "")
            self.assertEqual(refused.err.count("pdb-gen: "), 1, refused)
        self.assertEqual(list(self.db.glob("*.pdb")), [])

    def test_say_it_though_the_first_be_late(self):
        """mpirun ends all when one ends with another code than 0."""
        late = 'if [ "$OMPI_COMM_WORLD_RANK" = 0 ]; then sleep 1; fi; exec "$@"'
        for arguments in (("--no-such-option",), ("--list", "no-such"))[:1 if SHORT else None]:
            refused = self.run_program("mpirun", *MPIRUN, "-n", 4, "sh", "-c", late, "sh", GEN, *arguments, env=MPI)
            self.assertNotEqual(refused.code, 0)
            self.assertEqual((refused.out, refused.err.count("pdb-gen: ")), ("", 1), refused)

    def test_refuse_what_is_called_symmetric_again(self):
        """What is kept of a search has been held against its images: who goes on from it does not overlook the rest."""
        rules = self.write("three.yaml", "puzzle: three\nfamily: rules\nsets: {who: [Ann, Bob, Cid]}\n"
                           "state: {'at[who]': 0..60}\nstart: {at: 10}\ngoal: at[Ann] + at[Bob] + at[Cid] == 0\nmoves:\n"
                           "  - {name: '{w} up', for: {w: who}, do: 'at[w] = at[w] + 1',\n"
                           "     if: 'not (at[w] == 50 and w == Cid and at[Ann] < 30)'}\n"
                           "  - {name: '{w} down', for: {w: who}, do: 'at[w] = at[w] - 1'}\nsymmetric: who\n")
        for _ in range(2):
            self.assert_complaint(self.together(2, "-qd", self.db, "--checkpoint=0", rules), 2, "three.yaml:11:12: ")

    def test_need_a_directory_on_the_first_machine_alone(self):
        """There alone the environment says where databases are; and where that is missing, all end."""
        with_home = ("env", "-u", "PDB_PATH", "-u", "XDG_DATA_HOME", f"HOME={self.dir}", GEN, "-qj1", "goat")
        without = ("env", "-u", "PDB_PATH", "-u", "XDG_DATA_HOME", "-u", "HOME", GEN, "-qj1", "goat")
        made = self.run_program("mpirun", *MPIRUN, "-n", 1, *with_home, ":", "-n", 2, *without, env=MPI)
        self.assertEqual((made.code, made.out, made.err), (0, "", ""))
        self.assertTrue((self.dir / ".local/share/pdb/goat.pdb").exists())
        ended = self.run_program("mpirun", *MPIRUN, "-n", 1, *without, ":", "-n", 2, *with_home, env=MPI)
        self.assertNotEqual(ended.code, 0)
        self.assertEqual(ended.out, "")
        self.assertEqual(ended.err.count("pdb-gen: "), 1, ended)

    def test_have_the_same_to_do(self):
        """Definition files of one name may differ from machine to machine, and so may the command lines."""
        other = self.dir / "other" / "costs.yaml"
        other.parent.mkdir()
        other.write_text(COSTS.replace("cost: 5 - d", "cost: d"))
        costs = self.write("costs.yaml", COSTS)
        for one, two in (((costs,), (other,)), (("goat",), ("--verify", "goat")), (("goat",), ("goat", costs)),
                         (("goat",), ("hoppers",)))[:2 if SHORT else None]:
            refused = self.run_program("mpirun", *MPIRUN, "-n", 2, GEN, "-j1", "-d", self.db, *one, ":", "-n", 1, GEN,
                                       "-j1", "-d", self.db, *two, env=MPI)
            self.assertEqual((refused.code, refused.out), (2, ""), refused)
            self.assertEqual(refused.err.count("pdb-gen: "), 1, refused)
        self.assertEqual(list(self.dir.glob("**/*.pdb")), [])

    def ranks_of(self, program):
        """The processes that mpirun has started."""
        found = subprocess.run(["ps", "-o", "pid=,comm=", "--ppid", str(program.pid)], capture_output=True, text=True)
        return [int(line.split()[0]) for line in found.stdout.splitlines() if line.split()[1] == "pdb-gen"]

    @staticmethod
    def lives(process):
        try:
            return pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
        except OSError:
            return False

    def wait_for_the_end_of(self, ranks):
        end = time.monotonic() + 30
        while any(map(self.lives, ranks)) and time.monotonic() < end:
            time.sleep(0.05)
        self.assertEqual([rank for rank in ranks if self.lives(rank)], [])

    @staticmethod
    def has_bytes(file):
        try:
            return file.stat().st_size > 0
        except FileNotFoundError:  # not there yet, or no more
            return False

    def interrupt_writing(self, whom):
        """Makes a database, and sends a signal to one of the ranks when it is being written."""
        written = self.db / "tiles-2x6.pdb.new"
        written.unlink(missing_ok=True)  # which a process leaves that is killed
        program = self.launch("mpirun", "--oversubscribe", "--bind-to", "none", "-n", 3, GEN, "-j1", "-fd", self.db,
                              "tiles-2x6", env=MPI)
        while program.poll() is None and not self.has_bytes(written):
            time.sleep(0.001)
        ranks = self.ranks_of(program)
        if len(ranks) == 3:
            with contextlib.suppress(ProcessLookupError):  # it may have ended meanwhile
                os.kill(ranks[whom], signal.SIGTERM)
        ended = self.finish(program, seconds=60)
        self.wait_for_the_end_of(ranks)
        return ended

    @unittest.skipIf(SHORT, "takes many searches of some seconds")
    def test_are_interrupted_while_the_database_is_written(self):
        """By a signal to the first, or to one that only gives the first what it writes. (mpirun hands on its own when
        all may have been written.)"""
        database = self.db / "tiles-2x6.pdb"
        for whom in (0, 2):
            for _ in range(10):
                database.unlink(missing_ok=True)
                ended = self.interrupt_writing(whom)
                if not database.exists():
                    break  # else the signal came too late
            self.assertFalse(database.exists())
            self.assertNotEqual(ended.code, 0)
            self.assertEqual(ended.out, "")
            said = [line for line in ended.err.splitlines() if "pdb-gen: " in line]
            self.assertLessEqual(len(said), 1, ended.err)
            for line in said:
                self.assertRegex(line, "tiles-2x6: interrupted while the database was written; .* is kept")

    # -- checkpoints --

    more = ()  # arguments

    def begin(self, size, puzzle="tiles-2x5"):
        """Has so many ranks keep what they do after every layer, one process where it is one; returns when some is
        kept: the program, and the processes that search."""
        kept = self.db / f"{puzzle}.pdb.partial"
        for _ in range(10):
            (self.db / f"{puzzle}.pdb").unlink(missing_ok=True)
            start = ("mpirun", *MPIRUN, "-n", size) if size > 1 else ()
            program = self.launch(*start, GEN, "-j1", "--checkpoint=0", "-d", self.db, *self.more, puzzle,
                                  env=MPI)
            while program.poll() is None and not kept.exists():
                time.sleep(0.001)
            ranks = self.ranks_of(program) if size > 1 else [program.pid]
            if len(ranks) == size and program.poll() is None:
                return program, ranks
            self.finish(program)  # it was done too soon
        self.fail("nothing was kept ten times")

    def end(self, program, ranks, whom, number):
        """Sends a signal to one of the ranks, or to what has started them (None); returns what is said then."""
        held = ranks if whom is None and number == signal.SIGKILL else []  # they would be done before they notice
        with contextlib.suppress(ProcessLookupError):  # all may be done meanwhile
            for rank in held:
                os.kill(rank, signal.SIGSTOP)
            os.kill(program.pid if whom is None else ranks[whom], number)
            if held:
                program.wait()
        for rank in held:
            with contextlib.suppress(ProcessLookupError):
                os.kill(rank, signal.SIGCONT)
        ended = self.finish(program, seconds=60)
        self.wait_for_the_end_of(ranks)
        return ended

    def kill(self, size, whom, puzzle="tiles-2x5"):
        """The same until the database is not there, for the signal may come too late."""
        for _ in range(60):
            self.end(*self.begin(size, puzzle), whom, signal.SIGKILL)
            if not (self.db / f"{puzzle}.pdb").exists():
                return
        self.fail("the database was made each time")

    def go_on(self, size, said, puzzle="tiles-2x5"):
        """Makes the database with other processes: what the first says of a checkpoint, and the same bytes. Nothing is
        left behind."""
        arguments = (GEN, "-j1", "-d", self.db, *self.more, puzzle)
        terminal = (sys.executable, "-c", "import pty, sys; pty.spawn(sys.argv[1:])")  # there it says what it does
        others = (":", "-n", size - 1, *arguments) if size > 1 else ()
        made = self.run_program("mpirun", *MPIRUN, "-n", 1, *terminal, *arguments, *others, env=MPI)
        self.assertEqual((made.code, made.err), (0, ""))
        self.assertRegex(made.out, f"(?s){said}")
        self.assertEqual([file.name for file in self.db.iterdir()], [f"{puzzle}.pdb"])
        alone = self.dir / "alone" / f"{puzzle}.pdb"
        if not alone.exists():
            self.assert_answer(self.gen("-d", alone.parent, puzzle))
        self.assertEqual((self.db / f"{puzzle}.pdb").read_bytes(), alone.read_bytes())
        (self.db / f"{puzzle}.pdb").unlink()

    def test_go_on_from_what_was_kept(self):
        """One of them is killed, or what started them; another number of ranks goes on, or one process, or ranks from
        what one process kept."""
        for size, whom, others in ((3, None, 2), (1, 0, 3), (3, 0, 4), (2, 1, 1))[:1 if SHORT else None]:
            self.kill(size, whom)
            self.go_on(others, r"tiles-2x5: going on from layer \d+")

    def test_go_on_one_by_one(self):
        """Where each state has its rank; one process searches in another way."""
        cases = (("klotski", None, 3, "going on (to look for states|from layer)"),
                 ("klotski", 0, 1, "beginning anew: it was made for another way"),
                 ("triangle-21", 1, 3, "going on from layer"))
        for puzzle, whom, others, said in cases[:1 if SHORT else None]:
            self.kill(2, whom, puzzle)
            self.go_on(others, rf"{puzzle}: {said}", puzzle)

    def test_keep_what_is_done_when_one_is_interrupted(self):
        for _ in range(10):
            ended = self.end(*self.begin(2), 1, signal.SIGTERM)
            if "interrupted after" in ended.err:
                break  # else the signal came too late
        self.assertEqual((ended.code, ended.out), (130, ""))
        self.assertRegex(ended.err, r"\Apdb-gen: tiles-2x5: interrupted after layer \d+; what is done is kept, the "
                         r"next run goes on from there\n\Z")
        layer = ended.err.split("layer ")[1].split(";")[0]
        self.go_on(3, rf"going on from layer {layer}\b")

    def test_end_together_when_one_is_killed(self):
        """And the next run makes the database. (mpirun may wait for ever where one is killed while they join.)"""
        program, ranks = self.begin(3, "tiles-2x6")
        ended = self.end(program, ranks, 1, signal.SIGKILL)
        self.assertNotEqual(ended.code, 0)
        self.assertEqual(ended.out, "")
        self.assertNotIn("pdb-gen: ", ended.err)  # MPI itself may say that a process is gone
        self.assertFalse((self.db / "tiles-2x6.pdb").exists())
        self.assertEqual(self.together(2, "-q", "goat").code, 0)

    def test_are_interrupted_together(self):
        """By mpirun, which tells them a second after it was told itself: they are far from done then, for they keep
        what they do after every layer. A second later it kills them, on a busy machine before they are through."""
        for _ in range(5):
            ended = self.end(*self.begin(2, "tiles-2x6"), None, signal.SIGTERM)
            self.assertNotEqual(ended.code, 0)
            self.assertFalse((self.db / "tiles-2x6.pdb").exists())
            if "pdb-gen: " in ended.err:
                break
        self.assertRegex(ended.err, "pdb-gen: tiles-2x6: interrupted after layer [0-9]+; what is done is kept")

    def test_say_what_was_kept_when_one_is_interrupted(self):
        """A layer that is not whole is not kept where each state has its rank."""
        for _ in range(10):
            ended = self.end(*self.begin(2, "klotski"), 1, signal.SIGTERM)
            if "interrupted;" in ended.err:
                break  # else the signal came too late
        self.assertEqual((ended.code, ended.out), (130, ""))
        self.assertRegex(ended.err, r"\Apdb-gen: klotski: interrupted; what was kept last is there, the next run goes "
                         r"on from that\n\Z")
        self.go_on(3, "going on", "klotski")

    def test_begin_anew_where_what_was_kept_is_damaged(self):
        self.kill(1, 0)
        kept = self.db / "tiles-2x5.pdb.partial"
        whole = kept.read_bytes()
        for place in (len(whole) // 2, 0, len(whole) - 1)[:1 if SHORT else None]:
            kept.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1:])
            self.go_on(2, "beginning anew: it is (damaged|no checkpoint)")

    @unittest.skipIf(SHORT, "takes a search of some seconds")
    def test_leave_what_there_is_no_room_for(self):
        """Fewer ranks with less memory cannot hold what others have found: it stays for those who can."""
        puzzle, kept = SOURCE / "bench/boards/rush-541934.yaml", self.db / "rush-541934.pdb.partial"
        program = self.launch("mpirun", *MPIRUN, "-n", 4, GEN, "-j1", "--checkpoint=0", "-d", self.db, puzzle, env=MPI)
        while program.poll() is None and not (kept.exists() and kept.stat().st_size > 8 << 20):
            time.sleep(0.001)
        ranks = self.ranks_of(program)
        self.end(program, ranks, None, signal.SIGKILL)
        self.assertTrue(kept.exists(), "it was done too soon")
        before = kept.read_bytes()
        self.assert_complaint(self.together(2, "-m8M", "--checkpoint=0", puzzle), 3,
                              "the ranks have not enough memory for what the checkpoint", "--memory")
        self.assertEqual(kept.read_bytes(), before)
        self.assert_answer(self.together(3, puzzle))
        self.assertFalse(kept.exists())

    # -- with a disk each --

    def use_disks(self, memory):
        """Planes of `tiles-2x6` have no room in so much memory. Where the system has a file system in memory, that is
        the disk."""
        shared = pathlib.Path("/dev/shm")
        place = shared if os.access(shared, os.W_OK) else self.dir
        disk = tempfile.TemporaryDirectory(dir=place)
        self.addCleanup(disk.cleanup)
        self.disk = pathlib.Path(disk.name)
        self.more = (f"--memory={memory}", f"--scratch={self.disk}")

    @unittest.skipIf(SHORT, "takes searches of some seconds")
    def test_go_on_from_their_disks(self):
        """As many ranks go on; others may, or begin anew, as do as many where the files are others. Nothing is left."""
        self.use_disks("33M")
        self.kill(2, 1, "tiles-2x6")
        _, left = sorted(file.name for file in self.disk.iterdir())
        (self.disk / left).with_suffix(".2").touch()  # as of three that were killed before they had begun
        self.go_on(2, "file: [0-9]+ MiB of memory for each rank.*for each rank up to .* of scratch space.*"
                   "going on from layer", "tiles-2x6")
        self.assertEqual(list(self.disk.iterdir()), [])
        other = self.dir / "other"
        other.mkdir()
        (other / left).touch()  # as of a rank killed when the database was there, on a machine of its own
        shutil.copy(self.dir / "alone" / "tiles-2x6.pdb", self.db)
        arguments = (GEN, "-j1", "-d", self.db, "tiles-2x6")
        there = self.run_program("mpirun", *MPIRUN, "-n", 1, *arguments, *self.more, ":", "-n", 1, *arguments,
                                 f"--scratch={other}", env=MPI)
        self.assertIn("already there", there.out)
        self.assertEqual(list(other.iterdir()), [])
        (self.db / "tiles-2x6.pdb").unlink()
        anew = "beginning anew: (the scratch files are not what|it is damaged)"
        for others, change, said in ((3, False, f"{anew}|going on from layer"), (2, True, anew)):
            self.kill(2, None, "tiles-2x6")  # after the first layers, others may have all that was kept, too
            for file in self.disk.iterdir() if change else ():
                file.write_bytes(b"")
            self.go_on(others, said, "tiles-2x6")
            self.assertEqual(list(self.disk.iterdir()), [])

    def test_one_has_no_disk(self):
        arguments = (GEN, "-j1", "-d", self.db, "--memory=1K", "tiles-2x5")
        refused = self.run_program("mpirun", *MPIRUN, "-n", 1, *arguments, f"--scratch={self.dir}", ":", "-n", 1,
                                   *arguments, env=MPI)
        self.assert_complaint(refused, 3, "--scratch is to be given to every process")

    def test_say_what_a_disk_would_do(self):
        """Too little memory even with one, and what would do; so much, and it does with one."""
        said = self.together(2, "--memory=2M", "tiles-2x6")
        self.assert_complaint(said, 3, "states need", "with --scratch")
        least, = re.findall(r"with --scratch ([0-9.]+) MiB of memory for each rank would do", said.err)
        self.use_disks(f"{int(float(least) * 1024)}K")
        self.assert_complaint(self.together(2, self.more[0], "tiles-2x6"), 3, "states need", "--scratch=DIR would do, with",
                              "MiB of disk for each rank")
        if not SHORT:
            self.assert_answer(self.together(2, *self.more, "tiles-2x6"))
            self.assertEqual(list(self.disk.iterdir()), [])

    @unittest.skipIf(SHORT, "takes searches of some seconds")
    def test_end_where_one_has_no_room(self):
        """A file of the last rank may not grow: all end, and the first says why; what the others have found is there for
        the next run."""
        self.use_disks("30M")
        arguments = (GEN, "-j1", "--checkpoint=0", "-d", self.db, *self.more, "tiles-2x6")
        limited = self.run_program("mpirun", *MPIRUN, "-n", 1, *arguments, ":", "-n", 1, "sh", "-c",
                                   'ulimit -f 8000; exec "$@"', "sh", *arguments, env=MPI)
        self.assertEqual((limited.code, limited.out), (3, ""), limited)
        self.assertEqual(limited.err.count("pdb-gen: "), 1, limited)
        self.assertRegex(limited.err, r"\.scratch\.[0-9a-f]{8}\.1: (File too large|a limit on files' sizes)")
        self.go_on(2, "going on from layer", "tiles-2x6")
        self.assertEqual(list(self.disk.iterdir()), [])

    def test_end_where_nothing_can_be_kept(self):
        """As the directory is gone meanwhile: all end, and the first says why."""
        program, ranks = self.begin(2)
        self.db.rename(self.dir / "elsewhere")
        ended = self.end(program, ranks, 1, signal.SIGCONT)
        self.assertEqual((ended.code, ended.out), (3, ""))
        self.assertEqual(ended.err.count("pdb-gen: "), 1, ended.err)


if __name__ == "__main__":
    unittest.main()
