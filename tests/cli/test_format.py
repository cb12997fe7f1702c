"""tools/check-format and tools/pre-commit: every kind of fault is found and named, and what is staged counts, not what
lies beside it."""

import shutil
import subprocess
import unittest

from helpers.harness import SOURCE, Case, needs

CHECK, HOOK = SOURCE / "tools/check-format", SOURCE / "tools/pre-commit"

FAULTS = {
    "spaces.c": ("int  x;\n", "not formatted"),
    "open.py": ("x = (\n", "never closed"),
    "open.sh": ("#!/bin/bash\nif true\n", "syntax error"),
    "program": ("#!/usr/bin/env python3\ndef\n", "invalid syntax"),
    "blanks.md": ("a \n", "blanks at the end"),
    "cut.yaml": ("a: b", "no newline"),
    "large.txt": ("a line of text\n" * 20000, "larger than"),
}
GOOD = {"good.c": "int x;\n", "good.py": "x = 1\n", "good.sh": "#!/bin/bash\ntrue\n", "with space.md": "a\tb\n"}


@needs("clang-format", "git")
class Format(Case):
    def setUp(self):
        super().setUp()
        for name, text in {**{name: text for name, (text, _) in FAULTS.items()}, **GOOD}.items():
            self.write(name, text)
        shutil.copy(SOURCE / ".clang-format", self.dir)

    def command(self, *words):
        done = subprocess.run(words, cwd=self.dir, env=self.environment(self.dir), stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        return done.returncode, done.stdout.decode()

    def test_faults(self):
        code, out = self.command(CHECK, *FAULTS, *GOOD)
        self.assertEqual((code, len(out.splitlines())), (1, len(FAULTS)), out)
        for name, (_, words) in FAULTS.items():
            with self.subTest(name):
                self.assertRegex(out, rf"(?m)^{name}.*{words}")
        self.assertEqual(self.command(CHECK, *GOOD), (0, ""))

    def test_fix(self):
        self.assertEqual(self.command(CHECK, "--fix", "spaces.c"), (0, ""))
        self.assertEqual((self.dir / "spaces.c").read_text(), "int x;\n")

    def test_hook(self):
        for words in (["init", "-q"], ["add", ".clang-format", "spaces.c", *GOOD]):
            self.assertEqual(self.command("git", *words), (0, ""))
        tools = self.dir / "tools"
        tools.mkdir()
        shutil.copy(CHECK, tools)
        shutil.copy(HOOK, tools)
        self.write("spaces.c", "int x;\n")  # mended, but not what is staged
        code, out = self.command("tools/pre-commit")
        self.assertEqual((code, out), (1, "spaces.c: not formatted (tools/check-format --fix does it)\n"))
        self.command("git", "add", "spaces.c")
        self.assertEqual(self.command("tools/pre-commit"), (0, ""))


if __name__ == "__main__":
    unittest.main()
