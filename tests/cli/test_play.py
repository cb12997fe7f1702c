"""A game on the whole terminal, played in a real one: tmux's.

Nothing here sleeps for a while and hopes: every step waits until the screen shows what it has to."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from helpers.harness import QUERY, Case, GoatCase, needs

PATIENCE = 60  # seconds; a busy machine and sanitizers
CLEARED = "-- nothing of the game is left --"


class Terminal:
    """A terminal with one program in it. When it has ended, the lines 'exit CODE' and the terminal's settings are
    shown."""

    def __init__(self, case, *arguments, rows=24, columns=80, **environment):
        self.socket = os.path.join(tempfile.mkdtemp(dir=case.dir), "tmux")
        self.case, self.before = case, [CLEARED]
        script = 'trap : INT; printf "%s\\n" "$1"; shift; "$@"; echo "exit $?"; stty -a; exec cat'
        variables = (f"{name}={value}" for name, value in {"TERM": "screen-256color", **environment}.items())
        session = ["tmux", "-S", self.socket, "-f", "/dev/null", "new-session", "-d", f"-x{columns}", f"-y{rows}"]
        command = ["sh", "-c", script, "sh", CLEARED, QUERY, "-d", str(case.db), *map(str, arguments)]
        subprocess.run([*session, "env", *variables, *command], check=True,
                       env=case.environment(case.dir, LC_ALL="C.UTF-8", TMUX=None))
        case.addCleanup(self.tmux, "kill-server")

    def tmux(self, *arguments):
        return subprocess.run(["tmux", "-u", "-S", self.socket, *arguments], check=False, capture_output=True,
                              timeout=PATIENCE).stdout.decode()

    @property
    def screen(self):
        return self.tmux("capture-pane", "-p")

    def press(self, *keys):
        self.tmux("send-keys", *keys)

    @property
    def process(self):
        """The program's number: the shell's only child."""
        shell = self.tmux("list-panes", "-F", "#{pane_pid}").strip()
        return int(pathlib.Path(f"/proc/{shell}/task/{shell}/children").read_text().split()[0])

    def click(self, row, column):
        """A click as a terminal tells it, pressed and let go: what is on the screen's row and column, from 0 on."""
        place = chr(33 + column) + chr(33 + row)
        self.tmux("send-keys", "-l", f"\033[M {place}\033[M#{place}")

    def resize(self, rows, columns):
        self.before = []  # tmux fits it to the new width when it comes back, and now and then a part is lost
        self.tmux("resize-window", "-x", str(columns), "-y", str(rows))

    def wait(self, *texts, gone=()):
        """Waits until all texts are on the screen, and those that are to go are not."""
        end = time.monotonic() + PATIENCE
        while True:
            screen = self.screen
            if all(text in screen for text in texts) and not any(text in screen for text in gone):
                return screen
            if time.monotonic() > end:
                self.case.fail(f"{texts} (without {gone}) is not on the screen:\n{screen}")
            time.sleep(0.02)

    def looked_at(self):
        """How many boards a search says that it has looked at."""
        return int(re.search(r"([\d,]+) boards looked at", self.wait("boards looked at"))[1].replace(",", ""))

    def wait_end(self, code):
        """The program ends, and leaves the terminal as it was: what was there before is there, and lines are read and
        echoed."""
        screen = self.wait(*self.before, f"exit {code}", " icanon", " echo ")
        self.case.assertNotRegex(screen, r"-icanon|-echo\b|-isig|-icrnl")
        return screen


ROOM = """\
puzzle: room
family: rules
board: |
  ..$x
  .@..
state:
  man: cell
  box: cell
start: {man: "'@'", box: "'$'"}
moves:
  - name: walk {d}
    for: {d: direction}
    if: step[man, d] != box
    do: man = step[man, d]
  - name: push {d}
    for: {d: direction}
    if: step[man, d] == box
    do: man = box, box = step[box, d]
goal: box == 'x'
draw:
  for: {c: cell}
  show:
    '@': c == man
    '$': c == box
    x: c in 'x'
"""


