"""Rules as a stranger writes them: puzzles that are nobody's, against searches that know the puzzle and not the file;
what slides until it is stopped; and the first mistakes."""

import json
import random
import re
import unittest

from helpers.harness import SHORT, SOURCE, Case

ROBOTS = """\
puzzle: robots
family: rules
title: three robots slide on every second cell, with walls between
board: |
  A...B...o
  .....###.
  o...o...o
  .#.......
  o...x#..o
  .........
  o.#.o...C
sets:
  robot: [A, B, C]
state:
  at[robot]: cell
start: {at: ["'A'", "'B'", "'C'"]}
moves:
  - name: "{r} {d}"
    for: {r: robot, d: direction}
    let:
      to: last(step[step[p, d], d] for p from at[r] while not any(at[o] == step[step[p, d], d] for o in robot))
    do: at[r] = to
goal: at[A] == 'x'
"""

DIE = """\
puzzle: die
family: rules
title: roll the die to the cross so that the six is on top
board: |
  @...#
  .#...
  ...#.
  #...x
state:
  at: cell
  top: 1..6
  north: 1..6
  east: 1..6
start: {at: "'@'", top: 1, north: 2, east: 3}
moves:
  - name: up
    do: at = step[at, up], top = 7 - north, north = top
  - name: down
    do: at = step[at, down], top = north, north = 7 - top
  - name: right
    do: at = step[at, right], top = 7 - east, east = top
  - name: left
    do: at = step[at, left], top = east, east = 7 - top
goal: at == 'x' and top == 6
"""

TORUS = """\
puzzle: torus
family: rules
title: peg solitaire on a board of 4x4 whose edges are joined
sets:
  line: 0..3
  way: [up, down, left, right]
tables:
  dx[way]: [0, 0, -1, 1]
  dy[way]: [-1, 1, 0, 0]
state:
  peg[line, line]: 0..1
start: {peg: 1, "peg[0, 0]": 0}
moves:
  - name: "{x} {y} {d}"
    for: {x: line, y: line, d: way}
    let:
      over_x: (x + dx[d]) % 4
      over_y: (y + dy[d]) % 4
      to_x: (x + 2 * dx[d]) % 4
      to_y: (y + 2 * dy[d]) % 4
    if: peg[x, y] and peg[over_x, over_y] and not peg[to_x, to_y]
    do: peg[x, y] = 0, peg[over_x, over_y] = 0, peg[to_x, to_y] = 1
goal: count(peg[x, y] for x in line, y in line) == 1
"""


def cells(text):
    """The cells that are no walls, by row and column, with their characters."""
    rows = re.search(r"board: \|\n((?:  \S+\n)+)", text)[1].split()
    return {(r, c): sign for r, row in enumerate(rows) for c, sign in enumerate(row) if sign != "#"}


WATER = """\
puzzle: water
family: rules
sets:
  tube: [a, b, c, d]
  height: 1..3
  colour: [empty, red, green]
state:
  has[tube, height]: colour
start:
  has: [[red, green, red], [green, red, green], [empty, empty, empty], [empty, empty, empty]]
moves:
  - name: pour {s} into {t}
    for: {s: tube, t: tube}
    let:
      full: count(has[s, h] != empty for h in height)
      level: count(has[t, h] != empty for h in height)
      top: has[s, full]
      run: count(all(has[s, g] == top for g in height if h <= g <= full) for h in height if h <= full)
      much: min(run, 3 - level)
    if: s != t and full > 0 and (level == 0 or has[t, level] == top)
    do: >-
      has[s, h] = empty for h in height if full - much < h <= full,
      has[t, h] = top for h in height if level < h <= level + much
goal: all(has[t, h] == has[t, 1] for t in tube, h in height)
"""

LIGHTS = """\
puzzle: lights
family: rules
sets: {line: 0..2}
state: {"on[line, line]": 0..2, turn: line}
start: {on: [[1, 0, 2], [0, 0, 0], [2, 1, 0]]}
moves:
  - name: press {r}
    for: {r: line}
    do: >-
      on[i, j] = (on[i, j] + 1) % 3 for i in line, j in line if i == r or j == turn and on[i, r] != 2,
      turn = on[i, r] for i in line if on[i, r] > 0
goal: not any(on[i, j] for i in line, j in line)
"""

