#include "domain/page/page_maintenance.h"

#include <stdlib.h>

#include "base/sorted.h"
#include "domain/maintenance/maintenance.h"

static bool is_running(const struct page_maintenance *row)
{
	return row->status == PHASE_IN_PROGRESS || row->status == PHASE_VERIFYING;
}

static bool is_over(const struct page_maintenance *row)
{
	return row->status == PHASE_COMPLETED || row->status == PHASE_CANCELLED;
}

enum place { PLACE_RUNNING, PLACE_AHEAD, PLACE_OFF_AHEAD, PLACE_OVER };

static enum place place_of(const struct page_maintenance *row)
{
	if (row->is_off_ahead)
		return PLACE_OFF_AHEAD;
	if (is_running(row))
		return PLACE_RUNNING;
	return is_over(row) ? PLACE_OVER : PLACE_AHEAD;
}

/* The order: running, planned, cancelled before their start, past occurrences. Past occurrences are
 * sorted newest first, all others oldest first. */
static int in_order(const void *a, const void *b)
{
	const struct page_maintenance *left = a, *right = b;
	int by_place = place_of(left) - place_of(right);
	int by_start = id_order(&left->starts_at.s, &right->starts_at.s);
	if (by_start == 0)
		by_start = id_order(&left->id, &right->id);
	return by_place != 0 ? by_place : place_of(left) == PLACE_OVER ? -by_start : by_start;
}

/* Sets the status by the clock, if is_auto is true. Otherwise only people change the status. */
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

/* Counts the occurrences that had not begun when their whole window was cancelled. */
struct called_off {
	int64_t window_id;
	struct instant at;
	size_t count;
};

/* Returns whether pages announced the occurrence: they announce only the next MAINTENANCE_SHOWN_MAX
 * occurrences of a window. Call it for the rows in the order of window and start. */
static bool was_announced(const struct page_maintenance *row, struct called_off *called_off)
{
	if (row->status != PHASE_CANCELLED || row->starts_at.s <= row->updated_at.s)
		return true;
	if (called_off->window_id != row->window_id || called_off->at.s != row->updated_at.s)
		*called_off = (struct called_off){ row->window_id, row->updated_at, 0 };
	return ++called_off->count <= MAINTENANCE_SHOWN_MAX;
}

