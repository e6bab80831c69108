/* Time in UTC with whole seconds, and a monotonic clock for durations. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* A moment in UTC. It is a struct, so that field tables distinguish times from numbers. */
struct instant {
	int64_t s; /* seconds since 1970-01-01T00:00:00Z; 0: no time */
};

enum { INSTANT_TEXT_SIZE = 32 };

struct instant clock_now(void);
/* Microseconds since 1970. */
int64_t clock_now_us(void);
/* Milliseconds and microseconds of a monotonic clock. Only differences are meaningful. */
int64_t clock_ms(void);
int64_t clock_us(void);

/* The calendar date and time of a moment. The years are 1970 to 9999; month and day begin at 1. */
struct instant_parts {
	int year, month, day, hour, minute, second;
};
struct instant instant_of(const struct instant_parts *parts);
/* Splits a moment. A moment of 0 becomes the first second of 1970. */
struct instant_parts instant_split(struct instant at);

/* Writes "2026-11-20T19:58:30Z" (RFC 3339) to `text`, and returns `text`. */
char *instant_format(struct instant at, char text[INSTANT_TEXT_SIZE]);
/* Writes "2026-11-20 19:58:30", the format of SQL, and returns `text`. */
char *instant_format_sql(struct instant at, char text[INSTANT_TEXT_SIZE]);

/*
 * Parses "2026-11-20T19:58:30Z". Also accepts a blank instead of the T, no Z (read as UTC), and an
 * offset such as +05:45. Ignores a fraction of a second. Returns false if the text is not a date
 * and time in the years 1970 to 9999.
 */
bool instant_parse(struct str text, struct instant *at);

#endif
