"""The page, played in a headless Chromium by mouse, finger and keys: a whole solution for each family.

What is checked against is the server's own interface (docs/api.md): a best move is asked for there, made on the page by
clicks and drags at the places that it changes, and the board that the page then shows has to be one move nearer.
"""

import unittest

from page_case import DOWN, LEFT, RIGHT, UP, PageCase


class Families(PageCase):
    def test_slide(self):
        self.play("goat", self.by_pieces(4))
        self.play("blocks", self.by_pieces(4))

    def test_slide_by_finger(self):
        self.browser.look(360, 740)
        self.play("8-puzzle", self.by_pieces(3, touch=True), "1 2 3 / 4 0 5 / 7 8 6")

    def test_walk(self):
        self.play("guarini", self.by_pieces(3))
        self.play("siding", self.by_pieces(6))

    def test_peg(self):
        self.play("triangle-15", self.by_pieces(9))

    def test_permute(self):
        self.play("cube-2x2x2", self.by_list)

    def test_permute_by_dragging(self):
        """A line of tiles shifts when one of them is dragged to where that brings it."""
        self.open("#diagonal-slide?board=goal")
        picture = self.server.board("diagonal-slide", "goal", "/moves")
        kinds = [symbol["kind"] for symbol in self.server.get("diagonal-slide")["symbols"]]

        def ways(move):
            goes = {kinds[symbol]: cell for cell, symbol in enumerate(move["cells"]) if symbol >= 0}
            return {(cell, goes[kinds[symbol]]) for cell, symbol in enumerate(picture["cells"]) if symbol >= 0}

        turn = picture["moves"][0]
        others = set().union(*(ways(move) for move in picture["moves"] if move is not turn))
        self.drag(*min(ways(turn) - others))
        self.wait_for_board(turn["board"])

    def test_flip(self):
        self.play("lights-out-4x4", self.by_button)

    def test_rules(self):
        self.play("wolf-goat-cabbage", self.by_list)
        self.play("hanoi-3x3", self.by_pieces(3))

    def test_rules_by_arrows(self):
        """Where one block rolls, a direction says it all."""
        def arrow(picture, number, move, step):
            self.browser.keys({"up": UP, "down": DOWN, "left": LEFT, "right": RIGHT}[move["move"].split()[1]])

        self.open("#bloxorz-1")
        self.browser.run("document.querySelector('.stage .board').focus();")
        while self.distance("bloxorz-1") > 0:
            picture, number, move = self.best("bloxorz-1")
            arrow(picture, number, move, 0)
            self.wait_for_board(move["board"])
        self.browser.wait_for(".won .status", "Solved")

    def test_rules_where_the_mover_changes(self):
        """A man who looks otherwise on a cross, which is not drawn below him, is steered there and away again."""
        self.open("#pushes")
        self.browser.run("document.querySelector('.stage .board').focus();")
        for way, key in (("right", RIGHT), ("right", RIGHT), ("left", LEFT), ("up", UP), ("left", LEFT)):
            moves = self.server.board("pushes", self.board(), "/moves")["moves"]
            wanted = [move for move in moves if move["move"].split()[1] == way]
            self.assertEqual(len(wanted), 1)
            self.browser.keys(key)
            self.wait_for_board(wanted[0]["board"])
        self.browser.wait_for(".won .status", "Solved")

    def sketch_cells(self, picture, move):
        """The cells of a sketch that a move changes, as the page counts them."""
        lines, after = picture["sketch"], move["sketch"]
        grid = all(line[1::2].strip() == "" and len(line) % 2 for line in lines)
        rows, changed = ([line[::2] if grid else line for line in text] for text in (lines, after))
        columns = max(map(len, rows))
        return [
            row * columns + column for row, line in enumerate(rows) for column, character in enumerate(line)
            if character != changed[row][column]
        ]

    def test_place(self):
        def fill(picture, number, move, step):
            cells = self.sketch_cells(picture, move) if "sketch" in picture else [move["from"]]
            self.click_cell(cells[-1])
            if self.browser.run("return !document.querySelector('.chooser').hidden;"):
                self.browser.click(f".chooser [data-move='{number}']")

        self.assertEqual(self.play("queens-6", fill), 6)
        self.assertEqual(self.play("sudoku-4", fill), 12)
        self.assertEqual(self.play("send-more", fill), 8)

    def test_place_take_out_and_type(self):
        """A value is typed, and taken out again although others came after it."""
        self.open("#sudoku-4")
        cells = []
        self.browser.run("document.querySelector('.stage .board').focus();")
        for _ in range(2):
            _, _, value = self.best("sudoku-4")
            cells.append(value["from"])
            self.browser.run("document.querySelector('.stage .board').focus();")
            self.reach(cells[-1], 4)
            self.browser.keys(value["board"][cells[-1]])
            self.wait_for_board(value["board"])
        self.assertNotEqual(self.board()[cells[0]], ".")
        expected = self.board()[:cells[0]] + "." + self.board()[cells[0] + 1:]
        self.click_cell(cells[0])
        self.wait_for_board(expected)
        self.browser.click("[data-tool='undo']")
        self.browser.wait(lambda: self.board() != expected, "what was taken out comes back")

    def test_place_keys_are_values(self):
        """What fits no slot is told, and is no shortcut: 0 would begin anew."""
        self.open("#sudoku-4")
        self.browser.run("document.querySelector('.stage .board').focus();")
        _, _, value = self.best("sudoku-4")
        self.reach(value["from"], 4)
        self.browser.keys(value["board"][value["from"]])
        self.wait_for_board(value["board"])
        for key in "09u":
            self.browser.keys(key)
            self.browser.wait(lambda: self.spoken().startswith(f"{key} "), f"{key} is refused")
            self.assertEqual(self.board(), value["board"])

    def test_place_without_pictures(self):
        """Of a large board the moves come without pictures."""
        self.open("#queens-32")
        moves = self.server.board("queens-32", "start", "/moves")["moves"]
        self.assertEqual([move["move"] for move in moves if "cells" in move], [])
        self.click_cell(3 * 32 + 5)
        self.wait_for_board(next(move["board"] for move in moves if move["move"] == "row 4 column 6"))
        self.browser.wait(lambda: self.count(".stage .pieces .piece") == 1, "a queen")
        self.click_cell(3 * 32 + 5)
        self.wait_for_board(self.server.get("queens-32")["named"]["start"])

    def test_guess(self):
        """The page thinks of a code: asked by the program's own questions, it is found."""
        self.open("#mastermind", "#guessing")
        history = []
        for _ in range(12):
            question = self.server.board("mastermind", " ".join(history) or "start")["next"]
            self.submit("#guess", question)
            self.browser.wait(lambda: self.count("#guessing .guesses li") == len(history) + 1, "an answer")
            pegs = self.browser.text("#guessing .guesses li:last-child .pegs")
            history.append(f"{question}:{pegs.count('●')},{pegs.count('○')}")
            if pegs == "●●●●":
                break
        self.browser.wait_for("#guessing output", f"Found with {len(history)} question")

    def test_guessed(self):
        """The player thinks of a code, and the page asks until it has it; contradictions are told."""
        self.open("#mastermind", "#guessed .next .code")
        code = "9431"
        for turn in range(1, 12):
            asked = self.browser.text("#guessed .next .code")
            bulls = sum(a == b for a, b in zip(code, asked))
            cows = len(set(code) & set(asked)) - bulls
            self.browser.run("""
                document.querySelector('#bulls').value = arguments[0];
                document.querySelector('#cows').value = arguments[1];
                document.querySelector('#bulls').form.requestSubmit();""", bulls, cows)
            if bulls == 4:
                break
            self.browser.wait(lambda: self.browser.text("#guessed .next .code") != asked, "the next question")
        self.assertEqual(turn, self.server.board("mastermind", code)["distance"])
        self.browser.wait_for("#guessed .next", "That is it!")

    def test_express(self):
        self.open("#four-fours", "#question")
        reply = self.server.board("four-fours", "10", "/path")
        self.submit("#asked", "10")
        self.browser.wait_for("#question output", f"10: {reply['distance']} operators")
        self.browser.wait_for("#question .reply", reply["expression"])
        self.submit("#asked", "11")
        self.browser.wait_for("#question output", "cannot be done")
        self.browser.wait(lambda: self.browser.text("#challenge .value"), "a value to be made")
        self.browser.click("[data-ask='show']")
        self.browser.wait_for("#challenge .reply dd")


if __name__ == "__main__":
    unittest.main(verbosity=2)
