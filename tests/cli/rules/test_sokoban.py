"""Sokoban's levels from a file: twenty of them solved by moves and by pushes, held against a search in Python that is
as plain as the rules; and how collections are read."""

import collections
import random
import re
import unittest

from helpers.harness import SHORT, SOURCE, Case

LEVELS = SOURCE / "tests" / "cli" / "rules" / "levels.xsb"
STEPS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


def add(cell, step, times=1):
    return cell[0] + times * step[0], cell[1] + times * step[1]


class Level:
    """One whose wall stands at the edge of its picture. A state is the player's cell and the set of the boxes'."""

    def __init__(self, rows):
        marks = {(r, c): mark for r, row in enumerate(rows) for c, mark in enumerate(row)}
        cells = lambda wanted: {cell for cell, mark in marks.items() if mark in wanted}
        self.targets = frozenset(cells(".+*"))
        self.start = min(cells("@+")), frozenset(cells("$*"))
        self.floor, left = set(), [self.start[0]]
        while left:
            cell = left.pop()
            if cell not in self.floor and marks[cell] != "#":
                self.floor.add(cell)
                left += [add(cell, step) for step in STEPS.values()]
        # boxes have a place in the text where one may stand at the start, or come to a target
        live, left = set(), list(self.targets)
        while left:
            cell = left.pop()
            if cell not in live:
                live.add(cell)
                left += [add(cell, step) for step in STEPS.values()
                         if {add(cell, step), add(cell, step, 2)} <= self.floor]
        self.live = sorted(live | self.start[1])

    def text(self, state):
        player, boxes = state
        return " ".join(["abcdefghij"[player[1]] + str(player[0] + 1), *("01"[cell in boxes] for cell in self.live)])

    def read(self, text):
        player, *boxes = re.split("[ ,]", text)
        assert len(boxes) == len(self.live)
        return (int(player[1:]) - 1, ord(player[0]) - ord("a")), \
            frozenset(cell for cell, box in zip(self.live, boxes) if box == "1")

    def moves(self, state):
        """The state after each move, and whether that is a push."""
        player, boxes = state
        for step in STEPS.values():
            to, beyond = add(player, step), add(player, step, 2)
            if to in self.floor and to not in boxes:
                yield (to, boxes), False
            elif to in boxes and beyond in self.floor and beyond not in boxes:
                yield (to, boxes - {to} | {beyond}), True

    def distances(self, by_pushes):
        """Of all states that can be reached from the start and solved: going out from the goals."""
        before, seen, left = collections.defaultdict(list), {self.start}, [self.start]
        pushed = {self.start}  # states that a push leads to
        while left:
            state = left.pop()
            for after, push in self.moves(state):
                before[after].append((state, 1 if push or not by_pushes else 0))
                if push:
                    pushed.add(after)
                if after not in seen:
                    seen.add(after)
                    left.append(after)
        distance, queue = {}, collections.deque((state, 0) for state in seen if state[1] == self.targets)
        while queue:  # of states with the same number in front of those with one more
            state, far = queue.popleft()
            if state in distance:
                continue
            distance[state] = far
            for one, cost in before[state]:
                (queue.append if cost else queue.appendleft)((one, far + cost))
        return {state: far for state, far in distance.items() if not by_pushes or state in pushed}

    def walks_to(self, state):
        """The states that the player comes to without a push."""
        seen, left = {state}, [state]
        while left:
            for after, push in self.moves(left.pop()):
                if not push and after not in seen:
                    seen.add(after)
                    left.append(after)
        return seen


class Hall(Level):
    """One with so many cells that a state says where the boxes are, in reading order."""

    def text(self, state):
        player, boxes = state
        return " ".join("abcdefghij"[column] + str(row + 1) for row, column in [player, *sorted(boxes)])

    def read(self, text):
        player, *boxes = ((int(cell[1:]) - 1, ord(cell[0]) - ord("a")) for cell in re.split("[ ,]", text))
        assert boxes == sorted(set(boxes))
        return player, frozenset(boxes)


def levels():
    blocks = re.findall(r"^; (.*)\n((?:[ #@+$*.]*#[ #@+$*.]*\n)+)", LEVELS.read_text(), re.MULTILINE)
    return [(title, Level(rows.splitlines())) for title, rows in blocks]