@needs("tmux")
class Play(Case):
    def play(self, *arguments, **options):
        return Terminal(self, "--play", *arguments, **options)

    def test_a_puzzle_without_a_start(self):
        """Its games begin at a random board: the same as --random gives."""
        puzzle = self.write("my.yaml", "puzzle: my\nfamily: slide\ngoal: 12/3./45\n")
        distance = self.assert_answer(self.query("--random", "--seed=5", "--json", puzzle)).json["distance"]
        game = self.play(puzzle, "--seed=5")
        game.wait("0 moves made; ")
        game.press("d")
        game.wait(f"0 moves made; {distance} moves to go")
        game.press("q")
        game.wait_end(0)

    def test_costs(self):
        """Where moves cost something a distance is no number of moves."""
        game = self.play(self.write("dear.yaml", "puzzle: dear\nfamily: rules\nstate: {a: 0..4}\ngoal: a == 4\n"
                                    "moves: [{name: up, do: a = a + 1, cost: 5}]\n"))
        game.press("d")
        game.wait("0 moves made; a cost of 20 to go")
        game.press("1", "Enter")
        game.wait("1 move made; a cost of 15 to go")
        game.press("q")
        game.wait_end(0)

    def test_a_game(self):
        """From a board three moves away to the goal, with a mistake, taken back, and hints."""
        game = self.play("8-puzzle", "12345.786", "--ascii")
        game.wait("8-puzzle: order eight sliding tiles",
                  "0 moves made; arrows, Tab and Enter move; d shows distances, b best moves", gone=["to go"])
        game.press("d")
        game.wait("distances are shown", "0 moves made; 1 move to go")
        game.press("Down")  # the 3
        game.wait("1 move made (1 mistake); 2 moves to go")
        game.press("u")
        game.wait("0 moves made (1 taken back); 1 move to go")
        game.press("H")
        game.wait("\n1 move to go\n")
        game.press("H")
        game.wait("1 move to go; next: 6\n")
        game.press("H")
        game.wait("next: 6 up (! plays it)")
        game.press("Up")
        screen = game.wait("Solved in 1 move: optimal! (1 taken back)")
        self.assertRegex(screen, r"\|  7  \|\|  8  \|   \. ")
        game.press("q")
        game.wait_end(0)

    def test_longer_than_the_shortest(self):
        game = self.play("8-puzzle", "123456.78")
        game.wait("0 moves made")
        game.press("Down")
        game.wait("1 move made\n")  # that it is a mistake would be a hint
        for key in ("Up", "Left", "Left"):
            game.press(key)
        screen = game.wait("Solved in 4 moves; the shortest is 2 (1 mistake)")
        self.assertIn("┌─────┐", screen)
        game.press("n")
        game.wait("0 moves made; ", gone=["Solved"])
        for key in ("x", "q"):
            game.press("?")
            game.wait("Shift-Tab", "any key goes back")
            game.press(key)
            game.wait("0 moves made; ")
        game.press("q")
        game.wait_end(0)

    def test_distances_and_best_moves(self):
        """Both can be shown and hidden; a number takes the list's move."""
        game = self.play("8-puzzle", "123456.78")
        game.wait("1) 4 down\n", "2) 7 left\n", "0 moves made", gone=["to go", "*"])
        game.press("d")
        game.wait("distances are shown", "1) 4 down   3", "2) 7 left   1", "2 moves to go")
        game.press("d")
        game.wait("distances are hidden", gone=["2 moves to go", "7 left   1"])
        game.press("b")
        game.wait("*  2) 7 left", "0 moves made\n")
        game.press("2")
        game.wait("1 move made\n")
        game.press("s")
        game.wait("Solved in 2 moves: optimal! (1 shown)")
        game.press("q")
        game.wait_end(0)

    def test_the_solution_can_be_left(self):
        """Whatever the key, it ends the solution and not the game."""
        game = self.play("8-puzzle")
        game.wait("0 moves made")
        game.press("s")
        game.wait("1 move made (1 shown)", "any key stops it")
        game.press("q")
        game.wait("shown)", gone=["any key stops it"])
        game.press("u")
        game.wait("1 taken back")
        game.press("q")
        game.wait_end(0)

    def test_mouse(self):
        """A peg is clicked at, and jumps into the hole that is; a move of the list."""
        game = self.play("hoppers", "--ascii")
        game.wait("1) 0-6", "0 moves made")
        game.click(2, 3)
        screen = game.wait("1 move made", gone=["2-6"]).splitlines()
        self.assertTrue(screen[2].startswith("   0 "), screen)
        row, column = next((row, line.index(" 1) ")) for row, line in enumerate(screen) if " 1) " in line[24:])
        game.click(row, 28)
        game.wait("2 moves made")
        game.press("q")
        game.wait_end(0)

    def test_colours(self):
        """They are for a terminal that has them, unless they are not wanted."""
        cases = (([], {}, True), ([], {"NO_COLOR": ""}, True), ([], {"NO_COLOR": "1"}, False),
                 (["--color=never"], {}, False), (["--color=always"], {"NO_COLOR": "1"}, True), (["--ascii"], {}, False))
        for arguments, environment, coloured in cases:
            with self.subTest(arguments=arguments, **environment):
                game = self.play("8-puzzle", *arguments, **environment)
                game.wait("0 moves made")
                shown, ground, grounds = game.tmux("capture-pane", "-p", "-e"), None, {}
                (self.assertIn if coloured else self.assertNotIn)("\033[38;5;", shown)
                for number, tile in re.findall(r"\033\[48;5;(\d+)m|│  (\d)  │", shown) if coloured else []:
                    ground = number or ground
                    grounds.setdefault(ground, []).append(int(tile or 0))
                self.assertEqual(sorted(sorted(set(tiles) - {0}) for tiles in grounds.values()),
                                 [[1, 2, 3], [4, 5, 6], [7, 8]] if coloured else [])  # the rows of the goal
                game.press("q")
                game.wait_end(0)

    def test_lamps(self):
        """They shine on a dark ground; those that are off are there, too."""
        game = self.play("lights-out", "--method=search", "100000000010000000000000".ljust(25, "0"))
        game.wait("0 moves made")
        shown = re.findall(r"\033\[38;5;(\d+)m(?:\033\[48;5;236m)?[^\033]*([●○])", game.tmux("capture-pane", "-p", "-e"))
        self.assertEqual({lamp: colour for colour, lamp in shown}.get("○"), "245", shown)
        self.assertNotIn({lamp: colour for colour, lamp in shown}["●"], ("245", "236"))
        game.press("q")
        game.wait_end(0)

    def test_exits_and_legend(self):
        for puzzle, sign, legend in (("rush-hour", "→", "A the red car"), ("goat", "╭", "羊 the sheep")):
            game = self.play(puzzle)
            game.resize(50, 150)
            screen = game.wait(sign, legend, "0 moves made")
            self.assertEqual(screen.count("→"), puzzle == "rush-hour")
            game.press("q")
            game.wait_end(0)

    def test_long_legend(self):
        """As much of it as a line has room for, and all of it in the help."""
        puzzle = self.write("ward.yaml", "puzzle: ward\nfamily: rules\nboard: '@abx'\nstate: {man: cell}\n"
                            "start: {man: \"'@'\"}\ngoal: man in 'x'\n"
                            "moves: [{name: on, do: 'man = step[man, right]'}]\n"
                            "draw: {for: {c: cell}, show: {'@': c == man, a: \"c in 'a'\", b: \"c in 'b'\", x: \"c in 'x'\"}}\n"
                            "legend:\n  '@': the patient who wants to go home\n  a: a bed that nobody has slept in\n"
                            "  b: the nurse, who looks the other way\n  x: the way out into the garden\n")
        game = self.play(puzzle, "--method=search")
        game.resize(30, 80)
        first, last = "@ the patient who wants to go home   a a bed", "x the way out into the garden"
        screen = game.wait(first, " ...", "0 moves made")
        self.assertNotIn("x the way out", screen)
        game.press("?")
        game.wait(first, last, "any key goes back")
        game.press("q")
        game.resize(30, 180)
        game.wait(first, last, "0 moves made")
        game.press("q")
        game.wait_end(0)

    def test_frames(self):
        """TopSpin's turntable has a frame, whatever the window's size."""
        for rows, columns, shown in ((30, 90, ("╔══════════════════════════╗", "║ 10  ││  9  ││  8  ││  7  ║")),
                                     (15, 60, ("╔═══════════════════════╗", "║ 10     9     8     7  ║")),
                                     (12, 40, ("║10 9  8  7 ║",))):
            terminal = Terminal(self, "topspin-10", "--play", "--method=search", rows=rows, columns=columns)
            terminal.wait(*shown)

    def test_sizes(self):
        """The screen may change its size at any time, and be too small for the board."""
        game = self.play("goat")
        screen = game.wait("羊", "0 moves made", "? help")
        self.assertIn("┌─────┐", screen)
        game.resize(12, 40)
        screen = game.wait("羊", "0 moves made", gone=["┌─────┐"])
        self.assertLessEqual(max(len(line) for line in screen.splitlines()), 40)
        self.assertIn("┌ ─ ┐", re.sub(r" +", " ", screen).replace("[─]", "─"))
        game.resize(5, 15)
        game.wait("20 x 4 is", gone=["羊"])
        game.resize(50, 150)
        game.wait("┌─────┐", "羊", "0 moves made")
        game.press("q")
        game.wait_end(0)

    def test_low_windows(self):
        """Lines of words go before rows of the board do."""
        title, keys = "8-puzzle: ", "? help"
        game = self.play("8-puzzle", "123456.78", rows=10, columns=40)
        for rows, gone in ((9, []), (8, []), (7, []), (6, [title]), (5, [title, keys]), (4, [title, keys])):
            with self.subTest(rows=rows):
                game.resize(rows, 40)
                screen = game.wait("1  2  3", "4  5  6", "0  7  8", "0 moves made", *{title, keys}.difference(gone),
                                   gone=gone)
                self.assertEqual(len(screen.splitlines()), rows)
        game.press("N")
        game.wait("A random board at distance: _", gone=["0 moves made"])
        game.press("Escape")
        game.resize(24, 80)
        game.wait(title, keys)
        game.press("q")
        game.wait_end(0)

    def test_a_long_search_can_be_stopped(self):
        """The 24-puzzle is played without its distances, which take hours."""
        game = self.play("24-puzzle", "--threads=2", columns=72)
        game.wait("0 moves made", gone=["to go"])
        game.press("N", "Escape")
        game.press("n")
        game.press("d")
        looked_at = game.looked_at()
        game.resize(24, 80)  # all is drawn again, and the search goes on
        game.wait("searching...", "s solution")
        self.assertGreater(game.looked_at(), looked_at)
        game.press("Escape")
        game.wait("the distance is not known: the search was stopped")
        game.press("Up", "Down", "Left", "Right")
        game.wait("searching...")
        game.press("C-c")
        self.assertIn("pdb-query: the game was interrupted", game.wait_end(130))

    def test_signals_that_end_it(self):
        for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
            with self.subTest(signal=number):
                game = self.play("8-puzzle")
                game.wait("0 moves made")
                os.kill(game.process, number)
                self.assertIn("pdb-query: the game was interrupted", game.wait_end(130))

    def test_a_pause(self):
        """Ctrl-Z gives the terminal back for a while."""
        game = self.play("8-puzzle")
        game.press("d")
        game.wait("31 moves to go")
        game.press("Down")
        game.wait("30 moves to go")
        game.press("C-z")
        game.wait(CLEARED, gone=["30 moves to go"])
        os.kill(game.process, signal.SIGCONT)
        game.wait("30 moves to go", gone=[CLEARED])
        game.press("Up")
        game.wait("31 moves to go")
        game.press("q")
        game.wait_end(0)

    def test_cursor(self):
        """It stands around what is in the cell."""
        game = self.play("lights-out")
        game.wait("  [●]  ●   ●   ●   ● ")
        game.press("Right")
        game.wait("   ●  [●]  ●   ●   ● ")
        game.press("q")
        game.wait_end(0)

    def test_moves_called_by_directions(self):
        """Of those an arrow makes the one that goes there."""
        game = self.play(self.write("room.yaml", ROOM))
        game.wait("0 moves made", "walk up")
        game.press("Up")
        game.wait("1 move made", "push right")
        game.press("Up")
        game.wait("no move goes up; Tab goes through the list")
        game.press("Right")
        game.wait("Solved in 2 moves: optimal!")
        game.press("q")
        game.wait_end(0)

    def test_several_that_go_one_way(self):
        """Which of them is not for an arrow to say, also where there is one at the moment."""
        game = self.play("lunar-lockout")
        game.wait("0 moves made", "1) b left", "2) c left", "3) d up")
        game.press("Up", "d")  # to the last of the list
        game.wait("distances are shown", "0 moves made")
        game.press("Enter")
        game.wait("1 move made")
        game.press("q")
        game.wait_end(0)

    def test_every_family(self):
        """What each sort of puzzle is moved by."""
        for puzzle, first, keys, last in (
                ("goat", "20 moves to go", ["Down"], "1 move made; 19 moves to go"),
                ("klotski", "116 moves to go", ["Tab", "Tab", "Tab", "Right"], "1 move made; 115 moves to go"),
                ("knights", "16 moves to go", ["Tab", "Right", "Enter"], "1 move made; 15 moves to go"),
                ("8-flip", "6 moves to go", ["Right", "Down", "Space"], "1 move made; 5 moves to go"),
                ("hoppers", "7 moves to go", ["Tab", "Down", "Enter"], "1 move made; 6 moves to go"),
                ("pyraminx", "8 moves to go", ["U", "Enter"], "1 move made (1 mistake); 8 moves to go"),
                ("queens-5", "5 slots empty", ["Right", "Enter"], "1 move made; 4 slots empty"),
                ("send-more", "8 slots empty", ["9"], "1 move made; 7 slots empty")):
            with self.subTest(puzzle=puzzle):
                game = self.play(puzzle)
                game.wait("0 moves made")
                game.press("d")
                game.wait(first)
                game.press(*keys)
                game.wait(last)
                game.press("q")
                game.wait_end(0)


