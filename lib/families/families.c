/* families.c -- the families there are: a new one is a C file and a line here */
#include "families.h"

const struct family *const families[] = {&slide_family,   &flip_family,    &walk_family,
                                         &permute_family, &peg_family,     &place_family,
                                         &guess_family,   &express_family, NULL};
