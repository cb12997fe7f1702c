"""Where databases live, who may write there, and what is said of a file that is not what was written."""

import fcntl
import itertools
import os
import re
import resource
import shutil
import stat
import subprocess
import unittest

from helpers.harness import GEN, QUERY, SHORT, TINY, Case, GoatCase

NOBODY = 65534
SOMEBODY = 65533 # whose processes are those of one test

# 97,661 boards, each a key of 27 bits: chunks of distances and of keys.
ELL = """puzzle: ell
family: peg
jumps: orthogonal
goal: |2
  . . 1
  . . .
  . . .
  . . .
  . . . . . . . . . . . . . . .
"""


class Places(Case):
    def places(self):
        return {"-d": self.dir / "by option", "PDB_PATH": self.dir / "pdb path", "XDG": self.dir / "xdg" / "pdb",
                "HOME": self.dir / "the home" / ".local" / "share" / "pdb"}

    def variables(self, *names):
        values = {"HOME": self.dir / "the home", "XDG_DATA_HOME": self.dir / "xdg", "PDB_PATH": self.dir / "pdb path"}
        return {name: values[name] if name in names else None for name in values}

    def test_where(self):
        """Option, PDB_PATH, XDG_DATA_HOME, HOME: the first that is there, for both programs, made with its parents."""
        path = self.write("tiny.yaml", TINY)
        places = self.places()
        everything = self.variables("HOME", "XDG_DATA_HOME", "PDB_PATH")
        for place, arguments, env in (
                (places["-d"], ["-d", places["-d"]], everything),
                (places["-d"], [f"--db-dir={places['-d']}"], everything),
                (places["PDB_PATH"], [], everything),
                (places["XDG"], [], self.variables("HOME", "XDG_DATA_HOME")),
                (places["HOME"], [], self.variables("HOME")),
                (places["HOME"], [], {**self.variables("HOME"), "PDB_PATH": "", "XDG_DATA_HOME": ""}),
                (places["HOME"], [], {**self.variables("HOME"), "XDG_DATA_HOME": "xdg"})):
            with self.subTest(place=place):
                answer = self.assert_answer(self.gen(*arguments, "--json", path, env=env)).json
                self.assertEqual(answer["file"], str(place / "tiny.pdb"))
                self.assertEqual([p.name for p in place.iterdir()], ["tiny.pdb"])
                info = self.assert_answer(self.query(*arguments, "--info", "--json", path, env=env)).json
                self.assertEqual(info["file"], str(place / "tiny.pdb"))
                shutil.rmtree(place)

    def test_relative_directory(self):
        path = self.write("tiny.yaml", TINY)
        for directory in (".", "sub/dir", "./x/../y"):
            self.assert_answer(self.gen("-d", directory, path))
            self.assertEqual(
                self.assert_answer(self.query("-d", directory, "--method=db", "--hint", path)).out,
                "21 moves from the goal\n")

    def test_path_that_would_control_the_terminal(self):
        path = self.write("tiny.yaml", TINY)
        directory = self.dir / "\x1b[2J\u202e"
        self.assertIn("/?[2J?/tiny.pdb", self.assert_answer(self.gen("-d", directory, path)).out)
        self.assertIn("/?[2J?/tiny.pdb", self.assert_answer(self.query("-d", directory, "--info", path)).out)
        info = self.assert_answer(self.query("-d", directory, "--info", "--json", path)).json
        self.assertEqual(info["file"], str(directory / "tiny.pdb"))

    def test_long_path(self):
        path = self.write("tiny.yaml", TINY)
        deep = self.dir.joinpath(*["d" * 200] * 12)
        self.assert_answer(self.gen("-d", deep, path))
        self.assert_answer(self.query("-d", deep, "--method=db", path))
        for far_too_long in ("/" + "x/" * 5000, "/" + "x" * 300):
            result = self.gen("-d", far_too_long, path)
            self.assertIn(result.code, (2, 3), result)
            self.assert_complaint(result, result.code)
        for variable in ("PDB_PATH", "XDG_DATA_HOME"):
            for run in (self.gen, self.query):
                self.assert_complaint(run(path, env={variable: "/" + "x/" * 5000}), 3, "longer than", "give --db-dir")

    def test_symbolic_links(self):
        path = self.write("tiny.yaml", TINY)
        (self.dir / "real").mkdir()
        self.db.symlink_to("real")
        self.assert_answer(self.gen("-d", self.db, path))
        self.assertTrue((self.dir / "real" / "tiny.pdb").is_file())
        self.assert_answer(self.query("-d", self.db, "--method=db", path))
        moved = self.dir / "elsewhere.pdb"
        (self.dir / "real" / "tiny.pdb").rename(moved)
        (self.dir / "real" / "tiny.pdb").symlink_to(moved)
        self.assertEqual(
            self.assert_answer(self.query("-d", self.db, "--method=db", "--json", path)).json["distance"], 21)
        self.assert_answer(self.gen("-d", self.db, "--verify", path))

    def test_nothing_but_the_database_is_left(self):
        self.make_tiny()
        self.assertEqual([p.name for p in self.db.iterdir()], ["tiny.pdb"])


