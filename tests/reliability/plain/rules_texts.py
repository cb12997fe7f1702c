"""Random definitions of the family rules: all that its language has, in small spaces."""

import math

LEVELS = ["choose", "or", "and", "not", "compare", "sum", "product", "sign", "single"]
SINGLE = len(LEVELS) - 1
WORDS = ["A", "B", "C", "D", "Red", "Green", "Blue", "here", "there", "Q1", "Q2", "Q3", "X_9", "longest"]
INDICES = 24  # elements of an array, at most


class Known:
    """What a name is: a variable, a table, a parameter .. its kind of value ("cell" or "number"), its indices' sets."""

    def __init__(self, name, kind, values, indices=()):
        self.name, self.kind, self.values, self.indices = name, kind, values, indices


class Set:
    def __init__(self, written, kind, values):
        self.written, self.kind, self.values = written, kind, values


def quoted(text, flow=False):
    """A scalar in YAML: in quotes where it has to be."""
    plain = text and text[0] not in "'\"[]{}#&*!|>%@`,?:-" and ": " not in text and " #" not in text and text[-1] != ":"
    if plain and not (flow and any(sign in text for sign in ",[]{}")):
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def block(key, pairs, indent=""):
    """A mapping below a key; one line for those that say nothing."""
    return f"{indent}{key}:\n" + "".join(f"{indent}  {quoted(name)}: {value}\n" for name, value in pairs)


