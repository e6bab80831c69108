/* Settings that outlive the list in which they came, in one piece of memory. */
#ifndef CHECK_SETTINGS_COPY_H
#define CHECK_SETTINGS_COPY_H

#include "domain/check_settings.h"

/* To be freed by free(). */
struct check_settings *settings_copy(const struct check_settings *settings);
bool settings_are_equal(const struct check_settings *one, const struct check_settings *other);

#endif
