/* Plans which occurrences of a recurring window are added, moved and dropped. */
#include <stdlib.h>

#include "domain/maintenance/maintenance.h"

struct planning {
	const struct maintenance *maintenance;
	const struct recurrence_times *times;
	int64_t length_s;
	struct instant now;
	bool *is_taken; /* for each of `times`: whether an occurrence has this time */
	struct maintenance_plan plan;
};

static int compare_starts(const void *a, const void *b)
{
	const struct instant *left = a, *right = b;
	return (left->s > right->s) - (left->s < right->s);
}

/* Adds the row to the plan, changed to begin at `start`. */
static void place(struct planning *planning, struct maintenance_occurrence row,
		  struct instant start)
{
	const struct maintenance *maintenance = planning->maintenance;
	bool is_new = row.id == 0;
	bool has_moved = is_new || row.starts_at.s != start.s ||
			 row.remind_before != maintenance->remind_before;
	row.starts_at = start;
	row.ends_at.s = start.s + planning->length_s;
	row.status = MAINTENANCE_SCHEDULED;
	row.is_dropped = false;
	row.is_auto = maintenance->auto_transition;
	row.remind_before = maintenance->remind_before;
	/* Send no reminder if its time has already passed. */
	if (has_moved)
		row.is_reminded = row.remind_before == 0 ||
				  start.s - row.remind_before <= planning->now.s;
	row.updated_at = planning->now;
	if (is_new)
		row.created_at = planning->now;
	maintenance_set_next(&row);
	planning->plan.rows[planning->plan.count++] = row;
}

static void drop(struct planning *planning, struct maintenance_occurrence row)
{
	row.status = MAINTENANCE_CANCELLED;
	row.is_dropped = true;
	row.updated_at = planning->now;
	maintenance_set_next(&row);
	planning->plan.rows[planning->plan.count++] = row;
}

/* Returns whether the row starts at a new time that is free, and marks this time as taken. Adds the
 * row to the plan if other values of the row change. */
static bool keep_time(struct planning *planning, const struct maintenance_occurrence *row)
{
	const struct maintenance *maintenance = planning->maintenance;
	const struct recurrence_times *times = planning->times;
	const struct instant *found = times->count > 0 ? bsearch(&row->starts_at, times->starts,
								 times->count, sizeof(*found),
								 compare_starts)
						       : NULL;
	if (!found || planning->is_taken[found - times->starts])
		return false;
	planning->is_taken[found - times->starts] = true;
	bool is_scheduled = row->status == MAINTENANCE_SCHEDULED;
	bool is_same = row->ends_at.s == row->starts_at.s + planning->length_s &&
		       row->remind_before == maintenance->remind_before &&
		       row->is_auto == maintenance->auto_transition;
	if (row->is_dropped || (is_scheduled && !is_same))
		place(planning, *row, row->starts_at);
	return true;
}

struct maintenance_plan maintenance_plan(const struct maintenance *maintenance,
					 const struct maintenance_occurrence *stored, size_t count,
					 const struct maintenance_times *wanted,
					 struct arena *arena)
{
	const struct recurrence_times *times = &wanted->starts;
	struct planning planning = {
		.maintenance = maintenance,
		.times = times,
		.length_s = wanted->length_s,
		.now = wanted->now,
		.is_taken = ARENA_ARRAY(arena, times->count, bool),
		.plan = { ARENA_ARRAY(arena, count + times->count, struct maintenance_occurrence),
			  0 },
	};
	bool *is_kept = ARENA_ARRAY(arena, count, bool);
	size_t at = 0;
	for (size_t i = 0; i < count; i++)
		is_kept[i] = keep_time(&planning, &stored[i]);
	for (size_t i = 0; i < count; i++) {
		if (is_kept[i] || stored[i].status != MAINTENANCE_SCHEDULED)
			continue;
		while (at < times->count && planning.is_taken[at])
			at++;
		if (at < times->count)
			place(&planning, stored[i], times->starts[at++]);
		else
			drop(&planning, stored[i]);
	}
	for (; at < times->count; at++)
		if (!planning.is_taken[at])
			place(&planning,
			      (struct maintenance_occurrence){ .maintenance_id = maintenance->id },
			      times->starts[at]);
	return planning.plan;
}
