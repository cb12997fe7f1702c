/* families.c -- the families there are: a new one is a folder and a line here */
#include "families.h"

const struct family *const families[] = {&slide_family, &flip_family,  &walk_family,  &permute_family,
                                         &peg_family,   &place_family, &rules_family, NULL};
