"""run-tests: what it takes away of runs that were killed, what it leaves to those that go on, and which reports of
sanitizers fail it."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ.get("PDB_SOURCE", pathlib.Path(__file__).resolve().parents[1]))


class Sweep(unittest.TestCase):
    def test_directories_of_the_dead(self):
        function = re.search(r"^sweep\(\) \{.*?^\}$", (SOURCE / "run-tests").read_text(), re.MULTILINE | re.DOTALL)[0]
        with tempfile.TemporaryDirectory() as place:
            ended = subprocess.Popen(["true"])
            ended.wait()
            rooms = {name: pathlib.Path(place, name) for name in (
                f"pdb-tests-{ended.pid}-abcdef", "pdb-tests-abcdef", f"pdb-tests-{os.getpid()}-abcdef",
                f"pdb-tests-{ended.pid}-ghijkl", "pdb-test-abcdef", "tmp-1-abcdef")}
            dead = list(rooms)[:2]
            for room in rooms.values():
                (room / "below").mkdir(parents=True)
            working = subprocess.Popen(["cat"], stdin=subprocess.PIPE,  # goes on though its run was killed
                                       env={**os.environ, "TMPDIR": str(rooms[f"pdb-tests-{ended.pid}-ghijkl"])})
            with working:
                for _ in range(2):  # the second time there is nothing left to do
                    subprocess.run(["bash", "-uc", f'{function}\nsweep "$1"', "bash", place], check=True)
                    self.assertEqual({room.name for room in pathlib.Path(place).iterdir()}, set(rooms) - set(dead))


class Reports(unittest.TestCase):
    KILLED = "==13624==Unable to get registers from thread 13610.\n"
    LEAK = "==13624==ERROR: LeakSanitizer: detected memory leaks\n"

    def count(self, *texts):
        with tempfile.TemporaryDirectory() as place:
            for number, text in enumerate(texts):
                pathlib.Path(place, f"asan.{number}").write_text(text)
            return subprocess.run([SOURCE / "tools" / "count-tests", "--reports", place], capture_output=True, text=True)

    def test_only_what_is_no_finding_passes(self):
        for texts in ((), ("",), (self.KILLED,), (self.KILLED, self.KILLED * 2)):
            self.assertEqual(self.count(*texts).returncode, 0, texts)
        for texts in ((self.LEAK,), (self.KILLED + self.LEAK,), (self.LEAK + self.KILLED,), (self.KILLED, self.LEAK),
                      ("Unable to get registers",), ("==1==Unable to get registers from thread 2. ERROR",)):
            ran = self.count(*texts)
            self.assertEqual((ran.returncode, ran.stdout.splitlines()[-1]), (1, "0 passed, 1 failed"), texts)
            self.assertIn(texts[-1].strip(), ran.stdout)


if __name__ == "__main__":
    unittest.main()
