"""A small database of every form that pdb keeps, and how pdb's programs are run on them."""

import subprocess

from programs import GEN, SOURCE, Result

SECONDS = 240 # more than that is called a hang: the slowest takes five seconds of a processor, which may be shared
GENERATION_SECONDS = 600 # under sanitizers, on a busy machine


def _built_in(name):
    return (SOURCE / "puzzles" / f"{name}.yaml").read_text()


def _picture(cells):
    return " / ".join(" ".join(cells[i:i + 16])
                      for i in range(0, len(cells), 16))  # what has more than 16 cells has a multiple of 16


def _one_way(name, places, pieces):
    """Pieces that go along a one-way street to its end."""
    return (f"puzzle: {name}\nfamily: walk\ngoal: {_picture('.' * (places - pieces) + 'a' * pieces)}\n"
            f"one-way:\n  - {' '.join(map(str, range(1, places + 1)))}\n"
            f"boards: {{start: {_picture('a' * pieces + '.' * (places - pieces))}}}\n")


def _cycle(name, lengths):
    """A marked tile on each of some rings that turn together. Where the lengths have no divisor in common, the states
    are their product, one at each distance."""
    places = [str(place) for place in range(1, sum(lengths) + 1)]
    rings = [places[sum(lengths[:i]):sum(lengths[:i + 1])] for i in range(len(lengths))]
    goal = " ".join("a" + " b" * (length - 1) for length in lengths)
    return (f"puzzle: {name}\nfamily: permute\nturns: forward\ngoal: {goal}\n"
            f"generators:\n  on: {''.join('(' + ' '.join(ring) + ')' for ring in rings)}\n")


# Cars in a yard: 352 states among many ways to stand.
_YARD = """\
puzzle: yard
family: slide
metric: slide
axis: length
board: ..B../AAB.C/..DDC/.E.../.E.FF
pieces: [AA, B/B, C/C, DD, E/E, FF]
goal: "*****/***AA/*****/*****/*****"
boards: {start: ..B../AAB.C/..DDC/.E.../.E.FF}
"""

# Three coaches on a line of 60 places, of which they use the last: they move by a place, or over another. A key has 120
# bits.
_TRAIN = """\
puzzle: train
family: rules
state:
  at[1..60]: 0..3
start: {'at[40]': 1, 'at[43]': 2, 'at[45]': 3}
moves:
- name: "{p} to {q}"
  for: {p: 40..60, q: 40..60}
  if: abs(p - q) in 1..2 and at[p] > 0 and at[q] == 0 and (abs(p - q) == 1 or at[(p + q) / 2] > 0)
  do: at[q] = at[p], at[p] = 0
goal: at[60] == 3
"""


class Form:
    """A form, a definition whose database has it, and a change (old, new) of the definition that makes another puzzle
    of that name and form. `patterns` is a change that makes other pattern databases of the same puzzle. `boards` are
    asked besides the usual ones; where a search answers, those on the way from the board `path`. `deflated`: so are its
    data kept."""

    def __init__(self, name, encoding, text, change, boards=(), patterns=None, path=None, deflated=False):
        self.name, self.encoding, self.text, self.change = name, encoding, text, change
        self.boards, self.patterns, self.path, self.deflated = boards, patterns, path, deflated

    def other_texts(self):
        """The definitions of other databases under this name."""
        for old, new in filter(None, (self.change, self.patterns)):
            assert old in self.text, (self.name, old)
            yield self.text.replace(old, new, 1)


