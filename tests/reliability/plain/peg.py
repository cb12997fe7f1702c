"""Pegs that jump, by docs/families/peg.md."""

import itertools

from .board import OPEN, WALL, Plain, words


class Peg(Plain):
    def __init__(self, text, has, jumps, holes, goals, pegs, sweeps):
        super().__init__(text, has)
        self.jumps, self.holes, self.goals, self.pegs, self.sweeps = jumps, holes, goals, pegs, sweeps
        self.from_hole = {hole: [jump for jump in jumps if jump[0] == hole] for hole in range(holes)}

    def boards(self):
        """All; of a large board those from which the goal can be reached, taken back jump by jump."""
        if self.holes <= 26:
            return itertools.product("01", repeat=self.holes)
        return self.before_goals(None)

    def before_goals(self, most):
        """None if these are more."""
        found = {tuple("01"[bit] for bit in bits) for goal in self.goals
                 for bits in itertools.product(*((0, 1) if peg == OPEN else (int(peg), ) for peg in goal))}
        found = {board for board in found if self.is_goal(board)}
        left = list(found)
        while left:
            board = left.pop()
            for one, over, to in self.jumps:
                if (board[one], board[over], board[to]) == ("0", "0", "1"):
                    before = list(board)
                    before[one], before[over], before[to] = "1", "1", "0"
                    if tuple(before) not in found:
                        found.add(tuple(before))
                        left.append(tuple(before))
            if most and len(found) > most:
                return None
        return found

    def moves(self, board):
        found = []

        def jump_on(board, hole):
            for one, over, to in self.from_hole[hole]:
                if (board[over], board[to]) == ("1", "0"):
                    after = list(board)
                    after[one], after[over], after[to] = "0", "0", "1"
                    found.append(tuple(after))
                    if self.sweeps:
                        jump_on(after, to)

        for hole, peg in enumerate(board):
            if peg == "1":
                jump_on(board, hole)
        return found

    def is_goal(self, board):
        return (not self.goals or any(all(wanted in (OPEN, peg) for wanted, peg in zip(goal, board))
                                      for goal in self.goals)) and self.pegs in (None, board.count("1"))

    def show(self, board):
        return "".join(board)

    def read(self, text):
        return tuple(word for word in words(text) if word != WALL)


STRAIGHT = {"orthogonal": [((0, 2), (0, 4)), ((1, 0), (2, 0))], "diagonal": [((1, 2), (2, 4)), ((1, -2), (2, -4))]}
STAGGERED = {"orthogonal": [((0, 2), (0, 4)), ((2, 0), (4, 0))], "diagonal": [((1, 1), (2, 2)), ((1, -1), (2, -2))],
             "triangular": [((0, 2), (0, 4)), ((1, 1), (2, 2)), ((1, -1), (2, -2))]}


def _drawn(dice, rows, kinds):
    """The jumps of a picture: rows stand in the middle, two columns a cell."""
    width = max(map(len, rows))
    staggered = "triangular" in kinds or any((width - len(row)) % 2 for row in rows)
    if staggered and width > 32:
        return []  # laid out it is wider than boards are
    hole, number = {}, itertools.count()
    for r, row in enumerate(rows):
        for c, cell in enumerate(row):
            if cell != WALL:
                hole[r, 2 * c + width - len(row)] = next(number)
    kinds_ways = STAGGERED if staggered else STRAIGHT
    ways = {(x * a, x * b, x * c, x * d) for kind in kinds for (a, b), (c, d) in kinds_ways[kind] for x in (-1, 1)}
    return [(at, hole[r + a, c + b], hole[r + e, c + f]) for (r, c), at in hole.items() for a, b, e, f in sorted(ways)
            if (r + a, c + b) in hole and (r + e, c + f) in hole]


def _picture(rows, pegs):
    pegs = iter(pegs)
    return "|2\n" + "".join("  " + " " * (max(map(len, rows)) - len(row)) +
                            " ".join(cell if cell == WALL else next(pegs) for cell in row) + "\n" for row in rows)


def make(dice, name, most):
    has = []
    if dice.random() < 0.3:
        holes = dice.randint(27, 40) if dice.random() < 0.6 else dice.randint(3, 11)
        if holes > 26 and dice.random() < 0.5: # wide keys
            holes = 2 * dice.randint(30, 64)
        rows, some = [["."] * min(40, holes - at) for at in range(0, holes, 40)], \
            dice.sample(range(holes), min(holes, dice.randint(4, 14)))
        jumps = {tuple(dice.sample(some, 3)) for _ in range(dice.randint(2, 16))}
        has.append("listed" if holes <= 26 else "listed, keyed" if holes <= 58 else "listed, wide")
        listed = lambda hole: " ".join(f"({over},{to})" for one, over, to in sorted(jumps) if one == hole)
        how = "jumps:\n" + "".join(f"  {hole}: {listed(hole)}\n" for hole in sorted({jump[0] for jump in jumps}))
    else:
        kinds = dice.sample(("orthogonal", "diagonal"), dice.randint(1, 2)) + ["triangular"] * (dice.random() < 0.3)
        lengths = dice.choice(([3, 3, 3], [1, 2, 3, 4], [4, 4], [2, 4, 4, 2], [3, 4, 3], [1, 3, 5, 3], [5, 5], [9],
                               [12], [3, 2, 3, 2], [33], [20, 9, 4], [60], [40, 3, 3, 40]))
        rows = [[WALL if dice.random() < 0.06 and 0 < c < length - 1 else "." for c in range(length)]
                for length in lengths]
        jumps = set(_drawn(dice, rows, kinds))
        holes = sum(row.count(".") for row in rows)
        how = f"jumps: [{', '.join(kinds)}]\n"
        has += kinds + ["keyed"] * (26 < holes <= 58) + ["wide"] * (holes > 58)
    if not jumps or holes <= 26 and 2**holes > most:
        return None
    sweeps = dice.random() < 0.6
    goals, pegs = [], dice.choice((None, None, 1, 2)) if holes <= 26 else None
    if pegs is None or dice.random() < 0.3:
        share = dice.choice((0.1, 0.3)) if holes <= 26 else 0.1
        for _ in range(dice.choice((1, 1, 2))):
            goals.append(["1" if dice.random() < share else "0" for _ in range(holes)])
            for hole in range(holes):
                if dice.random() < (dice.choice((0, 0.2)) if holes <= 26 else 0.03):
                    goals[-1][hole] = OPEN
    fits = lambda goal: pegs is None or goal.count("1") <= pegs <= goal.count("1") + goal.count(OPEN)
    if len({*map(tuple, goals)}) < len(goals) or not all(map(fits, goals)):
        return None  # such are refused
    plain = Peg("", has, sorted(jumps), holes, goals, pegs, sweeps)
    if holes > 26 and plain.before_goals(most) is None:
        return None
    lines = [f"puzzle: {name}\nfamily: peg\n", how, "" if sweeps else "metric: jump\n",
             "" if pegs is None else f"pegs: {pegs}\n", "board: " + _picture(rows, itertools.repeat("."))]
    if len(goals) == 1:
        lines.append("goal: " + _picture(rows, goals[0]))
    elif goals:
        lines += ["goal:\n"] + ["  - " + _picture(rows, goal).replace("\n  ", "\n    ") for goal in goals]
    plain.text = "".join(lines)
    plain.searched = holes <= 58
    plain.has = has + ["sweeps" if sweeps else "jumps"] + ["pegs"] * (pegs is not None) + \
        ["several goals"] * (len(goals) > 1) + ["open"] * any(OPEN in goal for goal in goals)
    return plain
