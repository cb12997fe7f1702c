"""Values put into slots, by docs/families/place.md."""

import itertools
import re

from .board import WALL, Plain, words

EMPTY = "."


class Place(Plain):
    """All solutions are found by trying; a board that can be completed is a part of one."""

    def __init__(self, text, has, values, slots, rules):
        super().__init__(text, has)
        self.values = values
        self.found = [board for board in itertools.product(values, repeat=slots) if all(rule(board) for rule in rules)]

    def boards(self):
        slots = len(self.found[0]) if self.found else 0
        for kept in itertools.product((0, 1), repeat=slots):
            yield from {tuple(value if k else EMPTY for value, k in zip(board, kept)) for board in self.found}

    def moves(self, board):
        return [board[:slot] + (value, ) + board[slot + 1:] for slot, at in enumerate(board) if at == EMPTY
                for value in self.values]

    def is_goal(self, board):
        return EMPTY not in board

    def show(self, board):
        return " ".join(board)

    def read(self, text):
        return tuple(word for word in words(text) if word != WALL)

    def solutions(self, board, distance):
        return sum(all(at in (EMPTY, value) for at, value in zip(board, whole)) for whole in self.found)


def _different(slots, steps=0):
    return lambda board: len({int(board[slot]) + number * steps if steps else board[slot]
                              for number, slot in enumerate(slots)}) == len(slots)


def _equation(dice, name, most):
    base = dice.choice((2, 3, 4, 5, 6, 10))
    digits = "0123456789"[:base]
    letters = "ABCDEFGH"[:dice.randint(2, min(base, 6))]
    if base**len(letters) > 8 * most:
        return None
    texts, sums = [], []
    for _ in range(dice.choice((1, 1, 2))):
        sides = [[(dice.choice("++-"), "".join(dice.choice(letters) for _ in range(dice.randint(1, 3))))
                  for _ in range(dice.randint(1, count))] for count in (3, 2)]
        sides = [[("+", terms[0][1]), *terms[1:]] for terms in sides]
        texts.append(" = ".join("".join((f" {sign} " if number else "") + word
                                        for number, (sign, word) in enumerate(terms)) for terms in sides))
        sums.append(sides)
    slots = list(dict.fromkeys(re.sub("[^A-Z]", "", "".join(texts))))
    if len(slots) < 2:
        return None
    number = lambda board, word: int("".join(board[slots.index(letter)] for letter in word), base)
    side = lambda board, terms: sum((1 if sign == "+" else -1) * number(board, word) for sign, word in terms)
    rules = [lambda board, one=one, other=other: side(board, one) == side(board, other) for one, other in sums]
    first = {word[0] for sides in sums for terms in sides for _, word in terms if len(word) > 1}
    rules.append(lambda board: all(board[slots.index(letter)] != "0" for letter in first))
    lines = [f"puzzle: {name}\nfamily: place\n" + (f"base: {base}\n" if base != 10 else ""),
             f"equation: {texts[0]}\n" if len(texts) == 1 else "equation:\n" + "".join(f"  - {t}\n" for t in texts)]
    some = range(len(slots))
    if dice.random() < 0.3:
        some = sorted(dice.sample(some, dice.randint(2, len(slots))))
        lines.append("different:\n  - " + " ".join(slots[slot] for slot in some) + "\n")
    rules.append(_different(some))
    return Place("".join(lines), ["equation"] + ["several sums"] * (len(sums) > 1), digits, len(slots), rules)


def make(dice, name, most):
    if dice.random() < 0.35:
        return _equation(dice, name, most)
    rows, columns = dice.choice(((1, 3), (1, 4), (1, 5), (2, 2), (2, 3), (3, 2), (2, 4)))
    walls = [rows > 1 and dice.random() < 0.1 for _ in range(rows * columns)]
    number = {cell: slot for slot, cell in enumerate(cell for cell, wall in enumerate(walls) if not wall)}
    slots, count = len(number), dice.randint(2, 5)
    values = "123456"[:count] if dice.random() < 0.7 else "abcdef"[:count]
    if slots < 2 or count**slots > 4 * most:
        return None
    lines = [list(number[r * columns + c] for c in range(columns) if r * columns + c in number) for r in range(rows)]
    across = [list(number[r * columns + c] for r in range(rows) if r * columns + c in number) for c in range(columns)]
    kinds, rules, has = [], [], ["walls"] * any(walls)
    for kind in dice.sample(("rows", "columns", "all", "some", "step"), dice.randint(1, 3)):
        groups = {"rows": lines, "columns": across, "all": [range(slots)]}.get(kind)
        steps = 0
        if kind == "some" or kind == "step":
            groups = [sorted(dice.sample(range(slots), dice.randint(2, min(slots, count))))]
            listed = " ".join(_name(slot, number, rows, columns) for slot in groups[0])
            if kind == "step":
                if not values.startswith("1"):
                    continue
                steps = dice.choice((1, -1, 2))
                kind, has = f"{{slots: {listed}, step: {steps}}}", has + ["step"]
            else:
                kind = listed
        elif max(map(len, groups)) > count:
            continue
        kinds.append(kind)
        rules += [_different(group, steps) for group in groups if len(group) > 1]
    if not rules:
        return None
    board = "/".join("".join(WALL if walls[r * columns + c] else "." for c in range(columns)) for r in range(rows))
    mark = rows == 1 and values.startswith("1") and dice.random() < 0.3
    text = f"puzzle: {name}\nfamily: place\nboard: \"{board}\"\nvalues: {values}\ndifferent:\n" + \
        "".join(f"  - {kind}\n" for kind in kinds) + "mark: Q\n" * mark
    return Place(text, has + ["mark"] * mark + ["groups"], values, slots, rules)


def _name(slot, number, rows, columns):
    cell = next(cell for cell, at in number.items() if at == slot)
    return str(slot + 1) if rows == 1 else f"r{cell // columns + 1}c{cell % columns + 1}"
