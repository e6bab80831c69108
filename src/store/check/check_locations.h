/* The locations of checkers that run on other machines, and the votes of these locations. */
#ifndef STORE_CHECK_CHECK_LOCATIONS_H
#define STORE_CHECK_CHECK_LOCATIONS_H

#include "store/check/check_store.h"

/*
 * Finds a location by its account and name, and sets location->id. Adds a row for a new location.
 * Stores the time of its checker's request. If the checker was cut off, appends an event. Call it
 * in a transaction. E_NOT_FOUND: no monitor of the account names the location. Then nothing is
 * stored.
 */
enum result check_location_see(struct db *db, struct check_location *location,
			       const struct event_source *source, struct error *error) MUST_USE;

/*
 * Finds up to CUT_OFF_LOCATIONS_MAX locations that monitors name, and whose last request is more
 * than CHECK_LOCATION_CUT_OFF_S ago. If `source` is not NULL, marks them as cut off since this
 * request, and appends an event for each. Call it in a transaction.
 */
enum { CHECK_LOCATION_CUT_OFF_S = 120, CUT_OFF_LOCATIONS_MAX = 100 };
enum result check_locations_cut_off(struct db *db, const struct event_source *source,
				    struct arena *arena, struct error *error) MUST_USE;
/* Reads a mark of the settings of the location's monitors. If the mark differs from the last one,
 * the settings have changed. One statement. */
enum result check_location_mark(struct db *db, const struct check_location *location,
				struct checked_mark *mark, struct error *error) MUST_USE;

/* The vote of a location about a monitor. */
struct check_voting {
	int64_t monitor_id;
	const char *location;
	int64_t phase;
	struct instant since;
	struct instant checked_at;
	struct instant failing_since;
	struct instant well_since;
	bool is_slow;
	int64_t response_ms;
	const char *cause;
	struct instant voted_at;
};
struct check_votings {
	struct check_voting *rows; /* sorted by voted_at; owned by the arena */
	size_t count;
};
enum { CHECK_VOTINGS_MAX = 20000 };
/* Reads the votes that were stored at `since` or later. If there are CHECK_VOTINGS_MAX rows, there
 * may be more votes. */
enum result check_votings_read(struct db *db, struct instant since, struct arena *arena,
			       struct check_votings *list, struct error *error) MUST_USE;

/* A location that monitors name. Its checker has sent no request for CHECK_LOCATION_LOST_S seconds,
 * or has never sent a request. */
struct lost_location {
	const char *name;
	int64_t account_id;
	int64_t silent_s; /* seconds since the last request; -1: there was no request */
};
struct lost_locations {
	struct lost_location *rows; /* owned by the arena */
	size_t count;
};
enum { CHECK_LOCATION_LOST_S = 60, LOST_LOCATIONS_MAX = 100 };
enum result lost_locations_read(struct db *db, struct arena *arena, struct lost_locations *list,
				struct error *error) MUST_USE;

#endif
