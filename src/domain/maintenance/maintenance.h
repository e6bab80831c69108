/*
 * A maintenance window and its occurrences, and the rules of both (contract section 12).
 *
 * A window takes place once, or at the times of its recurrence rule. Each of these times is an
 * occurrence with a status. The stored status may be out of date: maintenance_status_at() returns
 * the present status.
 */
#ifndef DOMAIN_MAINTENANCE_MAINTENANCE_H
#define DOMAIN_MAINTENANCE_MAINTENANCE_H

#include "domain/event.h"
#include "domain/maintenance/maintenance_fields.h"
#include "domain/incident/posted_update.h"
#include "domain/maintenance/recurrence_summary.h"

enum {
	MAINTENANCE_TITLE_MAX_CHARS = 255,
	MAINTENANCE_BODY_MAX_CHARS = 10000,
	MAINTENANCE_MONITORS_MAX = 1000,
	MAINTENANCE_TIME_MAX_CHARS = 32,
	MAINTENANCE_ZONE_MAX_BYTES = 63,
	MAINTENANCE_RRULE_MAX_BYTES = 255,
	MAINTENANCE_LENGTH_MAX_S = 366 * 86400,	 /* the longest window without a rule */
	MAINTENANCE_DURATION_MAX_S = 31 * 86400, /* the longest occurrence of a rule */
	MAINTENANCE_REMIND_MAX_S = 31 * 86400,
	MAINTENANCE_PAST_MAX_S = 366 * 86400,	   /* how long ago a new window may have begun */
	MAINTENANCE_AHEAD_MAX_S = 5 * 366 * 86400, /* how far ahead a window may begin */
	MAINTENANCE_EXPANDED_DAYS = 400,	   /* how far ahead occurrences are stored */
	MAINTENANCE_OCCURRENCES_MAX =
		500, /* the most stored occurrences of a window: one a day, and some more */
	MAINTENANCE_CANCELLED_DAYS = 30, /* how long a calendar shows a cancelled occurrence */
	MAINTENANCE_SHOWN_MAX = 10,	 /* the most upcoming occurrences in a window's resource */
};

/* In the order of maintenance_status_words. The phase of an update with a status is PHASE_SCHEDULED
 * + the status. */
enum maintenance_status {
	MAINTENANCE_SCHEDULED,
	MAINTENANCE_IN_PROGRESS,
	MAINTENANCE_VERIFYING,
	MAINTENANCE_COMPLETED,
	MAINTENANCE_CANCELLED,
	MAINTENANCE_STATUSES,
	MAINTENANCE_ANY_STATUS = -1, /* in a query: any status */
};
extern const char *const maintenance_status_words[];

struct maintenance_occurrence {
	int64_t id; /* 0: not stored yet */
	int64_t maintenance_id;
	struct instant starts_at;
	struct instant ends_at;
	int status; /* enum maintenance_status: as stored, or in a maintenance_shown by the clock */
	bool is_dropped;	/* cancelled, because the rule no longer includes the occurrence */
	bool is_reminded;	/* the event of the reminder was stored, or no reminder is wanted */
	bool is_auto;		/* the clock starts and ends the occurrence */
	int64_t remind_before;	/* seconds; 0: no reminder */
	struct instant next_at; /* when the clock next changes the occurrence; 0: never */
	const char *url; /* the URL for visitors, only in a maintenance_shown; NULL: no page */
	struct instant created_at;
	struct instant updated_at;
};

struct maintenance {
	MAINTENANCE_FIELDS(FIELD_MEMBER, , 0)

	int64_t revision;
	struct instant first_at; /* the first start */
	struct instant over_at;	 /* the time at which the last occurrence is over */
	/* When the occurrences were last computed; 0: all of them are stored, so they are not
	 * computed again. */
	struct instant expanded_at;
	struct maintenance_occurrence current; /* the occurrence that `status`, next_starts_at and
						  next_ends_at describe */
};

/* A window as a client reads it. The arrays belong to an arena. */
struct maintenance_shown {
	struct maintenance maintenance;
	struct posted_update *updates; /* newest first */
	size_t update_count;
	struct maintenance_occurrence *occurrences; /* the next occurrences that are not over */
	size_t occurrence_count;
	const char *url; /* the address of the current occurrence */
};

/* What a client sends to create or update a window. */
struct maintenance_input {
	MAINTENANCE_FIELDS(FIELD_INPUT, , 0)
};

/* The indexes of the forms' rows: MAINTENANCE_FIELD_title, ... */
enum maintenance_field { MAINTENANCE_FIELDS(FIELD_PLACE, MAINTENANCE_FIELD_, 0) };

