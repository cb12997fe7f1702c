"""What the tests of the page share: the server and its puzzles, a window, and playing there by clicks and drags."""

import json
import pathlib
import shutil
import tempfile
import unittest
import urllib.parse

import server  # first: it finds what the tests of the programs share
from browser import CHROMIUM, DRIVER, Browser
from helpers.harness import needs

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
    "stickers.yaml": """\
puzzle: stickers
family: permute
places: a b c d e
generators: {t: (a b c), s: (c d e)}
net:
  shape: diamonds
  stickers: |
    a # b
    # c #
    d # e
  colours: |
    R # G
    # B #
    R # Y
boards:
  start: b c a d e
""",
    "pushes.yaml": """\
puzzle: pushes
title: push the box onto a cross
family: rules
board: |
  ######
  #x$..#
  #.@xx#
  ######
state:
  player: cell
  box[cell]: 0..1
start:
  player: "'@'"
  box[c]: c in '$'
moves:
  - name: push {d}
    for: {d: direction}
    let:
      to: step[player, d]
      beyond: step[to, d]
    if: box[to] and not box[beyond]
    do: player = to, box[to] = 0, box[beyond] = 1
  - name: walk {d}
    for: {d: direction}
    let:
      to: step[player, d]
    if: not box[to]
    do: player = to
goal: box[b2]
draw:
  for: {c: cell}
  show:
    '+': c == player and c in 'x'
    '@': c == player
    '*': box[c] and c in 'x'
    '$': box[c]
    x: c in 'x' and c != player
""",
    "jugs.yaml": """\
puzzle: jugs
family: rules
state:
  jug[0..1]: 0..5
start:
  jug: [0, 0]
moves:
  - name: fill {j}
    for: {j: 0..1}
    if: jug[j] == 0
    do: jug[j] = 3 + 2 * j
  - name: pour
    if: jug[1] > 2 and jug[0] == 0
    do: jug[0] = 3, jug[1] = jug[1] - 3
goal: jug[1] == 2
""",
    "glasses.yaml": """\
puzzle: glasses
family: rules
sets: {jug: [A, B]}
tables:
  size[jug]: [3, 2]
state:
  full[jug]: 0..3
start:
  full[j]: 3 if j == A else 0
moves:
  - name: pour from {j} to {k}
    for: {j: jug, k: jug}
    let: {most: "min(full[j], size[k] - full[k])"}
    if: j != k and most > 0
    do: full[j] = full[j] - most, full[k] = full[k] + most
goal: full[A] == 1
draw:
  for: {row: 1..3, j: jug}
  show:
    "~": row > 3 - full[j]
    "|": row > 3 - size[j]
shapes: {"~": water, "|": glass}
frames: [3 1-2]
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
    "goat", "guarini", "triangle-15", "cube-2x2x2", "diagonal-slide", "lights-out-4x4", "wolf-goat-cabbage", "hanoi-3x3",
    "queens-6", "send-more", "mastermind", "four-fours", "8-puzzle", "bloxorz-1", "klotski", "lunar-lockout", "hoppers",
    "pyraminx", "queens-32"
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
class PageCase(unittest.TestCase):
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

    def show_buttons(self, which="details"):
        """Opens what is folded up; `details.card` leaves out what moves others when its pictures come."""
        self.browser.run("for (const card of document.querySelectorAll(arguments[0])) card.open = true;", which)

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
        self.show_buttons("details.card")
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
