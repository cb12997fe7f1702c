"""Boards typed by moves, and solutions in the same notation, held against permutations composed the plain way."""

import json
import random
import re
import subprocess
import unittest

from helpers.harness import GEN, SHORT, SOURCE, Case
from helpers.twisty import Cube, Skewb


class Moves:
    """What the generators of a definition do to a board, read from its cycles and written with nothing but loops."""

    def __init__(self, name):
        text = (SOURCE / "puzzles" / f"{name}.yaml").read_text()
        drawn = re.search(r"^places: \|\n((?:  .*\n)+)", text, re.MULTILINE)[1]
        self.places = [place for place in drawn.split() if place != "#"]
        self.modulus = {place: 3 if len(place) == 3 else 2 for place in self.places}
        part = re.search(r"^generators:\n((?:  .*\n)+)", text, re.MULTILINE)[1]
        self.cycles = {line.split(":")[0].strip(): [[(word.partition("+")[0], int(word.partition("+")[2] or 0))
                                                     for word in cycle.split()]
                                                    for cycle in re.findall(r"\(([^)]*)\)", line)]
                       for line in part.splitlines()}

    def solved(self):
        return {place: (place, 0) for place in self.places}

    def apply(self, board, name):
        after = dict(board)
        for cycle in self.cycles[name]:
            for (origin, _), (target, twist) in zip(cycle, cycle[1:] + cycle[:1]):
                tile, turned = board[origin]
                after[target] = tile, (turned + twist) % self.modulus[target]
        return after

    def text(self, board):
        return ",".join(tile + (f"+{twist}" if twist else "") for tile, twist in (board[p] for p in self.places))


def random_word(draw, names, order, depth):
    """A text in the notation, and the turns that it means: a list of names, each with how many times. `order`: how many
    turns of a name do nothing, for each."""
    texts, turns = [], []
    for _ in range(draw.randint(1, 4)):
        kind = draw.choice(["move"] * 5 + ["group", "commutator", "conjugate"]) if depth < 3 else "move"
        if kind == "move":
            text = draw.choice(names)
            meant = [(text, 1)]
        elif kind == "group":
            text, meant = random_word(draw, names, order, depth + 1)
            text = f"({text})"
        else:
            (left, a), (right, b) = (random_word(draw, names, order, depth + 1) for _ in range(2))
            text = f"[{left}{',' if kind == 'commutator' else draw.choice([':', ' : '])} {right}]"
            meant = a + b + inverse(a, order) + (inverse(b, order) if kind == "commutator" else [])
        exponent, prime = draw.choice([None, None, 0, 1, 2, 3, 5]), draw.choice(["", "", "'", "\u2019"])
        digits = "" if exponent is None else str(exponent)
        texts.append(text + (digits + prime if draw.random() < 0.7 else prime + digits))
        meant = meant * (1 if exponent is None else exponent)
        turns += inverse(meant, order) if prime else meant
    return " ".join(texts), turns


def inverse(turns, order):
    return [(name, order[name] - times) for name, times in reversed(turns)]


