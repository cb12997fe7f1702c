#!/usr/bin/env python3
"""Many processes ask one database while it is made again and again, and replaced, also by one of an edited definition.

    load.py                             64 processes, 60 seconds
    load.py --processes=N --seconds=N   for every change: 16 and 3

Two definitions have one name and different goals, so their databases take each other's place. Who asks by the one has
to get its answers, whether from the file that was there at the start or from a later one, or is told to generate again
(exit 4) where the other's file is there; never an answer of the other, nor any other failure. A search in Python says
what is right. Exit 1 on any failure.

The programs are $PDB_GEN and $PDB_QUERY, or those under build/.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import time

from programs import GEN, QUERY

NEIGHBOURS = [[at + step for step, fits in ((-3, at > 2), (-1, at % 3 > 0), (1, at % 3 < 2), (3, at < 6)) if fits]
              for at in range(9)]


def moves(board):
    """The boards one move from a board of 3x3 tiles, a string of nine characters."""
    empty = board.index("0")
    for at in NEIGHBOURS[empty]:
        cells = list(board)
        cells[empty], cells[at] = cells[at], "0"
        yield "".join(cells)


def distances(goal):
    """Of all boards that can reach the goal, breadth first."""
    found = {goal: 0}
    queue = collections.deque([goal])
    while queue:
        board = queue.popleft()
        for after in moves(board):
            if after not in found:
                found[after] = found[board] + 1
                queue.append(after)
    return found


class Version:
    """A definition, and all that is right by it."""

    def __init__(self, directory, name, goal):
        self.path = pathlib.Path(directory, name, "load.yaml")
        self.path.parent.mkdir()
        self.path.write_text(
            f"puzzle: load\nfamily: slide\ngoal: {' '.join(goal[:3])}/{' '.join(goal[3:6])}/{' '.join(goal[6:])}\n")
        self.distance = distances(goal)
        self.boards = list(self.distance)
        count = collections.Counter(self.distance.values())
        self.histogram = [count[depth] for depth in range(len(count))]
        self.hardest = sorted(board for board in self.boards if self.distance[board] == len(count) - 1)

    def check_board(self, answer, board):
        """A line of JSON that a board got."""
        self.expect(answer["board"], board)
        self.expect(answer["method"], "db")
        self.expect(answer["distance"], self.distance[board])
        self.expect({move["board"]: move["distance"] for move in answer["moves"]},
                    {after: self.distance[after] for after in moves(board)})

    def expect(self, got, right):
        if got != right:
            raise AssertionError(f"{self.path}: {got!r}, not {right!r}")


class Load:
    def __init__(self, directory, seconds):
        self.base = ["-d", os.path.join(directory, "db")]
        first = Version(directory, "first", "123456780")
        self.versions = [first, Version(directory, "second", next(b for b in first.boards if first.distance[b] == 15))]
        self.generated = 0
        self.count = collections.Counter()
        self.lock = threading.Lock()
        self.end = time.monotonic() + seconds
        self.stop = False

    WANTED = [
        "boards on standard input", "--hardest", "--histogram", "--info", "conversations", "replaced in a conversation",
        "refused"
    ]

    def missing(self):
        """What has not happened often enough to prove anything."""
        return [what for what in self.WANTED if self.count[what] == 0] + ["databases made"] * (self.generated < 3)

    def on(self):
        """Until the time is over; on a busy machine longer, until there was some of everything."""
        late = time.monotonic() - self.end
        return not self.stop and (late < 0 or (late < 100 and self.missing() != []))

    def note(self, what, times=1):
        with self.lock:
            self.count[what] += times

    def generate(self, version, *options):
        done = subprocess.run([GEN, "-q", *options, *self.base, version.path], capture_output=True, text=True,
                              timeout=100)
        if (done.returncode, done.stderr) != (0, ""):
            raise AssertionError(f"pdb-gen: exit {done.returncode}: {done.stderr}")

    def generator(self):
        """Makes databases until the end; the last one is checked."""
        moments = random.Random(1)
        while self.on():
            version = moments.choice(self.versions)
            self.generate(version, "--force")
            self.generated += 1
        self.generate(version, "--verify")

    def refused(self, code, out, err):
        """Was it said that the database is another definition's? All else that is not an answer is a failure."""
        if code == 0 and err == "":
            return False
        if code != 4 or out != "" or "generate it again" not in err or err.count("\n") != 1:
            raise AssertionError(f"pdb-query: exit {code}, {out[:200]!r}: {err}")
        self.note("refused")
        return True

    def ask(self, version, *arguments, stdin=""):
        """What one process says; None where it was refused."""
        command = [QUERY, *self.base, "--method=db", "--json", version.path, *arguments]
        done = subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=100)
        return None if self.refused(done.returncode, done.stdout,
                                    done.stderr) else [json.loads(line) for line in done.stdout.splitlines()]

    def boards(self, version, moments):
        boards = moments.sample(version.boards, 200)
        answers = self.ask(version, "-", stdin="".join(board + "\n" for board in boards))
        if answers is not None:
            version.expect(len(answers), len(boards))
            for answer, board in zip(answers, boards):
                version.check_board(answer, board)
            self.note("boards on standard input")

    def hardest(self, version, _):
        answers = self.ask(version, "--hardest")
        if answers is not None:
            version.expect((answers[0]["distance"], sorted(answers[0]["boards"])),
                           (len(version.histogram) - 1, version.hardest))
            self.note("--hardest")

    def histogram(self, version, _):
        answers = self.ask(version, "--histogram")
        if answers is not None:
            version.expect(answers[0]["histogram"], version.histogram)
            self.note("--histogram")

    def info(self, version, _):
        answers = self.ask(version, "--info")
        if answers is not None:
            version.expect(answers[0]["states"], len(version.boards))
            version.expect(answers[0]["max"], len(version.histogram) - 1)
            self.note("--info")

    def conversation(self, version, moments):
        """One process that is asked board after board, while its file is replaced under it."""
        command = [QUERY, *self.base, "--method=db", "--json", version.path, "-"]
        began = self.generated
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              bufsize=1) as process:
            for _ in range(30):
                board = moments.choice(version.boards)
                try:
                    process.stdin.write(board + "\n")
                except BrokenPipeError:
                    break
                line = process.stdout.readline()
                if line == "":
                    break
                version.check_board(json.loads(line), board)
                time.sleep(0.01)
            else:
                self.note("conversations")
                self.note("replaced in a conversation", self.generated - began)
            try:
                out, err = process.communicate(timeout=100)
            except BrokenPipeError:
                out, err = "", process.stderr.read()
        self.refused(process.returncode, out, err)

    def reader(self, seed):
        moments = random.Random(seed)
        kinds = [self.boards, self.hardest, self.histogram, self.info, self.conversation]
        while self.on():
            moments.choice(kinds)(moments.choice(self.versions), moments)

    def run(self, processes):
        """All of it; raises what went wrong first."""
        self.generate(self.versions[0])
        with concurrent.futures.ThreadPoolExecutor(processes + 1) as pool:
            tasks = [pool.submit(self.generator)] + [pool.submit(self.reader, seed) for seed in range(processes)]
            for task in concurrent.futures.as_completed(tasks):
                self.stop |= task.exception() is not None
            for task in tasks:
                task.result()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--processes", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pdb load ") as directory:
        load = Load(directory, options.seconds)
        load.run(options.processes)
    print(f"load: {options.processes} processes at a time, {load.generated} databases made; all answers right")
    for what, count in sorted(load.count.items()):
        print(f"  {count:7} {what}")
    missing = load.missing()
    for what in missing:
        print(f"load: too few: {what}", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
