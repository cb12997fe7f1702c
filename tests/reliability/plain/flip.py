"""Buttons that change cells, by docs/families/flip.md."""

import itertools

from .board import OPEN, WALL, Plain, block, words

AROUND = {
    "8": [(r, c, 1) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0)],
    "4": [(-1, 0, 1), (0, -1, 1), (0, 1, 1), (1, 0, 1)],
    "plus": [(0, 0, 1), (-1, 0, 1), (0, -1, 1), (0, 1, 1), (1, 0, 1)],
    "square": [(r, c, 1) for r in (-1, 0, 1) for c in (-1, 0, 1)],
}


class Flip(Plain):
    def __init__(self, text, has, values, cells, presses, goal):
        super().__init__(text, has)
        self.values, self.cells, self.presses, self.goal = values, cells, presses, goal

    def boards(self):
        return itertools.product(range(self.values), repeat=self.cells)

    def moves(self, board):
        return [tuple((value + amount) % self.values for value, amount in zip(board, press)) for press in self.presses]

    def is_goal(self, board):
        return all(wanted in (OPEN, value) for wanted, value in zip(self.goal, board))

    def show(self, board):
        return "".join(map(str, board))

    def read(self, text):
        return tuple(int(word) for word in words(text) if word != WALL)


def _picture(dice, values):
    """An amount for each cell of a small picture, and which of them is the pressed one."""
    rows, columns = dice.choice(((1, 2), (2, 2), (1, 3), (3, 3), (2, 3)))
    drawn = [[dice.choice([".", "1", str(dice.randrange(1, values))]) for _ in range(columns)] for _ in range(rows)]
    row, column = rows // 2, columns // 2
    if rows % 2 == 0 or columns % 2 == 0 or dice.random() < 0.3:
        row, column = dice.randrange(rows), dice.randrange(columns)
        drawn[row][column] = f"({drawn[row][column]})"
    amounts = [(r - row, c - column, int(text.strip("()").replace(".", "0")))
               for r, line in enumerate(drawn) for c, text in enumerate(line)]
    return drawn, amounts


def _by_pattern(dice, values, places):
    name = dice.choice([*AROUND, "picture", "picture"])
    drawn, amounts = (None, AROUND[name]) if name in AROUND else _picture(dice, values)
    presses = [[sum(a for r, c, a in amounts if (row + r, column + c) == place) for place in places]
               for row, column in places]
    return f"around: {name if drawn is None else block(drawn)}", presses


def _by_list(dice, values, places, rows, columns):
    """Some buttons, each a picture or a list of cells."""
    lines, presses = [], []
    for number in range(dice.randint(1, 7)):
        amounts = {place: dice.choice((0, 1, dice.randrange(values))) for place in places}
        if dice.random() < 0.4:
            amounts = {place: min(amount, 1) for place, amount in amounts.items()}
            drawn = "[" + ", ".join(f"r{r + 1}c{c + 1}" for (r, c), amount in amounts.items() if amount) + "]"
        else:
            drawn = '"' + "/".join("".join(str(amounts.get((r, c), WALL)) for c in range(columns))
                                   for r in range(rows)) + '"'
        lines.append(drawn)
        presses.append(list(amounts.values()))
    if dice.random() < 0.5:
        return "buttons:\n" + "".join(f"  b{number}: {drawn}\n" for number, drawn in enumerate(lines)), presses
    return "buttons:\n" + "".join(f"  - {drawn}\n" for drawn in lines), presses


def make(dice, name, most):
    values = dice.choice((2, 2, 2, 3, 4, 5, 10))
    rows, columns = dice.randint(1, 4), dice.randint(1, 4)
    walls = {(r, c) for r in range(rows) for c in range(columns) if dice.random() < 0.1}
    places = [(r, c) for r in range(rows) for c in range(columns) if (r, c) not in walls]
    if not places or values**len(places) > most:
        return None
    if dice.random() < 0.6:
        how, presses = _by_pattern(dice, values, places)
    else:
        how, presses = _by_list(dice, values, places, rows, columns)
    if not all(map(any, presses)):
        return None  # a button has to change something
    openness = dice.choice((0, 0, 0.3, 0.7))
    goal = [OPEN if dice.random() < openness else dice.randrange(values) for _ in places]
    shown = dict(zip(places, goal))
    picture = [[str(shown.get((r, c), WALL)) for c in range(columns)] for r in range(rows)]
    lines = [f"puzzle: {name}\nfamily: flip\nvalues: {values}\n", how.rstrip("\n") + "\n"]
    if dice.random() < 0.2:
        goal = [0] * len(places)
        lines.append("board: " + block([[WALL if cell == WALL else "." for cell in row] for row in picture]))
    else:
        lines.append("goal: " + block(picture))
    presses = [tuple(press) for press in presses]
    backward = dice.random() < 0.4
    if backward:
        lines.append("backward: true\n")
        presses += [tuple(-amount % values for amount in press) for press in presses
                    if any(2 * amount % values for amount in press)]
    has = [f"{values} values" if values > 2 else "2 values"] + ["walls"] * bool(walls) + ["open"] * (OPEN in goal) + \
        ["backward"] * backward + [how.split(":")[0]]
    return Flip("".join(lines), has, values, len(places), presses, tuple(goal))
