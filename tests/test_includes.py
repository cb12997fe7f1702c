#!/usr/bin/env python3
"""The house as it is meant: which room may include which, and how large folders, files and functions may be.

Every `#include` of the sources is read. A file belongs to the room of the most exact pattern below, and may include
files of its own room and of those that its room names, with a path from the root of the sources (or the bare name, for
a header of the same folder). A new folder needs a line here.
"""

import collections
import fnmatch
import pathlib
import re
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parent.parent
CODE = ("lib", "items", "catalog", "space", "db", "gen", "query", "serve", "common", "include")

# room, its files (`*`: in this folder; `**`: and in those below), the rooms that it may include: each stands below
# those
ROOMS = [
    ("interface", "include/*", ""),
    ("types", "lib/* lib/memory/* lib/rank/bytes.h lib/rank/wide_key.h", "interface"),
    ("definition", "lib/definition/*", "types"),
    ("rank", "lib/rank/*", "types"),
    ("comm", "lib/comm/*", "types"),
    ("contract", "lib/puzzle.* lib/images.* lib/symmetries.*", "types definition"),
    ("search/space", "lib/search/space/**", "types rank comm contract"),
    ("search/board", "lib/search/board/*", "types rank contract"),
    ("families", "lib/families/*", "contract"),
    ("families/shared", "lib/families/shared/*", "types definition contract search/board"),
    ("families/shared/layers", "lib/families/shared/layers/*", "types rank search/space"),
    ("families/slide", "lib/families/slide/**", "FAMILY"),
    ("families/permute", "lib/families/permute/**", "FAMILY"),
    ("families/flip", "lib/families/flip/**", "FAMILY"),
    ("families/peg", "lib/families/peg/**", "FAMILY"),
    ("families/walk", "lib/families/walk/**", "FAMILY"),
    ("families/rules", "lib/families/rules/**", "FAMILY"),
    ("families/place", "lib/families/place/**", "FAMILY"),
    ("check", "lib/check/*", "types contract"),
    ("items", "items/**", "types definition"),
    ("catalog", "catalog/*", "types definition contract families items"),
    ("db", "db/*", "types"),
    ("common", "common/*", "interface types"),
    ("space", "space/*", "types rank comm contract search/space search/board db"),
    ("gen", "gen/*", "interface types comm contract catalog items check search/space search/board db common space "
     "layouts"),
    ("layouts", "gen/layouts/*", "interface types definition contract catalog search/space db common space"),
    ("forms", "query/forms/**", "interface types"),
    ("libpdb", "query/libpdb/*", "interface types contract catalog items search/space search/board db "
     "space forms"),
    ("query", "query/**", "interface types common forms"),
    ("serve", "serve/*", "interface common"),
]
FAMILY = "types definition rank contract families families/shared families/shared/layers search/space search/board"

# What does not keep to this yet, to become empty: (room, other room); (file, function).
KNOWN = set()
KNOWN_LARGE = ()
KNOWN_WIDE = ()

# Functions whose parameters a library prescribes.
CALLBACKS = {("serve/requests.c", "handle")}

# Libraries that are one room's business. The header, and where it may be included.
LIBRARIES = {
    "lmdb.h": "db/*",
    "yaml.h": "lib/definition/*",
    "jansson.h": "db/* gen/* query/forms/* serve/reply.c",
    "zlib.h": "db/* serve/reply.c",
    "microhttpd.h": "serve/*",
    "curses.h": "query/play/*",
    "term.h": "query/play/*",
    "mpi.h": "gen/ranks_mpi.c",
    "librsvg/rsvg.h": "query/sets/*",
    "cairo-pdf.h": "query/sets/*",
}

GENERATED = {"version.h"}

FOLDER_FILES = 25
FILE_LINES = 500
COLUMNS = 120
FUNCTION_LINES = 50
PARAMETERS = 7


def rooms():
    """The table above: room by room the patterns of its files, and the rooms that it may include."""
    return {name: (files.split(), set(allowed.replace("FAMILY", FAMILY).split())) for name, files, allowed in ROOMS}


def room_of(path, table):
    """The room whose pattern fits the path most exactly; None where none does. `*` stays in its folder, `**` goes
    below."""
    fitting = []
    for name, (patterns, _) in table.items():
        for pattern in patterns:
            folder = pattern.rpartition("/")[0]
            if pattern.endswith("/**"):
                fits = path.startswith(folder + "/")
            else:
                fits = path.rpartition("/")[0] == folder and fnmatch.fnmatchcase(path, pattern)
            if fits:
                fitting.append((len(pattern.rstrip("*")), name))
    return max(fitting)[1] if fitting else None


