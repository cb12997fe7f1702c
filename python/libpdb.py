"""Exact distances of puzzles: the Python binding of libpdb.

A Puzzle is loaded by name or from a definition file. A Solver answers: from the database that pdb-gen made, or, where
none is there, from the whole space worked out in memory, or by a search.

    >>> import libpdb
    >>> solver = libpdb.Solver("8-puzzle")
    >>> solver.distance("start")
    31
    >>> board = solver.puzzle.board("1 2 3 / 4 5 6 / 0 7 8")
    >>> [move.text for move in solver.moves(board) if move.optimal]
    ['7 left']
    >>> [str(move.board) for move in solver.path(board)]
    ['123456708', '123456780']

What goes wrong is raised as a PdbError, and there is a subclass for each sort of mistake:

    >>> solver.distance("123")
    Traceback (most recent call last):
    libpdb.BadBoard: 3 cells given, but the board has 9 (3 rows of 3)

Puzzles and solvers never change, and any number of threads may use one at the same time. Ctrl-C stops a search. What
the functions of the library do in detail stands in pdb.h, whose names these follow.
"""

from __future__ import annotations

import array
import ctypes
import importlib
import operator
import os
import secrets
import threading
import weakref
from ctypes import POINTER, c_bool, c_char, c_char_p, c_double, c_int, c_size_t, c_uint, c_uint8, c_uint16, c_uint32, c_uint64, c_void_p
from typing import Any, Callable, Dict, Iterable, Iterator, List, NamedTuple, Optional, Tuple, Type, Union

_numpy: Any = None  # for arrays of distances; the module array does where it is missing
try:
    _numpy = importlib.import_module("numpy")
except ImportError:
    pass

__all__ = ["NO_DISTANCE", "Puzzle", "Board", "Symbol", "Solver", "Solution", "Move", "Grade", "Bounds", "Classes", "Info", "Reply", "PdbError", "Unreachable", "BadUsage",
           "BadDefinition", "BadBoard", "UnknownPuzzle", "NoDatabase", "TooLarge", "NoMemory", "IO", "Busy", "Damaged",
           "Interrupted", "BrokenRules"]

# -- errors --


class PdbError(Exception):
    """What the library refused, in its own words."""


class Unreachable(PdbError):
    """A proper board from which the goal cannot be reached."""


class BadUsage(PdbError):
    """An argument that makes no sense."""


class BadDefinition(PdbError):
    """A definition file with a mistake; the message has file, line and column."""


class BadBoard(PdbError):
    """A text that is no board, or no question, of this puzzle."""


class UnknownPuzzle(PdbError):
    """No built-in puzzle and no file of this name."""


class NoDatabase(PdbError):
    """No database, and the puzzle is too large to do without."""


class TooLarge(PdbError):
    """The work needs more memory, or more states, than allowed."""


class NoMemory(PdbError):
    """An allocation failed."""


class IO(PdbError):
    """The file system refused; the message has the path and the reason."""


class Busy(PdbError):
    """Another process is making this very database."""


class Damaged(PdbError):
    """A database that is not what was written, or belongs to another puzzle."""


class Interrupted(PdbError):
    """A search that was stopped by its observer."""


class BrokenRules(PdbError):
    """A puzzle that contradicts itself."""


# Their statuses are 1, 2, ... in this order.
_ERRORS: List[Type[PdbError]] = [Unreachable, BadUsage, BadDefinition, BadBoard, UnknownPuzzle, NoDatabase, TooLarge, NoMemory,
                                 IO, Busy, Damaged, Interrupted, BrokenRules]

# -- the library: names as in pdb.h, which the tests hold all of this against --

_MAX_PLACES, _TEXT_MAX, _MOVE_TEXT_MAX, _CODE_MAX, _COUNT_MAX, _PATH_MAX = 1024, 16384, 64, 8, 48, 4096
_NO_DISTANCE, _NO_COLOUR, _NO_PIECE, _NO_CELL = 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFF, 0xFFFF
_ALL_BOARDS = 0xFFFFFFFFFFFFFFFF
NO_DISTANCE = _NO_DISTANCE  # in arrays of distances: the goal cannot be reached
_METHODS = {"auto": 0, "db": 1, "search": 2}
_WANT_MOVES, _WANT_PATH, _WANT_COUNT = 1, 2, 4
_KIND_COUNT, _KIND_MEAN, _KIND_TEXT, _KIND_TEXTS = 0, 1, 2, 3

_Fields = List[Tuple[str, Any]]
_Path = Union[str, "os.PathLike[str]"]
_pdb_observer = ctypes.CFUNCTYPE(c_bool, c_void_p, c_uint32, c_uint64)


class _pdb_error(ctypes.Structure):
    _fields_: _Fields = [("status", c_int), ("message", c_char * 1000)]


class _pdb_frame(ctypes.Structure):
    _fields_: _Fields = [("top", c_uint), ("left", c_uint), ("bottom", c_uint), ("right", c_uint)]


class _pdb_board(ctypes.Structure):
    _fields_: _Fields = [("symbol", c_uint8 * _MAX_PLACES)]


class _pdb_move(ctypes.Structure):
    _fields_: _Fields = [("text", c_char * _MOVE_TEXT_MAX), ("piece", c_char * _CODE_MAX), ("board", _pdb_board),
                         ("distance", c_uint32), ("optimal", c_bool), ("cost", c_uint32), ("from", c_uint16)]


class _pdb_grade(ctypes.Structure):
    _fields_: _Fields = [("count", c_char * _COUNT_MAX), ("moves", c_size_t), ("away", c_size_t),
                         ("branching", c_double)]


class _pdb_bound(ctypes.Structure):
    _fields_: _Fields = [("name", c_char_p), ("value", c_uint32), ("taken", c_bool)]


class _pdb_classes(ctypes.Structure):
    _fields_: _Fields = [("sets", c_size_t), ("set", POINTER(c_char_p)), ("board", c_char_p), ("goals", c_size_t),
                         ("goal", POINTER(c_char_p)), ("fits", c_bool)]


