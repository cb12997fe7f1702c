"""Rules at their limits: costs that cannot be counted, moves that cost nothing, and puzzles without a solution."""

import collections
import heapq
import itertools
import math
import random
import signal
import subprocess
import unittest

from helpers.harness import QUERY, Case


def rules(state, moves, goal, **keys):
    more = "".join(f"{key}: {text}\n" for key, text in keys.items())
    listed = "".join(f"  - {{{move}}}\n" for move in moves)
    return f"puzzle: p\nfamily: rules\nstate: {{{state}}}\nmoves:\n{listed}goal: {goal}\n{more}"


class LimitsCase(Case):
    def ask(self, text, *arguments):
        return self.query("-d", self.db, self.write("p.yaml", text), *arguments)

    def both_ways(self, text, *arguments):
        """What is answered from a database and by search."""
        path = self.write("p.yaml", text)
        self.assert_answer(self.gen("-d", self.db, path))
        by = [self.assert_answer(self.query("-d", self.db, path, "--json", f"--method={method}", *arguments)).json
              for method in ("db", "search")]
        by[1]["method"] = by[0]["method"]
        by[1].pop("nodes", None)
        self.assertEqual(*by)
        return by[0]


class Costs(LimitsCase):
    def test_too_dear_to_be_counted(self):
        """Nine moves of 10^9 each: their sum does not fit into a distance. With four they do."""
        text = lambda last: rules("a: 0..9", ["name: m, do: a = a + 1, cost: 1000000000"], f"a == {last}")
        for method in ("auto", "search"):
            self.assert_complaint(self.ask(text(9), f"--method={method}"), 3,
                                  "p: no solution costs less than 4294967295")
        self.assertIn("a cost of 4000000000 from the goal", self.assert_answer(self.ask(text(4))).out)

    def test_how_far_a_search_is(self):
        path = self.write("p.yaml", rules(
            "'a[0..9]': 0..9", ["name: 'up {i}', for: {i: 0..9}, do: 'a[i] = a[i] + 1', cost: '1 + a[i]'",
                                "name: 'swap {i}', for: {i: 0..8}, do: 'a[i] = a[i + 1], a[i + 1] = a[i]', cost: 3"],
            "all(a[i] == (i * 7 + 3) % 10 for i in 0..9)"))
        asking = subprocess.Popen([QUERY, "--progress", "--method=search", path, "0000000000"], text=True,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.assertRegex(asking.stderr.readline(), "^p: no solution costs less than [0-9]+, [0-9,]+ boards looked at")
        asking.send_signal(signal.SIGINT)
        self.assertRegex(asking.communicate(timeout=30)[1], r"interrupted: no solution costs less than [0-9]+ \(")

    def test_too_dear_where_there_is_no_way(self):
        text = rules("a: 0..9, b: 0..1", ["name: m, do: a = a + 1, cost: 1000", "name: n, if: a > 9 - b, do: b = 1"],
                     "a == 2 and b == 1")
        self.assertIn("the goal cannot be reached", self.ask(text, "--method=search").out)

    def test_distances_that_no_state_has(self):
        """Three in a row or more are told in one line of the histogram, fewer each for itself."""
        path = self.write("p.yaml", rules("x: 0..3", ["name: m, if: x < 3, do: x = x + 1, cost: 'x + 2'"], "x == 3"))
        self.assert_answer(self.gen("-d", self.db, path))
        lines = self.assert_answer(self.query("-d", self.db, path, "--histogram", "--ascii")).lines
        self.assertEqual([line.split()[:2] for line in lines[3:]],
                         [["0", "1"], ["..."], ["4", "1"], ["5", "0"], ["6", "0"], ["7", "1"], ["8", "0"], ["9", "1"]])

    def test_known_by_the_condition(self):
        """A cost that the condition, the rest of the cost or the new value knows to be a number, where the move applies;
        on roads that are not everywhere."""
        some = random.Random(27)
        roads = [[some.choice([None, None, *range(1, 10)]) for _ in range(7)] for _ in range(7)]
        cost = [0] + [9999] * 6
        for _ in roads:
            for a, b in ((a, b) for a in range(7) for b in range(7) if roads[a][b] is not None):
                cost[b] = min(cost[b], cost[a] + roads[a][b])
        table = "{'road[0..6, 0..6]': " + str(roads).replace("None", "none") + "}"
        for condition, cost_text in (
                ("way != none", "way"), ("not way == none", "-(0 - way)"), ("way > 0", "abs(way) * 1"), ("way", "way / 1"),
                ("way != none and a != p", "way"), ("not (way == none or a == p)", "way"), ("b - way <= 9", "way"),
                ("way + 0 * b == way + 0 * b and way in 1..9", "way if a != p else 1"), ("true", "way"),
                ("a != p", "way if way != none else 1"), ("a != p", "1 if way == none else way"),
                ("way != none", "min(way, 9) * max(1, way - way)")):
            move = f"name: 'to {{p}}', for: {{p: 0..6}}, let: {{way: 'road[a, p]'}}, if: '{condition}', " \
                   f"do: 'a = p, b = way', cost: '{cost_text}'"
            for place in (2, 5):
                with self.subTest(condition, cost=cost_text, place=place):
                    text = rules("a: 0..6, b: 0..9", [move], f"a == {place}", tables=table)
                    self.assertEqual(self.both_ways(text)["distance"], cost[place])


class Free(LimitsCase):
    def moves(self, text, *board):
        return [(move["move"], move.get("cost", 1), move["board"]) for move in self.both_ways(text, *board)["moves"]]

    def test_check(self):
        """Free moves lead to states from which the same move costs more."""
        text = rules("a: 0..3, b: 0..1", ["name: flip, do: b = 1 - b, cost: 0",
                                          "name: up, do: 'a = a + 1, b = 0', cost: 1 + b"], "a == 3")
        self.assert_answer(self.gen("--check", self.write("p.yaml", text)))
        self.assertEqual(self.moves(text), [("up", 1, "10"), ("flip, up", 2, "10")])

    def test_free_moves_are_named_where_they_tell_moves_apart_and_at_the_end(self):
        text = rules("a: 0..2, p: 0..2, q: 0..1",
                     ["name: 'take {k}', for: {k: 1..2}, if: p == 0, do: p = k, cost: 0",
                      "name: put, if: p > 0, do: p = 0, cost: 0",
                      "name: walk, if: a < 2, do: a = a + 1", "name: knock, if: p == 2, do: 'q = 1, p = 0'"],
                     "a == 2 and p == 0 and q == 1")
        self.assertEqual(self.moves(text), [("walk", 1, "100"), ("take 1, walk", 1, "110"), ("take 2, walk", 1, "120"),
                                            ("knock", 1, "001")])
        path = self.both_ways(text, "--path=all", "2,1,0")["path_moves"]
        self.assertEqual(path, [["knock"]])
        self.assertEqual([move[0] for move in self.moves(text, "1,2,1")],
                         ["walk, put", "knock", "put, walk", "put, take 1, walk, put"])

    def test_long_names(self):
        """For free moves that have no room stands "...": not for the first and the last ones before a move, and not for
        the first ones behind it."""
        text = rules("a: 0..9, way: 0..2, b: 0..1, k: 0..1, e: 0..60",
                     ["name: 'by {w}, on', for: {w: 1..2}, if: a == 0 and way == 0, do: way = w, cost: 0",
                      "name: 'walk {i}, on', for: {i: 0..8}, if: a == i and k == 0 and way > 0, do: a = a + 1, cost: 0",
                      "name: kick, if: 'a in [0, 3, 9] and k == 0', do: 'k = 1, b = a > 6'",
                      "name: 'end {i}', for: {i: 0..59}, if: k == 1 and b == 1 and e == i, do: e = e + 1, cost: 0"],
                     "k == 1 and e == 60", start="[{a: 0}, {a: 9}]")
        self.assertEqual(sorted(name for name, _, _ in self.moves(text)), [
            *(f"by {way}, on, {then}" for way in (1, 2) for then in (
                "..., walk 6, on, walk 7, on, walk 8, on, kick, ...", "kick",
                "walk 0, on, walk 1, on, walk 2, on, kick")), "kick"])
        self.assertEqual(self.both_ways(text, "--path=all", "9,0,0,0,0")["path_moves"],
                         [["kick, end 0, end 1, end 2, end 3, end 4, end 5, end 6, ..."]])

    def test_names_without_room(self):
        for size, before in ((48, "f, ..., a, a, "), (52, "f, ..., a, "), (53, "f, ..., "), (55, "f, ..., "),
                             (56, "..., "), (58, "..., "), (59, ""), (63, "")):
            own = "é" * (size // 2) + "x" * (size % 2)
            text = rules("p: 0..9, q: 0..19, k: 0..1",
                         ["name: f, if: p == 0, do: p = 1, cost: 0",
                          "name: a, if: p in 1..8, do: p = p + 1, cost: 0",
                          f"name: {own}, if: 'p in [0, 9]', do: 'q = q + 1 + p, p = 0'"], "q == 1", start="{}")
            with self.subTest(size):
                self.assertEqual([move[0] for move in self.moves(text)], [own, before + own])

    def test_choices_count_each(self):
        """That a free move is there, which never applies, changes nothing."""
        ways = ["name: 'up {i}', for: {i: 1..3}, do: a = a + 1"]
        never = ["name: free, if: b == 0, do: b = 1, cost: 0"]
        for moves in (ways, ways + never):
            text = rules("a: 0..2, b: 0..1", moves, "a == 2", start="{b: 1}")
            with self.subTest(moves):
                self.assertEqual(self.both_ways(text, "--count")["solutions"], 9)
                self.assertEqual(self.moves(text), [(f"up {i}", 1, "11") for i in (1, 2, 3)])

    def test_choices_of_which_each_needs_another_free_move(self):
        text = rules("a: 0..2, p: 0..2", ["name: turn, do: p = (p + 1) % 3, cost: 0",
                                          "name: 'press {k}', for: {k: 0..2}, if: p == k, do: 'a = a + 1, p = 0'"],
                     "a == 2")
        self.assertEqual(self.both_ways(text, "--count")["solutions"], 9)
        self.assertEqual([move[0] for move in self.moves(text)], ["press 0", "press 1", "press 2"])

    def test_ways_that_differ_in_free_moves_alone(self):
        text = rules("a: 0..2, p: 0..2", ["name: turn, do: p = (p + 1) % 3, cost: 0",
                                          "name: up, do: 'a = a + 1, p = 0'"], "a == 2")
        self.assertEqual(self.both_ways(text, "--count")["solutions"], 1)
        self.assertEqual(self.moves(text), [("up", 1, "10")])

    def test_many_states_lead_to_many(self):
        """More than have room at once, against shortest paths over single moves; some lead to few."""
        text = rules("a: 0..5, x: 0..29, y: 0..29",
                     ["name: turn, if: x > 1, do: x = 2 + (x - 1) % 28, cost: 0",
                      "name: add, if: x > 1, do: y = (y + x) % 30, cost: 0",
                      "name: up, if: y == 7 + 3 * a, do: 'a = a + 1, x = x / 2', cost: 1 + x",
                      "name: down, if: a > 0, do: 'a = a - 1, x = y', cost: 2",
                      "name: move, do: x = (x + 7) % 30, cost: 40"], "a == 5 and x == 1")
        before = {state: [] for state in itertools.product(range(6), range(30), range(30))}
        for a, x, y in before:
            moves = [((a, (x + 7) % 30, y), 40)]
            if x > 1:
                moves += [((a, 2 + (x - 1) % 28, y), 0), ((a, x, (y + x) % 30), 0)]
            if y == 7 + 3 * a and a < 5:
                moves.append(((a + 1, x // 2, y), 1 + x))
            if a > 0:
                moves.append(((a - 1, y, y), 2))
            for to, cost in moves:
                before[to].append(((a, x, y), cost))
        cost = {}
        queue = [(0, (5, 1, y)) for y in range(30)]
        while queue:
            so_far, state = heapq.heappop(queue)
            if cost.setdefault(state, so_far) == so_far:
                for other, more in before[state]:
                    if cost.get(other, math.inf) > so_far + more:
                        heapq.heappush(queue, (so_far + more, other))
        listed = collections.Counter(cost.values())
        path = self.write("p.yaml", text)
        self.assert_answer(self.gen("-d", self.db, path))
        told = self.assert_answer(self.query("-d", self.db, path, "--histogram", "--json")).json["histogram"]
        self.assertEqual(told, [listed[distance] for distance in range(max(listed) + 1)])
        for state in ((0, 5, 5), (0, 1, 0), (3, 0, 2), (4, 17, 8)):
            board = ",".join(map(str, state))
            self.assertEqual(self.assert_answer(self.query("-d", self.db, path, "--json", board)).json["distance"],
                             cost[state])

    def test_refused(self):
        """With the place of the first free move, and the limit."""
        turn = "name: turn, do: 'a = (a + 1) % 65, b = (b + a) % 64', cost: 0"
        up = "name: up, do: c = c + 1"
        for state, moves, place, words in (
                ("a: 0..64, b: 0..63, c: 0..3", [up, turn], ":6:66: ", "more than 4096 ways"),
                ("a: 0..64, b: 0..62, c: 0..3", [up, up, turn], ":7:66: ",
                 "lead to up to 4095 states, and from these up to 8190 moves go on that cost something, where 4096 are the most"),
                ("a: 0..64, b: 0..63, c: 0..3", [up, turn[:-1] + "b", turn[:-1] + "a"], ":6:66: ",
                 "this cost may be 0, which makes the move a free one; max(1, ..) if that is not meant: "),
                ("a: 0..64, b: 0..63, c: 0..3", [turn[:-1] + "a", turn], ":6:66: moves that cost 0 ", "4096 ways"),
                ("a: 0..3", ["name: turn, do: a = a + 1, cost: 1 - 1"], ":5:39: ", "all moves cost 0")):
            with self.subTest(words):
                self.assert_complaint(self.ask(rules(state, moves, f"{state[-7]} == 3")), 2, place, words)


class Keep(LimitsCase):
    def test_no_start(self):
        """It is told when the file is read, whatever it is read for."""
        for start in ("{a: 0}", "[{a: 0}, {a: 1, b: '*'}]", "{}"):
            text = rules("a: 0..3, b: 0..9", ["name: up, do: a = a + 1"], "a == 3", start=start, keep="a > 1")
            for program in (self.gen, self.query):
                with self.subTest(start):
                    self.assert_complaint(program("-d", self.db, self.write("p.yaml", text)), 2,
                                          "p.yaml:8:7: 'keep' holds in no start")

    def test_takes_long(self):
        """Where there are many starts, and each takes long, not all are looked at."""
        text = rules("a: 0..65535, b: 0..7", ["name: up, do: b = b + 1"], "a == 3", start="{a: '*', b: 0}",
                     keep="sum(1 for i in 1..900, j in 1..900) > 3000000")
        self.assert_complaint(self.gen("-d", self.db, self.write("p.yaml", text)), 2, "this move can never apply: ")

    def test_first_start_that_is_kept(self):
        text = rules("a: 0..3, b: 0..9", ["name: up, do: a = a + 1"], "a == 3", start="[{a: 0}, {a: 2, b: '*'}]",
                     keep="a > 1 and b > 6")
        self.assertEqual(self.both_ways(text)["board"], "27")


class Symmetric(LimitsCase):
    def test_what_is_not_alike(self):
        """The move that an exchange changes, or the goal."""
        for move, goal, words in (
                ("if: 'at[w] == 0 and w == Bob', do: 'at[w] = 1'", "at[Ann] + at[Bob] == 1", "the move 'Bob goes'"),
                ("if: 'at[w] == 0', do: 'at[w] = 1', cost: 1 + w", "at[Ann] + at[Bob] == 1", "or what it costs"),
                ("if: 'at[w] == 0', do: 'at[w] = 1'", "at[Ann] == 1 and at[Bob] == 0", "changes the goal: only")):
            text = rules("'at[who]': 0..1", ["name: '{w} goes', for: {w: who}, " + move], goal,
                         sets="{who: [Ann, Bob]}", symmetric="who")
            with self.subTest(words):
                self.assert_complaint(self.gen("-d", self.db, self.write("p.yaml", text)), 2, ":8:12: ", words)

    def test_what_shows_far_from_the_start(self):
        """Where no state near the start tells, nor a goal that is easily found, the search of all states does."""
        for spare in ("", ", 'spare[1..20]': 0..9"):  # keys of one word, and of two
            for first, last, bad, words in (
                    ("Ann", "Bob", "80", "changes the goal (board "),
                    ("Bob", "Ann", "80", "changes the goal (board "),
                    ("Ann", "Ann", "Bob", "changes the move")):
                goal = f"at[Ann] * at[Bob] == 6006 and at[{first}] <= at[{last}]"
                text = rules("'at[who]': 0..99" + spare,
                             [f"name: '{{w}} goes', for: {{w: who}}, if: 'not (at[w] == 80 and w == {bad})', "
                              "do: 'at[w] = at[w] + 1'"], goal, sets="{who: [Ann, Bob]}", symmetric="who")
                with self.subTest(words, spare=spare):
                    self.assert_complaint(self.gen("-d", self.db, self.write("p.yaml", text)), 2, "p.yaml:8:12: ", words)
                    self.assert_answer(self.gen("-d", self.db, self.write("p.yaml", text.replace("symmetric", "#"))))


    def test_costs_and_free_moves_far_from_the_start(self):
        """A cost that goes with where a move leads, and states that are met on free moves alone."""
        costs = rules("x: 0..3, 'at[who]': 0..99", [
            "name: '{w} up {v}', for: {w: who, v: 0..3}, do: 'at[w] = at[w] + 1, x = v', "
            "cost: '3 if at[w] == 80 and w == Bob else 2'"], "at[Ann] + at[Bob] == 198",
            sets="{who: [Ann, Bob]}", symmetric="who")
        free = rules("'at[who]': 0..99, phase: 0..9", [
            "name: '{w} up', for: {w: who}, if: phase == 0, do: 'at[w] = at[w] + 1'",
            "name: flip, if: 'phase == 0 and at[Ann] + at[Bob] >= 150', do: phase = 1, cost: 0",
            "name: flop, if: 'phase == 1 and at[Ann] > at[Bob]', do: phase = 2, cost: 0",
            "name: end, if: phase == 2, do: phase = 9"], "phase == 9", sets="{who: [Ann, Bob]}", symmetric="who")
        for text, place in ((costs, "p.yaml:8:12: "), (free, "p.yaml:11:12: ")):
            with self.subTest(place):
                self.assert_complaint(self.gen("-d", self.db, self.write("p.yaml", text)), 2, place, "changes the move")
                self.assert_answer(self.gen("-d", self.db, self.write("p.yaml", text.replace("symmetric", "#"))))


class Words(LimitsCase):
    def test_moves_and_what_no_picture_shows(self):
        text = rules("a: 0..2, b: 0..2", ["name: up, do: 'a = a + 1, b = b + 1'"], "a == 2",
                     draw="{for: {c: 0..2}, show: {'@': a == c}}")
        self.assertIn("1. up: b=1   2. up: b=2\n", self.assert_answer(self.ask(text, "--path")).out)

    def test_changed_definition(self):
        """A database of what the file said before is refused, and a search answers."""
        before = rules("a: 0..2", ["name: up, do: a = a + 1"], "a == 2")
        self.assert_answer(self.gen("-d", self.db, self.write("p.yaml", before)))
        after = before.replace("a == 2", "a == 1")
        self.assert_complaint(self.ask(after), 4, "the definition has changed", "pdb-query --method=search")
        self.assertIn("1 move from the goal", self.assert_answer(self.ask(after, "--method=search")).out)

    def test_limits_are_named(self):
        up = ["name: up, do: a = a + 1"]
        every = " for ".join(["1"] + [f"x{i} in 1..100" for i in range(3)]).replace(" for x1", ", x1").replace(
            " for x2", ", x2")
        for text, place, words in (
                (rules("a: 0..3", up, "(" * 101 + "a == 3" + ")" * 101), ":6:", "nested at most 100 deep"),
                (rules("a: 0..3", up, "not " * 101 + "a"), ":6:", "nested at most 100 deep"),
                (rules("a: 0..3", up, f"sum(a * ({every}) for y in 1..100) == 3".replace("(1 for", "sum(1 for")), ":6:",
                 "at most 1048576 values"),
                (rules("a: 0..3", ["name: up, do: 'a = i" + " * 1" * 400 + " for i in 0..2000'"], "a == 3"), ":5:",
                 "more than 1048576 numbers, names and operators"),
                (rules("a: 0..200, b: -50..-1", up, "a == 3"), ":3:", "'b' there are too many values: at most 250"),
                ("puzzle: p\nfamily: rules\nstate: {a: 0..3}\nmoves: []\ngoal: a == 3\n", ":4:8: ", "one move or more")):
            with self.subTest(words):
                self.assert_complaint(self.ask(text), 2, place, words)

    def test_distances_that_cannot_be_kept(self):
        for cost, words in ((20000000, "moves cost up to 20000000"), (6000000, "MiB are allowed")):
            path = self.write("p.yaml", rules("a: 0..9", [f"name: m, do: a = a + 1, cost: {cost}"], "a == 9"))
            self.assert_complaint(self.gen("-d", self.db, "-m", "32M", path), 3, words, "pdb-query --method=search looks")

    def test_board_that_no_move_leads_to(self):
        text = rules("a: 0..3, b: 0..1", ["name: up, do: a = a + 1"], "a == 3")
        self.assert_complaint(self.ask(text, "01"), 2, "those that p begins with (start)",
                              "pdb-query --method=search answers it", "under 'boards'")
        self.assertEqual(self.assert_answer(self.ask(text, "01", "--method=search", "--json")).json["distance"], 3)


class NoSolution(LimitsCase):
    def test_no_goal_is_reached(self):
        stuck = "1 state that can be reached is a goal: no move leads on from the start"
        for up, states in (("a = a + 1", "8 states that can be reached is a goal"), ("a = 1 - b", stuck)):
            text = rules("a: 0..7, b: 0..1", [f"name: up, do: {up}, if: a + b > -1"], "b == 1 and a > 5",
                         start="{a: 0}" if "+" in up else "{a: 1}")
            with self.subTest(up):
                path = self.write("p.yaml", text)
                for result in (self.gen("-d", self.db, path), self.query("-d", self.db, path)):
                    self.assert_complaint(result, 1, f"p: none of the {states}")


if __name__ == "__main__":
    unittest.main()
