"""Every kind of mistake in a definition: file, line and column, and what is wrong."""

import re
import unittest

from helpers.harness import SOURCE, Case

GOOD = """\
puzzle: my
family: slide
board: |
  a a b
  # b c
  d e .
goal: |
  a a b
  # b c
  d e .
pieces:
  - a a
  - |
    . b
    b .
alike:
  - c d
glyphs:
  c: ©
boards:
  start: aab/#bc/d.e
metric: step
"""


class Definition(Case):
    def load(self, text):
        return self.query(self.write("my puzzle.yaml", text), "goal", "--hint")

    def assert_mistake(self, text, line, column, *fragments):
        result = self.load(text)
        self.assert_complaint(result, 2, *fragments)
        self.assertTrue(result.err.startswith(f"pdb-query: {self.dir}/my puzzle.yaml:{line}:{column}: "),
                        f"{line}:{column} {result!r}\n{text}")

    def replaced(self, old, new):
        self.assertEqual(GOOD.count(old), 1, old)
        return GOOD.replace(old, new)

    def assert_mistakes(self, cases):
        for name, (old, new, line, column, *fragments) in cases.items():
            with self.subTest(name):
                self.assert_mistake(self.replaced(old, new), line, column, *fragments)


class Good(Definition):
    def test_the_one_that_is_spoilt_below_is_good(self):
        self.assertEqual(self.assert_answer(self.load(GOOD)).out, "this is the goal\n")

    def test_layouts(self):
        """CRLF, a byte order mark, comments, JSON-like style: all the same puzzle."""
        plain = "puzzle: p\nfamily: slide\ngoal: ab/c.\n"
        texts = [
            plain,
            plain.replace("\n", "\r\n"), "\ufeff" + plain, "# hello\n\n" + plain + "# bye",
            '{"puzzle": "p", "family": "slide", "goal": "ab/c."}', "---\n" + plain + "...\n",
            plain.replace("ab/c.", "|\n  ab\n\n  c_"),
            plain.replace("ab/c.", "'a b / c 0'"),
            plain.replace("ab/c.", '"a,b\\nc,."')
        ]
        for text in texts:
            with self.subTest(text):
                self.assertEqual(self.load(text).err, "")
                self.assertEqual(self.query(self.dir / "my puzzle.yaml", "--json", "ca/.b").json["distance"], 3)


class Keys(Definition):
    def test_keys(self):
        self.assert_mistakes({
            "no name": ("puzzle: my\n", "", 1, 1, "'puzzle' is missing"),
            "no family": ("family: slide\n", "", 1, 1, "'family' is missing"),
            "unknown family": ("slide", "slid", 2, 9, "is needed here, not 'slid'", "did you mean 'slide'?"),
            "a family of another world": ("slide", "chess", 2, 9, "one of (slide, ", "not 'chess'"),
            "family is a list": ("slide", "[slide]", 2, 9, "one of (slide, ", "not a list"),
            "unknown key": ("metric:", "metrics:", 22, 1, "unknown key 'metrics'", "did you mean 'metric'?"),
            "unlike any key": ("metric: step", "flavour: red", 22, 1, "unknown key 'flavour'", "goal"),
            "twice": ("metric: step", "puzzle: my", 22, 1, "'puzzle' is given twice", "line 1"),
            "name with a slash": ("puzzle: my", "puzzle: ../my", 1, 9, "name is 1 to"),
            "name with a space": ("puzzle: my", "puzzle: my own", 1, 9, "name is 1 to"),
            "empty name": ("puzzle: my", "puzzle: ''", 1, 9, "name is 1 to"),
            "no name at all": ("puzzle: my", "puzzle:", 1, 8, "name is 1 to"),
            "name too long": ("puzzle: my", "puzzle: " + "m" * 300, 1, 9, "name is 1 to"),
            "title of two lines": ("metric: step", "title: |\n  one\n  two", 22, 8, "one line"),
            "title is a list": ("metric: step", "title: [a]", 22, 8, "a text is needed here"),
            "metric": ("metric: step", "metric: steps", 22, 9, "did you mean 'step'?"),
            "another metric": ("metric: step", "metric: quarter turns", 22, 9, "one of (step, slide)"),
        })

    def test_no_goal(self):
        self.assert_mistake("puzzle: p\nfamily: slide\n", 1, 1, "'goal' is missing")


