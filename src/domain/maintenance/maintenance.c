#include "domain/maintenance/maintenance.h"

#include <ctype.h>
#include <string.h>

#include "base/str.h"
#include "domain/maintenance/recurrence_rule.h"
#include "domain/page/status_page.h"

const char *const maintenance_status_words[] = { "scheduled", "in_progress", "verifying",
						 "completed", "cancelled",   NULL };
_Static_assert(ARRAY_LEN(maintenance_status_words) == MAINTENANCE_STATUSES + 1, "each has a word");

const struct instant maintenance_always = { 1 };
const struct instant maintenance_never = { INT64_C(253370764800) }; /* the year 9999 */

/* clang-format off */
static const struct field create_rows[] = {
	MAINTENANCE_FIELDS(FIELD_OF_FORM, struct maintenance_input, FIELD_REQUIRED)
};
static const struct field update_rows[] = {
	MAINTENANCE_FIELDS(FIELD_OF_FORM, struct maintenance_input, 0)
};
static const struct field resource_rows[] = {
	MAINTENANCE_FIELDS(FIELD_OF_RESOURCE, struct maintenance, 0)
};
static const struct field member_rows[] = {
	MAINTENANCE_FIELDS(FIELD_OF_MEMBERS, struct maintenance, 0)
};

/* In the order of enum update_phase. The last five phases are those of windows. */
static const char *const phase_words[] = {
	"investigating", "identified", "monitoring", "resolved", "scheduled",
	"in_progress", "verifying", "completed", "cancelled", NULL
};
_Static_assert(ARRAY_LEN(phase_words) == UPDATE_PHASES + 1, "each phase has its word");
static const struct field posted_rows[] = {
	FIELD(struct posted_update, id, .text = "The id of the update."),
	FIELD(struct posted_update, phase, .flags = FIELD_AS_WORD, .choices = phase_words,
	      .text = "The status that the update announces."),
	POSTED_UPDATE_TEXTS,
};
const struct fields maintenance_posted_fields = { posted_rows, ARRAY_LEN(posted_rows) };
static const struct field occurrence_rows[] = {
	FIELD(struct maintenance_occurrence, id, .text = "The id of the occurrence."),
	FIELD(struct maintenance_occurrence, status, .flags = FIELD_AS_WORD,
	      .choices = maintenance_status_words, .text = "The status now."),
	FIELD(struct maintenance_occurrence, starts_at, .flags = FIELD_NOT_EMPTY,
	      .text = "When it begins."),
	FIELD(struct maintenance_occurrence, ends_at, .flags = FIELD_NOT_EMPTY,
	      .text = "When it ends."),
	FIELD(struct maintenance_occurrence, url,
	      .text = "The address for visitors; null: no page shows the window."),
};
static const struct fields occurrence_fields = { occurrence_rows, ARRAY_LEN(occurrence_rows) };
/* The window is the first member of struct maintenance_shown, so the rows of the window apply here,
 * too. */
static const struct field shown_rows[] = {
	MAINTENANCE_FIELDS(FIELD_OF_RESOURCE, struct maintenance, 0)
	FIELD(struct maintenance_shown, url,
	      .text = "The page of the occurrence that status is of, on the page with the lowest "
		      "id that shows the window; null: no page shows it."),
	FIELD_ARRAY(struct maintenance_shown, occurrences, occurrence_count, "occurrences",
		    &occurrence_fields, .text = "The next that are not over, ten at most."),
	FIELD_ARRAY(struct maintenance_shown, updates, update_count, "updates",
		    &maintenance_posted_fields,
		    .text = "The updates that people posted, newest first."),
};
const struct fields maintenance_shown_fields = { shown_rows, ARRAY_LEN(shown_rows) };
/* clang-format on */

_Static_assert(offsetof(struct maintenance_shown, maintenance) == 0, "shown_rows");
_Static_assert(ARRAY_LEN(update_rows) <= FIELD_SET_MAX, "a set has a place for each field");

const struct fields maintenance_create_fields = { create_rows, ARRAY_LEN(create_rows) };
const struct fields maintenance_update_fields = { update_rows, ARRAY_LEN(update_rows) };
const struct fields maintenance_resource_fields = { resource_rows, ARRAY_LEN(resource_rows) };
const struct fields maintenance_fields = { member_rows, ARRAY_LEN(member_rows) };

#define IS_SENT(sent, name) field_set_has(sent, MAINTENANCE_FIELD_##name)

static void refuse(struct violations *violations, const char *field, const char *message)
{
	if (!violations_has(violations, field))
		violations_add(violations, field, "%s", message);
}

