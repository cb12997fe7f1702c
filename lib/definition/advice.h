/* advice.h -- libyaml's complaints in words that help */
#ifndef DEFINITION_ADVICE_H
#define DEFINITION_ADVICE_H

#include <stdbool.h>

/* What to say for a problem that libyaml names with these beginnings of its texts ("" fits all). The context is what it
 * was reading: the message goes on with where that began, if it asks to. */
struct definition_advice {
    const char *context, *problem;
    bool at_context; /* the message is about the place where the context began, else about that of the problem */
    const char *message;
    const char *context_name; /* "list": the message ends with where the list began; or NULL */
};

/* What to say for this problem in this context; NULL where libyaml's own words are the best. */
const struct definition_advice *definition_advice(const char *context, const char *problem);

#endif
