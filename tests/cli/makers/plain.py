"""Rush Hour by the plainest search: what the answers about its boards are held against.

A board is a tuple of cars, each (letter, row, column, cells, is it upright); walls and the size go beside it. A move is a
car by any number of free cells along its length."""

WALLS, EMPTY = "x#", "o."


def read(text, columns=None):
    """The cars of a board as people share it, its walls, rows and columns."""
    columns = columns or round(len(text) ** 0.5)
    rows = len(text) // columns
    cells = {}
    for place, letter in enumerate(text):
        if letter not in WALLS + EMPTY:
            cells.setdefault(letter, []).append(divmod(place, columns))
    cars = tuple((letter, *places[0], len(places), places[0][1] == places[-1][1]) for letter, places in cells.items())
    walls = frozenset(divmod(place, columns) for place, letter in enumerate(text) if letter in WALLS)
    return cars, walls, rows, columns


def covered(car):
    _, row, column, length, upright = car
    return [(row + i, column) if upright else (row, column + i) for i in range(length)]


def moves(cars, walls, rows, columns):
    taken = set(walls)
    for car in cars:
        taken.update(covered(car))
    for i, (letter, row, column, length, upright) in enumerate(cars):
        for sign in (-1, 1):
            steps = 1
            while True:
                ahead = sign * steps + (length - 1 if sign > 0 else 0)
                r, c = (row + ahead, column) if upright else (row, column + ahead)
                if not (0 <= r < rows and 0 <= c < columns) or (r, c) in taken:
                    break
                by = sign * steps
                moved = (letter, row + by, column, length, upright) if upright else (letter, row, column + by, length, upright)
                yield cars[:i] + (moved,) + cars[i + 1:]
                steps += 1


def is_solved(cars, columns, red):
    return any(car[0] == red and car[2] + car[3] == columns for car in cars)


def search(text, columns=None, whole=False):
    """How far the board is from its goal (None: it cannot be reached), and, if `whole`, how many boards moves lead to."""
    cars, walls, rows, columns = read(text, columns)
    red = "X" if any(car[0] == "X" for car in cars) else "A"
    seen, layer, distance, depth = {cars}, [cars], None, 0
    while layer:
        if distance is None and any(is_solved(board, columns, red) for board in layer):
            distance = depth
            if not whole:
                break
        following = []
        for board in layer:
            for after in moves(board, walls, rows, columns):
                if after not in seen:
                    seen.add(after)
                    following.append(after)
        layer, depth = following, depth + 1
    return (distance, len(seen)) if whole else distance
