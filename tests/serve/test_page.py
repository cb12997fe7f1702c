"""The page, played in a headless Chromium as people play it: by mouse, finger and keys.

What is checked against is the server's own interface (docs/api.md): a best move is asked for there, made on the page by
clicks and drags at the places that it changes, and the board that the page then shows has to be one move nearer.
"""

import json
import pathlib
import re
import shutil
import tempfile
import unittest
import urllib.parse

import server  # first: it finds what the tests of the programs share
from browser import CHROMIUM, DRIVER, Browser
from helpers.harness import SOURCE, needs

TAB, ENTER, LEFT, UP, RIGHT, DOWN = "\ue004", "\ue007", "\ue012", "\ue013", "\ue014", "\ue015"
HOSTILE = "<script>window.hostile = 1</script><img src=x onerror='window.hostile = 1'>"
DEFINITIONS = {
    "hostile.yaml": f"""\
puzzle: hostile
family: slide
title: "{HOSTILE}"
goal: |
  A B
  C .
glyphs:
  A: "<b>bold"
  B: "\\"'>"
  C: "&lt;"
boards:
  start: .A/CB
""",
    "blocks.yaml": """\
puzzle: blocks
family: slide
goal: |
  a a 1 2
  a # 3 4
  5 6 . .
pieces: [aa/a.]
boards:
  start: |
    a a . 6
    a # 3 4
    . 5 1 2
""",
    "siding.yaml": """\
puzzle: siding
family: walk
places: a b c d s x
board: E w w . . .
goal: "* * * E * *"
edges: [a b c d, b s]
one-way: [d x a]
boards:
  start: E w w . . .
""",
    "sudoku-4.yaml": """\
puzzle: sudoku-4
title: 1 to 4 in every row, column and box
family: place
board: |
  . . . .
  . . . .
  . . . .
  . . . .
values: 1-4
different: [rows, columns, boxes 2x2]
boards:
  start: |
    1 . . .
    . . 3 .
    . 4 . .
    . . . 2
""",
}
BUILT_IN = [
    "goat", "guarini", "triangle-15", "cube-2x2x2", "lights-out-4x4", "wolf-goat-cabbage", "hanoi-3x3", "queens-6",
    "send-more", "mastermind", "four-fours", "8-puzzle", "bloxorz-1", "klotski", "lunar-lockout", "hoppers"
]


class Server(server.Server):
    """pdb-serve with some puzzles, and its interface."""

    def __init__(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="pdb page "))
        files = [self.directory / name for name in DEFINITIONS]
        for path in files:
            path.write_text(DEFINITIONS[path.name])
        super().__init__(f"--db-dir={self.directory}", *BUILT_IN, *files)

    def close(self):
        self.stop()
        shutil.rmtree(self.directory)

    def get(self, path):
        answer = self.ask(f"/api/{path}")
        assert answer.status == 200, answer.text
        return answer.json

    def board(self, name, board, rest=""):
        return self.get(f"{name}/board/{urllib.parse.quote(board, safe='')}{rest}")


