"""The shapes of answers, as text and as JSON, exactly."""

import json
import re
import unittest

from helpers.harness import GOAT_GOAL, GOAT_SEED, GOAT_START, SHORT, TINY, Case, GoatCase

START_TEXT = """\
goat: 20 moves from the goal

    ┌ ─ ┐  \n\
    │ □ ∥ 羊
    └ ─ ┘ 狼

  * ─ (row 1, column 2) down    19
    │ right                     21
    ∥ left                      21
  * ─ (row 3, column 2) up      19
"""

START_ASCII = """\
goat: 20 moves from the goal

    1  8  9  10
    2  0  7  5
    3  8  4  6

  * 8 (row 1, column 2) down    19
    2 right                     21
    7 left                      21
  * 8 (row 3, column 2) up      19
"""

START_JSON = ('{"puzzle":"goat","board":"1,8,9,10,2,0,7,5,3,8,4,6","distance":20,"method":"db","moves":['
              '{"move":"8 (row 1, column 2) down","board":"1,0,9,10,2,8,7,5,3,8,4,6","distance":19,"optimal":true},'
              '{"move":"2 right","board":"1,8,9,10,0,2,7,5,3,8,4,6","distance":21,"optimal":false},'
              '{"move":"7 left","board":"1,8,9,10,2,7,0,5,3,8,4,6","distance":21,"optimal":false},'
              '{"move":"8 (row 3, column 2) up","board":"1,8,9,10,2,8,7,5,3,0,4,6","distance":19,"optimal":true}]}\n')

GOAL_JSON = ('{"puzzle":"goat","board":"1,8,9,10,2,5,7,0,3,8,4,6","distance":0,"method":"db","moves":['
             '{"move":"7 right","board":"1,8,9,10,2,5,0,7,3,8,4,6","distance":1,"optimal":false},'
             '{"move":"6 up","board":"1,8,9,10,2,5,7,6,3,8,4,0","distance":1,"optimal":false}]}\n')