void maintenance_check(struct maintenance_input *input, struct fields form, struct field_set sent,
		       struct arena *arena, struct violations *violations)
{
	fields_check_texts(form, input, sent, arena, violations);
	if (input->status && str_place(maintenance_status_words, str_from(input->status)) < 0)
		refuse(violations, "status",
		       "The selected status is invalid. It must be one of: scheduled, in_progress, "
		       "verifying, completed, cancelled.");
	/* The value 0 means that the field was not sent: the form refuses an empty field. */
	if (input->duration < 0 || input->duration > MAINTENANCE_DURATION_MAX_S)
		refuse(violations, "duration", "The duration field must be from 1 to 2678400.");
	bool is_remind_bad =
		input->remind_before != 0 &&
		(input->remind_before < 60 || input->remind_before > MAINTENANCE_REMIND_MAX_S);
	if (is_remind_bad)
		refuse(violations, "remind_before",
		       "The remind before field must be from 60 to 2678400.");
}

static const char *occurrence_url(const char *page, int64_t id, struct arena *arena)
{
	return page ? arena_printf(arena, "%smaintenance/%lld", page, (long long)id) : NULL;
}

void maintenance_set_urls(struct maintenance_shown *shown, const char *page_address,
			  const char *base_url, struct arena *arena)
{
	const char *page = status_page_url_of(page_address, base_url, arena);
	for (size_t i = 0; i < shown->occurrence_count; i++)
		shown->occurrences[i].url = occurrence_url(page, shown->occurrences[i].id, arena);
	shown->url = occurrence_url(page, shown->maintenance.current.id, arena);
}

void maintenance_merge(struct maintenance *row, const struct maintenance_input *input,
		       struct field_set sent)
{
	MAINTENANCE_FIELDS(FIELD_MERGE, MAINTENANCE_FIELD_, 0)
}

bool maintenance_moves(struct field_set sent)
{
	return IS_SENT(sent, starts_at) || IS_SENT(sent, ends_at) || IS_SENT(sent, duration) ||
	       IS_SENT(sent, time_zone) || IS_SENT(sent, rrule);
}

/* Checks the first start if it has changed. A client may send the stored start again, however far
 * in the past it is. */
static void check_first(const struct maintenance_change *change, struct instant before,
			struct instant first)
{
	if (first.s == before.s)
		return;
	if (first.s < change->now.s - MAINTENANCE_PAST_MAX_S)
		refuse(change->violations, "starts_at",
		       "The starts at field must not be more than 366 days ago.");
	if (first.s > change->now.s + MAINTENANCE_AHEAD_MAX_S)
		refuse(change->violations, "starts_at",
		       "The starts at field must not be more than five years ahead.");
}

#define UNKNOWN_ZONE "The time zone field must be an IANA zone name, such as Europe/Berlin."

static void settle_single(struct maintenance *maintenance, const struct maintenance_change *change)
{
	struct violations *violations = change->violations;
	char text[INSTANT_TEXT_SIZE];
	struct instant first = { 0 };
	/* If this change ends the recurrence, starts_at is still a local time. A single window
	 * cannot have a local time. */
	struct str starts_at = str_from(maintenance->starts_at);
	bool was_local = !IS_SENT(change->sent, starts_at) && starts_at.len > 0 &&
			 starts_at.data[starts_at.len - 1] != 'Z';
	/* Start and end may be equal if the window was completed in the second of its start. */
	bool may_be_empty = maintenance->ends_at.s == maintenance->first_at.s &&
			    maintenance->ends_at.s == maintenance->current.ends_at.s;
	if (maintenance->duration > 0 && IS_SENT(change->sent, duration))
		refuse(violations, "duration", "The duration field needs rrule; send ends_at.");
	if (maintenance->time_zone && IS_SENT(change->sent, time_zone))
		refuse(violations, "time_zone",
		       zone_find(maintenance->time_zone) ? "The time zone field needs rrule."
							 : UNKNOWN_ZONE);
	if (was_local || !instant_parse(starts_at, &first))
		refuse(violations, "starts_at",
		       "The starts at field must be a time such as 2026-11-20T19:58:30Z.");
	if (maintenance->ends_at.s == 0)
		refuse(violations, "ends_at", "The ends at field is required.");
	else if (first.s > 0 && maintenance->ends_at.s <= first.s &&
		 !(may_be_empty && first.s == maintenance->first_at.s))
		refuse(violations, "ends_at", "The ends at field must be after starts_at.");
	else if (first.s > 0 && maintenance->ends_at.s - first.s > MAINTENANCE_LENGTH_MAX_S)
		refuse(violations, "ends_at",
		       "The ends at field must not be more than 366 days after starts_at.");
	if (first.s > 0)
		check_first(change, maintenance->first_at, first);
	maintenance->duration = 0;
	maintenance->time_zone = NULL;
	maintenance->starts_at = arena_strdup(change->arena, instant_format(first, text));
	maintenance->first_at = first;
}

