"""States that take more than 62 bits, to 128, held against plain searches: rules, by the tokens alone, pegs and sliding
pieces."""

import collections
import heapq
import random
import signal
import unittest

from helpers.harness import GEN, SHORT, Case

NAMES = "_abc"


class Line:
    """Tokens on a line of places move to the next place where it is empty, or over one token; `back`: to both sides.
    The move of an a may cost more. The goal: c in the last place."""

    def __init__(self, places, starts, back=True, cost=1, alike=False, spare=0):
        self.places, self.starts, self.back, self.cost, self.alike, self.spare = places, starts, back, cost, alike, spare

    def text(self, name):
        moves = [("step", 1, ""), ("jump", 2, " and at[p + {}] != _")]
        lines = []
        for sign, side in ((1, "right"), (-1, "left")) if self.back else ((1, "right"),):
            for what, far, over in moves:
                low, high = (1, self.places - far) if sign > 0 else (1 + far, self.places)
                lines.append(f"- name: {what} {side} from {{p}}\n  for: {{p: {low}..{high}}}\n"
                             f"  if: at[p] != _ and at[p + {sign * far}] == _{over.format(sign)}\n"
                             f"  do: at[p + {sign * far}] = at[p], at[p] = _\n"
                             f"  cost: {self.cost} if at[p] == a else 1\n")
        starts = "".join("- {" + ", ".join(f"'at[{p + 1}]': {NAMES[t]}" for p, t in enumerate(start) if t) + "}\n"
                         for start in self.starts)
        spare = f"  spare[1..{self.spare}]: 0..3\n" if self.spare else ""
        return (f"puzzle: {name}\nfamily: rules\nsets: {{thing: [_, a, b, c], alike: [a, b]}}\n"
                f"state:\n  at[1..{self.places}]: thing\n{spare}start:\n{starts}"
                f"{'symmetric: alike' if self.alike else ''}\nmoves:\n{''.join(lines)}goal: at[{self.places}] == c\n")

    def moves(self, state):
        for p, token in enumerate(state):
            for far in (1, 2, -1, -2) if self.back else (1, 2):
                to = p + far
                if token and 0 <= to < self.places and not state[to] and (abs(far) == 1 or state[(p + to) // 2]):
                    after = list(state)
                    after[p], after[to] = 0, token
                    yield tuple(after), self.cost if token == 1 else 1

    def distances(self):
        """Of every state that can be reached, and images of those; None where no goal can be."""
        exchanged = {0: 0, 1: 2, 2: 1, 3: 3}
        new = [*self.starts] + [tuple(exchanged[t] for t in start) for start in self.starts if self.alike]
        into = {state: [] for state in new}
        while new:
            state = new.pop()
            for after, cost in self.moves(state):
                if after not in into:
                    into[after] = []
                    new.append(after)
                into[after].append((state, cost))
        distance, heap = dict.fromkeys(into), [(0, state) for state in into if state[-1] == 3]
        while heap:
            far, state = heapq.heappop(heap)
            if distance[state] is None:
                distance[state] = far
                for before, cost in into[state]:
                    heapq.heappush(heap, (far + cost, before))
        return distance

    def show(self, state):
        return " ".join([*(NAMES[t] for t in state), *["0"] * self.spare])


def start(places, **tokens):
    return tuple(next((NAMES.index(name) for name, at in tokens.items() if at == p), 0) for p in range(places))


class Wide(Case):
    def hold(self, line, name="wide"):
        """Makes and asks the database; returns the histogram."""
        path = self.write(f"{name}.yaml", line.text(name))
        for threads in (1, 2):
            self.assert_answer(self.gen("--force", "-j", threads, "-d", self.db / str(threads), path))
        one, two = ((self.db / str(threads) / f"{name}.pdb").read_bytes() for threads in (1, 2))
        self.assertEqual(one, two, "threads make another file")
        ask = lambda *arguments, **options: self.query("-d", self.db / "1", path, *arguments, **options)
        distance = line.distances()
        known = [far for far in distance.values() if far is not None]
        counts = [known.count(far) for far in range(max(known) + 1)]
        told = ask("--histogram", "--json").json
        self.assertEqual(told["histogram"], counts)
        asked = sorted(distance)[::max(1, len(distance) // 500)]
        answers = ask("-", stdin="".join(line.show(state) + "\n" for state in asked)).lines
        self.assertEqual([answer.split("\t")[1] for answer in answers],
                         [str(distance[state]) if distance[state] is not None else "unreachable" for state in asked])
        hardest = max((state for state in distance if distance[state] is not None), key=distance.get)
        answer = ask(line.show(hardest), "--json", "--path").json
        path_of = [tuple(map(NAMES.index, "".join(board.split())[:line.places])) for board in answer["path"]]
        self.assertEqual((answer["distance"], path_of[0]), (max(known), hardest))
        for before, after in zip(path_of, path_of[1:]):
            self.assertIn((after, distance[before] - distance[after]), [*line.moves(before)])
        self.assertEqual(distance[path_of[-1]], 0)
        self.assert_answer(self.gen("--check", path))
        self.assertIn("verified", self.assert_answer(self.gen("--verify", "-d", self.db / "1", path)).out)
        return told

    def test_seventy_bits(self):
        self.hold(Line(13, [start(13, a=0, b=3, c=9)], spare=22))

    @unittest.skipIf(SHORT, "the others take the same ways")
    def test_a_hundred_and_twenty_bits(self):
        self.hold(Line(60, [start(60, a=0, c=30)]))

    @unittest.skipIf(SHORT, "the others take the same ways")
    def test_all_bits(self):
        self.hold(Line(64, [start(64, c=40, b=63)]))

    def test_moves_that_cannot_be_undone(self):
        self.hold(Line(35, [start(35, a=15, b=16, c=17)], back=False))

    def test_costs(self):
        self.hold(Line(34, [start(34, a=0, c=17)], cost=3))
        self.hold(Line(60, [start(60, a=45, b=42, c=43)], back=False, cost=700))

    @unittest.skipIf(SHORT, "the others take the same ways")
    def test_several_starts(self):
        self.hold(Line(60, [start(60, a=3, c=9), start(60, b=50, c=51), start(60, c=3)]))

    def test_symmetry(self):
        places, spare = (14, 19) if SHORT else (22, 11)
        line = Line(places, [start(places, a=0, b=5, c=places - 5)], alike=True, spare=spare)
        told = self.hold(line)
        self.assertEqual(told["states"], len(line.distances()))
        if not SHORT:  # small files are a few pages, whatever is in them
            kept = (self.db / "1" / "wide.pdb").stat().st_size
            self.hold(Line(places, line.starts, spare=spare))
            self.assertLess(kept, 0.8 * (self.db / "1" / "wide.pdb").stat().st_size)

    @unittest.skipIf(SHORT, "the others take the same ways")
    def test_narrow_and_wide_are_the_same(self):
        told = [self.hold(Line(11, [start(11, a=0, b=5, c=7)], spare=spare), f"spare-{spare}")
                for spare in (0, 22, 32, 53)]
        for other in told[1:]:
            self.assertEqual((other["histogram"], other["states"]), (told[0]["histogram"], told[0]["states"]))

    def test_fields_that_fit_as_products_alone(self):
        """70 numbers of three values take 140 bits, and 3^70 ways 111."""
        path = self.write("three.yaml", "puzzle: three\nfamily: rules\nstate:\n  n[1..70]: 0..2\nmoves:\n"
                                        "- {name: 'turn {i}', for: {i: [1, 33, 70]}, do: 'n[i] = (n[i] + 1) % 3'}\n"
                                        "goal: n[1] + n[33] + n[70] == 6\n")
        self.assert_answer(self.gen("-d", self.db, path))
        told = self.query("-d", self.db, path, "--histogram", "--json").json
        self.assertEqual((told["states"], told["histogram"]), (27, [1, 3, 6, 7, 6, 3, 1]))

    def test_too_wide(self):
        path = self.write("far.yaml", Line(65, [start(65, c=1)]).text("far"))
        result = self.gen("-d", self.db, path)
        self.assert_complaint(result, 3, "far: ", "two words of 64 bits", "fewer, or narrower ranges")

    def test_goes_on_where_it_was_stopped(self):
        line = Line(40, [start(40, a=0, b=3, c=17)])
        path = self.write("long.yaml", line.text("long"))
        running = self.launch(GEN, "--checkpoint=0", "-j1", "-d", self.db, path)
        self.send_once_handled(running, signal.SIGKILL, 0.3)
        self.finish(running)
        while not (self.db / "long.pdb").exists():
            running = self.launch(GEN, "--checkpoint=0", "-j2", "-d", self.db, path)
            self.send_once_handled(running, signal.SIGINT, 0.4)
            result = self.finish(running)
            self.assertIn(result.code, (0, 130), result)
        self.assert_answer(self.gen("-d", self.db / "whole", path))
        self.assertEqual((self.db / "long.pdb").read_bytes(), (self.db / "whole" / "long.pdb").read_bytes())

    def test_memory_is_kept(self):
        """What it says it took does, and less does not."""
        path = self.write("kept.yaml", Line(32, [start(32, a=0, b=3, c=17)]).text("kept"))
        summary = self.gen("--json", "-j1", "-d", self.db, path).json
        again = self.gen("--force", "--json", "-j1", f"--memory={summary['memory']}", "-d", self.db, path).json
        self.assertEqual(again["memory"], summary["memory"])
        self.assert_complaint(self.gen("--force", "-j1", f"--memory={summary['memory'] // 3}", "-d", self.db, path), 3,
                              "kept: ", "memory")


class Pegs(Case):
    def test_a_board_of_eighty_holes(self):
        """Two rows between which there is one jump: by jumps, back from the goal."""
        jumps = [(p, p + 1, p + 2) for p in range(38)] + [(p + 2, p + 1, p) for p in range(38)] + [(78, 79, 39)]
        listed = "".join(f"  {one}: {' '.join(f'({over},{to})' for begin, over, to in jumps if begin == one)}\n"
                         for one in sorted({begin for begin, _, _ in jumps}))
        rows = "  " + ". " * 40 + "\n"
        goal = "  " + " ".join("1" if p == 20 else "0" for p in range(40)) + "\n"
        path = self.write("eighty.yaml", f"puzzle: eighty\nfamily: peg\nmetric: jump\njumps:\n{listed}"
                                         f"board: |2\n{rows}{rows}goal: |2\n{goal}{'  ' + '0 ' * 40}\n")
        distance, layer = {frozenset([20]): 0}, [frozenset([20])]
        while layer:
            before = {state - {to} | {begin, over} for state in layer for begin, over, to in jumps
                      if to in state and not state & {begin, over}}
            layer = [state for state in before if state not in distance]
            distance.update((state, len(state) - 1) for state in layer)  # a jump takes one off
        self.assert_answer(self.gen("-d", self.db, path))
        told = self.query("-d", self.db, path, "--histogram", "--json").json
        counts = [sum(far == d for far in distance.values()) for d in range(max(distance.values()) + 1)]
        self.assertEqual((told["states"], told["histogram"]), (len(distance), counts))
        self.assert_answer(self.gen("--verify", "-d", self.db, path))
        for state in random.Random(1).sample(sorted(distance, key=sorted), 5):
            board = " ".join(str(int(p in state)) for p in range(80))
            answer = self.query("--method=search", "--json", "--path", path, board).json
            self.assertEqual((answer["distance"], len(answer["path"])), (distance[state], distance[state] + 1))
        lost = " ".join(str(int(p in (0, 39))) for p in range(80))
        self.assertIsNone(self.query("--method=search", "--json", path, lost).json["distance"])


BARS = [((0, 0), (0, 1)), ((0, 0), (1, 0)), ((0, 0), (0, 1), (0, 2)), ((0, 0), (1, 0), (2, 0))]
BLOCKS = [((0, 0),), ((0, 0), (0, 1)), ((0, 0), (1, 0)), ((0, 0), (0, 1), (1, 0), (1, 1)), ((0, 0), (0, 1), (1, 1)),
          ((0, 0), (1, -1), (1, 0))]


class Sliders:
    """Pieces on a board, each by the cell of its first cell, and its cells as seen from there. Pieces of a group in
    `alike` are one kind. `bound`: bars stay in their line; `far`: a move takes a piece any way. The goal: piece number
    `goal`, or one like it, stands at `target`."""

    def __init__(self, size, pieces, bound, far, alike):
        self.rows, self.columns, self.bound, self.far, self.alike = *size, bound, far, alike
        self.shapes = [shape for _, shape in pieces]
        self.start = self.arranged(place for place, _ in pieces)
        self.goal, self.target = 0, self.start[0]

    def arranged(self, state):
        """Pieces that are alike, by their cells."""
        state = list(state)
        for group in self.alike:
            for piece, place in zip(group, sorted(state[piece] for piece in group)):
                state[piece] = place
        return tuple(state)

    def step(self, place, down, right):
        row, column = place // self.columns + down, place % self.columns + right
        return row * self.columns + column if 0 <= row < self.rows and 0 <= column < self.columns else None

    def cells(self, piece, place):
        return [self.step(place, *cell) for cell in self.shapes[piece]]

    def ways(self, piece):
        height, width = (len({cell[axis] for cell in self.shapes[piece]}) for axis in (0, 1))
        upright, lying = [(-1, 0), (1, 0)], [(0, -1), (0, 1)]
        return upright + lying if not self.bound or height == width else upright if height > width else lying

    def moves(self, state):
        covered = {cell: piece for piece, place in enumerate(state) for cell in self.cells(piece, place)}
        for piece, place in enumerate(state):
            reached = [place]
            for at in reached:
                for way in self.ways(piece):
                    to = self.step(at, *way)
                    if to is None or to in reached or (at != place and not self.far):
                        continue
                    if all(cell is not None and covered.get(cell, piece) == piece for cell in self.cells(piece, to)):
                        reached.append(to)
            for to in reached[1:]:
                yield self.arranged(state[:piece] + (to,) + state[piece + 1:])

    def reached(self, most):
        """The states, or None where there are more."""
        found = {self.start: None}
        new = [self.start]
        for state in new:
            for after in self.moves(state):
                if after not in found:
                    found[after] = None
                    new.append(after)
                    if len(new) > most:
                        return None
        return new

    def distances(self, most):
        group = next((group for group in self.alike if self.goal in group), [self.goal])
        distance = dict.fromkeys(self.reached(most))
        layer = [state for state in distance if any(state[piece] == self.target for piece in group)]
        distance.update(dict.fromkeys(layer, 0))
        for state in layer:
            for before in self.moves(state):
                if distance[before] is None:
                    distance[before] = distance[state] + 1
                    layer.append(before)
        return distance

    def drawn(self, state, nothing="."):
        cells = {cell: chr(0x4E00 + piece) for piece, place in state for cell in self.cells(piece, place)}
        return [[cells.get(row * self.columns + column, nothing) for column in range(self.columns)]
                for row in range(self.rows)]

    def show(self, state):
        return "/".join(map("".join, self.drawn(enumerate(state))))

    def text(self, name):
        pieces = ""
        for piece, shape in enumerate(self.shapes):
            left, symbol = min(column for _, column in shape), chr(0x4E00 + piece)
            rows = ["".join(symbol if (row, left + column) in shape else "." for column in range(3 - left))
                    for row in range(3)]
            if len(shape) > 1:
                pieces += "- " + "/".join(row.rstrip(".") for row in rows if symbol in row) + "\n"
        alike = "".join("- " + " ".join(chr(0x4E00 + piece) for piece in group) + "\n" for group in self.alike)
        return (f"puzzle: {name}\nfamily: slide\nmetric: {'slide' if self.far else 'step'}\n"
                f"{'axis: length' if self.bound else ''}\n{'pieces:' if pieces else ''}\n{pieces}{'alike:' if alike else ''}\n{alike}"
                f"board: '{self.show(self.start)}'\n"
                f"goal: '{'/'.join(map(''.join, self.drawn([(self.goal, self.target)], '*')))}'\n"
                f"boards: {{start: '{self.show(self.start)}'}}\n")


def random_sliders(dice, bound, most):
    """A full board from which few others are reached, or None: bars that stay in their lines, or blocks."""
    size = dice.choice([(9, 9), (10, 10), (12, 12), (8, 16)] if bound else [(9, 8), (8, 9), (9, 9)])
    free, shapes = size[0] * size[1], BARS if bound else dice.sample(BLOCKS, dice.randint(2, 4))
    wanted = free * dice.uniform(0.05, 0.25) if bound else dice.randint(2, 9)
    pieces, taken = [], set()
    for place in dice.choices(range(free), k=20 * free):
        shape = dice.choice(shapes)
        cells = [(place // size[1] + row, place % size[1] + column) for row, column in shape]
        if (free - len(taken) - len(shape) >= wanted and not taken.intersection(cells) and
                all(0 <= row < size[0] and 0 <= column < size[1] for row, column in cells)):
            taken.update(cells)
            pieces.append((place, shape))
    groups = collections.defaultdict(list)
    for piece, (_, shape) in enumerate(pieces):
        groups[shape].append(piece)
    alike = [group for group in groups.values() if len(group) > 1 and dice.random() < 0.95]
    sliders = Sliders(size, pieces, bound, dice.random() < 0.5, alike if dice.random() < 0.8 else [])
    states = sliders.reached(most) if len(pieces) <= 100 else None
    if states is None or len(states) < 3:
        return None
    target = dice.choice(states)
    sliders.goal = dice.choice([piece for piece, place in enumerate(target) if place != sliders.start[piece]] or [0])
    sliders.target = target[sliders.goal]
    return sliders


class Slides(Case):
    def hold(self, sliders, most=10**6):
        """Makes and asks the database, and searches for some boards."""
        path, made = self.write("sliders.yaml", sliders.text("sliders")), []
        for threads in (1, 2):
            self.assert_answer(self.gen("--force", "-j", threads, "-d", self.db, path))
            made.append((self.db / "sliders.pdb").read_bytes())
        self.assertEqual(*made)
        distance = sliders.distances(most)
        counts = collections.Counter(distance.values())
        told = self.query("-d", self.db, path, "--histogram", "--json").json
        self.assertEqual(told["histogram"], [counts[far] for far in range(told["max"] + 1)])
        self.assertEqual(told["states"], len(distance) - counts[None])
        asked = sorted(distance)[::max(1, len(distance) // 300)]
        boards = "".join(sliders.show(state) + "\n" for state in asked)
        answers = self.query("-d", self.db, path, "-", stdin=boards).lines
        self.assertEqual([answer.split("\t")[1] for answer in answers],
                         [str(distance[state]) if distance[state] is not None else "unreachable" for state in asked])
        self.assert_answer(self.gen("--check", path))
        self.assertIn("verified", self.assert_answer(self.gen("--verify", "-d", self.db, path)).out)
        for state in asked[::100]:
            answer = self.query("--method=search", "--json", "--path", path, sliders.show(state)).json
            self.assertEqual(answer["distance"], distance[state])
            self.assertEqual(len(answer.get("path") or [0]), (distance[state] or 0) + 1)

    def test_random_bars(self):
        """On boards of 81 places, bars in their lines."""
        sliders = random_sliders(random.Random("True 224"), True, 300)
        self.hold(sliders)
        if SHORT:
            return
        sliders.alike = []  # a field for each bar takes no more than one word
        last = sliders.reached(300)[-1]
        sliders.goal = next(piece for piece, place in enumerate(last) if place != sliders.start[piece])
        sliders.target = last[sliders.goal]
        self.hold(sliders)

    def test_random_blocks(self):
        """That leave a few of 72 or 81 places empty."""
        for number in (3,) if SHORT else (3, 29, 141, 168, 260, 306):
            self.hold(random_sliders(random.Random(f"False {number}"), False, 300))

    def test_too_wide(self):
        """Eighty-one places full of blocks that differ, but for one."""
        cells = Sliders((9, 9), [(place, ((0, 0),)) for place in range(80)], False, False, [])
        path = self.write("sliders.yaml", cells.text("sliders"))
        self.assert_complaint(self.gen("-d", self.db, path), 3, "more than 128 bits", "fewer pieces")


if __name__ == "__main__":
    unittest.main()
