"""The expressions of the family rules, by docs/families/rules-language.md: text becomes a tree, and a tree is walked.

A world (rules.py) says what the names in it mean. None is `none`.
"""

import re

TOKEN = re.compile(r"\s*(?:(\d+)|([A-Za-z_]\w*)|'([^']*)'|(\.\.|==|!=|<=|>=|[-+*/%<>()\[\],={}:]))")
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=", "in")
LOOPS = ("all", "any", "sum", "count", "min", "max", "last")
STEPS = 256  # that `last` goes, at most


class Reader:
    """Reads one text. Each function takes what it is called after from where the text has been read to."""

    def __init__(self, text):
        self.tokens, at = [], 0
        while text[at:].strip():
            found = TOKEN.match(text, at)
            assert found, f"no token at {text[at:]!r}"
            number, name, quoted, sign = found.groups()
            self.tokens.append(("number", int(number)) if number else ("name", name) if name else
                               ("quoted", quoted) if quoted is not None else ("sign", sign))
            at = found.end()
        self.at = 0

    def next_is(self, *words):
        kind, word = self.tokens[self.at] if self.at < len(self.tokens) else ("end", None)
        return kind in ("sign", "name") and word in words

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def takes(self, *words):
        return self.take()[1] if self.next_is(*words) else None

    def need(self, word):
        assert self.takes(word), (word, self.tokens, self.at)

    def ended(self):
        return self.at == len(self.tokens)

    def several(self, one):
        found = [one()]
        while self.takes(","):
            found.append(one())
        return found

    def expression(self):
        value = self.either()
        if not self.takes("if"):
            return value
        condition = self.either()
        self.need("else")
        return "choose", condition, value, self.expression()

    def either(self):
        parts = [self.both()]
        while self.takes("or"):
            parts.append(self.both())
        return ("or", parts) if len(parts) > 1 else parts[0]

    def both(self):
        parts = [self.negated()]
        while self.takes("and"):
            parts.append(self.negated())
        return ("and", parts) if len(parts) > 1 else parts[0]

    def negated(self):
        return ("not", self.negated()) if self.takes("not") else self.comparison()

    def comparison(self):
        left = self.sum()
        if self.takes("not"):
            self.need("in")
            return ("not", ("in", left, self.set()))
        parts = []
        while sign := self.takes(*COMPARISONS):
            right = self.set() if sign == "in" else self.sum()
            parts.append(("in", left, right) if sign == "in" else ("compare", sign, left, right))
            left = right
        return ("and", parts) if len(parts) > 1 else parts[0] if parts else left

    def sum(self):
        left = self.product()
        while sign := self.takes("+", "-"):
            left = ("calculate", sign, left, self.product())
        return left

    def product(self):
        left = self.signed()
        while sign := self.takes("*", "/", "%"):
            left = ("calculate", sign, left, self.signed())
        return left

    def signed(self):
        return ("calculate", "-", ("number", 0), self.signed()) if self.takes("-") else self.single()

    def single(self):
        kind, word = self.take()
        if kind in ("number", "quoted"):
            return kind, word
        if word == "(":
            value = self.expression()
            self.need(")")
            return value
        assert kind == "name", (word, self.tokens)
        if word in ("true", "false", "none"):
            return "number", {"true": 1, "false": 0, "none": None}[word]
        if word in (*LOOPS, "abs"):
            return self.function(word)
        indices = []
        if self.takes("["):
            indices = self.several(self.expression)
            self.need("]")
        return "name", word, indices

    def function(self, word):
        self.need("(")
        values = [self.expression()]
        if self.takes("for"):
            if word == "last":
                return self.last(values[0])
            loops, condition = self.loops()
            self.need(")")
            return "loop", word, values[0], loops, condition
        if self.takes(","):
            values += self.several(self.expression)
        self.need(")")
        return "function", word, values

    def loops(self):
        """What stands behind a 'for'. A ',' that no name and 'in' follow belongs to something else."""
        loops = []
        while not loops or (self.tokens[self.at + 2:self.at + 3] == [("name", "in")] and self.takes(",")):
            name = self.take()[1]
            self.need("in")
            loops.append((name, self.set()))
        return loops, self.expression() if self.takes("if") else None

    def last(self, following):
        name = self.take()[1]
        self.need("from")
        first, condition = self.expression(), ("number", 1)
        if self.takes("while"):
            condition = self.expression()
        self.need(")")
        return "last", following, name, first, condition

    def set(self):
        if self.takes("["):
            members = self.several(self.sum)
            self.need("]")
            return "list", members
        first = self.sum()
        if self.takes(".."):
            return "range", first, self.sum()
        return first


