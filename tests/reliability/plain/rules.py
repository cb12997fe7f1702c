"""Moves as guarded assignments, by docs/families/rules-language.md: the tree of each expression is walked, state by
state, move by move."""

import collections
import heapq
import itertools
import math
import re

from . import language, rules_texts, yaml
from .board import WALL, Plain
from .language import holds, members, value_of

# What no choice of parameters makes right.
REFUSED = ("this move can never apply", "is never a value that", "this divides by zero", "is outside its set",
           "the goal holds in no state")
TOO_FREE = ("moves that cost 0 change variables that", "moves that cost 0 are for puzzles whose variables",
            "free moves (those that cost 0) lead to up to")
DIRECTIONS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


def as_list(value):
    return value if isinstance(value, list) else [value]


class World:
    """What the names of a definition mean; and while `state` is set, the values of its variables."""

    def __init__(self):
        self.numbers, self.sets, self.tables, self.variables = {}, {}, {}, {}
        self.symbols = {}  # by a set's name: how its members are written
        self.character = {}  # of each cell
        self.state = None

    def cells_with(self, characters):
        return [cell for cell, character in self.character.items() if character in characters]

    def look_up(self, name, indices):
        if name in self.variables:
            return self.state[name].get(indices)
        return self.numbers[name] if name in self.numbers else self.tables[name].get(indices)

    def value(self, text, names=None):
        return value_of(self, language.read(text), names or {})

    def set_of(self, written):
        """The members of a set as it is written, and how each is."""
        if isinstance(written, list):
            if not set(written) <= self.numbers.keys() and all(word.isidentifier() for word in written):
                self.numbers.update((word, number) for number, word in enumerate(written))
            found = [self.value(word) for word in written]
            return found, dict(zip(found, written))
        tree = language.read(written, "set")
        found = members(self, tree)
        cells = dict(zip(found, map(self.cell_name, found))) if tree[0] == "quoted" else {}
        return found, self.symbols.get(written) or cells or {member: str(member) for member in found}

    def add_set(self, name, written):
        self.sets[name], self.symbols[name] = self.set_of(written)

    def cell_name(self, cell):
        return self.symbols["cell"][cell]

    def add_board(self, picture):
        rows = [line.split() if " " in line.strip() else list(line.strip()) for line in picture.split("\n")]
        rows = [row for row in rows if row]
        place, names = {}, {}
        for r, row in enumerate(rows):
            for c, character in enumerate(row):
                if character != WALL:
                    place[r, c] = len(place)
                    names[len(names)] = "abcdefghijklmnopqrstuvwxyz"[c] + str(r + 1)
                    self.character[place[r, c]] = character
        self.sets["cell"], self.symbols["cell"] = list(names), names
        self.add_set("direction", [*DIRECTIONS])
        self.numbers.update((name, cell) for cell, name in names.items())
        self.tables["row"] = {(cell,): r + 1 for (r, c), cell in place.items()}
        self.tables["column"] = {(cell,): c + 1 for (r, c), cell in place.items()}
        self.tables["step"] = {(cell, number): place.get((r + down, c + right)) for (r, c), cell in place.items()
                               for number, (down, right) in enumerate(DIRECTIONS.values())}

    def indices(self, key):
        """A name, and for each index in brackets after it the name for its members, if there is one, and its set."""
        reader = language.Reader(key)
        name, found = reader.take()[1], []
        while reader.takes("[", ","):
            own = None
            if len(reader.tokens) > reader.at + 1 and reader.tokens[reader.at + 1] == ("name", "in"):
                own = reader.take()[1]
                reader.need("in")
            found.append((own, members(self, reader.set())))
        return name, found

    def add_table(self, key, written):
        name, indices = self.indices(key)
        if not indices and isinstance(written, list):
            self.tables[name] = {(number,): self.value(word) for number, word in enumerate(written)}
        elif isinstance(written, list):
            rows = written if len(indices) == 2 else [written]
            self.tables[name] = dict(zip(itertools.product(*(each for _, each in indices)),
                                         [self.value(word) for row in rows for word in row]))
        else:
            own = [name for name, _ in indices]
            self.tables[name] = {index: self.value(written, {n: i for n, i in zip(own, index) if n})
                                 for index in itertools.product(*(each for _, each in indices))}

    def add_variable(self, key, written):
        name, indices = self.indices(key)
        values, symbols = self.set_of(written)
        self.variables[name] = list(itertools.product(*(each for _, each in indices))), values, symbols


