"""pdb-serve as programs and pages see it: every address, status and header, and how it starts and stops."""

import contextlib
import gzip
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.parse
import xml.etree.ElementTree

from server import GEN, HOST, QUERY, SERVE, SOURCE, Server, ServerCase, wait_until

SHORT = int(os.environ.get("PDB_TESTS_SHARE", "1")) > 1

LONG = unittest.skipIf(SHORT, "the short form")

START = "1,8,9,10,2,0,7,5,3,8,4,6"
# A board that no search finds a solution of in a while: no pattern database is there.
FAR = "24-puzzle/board/start"


class Answers(ServerCase):
    """What is asked is answered as pdb-query does, to the last byte."""

    def test_boards_are_those_of_the_program(self):
        for address, arguments in (
                ("board/start", ["start"]), ("board/goal", ["goal"]), (f"board/{START}", ["start"]),
                ("board/start/path", ["--path", "start"]), ("board/start/count", ["--count", "start"]),
                ("board/start/hint", ["--hint", "start"]), ("board/start/hint?level=2", ["--hint=2", "start"]),
                ("board/start/hint?level=3", ["--hint=3", "start"]), ("histogram", ["--histogram"]),
                ("hardest", ["--hardest=100"]), ("hardest?most=2", ["--hardest=2"]),
                ("random?seed=7", ["--random", "--seed=7"]),
                ("random?distance=30&seed=1", ["--random=30", "--seed=1"])):
            with self.subTest(address):
                answer = self.ask("/api/goat/" + address)
                self.assertEqual(answer.body, self.query("--json", "goat", *arguments))
                self.assertEqual(answer.headers["Content-Type"], "application/json")

    def test_pictures_are_those_of_the_program(self):
        for address, arguments in (
                ("board/start.svg", ["start"]), ("board/start/path.svg", ["--path", "start"]),
                ("board/start/count.svg", ["--count", "start"]), ("hardest.svg?most=3", ["--hardest=3"]),
                ("random.svg?seed=7&distance=39", ["--random=39", "--seed=7"]), ("histogram.svg", ["--histogram"])):
            with self.subTest(address):
                answer = self.ask("/api/goat/" + address)
                self.assertEqual(answer.body, self.query("--svg", "goat", *arguments))
                self.assertEqual(answer.headers["Content-Type"], "image/svg+xml")

    def test_a_board_may_be_typed_in_any_way(self):
        rows = urllib.parse.quote("1 8 9 10 / 2 0 7 5 / 3 8 4 6", safe="")
        self.assertEqual(self.ask(f"/api/goat/board/{rows}").body, self.ask("/api/goat/board/start").body)

    def test_puzzles_without_moves(self):
        for address, arguments in (("mastermind/board/0123:0,2", ["mastermind", "0123:0,2"]),
                                   ("mastermind/board/0123:0,2%201045:0,2", ["mastermind", "0123:0,2 1045:0,2"]),
                                   ("four-fours/board/7/path", ["--path", "four-fours", "7"]),
                                   ("four-fours/histogram", ["--histogram", "four-fours"]),
                                   ("four-fours/random?seed=3&distance=2", ["--random=2", "--seed=3", "four-fours"])):
            with self.subTest(address):
                self.assertEqual(self.ask("/api/" + address).body, self.query("--json", *arguments))
        for address in ("board/7/moves", "board/7/hint", "board/7.svg", "board/nonsense"):
            self.ask("/api/four-fours/" + address, 422)

    @LONG
    def test_without_a_database_it_is_worked_out(self):
        for puzzle in ("8-puzzle", "klotski", "cube-2x2x2", "24-puzzle"):
            with self.subTest(puzzle):
                board = "easy" if puzzle == "24-puzzle" else "start"
                answer = self.ask(f"/api/{puzzle}/board/{board}/hint?level=1").json
                self.assertEqual(answer, json.loads(self.query("--json", "--hint=1", puzzle, board)))
                self.assertEqual(answer["method"], "search")

    def test_a_distance_may_be_a_range(self):
        found = [self.ask(f"/api/goat/random?distance=25-30&seed={seed}").json["distance"] for seed in range(40)]
        self.assertGreaterEqual(len(set(found)), 4)
        self.assertLessEqual(set(found), set(range(25, 31)))
        self.assertIn(self.ask("/api/goat/random?distance=50-4000000000&seed=1").json["distance"], (50, 51, 52))
        self.assertEqual(self.ask("/api/goat/random?distance=25..30&seed=3").body,
                         self.ask("/api/goat/random?distance=25-30&seed=3").body)
        self.assertEqual(self.query("--json", "goat", "--random=25-30", "--seed=3"),
                         self.query("--json", "goat", "--random=25..30", "--seed=3"))
        self.ask("/api/goat/random?distance=53-60", 422)
        self.assertNotEqual(self.ask("/api/goat/random").body, self.ask("/api/goat/random").body)

    def test_many_boards(self):
        lines = f"start\n\n  goal \nzz\n{START}\n"
        answer = self.ask("/api/goat/boards", method="POST", body=lines)
        self.assertEqual(answer.headers["Content-Type"], "application/x-ndjson")
        done = subprocess.run([QUERY, "-d", self.databases, "--json", "goat", "-"], input=lines.encode(),
                              capture_output=True, check=False)
        self.assertEqual(answer.body, done.stdout)
        self.assertEqual(self.ask("/api/goat/boards", method="POST", body="").body, b"")
        self.ask("/api/goat/boards", 413, method="POST", body="start\n" * 200000)
        self.ask("/api/goat/boards", 413, method="POST", body=iter([b"start\n" * 30000] * 8))
        for body in (b"\xff\xfe", b"start\0goal"):
            self.ask("/api/goat/boards", 400, method="POST", body=body)


