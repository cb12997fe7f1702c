#!/usr/bin/env python3
"""Kills pdb-gen again and again (SIGKILL), at moments of all kinds, and holds what it leaves behind against what was
promised.

    kills.py [--seed=N]           370 kills over goat, tiles-3x4, tiles-2x6 in a file, english-33 and triangle-21, 52
                                  over pattern databases, and 12 over a build without checkpoints
    kills.py --short              some 30 over quick ones, for every change
    kills.py goat=50 klotski=9    so many of some puzzles

A cycle begins with no database or with an old one of another definition. Runs are started and killed; the last one may
end by itself. After every kill the database is the old one, none, or the new one, byte for byte; a run goes on from a
checkpoint and never from an earlier one than the run before it; in the end the bytes are those of a run that nobody
stopped, and nothing else is left. Exit 1 on any failure.

The program is $PDB_GEN, or build/gen/pdb-gen. It runs on a terminal of its own, for what it says there tells what it
was doing.
"""

import argparse
import collections
import os
import pathlib
import pty
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from programs import GEN

# What stands in the database's place before: the same name, another definition.
OLD = "puzzle: {}\nfamily: slide\ngoal: 1 2 3/4 5 .\n"

# Arguments, how many kills by default and in the short form, and at most how many between two runs that may end by
# themselves.
PUZZLES = {
    "goat": (["goat"], 120, 12, 6),
    "tiles-3x4": (["tiles-3x4"], 140, 0, 8),
    "tiles-2x6": (["--memory=44M", "--scratch={scratch}", "tiles-2x6"], 30, 0, 8),
    "english-33": (["english-33"], 40, 0, 12),
    "klotski": (["klotski"], 0, 8, 6),
    "triangle-21": (["triangle-21"], 40, 4, 6),
    "15-puzzle": (["--memory=16M", "15-puzzle"], 12, 0, 3),
    "24-puzzle": (["--memory=300K", "24-puzzle"], 0, 4, 3),
    "cube-3x3x3": (["--memory=64M", "cube-3x3x3"], 40, 6, 6),
    "four-fours": (["four-fours"], 12, 4, 3),
}
NO_CHECKPOINTS = ("four-fours",)
TABLES = ("15-puzzle", "24-puzzle", "cube-3x3x3")  # pattern databases: their checkpoints have another name


class Failure(Exception):
    pass


def check(right, what):
    if not right:
        raise Failure(what)


def later(seconds, begun):
    """A function that is true so many seconds after begun() was for the first time."""
    due = None

    def is_due():
        nonlocal due
        if due is None and begun():
            due = time.monotonic() + seconds
        return due is not None and time.monotonic() > due
    return is_due


class Run:
    """One pdb-gen under way; `said` is what its terminal got."""

    def __init__(self, directory, arguments):
        self.screen, terminal = pty.openpty()
        os.set_blocking(self.screen, False)
        self.said, self.seconds = "", None
        self.begin = time.monotonic()
        self.program = subprocess.Popen([GEN, "-d", str(directory), *arguments], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=terminal)
        os.close(terminal)

    def listen(self):
        """What was said since; a terminal that nobody reads from would stop the program."""
        try:
            self.said += os.read(self.screen, 65536).decode(errors="replace")
        except OSError:  # nothing, or nobody is left to write
            pass

    def wait_until(self, moment):
        """Until moment() is true or the program has ended; whether it goes on."""
        while self.program.poll() is None and not moment():
            self.listen()
            time.sleep(0.0002)
        return self.program.poll() is None

    def end(self):
        """To the end, whatever it is: the exit code. May be called again."""
        while self.program.poll() is None:
            self.listen()
            time.sleep(0.0005)
        if self.seconds is None:
            self.listen()
            os.close(self.screen)
            self.seconds = time.monotonic() - self.begin
        return self.program.returncode

    def kill(self):
        self.program.send_signal(signal.SIGKILL)
        return self.end()


