"""Completion in bash, zsh and fish: what real shells offer for options, their values, puzzles, boards and files.

A shell that is not installed is left out (tools/install-packages installs all of them). Options are held against the
programs' own tables.
"""

import os
import pathlib
import pty
import re
import select
import subprocess
import time
import unittest

from helpers.harness import GEN, QUERY, SERVE, SOURCE, TINY, Case, needs, option_table

COMPLETIONS = SOURCE / "completions"
PROGRAMS = ("pdb-gen", "pdb-query", *(["pdb-serve"] if SERVE else []))


class Shells(Case):
    def setUp(self):
        super().setUp()
        self.write("tiny.yaml", TINY)
        self.write("notes.txt", "no definition")
        (self.dir / "tables").mkdir()
        places = os.pathsep.join(str(pathlib.Path(program).parent) for program in (GEN, QUERY, *([SERVE] if SERVE else [])))
        self.env = self.environment(self.dir, PATH=f"{places}:{os.environ['PATH']}", TERM="dumb")
        # of a name in which capitals stand for a size, the part before them
        self.puzzles = {re.sub("[A-Z].*", "", line.split()[0]) for line in self.gen("--list").lines}

    def typed(self, command, prepare, keys, wanted):
        """Types keys into an interactive shell once its prompt is there: what it shows until `wanted` (a pattern) has
        come."""
        master, slave = pty.openpty()
        shell = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, cwd=self.dir, env=self.env,
                                 start_new_session=True)
        os.close(slave)
        try:
            os.write(master, f"{prepare}; PS1='ready''> '\n".encode())
            self.shown(master, r"ready> ")
            os.write(master, keys.encode())
            return self.shown(master, wanted)
        finally:
            shell.kill()
            shell.wait()
            os.close(master)

    def shown(self, master, wanted):
        text, end = "", time.monotonic() + 60
        while not re.search(wanted, text):
            if time.monotonic() > end or not select.select([master], [], [], 60)[0]:
                self.fail(f"{wanted} does not come, but {text!r}")
            text += os.read(master, 65536).decode(errors="replace")
        return text

    # -- bash --

    def bash(self, *words):
        """What bash has to offer for the last of the words; as bash divides them, = is a word of its own."""
        program = {"pdb-gen": GEN, "pdb-query": QUERY, "pdb-serve": SERVE}[words[0]]
        script = ('source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _pdb "$PROGRAM"; '
                  'printf "%s\\n" "${COMPREPLY[@]}"')
        done = subprocess.run(["bash", "-c", script, COMPLETIONS / "pdb.bash", *words], cwd=self.dir,
                              env={**self.env, "PROGRAM": program}, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              check=True)
        self.assertEqual(done.stderr, b"")
        return set(done.stdout.decode().split())

    def test_bash_options(self):
        for program in PROGRAMS:
            expected = {
                f"--{name}" + ("=" if argument == "required" else "")
                for name, (argument, _) in option_table(program).items()
            }
            self.assertEqual(self.bash(program, "--"), expected)
        self.assertEqual(self.bash("pdb-query", "goat", "--hi"), {"--hint", "--histogram"})

    def test_bash_values(self):
        self.assertEqual(self.bash("pdb-query", "--method", "=", ""), {"auto", "db", "search"})
        self.assertEqual(self.bash("pdb-query", "--method", "="), {"auto", "db", "search"})
        self.assertEqual(self.bash("pdb-query", "--method", "s"), {"search"})
        self.assertEqual(self.bash("pdb-query", "goat", "--hint", "="), {"1", "2", "3"})
        self.assertEqual(self.bash("pdb-query", "goat", "--color", "=", ""), {"auto", "always", "never"})
        self.assertEqual(self.bash("pdb-gen", "-d", ""), {"tables"})
        self.assertEqual(self.bash("pdb-gen", "--db-dir", "=", "ta"), {"tables"})
        self.assertEqual(self.bash("pdb-gen", "--memory", "=", ""), set())

    def test_bash_words(self):
        self.assertEqual(self.bash("pdb-gen", ""), self.puzzles | {"tiny.yaml", "tables"})
        self.assertEqual(self.bash("pdb-gen", "goat", "gu"), {"guarini"})
        self.assertEqual(self.bash("pdb-query", "-d", "tables", "--threads", "=", "1", "goa"), {"goat"})
        self.assertEqual(self.bash("pdb-query", "t"),
                         {"tables", "tiles-", "tiles:", "tiny.yaml", "topspin-10", "triangle-15", "triangle-21"})
        self.assertEqual(self.bash("pdb-query", "goat", ""), {"start", "hardest", "goal"})
        self.assertEqual(self.bash("pdb-query", "--hint", "=", "2", "-j", "1", "tiny.yaml", "start", "g"), {"goal"})
        self.assertEqual(self.bash("pdb-query", "no-such", ""), set())

    def test_bash_typed(self):
        shown = self.typed(["bash", "--norc", "--noprofile", "-i"], f"source '{COMPLETIONS}/pdb.bash'",
                           "pdb-query goat ha\t--met\tdb --path\x01echo \n", r"\npdb-query .*\n")
        self.assertIn("\npdb-query goat hardest --method=db --path", shown)
        shown = self.typed(["bash", "--norc", "--noprofile", "-i"], f"source '{COMPLETIONS}/pdb.bash'",
                           "pdb-query hano\t3x2 g\t\x01echo \n", r"\npdb-query .*\n")
        self.assertIn("\npdb-query hanoi-3x2 goal", shown)

    # -- fish --

    def fish(self, line):
        """What fish has to offer, descriptions left out."""
        done = subprocess.run(["fish", "--no-config", "-c", f"source '{COMPLETIONS}/pdb.fish'; complete -C '{line}'"],
                              cwd=self.dir, env=self.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True)
        self.assertEqual(done.stderr, b"")
        return {word.split("\t")[0] for word in done.stdout.decode().splitlines()}

    @needs("fish")
    def test_fish(self):
        for program in PROGRAMS:
            table = option_table(program)
            self.assertEqual({word.rstrip("=") for word in self.fish(f"{program} --")}, {f"--{name}" for name in table})
            self.assertLess({f"-{short}" for _, short in table.values() if short}, self.fish(f"{program} -"))
        self.assertEqual(self.fish("pdb-query --method="), {"--method=auto", "--method=db", "--method=search"})
        self.assertEqual(self.fish("pdb-query goat --hint="), {"--hint=1", "--hint=2", "--hint=3"})
        self.assertEqual(self.fish("pdb-query --color="), {"--color=auto", "--color=always", "--color=never"})
        self.assertEqual(self.fish("pdb-gen --db-dir="), {"--db-dir=tables/"})
        self.assertEqual(self.fish("pdb-gen "), self.puzzles | {"tiny.yaml", "tables/"})
        self.assertEqual(self.fish("pdb-query -d tables --color never --threads=1 goat "), {"start", "hardest", "goal"})
        self.assertEqual(self.fish("pdb-query tiny.yaml start "), {"start", "goal"})

    @needs("fish")
    def test_fish_knows_which_options_take_values(self):
        text = (COMPLETIONS / "pdb.fish").read_text()
        for program in PROGRAMS:
            names = rf"\$program|{program}" + ("" if program == "pdb-serve" else r"|\$either")
            lines = re.findall(rf"^ *complete -c (?:{names}) (.*)", text, re.MULTILINE)
            required = {re.search(r"-l ([\w-]+)", line)[1] for line in lines if re.search(r"-l [\w-]+ -[xr]", line)}
            self.assertEqual(required,
                             {name for name, (argument, _) in option_table(program).items() if argument == "required"})

    # -- zsh --

    def zsh(self, keys, wanted):
        return self.typed(["zsh", "-f", "-i"],
                          f"fpath=('{COMPLETIONS}' $fpath); autoload -Uz compinit; compinit -u -D; LISTMAX=1000", keys,
                          wanted)

    @needs("zsh")
    def test_zsh_options(self):
        text = (COMPLETIONS / "_pdb").read_text()
        every, both, *parts = re.search(
            r"all=\((.*?)\n\)\nboth=\((.*?)\n\)\n.*pdb-gen\)(.*?);;.*pdb-query\)(.*?);;.*pdb-serve\)(.*?);;", text,
            re.DOTALL).groups()
        kinds = {"": "no", "=": "required", "=-": "optional"}
        for program, part in zip(("pdb-gen", "pdb-query", "pdb-serve"), parts):
            part = every + (both if program != "pdb-serve" else "") + part
            found = re.findall(r"^ +'(?:\([^)]*\))?'?(?:\{-(\w)\+?,)?--([\w-]+?)(=?-?)(?=[\[}])", part,
                               re.MULTILINE)
            self.assertEqual({name: (kinds[kind], short or None) for short, name, kind in found}, option_table(program))

    @needs("zsh")
    def test_zsh_typed(self):
        shown = self.zsh("pdb-query goat ha\t--met\tse\t --path\x01echo \n", r"\npdb-query .*\n")
        self.assertIn("\npdb-query goat hardest --method=search --path", shown)
        shown = self.zsh("pdb-gen tin\t-d tab\t goa\t\x01echo \n", r"\npdb-gen .*\n")
        self.assertRegex(shown, "\npdb-gen tiny.yaml -d tables/? goat")
        shown = self.zsh("pdb-query queens-\t6 st\t\x01echo \n", r"\npdb-query .*\n")
        self.assertIn("\npdb-query queens-6 start", shown)


if __name__ == "__main__":
    unittest.main()