class Writer:
    def __init__(self, dice):
        self.dice, self.has = dice, set()
        self.free = self.chance(0.2)  # moves may cost 0
        self.words = dice.sample(WORDS, len(WORDS))
        self.names = iter([f"{letter}{number}" for number in range(9, 99) for letter in "pqvw"])
        self.sets, self.constants, self.cells, self.characters = [], [], [], {}
        self.tables, self.variables, self.local = [], [], []
        self.texts = []
        self.spare = None  # an array that makes keys wide: its name, and elements that moves may change to 0 or 1

    def chance(self, share):
        return self.dice.random() < share

    # -- what a file begins with --

    def write_board(self):
        dice = self.dice
        rows = [[dice.choice("..##x$@" if self.chance(0.5) else ".....#x") for _ in range(dice.randint(2, 4))]
                for _ in range(1)]
        rows += [[dice.choice("....#x") for _ in rows[0]] for _ in range(dice.randint(1, 2))]
        if sum(cell != "#" for row in rows for cell in row) < 3:
            return
        for r, row in enumerate(rows):
            for c, cell in enumerate(row):
                if cell != "#":
                    self.cells.append("abcd"[c] + str(r + 1))
                    self.characters.setdefault(cell, []).append(self.cells[-1])
        between = dice.choice(("", " "))
        self.texts.append("board: |\n" + "".join(f"  {between.join(row)}\n" for row in rows))
        self.sets.append(Set("cell", "cell", self.cells))
        self.sets.append(Set("direction", "number", [0, 1, 2, 3]))
        self.constants += [(name, number) for number, name in enumerate(("up", "down", "left", "right"))]
        self.has.add("board")

    def write_sets(self):
        dice, pairs = self.dice, []
        for _ in range(dice.randint(0, 3)):
            name = next(self.names)
            written, values, names = self.new_set()
            pairs.append((name, written))
            self.sets.append(Set(name, "number", values))
            self.constants += zip(names, values)
            if len(names) > 2 and self.chance(0.4):
                part = sorted(dice.sample(range(len(names)), dice.randint(1, len(names) - 1)))
                pairs.append((next(self.names), "[" + ", ".join(names[i] for i in part) + "]"))
                self.sets.append(Set(pairs[-1][0], "number", part))
                self.has.add("part of a set")
        if pairs:
            self.texts.append(block("sets", pairs))

    def new_set(self):
        dice = self.dice
        kind = dice.choice(("range", "range", "names", "numbers", "worked out"))
        if kind == "names":
            names = [self.words.pop() for _ in range(min(len(self.words), dice.randint(2, 4)))]
            if len(names) > 1:
                return "[" + ", ".join(names) + "]", [*range(len(names))], names
        if kind == "numbers":
            values = sorted(dice.sample(range(-3, 8), dice.randint(1, 4)))
            self.has.add("numbers")
            return "[" + ", ".join(map(str, values)) + "]", values, []
        low = dice.choice((0, 0, 1, 1, -2))
        high = low + dice.randint(1, 3)
        if kind == "worked out":
            return f"{low}..2 * {high} - {high}", [*range(low, high + 1)], []
        return f"{low}..{high}", [*range(low, high + 1)], []

    def some_set(self, most=INDICES, cells=True):
        """One that has a name, or is written where it is needed."""
        dice = self.dice
        known = [each for each in self.sets if len(each.values) <= most and (cells or each.kind != "cell")]
        if known and self.chance(0.7):
            return dice.choice(known)
        if self.characters and cells and self.chance(0.4):
            characters = "".join(dice.sample(sorted(self.characters), dice.randint(1, min(2, len(self.characters)))))
            values = [cell for cell in self.cells if any(cell in self.characters[c] for c in characters)]
            if len(values) <= most:
                self.has.add("characters")
                return Set(f"'{characters}'", "cell", values)
        low = dice.choice((0, 1, 1, -1))
        high = low + dice.randint(1, max(1, min(3, most - 1)))
        if self.chance(0.3):
            values = sorted(dice.sample(range(-2, 7), dice.randint(1, max(1, min(3, most)))))
            return Set("[" + ", ".join(map(str, values)) + "]", "number", values)
        return Set(f"{low}..{high}", "number", [*range(low, high + 1)])

    def constant(self, kind, values=None):
        if kind == "cell":
            return self.dice.choice(values or self.cells)
        if values:
            number = self.dice.choice(values)
            named = [name for name, value in self.constants if value == number]
            return self.dice.choice(named) if named and self.chance(0.5) else str(number)
        return self.dice.choice(["0", "1", "2", "3", "-1", "5", "true", "false"] + [name for name, _ in self.constants])

    def write_tables(self):
        dice, pairs = self.dice, []
        kind = lambda: "cell" if self.cells and self.chance(0.3) else "number"
        entry = lambda kind: "none" if self.chance(0.1) else self.constant(kind)
        for _ in range(dice.choice((0, 1, 1, 2))):
            name, what, form = next(self.names), kind(), dice.choice(("number", "list", "one", "two", "all", "worked out"))
            indices, line = [], lambda count: "[" + ", ".join(entry(what) for _ in range(count)) + "]"
            key = name
            if form == "number":
                what, written = "number", str(dice.randint(-3, 5))
            elif form == "list":
                indices, written = [Set("", "number", [*range(3)])], line(3)
            else:
                indices = [self.some_set(9) for _ in range(2 if form == "two" or self.chance(0.3) else 1)]
                own = [next(self.names) for _ in indices] if form == "worked out" else None
                key += "[" + ", ".join((f"{own[i]} in " if own else "") + each.written
                                       for i, each in enumerate(indices)) + "]"
                lengths = [len(each.values) for each in indices]
                if form == "worked out":
                    self.local = [Known(n, each.kind, each.values) for n, each in zip(own, indices)]
                    written = quoted(self.value(what, 2))
                    self.local = []
                elif form == "all":
                    written = self.constant(what)
                else:
                    written = line(lengths[0]) if len(indices) == 1 else \
                        "[" + ", ".join(line(lengths[1]) for _ in range(lengths[0])) + "]"
            pairs.append((key, written))
            self.tables.append(Known(name, what, None, indices))
            self.has.add("table")
        if pairs:
            self.texts.append(block("tables", pairs))

    def write_state(self, most):
        dice, pairs, size = self.dice, [], 1
        for _ in range(dice.randint(1, 5)):
            indices = [self.some_set(6) for _ in range(dice.choice((0, 0, 1, 1, 1, 2)))]
            values = self.some_set(12)
            count = math.prod(len(each.values) for each in indices)
            if len(values.values) < 2 or size * len(values.values)**count > most or count > 9:
                continue
            size *= len(values.values)**count
            name = next(self.names)
            key = name + ("[" + ", ".join(each.written for each in indices) + "]" if indices else "")
            pairs.append((key, quoted(values.written)))
            self.variables.append(Known(name, values.kind, values.values, indices))
            self.has.add(f"{len(indices)} indices")
        if pairs and self.chance(0.25):
            self.write_spare(pairs, size)
        self.texts.append(block("state", pairs))
        return size if pairs else 0

    def write_spare(self, pairs, size):
        """An array that conditions know nothing of, of which a few are changed at most: 64 to 112 bits with the other
        variables, for a value does not lie in two words, so each word may stay without 8 of its bits."""
        most = self.dice.choice((1, 2, 3, 6, 200))
        count = int(self.dice.randint(64, 112 - math.ceil(math.log2(size))) / math.log2(most + 1))
        self.spare = next(self.names), self.dice.choices(range(1, count + 1), k=2)
        pairs.insert(self.dice.randint(0, len(pairs)), (f"{self.spare[0]}[1..{count}]", f"0..{most}"))
        self.has.add("wide keys")

    # -- expressions: a text and how strongly it holds together --

    def wrap(self, part, least):
        text, level = part
        return f"({text})" if level < least or self.chance(0.03) else text

    def value(self, kind, depth):
        return self.wrap(self.cell(depth) if kind == "cell" else self.number(depth), 0)

    def index(self, each, depth):
        """Something that is mostly in the set."""
        near = [known for known in (*self.local, *self.variables) if known.kind == each.kind and not known.indices and
                set(known.values) & set(each.values)]
        if near and self.chance(0.8):
            name = self.dice.choice(near).name
            if each.kind == "number" and len(each.values) > 1 and self.chance(0.25):
                return f"{name} {self.dice.choice('+-')} 1"
            return name
        return self.constant(each.kind, each.values) if depth < 2 or self.chance(0.6) else \
            self.value(each.kind, depth - 1)

    def named(self, kind, depth):
        """A parameter, a variable or a table of this kind; None where there is none."""
        known = [each for each in (*self.local, *self.local, *self.variables, *self.tables) if each.kind == kind]
        if not known:
            return None
        each = self.dice.choice(known)
        return each.name + ("[" + ", ".join(self.index(i, depth) for i in each.indices) + "]" if each.indices else "")

    def cell(self, depth):
        dice, how = self.dice, self.dice.random()
        single = [f"'{c}'" for c, cells in self.characters.items() if len(cells) == 1]
        if how < 0.4 and (text := self.named("cell", depth)):
            return text, SINGLE
        if how < 0.7 and depth > 0:
            return f"step[{self.value('cell', depth - 1)}, {self.index(Set('', 'number', [0, 1, 2, 3]), depth)}]", SINGLE
        if how < 0.8 and depth > 0:
            return self.choose(self.cell, depth)
        if how < 0.85 and depth > 0:
            return self.loop(dice.choice(("min", "max")), self.cell, depth)
        if how < 0.92 and depth > 0:
            return self.last("step[{}, %s]" % self.index(Set("", "number", [0, 1, 2, 3]), 1), "cell", depth)
        return dice.choice(single + [dice.choice(self.cells), dice.choice(self.cells)]), SINGLE

    def choose(self, one, depth):
        least = LEVELS.index("or")
        self.has.add("if else")
        return f"{self.wrap(one(depth - 1), least)} if {self.wrap(self.condition(depth - 1), least)} else " \
               f"{self.wrap(one(depth - 1), 0)}", 0

    def loops(self, most):
        """What stands behind 'for', whose names are known from then on."""
        loops = []
        for _ in range(self.dice.choice((1, 1, 2))):
            over, name = self.some_set(most), next(self.names)
            loops.append(f"{name} in {over.written}")
            self.local.append(Known(name, over.kind, over.values))
        return ", ".join(loops)

    def loop(self, word, one, depth):
        before = list(self.local)
        loops = self.loops(5)
        last = f" if {self.wrap(self.condition(depth - 1), 0)}" if self.chance(0.3) else ""
        text = f"{word}({self.wrap(one(depth - 1), 0)} for {loops}{last})"
        self.local = before
        self.has.add("loop")
        return text, SINGLE

    def number(self, depth):
        dice, how = self.dice, self.dice.random()
        if depth <= 0 or how < 0.35:
            text = self.named("number", depth) if self.chance(0.7) else None
            text = text or self.constant("number")
            return text, SINGLE if text[0] != "-" else LEVELS.index("sign")
        if how < 0.6:
            sign = dice.choice("++--*/%")
            level = LEVELS.index("sum" if sign in "+-" else "product")
            return f"{self.wrap(self.number(depth - 1), level)} {sign} {self.wrap(self.number(depth - 1), level + 1)}", \
                level
        if how < 0.65:
            return "-" + self.wrap(self.number(depth - 1), LEVELS.index("sign") + 1), LEVELS.index("sign")
        if how < 0.7:
            return f"abs({self.value('number', depth - 1)})", SINGLE
        if how < 0.77:
            parts = [self.value("number", depth - 1) for _ in range(dice.randint(2, 3))]
            return f"{dice.choice(('min', 'max'))}({', '.join(parts)})", SINGLE
        if how < 0.83:
            return self.choose(self.number, depth)
        if how < 0.88:
            return self.loop(dice.choice(("sum", "min", "max")), self.number, depth)
        if how < 0.91:
            return self.loop("count", self.condition, depth)
        if how < 0.95 and self.cells:
            return f"{dice.choice(('row', 'column'))}[{self.value('cell', depth - 1)}]", SINGLE
        if how < 0.97:
            return "none", SINGLE
        if how < 0.99:
            following = dice.choice(("{} + 1", "({} + 2) % 5", "{} - 1 if {} > 0 else none", "{}"))
            return self.last(following, "number", depth)
        return self.condition(depth - 1)

    def last(self, following, kind, depth):
        name, begin = next(self.names), self.value(kind, depth - 1)
        self.local.append(Known(name, kind, self.cells if kind == "cell" else [0, 1, 2, 3]))
        condition = f" while {self.wrap(self.condition(depth - 1), 0)}" if self.chance(0.8) else ""
        self.local.pop()
        self.has.add("last")
        return f"last({following.replace('{}', name)} for {name} from {begin}{condition})", SINGLE

    def either(self, depth):
        return self.cell(depth) if self.cells and self.chance(0.4) else self.number(depth)

    def condition(self, depth):
        dice, how = self.dice, self.dice.random()
        if depth > 0 and how < 0.25:
            word = dice.choice(("and", "or"))
            level = LEVELS.index(word)
            parts = [self.wrap(self.condition(depth - 1), level + 1) for _ in range(dice.randint(2, 3))]
            return f" {word} ".join(parts), level
        if depth > 0 and how < 0.33:
            return f"not {self.wrap(self.condition(depth - 1), LEVELS.index('not'))}", LEVELS.index("not")
        if depth > 0 and how < 0.45:
            return self.loop(dice.choice(("all", "any")), self.condition, depth)
        level = LEVELS.index("compare")
        if how < 0.55:
            over = self.some_set()
            one = self.cell(depth) if over.kind == "cell" else self.number(depth)
            return f"{self.wrap(one, level + 1)} {dice.choice(('in', 'not in'))} {over.written}", level
        if how < 0.6:
            return f"{self.wrap(self.either(depth), level + 1)} {dice.choice(('==', '!='))} none", level
        if how < 0.65:
            return self.number(depth - 1)
        one = self.cell if self.cells and self.chance(0.4) else self.number
        parts = [self.wrap(one(depth - 1), level + 1)]
        for _ in range(dice.choice((1, 1, 1, 2))):
            signs = ("==", "!=", "<", "<=", ">", ">=")
            parts += [dice.choice(signs), self.wrap(one(depth - 1), level + 1)]
        if len(parts) > 3:
            self.has.add("chain")
        return " ".join(parts), level

    # -- starts, moves --

    def start(self, whole):
        """One mapping; `whole` says that '*' may stand in it."""
        dice, pairs = self.dice, []
        value = lambda each: quoted(self.constant(each.kind, each.values), flow=True)
        for each in self.variables:
            count = math.prod(len(i.values) for i in each.indices)
            how = dice.random()
            if how < 0.25:
                continue
            if how < 0.35 and whole and len(each.values)**count < 30:
                pairs.append((each.name, "'*'"))
                self.has.add("every value")
            elif each.indices and how < 0.6:
                line = lambda length: "[" + ", ".join(
                    "'*'" if whole and self.chance(0.05) else value(each) for _ in range(length)) + "]"
                lengths = [len(i.values) for i in each.indices]
                pairs.append((each.name, line(count) if len(lengths) == 1 else
                              "[" + ", ".join(line(lengths[1]) for _ in range(lengths[0])) + "]"))
                self.has.add("start as a list")
            elif each.indices and how < 0.65:
                index = ", ".join(self.constant(i.kind, i.values) for i in each.indices)
                pairs.append((f"{each.name}[{index}]", value(each)))
                self.has.add("start of one element")
            elif len(each.indices) == 1 and how < 0.8 and set(each.values) >= {0, 1} and each.kind == "number":
                own, over = next(self.names), each.indices[0]
                self.local, variables, self.variables = [Known(own, over.kind, over.values)], self.variables, []
                pairs.append((f"{each.name}[{own}]",
                              quoted(self.wrap((f"{own} in {self.some_of(over)}", LEVELS.index("compare")), 0))))
                self.local, self.variables = [], variables
                self.has.add("start by index")
            else:
                pairs.append((each.name, value(each)))
        return pairs

    def some_of(self, over):
        """A set that has members of this one."""
        if over.kind == "cell":
            return f"'{self.dice.choice(sorted(self.characters))}'"
        return f"{over.values[0]}..{self.dice.choice(over.values)}"

    def write_starts(self):
        form = self.dice.choice(("one", "one", "one", "list", "none"))
        if form == "list":
            self.has.add("several starts")
            mappings = [pairs for _ in range(self.dice.randint(2, 3)) if (pairs := self.start(True))]
            if mappings:
                self.texts.append("start:\n" + "".join(
                    "  - " + "\n    ".join(f"{quoted(name)}: {value}" for name, value in pairs) + "\n"
                    for pairs in mappings))
        elif form == "one" and (pairs := self.start(self.chance(0.5))):
            self.texts.append(block("start", pairs))

    def target(self):
        """The left side of an assignment, and the variable."""
        each = self.dice.choice(self.variables)
        return each.name + ("[" + ", ".join(self.index(i, 1) for i in each.indices) + "]" if each.indices else ""), each

    def right_side(self, left, each):
        dice, how = self.dice, self.dice.random()
        if each.kind == "cell":
            if how < 0.5:
                return f"step[{left}, {self.index(Set('', 'number', [0, 1, 2, 3]), 1)}]"
            return self.value("cell", 2)
        span = each.values[-1] - each.values[0] + 1
        if how < 0.3:
            return f"{left} {dice.choice('+-')} {self.wrap(self.number(0), LEVELS.index('product'))}"
        if how < 0.4:
            return f"{each.values[0]} + ({left} + 1) % {span}"
        if how < 0.55:
            return self.constant("number", each.values)
        if how < 0.65:
            return f"{each.values[0] + each.values[-1]} - {left}"
        alike = [known for known in (*self.local, *self.variables) if known.kind == "number" and not known.indices and
                 set(known.values) & set(each.values)]
        return dice.choice(alike).name if alike and how < 0.8 else self.value("number", 2)

    def assignments(self):
        dice = self.dice
        arrays = [each for each in self.variables if each.indices]
        self.repeats = False  # some assignment has loops: they cannot be a mapping
        if arrays and self.chance(0.25):  # two are exchanged
            each = dice.choice(arrays)
            one, other = (each.name + "[" + ", ".join(self.index(i, 1) for i in each.indices) + "]" for _ in range(2))
            self.has.add("meeting writes")
            return [(one, other), (other, one)]
        pairs = []
        for _ in range(dice.choice((1, 1, 1, 2, 3))):
            before, loops = list(self.local), ""
            if self.chance(0.25):
                loops = f" for {self.loops(4)}"
                self.has.add("repeated assignment")
                self.repeats = True
            left, each = self.target()
            pairs.append((left, self.right_side(left, each) + loops))
            if loops and self.chance(0.6):
                pairs[-1] = left, f"{pairs[-1][1]} if {self.wrap(self.condition(1), 0)}"
            self.local = before
        if self.spare and self.chance(0.3):
            pairs.append((f"{self.spare[0]}[{dice.choice(self.spare[1])}]", dice.choice("01")))
        return pairs

    def write_move(self, number):
        dice = self.dice
        self.local, lines, name = [], [], f"m{number}"
        loops = []
        for _ in range(dice.choice((0, 1, 1, 1, 2))):
            own = next(self.names)
            over = self.some_set(6) if not self.variables[0].indices or self.chance(0.5) else \
                dice.choice(dice.choice([each for each in self.variables if each.indices]).indices)
            loops.append((own, quoted(over.written)))
            self.local.append(Known(own, over.kind, over.values))
            name += dice.choice((" {%s}", "-{%s}")) % own
        lines.append(f"name: {quoted(name)}")
        if loops:
            lines.append("for:\n" + "".join(f"      {own}: {written}\n" for own, written in loops).rstrip("\n"))
        lets = []
        for _ in range(dice.choice((0, 0, 0, 1, 2))):
            kind, own = "cell" if self.cells and self.chance(0.5) else "number", next(self.names)
            lets.append((own, quoted(self.value(kind, 2))))
            self.local.append(Known(own, kind, self.cells if kind == "cell" else [0, 1, 2, 3]))
            self.has.add("let")
        if lets:
            lines.append("let:\n" + "".join(f"      {own}: {written}\n" for own, written in lets).rstrip("\n"))
        if self.chance(0.75):
            lines.append(f"if: {quoted(self.wrap(self.condition(2), 0))}")
        pairs = self.assignments()
        if self.chance(0.2) and not self.repeats and len({left for left, _ in pairs}) == len(pairs):
            lines.append("do: {" + ", ".join(f"{quoted(left, True)}: {quoted(right, True)}"
                                             for left, right in pairs) + "}")
        else:
            lines.append("do: " + quoted(", ".join(f"{left} = {right}" for left, right in pairs)))
        if self.free and self.chance(0.4):
            lines.append("cost: " + dice.choice(("0", "0", quoted(f"max(0, min(3, {self.wrap(self.number(1), 0)}))"))))
            self.has.add("free moves")
        elif self.chance(0.3):
            cost = str(dice.randint(1, 5)) if self.chance(0.5) else \
                dice.choice(("1 + max(0, min(9, abs({})))", "max(1, min(9, {}))", "2 if {} > 1 else 3")).format(
                    self.wrap(self.number(1), LEVELS.index("sum")))
            lines.append(f"cost: {quoted(cost)}")
            self.has.add("cost" if cost.isdigit() else "cost by state")
        self.local = []
        return "  - " + "\n    ".join(lines) + "\n"


def begin(dice, name, most):
    """A writer that has written all but `keep`, the moves and the goal; None where it did not come out well."""
    writer = Writer(dice)
    writer.texts.append(f"puzzle: {name}\nfamily: rules\n")
    if dice.random() < 0.55:
        writer.write_board()
    writer.write_sets()
    writer.write_tables()
    if writer.write_state(most) < 4:
        return None
    writer.write_starts()
    return writer
