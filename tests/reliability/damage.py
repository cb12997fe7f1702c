#!/usr/bin/env python3
"""Random damage to databases of every form: each is refused with exit 4 and clear words, or changes no answer.

    tests/reliability/damage.py [--count=N] [--seed=S] [--only=I] [--jobs=J] [--keep=DIRECTORY]

For each of N damages a good file is changed and asked: a batch of boards, --info, --hardest, --histogram, and pdb-gen
--verify (where that takes long, of a share). All of it must end in time with the answers of the good file, or be
refused; and --verify must refuse any file in which a byte that means something has changed, by
tests/reliability/database.py, which knows the format from docs/format.md alone. A damage follows from S and its number
I, which a failure prints, with a copy of the file. Prints two tables; exit 1 on a failure.
"""

import argparse
import collections
import json
import multiprocessing
import os
import pathlib
import random
import re
import shutil
import string
import sys
import tempfile
import time

from database import PAGE, Database
from forms import FORMS, generate, run
from programs import GEN, QUERY

RANDOM_BOARDS = 12
VERIFY_SECONDS = 0.1 # a database that takes longer is verified for a share of its damages only


def differs(database, file):
    """Is anything else in the file than in the database that a reader relies on?"""
    good = database.bytes
    if len(file) != len(good):
        return True
    for page in range(0, len(file), PAGE):
        old, new = good[page:page + PAGE], file[page:page + PAGE]
        if old != new and any(a != b and mark for a, b, mark in zip(old, new, database.meaning[page:page + PAGE])):
            return True
    return False


class Base:
    """A good database, what it answers, and the files that damages take foreign pages from: its relatives, and `bases`,
    all of these."""

    def __init__(self, form, directory, bases):
        self.form, self.bases = form, bases
        self.definition, file = generate(form.text, directory)
        self.file = file.name
        self.good = file.read_bytes()
        self.database = Database(self.good)
        assert self.database.header["encoding"] == form.encoding, form.name
        assert self.database.deflated() == form.deflated, form.name
        self.relatives = [
            generate(text, directory / f"relative {i}")[1].read_bytes() for i, text in enumerate(form.other_texts())
        ]
        self.boards = self.boards_to_ask(directory)
        begin = time.monotonic()
        self.right = self.ask(directory)
        verified = self.verify(directory)
        assert verified.code == 0, verified
        assert self.right["batch"].code in (0, 1) and self.right["info"].code == 0, self.right
        self.verify_share = min(1, VERIFY_SECONDS / (time.monotonic() - begin))

    def boards_to_ask(self, directory):
        ask = lambda *arguments: run(QUERY, "-j", 1, "-d", ".", self.definition, "--json", *arguments, cwd=directory)
        results = [ask("--path", self.form.path)] if self.form.path else \
            [ask("--hardest=3"), *(ask("--random", f"--seed={seed}") for seed in range(RANDOM_BOARDS))]
        boards = list(self.form.boards)
        for result in results:
            assert result.code == 0, result
            answer = json.loads(result.out)
            boards += answer.get("path") or answer.get("boards") or [answer["board"]]
        return "\n".join(boards)

    def ask(self, directory):
        query = lambda *arguments, **options: run(QUERY, "-j", 1, "-d", ".", self.definition, *arguments, cwd=directory,
                                                  **options)
        return {
            "batch": query("-", stdin=self.boards),
            **{name: query(f"--{name}") for name in ("info", "hardest", "histogram")}
        }

    def verify(self, directory):
        return run(GEN, "-q", "-j", 1, "-d", ".", "--verify", self.definition, cwd=directory)

    def is_good(self, file):
        """Another good database of this very puzzle: its pattern databases may be several."""
        return file == self.good or self.form.patterns is not None and not differs(Database(self.relatives[-1]), file)


# -- kinds of damage: functions of a source of random numbers and the database --

def place(dice, base):
    """A byte's place: often one that means something, else any."""
    at = dice.randrange(len(base.good))
    for _ in range(dice.choice((0, 30))):
        if base.database.meaning[at]:
            break
        at = dice.randrange(len(base.good))
    return at


def flip_bits(dice, base, count):
    damaged = bytearray(base.good)
    for _ in range(count):
        damaged[place(dice, base)] ^= 1 << dice.randrange(8)
    return damaged


def one_bit(dice, base):
    return flip_bits(dice, base, 1)


def many_bits(dice, base):
    return flip_bits(dice, base, dice.randint(2, 200))


def a_run_of_bytes(dice, base):
    damaged, at = bytearray(base.good), place(dice, base)
    size = min(dice.choice((2, 8, 64, 512, 5000)), len(damaged) - at)
    damaged[at:at + size] = dice.choice((dice.randbytes(size), bytes(size), b"\xff" * size))
    return damaged


def cut(dice, base):
    return base.good[:dice.choice((dice.randrange(len(base.good)), dice.randrange(200),
                                   len(base.good) - dice.randint(1, 5000)))]