class _pdb_bounds(ctypes.Structure):
    _fields_: _Fields = [("search", c_char_p), ("count", c_size_t), ("bound", POINTER(_pdb_bound)),
                         ("classes", _pdb_classes)]

    def __del__(self) -> None:
        _library.pdb_bounds_free(ctypes.byref(self))


class _pdb_wish(ctypes.Structure):
    _fields_: _Fields = [("from", c_uint32), ("to", c_uint32), ("fixed", c_char_p), ("distinct", c_bool)]


_pdb_board_visitor = ctypes.CFUNCTYPE(c_bool, c_void_p, POINTER(_pdb_board), c_uint32)
_pdb_path_visitor = ctypes.CFUNCTYPE(c_bool, c_void_p, POINTER(_pdb_move), c_uint32)


class _pdb_moves(ctypes.Structure):
    _fields_: _Fields = [("count", c_size_t), ("capacity", c_size_t), ("move", POINTER(_pdb_move))]


class _pdb_options(ctypes.Structure):
    _fields_: _Fields = [("directory", c_char_p), ("method", c_int), ("threads", c_uint), ("whole", c_bool),
                         ("observe", _pdb_observer), ("context", c_void_p), ("memory", c_uint64)]


class _pdb_request(ctypes.Structure):
    _fields_: _Fields = [("topic", c_int), ("svg", c_bool), ("board", c_char_p), ("want", c_uint), ("hint", c_uint), ("most", c_uint64),
                         ("least", c_uint32), ("utmost", c_uint32), ("seed", c_uint64), ("bytes", c_uint64)]


class _pdb_info(ctypes.Structure):
    _fields_: _Fields = [("method", c_int), ("search", c_char_p), ("file", c_char_p), ("generator", c_char_p),
                         ("file_bytes", c_uint64), ("content", c_char * 33), ("definition", c_char * 33),
                         ("patterns", c_char_p), ("shape", c_char_p), ("entries", c_uint64), ("encoding", c_char_p),
                         ("states", c_uint64), ("reachable", c_uint64), ("max", c_uint32), ("hardest", c_uint64),
                         ("histogram", POINTER(c_uint64))]


class _pdb_solution(ctypes.Structure):
    _fields_: _Fields = [("distance", c_uint32), ("steps", c_uint32), ("nodes", c_uint64), ("moves", _pdb_moves), ("path", POINTER(_pdb_move))]

    def __del__(self) -> None:  # when no call is left that writes into it
        _library.pdb_solution_free(ctypes.byref(self))


class _pdb_fact(ctypes.Structure):
    _fields_: _Fields = [("name", c_char_p), ("label", c_char_p), ("kind", c_int), ("mean", c_double), ("text", c_char_p),
                         ("texts", POINTER(c_char_p)), ("count", c_size_t)]


class _pdb_reply(ctypes.Structure):
    _fields_: _Fields = [("distance", c_uint32), ("count", c_size_t), ("fact", POINTER(_pdb_fact))]

    def __del__(self) -> None:
        _library.pdb_reply_free(ctypes.byref(self))


_puzzle = _solver = c_void_p
_board_p, _error_p = POINTER(_pdb_board), POINTER(_pdb_error)

