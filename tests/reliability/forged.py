#!/usr/bin/env python3
"""One wrong distance, or a wrong header, written with right checksums: pdb-gen --verify finds it and says where.

    tests/reliability/forged.py [LARGE [SEED]]

In a database of every form, and in that of the built-in puzzle LARGE (tiles-3x4: 239,500,800 states), the value of a
single state is changed: of the first, the last, one of the hardest, and one at random. A chunk of deflated data is not
what it should be; a table of keys is out of order, or leads out of itself. Then some of the header's fields say
something else. All checksums and the digest are made anew, by the rules of docs/format.md. Questions may be answered
wrong then, but they end, with an exit code of pdb-query's; data that are deflated without need are read like others.
Each --verify is a whole search: of LARGE, and of all under sanitizers, fewer states are changed.
"""

import os
import pathlib
import random
import re
import shutil
import struct
import sys
import tempfile

from database import CHUNK, Database, deflated, unmoved
from forms import FORMS, GENERATION_SECONDS, generate, run
from programs import GEN, QUERY

SANITIZED = os.environ.get("PDB_SANITIZE", "none") != "none"
STATES_IN_A_BYTE = {
    "mod4-1bit": 8, "mod3-5perbyte": 5, "mod4-2bit": 4, "mod3-2bit": 4, "exact-1bit": 8, "exact-2bit": 4,
    "exact-4bit": 2, "exact-8bit": 1, "exact-16bit": 1 / 2, "exact-32bit": 1 / 4
}


def changed_value(encoding, byte, state):
    """The byte with another value for a state: what it would be at a neighbouring distance, or without one."""
    if encoding == "mod3-5perbyte":
        digit = byte // 3**(state % 5) % 3
        return byte + 3**(state % 5) if digit < 2 else byte - 2 * 3**(state % 5)
    if encoding == "mod3-2bit":
        value = byte >> 2 * (state % 4) & 3
        return byte ^ (value ^ (value + 1) % 4) << 2 * (state % 4)
    per_byte = int(STATES_IN_A_BYTE[encoding]) or 1
    bits = 8 // per_byte
    highest = 1 if encoding == "mod4-2bit" else 0 # of two bits, the colour is the lower
    return byte ^ 1 << bits * (state % per_byte) + highest


