"""README.md, the pages under docs/ and the manual pages: every example is run, and its output compared.

In Markdown, a block of ```console has commands ("$ ", gone on with by "> ") with their output below, standard error
included, and a block of ```yaml after a line "`NAME`:" is a file of that name. In a manual page (mdoc), a literal
display that begins with "$ " is such a console, and one after a line ".Pa NAME :" such a file. Everything of one page
happens in one directory, in order. Durations, trailing blanks and the home directory (~) may differ, nothing else; a
line "..." stands for any lines. The two scripts at the root, which install packages, are not run: what they run has to
follow. Pictures that the tour's commands draw are those of docs/pictures.

Options are held against the programs' own tables, keys of definitions against the families'.

What the tour does with the installed library happens with an installation; not under sanitizers, which programs would
have to know of.

`python3 test_docs.py --update` writes what really comes out into the pages.
"""

import fnmatch
import pathlib
import re
import subprocess
import sys
import unittest

from helpers.harness import GEN, QUERY, SERVE, SHORT, SOURCE, Case, needs, option_table
from helpers.installed import HEADERS, SANITIZED, Stage

# Each page, and how many examples it has at least.
PAGES = {
    "README.md": 9, "docs/tour.md": 30, "docs/makers.md": 5, "docs/definitions.md": 15, "docs/families/walk.md": 3,
    "docs/families/permute.md": 5, "docs/families/flip.md": 8, "docs/families/peg.md": 6, "docs/families/place.md": 12,
    "docs/families/rules.md": 12, "docs/families/guess.md": 6, "docs/families/express.md": 13, "docs/man/pdb-gen.1": 6, "docs/man/pdb-query.1": 9,
    "docs/man/pdb.5": 5
}
FOLLOWED = ("README.md", "docs/definitions.md", "docs/families/walk.md") if SHORT else tuple(PAGES)  # now
MANUALS = {name: SOURCE / f"docs/man/{name}.1" for name in ("pdb-gen", "pdb-query", "pdb-serve")}
SCRIPTS = ("./try-goat", "./run-tests")
INSTALLED = ("cc ", "./next_move ", "python3 examples/")  # commands that take an installation begin like this

# All pages for people; those of which no example is run too.
MARKDOWN = [
    SOURCE / "README.md", SOURCE / "CONTRIBUTING.md", SOURCE / "bench/README.md",
    *sorted((SOURCE / "docs").rglob("*.md")),
]


def families():
    """The families there are, and the keys that each knows, as the source has them."""
    found = {}
    for source in [*(SOURCE / "lib/families").rglob("*.c"), *(SOURCE / "items").rglob("*.c")]:
        text = source.read_text()
        family = re.search(r"^const struct (?:items_)?family \w+ = \{\s*\.name = \"(\w+)\"", text, re.MULTILINE)
        if family is not None:
            keys = re.search(r"^static const char \*const \w*keys\[\] = \{(.*?)\}", text, re.MULTILINE | re.DOTALL)[1]
            found[family[1]] = set(re.findall(r'"([\w-]+)"', keys))
    assert len(found) >= 8
    return found


class Markdown:
    """How examples are written in Markdown: fenced blocks."""

    begin, end = re.compile(r"```(?P<language>\w*)"), "```"
    file_name = re.compile(r".*`([\w.-]+)`.*:")

    @staticmethod
    def read(line):
        return line

    write = read

    @staticmethod
    def language(begin, lines):
        return begin["language"]


class Manual:
    """How they are written in mdoc: literal displays."""

    begin, end = re.compile(r"\.Bd -literal -offset indent"), ".Ed"
    file_name = re.compile(r"\.Pa ([\w.-]+) :")

    @staticmethod
    def read(line):
        return line.replace("\\&", "").replace("\\e", "\\")

    @staticmethod
    def write(line):
        line = line.replace("\\", "\\e")
        return "\\&" + line if line.startswith((".", "'")) else line

    @staticmethod
    def language(begin, lines):
        return "console" if lines and lines[0].startswith("$ ") else "yaml"


