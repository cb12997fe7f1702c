"""Mistakes in rules: each complaint names the line and the column, and says what is wrong there."""

import unittest

from helpers.harness import Case

# A file without mistakes; each case below has another text for one of its keys. `¦` is where the complaint has to point.
FILE = {
    "sets": "\n  n: 1..3\n  peg: [A, B, C]\n  odd: [1, 3]",
    "board": "|\n  xyz\n  .x#",
    "tables": "\n  t[n]: [4, 5, 6]\n  far[n, n]: [[1, 2, 3], [4, 5, 6], [7, 8, 9]]\n  top: 3",
    "state": "\n  a: 0..3\n  on[n]: peg\n  c: cell\n  grid[n, n]: 0..1",
    "start": "{a: 0}",
    "moves": "\n  - name: up\n    do: a = a + 1",
    "goal": "a == 3",
}

CONDITIONS = [
    # signs
    ("a ==¦", "expected a value"),
    ("a == ¦)", "expected a value"),
    ("(a == 3¦", "expected ')'"),
    ("((a == 3)¦", "expected ')'"),
    ("a == 3¦)", "')'"),
    ("a == 3 ¦a", "'a'"),
    ("a == 3 and¦", "expected a value"),
    ("a == 3 ¦&& a", "'and'"),
    ("a == 3 ¦|| a", "'or'"),
    ("a == 3 or ¦!a", "'not'"),
    ("a ¦= 3", "=="),
    ("a == 3 ¦? 1", "x if c else y"),
    ("a == 3 ¦^ a", "one of two is a != b"),
    ("a == ¦$", "'$'"),
    ("a == 3¦x", "letter"),
    ("a == ¦99999999999", "above 1000000000"),
    ("a == ¦== 3", "expected a value"),
    ("a <¦> 3", "unequal is !="),
    ("a == 3 /¦/ of the moves", "# begins a comment"),
    ("a *¦* 2 == 4", "x * x"),
    ("a == 3 ¦AND c == a1", "small letters, and"),
    ("¦ALL(on[i] == A for i in n)", "small letters, all"),
    ("a == ¦False", "small letters, false"),
    ("¦Not a", "small letters, not"),
    ("a == 3 or ¦or a", "expected a value"),
    ("not¦", "expected a value"),
    ("a == 3 +¦", "expected a value"),
    ("a == ¦* 3", "expected a value"),
    ("a == 3 - ¦/ 2", "expected a value"),
    ("1 if a¦", "'else'"),
    ("1 if a ¦or2 else 3", "'or2'"),
    ("1 if a else¦", "expected a value"),
    ("a == 1 ¦.. 3", "'..'"),
    ("a == 3¦;", "';'"),
    ("a == 1¦.5", "numbers are whole"),
    ("a == 1 and ¦forall == 2", "all(... for c in cell)"),
    ("c == ¦'up'", "no cell of the board has 'up'; names stand without quotes"),
    ("c == ¦c2", "no such cell, or a wall"),
    ("c == ¦A1", "small letters"),
    ("step[c, ¦north] == 1", "up, down, left and right"),
    ("a == ¦\"x", "quotes"),
    ("any(a == i for i in 0..65535) or " * 63 + "any(a == i for i in ¦0..65535)", "too many members together"),
    ("a" + " or a" * 999 + " ¦or a", "too long"),
    # names
    ("¦b == 3", "'b'"),
    ("a == ¦tpo", "did you mean 'top'?"),
    ("a == ¦player", "nothing is called 'player'"),
    ("¦n == 3", "'n' is a set"),
    ("¦peg", "'peg' is a set"),
    ("a == 3 and ¦up2 == 0", "'up2'"),
    ("¦for == 1", "expected a value"),
    ("a == ¦else", "expected a value"),
    ("a == 3 ¦in n == 1", "expected an operator"),
    # indices
    ("¦on == 3", "needs its index"),
    ("¦a[1] == 3", "has no index"),
    ("¦top[1] == 3", "has no index"),
    ("on[1¦, 2] == 3", "']'"),
    ("grid[1¦] == 3", "second index"),
    ("grid[1, 2¦, 3] == 3", "']'"),
    ("on[¦] == 3", "expected a value"),
    ("on[1 == 3¦", "']'"),
    ("¦on[0] == A", "outside its set"),
    ("¦on[4] == A", "outside its set"),
    ("¦grid[1, 4] == 1", "outside its set"),
    ("¦t[0] == 3", "outside its set"),
    ("¦far[7, 1] == 3", "outside its set"),
    ("any(¦on[i + 3] == A for i in n)", "outside its set"),
    ("¦on[2 - 2] == A", "outside its set"),
    ("a == 3 or ¦on[a + 4] == A", "outside its set"),
    ("¦step[c, 7] == c", "outside its set"),
    # zero
    ("a ¦/ 0 == 3", "zero"),
    ("a ¦% 0 == 3", "zero"),
    ("a ¦/ (top - 3) == 3", "zero"),
    ("sum(a ¦/ (i - i) for i in n) == 3", "zero"),
    # functions
    ("abs ¦== 3", "'('"),
    ("abs(a¦, 2) == 3", "')'"),
    ("min(¦) == 3", "expected a value"),
    ("min(a, ¦) == 3", "expected a value"),
    ("min(a¦", "a second value"),
    ("all(a¦)", "'for'"),
    ("any(on¦[i == A for i in n)", "this '[' is not closed by ']'"),
    ("any(on[¦(i + 1] == A for i in n)", "this '(' is not closed by ')'"),
    ("count(a¦, 2)", "'for'"),
    ("sum(¦)", "'for'"),
    ("all(a in i ¦for i in n)", "last number of a range"),
    ("all(a for ¦3 in n)", "name"),
    ("all(a for i ¦of n)", "'in'"),
    ("all(a for i¦)", "'in'"),
    ("all(a for i in ¦)", "expected a value"),
    ("all(a for i in ¦m)", "'m'"),
    ("all(a for i in a¦)", "last number of a range"),
    ("all(a for i in n¦", "')'"),
    ("all(a for i in n if ¦)", "expected a value"),
    ("all(a for i in n, ¦)", "name"),
    ("all(a for i in n ¦for j in n)", "')'"),
    # a body goes on to its 'for'
    ("all(on[i] == A ¦on[i] == B for i in n)", "expected an operator, or 'for', not 'on'"),
    ("any(on[i] == A ¦1 for i in n)", "operator, or 'for'"),
    ("any(on[i] == A ¦is B for i in n)", "operator, or 'for'"),
    ("count(a ¦b for i in n, j in n) == 3", "operator, or 'for'"),
    ("sum(i ¦'w' for i in n) == 3", "operator, or 'for'"),
    ("max(a ¦a for i in n) == 3", "operator, or 'for'"),
    ("any(a == 3¦] for i in n)", "'for'"),
    ("last(p + 1 ¦a for p from a while p < 3) == 3", "operator, or 'for'"),
    ("all(a for ¦n in n)", "already"),
    ("all(a for ¦a in n)", "already"),
    ("all(a for i in n) and ¦i == 3", "'i'"),
    ("all(a for ¦sum in n)", "cannot be a name"),
    # sets
    ("a in 3¦", "last number of a range"),
    ("a in¦", "expected a value"),
    ("a not ¦3", "expected 'in' behind 'not', not '3'"),
    ("a not in 3¦", "last number of a range"),
    ("a not¦", "expected 'in' behind 'not'"),
    ("a in n ¦not in n", "expected an operator, or the end, not 'not'"),
    ("a == ¦not a", "expected a value, not 'not' (behind a sign in parentheses, a == (not b); behind a condition 'and not')"),
    ("a ¦is 3", "not 'is' (equal is ==)"),
    ("a ¦mod 2 == 1", "not 'mod' (what a division leaves is %)"),
    ("a == 1 ¦xor a == 2", "not 'xor' (one of two is a != b)"),
    ("¦if a == 1 then 2", "not 'if' (a choice is written x if c else y)"),
    ("a == 1 ¦then 2", "not 'then' (a choice is written x if c else y)"),
    ("sum(i if i > 1 ¦for i in n)", "said behind the set: sum(x for x in a if c)), not 'for'"),
    ("a in ¦m", "'m'"),
    ("a in ¦3..1", "empty"),
    ("a in 1..¦a", "not known here (x in [a, b] is written (x == a or x == b), x in a..b is a <= x <= b)"),
    ("any(a == i for i in 1..¦a)", "not known here (take all constants that it may be, and a condition)"),
    ("a in [1, ¦a]", "(x == a or x == b)"),
    ("a in [1, ¦]", "expected a value"),
    ("a in [1, 2¦", "']'"),
    ("a in [1 ¦.. 2]", "a range stands alone, without brackets"),
    ("a in [1, ¦1]", "already"),
    ("c in ¦'q'", "no cell"),
    ("c == ¦'x'", "2 cells"),
    ("a in 1..¦none", "none"),
    # numbers
    ("a ¦* 1000000000 * 1000 == 3", "more than"),
    # a list of constants, a choice, and what stands between
    ("a in [¦a]", "constant"),
    ("a in [1 ¦2]", "']'"),
    ("a in [1, ¦none]", "none"),
    ("a in n¦[1]", "expected an operator"),
    ("(1 if a else 2¦", "')'"),
    ("1 if ¦else 2", "expected a value"),
    ("¦-", "needs quotes"),
    ("-¦== 3", "expected a value"),
    ("on[¦a[1]] == A", "has no index"),
    ("a <= ¦<= 3", "expected a value"),
    ("a ¦=> 3", "=="),
    ("grid[1,¦", "expected a value"),
    ("abs(none + ¦b)", "'b'"),
    # never
    ("a ¦== 7", "no state"),
    ("¦false", "no state"),
    # one more than may be in use at once
    ("any(" * 33 + "a == 3 for ¦v33 in n)" + "".join(f" for v{i} in n)" for i in range(32, 0, -1)), "one parameter, let or loop too many: 32"),
]