class NoAccess(Case):
    def unprivileged(self, program, *arguments):
        """Runs as somebody whom permissions stop: root without its capabilities, where that can be had, else another
        user."""
        if os.geteuid() != 0:
            return self.run_program(program, *arguments)
        without = ["setpriv", "--inh-caps=-all", "--bounding-set=-all", "--"]
        if subprocess.run([*without, "true"], capture_output=True).returncode == 0:
            return self.run_program(without[0], *without[1:], program, *arguments)
        return self.as_nobody(program, *arguments)

    def as_nobody(self, program, *arguments, user=NOBODY, **options):
        place = self.shared / os.path.basename(program)
        if not place.exists():
            shutil.copy(program, place)
            self.shared.chmod(0o755)
        self.dir.chmod(0o755)
        return self.run_program(place, *arguments, user=user, group=NOBODY, extra_groups=[], **options)

    def test_below_a_file(self):
        path = self.write("tiny.yaml", TINY)
        self.write("a file", "")
        self.assert_complaint(self.gen("-d", self.dir / "a file" / "db", path), 3, "a file/db", "Not a directory")
        self.assert_complaint(self.gen("-d", self.dir / "a file", path), 3, "a file")
        self.assertEqual((self.dir / "a file").read_bytes(), b"")

    def test_unwritable_directory(self):
        path = self.write("tiny.yaml", TINY)
        self.db.mkdir()
        self.db.chmod(0o555)
        self.assert_complaint(self.unprivileged(GEN, "-d", self.db, path), 3, str(self.db), "Permission denied")
        self.assertEqual(list(self.db.iterdir()), [])
        self.assert_complaint(self.unprivileged(GEN, "-d", self.db / "below", path), 3, "below", "Permission denied")

    def test_a_directory_that_may_only_be_read(self):
        """All queries and --verify work there, and pdb-gen finds that the database is there already."""
        path = self.make_tiny()
        (self.db / "tiny.pdb").chmod(0o444)
        self.db.chmod(0o555)
        self.addCleanup(self.db.chmod, 0o755)
        self.assertEqual(
            self.assert_answer(self.unprivileged(QUERY, "-d", self.db, "--method=db", "--json", path)).json["distance"],
            21)
        self.assert_answer(self.unprivileged(GEN, "-d", self.db, "--verify", path))
        self.assertIn("already there", self.assert_answer(self.unprivileged(GEN, "-d", self.db, path)).out)
        self.assert_complaint(self.unprivileged(GEN, "-d", self.db, "--force", path), 3, "Permission denied")
        self.assertEqual([p.name for p in self.db.iterdir()], ["tiny.pdb"])

    def test_a_directory_that_may_be_written_and_not_read(self):
        self.db.mkdir()
        self.db.chmod(0o333)
        self.addCleanup(self.db.chmod, 0o755)
        self.assert_answer(self.unprivileged(GEN, "-d", self.db, "--checkpoint=0", "8-puzzle"))
        self.db.chmod(0o755)
        self.assertEqual([p.name for p in self.db.iterdir()], ["8-puzzle.pdb"])
        self.assert_answer(self.gen("-d", self.db, "--verify", "8-puzzle"))

    @unittest.skipUnless(
        os.environ.get("PDB_SANITIZE", "none") == "none", "the leak checker needs a process of its own")
    def test_no_threads(self):
        """Where the system gives no second thread, one does all of the work."""
        run = self.as_nobody if os.geteuid() == 0 else self.run_program # no such limit holds root
        if os.geteuid() == 0 and not os.stat("/").st_mode & stat.S_IXOTH:
            self.skipTest("here nobody but root gets past /")
        limited = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))}
        self.assertNotEqual(run("/bin/sh", "-c", "true & wait", **limited).code, 0, "the limit does not hold")
        self.work_limited(lambda program, *arguments, **options: run(program, *arguments, **limited, **options))

    @unittest.skipUnless(
        os.environ.get("PDB_SANITIZE", "none") == "none", "the leak checker needs a process of its own")
    @unittest.skipUnless(os.geteuid() == 0 and os.stat("/").st_mode & stat.S_IXOTH,
                         "needs a user who has no other processes")
    def test_few_threads(self):
        """Where the system gives some threads of those that are asked for, they do all of the work."""
        for most in (2, 3, 4):
            limited = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_NPROC, (most, most))}
            with self.subTest(most):
                self.work_limited(lambda program, *arguments, **options: self.as_nobody(
                    program, *arguments, user=SOMEBODY, **limited, **options))

    def work_limited(self, run):
        path = self.make_tiny()
        self.db.chmod(0o777)
        self.assert_answer(run(GEN, "-d", self.db, "--force", "--threads=8", "8-puzzle"))
        boards = "start\n" * 300
        for arguments in (["-d", self.db, path], ["-d", self.dir / "none", path], ["--method=search", path]):
            right = self.assert_answer(self.query(*arguments, "-", stdin=boards)).out
            self.assertEqual(self.assert_answer(run(QUERY, "--threads=8", *arguments, "-", stdin=boards)).out, right)

    def test_unreadable_database(self):
        path = self.make_tiny()
        (self.db / "tiny.pdb").chmod(0)
        for arguments in ([], ["--method=db"]):
            self.assert_complaint(self.unprivileged(QUERY, "-d", self.db, *arguments, path), 3, "tiny.pdb",
                                  "Permission denied")

    def test_unreadable_definition(self):
        path = self.write("secret.yaml", TINY)
        path.chmod(0)
        self.assert_complaint(self.unprivileged(QUERY, path), 3, "cannot read", "secret.yaml", "Permission denied")

    def test_no_room_on_the_device(self):
        """A limit on the size of files stands for a full disk: an error, no database, and the old one kept."""
        path = self.write("tiny.yaml", TINY)
        limited = self.run_program("sh", "-c", 'ulimit -f 8; exec "$0" "$@"', GEN, "-d", self.db, "goat")
        self.assert_complaint(limited, 3, "goat.pdb.new")
        self.assertEqual(list(self.db.iterdir()), [])
        self.assert_answer(self.gen("-d", self.db, path))