# Of each function: what it returns, and what it takes.
_FUNCTIONS: Dict[str, Tuple[Any, ...]] = {
    "pdb_puzzle_load": (c_int, c_char_p, POINTER(_puzzle), _error_p),
    "pdb_puzzle_read": (c_int, c_char_p, c_size_t, c_char_p, POINTER(_puzzle), _error_p),
    "pdb_puzzle_free": (None, _puzzle),
    "pdb_builtin_name": (c_char_p, c_size_t),
    "pdb_puzzle_name": (c_char_p, _puzzle),
    "pdb_puzzle_title": (c_char_p, _puzzle),
    "pdb_puzzle_metric": (c_char_p, _puzzle),
    "pdb_puzzle_family": (c_char_p, _puzzle),
    "pdb_puzzle_states": (c_uint64, _puzzle),
    "pdb_puzzle_size": (c_double, _puzzle),
    "pdb_puzzle_symmetries": (c_uint, _puzzle),
    "pdb_puzzle_rows": (c_uint, _puzzle),
    "pdb_puzzle_columns": (c_uint, _puzzle),
    "pdb_puzzle_places": (c_uint, _puzzle),
    "pdb_board_at": (c_int, _puzzle, _board_p, c_uint, c_uint),
    "pdb_puzzle_keyed": (c_bool, _puzzle),
    "pdb_puzzle_triangular": (c_bool, _puzzle),
    "pdb_puzzle_joined": (c_bool, _puzzle, c_uint, c_uint),
    "pdb_puzzle_symbols": (c_uint, _puzzle),
    "pdb_symbol_code": (c_char_p, _puzzle, c_int),
    "pdb_symbol_glyph": (c_char_p, _puzzle, c_int),
    "pdb_symbol_kind": (c_int, _puzzle, c_int),
    "pdb_symbol_colour": (c_uint32, _puzzle, c_int),
    "pdb_symbol_legend": (c_char_p, _puzzle, c_int),
    "pdb_puzzle_exit": (c_bool, _puzzle, c_uint, c_uint),
    "pdb_symbol_bar": (c_uint, _puzzle, c_int),
    "pdb_puzzle_bars": (c_uint, _puzzle),
    "pdb_symbol_shape": (c_char_p, _puzzle, c_int),
    "pdb_puzzle_frame": (c_bool, _puzzle, c_uint, POINTER(_pdb_frame)),
    "pdb_puzzle_net": (c_uint, _puzzle),
    "pdb_cell_name": (c_char_p, _puzzle, c_uint, c_uint),
    "pdb_board_pieces": (None, _puzzle, _board_p, POINTER(c_uint16)),
    "pdb_board_parse": (c_int, _puzzle, c_char_p, _board_p, _error_p),
    "pdb_puzzle_board_name": (c_char_p, _puzzle, c_size_t),
    "pdb_board_format": (None, _puzzle, _board_p, c_char_p),
    "pdb_puzzle_goal": (None, _puzzle, c_char_p),
    "pdb_puzzle_goal_cells": (c_bool, _puzzle, POINTER(c_int), POINTER(c_uint16)),
    "pdb_puzzle_unordered": (c_bool, _puzzle),
    "pdb_puzzle_max_cost": (c_uint32, _puzzle),
    "pdb_board_sketch": (c_bool, _puzzle, _board_p, c_char_p),
    "pdb_board_hidden": (None, _puzzle, _board_p, c_char_p),
    "pdb_moves_free": (None, POINTER(_pdb_moves)),
    "pdb_board_moves": (c_int, _puzzle, _board_p, POINTER(_pdb_moves), _error_p),
    "pdb_board_is_goal": (c_bool, _puzzle, _board_p),
    "pdb_database_path": (c_int, _puzzle, c_char_p, c_char_p, _error_p),
    "pdb_solver_open": (c_int, _puzzle, POINTER(_pdb_options), POINTER(_solver), _error_p),
    "pdb_solver_close": (None, _solver),
    "pdb_solver_info": (None, _solver, POINTER(_pdb_info)),
    "pdb_solver_covers": (c_int, _solver, _board_p, _error_p),
    "pdb_solver_solve": (c_int, _solver, _board_p, c_uint, POINTER(_pdb_solution), _error_p),
    "pdb_solution_free": (None, POINTER(_pdb_solution)),
    "pdb_solver_distance": (c_int, _solver, _board_p, c_size_t, POINTER(c_uint32), _error_p),
    "pdb_solver_distances": (c_int, _solver, POINTER(c_uint8), c_size_t, POINTER(c_uint32), _error_p),
    "pdb_solver_boards": (c_int, _solver, c_uint32, POINTER(c_uint64), _board_p, c_size_t, POINTER(c_size_t), _error_p),
    "pdb_solver_moves": (c_int, _solver, _board_p, c_uint32, POINTER(_pdb_moves), _error_p),
    "pdb_solver_add_moves": (c_int, _solver, _board_p, POINTER(_pdb_solution), _error_p),
    "pdb_solver_path": (c_int, _solver, _board_p, c_uint32, POINTER(_pdb_move), _error_p),
    "pdb_solver_count": (c_int, _solver, _board_p, c_uint32, c_char_p, _error_p),
    "pdb_solver_count_soon": (c_int, _solver, _board_p, c_uint32, c_char_p, _error_p),
    "pdb_solver_claims": (c_int, _solver, c_char_p, _board_p, c_uint32, _error_p),
    "pdb_path_format": (c_int, _puzzle, POINTER(_pdb_move), c_uint32, c_bool, POINTER(c_char_p), _error_p),
    "pdb_solver_grade": (c_int, _solver, _board_p, c_uint32, POINTER(_pdb_grade), _error_p),
    "pdb_solver_bounds": (c_int, _solver, _board_p, POINTER(_pdb_bounds), _error_p),
    "pdb_bounds_free": (None, POINTER(_pdb_bounds)),
    "pdb_solver_paths": (c_int, _solver, _board_p, c_uint32, _pdb_path_visitor, c_void_p, _error_p),
    "pdb_solver_hardest": (c_int, _solver, c_uint64, _board_p, _error_p),
    "pdb_solver_random": (c_int, _solver, c_uint32, c_uint64, _board_p, POINTER(c_uint32), _error_p),
    "pdb_solver_draw": (c_int, _solver, POINTER(_pdb_wish), c_uint64, _pdb_board_visitor, c_void_p, _error_p),
    "pdb_puzzle_enumerated": (c_bool, _puzzle),
    "pdb_puzzle_items": (c_char_p, _puzzle),
    "pdb_puzzle_unit": (c_char_p, _puzzle),
    "pdb_question_is_part": (c_bool, _puzzle, c_char_p),
    "pdb_solver_ask": (c_int, _solver, c_char_p, c_uint, POINTER(_pdb_reply), _error_p),
    "pdb_reply_free": (None, POINTER(_pdb_reply)),
    "pdb_solver_hardest_item": (c_int, _solver, c_uint64, c_char_p, _error_p),
    "pdb_solver_random_item": (c_int, _solver, c_uint32, c_uint64, c_char_p, POINTER(c_uint32), _error_p),
    "pdb_answer": (c_int, _puzzle, _solver, POINTER(_pdb_request), POINTER(c_char_p), POINTER(c_size_t), _error_p),
}

_library = ctypes.CDLL("libpdb.so.0")
for _name, (_result, *_arguments) in _FUNCTIONS.items():
    _function = getattr(_library, _name)
    _function.restype, _function.argtypes = _result, _arguments


class _Handle:
    """A pointer of the library's, or NULL. It is freed when nobody has it any more, not even a call that is under way, and
    what it needs is kept until then."""

    def __init__(self, pointer: c_void_p, free: Any, *needed: Any) -> None:
        self._as_parameter_ = pointer  # what ctypes passes in its place
        weakref.finalize(self, lambda *_: free(pointer), *needed).atexit = False


def _raise(status: int, error: _pdb_error) -> None:
    if status != 0:
        raise _ERRORS[status - 1](error.message.decode(errors="replace"))  # it may have been cut within a character


def _call(name: str, *arguments: Any) -> None:
    """Calls a function that returns a status and explains it in its last argument."""
    error = _pdb_error()
    _raise(getattr(_library, name)(*arguments, ctypes.byref(error)), error)


def _whole(encoded: bytes) -> bytes:
    """What C will read as it is meant."""
    if b"\0" in encoded:
        raise BadUsage(f"a text with a NUL in it: {encoded!r}")
    return encoded


def _bytes(text: str) -> bytes:
    return _whole(text.encode())


def _path(path: _Path) -> bytes:
    return _whole(os.fsencode(path))


def _text(encoded: Optional[bytes]) -> Optional[str]:
    return None if encoded is None else encoded.decode()


def _number(what: str, number: int, most: int) -> int:
    """ctypes would take any number, modulo 2^32 or 2^64."""
    number = operator.index(number)
    if not 0 <= number <= most:
        raise BadUsage(f"{what} is from 0 to {most}, not {number}")
    return number