class Descriptions(ServerCase):
    """What a page takes to draw and play."""

    def test_list(self):
        puzzles = self.ask("/api/puzzles").json["puzzles"]
        names = [puzzle["puzzle"] for puzzle in puzzles]
        listed = {line.split()[0] for line in
                  subprocess.run([GEN, "--list"], capture_output=True, text=True, check=True).stdout.splitlines()}
        self.assertEqual(names, sorted(names))
        self.assertEqual(set(names), {name for name in listed if name == name.lower()} | {"hostile", "path"})
        for puzzle in puzzles:
            self.assertEqual(set(puzzle), {"puzzle", "title", "family", "boards", "start", "size"})

    def test_goat(self):
        about = self.ask("/api/goat").json
        self.assertEqual((about["family"], about["rows"], about["columns"], about["size"], about["max_cost"]),
                         ("slide", 3, 4, 5443200, 1))
        self.assertEqual((about["method"], about["states"], about["max"], about["hardest"]), ("db", 5443200, 52, 7))
        self.assertEqual(about["named"]["start"], START)
        sheep = next(symbol for symbol in about["symbols"] if symbol["code"] == "5")
        self.assertEqual((sheep["glyph"], sheep["mark"]), ("羊", False))
        empty = next(symbol for symbol in about["symbols"] if symbol["code"] == "0")
        self.assertEqual((empty["kind"], empty["colour"], empty["ink"]), (None, None, None))
        self.assertNotIn("file", about)
        self.assertRegex(about["content"], "^[0-9a-f]{32}$")

    def test_graphs_and_triangles(self):
        self.assertEqual(self.ask("/api/path").json["joined"], [[0, 1], [1, 0], [1, 2], [2, 1]])
        self.assertEqual(self.ask("/api/goat").json["joined"], [])
        self.assertTrue(self.ask("/api/triangle-15").json["triangular"])
        self.assertEqual(self.ask("/api/topspin-10").json["frames"], [{"top": 0, "left": 0, "bottom": 0, "right": 3}])
        pancakes = [symbol.get("bar") for symbol in self.ask("/api/pancakes-8").json["symbols"]]
        self.assertEqual(sorted(filter(None, pancakes)), [bar / 8 for bar in range(1, 9)])
        symbols = {symbol["code"]: symbol for symbol in self.ask("/api/bloxorz-1").json["symbols"]}
        self.assertEqual((symbols["x"]["shape"], "shape" in symbols["B"]), ("hole", False))
        self.assertRegex(symbols["x"]["figure"], "^M")

    def test_goals(self):
        for puzzle in ("goat", "8-puzzle", "english-33", "guarini", "pyraminx", "wolf-goat-cabbage", "lights-out"):
            with self.subTest(puzzle):
                about, goal = self.ask(f"/api/{puzzle}").json, self.ask(f"/api/{puzzle}/board/goal/moves").json
                self.assertEqual((about["goal_cells"], about["goal_pieces"]), (goal["cells"], goal["pieces"]))
        about = self.ask("/api/klotski").json
        large = about["goal_pieces"].index(0)
        self.assertEqual((large, about["goal_pieces"]), (13, [-1] * 13 + [0, 0, -1, -1, 0, 0, -1]))
        codes = [symbol["code"] for symbol in about["symbols"]]
        self.assertEqual("".join("*" if cell is None else codes[cell] for cell in about["goal_cells"]), about["goal"])
        for puzzle in ("triangle-15", "bloxorz-1", "mastermind"):
            self.assertNotIn("goal_cells", self.ask(f"/api/{puzzle}").json)

    def test_looks(self):
        about = self.ask("/api/rush-hour").json
        self.assertEqual(about["exits"], [{"side": "right", "at": 2}])
        self.assertEqual(self.ask("/api/goat").json["exits"], [])
        looks = self.ask("/api/path").json
        legend = {symbol["code"]: symbol.get("legend") for symbol in looks["symbols"]}
        self.assertEqual(legend, {".": None, "a": "<b>a player</b>", "b": None})
        self.assertEqual(looks["exits"], [{"side": "top", "at": 0}, {"side": "left", "at": 0}])

    @LONG
    def test_moves_are_those_of_the_board(self):
        for puzzle in ("goat", "klotski", "8-flip", "guarini", "hoppers", "cube-2x2x2", "send-more", "bloxorz-1",
                       "15-puzzle", "lunar-lockout"):
            with self.subTest(puzzle):
                about, moves = self.ask(f"/api/{puzzle}").json, self.ask(f"/api/{puzzle}/board/start/moves").json
                cells = about["rows"] * about["columns"]
                if puzzle != "15-puzzle":
                    board = self.ask(f"/api/{puzzle}/board/start").json
                    self.assertEqual([(move["move"], move["board"]) for move in board["moves"]],
                                     [(move["move"], move["board"]) for move in moves["moves"]])
                    self.assertEqual([move["solved"] for move in moves["moves"]],
                                     [move["distance"] == 0 for move in board["moves"]])
                self.assertEqual(moves["board"], about["named"]["start"])
                for drawn in (moves, *moves["moves"]):
                    self.assertEqual((len(drawn["cells"]), len(drawn["pieces"])), (cells, cells))
                    self.assertLess(max(drawn["cells"]), len(about["symbols"]))
                for move in moves["moves"]:
                    self.assertTrue(move["from"] is None or move["cells"] != moves["cells"])
                    again = self.ask(f"/api/{puzzle}/board/{urllib.parse.quote(move['board'])}/moves").json
                    self.assertEqual((again["cells"], again["pieces"], again["solved"]),
                                     (move["cells"], move["pieces"], move["solved"]))

    def test_a_board_alone_has_a_picture_at_once(self):
        begun = time.monotonic()
        picture = self.ask(f"/api/{FAR}/moves.svg").text
        xml.etree.ElementTree.fromstring(picture)
        self.assertNotIn("moves from the goal", picture)
        self.assertLess(time.monotonic() - begun, 30)

    def test_hostile_texts_are_texts(self):
        title = '<script>alert(1)</script> & "quotes" </title>'
        self.assertEqual(self.ask("/api/hostile").json["title"], title)
        glyphs = [symbol["glyph"] for symbol in self.ask("/api/hostile").json["symbols"]]
        self.assertLessEqual({"<i>", "&amp;", "'", '"', "]]>"}, set(glyphs))
        self.assertIn(title, [puzzle["title"] for puzzle in self.ask("/api/puzzles").json["puzzles"]])
        for address in ("board/start.svg", "board/start/moves.svg", "board/start/path.svg", "hardest.svg"):
            picture = self.ask("/api/hostile/" + address).text
            tree = xml.etree.ElementTree.fromstring(picture)
            names = {element.tag.rpartition("}")[2] for element in tree.iter()}
            self.assertLessEqual(names, {"svg", "g", "rect", "path", "text", "title", "circle"})
            self.assertIn("<i>", {element.text for element in tree.iter()})

    def test_openapi_names_the_routes_there_are(self):
        described = self.ask("/api").json
        source = (SOURCE / "serve/address.c").read_text()
        routes = {}
        for path, picture, post in re.findall(r'\{"(/api[^"]*)", .*, (true|false), (true|false)\},\n', source):
            routes[path] = {"post" if post == "true" else "get"}
            if picture == "true":
                routes[path + ".svg"] = {"get"}
        self.assertGreaterEqual(len(routes), 15)
        self.assertEqual({path: set(how) for path, how in described["paths"].items()}, routes)
        filled = {"{puzzle}": "goat", "{board}": "start"}
        for path, how in described["paths"].items():
            address = re.sub(r"\{\w+\}", lambda word: filled[word[0]], path)
            with self.subTest(address):
                if "post" in how:
                    self.ask(address, method="POST", body="start\n")
                    continue
                self.ask(address)
                for parameter in how["get"]["parameters"]:
                    if parameter.get("in") == "query":
                        value = 30 if parameter["name"] == "distance" else 1
                        self.ask(f"{address}?{parameter['name']}={value}")


