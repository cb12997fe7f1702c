"""The Python binding, as it is installed: held against pdb.h, and against what pdb-query says."""

import ctypes
import doctest
import gc
import os
import re
import signal
import subprocess
import sys
import threading
import time
import unittest

from helpers.harness import GEN, GOAT_START, TINY, Case, needs
from helpers.installed import SANITIZED, Stage, StageCase, functions, header, preloaded

if "PDB_STAGE" in os.environ:  # else see the end
    import libpdb


class Declared(StageCase):
    """ctypes believes whatever it is told, so all of it is looked up in the header."""

    # A type of C's, and what it is for ctypes. (A puzzle and a solver are pointers to something unknown.)
    TYPES = {
        "void": None, "bool": ctypes.c_bool, "int": ctypes.c_int, "unsigned": ctypes.c_uint, "size_t": ctypes.c_size_t,
        "uint8_t": ctypes.c_uint8, "uint16_t": ctypes.c_uint16, "uint32_t": ctypes.c_uint32,
        "uint64_t": ctypes.c_uint64, "double": ctypes.c_double, "pdb_status": ctypes.c_int, "pdb_side": ctypes.c_uint,
        "pdb_net": ctypes.c_uint, "char *": ctypes.c_char_p, "pdb_puzzle *": ctypes.c_void_p,
        "pdb_solver *": ctypes.c_void_p
    }

    def ctypes_of(self, c):
        """What a type of C's has to be."""
        c = c.replace("const ", "")
        if c in self.TYPES:
            return self.TYPES[c]
        self.assertTrue(c.endswith("*"), c)
        pointed = c[:-1].strip()
        if pointed.endswith("_visitor"):
            return getattr(libpdb, "_" + pointed)
        return ctypes.POINTER(self.TYPES[pointed] if pointed in self.TYPES else getattr(libpdb, "_" + pointed))

    def test_functions(self):
        declared = {name: tuple(map(self.ctypes_of, types)) for name, types in functions().items()}
        self.assertEqual(libpdb._FUNCTIONS, declared)
        for name, (result, *arguments) in declared.items():
            function = getattr(libpdb._library, name)
            self.assertEqual((function.restype, list(function.argtypes)), (result, arguments))

    def test_structures_and_constants(self):
        """A C program says how large everything is and where it lies."""
        wanted = {}
        for fields, c in re.findall(r"typedef struct \w+ \{(.*?)\} (\w+);", header(), re.DOTALL):
            structure = getattr(libpdb, "_" + c)
            names = re.findall(r"(\w+)(?:\[\w+\])?(?=[;,])", fields)
            self.assertEqual([name for name, _ in structure._fields_], names, c)
            wanted[f"sizeof({c})"] = ctypes.sizeof(structure)
            for name in names:
                field = getattr(structure, name)
                wanted[f"offsetof({c}, {name})"] = field.offset
                wanted[f"sizeof((({c} *)0)->{name})"] = field.size
        self.assertGreater(len(wanted), 90)
        for name in ("MAX_PLACES", "TEXT_MAX", "MOVE_TEXT_MAX", "CODE_MAX", "COUNT_MAX", "NO_DISTANCE", "NO_PIECE",
                     "NO_CELL", "WANT_MOVES", "WANT_PATH", "WANT_COUNT", "KIND_COUNT", "KIND_MEAN", "KIND_TEXT",
                     "KIND_TEXTS", "PATH_MAX", "ALL_BOARDS"):
            wanted["PDB_" + name] = getattr(libpdb, "_" + name)
        wanted.update(PDB_AUTO=libpdb._METHODS["auto"], PDB_DATABASE=libpdb._METHODS["db"],
                      PDB_SEARCH=libpdb._METHODS["search"])
        for number, kind in enumerate(libpdb._ERRORS, 1):
            wanted["PDB_" + re.sub(r"(?<=[a-z])(?=[A-Z])", "_", kind.__name__).upper()] = number
        self.assertEqual(len(re.search(r"typedef enum pdb_status \{(.*?)\}", header(), re.DOTALL).group(1).split(",")),
                         1 + len(libpdb._ERRORS))
        lines = "".join(f'    printf("%llu\\n", (unsigned long long)({expression}));\n' for expression in wanted)
        source = self.write("sizes.c", f"#include <pdb.h>\n#include <stdio.h>\nint main(void)\n{{\n{lines}}}\n")
        self.compile(source, self.dir / "sizes", *self.pkg_config("--cflags"))
        said = self.assert_answer(self.run_program(self.dir / "sizes")).lines
        self.assertEqual(dict(zip(wanted, map(int, said))), wanted)

    def test_observer(self):
        self.assertIn("typedef bool pdb_observer(void *context, uint32_t bound, uint64_t nodes);", header())
        self.assertEqual(libpdb._pdb_observer._restype_, ctypes.c_bool)
        self.assertEqual(libpdb._pdb_observer._argtypes_, (ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint64))
        self.assertIn("typedef bool pdb_path_visitor(void *context, const pdb_move *path, uint32_t steps);", header())
        self.assertIn("typedef bool pdb_board_visitor(void *context, const pdb_board *board, uint32_t distance);", header())
        self.assertEqual(libpdb._pdb_board_visitor._restype_, ctypes.c_bool)
        self.assertEqual(libpdb._pdb_board_visitor._argtypes_,
                         (ctypes.c_void_p, ctypes.POINTER(libpdb._pdb_board), ctypes.c_uint32))
        self.assertEqual(libpdb._pdb_path_visitor._restype_, ctypes.c_bool)
        self.assertEqual(libpdb._pdb_path_visitor._argtypes_,
                         (ctypes.c_void_p, ctypes.POINTER(libpdb._pdb_move), ctypes.c_uint32))

    @unittest.skipIf(SANITIZED, "the same without them")
    @needs("mypy")
    def test_types(self):
        done = self.run_program("mypy", "--strict", "--cache-dir=/dev/null", libpdb.__file__, env={"PYTHONPATH": None})
        self.assertEqual((done.code, done.err), (0, ""), done)