SQUARE = """\
puzzle: square
family: rules
sets:
  place: 0..11
  part: [edge, first, second]
state: {"top[place]": part, "bottom[place]": part}
start:
  top: [edge, first, second, edge, first, second, edge, first, second, edge, first, second]
  bottom: [edge, first, second, edge, first, second, edge, first, second, edge, first, second]
moves:
  - name: turn by {t} and {b}, twist
    for: {t: place, b: place}
    if: second != top[t] and second != top[(t + 6) % 12] and second != bottom[b] and second != bottom[(b + 6) % 12]
    do: >-
      top[i] = top[(t + i) % 12] for i in place if i < 6, top[i] = bottom[(b + i) % 12] for i in place if i >= 6,
      bottom[i] = bottom[(b + i) % 12] for i in place if i < 6, bottom[i] = top[(t + i) % 12] for i in place if i >= 6
goal: all(top[i] != top[(i + 1) % 12] and bottom[i] != bottom[(i + 1) % 12] for i in place)
"""


def robots(text):
    board = cells(text)
    place = {sign: cell for cell, sign in board.items()}

    def after(state):
        for robot, at in enumerate(state):
            for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                row, column = at
                while ((row + down, column + right) in board and (row + 2 * down, column + 2 * right) in board and
                       (row + 2 * down, column + 2 * right) not in state):
                    row, column = row + 2 * down, column + 2 * right
                if (row, column) != at:
                    yield state[:robot] + ((row, column),) + state[robot + 1:]

    return (place["A"], place["B"], place["C"]), after, lambda state: state[0] == place["x"]


def die(text):
    board = cells(text)
    place = {sign: cell for cell, sign in board.items()}

    def after(state):
        (row, column), top, north, east = state
        for down, right, turned in ((-1, 0, (7 - north, top, east)), (1, 0, (north, 7 - top, east)),
                                    (0, 1, (7 - east, north, top)), (0, -1, (east, north, 7 - top))):
            if (row + down, column + right) in board:
                yield ((row + down, column + right), *turned)

    return (place["@"], 1, 2, 3), after, lambda state: state[0] == place["x"] and state[1] == 6


def torus(_):
    def after(pegs):
        for x in range(4):
            for y in range(4):
                for right, down in ((0, 1), (0, 3), (1, 0), (3, 0)):
                    hop, over, to = (1 << 4 * ((x + n * right) % 4) + (y + n * down) % 4 for n in range(3))
                    if pegs & hop and pegs & over and not pegs & to:
                        yield pegs ^ hop ^ over ^ to

    return 0xfffe, after, lambda pegs: pegs.bit_count() == 1


def water(_):
    def after(tubes):
        for s, source in enumerate(tubes):
            for t, target in enumerate(tubes):
                left, got = list(source), list(target)
                while s != t and left and left[-1] == source[-1] and len(got) < 3 and got[-1:] in ([], left[-1:]):
                    got.append(left.pop())
                if len(got) > len(target):
                    yield tuple(tuple(left if n == s else got if n == t else tube) for n, tube in enumerate(tubes))

    return ((1, 2, 1), (2, 1, 2), (), ()), after, \
        lambda tubes: all(len(tube) in (0, 3) and len(set(tube)) < 2 for tube in tubes)


def lights(_):
    def after(state):
        turn, *on = state
        for r in range(3):
            pressed = [(on[3 * i + j] + 1) % 3 if i == r or (j == turn and on[3 * i + r] != 2) else on[3 * i + j]
                       for i in range(3) for j in range(3)]
            turned = [on[3 * i + r] for i in range(3) if on[3 * i + r] > 0]
            yield (turned[-1] if turned else turn, *pressed)

    return (0, 1, 0, 2, 0, 0, 0, 2, 1, 0), after, lambda state: not any(state[1:])


def solved(start, after, is_goal):
    """The start's distance, the number of states that reach a goal, the greatest distance."""
    reached, before = [start], {start: []}
    for state in reached:
        for to in after(state):
            if to not in before:
                before[to] = []
                reached.append(to)
            before[to].append(state)
    distance = {state: 0 for state in reached if is_goal(state)}
    found = list(distance)
    for state in found:
        for earlier in before[state]:
            if earlier not in distance:
                distance[earlier] = distance[state] + 1
                found.append(earlier)
    return distance.get(start), len(distance), max(distance.values(), default=None)


