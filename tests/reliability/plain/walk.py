"""Pieces on a board or a graph, by docs/families/walk.md."""

from .board import OPEN, WALL, Plain, arrangements, block, rows_of, ways, words

LEAPS = {"king": [(0, 1), (1, 1)], "knight": [(1, 2)], "rook by one": [(0, 1)], "bishop by one": [(1, 1)]}


class Walk(Plain):
    def __init__(self, text, has, edges, pieces, goal):
        super().__init__(text, has)
        self.edges, self.pieces, self.goal = edges, pieces, goal

    def boards(self):
        return arrangements(self.pieces, len(self.pieces))

    def moves(self, board):
        found = []
        for one, other in self.edges:
            if board[one] != "." and board[other] == ".":
                after = list(board)
                after[one], after[other] = ".", board[one]
                found.append(tuple(after))
        return found

    def is_goal(self, board):
        return all(wanted in (OPEN, piece) for wanted, piece in zip(self.goal, board))

    def show(self, board):
        return " ".join(board)

    def read(self, text):
        return tuple("." if word == "0" else word for word in words(text) if word != WALL)


def _leaps(cells, leaps):
    """From which place a piece gets to which, by its number in reading order."""
    number = {cell: place for place, cell in enumerate(cells)}
    steps = {(r * x, c * y) for a, b in leaps for r, c in ((a, b), (b, a)) for x in (-1, 1) for y in (-1, 1)}
    return {(number[r, c], number[r + x, c + y]) for r, c in cells for x, y in steps if (r + x, c + y) in number}


def make(dice, name, most):
    kind = dice.choice(("board", "board", "graph"))
    rows, columns = (dice.randint(1, 5), dice.randint(2, 5)) if kind == "board" else (1, dice.randint(3, 12))
    holes = {(r, c) for r in range(rows) for c in range(columns) if kind == "board" and dice.random() < 0.1}
    cells = [(r, c) for r in range(rows) for c in range(columns) if (r, c) not in holes]
    if len(cells) < 2:
        return None
    lines, edges, has = [f"puzzle: {name}\nfamily: walk\n"], set(), [kind] + ["holes"] * bool(holes)
    if kind == "board":
        piece = dice.choice([*LEAPS, f"[{dice.randint(0, 3)}, {dice.randint(1, 3)}]"])
        lines.append(f"piece: {piece}\n")
        edges = _leaps(cells, LEAPS.get(piece) or [tuple(map(int, piece.strip("[]").split(",")))])
    names = [str(place + 1) for place in range(len(cells))]
    if kind == "graph" and dice.random() < 0.5:
        names = [f"p{place}" for place in range(len(cells))]
        lines.append("places: " + " ".join(names) + "\n")
    joined = [(place, dice.randrange(place)) for place in range(1, len(cells)) if dice.random() < 0.9] \
        if kind == "graph" else []
    joined += [tuple(dice.sample(range(len(cells)), 2)) for _ in range(dice.choice((0, 0, 2)))]
    one_way = [tuple(dice.sample(range(len(cells)), 2)) for _ in range(dice.choice((0, 0, 1, 4)))]
    if not joined and not one_way and kind == "graph":
        return None
    for key, pairs in (("edges", joined), ("one-way", one_way)):
        if pairs:
            lines.append(f"{key}:\n" + "".join(f"  - {names[a]} {names[b]}\n" for a, b in pairs))
            has.append(key)
    edges |= {*joined, *one_way, *((b, a) for a, b in joined)}
    if not edges:
        return None
    letters = "abcd"[:dice.randint(1, 4)]
    count = dice.randint(1, len(cells) - 1)
    board = [dice.choice(letters) for _ in range(count)] + ["."] * (len(cells) - count)
    if not 2 <= ways(board) <= most:
        return None
    dice.shuffle(board)
    goal = dice.sample(board, len(board))
    openness = dice.choice((0, 0, 0.3, 0.7))
    goal = [OPEN if dice.random() < openness else symbol for symbol in goal]
    shown = lambda symbols: rows_of([dict(zip(cells, symbols)).get((r, c), WALL)
                                     for r in range(rows) for c in range(columns)], columns)
    lines.append("goal: " + block(shown(goal)))
    if OPEN in goal or dice.random() < 0.5:
        lines.append("board: " + block(shown(board)))
    has += ["open"] * (OPEN in goal) + ["alike"] * (len(set(board)) - 1 < count)
    return Walk("".join(lines), has, sorted(edges), sorted(board), tuple(goal))
