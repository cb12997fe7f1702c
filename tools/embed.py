#!/usr/bin/env python3
"""Compiles files in.

embed.py OUTPUT.c FILE...                     the built-in puzzles
embed.py --page OUTPUT.c DEPFILE FOLDER FILE  the page of pdb-serve

Writes one C file. That of the puzzles has the text of every definition and the two tables that catalog/catalog.c looks
names up in, sorted by name; a puzzle's name is its file's, without ".yaml". That of the page has the table that
serve/page.h declares: all files below the folder, by their paths in it, and the other one, which describes the
interface, as /api/ and its name. DEPFILE tells ninja what was looked at, so that a file that is added is seen. The
output depends on the files' names and contents alone.
"""

import pathlib
import re
import sys

BYTES_PER_LINE = 24
NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def read_definitions(paths):
    """The definitions as a dictionary from name to bytes, sorted by name."""
    texts = {}
    for path in map(pathlib.Path, paths):
        name = path.stem
        if path.suffix != ".yaml" or not NAME.fullmatch(name):
            sys.exit(f"{path}: a built-in puzzle's file is called NAME.yaml, NAME of a-z, 0-9 and single '-'")
        if name in texts:
            sys.exit(f"{path}: there are two puzzles of this name")
        texts[name] = path.read_bytes()
        if not texts[name]:
            sys.exit(f"{path}: the file is empty")
    return dict(sorted(texts.items()))


def c_array(number, name, text):
    """One file as a C array."""
    lines = (text[at : at + BYTES_PER_LINE] for at in range(0, len(text), BYTES_PER_LINE))
    body = "".join("    " + ",".join(map(str, line)) + ",\n" for line in lines)
    return f"static const unsigned char text_{number}[] = {{ /* {name} */\n{body}}};\n\n"


def c_source(texts):
    """The whole C file."""
    arrays = "".join(c_array(number, name, text) for number, (name, text) in enumerate(texts.items()))
    names = "".join(f'    "{name}",\n' for name in texts)
    entries = "".join(f'    {{"{name}.yaml", text_{number}, sizeof text_{number}}},\n' for number, name in enumerate(texts))
    return (
        "/* The built-in puzzles. Made by tools/embed.py: edit the files under puzzles/ instead. */\n"
        '#include "catalog/catalog.h"\n\n'
        f"{arrays}"
        f"const char *const catalog_names[] = {{\n{names}    NULL,\n}};\n\n"
        f"const struct catalog_entry catalog_entries[] = {{\n{entries}}};\n"
    )


def read_page(folder, other):
    """The files of the page, as a dictionary from what is asked for to bytes, and all that was looked at."""
    looked_at = [folder, *sorted(folder.rglob("*"))]
    found = {"/" + path.relative_to(folder).as_posix(): path for path in looked_at if path.is_file()}
    found["/api/" + other.name] = other
    for name in found:
        if not re.fullmatch(r"(/[A-Za-z0-9_.-]+)+", name):
            sys.exit(f"{found[name]}: a file of the page is called with letters, digits, '-', '_' and '.'")
    return {name: path.read_bytes() for name, path in found.items()}, [*looked_at, other]


def page_source(texts):
    """The whole C file of the page."""
    arrays = "".join(c_array(number, name, text or b"\n") for number, (name, text) in enumerate(texts.items()))
    entries = "".join(f'    {{"{name}", text_{number}, sizeof text_{number}}},\n' for number, name in enumerate(texts))
    return (
        "/* The page. Made by tools/embed.py: edit the files under serve/page/ instead. */\n"
        '#include "serve/page.h"\n\n'
        f"{arrays}"
        f"const struct embedded page_files[] = {{\n{entries}    {{0}},\n}};\n"
    )


def main():
    if len(sys.argv) < 3 or (sys.argv[1] == "--page" and len(sys.argv) != 6):
        sys.exit("usage: embed.py OUTPUT.c FILE...  or  embed.py --page OUTPUT.c DEPFILE FOLDER FILE")
    try:
        if sys.argv[1] == "--page":
            output, dependencies, folder, other = map(pathlib.Path, sys.argv[2:])
            texts, looked_at = read_page(folder, other)
            output.write_text(page_source(texts), encoding="ascii")
            dependencies.write_text(f"{output}: {' '.join(str(path).replace(' ', chr(92) + ' ') for path in looked_at)}\n")
            return
        output, *paths = sys.argv[1:]
        pathlib.Path(output).write_text(c_source(read_definitions(paths)), encoding="ascii")
    except OSError as error:
        sys.exit(f"embed.py: {error}")


if __name__ == "__main__":
    main()