class Headers(ServerCase):
    def test_tags(self):
        for address in ("/", "/api", "/api/puzzles", "/api/goat", "/api/goat/board/start", "/api/goat/histogram.svg"):
            with self.subTest(address):
                first = self.ask(address)
                tag = first.headers["ETag"]
                self.assertRegex(tag, '^"[0-9a-f]{16}"$')
                for known in (tag, f'"other", W/{tag}', "*"):
                    again = self.ask(address, 304, headers={"If-None-Match": known})
                    self.assertEqual((again.body, again.headers["ETag"]), (b"", tag))
                    self.assertEqual(again.headers["Cache-Control"], first.headers["Cache-Control"])
                self.ask(address, headers={"If-None-Match": '"other"'})

    def test_how_long_answers_are_kept(self):
        for address, how in (("/", "no-cache"), ("/api/goat", "no-cache"), ("/api/puzzles", "no-cache"),
                             ("/api/goat/board/start", "no-cache"),
                             ("/api/goat/random?seed=1", "no-cache"), ("/api/goat/random", "no-store")):
            self.assertEqual(self.ask(address).headers["Cache-Control"], how, address)
        self.assertEqual(self.ask("/api/goat/board/zz", 422).headers["Cache-Control"], "no-store")

    def test_packed(self):
        for address in ("/api", "/api/puzzles", "/api/goat/hardest.svg"):
            plain = self.ask(address)
            for takes in ("gzip", "br, gzip;q=0.5", "*", "GZIP", "*;q=0, gzip", "gzip;q=0.001, *;q=0",
                          "identity;q=0.5, gzip;q=1.0", "x-gzip", "gzip ; q=0.9,identity;q=0.9", "gzip, *;q=0",
                          "IDENTITY;Q=0.2, GZIP;Q=0.3"):
                packed = self.ask(address, headers={"Accept-Encoding": takes})
                self.assertEqual((packed.headers["Content-Encoding"], packed.headers["Vary"]),
                                 ("gzip", "Accept-Encoding"))
                self.assertEqual(gzip.decompress(packed.body), plain.body)
                self.assertNotEqual(packed.headers["ETag"], plain.headers["ETag"])
            for takes in ("br", "gzip;q=0", "gzipped", "", "*, gzip;q=0", "gzip;q=0.000, *", "*;q=0", "gzip;q=x",
                          "identity, gzip;q=0.5", "gzip;q=0.5, identity;q=1", "GZIP;Q=0", "*;Q=0"):
                bare = self.ask(address, headers={"Accept-Encoding": takes})
                self.assertEqual((bare.body, bare.headers["Content-Encoding"]), (plain.body, None), takes)
        tiny = self.ask("/api/goat/board/start/hint", headers={"Accept-Encoding": "gzip"})
        self.assertNotIn("Content-Encoding", tiny.headers)

    def test_methods(self):
        for address, allowed in (("/", "GET, HEAD, OPTIONS"), ("/api/goat/board/start", "GET, HEAD, OPTIONS"),
                                 ("/api/goat/boards", "POST, OPTIONS")):
            for method in ("GET", "POST", "PUT", "DELETE", "PATCH", "TRACE"):
                if method not in allowed:
                    refused = self.ask(address, 405, method=method)
                    self.assertEqual(refused.headers["Allow"], allowed)
            asked = self.ask(address, 204, method="OPTIONS")
            self.assertEqual((asked.headers["Allow"], asked.body), (allowed, b""))
        whole, head = self.ask("/api/goat/board/start"), self.ask("/api/goat/board/start", method="HEAD")
        self.assertEqual((head.body, head.headers["Content-Length"]), (b"", str(len(whole.body))))

    def test_other_pages_may_read(self):
        for address, status in (("/api/goat", 200), ("/api/nothing", 404), ("/api/goat/board/zz", 422)):
            self.assertEqual(self.ask(address, status).headers["Access-Control-Allow-Origin"], "*")
        asked = self.ask("/api/goat/boards", 204, method="OPTIONS")
        self.assertEqual(asked.headers["Access-Control-Allow-Methods"], "POST, OPTIONS")
        self.assertNotIn("Access-Control-Allow-Origin", self.ask("/").headers)

    def test_nothing_may_be_loaded_from_elsewhere(self):
        for address, status in (("/", 200), ("/index.html", 200), ("/nothing", 404), ("/api/goat", 200),
                                ("/api/goat/board/start.svg", 200)):
            policy = self.ask(address, status).headers["Content-Security-Policy"]
            self.assertTrue(policy.startswith("default-src 'none'"), policy)
            self.assertNotRegex(policy, r"unsafe|\*|https?:")
            self.assertEqual(self.ask(address, status).headers["X-Content-Type-Options"], "nosniff")


