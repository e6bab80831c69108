#include "domain/page/page_report.h"

#include <string.h>

#include "base/sorted.h"

/* An interval that touches the month: a part of an outage, or a gap. */
struct piece {
	int64_t monitor_id;
	struct uptime_interval interval;
	bool is_in_window; /* a maintenance window excuses this part of an outage */
};

struct making {
	const struct page_snapshot *snapshot;
	struct page_report *report;
	struct arena *arena;
	struct piece *pieces; /* sorted by monitor and start */
	size_t piece_count;
	struct incident_monitor *by_id;	 /* the systems of the page, sorted by id */
	struct uptime_calendar calendar; /* its last day stands for the whole month */
};

static struct instant month_start(const struct zone *zone, int months)
{
	/* Midnight may not exist on the first day of the month, but noon does. */
	const struct local_time noon = {
		.year = months / 12, .month = months % 12 + 1, .day = 1, .hour = 12
	};
	return zone_day_start(zone, zone_instant(zone, &noon), 0);
}

static struct page_report_month month_of(const struct zone *zone, int months, struct arena *arena)
{
	const struct instant_parts first = { .year = months / 12,
					     .month = months % 12 + 1,
					     .day = 1 };
	return (struct page_report_month){
		.from = month_start(zone, months),
		.to = month_start(zone, months + 1),
		.start = instant_of(&first),
		.name = arena_printf(arena, "%04d-%02d", first.year, first.month),
	};
}

/* Returns the start of the page's record; 0: the page has no record. */
static struct instant record_start(const struct page_snapshot *snapshot)
{
	struct instant first = { 0 };
	for (size_t i = 0; i < snapshot->monitor_count; i++) {
		struct instant since = snapshot->monitors[i].known_since;
		if (since.s > 0 && (first.s == 0 || since.s < first.s))
			first = since;
	}
	return first;
}

void page_report_find_months(struct page_snapshot *snapshot, struct arena *arena)
{
	const struct zone *zone = status_page_zone(&snapshot->page);
	const struct local_time now = zone_local(zone, snapshot->now);
	const struct instant first = record_start(snapshot);
	int at = 12 * now.year + now.month - 1;
	snapshot->reports = ARENA_ARRAY(arena, PAGE_REPORTS_MAX, struct page_report_month);
	snapshot->report_count = 0;
	while (first.s > 0 && snapshot->report_count < PAGE_REPORTS_MAX) {
		const struct page_report_month month = month_of(zone, at--, arena);
		snapshot->reports[snapshot->report_count++] = month;
		if (month.from.s <= first.s)
			break;
	}
}

const struct page_report_month *page_report_month_of(const struct page_snapshot *snapshot,
						     const char *name)
{
	for (size_t i = 0; i < snapshot->report_count; i++)
		if (strcmp(snapshot->reports[i].name, name) == 0)
			return &snapshot->reports[i];
	return NULL;
}

static bool touches(const struct making *making, const struct uptime_interval *interval)
{
	int64_t from = making->report->month.from.s;
	return interval->from.s < making->report->month.to.s &&
	       (interval->to.s == 0 || interval->to.s > from || interval->from.s >= from);
}

static void add_piece(struct making *making, int64_t monitor_id, struct uptime_interval interval,
		      bool is_in_window)
{
	interval.is_excluded |= is_in_window;
	if (touches(making, &interval))
		making->pieces[making->piece_count++] =
			(struct piece){ monitor_id, interval, is_in_window };
}

static int by_monitor_and_start(const void *a, const void *b)
{
	const struct piece *left = a, *right = b;
	int order = id_order(&left->monitor_id, &right->monitor_id);
	return order != 0 ? order : id_order(&left->interval.from.s, &right->interval.from.s);
}