static const char *upper(const char *text, struct arena *arena)
{
	char *copy = arena_strdup(arena, text);
	for (char *at = copy; *at; at++)
		*at = (char)toupper((unsigned char)*at);
	return copy;
}

static void settle_recurring(struct maintenance *maintenance,
			     const struct maintenance_change *change)
{
	struct violations *violations = change->violations;
	struct local_time local = { 0 };
	bool is_local = maintenance->starts_at && local_time_parse(maintenance->starts_at, &local);
	const struct zone *zone = maintenance->time_zone ? zone_find(maintenance->time_zone) : NULL;
	if (!is_local)
		refuse(violations, "starts_at",
		       "The starts at field must be a local time without offset, such as "
		       "2026-11-21T22:00:00, in a recurring window.");
	if (!maintenance->time_zone)
		refuse(violations, "time_zone", "The time zone field is required with rrule.");
	else if (!zone)
		refuse(violations, "time_zone", UNKNOWN_ZONE);
	if (maintenance->duration == 0)
		refuse(violations, "duration", "The duration field is required with rrule.");
	if (maintenance->ends_at.s > 0 && IS_SENT(change->sent, ends_at))
		refuse(violations, "ends_at",
		       "The ends at field must be empty in a recurring window; send duration.");
	if (!maintenance->auto_transition)
		refuse(violations, "auto_transition",
		       "The auto transition field must be true in a recurring window.");
	maintenance->ends_at = (struct instant){ 0 };
	maintenance->rrule = upper(maintenance->rrule, change->arena);
	if (!is_local || !zone)
		return;
	struct instant first = zone_instant(zone, &local);
	check_first(change, maintenance->first_at, first);
	maintenance->first_at = first;
	maintenance->starts_at = local_time_text(&local, change->arena);
}

/* Checks the rule of a window that has other violations. For a window without violations, the
 * operation checks the rule when it computes the occurrences. */
static void check_rule(const char *text, const struct maintenance_change *change)
{
	struct rule rule;
	const char *why = recurrence_read_rule(text, &rule, change->arena);
	if (why)
		violations_add(change->violations, "rrule", "The rrule field %s.", why);
}

enum result maintenance_settle(struct maintenance *maintenance,
			       const struct maintenance_change *change)
{
	/* The limits of the other fields depend on the rule, so check them only with a valid
	 * rule. */
	if (violations_has(change->violations, "rrule"))
		return E_INVALID;
	if (maintenance->rrule)
		settle_recurring(maintenance, change);
	else
		settle_single(maintenance, change);
	if (maintenance->rrule && change->violations->count > 0)
		check_rule(maintenance->rrule, change);
	return change->violations->count > 0 ? E_INVALID : OK;
}

struct recurrence maintenance_recurrence(const struct maintenance *maintenance)
{
	struct recurrence recurrence = { .rule = maintenance->rrule,
					 .zone = zone_find(maintenance->time_zone) };
	/* Both fields were checked before they were stored, but the time zone database may have
	 * changed since. */
	if (!recurrence.zone)
		recurrence.zone = zone_utc();
	if (!local_time_parse(maintenance->starts_at, &recurrence.start))
		recurrence.start = zone_local(recurrence.zone, maintenance->first_at);
	return recurrence;
}

enum maintenance_status maintenance_status_at(const struct maintenance_occurrence *occurrence,
					      struct instant now)
{
	enum maintenance_status status = (enum maintenance_status)occurrence->status;
	if (!occurrence->is_auto || !maintenance_is_open(status))
		return status;
	if (occurrence->ends_at.s <= now.s)
		return MAINTENANCE_COMPLETED;
	bool has_begun = status == MAINTENANCE_SCHEDULED && occurrence->starts_at.s <= now.s;
	return has_begun ? MAINTENANCE_IN_PROGRESS : status;
}

void maintenance_set_next(struct maintenance_occurrence *occurrence)
{
	enum maintenance_status status = (enum maintenance_status)occurrence->status;
	bool has_reminder = status == MAINTENANCE_SCHEDULED && !occurrence->is_reminded &&
			    occurrence->remind_before > 0;
	struct instant next = { 0 };
	if (occurrence->is_auto && maintenance_is_open(status))
		next = status == MAINTENANCE_SCHEDULED ? occurrence->starts_at
						       : occurrence->ends_at;
	/* A reminder comes before the start, so it is the next change. */
	if (has_reminder)
		next.s = occurrence->starts_at.s - occurrence->remind_before;
	occurrence->next_at = next;
}

void maintenance_derive(struct maintenance *maintenance, struct instant now)
{
	const struct maintenance_occurrence *current = &maintenance->current;
	maintenance->status = maintenance_status_words[maintenance_status_at(current, now)];
	maintenance->next_starts_at = current->starts_at;
	maintenance->next_ends_at = current->ends_at;
}

