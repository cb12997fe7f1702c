"""The command line: options, what they refuse, help, exit codes, and which stream gets what."""

import re
import unittest

from helpers.harness import GEN, QUERY, TINY, Case, GoatCase

GEN_OPTIONS = [
    "--list", "-d", "--db-dir", "-j", "--threads", "-m", "--memory", "-f", "--force", "--verify", "--check",
    "--checkpoint", "--json", "-q", "--quiet", "--progress", "--no-progress", "-h", "--help", "-V", "--version"
]
QUERY_OPTIONS = [
    "--path", "--count", "--hardest", "--histogram", "--random", "--seed", "--hint", "--method", "--info", "--play",
    "--json", "--svg", "--ascii", "--numbers", "--color", "-d", "--db-dir", "-h", "--help", "-V", "--version"
]


class Help(Case):
    def test_help(self):
        """Everything that design and scripts rely on is there, it fits a screen, and nothing else is needed to be
        asked."""
        for program, name, options in ((GEN, "pdb-gen", GEN_OPTIONS), (QUERY, "pdb-query", QUERY_OPTIONS)):
            for option in ("-h", "--help"):
                out = self.assert_answer(self.run_program(program, option)).out
                self.assertTrue(out.startswith(f"Usage: {name} [options] PUZZLE"), out)
                self.assertIn("Exit codes:", out)
                self.assertEqual([line for line in out.splitlines() if len(line) > 80], [])
                self.assertLessEqual(len(out.splitlines()), 44)
                listed = set(re.findall(r"(?<![\w-])--?[a-zA-Z][a-z-]*", out))
                for wanted in options:
                    with self.subTest(program=name, option=wanted):
                        self.assertIn(wanted, listed)

    def test_every_option_in_the_help_exists(self):
        for program in (GEN, QUERY):
            for option in set(
                    re.findall(r"^ +(?:-\w, )?(--[a-z-]+)",
                               self.run_program(program, "--help").out, re.MULTILINE)):
                with self.subTest(program=program, option=option):
                    result = self.run_program(program, option, "--no-such-option")
                    self.assertNotIn(f"no option {option}", result.err)

    def test_version(self):
        for program, name in ((GEN, "pdb-gen"), (QUERY, "pdb-query")):
            for option in ("-V", "--version"):
                self.assertRegex(
                    self.assert_answer(self.run_program(program, option)).out,
                    rf"\A{name} \d+\.\d+\.\d+( \([0-9a-f]{{7,40}}\))?\n\Z")