class Solved(Case):
    def check_level(self, name, level, by_pushes):
        """The histogram, some states' distances, and a path, move by move."""
        distance = level.distances(by_pushes)
        self.assert_answer(self.gen("-d", self.db, name))
        counted = collections.Counter(distance.values())
        histogram = self.assert_answer(self.query("-d", self.db, name, "--histogram", "--json")).json["histogram"]
        self.assertEqual(histogram, [counted[far] for far in range(max(counted) + 1)])
        asked = random.Random(name).sample(sorted(distance, key=level.text), min(20, len(distance)))
        answers = self.query("-d", self.db, name, "--json", "-", stdin="\n".join(map(level.text, asked)) + "\n")
        self.assert_answer(answers)
        told = dict(re.findall(r'"board":"([^"]*)","distance":(\d+)', "\n".join(
            line.split('"moves"')[0] for line in answers.lines)))
        self.assertEqual({level.read(board): int(far) for board, far in told.items()},
                         {state: distance[state] for state in asked})
        path = self.assert_answer(self.query("-d", self.db, name, "--path", "--json")).json["path"]
        self.replay(level, [level.read(board) for board in path], by_pushes)
        return distance[level.start]

    def replay(self, level, path, by_pushes):
        self.assertEqual(path[0], level.start)
        self.assertEqual(path[-1][1], level.targets)
        for state, after in zip(path, path[1:]):
            if by_pushes:
                self.assertIn((after, True), [move for one in level.walks_to(state) for move in level.moves(one)])
            else:
                self.assertIn(after, [move for move, _ in level.moves(state)])

    def test_by_moves_and_by_pushes(self):
        found = levels()
        self.assertEqual(len(found), 20)
        for number, (title, level) in list(enumerate(found, 1))[::7 if SHORT else 1]:
            with self.subTest(title):
                moves = self.check_level(f"sokoban:{LEVELS}#{number}", level, False)
                pushes = self.check_level(f"sokoban-pushes:{LEVELS}#{number}", level, True)
                self.assertLess(pushes, moves)
                info = self.query("--info", "--json", f"sokoban:{LEVELS}#{number}").json
                self.assertEqual((info["puzzle"], info["title"]), (f"sokoban-levels-{number}", title))


    def test_halls(self):
        """Two boxes by moves; by pushes one, for walks over so many cells take their time."""
        for boxes in (1,) if SHORT else (1, 2):
            rows = ["#" * 10, *["#        #"] * 9, "#" * 10]
            rows[1], rows[9] = "#@      .#", f"#{' .'[boxes > 1]}       #"
            rows[3], rows[5] = "#  $     #", f"#    {' $'[boxes > 1]}   #"
            name, level = self.write(f"hall{boxes}.xsb", "\n".join(rows) + "\n"), Hall(rows)
            self.assertGreater(len(level.live) + 7, 62)
            for by_pushes in (False, True)[:3 - boxes]:
                with self.subTest(boxes=boxes, by_pushes=by_pushes):
                    self.check_level(f"sokoban{'-pushes' if by_pushes else ''}:{name}", level, by_pushes)


