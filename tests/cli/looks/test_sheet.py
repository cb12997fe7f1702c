"""Sheets to print: what is on their pages, and that a PDF shows it, on the paper that was asked for."""

import json
import re
import subprocess
import unittest
import xml.etree.ElementTree as tree

from helpers.harness import Case, needs
from helpers.installed import SANITIZED

SVG = "{http://www.w3.org/2000/svg}"


class Sheet(Case):
    def setUp(self):
        super().setUp()
        self.puzzle = self.make_tiny()

    def sheet(self, name, *options, code=0):
        path = self.dir / name
        result = self.query("-d", self.db, *options, f"--sheet={path}")
        self.assertEqual((result.code, result.out), (code, ""), result)
        return path

    def texts(self, path):
        return ["".join(text.itertext()) for text in tree.parse(path).iter(f"{SVG}text")]

    def captions(self, path):
        """The numbers of boards, each with what stands behind it."""
        texts = list(tree.parse(path).iter(f"{SVG}text"))
        return [(number.text, distance.text) for number, distance in zip(texts, texts[1:])
                if number.get("font-size") == "16"]

    def test_pages(self):
        """Every board once with its number and distance, so many a page, and its solution behind all boards."""
        wish = ["--random=5..15", "--number=7", "--seed=3"]
        boards = [json.loads(line) for line in self.query(self.puzzle, *wish, "--json", "--path").lines]
        for per_page, pages in ((1, 7), (3, 3), (4, 2), (7, 1), (24, 1)):
            path = self.sheet("all.svg", self.puzzle, *wish, f"--per-page={per_page}")
            root = tree.parse(path).getroot()
            self.assertEqual((root.get("width"), root.get("height")), ("794", str(1123 * (pages + 1))))
            self.assertEqual(len(root.findall(f".//{SVG}view")), pages + 1)
            texts = self.texts(path)
            self.assertEqual([text for text in texts if " / " in text],
                             [f"{page} / {pages + 1}" for page in range(1, pages + 2)])
            solutions = texts.index("Solutions")
            self.assertEqual(self.captions(path), [(str(number), f"{board['distance']} moves")
                                                   for number, board in enumerate(boards, 1)])
            for number in range(1, len(boards) + 1):
                self.assertIn(str(number), texts[solutions:])
            words = " ".join(texts[solutions:])
            moves = re.findall(r"(\d) (up|down|left|right)", words)
            self.assertEqual(len(moves), sum(board["distance"] for board in boards))
            self.assertGreater(len(root.findall(f".//{SVG}path[@class='writing']")), 6)

    def test_solutions_lead_to_the_goal(self):
        """The moves that are printed, made one after another."""
        texts = self.texts(self.sheet("one.svg", self.puzzle, "--hardest=1"))
        lines = texts[texts.index("Solutions"):]
        self.assertFalse([line for line in lines if re.search(r", \d$|^(up|down|left|right)\b", line)])
        words = " ".join(lines)
        board = list(self.query(self.puzzle, "--hardest=1", "--json").json["boards"][0].replace(",", ""))
        for tile, way in re.findall(r"(\d) (up|down|left|right)", words):
            at, blank = board.index(tile), board.index("0")
            self.assertEqual(blank - at, {"up": -3, "down": 3, "left": -1, "right": 1}[way])
            board[at], board[blank] = "0", tile
        self.assertEqual("".join(board), "123450")

    def test_paper(self):
        for paper, size in (("a4", ("794", "1123")), ("letter", ("816", "1056")), ("Letter", ("816", "1056"))):
            root = tree.parse(self.sheet("p.svg", self.puzzle, "--random=5", f"--paper={paper}")).getroot()
            self.assertEqual(root.get("width"), size[0])
            self.assertEqual(int(root.get("height")), 2 * int(size[1]))

    def test_boards_of_the_command_line(self):
        texts = self.texts(self.sheet("typed.svg", self.puzzle, "123/450", "start", "goal"))
        self.assertIn("0 moves", texts)
        texts = self.texts(self.sheet("none.svg", "8-puzzle", "1,2,3,4,5,6,8,7,0", code=1))
        self.assertIn("no solution", texts)

    def test_a_goal_with_open_cells(self):
        """It is drawn on every page of boards: what has to be there as it is, and the rest dashed."""
        path = self.write("open.yaml", "puzzle: open\nfamily: slide\nboard: 123/45.\ngoal: 12*/***\n"
                                       "boards: {start: 543/21.}\n")
        page = self.sheet("open.svg", path, "start", "543/12.", "--per-page=1")
        goals = tree.parse(page).getroot().findall(f".//{SVG}g[@class='goal']")
        self.assertEqual(len(goals), 2)
        for goal in goals:
            self.assertEqual([text.text for text in goal.iter(f"{SVG}text")], ["1", "2"])
            self.assertEqual(len(goal.findall(f"{SVG}g[@class='open']/{SVG}rect")), 4)
        self.assertEqual(self.texts(page).count("The goal (dashed: anything)"), 2)

    def test_slots(self):
        """What is filled in has its solutions drawn, and nothing to write on."""
        path = self.sheet("queens.svg", "queens-6", "--random=3", "--number=2", "--unique")
        root = tree.parse(path).getroot()
        self.assertEqual(len(root.findall(f".//{SVG}path[@class='writing']")), 0)
        texts = self.texts(path)
        self.assertEqual(texts.count("♛"), 2 * 3 + 2 * 6)
        self.assertEqual(texts.count("one solution"), 2)

    def test_long_solutions(self):
        """A solution of more than a column goes on in the next; every line stays on its page."""
        path = self.sheet("long.svg", "hanoi-4x10", "--hardest=2")
        root = tree.parse(path).getroot()
        height = int(root.get("height"))
        ys = [int(text.get("y")) for text in root.iter(f"{SVG}text")]
        self.assertTrue(all(0 < y < height for y in ys))
        path = self.sheet("longer.svg", "hanoi-3x10", "--hardest=1")  # 1,023 moves
        root = tree.parse(path).getroot()
        on_boards = {text for board in root.iterfind(f".//{SVG}g[@class='board']") for text in board.iter(f"{SVG}text")}
        for text in set(root.iter(f"{SVG}text")) - on_boards:
            self.assertTrue(30 < int(text.get("y")) % 1123 < 1100, text.get("y"))

    def test_refused(self):
        for options, words in ((["--sheet=x.png", "--random"], [".pdf or .svg", "'x.png'"]),
                               (["--sheet=x.svg", "--json"], ["one form"]), (["--sheet=x.svg", "--svg"], ["one form"]),
                               (["--sheet=x.svg", "-"], ["command line"]),
                               (["--sheet=x.svg", "--histogram"], ["--random and --hardest"]),
                               (["--sheet=x.svg", "--path=all"], ["one solution of each board"]),
                               (["--sheet=x.svg", "--paper=a0"], ["a4 or letter", "'a0'"]),
                               (["--sheet=x.svg", "--per-page=25"], ["--per-page", "'25'"]),
                               (["--paper=a4"], ["go with --sheet"]), (["--per-page=6", "start"], ["go with --sheet"])):
            self.assert_complaint(self.query(self.puzzle, *options), 2, *words)
        self.assert_complaint(self.query("mastermind", "--sheet=x.svg"), 2, "without boards")
        self.assert_complaint(self.query(self.puzzle, "--random", "--sheet=/nowhere/x.svg"), 3, "/nowhere/x.svg")
        (self.dir / "folder.svg").mkdir()
        self.assert_complaint(self.query(self.puzzle, "--random", f"--sheet={self.dir}/folder.svg"), 3, "directory")
        self.assertEqual(sorted(path.name for path in self.dir.glob("folder*")), ["folder.svg"])

    def test_long_texts(self):
        """What is cut is cut between characters, and a long legend is on each page of boards, in a third of it."""
        accents = "\u00e9" * 110
        tiles = " ".join(str(number) for number in range(1, 61))
        legend = "".join(f"  {number}: the {number}. of all\n" for number in range(1, 61))
        path = self.write("long.yaml", f"puzzle: long\ntitle: a{accents}\nfamily: permute\nplaces: {tiles}\n"
                                       f"generators:\n  a: (1 2 3)\nlegend:\n{legend}boards:\n  start: a\n")
        page = self.sheet("legend.svg", path, "start", "goal", "--per-page=1")
        texts = [(int(text.get("y")), text.text) for text in tree.parse(page).iter(f"{SVG}text")]
        self.assertEqual([text for _, text in texts if text.startswith("A\u00e9")], [f"A{accents[:99]}."] * 2)
        lines = [y for y, text in texts if " of all" in text]
        first = [y for y in lines if y < 1123]
        self.assertLess(max(first), 1123 / 2)
        self.assertEqual([y for y in lines if y >= 1123], [y + 1123 for y in first])
        self.assertEqual([text for _, text in texts if text.startswith("and ")], [f"and {60 - len(first)} more"] * 2)

    def test_what_moves_cost(self):
        """By their first words where these tell, else by all of them, else with the solutions, where it always is."""
        walk = ("puzzle: walk\nfamily: rules\nboard: |\n  @..x\nstate: {me: cell}\nstart: {me: \"'@'\"}\nmoves:\n"
                "  - {name: 'walk {d}', for: {d: direction}, do: 'me = step[me, d]', cost: 2}\n"
                "  - {name: 'jump {d}', for: {d: direction}, do: 'me = step[step[me, d], d]', cost: 3}\n"
                "goal: me == 'x'\ndraw: {for: {c: cell}, show: {'@': c == me, x: c == 'x'}}\n")
        head = self.texts(self.sheet("walk.svg", self.write("walk.yaml", walk)))
        self.assertIn("What moves cost here: walk 2, jump 3.", head)
        self.assertRegex(" ".join(head[head.index("Solutions"):]), r"a cost of 5: (jump right \(3\), walk right \(2\)|"
                                                                   r"walk right \(2\), jump right \(3\))")
        named = " ".join(self.texts(self.sheet("bridge.svg", "bridge-1-2-5-10")))
        self.assertRegex(named, r"What moves cost here: A crosses 1, .*B crosses 2, .*A and B cross 2, .*C and D cross 10\.")
        many = self.texts(self.sheet("many.svg", "bridge-1-2-5-10-11-13-17"))
        self.assertIn("A move costs 17 at most; what each costs stands with the solutions.", many)
        self.assertFalse(any("cost" in text for text in self.texts(self.sheet("free.svg", "8-puzzle"))))

    def test_letters_of_figures(self):
        """A figure that moves call by a letter has that beside it, with what it is."""
        path = self.write("figures.yaml", "puzzle: figures\nfamily: slide\ngoal: |\n  A B 1\n  C D .\n"
                          "shapes: {A: crate, B: crate, C: boat, D: frog}\nlegend: {C: a boat}\n"
                          "boards: {start: 'B A 1 / D C .'}\n")
        texts = self.texts(self.sheet("figures.svg", path))
        begin = texts.index("What counts as one move: one piece by one cell.")
        self.assertEqual(texts[begin + 1:texts.index("The goal")], ["A", "B", "C  a boat", "D"])
        texts = self.texts(self.sheet("frogs.svg", "frogs-2x2"))
        self.assertIn("a frog (it goes right)", texts)

    def test_short_solutions(self):
        """Solutions that do not fill a page stand in columns of about the same height."""
        path = self.sheet("short.svg", "8-puzzle", "--random=20..22", "--number=6", "--seed=1")
        root = tree.parse(path).getroot()
        numbers = [text for text in root.iter(f"{SVG}text")
                   if text.get("font-weight") == "bold" and text.get("font-size") == "12"]
        self.assertEqual([text.text for text in numbers], ["1", "2", "3", "4", "5", "6"])
        columns = [text.get("x") for text in numbers]
        self.assertEqual([columns.count(x) for x in sorted(set(columns), key=int)], [3, 3])

    def test_a_sheet_stays_until_the_next_is_whole(self):
        path = self.sheet("kept.svg", self.puzzle, "start")
        before = path.read_bytes()
        link = self.dir / "link.svg"
        link.hardlink_to(path)
        self.sheet("kept.svg", self.puzzle, "goal")
        self.assertEqual(link.read_bytes(), before)
        self.assertNotEqual(path.read_bytes(), before)

    @unittest.skipIf(SANITIZED, "fontconfig and GLib keep memory to the end, which the leak checker complains of")
    @needs("pdftotext", "pdfinfo", "pdftoppm")
    def test_pdf(self):
        result = self.query(self.puzzle, "--random=9", "--number=5", "--seed=1", "--per-page=2", "--paper=letter",
                            f"--sheet={self.dir}/s.pdf")
        if "built without librsvg" in result.err or "not installed" in result.err:
            self.skipTest(result.err)
        self.assert_answer(result)
        info = subprocess.run(["pdfinfo", self.dir / "s.pdf"], capture_output=True, text=True, check=True).stdout
        self.assertRegex(info, r"Pages: +4\n")
        self.assertRegex(info, r"Page size: +612 x 792 pts \(letter\)")
        text = subprocess.run(["pdftotext", self.dir / "s.pdf", "-"], capture_output=True, text=True, check=True).stdout
        self.assertEqual(text.count("9 moves"), 2 * 5)
        self.assertIn("Solutions", text)
        subprocess.run(["pdftoppm", "-r", "20", "-f", "1", "-l", "1", self.dir / "s.pdf", self.dir / "page"], check=True)
        pixels = next(self.dir.glob("page*.ppm")).read_bytes()
        self.assertGreater(len(set(pixels[i:i + 3] for i in range(16, len(pixels) - 3, 3))), 20)  # it has colours


if __name__ == "__main__":
    unittest.main()