class Pictures(Definition):
    def test_board(self):
        self.assert_mistakes({
            "rows of different lengths": ("board: |\n  a a b", "board: |\n  a a b x", 5, 3,
                                          "this row has 3 cells, the first one 4"),
            "a shorter row": ("board: |\n  a a b\n  # b c\n", "board: |\n  a a b\n  # b\n", 5, 3,
                              "this row has 2 cells"),
            "no empty cell": ("  d e .\ngoal", "  d e f\ngoal", 3, 8, "no empty cell"),
            "an open cell": ("  d e .\ngoal", "  d * .\ngoal", 6, 5, "open cell (*)"),
            "a list": ("board: |\n  a a b\n  # b c\n  d e .\n", "board: [a, b]\n", 3, 8,
                       "a text is needed here, not a list"),
            "nothing": ("board: |\n  a a b\n  # b c\n  d e .\n", "board: ''\n", 3, 8, "picture is empty"),
            "a symbol too long": ("  d e .\ngoal", "  d eeeeeeee .\ngoal", 6, 5, "1 to 7 bytes"),
            "a wide row": ("board: |\n  a a b", "board: |\n  " + "a " * 65, 4, 3 + 2 * 64,
                           "a row has at most 64 cells: break it into rows"),
            "an endless row": ("board: |\n  a a b", "board: |\n  " + "a " * 65000, 4, 3 + 2 * 64,
                               "a row has at most 64 cells: break it into rows"),
        })

    def test_goal(self):
        self.assert_mistakes({
            "another size": ("goal: |\n  a a b\n  # b c\n  d e .", "goal: |\n  a a b\n  # b c", 7, 7,
                             "the goal has 2 rows of 3 cells, the board 3 rows of 3"),
            "another wall": ("goal: |\n  a a b\n  # b c", "goal: |\n  a a b\n  b # c", 9, 3, "same walls"),
            "a wall more": ("  d e .\npieces", "  d e #\npieces", 10, 7, "same walls"),
            "an unknown piece": ("  d e .\npieces", "  d x .\npieces", 10, 5, "'x' does not stand on the board"),
            "a piece twice": ("  d e .\npieces", "  d d .\npieces", 8, 3, "'d' is there 2 times, not 1"),
            "no empty cell left": ("  d e .\npieces", "  d e e\npieces", 8, 3, "'e' is there 2 times"),
            "half a piece": ("goal: |\n  a a b", "goal: |\n  a * b", 8, 3, "'a' is not whole"),
        })

    def test_pieces(self):
        self.assert_mistakes({
            "no list": ("pieces:\n  - a a\n  - |\n    . b\n    b .\n", "pieces: a a\n", 11, 9,
                        "has to be a list of pictures"),
            "unknown symbol": ("  - a a\n", "  - x x\n", 12, 5, "'x' does not stand on the board"),
            "in two pieces": ("    b .\n", "    a .\n", 15, 5, "'a' belongs to another piece already"),
            "no cell": ("  - a a\n", "  - . .\n", 12, 5, "the piece has no cell"),
            "not as on the board": ("  - a a\n", "  - a a a\n", 4, 3, "'a' is not whole"),
            "an item that is a mapping": ("  - a a\n", "  - a: a\n", 12, 5, "a text is needed here, not a mapping"),
            "uneven": ("    . b\n", "    . b b\n", 15, 5, "this row has 2 cells, the first one 3"),
        })

    def test_turned_pieces(self):
        """Pieces of one symbol have one shape, in one orientation; a turned one is given another symbol."""
        text = "puzzle: p\nfamily: slide\ngoal: |\n  a a b .\n  a . b b\npieces:\n  - aa/a.\n  - b./bb\n"
        self.assert_answer(self.load(text))
        for old, new, line, column in ((" b .\n  a . b b", " a .\n  a . a a", 4, 7), ("b./bb", "a./aa", 8, 5)):
            spoilt = text.replace(old, new).replace("  - b./bb\n", "")
            self.assert_mistake(spoilt, line, column, "'a'",
                                "one that is turned or of another shape needs a symbol of its own")
        self.assert_mistake(text + "alike: [a b]\n", 9, 11, "'b' has another shape than 'a' (or the same, turned)")

    def test_piece_too_large(self):
        row = "a" * 32
        text = f"puzzle: p\nfamily: slide\ngoal: {row}/{row}/{'.' * 32}\npieces: [{row}/{row}]\n"
        result = self.load(text)
        if result.code == 2:
            self.assertRegex(result.err, r"my puzzle.yaml:4:\d+: the piece has more than \d+ cells")
        else:
            self.assert_answer(result)