class Rules(Case):
    def assert_solved(self, text, start, after, is_goal):
        name = re.match(r"puzzle: (\w+)", text)[1]
        path = self.write(f"{name}.yaml", text)
        distance, states, farthest = solved(start, after, is_goal)
        searched = self.assert_answer(self.query(path, "--json")).json
        self.assertEqual(searched["distance"], distance)
        made = self.assert_answer(self.gen(path)).out
        self.assertRegex(made, rf"^{name}: {states:,} states?, the farthest \d+ at distance {farthest};")
        self.assertEqual(self.assert_answer(self.query(path, "--json")).json["distance"], distance)


class Puzzles(Rules):
    def test_against_searches_of_their_own(self):
        puzzles = (ROBOTS, robots), (DIE, die), (TORUS, torus), (WATER, water), (LIGHTS, lights)
        for text, puzzle in puzzles[1::2] if SHORT else puzzles:
            with self.subTest(puzzle.__name__):
                self.assert_solved(text, *puzzle(text))

    def test_shapes_of_square_1(self):
        """There are 3,678 in which halves can be turned, and seven twists make a square of any (known from elsewhere)."""
        made = self.assert_answer(self.gen(self.write("square.yaml", SQUARE))).out
        self.assertIn("square: 3,678 states, the farthest 16 at distance 7;", made)
        self.assertIn("goal        a condition (in the definition)", self.query("--info", "square.yaml").lines)
        if not SHORT:
            self.assertEqual(self.gen("--check", "square.yaml").code, 0)

    def test_moves_without_assignments(self):
        """The condition of every assignment is known to fail, so no move has any left."""
        path = self.write("still.yaml", """\
puzzle: still
family: rules
tables:
  odd[p in 0..2]: p % 2 == 1
state: {"x[0..2]": 0..1}
start: {x: 1}
goal: all(x[i] == 1 for i in 0..2)
moves:
  - {name: "none {p}", for: {p: 0..2}, do: "x[c] = 0 for c in 0..2 if odd[p] and not odd[p]"}
""")
        self.assertIn("still: 1 state, ", self.assert_answer(self.gen(path)).out)
        self.assertEqual(self.gen("--check", path).code, 0)


class Conserved(Rules):
    """Values that only change places: their orders are numbered, while all boards have the same values."""

    TEXT = """\
puzzle: sort
family: rules
sets: {{place: 0..9}}
state:
  turn: 0..2
  tile[place]: 0..2
start: {{tile: [{}]}}
goal: all(tile[p] <= tile[p + 1] for p in 0..8)
moves:
  - name: swap {{p}}
    for: {{p: 0..8}}
    let: {{q: (p + 1 + turn) % 10}}
    if: tile[p] != tile[q] and tile[p] == turn
    do: tile[p] = tile[q], tile[q] = tile[p], turn = (turn + 1) % 3
  - {{name: turn, do: turn = (turn + 1) % 3}}
"""

    @staticmethod
    def after(state):
        turn, *tile = state
        yield (turn + 1) % 3, *tile
        for p in range(9):
            q = (p + 1 + turn) % 10
            if tile[p] == turn != tile[q]:
                swapped = tile[:]
                swapped[p], swapped[q] = tile[q], turn
                yield (turn + 1) % 3, *swapped

    def test_orders(self):
        start = (0, 2, 1, 2, 0, 1, 2, 0, 1, 2, 0)
        self.assert_solved(self.TEXT.format(", ".join(map(str, start[1:]))), start, self.after,
                           lambda state: list(state[1:]) == sorted(state[1:]))
        self.assertEqual(self.gen("--check", "sort.yaml").code, 0)

    def test_another_board(self):
        """Its values are others, so all states are known by what they are."""
        text = self.TEXT.format("2, 1, 2, 0, 1, 2, 0, 1, 2, 0")
        few = self.assert_answer(self.gen("--json", self.write("few.yaml", text))).json["states"]
        text += "boards:\n  odd: 1 0 0 0 0 0 0 0 0 0 1\n"
        more = self.assert_answer(self.gen("--json", self.write("more.yaml", text))).json["states"]
        self.assertEqual((few, more), (3 * 4200, 3 * 4200 + 3 * 10))
        self.assertEqual(self.assert_answer(self.query("more.yaml", "--json", "odd")).json["distance"], 0)


