/* Explains one check, step by step, for people: nothing is stored or reported. */
#ifndef CHECK_EXPLAIN_H
#define CHECK_EXPLAIN_H

#include "base/config/config.h"

enum explanation { EXPLAINED_UP, EXPLAINED_DOWN, EXPLAINED_NOTHING };

/* Prints the steps to standard output. If the check cannot be made, prints the reason to standard
 * error and returns EXPLAINED_NOTHING. `monitor` is an id, a label or a name. */
enum explanation explain(const struct config *config, const char *monitor);

#endif