def _distance(number: int) -> Optional[int]:
    return None if number == _NO_DISTANCE else number


# -- puzzles and boards --


class Symbol(NamedTuple):
    """What can stand on a cell."""

    code: str  # as boards are written: "5"
    glyph: str  # as they are drawn: "羊"
    kind: Optional[int]  # the number of the symbol that stands for all of its sort (one colour); None for an empty cell
    colour: Optional[int]  # 0xRRGGBB, where the definition gives it one
    legend: str  # what it means, where the definition says so


class Puzzle:
    """A built-in puzzle, or that of a definition file.

    >>> goat = Puzzle("goat")
    >>> goat.title, goat.rows, goat.columns, goat.states
    ('pen the sheep in, leave the wolf outside', 3, 4, 5443200)
    """

    def __init__(self, name_or_path: _Path) -> None:
        pointer = c_void_p()
        _call("pdb_puzzle_load", _path(name_or_path), ctypes.byref(pointer))
        self._take(pointer)

    @classmethod
    def from_text(cls, text: Union[str, bytes], name: str = "definition") -> Puzzle:
        """The puzzle of a definition that is in memory: what a file would hold. `name` stands for the file in messages.

        >>> Puzzle.from_text("{puzzle: small, family: slide, goal: 123/45.}").states
        360
        """
        puzzle, pointer = cls.__new__(cls), c_void_p()
        encoded = text.encode() if isinstance(text, str) else bytes(text)
        _call("pdb_puzzle_read", encoded, len(encoded), _bytes(name), ctypes.byref(pointer))
        puzzle._take(pointer)
        return puzzle

    def _take(self, pointer: c_void_p) -> None:
        self._handle = handle = _Handle(pointer, _library.pdb_puzzle_free)
        self.name: str = _library.pdb_puzzle_name(handle).decode()
        self.title: str = _library.pdb_puzzle_title(handle).decode()
        self.metric: str = _library.pdb_puzzle_metric(handle).decode()  # what one move is
        self.family: str = _library.pdb_puzzle_family(handle).decode()
        self.states: Optional[int] = _library.pdb_puzzle_states(handle) or None  # None: more than can be numbered, or unknown
        self.size: float = _library.pdb_puzzle_size(handle)  # about how many there are in any case
        self.keyed: bool = _library.pdb_puzzle_keyed(handle)  # then these are what all keys are below, and say little
        self.rows: int = _library.pdb_puzzle_rows(handle)
        self.columns: int = _library.pdb_puzzle_columns(handle)
        self.places: int = _library.pdb_puzzle_places(handle)  # how many symbols a board has: Board.array
        self.unordered: bool = _library.pdb_puzzle_unordered(handle)  # does the order of moves not matter?
        self.max_cost: int = _library.pdb_puzzle_max_cost(handle)  # the most that a move costs: 1 as a rule
        self.enumerated: bool = _library.pdb_puzzle_enumerated(handle)  # a puzzle without moves, to be asked: Solver.ask
        self.items: Optional[str] = _text(_library.pdb_puzzle_items(handle))  # what that has: "codes"
        self.unit: Optional[str] = _text(_library.pdb_puzzle_unit(handle))  # and what a distance counts: "question"
        self.triangular: bool = _library.pdb_puzzle_triangular(handle)  # are cells one row and one column away neighbours?
        self.symbols: List[Symbol] = [self._symbol(i) for i in range(_library.pdb_puzzle_symbols(handle))]

    def _symbol(self, number: int) -> Symbol:
        handle = self._handle
        kind, colour = _library.pdb_symbol_kind(handle, number), _library.pdb_symbol_colour(handle, number)
        return Symbol(_library.pdb_symbol_code(handle, number).decode(), _library.pdb_symbol_glyph(handle, number).decode(),
                      kind if kind >= 0 else None, None if colour == _NO_COLOUR else colour,
                      _library.pdb_symbol_legend(handle, number).decode())

    def __repr__(self) -> str:
        return f"<Puzzle {self.name}>"

    @property
    def goal(self) -> str:
        """The goal as a board is written, with * for cells that may hold anything."""
        text = ctypes.create_string_buffer(_TEXT_MAX)
        _library.pdb_puzzle_goal(self._handle, text)
        return text.value.decode()

    def board(self, text: str = "start") -> Board:
        """The board of a name (start, goal) or of its cells row by row.

        >>> str(Puzzle("8-puzzle").board("1 2 3 / 4 5 6 / . 7 8"))
        '123456078'
        """
        board = _pdb_board()
        _call("pdb_board_parse", self._handle, _bytes(text), ctypes.byref(board))
        return Board(self, board)

    def joined(self, cell: int, other: int) -> bool:
        """Is the board a graph with an edge from one cell (row * columns + column) to another?"""
        cells = [_number("cell", number, 2**32 - 1) for number in (cell, other)]
        return bool(_library.pdb_puzzle_joined(self._handle, *cells))

    def is_question_part(self, text: str) -> bool:
        """Is a text a part of a question, so that several of them, with spaces between, make one?"""
        return bool(_library.pdb_question_is_part(self._handle, _bytes(text)))