DO = [
    ("¦a + 1", "'='"),
    ("a =¦", "expected a value"),
    ("¦= 1", "variable"),
    ("a = 1¦;", "';'"),
    ("a = 1,¦", "variable"),
    ("a ¦== 1", "'='"),
    ("a ¦:= 1", "given with ="),
    ("¦b = 1", "'b'"),
    ("¦top = 1", "no variable"),
    ("¦n = 1", "no variable"),
    ("¦t[1] = 1", "no variable"),
    ("¦3 = 1", "variable"),
    ("¦a[1] = 1", "index"),
    ("¦on = A", "index"),
    ("on[1¦, 2] = A", "']'"),
    ("¦on[5] = A", "outside its set"),
    ("¦on[a + 4] = A", "outside its set"),
    ("¦grid[2, 0] = 1", "outside its set"),
    ("a = ¦7", "never a value"),
    ("a = ¦-1", "never a value"),
    ("a = 1, on[1] = ¦3", "never a value"),
    ("a = a ¦+ 4", "never a value"),
    ("a = ¦none", "never a value"),
    ("a = a ¦+ none", "never a value"),
    ("a = a ¦/ 0", "zero"),
    ("a = 1 ¦a", "','"),
    ("a +¦= 1", "a = a + 1"),
    ("a -¦= 1", "a = a - 1"),
    # several in one
    ("a = 1 ¦on[i] = A for i in n", "an operator, 'for', or ',' and another assignment, not 'on'"),
    ("on[i] = A ¦B for i in n", "another assignment"),
    ("on[i] = A¦] for i in n if i > 1", "another assignment"),
    ("a = 1 ¦) 3 for i in n", "another assignment"),
    ("on[i] = on¦[i + 1 for i in 1..2", "'[' is not closed before the 'for'"),
    ("on¦[i = on[i + 1] for i in 1..2", "'[' is not closed before the 'for'"),
    ("on[i] = max(on[i], ¦(on[1] + 1 for i in 1..2", "'(' is not closed before the 'for'"),
    ("on[i] = A for ¦3 in n", "name"),
    ("on[i] = A for i ¦of n", "'in'"),
    ("on[i] = A for i in ¦m", "'m'"),
    ("on[i] = A for ¦a in n", "already"),
    ("on[i] = A for i in n ¦for j in n", "another assignment"),
    ("on[i] = A for i in n if¦", "expected a value"),
    ("on[i] = A for i in n, on[¦i] = B", "'i'"),
    ("on[¦i] = A", "'i'"),
    ("¦on[i + 1] = A for i in n", "outside its set"),
    ("on[i] = i ¦+ 5 for i in n if i == 2", "never a value"),
    ("a = i for i in 0..63, ¦j in 0..64", "more than 4096"),
    ("grid[i, i] = 1 for i in 0..1, ¦i in 0..1", "another loop of this assignment has this name"),
    ("grid[i, 0] = 1 for i in 0..1 if i > 0 ¦for j in 0..1", "loops before the condition"),
    ("grid[i, i] = 1 for " + ", ".join(f"{c} in 0..1" for c in "ijklmpqr") + ", ¦s in 0..1", "at most 8 loops"),
]

