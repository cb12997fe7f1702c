#!/usr/bin/env python3
"""Random definitions of every family with moves, held against plain searches that know only what docs/ say of them.

    definitions.py [--count=N] [--seed=S] [--only=I] [--most=BOARDS] [FAMILY...]

For each of N definitions a family (plain/) the database is made in every way that there is: by one thread and by two,
within less and less memory as long as pdb-gen takes it, with a checkpoint after every layer. All ways have to give the
same bytes. Every board's distance (or that it has none), how many states there are at each, the hardest boards, and
of some boards the moves, a whole solution and the number of solutions have to be those of a breadth-first search in
Python; so do the answers of --method=search. A definition follows from S and its number; every other one of them is the
same each time, from the seed 1. A failure prints both, and the definition. Exit 1 on a failure.
"""

import argparse
import collections
import importlib
import json
import pathlib
import random
import shutil
import sys
import tempfile

from forms import run
from programs import GEN, QUERY

FAMILIES = ("slide", "permute", "flip", "peg", "walk", "place", "rules")
SAME_SEED = 1
BOARDS = 12  # that are asked for one by one
WAYS = 6     # of making a database within less memory, at most


class Wrong(Exception):
    pass


def check(right, *what):
    if not right:
        raise Wrong(*what)


def databases(definition, directory):
    """Makes the database in many ways. The summary of the first; None where there is nothing to keep."""
    first = content = None
    options, ways = ["-j1"], set()
    for _ in range(WAYS):
        made = run(GEN, "--force", "--json", "-d", ".", *options, definition, cwd=directory)
        if first is None and made.code in (1, 2):
            return None, made
        if made.code == 3 and first is not None:
            break  # that is too little memory
        check(made.code == 0, options, made)
        summary = json.loads(made.out)
        if summary.get("way", "").startswith("pattern") or "patterns" in summary:
            break
        file = (directory / summary["file"]).read_bytes()
        check(content in (None, file), "another file", options)
        ways.add(summary["way"])
        content, first = file, first or summary
        options = ["-j2", f"--memory={summary['memory'] - 1}"] + ["--checkpoint=0"] * (len(ways) % 2)
    first["ways"] = ways
    return first, None


def compare(plain, directory, dice):
    definition = directory / "puzzle.yaml"
    definition.write_text(plain.text)
    distance, boards = plain.search()
    summary, refused = databases(definition, directory)
    if summary is None:
        check(not distance if refused.code == 1 else plain.refused_rightly(refused.err), refused)
        return {"no solution" if refused.code == 1 else "refused"}
    ask = lambda *arguments, stdin="": run(QUERY, "-j1", "-d", ".", definition, "--json", *arguments, cwd=directory,
                                          stdin=stdin)
    verified = run(GEN, "-q", "--verify", "-d", ".", definition, cwd=directory)
    check(verified.code == 0, verified)
    checked = run(GEN, "--check", definition, cwd=directory)
    check(checked.code == 0, checked)
    most = max(distance.values())
    histogram = collections.Counter(distance.values())
    told = json.loads(ask("--histogram").out)
    check((told["states"], told["histogram"]) == (len(distance), [histogram[d] for d in range(most + 1)]), told,
          len(distance), sorted(histogram.items()))
    every = sorted(boards)
    found = run(QUERY, "-j1", "-d", ".", definition, "-", cwd=directory,
                stdin="".join(plain.show(board) + "\n" for board in every)).out.splitlines()
    check([line.split("\t")[1] for line in found] == [str(distance.get(b, "unreachable")) for b in every], "distances")
    hardest = [plain.read(board) for board in json.loads(ask("--hardest=10000").out)["boards"]]
    check(len(hardest) == len({*hardest}) <= histogram[most] and all(distance.get(b) == most for b in hardest), hardest)
    lost = [board for board in every if board not in distance]
    asked = dice.sample(sorted(distance), min(BOARDS, len(distance))) + dice.sample(lost, min(3, len(lost)))
    asked.append(max(distance, key=distance.get))
    for method in ("db", "search") if getattr(plain, "searched", True) else ("db",):
        batch = ask("--path", "--count", f"--method={method}", "-", stdin="".join(plain.show(b) + "\n" for b in asked))
        answers = [json.loads(line) for line in batch.out.splitlines()]
        check(len(answers) == len(asked), method, batch)
        for board, answer in zip(asked, answers):
            check_answer(plain, board, answer, distance)
    return summary["ways"]


