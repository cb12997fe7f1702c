/* frames.c -- the lines of frames around cells, between the rows and columns of a board in a terminal */
#include "frames.h"
#include "lib/board.h"

#include <limits.h>

/* In one direction, of rows or of columns: the first and the last one that a frame has. */
struct span {
    unsigned first, last;
};

static struct span span_of(const pdb_frame *frame, bool rows)
{
    return rows ? (struct span){frame->top, frame->bottom} : (struct span){frame->left, frame->right};
}

#define ANYWHERE UINT_MAX

/* Is there a line before this row (or column), where it meets the column (or row) `across`? */
static bool has_line(const pdb_puzzle *puzzle, bool rows, unsigned at, unsigned across)
{
    pdb_frame frame;
    for (unsigned i = 0; pdb_puzzle_frame(puzzle, i, &frame); i++) {
        const struct span along = span_of(&frame, rows), over = span_of(&frame, !rows);
        if ((along.first == at || along.last + 1 == at) &&
            (across == ANYWHERE || (over.first <= across && across <= over.last)))
            return true;
    }
    return false;
}

bool frames_part_rows(const pdb_puzzle *puzzle, unsigned row)
{
    return has_line(puzzle, true, row, ANYWHERE);
}

bool frames_part_columns(const pdb_puzzle *puzzle, unsigned column)
{
    return has_line(puzzle, false, column, ANYWHERE);
}

static bool is_beside(const pdb_puzzle *puzzle, unsigned row, unsigned column)
{
    return has_line(puzzle, false, column, row);
}

static bool is_above(const pdb_puzzle *puzzle, unsigned row, unsigned column)
{
    return has_line(puzzle, true, row, column);
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
