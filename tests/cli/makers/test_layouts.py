"""pdb-gen --layouts: every way to put what a definition leaves open, held against a plain search over all of them."""

import collections
import fcntl
import itertools
import json
import os
import signal
import time
import unittest

import plain  # beside this file
from helpers.harness import GEN, SHORT, Case

GARAGE = """\
puzzle: garage
family: slide
metric: slide
axis: length
goal: |
  * * * * *
  * * * * *
  * * * A A
  * * * * *
  * * * * *
layouts:
  - {put: A A, row: 3}
  - {put: [B B, B/B], times: 2}
  - {put: [T T T, T/T/T]}
"""


# The same with a car fewer, for what has to be done many times.
SMALL = GARAGE.replace(", times: 2", "")


def garage_boards(size=5):
    """Every way to put the car that leaves, two others of two cells and one of three."""
    def anywhere(letter, length):
        for upright in (False, True):
            for row, column in itertools.product(range(size), repeat=2):
                car = (letter, row, column, length, upright)
                if all(r < size and c < size for r, c in plain.covered(car)):
                    yield car
    red = [car for car in anywhere("A", 2) if not car[4] and car[1] == size // 2]
    for a, (b, c), t in itertools.product(red, itertools.combinations(anywhere("B", 2), 2), anywhere("T", 3)):
        cells = [cell for car in (a, b, c, t) for cell in plain.covered(car)]
        if len(set(cells)) == len(cells):
            yield (a, b, c, t)


def same(board):
    """The board with the cars that are alike in order."""
    return tuple(sorted(board))


def spaces(boards, size=5):
    """Of every space: its boards' distances, and how many shortest solutions the farthest have. All are in `boards`."""
    after = {board: [same(moved) for moved in plain.moves(board, (), size, size)] for board in boards}
    left = set(after)
    while left:
        part = [left.pop()]
        for board in part:
            for other in after[board]:
                if other in left:
                    left.remove(other)
                    part.append(other)
        distance = {board: 0 for board in part if plain.is_solved(board, size, "A")}
        ways = {board: 1 for board in distance}
        layer = list(distance)
        while layer:
            following = []
            for board in layer:
                for other in after[board]:
                    if other not in distance:
                        distance[other] = distance[board] + 1
                        ways[other] = 0
                        following.append(other)
                    if distance[other] == distance[board] + 1:
                        ways[other] += ways[board]
            layer = following
        yield part, distance, ways


def mirrored(board, size=5):
    """Upside down, which leaves the exit where it is."""
    return same((letter, size - row - (length if upright else 1), column, length, upright)
                for letter, row, column, length, upright in board)


class Layouts(Case):
    def found(self, text, *arguments):
        path = self.write("open.yaml", text)
        result = self.assert_answer(self.gen("-d", self.db, "--layouts", "--json", *arguments, path))
        return [json.loads(line) for line in result.lines]

    @unittest.skipIf(SHORT, "the plain search takes seconds")
    def test_hardest_card_of_four_cars(self):
        boards = {same(board) for board in garage_boards()}
        figures, seen = collections.Counter(), set()
        for part, distance, ways in spaces(boards):
            if distance and part[0] not in seen:
                seen.update(part, map(mirrored, part))
                most = max(distance.values())
                farthest = [ways[board] for board in distance if distance[board] == most]
                figures[most, min(farthest), len(farthest), len(part)] += 1
        found = self.found(GARAGE, "--best=1000")
        self.assertEqual(
            collections.Counter((best["distance"], int(best["solutions"]), best["hardest"], best["states"]) for best in found),
            figures)
        self.assertEqual([best["rank"] for best in found], list(range(1, len(found) + 1)))
        order = [(-best["distance"], best["solutions"] != "1", -best["states"]) for best in found]
        self.assertEqual(order, sorted(order))
        announced = self.gen("-d", self.db, "--layouts", "--best=1000", self.dir / "open.yaml").out
        alike = len({min(board, mirrored(board)) for board in boards})
        self.assertIn(f"garage: {len(boards):,} layouts, {alike:,} that are not alike by a symmetry; ", announced)
        # The first is a puzzle of its own, and its start as hard as a plain search says.
        for best in (found[0], found[-1]):
            answer = json.loads(self.assert_answer(self.query("--json", "--count", best["file"])).out)
            self.assertEqual((answer["board"], answer["distance"], str(answer["solutions"])),
                             (best["board"], best["distance"], best["solutions"]))
            self.assertEqual(plain.search(best["board"], whole=True), (best["distance"], best["states"]))

    def test_one_wall(self):
        """Tiles with a wall on one of three cells: each is a puzzle, solved by itself. What is alike stays so in it."""
        head = "puzzle: walled\nfamily: slide\nalike:\n  - 1 2\n  - 3 4\n"
        text = head + ("board: |\n  1 2 3\n  . . 4\n  5 . .\ngoal: |\n  1 2 3\n  * * 4\n  5 * *\n"
                       "layouts:\n  - {put: '#', on: .../**./.*.}\n")
        found = self.found(text)
        self.assertEqual(len(found), 3)
        for best, cell in zip(sorted(found, key=lambda best: best["board"].index("#")), (3, 4, 7)):
            walled = ["1", "2", "3", ".", ".", "4", "5", ".", "."]
            walled[cell] = "#"
            board = "".join(walled[:3]) + "/" + "".join(walled[3:6]) + "/" + "".join(walled[6:])
            goal = "".join("*" if sign == "." else sign for sign in board)
            alone = self.write("alone.yaml", f"{head}board: \"{board}\"\ngoal: \"{goal}\"\nboards: {{start: \"{board}\"}}\n")
            for puzzle in (alone, best["file"]):
                answer = json.loads(self.assert_answer(self.query("--json", "--hardest=1", puzzle)).out)
                self.assertEqual(best["distance"], answer["distance"])

    def test_pegs_and_walkers(self):
        pegs = ("puzzle: pegs\nfamily: peg\njumps: orthogonal\npegs: 1\nboard: |\n  . . . .\n  . . . .\n  . . . .\n"
                "layouts:\n  - {put: '1', times: 4}\n")
        found = self.found(pegs, "--best=400")
        self.assertTrue(found)
        for best in found[::20]:
            self.assertEqual(best["board"].count("1"), best["distance"] + 1)  # a jump takes one peg, a sweep several
            answer = json.loads(self.query("--json", "--count", best["file"]).out)
            self.assertEqual((answer["distance"], str(answer["solutions"])), (best["distance"], best["solutions"]))
        walkers = ("puzzle: walkers\nfamily: walk\npiece: knight\nboard: |\n  A . .\n  . # .\n  . . .\ngoal: |\n  * * *\n"
                   "  * # *\n  * * A\nlayouts:\n  - {put: B, times: 2}\n")
        found = self.found(walkers)
        answer = json.loads(self.query("--json", "--hardest=1", found[0]["file"]).out)
        self.assertEqual(answer["distance"], found[0]["distance"])

    def test_goes_on_after_a_kill(self):
        """What a run that was killed, or interrupted, has done is not done again, and all comes out as in one run."""
        whole = self.found(SMALL, "--best=30")
        path, journal = self.dir / "open.yaml", self.db / "garage.layouts" / "journal"
        lines = journal.read_text().splitlines(keepends=True)
        for number, left in ((signal.SIGKILL, -9), (signal.SIGINT, 130)):
            journal.unlink()
            running = self.launch(GEN, "-d", self.db, "--layouts", "-j1", path)
            end = time.time() + 60
            while time.time() < end and (not journal.exists() or journal.read_bytes().count(b"\n") < 20):
                time.sleep(0.01)
            running.send_signal(number)
            result = self.finish(running)
            if result.code == 0:  # it was quicker than this test
                continue
            self.assertEqual(result.code, left)
            done = journal.read_text().splitlines(keepends=True)
            self.assertGreaterEqual(len(done), 20)
            self.assertEqual(self.found(SMALL, "--best=30"), whole)
            self.assertEqual(journal.read_text().splitlines(keepends=True)[:len(done) - 1], done[:-1])
        journal.write_text("".join(lines[:9]) + lines[9][:7])  # cut off in a line
        self.assertEqual(self.found(SMALL, "--best=30"), whole)
        journal.write_text("pdb layouts of something else\n" + "".join(lines[1:]))
        self.assertEqual(self.found(SMALL, "--best=30"), whole)
        self.assertEqual(sorted(journal.read_text().splitlines()), sorted("".join(lines).splitlines()))

    def test_one_run_at_a_time(self):
        """Two runs would write into each other's journal; and what one tells twice is one space."""
        whole = self.found(SMALL, "--best=30")
        path, journal = self.dir / "open.yaml", self.db / "garage.layouts" / "journal"
        lines = journal.read_text().splitlines(keepends=True)
        for force in ((), ("--force",)):
            with open(journal, "rb") as other:
                fcntl.flock(other, fcntl.LOCK_EX)
                self.assert_complaint(self.gen("-d", self.db, "--layouts", *force, path), 3, "another pdb-gen",
                                      f"(it holds {journal}); wait until it is done")
            self.assertEqual(journal.read_text(), "".join(lines))
        journal.write_text("".join(lines + lines[1:]))
        self.assertEqual(self.found(SMALL, "--best=30"), whole)

    def test_what_is_no_journal_is_left(self):
        path, journal = self.write("open.yaml", SMALL), self.db / "garage.layouts" / "journal"
        journal.parent.mkdir(parents=True)
        for text in ("Dear diary,\n", "pdb", "pdb layouts", "\0" * 4096):
            with self.subTest(text[:20]):
                journal.write_text(text)
                result = self.gen("-d", self.db, "--layouts", "--force", path)
                if "pdb layouts ".startswith(text):  # a kill has cut it off
                    self.assertEqual(result.code, 0)
                    self.assertNotIn("another definition", result.out)
                else:
                    self.assert_complaint(result, 3, f"{journal} is no journal of layouts; move it away")
                    self.assertEqual(journal.read_text(), text)
        journal.unlink()
        journal.symlink_to("/dev/zero")
        self.assert_complaint(self.gen("-d", self.db, "--layouts", path), 3, f"{journal}: it is no regular file; remove it")
        journal.unlink()
        os.mkfifo(journal)
        self.assert_complaint(self.gen("-d", self.db, "--layouts", path), 3, f"{journal}: it is no regular file; remove it")

    def test_in_place_of_others(self):
        """Another definition of the same name begins anew, which is said, and nothing of the old one's best is left."""
        def kept():
            return sorted(file.name for file in (self.db / "garage.layouts").glob("*.yaml"))
        said = "in place of another definition's"
        self.found(SMALL, "--best=12")
        self.assertEqual(len(kept()), 12)
        path = self.dir / "open.yaml"
        self.assertNotIn(said, self.gen("-d", self.db, "--layouts", path).out)
        self.assertEqual(len(kept()), 10)
        self.write("open.yaml", SMALL.replace("[B B, B/B]", "B/B"))
        self.assertIn(said, self.gen("-d", self.db, "--layouts", "--best=3", path).lines[0])
        self.assertEqual(kept(), ["garage-1.yaml", "garage-2.yaml", "garage-3.yaml"])

    def test_threads_change_nothing(self):
        one = self.found(SMALL, "--best=50", "-j1", "--force")
        self.assertEqual(self.found(SMALL, "--best=50", "-j3", "--force"), one)

    def test_too_many(self):
        path = self.write("open.yaml", GARAGE)
        self.assert_complaint(self.gen("-d", self.db, "--layouts", "--most=1000", path), 3, "more than 1,000 layouts",
                              "--most")

    def test_mistakes(self):
        for old, new, complaint in (
            ("put: A A, row: 3", "put: A A, row: 6", ":12:"),
            ("put: A A, row: 3", "put: A A, rows: 3", "'rows'"),
            ("put: A A, row: 3", "row: 3", "'put'"),
            ("put: A A, row: 3", "put: A A, on: '*'", "as large as the board"),
            ("times: 2", "times: 65", "64"),
            ("{put: A A, row: 3}", "A A", "{put: A A, row: 3}"),
            ("[B B, B/B]", "['B B', '#']", "entries of their own"),
        ):
            with self.subTest(new):
                path = self.write("open.yaml", GARAGE.replace(old, new))
                self.assert_complaint(self.gen("-d", self.db, "--layouts", path), 2, complaint, "open.yaml")
        # At the entry that cannot be, or of a layout; never at a line of the text that is made of one.
        for text, complaint in (
            (GARAGE.replace("put: [B B, B/B], times: 2", "put: A/A"), "open.yaml:13:5: 'A' belongs to another entry's"),
            (GARAGE.replace("put: [B B, B/B], times: 2", "put: A B"), "open.yaml:12:5: 'A' belongs to another entry's"),
            (GARAGE.replace("[B B, B/B]", "[B C, C/B]"), ": 'C' belongs to another piece already"),
            (GARAGE.replace("metric: slide", "metric: slides"), "open.yaml: the first layout: "),
            (GARAGE.replace("* * * A A", "* * ABCDEFGH A A"), "open.yaml:8:7: a symbol has at most 7 bytes"),
            (GARAGE.replace("* * * A A", "* * ABCDEFGH A A").replace("goal", "board"), "open.yaml:8:7: a symbol has at most 7 bytes"),
        ):
            with self.subTest(complaint):
                path = self.write("open.yaml", text)
                result = self.assert_complaint(self.gen("-d", self.db, "--layouts", "-qj1", path), 2, complaint)
                self.assertNotIn("garage:", result.err)
        # Room for all is never found: that ends, too.
        crowded = """puzzle: crowded
family: slide
goal: |
  * * * * * *
  * * * * * *
  * * * * * *
  * * * * A A
layouts:
  - {put: B, times: 9}
  - {put: C C C C C/C C C C C/C C C C C}
"""
        self.assert_complaint(self.gen("-d", self.db, "--layouts", "--most=20", self.write("crowded.yaml", crowded)), 3,
                              "pieces were put down", "--most")
        path = self.write("open.yaml", GARAGE)
        self.assert_complaint(self.gen("-d", self.db, path), 2, "open.yaml:12:", "--layouts")
        self.assert_complaint(self.query("-d", self.db, path), 2, "--layouts")
        self.assert_complaint(self.gen("-d", self.db, "--layouts", "goat"), 2, "layouts")
        self.assert_complaint(self.gen("--best=3", "goat"), 2, "--layouts")
        self.assert_complaint(self.gen("--layouts", "--verify", path), 2, "--verify")


if __name__ == "__main__":
    unittest.main()