def markup(page):
    return Markdown if page.endswith(".md") else Manual


class Block:
    """An example: its language, the file that it is (or None), the number of its first line, and its lines."""

    def __init__(self, language, file, first, lines):
        self.language, self.file, self.first, self.lines = language, file, first, lines


def blocks(page):
    how, before, begin = markup(page), "", None
    for number, line in enumerate((SOURCE / page).read_text().splitlines()):
        if begin is None:
            begin, first, lines = how.begin.fullmatch(line), number + 1, []
            before = line if line.strip() and begin is None else before
        elif line == how.end:
            name = how.file_name.fullmatch(before)
            yield Block(how.language(begin, lines), name and name[1], first, lines)
            begin, before = None, line
        else:
            lines.append(how.read(line))
    assert begin is None, "a block without an end"


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
    def begin(self, page):
        """A home for the page, and a directory in it with the programs where the build has them."""
        self.home = self.dir / page.replace("/", " ")
        self.work = self.home / "pdb"
        for program in (GEN, QUERY):
            name = pathlib.Path(program).name
            place = self.work / "build" / name.removeprefix("pdb-")
            place.mkdir(parents=True)
            (place / name).symlink_to(program)
        (self.work / "examples").symlink_to(SOURCE / "examples")
        programs = f"{self.work}/build/gen:{self.work}/build/query"
        self.exports = "" if page == "README.md" else f"export PATH='{programs}':\"$PATH\"\n"
        self.stage, self.code = None, 0

    def installed(self):
        """What finds an installation, which is made when it is first wanted."""
        if self.stage is None:
            self.stage = Stage()
            self.addCleanup(self.stage.remove)
        return self.stage.environment

    def run_command(self, command):
        """Output and error as one, as a terminal shows them. What is exported lasts; $? is the last command's."""
        if command.startswith("export "):
            self.exports += command + "\n"
        environment = self.environment(self.home, **(self.installed() if command.startswith(INSTALLED) else {}))
        done = subprocess.run(["bash", "-c", f"{self.exports}(exit {self.code})\n{command}"], cwd=self.work,
                              env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=200)
        self.code = done.returncode
        return done.stdout.decode().replace(str(self.home), "~").splitlines()

    def follow(self, page, check):
        """Goes through a page, calling check(block, command, expected lines, found lines)."""
        self.begin(page)
        count = 0
        for block in blocks(page):
            if block.language == "yaml" and block.file is not None:
                (self.work / block.file).write_text("\n".join(block.lines) + "\n")
            if block.language != "console":
                continue
            self.assertTrue(block.lines and block.lines[0].startswith("$ "), f"{page}:{block.first + 1}: no command")
            for command, expected in examples(block):
                if command in SCRIPTS:
                    self.scripted = (SOURCE / command).read_text().splitlines()
                    continue
                if SANITIZED and command.startswith(INSTALLED):
                    continue
                if command.startswith("build/"):
                    self.assertIn(f"run {command}", self.scripted, "the script runs what the page shows")
                count += 1
                check(block, command, expected, self.run_command(command))
        return count

    def test_pages(self):
        for page in FOLLOWED:
            least = PAGES[page]
            with self.subTest(page):
                def compare(block, command, expected, found):
                    with self.subTest(page=page, line=block.first + 1, command=command):
                        if not fits(expected, found):
                            self.assertEqual(normal(expected), normal(found))
                            self.fail("these differ")
                self.assertGreaterEqual(self.follow(page, compare), least)
            if page == "docs/tour.md":
                for picture in (SOURCE / "docs/pictures").glob("*.svg"):
                    with self.subTest(picture.name):
                        self.assertEqual((self.work / picture.name).read_text(), picture.read_text(),
                                         "tools/pictures draws it anew")

    def test_every_exit_code_is_named(self):
        text = (SOURCE / "docs/tour.md").read_text()
        for code in (0, 1, 2, 3, 4, 130):
            self.assertIn(f"\n| {code} | ", text)


