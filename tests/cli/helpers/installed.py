"""What `meson install` puts into a directory, for tests that use it as other programs do; and what pdb.h declares."""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile

from helpers.harness import BUILD, SOURCE, Case

CC = shlex.split(os.environ.get("PDB_CC", "cc"))
SANITIZE = os.environ.get("PDB_SANITIZE", "none")
SANITIZED = SANITIZE != "none"
HEADERS = ("pdb_puzzle.h", "pdb.h")  # the second one includes the first


class Stage:
    """An installation under a root that it was not made for: what makes its files be found there is in
    `environment`."""

    def __init__(self):
        self.root = root = pathlib.Path(
            tempfile.mkdtemp(prefix="pdb-stage-"))  # no space: pkgconf 1.8 stumbles over that in a root
        subprocess.run(["meson", "install", "-C", BUILD, "--no-rebuild", "--quiet", "--destdir", str(root)], check=True,
                       stdout=subprocess.DEVNULL)
        self.files = {str(path.relative_to(root)): path for path in sorted(root.rglob("*")) if not path.is_dir()}
        self.library = self.find("libpdb.so.0")
        self.environment = {
            "LD_LIBRARY_PATH": str(self.library.parent),
            "PYTHONPATH": str(self.find("libpdb.py").parent),
            "PKG_CONFIG_PATH": str(self.find("pdb.pc").parent),
            "PKG_CONFIG_SYSROOT_DIR": str(root),
        }

    def remove(self):
        shutil.rmtree(self.root, ignore_errors=True)

    def find(self, name):
        """The one file of a name, completions of a program's command line aside."""
        found = [path for path in self.files.values() if path.name == name and path.parent.name != "completions"]
        assert len(found) == 1, (name, found)
        return found[0]


class StageCase(Case):
    """Cases about one installation. What is compiled is compiled as pdb was, sanitizers included."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.stage = Stage()
        cls.addClassCleanup(cls.stage.remove)

    def pkg_config(self, *arguments):
        done = self.run_program("pkg-config", *arguments, "pdb", env=self.stage.environment)
        self.assertEqual((done.code, done.err), (0, ""), done)
        return shlex.split(done.out)

    def compile(self, source, program, *flags):
        """A program, or an object file, of C code."""
        sanitize = [f"-fsanitize={SANITIZE}"] if SANITIZED else []
        done = self.run_program(CC[0], *CC[1:], *sanitize, "-Wall", "-Wextra", "-Werror", source, "-o", program, *flags,
                                env={"LD_PRELOAD": None})
        self.assertEqual((done.code, done.err), (0, ""), done)


def preloaded():
    """What the environment of a program needs, here Python, that loads pdb's library and does not know of sanitizers
    itself."""
    if not SANITIZED:
        return {}
    library = subprocess.check_output([*CC, "-print-file-name=libasan.so"], text=True).strip()
    options = filter(None, (os.environ.get("ASAN_OPTIONS"), "detect_leaks=0"))  # Python leaks
    return {"LD_PRELOAD": library, "ASAN_OPTIONS": ":".join(options)}


def header():
    """pdb.h, and what it includes, without their comments."""
    text = "".join((SOURCE / "include" / name).read_text() for name in HEADERS)
    return re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)


def functions():
    """What pdb.h declares: name -> what it returns and takes, as types of C."""
    declared = {}
    for result, name, parameters in re.findall(r"^(\w[\w ]*[ *])(pdb_\w+)\(([^()]*)\);", header(), re.MULTILINE):
        types = [re.sub(r"\w+$", "", parameter.strip()).strip() for parameter in parameters.split(",")]
        declared[name] = [result.strip(), *types]
    return {name: types for name, types in declared.items() if not types[0].startswith("typedef")}