/* Returns why the occurrence cannot change its status from `from` to `to`; NULL: it can. */
static const char *refusal_of(const struct maintenance_occurrence *occurrence,
			      enum maintenance_status from, enum maintenance_status to,
			      struct instant now)
{
	if (!maintenance_is_open(from))
		return "The window is over; its status can no longer change.";
	if (to == MAINTENANCE_SCHEDULED)
		return "The window has begun.";
	bool has_begun = from != MAINTENANCE_SCHEDULED ||
			 (to == MAINTENANCE_COMPLETED && occurrence->starts_at.s <= now.s);
	return to == MAINTENANCE_CANCELLED || to == MAINTENANCE_IN_PROGRESS || has_begun
		       ? NULL
		       : "The window has not begun.";
}

bool maintenance_move(struct maintenance_occurrence *occurrence, enum maintenance_status to,
		      struct instant now, bool *was_so, const char **why)
{
	enum maintenance_status from = maintenance_status_at(occurrence, now);
	int64_t length_s = occurrence->ends_at.s - occurrence->starts_at.s;
	*was_so = from == to;
	*why = *was_so ? NULL : refusal_of(occurrence, from, to, now);
	if (*was_so || *why)
		return *was_so;
	if (to == MAINTENANCE_IN_PROGRESS && from == MAINTENANCE_SCHEDULED) {
		occurrence->starts_at = now;
		if (occurrence->ends_at.s <= now.s)
			occurrence->ends_at.s = now.s + length_s;
	}
	if (to == MAINTENANCE_COMPLETED)
		occurrence->ends_at = now;
	occurrence->status = to;
	occurrence->updated_at = now;
	maintenance_set_next(occurrence);
	return true;
}

size_t maintenance_by_clock(struct maintenance_occurrence *occurrence, struct instant now,
			    enum event_kind kinds[MAINTENANCE_CLOCK_EVENTS])
{
	int64_t remind_at_s = occurrence->starts_at.s - occurrence->remind_before;
	size_t count = 0;
	bool is_scheduled = occurrence->status == MAINTENANCE_SCHEDULED;
	if (is_scheduled && !occurrence->is_reminded && remind_at_s <= now.s) {
		occurrence->is_reminded = true;
		if (occurrence->remind_before > 0 && occurrence->starts_at.s > now.s)
			kinds[count++] = EVENT_MAINTENANCE_REMINDER;
	}
	/* Change the status in two steps, so that each step has its event. */
	if (occurrence->is_auto && is_scheduled && occurrence->starts_at.s <= now.s) {
		occurrence->status = MAINTENANCE_IN_PROGRESS;
		if (occurrence->updated_at.s < occurrence->starts_at.s)
			occurrence->updated_at = occurrence->starts_at;
		kinds[count++] = EVENT_MAINTENANCE_STARTED;
	}
	if (maintenance_is_open((enum maintenance_status)occurrence->status) &&
	    maintenance_status_at(occurrence, now) == MAINTENANCE_COMPLETED) {
		occurrence->status = MAINTENANCE_COMPLETED;
		if (occurrence->updated_at.s < occurrence->ends_at.s)
			occurrence->updated_at = occurrence->ends_at;
		kinds[count++] = EVENT_MAINTENANCE_COMPLETED;
	}
	maintenance_set_next(occurrence);
	return count;
}

enum event_kind maintenance_event(enum maintenance_status status)
{
	static const enum event_kind kinds[] = {
		[MAINTENANCE_SCHEDULED] = EVENT_MAINTENANCE_UPDATED,
		[MAINTENANCE_IN_PROGRESS] = EVENT_MAINTENANCE_STARTED,
		[MAINTENANCE_VERIFYING] = EVENT_MAINTENANCE_VERIFYING,
		[MAINTENANCE_COMPLETED] = EVENT_MAINTENANCE_COMPLETED,
		[MAINTENANCE_CANCELLED] = EVENT_MAINTENANCE_CANCELLED,
	};
	return kinds[status];
}

void maintenance_follow_current(struct maintenance *maintenance, struct arena *arena)
{
	const struct maintenance_occurrence *current = &maintenance->current;
	enum maintenance_status status = (enum maintenance_status)current->status;
	char text[INSTANT_TEXT_SIZE];
	maintenance->starts_at = arena_strdup(arena, instant_format(current->starts_at, text));
	maintenance->first_at = current->starts_at;
	maintenance->ends_at = current->ends_at;
	maintenance->over_at = current->ends_at;
	if (status == MAINTENANCE_CANCELLED && current->updated_at.s < current->ends_at.s)
		maintenance->over_at = current->updated_at;
	if (maintenance_is_open(status) && !current->is_auto)
		maintenance->over_at = maintenance_never;
}