class Rules(Plain):
    """A state is the values of all variables in the order of the file."""

    def __init__(self, text, has=()):
        super().__init__(text, list(has))
        self.known = {}  # what `near` has worked out
        keys, self.world = yaml.read(text), World()
        world = self.world
        if "board" in keys:
            world.add_board(keys["board"])
        for key, add in (("sets", world.add_set), ("tables", world.add_table), ("state", world.add_variable)):
            for name, written in (keys.get(key) or {}).items():
                add(name, written)
        self.elements = [(name, index) for name, (indices, _, _) in world.variables.items() for index in indices]
        self.keep = language.read(keys["keep"]) if "keep" in keys else ("number", 1)
        self.goal = language.read(keys["goal"])
        self.rules = [self.read_move(move) for move in keys["moves"]]
        self.first, self.starts = self.read_starts(keys)

    # -- reading --

    def read_move(self, keys):
        do = keys["do"]
        if isinstance(do, dict):
            do = ", ".join(f"{left} = {right}" for left, right in do.items())
        reader, assignments = language.Reader(do), []
        while not reader.ended():
            name, indices = reader.take()[1], []
            if reader.takes("["):
                indices = reader.several(reader.expression)
                reader.need("]")
            reader.need("=")
            right = reader.expression()
            assignments.append((name, indices, right, *(reader.loops() if reader.takes("for") else ([], None))))
            reader.takes(",")
        loops = [(name, self.world.set_of(written)) for name, written in keys.get("for", {}).items()]
        lets = [(name, language.read(text)) for name, text in keys.get("let", {}).items()]
        return keys["name"], loops, lets, language.read(keys.get("if", "1")), assignments, \
            language.read(keys.get("cost", "1"))

    def read_start(self, written):
        """All states that it stands for."""
        choices = {element: [self.world.variables[element[0]][1][0]] for element in self.elements}
        for key, value in written.items():
            reader = language.Reader(key)
            name, own = reader.take()[1], []
            if reader.takes("["):
                own = reader.several(reader.expression)
            indices, values, _ = self.world.variables[name]
            fresh = [tree[1] for tree in own if tree[0] == "name" and tree[1] not in self.world.numbers]
            if own and not fresh:  # one element
                indices = [tuple(value_of(self.world, tree, {}) for tree in own)]
            rows = [word for row in as_list(value) for word in as_list(row)]
            for number, index in enumerate(indices):
                word = rows[number if isinstance(value, list) else 0]
                names = dict(zip(fresh, index))
                choices[name, index] = values if word == "*" else [self.world.value(word, names)]
        return list(itertools.product(*(choices[element] for element in self.elements)))

    def read_starts(self, keys):
        """The state from which others are told by what is different, and all starts."""
        listed = [state for start in as_list(keys.get("start", {})) for state in self.read_start(start or {})]
        board = keys.get("boards", {}).get("start")
        if board is not None:
            listed.insert(0, self.read(board))
        return listed[0], [state for state in listed if self.condition(self.keep, state)]

    # -- the rules --

    def set_state(self, state):
        self.world.state = {name: {} for name in self.world.variables}
        for (name, index), value in zip(self.elements, state):
            self.world.state[name][index] = value

    def condition(self, tree, state):
        self.set_state(state)
        return holds(value_of(self.world, tree, {}))

    def is_goal(self, state):
        return any(self.condition(self.goal, near) for near in self.near(state))

    def apply(self, state, assignments, names):
        """The state after a move, None where there is none."""
        after = dict(zip(self.elements, state))
        for name, indices, right, loops, condition in assignments:
            for own in language.choices(self.world, loops):
                here = {**names, **own}
                if condition is not None and not holds(value_of(self.world, condition, here)):
                    continue
                index = tuple(value_of(self.world, each, here) for each in indices)
                value = value_of(self.world, right, here)
                if (name, index) not in after or value not in self.world.variables[name][1]:
                    return None
                after[name, index] = value
        after = tuple(after.values())
        return after if after != state and self.condition(self.keep, after) else None

    def single_moves(self, state):
        """Each move's number in the file, values of its parameters, name, state after it, and cost."""
        found = []
        for number, (name, loops, lets, condition, assignments, cost) in enumerate(self.rules):
            for choice in itertools.product(*(values for _, (values, _) in loops)):
                self.set_state(state)
                names = {loop: value for (loop, _), value in zip(loops, choice)}
                for let, tree in lets:
                    names[let] = value_of(self.world, tree, names)
                if not holds(value_of(self.world, condition, names)):
                    continue
                price = value_of(self.world, cost, names)
                after = self.apply(state, assignments, names)
                if after is not None:
                    assert price >= 0, (name, state, price)
                    shown = name
                    for (loop, (_, symbols)), value in zip(loops, choice):
                        shown = shown.replace("{" + loop + "}", symbols[value])
                    found.append((number, choice, shown, after, price))
        return found

    def near(self, state):
        """The single moves out of every state that free ones lead to from this one, which is the first."""
        if state not in self.known:
            met, left = {}, [state]
            while left:
                one = left.pop()
                if one not in met:
                    met[one] = self.single_moves(one)
                    left += [after for *_, after, price in met[one] if price == 0]
            self.known[state] = met
        return self.known[state]

    def all_moves(self, state):
        """Each move's number in the file, name, state after it, and cost; behind any number of free ones. Ways that
        differ in these alone are one."""
        found = {}
        for moves in self.near(state).values():
            for number, choice, shown, after, price in moves:
                if price > 0:
                    found[number, choice, after, price] = (number, shown, after, price)
        return list(found.values())

    def moves(self, state):
        return [after for _, _, after, _ in self.all_moves(state)]

    def costed_moves(self, state):
        return [(after, cost) for _, _, after, cost in self.all_moves(state)]

    def named_moves(self, state):
        return [(name, after) for _, name, after, _ in self.all_moves(state)]

    # -- the space --

    def explore(self, most=None):
        """The moves out of every state that moves lead to; None where those states are more than `most`, or too many that
        free moves lead to."""
        found, near = {}, 0
        left = list(dict.fromkeys(self.starts))
        while left:
            state = left.pop()
            if state not in found:
                found[state] = self.all_moves(state)
                left += [after for _, _, after, _ in found[state]]
                near += len(self.near(state))
            if most and (len(found) > most or near > 5 * most):
                return None
        return found

    def boards(self):
        return self.explore()

    def search(self):
        """Dijkstra's, backward from the goals."""
        edges = self.explore()
        before = collections.defaultdict(list)
        for state, moves in edges.items():
            for _, _, after, cost in moves:
                before[after].append((state, cost))
        distance, queue = {}, [(0, state) for state in edges if self.is_goal(state)]
        heapq.heapify(queue)
        while queue:
            far, state = heapq.heappop(queue)
            if state not in distance:
                distance[state] = far
                for one, cost in before[state]:
                    heapq.heappush(queue, (far + cost, one))
        return distance, set(edges)

    def single_moves_met(self):
        return [move for state in self.explore() for moves in self.near(state).values() for move in moves]

    def refused_rightly(self, complaint):
        """Is this what cannot be right? A move that is said never to apply must not, nor must the goal hold."""
        found = re.search(r"yaml:(\d+):\d+: (.*)", complaint)
        if found is None:
            return False
        if any(part in found[2] for part in TOO_FREE):
            return math.prod(len(self.world.variables[name][1]) for name, _ in self.elements) > 64
        if "all moves cost 0" in found[2]:
            return all(price == 0 for *_, price in self.single_moves_met())
        lines = self.text.split("\n")[:int(found[1])]
        number = sum(line.startswith("  - name:") for line in lines) - 1
        return any(part in found[2] for part in REFUSED) and \
            ("never apply" not in found[2] or all(number != move for move, *_ in self.single_moves_met()))

    # -- texts --

    def show(self, state):
        return " ".join(self.world.variables[name][2][value] for (name, _), value in zip(self.elements, state))

    def read(self, text):
        words = text.replace(",", " ").replace("/", " ").split()
        if len(words) != len(self.elements):
            words = list("".join(words))
        return tuple(next((value for value, symbol in self.world.variables[name][2].items() if symbol == word),
                          self.world.variables[name][1][0])
                     for (name, _), word in zip(self.elements, words))


