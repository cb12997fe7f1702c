"""What stands around the board on the page: hints, the way back, other boards, links, frames, languages, keys."""

import json
import re
import unittest

from page_case import ENTER, HOSTILE, TAB, UP, PageCase
from helpers.harness import SOURCE


class Around(PageCase):
    # -- hints, history, new boards --

    def test_hints(self):
        self.open("#goat")
        self.assertEqual(self.browser.text(".hint") + (self.browser.text(".marks") or ""), "")
        self.assertNotIn(str(self.distance("goat")), self.browser.text(".play .status"))
        best = self.server.board("goat", "start", "/hint?level=3")
        self.browser.click("[data-hint='1']")
        self.browser.wait_for("output.hint", f"{best['distance']} moves")
        self.assertEqual(self.count(".marks *"), 0)
        self.browser.click("[data-hint='2']")
        self.browser.wait_for(".marks .hint")
        self.assertEqual(self.count(".marks .best"), 0)
        self.browser.click("[data-hint='3']")
        self.browser.wait_for(".marks .best")
        self.assertIn(best["move"].split()[-1], self.browser.text("output.hint"))
        self.assertIn(str(best["distance"]), self.spoken())
        self.browser.click("#always")
        self.show_buttons("details.card")
        self.browser.wait_for(".moves .best .far", str(best["distance"] - 1))
        self.by_list(*self.best("goat"), 0)
        self.browser.wait_for("output.hint", f"{best['distance'] - 1} moves")
        self.browser.wait(lambda: self.count(".graph .dot") == 2, "two points of the graph")

    def test_hint_of_rules(self):
        """Where rules name no piece, what a best move changes is marked, and not yet how."""
        for name in ("wolf-goat-cabbage", "jugs", "bloxorz-1"):
            self.open(f"#{name}")
            picture, number, move = self.best(name)
            self.browser.click("[data-hint='2']")
            self.browser.wait_for("output.hint", "marked")
            self.assertGreater(self.count(".marks .hint"), 0, name)
            self.assertNotIn(move["move"], self.browser.text("output.hint"))

    # -- what is drawn --

    def test_goal(self):
        """A picture where it can be drawn, words where not; cells that do not matter are fainter."""
        self.open("#8-puzzle")
        self.assertEqual(self.browser.run("""
            return [...document.querySelectorAll('.goal .piece text')].map((text) => text.textContent).join('');"""),
                         "12345678")
        self.assertIn("123456780", self.browser.run(
            "return document.querySelector('.goal [role=img]').getAttribute('aria-label');"))
        self.open("#klotski")
        self.assertEqual([self.count(".goal .piece"), self.count(".goal .any")], [1, 16])
        self.open("#queens-6")
        self.assertEqual(self.count(".goal"), 0)
        self.assertIn(f"Goal: {self.server.get('queens-6')['title']}", self.browser.text(".title"))

    def test_exits_and_legend(self):
        self.open("#klotski")
        exits = self.server.get("klotski")["exits"]
        self.assertEqual({way["side"] for way in exits}, {"bottom"})
        self.assertEqual([self.count(".stage .gap"), self.count(".stage .exit")], [1, 1])  # they are side by side
        below = self.browser.run("""
            const [exit, tray] = ['.stage .exit', '.stage .tray'].map((name) =>
                document.querySelector(name).getBoundingClientRect());
            return exit.top >= tray.bottom;""")
        self.assertTrue(below)
        self.open("#goat")
        words = {symbol["legend"] for symbol in self.server.get("goat")["symbols"] if "legend" in symbol}
        self.assertEqual(self.count(".legend li"), len(words))
        for text in words:
            self.assertIn(text, self.browser.text(".legend"))

    def test_shapes(self):
        """The legend shows what the board does: figures and a river with waves, and letters where those are tiles."""
        self.open("#wolf-goat-cabbage")
        self.assertEqual(self.count(".stage .shape-water"), self.count(".stage .board .shape-wave"))
        self.assertGreater(self.count(".stage .board .shape-wave"), 0)
        self.assertEqual([self.count(f".legend {part}") for part in ("svg .shape", "svg .shape-wave", "span.swatch")], [1, 1, 3])
        same = self.browser.run("""
            return document.querySelector('.legend .shape').getAttribute('d') ===
              document.querySelector('.board .shape').getAttribute('d');""")
        self.assertTrue(same)

    def test_vessels_and_frames(self):
        """Glasses are walls with a bottom, one a vessel; a frame lies over what it frames."""
        self.open("#glasses")
        paths = self.browser.run(
            "return [...document.querySelectorAll('.stage .board .over .shape-walls')].map((p) => p.getAttribute('d'));")
        self.assertEqual(len(paths), 3 + 2)
        self.assertEqual(sum(path.endswith("h45") for path in paths), 2)
        self.assertEqual(self.count(".stage .board .over .cell-frame"), 1)

    def test_stickers(self):
        """Triangles lie in each other's gaps; of diamonds those at the ends of a face are cut off."""
        corners = """
            return [...document.querySelectorAll('.stage .pieces .face')].map((face) =>
                new Set(face.getAttribute('d').match(/[-\\d.]+ [-\\d.]+/g)).size);"""
        self.open("#pyraminx")
        self.assertEqual(set(self.browser.run(corners)), {3})
        self.assertEqual(self.count(".stage .pieces .face"), 36)
        self.open("#stickers")
        self.assertEqual(sorted(self.browser.run(corners)), [3, 3, 3, 3, 4])

    def test_opening_fails(self):
        """A page that cannot be opened hears no keys."""
        self.open("", ".puzzle")
        self.assertEqual(self.browser.run("""
            const [{ playPage }, { api }] = [await import('./play.js'), await import('./api.js')];
            const puzzle = await api.puzzle('guarini'), heard = new Set();
            const { addEventListener: add, removeEventListener: remove } = document;
            document.addEventListener = (type, act) => { heard.add(act); add.call(document, type, act); };
            document.removeEventListener = (type, act) => { heard.delete(act); remove.call(document, type, act); };
            window.fetch = () => Promise.reject(new TypeError('no server'));
            const said = await playPage(puzzle, { board: 'start', moves: [] }).catch((error) => error.message);
            return [said, heard.size];"""), ["unreachable", 0])

    def test_undo_redo_restart(self):
        self.open("#guarini")
        boards = [self.board()]
        self.show_buttons("details.card")
        for _ in range(3):
            _, number, move = self.best("guarini")
            self.browser.click(f".moves [data-move='{number}']")
            self.wait_for_board(move["board"])
            boards.append(move["board"])
        for tool, board in (("undo", 2), ("undo", 1), ("redo", 2), ("restart", 0), ("redo", 1)):
            self.browser.click(f"[data-tool='{tool}']")
            self.wait_for_board(boards[board])
        self.browser.wait(lambda: self.hash().endswith("at=1"), "the address of an earlier step")
        self.open(self.hash())
        self.wait_for_board(boards[1])
        self.browser.keys("r", "r", "r")
        self.wait_for_board(boards[3])
        self.browser.keys("u")
        self.wait_for_board(boards[2])
        self.browser.keys("0")
        self.wait_for_board(boards[0])

    def test_random_and_hardest(self):
        self.open("#goat")
        info = self.server.get("goat")
        for difficulty in (5, 30, 50):
            before = self.board()
            self.browser.run("""
                document.querySelector('#difficulty').value = arguments[0];
                document.querySelector('#difficulty').dispatchEvent(new Event('input'));""", difficulty)
            self.browser.click("[data-deal]")
            self.browser.wait(lambda: self.board() != before, "another board")
            self.assertLessEqual(abs(self.distance("goat") - difficulty), info["max"] // 20)
        self.show_buttons()
        self.browser.wait_for("[data-hardest='0']")
        self.assertEqual(self.count("[data-hardest]"), info["hardest"])
        self.browser.click("[data-hardest='0']")
        self.browser.wait(lambda: self.distance("goat") == info["max"], "a hardest board")
        self.browser.click("[data-board='start']")
        self.wait_for_board(info["named"]["start"])

    def test_solution(self):
        """A whole solution is played; a move of the player's own ends it."""
        self.open("#klotski?board=ABBCABBCDEEFDGHFI..J")
        self.browser.click("[data-solution='step']")
        self.browser.wait(lambda: self.board() != self.server.get("klotski")["named"]["start"], "a step")
        self.assertEqual(self.distance("klotski"), self.distance("klotski", "start") - 1)
        self.open("#guarini")
        self.browser.run("document.querySelector('[data-solution] ~ input').value = 2;")
        self.browser.click("[data-solution='play']")
        self.browser.wait_for(".won .status", "Solved")
        self.assertEqual(self.distance("guarini"), 0)

    # -- addresses, texts, frames --

    def test_link(self):
        """What is shared is the whole game."""
        self.open("#triangle-15")
        self.show_buttons("details.card")
        for _ in range(3):
            _, number, move = self.best("triangle-15")
            self.browser.click(f".moves [data-move='{number}']")
            self.wait_for_board(move["board"])
        board = self.board()
        self.browser.wait(lambda: len(self.hash().split(".")) == 3, "the game in the address")
        self.open(self.hash())
        self.wait_for_board(board)
        self.browser.keys("0")
        self.wait_for_board(self.server.get("triangle-15")["named"]["start"])

    def test_edit(self):
        self.open("#8-puzzle")
        self.show_buttons()
        self.browser.run("""
            const text = document.querySelector('#board-text');
            text.value = '1 2 3';
            text.dispatchEvent(new Event('input'));""")
        self.refused = 1
        self.browser.wait_for(".share output", "3 cells given, but the board has 9")
        self.browser.run("""
            const text = document.querySelector('#board-text');
            text.value = '1 2 3\\n4 5 6\\n7 0 8';
            text.dispatchEvent(new Event('input'));""")
        self.browser.wait_for(".share output", "This is a board.")
        self.browser.click("[data-edit='use']")
        self.wait_for_board("123456708")
        frame = self.browser.run("return document.querySelector('#embed').value;")
        self.assertIn("?embed#8-puzzle?board=123456708", frame)

    def test_embed(self):
        self.open("?embed#goat")
        self.assertFalse(self.browser.run("return document.querySelector('header.top').checkVisibility();"))
        self.assertEqual(self.count(".panel"), 0)
        self.browser.click("[data-tool='hint']")
        self.browser.wait_for("output.hint", f"{self.distance('goat')} moves")
        self.browser.wait(lambda: self.browser.run("return document.querySelector('.open').hash;").startswith("#goat?"),
                          "the link")

    def test_hostile_texts(self):
        """What a definition calls its things is text, wherever it stands."""
        self.open("", ".puzzle")
        self.assertIn(HOSTILE, self.browser.text(".families"))
        self.open("#hostile")
        self.show_buttons()
        self.assertIn(HOSTILE, self.browser.text(".title"))
        for glyph in ("<b>bold", "\"'>", "&lt;"):
            self.assertIn(glyph, self.browser.text(".stage .pieces"))
        self.browser.click("[data-tool='hint']")
        self.browser.wait_for("output.hint", "moves")
        for address in ("#<script>window.hostile=1</script>", "#hostile?board=<img src=x onerror=window.hostile=1>",
                        "#%", "#goat?moves=9999.-7.x&at=-3"):
            self.browser.open("about:blank")
            self.browser.open(self.server.url + address)
            self.browser.wait(lambda: self.browser.text(".status, [role=alert]"), f"a page at {address}")
        self.assertTrue(self.browser.run("""
            const made = document.querySelector('main script, main img, main b');
            return window.hostile === undefined && made === null;"""))
        messages = [entry["message"] for entry in self.browser.logs("browser")]  # the server refuses three of these
        self.assertEqual([message for message in messages if not re.search("status of (404|422|400)", message)], [])

    # -- sizes, languages, keys --

    def test_narrow(self):
        """Nothing is wider than a small telephone, in either language."""
        self.browser.look(360, 740)
        for address in ("", "?lang=ja", "#goat", "#send-more", "#hoppers", "#mastermind", "#four-fours",
                        "?lang=ja#cube-2x2x2", "?embed#klotski", "#lunar-lockout", "#hostile"):
            self.open(address, ".puzzle, .board[data-board], .cards")
            self.show_buttons()
            self.assertLessEqual(self.browser.run("return document.documentElement.scrollWidth;"), 360, address)

    def test_wide(self):
        self.browser.look(1920, 1080, dark=True)
        self.open("#goat")
        stage, panel = self.browser.run(
            "return ['.stage', '.panel'].map((name) => document.querySelector(name).getBoundingClientRect().right);")
        self.assertLess(stage, panel)
        ground = self.browser.run("return getComputedStyle(document.body).backgroundColor;")
        self.assertLess(max(int(part) for part in ground[4:-1].split(",")), 64)

    def test_gallery(self):
        self.open("", ".puzzle")
        names = {puzzle["puzzle"] for puzzle in self.server.get("puzzles")["puzzles"]}
        shown = self.browser.run("""
            return [...document.querySelectorAll('.puzzle .name')].map((name) => name.textContent);""")
        self.assertEqual(set(shown), names)
        self.browser.run("""
            const filter = document.querySelector('#filter');
            filter.value = 'sheep';
            filter.dispatchEvent(new Event('input'));""")
        self.browser.wait(lambda: self.count(".puzzle") == 1, "one puzzle")
        self.browser.wait(lambda: self.count(".puzzle .picture .pieces rect") > 5, "its picture")
        self.browser.click(".puzzle")
        self.browser.wait_for(".board[data-board]")
        self.assertEqual(self.browser.run("return document.title;"), "goat · pdb")

    def test_japanese(self):
        self.open("?lang=ja#goat")
        self.assertEqual(self.browser.run("return document.documentElement.lang;"), "ja")
        self.browser.click("[data-hint='1']")
        self.browser.wait_for("output.hint", f"ゴールまで{self.distance('goat')}手")
        self.assertIn("駒を1マス動かす", self.browser.text(".metric"))
        self.show_buttons("details.card")
        moves = [move["move"].split() for move in self.server.board("goat", "start", "/moves")["moves"]]
        directions = {"left": "左", "right": "右", "up": "上", "down": "下"}
        shown = self.browser.run("return [...document.querySelectorAll('.moves button')].map((b) => b.textContent);")
        self.assertEqual([text.split()[-1] for text in shown], [directions[move[-1]] for move in moves])
        self.open("?lang=ja#lights-out-4x4")
        self.show_buttons("details.card")
        self.assertEqual(self.browser.text(".moves [data-move='5']"), "2行2列を押す")
        self.open("?lang=ja#wolf-goat-cabbage")  # by rules of its own, which have names of their own
        self.assertEqual([self.browser.text(".moves [data-move='0']"), self.count(".metric")], ["take goat", 0])

    def test_texts(self):
        """Every language has the same texts, with the same names to be put in, and all that the page asks for."""
        folder = SOURCE / "serve/page"
        texts = {path.stem: json.loads(path.read_text()) for path in folder.glob("*.json")}
        self.assertGreaterEqual(len(texts), 2)
        self.browser.open(self.server.url)
        code = "".join(path.read_text() for path in folder.glob("*.js"))
        asked = set(re.findall(r'\bt\("([^"]+)"', code))
        self.assertGreater(len(asked), 50)
        self.assertEqual(asked - set(texts["en"]), set())
        for words in [said.pop("words", {}) for said in texts.values()]:
            for key, text in words.items():
                self.assertEqual(*(set(re.findall(r"{(\w+)}", part)) for part in (key, text)), key)
        for language, said in texts.items():
            self.assertEqual(set(said), set(texts["en"]), language)
            for key, text in said.items():
                names = [set(re.findall(r"{(\w+)}", words)) for words in (text, texts["en"][key])]
                self.assertEqual(*names, (language, key))

    def test_keys_alone(self):
        """From the address to the goal without a mouse, and every step is told to who cannot see it."""
        self.open("#8-puzzle?board=123450786")
        for _ in range(12):
            self.browser.keys(TAB)
            if self.browser.run("return document.activeElement.matches('.board');"):
                break
        self.assertTrue(self.browser.run("return document.activeElement.matches('.board:focus-visible');"))
        self.browser.keys(UP)
        self.wait_for_board("123456780")
        self.browser.wait(lambda: "Solved" in (self.spoken() or ""), "it is told")
        self.open("#guarini")
        self.browser.run("document.querySelector('.stage .board').focus();")
        picture, _, move = self.best("guarini")
        start, end = self.trip(picture, move, 3)
        self.reach(start, 3)
        self.browser.keys(ENTER)
        self.browser.wait(lambda: "Held" in self.spoken(), "what is held is told")
        self.reach(end, 3)
        self.browser.keys(ENTER)
        self.wait_for_board(move["board"])
        self.browser.wait(lambda: move["move"][1:] in self.spoken(), "the move is told")

    def test_names_for_all(self):
        """Everything that can be reached has a name for a screen reader."""
        for address in ("", "#goat", "#mastermind", "#four-fours", "?embed#goat"):
            self.open(address, ".puzzle, .board[data-board], .cards")
            self.show_buttons()
            nameless = self.browser.run("""
                const name = (e) => e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.[0]?.textContent;
                return [...document.querySelectorAll('a, button, input, textarea, summary, [tabindex]')]
                  .filter((e) => !e.hidden && !name(e)).map((e) => e.outerHTML);""")
            self.assertEqual(nameless, [], address)


if __name__ == "__main__":
    unittest.main(verbosity=2)
