"""Files in the format of KSolve and twsearch, held against a plain search over arrangements by that format's rules."""

import random
import unittest

from helpers.harness import SHORT, Case

# Six corners of a cube that two faces turn; T, which stands before what it is made of, is their commutator.
FACES = """\
# two faces
Name Faces
Set CORNER 6 3
Set FREE 2 1

Solved
CORNER
1 2 3 4 5 6
0 0 0 0 0 0
FREE
7 7
End
MoveSequence T U R U' R' x x'
Move U
CORNER
4 1 2 3 5 6
End

Move R
  CORNER
  4 2 3 6 1 5
  1 0 0 2 2 1
  FREE
  2 1
End

Move x
CORNER
2 1 3 4 5 6
End
MoveAlias Right R
"""


def search(sets, solved, moves):
    """How many arrangements there are at each distance. A set is (size, ways to turn); an arrangement is two rows a
    set, a move as the file has it: turns in the order of the places that pieces come from. Any power is one move."""
    def apply(state, move):
        out = []
        for (size, ways), (pieces, turns), (source, twist) in zip(sets, state, move):
            out.append((tuple(pieces[source[i] - 1] for i in range(size)),
                        tuple("?" if turns[source[i] - 1] == "?" else (turns[source[i] - 1] + twist[source[i] - 1]) % ways
                              for i in range(size))))
        return tuple(out)

    def neighbours(state):
        for move in moves:
            after = apply(state, move)
            # powers of the move, not of what it does to this arrangement alone, but those come round, too
            while after != state:
                yield after
                after = apply(after, move)

    layer, seen, counts = {solved}, {solved}, []
    while layer:
        counts.append(len(layer))
        layer = {after for state in layer for after in neighbours(state)} - seen
        seen |= layer
    return counts


def rows(numbers):
    return " ".join(map(str, numbers))


def write_state(sets, state):
    return "".join(f"S{i}\n{rows(pieces)}\n{rows(turns)}\n" for i, (pieces, turns) in enumerate(state)) + "End\n"