def sources(root, tops=CODE, kinds=(".c", ".h")):
    """The files of these kinds below these folders, as paths from the root."""
    found = (path for top in tops for path in (root / top).rglob("*") if path.suffix in kinds)
    return sorted(path.relative_to(root).as_posix() for path in found)


def includes(root, path):
    """What a file includes: line, the name in its brackets or quotes, and whether those are quotes."""
    for number, line in enumerate((root / path).read_text().splitlines(), 1):
        if found := re.match(r'\s*#\s*include\s*(["<])([^">]+)', line):
            yield number, found[2], found[1] == '"'


def resolve(root, path, name):
    """The file that a quoted name means; None where there is none, or the way to it is written otherwise than it
    should."""
    if name == "pdb.h":
        return "include/pdb.h"
    target = name if "/" in name else f"{path.rpartition('/')[0]}/{name}"
    return target if (root / target).is_file() else None


def wrong_includes(root):
    """A line for each include that should not be there, and one for each file without a room."""
    table, wrong = rooms(), []
    for path in sources(root):
        room = room_of(path, table)
        if room is None:
            wrong.append(f"{path}: belongs to no room: the table in tests/test_includes.py has none for it")
            continue
        for line, name, quoted in includes(root, path):
            if not quoted:
                if name in LIBRARIES and not any(fnmatch.fnmatchcase(path, p) for p in LIBRARIES[name].split()):
                    wrong.append(f"{path}:{line}: <{name}> is for {LIBRARIES[name]} alone")
            elif name not in GENERATED:
                wrong += wrong_include(table, room, f"{path}:{line}", name, resolve(root, path, name))
    return wrong


def wrong_include(table, room, place, name, target):
    """The same for one include of a file in this room: a list of one line, or none."""
    if target is None:
        return [f'{place}: "{name}" is no file: write the path from the root, '
                "or the bare name of a header in the same folder"]
    other = room_of(target, table)
    if other is None:
        return [f'{place}: "{name}" belongs to no room']
    if other != room and other not in table[room][1] and (room, other) not in KNOWN:
        return [f'{place}: {room} may not include {other} ("{name}")']
    return []


def circles(edges):
    """The nodes that lie on a circle of a graph, given as a dictionary of sets: what is left when all others are taken
    away."""
    left = {node: set(ends) for node, ends in edges.items()}
    while done := [node for node, ends in left.items() if not ends & left.keys()]:
        for node in done:
            del left[node]
    while done := [node for node in left if not any(node in ends for ends in left.values())]:
        for node in done:
            del left[node]
    return sorted(left)


def circles_of_files(root):
    """Files that include one another in a circle."""
    edges = collections.defaultdict(set)
    for path in sources(root):
        edges[path] = {resolve(root, path, name) for _, name, quoted in includes(root, path) if quoted} - {None}
    return circles(edges)


def functions(lines):
    """The functions of a formatted file: the line of the opening brace, the head's text, and the lines of the body."""
    for begin, line in enumerate(lines):
        if line == "{" and lines[begin - 1].endswith(")"):
            head = begin - 1
            while lines[head].startswith(" "):
                head -= 1
            yield begin + 1, " ".join(part.strip() for part in lines[head:begin]), lines.index("}", begin) - begin - 1


def parameters(head):
    """How many parameters a function's head names."""
    inside = head[head.index("(") + 1 : head.rindex(")")]
    while (flat := re.sub(r"\([^()]*\)", "", inside)) != inside:
        inside = flat
    return 0 if inside.strip() in ("", "void") else inside.count(",") + 1


def too_large(root):
    """A line for each folder, file, line and function that is larger than the limits above."""
    wrong = []
    paths = sources(root)
    everything = paths + sources(root, ("tests", "fuzz", "bench", "tools", "python"), (".c", ".h", ".py", ".sh"))
    for folder, count in sorted(collections.Counter(path.rpartition("/")[0] for path in everything).items()):
        if count > FOLDER_FILES:
            wrong.append(f"{folder}: {count} files, more than {FOLDER_FILES}")
    for path in everything:
        lines = (root / path).read_text().splitlines()
        if path in paths and len(lines) > FILE_LINES:
            wrong.append(f"{path}: {len(lines)} lines, more than {FILE_LINES}")
        if path.endswith((".c", ".h")) and not (root == SOURCE and path.startswith(KNOWN_WIDE)):
            wide = [(n, len(line)) for n, line in enumerate(lines, 1) if len(line) > COLUMNS]
            wrong += [f"{path}:{n}: {columns} columns, more than {COLUMNS}" for n, columns in wide]
        if path not in paths:
            continue
        for line, head, length in functions(lines):
            name = re.search(r"(\w+)\(", head)[1]
            if (path, name) in KNOWN_LARGE:
                continue
            if length > FUNCTION_LINES:
                wrong.append(f"{path}:{line}: {name} has {length} lines, more than {FUNCTION_LINES}")
            if parameters(head) > PARAMETERS and (path, name) not in CALLBACKS:
                wrong.append(f"{path}:{line}: {name} has {parameters(head)} parameters, more than {PARAMETERS}")
    return wrong