class Subject:
    """The kills of one puzzle."""

    def __init__(self, name, place, chance):
        self.name, self.chance = name, chance
        arguments, _, _, self.most = PUZZLES[name]
        self.scratch = place / f"{name}-scratch"
        self.scratch.mkdir()
        self.arguments = [word.format(scratch=self.scratch) for word in arguments]
        self.directory = place / name
        self.directory.mkdir()
        self.file = self.directory / f"{name}.pdb"
        self.new = self.directory / f"{name}.pdb.new"
        kept = f"{name}.pdb.{'tables' if name in TABLES else 'partial'}"
        self.partial, self.partial_new = (self.directory / f"{kept}{end}" for end in ("", ".new"))
        self.phases, self.layers = collections.Counter(), collections.Counter()
        self.kills = self.resumes = self.finished = self.kept_old = 0
        self.old, _ = self.make("old", place, self.definition(place))
        self.wanted, seconds = self.make("reference", place, *self.arguments)
        self.seconds = dict.fromkeys(self.intervals(), seconds)  # that a run takes, for each interval of checkpoints
        for number, interval in enumerate(self.intervals() if seconds < 10 else ()):  # else they hardly count
            content, self.seconds[interval] = self.make(f"reference-{number}", place, *interval, *self.arguments)
            check(content == self.wanted, f"{name} {interval}: another file")

    def intervals(self):
        """Ways to take checkpoints: after every layer; at times; as by default, which is never for what is quick."""
        return [()] if self.name in NO_CHECKPOINTS else [("--checkpoint=0",), ("--checkpoint=1",), ()]

    def definition(self, place):
        path = place / "old.yaml"
        path.write_text(OLD.format(self.name))
        return path

    def make(self, where, place, *arguments):
        """The bytes that a run makes which nobody stops, and the seconds it takes."""
        directory = place / f"{self.name}-{where}"
        run = Run(directory, arguments)
        check(run.end() == 0, f"{self.name}: a run that nobody stopped failed: {run.said}")
        return (directory / self.file.name).read_bytes(), run.seconds

    def names(self):
        return sorted(path.name for path in self.directory.iterdir())

    def look(self):
        """Which files there are, and their state: to see what a run has changed."""
        found = {}
        for path in self.directory.iterdir():
            properties = path.stat()
            found[path.name] = (properties.st_ino, properties.st_size, properties.st_mtime_ns)
        return found

    def size(self, path):
        try:
            return path.stat().st_size
        except FileNotFoundError:
            return 0

    def moment(self, run, interval):
        """When to kill: at any time; while a checkpoint is saved; while the database is written, synced, renamed."""
        sort = self.chance.choices(("time", "saving", "publishing"), (6, 2 if interval else 0, 2))[0]
        seconds = self.seconds[interval]
        if sort == "time":
            at = run.begin + self.chance.uniform(0, 1.05 * seconds)
            return lambda: time.monotonic() > at
        if sort == "saving":
            after, number = self.chance.uniform(0, 0.01), self.chance.randint(1, 15)
            seen = set()

            def saving():
                try:
                    seen.add(self.partial_new.stat().st_ino)
                except FileNotFoundError:
                    pass
                return len(seen) >= number
            return later(after, saving)
        stale = self.size(self.new) > 0

        def publishing():
            nonlocal stale
            size = self.size(self.new)
            stale = stale and size > 0  # what was left of the run before goes first
            return not stale and size > 0 or "packed" in run.said
        return later(self.chance.uniform(0, 0.1 * seconds), publishing)

    def phase(self, run, before):
        """What the program was doing when it was killed."""
        after = self.look()
        changed = {name for name in after if after[name] != before.get(name)}
        if self.file.name in changed:
            return "published, the checkpoint still there" if self.partial.name in after else "published"
        if self.partial_new.name in changed:
            return "saving a checkpoint"
        if self.new.name in changed and after[self.new.name][1] > 0:
            return "publishing"
        if "packed" in run.said:
            return "packing"
        layers = re.findall(r"layer (\d+)", run.said)
        if layers:
            self.layers[int(layers[-1])] += 1
            return "searching"
        if "states found" in run.said:
            return "finding states"
        return "at work" if self.new.name in changed else "starting"

    def check_files(self, expected):
        """Nothing unknown, and the database is one of those expected (None: there is none)."""
        known = {self.file.name, self.new.name}
        if self.name not in NO_CHECKPOINTS:
            known |= {self.partial.name, self.partial_new.name}
        names = set(self.names())
        check(names <= known, f"{self.name}: unknown files: {names - known}")
        content = self.file.read_bytes() if self.file.name in names else None
        check(any(content == one for one in expected),
              f"{self.name}: a bad database ({'none' if content is None else len(content)} bytes)")
        return content

    def check_said(self, run, reached):
        """A checkpoint that is there is taken, and no run falls behind the one before: the layer that this one went on
        from."""
        check("beginning anew" not in run.said, f"{self.name}: a checkpoint was not taken: {run.said[-300:]!r}")
        told = re.search(r"going on from (?:layer|table) (\d+)", run.said)
        if told is None:
            return reached
        self.resumes += 1
        check(int(told[1]) >= reached, f"{self.name}: went on from {told[1]}, after {reached}")
        return int(told[1])

    def finish(self, run, reached):
        code = run.end()
        check(code == 0, f"{self.name}: exit {code}: {run.said[-300:]!r}")
        self.check_said(run, reached)
        left = [*self.names(), *(path.name for path in self.scratch.iterdir())]
        check(left == [self.file.name], f"{self.name}: left besides: {left}")
        check(self.file.read_bytes() == self.wanted, f"{self.name}: the finished database is another one")
        self.finished += 1

    def cycle(self, kills):
        """Up to so many kills, until the work is done."""
        for name in self.names():
            (self.directory / name).unlink()
        before = self.chance.choice((None, self.old))
        if before is not None:
            self.file.write_bytes(before)
        reached = 0
        for _ in range(kills):
            files, interval = self.look(), self.chance.choices(self.intervals(), (6, 2, 1)[:len(self.intervals())])[0]
            had_checkpoint = self.partial.name in files
            run = Run(self.directory, [*self.arguments, *interval])
            if not run.wait_until(self.moment(run, interval)):
                return self.finish(run, reached)
            code = run.kill()
            if code == 0:  # it came too late
                return self.finish(run, reached)
            check(code == -signal.SIGKILL, f"{self.name}: exit {code}: {run.said[-300:]!r}")
            self.kills += 1
            self.phases[self.phase(run, files)] += 1
            reached = self.check_said(run, reached)
            content = self.check_files((before, self.wanted))
            if content == self.wanted and content != before:
                break
            self.kept_old += before is not None
            check(self.partial.exists() or not had_checkpoint,
                  f"{self.name}: the checkpoint is gone and no database is there")
        self.finish(Run(self.directory, self.arguments), reached)

    def kill(self, wanted):
        while self.kills < wanted:
            self.cycle(min(self.chance.randint(1, self.most), wanted - self.kills))

    def report(self):
        phases = ", ".join(f"{count} {phase}" for phase, count in self.phases.most_common())
        layers = "; at layer " + " ".join(map(str, sorted(self.layers))) if self.layers else ""
        print(f"{self.name}: {self.kills} kills ({phases}{layers}); an old database stayed {self.kept_old} times; "
              f"{self.resumes} resumes from a checkpoint; {self.finished} runs to the end, each with the same bytes",
              flush=True)


