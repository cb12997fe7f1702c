"""Sliding pieces by the rules alone, slow and obvious: what the programs' distances are compared with.

A board is a tuple of rows * columns symbols, row by row: '#' a wall, '.' empty, else a cell of a piece. The first cell
(in reading order) that is not covered yet is the first cell of a piece, so a board can be cut into pieces in one way
only.
"""

import collections

EMPTY, WALL, OPEN = ".", "#", "*"


def read_picture(picture):
    """Rows of symbols: lines or slashes between rows, spaces or commas between cells where there are any inside a
    row."""
    rows = [row.replace(",", " ").split() for row in picture.replace("/", "\n").splitlines() if row.strip()]
    rows = [list(row[0]) if len(row) == 1 else row for row in rows]
    return [[EMPTY if cell in ("0", "_") else cell for cell in row] for row in rows]


class Slide:
    """A puzzle: `board` shows every piece, `goal` may have open cells, `pieces` draws those of several cells, `alike`
    lists groups of pieces that count as the same."""

    def __init__(self, board, goal, pieces=(), alike=()):
        rows = read_picture(board)
        self.rows, self.columns = len(rows), len(rows[0])
        self.same = {symbol: symbol for row in rows for symbol in row}
        shapes = {}
        for piece in pieces:
            cells = [(r, c, s) for r, row in enumerate(read_picture(piece)) for c, s in enumerate(row) if s != EMPTY]
            shapes[cells[0][2]] = [(r - cells[0][0], c - cells[0][1], s) for r, c, s in cells]
        for group in alike:
            first, *others = group.split()
            for other in others:
                for (_, _, symbol), (_, _, like) in zip(shapes.get(other, [(0, 0, other)]),
                                                        shapes.get(first, [(0, 0, first)])):
                    self.same[symbol] = like
        self.shapes = {first: shape for first, shape in shapes.items() if self.same[first] == first}
        inside = {s for shape in shapes.values() for _, _, s in shape}
        for symbol in self.same:
            if symbol not in inside and symbol not in (EMPTY, WALL) and self.same[symbol] == symbol:
                self.shapes[symbol] = [(0, 0, symbol)]
        self.board = self.forget(tuple(s for row in rows for s in row))
        self.goal = self.forget(tuple(s for row in read_picture(goal) for s in row))
        self.inventory = collections.Counter(symbol for symbol, _ in self.cut(self.board))

    def forget(self, board):
        """The board with alike pieces under one name."""
        return tuple(self.same.get(symbol, symbol) for symbol in board)

    def place(self, cell, row, column):
        """The cell that many rows and columns away, None outside."""
        r, c = cell // self.columns + row, cell % self.columns + column
        return r * self.columns + c if 0 <= r < self.rows and 0 <= c < self.columns else None

    def cut(self, board):
        """The pieces: the symbol of the first cell, and all cells."""
        covered = set()
        pieces = []
        for cell, symbol in enumerate(board):
            if symbol in (EMPTY, WALL) or cell in covered:
                continue
            cells = [self.place(cell, r, c) for r, c, _ in self.shapes[symbol]]
            covered.update(cells)
            pieces.append((symbol, cells))
        return pieces

    def neighbours(self, board):
        """Every board one move away: one piece by one cell."""
        found = []
        for symbol, cells in self.cut(board):
            for row, column in ((-1, 0), (0, -1), (0, 1), (1, 0)):
                there = [self.place(cell, row, column) for cell in cells]
                if all(t is not None and (board[t] == EMPTY or t in cells) for t in there):
                    moved = list(board)
                    for cell in cells:
                        moved[cell] = EMPTY
                    for t, (_, _, part) in zip(there, self.shapes[symbol]):
                        moved[t] = part
                    found.append(tuple(moved))
        return found

    def arrangements(self):
        """Every board with these walls and pieces, reachable or not."""
        left = dict(self.inventory)
        left[EMPTY] = sum(symbol == EMPTY for symbol in self.board)
        board = [WALL if symbol == WALL else None for symbol in self.board]
        shapes = {EMPTY: [(0, 0, EMPTY)], **self.shapes}

        def fill(cell):
            while cell < len(board) and board[cell] is not None:
                cell += 1
            if cell == len(board):
                yield tuple(board)
                return
            for symbol, shape in shapes.items():
                cells = [self.place(cell, r, c) for r, c, _ in shape]
                if not left[symbol] or any(c is None or board[c] is not None for c in cells):
                    continue
                left[symbol] -= 1
                for c, (_, _, part) in zip(cells, shape):
                    board[c] = part
                yield from fill(cell + 1)
                for c in cells:
                    board[c] = None
                left[symbol] += 1

        yield from fill(0)

    def is_goal(self, board):
        return all(wanted in (OPEN, symbol) for wanted, symbol in zip(self.goal, board))

    def layers(self, goals):
        """Sets of boards at distance 0, 1, 2, ... from the nearest of the goals."""
        layer, before = set(goals), set()
        while layer:
            yield layer
            layer, before = {n for board in layer for n in self.neighbours(board)} - layer - before, layer

    def distances(self):
        """The distance of every arrangement, None where no goal can be reached."""
        distance = dict.fromkeys(self.arrangements())
        for depth, layer in enumerate(self.layers(board for board in distance if self.is_goal(board))):
            for board in layer:
                distance[board] = depth
        return distance
