"""What strangers put in pdb's way: odd files under a database's names, odd names, definitions that are none or ask for
too much. Nothing is written outside the directory for databases, nothing hangs, and every complaint is one line."""

import os
import pathlib
import random
import resource
import signal
import socket
import subprocess
import time
import unittest

from helpers.harness import GEN, QUERY, TINY, Case, GoatCase, Result

SUFFIXES = ("", ".new", ".partial", ".partial.new")


class Streams(Case):
    """Standard streams that are closed, full, or that nobody reads."""

    BUILD = ["-m", "300K", "24-puzzle"]  # says something while the database's file is open

    def test_closed_standard_error(self):
        """What is said is not said into the database."""
        self.assert_answer(self.gen("-q", "-d", self.db, *self.BUILD))
        for closed in ((2,), (0, 2), (1, 2), (0, 1, 2)):
            directory = self.dir / "".join(map(str, closed))
            result = self.gen("-d", directory, *self.BUILD, preexec_fn=lambda: [os.close(stream) for stream in closed])
            self.assertEqual(result.code, 3 if 1 in closed else 0, closed)
            self.assertEqual((directory / "24-puzzle.pdb").read_bytes(), (self.db / "24-puzzle.pdb").read_bytes())

    def test_standard_error_that_nobody_reads(self):
        reading, writing = os.pipe()
        os.close(reading)
        program = subprocess.Popen([GEN, "-d", self.db, *self.BUILD], stdout=subprocess.DEVNULL, stderr=writing,
                                   stdin=subprocess.DEVNULL)
        os.close(writing)
        self.assertEqual(program.wait(200), 0)
        self.assertEqual([path.name for path in self.db.iterdir()], ["24-puzzle.pdb"])

    def test_standard_output_that_may_not_grow(self):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
        path = self.write("tiny.yaml", TINY)
        for program, arguments in ((QUERY, ["--method=search", "--path", path]), (GEN, ["--list"])):
            with open(self.dir / "out", "wb") as out:
                self.assert_complaint(self.run_program(program, *arguments, stdout=out, preexec_fn=limit), 3,
                                      "standard output", "File too large")

    def test_standard_output_that_nobody_reads(self):
        """Somebody has seen enough, as head: no complaint."""
        for program, arguments in ((QUERY, ["goat"]), (GEN, ["--list"])):
            reading, writing = os.pipe()
            os.close(reading)
            with open(writing, "wb") as out:
                self.assertEqual(self.run_program(program, *arguments, stdout=out), Result(0, "", ""))


