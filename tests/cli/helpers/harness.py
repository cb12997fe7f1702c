"""What the tests of the programs share: running them, temporary places, and what a complaint has to look like."""

import fcntl
import json
import os
import pathlib
import pty
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

# meson.build says where things are; a test that is started by hand takes those of build/.
SOURCE = pathlib.Path(os.environ.get("PDB_SOURCE", pathlib.Path(__file__).resolve().parents[3]))
BUILD = os.environ.get("PDB_BUILD", str(SOURCE / "build"))
GEN = os.environ.get("PDB_GEN", f"{BUILD}/gen/pdb-gen")
QUERY = os.environ.get("PDB_QUERY", f"{BUILD}/query/pdb-query")
SERVE = os.environ.get("PDB_SERVE", f"{BUILD}/serve/pdb-serve")  # "" where it is not built

# Under nohup, or in a shell's background, these are ignored, and so they would be by the programs; with a handler here
# they are not.
for _number in (signal.SIGINT, signal.SIGHUP):
    if signal.getsignal(_number) == signal.SIG_IGN:
        signal.signal(_number, lambda *_: None)

# Tests that take long have a short form (tests/support/support.h).
SHORT = int(os.environ.get("PDB_TESTS_SHARE", "1")) > 1

# What the leak checker says of a program that is killed while it looks at its threads: it has found nothing.
CUT_SHORT = re.compile(r"^==\d+==Unable to get registers from thread \d+\.\n", re.MULTILINE)

GOAT_START = "1,8,9,10,2,0,7,5,3,8,4,6"
GOAT_GOAL = "1,8,9,10,2,5,7,0,3,8,4,6"
GOAT_SEED = "6,7,9,10,4,5,2,8,0,8,3,1"

# What is too small to hide anything: 360 states, deepest 21.
TINY = """\
puzzle: tiny
family: slide
goal: |
  1 2 3
  4 5 .
boards:
  start: 45./123
"""


def needs(*programs):
    """For a test, or a class of them, that cannot do without these: where one is missing, they are skipped, and it is
    said why."""
    missing = [program for program in programs if not shutil.which(program)]
    if missing:
        print(f"skipped: what takes {', '.join(missing)}", file=sys.stderr)
    return unittest.skipIf(missing, f"not installed: {', '.join(missing)}")


def option_table(program):
    """A program's options, as its source has them: the long name -> ("no", "required" or "optional", the short letter
    or None)."""
    source = (SOURCE / program.removeprefix("pdb-") / "options.c").read_text()
    table = re.findall(r'^ +\{"([\w-]+)", ([^,]+), (no|required|optional)_argument, ', source, re.MULTILINE)
    return {name: (argument, letter[1] if letter.startswith("'") else None)
            for name, letter, argument in table + [("help", "'h'", "no"), ("version", "'V'", "no")]}