/* Sorts the rows: first the rows that the page shows, then the rows that only calendars show. */
static void order_rows(struct page_snapshot *snapshot)
{
	struct page_maintenance *rows = snapshot->maintenances;
	size_t count = snapshot->maintenance_count, shown = 0;
	struct instant recent = page_recent_start(snapshot);
	struct called_off called_off = { 0 };
	for (size_t i = 0; i < count; i++) {
		move_by_clock(&rows[i], snapshot->now);
		rows[i].is_off_ahead = rows[i].status == PHASE_CANCELLED &&
				       rows[i].starts_at.s >= snapshot->now.s;
		struct instant last = rows[i].status == PHASE_CANCELLED ? rows[i].updated_at
									: rows[i].ends_at;
		bool is_shown = !rows[i].is_withdrawn && was_announced(&rows[i], &called_off) &&
				(!is_over(&rows[i]) || last.s >= recent.s);
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
	/* The limit leaves out the oldest past occurrences first, then those furthest ahead. */
	snapshot->maintenance_count = shown < PAGE_MAINTENANCES_MAX ? shown
								    : (size_t)PAGE_MAINTENANCES_MAX;
	snapshot->withdrawn = count > shown ? rows + shown : NULL;
	snapshot->withdrawn_count = count - shown;
}

/* Returns the index in windows->monitors of the first row with this monitor_id or a higher one. */
static size_t first_pair(const struct page_windows *windows, int64_t monitor_id)
{
	return SORTED_PLACE(struct page_window_monitor, monitor_id, windows->monitors,
			    windows->monitor_count, monitor_id);
}

/* Returns the index of the window's first occurrence that begins after `at`, or the index after its
 * last occurrence. */
static size_t first_after(const struct page_windows *windows, int64_t maintenance_id,
			  struct instant at)
{
	size_t from = 0, to = windows->count;
	while (from < to) {
		size_t middle = from + (to - from) / 2;
		const struct page_window *window = &windows->rows[middle];
		int order = id_order(&window->maintenance_id, &maintenance_id);
		if (order < 0 || (order == 0 && window->interval.from.s <= at.s))
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

/* Returns the occurrence of the window that contains `at`; NULL: no occurrence. */
static const struct page_window *window_at(const struct page_windows *windows,
					   int64_t maintenance_id, struct instant at)
{
	size_t after = first_after(windows, maintenance_id, at);
	const struct page_window *window = after > 0 ? &windows->rows[after - 1] : NULL;
	if (!window || window->maintenance_id != maintenance_id)
		return NULL;
	return window->interval.to.s == 0 || window->interval.to.s > at.s ? window : NULL;
}

static struct instant end_of(const struct page_window *window)
{
	return window->interval.to.s > 0 ? window->interval.to : maintenance_never;
}

struct instant page_maintenance_excuse(const struct page_windows *windows, int64_t monitor_id,
				       struct instant at)
{
	const size_t first = first_pair(windows, monitor_id);
	struct instant excused = { 0 };
	for (bool is_longer = true; is_longer;) {
		is_longer = false;
		for (size_t i = first;
		     i < windows->monitor_count && windows->monitors[i].monitor_id == monitor_id;
		     i++) {
			const struct page_window *window =
				window_at(windows, windows->monitors[i].maintenance_id,
					  excused.s > 0 ? excused : at);
			if (!window || end_of(window).s <= excused.s)
				continue;
			is_longer = true;
			excused = end_of(window);
		}
	}
	return excused;
}

void page_maintenance_excuse_outages(struct page_snapshot *snapshot)
{
	const size_t count = snapshot->outage_count;
	size_t kept = 0;
	for (size_t i = 0; i < count; i++) {
		struct page_outage outage = snapshot->outages[i];
		struct instant began = outage.began_at.s > 0 ? outage.began_at
							     : outage.interval.from;
		struct instant excused = { 0 };
		if (!outage.is_reported)
			excused = page_maintenance_excuse(&snapshot->windows, outage.monitor_id,
							  began);
		bool is_open = outage.interval.to.s == 0 || outage.interval.to.s > snapshot->now.s;
		struct instant end = is_open ? snapshot->now : outage.interval.to;
		/* An open outage counts from the second in which the window ends. */
		bool is_whole = excused.s > outage.interval.from.s &&
				(is_open ? excused.s > end.s : excused.s >= end.s);
		if (is_whole)
			continue;
		if (excused.s > outage.interval.from.s) {
			outage.excused_from = outage.interval.from;
			outage.interval.from = excused;
		}
		snapshot->outages[i] = snapshot->outages[kept];
		snapshot->outages[kept++] = outage;
	}
	snapshot->outage_count = kept;
	snapshot->excused_count = count - kept;
}

bool page_windows_concern(const struct page_snapshot *snapshot, int64_t maintenance_id)
{
	for (size_t i = 0; i < snapshot->windows.monitor_count; i++)
		if (snapshot->windows.monitors[i].maintenance_id == maintenance_id)
			return true;
	return false;
}

/* Returns the time until which windows excuse a detected incident; 0: no window excuses it. Windows
 * never excuse a reported incident. */
static struct instant excuse_of(const struct page_windows *windows, const struct incident *incident)
{
	return incident->kind == INCIDENT_DETECTED
		       ? page_maintenance_excuse(windows, incident->monitor_id,
						 incident->started_at)
		       : (struct instant){ 0 };
}

/* Returns whether windows excuse all the time of the incident up to `now`. */
static bool is_excused(const struct incident *incident, struct instant excused, struct instant now)
{
	/* An open incident counts from the second in which the window ends. */
	return incident->ended_at.s == 0 ? excused.s > now.s
					 : excused.s > 0 && excused.s >= incident->ended_at.s;
}

static void move_up(struct instant *at, struct instant least)
{
	if (at->s > 0 && at->s < least.s)
		*at = least;
}

/* Moves the start of an incident that outlasts its windows to the end of the windows. */
static void begin_after(struct incident *incident, struct instant excused)
{
	move_up(&incident->started_at, excused);
	move_up(&incident->acknowledged_at, excused);
	move_up(&incident->updated_at, excused);
}

/* Removes incidents that windows excuse as a whole. Returns how many incidents remain. */
static size_t drop_excused(const struct page_snapshot *snapshot, struct page_incident *rows,
			   size_t count)
{
	size_t kept = 0;
	for (size_t i = 0; i < count; i++) {
		struct instant excused = excuse_of(&snapshot->windows, &rows[i].row);
		if (is_excused(&rows[i].row, excused, snapshot->now))
			continue;
		begin_after(&rows[i].row, excused);
		rows[kept++] = rows[i];
	}
	return kept;
}

static void mark_monitors(struct page_snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->monitor_count; i++) {
		struct page_monitor *monitor = &snapshot->monitors[i];
		const struct page_windows *windows = &snapshot->windows;
		size_t at = first_pair(windows, monitor->id);
		for (; at < windows->monitor_count &&
		       windows->monitors[at].monitor_id == monitor->id && !monitor->maintenance;
		     at++)
			for (size_t j = 0; j < snapshot->maintenance_count &&
					   is_running(&snapshot->maintenances[j]);
			     j++)
				if (snapshot->maintenances[j].window_id ==
				    windows->monitors[at].maintenance_id)
					monitor->maintenance = &snapshot->maintenances[j];
	}
}

/* Returns the last time, up to `now`, at which an occurrence of the window began or ended; 0: no
 * occurrence has begun. */
static struct instant last_change(const struct page_windows *windows, int64_t maintenance_id,
				  struct instant now)
{
	size_t after = first_after(windows, maintenance_id, now);
	const struct page_window *last = after > 0 ? &windows->rows[after - 1] : NULL;
	if (!last || last->maintenance_id != maintenance_id)
		return (struct instant){ 0 };
	struct instant end = end_of(last);
	return end.s <= now.s ? end : last->interval.from;
}

static void note_changes(struct page_snapshot *snapshot)
{
	const struct page_windows *windows = &snapshot->windows;
	for (size_t i = 0; i < snapshot->monitor_count; i++) {
		struct page_monitor *monitor = &snapshot->monitors[i];
		for (size_t at = first_pair(windows, monitor->id);
		     at < windows->monitor_count && windows->monitors[at].monitor_id == monitor->id;
		     at++) {
			struct instant changed = last_change(
				windows, windows->monitors[at].maintenance_id, snapshot->now);
			if (changed.s > monitor->maintained_at.s)
				monitor->maintained_at = changed;
		}
	}
}

void page_maintenance_derive(struct page_snapshot *snapshot)
{
	order_rows(snapshot);
	mark_monitors(snapshot);
	note_changes(snapshot);
	if (snapshot->windows.count == 0)
		return;
	page_maintenance_excuse_outages(snapshot);
	snapshot->incident_count =
		drop_excused(snapshot, snapshot->incidents, snapshot->incident_count);
	snapshot->newest_count = drop_excused(snapshot, snapshot->newest, snapshot->newest_count);
}

bool page_maintenance_is_ahead(const struct page_maintenance *maintenance)
{
	return maintenance->status == PHASE_SCHEDULED || maintenance->is_off_ahead;
}

bool page_maintenance_is_soon(const struct page_maintenance *maintenance, struct instant now)
{
	return page_maintenance_is_ahead(maintenance) &&
	       maintenance->starts_at.s - now.s <= PAGE_MAINTENANCE_SOON_S;
}

static void bring_forward(struct instant *due, struct instant now, int64_t at)
{
	if (at > now.s && (due->s == 0 || at < due->s))
		due->s = at;
}

struct instant page_maintenance_due(const struct page_snapshot *snapshot)
{
	struct instant due = { 0 }, now = snapshot->now;
	for (size_t i = 0; i < snapshot->maintenance_count; i++) {
		const struct page_maintenance *row = &snapshot->maintenances[i];
		if (page_maintenance_is_ahead(row))
			bring_forward(&due, now, row->starts_at.s - PAGE_MAINTENANCE_SOON_S);
		if (row->is_auto && !is_over(row))
			bring_forward(&due, now,
				      is_running(row) ? row->ends_at.s : row->starts_at.s);
	}
	return due;
}

static bool has_begun(const struct page_maintenance *row)
{
	return is_running(row) || row->status == PHASE_COMPLETED;
}

static int newest_first(const void *a, const void *b)
{
	const struct page_maintenance *left = a, *right = b;
	if (left->starts_at.s != right->starts_at.s)
		return left->starts_at.s < right->starts_at.s ? 1 : -1;
	return id_order(&right->id, &left->id);
}

/* Returns the window in which the incident began; NULL: the page of the month does not show it. */
static const struct page_maintenance *window_of(const struct page_month *month,
						const struct incident *incident)
{
	for (size_t i = 0; i < month->maintenance_count; i++) {
		const struct page_maintenance *row = &month->maintenances[i];
		if (!has_begun(row) || row->starts_at.s > incident->started_at.s ||
		    (row->ends_at.s <= incident->started_at.s && row->status == PHASE_COMPLETED))
			continue;
		for (size_t j = 0; j < row->monitor_count; j++)
			if (row->monitors[j].id == incident->monitor_id)
				return row;
	}
	return NULL;
}

/* Shows the incident inside its window if windows excuse all of its time, or all of its time in
 * this month. */
static void place_in_window(const struct page_month *month, const struct page_windows *windows,
			    struct instant now, struct page_incident *incident)
{
	struct incident *row = &incident->row;
	struct instant excused = excuse_of(windows, row);
	bool is_whole = is_excused(row, excused, now);
	bool is_of_later_month = excused.s >= page_month_end(month).s;
	if (is_whole || is_of_later_month)
		incident->during = window_of(month, row);
	if (!is_whole && (incident->during || !is_of_later_month))
		begin_after(row, excused);
}

void page_month_derive(struct page_month *month, const struct page_windows *windows,
		       struct instant now, struct arena *arena)
{
	size_t kept = 0;
	for (size_t i = 0; i < month->maintenance_count; i++) {
		struct page_maintenance row = month->maintenances[i];
		move_by_clock(&row, now);
		if (has_begun(&row) || row.status == PHASE_CANCELLED)
			month->maintenances[kept++] = row;
	}
	if (kept > 0)
		qsort(month->maintenances, kept, sizeof(*month->maintenances), newest_first);
	month->maintenance_count =
		kept < PAGE_MONTH_MAINTENANCES_MAX ? kept : (size_t)PAGE_MONTH_MAINTENANCES_MAX;
	if (windows->count == 0)
		return;
	const size_t all = month->incident_count + month->earlier_count;
	for (size_t i = 0; i < month->incident_count; i++)
		place_in_window(month, windows, now, &month->incidents[i]);
	/* An incident that began in an earlier month keeps its start and its place in the list. */
	for (size_t i = month->incident_count; i < all; i++) {
		struct page_incident *incident = &month->incidents[i];
		if (is_excused(&incident->row, excuse_of(windows, &incident->row), now))
			incident->during = window_of(month, &incident->row);
	}
	/* New start times can change the order, and which incident is shown inside another. */
	page_incidents_sort(month->incidents, month->incident_count);
	page_incidents_nest(month->incidents, all, arena);
}