extern const struct fields maintenance_create_fields;
extern const struct fields maintenance_update_fields;
extern const struct fields maintenance_resource_fields; /* of a list */
extern const struct fields
	maintenance_shown_fields; /* of a single window, in struct maintenance_shown */
extern const struct fields maintenance_posted_fields; /* of an update, in struct posted_update */
extern const struct fields maintenance_fields;	      /* for operators */

/* The value of over_at for a window without a known end. */
extern const struct instant maintenance_never;
/* A time before every window. */
extern const struct instant maintenance_always;

/*
 * Sets the addresses at which visitors read the occurrences. `page_address` is the address of the
 * first page that shows the window: see status_page_url_of().
 */
void maintenance_set_urls(struct maintenance_shown *shown, const char *page_address,
			  const char *base_url, struct arena *arena);

/* Checks the texts of the input one by one, without the rules between fields. Refuses a status that
 * no client may set. */
void maintenance_check(struct maintenance_input *input, struct fields form, struct field_set sent,
		       struct arena *arena, struct violations *violations);
/* Copies the fields in `sent`, except for the status, from the input to the window. */
void maintenance_merge(struct maintenance *row, const struct maintenance_input *input,
		       struct field_set sent);
/* The sent fields of a change, the time of the change, and where its violations are added. */
struct maintenance_change {
	struct field_set sent;
	struct instant now;
	struct arena *arena;
	struct violations *violations;
};
/*
 * Checks the fields that depend on each other, converts starts_at to its stored form, and sets
 * first_at. Skips a field that has a violation. Recurring and single windows have different fields.
 * A field of the other kind of window is a violation if it was sent, and is removed otherwise. Call
 * it after maintenance_merge(). E_INVALID: there are violations.
 */
enum result maintenance_settle(struct maintenance *maintenance,
			       const struct maintenance_change *change) MUST_USE;
/* Returns whether a sent field changes the time of the window. */
bool maintenance_moves(struct field_set sent);
/* Returns the recurrence of a window. Call it after maintenance_settle(). */
struct recurrence maintenance_recurrence(const struct maintenance *maintenance);

/* Returns the status at `now`: the stored status, or a later one if the clock starts and ends the
 * occurrence. */
enum maintenance_status maintenance_status_at(const struct maintenance_occurrence *occurrence,
					      struct instant now);
/* Returns whether the status is neither completed nor cancelled. */
static inline bool maintenance_is_open(enum maintenance_status status)
{
	return status < MAINTENANCE_COMPLETED;
}
/* Sets next_at from the other members. */
void maintenance_set_next(struct maintenance_occurrence *occurrence);
/* Sets status, next_starts_at and next_ends_at from the current occurrence. */
void maintenance_derive(struct maintenance *maintenance, struct instant now);

/*
 * Changes the status by hand. Starting a scheduled occurrence sets its start to `now`. If its end
 * has passed, the end moves so that the length stays. Completing it sets its end to `now`. Returns
 * false, with a sentence in *why, if the present status does not allow the change. Sets *was_so if
 * the occurrence already had the new status; then nothing is changed.
 */
bool maintenance_move(struct maintenance_occurrence *occurrence, enum maintenance_status to,
		      struct instant now, bool *was_so, const char **why);

/* Brings the stored status and is_reminded up to date with the clock. Sets `kinds` to the kinds of
 * the events that this causes, and returns their number. */
enum { MAINTENANCE_CLOCK_EVENTS = 3 };
size_t maintenance_by_clock(struct maintenance_occurrence *occurrence, struct instant now,
			    enum event_kind kinds[MAINTENANCE_CLOCK_EVENTS]);
/* Returns the event for an occurrence that gets this status. */
enum event_kind maintenance_event(enum maintenance_status status);
/* Copies the times of the only occurrence of a window without a rule to starts_at, ends_at and
 * over_at of the window. */
void maintenance_follow_current(struct maintenance *maintenance, struct arena *arena);

/* The changed and the new occurrences of a window. New occurrences have id 0. */
struct maintenance_plan {
	struct maintenance_occurrence *rows;
	size_t count;
};
/* The new times of a window's occurrences. */
struct maintenance_times {
	struct recurrence_times starts;
	int64_t length_s;
	struct instant now;
};
/*
 * Returns the changes to the stored occurrences for the new times. An occurrence at one of the new
 * times keeps its time. Occurrences that have begun or were cancelled do not move. The other
 * occurrences move, in order, to the new times that are still free, so that calendars keep their
 * entries. If no time is free, an occurrence is dropped. Free times that remain get new
 * occurrences.
 */
struct maintenance_plan maintenance_plan(const struct maintenance *maintenance,
					 const struct maintenance_occurrence *stored, size_t count,
					 const struct maintenance_times *times,
					 struct arena *arena);

#endif
