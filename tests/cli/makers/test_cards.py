"""Boards as people share them: rush-hour:CELLS, peg:CELLS, tiles:NUMBERS, and files with one in each line.

What is known of the boards was published: by the maker of the game, on its cards, and by Michael Fogleman, of all
Rush Hour boards. Each is found by a plain search here, too."""

import json
import random
import unittest

from helpers.harness import SHORT, Case
import plain  # beside this file

# Of the forty cards of the game, with the moves that their backs take; X is the red car.
CARDS = {
    "AA...OP..Q.OPXXQ.OP..Q..B...CCB.RRR.": 8, ".............XXO...AAO.P.B.O.P.BCC.P": 14,
    "O..P..O..P..OXXP....AQQQ..A..B..RRRB": 9, "...AAO..BBCOXXDECOFFDEGGHHIPPPKKIQQQ": 12,
    "AAB.CCDDB..OPXX..OPQQQ.OP..EFFGG.EHH": 17, "OAAP..O..P..OXXP....BQQQ..B..E..RRRE": 25,
    "ABB..OA.P..OXXP..O..PQQQ....C.RRR.C.": 17, ".AABB.CCDDOPQRXXOPQREFOPQREFGG.HHII.": 23,
    "AOOO..A.BBCCXXD...EEDP..QQQPFGRRRPFG": 24, "AABO..CCBO..PXXO..PQQQ..PDD...RRR...": 25,
    "..ABB...A.J..DXXJ..DEEF..OOOF.......": 22, "AABO..P.BO..PXXO..PQQQ...........RRR": 21,
    "ABBO..ACCO..XXDO.P..DEEP..F..P..FRRR": 28, "OOOA....PABBXXP...CDPEEQCDRRRQFFGG.Q": 30,
    "O.APPPO.AB..OXXB..CCDD.Q.....QEEFF.Q": 32, "AAOBCC..OB..XXO...DEEFFPD..K.PHH.K.P": 37,
    ".AR.BB.AR...XXR...IDDEEPIFFGHPQQQGHP": 40, "AAB.CCDDB.OPQXX.OPQRRROPQ..EFFGG.EHH": 47,
    "A..OOOABBC..XXDC.R..DEER..FGGR..FQQQ": 48, "OAA.B.OCD.BPOCDXXPQQQE.P..FEGGHHFII.": 51,
}
# Moves, board, and how many boards moves lead to.
LINES = """\
60 IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM 2332
58 BBoKMxDDDKMoIAALooIoJLEEooJFFNoGGoxN 9192
55 ooBBMxDDDKMoAAJKoNooJEENIFFLooIGGLox 9712
55 ooBBMxDDDKMoAAJKoNooJEENIFFLooIGGLHH 8257
54 oxCCMoDDDKMoAAJKooooJLEEIFFLoNIGGoxN 6355
54 oooJLxCCCJLoHAAKooHoIKDDooIEEMoFFoxM 3461
54 oooJxoCCCJLoHAAKLoHoIKDDooIEEMoFFoxM 2948
54 BBBKCCDDoKoLIAAKoLIoJEEMFFJooMooxoHH 1845
53 BBBCCNDDoxMNJAAoMOJoKFFOGGKLooxIILoo 4705
53 ooBBoxDDDKooAAJKoMooJEEMIFFLooIGGLHH 4228
53 ooBBoxDDDKooAAJKoMooJEEMIFFLooIGGLox 4102
52 oxCCMNDDDKMNAAJKooooJEEoIFFLooIGGLox 7178
52 oxCCMNDDDKMNAAJKooooJLEEIFFLooIGGHHo 5717
51 xCCoLMooJoLMAAJoLNHIDDDNHIoKEExooKGG 9360
51 BCDDE.BCF.EGB.FAAGHHHI.G..JIKKLLJMM. 4780
""".splitlines()


def random_card(rng, rows, columns, cars, walls):
    """Cars wherever they fit; the red one lies in a row."""
    grid = [["o"] * columns for _ in range(rows)]
    red = rng.randrange(rows)
    for c in range(2):
        grid[red][c] = "A"
    for letter in "BCDEFGHIJKLMNPQRSTUVWYZ"[:cars] + "x" * walls:
        for _ in range(50):
            length = 1 if letter == "x" else rng.choice((2, 2, 3))
            down, right = rng.choice(((1, 0), (0, 1)))
            row, column = rng.randrange(rows), rng.randrange(columns)
            places = [(row + i * down, column + i * right) for i in range(length)]
            if all(r < rows and c < columns and grid[r][c] == "o" for r, c in places) and \
                    not (letter == "x" and row == red and column >= columns - 2):
                for r, c in places:
                    grid[r][c] = letter
                break
    card = "".join(map("".join, grid))
    return card if "o" in card else random_card(rng, rows, columns, cars, walls)  # on a full board nothing can move


