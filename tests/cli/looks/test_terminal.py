"""What a person sees: colours, the moved piece, how answers and progress fit the terminal, and that nothing of this
reaches a file."""

import itertools
import re
import unicodedata
import unittest

from helpers.harness import GEN, GOAT_SEED, GOAT_START, QUERY, Case, GoatCase

ESCAPE = re.compile(r"\033\[[\d;]*[mK]")
MARK = "208"  # the ground of a piece that has moved

# Takes some tenths of a second at least to make, and the other one to search, so that there is something to be shown.
# The first goes state by state in little memory.
LONG = "puzzle: long\nfamily: flip\naround: plus\nboard: ...../...../...../...../.....\n"
FAR = "puzzle: long\nfamily: slide\ngoal: 1 2 3 4/5 6 7 8/9 10 11 .\nboards: {start: . 3 2 1/8 7 6 5/4 11 10 9}\n"

# Pieces of two and three cells, and two that have one name.
BLOCKS = """\
puzzle: blocks
family: slide
board: |
  A A . C
  A A D C
  . E E E
pieces: [AA, C/C, EEE]
goal: |
  A A A A
  * * * *
  E E E *
boards:
  start: AA.C/AADC/.EEE
"""


def width(text):
    """Columns of a terminal."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in ESCAPE.sub("", text))


class Screen:
    """Lines of cells (character, ground), as a terminal has them after some output."""

    def __init__(self, output):
        self.lines, self.column, self.ground = [[]], 0, None
        for escape, letter, character in re.findall(r"\033\[([\d;]*)([A-Za-z])|([^\033])", output):
            if letter == "m":
                self.look(escape)
            elif letter == "K":
                del self.lines[-1][self.column:]
            elif character == "\r":
                self.column = 0
            elif character == "\n":
                self.lines.append([])
                self.column = 0
            else:
                self.put(character)

    def look(self, numbers):
        if numbers == "0":
            self.ground = None
        found = re.search(r"48;5;(\d+)", numbers)
        self.ground = found[1] if found else self.ground

    def put(self, character):
        line = self.lines[-1]
        line.extend([(" ", None)] * (self.column - len(line)))
        for part in [character, ""][:width(character)]:  # a wide one's second half is empty
            line[self.column:self.column + 1] = [(part, self.ground)]
            self.column += 1

    @property
    def text(self):
        return ["".join(character for character, _ in line).rstrip() for line in self.lines]


class Colours(GoatCase):
    def shown(self, *arguments, **options):
        result = self.on_terminal(QUERY, "-d", self.goat, "goat", *arguments, **options)
        self.assertEqual(result.code, 0, result)
        return result.err

    def test_when(self):
        """On a terminal, unless the environment or an option forbids it; elsewhere only when it is asked for."""
        cases = [
            (True, [], {}), (True, [], {"NO_COLOR": ""}), (False, [], {"NO_COLOR": "1"}),
            (False, [], {"TERM": "dumb"}), (False, [], {"TERM": None}),
            (False, ["--color=never"], {}), (False, ["--ascii"], {}),
            (True, ["--color=auto"], {}), (False, ["--color=auto"], {"NO_COLOR": "1"}),
            (True, ["--color=always"], {"NO_COLOR": "1", "TERM": "dumb"}), (True, ["--ascii", "--color=always"], {}),
            (False, ["--json"], {}), (False, ["--json", "--color=always"], {}),
        ]
        for coloured, arguments, env in cases:
            with self.subTest(arguments=arguments, env=env):
                self.assertEqual("\033" in self.shown("--path", *arguments, env=env), coloured)
        for question in (["--path"], ["--hardest"], ["--histogram"], ["--random"], ["--hint"], ["--info"]):
            self.assertNotIn("\033", self.assert_answer(self.ask(*question)).out)
        self.assertIn("\033", self.assert_answer(self.ask("--color=always")).out)
        self.assert_complaint(self.ask("--color=blue"), 2, "--color", "auto, always or never", "'blue'")

    def test_only_colours_differ(self):
        """What is drawn in colour is what is drawn without (but bars, which are ground then), and nothing is left
        switched on at the end of a line."""
        puzzles = [["goat", "--path"], ["15-puzzle", "easy", "--path"], ["knights"], ["guarini", "--histogram"],
                   ["queens-6"], ["send-more"], ["hoppers", "--path"], ["cube-2x2x2", "goal"], ["8-flip"],
                   ["pancakes-8", "--random", "--seed=1"], ["four-fours", "24"]]
        for arguments in puzzles:
            with self.subTest(arguments):
                plain = self.assert_answer(self.query("-d", self.goat, *arguments)).lines
                coloured = self.assert_answer(self.query("-d", self.goat, "--color=always", *arguments)).out
                self.assertEqual([line.rstrip() for line in ESCAPE.sub("", coloured).splitlines()],
                                 [line.replace("━", " ").rstrip() for line in plain])
                for line in coloured.splitlines():
                    looks = re.findall(r"\033\[([\d;]*)m", line)
                    self.assertEqual(looks[1::2], ["0"] * (len(looks) // 2),
                                     "each look is ended before the next and on its line")
                    self.assertEqual(len(looks) % 2, 0)

    def test_pieces(self):
        """The pen is of one colour, sheep and wolf have their own, and the empty cell has none."""
        board = Screen(self.shown(GOAT_START)).lines[2:5]
        ground = {character: ground for line in board for character, ground in line if character.strip()}
        self.assertEqual(len({ground[part] for part in "┌─┐│└┘"}), 1)
        self.assertEqual(len({ground[part] for part in "┌羊狼∥"}), 4)
        self.assertIsNone(ground["□"])
        self.assertEqual({len(line) for line in board}, {12},
                         "four cells of two columns behind four blanks, the last one filled too")

    def test_best_moves(self):
        lines = self.shown(GOAT_START).splitlines()
        moves = [line for line in lines if re.search(r"\d\d(\033\[0m)?$", line)]
        self.assertEqual([line.startswith("  \033[1m*") for line in moves], ["*" in line for line in moves])
        self.assertEqual(sum("*" in line for line in moves), 2)

    def marks(self, arguments, rows, columns):
        """The cells that are marked in each board of a path, drawn one below the other; boards are of narrow or wide
        cells of two columns."""
        out = self.assert_answer(self.query(*arguments, "--path", "--color=always", env={"COLUMNS": "20"})).out
        lines = Screen(out).lines
        begins = [i for i, line in enumerate(lines) if re.match(r"  \d+\. ", "".join(c for c, _ in line))]
        for begin in begins:
            board = lines[begin + 1:begin + 1 + rows]
            yield {(r, c) for r in range(rows) for c in range(columns)
                   if board[r][2 + 2 * c:][:1] and board[r][2 + 2 * c][1] == MARK}

    def changed(self, path, columns, whole):
        """The same from the boards themselves: cells that are filled and were not filled so; `whole` adds the rest of a
        piece."""
        for before, after in itertools.pairwise(path):
            cells = {i for i, (old, new) in enumerate(zip(before, after)) if old != new and new not in ("0", ".")}
            yield {divmod(i, columns) for i in whole(cells, after)}

    def test_moved_piece(self):
        arguments = ["-d", self.goat, "goat", GOAT_SEED]
        path = [
            board.split(",") for board in self.assert_answer(self.query(*arguments, "--path", "--json")).json["path"]
        ]

        def whole(cells, board):
            return cells | {
                i + d for i in cells for d, code, rest in ((1, "9", "10"), (-1, "10", "9")) if board[i] == code
            }
        expected = list(self.changed(path, 4, whole))
        self.assertEqual(list(self.marks(arguments, 3, 4)), expected)
        self.assertEqual({len(cells) for cells in expected}, {1, 2}, "the wide piece moves too")

    def test_moved_piece_that_is_large(self):
        path = self.write("blocks.yaml", BLOCKS)
        boards = self.assert_answer(self.query(path, "--path", "--json")).json["path"]

        def whole(cells, board):  # C and E are there once; of the pieces AA two cells belong together
            found = set(cells)
            for i in cells:
                found |= {j for j, code in enumerate(board) if code == board[i] and code in "CE"}
                if board[i] == "A":
                    row = [j for j in range(i - i % 4, i - i % 4 + 4) if board[j] == "A"]
                    first = row.index(i) // 2 * 2
                    found |= set(row[first:first + 2])
            return found
        expected = list(self.changed(boards, 4, whole))
        self.assertEqual(list(self.marks([path], 3, 4)), expected)
        self.assertTrue({2, 3} <= {len(cells) for cells in expected}, expected)

    def test_no_mark_without_colour(self):
        """Steps can be typed in as they stand: each board of the plain picture is what --json says."""
        result = self.assert_answer(self.ask(GOAT_SEED, "--path", env={"COLUMNS": "20"}))
        text = result.out.split("A shortest solution:\n\n")[1]
        boards = ["\n".join(block.splitlines()[1:]) for block in text.split("\n\n")]
        expected = self.assert_answer(self.ask(GOAT_SEED, "--path", "--json")).json["path"][1:]
        self.assertEqual(len(boards), len(expected))
        stream = self.assert_answer(self.ask("-", stdin="".join(board.replace("\n", "/") + "\n" for board in boards)))
        self.assertEqual([line.split("\t")[0] for line in stream.lines], expected)


class Width(GoatCase):
    QUESTIONS = (["--path", GOAT_SEED], ["--histogram"], ["--hardest"])

    def lines(self, *arguments, **options):
        result = self.on_terminal(QUERY, "-d", self.goat, "goat", *arguments, **options)
        self.assertEqual(result.code, 0, result)
        return result.err.splitlines()

    def test_nothing_is_wider_than_the_terminal(self):
        for columns, question in itertools.product((40, 80, 133, 200), self.QUESTIONS):
            with self.subTest(columns=columns, question=question):
                lines = self.lines(*question, columns=columns)
                body = max(width(line) for line in lines[3:])
                self.assertLessEqual(body, columns)
                if question == ["--histogram"]:
                    self.assertGreaterEqual(body, columns - 1, "the longest bar goes to the edge")
                if question[0] == "--path":  # captions are up to 28 columns wide, with a gap of 3
                    self.assertGreater(body, columns - 31 - 28, "another board would not have found room")

    def test_who_says_how_wide(self):
        """$COLUMNS, else the terminal; 80 where there is none."""
        def widest(lines):
            return max(map(width, lines[3:]))
        self.assertIn(widest(self.lines("--histogram", columns=120, env={"COLUMNS": "60"})), (59, 60))
        for odd in ("", "0", "19", "wide", "60x", "-60", "99999999999999999999"):
            self.assertIn(widest(self.lines("--histogram", columns=120, env={"COLUMNS": odd})), (119, 120), odd)
        self.assertIn(widest(self.lines("--histogram", columns=0)), (79, 80))
        self.assertIn(widest(self.ask("--histogram").lines), (79, 80))
        self.assertIn(widest(self.ask("--histogram", env={"COLUMNS": "60"}).lines), (59, 60))

    def test_many_moves_stand_in_columns(self):
        for columns in (80, 120):
            lines = self.assert_answer(self.query("queens-8", env={"COLUMNS": str(columns)})).lines
            rows = [line for line in lines if "row" in line]
            self.assertLessEqual(max(map(len, rows)), columns)
            self.assertEqual(len(rows), -(-64 // (columns // 24)))
            found = re.findall(r"\* row (\d) column (\d) +7", "\n".join(rows))
            self.assertEqual(found, [(str(r), str(c)) for r in range(1, 9) for c in range(1, 9)])


class Progress(Case):
    FIELDS = (
        r"long: (layer (?P<layer>\d+), (?P<states>[\d,]+) states \((?P<share>\d+) %\)(, [\d.]+( [kM])?/s)?"
        r"(, \d+ s left)?(, [\d.]+ MiB)?"
        r"|\d+ % of 8,388,608 states packed(, [\d.]+( [kM])?/s)?(, \d+ s left)?(, [\d.]+ MiB)?"
        r"|(packing|writing)(, \d+ % of [\d.]+ [KM]iB)?(, \d+ s left)?)")

    def redrawn(self, columns):
        """The lines that were drawn one over the other while the database was made, and all that is left at the end."""
        path = self.write("long.yaml", LONG)
        result = self.on_terminal(GEN, "--force", "-j1", "--memory=9M", "-d", self.db, path, columns=columns)
        self.assertEqual(result.code, 0, result)
        plan, rest = result.err.split("\n", 1)
        self.assertRegex(plan, r"\A(\r\033\[K)?long: 8,388,608 states, ")
        drawn = rest.split("\r\033[K")
        self.assertRegex(Screen(rest).text[0], r"\Along: 8,388,608 states, the farthest ")
        return [line for line in drawn if "\n" not in line and line]

    def test_generating(self):
        lines = self.redrawn(80)
        matches = [re.fullmatch(self.FIELDS, line) for line in lines]
        self.assertTrue(all(matches), lines)
        layers = [(int(m["layer"]), int(m["states"].replace(",", "")), int(m["share"])) for m in matches if m["layer"]]
        self.assertGreaterEqual(len(layers), 2, lines)
        self.assertEqual(layers, sorted(layers), "layer, states and share grow")
        self.assertTrue(all(share <= 99 for _, _, share in layers))
        for wanted in ("/s", "MiB"):
            self.assertTrue(any(wanted in line for line in lines), (wanted, lines))

    def test_generating_in_a_small_window(self):
        for columns in (20, 40):
            lines = self.redrawn(columns)
            self.assertTrue(lines)
            self.assertLess(max(map(len, lines)), columns)

    def test_one_quiet_line_elsewhere(self):
        path = self.write("long.yaml", LONG)
        result = self.assert_answer(self.gen("-d", self.db, path))
        self.assertRegex(result.out, r"\Along: 8,388,608 states, [^\n]+\n\Z")

    def test_dumb_terminal(self):
        path = self.write("long.yaml", LONG)
        result = self.on_terminal(GEN, "-d", self.db, path, env={"TERM": "dumb"})
        self.assertRegex(result.err, r"\Along: 8,388,608 states, the farthest [^\n]+\n\Z")
        self.assertEqual(result.code, 0)

    def test_searching(self):
        """The line is gone before the answer comes, and nothing of it is left."""
        path = self.write("long.yaml", FAR)
        plain = self.assert_answer(self.query("--method=search", "-j1", "-d", self.db, path))
        for columns in (30, 80):
            result = self.on_terminal(QUERY, "--method=search", "-j1", "-d", self.db, path, "--color=never",
                                      columns=columns)
            self.assertEqual(result.code, 0, result)
            drawn = [line for line in result.err.split("\r\033[K") if line and "\n" not in line]
            self.assertTrue(drawn, "it takes long enough for a line")
            for line in drawn:
                self.assertLess(len(line), columns)
                self.assertRegex(
                    line,
                    r"\Along(: (no solution under \d+ moves|the rest of the answer is looked for \(--hint takes less\)|"
                    r"[\d,]+ boards looked at|[\d.]+( [kM])?/s|\d+ s so far)(, [^\n]*)?)?\Z")
            self.assertEqual(Screen(result.err).text[:6], [line.rstrip() for line in plain.lines[:6]])


if __name__ == "__main__":
    unittest.main()