class GeneratorOptions(Case):
    def test_usage_errors(self):
        cases = [
            ([], ["which puzzle?", "pdb-gen --list"]),
            (["--list", "--force", "goat"], ["--list only lists"]),
            (["--list", "gaot"], ["did you mean 'goat'?"]),
            (["--list", "mastermind"], ["mastermind is a puzzle without moves: it has no boards"]),
            (["--threads", "0", "goat"], ["--threads", "from 1 to", "'0'"]),
            (["--threads=0", "goat"], ["--threads", "'0'"]),
            (["-j0", "goat"], ["--threads", "'0'"]),
            (["-j", "-1", "goat"], ["--threads", "'-1'"]),
            (["-j", "two", "goat"], ["--threads", "'two'"]),
            (["-j", "", "goat"], ["--threads", "''"]),
            (["-j", "1x", "goat"], ["--threads", "'1x'"]),
            (["-j", "99999999999999999999", "goat"], ["--threads"]),
            (["--memory", "lots", "goat"], ["--memory", "512M", "'lots'"]),
            (["-m", "", "goat"], ["--memory"]),
            (["--checkpoint=soon", "goat"], ["--checkpoint", "'soon'"]),
            (["--checkpoint=-1", "goat"], ["--checkpoint", "'-1'"]),
            (["--checkpoint"], ["--checkpoint needs an argument"]),
            (["-m", "0", "goat"], ["--memory"]),
            (["-m", "-8G", "goat"], ["--memory"]),
            (["-m", "8X", "goat"], ["--memory", "'8X'"]),
            (["-m", "nan", "goat"], ["--memory"]),
            (["-m", "1e99", "goat"], ["--memory"]),
            (["--db-dir=", "goat"], ["--db-dir"]),
            (["--scratch=", "goat"], ["--scratch takes the path of a directory"]),
            (["--verify", "--force", "goat"], ["--verify", "--force"]),
            (["--memory"], ["--memory needs an argument"]),
            (["-d"], ["-d needs an argument"]),
            (["--json=yes", "goat"], ["--json takes no argument"]),
            (["--frce", "goat"], ["--frce", "did you mean --force?"]),
            (["--thread-count=2", "goat"], ["--thread-count"]),
            (["--memroy=1G", "goat"], ["did you mean --memory?"]),
            (["--xyzzy", "goat"], ["there is no option --xyzzy", "pdb-gen --help"]),
            (["-x", "goat"], ["there is no option -x"]),
            (["-qx", "goat"], ["there is no option -x"]),
            (["gaot"], ["unknown puzzle 'gaot'", "did you mean 'goat'?"]),
            (["Goat"], ["unknown puzzle 'Goat'", "'goat'"]),
            (["xyzzy"], ["unknown puzzle 'xyzzy'", "pdb-gen --list"]),
            ([""], ["unknown puzzle ''"]),
            (["no-such.yaml"], ["there is no file 'no-such.yaml'"]),
            (["./goat"], ["there is no file './goat'"]),
            (["dir/gaot.yaml"], ["there is no file 'dir/gaot.yaml'", "'goat'"]),
        ]
        for arguments, fragments in cases:
            with self.subTest(arguments):
                if "-d" not in arguments and not any("db-dir" in a for a in arguments):
                    arguments = ["-d", str(self.db), *arguments]
                self.assert_complaint(self.gen(*arguments), 2, *fragments)
                self.assertFalse(self.db.exists(), "nothing is made where nothing is done")

    def test_memory(self):
        for size in ("1K", "1k", "1KiB", "1024", "1024B", ".001M", "1"):
            with self.subTest(size):
                self.assert_complaint(self.gen("-d", self.db, "--memory", size, "goat"), 3, "goat",
                                      "5,443,200 states need", "--memory allows")
                self.assertFalse((self.db / "goat.pdb").exists())
        for size in ("1G", "1g", "1GiB", "1.5G", "2048M", "1073741824"):
            with self.subTest(size):
                self.assert_answer(self.gen("-d", self.db, "-q", "-f", "--memory", size, self.write("tiny.yaml", TINY)))

    def test_the_memory_said_to_be_needed_is_enough(self):
        needed = re.search(r"need (\d+(\.\d+)?) MiB", self.gen("-d", self.db, "-m", "1K", "goat").err)
        self.assertIsNotNone(needed)
        self.assert_answer(self.gen("-d", self.db, "-m", f"{float(needed[1]) + 0.1}M", "goat"))
        self.assert_complaint(self.gen("-f", "-d", self.db, "-m", f"{float(needed[1]) - 0.2}M", "goat"), 3,
                              "--memory allows")

    def test_an_unknown_puzzle_leaves_the_known_ones_alone(self):
        path = self.make_tiny()
        before = (self.db / "tiny.pdb").stat()
        self.assertEqual(self.gen("-d", self.db, path, "gaot").code, 2)
        self.assertEqual((self.db / "tiny.pdb").stat().st_mtime_ns, before.st_mtime_ns)

    def test_words_after_two_dashes_are_puzzles(self):
        self.assert_complaint(self.gen("-d", self.db, "--", "--list"), 2, "unknown puzzle '--list'")

    def test_no_home(self):
        """Only what needs a database needs a place for it."""
        path = self.write("tiny.yaml", "puzzle: tiny\nfamily: slide\ngoal: 123/45.\n")
        no_home = {"HOME": None, "PDB_PATH": None, "XDG_DATA_HOME": None}
        self.assert_complaint(self.gen("goat", env=no_home), 3, "no directory for databases", "--db-dir")
        self.assert_complaint(self.query("goat", "--method=db", env=no_home), 3, "no directory for databases",
                              "--db-dir")
        self.assertEqual(
            self.assert_answer(self.query("--hint", path, "123/4.5", env=no_home)).out, "1 move from the goal\n")
        self.assertEqual(
            self.assert_answer(self.query("--json", "lights-out-20x20", env=no_home)).json["method"], "search")
        self.assert_answer(self.gen("--check", path, env=no_home))


