/* encoding_puzzles.h -- small puzzles for every way in which distances are packed */
#ifndef TESTS_SEARCH_SPACE_ENCODING_PUZZLES_H
#define TESTS_SEARCH_SPACE_ENCODING_PUZZLES_H

#define HEAD "puzzle: t\nfamily: slide\n"

/* One puzzle for every encoding, and one of several chunks of RETROGRADE_CHUNK words. */
static const char *const yamls[] = {
    HEAD "goal: 1 2 3/4 5 .\n",                       /* mod4-1bit */
    HEAD "goal: 1 2 3 . 4 5\n",                       /* mod4-2bit */
    HEAD "board: 1 2 3/4 5 .\ngoal: '1 2 3/* 5 *'\n", /* mod3-5perbyte */
    HEAD "board: 1 2 3 .\ngoal: '* * * *'\n",         /* mod3-2bit */
    HEAD "goal: 1 2 3/4 5 6/7 8 .\n",
    HEAD "board: 1 2 3/4 5 6/7 8 .\ngoal: '* 2 3/4 5 6/* * *'\n",
    HEAD "goal: B B v/B B v/s s ./h h .\npieces: [B B/B B, v/v, h h]\n",
};

#endif