class Refusals(ServerCase):
    def test_addresses(self):
        for address in ("/nothing", "/../etc/passwd", "/%2e%2e/etc/passwd", "/api/", "/api/goat/", "/api/goat/board",
                        "/api/goat/board/", "/api/goat/board/start/", "/api/goat/board/start/nothing", "/api//goat",
                        "/api/nothing/board/start", "/api/../goat", "/api/..%2fgoat", "/api/hint.svg/x",
                        "/api/goat.yaml", "/api/.%2Fhostile.yaml", "/api/goat/board/start/hint.svg", "/api/goat.svg",
                        "/api/" + "a" * 5000):
            with self.subTest(address[:60]):
                self.ask(address, 404)
        for address in ("/%", "/%zz", "/%ff", "/%00", "/api/goat/board/%", "/api/goat/board/%c3%28",
                        "/api/goat/board/start%00", "/api/goat/board/%ed%a0%80", "/api/%00",
                        "/api/goat/board/start?a=1", "/api/goat/hardest?most=0", "/api/goat/hardest?most=1001",
                        "/api/goat/hardest?most=", "/api/goat/hardest?most", "/api/goat/random?seed=-1",
                        "/api/goat/random?seed=18446744073709551616", "/api/goat/random?distance=5-3",
                        "/api/goat/random?distance=%31%", "/api/goat/board/start/hint?level=4",
                        "/api/goat/hardest?most=" + "1" * 100):
            with self.subTest(address[:60]):
                self.ask(address, 400)

    def test_a_host_in_the_address(self):
        """As a proxy asks (RFC 9112, 3.2.2)."""
        for address in ("http://localhost/api/goat", "HTTP://x:1/api/goat", "https://x/api/goat"):
            self.assertEqual(self.ask(address).body, self.ask("/api/goat").body)
        for address in ("http://localhost", "http://localhost?embed"):
            self.assertEqual(self.ask(address).body, self.ask("/").body)
        self.ask("http:///api/goat", 400)
        self.ask("http://localhost/api/nothing", 404)
        self.ask("ftp://localhost/api/goat", 404)

    def test_boards(self):
        self.assertEqual(self.ask("/api/goat/board/zz", 422).json["error"],
                         "cell 1: 'zz' is no symbol of this puzzle (1 8 9 10 2 5 7 3 4 6 0)")
        self.ask("/api/goat/board/1,2,3", 422)
        self.ask("/api/goat/board/" + "1," * 8000, 422)
        self.ask("/api/goat/random?distance=53", 422)

    def test_what_is_too_large(self):
        self.ask("/api/15-puzzle/hardest", 503)
        self.ask("/api/24-puzzle/histogram", 503)
        about = self.ask("/api/15-puzzle").json
        self.assertEqual((about["states"], about["max"]), (None, None))

    def test_a_picture_of_a_board_whose_text_looks_like_one(self):
        self.ask("/api/goat/board/zz.svg", 422)
        self.assertIn("zz.svg", self.ask("/api/goat/board/zz%2Esvg", 422).json["error"])