static void find_pieces(struct making *making)
{
	const struct page_snapshot *snapshot = making->snapshot;
	const size_t outages = snapshot->outage_count + snapshot->excused_count;
	making->pieces =
		ARENA_ARRAY(making->arena, 2 * outages + snapshot->gap_count, struct piece);
	for (size_t i = 0; i < outages; i++) {
		const struct page_outage *outage = &snapshot->outages[i];
		struct uptime_interval excused = outage->interval;
		add_piece(making, outage->monitor_id, outage->interval,
			  i >= snapshot->outage_count);
		excused.from = outage->excused_from;
		excused.to = outage->interval.from;
		if (i < snapshot->outage_count && excused.from.s > 0)
			add_piece(making, outage->monitor_id, excused, true);
	}
	for (size_t i = 0; i < snapshot->gap_count; i++)
		add_piece(making, snapshot->gaps[i].monitor_id, snapshot->gaps[i].interval, false);
	if (making->piece_count > 0)
		qsort(making->pieces, making->piece_count, sizeof(*making->pieces),
		      by_monitor_and_start);
}

/* Copies the intervals of the pieces, and returns their number. Copies pieces in windows only if
 * `with_windows` is true. */
static size_t intervals_of(const struct piece *pieces, size_t count, bool with_windows,
			   struct uptime_interval *intervals)
{
	size_t kept = 0;
	for (size_t i = 0; i < count; i++)
		if (with_windows || !pieces[i].is_in_window)
			intervals[kept++] = pieces[i].interval;
	return kept;
}

/* Counts major outages. Outages that overlap, or that follow each other without a gap, count as
 * one. */
static int64_t count_outages(const struct uptime_interval *intervals, size_t count,
			     struct instant until)
{
	int64_t outages = 0, covered = 0;
	for (size_t i = 0; i < count; i++) {
		const struct uptime_interval *interval = &intervals[i];
		int64_t to = interval->to.s > 0 ? interval->to.s : until.s;
		if (interval->impact != INCIDENT_MAJOR_OUTAGE || interval->is_excluded)
			continue;
		outages += outages == 0 || interval->from.s > covered;
		covered = to > covered ? to : covered;
	}
	return outages;
}

static void set_figures(struct making *making, struct page_report_figures *figures,
			struct instant since)
{
	const struct page_report *report = making->report;
	size_t at = SORTED_PLACE(struct piece, monitor_id, making->pieces, making->piece_count,
				 figures->id);
	size_t end = SORTED_PLACE(struct piece, monitor_id, making->pieces, making->piece_count,
				  figures->id + 1);
	struct uptime_interval *intervals =
		ARENA_ARRAY(making->arena, end - at, struct uptime_interval);
	struct uptime_day days[UPTIME_DAYS], *all = &days[UPTIME_DAYS - 1];
	size_t count = intervals_of(&making->pieces[at], end - at, false, intervals);
	uptime_fill(intervals, count, since, report->until, &making->calendar, days);
	const int64_t permyriad = uptime_permyriad(days, UPTIME_DAYS);
	figures->uptime = (struct percent){ permyriad >= 0, permyriad };
	figures->known_s = all->known_s;
	figures->down_s = all->down_s;
	figures->degraded_s = all->degraded_s - all->excluded_s;
	figures->excluded_s = all->excluded_s;
	figures->unobserved_s = all->unobserved_s;
	figures->outage_count = count_outages(intervals, count, report->until);
	if (count == end - at)
		return;
	count = intervals_of(&making->pieces[at], end - at, true, intervals);
	uptime_fill(intervals, count, since, report->until, &making->calendar, days);
	figures->maintenance_s = all->excluded_s - figures->excluded_s;
}

static void add_system(struct making *making, const struct page_monitor *monitor)
{
	const struct page_report *report = making->report;
	struct page_report_figures *figures =
		&making->report->systems[making->report->system_count++];
	struct instant since = monitor->known_since;
	*figures = (struct page_report_figures){ .name = monitor->name,
						 .group = monitor->group,
						 .id = monitor->id };
	/* If the clock was set back to before the start of the record, the record begins now. */
	if (!report->is_complete && since.s > report->until.s)
		since = report->until;
	if (report->is_complete && since.s >= report->until.s)
		since.s = 0;
	if (since.s > report->month.from.s)
		figures->known_since = since;
	set_figures(making, figures, since);
}

static void add_to_group(struct page_report_figures *group,
			 const struct page_report_figures *system)
{
	if (system->uptime.is_known &&
	    (!group->uptime.is_known || system->uptime.hundredths < group->uptime.hundredths))
		group->uptime = system->uptime;
	group->known_s += system->known_s;
	group->down_s += system->down_s;
	group->degraded_s += system->degraded_s;
	group->outage_count += system->outage_count;
	group->maintenance_s += system->maintenance_s;
	group->excluded_s += system->excluded_s;
	group->unobserved_s += system->unobserved_s;
}