class Names(Case):
    """What the documents point at is there, and what is there has its document."""

    def assert_links_hold(self, pages):
        for page in pages:
            for target, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]+))?\)", page.read_text()):
                with self.subTest(page=page.name, target=target, anchor=anchor):
                    linked = page.parent / target if target else page
                    self.assertTrue(linked.exists())
                    if anchor:
                        heads = re.findall(r"^#+ (.*)", linked.read_text(), re.MULTILINE)
                        self.assertIn(anchor,
                                      [re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads])

    def test_links(self):
        self.assert_links_hold(MARKDOWN)

    def test_installed_links(self):
        stage = Stage()
        self.addCleanup(stage.remove)
        pages = [path for path in stage.files.values() if path.suffix == ".md"]
        self.assertGreaterEqual(len(pages), len(MARKDOWN))
        self.assert_links_hold(pages)

    def test_paths(self):
        """What looks like a path of the source is one, or the end of one. (NAME stands for any name; what a page's
        examples make is not meant.)"""
        paths = [
            "/" + str(path.relative_to(SOURCE)) for top in SOURCE.iterdir()
            if not top.name.startswith(("build", ".git")) for path in (top, *top.rglob("*"))
        ]
        directories = {path.split("/")[-2] for path in paths}
        found, made = 0, {"my-puzzle.yaml", "reader.py"}
        for page in MARKDOWN:
            made |= {block.file for block in blocks(str(page))}
            text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
            for word in " ".join(re.findall(r"`([^`]+)`", text)).split():
                name = re.fullmatch(r"(?:\./)?((?:[\w.*-]+/)+[\w.*-]*|[a-z][\w*-]*\.(?:c|h|py|md|build|yaml|[135]))",
                                    word)
                if name is None or "/" in word and name[1].split("/")[0] not in directories or word in made:
                    continue
                found += 1
                with self.subTest(page=page.name, word=word):
                    self.assertTrue(fnmatch.filter(paths, "*/" + name[1].replace("NAME", "*").rstrip("/")))
        self.assertGreater(found, 200)

    def test_plan_of_larger_spaces(self):
        """It is what tools/scale-plan works out."""
        plan = subprocess.run([SOURCE / "tools/scale-plan"], capture_output=True, text=True, check=True).stdout
        self.assertGreater(plan.count("\n"), 3)
        self.assertIn(plan, (SOURCE / "docs/scale.md").read_text())

    def test_families(self):
        page = (SOURCE / "docs/definitions.md").read_text()
        for family in families():
            with self.subTest(family):
                self.assertRegex(page, rf"(?m)^\| \[`{family}`\]")
                self.assertTrue(family == "slide" or f"docs/families/{family}.md" in PAGES)

    def test_puzzles(self):
        """Every built-in puzzle is named in README or in a page under docs/."""
        text = "".join(page.read_text() for page in MARKDOWN)
        for line in self.gen("--list").lines:
            with self.subTest(line.split()[0]):
                self.assertRegex(text, rf"[` ]{re.escape(line.split()[0])}\b")