class Limits(ServerCase):
    arguments = ("--seconds=1",)

    @LONG
    def test_a_search_ends_and_holds_up_nobody(self):
        """More searches than there are threads for them: others are answered meanwhile, and all of these within the
        limit."""
        outcome = []

        def search():
            begun = time.monotonic()
            answer = self.server.ask(f"/api/{FAR}")
            outcome.append((answer.status, time.monotonic() - begun, answer.json))
        searches = [threading.Thread(target=search) for _ in range(6)]
        for thread in searches:
            thread.start()
        answered = 0
        while any(thread.is_alive() for thread in searches) and answered < 50:
            self.ask("/api/goat/board/start")
            answered += 1
        for thread in searches:
            thread.join()
        self.assertGreater(answered, 10)
        for status, seconds, said in outcome:
            self.assertEqual(status, 503)
            self.assertLess(seconds, 60)
            self.assertRegex(said["error"], "no solution under [0-9]+ moves.*more than 1 seconds")

    def test_many_boards_take_no_longer_than_one(self):
        """What the limit ends is the whole request, not each of its lines."""
        puzzle, board = FAR.split("/board/")
        begun = time.monotonic()
        self.ask(f"/api/{puzzle}/boards", 503, method="POST", body=f"{board.replace('%20', ' ')}\n" * 1000)
        self.assertLess(time.monotonic() - begun, 20)

    @LONG
    def test_too_many_searches_are_refused(self):
        connections = [self.server.connect() for _ in range(80)]
        for connection in connections:
            connection.request("GET", f"/api/{FAR}")
        answers = [connection.getresponse() for connection in reversed(connections)]
        said = [(answer.status, answer.headers["Retry-After"], json.loads(answer.read())) for answer in answers]
        self.assertEqual({status for status, _, _ in said}, {503})
        refused = [(again, why) for _, again, why in said if "too many searches" in why["error"]]
        self.assertGreater(len(refused), 0)
        self.assertEqual({again for again, _ in refused}, {"2"})
        self.ask("/api/goat/board/start")