# -- random definitions --


def make(dice, name, most):
    """Moves are thrown until there is a space; of some conditions the goal is one that holds in few of its states."""
    most //= 4  # trees are slow
    writer = rules_texts.begin(dice, name, 40 * most)
    if writer is None:
        return None
    if dice.random() < 0.25:
        writer.texts.append(f"keep: {rules_texts.quoted(writer.condition(2)[0])}\n")
        writer.has.add("keep")
    moves = [writer.write_move(number) for number in range(dice.randint(2, 7))]
    write = lambda goal: "".join([*writer.texts, "moves:\n", *moves, f"goal: {rules_texts.quoted(goal)}\n"])
    plain = Rules(write("1"), sorted(writer.has))
    edges = plain.explore(most)
    if not plain.starts or edges is None or len(edges) < dice.choice([2] + [most // 50] * 4 + [most // 12] * 8):
        return None
    applied = {number for number, *_ in plain.single_moves_met()}
    moves = [text for number, text in enumerate(moves) if number in applied or dice.random() < 0.02]
    if not moves:
        return None
    if dice.random() < 0.15:
        board = tuple(dice.choice(plain.world.variables[name][1]) for name, _ in plain.elements)
        if not plain.condition(plain.keep, board):  # that would be refused
            return None
        writer.texts.append(f"boards: {{start: {plain.show(board)}}}\n")
        edges = Rules(write("1")).explore(most)
        if edges is None:
            return None
        writer.has.add("start as a board")
    found = []
    for _ in range(12):
        plain = Rules(write(writer.condition(dice.randint(1, 3))[0]), sorted(writer.has))
        goals = sum(map(plain.is_goal, edges))
        if 0 < goals < 0.8 * len(edges) or dice.random() < 0.003:
            found.append((goals, plain))
    return min(found, key=lambda each: each[0])[1] if found else None
