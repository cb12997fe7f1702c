"""Moves that permute the places, by docs/families/permute.md."""

import itertools

from .board import OPEN, Plain, arrangements, ways


def _times(one, other):
    """Two moves, one after the other: where each place's tile gets to, and how far it is turned on the way."""
    return tuple((other[to][0], turn + other[to][1]) for to, turn in one)


class Permute(Plain):
    """A board has a tile and its turn for every place."""

    def __init__(self, text, has, orbits, twists, moved, tiles, goal):
        super().__init__(text, has)
        self.orbits, self.twists, self.moved, self.tiles, self.goal = orbits, twists, moved, tiles, goal

    def boards(self):
        """All with the same tiles in each orbit."""
        of_orbits = [arrangements([self.tiles[place] for place in orbit], len(orbit)) for orbit in self.orbits]
        turned = list(itertools.product(*(range(twist) for twist in self.twists)))
        for tiles in itertools.product(*map(list, of_orbits)):
            board = [None] * len(self.tiles)
            for orbit, some in zip(self.orbits, tiles):
                for place, tile in zip(orbit, some):
                    board[place] = tile
            for turns in turned:
                yield tuple(zip(board, turns))

    def moves(self, board):
        found = []
        for move in self.moved:
            after = [None] * len(board)
            for (tile, turn), (to, by) in zip(board, move):
                after[to] = (tile, (turn + by) % self.twists[to])
            found.append(tuple(after))
        return found

    def is_goal(self, board):
        return all(wanted in (OPEN, tile) for wanted, tile in zip(self.goal, board))

    def show(self, board):
        return " ".join(tile + (f"+{turn}" if turn else "") for tile, turn in board)

    def read(self, text):
        cells = text.split(",") if "," in text else list(text)
        return tuple((cell.split("+")[0], int(cell.partition("+")[2] or 0)) for cell in cells)


def _orbits(places, moved):
    """The sets of places between which moves bring tiles."""
    left, orbits = set(range(places)), []
    while left:
        orbit, new = set(), {min(left)}
        while new:
            orbit |= new
            new = {to for move in moved for place, (to, _) in enumerate(move) if place in orbit} - orbit
        left -= orbit
        orbits.append(sorted(orbit))
    return orbits


def _generator(dice, names, groups, twists):
    """A random generator as it is written, and as a move; places of one group alone are in a cycle."""
    move = [(place, 0) for place in range(len(names))]
    if dice.random() < 0.2:
        group = dice.choice([group for group in groups if len(group) > 1] or [[0]])
        if len(group) < 2:
            return None
        some = sorted(dice.sample(group, dice.randint(2, len(group))))
        for one, other in zip(some, reversed(some)):
            move[one] = (other, 0)
        return "{reverse: " + " ".join(names[place] for place in some) + "}", tuple(move)
    cycles, left = [], [list(group) for group in groups]
    for _ in range(dice.choice((1, 1, 2, 3))):
        group = dice.choice(left)
        if not group:
            continue
        some = dice.sample(group, min(len(group), dice.choice((1, 2, 2, 3, 3, 4, 5))))
        turns = [dice.randrange(twists[place]) if dice.random() < 0.6 else 0 for place in some]
        if len(some) == 1 and not turns[0]:
            continue
        for place in some:
            group.remove(place)
        for number, place in enumerate(some):
            to = (number + 1) % len(some)
            move[place] = (some[to], turns[to])
        cycles.append("(" + " ".join(names[place] + (f"+{turn}" if turn else "")
                                     for place, turn in zip(some, turns)) + ")")
    return ("[" + ", ".join(cycles) + "]" if len(cycles) > 1 else cycles[0], tuple(move)) if cycles else None


def _powers(move, turns, twists):
    """What may be done with a generator."""
    nothing = tuple((place, 0) for place in range(len(move)))
    reduced = lambda m: tuple((to, turn % twists[to]) for to, turn in m)
    powers, power = [], reduced(move)
    while power != nothing:
        powers.append(power)
        power = reduced(_times(power, move))
    return {"forward": powers[:1], "both": list(dict.fromkeys((powers[0], powers[-1]))) if powers else [],
            "all": powers}[turns]


def make(dice, name, most):
    places = dice.randint(2, 8)
    names = [f"{dice.choice('xyz')}{place}" if dice.random() < 0.1 else "ABCDEFGH"[place] for place in range(places)]
    twisting = dice.choice((1, 1, 1, 2, 3))
    twists = [1] * places
    if twisting > 1:
        cut = dice.choice((places, dice.randint(1, places)))
        twists = [twisting] * cut + [1] * (places - cut)
    groups = [group for group in ([p for p in range(places) if twists[p] > 1],
                                  [p for p in range(places) if twists[p] == 1]) if group]
    turns = dice.choice(("both", "both", "forward", "all"))
    lines, moved, drawn = [], [], []
    for number in range(dice.randint(1, 4)):
        generator = _generator(dice, names, groups, twists)
        if generator is None:
            return None
        own = dice.choice(("both", "forward", "all")) if dice.random() < 0.2 and "{" not in generator[0] else turns
        written = generator[0]
        if own != turns:
            written = f"{{cycles: \"{written.strip('[]').replace(', ', '')}\", turns: {own}}}"
        drawn.append(f"  g{number}: {written}\n")
        moved += _powers(generator[1], own, twists)
    if not moved or len(set(moved)) < len(moved):
        return None  # moves that do the same are refused
    orbits = _orbits(places, moved)
    identical = dice.random() < 0.4
    tiles = [dice.choice("abc") if identical else names[place] for place in range(places)]
    count = 1
    for orbit in orbits:
        count *= ways([tiles[place] for place in orbit])
    for twist in twists:
        count *= twist
    if not 2 <= count <= most:
        return None
    openness = dice.choice((0, 0, 0.3, 0.6))
    goal = [OPEN if dice.random() < openness else (tile, 0) for tile in tiles]
    lines = [f"puzzle: {name}\nfamily: permute\nplaces: {' '.join(names)}\n"]
    if identical or OPEN in goal:
        lines.append("goal: '" + " ".join(OPEN if cell == OPEN else cell[0] for cell in goal) + "'\n")
    if identical and OPEN in goal:
        lines.append("board: " + " ".join(tiles) + "\n")
    if turns != "both":
        lines.append(f"turns: {turns}\n")
    if twisting > 1:
        lines.append(f"twists: {twisting}\n" if min(twists) > 1 else
                     f"twists:\n  {twisting}: " + " ".join(names[p] for p in groups[0]) + "\n")
    has = [turns] + ["twists"] * (twisting > 1) + ["identical"] * identical + ["open"] * (OPEN in goal) + \
        ["orbits"] * (len(orbits) > 1)
    return Permute("".join([*lines, "generators:\n", *drawn]), has, orbits, twists, moved, tiles, tuple(goal))