class Large(ServerCase):
    """What is known, and long: a way of 174,762 moves. Nothing takes longer than it may, or more memory."""

    arguments = ("--seconds=2", "--memory=32M", "chinese-rings-18")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        subprocess.run([GEN, "--quiet", "-d", cls.databases, "chinese-rings-18"], check=True)

    def within(self, address, *statuses):
        begun = time.monotonic()
        answer = self.server.ask(address)
        self.assertLess(time.monotonic() - begun, 30)
        self.assertIn(answer.status, statuses, answer.body[:500])
        return answer

    def test_boards_at_a_distance_are_looked_for_no_longer(self):
        """The goal is that far that a board takes a walk of many thousand steps."""
        self.assertIn("more than 2 seconds", self.within("/api/chinese-rings-18/random?distance=5", 503).text)

    def test_a_solution_may_be_too_long(self):
        for address in ("path", "path.svg"):
            said = self.within(f"/api/chinese-rings-18/board/start/{address}", 413, 503)  # a busy machine is slow
            self.assertRegex(said.text, "a solution of up to 174762 moves takes more than|more than 2 seconds")


class Definitions(ServerCase):
    """Files of definitions: some are wrong, and some change."""

    def serve(self, files, *arguments):
        place = pathlib.Path(tempfile.mkdtemp(dir=self.place))
        for name, text in files.items():
            (place / name).write_text(text)
        server = Server("-d", self.databases, "--definitions", place, *arguments)
        self.addCleanup(server.kill)
        return place, server

    @staticmethod
    def line(name, board, title="a line"):
        return f"puzzle: {name}\nfamily: slide\ntitle: {title}\ngoal: {board}\n"

    def test_what_is_wrong_with_one_keeps_no_other_back(self):
        place, server = self.serve({"a.yaml": self.line("one", "ab."), "b.yaml": "puzzle: two\nfamily: slide\ngoal: [\n",
                                    "c.yaml": self.line("one", "ba."), "d.yaml": self.line("goat", "ab."),
                                    "e.yaml": self.line("puzzles", "ab."), "f.yaml": self.line("six", "ab.")}, "goat")
        names = [puzzle["puzzle"] for puzzle in server.ask("/api/puzzles").json["puzzles"]]
        self.assertEqual(names, ["goat", "one", "six"])
        self.assertEqual(server.ask("/api/goat/board/start").json["distance"], 20)
        said = server.stop().splitlines()
        self.assertEqual(len(said), 4)
        self.assertRegex(said[0], f"^pdb-serve: {place}/b.yaml:[0-9]+:[0-9]+: ")
        self.assertIn(f"two puzzles are called 'one', {place}/a.yaml and {place}/c.yaml", said[1])
        self.assertIn(f"'goat', goat and {place}/d.yaml", said[2])
        self.assertIn(f"{place}/e.yaml: /api/puzzles is the list", said[3])
        done = subprocess.run([SERVE, place / "b.yaml"], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual((done.returncode, done.stdout), (2, ""))

    def test_what_a_picture_does_not_show_is_said(self):
        text = ("puzzle: car\nfamily: rules\nsets: {place: 0..2}\nstate: {at: place, fuel: 0..2}\n"
                "start: {at: 0, fuel: 2}\ngoal: at == 2\n"
                "moves: [{name: go, if: at < 2 and fuel > 0, do: 'at = at + 1, fuel = fuel - 1'}]\n"
                "draw: {for: {p: place}, show: {C: p == at}}\n")
        _, server = self.serve({"car.yaml": text, "one.yaml": self.line("one", "ab.")})
        told = server.ask("/api/car/board/start/moves").json
        self.assertEqual((told["hidden"], told["moves"][0]["hidden"]), ("fuel=2", "fuel=1"))
        self.assertNotIn("hidden", server.ask("/api/one/board/goal/moves").json)
        server.stop()

    def test_one_that_changes_is_read_again(self):
        place, server = self.serve({"a.yaml": self.line("one", "ab.")})
        file = place / "a.yaml"
        def replace(text):
            (place / "new").write_text(text)
            (place / "new").rename(file)
        self.assertEqual(server.ask("/api/one/board/goal").json["board"], "ab.")
        subprocess.run([GEN, "--quiet", "-d", self.databases, file], check=True)
        replace(self.line("one", "ab.c", "longer"))
        self.assertTrue(wait_until(lambda: server.ask("/api/one/board/goal/moves").json["board"] == "ab.c"))
        refused = server.ask("/api/one/board/goal")
        self.assertEqual(refused.status, 503)
        self.assertIn("from another definition of one: the definition has changed", refused.json["error"])
        subprocess.run([GEN, "--quiet", "--force", "-d", self.databases, file], check=True)
        self.assertEqual(server.ask("/api/one/board/goal").json["board"], "ab.c")
        replace("puzzle: [\n")
        time.sleep(2.5)
        self.assertEqual(server.ask("/api/one/board/goal").json["board"], "ab.c")
        replace(self.line("two", "ab."))
        time.sleep(2.5)
        self.assertEqual(server.ask("/api/one/board/goal").json["board"], "ab.c")
        file.unlink()
        self.assertEqual(server.ask("/api/one/board/goal").json["board"], "ab.c")
        said = server.stop().splitlines()
        self.assertRegex(said[0], f"^pdb-serve: {file}:[0-9]+:[0-9]+: ")
        self.assertIn("'one' is called 'two' now: restart pdb-serve", said[1])
        self.assertEqual(len(said), 2)

    @LONG
    def test_one_that_cannot_be_read_is_tried_again(self):
        place, server = self.serve({"a.yaml": self.line("one", "ab.")})
        process = server.process
        limits = resource.prlimit(process.pid, resource.RLIMIT_NOFILE)
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (1, limits[1]))
        (place / "new").write_text(self.line("one", "ba."))
        (place / "new").rename(place / "a.yaml")
        self.assertRegex(process.stderr.readline(), f"^pdb-serve: .*{place}/a.yaml.*Too many open files$")
        time.sleep(1.5)
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, limits)
        self.assertTrue(wait_until(lambda: server.ask("/api/one/board/goal/moves").json["board"] == "ba."))
        self.assertEqual(server.stop(), "")  # it was said once

    @LONG
    def test_a_file_called_like_a_puzzle_is_not_looked_at(self):
        place = pathlib.Path(tempfile.mkdtemp(dir=self.place))
        server = Server("-d", self.databases, "goat", cwd=place)
        maps = pathlib.Path(f"/proc/{server.process.pid}/maps")
        self.assertEqual(server.ask("/api/goat/board/start").json["distance"], 20)
        self.assertTrue(str(self.databases) in maps.read_text())
        (place / "goat").write_text("another goat")
        time.sleep(2.5)
        self.assertTrue(str(self.databases) in maps.read_text(), "its solver is not the one it had")
        server.stop()

    @LONG
    def test_requests_go_on_while_one_changes(self):
        place, server = self.serve({"a.yaml": self.line("other", "abcdefgh.")}, "goat")
        failed, over = [], threading.Event()

        def hammer():
            with contextlib.closing(server.connect()) as connection:
                while not over.is_set():
                    for address in ("other/board/goal/moves", "other/board/goal/hint"):
                        answer = server.ask("/api/" + address, connection=connection)
                        if answer.status != 200 or answer.json["board"] not in ("abcdefgh.", "bacdefgh."):
                            failed.append(answer.body)
        threads = [threading.Thread(target=hammer, daemon=True) for _ in range(4)]
        self.addCleanup(over.set)
        for thread in threads:
            thread.start()
        for board in ("bacdefgh.", "abcdefgh.", "bacdefgh."):
            (place / "new").write_text(self.line("other", board))
            (place / "new").rename(place / "a.yaml")
            self.assertTrue(wait_until(lambda now=board: server.ask("/api/other").json["goal"] == now))
        over.set()
        for thread in threads:
            thread.join()
        self.assertEqual((failed, server.stop()), ([], ""))