class Missing(Case):
    def test_no_database(self):
        path = self.write("tiny.yaml", TINY)
        for directory in (self.db, self.dir):
            self.assert_complaint(self.query("-d", directory, "--method=db", path), 3, "no database", "tiny.pdb",
                                  "pdb-gen")
            self.assert_complaint(self.gen("-d", directory, "--verify", path), 3, "no database", "tiny.pdb")
            self.assertEqual(self.assert_answer(self.query("-d", directory, "--json", path)).json["method"], "search")
        self.assertFalse(self.db.exists())

    def test_a_directory_in_its_place(self):
        path = self.write("tiny.yaml", TINY)
        (self.db / "tiny.pdb").mkdir(parents=True)
        self.assert_complaint(self.query("-d", self.db, path), 3, "tiny.pdb", "directory")
        self.assert_complaint(self.gen("-d", self.db, path), 3, "tiny.pdb", "directory")

    def test_a_pipe_in_its_place(self):
        path = self.write("tiny.yaml", TINY)
        self.db.mkdir()
        os.mkfifo(self.db / "tiny.pdb")
        self.assert_complaint(self.query("-d", self.db, path), 3, "tiny.pdb", "no regular file")


class Damaged(GoatCase):
    """Whatever happens to a file: exit 4 and clear words, or the right answer where the damage is out of the question's
    way."""

    def setUp(self):
        super().setUp()
        self.db.mkdir()
        self.file = self.db / "goat.pdb"
        self.good = (self.goat / "goat.pdb").read_bytes()

    def ask_damaged(self, *arguments):
        return self.query("-d", self.db, "goat", *arguments)

    def assert_damaged(self, *fragments):
        for arguments in (["start"], ["--hint"], ["--json", "--path"], ["--hardest"], ["--histogram"], ["--info"],
                          ["--random"], ["--method=db"]):
            self.assert_complaint(self.ask_damaged(*arguments), 4, "goat.pdb", "pdb-gen", *fragments)
        self.assert_complaint(self.gen("-d", self.db, "--verify", "goat"), 4, "goat.pdb", *fragments)

    def test_truncated(self):
        for length in (1, 100, 4096, 8192, len(self.good) // 2, len(self.good) - 4096, len(self.good) - 1):
            with self.subTest(length):
                self.file.write_bytes(self.good[:length])
                self.assert_damaged()

    def test_empty(self):
        self.file.write_bytes(b"")
        self.assert_damaged()

    def test_junk(self):
        self.file.write_bytes(os.urandom(len(self.good)))
        self.assert_damaged()
        self.file.write_text("puzzle: goat\n")
        self.assert_damaged()
        self.file.write_bytes(bytes(len(self.good)))
        self.assert_damaged()

    def test_grown(self):
        for tail in (b"x", bytes(4096)):
            self.file.write_bytes(self.good + tail)
            self.assert_damaged()

    def test_flipped_bits(self):
        """On the first pages, the last ones and some between: --verify finds it, and a query never answers anything
        wrong. Only a page's unused room, zeros that nobody reads, may be anything."""
        questions = (["--json", "start"], ["--json", "--hardest"], ["--json", "--histogram"])
        right = [self.ask(*question).out for question in questions]
        pages = len(self.good) // 4096
        if SHORT:
            tried = [0, pages // 2, pages - 3]
        else:
            tried = [*range(6), *range(6, pages - 6, 15), *range(pages - 6, pages)]
        found = 0
        for page in tried:
            at = page * 4096 + 1234
            damaged = bytearray(self.good)
            damaged[at] ^= 0x10
            self.file.write_bytes(damaged)
            for question, answer in zip(questions, right):
                result = self.ask_damaged(*question)
                self.assertIn((result.code, result.out), [(4, ""), (0, answer)], f"page {page}")
                self.assertEqual(result.err.count("\n"), 1 if result.code else 0)
            result = self.gen("-d", self.db, "--verify", "goat")
            if result.code == 0:
                self.assertEqual(self.good[at - 500:at + 500], bytes(1000),
                                 f"page {page} was damaged and not found out")
                continue
            self.assert_complaint(result, 4, "goat.pdb")
            found += 1
        self.assertGreater(found, len(tried) // 2)

    def test_damage_in_a_stream(self):
        """The data of some boards is gone: what comes before the first of them is answered, and nothing wrong comes
        out."""
        boards = [self.ask("--random", f"--seed={seed}", "--json").json["board"] for seed in range(30)]
        right = self.assert_answer(self.ask("-", stdin="\n".join(boards))).lines
        damaged = bytearray(self.good)
        middle = len(self.good) // 4096 // 2
        for page in (middle, middle + 1):
            damaged[page * 4096 + 1000] ^= 1
        self.file.write_bytes(damaged)
        alone = [self.query("-d", self.db, "goat", "-", stdin=board).code for board in boards]
        self.assertEqual({*alone}, {0, 4})
        whole, lost = boards[alone.index(0)], boards[alone.index(4)]
        answer = right[alone.index(0)]
        for before in (0, 1, 5, 300):
            with self.subTest(before=before):
                result = self.query("-d", self.db, "goat", "-", stdin="\n".join([whole] * before + [lost, whole]))
                self.assertEqual((result.code, result.lines), (4, [answer] * before), result)
                self.assertEqual(result.err.count("\n"), 1)
        result = self.query("-d", self.db, "goat", "-", stdin="\n".join(boards))
        self.assertEqual((result.code, result.lines), (4, right[:alone.index(4)]), result)

    def test_damage_among_keys_in_a_stream(self):
        """Boards are looked up in a deflated table of keys as soon as they are read; where a page of it is damaged,
        nothing wrong comes out."""
        path = self.write("ell.yaml", ELL)
        self.assert_answer(self.gen("-d", self.db, path))
        ask = lambda *arguments, **options: self.query("-d", self.db, path, *arguments, **options)
        boards = [ask("--random", f"--seed={seed}", "--json").json["board"] for seed in range(30)]
        right = self.assert_answer(ask("-", stdin="\n".join(boards))).lines
        file = self.db / "ell.pdb"
        damaged = bytearray(file.read_bytes())
        damaged[len(damaged) // 8192 * 4096 + 1000] ^= 1 # the keys are behind the distances
        file.write_bytes(damaged)
        codes = []
        for board, answer in zip(boards, right):
            result = ask("-", stdin=board)
            self.assertIn((result.code, result.lines), ((0, [answer]), (4, [])))
            codes.append(result.code)
        self.assertEqual({*codes}, {0, 4})
        result = ask("-", stdin="\n".join(boards))
        self.assertEqual((result.code, result.lines), (4, right[:len(result.lines)]), result)
        self.assertLessEqual(len(result.lines), codes.index(4))

    def test_another_puzzles_file(self):
        path = self.write("tiny.yaml", TINY)
        self.assert_answer(self.gen("-d", self.db, path))
        (self.db / "tiny.pdb").rename(self.file)
        for arguments in (["start"], ["--info"], ["--method=db"]):
            self.assert_complaint(self.ask_damaged(*arguments), 4, "goat.pdb", "'tiny'", "pdb-gen")
        self.assert_complaint(self.gen("-d", self.db, "--verify", "goat"), 4, "goat.pdb")

    def test_generating_again_mends_it(self):
        for content in (b"", b"junk", self.good[:-1], self.good[:5000] + b"x" + self.good[5001:]):
            self.file.write_bytes(content)
            self.assert_answer(self.gen("-d", self.db, "--force", "goat"))
            self.assertEqual(self.file.read_bytes(), self.good)


class Changed(Case):
    def test_an_edited_definition(self):
        path = self.make_tiny()
        for old, new in (("1 2 3", "1 3 2"), ("4 5 .", ". 5 4"), ("goal:", "board: 123/45.\ngoal:")):
            with self.subTest(new):
                edited = self.write("edited.yaml", TINY.replace(old, new).replace("start: 45./123", "other: 123/.45"))
                for arguments in ([], ["--method=db"]):
                    self.assert_complaint(self.query("-d", self.db, *arguments, edited, "goal"), 4, "tiny.pdb",
                                          "another definition", "pdb-gen")
                self.assert_complaint(self.gen("-d", self.db, "--verify", edited), 4, "tiny.pdb", "definition")
        self.assert_answer(self.gen("-d", self.db, edited))
        self.assert_answer(self.query("-d", self.db, edited, "goal"))
        self.assert_complaint(self.query("-d", self.db, path, "goal"), 4, "another definition")

    def test_what_is_only_shown_may_change(self):
        """Title, glyphs, named boards, comments and layout say nothing about distances."""
        self.make_tiny()
        edited = self.write(
            "edited.yaml",
            "# the same\nfamily: slide\ntitle: another title\npuzzle: 'tiny'\ngoal: \"1 2 3\\n4 5 .\\n\"\n"
            "glyphs: {1: ①}\nboards: {other: 123/.45}\n")
        self.assert_answer(self.query("-d", self.db, "--method=db", edited, "other"))
        self.assertIn("already there", self.assert_answer(self.gen("-d", self.db, edited)).out)


    def check_glyphs(self, definition, board):
        """Of two definitions that differ in two glyphs alone, neither takes the other's database; another glyph besides
        changes nothing."""
        one = self.write("one.yaml", definition.format(first="x", second="y"))
        other = self.write("other.yaml", definition.format(first="y", second="x"))
        self.assert_answer(self.gen("-d", self.db, one))
        self.assert_complaint(self.query("-d", self.db, other, board), 4, "another definition")
        answers = [self.query("--method=search", "--json", path, board).json for path in (one, other)]
        self.assertNotEqual(*((answer["board"], answer["distance"]) for answer in answers))
        self.assertIn("in place of another definition's", self.assert_answer(self.gen("-d", self.db, other)).out)
        shown = self.write("shown.yaml", definition.format(first="y", second="x") + "title: the same\n")
        self.assertIn("already there", self.assert_answer(self.gen("-d", self.db, shown)).out)

    def test_a_goal_in_other_glyphs(self):
        self.check_glyphs(
            "puzzle: pegs\nfamily: peg\njumps: orthogonal\nglyphs: {{0: {first}, 1: {second}}}\n"
            "goal: |\n  x x x x\n  x y x x\n  x x x x\n",
            "0000/0100/0000")

    def test_named_boards_in_other_glyphs(self):
        """Where the states are those that the named boards lead to."""
        pieces = ("board: A A B B C C D D E E F F G G H H .\npieces: [AA, BB, CC, DD, EE, FF, GG, HH]\n"
                  "goal: . * * * * * * * * * * * * * * * *\n")
        self.check_glyphs(
            "puzzle: row\nfamily: slide\n" + pieces +
            "glyphs: {{A: {first}, B: {second}}}\nboards:\n  start: x x y y C C D D E E F F G G H H .\n", "start")

    def test_the_same_boards_drawn_otherwise(self):
        """Glyphs that no board is written in may change where the named boards count, too."""
        pieces = ("puzzle: row\nfamily: slide\nboard: A A B B .\npieces: [AA, BB]\ngoal: . * * * *\n"
                  "boards:\n  start: A A B B .\n")
        self.assert_answer(self.gen("-d", self.db, self.write("plain.yaml", pieces)))
        drawn = self.write("drawn.yaml", pieces + "glyphs: {A: x, B: y}\n")
        self.assertIn("already there", self.assert_answer(self.gen("-d", self.db, drawn)).out)

    def test_a_range_in_quotes(self):
        """Quotes do not count, so they must not change what is meant."""
        definition = "puzzle: quoted\nfamily: place\nboard: '...'\nvalues: [{}]\ndifferent: rows\n"
        for values in ("1-3", "'1-3'", '"1-3"'):
            path = self.write("quoted.yaml", definition.format(values))
            found = self.assert_answer(self.query(path, "--method=search", "--json")).json
            self.assert_answer(self.gen("-d", self.db, path))
            self.assertEqual(
                self.assert_answer(self.query("-d", self.db, path, "--json", "--info")).json["states"], 34, values)
            self.assertEqual(found["distance"], 3)

    def test_buttons_in_another_order(self):
        """The order of keys does not count, so it must not change how states are numbered."""
        buttons = ["a: 1 6 3", "b: 7 3 3", "c: 5 7 7", "d: 0 2 4"]
        for values in (4, 6, 8, 9):
            made = []
            for order in itertools.permutations(buttons):
                lines = "".join(f"  {re.sub('[0-9]', lambda digit: str(int(digit[0]) % values), line)}\n"
                                for line in order)
                path = self.write("f.yaml",
                                  f"puzzle: f\nfamily: flip\nvalues: {values}\nboard: '...'\nbuttons:\n{lines}")
                self.assert_answer(self.gen("--force", "-d", self.db, path))
                made.append((self.db / "f.pdb").read_bytes())
            self.assertEqual(len(set(made)), 1, values)

    def test_what_cannot_be_opened_is_replaced_with_a_word(self):
        path = self.make_tiny()
        (self.db / "tiny.pdb").write_bytes(b"a newer format, or none")
        self.assertIn("in place of one that could not be opened", self.assert_answer(self.gen("-d", self.db, path)).out)
        self.assertIn("already there", self.assert_answer(self.gen("-d", self.db, path)).out)


class Same(Case):
    """The same definition gives the same bytes."""

    def test_threads(self):
        """Issue 2, point 7."""
        files = []
        for threads in ("1", "2", "3", "16"):
            directory = self.dir / threads
            self.assert_answer(self.gen("-d", directory, "-j", threads, "goat"))
            files.append((directory / "goat.pdb").read_bytes())
        self.assertEqual(len(set(files)), 1)

    def test_memory_place_force_and_time(self):
        path = self.make_tiny()
        first = (self.db / "tiny.pdb").read_bytes()
        self.assert_answer(self.gen("-f", "-m", "100M", "-d", self.db, path))
        self.assert_answer(self.gen("-d", self.dir / "other", "-m", "2G", path))
        self.assertEqual((self.db / "tiny.pdb").read_bytes(), first)
        self.assertEqual((self.dir / "other" / "tiny.pdb").read_bytes(), first)

    def test_less_memory(self):
        """Where there is no room for a byte a state, layers take half of that."""
        files = []
        for threads, memory in (("1", "1G"), ("2", "1G"), ("2", "3M")):
            self.assert_answer(self.gen("-f", "-d", self.db, "-j", threads, "-m", memory, "lights-out-4x5"))
            files.append((self.db / "lights-out-4x5.pdb").read_bytes())
        self.assertEqual(len(set(files)), 1)

    def test_a_file_left_behind_does_not_matter(self):
        """That it is not gone on from is said though no progress is shown, but for who wants to hear nothing."""
        path = self.write("tiny.yaml", TINY)
        self.assert_answer(self.gen("-d", self.dir / "clean", path))
        self.db.mkdir()
        for quiet in (), ("-q",):
            for name, content in (("tiny.pdb.new", b"half a file" * 9000), ("tiny.pdb.partial", b"no checkpoint"),
                                  ("tiny.pdb.partial.new", b"x")):
                (self.db / name).write_bytes(content)
            result = self.gen("-d", self.db, *quiet, path)
            said = "tiny: beginning anew: it is no checkpoint, or one of another version of pdb\n"
            self.assertEqual((result.code, result.err), (0, "" if quiet else said))
            self.assertEqual((self.db / "tiny.pdb").read_bytes(), (self.dir / "clean" / "tiny.pdb").read_bytes())
            self.assertEqual([p.name for p in self.db.iterdir()], ["tiny.pdb"])
            (self.db / "tiny.pdb").unlink()

    def test_an_existing_database_is_not_touched(self):
        path = self.make_tiny()
        before = (self.db / "tiny.pdb").stat()
        self.assert_answer(self.gen("-d", self.db, path))
        after = (self.db / "tiny.pdb").stat()
        self.assertEqual((before.st_ino, before.st_mtime_ns), (after.st_ino, after.st_mtime_ns))


class AtOnce(GoatCase):
    def test_two_generators(self):
        """The second one says so and leaves the first one's file alone."""
        path = self.write("tiny.yaml", TINY)
        self.db.mkdir()
        with open(self.db / "tiny.pdb.new", "wb") as file:
            file.write(b"the first one's work")
            file.flush()
            fcntl.flock(file, fcntl.LOCK_EX)
            self.assert_complaint(self.gen("-d", self.db, path), 3, "another pdb-gen", "tiny.pdb.new")
            self.assertEqual((self.db / "tiny.pdb.new").read_bytes(), b"the first one's work")
        self.assert_answer(self.gen("-d", self.db, path))
        self.assertEqual([p.name for p in self.db.iterdir()], ["tiny.pdb"])

    def test_many_generators(self):
        """Whoever comes too late says so; the database is whole."""
        results = [
            self.finish(program) for program in [self.launch(GEN, "-q", "-f", "-d", self.db, "goat") for _ in range(6)]
        ]
        for result in results:
            if result.code != 0:
                self.assert_complaint(result, 3, "another pdb-gen")
        self.assertIn(0, [result.code for result in results])
        self.assertEqual((self.db / "goat.pdb").read_bytes(), (self.goat / "goat.pdb").read_bytes())
        self.assertEqual([p.name for p in self.db.iterdir()], ["goat.pdb"])

    def test_replaced_while_it_is_read(self):
        """A query that began with the old file ends with it."""
        self.db.mkdir()
        shutil.copy(self.goat / "goat.pdb", self.db)
        program = self.launch(QUERY, "-d", self.db, "goat", "-", stdin=subprocess.PIPE, bufsize=0)
        program.stdin.write(b"start\n")
        self.assertEqual(program.stdout.readline().split(b"\t")[1], b"20")
        self.assert_answer(self.gen("-d", self.db, "--force", "goat"))
        program.stdin.write(b"hardest\n")
        self.assertEqual(self.assert_answer(self.finish(program)).out.split("\t")[1], "52")


if __name__ == "__main__":
    unittest.main()