class Obstacles(Case):
    """Something else stands where the database, its lock, or its checkpoint should."""

    def setUp(self):
        super().setUp()
        self.path = self.write("tiny.yaml", TINY)
        self.victim = self.write("outside/victim", "precious")
        self.db.mkdir()

    def put(self, kind, place):
        {
            "link": lambda: place.symlink_to(self.victim),
            "dangling link": lambda: place.symlink_to(self.dir / "outside" / "none"),
            "loop": lambda: place.symlink_to(place.name),
            "device": lambda: place.symlink_to("/dev/zero"),
            "second name": lambda: os.link(self.victim, place),
            "directory": place.mkdir,
            "pipe": lambda: os.mkfifo(place),
            "socket": lambda: self.listen(place),
        }[kind]()

    def listen(self, place):
        here = os.getcwd()
        os.chdir(place.parent) # a socket's path is short
        try:
            with socket.socket(socket.AF_UNIX) as listener:
                listener.bind(place.name)
        finally:
            os.chdir(here)

    def assert_nothing_outside(self):
        self.assertEqual(self.victim.read_text(), "precious")
        self.assertEqual([path.name for path in self.victim.parent.iterdir()], ["victim"])

    def test_generating(self):
        """It works, or is refused in one line; what the name leads to is not touched."""
        for suffix in SUFFIXES:
            for kind in ("link", "dangling link", "loop", "device", "second name", "directory", "pipe", "socket"):
                with self.subTest(suffix=suffix, kind=kind):
                    place = self.db / f"tiny.pdb{suffix}"
                    self.put(kind, place)
                    result = self.gen("-q", "-d", self.db, self.path)
                    in_the_way = {place.name
                                  } if kind == "directory" else set()  # a directory is nobody's leftover: it stays
                    if result.code == 0:
                        self.assert_answer(result)
                        self.assertEqual({path.name for path in self.db.iterdir()}, {"tiny.pdb"} | in_the_way)
                        self.assertTrue((self.db / "tiny.pdb").is_file() and not (self.db / "tiny.pdb").is_symlink())
                        self.assert_answer(self.gen("-d", self.db, "--verify", self.path))
                    else:
                        self.assert_complaint(result, 3, f"tiny.pdb{suffix}")
                    self.assertEqual(result.code == 0, suffix != ".new" and (suffix, kind) not in
                                     (("", "directory"), (".partial", "loop"), (".partial", "socket")), result)
                    self.assert_nothing_outside()
                    for path in self.db.iterdir():
                        path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()

    def test_asking(self):
        """A link to a database is followed; what is no regular file is refused."""
        expected = {"link": (4, "no database"), "loop": (3, "symbolic links"), "device": (3, "no regular file"),
                    "second name": (4, "no database"), "directory": (3, "directory"), "pipe": (3, "no regular file"),
                    "socket": (3, "No such device")}
        for kind, (code, words) in expected.items():
            place = self.db / "tiny.pdb"
            self.put(kind, place)
            for run in (lambda: self.query("-d", self.db, self.path),
                        lambda: self.gen("-d", self.db, "--verify", self.path)):
                with self.subTest(kind):
                    self.assert_complaint(run(), code, "tiny.pdb", words)
            self.assert_nothing_outside()
            place.rmdir() if kind == "directory" else place.unlink()

    def interrupted(self, where):
        """A generation that is interrupted once it holds its lock: it saves a checkpoint. Returns its exit code."""
        program = self.launch(GEN, "-q", "-d", where, "-j", "1", "tiles-3x4")
        while program.poll() is None and not (where / "tiles-3x4.pdb.new").exists():
            time.sleep(0.002)
        program.send_signal(signal.SIGINT)
        result = self.finish(program)
        self.assertEqual(result.err.count("\n"), 1, result)
        return result.code

    def test_a_checkpoint(self):
        """It is written into a file of its own, whatever stood under its names."""
        for kind in ("link", "dangling link", "second name", "pipe"):
            with self.subTest(kind):
                self.put(kind, self.db / "tiles-3x4.pdb.partial.new")
                self.put(kind, self.db / "tiles-3x4.pdb.partial")
                self.assertEqual(self.interrupted(self.db), 130)
                self.assert_nothing_outside()
                self.assertEqual([path.name for path in self.db.iterdir()], ["tiles-3x4.pdb.partial"])
                (self.db / "tiles-3x4.pdb.partial").unlink()