class Result:
    """How a program ended: its exit code and what it wrote."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    def __eq__(self, other):
        return (self.code, self.out, self.err) == (other.code, other.out, other.err)

    @property
    def json(self):
        return json.loads(self.out)

    @property
    def lines(self):
        return self.out.splitlines()

    def __repr__(self):
        return f"exit {self.code}\n-- stdout\n{self.out[:2000]}\n-- stderr\n{self.err[:2000]}"


class Case(unittest.TestCase):
    """A test with a directory of its own (with a space in its path), which is also the home directory and $PWD of what
    it runs."""

    maxDiff = None

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.shared = pathlib.Path(tempfile.mkdtemp(prefix="pdb cli "))
        cls.addClassCleanup(shutil.rmtree, cls.shared, ignore_errors=True)
        cls.reports = pathlib.Path(
            tempfile.mkdtemp(prefix="pdb-reports-"))  # no space: sanitizers split their options there
        cls.addClassCleanup(shutil.rmtree, cls.reports, ignore_errors=True)
        cls.reports.chmod(0o1777)  # some tests run programs as another user

    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="pdb cli "))
        self.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)
        self.db = self.dir / "data bases"
        self.addCleanup(self.assert_no_report)

    def assert_no_report(self):
        """A sanitizer's report is a failure, whatever the exit code was."""
        texts = [CUT_SHORT.sub("", path.read_text(errors="replace")) for path in self.reports.iterdir()]
        for path in self.reports.iterdir():
            path.unlink()
        self.assertEqual([text for text in texts if text.strip()], [])

    @classmethod
    def environment(cls, home, **changes):
        """No variable that decides where databases are or how a terminal looks, unless a test sets it; None takes one
        away."""
        keep = {
            name: value for name, value in os.environ.items()
            if name not in ("PDB_PATH", "XDG_DATA_HOME", "HOME", "COLUMNS", "NO_COLOR") and not name.startswith("LC_")
        }
        keep.update(HOME=str(home), LANG="C", TERM="xterm-256color")
        for name, options in (("ASAN_OPTIONS", "detect_leaks=1:halt_on_error=1"),
                              ("UBSAN_OPTIONS", "print_stacktrace=1:halt_on_error=1")):
            keep[name] = ":".join(
                filter(None, (keep.get(name), options, f"log_path={cls.reports}/{name[:5].lower().rstrip('_')}")))
        keep.update({name: str(value) for name, value in changes.items() if value is not None})
        return {name: value for name, value in keep.items() if name not in changes or changes[name] is not None}

    def run_program(self, program, *arguments, stdin=None, env=None, **options):
        """Runs to the end. stdin is text, bytes, or None for nothing."""
        options.setdefault("cwd", self.dir)
        if isinstance(stdin, str):
            stdin = stdin.encode()
        if "stdin_file" in options:
            options["stdin"] = options.pop("stdin_file")
        else:
            options["input"] = stdin or b""
        done = subprocess.run([program, *map(_text, arguments)], env=self.environment(self.dir, **(env or {})),
                              stdout=options.pop("stdout",
                                                 subprocess.PIPE), stderr=subprocess.PIPE, timeout=200, **options)
        return Result(done.returncode, (done.stdout or b"").decode(), done.stderr.decode())

    def launch(self, program, *arguments, env=None, **options):
        """Begins a run with pipes for what it says; it does not outlive the test."""
        options.setdefault("cwd", self.dir)
        running = subprocess.Popen([program, *map(_text, arguments)], env=self.environment(self.dir, **(env or {})),
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
        self.addCleanup(self.put_to_an_end, running)
        return running

    @staticmethod
    def put_to_an_end(running):
        running.kill()
        for pipe in filter(None, (running.stdin, running.stdout, running.stderr)):
            pipe.close()
        running.wait()

    @staticmethod
    def send_once_handled(running, number, later=0.5):
        """Sends a signal so many seconds after the program catches it or holds it back, for which a busy machine takes
        its time."""
        def handled():
            status = pathlib.Path(f"/proc/{running.pid}/status").read_text()
            return any(
                int(mask, 16) >> (number - 1) & 1
                for mask in re.findall(r"^Sig(?:Blk|Cgt):\s*(\w+)$", status, re.MULTILINE))

        while running.poll() is None and not handled():
            time.sleep(0.01)
        time.sleep(later)
        running.send_signal(number)

    @staticmethod
    def finish(running, stdin=None, seconds=200):
        """Writes the last of its input, if it has one, and waits for its end: the result."""
        out, err = running.communicate(None if stdin is None else stdin.encode(), timeout=seconds)
        return Result(running.returncode, out.decode(), err.decode())

    def gen(self, *arguments, **options):
        return self.run_program(GEN, *arguments, **options)

    def query(self, *arguments, **options):
        return self.run_program(QUERY, *arguments, **options)

    def on_terminal(self, program, *arguments, columns=80, stdout=None, env=None):
        """Runs to the end on a terminal, which is told in the place of standard error; of output, too, unless stdout is
        subprocess.PIPE."""
        screen, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        said = b""
        with open(screen, "rb", buffering=0) as shown, \
             subprocess.Popen([program, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=stdout or terminal,
                              stderr=terminal, cwd=self.dir, env=self.environment(self.dir, **(env or {}))) as running:
            os.close(terminal)
            try:
                while piece := shown.read(65536):
                    said += piece
            except OSError:  # all who could write have closed it
                pass
            out = running.stdout.read() if stdout else b""
            return Result(running.wait(200), out.decode(), said.decode().replace("\r\n", "\n"))

    def write(self, name, text):
        path = self.dir / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def make_tiny(self):
        """The tiny puzzle's definition and its database in self.db."""
        path = self.write("tiny.yaml", TINY)
        self.assert_answer(self.gen("-d", self.db, path))
        return path

    # -- what results have to look like --

    def assert_answer(self, result, code=0):
        """Answered: something on standard output (or quiet on purpose), nothing on standard error."""
        self.assertEqual((result.code, result.err), (code, ""), result)
        return result

    def assert_complaint(self, result, code, *fragments):
        """One clear line on standard error that names the program, nothing on standard output."""
        self.assertEqual(result.code, code, result)
        self.assertEqual(result.out, "", result)
        self.assertRegex(result.err, r"\A(pdb-gen|pdb-query): [^\n]+\n\Z", result)
        for fragment in fragments:
            self.assertIn(fragment, result.err)
        return result


def _text(word):
    return word if isinstance(word, (str, bytes, os.PathLike)) else str(word)


class GoatCase(Case):
    """Cases that ask one Goat database, made once."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.goat = cls.shared / "goat base"
        subprocess.run([GEN, "-q", "-d", str(cls.goat), "goat"], check=True, env=cls.environment(cls.shared))

    def ask(self, *arguments, **options):
        return self.query("-d", self.goat, "goat", *arguments, **options)