class Replaced(ServerCase):
    """The database is replaced while it is served."""

    def test_the_next_request_sees_the_new_one(self):
        content = []
        for generator in range(2):
            about = self.ask("/api/8-puzzle").json
            content.append((about["method"], about.get("content")))
            subprocess.run([GEN, "--quiet", "--force", "-d", self.databases, "8-puzzle"], check=True)
        self.assertEqual([method for method, _ in content], ["search", "db"])
        (self.databases / "8-puzzle.pdb").unlink()
        self.assertEqual(self.ask("/api/8-puzzle").json["method"], "search")

    @LONG
    def test_no_request_fails(self):
        failed, asked, over = [], [0], threading.Event()

        def hammer():
            connection = self.server.connect()
            while not over.is_set():
                answer = self.server.ask("/api/goat/board/start", connection=connection)
                asked[0] += 1
                if answer.status != 200 or answer.json["distance"] != 20:
                    failed.append(answer.body)
        threads = [threading.Thread(target=hammer) for _ in range(8)]
        for thread in threads:
            thread.start()
        for _ in range(10):
            subprocess.run([GEN, "--quiet", "--force", "-d", self.databases, "goat"], check=True)
        over.set()
        for thread in threads:
            thread.join()
        self.assertEqual(failed, [])
        self.assertGreater(asked[0], 100)

    def test_a_damaged_one_is_said_to_be(self):
        path = self.databases / "klotski.pdb"
        path.write_bytes(b"no database" * 1000)
        self.assertIn("damaged", self.ask("/api/klotski/board/start", 503).json["error"])
        path.unlink()
        self.ask("/api/klotski/board/start")