@needs("tmux")
class Damage(GoatCase):
    def test_a_database_that_is_cut_short(self):
        """The terminal is given back before that is said."""
        self.db.mkdir()
        shutil.copy(self.goat / "goat.pdb", self.db)
        game = Terminal(self, "--play", "goat")
        game.wait("0 moves made")
        os.truncate(self.db / "goat.pdb", 4096)
        game.press("Down")
        self.assertRegex(game.wait_end(4), r"(?m)^pdb-query: a database was cut short")
        self.assertEqual(
            game.tmux("display-message", "-p", "#{mouse_standard_flag}#{cursor_flag}#{keypad_flag}").strip(), "010")


class Refusals(Case):
    def test_without_a_terminal(self):
        self.assert_complaint(self.query("--play", "goat"), 2, "--play takes a terminal")

    def test_with_other_questions(self):
        for other in ("--json", "--path", "--count", "--hint", "--histogram", "--random"):
            with self.subTest(option=other):
                self.assert_complaint(self.query("--play", other, "goat"), 2)

    @needs("tmux")
    def test_in_a_terminal(self):
        """Complaints that only one who has a terminal gets."""
        for arguments, environment, code, words in (
                (["goat"], {"TERM": "no-such-terminal"}, 2, "nothing is known of the terminal 'no-such-terminal'"),
                (["goat"], {"TERM": "dumb"}, 2, "the terminal 'dumb' can show lines of text only"),
                (["mastermind"], {}, 2, "nothing to play"),
                (["8-puzzle", "start", "goal"], {}, 2, "--play begins at one board, not at 2"),
                (["8-puzzle", "12"], {}, 2, "2 cells given")):
            with self.subTest(arguments=arguments, **environment):
                game = Terminal(self, "--play", *arguments, **environment)
                self.assertRegex(game.wait_end(code), rf"(?m)^pdb-query: .*{re.escape(words)}")


if __name__ == "__main__":
    unittest.main()
