"""As much of YAML as definitions need: mappings, lists and texts, in blocks and in one line; a text below a `|`."""

import re

KEY = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s"'\[{#&*!|>%@`-](?:(?!:\s|\s\#).)*?|-[^\s](?:(?!:\s|\s\#).)*?)\s*:(?:\s+|$)""",
                 re.VERBOSE)


def unquoted(text):
    """A scalar of one line."""
    text = text.strip()
    if text[:1] == '"':
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    return text[1:-1].replace("''", "'") if text[:1] == "'" else text


class Flow:
    """What stands in one line, read from its beginning."""

    def __init__(self, text):
        self.text = text

    def skip(self, sign=None):
        self.text = self.text.lstrip()
        if sign is not None:
            assert self.text.startswith(sign), (sign, self.text)
            self.text = self.text[len(sign):].lstrip()

    def scalar(self, ends):
        self.skip()
        quoted = re.match(r"""'(?:[^']|'')*'|"(?:[^"\\]|\\.)*\"""", self.text)
        found = quoted or re.match(rf"(?:(?!:\s|\s\#)[^{ends}])*", self.text)
        self.text = self.text[found.end():]
        self.skip()
        return unquoted(found[0])

    def value(self):
        self.skip()
        if self.text[:1] == "[":
            return self.items("[", "]", self.value)
        if self.text[:1] == "{":
            return dict(self.items("{", "}", self.pair))
        return self.scalar(r",\[\]{}")

    def pair(self):
        key = self.scalar(r",\[\]{}")
        self.skip(":")
        return key, self.value()

    def items(self, begin, end, one):
        found = []
        self.skip(begin)
        while not self.text.startswith(end):
            found.append(one())
            if not self.text.startswith(end):
                self.skip(",")
        self.skip(end)
        return found


class Block:
    def __init__(self, text):
        self.lines = text.split("\n")
        self.at = 0

    def next(self):
        """The indentation and the text of the next line that says something; None at the end."""
        while self.at < len(self.lines):
            text = self.lines[self.at].lstrip()
            if text and text[0] != "#":
                return len(self.lines[self.at]) - len(text), text.rstrip()
            self.at += 1
        return None

    def node(self, least):
        """What begins at the next line, which is indented by at least so much."""
        line = self.next()
        if line is None or line[0] < least:
            return ""
        indent, text = line
        if text == "-" or text.startswith("- "):
            return self.list(indent)
        if text[0] not in "[{" and KEY.match(text):
            return self.mapping(indent)
        self.at += 1
        return self.one_line(text, indent)

    def one_line(self, text, indent):
        text = re.sub(r"\s#.*", "", text) if text[:1] == "|" else text
        if text[:1] == "|":
            return self.literal(indent, text[1:])
        if text[:2] == ">-":
            return " ".join(self.literal(indent, "").split())
        flow = Flow(text)
        if text[0] in "[{":
            while text.count("[") + text.count("{") > text.count("]") + text.count("}"):
                text += " " + self.next()[1]
                self.at += 1
            flow = Flow(text)
            return flow.value()
        return flow.scalar("\n")

    def literal(self, indent, margin):
        lines = []
        while self.at < len(self.lines) and (not self.lines[self.at].strip() or
                                             self.lines[self.at][:indent + 1].strip() == ""):
            lines.append(self.lines[self.at])
            self.at += 1
        cut = indent + int(margin) if margin.strip().isdigit() else \
            len(lines[0]) - len(lines[0].lstrip())
        return "\n".join(line[cut:] for line in lines).strip("\n")

    def list(self, indent):
        found = []
        while (line := self.next()) and line[0] == indent and (line[1] == "-" or line[1].startswith("- ")):
            self.lines[self.at] = " " * (indent + 1) + self.lines[self.at].lstrip()[1:]
            found.append(self.node(indent + 1))
        return found

    def mapping(self, indent):
        found = {}
        while (line := self.next()) and line[0] == indent:
            key = KEY.match(line[1])
            assert key, line
            rest = line[1][key.end():]
            self.at += 1
            found[unquoted(key[1])] = self.one_line(rest, indent) if rest and rest[0] != "#" else \
                self.node(indent if self.next() and self.next()[1].startswith("- ") else indent + 1)
        return found


def read(text):
    return Block(text).node(0)