FORMS = [
    Form("1 bit", "mod4-1bit", "puzzle: tiles\nfamily: slide\ngoal: 1234/567.\nboards: {start: 7654/321.}\n",
         ("1234", "2134")),
    Form("1 bit, 2 extents", "mod4-1bit",
         "puzzle: lights\nfamily: flip\naround: plus\nboard: ....../....../....../......\n",
         ("plus\n", "plus\ngoal: 100000/000000/000000/000000\n")),
    Form("mod 3, 5 a byte", "mod3-5perbyte", _built_in("pancakes-8"), ("flip 7", "turn 7")),
    Form("2 bits", "mod4-2bit", _built_in("guarini"), ("w . w\n  . . .\n  b . b", "b . w\n  . . .\n  b . w")),
    Form(
        "mod 3, 2 bits", "mod3-2bit", "puzzle: ring\nfamily: walk\ngoal: a b c d . . .\nedges:\n  - 1 2 3 4 5 6 7 1\n"
        "boards: {start: . . . a b c d, never: b a c d . . .}\n", ("a b c d", "b a c d")),
    Form("exact, 1 bit", "exact-1bit", "puzzle: one\nfamily: walk\ngoal: a .\none-way:\n  - 1 2\n", ("a .", "b .")),
    Form("exact, 2 bits", "exact-2bit", _one_way("street", 3, 1), ("1 2 3", "1 3 2")),
    Form("exact, 4 bits", "exact-4bit", _built_in("triangle-15"),
         ("jumps", "goal: |2\n          1\n        . .\n      . . .\n    . . . .\n  . . . . .\njumps"), deflated=True),
    Form("exact, a byte", "exact-8bit", _one_way("street", 32, 2), ("1 2 3", "2 1 3")),
    Form("exact, 2 bytes", "exact-16bit", _one_way("street", 256, 2), ("1 2 3", "2 1 3"), deflated=True),
    Form("exact, a byte, more", "exact-8bit", _one_way("avenue", 112, 2), ("1 2 3", "2 1 3"), deflated=True),
    Form("exact, 2 bytes, few", "exact-16bit", _cycle("rings", (5, 7, 9)), ("(1 2 3", "(2 1 3")),
    Form("exact, 4 bytes", "exact-32bit", _cycle("clock", (7, 8, 9, 11, 13)), ("(1 2 3", "(2 1 3"), deflated=True),
    Form("keyed, few", "mod3-5perbyte", _YARD, ("***AA", "**AA*")),
    Form("keyed, mod 3", "mod3-5perbyte", _built_in("klotski"), ("* B B *\n  * B B *", "B B * *\n  B B * *"),
         deflated=True),
    Form(
        "keyed, chunks", "exact-4bit",
        "puzzle: ell\nfamily: peg\njumps: orthogonal\ngoal: |2\n  . . 1\n  . . .\n  . . .\n  . . .\n"
        "  . . . . . . . . . . . . . . .\n", (". . 1", ". 1 ."), deflated=True),
    Form(
        "keyed, exact", "exact-4bit",
        "puzzle: row\nfamily: peg\njumps: orthogonal\ngoal: ..............1................\n"
        "boards: {start: ............11.1...............}\n", ("..............1.", "............1...")),
    Form("keyed, wide", "mod3-5perbyte", _TRAIN, ("60] == 3", "60] == 2"), deflated=True),
    Form(
        "place", "exact-4bit", "puzzle: queens\nfamily: place\nmark: Q\nboard: ......\nvalues: 1-6\n"
        "different: [all, {slots: all, step: 1}, {slots: all, step: -1}]\n", ("[all, ", "[")),
    Form("patterns, 4 bits", "patterns-4bit",
         _built_in("15-puzzle") + "patterns: [1 2 3 4 | 5 6 7 8 | 9 10 11 12]\n", ("1  2  3", "2  1  3"),
         patterns=("1 2 3 4 | 5 6 7 8", "1 2 5 6 | 3 4 7 8"), path="easy"),
    Form("patterns, 2 bits", "patterns-2bit",
         _built_in("cube-3x3x3") + "patterns: [UR UF UL UB DR DF, URF UFL ULB UBR]\n", ("turns: all", "turns: both"),
         patterns=("[UR UF UL UB", "[BR BL FL FR"),
         # four moves from the goal
         path="DFR+2 UF UFL FR UL ULB+2 DR+1 DRB+2 BL UR UB+1 DF+1 UBR+2 BR DLF+2 DB FL+1 DBL DL URF+2"),
    Form("expressions", "expressions", _built_in("four-fours"), ("4 4 4 4", "4 4 4 3"),
         boards=("10", "11", "24", "1/2")),
    Form("decision tree", "decision-tree", _built_in("mastermind"), ("0 1 2", "1 0 2"),
         boards=("9431", "0123:0,2 1045:0,2")),
]


def run(program, *arguments, cwd, stdin="", seconds=SECONDS):
    """Runs to its end. One that takes longer than that has the code "hang"."""
    try:
        done = subprocess.run([program, *map(str, arguments)], cwd=cwd, input=stdin.encode(), capture_output=True,
                              timeout=seconds)
    except subprocess.TimeoutExpired:
        return Result("hang", "", "")
    return Result(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))


def generate(text, directory):
    """Makes a directory with a definition and its database, and gives the paths of both."""
    directory.mkdir()
    definition = directory / "puzzle.yaml"
    definition.write_text(text)
    result = run(GEN, "-q", "-d", ".", definition, cwd=directory, seconds=GENERATION_SECONDS)
    assert result.code == 0, result
    file, = directory.glob("*.pdb")
    return definition, file
