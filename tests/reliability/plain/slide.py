"""Pieces that slide, by docs/definitions.md; the rules are those of tests/cli/helpers/oracle.py, with what it has not:
ways round corners in one move, pieces bound to an axis, states found from the named boards."""

import collections
import itertools
import math

from helpers.oracle import EMPTY, OPEN, WALL, Slide

from .board import Plain, block, rows_of, words

SHAPES = ["xx", "x/x", "xx/xx", "xxx", "x/x/x", "xx/x.", "x./xx", ".x/xx", "xx/.x", "x.x/xxx", "xx/x./xx"]
DENSE_WAYS, FEW_ORDERS = 4096, 64  # "States that are found from the named boards"


class Slides(Plain):
    def __init__(self, text, has, rules, axis, far, names, start):
        super().__init__(text, has)
        self.rules, self.axis, self.far, self.names, self.start = rules, axis, far, names, start

    def boards(self, most=math.inf):
        """None where the named board leads to more."""
        if self.start is None:
            return self.rules.arrangements()
        found, left = {self.start}, [self.start]
        while left and len(found) <= most:
            for board in self.moves(left.pop()):
                if board not in found:
                    found.add(board)
                    left.append(board)
        return None if left else found

    def moves(self, board):
        found = []
        for symbol, cells in self.rules.cut(board):
            directions = {"horizontal": ((0, -1), (0, 1)), "vertical": ((-1, 0), (1, 0)),
                          "free": ((-1, 0), (0, -1), (0, 1), (1, 0))}[self.axis.get(symbol, "free")]
            ways, reached = [(0, 0)], {(0, 0)}
            for row, column in ways:  # which grows
                for r, c in directions:
                    to = (row + r, column + c)
                    there = [self.rules.place(cell, *to) for cell in cells]
                    if to in reached or not all(t is not None and (board[t] == EMPTY or t in cells) for t in there):
                        continue
                    reached.add(to)
                    if self.far:
                        ways.append(to)
                    after = [EMPTY if at in cells else s for at, s in enumerate(board)]
                    for t, (_, _, part) in zip(there, self.rules.shapes[symbol]):
                        after[t] = part
                    found.append(tuple(after))
        return found

    def is_goal(self, board):
        return self.rules.is_goal(board)

    def show(self, board):
        """Alike pieces get their names in turn."""
        shown, left = list(board), {symbol: list(names) for symbol, names in self.names.items()}
        for symbol, cells in self.rules.cut(board):
            if left.get(symbol):
                name = left[symbol].pop()
                for cell in cells:
                    shown[cell] = name
        return " ".join(shown)

    def read(self, text):
        cells = iter(EMPTY if word == "0" else word for word in words(text))
        read = list(cells)
        if len(read) < len(self.rules.board):  # walls may be left out
            rest = iter(read)
            read = [WALL if symbol == WALL else next(rest) for symbol in self.rules.board]
        return self.rules.forget(tuple(read))


def _pieces(dice, board, rows, columns, letters, cars, many):
    """Lays pieces of several cells down: their pictures and symbols."""
    drawn = []
    for _ in range(dice.randint(4, 12) if many else dice.choice((0, 0, 1, 2, 3))):
        shape = dice.choice(("xx", "x/x", "xx", "x/x", "xxx", "x/x/x") if cars else SHAPES)
        lines = shape.split("/")
        row, column = dice.randint(0, rows - 1), dice.randint(0, columns - 1)
        cells = [(row + r) * columns + column + c if row + r < rows and column + c < columns else None
                 for r, line in enumerate(lines) for c, x in enumerate(line) if x == "x"]
        if None in cells or any(board[cell] is not None for cell in cells):
            continue
        like = [letter for letter, other in drawn if other == shape]
        letter = dice.choice(like) if like and dice.random() < 0.2 else next(letters)
        for cell in cells:
            board[cell] = letter
        drawn.append((letter, shape))
    return dict(drawn)


def _bound(dice, shapes, alike, cars):
    """The lines of the definition that bind pieces to an axis, and the axis of each symbol."""
    length = {letter: "horizontal" if len(shape.split("/")[0]) > len(shape.split("/")) else
              "vertical" if len(shape.split("/")[0]) < len(shape.split("/")) else "free"
              for letter, shape in shapes.items()}
    if cars or dice.random() < 0.2:
        return "axis: length\n", length
    if not shapes or dice.random() < 0.7:
        return "", {}
    axis = {letter: dice.choice(("free", "horizontal", "vertical", "length")) for letter in shapes}
    for group in alike:
        axis.update(dict.fromkeys(group, axis.get(group[0], "free")))
    return "axis:\n" + "".join(f"  {letter}: {how}\n" for letter, how in axis.items()), \
        {letter: length.get(letter, "free") if how == "length" else how for letter, how in axis.items()}