def check_answer(plain, board, answer, distance):
    far = distance.get(board)
    check(plain.read(answer["board"]) == board and answer["distance"] == far, "distance", board, far, answer)
    moves = sorted((plain.read(move["board"]), move["distance"], move.get("cost", 1)) for move in answer["moves"]
                   if move["distance"] is not None)
    wanted = [(to, distance.get(to), cost) for to, cost in plain.costed_moves(board)]
    check(moves == sorted(move for move in wanted if move[1] is not None), "moves", board, answer, wanted)
    if hasattr(plain, "named_moves"):
        named = sorted((move["move"], plain.read(move["board"])) for move in answer["moves"])
        wanted = sorted(plain.named_moves(board))
        if "free moves" in plain.has:  # free ones are named before a move, or behind it
            check(len(named) == len(wanted) and all(
                sum(name in told.split(", ") and to == after for told, after in named) >= wanted.count((name, to))
                for name, to in wanted), "names", board, answer, wanted)
        else:
            check(named == wanted, "names", board, answer, wanted)
    check(all(move["optimal"] == (None not in (far, move["distance"]) and
                                  move["distance"] + move.get("cost", 1) == far) for move in answer["moves"]),
          "optimal", answer)
    if far is None:
        check(answer["solutions"] == 0, answer)
        return
    path = [plain.read(step) for step in answer["path"]]
    check(path[0] == board and distance.get(path[-1]) == 0 and
          all(after in distance and (after, distance[before] - distance[after]) in plain.costed_moves(before)
              for before, after in zip(path, path[1:])), "path", answer)
    solutions = plain.solutions(board, distance)
    told = solutions if solutions <= 2**53 else str(solutions)  # as docs/api.md has it
    check(answer["solutions"] == told, "solutions", answer, solutions)


def definition_of(family, seed, number, most):
    """What follows from the three: the plain puzzle, and its source of random numbers."""
    dice = random.Random(f"{seed} {family} {number}")
    make, plain = importlib.import_module(f"plain.{family}").make, None
    while plain is None:
        plain = make(dice, f"random-{family}", most)
    return plain, dice


def try_family(family, numbers, seed, most, directory):
    tally, failed = collections.Counter(), 0
    for number in numbers:
        own = SAME_SEED if number % 2 else seed
        plain, dice = definition_of(family, own, number, most)
        place = directory / f"{family} {number}"
        place.mkdir()
        try:
            ways = compare(plain, place, dice)
            tally.update({*plain.has, *ways})
        except Exception as failure:  # whatever it is, the definition is wanted
            print(f"FAILED: {family} --only={number} --seed={own}: {failure!r:.3000}\n{plain.text}", flush=True)
            failed += 1
        shutil.rmtree(place)
    print(f"{family}: {len(numbers)} definitions, {failed} wrong; " +
          ", ".join(f"{count} {what}" for what, count in sorted(tally.items())), flush=True)
    return failed


def main():
    parser = argparse.ArgumentParser(description="random definitions against plain searches")
    parser.add_argument("--count", type=int, default=500, help="definitions a family")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--only", type=int, help="this number alone")
    parser.add_argument("--most", type=int, default=3000, help="boards of a puzzle")
    parser.add_argument("families", nargs="*", metavar="FAMILY", default=FAMILIES)
    options = parser.parse_args()
    numbers = range(options.count) if options.only is None else [options.only]
    directory = pathlib.Path(tempfile.mkdtemp(prefix="pdb definitions "))
    try:
        failed = sum(try_family(family, numbers, options.seed, options.most, directory) for family in options.families)
    finally:
        shutil.rmtree(directory, ignore_errors=True)
    print(f"{failed} wrong, seed {options.seed}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