/* Adds all systems. The other systems of a group directly follow its first system. */
static void add_systems(struct making *making)
{
	const struct page_snapshot *snapshot = making->snapshot;
	struct page_report *report = making->report;
	bool *is_added = ARENA_ARRAY(making->arena, snapshot->monitor_count, bool);
	report->systems =
		ARENA_ARRAY(making->arena, snapshot->monitor_count, struct page_report_figures);
	report->groups =
		ARENA_ARRAY(making->arena, snapshot->monitor_count, struct page_report_figures);
	for (size_t i = 0; i < snapshot->monitor_count; i++) {
		const char *name = snapshot->monitors[i].group;
		struct page_report_figures *group = &report->groups[report->group_count];
		if (is_added[i])
			continue;
		if (!name) {
			add_system(making, &snapshot->monitors[i]);
			continue;
		}
		*group = (struct page_report_figures){ .name = name };
		report->group_count++;
		for (size_t j = i; j < snapshot->monitor_count; j++) {
			const char *other = snapshot->monitors[j].group;
			if (is_added[j] || !other || strcmp(other, name) != 0)
				continue;
			is_added[j] = true;
			add_system(making, &snapshot->monitors[j]);
			add_to_group(group, &report->systems[report->system_count - 1]);
		}
	}
}

static int by_id(const void *a, const void *b)
{
	return id_order(&((const struct incident_monitor *)a)->id,
			&((const struct incident_monitor *)b)->id);
}

static void index_systems(struct making *making)
{
	const struct page_snapshot *snapshot = making->snapshot;
	const size_t count = snapshot->monitor_count;
	making->by_id = ARENA_ARRAY(making->arena, count, struct incident_monitor);
	for (size_t i = 0; i < count; i++)
		making->by_id[i] = (struct incident_monitor){ .id = snapshot->monitors[i].id,
							      .name = snapshot->monitors[i].name };
	if (count > 0)
		qsort(making->by_id, count, sizeof(*making->by_id), by_id);
}

/* Returns the system of the page with this id; NULL: the page has no such system. */
static const struct incident_monitor *system_of(const struct making *making, int64_t id)
{
	const size_t count = making->snapshot->monitor_count;
	size_t at = SORTED_PLACE(struct incident_monitor, id, making->by_id, count, id);
	return at < count && making->by_id[at].id == id ? &making->by_id[at] : NULL;
}

static int by_incident(const void *a, const void *b)
{
	const struct page_outage *left = *(struct page_outage *const *)a;
	const struct page_outage *right = *(struct page_outage *const *)b;
	int order = id_order(&left->incident_id, &right->incident_id);
	return order != 0 ? order : id_order(&left->monitor_id, &right->monitor_id);
}

static void add_incident_system(struct incident *row, const struct incident_monitor *system,
				int impact)
{
	struct incident_monitor *last = &row->monitors[row->monitor_count];
	if (row->monitor_count == 0 || last[-1].id != system->id) {
		*last = *system;
		row->monitor_count++;
	} else {
		last--;
	}
	last->impact = last->shown_impact = impact > last->impact ? impact : last->impact;
	row->impact = impact > row->impact ? impact : row->impact;
}

/* Adds an incident. `outages` are all outages of this incident. */
static void add_incident(struct making *making, struct page_outage *const *outages, size_t count)
{
	struct page_report *report = making->report;
	const struct page_outage *first = outages[0];
	struct incident row = {
		.id = first->incident_id,
		.kind = first->is_reported ? INCIDENT_REPORTED : INCIDENT_DETECTED,
		.monitor_id = first->monitor_id,
		.monitor_name = system_of(making, first->monitor_id)->name,
		.title = first->title,
		.cause = "",
		.started_at = first->began_at.s > 0 ? first->began_at : first->interval.from,
		.ended_at = first->ended_at,
		.exclude_from_uptime = first->interval.is_excluded,
		.monitors = ARENA_ARRAY(making->arena, count, struct incident_monitor),
	};
	/* A detected outage that outlasts its window counts from the window's end. */
	if (!first->is_reported && first->excused_from.s > 0)
		row.started_at = first->interval.from;
	for (size_t i = 0; i < count; i++)
		add_incident_system(&row, system_of(making, outages[i]->monitor_id),
				    outages[i]->interval.impact);
	report->incidents[report->incident_count++] = (struct page_incident){ .row = row };
}