class House(unittest.TestCase):
    def expect_none(self, complaints):
        if complaints:
            self.fail("\n" + "\n".join(complaints))

    def test_includes_point_the_right_way(self):
        self.expect_none(wrong_includes(SOURCE))

    def test_neither_rooms_nor_files_make_circles(self):
        self.assertEqual(circles({name: allowed for name, (_, allowed) in rooms().items()}), [])
        self.assertEqual(circles_of_files(SOURCE), [])

    def test_nothing_is_too_large(self):
        self.expect_none(too_large(SOURCE))


class Planted(unittest.TestCase):
    """Each of these is wrong, and has to be found."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.root = pathlib.Path(holder.name)
        for path in ("lib/error.h", "lib/puzzle.h", "lib/families/peg/peg.h", "db/store.h", "items/guess/guess.h"):
            self.plant(path, "")

    def plant(self, path, text):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def expect(self, path, text, *complaints):
        self.plant(path, text)
        self.assertEqual(wrong_includes(self.root), [path + complaint for complaint in complaints])

    def test_a_right_include(self):
        self.expect("lib/families/peg/peg.c", '#include "peg.h"\n#include "lib/puzzle.h"\n#include <string.h>\n')

    def test_a_search_that_knows_a_family(self):
        self.expect("lib/search/space/audit.c", '\n#include "lib/families/peg/peg.h"\n',
                    ':2: search/space may not include families/peg ("lib/families/peg/peg.h")')

    def test_the_library_that_knows_the_store(self):
        self.expect("lib/text.c", ' # include "db/store.h"\n', ':1: types may not include db ("db/store.h")')

    def test_the_store_that_knows_puzzles(self):
        self.expect("db/store.c", '#include "lib/puzzle.h"\n', ':1: db may not include contract ("lib/puzzle.h")')

    def test_items_and_searches_that_know_each_other(self):
        self.expect("lib/search/board/ida.c", '#include "items/guess/guess.h"\n',
                    ':1: search/board may not include items ("items/guess/guess.h")')

    def test_a_family_that_knows_another(self):
        self.expect("lib/families/walk/walk.c", '#include "lib/families/peg/peg.h"\n',
                    ':1: families/walk may not include families/peg ("lib/families/peg/peg.h")')

    def test_includes_that_lead_nowhere(self):
        way = " is no file: write the path from the root, or the bare name of a header in the same folder"
        self.expect("lib/text.c", '#include "lost.h"\n#include "families/peg/peg.h"\n',
                    ':1: "lost.h"' + way, ':2: "families/peg/peg.h"' + way)

    def test_a_folder_without_a_room(self):
        self.expect("lib/attic/old.c", "", ": belongs to no room: the table in tests/test_includes.py has none for it")

    def test_a_library_in_another_room(self):
        self.expect("lib/text.c", "#include <lmdb.h>\n", ":1: <lmdb.h> is for db/* alone")

    def test_a_circle(self):
        self.plant("db/store.h", '#include "files.h"\n')
        self.plant("db/files.h", '#include "store.h"\n')
        self.assertEqual(circles_of_files(self.root), ["db/files.h", "db/store.h"])

    def test_what_is_too_large(self):
        many = ", ".join(f"int p{i}" for i in range(PARAMETERS))
        self.plant("db/a.c", f"int a({many})\n{{\n    x();\n}}\n")
        self.assertEqual(too_large(self.root), [])
        self.plant("db/a.c",
                   f"static int a({many},\n             int (*f)(int, int))\n{{\n" + "    x();\n" * 51 + "}\n")
        self.plant("db/b.c", "/* " + "x" * COLUMNS + " */\n" + "\n" * FILE_LINES)
        for i in range(FOLDER_FILES):
            self.plant(f"query/forms/svg/{i}.h", "")
        self.assertEqual(too_large(self.root), [
            "db/a.c:3: a has 51 lines, more than 50",
            "db/a.c:3: a has 8 parameters, more than 7",
            "db/b.c: 501 lines, more than 500",
            "db/b.c:1: 126 columns, more than 120",
        ])
        self.plant("query/forms/svg/one_more.h", "")
        self.assertEqual(too_large(self.root)[0], "query/forms/svg: 26 files, more than 25")


if __name__ == "__main__":
    unittest.main()
