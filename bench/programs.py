"""Measures pdb-gen and pdb-query as a user meets them, as whole processes. Prints a line for each figure: table | row | column | value.

PDB_GEN and PDB_QUERY are the programs. Databases go to a temporary directory, so that the figures depend on the disk below $TMPDIR, too.
"""

import ctypes
import json
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
    process takes over as the program's parent and waits for it. The program begins when the shell's input is closed."""
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
    script = 'exec 3<&0; { read go; exec "$@" >/dev/null; } <&3 & echo $!'
    with subprocess.Popen(["sh", "-c", script, "sh", *map(os.fspath, command)], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as shell:
        program = int(shell.stdout.readline())
        shell.wait()
    _, status, usage = os.wait4(program, 0)
    if status != 0:
        sys.exit(f"{command} ended with status {status}")
    return usage.ru_maxrss / 1024


def say(table, row, column, value):
    print(f"{table} | {row} | {column} | {value}", flush=True)


GENERATED = {"goat": 5, "8-puzzle": 5, "tiles-3x4": 3, "tiles-2x6": 3, "lights-out": 5, "cube-2x2x2": 5, "diagonal-21": 5, "klotski": 3}


def generating(directory):
    """From the start of the process to its end, the file synced, the median of some runs."""
    for puzzle, count in GENERATED.items():
        table = "pdb-gen, whole processes, files synced"
        for threads in sorted({1, os.cpu_count()}):
            command = (GEN, "-q", "-f", "-j", str(threads), "-d", directory, puzzle)
            runs = [run(*command) for _ in range(count)]
            say(table, puzzle, f"{threads} thread{'s'[:threads - 1]}", f"{statistics.median(runs):.3f} s ({min(runs):.3f} to {max(runs):.3f})")
        say(table, puzzle, "peak memory", f"{memory(*command):.1f} MiB")
        say(table, puzzle, "file", f"{(directory / f'{puzzle}.pdb').stat().st_size:,} bytes")


def querying(directory):
    table = "pdb-query, whole processes"
    for puzzle in GENERATED:
        drawn = subprocess.run([QUERY, "-d", directory, "--json", "--random", "--seed=1", puzzle], check=True, stdout=subprocess.PIPE)
        command = (QUERY, "-d", directory, puzzle, json.loads(drawn.stdout)["board"])
        runs = [run(*command) for _ in range(20)]
        say(table, puzzle, "one board, median of 20", f"{statistics.median(runs) * 1e3:.2f} ms")
        say(table, puzzle, "peak memory", f"{memory(*command):.1f} MiB")
    nothing = [run("/bin/true") for _ in range(20)]
    say(table, "`/bin/true`, beside", "one board, median of 20", f"{statistics.median(nothing) * 1e3:.2f} ms")


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
        say("pdb-query, whole processes", "goat", f"a million boards on standard input, answers as {name}", f"{median:.2f} s, {count / median:,.0f} boards/s")


def counting():
    for puzzle in ("queens-13", "queens-14"):
        runs = [run(QUERY, "-d", "/nonexistent", "--count", "--json", "-j1", puzzle) for _ in range(5)]
        say("pdb-query --count -j1, whole processes", puzzle, "median of 5", f"{statistics.median(runs):.3f} s")


with tempfile.TemporaryDirectory(prefix="pdb-bench-") as name:
    generating(pathlib.Path(name))
    querying(pathlib.Path(name))
    many(pathlib.Path(name))
    counting()