class Board(GoatCase):
    def test_text(self):
        self.assertEqual(self.assert_answer(self.ask("start")).out, START_TEXT)

    def test_ascii(self):
        self.assertEqual(self.assert_answer(self.ask("start", "--ascii")).out, START_ASCII)

    def test_text_in_any_locale(self):
        for locale in ("C", "POSIX", "C.UTF-8", "xx_YY.nonsense"):
            self.assertEqual(self.ask("start", env={"LANG": locale, "LC_ALL": locale}).out, START_TEXT)

    def test_json(self):
        self.assertEqual(self.assert_answer(self.ask("start", "--json")).out, START_JSON)
        self.assertEqual(self.assert_answer(self.ask("goal", "--json")).out, GOAL_JSON)

    def test_goal_text(self):
        out = self.assert_answer(self.ask("goal", "--path", "--count")).out
        self.assertIn("goat: this is the goal\n", out)
        self.assertIn("\n1 shortest solution\n", out)
        self.assertNotIn("*", out)

    def test_path_json(self):
        plain = self.ask("start", "--json").json
        answer = self.assert_answer(self.ask("start", "--json", "--path", "--count")).json
        self.assertEqual(list(answer), [*plain, "path", "path_moves", "solutions"])
        self.assertEqual((len(answer["path"]), answer["path"][0], answer["path"][-1]), (21, GOAT_START, GOAT_GOAL))
        self.assertEqual(answer.pop("solutions"), 2)
        self.assertEqual(len(answer["path_moves"]), 20)
        for board, step, after in zip(answer["path"], answer.pop("path_moves"), answer["path"][1:]):
            moves = self.ask(board, "--json").json["moves"]
            self.assertIn((step, after), [(move["move"], move["board"]) for move in moves if move["optimal"]])
        del answer["path"]
        self.assertEqual(answer, plain)
        goal = self.ask("goal", "--json", "--path").json
        self.assertEqual((goal["path"], goal["path_moves"]), ([GOAT_GOAL], []))

    def test_path_text(self):
        """Twenty numbered moves, each with its picture, and the pictures are those of the JSON path."""
        lines = self.assert_answer(self.ask("start", "--path")).lines
        head = lines.index("A shortest solution:")
        self.assertEqual("\n".join(lines[:head - 1]) + "\n", START_TEXT)
        captions = [(int(n), r, line) for r, line in enumerate(lines) for n in re.findall(r"(?:^|\s)(\d+)\. ", line)]
        self.assertEqual([n for n, _, _ in captions], list(range(1, 21)))
        last = max(r for _, r, _ in captions)
        picture = [re.split(r" {3,}(?=\S)", line.strip())[-1] for line in lines[last + 1:last + 4]]
        self.assertEqual(self.ask("--hint", "\n".join(picture)).out, "this is the goal\n")

    def test_count_text(self):
        self.assertIn("\n2 shortest solutions\n", self.assert_answer(self.ask("start", "--count")).out)

    def test_hints(self):
        for level, text in (("--hint", "20 moves from the goal\n"), ("--hint=1", "20 moves from the goal\n"),
                            ("--hint=2", "20 moves from the goal; move ─ (row 1, column 2)\n"),
                            ("--hint=3", "20 moves from the goal; move ─ (row 1, column 2) down\n")):
            self.assertEqual(self.assert_answer(self.ask("start", level)).out, text)
        self.assertEqual(
            self.ask("start", "--hint=3", "--ascii").out, "20 moves from the goal; move 8 (row 1, column 2) down\n")
        self.assertEqual(self.ask("goal", "--hint=3").out, "this is the goal\n")
        neighbour = self.ask("goal", "--json").json["moves"][0]["board"]
        self.assertEqual(self.ask("--hint", neighbour).out, "1 move from the goal\n")

    def test_hints_json(self):
        one = {"puzzle": "goat", "board": GOAT_START, "distance": 20, "method": "db"}
        two = {**one, "piece": "8"}
        three = {**two, "move": "8 (row 1, column 2) down"}
        for level, answer in ((1, one), (2, two), (3, three)):
            self.assertEqual(self.assert_answer(self.ask("start", f"--hint={level}", "--json")).json, answer)

    def test_stream_lines(self):
        self.assertEqual(
            self.assert_answer(self.ask("-", stdin=f"start\n{GOAT_GOAL}\n1 8 0 7 2 9 10 5 3 8 4 6\n"), 1).out,
            f"{GOAT_START}\t20\t8 (row 1, column 2) down | 8 (row 3, column 2) up\n{GOAT_GOAL}\t0\t\n"
            "1,8,0,7,2,9,10,5,3,8,4,6\tunreachable\n")
        line = self.assert_answer(self.ask("-", "--path", "--count", stdin="start")).out
        board, distance, moves, solutions = line.rstrip("\n").split("\t")
        self.assertEqual((board, distance, len(moves.split(", ")) >= 20, solutions), (GOAT_START, "20", True, "2"))

    def test_stream_json_is_what_single_answers_are(self):
        self.assertEqual(
            self.assert_answer(self.ask("-", "--json", stdin=f"start\n\n  \t\n{GOAT_GOAL}")).out,
            START_JSON + GOAL_JSON)
        with_path = self.ask("--path", "--count", "--json", GOAT_SEED).out
        self.assertEqual(self.ask("-", "--path", "--count", "--json", stdin=GOAT_SEED).out, with_path)