class FreeMoves(Case):
    """Moves that cost 0 in general: some depend on the state, and some lead to the goal."""

    TEXT = """\
puzzle: lift
family: rules
state: {floor: 0..9, cage: 0..9, coins: 0..6}
start: {floor: 2, cage: 7}
moves:
  - {name: "walk {d}", for: {d: "[-1, 1]"}, do: floor = floor + d, cost: abs(floor / 5 - (floor + d) / 5) * 3}
  - {name: call, if: floor % 3 == 0, do: cage = floor, cost: 2}
  - {name: earn, if: cage == floor, do: coins = coins + 1, cost: 1 + coins % 2}
goal: coins == 6 and floor == 9
"""

    @staticmethod
    def moves(floor, cage, coins):
        for to in (floor - 1, floor + 1):
            if 0 <= to <= 9:
                yield (to, cage, coins), 3 * abs(floor // 5 - to // 5)
        if floor % 3 == 0 and cage != floor:
            yield (floor, floor, coins), 2
        if cage == floor and coins < 6:
            yield (floor, cage, coins + 1), 1 + coins % 2

    def test_distances(self):
        path = self.write("lift.yaml", self.TEXT)
        if not SHORT:
            self.assert_answer(self.gen("--check", path))
        self.assert_answer(self.gen("-d", self.db, path))
        found = {(floor, cage, coins): 0 if coins == 6 and floor == 9 else 999
                 for floor in range(10) for cage in range(10) for coins in range(7)}
        changed = True
        while changed:  # until no move brings any state nearer
            changed = False
            for state, far in found.items():
                nearer = min([far] + [cost + found[after] for after, cost in self.moves(*state)])
                changed |= nearer < far
                found[state] = nearer
        start = (2, 7, 0)
        boards = self.assert_answer(self.query("-d", self.db, path, "--path", "--json")).json["path"]
        states = [tuple(map(int, board)) for board in boards]
        self.assertEqual((states[0], found[states[-1]]), (start, 0))
        asked = self.query("-d", self.db, path, "--json", "-", stdin="\n".join(boards) + "\n")
        told = [int(far) for far in re.findall(r'"distance":(\d+),"method', asked.out)]
        self.assertEqual(told, [found[state] for state in states])

    def test_refused(self):
        for old, new, words in (("floor = floor + d, cost: abs(floor / 5 - (floor + d) / 5) * 3", "floor = floor + d, cost: -1",
                                 "the cost may be -1 here, and has to be 0 or above"),
                                ("do: floor = floor + d", "do: 'floor = floor + d, other = floor, third = floor'", "in more than 4096 ways")):
            text = self.TEXT.replace(old, new)
            if "other" in text:
                text = text.replace("floor: 0..9,", "floor: 0..9, other: 0..99, third: 0..99,")
            path = self.write("lift.yaml", text)
            with self.subTest(words):
                result = self.query("--info", "--json", path)
                self.assert_complaint(result, result.code, words)


class Collections(Case):
    def load(self, text, number=""):
        return self.query(f"sokoban:{self.write('own.xsb', text)}{number}", "--hint")

    def test_forms(self):
        """Floor in all its forms, line ends, titles, what stands outside of the walls."""
        rows = ["  #####", "###   #", "#@_$-.#", "#######"]
        for text in ("\n".join(rows), "\r\n".join(rows) + "\r\n", "\n".join(row + "  " for row in rows) + "\n",
                     "\n".join([rows[0] + "##", rows[1] + "$#", rows[2] + "##", *rows[3:]]) + "\n"):
            self.assertEqual(self.assert_answer(self.load(text)).out, "3 moves from the goal\n")
        named = self.write("named.xsb", "; above\n######\n#@$.*#\n######\n\nTitle: it's: below\nAuthor: nobody\n")
        self.assertEqual(self.query("--info", "--json", f"sokoban:{named}").json["title"], "it's: below")

    def test_no_solution(self):
        self.assert_complaint(self.load("######\n#@ $ #\n#.   #\n######\n"), 1,
                              "none of the 7 states that can be reached is a goal")

    def test_refused(self):
        row = "####\n#{}#\n####\n"
        for text, words in ((row.format("@ "), ":1: a level has as many boxes as targets"),
                            ("hello\n" + row.format("$."), ":2: a level has one player"),
                            (row.format("@@"), ":1: a level has one player"),
                            ("#####\n#@$. \n#####\n", ":1: the wall around the player has a hole"),
                            ("5#|#@$.#|5#\n", ":1: run-length levels are not read"),
                            ("; one\n5#\n#@$.#\n5#\n", ":2: run-length levels are not read"),
                            ("#####\n#@2$.#\n#####\n", ":2: run-length levels are not read"),
                            ("no level\n", ": there is no level in it"), ("", ": there is no level in it"),
                            ("#" * 65 + "\n", ":1: the level is too large: at most 64 rows and 64 columns"),
                            ("#\n" * 65, ":65: the level is too large"),
                            (f"{'#' * 40}\n" + f"#{' ' * 38}#\n" * 30 + f"#@$.{' ' * 35}#\n{'#' * 40}\n",
                             ":1: the level is too large: a board has at most 1024 cells"),
                            ("\0\n" * 600000, "a collection of levels has at most")):
            with self.subTest(words):
                self.assert_complaint(self.load(text), 2, "own.xsb", words)
        good = row.format("*@")
        self.assert_complaint(self.load(good, "#2"), 2, "there is no level 2: it has 1")
        for number in ("#", "#0", "#x", "#01", "#-1", "#1#"):
            with self.subTest(number):
                self.assert_complaint(self.load(good, number), 2)
        for word in ("sokoban:", "sokoban:#1", "sokoban-pushes:"):
            self.assert_complaint(self.query(word), 2, "a file with levels is named")
        self.assert_complaint(self.query("sokoban:."), 3, "it is a directory")
        self.assert_complaint(self.query("sokoban:none.xsb"), 3, "cannot read 'none.xsb'")

    def test_too_large_for_keys(self):
        text = f"{'#' * 20}\n" + f"#{' ' * 18}#\n" * 9 + f"#@ {'$.' * 8}#\n{'#' * 20}\n"
        result = self.gen("-d", self.db, f"sokoban:{self.write('large.xsb', text)}")
        self.assert_complaint(result, 3, "more than can be numbered")


if __name__ == "__main__":
    unittest.main()
