#!/usr/bin/env python3
"""spin.py BUILD: whole searches of two puzzles written as rules, by pdb-gen and by the model checker SPIN.

Hanoi with four pegs and twelve disks, and a room of Sokoban: bench/boards/hanoi-4-12.yaml and sokoban-room.yaml. The
models below say the same in Promela; their numbers of states are held against pdb's. SPIN (Debian: spin) visits every
state, by breadth or by depth first, and forgets the distances; pdb-gen finds them and writes the database. Both are
compiled with -O2 or better, and run on one thread. Times are of the process, in user mode; of pdb-gen the median of
three.
"""

import pathlib
import re
import resource
import statistics
import subprocess
import sys
import tempfile

BOARDS = pathlib.Path(__file__).parent / "boards"
ROOM = ["########", "#..x...#", "#.$.$..#", "#xx$.#.#", "#.$.$x.#", "#.x..@.#", "########"]


def hanoi(pegs: int, disks: int) -> str:
    moves = []
    for disk in range(disks):
        for to in range(pegs):
            free = [f"on[{e}] != on[{disk}] && on[{e}] != {to}" for e in range(disk)]
            moves.append(f":: d_step {{ ({' && '.join([f'on[{disk}] != {to}', *free])}) -> on[{disk}] = {to} }}")
    return f"byte on[{disks}];\nactive proctype p() {{\ndo\n" + "\n".join(moves) + "\nod }\n"


def sokoban(room: list[str]) -> str:
    """A cell is 0 (floor), 1 (a box) or 2 (a wall): SPIN takes no tables that are not part of the state."""
    width, cells = len(room[0]), "".join(room)
    begin = [f"cell[{i}] = {1 if c == '$' else 2};" for i, c in enumerate(cells) if c in "#$"]
    moves = []
    for step in (-width, width, -1, 1):
        to, beyond = f"cell[player + {step}]", f"cell[player + {2 * step}]"
        moves.append(f":: d_step {{ ({to} == 0) -> player = player + {step} }}")
        moves.append(f":: d_step {{ ({to} == 1 && {beyond} == 0) -> {beyond} = 1; {to} = 0; player = player + {step} }}")
    return (f"byte player = {cells.index('@')};\nbyte cell[{len(cells)}];\ninit {{ d_step {{ {' '.join(begin)} }}\ndo\n" +
            "\n".join(moves) + "\nod }\n")


def timed(command: list[str], directory: str) -> tuple[float, int, str]:
    """Seconds in user mode, peak memory in bytes, and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(["/usr/bin/env", "time", "-f", "peak %M", *command], cwd=directory, capture_output=True,
                          text=True, check=True)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    return seconds, int(re.search(r"peak (\d+)", done.stderr)[1]) * 1024, done.stdout


def spin(name: str, model: str, directory: str, breadth: bool) -> tuple[float, int, int]:
    path = pathlib.Path(directory) / f"{name}.pml"
    path.write_text(model)
    subprocess.run(["spin", "-a", path.name], cwd=directory, check=True, capture_output=True)
    options = ["-O2", "-w", "-DSAFETY", "-DNOREDUCE", "-DMEMLIM=12000", *(["-DBFS"] if breadth else [])]
    subprocess.run(["gcc", *options, "-o", "pan", "pan.c"], cwd=directory, check=True)
    seconds, memory, text = timed(["./pan", "-n", "-w26", "-m100000000" if not breadth else "-m1000"], directory)
    return seconds, memory, int(float(re.search(r"([\d.e+]+) states, stored", text)[1]))


def pdb(build: pathlib.Path, name: str, directory: str) -> tuple[float, int, int]:
    gen, query, board = build / "gen/pdb-gen", build / "query/pdb-query", BOARDS / f"{name}.yaml"
    runs = [timed([str(gen), "-j1", "--force", "--db-dir", directory, str(board)], directory) for _ in range(3)]
    facts = subprocess.run([str(query), "--db-dir", directory, str(board), "--info"], capture_output=True, text=True,
                           check=True).stdout
    states = re.search(r"indices +([\d,]+)", facts) or re.search(r"states +([\d,]+)", facts)
    return statistics.median(run[0] for run in runs), max(run[1] for run in runs), int(states[1].replace(",", ""))


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    build = pathlib.Path(sys.argv[1]).resolve()
    print("| | states | seconds | ns a state | bytes a state, at the peak |\n|---|--:|--:|--:|--:|")
    for name, model in (("hanoi-4-12", hanoi(4, 12)), ("sokoban-room", sokoban(ROOM))):
        with tempfile.TemporaryDirectory() as directory:
            rows = {"pdb-gen": pdb(build, name, directory),
                    "SPIN, breadth first": spin(name, model, directory, True),
                    "SPIN, depth first": spin(name, model, directory, False)}
        for who, (seconds, memory, states) in rows.items():
            print(f"| {name}, {who} | {states:,} | {seconds:.2f} | {seconds * 1e9 / states:.0f} | {memory / states:.0f} |", flush=True)


if __name__ == "__main__":
    main()