class Whole(GoatCase):
    def test_hardest_text(self):
        lines = self.assert_answer(self.ask("--hardest")).lines
        self.assertEqual(lines[0], "goat: 7 boards at distance 52, the farthest from the goal")
        self.assertEqual(re.findall(r"\d+(?=\.)", lines[2]), [str(n) for n in range(1, 8)])
        self.assertEqual(len(lines), 6)
        self.assertTrue(all(len(line) <= 80 for line in lines))

    def test_hardest_with_their_solutions(self):
        """As if all of them had been asked about."""
        boards = self.ask("--hardest", "--json").json["boards"]
        for form in ([], ["--json"]):
            self.assertEqual(self.assert_answer(self.ask("--hardest", "--path", "--count", *form)).out,
                             self.assert_answer(self.ask(*boards, "--path", "--count", *form)).out)
        self.assertEqual(
            [json.loads(line)["solutions"] for line in self.ask("--hardest=3", "--count", "--json").lines],
            [self.ask(board, "--count", "--json").json["solutions"] for board in boards[:3]])

    def test_random_is_repeatable(self):
        first = self.assert_answer(self.ask("--random", "--seed=42", "--json"))
        self.assertEqual(list(first.json), ["puzzle", "board", "distance"])
        self.assertEqual(self.ask("--random", "--seed=42", "--json").out, first.out)
        boards = {self.ask("--random", f"--seed={seed}", "--json").json["board"] for seed in range(30)}
        self.assertEqual(len(boards), 30)
        self.assertEqual(self.ask("--json", first.json["board"]).json["distance"], first.json["distance"])

    def test_random_without_seed_differs(self):
        self.assertEqual(len({self.ask("--random", "--json").out for _ in range(6)}), 6)

    def test_random_at_a_distance(self):
        for distance in (0, 33, 52) if SHORT else (0, 1, 2, 25, 33, 51, 52):
            answer = self.assert_answer(self.ask(f"--random={distance}", "--seed=1", "--json")).json
            self.assertEqual(answer["distance"], distance)
            self.assertEqual(self.ask("--json", answer["board"]).json["distance"], distance)
        hardest = set(self.ask("--hardest", "--json").json["boards"])
        seeds = 6 if SHORT else 60
        drawn = {self.ask("--random=52", f"--seed={seed}", "--json").json["board"] for seed in range(seeds)}
        self.assertLessEqual(drawn, hardest)
        self.assertGreaterEqual(len(drawn), 3 if SHORT else len(hardest))
        self.assert_complaint(self.ask("--random=53"), 2, "53", "52")

    def test_random_text_ends_with_the_board(self):
        lines = self.assert_answer(self.ask("--random=31", "--seed=5")).lines
        self.assertEqual(lines[0], "goat: 31 moves from the goal")
        self.assertEqual(self.ask("--hint", lines[-1]).out, "31 moves from the goal\n")
        self.assertEqual(self.ask("--hint", "\n".join(lines[2:5])).out, "31 moves from the goal\n")

    def test_info_json(self):
        info = self.assert_answer(self.ask("--info", "--json")).json
        self.assertRegex(info.pop("definition"), r"\A[0-9a-f]{32}\Z")
        self.assertRegex(info.pop("content"), r"\A[0-9a-f]{32}\Z")
        file = self.goat / "goat.pdb"
        self.assertEqual(
            info, {
                "puzzle": "goat", "title": "pen the sheep in, leave the wolf outside", "goal": GOAT_GOAL,
                "metric": "one piece by one cell", "method": "db", "indices": 5443200, "states": 5443200, "max": 52,
                "hardest": 7, "encoding": "mod4-1bit", "file": str(file), "bytes": file.stat().st_size,
                "generator": self.query("--version").out.split()[1]
            })

    def test_info_text(self):
        lines = dict(
            line.split(None, 1) for line in self.assert_answer(self.ask("--info")).lines
            if not line.startswith("one move"))
        self.assertEqual((lines["puzzle"], lines["states"], lines["goal"]), ("goat", "5,443,200", GOAT_GOAL))
        self.assertIn(str(self.goat / "goat.pdb"), lines["database"])

    def test_the_file_is_small(self):
        self.assertLess((self.goat / "goat.pdb").stat().st_size, 2_000_000)


class Counts(Case):
    def test_numbers_past_all_bounds(self):
        """Two pieces, each on a street of 33 crossings: 2^66 times the ways in which their moves mix."""
        streets = "".join(f"  - {at} {at + 1} {at + 3}\n  - {at} {at + 2} {at + 3}\n"
                          for street in (1, 101) for at in range(street, street + 99, 3))
        row = " ".join("." * 49)
        half = {"start": f"a {row}/{row} .", "goal": f". {row}/{row} a"}
        path = self.write("streets.yaml", f"puzzle: streets\nfamily: walk\ngoal: {half['goal']}/{half['goal']}\n"
                          f"one-way:\n{streets}boards: {{start: {half['start']}/{half['start']}}}\n")
        self.assert_complaint(self.query("-d", self.db, path, "--count"), 3, "2^127 or more shortest paths")

    def test_numbers_that_doubles_hold(self):
        """A count up to 2^53 is a number in JSON, a larger one a text: each of so many crossings doubles it."""
        for crossings, rows, columns, said in ((53, 10, 16, "9007199254740992"), (54, 4, 41, '"18014398509481984"')):
            picture = lambda at: "/".join(" ".join("a" if at == row * columns + column else "."
                                                   for column in range(columns)) for row in range(rows))
            streets = "".join(f"  - {at} {at + 1} {at + 3}\n  - {at} {at + 2} {at + 3}\n"
                              for at in range(1, 3 * crossings, 3))
            path = self.write("crossings.yaml", f"puzzle: crossings\nfamily: walk\ngoal: {picture(3 * crossings)}\n"
                              f"one-way:\n{streets}boards: {{start: {picture(0)}}}\n")
            result = self.assert_answer(self.query("-d", self.db, path, "--json", "--count"))
            self.assertIn(f'"solutions":{said}', result.out)