class Board:
    """A board of a puzzle, as Puzzle.board and a Solver give them. A value: it can be compared and put into sets."""

    __slots__ = ("puzzle", "_symbols")

    def __init__(self, puzzle: Puzzle, board: _pdb_board) -> None:
        self.puzzle = puzzle
        self._symbols = bytes(board).rstrip(b"\0")  # what is past the puzzle's places is 0

    def _padded(self) -> bytes:
        return self._symbols.ljust(_MAX_PLACES, b"\0")

    def _struct(self) -> _pdb_board:
        return _pdb_board.from_buffer_copy(self._padded())

    @property
    def array(self) -> bytes:
        """The number of the symbol on every place, as rows of Solver.distance_array have them."""
        return self._padded()[:self.puzzle.places]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and self.puzzle is other.puzzle and self._symbols == other._symbols

    def __hash__(self) -> int:
        return hash(self._symbols)

    def __str__(self) -> str:
        """As Puzzle.board reads it."""
        text = ctypes.create_string_buffer(_TEXT_MAX)
        _library.pdb_board_format(self.puzzle._handle, ctypes.byref(self._struct()), text)
        return text.value.decode()

    def __repr__(self) -> str:
        return f"<Board {self.puzzle.name} {self}>"

    def cells(self) -> List[List[Optional[Symbol]]]:
        """What stands on every cell, row by row; None is a wall.

        >>> for row in Puzzle("goat").board("goal").cells():
        ...     print(*(cell.code if cell else "#" for cell in row))
        1 8 9 10
        2 5 7 0
        3 8 4 6
        """
        struct = self._struct()
        puzzle, at = self.puzzle, _library.pdb_board_at
        numbers = [[at(puzzle._handle, ctypes.byref(struct), row, column) for column in range(puzzle.columns)]
                   for row in range(puzzle.rows)]
        return [[puzzle.symbols[number] if number >= 0 else None for number in row] for row in numbers]

    def pieces(self) -> List[List[Optional[int]]]:
        """Of which piece every cell is, row by row: they are numbered from 0 on in reading order. None: empty, or a wall.

        >>> for row in Puzzle("goat").board("goal").pieces():
        ...     print(row)
        [0, 1, 2, 2]
        [3, 4, 5, None]
        [6, 7, 8, 9]
        """
        columns, count = self.puzzle.columns, self.puzzle.rows * self.puzzle.columns
        numbers = (c_uint16 * count)()
        _library.pdb_board_pieces(self.puzzle._handle, ctypes.byref(self._struct()), numbers)
        found = [None if number == _NO_PIECE else number for number in numbers]
        return [found[i:i + columns] for i in range(0, count, columns)]

    def is_goal(self) -> bool:
        """By the rules alone: no solver is asked."""
        return bool(_library.pdb_board_is_goal(self.puzzle._handle, ctypes.byref(self._struct())))

    def moves(self) -> List[Move]:
        """All legal moves, by the rules alone: nobody looks for their distances, which are None.

        >>> [move.text for move in Puzzle("goat").board().moves()]
        ['8 (row 1, column 2) down', '2 right', '7 left', '8 (row 3, column 2) up']
        """
        moves = _pdb_moves()
        try:
            _call("pdb_board_moves", self.puzzle._handle, ctypes.byref(self._struct()), ctypes.byref(moves))
            return _read_moves(self.puzzle, moves.move, moves.count)
        finally:
            _library.pdb_moves_free(ctypes.byref(moves))

    def sketch(self) -> Optional[str]:
        """A drawing in lines of text, of a puzzle that has a way of its own for that; else None."""
        text = ctypes.create_string_buffer(_TEXT_MAX)
        drawn = _library.pdb_board_sketch(self.puzzle._handle, ctypes.byref(self._struct()), text)
        return text.value.decode() if drawn else None

    def hidden(self) -> str:
        """What the picture has nothing to do with, as it may be typed behind it: "facing=up, fuel=2"; "": nothing."""
        text = ctypes.create_string_buffer(_TEXT_MAX)
        _library.pdb_board_hidden(self.puzzle._handle, ctypes.byref(self._struct()), text)
        return text.value.decode()


# -- answers --


class Move(NamedTuple):
    """A move out of a board."""

    text: str  # in words: "5 left"
    piece: str  # the code of what is moved
    board: Board  # where it leads
    distance: Optional[int]  # of that board; None where the goal cannot be reached
    optimal: bool  # that is one less than the distance before the move
    cell: Optional[int]  # where a player takes hold of it, row * columns + column; None: at no one cell (a face that turns)
    cost: int  # what the move adds to a distance: 1 but for puzzles whose moves have costs


def _read_moves(puzzle: Puzzle, moves: Any, count: int) -> List[Move]:
    return [Move(move.text.decode(), move.piece.decode(), Board(puzzle, move.board), _distance(move.distance), move.optimal,
                 None if getattr(move, "from") == _NO_CELL else getattr(move, "from"), move.cost) for move in moves[:count]]


class Solution(NamedTuple):
    """What is known of a board."""

    distance: Optional[int]  # None: the goal cannot be reached
    nodes: int  # how many boards a search looked at; 0 where distances are kept
    moves: List[Move]
    path: List[Move]  # one whole shortest solution


class Grade(NamedTuple):
    """How hard a board is."""

    solutions: int  # how many shortest ones there are
    moves: int  # that can be made at first
    away: int  # those of them that lead away from the goal, or to where it cannot be reached
    branching: float  # mean number of moves at the boards that shortest solutions lead through


class Classes(NamedTuple):
    """Of a peg board: in each of some sets of cells no move changes whether pegs are even or odd in number."""

    sets: List[str]  # their cells: "0 1 3 4"
    board: str  # '1' for each set with an odd number of pegs, else '0'
    goals: List[str]  # the same of all boards that fit the goal
    fits: bool  # the board's is among these


class Bounds(NamedTuple):
    """The lower bounds that a search of a board begins with."""

    search: str  # what it relies on
    values: Dict[str, Optional[int]]  # by name; None: the goal cannot be reached
    taken: Optional[str]  # the name of the greatest; None where there are none
    classes: Optional[Classes]


class Info(NamedTuple):
    """What a solver's distances are and where they come from; None is what it does not have or know."""

    method: str  # "db" or "search"
    search: Optional[str]  # what a search of single boards relies on; None where all distances are known
    file: Optional[str]  # the database
    generator: Optional[str]  # the version of the program that made it
    file_bytes: int
    content: Optional[str]  # digest of the content
    definition: str  # digest of the definition
    patterns: Optional[str]  # of a pattern database
    shape: Optional[str]
    entries: int
    encoding: Optional[str]
    states: Optional[int]  # indices
    reachable: Optional[int]  # states from which the goal can be reached
    max: Optional[int]  # the greatest distance
    hardest: Optional[int]  # how many states have it


class Reply(NamedTuple):
    """What a puzzle without moves says to a question."""

    distance: Optional[int]  # None: there is no answer, and the facts say why
    facts: Dict[str, Union[int, float, str, List[str]]]
    labels: Dict[str, str]  # the facts' names for people