class Last(Rules):
    """last(next for p from start while condition)"""

    def test_random_tables(self):
        """Where p goes along a table, in circles or not, until it meets y or a value that the table has no next for."""
        chance = random.Random(7)
        for _ in range(6):
            size = chance.randint(2, 9)
            table = [chance.choice([None, *range(size), *range(size)]) for _ in range(size)]
            listed = ", ".join("none" if to is None else str(to) for to in table)
            text = (f"puzzle: walk\nfamily: rules\ntables:\n  f[0..{size - 1}]: [{listed}]\n"
                    f"state: {{x: '0..{size - 1}', y: '0..{size - 1}'}}\nstart: [{{}}, {{x: '*', y: '*'}}]\n"
                    f"goal: x == {size - 1} and y == 0\nmoves:\n"
                    "- {name: go, do: 'x = last(f[p] for p from x while p != y)'}\n"
                    f"- {{name: set, do: y = (y + 1) % {size}}}\n")

            def after(state):
                (x, y), steps = state, 0
                while x != y and table[x] is not None and steps <= size:
                    x, steps = table[x], steps + 1
                if steps <= size and x != state[0]:
                    yield x, y
                yield state[0], (y + 1) % size

            states = [(x, y) for x in range(size) for y in range(size)]
            wanted = [solved(state, after, lambda state: state == (size - 1, 0))[0] for state in states]
            with self.subTest(text):
                path = self.write("walk.yaml", text)
                self.assertEqual(self.gen("--force", path).code, 0)
                lines = self.query(path, "--json", *(f"{x} {y}" for x, y in states)).lines
                self.assertEqual([json.loads(line).get("distance") for line in lines], wanted)

    def test_values(self):
        """What an expression comes to, shown by the state that a move leads to."""
        for expression, value in (
            ("last(p + 1 for p from x while p < 9)", 9), ("last(p - 1 for p from x while p > 9)", 3),
            ("last(p + 1 for p from 0 while p < 256) - 200", 56), ("last(p + 1 for p from 0 while p < 257)", None),
            ("last(p + 1 for p from x)", None), ("last((p + 1) % 5 for p from x)", None),
            ("last(4 - p for p from x)", None), ("last(none for p from x)", 3), ("last(p for p from none)", None),
            ("last(p / 2 for p from 200 while p > 7)", 6), ("last((p + 3) % 8 for p from x while p != y)", 0),
            ("last(last(q + 2 for q from p while q < 2 * p) for p from x while p < 20)", 31),
            ("last(p + (1 if y else 2) for p from x while p < 10)", 11), ("count(p < 5 for p in 1..9)", 4),
        ):
            text = ("puzzle: value\nfamily: rules\nstate: {x: '0..99', y: '0..1'}\nstart: {x: 3}\ngoal: x == 0\nmoves:\n"
                    "- {name: zero, do: x = 0}\n"
                    f"- {{name: go, let: {{to: '{expression}'}}, do: x = 99 if to == none else to}}\n")
            with self.subTest(expression):
                path = self.write("value.yaml", text)
                answer = self.assert_answer(self.query(path, "--json", "3 0")).json
                to = {move["move"]: move["board"] for move in answer["moves"]}
                self.assertEqual(to.get("go", "3,0"), f"{99 if value is None else value},0")