class Search(Case):
    def test_without_a_database_the_answer_says_so(self):
        result = self.assert_answer(self.query("goat", "start"))
        self.assertEqual(result.out, START_TEXT.replace("the goal\n", "the goal (searched: no database was used)\n", 1))
        self.assertEqual(self.assert_answer(self.query("goat", "--json")).out, START_JSON.replace('"db"', '"search"'))
        self.assertEqual(self.query("goat", "--json", "--method=search").json["method"], "search")
        self.assertEqual(list(self.dir.iterdir()), [], "a query leaves nothing behind")

    def test_search_although_there_is_a_database(self):
        path = self.make_tiny()
        for method, says in (("auto", "db"), ("db", "db"), ("search", "search")):
            answer = self.assert_answer(self.query("-d", self.db, path, "--json", f"--method={method}")).json
            self.assertEqual((answer["method"], answer["distance"]), (says, 21))

    def test_info_of_a_search(self):
        info = self.assert_answer(self.query(self.write("tiny.yaml", TINY), "--info", "--json", "--method=search")).json
        self.assertEqual((info["method"], info["states"]), ("search", 360))
        self.assertIn("Manhattan", info["search"])
        self.assertFalse({"file", "bytes", "content", "generator"} & set(info))

    def test_info_without_a_database(self):
        """At once, also where all of it takes minutes; and the command that it names makes the database."""
        for name in ("mastermind-mean", "lights-out", "24-puzzle", "fours"):
            info = self.assert_answer(self.query("-d", self.db, name, "--info", "--json"))
            self.assertEqual((info.json["puzzle"], info.json["method"]), (name, "search"))
            self.assertFalse({"file", "max", "hardest", "definition"} & set(info.json))
        path = self.write("tiny.yaml", TINY)
        lines = self.assert_answer(self.query("-d", "here", path, "--info")).lines
        self.assertIn("states      at most 360", lines)
        self.assertFalse([line for line in lines if line.startswith(("patterns", "entries"))])
        command = re.fullmatch(r"database    none yet: pdb-gen (-d here) (.*) makes one, or says why not", lines[-1])
        self.assert_answer(self.gen(*command[1].split(), command[2]))
        self.assertIn("greatest    21 moves (1 board)",
                      self.assert_answer(self.query("-d", "here", path, "--info")).lines)

    def test_too_large_to_keep(self):
        """Boards are searched then; what is about all states is refused."""
        path = self.write("large.yaml", "puzzle: large\nfamily: slide\ngoal: |\n  1 2 3 4\n  5 6 7 8\n  9 10 11 .\n")
        answer = self.assert_answer(self.query(path, "goal", "--json")).json
        self.assertEqual((answer["distance"], answer["method"]), (0, "search"))
        self.assert_complaint(self.query(path, "--histogram"), 3, "large.pdb", "239,500,800 states are too many")
        self.assert_complaint(self.query(path, "--hardest", "--method=search"), 3, "239,500,800 states are too many")
        self.assert_complaint(self.query(path, "goal", "--method=db"), 3, "large.pdb")


