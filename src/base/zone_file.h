/*
 * Parses a file of the time zone database: TZif of RFC 8536, versions 2 to 4. The parser stays
 * within the bounds of the file, whatever its content.
 */
#ifndef BASE_ZONE_FILE_H
#define BASE_ZONE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

enum { ZONE_FILE_MAX_BYTES = 16 * 1024, ZONE_ABBREVIATION_SIZE = 16 };

/* The offset and the abbreviation of a zone between two changes. */
struct zone_type {
	int32_t east_s; /* seconds east of UTC */
	char abbreviation[ZONE_ABBREVIATION_SIZE];
};

/* When clocks are changed in each year: the day, and the seconds since midnight (local_s). */
struct zone_change {
	enum { CHANGE_BY_WEEK, CHANGE_BY_DAY, CHANGE_BY_DAY_BUT_LEAP_DAY } kind;
	int month, week, weekday; /* CHANGE_BY_WEEK: week 5 is the month's last week; Sunday is 0 */
	int day; /* day of the year: from 0, or from 1 for CHANGE_BY_DAY_BUT_LEAP_DAY */
	int32_t local_s;
};

struct zone_file {
	/* From the moment times[i] on, types[type_of[i]] applies. */
	int64_t *times;
	uint8_t *type_of;
	size_t time_count;
	struct zone_type *types; /* types[0] is valid before times[0] */
	size_t type_count;

	/* The rule of the footer, which applies from the last of `times` on. */
	bool has_rule;
	bool has_daylight;
	struct zone_type standard, daylight;
	struct zone_change daylight_start, daylight_end;
};

/* Parses the bytes of a file. Returns NULL if they are not a valid TZif file, or if the file has
 * leap seconds. The caller releases the result with free(). */
struct zone_file *zone_file_parse(struct str bytes);

#endif
