/* Time: UTC, whole seconds, and a monotonic clock for durations. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* A moment in UTC. A struct of its own, so that a field table can tell it from a number. */
struct instant {
	int64_t s; /* since 1970-01-01T00:00:00Z; 0 means "no time" */
};

enum { INSTANT_TEXT_SIZE = 32 };

struct instant clock_now(void);
/* Milliseconds of a clock that never goes back; only differences mean anything. */
int64_t clock_ms(void);
int64_t clock_us(void);

/* "2026-11-20T19:58:30Z" (RFC 3339) into `text`, which is returned. */
char *instant_format(struct instant at, char text[INSTANT_TEXT_SIZE]);
/* "2026-11-20 19:58:30", as SQL has it. */
char *instant_format_sql(struct instant at, char text[INSTANT_TEXT_SIZE]);

/*
 * Reads "2026-11-20T19:58:30Z", also with a blank for the T, without the Z
 * (read as UTC), with an offset such as +05:45, and with a fraction, which is
 * cut off. False when it is no date and time between the years 1970 and 9999.
 */
bool instant_parse(struct str text, struct instant *at);

#endif