def main():
    parser = argparse.ArgumentParser(description="kills pdb-gen at random moments",
                                     epilog="puzzles: " + ", ".join(PUZZLES))
    parser.add_argument("--short", action="store_true", help="the short form, for every change")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("kills", nargs="*", metavar="PUZZLE=KILLS")
    options = parser.parse_args()
    wanted = {name: short if options.short else long for name, (_, long, short, _) in PUZZLES.items()}
    if options.kills:
        wanted = {name: int(number) for name, number in (word.split("=") for word in options.kills)}
    # In memory a sync costs nothing: that is quick, and all the same to a process that is killed.
    memory = "/dev/shm" if options.short and os.access("/dev/shm", os.W_OK) else None
    place, total, failed = pathlib.Path(tempfile.mkdtemp(prefix="pdb kills ", dir=memory)), 0, False
    try:
        for name, kills in wanted.items():
            if kills == 0:
                continue
            subject = Subject(name, place, random.Random(f"{options.seed} {name}"))
            try:
                subject.kill(kills)
            except Failure as failure:
                print(f"FAILED: {failure}", flush=True)
                failed = True
            finally:  # also when a user has enough of it
                subject.report()
            total += subject.kills
    finally:
        shutil.rmtree(place, ignore_errors=True)
    right = "no bad file, every resume ended in the same bytes, nothing was left"
    print(f"{total} kills, seed {options.seed}: {'FAILED' if failed else right}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
