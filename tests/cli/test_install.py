"""What is installed: the shared library and what it shows, the header, pkg-config, the examples; and the package's
description."""

import re
import shutil
import subprocess
import sys
import unittest

from helpers.harness import GOAT_GOAL, GOAT_SEED, SOURCE
from helpers.installed import CC, SANITIZED, StageCase, functions, preloaded

# What the library may stand on.
NEEDED = {
    "liblmdb", "libjansson", "libyaml-0", "libz", "libc", "libm", "ld-linux-x86-64", "ld-linux-aarch64"
}

CXX = next(filter(shutil.which, ("g++", "clang++")), None)


class Library(StageCase):
    def output(self, *command):
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def test_shows_what_the_header_declares(self):
        lines = self.output("nm", "-D", "--defined-only", str(self.stage.library)).splitlines()
        shown = {name.split("@")[0]: kind for _, kind, name in map(str.split, lines)}
        self.assertEqual(shown.pop("LIBPDB_0"), "A")
        self.assertEqual(shown, dict.fromkeys(functions(), "T"))
        self.assertGreater(len(shown), 35)

    def test_name_and_needs(self):
        dynamic = self.output("readelf", "-d", str(self.stage.library))
        self.assertEqual(re.findall(r"Library soname: \[(.*)\]", dynamic), ["libpdb.so.0"])
        needed = {name.split(".so")[0] for name in re.findall(r"Shared library: \[(.*)\]", dynamic)}
        self.assertLessEqual(needed - ({"libasan", "libubsan"} if SANITIZED else set()), NEEDED)
        self.assertNotRegex(self.output("ldd", "-r", str(self.stage.library)), "undefined symbol|not found")
        self.assertNotRegex(dynamic, "RPATH|RUNPATH")
        self.assertNotIn("TEXTREL", dynamic)

    def test_header_compiles_everywhere(self):
        self.compile_header(CC, "c", ("c99", "c17"))

    @unittest.skipUnless(CXX, "g++ is missing")
    def test_header_compiles_as_cxx(self):
        self.compile_header([CXX], "c++", ("c++11", "c++20"))

    def compile_header(self, compiler, language, standards):
        source = self.write("only.c", "#include <pdb.h>\n#include <pdb.h>\npdb_move move;\n")
        for standard in standards:
            with self.subTest(standard):
                done = self.run_program(*compiler, "-fsyntax-only", "-x", language, f"-std={standard}", "-Wall",
                                        "-Wextra", "-Werror", "-pedantic", *self.pkg_config("--cflags"), source)
                self.assertEqual((done.code, done.err), (0, ""), done)


class Installed(StageCase):
    def test_files(self):
        names = {path.name for path in self.stage.files.values()}
        for name in ("pdb-gen", "pdb-query", "api.md", "libpdb.so", "libpdb.so.0", "pdb.h", "pdb_puzzle.h", "pdb.pc", "libpdb.py", "next_move.c",
                     "next_move.py", "farthest.py", "README.md", "LICENSE", "tour.md", "definitions.md", "format.md", "reliability.md",
                     "walk.md", "goat.svg"):
            self.assertIn(name, names)
        self.assertEqual([name for name in self.stage.files if re.search(r"\.(a|o)$|test_|bench-", name)], [])

    def test_programs(self):
        for name in ("pdb-gen", "pdb-query"):
            self.assert_answer(self.run_program(self.stage.find(name), "--help"))
            dynamic = subprocess.check_output(["readelf", "-d", str(self.stage.find(name))], text=True)
            self.assertNotRegex(dynamic, "RPATH|RUNPATH", name)  # every library would be looked for there at each start
        self.assert_answer(self.run_program(self.stage.find("pdb-gen"), "goat"))
        answer = self.assert_answer(self.run_program(self.stage.find("pdb-query"), "goat", "--json")).json
        self.assertEqual((answer["distance"], answer["method"]), (20, "db"))

    def test_version(self):
        version = self.pkg_config("--modversion")[0]
        for name in ("pdb-gen", "pdb-query"):
            said = self.run_program(self.stage.find(name), "--version").out.split()
            self.assertEqual(said[:2], [name, version])
            git = subprocess.run(["git", "-C", SOURCE, "log", "-1"],
                                 capture_output=True) if shutil.which("git") else None
            if git is not None and git.returncode == 0:
                commit = said[2].strip("()")
                kind = subprocess.run(["git", "-C", SOURCE, "cat-file", "-t", commit], capture_output=True,
                                      text=True).stdout
                self.assertEqual(kind, "commit\n")
        self.assertEqual(re.match(r"\S+ \((.*)\)", (SOURCE / "debian/changelog").read_text()).group(1), version)