def places(database, dice):
    """What is changed: (in words, the byte of the data, its new value)."""
    header, encoding = database.header, database.header["encoding"]
    value = database.data_byte
    if encoding in STATES_IN_A_BYTE:
        states = header["states"]
        for words, state in (("the first state", 0), ("the last state", states - 1),
                             ("a hardest state", dice.choice(database.hardest())),
                             ("some state", dice.randrange(states))):
            offset = int(state / STATES_IN_A_BYTE[encoding])
            yield f"{words}, {state:,}", offset, changed_value(encoding, value(offset), state)
    kept = -(-header["states"] / STATES_IN_A_BYTE[encoding] // 1) if encoding in STATES_IN_A_BYTE else 0
    if kept < header["data_bytes"]: # tables, of keys or of all that there is
        for offset in (header["data_bytes"] - 1, dice.randrange(int(kept), header["data_bytes"])):
            yield f"byte {offset:,}", offset, value(offset) ^ 1


def forged_parts(data, table):
    """The same of the high parts of wide keys, which stand before these."""
    count, = struct.unpack_from("<Q", data, table)
    first, apart = table + 16, min(count, 4096)
    assert count > 1 and len(data) > first + 12 * count
    for wrong in (0, 1, count - 1, count + 1, len(data), 2**31, 2**60, 2**64 - 1):
        yield f"{wrong} high parts", table, struct.pack("<Q", wrong)
    yield "a high part above all", first, b"\xff"
    yield "high parts that are all the same", first, b"".join(data[first + i * apart:][:1] * apart for i in range(12))
    planes = [bytearray(data[first + i * apart:][:apart]) for i in range(12)]
    for plane in planes:
        plane[0], plane[-1] = plane[-1], plane[0]
    yield "the first high part and the last one of its block exchanged", first, b"".join(planes)
    yield "high parts the other way round", first, b"".join(data[first + i * apart:][:apart][::-1] for i in range(12))


def forged_keys(database, dice, wide):
    """Of a table of keys: in words, where in the data, and what stands there then."""
    header, data = database.header, b"".join(database.chunks())
    per_byte = STATES_IN_A_BYTE.get(header["encoding"], header["states"])
    table = -(-int(-(-header["states"] // per_byte)) // 16) * 16
    if header["encoding"] not in STATES_IN_A_BYTE or table >= header["data_bytes"]:
        return
    if wide:
        yield from forged_parts(data, table)
        table = -(-(table + 16 + 12 * struct.unpack_from("<Q", data, table)[0]) // 16) * 16
    size, blocks = len(data) - table, -(-header["states"] // 512)
    key, begin = struct.unpack_from("<QQ", data, table)
    yield "a first key above all", table, struct.pack("<Q", 2**64 - 1)
    yield "a block behind the end", table + 8, struct.pack("<Q", dice.choice((size, size + 1, 2**63, 2**64 - 1)))
    yield "a block inside the index", table + 8, struct.pack("<Q", begin - 1)
    yield "differences without an end", table + begin, b"\xff" * (len(data) - table - begin)
    yield "differences that pass 2^64", table + begin, b"\xff" * 9 + b"\x01"
    if blocks > 1:
        yield "two blocks exchanged", table, data[table + 16:table + 32] + data[table:table + 16]


def forged_chunks(good, dice):
    """Of deflated data: in words, the file with another chunk at a random place."""
    database = Database(good)
    if not database.deflated():
        return
    chunks = [deflated(chunk) for chunk in database.chunks()]
    number = dice.randrange(len(chunks))
    size = len(database.chunks()[number])
    good_one = chunks[number]
    for words, chunk in (("too short", deflated(bytes(size - 1))), ("too long", deflated(bytes(size + 1))),
                         ("much too long", deflated(bytes(1 << 22))), ("junk", b"\xff" * 100), ("cut", good_one[:-1]),
                         ("with a byte behind it", good_one + b"x"), ("gone", b"")):
        yield f"a chunk that is {words}", database.with_chunks([*chunks[:number], chunk, *chunks[number + 1:]])


def forged_headers(good, dice, count):
    """Of some fields (but those that say which program made it, and which format): the key, the file with another
    value, as long."""
    header = Database(good).header
    for key in dice.sample([key for key, value in header.items() if key not in ("format", "generator") and value != ""],
                           count):
        text = str(header[key])
        at = dice.randrange(len(text)) if key != "puzzle" else len(text) - 1
        while not text[at].isascii(): # so that it stays as long
            at = dice.randrange(len(text))
        other = dice.choice(sorted(set("123456789" if text[at].isdigit() else "abcdef") - {text[at]}))
        forged = Database(good)
        forged.change_header(key, text[:at] + other + text[at + 1:])
        yield key, forged.bytes


def try_database(name, puzzle, file, dice, headers, step):
    """How many forgeries were tried, and how many went unnoticed; of every `step` wrong values one, the last first."""
    verify = lambda: run(GEN, "-q", "-j", 1, "-d", file.parent, "--verify", puzzle, cwd=file.parent, seconds=
                         GENERATION_SECONDS)
    good = file.read_bytes()
    assert unmoved(good), f"{name}: a good file is not what docs/format.md says"
    assert verify().code == 0, verify()
    what = [(words, Database(good).with_data(offset, [value]),
             rf"{re.escape(str(file))}: [^\n]+ is not what a search gives \(byte {offset} of its data\)")
            for words, offset, value in list(places(Database(good), dice))[::-step]]
    what += [(key, forged, re.escape(str(file))) for key, forged in forged_headers(good, dice, headers)]
    broken = [(words, Database(good).with_data(offset, values), re.escape(str(file)))
              for words, offset, values in forged_keys(Database(good), dice, name == "keyed, wide")]
    damaged = r"is damaged \((chunk \d+ of its data|its header: the number of kept bytes) [^\n]+"
    broken += [(words, forged, rf"{re.escape(str(file))} {damaged}") for words, forged in forged_chunks(good, dice)]
    missed = 0
    for words, forged, message in [*what, *broken]:
        file.write_bytes(forged)
        result = verify()
        found = result.code == 4 and re.match(rf"\Apdb-gen: {message}[^\n]+\n\Z", result.err)
        if found and (words, forged, message) in broken:
            result = run(QUERY, "-j", 1, "-d", file.parent, puzzle, "--hardest=9", cwd=file.parent)
            found = result.code in (0, 4)
        print(f"{name}: {words}: {'found' if found else f'NOT FOUND: {result!r}'}")
        missed += not found
    return len(what) + len(broken), missed


def deflated_anyway(definition, file):
    """Whether residues that are deflated, as pdb-gen never does it, are read and verified."""
    database, ask = Database(file.read_bytes()), lambda: run(QUERY, "-d", ".", definition, "--hardest", cwd=file.parent)
    data, before = b"".join(database.chunks()), ask()
    file.write_bytes(database.with_chunks([deflated(data[at:at + CHUNK]) for at in range(0, len(data), CHUNK)]))
    assert Database(file.read_bytes()).deflated()
    assert before.code == 0 and ask() == before, ask()
    verified = run(GEN, "-q", "-d", ".", "--verify", definition, cwd=file.parent)
    assert verified.code == 0, verified


def main():
    large, seed = [*sys.argv[1:], *("tiles-3x4", str(random.randrange(10**6)))[len(sys.argv) - 1:]]
    print(f"seed {seed}")
    dice, sums = random.Random(seed), []
    directory = pathlib.Path(tempfile.mkdtemp(prefix="pdb-forged-"))
    try:
        for number, form in enumerate(FORMS):
            puzzle, file = generate(form.text, directory / str(number))
            sums.append(try_database(form.name, puzzle, file, dice, *((1, 3) if SANITIZED else (3, 1))))
        if not SANITIZED:
            lights = next(form for form in FORMS if form.name == "1 bit, 2 extents")
            deflated_anyway(*generate(lights.text, directory / "deflated"))
        result = run(GEN, "-q", "-d", ".", large, cwd=directory, seconds=GENERATION_SECONDS)
        assert result.code == 0, result
        sums.append(try_database(large, large, directory / f"{large}.pdb", dice, headers=1, step=2))
    finally:
        shutil.rmtree(directory)
    tried, missed = map(sum, zip(*sums))
    print(f"{tried} forgeries, {missed} not found")
    least = 2 if SANITIZED else 5  # of each form two bytes and three fields of the header, or one of each
    return 1 if missed or tried < least * len(FORMS) else 0


if __name__ == "__main__":
    sys.exit(main())