class Notation(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.cube = cls.shared / "cube"
        subprocess.run([GEN, "-q", "-d", cls.cube, "cube-2x2x2"], check=True)

    def ask(self, puzzle, lines, *options):
        result = self.query(puzzle, "-d", self.cube, *options, "-", stdin="\n".join(lines) + "\n")
        self.assertEqual(result.code, 0, result.err)
        return result.lines

    def boards(self, puzzle, lines):
        """What boards are typed, as texts; a solution is asked for because that takes least."""
        return [line.partition("\t")[0] for line in self.ask(puzzle, lines, "--path")]

    def answers(self, puzzle, lines):
        return [json.loads(line) for line in self.ask(puzzle, lines, "--json", "--path")]

    def test_shipped_puzzles_turn_as_the_wca_says(self):
        """Rotations, wide turns and slices with them: words are performed on stickers in space, and the whole is turned
        back to how the definition holds it. (Of the large cube short ones only: an answer comes with its distance.)"""
        for puzzle, toy in (("cube-2x2x2", Cube(2)), ("cube-3x3x3", Cube(3)), ("skewb", Skewb())):
            draw = random.Random(puzzle)
            order = {name: toy.order(name) for name in toy.names}
            words = [(name, [(name, 1)]) for name in toy.names]
            while len(words) < (35 if SHORT else 70):
                text, turns = random_word(draw, toy.names, order, 1)
                if sum(times for name, times in turns if name not in "xyz") <= (6 if puzzle == "cube-3x3x3" else 200):
                    words.append((text, turns))
            nets = []
            for _, turns in words:
                made = toy.solved()
                for name, times in turns:
                    for _ in range(times):
                        made.turn(name)
                nets.append(made.held().net())
            typed = self.boards(puzzle, [f"({text})" for text, _ in words])
            for (text, _), net, board in zip(words, self.boards(puzzle, nets), typed):
                self.assertEqual(net, board, text)

    def test_tips_of_a_pyraminx_change_nothing(self):
        self.assertEqual(*self.boards("pyraminx", ["U L' R B' u l' b", "U L' R B'"]))

    def test_words_mean_what_their_moves_do(self):
        moves = Moves("cube-2x2x2")
        draw = random.Random(7)
        words = [random_word(draw, list(moves.cycles), dict.fromkeys(moves.cycles, 4), 0) for _ in range(200)]
        words = [word for word in words if len(word[1]) < 2000]  # the others take this test seconds, and tell no more
        self.assertGreater(len(words), 100)
        for (text, turns), board in zip(words, self.boards("cube-2x2x2", [text for text, _ in words])):
            meant = moves.solved()
            for name, times in turns:
                for _ in range(times):
                    meant = moves.apply(meant, name)
            self.assertEqual(board, moves.text(meant), text)

    def test_solutions_and_scrambles(self):
        for puzzle, boards in (("cube-2x2x2", ["start", "R U2 F' R", "goal"]), ("cube-2x2x2-qtm", ["R U2 F'"]),
                               ("pyraminx", ["start", "U L' R2"]), ("topspin-10", ["shift left, spin, (shift right)3"]),
                               ("pancakes-8", ["flip 8 flip 3, (flip 5 flip 2)3"]), ("cube-3x3x3", ["R U'"])):
            for answer in self.answers(puzzle, boards):
                back = self.answers(puzzle, [answer["scramble"] or "goal",
                                             f"{answer['scramble']} {answer['solution']}".strip() or "goal"])
                self.assertEqual(back[0]["board"], answer["board"])
                self.assertEqual(back[1]["distance"], 0)
                count = answer["solution"].count(", " if "," in answer["solution"] else " ") + 1
                self.assertEqual(count if answer["solution"] else 0, answer["distance"])

    def test_solutions_for_people(self):
        result = self.query("cube-2x2x2", "F' U2 R'", "--path")
        self.assertRegex(result.out, r"\n\nsolution: R U2 F\nscramble: F' U2 R'\n$")
        lines = self.query("cube-2x2x2", "--path=all", "-", stdin="F' U2 R'\n").out.splitlines()
        for line in lines:
            self.assertEqual(self.answers("cube-2x2x2", [f"F' U2 R', {line.split(chr(9))[2]}"])[0]["distance"], 0)
        self.assertNotIn("scramble:", self.query("8-puzzle", "--path").out)

    def test_turns_that_cannot_be_undone(self):
        path = self.write("wheel.yaml",
                          "puzzle: wheel\nfamily: permute\nturns: forward\nplaces: 1 2 3 4 5\n"
                          "generators:\n  a: (1 2 3)\n  b1: (1 2 3 4 5)\nboards:\n  start: a b1 a\n")
        answer = self.answers(path, ["start"])[0]
        self.assertEqual(self.answers(path, [answer["scramble"]])[0]["board"], answer["board"])
        self.assertRegex(answer["scramble"], r"a2|\(b1\)4")

    def test_rotations_and_sequences_of_a_definition(self):
        ring = "puzzle: ring\nfamily: permute\nplaces: 1 2 3 4 5 6\ngenerators:\n  a: (1 2 3)\n  b: (3 4 5)\n"
        for keys, complaint in (
                ("rotations: {r: (a b)}\nsequences: {a2: r a}", None),
                ("rotations: {r: (a b c)}", ":7:21: a move or a sequence has to stand here"),
                ("rotations: {r: (a a)}", "this name stands twice"),
                ("rotations: {r: (a b)(b a)}", "this name stands twice"),
                ("rotations: {r: (a)}", "a cycle has two names or more"),
                ("rotations: {r: ()}", "a cycle has two names or more"),
                ("rotations: {r: ''}", "this rotation does nothing"),
                ("rotations: {r: a b}", "rotations are written (F U B D)"),
                ("rotations: {r: (a b}", "a move or a sequence has to stand here"),
                ("rotations: [r]", "'rotations' has to be a mapping"),
                ("rotations: {a: (a b)}", "'a' is another turn's name already"),
                ("rotations: {r: (a b)}\nsequences: {r: a}", "'r' is another turn's name already"),
                ("sequences: {'r 1': a}", "with no blanks"),
                ("sequences: {s: t, t: a}", "'t' is none of this puzzle's moves"),
                ("sequences: {s: [a]}", "a text is needed here"),
                ("rotations: {r: (a s)}\nsequences: {s: r}", "so it has to leave that name where it is")):
            with self.subTest(keys=keys):
                result = self.query(self.write("ring.yaml", ring + keys + "\n"), "a b' (a b)2")
                if complaint is None:
                    self.assertEqual(result.code, 0, result.err)
                else:
                    self.assert_complaint(result, 2, complaint)
        skew = ring.replace("(3 4 5)", "(3 4 5 6)") + "rotations: {r: (a b)}\n"
        self.assert_complaint(self.query(self.write("ring.yaml", skew), "a"), 2, "this is no symmetry")
        cube = (SOURCE / "puzzles/cube-3x3x3.yaml").read_text().replace("rotations:\n", "rotations:\n  m: (L R)\n")
        self.assert_complaint(self.query(self.write("cube.yaml", cube), "R"), 2, "this is no symmetry")
        typed = self.write("ring.yaml", ring + "rotations: {r: (a b)}\nsequences: {s: r a, t: s s b'}\n")
        self.assertEqual(*self.boards(typed, ["s t, a r2", "b a b a' b"]))

    def test_what_is_no_word(self):
        for puzzle, text, complaint in (
                ("cube-3x3x3", "R Rv", "'Rv' is none of this puzzle's moves"),
                ("cube-3x3x3", "R U xy", "'xy' is none of this puzzle's moves"),
                ("cube-3x3x3", "R (U", "a ')' is missing"),
                ("cube-3x3x3", "R U)", "a ')' too many"),
                ("cube-3x3x3", "[R U]", "two parts stand in brackets"),
                ("cube-3x3x3", "[R, U, F]", "a ']' is missing"),
                ("cube-3x3x3", "R22'2", "two exponents"),
                ("cube-3x3x3", "R99999", "at most 9999"),
                ("cube-3x3x3", "(" * 20 + "R" + ")" * 20, "more than 16 brackets"),
                ("pancakes-8", "flip 3 flip 22", "'flip' is none of this puzzle's moves"),
                ("cube-3x3x3", "(" * 9 + "R" + "3)" * 2 + "99)" * 7, "more than 65536 turns"),
                ("cube-2x2x2", "R U L3 l", "'l' is none of this puzzle's moves"),
                ("cube-2x2x2", "Rw", "'Rw' is none of this puzzle's moves"),
                ("cube-3x3x3", "(flip 3)2", "'flip' is none of this puzzle's moves"),
                ("cube-2x2x2", "UFR", "1 cell given"),  # these are rather boards
                ("pancakes-8", "76", "2 cells given"),
                ("topspin-10", "12", "'12' is no symbol"),
                ("cube-2x2x2", "UFL UFR x", "'x' is no symbol")):
            with self.subTest(text=text):
                self.assert_complaint(self.query(puzzle, text), 2, complaint)


if __name__ == "__main__":
    unittest.main()
