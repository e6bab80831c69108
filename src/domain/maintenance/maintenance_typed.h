/* The times of a window as a person types them in a form. Start and end are in the zone that the
 * person chooses, even for a window without a rule. A list offers the usual rules. */
#ifndef DOMAIN_MAINTENANCE_MAINTENANCE_TYPED_H
#define DOMAIN_MAINTENANCE_MAINTENANCE_TYPED_H

#include "domain/maintenance/maintenance.h"

/* The texts of the form's inputs; NULL: not sent. */
struct maintenance_typed {
	const char *starts_at, *ends_at; /* "2026-11-20T19:58" */
	const char *duration;
	const char *time_zone; /* "": UTC */
	const char *rrule;     /* a rule of recurrence_usual, RECURRENCE_OTHER, or another rule */
	const char *other;     /* the rule of RECURRENCE_OTHER */
};
extern const struct fields maintenance_typed_fields;

/*
 * Converts the typed texts to the texts that the API expects. Leaves invalid texts to the API,
 * which rejects them. Returns false if a recurring window does not end after its start, so that it
 * has no positive duration.
 */
bool maintenance_settle_typed(struct maintenance_typed *typed, struct arena *arena);
/*
 * Returns a stored window as a person would have typed it. The times of a window that takes place
 * once are in `zone`. But if the local time of one of them occurs for the second time, as when
 * summer time ends, both are in UTC.
 */
struct maintenance_typed maintenance_typed_of(const struct maintenance *maintenance,
					      const struct zone *zone, struct arena *arena);

#endif