class Options(Case):
    """The manual pages name the options that the programs have, no more, with the same arguments; pdb(5) the keys of
    all families."""

    def test_options(self):
        for program, page in MANUALS.items():
            shown = {}
            for line in re.findall(r"^\.It (Fl .*)", page.read_text(), re.MULTILINE):
                short = re.match(r"Fl (\w)\b", line)
                name = re.search(r"Fl -([\w-]+)", line)[1]
                argument = "optional" if "Ns Op = Ns Ar" in line else "required" if "Ns = Ns Ar" in line else "no"
                shown[name] = (argument, short and short[1])
            self.assertEqual(shown, option_table(program))

    def test_help(self):
        for program, path in (("pdb-gen", GEN), ("pdb-query", QUERY), *([("pdb-serve", SERVE)] if SERVE else [])):
            shown = {}
            for short, name, argument in re.findall(r"^ +(?:-(\w), )?--([\w-]+)(\[?=?)",
                                                    self.run_program(path, "--help").out, re.MULTILINE):
                shown[name] = ({"": "no", "=": "required", "[=": "optional"}[argument], short or None)
            self.assertEqual(shown, option_table(program))

    def test_keys(self):
        """Every key that a family knows stands in its section, and no other does."""
        page = (SOURCE / "docs/man/pdb.5").read_text()
        for family, keys in families().items():
            with self.subTest(family):
                section = re.search(rf"^\.Ss {family}: .*?\n(?=\.S[sh])", page, re.MULTILINE | re.DOTALL)
                self.assertIsNotNone(section)
                shown = set(re.findall(r"[\w-]+", " ".join(re.findall(r"^\.It Ic (.*)", section[0], re.MULTILINE))))
                self.assertEqual(shown, keys - {"glyphs"})

    def test_play(self):
        """The keys of the game are those that its help knows, the first 14 columns of each line."""
        source = re.search(r"play_help\[\] = \{(.*?)NULL", (SOURCE / "query/play/keys.c").read_text(), re.DOTALL)[1]
        known = [" ".join(line[:14].split()) for line in re.findall(r'"(.*)",', source)]
        section = MANUALS["pdb-query"].read_text().split(".Sh PLAYING")[1].split(".Sh")[0]
        self.assertEqual([Manual.read(keys) for keys in re.findall(r'^\.It Li "(.*)"', section, re.MULTILINE)], known)

    def test_exit_codes(self):
        for program, page in MANUALS.items():
            section = page.read_text().split(".Sh EXIT STATUS")[1].split(".Sh")[0]
            codes = ["0", "2", "3"] if program == "pdb-serve" else ["0", "1", "2", "3", "4", "130"]
            self.assertEqual(re.findall(r"^\.It (\d+)", section, re.MULTILINE), codes)

    def test_library(self):
        """The page of the library has the functions of the header, all of them, with their parameters where it gives
        them; its example compiles."""
        page = SOURCE / "docs/man/libpdb.3"
        header = "".join((SOURCE / "include" / name).read_text() for name in HEADERS)
        plain = re.sub(r"\s+", " ", header)
        for name, parameters in re.findall(r"^\.Fn (\w+)((?: \"[^\"]*\")*)",
                                           page.read_text().replace("\\\n", ""), re.MULTILINE):
            with self.subTest(name):
                self.assertIn(f"{name}(" + ", ".join(re.findall(r'"([^"]*)"', parameters)), plain)
        named = set(re.findall(r"^\.Fn (\w+)", page.read_text(), re.MULTILINE))
        code = re.sub(r"/\*.*?\*/", "", header, flags=re.DOTALL)
        self.assertEqual(named, set(re.findall(r"\b(pdb_\w+)\([^()]*\);", code)) - {"pdb_observer", "pdb_path_visitor", "pdb_board_visitor"})
        example = next(block for block in blocks("docs/man/libpdb.3") if block.file == "distance.c")
        source = self.write(example.file, "\n".join(example.lines) + "\n")
        done = subprocess.run(
            ["cc", "-fsyntax-only", "-std=c11", "-Wall", "-Wextra", "-Werror", "-I", SOURCE / "include", source],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual((done.returncode, done.stdout.decode()), (0, ""))

    @needs("mandoc")
    def test_mdoc(self):
        for page in (SOURCE / "docs/man").iterdir():
            done = subprocess.run(["mandoc", "-Tlint", "-Wwarning", page], stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT)
            self.assertEqual((done.returncode, done.stdout.decode()), (0, ""))


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
                replaced.setdefault(block.first, []).extend(shown + ([""] if not last and lines else []))

            self.follow(page, replace)
            lines = (SOURCE / page).read_text().splitlines()
            for begin in sorted(replaced, reverse=True):
                end = begin + lines[begin:].index(markup(page).end)
                kept = lines[begin:begin + 2] if lines[begin][2:] in SCRIPTS else []
                lines[begin:end] = kept + [markup(page).write(line) for line in replaced[begin]]
            (SOURCE / page).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    if "--update" in sys.argv:
        sys.exit(not unittest.TextTestRunner().run(unittest.TestSuite([Update()])).wasSuccessful())
    unittest.main(defaultTest=["Pages", "Names", "Options"])