class Generated(Case):
    def test_summary_json(self):
        path = self.write("tiny.yaml", TINY)
        for arguments, searched in (([], True), ([], False), (["--force"], True), (["--verify"], False)):
            answer = self.assert_answer(self.gen("-d", self.db, "--json", *arguments, path)).json
            keys = ["puzzle", "states", "max", "bytes", "seconds", "file", "made"]
            self.assertEqual(list(answer), keys + (["way", "memory"] if searched else []))
            if searched:
                self.assertEqual(answer.pop("way"), "in layers by words")
                self.assertTrue(0 < answer.pop("memory") < 1 << 26)
            self.assertTrue(0 <= answer.pop("seconds") < 60)
            self.assertEqual(answer.pop("made"), searched)
            file = self.db / "tiny.pdb"
            self.assertEqual(
                answer, {"puzzle": "tiny", "states": 360, "max": 21, "bytes": file.stat().st_size, "file": str(file)})

    def test_summary_text(self):
        path = self.write("tiny.yaml", TINY)
        file = re.escape(str(self.db / "tiny.pdb"))
        for arguments, said in (([], r"made in \d+\.\d\d s"),
                                ([], r"already there \(--force makes it again\)"),
                                (["--force"], r"made in \d+\.\d\d s"),
                                (["--verify"], r"every one verified in \d+\.\d\d s, 360 against the plain rules")):
            result = self.assert_answer(self.gen("-d", self.db, *arguments, path))
            self.assertRegex(result.out,
                             rf"\Atiny: 360 states, the farthest 1 at distance 21; {said}: {file}, 12 KiB\n\Z")

    def test_quiet(self):
        path = self.write("tiny.yaml", TINY)
        self.assertEqual(self.assert_answer(self.gen("-q", "-d", self.db, path)).out, "")
        self.assertTrue((self.db / "tiny.pdb").exists())

    def test_several_puzzles(self):
        one = self.write("tiny.yaml", TINY)
        two = self.write("other.yaml", TINY.replace("tiny", "other"))
        lines = self.assert_answer(self.gen("-d", self.db, "--json", one, two)).lines
        self.assertEqual([json.loads(line)["puzzle"] for line in lines], ["tiny", "other"])
        self.assertEqual([json.loads(line)["made"] for line in lines], [True, True])
        self.assertFalse(self.gen("-d", self.db, "--json", one).json["made"], "it is there already")

    def test_one_bad_puzzle_among_several(self):
        """The others are made all the same; the exit code is that of the first failure."""
        one = self.write("tiny.yaml", TINY)
        result = self.gen("-d", self.db, "--json", "gaot", one)
        self.assertEqual((result.code, result.json["puzzle"]), (2, "tiny"))
        self.assertRegex(result.err, r"\Apdb-gen: unknown puzzle 'gaot'[^\n]*\n\Z")

    def test_list(self):
        lines = self.assert_answer(self.gen("--list")).lines
        self.assertIn(["goat", "5,443,200", "pen the sheep in, leave the wolf outside"],
                      [line.split(None, 2) for line in lines])
        names = [line.split()[0] for line in lines]
        levels = self.write("own.xsb", "#####\n#@$.#\n#####\n")
        patterns = {"8-flip-RxC": "8-flip-2x2", "lights-out-RxC": "lights-out-2x2", "queens-N": "queens-5",
                    "tiles-RxC": "tiles-2x2", "alphametic:SUM": "alphametic:A+A=BC", "bridge-TIMES": "bridge-1-2-5-10",
                    "chinese-rings-N": "chinese-rings-5", "frogs-NxM": "frogs-2x2", "hanoi-PxD": "hanoi-3x3",
                    "jugs-SIZES:GOAL": "jugs-8-5-3:4-4-0", "missionaries-N-M": "missionaries-3-2",
                    "sokoban:FILE": f"sokoban:{levels}", "sokoban-pushes:FILE": f"sokoban-pushes:{levels}",
                    "peg:CELLS": "peg:110111111", "rush-hour:CELLS": "rush-hour:..B.AAB...C...C.", "tiles:NUMBERS": "tiles:1 2 0 3"}
        self.assertEqual(names, sorted(set(names) - set(patterns)) + list(patterns))
        for pattern, name in patterns.items():  # each stands for puzzles with its title
            title = next(line.split(None, 1)[1] for line in lines if line.startswith(pattern + " "))
            self.assertEqual(self.query("--info", "--json", name).json["title"], title)

    def test_list_of_no_boards(self):
        path = self.write("open.yaml", "puzzle: open\nfamily: peg\njumps: orthogonal\nboard: .....\ngoal: 1****\n")
        result = self.gen("--list", path)
        self.assert_complaint(result, 0, f"pdb-gen: {path}: ", "no board has a name", "leaves something open")

    def test_list_of_boards(self):
        """Those that the definition names, and the goal unless it has open cells; all can be asked for."""
        listed = [line.split() for line in self.assert_answer(self.gen("--list", self.write("tiny.yaml", TINY))).lines]
        self.assertEqual(listed, [["start", "450123"], ["goal", "123450"]])
        self.assertEqual([line.split()[0] for line in self.gen("--list", "goat", "klotski").lines],
                         ["start", "hardest", "goal", "start"])
        for name, board in [line.split() for line in self.gen("--list", "goat").lines]:
            self.assertEqual(self.query("goat", "--json", name).json["board"], board)


if __name__ == "__main__":
    unittest.main()