static void add_incidents(struct making *making)
{
	const struct page_snapshot *snapshot = making->snapshot;
	struct page_report *report = making->report;
	struct page_outage **found =
		ARENA_ARRAY(making->arena, snapshot->outage_count, struct page_outage *);
	size_t count = 0;
	for (size_t i = 0; i < snapshot->outage_count; i++) {
		struct page_outage *outage = &snapshot->outages[i];
		if (outage->interval.impact > INCIDENT_IMPACT_NONE &&
		    touches(making, &outage->interval) && system_of(making, outage->monitor_id))
			found[count++] = outage;
	}
	if (count > 0)
		qsort(found, count, sizeof(struct page_outage *), by_incident);
	report->incidents = ARENA_ARRAY(making->arena, count, struct page_incident);
	for (size_t from = 0, to; from < count; from = to) {
		for (to = from; to < count && found[to]->incident_id == found[from]->incident_id;)
			to++;
		add_incident(making, &found[from], to - from);
	}
	page_incidents_sort(report->incidents, report->incident_count);
	page_incidents_nest(report->incidents, report->incident_count, making->arena);
}

static void add_window_systems(struct making *making, struct page_maintenance *row)
{
	const struct page_windows *windows = &making->snapshot->windows;
	size_t room = 0;
	for (size_t i = 0; i < windows->monitor_count; i++) {
		const struct page_window_monitor *pair = &windows->monitors[i];
		const struct incident_monitor *system = system_of(making, pair->monitor_id);
		if (pair->maintenance_id != row->window_id || !system)
			continue;
		row->monitors = arena_grow(making->arena, row->monitors, row->monitor_count, &room,
					   sizeof(*system));
		row->monitors[row->monitor_count++] = *system;
	}
}

static int newest_first(const void *a, const void *b)
{
	const struct page_maintenance *left = a, *right = b;
	int order = id_order(&right->starts_at.s, &left->starts_at.s);
	return order != 0 ? order : id_order(&right->id, &left->id);
}

static void add_maintenances(struct making *making)
{
	const struct page_windows *windows = &making->snapshot->windows;
	const struct instant now = making->snapshot->now;
	struct page_report *report = making->report;
	report->maintenances = ARENA_ARRAY(making->arena, windows->count, struct page_maintenance);
	for (size_t i = 0; i < windows->count; i++) {
		const struct page_window *window = &windows->rows[i];
		struct instant to = window->interval.to;
		struct page_maintenance *row = &report->maintenances[report->maintenance_count];
		if (!touches(making, &window->interval))
			continue;
		*row = (struct page_maintenance){
			.id = window->id,
			.window_id = window->maintenance_id,
			.title = window->title,
			.status = to.s > 0 && to.s <= now.s ? PHASE_COMPLETED : PHASE_IN_PROGRESS,
			.starts_at = window->interval.from,
			.ends_at = window->ends_at,
		};
		add_window_systems(making, row);
		report->maintenance_count += row->monitor_count > 0;
	}
	if (report->maintenance_count > 0)
		qsort(report->maintenances, report->maintenance_count,
		      sizeof(*report->maintenances), newest_first);
}

void page_report_make(struct page_report *report, const struct page_snapshot *snapshot,
		      const struct page_report_month *month, struct arena *arena)
{
	struct making making = { .snapshot = snapshot, .report = report, .arena = arena };
	*report = (struct page_report){ .month = *month,
					.is_complete = month->to.s <= snapshot->now.s,
					.time_zone = zone_name(status_page_zone(&snapshot->page)) };
	report->until = report->is_complete ? month->to : snapshot->now;
	for (int i = 0; i < UPTIME_DAYS; i++)
		making.calendar.starts[i] = month->from;
	making.calendar.starts[UPTIME_DAYS] = month->to;
	find_pieces(&making);
	index_systems(&making);
	add_systems(&making);
	add_incidents(&making);
	add_maintenances(&making);
}
