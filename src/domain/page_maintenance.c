#include "domain/page_maintenance.h"

#include <stdlib.h>

#include "domain/maintenance.h"

static bool is_running(const struct page_maintenance *row)
{
	return row->status == PHASE_IN_PROGRESS || row->status == PHASE_VERIFYING;
}

static bool is_over(const struct page_maintenance *row)
{
	return row->status == PHASE_COMPLETED || row->status == PHASE_CANCELLED;
}

static int place_of(const struct page_maintenance *row)
{
	return is_running(row) ? 0 : is_over(row) ? 2 : 1;
}

/* Running, then ahead, the next first; then over, the newest first. */
static int in_order(const void *a, const void *b)
{
	const struct page_maintenance *left = a, *right = b;
	int by_place = place_of(left) - place_of(right);
	int64_t difference = left->starts_at.s - right->starts_at.s;
	if (difference == 0)
		difference = left->id - right->id;
	int by_start = (difference > 0) - (difference < 0);
	return by_place != 0 ? by_place : is_over(left) ? -by_start : by_start;
}

/* The status by the clock. A window that nobody ends by hand is not moved: `is_auto` is false. */
static void move_by_clock(struct page_maintenance *row, struct instant now)
{
	const struct maintenance_occurrence stored = {
		.starts_at = row->starts_at,
		.ends_at = row->ends_at,
		.status = row->status - PHASE_SCHEDULED,
		.is_auto = row->is_auto,
	};
	enum maintenance_status status = maintenance_status_at(&stored, now);
	if (status == (enum maintenance_status)stored.status)
		return;
	struct instant since = status == MAINTENANCE_COMPLETED ? row->ends_at : row->starts_at;
	if (row->updated_at.s < since.s)
		row->updated_at = since;
	row->status = PHASE_SCHEDULED + (int)status;
}

/* Sorts the rows, and moves behind those of the page the ones that only calendars show. */
static void order_rows(struct page_snapshot *snapshot)
{
	struct page_maintenance *rows = snapshot->maintenances;
	size_t count = snapshot->maintenance_count, shown = 0;
	struct instant recent = page_recent_start(snapshot);
	for (size_t i = 0; i < count; i++) {
		move_by_clock(&rows[i], snapshot->now);
		struct instant last = rows[i].status == PHASE_CANCELLED ? rows[i].updated_at
									: rows[i].ends_at;
		bool is_shown = !rows[i].is_withdrawn && (!is_over(&rows[i]) || last.s >= recent.s);
		if (!is_shown)
			continue;
		struct page_maintenance row = rows[i];
		rows[i] = rows[shown];
		rows[shown++] = row;
	}
	if (count > 0) {
		qsort(rows, shown, sizeof(*rows), in_order);
		qsort(rows + shown, count - shown, sizeof(*rows), in_order);
	}
	/* Those that are left out are the oldest that are over, or the furthest ahead. */
	snapshot->maintenance_count = shown < PAGE_MAINTENANCES_MAX ? shown
								    : (size_t)PAGE_MAINTENANCES_MAX;
	snapshot->withdrawn = count > shown ? rows + shown : NULL;
	snapshot->withdrawn_count = count - shown;
}

