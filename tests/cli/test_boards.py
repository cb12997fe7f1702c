"""Boards as people write them, and what is said of those that are none."""

import itertools
import unittest

from helpers.harness import GOAT_SEED, GOAT_START, Case, GoatCase


class GoatBoards(GoatCase):
    def assert_read(self, board, *arguments):
        self.assertEqual(self.assert_answer(self.ask("--json", *arguments)).json["board"], board, arguments)

    def test_separators(self):
        words = GOAT_SEED.split(",")
        for separator in (",", " ", "/", "\n", "\t", ", ", " , ", "  ", "\r\n", "//"):
            with self.subTest(separator=separator):
                self.assert_read(GOAT_SEED, separator.join(words))
        for cells, rows in itertools.product((" ", ",", ", "), ("/", " / ", "\n", "/\n")):
            with self.subTest(cells=cells, rows=rows):
                self.assert_read(GOAT_SEED, rows.join(cells.join(words[i:i + 4]) for i in (0, 4, 8)))

    def test_separators_around(self):
        self.assert_read(GOAT_SEED, f"\n  {GOAT_SEED},\n")

    def test_empty_cell(self):
        for empty in "._0□":
            with self.subTest(empty=empty):
                self.assert_read(GOAT_START, GOAT_START.replace(",0,", f",{empty},"))

    def test_cells_as_arguments(self):
        self.assert_read(GOAT_SEED, *GOAT_SEED.split(","))

    def test_rows_as_arguments(self):
        self.assert_read(GOAT_SEED, "6 7 9 10", "4 5 2 8", "0 8 3 1")
        self.assert_read(GOAT_SEED, "6,7,9,10", "4,5,2,8", "0,8,3,1")
        self.assert_read(GOAT_SEED, "6,7,9,10", "/", "4,5,2,8", "/", "0,8,3,1")

    def test_options_after_boards(self):
        result = self.query("goat", GOAT_SEED, "--json", "-d", self.goat)
        self.assertEqual(self.assert_answer(result).json["distance"], 52)

    def test_glyphs(self):
        for text in ("┌─┐ │□∥羊└─┘狼", "┌ ─ ┐\n│ □ ∥ 羊\n└ ─ ┘ 狼", "┌,─,┐,│,□,∥,羊,└,─,┘,狼", "┌─┐/│□∥羊/└─┘狼",
                     "┌ ─ 9 10 │ □ ∥ 羊 └ ─ ┘ 狼", "┌─┐10│□∥羊└─┘狼"):
            with self.subTest(text=text):
                result = self.ask("--json", text)
                # glyphs and a code of two characters without a separator: not to be taken apart
                if text == "┌─┐10│□∥羊└─┘狼":
                    self.assert_complaint(result, 2, "no symbol of this puzzle")
                else:
                    self.assertEqual(self.assert_answer(result).json["board"], GOAT_START)

    def test_printed_pictures(self):
        """Whatever is drawn can be given back, as a whole, as rows, and with --ascii."""
        for seed in range(12):
            board = self.ask("--random", f"--seed={seed}", "--json").json["board"]
            for style in ([], ["--ascii"]):
                with self.subTest(board=board, style=style):
                    lines = self.assert_answer(self.ask(*style, board)).lines
                    self.assertEqual((lines[1], lines[5]), ("", ""))
                    self.assert_read(board, "\n".join(lines[2:5]))
                    self.assert_read(board, *lines[2:5])
                    self.assertEqual("".join(lines).isascii(), bool(style))

    def test_many_boards(self):
        answers = self.assert_answer(self.ask("--json", GOAT_SEED, "start", "goal", GOAT_START.replace(",", " "))).lines
        self.assertEqual([line.split('"distance":')[1].split(",")[0] for line in answers], ["52", "20", "0", "20"])
        text = self.assert_answer(self.ask("goal", "start")).out
        self.assertEqual(text, self.ask("goal").out + "\n" + self.ask("start").out)

    def test_a_bad_board_among_many_gives_no_answer_at_all(self):
        self.assert_complaint(self.ask("--json", "start", "1,2,3"), 2, "3 cells given, but the board has 12")

    def test_unreachable(self):
        """The wide piece in the middle row is a proper board, but it never leaves its row."""
        for options in ([], ["--path"], ["--count"], ["--hint=3"]):
            result = self.ask(*options, "1 8 0 7 2 9 10 5 3 8 4 6")
            self.assert_answer(result, 1)
            self.assertIn("the goal cannot be reached from here", result.out)
        answer = self.assert_answer(self.ask("--json", "1 8 0 7 2 9 10 5 3 8 4 6"), 1).json
        self.assertIsNone(answer["distance"])
        self.assertEqual([move["distance"] for move in answer["moves"]], [None] * len(answer["moves"]))
        self.assertEqual({move["optimal"] for move in answer["moves"]}, {False})
        self.assertNotIn("path", self.ask("--json", "--path", "1 8 0 7 2 9 10 5 3 8 4 6").json)
        result = self.assert_answer(self.ask("--json", "start", "1 8 0 7 2 9 10 5 3 8 4 6"), 1)
        self.assertEqual(len(result.lines), 2)

    def test_what_is_no_board(self):
        cases = {
            "one cell too few": ("1 8 9 10 2 0 7 5 3 8 4", ["11 cells given, but the board has 12"]),
            "one cell too many": ("1 8 9 10 2 0 7 5 3 8 4 6 6", ["13 cells given, but the board has 12"]),
            "thousands of cells": ("0 " * 3000, ["3000 cells given, but the board has 12"]),
            "none": ("", ["0 cells given"]),
            "spaces": ("  ", ["0 cells given"]),
            "unknown symbol": ("1 8 9 10 2 0 7 5 3 8 4 12", ["cell 12", "'12'"]),
            "unknown word": ("begin", ["'begin'"]),
            "unknown character": ("1 8 9 10 2 0 7 5 3 8 4 馬", ["cell 12", "'馬'"]),
            "bytes that are no text": (b"1 8 9 10 2 0 7 5 3 8 4 \xff\xfe", ["cell 12"]),
            "a piece too many": ("1 8 9 10 2 0 7 5 3 8 4 4", ["'4'", "2 times, not 1"]),
            "one rail too many": ("1 8 9 10 2 0 7 5 3 8 8 6", ["'8'", "3 times, not 2"]),
            "a piece too few": ("1 8 9 10 2 0 0 5 3 8 4 6", ["'7'", "0 times, not 1"]),
            "half of the wide piece": ("1 8 9 0 2 0 7 5 3 8 4 6", ["row 1, column 3", "'9'", "not whole"]),
            "its other half": ("1 8 0 10 2 0 7 5 3 8 4 6", ["row 1, column 4", "'10'", "rest of its piece"]),
            "its halves swapped": ("1 8 10 9 2 0 7 5 3 8 4 6", ["row 1, column 3", "'10'"]),
            "across the edge": ("1 8 0 9 10 2 7 5 3 8 4 6", ["row 1, column 4", "'9'", "not whole"]),
            "an open cell": ("1 8 9 10 2 * 7 5 3 8 4 6", ["cell 6", "'*'", "goal only"]),
            "a wall": ("1 8 9 10 2 # 7 5 3 8 4 6", []),
        }
        for name, (board, fragments) in cases.items():
            with self.subTest(name):
                self.assert_complaint(self.ask(board), 2, *fragments)
                self.assert_complaint(self.ask("--json", board), 2, *fragments)

    def test_no_escape_reaches_the_terminal(self):
        result = self.ask("1 8 9 10 2 0 7 5 3 8 4 \x1b[31mX")
        self.assertEqual(result.code, 2)
        self.assertNotIn("\x1b", result.err)