class Ksolve(Case):
    def histogram(self, path):
        return self.assert_answer(self.query("--histogram", "--json", path)).json["histogram"]

    def test_random_puzzles(self):
        draw = random.Random(3)
        for round_ in range(12):
            sets = draw.choice([[(4, 2)], [(3, 3)], [(5, 1)], [(4, 1), (2, 3)], [(3, 2), (3, 1)]])
            state = []
            for size, ways in sets:
                pieces = [draw.randint(1, size) for _ in range(size)]
                if draw.random() < 0.6:
                    pieces = draw.sample(range(1, size + 1), size)
                wild = ways > 1 and draw.random() < 0.2
                state.append((tuple(pieces), tuple("?" if wild else draw.randrange(ways) for _ in range(size))))
            moves = [[(draw.sample(range(1, size + 1), size), [draw.randrange(ways) for _ in range(size)])
                      for size, ways in sets] for _ in range(2)]
            text = "".join(f"Set S{i} {size} {ways}\n" for i, (size, ways) in enumerate(sets))
            text += "Solved\n" + write_state(sets, state)
            text += "".join(f"Move m{i}\n" + write_state(sets, move) for i, move in enumerate(moves))
            path = self.write(f"random-{round_}.tws", text)
            result = self.query("--histogram", "--json", path)
            if "does the same as" in result.err or "needs" in result.err:
                continue
            with self.subTest(text=text):
                self.assertEqual(self.assert_answer(result).json["histogram"], search(sets, tuple(state), moves))

    def test_faces(self):
        corner = [([4, 1, 2, 3, 5, 6], [0] * 6), ([4, 2, 3, 6, 1, 5], [1, 0, 0, 2, 2, 1])]
        # U R U' R', worked out by hand from where each corner goes: a move of its own
        def follow(place, turn, move):
            source, twist = move
            return source.index(place) + 1, (turn + twist[place - 1]) % 3

        def invert(move):
            source, twist = move
            back = [source.index(place) + 1 for place in range(1, 7)]
            return back, [-twist[source[place - 1] - 1] % 3 for place in range(1, 7)]
        source, twist = [0] * 6, [0] * 6
        for place in range(1, 7):
            at, turn = place, 0
            for move in (corner[0], corner[1], invert(corner[0]), invert(corner[1])):
                at, turn = follow(at, turn, move)
            source[at - 1], twist[place - 1] = place, turn
        moves = [[move, ([1, 2], [0, 0])] for move in (*corner, (source, twist))]
        path = self.write("faces.def", FACES.replace("\n", "\r\n"))
        expected = self.histogram(path)
        if not SHORT:  # a search of some seconds
            state = ((1, 2, 3, 4, 5, 6), (0,) * 6), ((7, 7), (0, 0))
            self.assertEqual(expected, search([(6, 3), (2, 1)], state, moves))
        one = self.query("--json", path, "T R2").json
        self.assertEqual((one["puzzle"], one["distance"]), ("faces", 2))
        self.assertEqual(self.query("--json", path, "U R U' R' (R)2").json["board"], one["board"])
        made = self.gen("-d", self.db, path)
        self.assert_answer(made)
        self.assertEqual(self.query("-d", self.db, "--histogram", "--json", path).json["histogram"], expected)

    def test_from_zero(self):
        """StartState and MoveTransformation count from 0, and turns stand where pieces come to."""
        path = self.write("a.tws", "Set S 3 2\nSolved\nEnd\nMove m\nS\n2 3 1\n1 0 0\nEnd\nMove n\nS\n2 1 3\nEnd\n")
        other = self.write("b.tws", "Set S 3 2\nStartState\nS\n0 1 2\nEnd\nMoveTransformation m\nS\n1 2 0\n0 0 1\nEnd\n"
                                    "MoveTransformation n\nS\n1 0 2\nEnd\n")
        self.assertEqual(*(self.query("--json", "--path", file, "m n m").json["path"] for file in (path, other)))

    def test_one_move_with_two_names(self):
        path = self.write("two.tws", "Set S 4 1\nSolved\nEnd\nMove F\nS\n2 3 4 1\nEnd\nMove G\nS\n4 3 2 1\nEnd\n"
                                     "Move B\nS\n3 4 1 2\nEnd\n")
        self.assertEqual(sum(self.histogram(path)), 8)
        self.assertEqual(*(self.query("--json", path, text).json["board"] for text in ("B G", "F2 G")))
        path = self.write("two.tws", "Set S 8 1\nSolved\nEnd\nMove F\nS\n2 3 4 1 6 5 8 7\nEnd\n"
                                     "Move B\nS\n4 1 2 3 5 6 7 8\nEnd\n")
        expected = search([(8, 1)], (((1, 2, 3, 4, 5, 6, 7, 8), (0,) * 8),),
                          [[([2, 3, 4, 1, 6, 5, 8, 7], [0] * 8)], [([4, 1, 2, 3, 5, 6, 7, 8], [0] * 8)]])
        self.assertEqual(self.histogram(path), expected)
        self.assertEqual(self.query("--json", path, "B2").json["board"], self.query("--json", path, "F2").json["board"])

    def test_complaints(self):
        head, end = "Name x\nSet S 3 2\n", "Move m\nS\n2 3 1\nEnd\n"
        for text, place, what in (
                (head + "Solved\nEnd\nIllegal S 1 2\n" + end, 5, "'Illegal' is more than"),
                (head + "Solved\nEnd\nMoveLimits\nm 2\nEnd\n", 5, "'MoveLimits' is more than"),
                (head + "Solved\nS\n1 2 3\n0 ? 0\nEnd\n" + end, 3, "'?' of some pieces only"),
                (head + "Solved\nS\n1 2\nEnd\n" + end, 5, "2 numbers, but the set S has 3"),
                (head + "Solved\nS\n1 2 3\n0 2 0\nEnd\n" + end, 6, "a turn of 2"),
                (head + "Solved\nT\n1 2 3\nEnd\n" + end, 4, "the name of a set"),
                (head + "Solved\nEnd\nMove m\nS\n2 3 3\nEnd\n", 7, "3 stands here twice"),
                (head + "Solved\nEnd\nMove m\nS\n2 3 4\nEnd\n", 7, "4 stands here and is no place"),
                (head + "Solved\nEnd\nMove m\nS\n2 x 1\nEnd\n", 7, "'x'"),
                (head + "Solved\nEnd\nMove m\nS\n2 3 1\n", 7, "an 'End' is missing"),
                (head + "Solved\nEnd\nMoveSequence n k2\n" + end, 5, "there is no move 'k2'"),
                (head + end, 3, "behind 'Solved'"),
                (head, 2, "'Solved' is missing"),
                ("Set S 200 1\nSet T 99 1\n", 2, "too large"),
                (head + "Solved\nEnd\n", 3, "mapping from names"),
                (head + "Solved\nEnd\nMove a/b\nS\n2 3 1\nEnd\nMove b\nS\n3 1 2\nEnd\n", 9, "'b' is another")):
            with self.subTest(text=text):
                self.assert_complaint(self.query("--histogram", self.write("bad.tws", text)), 2, f"bad.tws:{place}:1: ",
                                      what)

    def test_file_that_is_not_there(self):
        self.assert_complaint(self.query("nothing.tws"), 2, "there is no file 'nothing.tws'")


if __name__ == "__main__":
    unittest.main()