Observer = Callable[[int, int], Optional[bool]]


class _Watch:
    """What a long call is looked after by: the user's observer, and Ctrl-C."""

    def __init__(self, observe: Optional[Observer]) -> None:
        self._observe = observe
        self._stop = False
        self._failure: Optional[BaseException] = None
        self.callback = _pdb_observer(self._look)

    def _look(self, _context: Any, bound: int, nodes: int) -> bool:
        try:
            return not self._stop and (self._observe is None or self._observe(bound, nodes) is not False)
        except BaseException as failure:  # it cannot pass through C
            self._failure = failure
            return False

    def call(self, name: str, *arguments: Any) -> None:
        """As _call. Signals reach Python in its main thread only, and there only while it runs Python: so if this is the
        main thread, another makes the call while this one waits. Its arguments live until it returns."""
        error = _pdb_error()
        status: List[int] = []
        done = threading.Event()

        def work() -> None:
            try:
                status.append(getattr(_library, name)(*arguments, ctypes.byref(error)))
            finally:
                done.set()

        if threading.current_thread() is threading.main_thread():
            threading.Thread(target=work).start()
            self._wait_for(done)
        else:
            work()
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure
        _raise(status[0], error)

    def _wait_for(self, done: threading.Event) -> None:
        while True:
            try:
                done.wait()
                break
            except BaseException as signal:  # KeyboardInterrupt, or what another signal's handler raises
                self._stop = True
                self._failure = signal
        self._stop = False