class QueryOptions(GoatCase):
    def test_usage_errors(self):
        cases = [
            (["goat", "--hardest=0"], ["--hardest", "'0'"]),
            (["goat", "--hardest=-1"], ["--hardest"]),
            (["goat", "--hardest=all"], ["--hardest", "'all'"]),
            (["goat", "--hint=0"], ["--hint", "from 1 to 3"]),
            (["goat", "--hint=4"], ["--hint", "from 1 to 3"]),
            (["goat", "--random=-1"], ["--random"]),
            (["goat", "--random=x"], ["--random", "'x'"]),
            (["goat", "--random=4294967295"], ["--random"]),
            (["goat", "--random=53"], ["no board is at distance 53"]),
            (["goat", "--random", "--seed=x"], ["--seed", "'x'"]),
            (["goat", "--random", "--seed"], ["--seed needs an argument"]),
            (["goat", "--seed=1"], ["--seed goes with --random"]),
            (["goat", "--method=magic"], ["--method", "auto, db or search", "'magic'"]),
            (["goat", "--hardest", "--histogram"], ["one question at a time"]),
            (["goat", "--info", "--random"], ["one question at a time"]),
            (["goat", "--hardest", "start"], ["take no board"]),
            (["goat", "--random", "20..25"], ["did you mean --random=20..25?"]),
            (["goat", "--random=50..40"], ["two numbers, the smaller one first, not '50..40'"]),
            (["goat", "--histogram", "-"], ["take no board"]),
            (["goat", "--path", "--histogram"], ["do not go with --histogram"]),
            (["goat", "--count", "--info"], ["do not go with --info"]),
            (["goat", "--hint", "--count"], ["--hint says less than --path and --count"]),
            (["goat", "--json=1"], ["--json takes no argument"]),
            (["goat", "--pth"], ["did you mean --path?"]),
            (["goat", "--histgram"], ["did you mean --histogram?"]),
            (["goat", "-x2"], ["there is no option -x"]),
            (["goat", "--hi"], ["--hi may be --hint or --histogram: write more of it"]),
            (["goat", "--hx"], ["there is no option --hx"]),
            (["goat", "--db-dir"], ["--db-dir needs an argument"]),
            (["goat", "-d", ""], ["directory"]),
            (["gaot", "start"], ["unknown puzzle 'gaot'", "did you mean 'goat'?"]),
            (["no/such.yaml"], ["there is no file 'no/such.yaml'"]),
            ([], ["which puzzle?"]),
        ]
        for arguments, fragments in cases:
            with self.subTest(arguments):
                where = [] if "-d" in arguments or "--db-dir" in arguments else ["-d", self.goat]
                self.assert_complaint(self.query(*where, *arguments), 2, *fragments)

    def test_a_directory_is_no_definition(self):
        self.assert_complaint(self.query("./"), 3, "cannot read './'", "directory")
        self.assert_complaint(self.query("/dev/null"), 3, "cannot read '/dev/null'")


class Paths(Case):
    def test_definitions_anywhere(self):
        for name in ("tiny.yaml", "with space.yaml", "deep/er/tiny.yml", "羊.yaml", "-dash.yaml", "no-ending", "goat"):
            with self.subTest(name):
                self.write(name, TINY)
                word = name if name not in ("-dash.yaml", "goat") else "./" + name
                self.assert_answer(self.gen("-q", "-f", "-d", self.db, word))
                answer = self.assert_answer(self.query("-d", self.db, "--method=db", "--json", word)).json
                self.assertEqual((answer["puzzle"], answer["distance"]), ("tiny", 21))

    def test_an_ending_that_was_left_out(self):
        self.write("corner.yaml", TINY)
        self.write("deep/corner.yml", TINY)
        for word, meant in (("corner", "corner.yaml"), ("./corner", "./corner.yaml"),
                            ("deep/corner", "deep/corner.yml")):
            for program in (self.query, self.gen):
                self.assert_complaint(program(word), 2, f"'{word}'", f"did you mean the file '{meant}'?")
        self.write("goad.yaml", TINY)  # nearer than goat
        self.assert_complaint(self.query("goad"), 2, "did you mean the file 'goad.yaml'?")
        self.assert_complaint(self.query("goas"), 2, "did you mean 'goat'?")

    def test_a_built_in_name_wins_over_a_file(self):
        self.write("goat", TINY)
        self.assertEqual(self.query("goat", "--hint").out, "20 moves from the goal\n")

    def test_unreadable_definition(self):
        self.assert_complaint(self.query(self.write("a file", TINY) / "below.yaml"), 2, "there is no file")


if __name__ == "__main__":
    unittest.main()