class Starts(Definition):
    """A board that is drawn whole is 'start', unless another one is called so."""

    FAMILIES = {
        "slide": ("board: 12/.3\ngoal: '12/3.'\n", "1203", "1023"),
        "walk": ("board: A.b\ngoal: '**A'\nedges: [1 2 3]\n", "A.b", ".Ab"),
        "permute": ("board: b a c\ngoal: a b *\nplaces: 1 2 3\ngenerators: {turn: (1 2 3), swap: (1 2)}\n", "bac", "cba"),
        "flip": ("board: 12/.1\nvalues: 3\naround: plus\n", "1201", "0001"),
        "peg": ("board: 11.\njumps: orthogonal\npegs: 1\n", "110", "011"),
        "place": ("board: 2...\nmark: Q\nvalues: 1-4\ndifferent: all\n", "2...", "1..."),
    }

    def start(self, text):
        return self.query(self.write("my puzzle.yaml", text), "--json")

    def test_every_family(self):
        for family, (text, drawn, other) in self.FAMILIES.items():
            with self.subTest(family=family):
                text = f"puzzle: p\nfamily: {family}\n{text}"
                said = self.start(text)
                self.assertEqual((said.json["board"], said.err), (drawn, ""))
                self.assertEqual(self.start(text + f"boards: {{start: {other}}}\n").json["board"], other)
                self.assertEqual(self.start(text + f"boards: {{other: {other}}}\n").json["board"], drawn)

    def test_shapes(self):
        """One without anything on it is a shape, and none to start from, but where empty slots are filled in."""
        for family in ("flip", "peg"):
            text = self.FAMILIES[family][0].replace("1", ".").replace("2", ".").replace("pegs: .", "pegs: 1")
            self.assert_complaint(self.start(f"puzzle: p\nfamily: {family}\n{text}"), 2, "no board named 'start'")
        self.assertEqual(self.start(f"puzzle: p\nfamily: place\n{self.FAMILIES['place'][0].replace('2.', '..')}").json["board"],
                         "....")

    def test_wrong_values(self):
        self.assert_mistake("puzzle: p\nfamily: flip\nboard: .3/11\nvalues: 3\naround: plus\n", 3, 9,
                            "'3' is no value of a cell: they are 0 to 2")
        self.assert_mistake("puzzle: p\nfamily: place\nboard: 5...\nvalues: 1-4\ndifferent: all\n", 3, 8,
                            "'5' is none of the values")

    def test_sizes(self):
        """Built-in puzzles of any size have one, that can be solved."""
        for puzzle in ("tiles-2x4", "tiles-1x5", "tiles-4x2", "tiles-7x9", "lights-out-6x6", "8-flip-4x3", "queens-6"):
            said = self.query(puzzle, "--json").json
            self.assertGreater(said["distance"], 0, puzzle)


class AtTheGoal(Definition):
    """Where nothing is farther than the goal, that is said, and not "at distance 0"."""

    def assert_said(self, text, generated, histogram, hardest):
        path = self.write("open.yaml", text)
        self.assertIn(generated, self.gen("-d", self.db, path).out)
        for option, said in (("--histogram", histogram), ("--hardest", hardest)):
            self.assertEqual(self.assert_answer(self.query("-d", self.db, path, option)).lines[0], said)

    def test_a_goal_that_is_always_met(self):
        self.assert_said("puzzle: open\nfamily: slide\nboard: 12/3.\ngoal: '**/**'\n",
                         "open: 24 states, all at the goal already: every board meets it; made in",
                         "open: 24 states, all at the goal already: no other board reaches it",
                         "open: 24 boards at the goal already: no other board reaches it")

    def test_a_goal_that_nothing_leads_to(self):
        self.assert_said("puzzle: open\nfamily: walk\nboard: .A\ngoal: A.\none-way: [1 2]\nboards: {start: A.}\n",
                         "open: 1 state, all at the goal already: no other board reaches it; made in",
                         "open: 1 state, all at the goal already: no other board reaches it",
                         "open: 1 board at the goal already: no other board reaches it")


