/*
 * Time zones of the IANA database, by name, for moments from 2 January 1970 on. A zone is read when
 * it is first needed, and is never freed. Several threads may call all functions.
 */
#ifndef BASE_ZONE_H
#define BASE_ZONE_H

#include <stdint.h>

#include "base/clock.h"

struct zone;

enum { ZONE_NAME_SIZE = 64 };

/* A date and time of day without a zone. */
struct local_time {
	int year, month, day; /* month 1 to 12, day 1 to 31 */
	int hour, minute, second;
};

const struct zone *zone_utc(void);
/*
 * Finds a zone by its name. The name is case-sensitive, and may come from a client. Returns NULL if
 * the database has no zone of that name, or if the machine has no database. "UTC" is zone_utc(),
 * and needs no database.
 */
const struct zone *zone_find(const char *name);
/*
 * Reserves a descriptor, with which zone_find() can read a zone when the process has no free
 * descriptor. Otherwise zone_find() would refuse a valid zone, and a page would be published in
 * UTC. Call it when the process starts.
 */
void zone_keep_descriptor(void);
const char *zone_name(const struct zone *zone);

struct local_time zone_local(const struct zone *zone, struct instant at);
/*
 * Converts a local time to a moment, as RFC 5545 section 3.3.5 defines it. If the time occurs
 * twice, returns the first moment. If clocks skip the time, uses the offset before the gap. Values
 * out of range are carried over (day 32 is in the next month).
 */
struct instant zone_instant(const struct zone *zone, const struct local_time *local);
/* Returns the abbreviation, such as "CET", "UTC" or "+03"; owned by the zone. */
const char *zone_abbreviation(const struct zone *zone, struct instant at);
/* Returns the start of the local day that is `days` days after the day of the instant; `days` may
 * be negative. The start is midnight, or the end of the gap if clocks skip midnight. A day usually
 * has 23 to 25 hours. */
struct instant zone_day_start(const struct zone *zone, struct instant at, int days);

#endif
