#!/usr/bin/env python3
"""Compiles the built-in puzzles in: embed.py OUTPUT.c FILE...

Writes one C file with the text of every definition and the two tables that catalog/catalog.c looks names up in, sorted
by name. A puzzle's name is its file's, without ".yaml". The output depends on the files' names and contents alone.
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
    """One definition as a C array."""
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
        '#include "catalog/catalog.h"\n'
        '#include "catalog/catalog.h"\n\n'
        f"{arrays}"
        f"const char *const catalog_names[] = {{\n{names}    NULL,\n}};\n\n"
        f"const struct catalog_entry catalog_entries[] = {{\n{entries}}};\n"
    )


def main():
    if len(sys.argv) < 3:
        sys.exit("usage: embed.py OUTPUT.c FILE...")
    output, *paths = sys.argv[1:]
    try:
        pathlib.Path(output).write_text(c_source(read_definitions(paths)), encoding="ascii")
    except OSError as error:
        sys.exit(f"embed.py: {error}")


if __name__ == "__main__":
    main()
