"""The best next move of a board:  python3 next_move.py goat start"""

import sys

import libpdb

if len(sys.argv) != 3:
    sys.exit("usage: next_move.py PUZZLE BOARD")
try:
    path = libpdb.Solver(sys.argv[1]).path(sys.argv[2])
except libpdb.Unreachable:
    print("the goal cannot be reached")
except libpdb.PdbError as error:
    sys.exit(f"next_move.py: {error}")
else:
    distance = f"{len(path)} move{'s' if len(path) > 1 else ''} from the goal"
    print(f"{distance}; move {path[0].text}" if path else "this is the goal")