class PythonCase(Case):
    """Databases are where the programs have them too."""

    def setUp(self):
        super().setUp()
        self.addCleanup(os.environ.update, PDB_PATH=os.environ["PDB_PATH"])
        os.environ["PDB_PATH"] = str(self.db)

    def ask_query(self, *arguments, code=0):
        return self.assert_answer(self.query("-d", self.db, "--json", *arguments), code)

    def make(self, *arguments):
        self.assert_answer(self.gen("-q", "-d", self.db, *arguments))


class Answers(PythonCase):
    @staticmethod
    def as_json(solver, board, solution):
        """As pdb-query has it."""
        moves = [{"move": move.text, "board": str(move.board), "distance": move.distance, "optimal": move.optimal}
                 for move in solution.moves]
        return {
            "puzzle": solver.puzzle.name, "board": str(board), "distance": solution.distance,
            "method": solver.info.method, "moves": moves
        }

    def same(self, solver, text):
        """Everything about one board, but the number of nodes."""
        said = self.ask_query("--path", "--count", solver.puzzle.name, text).json
        said.pop("nodes", None)
        board = solver.puzzle.board(text)
        solution = solver.solve(board, moves=True, path=True)
        answer = {
            **self.as_json(solver, board, solution), "path": [str(board)] + [str(move.board) for move in solution.path],
            "solutions": solver.count(board)
        }
        if not solver.puzzle.unordered:
            answer["path_moves"] = [move.text for move in solution.path]
        said["solutions"] = int(said["solutions"])  # digits, where it is large
        self.assertEqual(answer, said)
        self.assertEqual((solver.distance(board), solver.moves(text), solver.path(text)),
                         (solution.distance, solution.moves, solution.path))
        self.assertEqual(solver.count_soon(board), said["solutions"])
        if solver.info.search is None:
            grade = solver.grade(board)
            self.assertEqual((grade.solutions, grade.moves), (said["solutions"], len(solution.moves)))
            self.assertEqual(grade.away, sum(move.distance is None or move.distance > solution.distance
                                             for move in solution.moves))

    def test_about_boards(self):
        for name, made in (("goat", True), ("hoppers", False), ("hoppers", True), ("klotski", True), ("knights", False),
                           ("8-flip", False)):
            if made:
                self.make(name)
            solver = libpdb.Solver(name)
            self.assertEqual(solver.info.method, "db" if made else "search")
            for board in ("start", str(solver.random(seed=1)[0])):
                with self.subTest(made=made, puzzle=name, board=board):
                    self.same(solver, board)

    def test_searched(self):
        for name, board in (("15-puzzle", "1 2 3 4 5 6 7 8 9 10 . 11 13 14 15 12"), ("lights-out-6x6", "start")):
            with self.subTest(name), libpdb.Solver(name, threads=1) as solver:
                self.assertIsNotNone(solver.info.search)
                self.same(solver, board)
                self.assertEqual(solver.distances([board, board]), [solver.distance(board)] * 2)
                for ask in (lambda: solver.histogram, lambda: next(solver.hardest()), lambda: solver.random(3)):
                    self.assertRaises(libpdb.NoDatabase, ask)

    def test_about_all_boards(self):
        self.make("goat")
        solver = libpdb.Solver("goat")
        said = self.ask_query("--histogram", "goat").json
        self.assertEqual((solver.histogram, solver.info.max, solver.info.reachable),
                         (said["histogram"], said["max"], said["states"]))
        said = self.ask_query("--hardest", "goat").json
        self.assertEqual([str(board) for board in solver.hardest()], said["boards"])
        said = self.ask_query("--random=31", "--seed=5", "goat").json
        board, distance = solver.random(31, seed=5)
        self.assertEqual((str(board), distance), (said["board"], 31))
        said = self.ask_query("--info", "goat").json
        info = solver.info
        self.assertEqual(
            (info.file, info.file_bytes, info.content, info.definition, info.generator, info.encoding),
            tuple(said[key] for key in ("file", "bytes", "content", "definition", "generator", "encoding")))
        self.assertEqual((solver.puzzle.title, solver.puzzle.goal, solver.puzzle.metric),
                         (said["title"], said["goal"], said["metric"]))
        boards = [solver.random()[0] for _ in range(300)]
        self.assertEqual(solver.distances(boards * 20), [solver.distance(board) for board in boards] * 20)

    def test_boards_at_a_distance(self):
        solver = libpdb.Solver("guarini")
        for distance, count in enumerate(solver.histogram):
            boards = list(solver.boards_at(distance))
            self.assertEqual((len(boards), len(set(boards))), (count, count))
            self.assertEqual(solver.distances(boards), [distance] * count)
        self.assertEqual(list(solver.boards_at(solver.info.max + 1)), [])
        self.assertEqual(next(solver.boards_at(16)), next(solver.boards_at(16)))  # nobody has to go through all

    def test_all_boards_at_a_distance(self):
        """Of the hardest, which are listed, and of others: as many as there are, and as far."""
        with libpdb.Solver("lights-out", whole=True) as solver:
            for distance in 15, 14:
                drawn = solver.draw(distance, 15, seed=1)
                self.assertEqual(len({board for board, _ in drawn}), sum(solver.histogram[distance:16]))
                boards = [board for board, _ in drawn]
                self.assertEqual([far for _, far in drawn], list(solver.distances(boards)))

    def test_arrays(self):
        """Of boards and texts, or of bytes: what one is asked, the other says."""
        solver = libpdb.Solver("guarini")
        boards = [board for distance in (0, 3, 16) for board in solver.boards_at(distance)]
        mixed = [*boards, "start", "b.w/.../w.b"]
        expected = [libpdb.NO_DISTANCE if distance is None else distance for distance in solver.distances(mixed)]
        self.assertIn(libpdb.NO_DISTANCE, expected)
        rows = b"".join(solver.puzzle.board(str(board)).array for board in mixed)
        self.assertEqual(len(rows), len(mixed) * solver.puzzle.places)
        for given in (mixed, iter(mixed), rows, bytearray(rows), memoryview(rows)):
            self.assertEqual(list(solver.distance_array(given)), expected)
        self.assertEqual(len(solver.distance_array([])), 0)
        self.assertEqual(solver.distance_array(rows).itemsize, 4)

    def test_numpy(self):
        if libpdb._numpy is None:
            self.skipTest("numpy is not installed: arrays are those of the module array")
        numpy, solver = libpdb._numpy, libpdb.Solver("8-puzzle")
        boards = list(solver.boards_at(30))
        rows = numpy.frombuffer(b"".join(board.array for board in boards), dtype=numpy.uint8).reshape(len(boards), 9)
        found = solver.distance_array(rows)
        self.assertEqual((found.dtype, found.shape), (numpy.uint32, (len(boards),)))
        self.assertTrue((found == 30).all())
        self.assertTrue((solver.distance_array(numpy.asfortranarray(rows)) == 30).all())
        self.assertEqual(len(solver.distance_array(rows[::2])), (len(boards) + 1) // 2)
        self.assertRaises(libpdb.BadUsage, solver.distance_array, rows.astype(numpy.int64))

    def test_text_in_memory(self):
        puzzle = libpdb.Puzzle.from_text(TINY)
        path = self.write("tiny.yaml", TINY)
        self.assertEqual((puzzle.name, puzzle.goal, puzzle.states), ("tiny", libpdb.Puzzle(path).goal, 360))
        self.assertEqual(libpdb.Solver(puzzle).distance("start"), libpdb.Solver(path).distance("start"))
        self.assertEqual(libpdb.Puzzle.from_text(TINY.encode()).name, "tiny")

    def test_unreachable(self):
        solver = libpdb.Solver("8-puzzle")
        board = solver.puzzle.board("12345687.")
        self.assertEqual((solver.distance(board), solver.count(board), solver.count_soon(board)), (None, 0, 0))
        self.assertEqual(solver.grade(board), (0, 2, 2, 0))
        self.assertEqual({(move.distance, move.optimal) for move in solver.moves(board)}, {(None, False)})
        self.assertRaises(libpdb.Unreachable, solver.path, board)

    def test_not_known(self):
        """Where states are found from the start, nothing follows from their not having found a board."""
        solver = libpdb.Solver("rush-hour")
        board = solver.puzzle.board("GBB.L./GHI.LM/GHIAAM/CCCK.M/..JKFF/EEJDD.")
        for ask in (solver.distance, solver.path, solver.moves, solver.count, lambda board: solver.distances([board])):
            self.assertRaisesRegex(libpdb.BadBoard, "no moves lead to this board", ask, board)

    def test_claims(self):
        cells = "AAoBoooBCCoooooo"
        solver = libpdb.Solver(f"rush-hour:{cells}")
        distance = solver.distance("start")
        solver.check_claims(f"rush-hour:{distance} {cells}", "start")
        self.assertRaisesRegex(libpdb.BadBoard, f"is {distance} moves", solver.check_claims,
                               f"rush-hour:{distance + 1} {cells}", "start")

    def test_boards(self):
        puzzle = libpdb.Puzzle("goat")
        board = puzzle.board()
        self.assertEqual(str(board), GOAT_START)
        self.assertEqual(board, puzzle.board(GOAT_START))
        self.assertEqual(len({board, puzzle.board("start"), puzzle.board("goal")}), 2)
        self.assertNotEqual(board, libpdb.Puzzle("goat").board(), "another puzzle")
        self.assertEqual([cell.code for row in board.cells() for cell in row], GOAT_START.split(","))
        self.assertEqual(board.cells()[1][3].glyph, "羊")
        self.assertIn([None, None], [row[:2] for row in libpdb.Puzzle("english-33").board().cells()], "walls")
        self.assertEqual({symbol.kind for symbol in puzzle.symbols if symbol.code == "0"}, {None})
        self.assertEqual(len({symbol.kind for symbol in puzzle.symbols if symbol.code == "8"}), 1,
                         "the wide piece's cells are of one kind")
        self.assertIsNone(board.sketch())
        self.assertEqual(board.hidden(), "")
        self.assertIn("Q", libpdb.Puzzle("queens-6").board("2.....").sketch())

    def test_by_the_rules_alone(self):
        """Moves and goals without distances, and what belongs together on a board."""
        for name in ("klotski", "guarini", "hoppers", "8-flip", "cube-2x2x2"):
            with self.subTest(name):
                solver = libpdb.Solver(name)
                board = solver.puzzle.board()
                moves = solver.moves(board)
                self.assertEqual(board.moves(), [move._replace(distance=None, optimal=False) for move in moves])
                self.assertEqual([board.is_goal() for board in (board, solver.path(board)[-1].board)], [False, True])
                for move in moves if name in ("klotski", "guarini") else ():
                    row, column = divmod(move.cell, solver.puzzle.columns)
                    self.assertEqual(board.cells()[row][column].code, move.piece, move)
                self.assertEqual(name == "cube-2x2x2", any(move.cell is None for move in moves))
        klotski = libpdb.Puzzle("klotski").board()
        pairs = {(piece, cell.code) for pieces, cells in zip(klotski.pieces(), klotski.cells())
                 for piece, cell in zip(pieces, cells)}
        self.assertEqual(len(pairs), 11, "ten pieces of one symbol each, and what is empty")
        ring = libpdb.Puzzle(
            self.write("ring.yaml", "puzzle: ring\nfamily: walk\nboard: ABC.\ngoal: BCA.\nedges: [1 2 3 4 1]\n"))
        edges = {(a, b) for a in range(4) for b in range(4) if ring.joined(a, b)}
        self.assertEqual(edges, {(a, b) for a in range(4) for b in range(4) if (a - b) % 4 in (1, 3)})
        self.assertEqual([libpdb.Puzzle(name).triangular for name in ("triangle-15", "english-33")], [True, False])

    def test_without_moves(self):
        for name, questions in (("four-fours", ["10", "11", "-3"]), ("mastermind", ["9431", "0123:0,2 1045:0,2"])):
            solver = libpdb.Solver(name)
            self.assertTrue(solver.puzzle.enumerated)
            for question in questions:
                said = self.ask_query("--path", "--count", name, question, code=1 if question == "11" else 0).json
                reply = solver.ask(question, path=True, count=True)
                facts = {
                    name: float(f"{fact:.15g}") if isinstance(fact, float) else fact
                    for name, fact in reply.facts.items()
                }
                self.assertEqual(
                    {"puzzle": name, "board": question, "distance": reply.distance, "method": "search", **facts}, said)
                self.assertEqual(set(reply.labels), set(reply.facts))
            said = self.ask_query("--hardest", name).json
            self.assertEqual(list(solver.hardest_items()), said["boards"])
            said = self.ask_query("--random", "--seed=3", name).json
            self.assertEqual(solver.random_item(seed=3), (said["board"], said["distance"]))
            self.assertEqual(solver.puzzle.is_question_part("0123:0,2"), name == "mastermind")
            self.assertRaises(libpdb.BadBoard, solver.ask, "what?")
            self.assertRaises(libpdb.BadBoard, solver.distance, "start")


class Mistakes(PythonCase):
    def fails(self, kind, words, call, *arguments, **options):
        with self.assertRaisesRegex(kind, words):
            call(*arguments, **options)

    def test_each_has_its_class(self):
        self.fails(libpdb.UnknownPuzzle, "did you mean 'goat'", libpdb.Puzzle, "gaot")
        self.fails(libpdb.BadDefinition, r"wrong\.yaml:1:1: ", libpdb.Puzzle, self.write("wrong.yaml", "wrong: yes\n"))
        self.fails(libpdb.NoDatabase, "tiny.pdb", libpdb.Solver, self.write("tiny.yaml", TINY), method="db")
        self.fails(libpdb.NoDatabase, "too many", libpdb.Solver, "24-puzzle", whole=True)
        tiny = self.make_tiny()
        base = self.db / "tiny.pdb"
        base.write_bytes(base.read_bytes()[:-4096])
        self.fails(libpdb.Damaged, "tiny.pdb", libpdb.Solver, tiny, self.db)
        self.assertTrue(all(issubclass(kind, libpdb.PdbError) for kind in libpdb._ERRORS))

    def test_arguments(self):
        solver = libpdb.Solver("knights")
        self.fails(libpdb.BadBoard, "3 cells given", solver.distance, "w.b")
        self.fails(libpdb.BadUsage, "NUL", solver.distance, "start\0")
        self.fails(libpdb.BadUsage, "NUL", libpdb.Puzzle, "goat\0")
        self.fails(libpdb.BadUsage, "method is one of", libpdb.Solver, "goat", method="magic")
        self.fails(libpdb.BadUsage, "seed is from 0 to", solver.random, seed=2**64)
        self.fails(libpdb.BadUsage, "distance is from 0 to", solver.random, -1)
        self.fails(libpdb.BadUsage, "no board is at distance 19", solver.random, 19)
        self.fails(TypeError, "integer", solver.random, seed=1.5)
        self.fails(libpdb.BadUsage, "threads is from 0 to", libpdb.Solver, "goat", threads=-1)
        self.fails(libpdb.BadBoard, "a board of 8-puzzle", solver.distance, libpdb.Puzzle("8-puzzle").board())
        self.fails(libpdb.BadBoard, "puzzle with boards", solver.ask, "10")
        self.fails(libpdb.BadUsage, "has bytes .uint8., 12 for each board", solver.distance_array, bytes(13))
        self.fails(libpdb.BadBoard, "board 1 of the array: ", solver.distance_array,
                   solver.puzzle.board().array + bytes(12))
        self.fails(libpdb.BadUsage, "distance is from 0 to", list, solver.boards_at(-1))
        self.fails(libpdb.BadDefinition, "^mine:1:1: ", libpdb.Puzzle.from_text, "wrong: yes", "mine")

    def test_closed(self):
        with libpdb.Solver("knights") as solver:
            hardest = solver.hardest()
            next(hardest)
        for call in (lambda: solver.distance("start"), lambda: next(hardest), lambda: solver.info):
            self.fails(ValueError, "closed", call)
        solver.close()


class Life(PythonCase):
    """Memory and threads."""

    def test_order_of_release(self):
        self.make("goat")
        solver = libpdb.Solver("goat")
        board = solver.puzzle.board()
        moves = solver.moves(board)
        del solver
        gc.collect()
        self.assertEqual([str(move.board) for move in moves][0], "1,0,9,10,2,8,7,5,3,8,4,6")
        self.assertEqual(str(board), GOAT_START)
        del board, moves
        gc.collect()

    def test_what_is_dropped_is_freed(self):
        """A database's file is open as long as its solver."""
        path = self.make_tiny()
        for _ in range(50):
            solver = libpdb.Solver(path)
            self.assertEqual(solver.info.method, "db")
            solver.path("start")
            del solver
        gc.collect()
        descriptors = [f"/proc/self/fd/{fd}" for fd in os.listdir("/proc/self/fd")]
        opened = [os.readlink(path) for path in descriptors if os.path.exists(path)]
        self.assertEqual([file for file in opened if file.endswith(".pdb")], [])

    def test_threads_share_a_solver(self):
        self.make("goat")
        solver = libpdb.Solver("goat")
        boards = [solver.random()[0] for _ in range(100)]
        distances = solver.distances(boards)
        found = []

        def ask():
            found.append([solver.distance(board) for board in boards] == distances)

        threads = [threading.Thread(target=ask) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [True] * 8)

    def test_closing_waits_for_calls(self):
        """Memory of a call that is under way stays."""
        for _ in range(20):
            solver = libpdb.Solver("knights")
            boards = [solver.puzzle.board()] * 4000
            found = []

            def ask():
                try:
                    found.append(set(solver.distances(boards)))
                except ValueError:  # closed before it began
                    found.append({16})

            thread = threading.Thread(target=ask)
            thread.start()
            solver.close()
            thread.join()
            self.assertEqual(found, [{16}])


class Long(PythonCase):
    """A search that would take hours."""

    def hard(self, **options):
        solver = libpdb.Solver("24-puzzle", **options)
        return solver, solver.puzzle.board("24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0")

    def test_observer(self):
        seen = []

        def observe(bound, nodes):
            seen.append((bound, nodes))
            return len(seen) < 3

        solver, board = self.hard(observe=observe)
        self.assertRaisesRegex(libpdb.Interrupted, "moves", solver.distance, board)
        self.assertEqual(len(seen), 3)
        self.assertTrue(0 < seen[0][1] < seen[-1][1] and 50 < seen[0][0] <= seen[-1][0], seen)
        self.assertEqual(solver.distance("goal"), 0)

    def test_observer_that_fails(self):
        def observe(bound, nodes):
            raise RuntimeError("no more")

        solver, board = self.hard(observe=observe)
        self.assertRaisesRegex(RuntimeError, "no more", solver.distance, board)
        self.assertEqual(solver.distance("goal"), 0)

    def test_interrupt(self):
        solver, board = self.hard()
        for _ in range(2):
            threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
            begin = time.monotonic()
            self.assertRaises(KeyboardInterrupt, solver.path, board)
            self.assertLess(time.monotonic() - begin, 20)
            self.assertEqual(solver.distance("goal"), 0)

    def test_in_another_thread(self):
        """There no signal comes; an observer does."""
        solver, board = self.hard(observe=lambda bound, nodes: False)
        caught = []

        def ask():
            try:
                solver.distance(board)
            except libpdb.Interrupted:
                caught.append(True)

        thread = threading.Thread(target=ask)
        thread.start()
        thread.join()
        self.assertEqual(caught, [True])


def load_tests(_loader, tests, _pattern):
    """The examples in the module are tests too."""
    tests.addTests(doctest.DocTestSuite(libpdb))
    return tests


def run_installed():
    """Runs this file again, where it finds the installed library and module."""
    stage = Stage()
    changes = {**stage.environment, **preloaded(), "PDB_STAGE": str(stage.root), "PDB_PATH": str(stage.root)}
    subprocess.run([GEN, "-q", "-d", stage.root, "goat"], check=True)  # for the examples
    try:
        return subprocess.run([sys.executable, *sys.argv], env={**os.environ, **changes}, check=False).returncode
    finally:
        stage.remove()


if __name__ == "__main__":
    if "PDB_STAGE" not in os.environ:
        sys.exit(run_installed())
    unittest.main()
