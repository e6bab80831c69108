/*
 * A file of the time zone database: TZif of RFC 8536, versions 2 to 4. A file with any content is
 * read within its bounds.
 */
#ifndef BASE_ZONE_FILE_H
#define BASE_ZONE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

enum { ZONE_FILE_MAX_BYTES = 16 * 1024, ZONE_ABBREVIATION_SIZE = 16 };

/* The local time of the zone between two changes. */
struct zone_type {
	int32_t east_s; /* seconds east of UTC */
	char abbreviation[ZONE_ABBREVIATION_SIZE];
};

/* The day of a year, and the seconds of that day, at which the clocks are changed. */
struct zone_change {
	enum { CHANGE_BY_WEEK, CHANGE_BY_DAY, CHANGE_BY_DAY_BUT_LEAP_DAY } kind;
	int month, week, weekday; /* CHANGE_BY_WEEK: week 5 is the month's last; Sunday is 0 */
	int day; /* day of the year: from 0; or from 1, if the leap day does not count */
	int32_t local_s;
};

struct zone_file {
	/* From times[i] on clocks show types[type_of[i]]. */
	int64_t *times;
	uint8_t *type_of;
	size_t time_count;
	struct zone_type *types; /* the first is valid before times[0] */
	size_t type_count;

	/* from the last of `times` on, the rule of the footer applies */
	bool has_rule;
	bool has_daylight;
	struct zone_type standard, daylight;
	struct zone_change daylight_start, daylight_end;
};

/* Parses the bytes of a file. NULL: they are no TZif, or count leap seconds. The caller releases
 * the result with free(). */
struct zone_file *zone_file_parse(struct str bytes);

#endif