class StartAndStop(ServerCase):
    def test_what_is_under_way_is_answered(self):
        server = Server("-d", self.databases, "--seconds=2", "--log", "24-puzzle", "goat")
        idle = server.connect()
        self.assertEqual(server.ask("/api/goat/board/start", connection=idle).status, 200)
        outcome = []
        searching = threading.Thread(target=lambda: outcome.append(server.ask(f"/api/{FAR}")))
        searching.start()
        self.assertTrue(wait_until(lambda: threads_of(server) > 0))
        time.sleep(0.1)
        server.process.send_signal(signal.SIGTERM)
        searching.join()
        log = server.process.communicate(timeout=60)[1]
        self.assertEqual(server.process.returncode, 0)
        self.assertEqual(outcome[0].status, 503)
        self.assertIn("nothing takes more than 2 seconds", outcome[0].json["error"])
        self.assertRegex(log, rf"(?m)^{HOST} GET /api/goat/board/start 200 [0-9]+ [0-9.]+ s$")
        self.assertEqual(len(log.splitlines()), 2)

    @LONG
    def test_complaints(self):
        for arguments, code, words in ((["--port=70000"], 2, "--port takes a whole number"),
                                       (["--listen=nowhere"], 2, "--listen takes an address"),
                                       (["--definitions=/nowhere"], 3, "--definitions /nowhere"),
                                       (["no-such-puzzle"], 2, "no-such-puzzle"), (["goat", "goat"], 2, "two puzzles"),
                                       (["--memory=x"], 2, "--memory takes a size"),
                                       ([f"--port={self.server.port}", "goat"], 3, "cannot listen")):
            done = subprocess.run([SERVE, *arguments], capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual(done.returncode, code, done)
            self.assertIn(words, done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 1)

    def test_only_what_is_named_is_offered(self):
        server = Server("-d", self.databases, "goat", "queens-8")
        names = [puzzle["puzzle"] for puzzle in server.ask("/api/puzzles").json["puzzles"]]
        self.assertEqual(names, ["goat", "queens-8"])
        self.assertEqual(server.ask("/api/klotski").status, 404)
        self.assertEqual(server.ask("/api/queens-8/board/start/count").json["solutions"], 92)
        server.stop()

    @LONG
    def test_ipv6(self):
        server = Server("--listen=::1", "goat")
        self.assertTrue(server.url.startswith("http://[::1]:"))
        server.stop()


def threads_of(server):
    return len(list(SOURCE.__class__(f"/proc/{server.process.pid}/task").iterdir()))


if __name__ == "__main__":
    unittest.main()