def cut_after_a_page(dice, base):
    return base.good[:PAGE * dice.randrange(len(base.good) // PAGE)]


def grown(dice, base):
    size = dice.choice((1, 8, PAGE, dice.randrange(1, 3 * PAGE), 2 * PAGE))
    return base.good + dice.choice((bytes(size), dice.randbytes(size), base.good[-size:], base.good[:size]))


def pages(dice, base, most):
    """Some neighbouring pages: the first and how many."""
    count = len(base.good) // PAGE
    first = dice.randrange(count)
    return first, min(dice.choice((1, 1, 2, most)), count - first)


def empty_pages(dice, base):
    damaged, (first, count) = bytearray(base.good), pages(dice, base, 20)
    damaged[PAGE * first:PAGE * (first + count)] = dice.choice((b"\0", b"\xff")) * PAGE * count
    return damaged


def pages_swapped(dice, base):
    damaged, count = bytearray(base.good), len(base.good) // PAGE
    one, other = (PAGE * page for page in dice.sample(range(count), 2))
    damaged[one:one + PAGE], damaged[other:other + PAGE] = base.good[other:other + PAGE], base.good[one:one + PAGE]
    return damaged


def page_doubled(dice, base):
    damaged, count = bytearray(base.good), len(base.good) // PAGE
    one, other = (PAGE * page for page in dice.sample(range(count), 2))
    damaged[one:one + PAGE] = base.good[other:other + PAGE]
    return damaged


def moved(dice, base):
    """Bytes lost, or put in: all behind them has moved; the length may be what it was."""
    at, size = place(dice, base), dice.choice((1, 2, 8, 16, PAGE))
    damaged = base.good[:at] + dice.choice((base.good[at + size:], dice.randbytes(size) + base.good[at:]))
    return dice.choice((damaged, (damaged + bytes(PAGE))[:len(base.good)]))


def half_copied(dice, base):
    """As after a copy that did not end: the beginning of this file, then nothing, or the old one."""
    at = dice.choice((place(dice, base), PAGE * dice.randrange(len(base.good) // PAGE)))
    old = dice.choice((bytes(len(base.good)), dice.choice(base.relatives)))
    return base.good[:at] + old[at:]


def pages_of(dice, base, other):
    """Pages of another file, in the same places."""
    damaged, (first, count) = bytearray(base.good), pages(dice, base, 100)
    part = other[PAGE * first:PAGE * (first + count)]
    damaged[PAGE * first:PAGE * first + len(part)] = part
    return damaged


def foreign_pages(dice, base):
    """Of any other database."""
    return pages_of(dice, base, dice.choice(base.bases).good)


def pages_of_a_relative(dice, base):
    """Of a database that had this name when the definition was another one, or the patterns."""
    return pages_of(dice, base, dice.choice(base.relatives))


def records_of_a_relative(dice, base):
    """Whole records, with their checksums."""
    relative = Database(dice.choice(base.relatives))
    damaged = bytearray(base.good)
    records = [key for key in base.database.records if relative.records[key][1] == base.database.records[key][1]]
    for key in dice.sample(records, dice.randint(1, len(records))):
        (to, size), at = base.database.records[key], relative.records[key][0]
        damaged[to:to + size] = relative.bytes[at:at + size]
    return damaged


def another_file(dice, base):
    """The database of another puzzle, or of this one when its definition was another."""
    return dice.choice([other.good for other in base.bases if other is not base] + base.relatives[:1])


def a_changed_header(dice, base):
    """The header of a newer format, or of another puzzle or definition, with the right checksum. (forged.py changes the
    other fields.)"""
    changed = Database(base.good)
    key = dice.choice(("format", "format", "puzzle", "definition"))
    value = str(changed.header[key])
    at = dice.randrange(len(value))
    other = dice.choice("12456789" if key == "format" else sorted(set("abcdef") - {value[at]}))
    changed.change_header(key, value[:at] + other + value[at + 1:])
    return changed.bytes


KINDS = [
    one_bit, many_bits, a_run_of_bytes, cut, cut_after_a_page, grown, empty_pages, pages_swapped, page_doubled, moved,
    half_copied, foreign_pages, pages_of_a_relative, records_of_a_relative, another_file, a_changed_header
]
STRICT = {cut, cut_after_a_page, grown, another_file, a_changed_header} # no question at all may be answered


# -- one damage --

def damage(seed, number, bases):
    """The number-th: the database, the kind, the file, and the dice as they lie then."""
    dice = random.Random(f"{seed} {number}")
    base, kind = bases[number % len(bases)], KINDS[number // len(bases) % len(KINDS)]
    damaged = base.good
    while base.is_good(damaged):
        damaged = bytes(kind(dice, base))
    return base, kind, damaged, dice


def is_refusal(base, result, right):
    """Exit 4, one line that names the file and what to do, and no wrong answer before it."""
    words = rf"\Apdb-(query|gen): [^\n]*{re.escape(base.file)}[^\n]*pdb-gen[^\n]*\n\Z"
    return result.code == 4 and re.match(words, result.err) is not None and right.startswith(result.out)


def try_damage(seed, number, bases, directory):
    """What became of it: (form, kind, outcome, what is wrong or None). Outcomes: refused (every question), partly
    (some), right (none, but --verify refuses or was not asked), idle (not even --verify refuses: unused bytes)."""
    base, kind, damaged, dice = damage(seed, number, bases)
    (directory / base.file).write_bytes(damaged)
    results = base.ask(directory)
    wrong = [f"{name}: {result!r}\n-- and right would be\n{base.right[name]!r}" for name, result in results.items()
             if result != base.right[name] and not is_refusal(base, result, base.right[name].out)]
    refused = sum(result.code == 4 for result in results.values())
    if kind in STRICT and refused < len(results):
        wrong.append(f"{len(results) - refused} questions were answered")
    if kind is a_changed_header and Database(
            damaged).header["format"] > 3 and "a newer version of pdb" not in results["info"].err:
        wrong.append(f"a newer format is not called so: {results['info'].err}")
    outcome = "refused" if refused == len(results) else "partly" if refused > 0 else "right"
    if dice.random() < base.verify_share:
        verified = base.verify(directory)
        if verified.code == 0 and differs(base.database, damaged):
            wrong.append("--verify did not notice")
        elif verified.code != 0 and not is_refusal(base, verified, ""):
            wrong.append(f"--verify: {verified!r}")
        elif verified.code == 0:
            outcome = "idle"
    return base.form.name, kind.__name__.replace("_", " "), outcome, wrong


# -- all of them --

def keep(arguments, number, bases, wrong):
    base, kind, damaged, _ = damage(arguments.seed, number, bases)
    path = arguments.keep / f"damage-{arguments.seed}-{number}-{base.file}"
    path.write_bytes(damaged)
    path.with_suffix(".yaml").write_text(base.form.text)
    print(f"FAILED: --seed={arguments.seed} --only={number}: {base.form.name}, {kind.__name__}; "
          f"the file is kept as {path}", *wrong, sep="\n", file=sys.stderr)


def print_tables(outcomes):
    """Form by kind, and the sums."""
    forms, kinds = [form.name for form in FORMS], [kind.__name__.replace("_", " ") for kind in KINDS]
    signs = {"refused": 0, "partly": 0, "right": 1, "idle": 1}
    print("refused at once or on the way / harmless, by form (rows) and kind (columns):\n")
    print(*(f"  {letter} {kind}" for letter, kind in zip(string.ascii_lowercase, kinds)), sep="\n")
    print("\n" + " " * 17 + "".join(f"{letter:>9}" for letter in string.ascii_lowercase[:len(kinds)]))
    for form in forms:
        cells = [[0, 0] for _ in kinds]
        for (of, kind, outcome), count in outcomes.items():
            if of == form:
                cells[kinds.index(kind)][signs[outcome]] += count
        print(f"{form:17}" + "".join(f"{f'{refused}/{harmless}':>9}" for refused, harmless in cells))
    print(f"\n{'kind':24}{'damages':>10}{'all refused':>13}{'some refused':>14}"
          f"{'answers right':>15}{'only unused bytes':>19}")
    for kind in [*kinds, None]:
        counts = collections.Counter()
        for (_, of, outcome), count in outcomes.items():
            if kind in (of, None):
                counts[outcome] += count
        print(f"{kind or 'all':24}{counts.total():10,}{counts['refused']:13,}{counts['partly']:14,}"
              f"{counts['right']:15,}{counts['idle']:19,}")


class Worker:
    """What a process of the pool knows: it inherits the bases from its parent."""
    arguments = ()


def inherit(*arguments):
    place = arguments[-1] / f"worker {os.getpid()}"
    place.mkdir()
    Worker.arguments = (*arguments[:-1], place)


def work(number):
    seed, bases, place = Worker.arguments
    return number, try_damage(seed, number, bases, place)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, action="append")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path.cwd())
    arguments = parser.parse_args()
    begin, failures, outcomes = time.monotonic(), 0, collections.Counter()
    directory = pathlib.Path(tempfile.mkdtemp(prefix="pdb-damage-"))
    try:
        bases = []
        for number, form in enumerate(FORMS):
            bases.append(Base(form, directory / f"base {number}", bases))
        numbers = arguments.only or range(arguments.count)
        with multiprocessing.Pool(arguments.jobs, initializer=inherit,
                                  initargs=(arguments.seed, bases, directory)) as pool:
            for number, (form, kind, outcome, wrong) in pool.imap_unordered(work, numbers, chunksize=4):
                outcomes[form, kind, outcome] += 1
                if wrong:
                    failures += 1
                    keep(arguments, number, bases, wrong)
    except KeyboardInterrupt:
        print("stopped")
    finally:
        shutil.rmtree(directory)
    print_tables(outcomes)
    print(
        f"\nseed {arguments.seed}: {outcomes.total():,} damages in "
        f"{time.monotonic() - begin:.0f} s, {failures} went wrong"
    )
    return 1 if failures or outcomes.total() == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