class Cards(Case):
    def lines(self, kind, text, *arguments, code=0):
        result = self.query(*arguments, kind, "-", stdin=text)
        self.assertEqual(result.code, code, result.err)
        return result

    def test_cards_of_the_game(self):
        answers = self.lines("rush-hour:", "\n".join(CARDS)).lines
        self.assertEqual([int(line.split("\t")[1]) for line in answers], list(CARDS.values()))
        for card in list(CARDS)[::5 if SHORT else 1]:
            self.assertEqual(plain.search(card), CARDS[card], card)

    def test_lines_of_foglemans_list(self):
        path = self.write("list.txt", "\n".join(LINES) + "\n")
        result = self.query("rush-hour:", f"--from={path}")
        self.assertEqual((result.code, result.err), (0, ""))
        self.assertEqual([line.split("\t")[1] for line in result.lines], [line.split()[0] for line in LINES])
        for line in LINES[::8 if SHORT else 1]:
            moves, card, boards = line.split()
            self.assertEqual(plain.search(card, whole=True), (int(moves), int(boards)), card)

    def test_what_a_line_says_is_checked(self):
        wrong = [LINES[0], "", LINES[1].replace("58", "57"), LINES[7].replace("1845", "1846"), LINES[9],
                 "3 oooooooooooooAABoooooBoooooooooooooo"]
        path = self.write("wrong.txt", "\n".join(wrong) + "\n")
        result = self.query("rush-hour:", f"--from={path}")
        self.assertEqual(result.code, 2)
        self.assertEqual(len(result.lines), 5)
        complaints = result.err.splitlines()
        self.assertEqual([line.split(": ")[1] for line in complaints], [f"{path}:{n}" for n in (3, 4, 6)])
        self.assertIn("58 moves from the goal, and not 57", complaints[0])
        self.assertIn("1,845 boards from this one, and not to 1846", complaints[1])
        alone = self.query("rush-hour:" + wrong[2])
        self.assertEqual(alone.code, 2)
        self.assertIn("58 moves from the goal, and not 57", alone.err)
        lost = "7 oooooooooooooAAxoooooooooooooooooooo 4"
        self.assertIn("line 1: the goal cannot be reached", self.lines("rush-hour:", lost, code=2).err)

    def test_what_is_said_is_of_the_start_alone(self):
        for wish in (["--random=5..10", "--number=2", "--count"], ["--hardest=1", "--path"]):
            self.assert_answer(self.query("rush-hour:" + LINES[0], *wish, "--seed=1" if "--count" in wish else "--count"))
        self.assert_complaint(self.query("rush-hour:" + LINES[1].replace("58", "57"), "--hint"), 2, "and not 57")

    def test_searches_check_what_they_know(self):
        card = list(CARDS)[0]
        for moves, code in ((8, 0), (9, 2)):
            result = self.query(f"rush-hour:{moves} {card} 1", "--method=search")
            self.assertEqual((result.code, result.err == ""), (code, code == 0), result.err)
        self.assert_complaint(self.query(f"rush-hour:8 {card} 1"), 2, "and not to 1 as is said")

    def test_a_line_that_fails_is_one_of_many(self):
        card = list(CARDS)[0]
        result = self.lines("rush-hour:", f"{card}\n/proc/self/mem#1\n{card}\n", code=2)
        self.assertEqual(len(result.lines), 3, result)
        self.assertTrue(result.lines[0] == result.lines[2] and "error" in result.lines[1], result.out)
        self.assertIn("line 2: ", result.err)

    def test_pegs_with_figures(self):
        for line, code in (("1 110 5", 2), ("3 1111/0110 9", 2), ("1 110000000 5", 2), ("1 110000000 2", 0)):
            self.assertEqual(self.query("peg:" + line).code, code, line)

    def test_random_boards_of_any_size(self):
        rng = random.Random(26)
        sizes = [(rng.randrange(3, 6), rng.randrange(3, 7)) for _ in range(10 if SHORT else 60)]
        cards = [(rows, columns, random_card(rng, rows, columns, rng.randrange(1, 7), rng.randrange(3)))
                 for rows, columns in sizes]
        found = [plain.search(card, columns, whole=True) for rows, columns, card in cards]
        said = "\n".join(f"{rows}x{columns}:{card}" for rows, columns, card in cards)
        answers = self.lines("rush-hour:", said, code=1 if any(distance is None for distance, _ in found) else 0).lines
        for (_, _, card), (distance, boards), line in zip(cards, found, answers, strict=True):
            self.assertEqual(line.split("\t")[1], "unreachable" if distance is None else str(distance), card)
        known = [(rows, columns, card, *figures) for (rows, columns, card), figures in zip(cards, found)
                 if figures[0] is not None]
        self.lines("rush-hour:", "\n".join(f"{d} {r}x{c}:{card} {n}" for r, c, card, d, n in known))
        self.assertEqual(len(self.lines("rush-hour:", "\n".join(f"{d} {r}x{c}:{card} {n + 1}" for r, c, card, d, n in known),
                                        code=2).err.splitlines()), len(known))

    def test_forms_of_one_board(self):
        same = ["AAoBoooBCCoooooo", "AA.B/...B/CC../....", "4x4:AA_B---BCCo.o0.."]
        answers = [json.loads(line) for line in self.lines("rush-hour:", "\n".join(same), "--json").lines]
        self.assertEqual({(answer["puzzle"], answer["board"]) for answer in answers},
                         {("rush-hour-AA.B...BCC......", "AA.B...BCC......")})
        self.assertEqual({answer["distance"] for answer in answers}, {plain.search(same[0])})

    def test_lines_of_a_file_by_number(self):
        path = self.write("cards.txt", "\n\n".join(LINES[:3]) + "\n")
        result = self.query(f"rush-hour:{path}#2", "--json")
        self.assertEqual(json.loads(result.out)["distance"], 58)
        result = self.query(f"rush-hour:{path}#4")
        self.assertEqual(result.code, 2)
        self.assertIn("there is no board 4: it has 3", result.err)

    def test_pegs_and_tiles(self):
        for same in ("ooo/oo./ooo", "xxx/xx_/xxx", "111/110/111"):
            result = self.query("--json", "peg:" + same)
            self.assertEqual(json.loads(result.out)["puzzle"], "peg-111-11.-111")
        triangle = json.loads(self.query("--json", "peg:x/.x/xxx/xxxx/xxxxx").out)
        known = self.query("--json", "triangle-15", "1.1111111111111")
        self.assertEqual(triangle["distance"], json.loads(known.out)["distance"])
        lists = ["8 1 3 4 0 2 7 6 5", "1 2 3 4 5 6 7 8 0", "2x3:5 1 3 4 0 2", "1,2,3,0"]
        answers = [json.loads(line) for line in self.lines("tiles:", "\n".join(lists), "--json").lines]
        self.assertEqual([answer["puzzle"] for answer in answers], ["tiles-3x3", "tiles-3x3", "tiles-2x3", "tiles-2x2"])
        eight = self.query("8-puzzle", "--json", lists[0])
        self.assertEqual([answer["distance"] for answer in answers[:2]], [json.loads(eight.out)["distance"], 0])

    def test_what_is_no_board(self):
        for text, complaint in {
            "rush-hour:": "no board behind the colon",
            "rush-hour:AABoo": "size",
            "rush-hour:2x4:AAoBooBo": "'B' is no car",
            "rush-hour:2x3:oBBooo": "no red car",
            "rush-hour:2x2:AoAo": "has to lie along",
            "rush-hour:1x4:AAox": "a wall stands",
            "rush-hour:1x4:AA?o": "a cell is",
            "rush-hour:65x1:A": "1 to 64",
            "peg:xo/..": "one sign",
            "peg:../..": "no peg",
            "peg:\u25cf\u25cf\u25cb": "'\u25cf' is none",
            "rush-hour:0x6:AAoooo": "1 to 64 rows",
            "tiles:2x0:1 0": "1 to 64 rows",
            "tiles:1 2 2 0": "twice",
            "tiles:1 2 7 0": "none of them",
            "tiles:1 2 a 0": "numbers",
        }.items():
            with self.subTest(text):
                result = self.query(text)
                self.assertEqual(result.code, 2)
                self.assertIn(complaint, result.err)
                self.assertEqual(result.err.count("\n"), 1)

    def test_questions_that_many_puzzles_have_not(self):
        self.assertEqual(self.query("--from=x", "--hardest", "goat").code, 2)
        self.assertEqual(self.query("--from=x", "goat", "start").code, 2)
        self.assertEqual(self.query("--from=/nonexistent/x", "goat").code, 3)
        self.assert_complaint(self.query(f"--from={self.dir}", "goat"), 3, f"{self.dir}: Is a directory")
        self.assertEqual(self.query("--hint", "rush-hour:", "-", stdin="").code, 2)


if __name__ == "__main__":
    unittest.main()