class Lost(Definition):
    """Boards of a definition that cannot reach the goal."""

    def assert_lost(self, text, *names, code=0):
        """pdb-gen says so in one line, when it makes the database and when it is there already, and makes it all the
        same."""
        path = self.write("lost.yaml", text)
        for arguments in ([], [], ["-f", "--json"]):
            result = self.gen("-d", self.db, *arguments, path)
            self.assertEqual(result.code, 0, result)
            said = ("s" if len(names) > 1 else "") + " " + ", ".join(f"'{name}'" for name in names)
            self.assertEqual(result.err,
                             f"pdb-gen: {path}: the goal cannot be reached from the board{said}\n" if names else "")
        self.assertEqual(result.json.get("unreachable", []), list(names))
        self.assertEqual(result.json["made"], True)

    def test_slide(self):
        tiles = "puzzle: lost\nfamily: slide\ngoal: 123/45.\n"
        self.assert_lost(tiles + "boards: {start: 123/4.5, swapped: 213/45., goal-again: 123/45.}\n", "swapped")
        self.assert_lost(tiles + "boards: {one: 213/45., two: 132/45.}\nboard: 123/54.\n", "one", "two", "start")
        self.assert_lost(tiles + "board: 1.3/425\n")
        self.assert_lost("puzzle: lost\nfamily: slide\ngoal: '12/3.'\nboard: |\n  2 1\n  3 .\n", "start")

    def test_walk(self):
        ring = "puzzle: lost\nfamily: walk\ngoal: ABC.\nedges: [1 2 3 4 1]\n"
        self.assert_lost(ring + "boards: {start: CAB., other: CBA.}\n", "other")
        self.assert_lost("puzzle: lost\nfamily: walk\nboard: .A\ngoal: A.\none-way: [1 2]\n", "start")

    def test_permute(self):
        shifts = "puzzle: lost\nfamily: permute\nplaces: 1 2 3 4\ngoal: 1 2 3 4\ngenerators: {turn: (1 2 3)}\n"
        self.assert_lost(shifts + "boards: {start: 2 3 1 4, other: 2 1 3 4}\n", "other")

    def test_pegs(self):
        """Their moves cannot be undone, and a 'board' of holes alone is none to start from."""
        pegs = "puzzle: lost\nfamily: peg\njumps: orthogonal\nboard: .....\npegs: 1\n"
        self.assert_lost(pegs + "boards: {start: 11.1., other: 1...1}\n", "other")

    def test_found_by_moves(self):
        """Of a board that no moves out of the named ones lead to, nothing is known."""
        text = (SOURCE / "puzzles/rush-hour.yaml").read_text()
        self.assertIn("  . . J K D D\n  E E J F F .\n", text)
        self.assert_lost(text.replace("  . . J K D D\n  E E J F F .\n", "  E E J K D D\n  . . J F F .\n"))


class Lists(Definition):
    def test_alike(self):
        self.assert_mistakes({
            "no list": ("alike:\n  - c d\n", "alike: c d\n", 16, 8, "has to be a list"),
            "unknown": ("  - c d\n", "  - c x\n", 17, 7, "no piece begins with 'x'"),
            "twice": ("  - c d\n", "  - c d\n  - e c\n", 18, 7, "'c' is listed as alike already"),
            "another shape": ("  - c d\n", "  - c a\n", 17, 7, "'a' has another shape than 'c'"),
            "the empty cell": ("  - c d\n", "  - c .\n", 17, 7, "no piece begins with '.'"),
            "a list in the list": ("  - c d\n", "  - [c, d]\n", 17, 5, "a text is needed here, not a list"),
        })

    def test_glyphs(self):
        self.assert_mistakes({
            "no mapping": ("glyphs:\n  c: ©\n", "glyphs: ©\n", 18, 9, "has to be a mapping"),
            "unknown": ("  c: ©\n", "  x: ©\n", 19, 3, "'x' does not stand on the board"),
            "empty": ("  c: ©\n", "  c: ''\n", 19, 6, "a glyph has to be"),
            "with a separator": ("  c: ©\n", "  c: a b\n", 19, 6, "a glyph has to be"),
            "too long": ("  c: ©\n", "  c: " + "©" * 8 + "\n", 19, 6, "a glyph has to be"),
            "a list": ("  c: ©\n", "  c: [©]\n", 19, 6, "a text is needed here"),
        })

    def test_boards(self):
        self.assert_mistakes({
            "no mapping": ("boards:\n  start: aab/#bc/d.e\n", "boards: aab/#bc/d.e\n", 20, 9, "has to be a mapping"),
            "too few cells": ("aab/#bc/d.e", "aab/#bc/d.", 21, 10, "8 cells given"),
            "unknown symbol": ("aab/#bc/d.e", "aab/#bc/d.x", 21, 20, "'"),
            "a piece twice": ("aab/#bc/d.e", "aab/#bc/d.d", 21, 10, "'d' is there 2 times, not 1"),
            "an open cell": ("aab/#bc/d.e", "aab/#bc/d.*", 21, 20, "goal only"),
            "named goal": ("  start: aab", "  goal: aab", 21, 3, "'goal' cannot be a board's name"),
            "named with a slash": ("  start: aab", "  a/b: aab", 21, 3, "'a/b' cannot be a board's name"),
            "a list": ("aab/#bc/d.e", "[a]", 21, 10, "a text is needed here"),
        })