class TinyBoards(Case):
    def test_without_separators(self):
        path = self.make_tiny()
        for text in ("45.123", "45./123", "45_ 123", "4 5 0 1 2 3", "4,5,0,1,2,3", "45 01 23", "4,50/1 2 3"):
            with self.subTest(text):
                self.assertEqual(
                    self.assert_answer(self.query("-d", self.db, path, "--json", text)).json["board"], "450123")

    def test_compact_text_out(self):
        path = self.make_tiny()
        self.assertEqual(self.query("-d", self.db, path, "-", stdin="123/45.\n").out, "123450\t0\t\n")

    def test_letters_use_a_dot(self):
        path = self.write("letters.yaml", "puzzle: letters\nfamily: slide\ngoal: ab/c.\n")
        self.assertEqual(self.assert_answer(self.query(path, "--json", "ab c0")).json["board"], "abc.")

    def test_walls_written_or_left_out(self):
        path = self.write("walls.yaml", "puzzle: walls\nfamily: slide\ngoal: |\n  a b c\n  # d .\n")
        for text in ("abc#.d", "abc/#.d", "abc.d", "a b c # . d", "abc/.d"):
            with self.subTest(text):
                self.assertEqual(self.assert_answer(self.query(path, "--json", text)).json["board"], "abc#.d")
        self.assert_complaint(self.query(path, "abcd#."), 2, "cell 4", "has to be a wall")
        self.assert_complaint(self.query(path, "abc##."), 2, "wall")
        self.assert_complaint(self.query(path, "abc#.dd"), 2, "7 cells given")

    def test_a_definition_may_name_boards(self):
        path = self.make_tiny()
        self.assertEqual(self.query("-d", self.db, path, "--json").json["board"], "450123")
        self.assertEqual(self.query("-d", self.db, path, "--json", "start").json["board"], "450123")
        plain = self.write("plain.yaml", "puzzle: plain\nfamily: slide\ngoal: ab/c.\n")
        self.assert_complaint(self.query(plain), 2, "'start'")
        self.assertEqual(self.assert_answer(self.query(plain, "--json", "goal")).json["distance"], 0)

    def test_a_goal_with_open_cells_is_no_board(self):
        path = self.write("open.yaml", "puzzle: open\nfamily: slide\nboard: ab/c.\ngoal: a*/**\n")
        self.assert_complaint(self.query(path, "goal"), 2, "no single board")
        self.assertEqual(self.assert_answer(self.query(path, "--json", "ac/.b")).json["distance"], 0)

    def test_glyphs_of_several_characters(self):
        path = self.write("long.yaml", "puzzle: long\nfamily: slide\ngoal: ab/c.\nglyphs: {a: Alpha, b: Beta}\n")
        lines = self.assert_answer(self.query(path, "bc/.a")).lines
        self.assertEqual(lines[2:4], ["    Beta  c", "    .     Alpha"])
        self.assertEqual(self.assert_answer(self.query(path, "--json", "Beta c . Alpha")).json["board"], "bc.a")

    def test_neighbours_in_a_picture_never_run_together(self):
        """Whatever is drawn can be read back, the widest glyphs side by side as well."""
        cases = {
            "glyphs": ("ab/c.\nglyphs: {a: Alpha, b: Gamma}\n", "ab/.c"),
            "numbers": ("9 10/11 .\n", "10 11/9 ."),
            "large": ("9 10/11 .\n", "11 9/10 0"),
        }
        for name, (goal, board) in cases.items():
            with self.subTest(name):
                path = self.write("wide.yaml", "puzzle: wide\nfamily: slide\ngoal: " + goal)
                wanted = self.query(path, "--json", board).json["board"]
                for style in ([], ["--ascii"]):
                    picture = "\n".join(self.query(path, *style, board).lines[2:4])
                    result = self.query(path, "--json", picture)
                    self.assertIn(result.code, (0, 1), f"{picture!r} {result!r}")
                    self.assertEqual(result.json["board"], wanted)


if __name__ == "__main__":
    unittest.main()