def read(text, what="expression"):
    reader = Reader(str(text))
    found = getattr(reader, what)()
    assert reader.ended(), (text, reader.at)
    return found


def holds(value):
    return value is not None and value != 0


def members(world, tree):
    """The numbers of a set, in its order."""
    if tree[0] == "list":
        return [value_of(world, member, {}) for member in tree[1]]
    if tree[0] == "range":
        return list(range(value_of(world, tree[1], {}), value_of(world, tree[2], {}) + 1))
    if tree[0] == "quoted":
        return world.cells_with(tree[1])
    assert tree[0] == "name" and not tree[2], tree
    return world.sets[tree[1]]


def calculate(sign, left, right):
    if left is None or right is None or (sign in "/%" and right == 0):
        return None
    return {"+": lambda: left + right, "-": lambda: left - right, "*": lambda: left * right,
            "/": lambda: left // right, "%": lambda: left - left // right * right}[sign]()


def compare(sign, left, right):
    if sign in ("==", "!="):
        return int((left == right) == (sign == "=="))
    if left is None or right is None:
        return 0
    return int({"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[sign])


def together(word, values):
    """What a function makes of all values."""
    there = [value for value in values if value is not None]
    if word in ("min", "max"):
        return (min if word == "min" else max)(there, default=None)
    if word == "sum":
        return sum(there)
    if word == "abs":
        return abs(values[0]) if there else None
    held = [holds(value) for value in values]
    return {"all": int(all(held)), "any": int(any(held)), "count": sum(held)}[word]


def choices(world, loops):
    """All ways to give the names of loops their members."""
    if not loops:
        yield {}
        return
    (name, tree), *rest = loops
    for member in members(world, tree):
        for others in choices(world, rest):
            yield {name: member, **others}


def last(world, tree, names):
    _, following, name, first, condition = tree
    at = value_of(world, first, names)
    for _ in range(STEPS + 1):
        here = {**names, name: at}
        after = value_of(world, following, here) if holds(value_of(world, condition, here)) else None
        if at is None or after is None:
            return at
        at = after
    return None


def value_of(world, tree, names):
    """`names` has the parameters, lets and loop variables; `world.look_up` the rest."""
    kind, *parts = tree
    value = lambda part: value_of(world, part, names)
    if kind == "number":
        return parts[0]
    if kind == "quoted":
        cell, = world.cells_with(parts[0])
        return cell
    if kind == "name":
        name, indices = parts
        return names[name] if name in names and not indices else world.look_up(name, tuple(map(value, indices)))
    if kind == "choose":
        return value(parts[1]) if holds(value(parts[0])) else value(parts[2])
    if kind == "not":
        return int(not holds(value(parts[0])))
    if kind == "and":
        return int(all(holds(value(part)) for part in parts[0]))
    if kind == "or":
        return int(any(holds(value(part)) for part in parts[0]))
    if kind == "compare":
        return compare(parts[0], value(parts[1]), value(parts[2]))
    if kind == "in":
        return int(value(parts[0]) in members(world, parts[1]))
    if kind == "calculate":
        return calculate(parts[0], value(parts[1]), value(parts[2]))
    if kind == "function":
        return together(parts[0], [value(part) for part in parts[1]])
    if kind == "last":
        return last(world, tree, names)
    assert kind == "loop", kind
    word, taken, loops, condition = parts
    inner = [{**names, **choice} for choice in choices(world, loops)]
    return together(word, [value_of(world, taken, each) for each in inner
                           if condition is None or holds(value_of(world, condition, each))])
