"""README.md, docs/definitions.md and the families' pages: every example is run, and its output compared.

A block of ```console has commands ("$ ", gone on with by "> ") with their output below, standard error included. A block of ```yaml
after a line "`NAME`:" is a file of that name. Everything of one page happens in one directory, in order. Durations, trailing blanks and the home
directory (~) may differ, nothing else; a line "..." stands for any lines. The two scripts at the root, which install packages, are not run: what they run
has to follow.

`python3 test_docs.py --update`, with the three variables that meson.build sets, writes what really comes out into the pages.
"""

import pathlib
import re
import subprocess
import sys
import unittest

from harness import GEN, QUERY, SOURCE, Case

# Each page, and how many examples it has at least.
PAGES = {"README.md": 15, "docs/definitions.md": 15, "docs/families/walk.md": 3, "docs/families/permute.md": 5,
         "docs/families/flip.md": 8, "docs/families/peg.md": 6, "docs/families/place.md": 12,
         "docs/families/guess.md": 6, "docs/families/express.md": 13}
SCRIPTS = ("./try-goat", "./run-tests")


class Block:
    """A fenced block: its language, the lines inside and where they begin."""

    def __init__(self, language, begin, before):
        self.language, self.begin, self.before, self.lines = language, begin, before, []


def blocks(text):
    block, before = None, ""
    for number, line in enumerate(text.splitlines()):
        if block is None and line.startswith("```"):
            block = Block(line[3:].strip(), number + 1, before)
        elif block is not None and line == "```":
            yield block
            block = None
        elif block is not None:
            block.lines.append(line)
        elif line.strip():
            before = line
    assert block is None, "a block without an end"


def examples(block):
    """Pairs of a command and the lines below it."""
    found = []
    for line in block.lines:
        if line.startswith("$ "):
            found.append([line[2:], []])
        elif line.startswith("> ") and found and not found[-1][1]:
            found[-1][0] += "\n" + line[2:]
        else:
            found[-1][1].append(line)
    return found


def normal(lines):
    """What is compared: no trailing blanks, no durations."""
    text = "\n".join(line.rstrip() for line in lines).rstrip("\n")
    return re.sub(r'"seconds":[0-9.e-]+', '"seconds":#', re.sub(r"\b\d+\.\d\d s\b", "# s", text))


def fits(expected, found):
    pattern = ".*".join(re.escape(part) for part in re.split(r"^\.\.\.$", normal(expected), flags=re.MULTILINE))
    return re.fullmatch(pattern, normal(found), re.DOTALL) is not None


class Pages(Case):
    def setUp(self):
        super().setUp()
        self.work = self.dir / "pdb"
        for program in (GEN, QUERY):
            name = pathlib.Path(program).name
            place = self.work / "build" / name.removeprefix("pdb-")
            place.mkdir(parents=True)
            (place / name).symlink_to(program)
        self.exports = ""

    def run_command(self, command):
        """Output and error as one, as a terminal shows them. What is exported lasts; $? is the last command's."""
        if command.startswith("export "):
            self.exports += command + "\n"
        done = subprocess.run(["bash", "-c", f"{self.exports}(exit {getattr(self, 'code', 0)})\n{command}"], cwd=self.work,
                              env=self.environment(self.dir), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=200)
        self.code = done.returncode
        return done.stdout.decode().replace(str(self.dir), "~").splitlines()

    def follow(self, page, check):
        """Goes through a page, calling check(block, command, expected lines, found lines)."""
        text = (SOURCE / page).read_text()
        count = 0
        for block in blocks(text):
            name = re.fullmatch(r".*`([\w.-]+)`.*:", block.before)
            if block.language == "yaml" and name:
                (self.work / name[1]).write_text("\n".join(block.lines) + "\n")
            if block.language != "console":
                continue
            self.assertTrue(block.lines and block.lines[0].startswith("$ "), f"{page}:{block.begin + 1}: no command")
            for command, expected in examples(block):
                if command in SCRIPTS:
                    self.scripted = (SOURCE / command).read_text().splitlines()
                    continue
                if command.startswith("build/"):
                    self.assertIn(f"run {command}", self.scripted, "the script runs what the page shows")
                count += 1
                check(block, command, expected, self.run_command(command))
        return count

    def test_pages(self):
        for page, least in PAGES.items():
            with self.subTest(page):
                def compare(block, command, expected, found):
                    with self.subTest(page=page, line=block.begin + 1, command=command):
                        if not fits(expected, found):
                            self.assertEqual(normal(expected), normal(found))
                            self.fail("these differ")
                self.assertGreaterEqual(self.follow(page, compare), least)

    def test_links(self):
        for page in PAGES:
            text = (SOURCE / page).read_text()
            for target in re.findall(r"\]\(([^)#]+)\)", text):
                with self.subTest(page=page, target=target):
                    self.assertTrue((SOURCE / page).parent.joinpath(target).exists())

    def test_every_exit_code_is_named(self):
        text = (SOURCE / "README.md").read_text()
        for code in (0, 1, 2, 3, 4, 130):
            self.assertIn(f"\n| {code} | ", text)


class Update(Pages):
    """Not a test: writes the real outputs into the pages."""

    def runTest(self):
        for page in PAGES:
            replaced = {}

            def replace(block, command, expected, found):
                last = command == examples(block)[-1][0]
                lines = expected if fits(expected, found) else [line.rstrip() for line in found]
                while lines and not lines[-1]:
                    lines = lines[:-1]
                shown = ["$ " + command.replace("\n", "\n> ")] + [line.rstrip() for line in lines]
                replaced.setdefault(block.begin, []).extend(shown + ([""] if not last and lines else []))

            self.follow(page, replace)
            lines = (SOURCE / page).read_text().splitlines()
            for begin in sorted(replaced, reverse=True):
                end = begin + lines[begin:].index("```")
                kept = lines[begin:begin + 2] if lines[begin][2:] in SCRIPTS else []
                lines[begin:end] = kept + replaced[begin]
            (SOURCE / page).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    if "--update" in sys.argv:
        sys.exit(not unittest.TextTestRunner().run(unittest.TestSuite([Update()])).wasSuccessful())
    unittest.main(defaultTest=["Pages"])