OTHERS = [
    # sets
    ("sets", "¦[1, 2]", "mapping"),
    ("sets", "{n: 1..3, m: ¦}", "expected a value"),
    ("sets", "{n: ¦3..1}", "empty"),
    ("sets", "{n: 1..¦}", "expected a value"),
    ("sets", "{n: 1..3 ¦4}", "end of the set"),
    ("sets", "{n: 1..3, ¦n: 1..2}", "twice"),
    ("sets", "{n: 1..3, ¦if: 1..2}", "name"),
    ("sets", "{n: 1..3, ¦2x: 1..2}", "name"),
    ("sets", "{n: 1..3, ¦cell: 1..2}", "already"),
    ("sets", "{n: 1..3, m: ¦1..9999999}", "too many"),
    ("sets", "{n: 1..3, peg: [A, ¦A]}", "already"),
    ("sets", "{n: 1..3, peg: [A, B], q: [Z, ¦A]}", "already"),
    ("sets", "{n: 1..3, peg: [A, B], q: [X, Y], r: [A, ¦X]}", "'A' and 'X', members of two sets, are both the number 0"),
    ("sets", "{n: 1..3, peg: [A, B], r: [A, ¦A + 0]}", "already"),
    ("sets", "{n: 1..3, peg: [A, B], q: ¦xyz}", "written with quotes"),
    ("sets", "{n: 1..3, peg: [A, B], q: ¦xyw}", "new names are made"),
    ("sets", "{n: 1..3, peg: [A, ¦none]}", "call the member otherwise"),
    ("sets", "{n: 1..3, peg: [B, ¦a1]}", "a cell or a member of another set"),
    ("sets", "{n: 1..3, peg: [¦A, min]}", "nothing is called 'A'"),
    ("sets", "{n: 1..3, peg: [¦A, n]}", "nothing is called 'A'"),
    ("sets", "{n: 1..3, m: [1 ¦.. 6]}", "a range stands alone, without brackets"),
    ("sets", "{n: 1..3, peg: \"¦'w'\"}", "no cell"),
    # board
    ("board", "¦|\n  ##\n  ##", "walls"),
    # tables
    ("tables", "¦[1]", "mapping"),
    ("tables", "{'t[n]': ¦[4, 5]}", "2 values"),
    ("tables", "{'t[n]': ¦[4, 5, 6, 7]}", "4 values"),
    ("tables", "{'t[n]': [4, ¦b, 6]}", "'b'"),
    ("tables", "{'t[n]': [4, ¦a, 6]}", "'a'"),
    ("tables", "{'t[¦m]': [4, 5, 6]}", "'m'"),
    ("tables", "{'t[n¦': [4, 5, 6]}", "']'"),
    ("tables", "{'t[n, n, ¦n]': 3}", "two indices"),
    ("tables", "{'far[n, n]': [¦1, 2, 3]}", "3 values"),
    ("tables", "{'far[n, n]': [[1, 2, 3], ¦[4, 5], [6, 7, 8]]}", "2 values"),
    ("tables", "{'t[i in n]': ¦j}", "'j'"),
    ("tables", "{'t[i in n]': i *¦}", "expected a value"),
    ("tables", "{t: ¦[]}", "no values"),
    # state
    ("state", "¦[a]", "mapping"),
    ("state", "{a: ¦}", "expected a value"),
    ("state", "{a: 0..3, ¦a: 0..1}", "twice"),
    ("state", "{a: 0..3, ¦n: 0..1}", "already"),
    ("state", "{a: 0..3, x: ¦m}", "'m'"),
    ("state", "{a: 0..3, x: 3¦}", "last number of a range"),
    ("state", "{a: 0..3, 'x[¦m]': 0..1}", "'m'"),
    ("state", "{a: 0..3, ¦'x[i in n]': 0..1}", "no names"),
    ("state", "{a: 0..3, ¦'x[1..2000]': 0..1}", "1024"),
    ("state", "{a: 0..3, ¦not: 0..1}", "name"),
    # start
    ("start", "¦3", "mapping"),
    ("start", "{¦b: 0}", "variable"),
    ("start", "{'¦om[i]': 0}", "no variable is called 'om'; did you mean 'on'?"),
    ("start", "{c: ¦9}", "9 is no value of 'c', whose values are"),
    ("symmetric", "¦A", "'A' is a member"),
    ("symmetric", "[n, ¦B]", "such as helper: [blue, green] under 'sets'"),
    ("start", "{¦A: 0}", "expected the name of a variable"),
    ("start", "{a: ¦4}", "no value"),
    ("start", "{a: 0, grid: [[0, 1, 0], ¦1, [0, 0, 0]]}", "one value does for the whole only"),
    ("start", "{a: ¦A1}", "'A1'"),
    ("start", "{a: 0, on: ¦[A, B]}", "2 values"),
    ("start", "{a: 0, on: [A, ¦D, B]}", "'D'"),
    ("start", "{a: 0, on: [A, ¦5, B]}", "no value"),
    ("start", "{a: ¦a + 1}", "constant"),
    ("start", "{a: ¦none}", "none"),
    ("start", "{a: ¦[0, 1]}", "expected one value, not a list"),
    ("start", "{a: 0, 'on[1]': ¦[A]}", "expected one value, not a list"),
    ("start", "{a: ¦{b: 1}}", "expected one value, not a mapping"),
    ("start", "{a: 0, 'on[i]': ¦[A, B, A]}", "not a list"),
    ("goal", "¦{a: 2}", "such as at == 2, not a mapping"),
    ("keep", "¦[a == 2]", "such as at == 2, not a list"),
    ("start", "\n  - {a: 0}\n  - {a: ¦9}", "no value"),
    # keep
    ("keep", "¦b", "'b'"),
    ("keep", "a <¦", "expected a value"),
    ("keep", "¦a == 7", "holds in no start"),
    ("keep", "¦a == 2 and on[1] == B", "holds in no start"),
    ("draw", "{for: {q: cell}, show: {¦' ': c == q}}", "a blank cannot be shown"),
    # moves
    ("moves", "¦{name: up, do: a = 1}", "list"),
    ("moves", "\n  - ¦up", "mapping"),
    ("moves", "\n  - ¦do: a = 1", "name"),
    ("moves", "\n  - ¦name: up", "'do'"),
    ("moves", "\n  - name: up\n    ¦then: a = 1\n    do: a = 1", "'then'"),
    ("moves", "\n  - name: up ¦{x}\n    do: a = 1", "parameter"),
    ("moves", "\n  - name: up ¦{x\n    do: a = 1", "braces"),
    ("moves", "\n  - name: up {i}\n    for: ¦[n]\n    do: a = i", "mapping"),
    ("moves", "\n  - name: up {i}\n    for: {i: ¦m}\n    do: a = i", "'m'"),
    ("moves", "\n  - name: up {i}\n    for: {¦a: n}\n    do: a = i", "already"),
    ("moves", "\n  - name: up\n    let: {¦a: 3}\n    do: a = 1", "already"),
    ("moves", "\n  - name: up\n    let: {x: ¦y, y: 3}\n    do: a = x", "'y'"),
    ("moves", "\n  - name: up\n    let: {x: 3 ¦3}\n    do: a = x", "'3'"),
    ("moves", "\n  - name: up\n    if: a ¦3\n    do: a = 1", "'3'"),
    ("moves", "\n  - name: up\n    cost: ¦-1\n    do: a = 1", "0"),
    ("moves", "\n  - name: up\n    cost: a ¦- 1\n    do: a = 1", "0"),
    ("moves", "\n  - name: up\n    do:\n      on[i]: on[i + 1] ¦for i in 1..2", "as one text, 'do' may have it"),
    ("moves", "\n  - name: {n} ¦up\n    do: a = 1", "a text that begins with '{' needs quotes"),
    ("moves", "\n  - name: [n] ¦up\n    do: a = 1", "a text that begins with '[' needs quotes"),
    ("moves", "\n  - name: up\n    if: t[a] == none\n    cost: ¦t[a]\n    do: a = 1", "max(1, ..) passes over none"),
    ("moves", "\n  - name: up\n    if: t[a] != none or a == 0\n    cost: ¦t[a]\n    do: a = 1", "none"),
    ("moves", "\n  - name: up\n    if: t[a] != none\n    cost: t[a] ¦/ a\n    do: a = 1", "none"),
    ("moves", "\n  - name: up\n    cost: ¦none\n    do: a = 1", "none"),
    ("moves", "\n  - name: up\n    cost: ¦t[a]\n    do: a = 1", "none"),
    ("moves", "\n  - name: up\n    cost: 1 ¦- 2\n    do: a = 1", "0"),
    ("moves", "\n  - name: up\n    do: a = 1\n    cost: 'a' ¦? 2 : 1", "put the text in quotes"),
    ("moves", "\n  - name: up\n    do: a = 1\n  - ¦name: never\n    if: a > 5\n    do: a = 0", "never apply"),
    ("moves", "\n  - name: up\n    do: a = 1\n  - ¦name: never\n    if: on[2] == 3\n    do: a = 0", "never apply"),
    ("moves", "\n  - name: up\n    do: ¦[a = 1]", "assignments"),
    ("moves", "\n  - name: up\n    do: {¦b: 1}", "'b'"),
    ("moves", "\n  - name: up\n    do: {a: ¦7}", "never a value"),
]