static int compare_ids(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* The first pair of the monitor; window_monitor_count: it has none. */
static size_t first_pair(const struct page_snapshot *snapshot, int64_t monitor_id)
{
	size_t from = 0, to = snapshot->window_monitor_count;
	while (from < to) {
		size_t middle = from + (to - from) / 2;
		if (snapshot->window_monitors[middle].monitor_id < monitor_id)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

/* The first occurrence of the window, and all behind it, that begins after `at`. */
static size_t first_after(const struct page_snapshot *snapshot, int64_t maintenance_id,
			  struct instant at)
{
	size_t from = 0, to = snapshot->window_count;
	while (from < to) {
		size_t middle = from + (to - from) / 2;
		const struct page_window *window = &snapshot->windows[middle];
		int order = compare_ids(window->maintenance_id, maintenance_id);
		if (order < 0 || (order == 0 && window->interval.from.s <= at.s))
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

/* The end of the occurrence of the window that contains the moment; 0: none does. */
static struct instant end_at(const struct page_snapshot *snapshot, int64_t maintenance_id,
			     struct instant at)
{
	size_t after = first_after(snapshot, maintenance_id, at);
	const struct page_window *window = after > 0 ? &snapshot->windows[after - 1] : NULL;
	if (!window || window->maintenance_id != maintenance_id)
		return (struct instant){ 0 };
	struct instant end = window->interval.to.s > 0 ? window->interval.to : maintenance_never;
	return end.s > at.s ? end : (struct instant){ 0 };
}

struct instant page_maintenance_excuse(const struct page_snapshot *snapshot, int64_t monitor_id,
				       struct instant at)
{
	const size_t first = first_pair(snapshot, monitor_id);
	struct instant excused = { 0 };
	bool is_longer = true;
	while (is_longer) {
		is_longer = false;
		for (size_t i = first; i < snapshot->window_monitor_count &&
				       snapshot->window_monitors[i].monitor_id == monitor_id;
		     i++) {
			struct instant end = end_at(snapshot,
						    snapshot->window_monitors[i].maintenance_id,
						    excused.s > 0 ? excused : at);
			is_longer |= end.s > excused.s;
			excused = end.s > excused.s ? end : excused;
		}
	}
	return excused;
}

static void excuse_outages(struct page_snapshot *snapshot)
{
	size_t kept = 0;
	for (size_t i = 0; i < snapshot->outage_count; i++) {
		struct page_outage outage = snapshot->outages[i];
		struct instant excused = { 0 };
		if (!outage.is_reported)
			excused = page_maintenance_excuse(snapshot, outage.monitor_id,
							  outage.interval.from);
		bool is_open = outage.interval.to.s == 0 || outage.interval.to.s > snapshot->now.s;
		struct instant end = is_open ? snapshot->now : outage.interval.to;
		if (excused.s > 0) {
			outage.interval.from = excused;
			/* At the very end of the window an open outage begins to count. */
			if (is_open ? excused.s > end.s : excused.s >= end.s)
				continue;
		}
		snapshot->outages[kept++] = outage;
	}
	snapshot->outage_count = kept;
}

/* What monitoring found is no news if all of it, so far, lies in windows. */
static size_t drop_excused(const struct page_snapshot *snapshot, struct incident *rows,
			   size_t count)
{
	size_t kept = 0;
	for (size_t i = 0; i < count; i++) {
		struct instant excused = { 0 };
		if (rows[i].kind == INCIDENT_DETECTED)
			excused = page_maintenance_excuse(snapshot, rows[i].monitor_id,
							  rows[i].started_at);
		bool is_open = rows[i].ended_at.s == 0;
		/* At the very end of the window an open incident begins to count. */
		if (is_open ? excused.s > snapshot->now.s
			    : excused.s > 0 && excused.s >= rows[i].ended_at.s)
			continue;
		rows[kept++] = rows[i];
	}
	return kept;
}

static void mark_monitors(struct page_snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->monitor_count; i++) {
		struct page_monitor *monitor = &snapshot->monitors[i];
		size_t at = first_pair(snapshot, monitor->id);
		for (; at < snapshot->window_monitor_count &&
		       snapshot->window_monitors[at].monitor_id == monitor->id &&
		       !monitor->maintenance;
		     at++)
			for (size_t j = 0; j < snapshot->maintenance_count &&
					   is_running(&snapshot->maintenances[j]);
			     j++)
				if (snapshot->maintenances[j].window_id ==
				    snapshot->window_monitors[at].maintenance_id)
					monitor->maintenance = &snapshot->maintenances[j];
	}
}

void page_maintenance_derive(struct page_snapshot *snapshot)
{
	order_rows(snapshot);
	mark_monitors(snapshot);
	if (snapshot->window_count == 0)
		return;
	excuse_outages(snapshot);
	snapshot->incident_count =
		drop_excused(snapshot, snapshot->incidents, snapshot->incident_count);
	snapshot->newest_count = drop_excused(snapshot, snapshot->newest, snapshot->newest_count);
}

struct instant page_maintenance_due(const struct page_snapshot *snapshot)
{
	struct instant due = { 0 };
	for (size_t i = 0; i < snapshot->maintenance_count; i++) {
		const struct page_maintenance *row = &snapshot->maintenances[i];
		if (!row->is_auto || is_over(row))
			continue;
		struct instant next = is_running(row) ? row->ends_at : row->starts_at;
		if (next.s > snapshot->now.s && (due.s == 0 || next.s < due.s))
			due = next;
	}
	return due;
}