class Yaml(Definition):
    def test_what_is_no_mapping(self):
        for text, line, column, fragment in (
                ("", 1, 1, "empty"), ("\n\n# only a comment\n", 1, 1, "empty"), ("goat\n", 1, 1, "mapping"),
                ("- puzzle: p\n", 1, 1, "mapping"), ("null\n", 1, 1, "mapping")):
            with self.subTest(text):
                self.assert_mistake(text, line, column, fragment)

    def test_yaml(self):
        self.assert_mistakes({
            "tab": ("  - c d\n", "\t- c d\n", 17, 1, "tab"),
            "no colon": ("metric: step", "metric step", 22, 1, "':' is missing"),
            "open quote": ("metric: step", "metric: 'step", 22, 9, "quotation mark"),
            "open bracket": ("metric: step", "metric: [step", 23, 1, "]"),
            "anchor": ("metric: step", "metric: &m step", 22, 9, ""),
            "alias": ("metric: step", "metric: *m", 22, 9, ""),
            "tag": ("metric: step", "metric: !!str step", 22, 9, ""),
            "second document": ("metric: step\n", "---\npuzzle: other\n", 22, 1, "second document"),
            "bad indentation": ("  start: aab", " start: aab/#bc/d.e\n   other: aab", 22, 9, ""),
            "control character": ("metric: step", "metric: st\x07ep", 22, 11, ""),
            "escaped control character": ("metric: step", 'metric: "st\\x1bep"', 22, 9, "U+001B"),
            "unknown escape": ("metric: step", 'metric: "st\\qep"', 22, 12, "escape"),
        })

    def test_bytes(self):
        good = GOOD.encode()
        at = good.index(b"step")
        result = self.query(self.write("my puzzle.yaml", good[:at] + b"\xff" + good[at:]), "goal")
        self.assert_complaint(result, 2, "my puzzle.yaml:22:9: ")
        self.assert_complaint(self.query(self.write("my puzzle.yaml", GOOD.encode("utf-16")), "goal"), 2,
                              "my puzzle.yaml:1:1: ")
        self.assert_complaint(self.query(self.write("my puzzle.yaml", b"puzzle: p\0\n"), "goal"), 2,
                              "my puzzle.yaml:1:10: ")

    def test_size_and_depth(self):
        self.assert_mistake(GOOD + "#" * (1 << 20), 1, 1, "too long", "1048576 bytes")
        self.assert_mistake("puzzle: " + "[" * 30 + "]" * 30, 1, 8 + 16, "nested deeper than 16 levels")
        self.assert_mistake("puzzle: " + "[" * 100000, 1, 8 + 16, "nested deeper than 16 levels")

    def test_columns_count_characters(self):
        self.assert_mistake('{puzzle: p, family: slide, title: "羊羊羊", goal: "ab/c.", colour: 3}\n', 1, 57,
                            "unknown key 'colour'")


class Large(Definition):
    def test_too_many_states(self):
        """What can neither be numbered, or kept in this memory, nor be searched is refused cleanly and at once."""
        tiles = re.sub(r"((?:\d+ ){4}\d+) ", r"\1/", " ".join(str(max(n, 2)) for n in range(1, 25)) + " .")
        path = self.write("24.yaml", f"puzzle: big\nfamily: slide\ngoal: {tiles}\n")
        self.assert_complaint(self.gen("-d", self.db, path), 3, "too many")
        self.assert_complaint(self.query("-d", self.db, path, "goal"), 3, "too many")
        path = self.write("15.yaml", "puzzle: fifteen\nfamily: slide\ngoal: 2 2 3 4/5 6 7 8/9 10 11 12/13 14 15 .\n")
        self.assert_complaint(self.gen("-d", self.db, path), 3, "10,461,394,944,000 states need")
        self.assert_complaint(self.query("-d", self.db, path, "--histogram"), 3, "too many to search")
        self.assertFalse(any(self.dir.glob("**/*.new")))


if __name__ == "__main__":
    unittest.main()