def _is_keyed(plain):
    """Whether states are sure to be found from named boards: the large pieces and the empty cells can stand in many
    ways that fit the goal."""
    rules = plain.rules
    free = {s for s, shape in rules.shapes.items() if len(shape) == 1 and plain.axis.get(s, "free") == "free"}
    large = Slide("/".join(" ".join(EMPTY if s in free else s for s in row)
                           for row in rows_of(rules.board, rules.columns)), "*")
    large.shapes = {s: shape for s, shape in rules.shapes.items() if s not in free}
    large.inventory = collections.Counter(symbol for symbol, _ in large.cut(large.board))
    empties, count = rules.board.count(EMPTY), 0
    for board in itertools.islice(large.arrangements(), 3 * DENSE_WAYS):
        if all(wanted == OPEN or at == (EMPTY if wanted in free else wanted) for wanted, at in zip(rules.goal, board)):
            named = [wanted for wanted, at in zip(rules.goal, board) if at == EMPTY and wanted != OPEN]
            count += math.comb(board.count(EMPTY) - len(named), empties - named.count(EMPTY))
        if count > DENSE_WAYS:
            return True
    return False


def make(dice, name, most):
    wanted, plain = dice.random() < 0.3, None
    while plain is None:
        plain = _make(dice, name, most, wanted)
    return plain


def _make(dice, name, most, wanted):
    """Keyed or not, as wanted."""
    cars = wanted and dice.random() < 0.5
    rows, columns = dice.choice(((4, 4), (5, 5), (4, 5), (6, 4))) if wanted else \
        dice.choice(((2, 2), (2, 3), (3, 2), (3, 3), (2, 4), (1, 5), (4, 2), (4, 3), (4, 4), (5, 4)))
    board = [WALL if dice.random() < 0.08 else None for _ in range(rows * columns)]
    letters = iter("abcdefghijklmnopqrstuvwxyzABCDEF")
    shapes = _pieces(dice, board, rows, columns, letters, cars, wanted)
    free = [cell for cell, symbol in enumerate(board) if symbol is None]
    if not free:
        return None
    dice.shuffle(free)
    empties = min(len(free), dice.choice((2, 3, 4, 6, len(free))) if wanted else dice.choice((1, 1, 1, 2, 3, 4, 12)))
    units = []
    for number, cell in enumerate(free):
        if number < empties:
            board[cell] = EMPTY
            continue
        board[cell] = dice.choice(units) if units and dice.random() < 0.4 else next(letters)
        units.append(board[cell])
    if not shapes and not units:
        return None
    groups = [[letter for letter, other in shapes.items() if other == shape] for shape in sorted(set(shapes.values()))]
    alike = [group for group in [*groups, sorted(set(units))] if len(group) > 1 and dice.random() < 0.4]
    pieces = ["/".join(" ".join(line).replace("x", letter) for line in shape.split("/"))
              for letter, shape in shapes.items()]
    bound, axis = _bound(dice, shapes, alike, cars)
    draw = "/".join(" ".join(row) for row in rows_of(board, columns))
    rules = Slide(draw, draw, pieces, [" ".join(group) for group in alike])
    orders = math.factorial(len(units))
    for symbol in {rules.same[unit] for unit in units}:
        orders //= math.factorial(sum(rules.same[unit] == symbol for unit in units))
    if not wanted and sum(1 for _ in itertools.islice(rules.arrangements(), most + 1)) > most:
        return None
    names = {}
    for symbol, _ in Slide(draw, draw, pieces).cut(tuple(board)):
        names.setdefault(rules.same[symbol], []).append(symbol)
    plain = Slides("", [], rules, axis, dice.random() < 0.4, {s: n for s, n in names.items() if len(set(n)) > 1}, None)
    if wanted and orders >= FEW_ORDERS:
        return None
    if wanted:
        plain.start = rules.board
        reached = plain.boards(most)
    else:
        reached = list(rules.arrangements())
    if reached is None:
        return None
    goal = list(plain.read(plain.show(dice.choice(sorted(reached))).replace(" ", ",")))
    whole = plain.show(tuple(goal)).split(" ")
    pattern, openness = list(whole), dice.choice((0, 0.5, 0.9)) if not wanted else 0.9
    for _, cells in rules.cut(tuple(goal)):
        if dice.random() < openness:
            for cell in cells:
                pattern[cell] = OPEN
    for cell, symbol in enumerate(goal):
        if symbol == EMPTY and dice.random() < openness:
            pattern[cell] = OPEN
    rules.goal = rules.forget(tuple(pattern))
    if wanted and not _is_keyed(plain):
        return None
    lines = [f"puzzle: {name}\nfamily: slide\n", "metric: slide\n" if plain.far else "", bound,
             "board: " + block(rows_of(board, columns)), "goal: " + block(rows_of(pattern, columns))]
    if pieces:
        lines += ["pieces:\n"] + [f'  - "{piece}"\n' for piece in pieces]
    if alike:
        lines += ["alike:\n"] + ["  - " + " ".join(group) + "\n" for group in alike]
    if wanted or dice.random() < 0.3:
        lines.append("boards:\n  start: " + block(rows_of(board, columns), "    "))
    plain.text = "".join(lines)
    plain.has = ["keyed" if wanted else "dense"] + ["far"] * plain.far + ["axis"] * bool(bound) + \
        ["alike"] * bool(alike) + ["large pieces"] * bool(pieces) + ["open"] * (OPEN in pattern) + \
        ["walls"] * (WALL in board)
    return plain
