"""What the plain puzzles of all families have in common: pictures, and a breadth-first search.

A plain puzzle is a definition's `text` and what the page of its family says about it, in the most obvious way:

    boards()        every board that may have a distance
    moves(board)    the boards that its moves lead to, as often as there are moves
    costed_moves(board)  with what each costs
    is_goal(board)
    show(board)     the board as it may be typed
    read(text)      and back, from what pdb prints

`has` names what is special about it, for the count of what was tried.
"""

import collections

OPEN, WALL = "*", "#"


def block(rows, indent="  "):
    """A picture below a key."""
    return "|\n" + "".join(f"{indent}{' '.join(row)}\n" for row in rows)


def rows_of(cells, columns):
    return [cells[at:at + columns] for at in range(0, len(cells), columns)]


def words(text):
    """The cells of a printed board."""
    return text.split(",") if "," in text else list(text)


def arrangements(things, places):
    """All ways to put the things, of which some may be the same, into as many places."""
    def fill(left):
        if not left:
            yield ()
            return
        for thing in sorted(set(left)):
            rest = list(left)
            rest.remove(thing)
            for end in fill(rest):
                yield (thing, *end)

    assert len(things) == places
    return fill(list(things))


def ways(things):
    """How many arrangements that makes."""
    count, placed = 1, 0
    for number in collections.Counter(things).values():
        for i in range(1, number + 1):
            placed += 1
            count = count * placed // i
    return count


class Plain:
    def __init__(self, text, has):
        self.text, self.has = text, has

    def costed_moves(self, board):
        return [(after, 1) for after in self.moves(board)]

    def search(self):
        """The distance of each board that has one, breadth first from the goals; and all boards."""
        boards = set(self.boards())
        before = collections.defaultdict(list)
        for board in boards:
            for after in self.moves(board):
                before[after].append(board)
        distance = {board: 0 for board in boards if self.is_goal(board)}
        layer = list(distance)
        while layer:
            layer = {board for after in layer for board in before[after]} - distance.keys()
            distance.update(dict.fromkeys(layer, max(distance.values()) + 1))
        return distance, boards

    def solutions(self, board, distance):
        """How many shortest ones there are."""
        count, ways = 0, {board: 1}
        while ways:
            one = max(ways, key=distance.get)
            number = ways.pop(one)
            count += number if distance[one] == 0 else 0
            for to, cost in self.costed_moves(one):
                if to in distance and distance[to] + cost == distance[one]:
                    ways[to] = ways.get(to, 0) + number
        return count
