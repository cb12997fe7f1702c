/* frames.c -- the lines of frames around cells, between the rows and columns of a board in a terminal */
#include "frames.h"
#include "lib/board.h"

bool frames_part_rows(const pdb_puzzle *puzzle, unsigned row)
{
    pdb_frame frame;
    for (unsigned i = 0; pdb_puzzle_frame(puzzle, i, &frame); i++)
        if (frame.top == row || frame.bottom + 1 == row)
            return true;
    return false;
}

bool frames_part_columns(const pdb_puzzle *puzzle, unsigned column)
{
    pdb_frame frame;
    for (unsigned i = 0; pdb_puzzle_frame(puzzle, i, &frame); i++)
        if (frame.left == column || frame.right + 1 == column)
            return true;
    return false;
}

/* Is there a line left of a cell; above it? */
static bool is_beside(const pdb_puzzle *puzzle, unsigned row, unsigned column)
{
    pdb_frame frame;
    for (unsigned i = 0; pdb_puzzle_frame(puzzle, i, &frame); i++)
        if (frame.top <= row && row <= frame.bottom && (frame.left == column || frame.right + 1 == column))
            return true;
    return false;
}

static bool is_above(const pdb_puzzle *puzzle, unsigned row, unsigned column)
{
    pdb_frame frame;
    for (unsigned i = 0; pdb_puzzle_frame(puzzle, i, &frame); i++)
        if (frame.left <= column && column <= frame.right && (frame.top == row || frame.bottom + 1 == row))
            return true;
    return false;
}

const char *frames_beside(const struct drawing *drawing, unsigned row, unsigned column)
{
    return board_frame_sign(is_beside(drawing->puzzle, row, column) ? 1 << PDB_TOP | 1 << PDB_BOTTOM : 0,
                            drawing->ascii);
}

const char *frames_above(const struct drawing *drawing, unsigned row, unsigned column)
{
    return board_frame_sign(is_above(drawing->puzzle, row, column) ? 1 << PDB_LEFT | 1 << PDB_RIGHT : 0,
                            drawing->ascii);
}

const char *frames_corner(const struct drawing *drawing, unsigned row, unsigned column)
{
    const pdb_puzzle *puzzle = drawing->puzzle;
    const unsigned up = row > 0 && is_beside(puzzle, row - 1, column), down = is_beside(puzzle, row, column),
                   left = column > 0 && is_above(puzzle, row, column - 1), right = is_above(puzzle, row, column);
    return board_frame_sign(up << PDB_TOP | right << PDB_RIGHT | down << PDB_BOTTOM | left << PDB_LEFT, drawing->ascii);
}
