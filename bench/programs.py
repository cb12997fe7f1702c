"""Measures pdb-gen and pdb-query as a user meets them, as whole processes. Prints a line for each figure: what | value.

PDB_GEN and PDB_QUERY are the programs. Databases go to a temporary directory, so that the figures depend on the disk below $TMPDIR, too.
"""

import ctypes
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

GEN = os.environ["PDB_GEN"]
QUERY = os.environ["PDB_QUERY"]
STATES = 5443200


def run(*command, stdin=None, stdout=subprocess.DEVNULL):
    """Seconds from start to end."""
    begin = time.perf_counter()
    code = subprocess.run([os.fspath(word) for word in command], stdin=stdin, stdout=stdout).returncode
    seconds = time.perf_counter() - begin
    if code != 0:
        sys.exit(f"{command} ended with {code}")
    return seconds


def memory(*command):
    """The greatest resident size in MiB. What Python itself takes would count for its child too, so a shell starts the program, and ends; this
    process takes over as the program's parent and waits for it."""
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
    shell = subprocess.run(["sh", "-c", '"$@" >/dev/null & echo $!', "sh", *map(os.fspath, command)], stdout=subprocess.PIPE, check=True)
    _, status, usage = os.wait4(int(shell.stdout), 0)
    if status != 0:
        sys.exit(f"{command} ended with status {status}")
    return usage.ru_maxrss / 1024


def say(what, value):
    print(f"{what} | {value}", flush=True)


def generating(directory):
    for threads in (1, 2):
        command = (GEN, "-q", "-f", "-j", str(threads), "-d", directory, "goat")
        runs = [run(*command) for _ in range(5)]
        seconds = statistics.median(runs)
        say(f"`pdb-gen goat`, whole process, file synced, {threads} thread{'s'[:threads - 1]}, median of 5",
            f"{seconds:.3f} s ({min(runs):.3f} to {max(runs):.3f}), {STATES / seconds / 1e6:.1f} million states/s, "
            f"{seconds / STATES * 1e9:.0f} ns a state, {memory(*command):.1f} MiB resident at most")
    size = (directory / "goat.pdb").stat().st_size
    say("Goat's file", f"{size:,} bytes, {size * 8 / STATES:.2f} bits a state")


def querying(directory):
    command = (QUERY, "-d", directory, "goat", "6 7 9 10 4 5 2 8 0 8 3 1")
    runs = [run(*command) for _ in range(50)]
    nothing = [run("/bin/true") for _ in range(50)]
    say("`pdb-query goat BOARD`, whole process, median of 50",
        f"{statistics.median(runs) * 1e3:.2f} ms, {memory(*command):.1f} MiB resident at most; `/bin/true` takes {statistics.median(nothing) * 1e3:.2f} ms")


def random_board(dice):
    """Any arrangement with the wide piece in the top row: each of them is one of Goat's states."""
    pieces = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "8"]
    dice.shuffle(pieces)
    column = dice.randrange(3)
    return " ".join(pieces[:column] + ["9", "10"] + pieces[column:])


def many(directory):
    dice = random.Random(1)
    count = 1000000
    boards = directory / "boards"
    boards.write_text("".join(random_board(dice) + "\n" for _ in range(count)))
    for name, options in (("text", []), ("JSON", ["--json"])):
        seconds = []
        for _ in range(3):
            with boards.open("rb") as stdin, open("/dev/null", "wb") as stdout:
                seconds.append(run(QUERY, "-d", directory, *options, "goat", "-", stdin=stdin, stdout=stdout))
        median = statistics.median(seconds)
        say(f"a million boards on standard input, all moves of each, answers as {name}, median of 3", f"{median:.2f} s, {count / median:,.0f} boards/s")


with tempfile.TemporaryDirectory(prefix="pdb-bench-") as name:
    generating(pathlib.Path(name))
    querying(pathlib.Path(name))
    many(pathlib.Path(name))