def file_with(key, text):
    parts = {**FILE, key: text}
    return "puzzle: m\nfamily: rules\n" + "".join(f"{name}: {part}\n" for name, part in parts.items())


class Mistakes(Case):
    def complaint(self, text):
        return self.gen("-d", self.db, self.write("m.yaml", text))

    def try_all(self, cases):
        for key, text, gist in cases:
            with self.subTest(key=key, text=text):
                before, after = file_with(key, text).split("¦")
                lines = before.split("\n")
                self.assert_complaint(self.complaint(before + after), 2,
                                      f"m.yaml:{len(lines)}:{len(lines[-1]) + 1}: ", gist)

    def test_right(self):
        self.assertEqual(self.complaint(file_with("goal", FILE["goal"])).code, 0)

    def test_expressions(self):
        self.try_all(("goal", text, gist) for text, gist in CONDITIONS)

    def test_assignments(self):
        self.try_all(("moves", f"\n  - name: up\n    do: {text}", gist) for text, gist in DO)

    def test_keys(self):
        self.try_all(OTHERS)

    def test_some_members(self):
        """In the condition behind a loop an index may be outside its set for some members, and not elsewhere."""
        some = "\n  - name: up\n    do: on[i] = A for i in n if on[i + 1] == B"
        self.assertEqual(self.complaint(file_with("moves", some)).code, 1)
        self.try_all([
            ("moves", f"{some}\n  - ¦name: never\n    if: on[2] == 3\n    do: a = 0", "never apply"),
            ("moves", "\n  - name: up\n    do: a = 1, on[i] = A for i in n if ¦on[i + 3] == B", "outside its set"),
            ("moves", "\n  - name: up\n    do: on[i] = ¦on[i + 1] for i in n if a == 1", "outside its set"),
            ("moves", "\n  - name: up\n    do: a = 1, ¦on[i + 1] = A for i in n if on[i] == B", "outside its set"),
            ("moves", "\n  - name: up\n    do: a = 2 ¦/ (i - 1) for i in n if a == 1", "zero"),
        ])

    def test_names_of_cells(self):
        """Members of sets are numbers, but a cell that is drawn so needs its quotes."""
        with_cells = file_with("board", "|\n  xyA\n  .B#").replace("start: {a: 0}", "start: {a: 0, c: %s}")
        said = self.complaint(with_cells % "A")
        self.assert_complaint(said, 2, "m.yaml:19:18: 'A' is a member of 'peg', and 'c' is a cell: that drawn A is \"'A'\"")
        for value in ("C", '"\'A\'"', "1"):
            self.assertEqual(self.complaint(with_cells % value).code, 0, value)

    def test_a_value_between_those_of_a_set(self):
        text = file_with("start", "{o: 2}").replace("  a: 0..3\n", "  a: 0..3\n  o: odd\n")
        self.assert_complaint(self.complaint(text), 2, "m.yaml:20:12: 2 is no value of 'o', whose set leaves it out")

    def test_a_member_for_a_variable(self):
        text = file_with("start", "{A: 0}").replace("  a: 0..3\n", "  a: 0..3\n  size[peg]: 0..1\n")
        self.assert_complaint(self.complaint(text), 2, "m.yaml:20:9: ", "did you mean 'size[A]'?")


if __name__ == "__main__":
    unittest.main()