@needs(CHROMIUM, DRIVER)
class Page(unittest.TestCase):
    """One server and one window for all; every test leaves a console without errors, and has asked nobody else."""

    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.addClassCleanup(cls.server.close)
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)
        cls.browser.open("about:blank")
        cls.browser.logs("performance")  # of the window that a browser begins with

    def setUp(self):
        self.browser.look(1280, 900)
        self.refused = 0  # answers that the test means to be errors
        self.addCleanup(self.check_logs)

    def check_logs(self):
        entries = self.browser.logs("browser")
        expected = [entry for entry in entries if "422" in entry["message"] and "/api/" in entry["message"]]
        self.assertEqual([entry["message"] for entry in entries if entry not in expected], [])
        self.assertEqual(len(expected), self.refused)
        asked = 0
        for entry in self.browser.logs("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                url = message["params"]["request"]["url"]
                asked += url.startswith(self.server.url)
                self.assertTrue(url.startswith((self.server.url, "about:")), url)
        self.assertGreater(asked, 0)

    # -- what is on the page --

    def open(self, address, ready=".board[data-board]"):
        self.browser.open("about:blank")
        self.browser.open(self.server.url + address)
        self.browser.wait_for(ready)

    def board(self):
        return self.browser.run("return document.querySelector('.stage .board').dataset.board;")

    def hash(self):
        return self.browser.run("return location.hash;")

    def count(self, selector):
        return self.browser.run("return document.querySelectorAll(arguments[0]).length;", selector)

    def submit(self, field, text):
        """Fills a field in and sends its form."""
        self.browser.run("""
            const field = document.querySelector(arguments[0]);
            field.value = arguments[1];
            field.form.requestSubmit();""", field, text)

    def wait_for_board(self, board):
        self.browser.wait(lambda: self.board() == board, f"the board {board}, not {self.board()}")

    def centre(self, cell):
        """Of a cell, in the window."""
        return self.browser.run("""
            const element = document.querySelector(`.stage [data-cell="${arguments[0]}"]`);
            const box = element.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];""", cell)

    def click_cell(self, cell, touch=False):
        self.browser.pointer(self.centre(cell), touch=touch)

    def drag(self, start, end, touch=False):
        (x, y), (to_x, to_y) = self.centre(start), self.centre(end)
        self.browser.pointer((x, y), ((x + to_x) / 2, (y + to_y) / 2), (to_x, to_y), touch=touch)

    def show_buttons(self):
        self.browser.run("for (const card of document.querySelectorAll('details')) card.open = true;")

    def distance(self, name, board=None):
        return self.server.board(name, board or self.board(), "/hint")["distance"]

    def spoken(self):
        return self.browser.text("#live")

    # -- playing --

    def best(self, name):
        """The board's picture, the number of a best move and the move itself."""
        board = self.board()
        picture, weighed = self.server.board(name, board, "/moves"), self.server.board(name, board)
        number = next(i for i, move in enumerate(weighed["moves"]) if move["optimal"])
        self.assertEqual(picture["moves"][number]["board"], weighed["moves"][number]["board"])
        return picture, number, picture["moves"][number]

    @staticmethod
    def trip(before, move, columns):
        """The cells between which the one piece that goes is to be dragged; None where it is not just one."""
        def first(pieces):
            return {number: pieces.index(number) for number in sorted(set(pieces) - {-1})}

        left = [cell for cell, piece in enumerate(before["pieces"]) if piece >= 0 and move["pieces"][cell] < 0]
        filled = [cell for cell, piece in enumerate(before["pieces"]) if piece < 0 and move["pieces"][cell] >= 0]
        start = move["from"] if move["from"] is not None else left[0] if len(left) == 1 else None
        if start is None or before["pieces"][start] < 0 or not filled:
            return None
        begin = first(before["pieces"])[before["pieces"][start]]
        end = first(move["pieces"])[move["pieces"][filled[0]]]
        for cell, piece in enumerate(before["pieces"]):  # the cell of the piece that comes to an empty one
            if piece == before["pieces"][start] and cell + end - begin in filled:
                return cell, cell + end - begin
        return start, filled[0]

    def play(self, name, how, board="start", most=99):
        """A whole solution: how(picture, number, move, step) makes one move. Every board is nearer to the goal."""
        self.open(f"#{name}?board={urllib.parse.quote(board, safe='')}")
        self.show_buttons()
        distance = self.distance(name)
        self.assertGreater(distance, 0)
        steps = 0
        while distance > 0 and steps < most:
            picture, number, move = self.best(name)
            how(picture, number, move, steps)
            self.wait_for_board(move["board"])
            left = self.distance(name)
            self.assertEqual(left, distance - move.get("cost", 1))
            distance = left
            steps += 1
        self.assertEqual(distance, 0)
        self.browser.wait_for(".won .status", "Solved")
        return steps

    def by_pieces(self, columns, touch=False):
        """Drags a piece to where it goes, or, every other time, clicks it and then the place."""
        def move_piece(picture, number, move, step):
            start, end = self.trip(picture, move, columns)
            if step % 2 == 0:
                self.drag(start, end, touch)
                return
            self.click_cell(start, touch)
            trips = [self.trip(picture, other, columns) for other in picture["moves"]]
            if len([trip for trip in trips if trip is not None and trip[0] in self.piece(picture, start)]) > 1:
                self.browser.wait_for(".marks .aim")
                self.assertEqual(self.board(), picture["board"])
                self.click_cell(end, touch)

        return move_piece

    @staticmethod
    def piece(picture, cell):
        return [other for other, piece in enumerate(picture["pieces"]) if piece == picture["pieces"][cell]]

    def by_list(self, picture, number, move, step):
        self.browser.click(f".moves [data-move='{number}']")

    def by_button(self, picture, number, move, step):
        self.click_cell(move["from"], touch=step % 2 == 1)

    # -- families --

    def test_slide(self):
        self.play("goat", self.by_pieces(4))
        self.play("blocks", self.by_pieces(4))

    def test_slide_by_finger(self):
        self.browser.look(360, 740)
        self.play("8-puzzle", self.by_pieces(3, touch=True), "1 2 3 / 4 0 5 / 7 8 6")

    def test_walk(self):
        self.play("guarini", self.by_pieces(3))
        self.play("siding", self.by_pieces(6))

    def test_peg(self):
        self.play("triangle-15", self.by_pieces(9))

    def test_permute(self):
        self.play("cube-2x2x2", self.by_list)

    def test_permute_by_dragging(self):
        """The front face turns when one of its tiles is dragged to where that brings it."""
        self.open("#cube-2x2x2?board=goal")
        picture = self.server.board("cube-2x2x2", "goal", "/moves")
        kinds = [symbol["kind"] for symbol in self.server.get("cube-2x2x2")["symbols"]]

        def ways(move):
            goes = {kinds[symbol]: cell for cell, symbol in enumerate(move["cells"]) if symbol >= 0}
            return {(cell, goes[kinds[symbol]]) for cell, symbol in enumerate(picture["cells"]) if symbol >= 0}

        turn = next(move for move in picture["moves"] if move["move"] == "F")
        others = set().union(*(ways(move) for move in picture["moves"] if move is not turn))
        self.drag(*min(ways(turn) - others))
        self.wait_for_board(turn["board"])

    def test_flip(self):
        self.play("lights-out-4x4", self.by_button)

    def test_rules(self):
        self.play("wolf-goat-cabbage", self.by_list)
        self.play("hanoi-3x3", self.by_pieces(3))

    def test_rules_by_arrows(self):
        """Where one block rolls, a direction says it all."""
        def arrow(picture, number, move, step):
            self.browser.keys({"up": UP, "down": DOWN, "left": LEFT, "right": RIGHT}[move["move"].split()[1]])

        self.open("#bloxorz-1")
        self.browser.run("document.querySelector('.stage .board').focus();")
        while self.distance("bloxorz-1") > 0:
            picture, number, move = self.best("bloxorz-1")
            arrow(picture, number, move, 0)
            self.wait_for_board(move["board"])
        self.browser.wait_for(".won .status", "Solved")

    def sketch_cells(self, picture, move):
        """The cells of a sketch that a move changes, as the page counts them."""
        lines, after = picture["sketch"], move["sketch"]
        grid = all(line[1::2].strip() == "" and len(line) % 2 for line in lines)
        rows, changed = ([line[::2] if grid else line for line in text] for text in (lines, after))
        columns = max(map(len, rows))
        return [
            row * columns + column for row, line in enumerate(rows) for column, character in enumerate(line)
            if character != changed[row][column]
        ]

    def test_place(self):
        def fill(picture, number, move, step):
            cells = self.sketch_cells(picture, move) if "sketch" in picture else [move["from"]]
            self.click_cell(cells[-1])
            if self.browser.run("return !document.querySelector('.chooser').hidden;"):
                self.browser.click(f".chooser [data-move='{number}']")

        self.assertEqual(self.play("queens-6", fill), 6)
        self.assertEqual(self.play("sudoku-4", fill), 12)
        self.assertEqual(self.play("send-more", fill), 8)

    def test_place_take_out_and_type(self):
        """A value is typed, and taken out again although others came after it."""
        self.open("#sudoku-4")
        cells = []
        self.browser.run("document.querySelector('.stage .board').focus();")
        for _ in range(2):
            _, _, value = self.best("sudoku-4")
            cells.append(value["from"])
            self.browser.run("document.querySelector('.stage .board').focus();")
            self.reach(cells[-1], 4)
            self.browser.keys(value["board"][cells[-1]])
            self.wait_for_board(value["board"])
        self.assertNotEqual(self.board()[cells[0]], ".")
        expected = self.board()[:cells[0]] + "." + self.board()[cells[0] + 1:]
        self.click_cell(cells[0])
        self.wait_for_board(expected)
        self.browser.keys("u")
        self.browser.wait(lambda: self.board() != expected, "what was taken out comes back")

    def test_guess(self):
        """The page thinks of a code: asked by the program's own questions, it is found."""
        self.open("#mastermind", "#guessing")
        history = []
        for _ in range(12):
            question = self.server.board("mastermind", " ".join(history) or "start")["next"]
            self.submit("#guess", question)
            self.browser.wait(lambda: self.count("#guessing .guesses li") == len(history) + 1, "an answer")
            pegs = self.browser.text("#guessing .guesses li:last-child .pegs")
            history.append(f"{question}:{pegs.count('●')},{pegs.count('○')}")
            if pegs == "●●●●":
                break
        self.browser.wait_for("#guessing output", f"Found with {len(history)} question")

    def test_guessed(self):
        """The player thinks of a code, and the page asks until it has it; contradictions are told."""
        self.open("#mastermind", "#guessed .next .code")
        code = "9431"
        for turn in range(1, 12):
            asked = self.browser.text("#guessed .next .code")
            bulls = sum(a == b for a, b in zip(code, asked))
            cows = len(set(code) & set(asked)) - bulls
            self.browser.run("""
                document.querySelector('#bulls').value = arguments[0];
                document.querySelector('#cows').value = arguments[1];
                document.querySelector('#bulls').form.requestSubmit();""", bulls, cows)
            if bulls == 4:
                break
            self.browser.wait(lambda: self.browser.text("#guessed .next .code") != asked, "the next question")
        self.assertEqual(turn, self.server.board("mastermind", code)["distance"])
        self.browser.wait_for("#guessed .next", "That is it!")

    def test_express(self):
        self.open("#four-fours", "#question")
        reply = self.server.board("four-fours", "10", "/path")
        self.submit("#asked", "10")
        self.browser.wait_for("#question output", f"10: {reply['distance']} operators")
        self.browser.wait_for("#question .reply", reply["expression"])
        self.submit("#asked", "11")
        self.browser.wait_for("#question output", "cannot be done")
        self.browser.wait(lambda: self.browser.text("#challenge .value"), "a value to be made")
        self.browser.click("[data-ask='show']")
        self.browser.wait_for("#challenge .reply dd")

    # -- hints, history, new boards --

    def test_hints(self):
        self.open("#goat")
        self.assertEqual(self.browser.text(".hint") + (self.browser.text(".marks") or ""), "")
        self.assertNotIn(str(self.distance("goat")), self.browser.text(".play .status"))
        best = self.server.board("goat", "start", "/hint?level=3")
        self.browser.click("[data-hint='1']")
        self.browser.wait_for("output.hint", f"{best['distance']} moves")
        self.assertEqual(self.count(".marks *"), 0)
        self.browser.click("[data-hint='2']")
        self.browser.wait_for(".marks .hint")
        self.assertEqual(self.count(".marks .best"), 0)
        self.browser.click("[data-hint='3']")
        self.browser.wait_for(".marks .best")
        self.assertIn(best["move"].split()[-1], self.browser.text("output.hint"))
        self.assertIn(str(best["distance"]), self.spoken())
        self.browser.click("#always")
        self.show_buttons()
        self.browser.wait_for(".moves .best .far", str(best["distance"] - 1))
        self.by_list(*self.best("goat"), 0)
        self.browser.wait_for("output.hint", f"{best['distance'] - 1} moves")
        self.browser.wait(lambda: self.count(".graph .dot") == 2, "two points of the graph")

    def test_undo_redo_restart(self):
        self.open("#guarini")
        boards = [self.board()]
        self.show_buttons()
        for _ in range(3):
            _, number, move = self.best("guarini")
            self.browser.click(f".moves [data-move='{number}']")
            self.wait_for_board(move["board"])
            boards.append(move["board"])
        for tool, board in (("undo", 2), ("undo", 1), ("redo", 2), ("restart", 0), ("redo", 1)):
            self.browser.click(f"[data-tool='{tool}']")
            self.wait_for_board(boards[board])
        self.browser.wait(lambda: self.hash().endswith("at=1"), "the address of an earlier step")
        self.open(self.hash())
        self.wait_for_board(boards[1])
        self.browser.keys("r", "r", "r")
        self.wait_for_board(boards[3])
        self.browser.keys("u")
        self.wait_for_board(boards[2])
        self.browser.keys("0")
        self.wait_for_board(boards[0])

    def test_random_and_hardest(self):
        self.open("#goat")
        info = self.server.get("goat")
        for difficulty in (5, 30, 50):
            before = self.board()
            self.browser.run("""
                document.querySelector('#difficulty').value = arguments[0];
                document.querySelector('#difficulty').dispatchEvent(new Event('input'));""", difficulty)
            self.browser.click("[data-deal]")
            self.browser.wait(lambda: self.board() != before, "another board")
            self.assertLessEqual(abs(self.distance("goat") - difficulty), info["max"] // 20)
        self.show_buttons()
        self.browser.wait_for("[data-hardest='0']")
        self.assertEqual(self.count("[data-hardest]"), info["hardest"])
        self.browser.click("[data-hardest='0']")
        self.browser.wait(lambda: self.distance("goat") == info["max"], "a hardest board")
        self.browser.click("[data-board='start']")
        self.wait_for_board(info["named"]["start"])

    def test_solution(self):
        """A whole solution is played; a move of the player's own ends it."""
        self.open("#klotski?board=ABBCABBCDEEFDGHFI..J")
        self.browser.click("[data-solution='step']")
        self.browser.wait(lambda: self.board() != self.server.get("klotski")["named"]["start"], "a step")
        self.assertEqual(self.distance("klotski"), self.distance("klotski", "start") - 1)
        self.open("#guarini")
        self.browser.run("document.querySelector('[data-solution] ~ input').value = 2;")
        self.browser.click("[data-solution='play']")
        self.browser.wait_for(".won .status", "Solved")
        self.assertEqual(self.distance("guarini"), 0)

    # -- addresses, texts, frames --

    def test_link(self):
        """What is shared is the whole game."""
        self.open("#triangle-15")
        self.show_buttons()
        for _ in range(3):
            _, number, move = self.best("triangle-15")
            self.browser.click(f".moves [data-move='{number}']")
            self.wait_for_board(move["board"])
        board = self.board()
        self.browser.wait(lambda: len(self.hash().split(".")) == 3, "the game in the address")
        self.open(self.hash())
        self.wait_for_board(board)
        self.browser.keys("0")
        self.wait_for_board(self.server.get("triangle-15")["named"]["start"])

    def test_edit(self):
        self.open("#8-puzzle")
        self.show_buttons()
        self.browser.run("""
            const text = document.querySelector('#board-text');
            text.value = '1 2 3';
            text.dispatchEvent(new Event('input'));""")
        self.refused = 1
        self.browser.wait_for(".share output", "3 cells given, but the board has 9")
        self.browser.run("""
            const text = document.querySelector('#board-text');
            text.value = '1 2 3\\n4 5 6\\n7 0 8';
            text.dispatchEvent(new Event('input'));""")
        self.browser.wait_for(".share output", "This is a board.")
        self.browser.click("[data-edit='use']")
        self.wait_for_board("123456708")
        frame = self.browser.run("return document.querySelector('#embed').value;")
        self.assertIn("?embed#8-puzzle?board=123456708", frame)

    def test_embed(self):
        self.open("?embed#goat")
        self.assertFalse(self.browser.run("return document.querySelector('header.top').checkVisibility();"))
        self.assertEqual(self.count(".panel"), 0)
        self.browser.click("[data-tool='hint']")
        self.browser.wait_for("output.hint", f"{self.distance('goat')} moves")
        self.browser.wait(lambda: self.browser.run("return document.querySelector('.open').hash;").startswith("#goat?"),
                          "the link")

    def test_hostile_texts(self):
        """What a definition calls its things is text, wherever it stands."""
        self.open("", ".puzzle")
        self.assertIn(HOSTILE, self.browser.text(".families"))
        self.open("#hostile")
        self.show_buttons()
        self.assertIn(HOSTILE, self.browser.text(".title"))
        for glyph in ("<b>bold", "\"'>", "&lt;"):
            self.assertIn(glyph, self.browser.text(".stage .pieces"))
        self.browser.click("[data-tool='hint']")
        self.browser.wait_for("output.hint", "moves")
        for address in ("#<script>window.hostile=1</script>", "#hostile?board=<img src=x onerror=window.hostile=1>",
                        "#%", "#goat?moves=9999.-7.x&at=-3"):
            self.browser.open("about:blank")
            self.browser.open(self.server.url + address)
            self.browser.wait(lambda: self.browser.text(".status, [role=alert]"), f"a page at {address}")
        self.assertTrue(self.browser.run("""
            const made = document.querySelector('main script, main img, main b');
            return window.hostile === undefined && made === null;"""))
        messages = [entry["message"] for entry in self.browser.logs("browser")]  # the server refuses three of these
        self.assertEqual([message for message in messages if not re.search("status of (404|422|400)", message)], [])

    # -- sizes, languages, keys --

    def test_narrow(self):
        """Nothing is wider than a small telephone, in either language."""
        self.browser.look(360, 740)
        for address in ("", "?lang=ja", "#goat", "#send-more", "#hoppers", "#mastermind", "#four-fours",
                        "?lang=ja#cube-2x2x2", "?embed#klotski", "#lunar-lockout", "#hostile"):
            self.open(address, ".puzzle, .board[data-board], .cards")
            self.show_buttons()
            self.assertLessEqual(self.browser.run("return document.documentElement.scrollWidth;"), 360, address)

    def test_wide(self):
        self.browser.look(1920, 1080, dark=True)
        self.open("#goat")
        stage, panel = self.browser.run(
            "return ['.stage', '.panel'].map((name) => document.querySelector(name).getBoundingClientRect().right);")
        self.assertLess(stage, panel)
        ground = self.browser.run("return getComputedStyle(document.body).backgroundColor;")
        self.assertLess(max(int(part) for part in ground[4:-1].split(",")), 64)

    def test_gallery(self):
        self.open("", ".puzzle")
        names = {puzzle["puzzle"] for puzzle in self.server.get("puzzles")["puzzles"]}
        shown = self.browser.run("""
            return [...document.querySelectorAll('.puzzle .name')].map((name) => name.textContent);""")
        self.assertEqual(set(shown), names)
        self.browser.run("""
            const filter = document.querySelector('#filter');
            filter.value = 'sheep';
            filter.dispatchEvent(new Event('input'));""")
        self.browser.wait(lambda: self.count(".puzzle") == 1, "one puzzle")
        self.browser.wait(lambda: self.count(".puzzle .picture .pieces rect") > 5, "its picture")
        self.browser.click(".puzzle")
        self.browser.wait_for(".board[data-board]")
        self.assertEqual(self.browser.run("return document.title;"), "goat · pdb")

    def test_japanese(self):
        self.open("?lang=ja#goat")
        self.assertEqual(self.browser.run("return document.documentElement.lang;"), "ja")
        self.browser.click("[data-hint='1']")
        self.browser.wait_for("output.hint", f"ゴールまで{self.distance('goat')}手")

    def test_texts(self):
        """Every language has the same texts, with the same names to be put in, and all that the page asks for."""
        folder = SOURCE / "serve/page"
        texts = {path.stem: json.loads(path.read_text()) for path in folder.glob("*.json")}
        self.assertGreaterEqual(len(texts), 2)
        self.browser.open(self.server.url)
        code = "".join(path.read_text() for path in folder.glob("*.js"))
        asked = set(re.findall(r'\bt\("([^"]+)"', code))
        self.assertGreater(len(asked), 50)
        self.assertEqual(asked - set(texts["en"]), set())
        for language, said in texts.items():
            self.assertEqual(set(said), set(texts["en"]), language)
            for key, text in said.items():
                names = [set(re.findall(r"{(\w+)}", words)) for words in (text, texts["en"][key])]
                self.assertEqual(*names, (language, key))

    def test_keys_alone(self):
        """From the address to the goal without a mouse, and every step is told to who cannot see it."""
        self.open("#8-puzzle?board=123450786")
        for _ in range(12):
            self.browser.keys(TAB)
            if self.browser.run("return document.activeElement.matches('.board');"):
                break
        self.assertTrue(self.browser.run("return document.activeElement.matches('.board:focus-visible');"))
        self.browser.keys(UP)
        self.wait_for_board("123456780")
        self.browser.wait(lambda: "Solved" in (self.spoken() or ""), "it is told")
        self.open("#guarini")
        self.browser.run("document.querySelector('.stage .board').focus();")
        picture, _, move = self.best("guarini")
        start, end = self.trip(picture, move, 3)
        self.reach(start, 3)
        self.browser.keys(ENTER)
        self.browser.wait(lambda: "Held" in self.spoken(), "what is held is told")
        self.reach(end, 3)
        self.browser.keys(ENTER)
        self.wait_for_board(move["board"])
        self.browser.wait(lambda: move["move"][1:] in self.spoken(), "the move is told")

    def reach(self, cell, columns):
        """Leads the cursor to a cell by arrows."""
        def at():
            number = self.browser.run("return document.querySelector('.stage .board').dataset.cursor;")
            return divmod(int(number), columns) if number else None

        goal = divmod(cell, columns)
        for _ in range(columns * 2 + 2):
            if at() == goal:
                return
            down, right = (goal[0] - at()[0], goal[1] - at()[1]) if at() else (1, 0)
            self.browser.keys(DOWN if down > 0 else UP if down < 0 else RIGHT if right > 0 else LEFT)
        self.fail(f"the cursor is at {at()}, not {goal}")

    def test_names_for_all(self):
        """Everything that can be reached has a name for a screen reader."""
        for address in ("", "#goat", "#mastermind", "#four-fours", "?embed#goat"):
            self.open(address, ".puzzle, .board[data-board], .cards")
            self.show_buttons()
            nameless = self.browser.run("""
                const name = (e) => e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.[0]?.textContent;
                return [...document.querySelectorAll('a, button, input, textarea, summary, [tabindex]')]
                  .filter((e) => !e.hidden && !name(e)).map((e) => e.outerHTML);""")
            self.assertEqual(nameless, [], address)


if __name__ == "__main__":
    unittest.main(verbosity=2)