class Solver:
    """The distances of a puzzle.

    `directory` is where databases are (None: $PDB_PATH, else $XDG_DATA_HOME/pdb, else ~/.local/share/pdb); `method` is
    "auto", "db" (only with a database) or "search" (every board anew). With `whole`, questions about all states will be
    asked (hardest, histogram, random at a distance), for which a larger puzzle is worked out in memory, if need be.
    `observe(bound, nodes)` is called now and then during a search, on any thread: no solution has fewer than `bound`
    moves, and so many boards were looked at. If it returns False, the search ends with Interrupted.

    Where a board is asked for, a text will do. A solver closes itself when it is no longer used, or at the end of a
    `with` block.

    >>> with Solver("goat") as solver:
    ...     solver.distance("start"), solver.count("start"), solver.histogram[-1]
    (20, 2, 7)
    """

    def __init__(self, puzzle: Union[Puzzle, _Path], directory: Optional[_Path] = None,
                 method: str = "auto", *, threads: int = 0, whole: bool = False, observe: Optional[Observer] = None) -> None:
        if method not in _METHODS:
            raise BadUsage(f"method is one of {', '.join(_METHODS)}, not {method!r}")
        self.puzzle = puzzle if isinstance(puzzle, Puzzle) else Puzzle(puzzle)
        self._watch = _Watch(observe)
        options = _pdb_options(directory=None if directory is None else _path(directory), method=_METHODS[method],
                               threads=_number("threads", threads, 1024), whole=whole, observe=self._watch.callback)
        pointer = c_void_p()
        self._handle: Optional[_Handle] = _Handle(pointer, _library.pdb_solver_close, self.puzzle._handle, self._watch.callback)
        self._watch.call("pdb_solver_open", self.puzzle._handle, ctypes.byref(options), ctypes.byref(pointer))
        info = self._read_info()
        self._searches = info.search is not None
        self._histogram = info.histogram[:info.max + 1] if info.histogram else None

    def close(self) -> None:
        """Closes it, once the calls of other threads are through."""
        self._handle = None

    def __enter__(self) -> Solver:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Solver {self.puzzle.name}{' (closed)' if self._handle is None else ''}>"

    def _open(self) -> _Handle:
        if self._handle is None:
            raise ValueError("this solver is closed")
        return self._handle

    def _read_info(self) -> Any:
        info = _pdb_info()
        _library.pdb_solver_info(self._open(), ctypes.byref(info))
        return info

    @property
    def info(self) -> Info:
        """What the distances are and where they come from.

        >>> Solver("8-puzzle").info.max
        31
        """
        info = self._read_info()
        whole = not self._searches
        return Info(method="db" if info.method == _METHODS["db"] else "search", search=_text(info.search),
                    file=os.fsdecode(info.file) if info.file is not None else None, generator=_text(info.generator),
                    file_bytes=info.file_bytes, content=info.content.decode() or None, definition=info.definition.decode(),
                    patterns=_text(info.patterns), shape=_text(info.shape), entries=info.entries, encoding=_text(info.encoding),
                    states=info.states or None, reachable=info.reachable if whole else None, max=info.max if whole else None,
                    hardest=info.hardest if whole else None)

    @property
    def histogram(self) -> List[int]:
        """How many states there are at each distance.

        >>> Solver("tiles-2x2").histogram
        [1, 2, 2, 2, 2, 2, 1]
        """
        if self._histogram is None:
            raise NoDatabase(f"{self.puzzle.name}: not all distances are known, boards are searched")
        return list(self._histogram)

    # -- about a board --

    def _board(self, board: Union[Board, str]) -> Board:
        if isinstance(board, str):
            return self.puzzle.board(board)
        if board.puzzle is not self.puzzle:
            raise BadBoard(f"a board of {board.puzzle.name} was asked about, and this solver's puzzle is {self.puzzle.name}")
        return board

    def _ask(self, name: str, *arguments: Any) -> None:
        (self._watch.call if self._searches else _call)(name, self._open(), *arguments)

    def _covered(self, board: Board, distance: int) -> Optional[int]:
        """A distance as it is given out. Where there is none, that has to be known for sure."""
        if distance == _NO_DISTANCE:
            self._ask("pdb_solver_covers", ctypes.byref(board._struct()))
        return _distance(distance)

    def solve(self, board: Union[Board, str], *, moves: bool = False, path: bool = False) -> Solution:
        """The distance of a board; all its moves, and a shortest solution, if they are wanted."""
        board = self._board(board)
        solution = _pdb_solution()
        want = _WANT_MOVES * moves + _WANT_PATH * path
        self._ask("pdb_solver_solve", ctypes.byref(board._struct()), want, ctypes.byref(solution))
        distance = self._covered(board, solution.distance)
        return Solution(distance, solution.nodes, _read_moves(self.puzzle, solution.moves.move, solution.moves.count),
                        _read_moves(self.puzzle, solution.path, solution.steps) if solution.path else [])

    def distance(self, board: Union[Board, str]) -> Optional[int]:
        """How many moves the goal is away; None where it cannot be reached."""
        return self.solve(board).distance

    def distances(self, boards: Iterable[Union[Board, str]]) -> List[Optional[int]]:
        """The distances of many boards, worked on side by side.

        >>> Solver("8-puzzle").distances(["goal", "start", "12345687."])
        [0, 31, None]
        """
        known = [self._board(board) for board in boards]
        if self._searches:
            return [self.distance(board) for board in known]
        found: List[Optional[int]] = []
        for first in range(0, len(known), 4096):
            some = known[first:first + 4096]
            structs = (_pdb_board * len(some)).from_buffer_copy(b"".join(board._padded() for board in some))
            distances = (c_uint32 * len(some))()
            self._ask("pdb_solver_distance", structs, len(some), distances)
            found += [self._covered(board, distance) for board, distance in zip(some, distances)]
        return found

    def _rows(self, boards: Any) -> bytes:
        """Boards, texts, or an array, as the bytes of rows of symbols."""
        places = self.puzzle.places
        try:
            view = memoryview(boards)
        except TypeError:
            return b"".join(self._board(board).array for board in boards)
        if view.itemsize != 1 or view.nbytes % max(places, 1) != 0:
            raise BadUsage(f"an array of boards has bytes (uint8), {places} for each board of {self.puzzle.name}")
        return view.tobytes()

    def distance_array(self, boards: Any) -> Any:
        """The distances of many boards as an array of 32-bit numbers, NO_DISTANCE where the goal cannot be reached: one of
        numpy where that is installed, else of the module array. `boards` are boards, texts, or an array of bytes in C order
        (numpy's uint8) with a row of Puzzle.places symbols for each board, as Board.array has them.

        >>> solver = Solver("8-puzzle")
        >>> [int(distance) for distance in solver.distance_array(["goal", "start"])]
        [0, 31]
        """
        places, rows = self.puzzle.places, self._rows(boards)
        count = len(rows) // max(places, 1)
        distances = (c_uint32 * count)()
        self._ask("pdb_solver_distances", (c_uint8 * len(rows)).from_buffer_copy(rows), count, distances)
        for i in range(count if self.puzzle.keyed else 0):  # where nothing is known of a board, that is no distance
            if distances[i] == _NO_DISTANCE:
                row = rows[i * places:(i + 1) * places].ljust(_MAX_PLACES, b"\0")
                self._ask("pdb_solver_covers", ctypes.byref(_pdb_board.from_buffer_copy(row)))
        if _numpy is not None:
            return _numpy.frombuffer(distances, dtype=_numpy.uint32)
        return array.array("I", distances)

    def boards_at(self, distance: int) -> Iterator[Board]:
        """All boards at a distance, each once, in an order that is always the same.

        >>> sum(1 for board in Solver("8-puzzle").boards_at(31))
        2
        """
        wanted, place, count = _number("distance", distance, _NO_DISTANCE - 1), c_uint64(), c_size_t()
        some = (_pdb_board * 1024)()
        while place.value != _ALL_BOARDS:
            self._ask("pdb_solver_boards", wanted, ctypes.byref(place), some, len(some), ctypes.byref(count))
            yield from [Board(self.puzzle, struct) for struct in some[:count.value]]

    def moves(self, board: Union[Board, str]) -> List[Move]:
        """All legal moves, with the distances where they lead.

        >>> for move in Solver("goat").moves("start"):
        ...     print("*" if move.optimal else " ", move.text, move.distance)
        * 8 (row 1, column 2) down 19
          2 right 21
          7 left 21
        * 8 (row 3, column 2) up 19
        """
        return self.solve(board, moves=True).moves

    def path(self, board: Union[Board, str]) -> List[Move]:
        """One whole shortest solution, move by move. Raises Unreachable where there is none."""
        solution = self.solve(board, path=True)
        if solution.distance is None:
            raise Unreachable(f"{self.puzzle.name}: the goal cannot be reached from this board")
        return solution.path

    def _count(self, name: str, board: Union[Board, str]) -> Optional[int]:
        board = self._board(board)
        distance = self.distance(board)
        if distance is None:
            return 0
        text = ctypes.create_string_buffer(_COUNT_MAX)
        self._ask(name, ctypes.byref(board._struct()), distance, text)
        return int(text.value) if text.value else None

    def count(self, board: Union[Board, str]) -> int:
        """How many different shortest solutions there are."""
        return self._count("pdb_solver_count", board) or 0

    def count_soon(self, board: Union[Board, str]) -> Optional[int]:
        """The same, or None where a search would have to look at more than about a million boards for it."""
        return self._count("pdb_solver_count_soon", board)

    def check_claims(self, name: str, board: Union[Board, str]) -> None:
        """Raises BadBoard where what a puzzle's name says of its board ('rush-hour:60 IBBx... 2332': how far it is from
        the goal, and how many boards can be reached from it, which a search leaves unchecked) is not so."""
        board = self._board(board)
        distance = self.distance(board)
        self._ask("pdb_solver_claims", name.encode(), ctypes.byref(board._struct()),
                  _NO_DISTANCE if distance is None else distance)

    def grade(self, board: Union[Board, str]) -> Grade:
        """How hard a board is, where all distances are known."""
        board = self._board(board)
        grade = _pdb_grade()
        distance = self.distance(board)
        self._ask("pdb_solver_grade", ctypes.byref(board._struct()), _NO_DISTANCE if distance is None else distance,
                  ctypes.byref(grade))
        return Grade(int(grade.count), grade.moves, grade.away, grade.branching)

    def bounds(self, board: Union[Board, str]) -> Bounds:
        """The lower bounds of a board's distance that a search begins with; the distance is not looked for.

        >>> Solver("8-puzzle").bounds("867254301").values
        {'Manhattan distance': 21, 'Manhattan distance and linear conflicts': 23}
        """
        bounds = _pdb_bounds()
        self._ask("pdb_solver_bounds", ctypes.byref(self._board(board)._struct()), ctypes.byref(bounds))
        each = [bounds.bound[i] for i in range(bounds.count)]
        known = bounds.classes
        classes = None if known.board is None else Classes([known.set[i].decode() for i in range(known.sets)],
                                                           known.board.decode(),
                                                           [known.goal[i].decode() for i in range(known.goals)],
                                                           known.fits)
        return Bounds(bounds.search.decode(), {bound.name.decode(): _distance(bound.value) for bound in each},
                      next((bound.name.decode() for bound in each if bound.taken), None), classes)

    def paths(self, board: Union[Board, str], most: Optional[int] = None) -> List[List[Move]]:
        """All shortest solutions, or the first of them, in an order that is always the same.

        >>> [[move.text for move in path] for path in Solver("8-puzzle").paths("123456078")]
        [['7 left', '8 left']]
        """
        board = self._board(board)
        distance = self.distance(board)
        found: List[List[Move]] = []
        failed: List[BaseException] = []
        if distance is None or most == 0:
            return found

        def visit(_: Any, path: Any, steps: int) -> bool:
            try:
                found.append(_read_moves(self.puzzle, path, steps))
            except BaseException as error:  # it must not leave through C
                failed.append(error)
            return not failed and len(found) != most

        self._ask("pdb_solver_paths", ctypes.byref(board._struct()), distance, _pdb_path_visitor(visit), None)
        if failed:
            raise failed[0]
        return found

    # -- about all boards --

    def _hardest(self, name: str, out: Any, read: Callable[[], Any]) -> Iterator[Any]:
        for i in range(self._read_info().hardest or 1):
            try:
                self._ask(name, i, out)
            except BadUsage:  # only the first of them are kept
                return
            yield read()

    def hardest(self) -> Iterator[Board]:
        """The boards farthest from the goal, at most 10,000 of them.

        >>> len(list(Solver("goat").hardest()))
        7
        """
        struct = _pdb_board()
        return self._hardest("pdb_solver_hardest", ctypes.byref(struct), lambda: Board(self.puzzle, struct))

    def _random(self, name: str, distance: Optional[int], seed: Optional[int], out: Any) -> int:
        at = c_uint32()
        wanted = _NO_DISTANCE if distance is None else _number("distance", distance, _NO_DISTANCE - 1)
        drawn = secrets.randbits(64) if seed is None else _number("seed", seed, 2**64 - 1)
        self._ask(name, wanted, drawn, out, ctypes.byref(at))
        return at.value

    def random(self, distance: Optional[int] = None, seed: Optional[int] = None) -> Tuple[Board, int]:
        """A board at that distance, or at any, and its distance. The same seed gives the same board.

        >>> board, distance = Solver("goat").random(30, seed=1)
        >>> str(board), distance
        ('9,10,4,3,2,8,1,0,8,6,7,5', 30)
        """
        struct = _pdb_board()
        at = self._random("pdb_solver_random", distance, seed, ctypes.byref(struct))
        return Board(self.puzzle, struct), at

    def draw(self, nearest: int, farthest: int, seed: int = 0, *, fixed: Optional[str] = None, distinct: bool = False,
             most: Optional[int] = None) -> List[Tuple[Board, int]]:
        """Different boards at these distances and how far each is, in an order that the seed decides; all there are, or
        `most`. Only those with the cells of `fixed`, `.` being any; with `distinct` none like another by a symmetry.

        >>> len(Solver("8-puzzle").draw(31, 31))
        2
        """
        found: List[Tuple[Board, int]] = []
        failed: List[BaseException] = []

        def visit(_: Any, board: Any, distance: int) -> bool:
            try:
                found.append((Board(self.puzzle, board.contents), distance))
            except BaseException as error:  # it must not leave through C
                failed.append(error)
            return not failed and len(found) != most

        if most != 0:
            wish = _pdb_wish(nearest, farthest, None if fixed is None else _bytes(fixed), distinct)
            self._ask("pdb_solver_draw", ctypes.byref(wish), seed, _pdb_board_visitor(visit), None)
        if failed:
            raise failed[0]
        return found

    # -- of puzzles without moves --

    def ask(self, question: str, *, path: bool = False, count: bool = False) -> Reply:
        """Asks a puzzle without moves. With `path` all that there is to show, with `count` how much there is.

        >>> Solver("four-fours").ask("10").facts
        {'value': '10', 'expression': '(44 - 4) / 4'}
        """
        reply = _pdb_reply()
        self._ask("pdb_solver_ask", _bytes(question), _WANT_PATH * path + _WANT_COUNT * count, ctypes.byref(reply))
        facts = reply.fact[:reply.count]
        return Reply(_distance(reply.distance), {fact.name.decode(): _value(fact) for fact in facts},
                     {fact.name.decode(): fact.label.decode() for fact in facts})

    def hardest_items(self) -> Iterator[str]:
        """The hardest items, as texts that can be asked; at most 10,000 of them.

        >>> len(list(Solver("mastermind").hardest_items()))
        5
        """
        text = ctypes.create_string_buffer(_TEXT_MAX)
        return self._hardest("pdb_solver_hardest_item", text, lambda: text.value.decode())

    def random_item(self, distance: Optional[int] = None, seed: Optional[int] = None) -> Tuple[str, int]:
        """An item at that distance, or at any, and its distance."""
        text = ctypes.create_string_buffer(_TEXT_MAX)
        at = self._random("pdb_solver_random_item", distance, seed, text)
        return text.value.decode(), at


def _value(fact: Any) -> Union[int, float, str, List[str]]:
    if fact.kind == _KIND_MEAN:
        return float(fact.mean)
    if fact.kind == _KIND_TEXTS:
        return [text.decode() for text in fact.texts[:fact.count]]
    return int(fact.text) if fact.kind == _KIND_COUNT else str(fact.text.decode())
