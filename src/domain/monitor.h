/* The rules of a monitor's fields. */
#ifndef DOMAIN_MONITOR_H
#define DOMAIN_MONITOR_H

#include <stdbool.h>

#include "base/arena.h"

enum { MONITOR_NAME_MAX_CHARS = 255, MONITOR_LABEL_MAX_CHARS = 255 };

/* The name in its stored form; NULL: it has not 1 to MONITOR_NAME_MAX_CHARS characters. */
const char *monitor_name(struct arena *arena, const char *text);
/* Whether it is an absolute http or https URL. */
bool monitor_url_is_valid(const char *url);
/* The label in its stored form; NULL: it is not NAME=VALUE, or too long. */
const char *monitor_label(struct arena *arena, const char *text);

#endif
