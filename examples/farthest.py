"""A puzzle made of text: its boards farthest from the goal, and the distances of many boards as an array."""

import libpdb

SMALL = """
puzzle: small
family: slide
goal: 123/45.
"""

solver = libpdb.Solver(libpdb.Puzzle.from_text(SMALL))
farthest = list(solver.boards_at(solver.info.max))
distances = solver.distance_array(["goal", *farthest, "132/45."])
print(*farthest, [int(distance) for distance in distances if distance != libpdb.NO_DISTANCE])