class InPlace(GoatCase):
    """A file that is changed while somebody reads it, which pdb never does itself."""

    def test_cut_short_while_it_is_read(self):
        self.db.mkdir()
        file = self.db / "goat.pdb"
        good = (self.goat / "goat.pdb").read_bytes()
        for left in (0, 4096, len(good) // 2 // 4096 * 4096):
            file.write_bytes(good)
            program = self.launch(QUERY, "-d", self.db, "goat", "-", stdin=subprocess.PIPE, bufsize=0)
            program.stdin.write(b"start\n")
            self.assertEqual(program.stdout.readline().split(b"\t")[1], b"20")
            os.truncate(file, left)
            boards = [self.ask("--random", f"--seed={seed}", "--json").json["board"] for seed in range(8)]
            self.assert_complaint(self.finish(program, stdin="\n".join(boards)), 4, "cut short", "pdb-gen")


class Names(Case):
    """A puzzle's name becomes a file's."""

    def test_names_that_are_refused(self):
        names = [
            "../evil", "/tmp/evil", "a/b", "..", ".", ".hidden", "-dash", "-rf", "", "a b", "a\\b", "a:b", "a*", "a;b",
            "$HOME", "`id`", "a'b", "羊", "é", "n" * 65, "n" * 5000, "a%2fb", "~", "con|", '"quoted"'
        ]
        self.write("tiny.yaml", TINY)
        for name in names:
            quoted = "'" + name.replace("'", "''") + "'"
            with self.subTest(name):
                path = self.write("named.yaml", TINY.replace("tiny", quoted))
                for result in (self.gen("-d", self.db, path), self.query("-d", self.db, path)):
                    self.assert_complaint(result, 2, "named.yaml:1:9: ")
        for escaped in ("a\u202eb", '"a\\u202eb"', '"a\\0b"', '"a\\nb"', '"a\\eb"', '"..\\/evil"', '"\\x2e\\x2e\\x2fevil"'):
            with self.subTest(escaped):
                self.assert_complaint(self.gen("-d", self.db, self.write("named.yaml", TINY.replace("tiny", escaped))),
                                      2, "named.yaml:1:")
        self.assertEqual(sorted(path.name for path in self.dir.iterdir()), ["named.yaml", "tiny.yaml"])

    def test_names_that_are_taken(self):
        for name in ("n" * 64, "0", "a..b", "goat.pdb", "tiny.pdb.new", "A_b-c.D"):
            with self.subTest(name):
                path = self.write("named.yaml", TINY.replace("tiny", name))
                self.assert_answer(self.gen("-d", self.db, path))
                self.assertTrue((self.db / f"{name}.pdb").is_file())
                self.assertEqual(
                    self.assert_answer(self.query("-d", self.db, "--method=db", "--hint", path)).out,
                    "21 moves from the goal\n")

    def test_built_in_names(self):
        """What a name is made into stays in the directory, too."""
        for word in ("alphametic:../A+B=C", "tiles-2x2/../../x", "tiles-999999999999x3", "queens-0",
                     "alphametic:" + "A" * 5000, "tiles-2x\n3", "goat\x1b[31m", "\u202egoat"):
            with self.subTest(word):
                result = self.gen("-d", self.db, word)
                self.assertIn(result.code, (2, 3), result)
                self.assert_complaint(result, result.code)
                self.assertNotIn("\x1b", result.err)
        self.assertEqual(list(self.dir.iterdir()), [])
        self.assert_answer(self.gen("-d", self.db, "alphametic:NO+GUN+NO=HUNT"))
        self.assertEqual([path.parent for path in self.dir.rglob("*.pdb")], [self.db])


class Definitions(Case):
    """Files that are no definitions, and definitions that ask for too much."""

    def assert_refused(self, path, code, *fragments):
        begin = resource.getrusage(resource.RUSAGE_CHILDREN)
        for run in (self.query, self.gen):
            result = run("-d", self.db, path)
            self.assertIn(result.code, code if isinstance(code, tuple) else (code,), result)
            self.assert_complaint(result, result.code, *fragments)
            self.assertLess(len(result.err), 1100)
        end = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertLess(end.ru_utime + end.ru_stime - begin.ru_utime - begin.ru_stime, 10)

    def test_what_is_no_file(self):
        os.mkfifo(self.dir / "pipe.yaml")
        (self.dir / "loop.yaml").symlink_to("loop.yaml")
        (self.dir / "zero.yaml").symlink_to("/dev/zero")
        (self.dir / "terminal.yaml").symlink_to("/dev/tty")
        for name in ("pipe.yaml", "loop.yaml", "zero.yaml", "terminal.yaml"):
            with self.subTest(name):
                self.assert_refused(self.dir / name, (2, 3), name)

    def test_what_is_no_text(self):
        with open(self.dir / "sparse.yaml", "wb") as file:
            file.truncate(1 << 36)
        texts = {
            "program.yaml": pathlib.Path(QUERY).read_bytes()[:1 << 19], "noise.yaml": random.Random(1).randbytes(5000),
            "zeros.yaml": bytes(5000), "long.yaml": b"#" * 10 ** 8, "line.yaml": b"puzzle: " + b"a" * 10 ** 6,
            "utf16.yaml": "\ufeffpuzzle: a\n".encode("utf-16-le"), "utf32.yaml": "puzzle: a\n".encode("utf-32")
        }
        for name, text in texts.items():
            self.write(name, text)
        for name in (*texts, "sparse.yaml"):
            with self.subTest(name):
                self.assert_refused(self.dir / name, 2, f"{name}:1:")

    def test_bombs(self):
        """A billion laughs, by aliases, by merge keys, by depth, by numbers of keys."""
        laughs = "a0: &a0 [ha, ha]\n" + "".join(f"a{i}: &a{i} [{', '.join(f'*a{i - 1}' for _ in range(9))}]\n"
                                                for i in range(1, 30))
        for name, text in {
            "laughs.yaml": laughs,
            "merge.yaml": "base: &b {a: 1}\nx:\n  <<: *b\n",
            "flow.yaml": "a: " + "[" * 300000,
            "deep.yaml": "a:\n" + "".join(" " * i + "- - -\n" for i in range(1, 700)),
            "keys.yaml": "".join(f"k{i}: 1\n" for i in range(90000)),
            "directives.yaml": "%TAG ! x\n" * 50000 + "--- a\n",
            "tag.yaml": "puzzle: !!python/object/apply:os.system [id]\n",
        }.items():
            with self.subTest(name):
                self.assert_refused(self.write(name, text), 2, f"{name}:")

    def test_too_much(self):
        """Each family has its limits and says them, with the place."""
        wide, letters = "1" * 300, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
        square = "".join("  " + "." * 64 + "\n" for _ in range(64))
        ring = " ".join(map(str, range(1, 257)))
        texts = {
            "slide": f"goal: |\n{square}",
            "slide, a row": f"goal: {wide}.",
            "walk": f"piece: knight\ngoal: |\n{square}",
            "permute, generators": "goal: 1 2 3\ngenerators:\n" + "".join(f"  g{i}: 1 2\n" for i in range(50000)),
            "permute, places": f"places: {' '.join(f'p{i}' for i in range(5000))}\ngenerators: {{a: p1 p2}}\n",
            "flip": f"around: 8\nboard: |\n{square}",
            "peg": f"jumps: orthogonal\nboard: |\n{square.replace('.', '1')}pegs: 1\n",
            "place": f"board: {'.' * 5000}\nvalues: 1-9\ndifferent: all\n",
            "place, values": "board: ....\nvalues: 1-99999999999\n",
            "place, equation": "equation: " + " + ".join("AB" for _ in range(50000)) + " = C\n",
            "guess": f"symbols: {letters}\nlength: 30\nrepeats: true\n",
            "guess, length": "symbols: 01\nlength: 99999999999999999999\n",
            "express": f"digits: {'4 ' * 500}\noperators: + - * /\n",
            "express, digits": "digits: 123456789123456789\noperators: + - * / join power factorial\n",
            "slide, a wide row": f"goal: {' '.join(['a'] * 60000)} .\n",
            "walk, a ring": f"goal: {'a ' * 128}{'. ' * 128}\nedges: [{ring}]\n",
        }
        for name, text in texts.items():
            with self.subTest(name):
                path = self.write("much.yaml", f"puzzle: much\nfamily: {name.split(',')[0]}\n{text}")
                for arguments in (["-m", "64M", "-d", self.db], *([["--check"]] if "walk" not in name else [])):
                    result = self.gen(*arguments, path)
                    self.assertIn(result.code, (2, 3), f"{name} {result!r}")
                    self.assert_complaint(result, result.code, "much")
                    self.assertLess(len(result.err), 1100)


if __name__ == "__main__":
    unittest.main()
