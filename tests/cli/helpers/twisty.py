"""Twisty puzzles as stickers in space, which know nothing but where these are: names are the World Cube
Association's, `U` is the upper face or corner, clockwise as seen from outside."""

import copy

FACES = {"U": (0, 1, 0), "D": (0, -1, 0), "R": (1, 0, 0), "L": (-1, 0, 0), "F": (0, 0, 1), "B": (0, 0, -1)}
COLOURS = {"U": "W", "D": "Y", "R": "R", "L": "O", "F": "G", "B": "B"}
ROTATIONS = {"x": "R", "y": "U", "z": "F"}


def dot(a, b):
    return sum(p * q for p, q in zip(a, b))


def quarter(vector, normal):
    """By a quarter turn clockwise, seen from the end of the axis."""
    axis = next(i for i in range(3) if normal[i])
    a, b = [(1, 2), (2, 0), (0, 1)][axis]
    out = list(vector)
    out[a], out[b] = normal[axis] * vector[b], -normal[axis] * vector[a]
    return tuple(out)


def third(vector, corner):
    """By a third of a turn clockwise, seen from the corner."""
    x, y, z = (v * c for v, c in zip(vector, corner))
    x, y, z = (y, z, x) if corner[0] * corner[1] * corner[2] > 0 else (z, x, y)
    return tuple(v * c for v, c in zip((x, y, z), corner))


class Toy:
    def __init__(self):
        self.sticker = {}  # (piece's middle, side that it is seen from): colour
        self.home = None

    def solved(self):
        """A new one of the same kind."""
        made = copy.copy(self)
        made.sticker = dict(self.home)
        return made

    def move(self, turned, which):
        self.sticker = {(turned(spot), turned(side)) if which(spot) else (spot, side): colour
                        for (spot, side), colour in self.sticker.items()}

    def turn(self, name):
        if name in ROTATIONS:
            self.move(lambda v: quarter(v, FACES[ROTATIONS[name]]), lambda spot: True)
        else:
            self.turn_part(name)

    def held(self):
        """Turned as a whole until what the definition takes for fixed is at home."""
        seen = [self]
        for toy in seen:
            if toy.is_held():
                return toy
            for name in ROTATIONS:
                turned = copy.copy(toy)
                turned.turn(name)
                if all(turned.sticker != other.sticker for other in seen):
                    seen.append(turned)
        raise AssertionError("the fixed pieces have come apart")

    def piece(self, spot):
        return {colour for (other, _), colour in self.sticker.items() if other == spot}


class Cube(Toy):
    """Of 2 or 3 layers: with two, the corner DBL stays where it is; with three, the middles do."""

    def __init__(self, n):
        super().__init__()
        self.n = n
        spots = range(1 - n, n, 2)
        for face, normal in FACES.items():
            axis = next(i for i in range(3) if normal[i])
            for a in spots:
                for b in spots:
                    spot = [a, b]
                    spot.insert(axis, normal[axis] * (n - 1))
                    self.sticker[tuple(spot), normal] = COLOURS[face]
        self.home = dict(self.sticker)
        wide = [face + "w" for face in FACES] + [face.lower() for face in FACES] + ["2" + face for face in FACES]
        wide += [f"2{face}w" for face in FACES] + ["M", "E", "S"]
        self.names = list(FACES) + list(ROTATIONS) + (wide if n == 3 else [])

    @staticmethod
    def order(_name):
        return 4

    def turn_part(self, name):
        face = {"M": "2L", "E": "2D", "S": "2F"}.get(name, name)
        normal = FACES[face.strip("2w").upper()]
        layers = {self.n - 1} if face in FACES else {0} if face[0] == "2" and "w" not in face else {0, 2}
        self.move(lambda v: quarter(v, normal), lambda spot: dot(spot, normal) in layers)

    def is_held(self):
        fixed = [(-1, -1, -1)] if self.n == 2 else [tuple(2 * c for c in normal) for normal in FACES.values()]
        return all(self.sticker[at] == colour for at, colour in self.home.items() if at[0] in fixed)

    def net(self):
        """The cube unfolded, the green face in the middle row, second."""
        spots = list(range(1 - self.n, self.n, 2))
        out = self.n - 1

        def row(face, i):
            x, y = spots, spots[::-1][i]
            return "".join(self.sticker[{"U": (c, out, spots[i]), "D": (c, -out, y), "F": (c, y, out),
                                         "B": (-c, y, -out), "R": (out, y, -c), "L": (-out, y, c)}[face],
                                        FACES[face]] for c in x)

        rows = ["#" * self.n + row("U", i) + "#" * 2 * self.n for i in range(self.n)]
        rows += ["".join(row(face, i) for face in "LFRB") for i in range(self.n)]
        rows += ["#" * self.n + row("D", i) + "#" * 2 * self.n for i in range(self.n)]
        return " / ".join(rows)


class Skewb(Toy):
    """Seen with three faces, U, F and R: U, R, L and B are the corners at the back above, to the right, to the left,
    and at the back below. Four corners that are no neighbours of one another never part; UFR is one of them."""

    CORNERS = {name: tuple(sum(FACES[face][i] for face in name) for i in range(3))
               for name in ("UFR", "UFL", "UBR", "UBL", "DFR", "DFL", "DBR", "DBL")}
    CALLED = {"U": "UBL", "R": "DBR", "L": "DFL", "B": "DBL"}

    def __init__(self):
        super().__init__()
        for face, normal in FACES.items():
            self.sticker[normal, normal] = COLOURS[face]
            for name, corner in self.CORNERS.items():
                if face in name:
                    self.sticker[corner, normal] = COLOURS[face]
        self.home = dict(self.sticker)
        self.names = list(self.CORNERS) + list(self.CALLED) + list(ROTATIONS)

    @staticmethod
    def order(name):
        return 4 if name in ROTATIONS else 3

    def turn_part(self, name):
        corner = self.CORNERS[self.CALLED.get(name, name)]
        self.move(lambda v: third(v, corner), lambda spot: dot(spot, corner) > 0)

    def is_held(self):
        solved = self.solved()
        return all(self.piece(self.CORNERS[name]) == solved.piece(self.CORNERS[name])
                   for name in ("UFR", "UBL", "DFL", "DBR"))

    def net(self):
        """The cube unfolded as the definition draws it: corners and middle of a face in three rows of three cells."""
        drawn = {"U": (0, 4), "L": (4, 0), "F": (4, 4), "R": (4, 8), "B": (4, 12), "D": (8, 4)}
        axes = {"U": ("R", "F"), "L": ("F", "D"), "F": ("R", "D"), "R": ("B", "D"), "B": ("L", "D"), "D": ("R", "B")}
        cells = [["#"] * 15 for _ in range(11)]
        for face, (top, left) in drawn.items():
            right, down = (FACES[name] for name in axes[face])
            cells[top + 1][left + 1] = self.sticker[FACES[face], FACES[face]]
            for i in (-1, 1):
                for j in (-1, 1):
                    spot = tuple(n + i * d + j * r for n, d, r in zip(FACES[face], down, right))
                    cells[top + 1 + i][left + 1 + j] = self.sticker[spot, FACES[face]]
        return " / ".join("".join(row) for row in cells)