class Example:
    """What both examples have to do."""

    def test_says_what_pdb_query_says(self):
        self.assert_answer(self.gen("-q", "goat"))
        for puzzle, board in (("goat", "start"), ("goat", GOAT_SEED), ("goat", "1,8,9,10,2,5,0,7,3,8,4,6"),
                              ("goat", GOAT_GOAL), ("knights", "start"),
                              ("15-puzzle", "1 2 3 4 5 6 7 8 9 10 11 12 . 13 14 15")):
            with self.subTest(puzzle=puzzle, board=board):
                hint = self.assert_answer(self.query("--hint=3", "--ascii", puzzle, board)).out
                self.assertEqual(self.assert_answer(self.next_move(puzzle, board)).out, hint)
        self.assertEqual(self.next_move("tiles-2x3", "12354.").out, "the goal cannot be reached\n")

    def test_complaints(self):
        for arguments, complaint in (((), "usage: "), (("goat",), "usage: "), (("gaot", "start"), "unknown puzzle"),
                                     (("knights", "w.b"), "3 cells given")):
            result = self.next_move(*arguments)
            self.assertEqual((result.code != 0, result.out), (True, ""), result)
            self.assertRegex(result.err, rf"\A(next_move\S*: )?{complaint}[^\n]*\n\Z")
        self.assert_answer(self.gen("-q", "goat"))
        base = self.dir / ".local/share/pdb/goat.pdb"
        base.write_bytes(base.read_bytes()[:-1])
        self.assertRegex(
            self.next_move("goat", "start").err, r"\Anext_move\S*: [^\n]*/goat\.pdb was cut short[^\n]*\n\Z")


class ExampleInC(Example, StageCase):
    def setUp(self):
        super().setUp()
        self.compile(self.stage.find("next_move.c"), self.dir / "next move", "-std=c99", "-pedantic",
                     *self.pkg_config("--cflags", "--libs"))

    def next_move(self, *arguments):
        return self.run_program(self.dir / "next move", *arguments, env=self.stage.environment)


class ExampleInPython(Example, StageCase):
    def next_move(self, *arguments):
        return self.run_program(sys.executable, self.stage.find("next_move.py"), *arguments,
                                env={**self.stage.environment, **preloaded()})


class Package(unittest.TestCase):
    def test_what_building_takes(self):
        """tools/install-packages and debian/control name the same packages; a compiler is there for every Debian
        package."""
        script = (SOURCE / "tools/install-packages").read_text()
        build = set(re.search(r"^packages=\((.*)\)$", script, re.MULTILINE).group(1).split()) - {"gcc", "libc6-dev"}
        control = (SOURCE / "debian/control").read_text()
        depends = re.search(r"^Build-Depends:(.*?)^\S", control, re.MULTILINE | re.DOTALL).group(1)
        named = {re.split(r"[ :(]", package.strip())[0] for package in depends.split(",")}
        self.assertEqual(build - named, set())
        self.assertEqual(named - build, {"debhelper-compat", "dh-python"})


if __name__ == "__main__":
    unittest.main()