class Mistakes(Case):
    """What is said of the first mistakes: where, and what to do."""

    page = (SOURCE / "docs/families/rules.md").read_text()

    def assert_mistakes(self, name, cases):
        good = re.search(rf"^`{name}.yaml`:\n\n```yaml\n(.*?)^```", self.page, re.MULTILINE | re.DOTALL)[1]
        for old, new, fragment in cases:
            with self.subTest(new):
                self.assertIn(old, good)
                text = good.replace(old, new, 1)
                result = self.gen(self.write("bad.yaml", text))
                self.assert_complaint(result, 2, fragment)
                line, column = map(int, re.search(r"bad\.yaml:(\d+):(\d+): ", result.err).groups())
                self.assertLessEqual(column, len(text.splitlines()[line - 1]) + 1)

    def test_jugs(self):
        goal, range_, assigned = "water[big] == 4", "water[jug]: 0..5", "do: water[j] = size[j]"
        self.assert_mistakes("jugs", [
            (goal, "water[big] = 4", "equal is =="), (goal, "water == 4", "needs its index: water[..]"),
            (goal, "water[bigg] == 4", "did you mean 'big'?"), (goal, "water[2] == 4", "outside its set"),
            (goal, "water[big] == 4 && true", "'and' and 'or' are written as words"),
            (goal, "water.big == 4", "an index stands in brackets"), (goal, "sum(water) == 4", "expected 'for'"),
            (goal, "jug == 4", "'jug' is a set"), (goal, "water[big] == 6", "holds in no state"),
            (goal, "all(water[j] for j in jug", "expected ')'"),
            (range_, "water[jug]: 5", "expected '..'"), (range_, "water[jug]: int", "new names are made under 'sets'"),
            (range_, "water[jug]: [0, full]", "nothing is called 'full'"),
            (range_, "water[jug]: 0..size[jug]", "'jug' is a set"), (range_, "min: 0..5", "cannot be a name here"),
            (assigned, "do: water[j] == size[j]", "expected '=' and the new value"),
            (assigned, "do: size[j] = 3", "'size' is no variable"),
            (assigned, "do: water[j] = 0; water[j] = 1", "separated by commas"),
            (assigned, "do: water[j] = 8", "these are 0 to 5"), (assigned, "if: water[j] < 3", "'do' is missing"),
            ("for: {j: jug}", "for: j in jug", "a mapping from parameters to sets"),
            ("name: fill {j}", "name: fill {x}", "expected a parameter"),
            ("if: j != k", "if: j == k and j != k", "can never apply"), ("if: j != k", "when: j != k", "unknown key"),
            ("[3, 5]", "[3, 5, 8]", "one for each member"), ("jug: [small, big]", "jug: 5..1", "is empty"),
        ])

    def test_room(self):
        start, to = "player: \"'@'\"", "to: step[player, d]"
        self.assert_mistakes("room", [
            (start, "player: '@'", "quotes of its own"), (start, "player: \"'$'\"", "3 cells have this character"),
            (start, "player: a1", "a wall is there"), ("\"box[c]\":", "box[c]:", "quotes around a '['"),
            (to, "to: step[player][d]", "a second index"), (to, "to: stepp[player, d]", "did you mean 'step'?"),
            ("for c in 'x'", "for c in x", "written with quotes"), ("for c in 'x'", "for c in '!'", "no cell of the board"),
            ("board: |", "boards: |", "the key 'board' gives it"),
        ])

    def test_last(self):
        to = "to: step[player, d]"
        self.assert_mistakes("room", [
            (to, "to: last(step[p, d])", "expected 'for', as in last("),
            (to, "to: last(step[p, d] for p in player)", "expected 'from'"),
            (to, "to: last(step[p, d] for p from cell)", "'cell' is a set"),
            (to, "to: last(step[p, d] for p from player while q)", "nothing is called 'q'"),
        ])


class Membership(Case):
    CONDITIONS = ("a in odd", "a not in odd", "not a in odd", "not a not in odd", "a not in odd and b == 1",
                  "a not in odd or b not in odd", "a + b not in odd", "-a + 6 not in odd",
                  "(b if a not in odd else 3) == b", "a == (b not in odd)", "(a not in odd) + (b not in odd) == 1")

    def test_means_what_python_means(self):
        odd, goals = {1, 3, 5}, []
        for condition in self.CONDITIONS:
            puzzle = self.write("odd.yaml", "puzzle: odd\nfamily: rules\nsets: {odd: [1, 3, 5]}\n"
                                "state: {a: 1..5, b: 1..5}\nstart: {a: 1, b: 1}\nmoves:\n"
                                "- {name: 'a {v}', for: {v: 1..5}, do: a = v}\n- {name: 'b {v}', for: {v: 1..5}, do: b = v}\n"
                                f"goal: {condition}\n")
            self.assert_answer(self.gen("-q", "-f", "-d", self.dir, puzzle))
            told = self.query("-d", self.dir, puzzle, "--histogram", "--json").json
            goals.append(told["histogram"][0])
            wanted = sum(eval(condition, {"a": a, "b": b, "odd": odd}) for a in range(1, 6) for b in range(1, 6))
            self.assertEqual(goals[-1], wanted, condition)
        self.assertGreater(len(set(goals)), 5, goals)


if __name__ == "__main__":
    unittest.main()
