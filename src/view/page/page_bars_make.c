/* Makes the bars: for each day its look, and the incident or window to which it links. */
#include <string.h>

#include "view/page/page_bars.h"
#include "view/page/page_log.h"

struct bars_maker {
	struct page_bars *bars;
	const struct page_snapshot *snapshot;
	struct page_monitor_index index;
};

static size_t place_of(const struct bars_maker *maker, const struct page_monitor *monitor)
{
	return (size_t)(monitor - maker->snapshot->monitors);
}

enum mark { MARK_INCIDENT, MARK_REST_OF_INCIDENT, MARK_MAINTENANCE };

struct instant page_bar_began_at(const struct page_snapshot *snapshot, uint32_t cause)
{
	if (cause == 0)
		return (struct instant){ 0 };
	if (cause > snapshot->outage_count)
		return snapshot->maintenances[cause - 1 - snapshot->outage_count].starts_at;
	const struct page_outage *outage = &snapshot->outages[cause - 1];
	return outage->began_at.s > 0 ? outage->began_at : outage->interval.from;
}

bool page_bar_is_quiet(const struct bar *bar)
{
	return bar->look <= BAR_UP && bar->incidents == 0 && !bar->has_gap;
}

size_t page_bars_end_of_run(const struct bar *of, size_t from)
{
	size_t end = from + 1;
	while (page_bar_is_quiet(&of[from]) && end < UPTIME_DAYS && page_bar_is_quiet(&of[end]) &&
	       of[end].look == of[from].look)
		end++;
	return end;
}

const char *page_bar_title(const struct page_snapshot *snapshot, const struct bar *bar)
{
	bool is_window = bar->look == BAR_MAINTENANCE && bar->cause > snapshot->outage_count;
	if (bar->named > 0)
		return snapshot->outages[bar->named - 1].title;
	return is_window ? snapshot->maintenances[bar->cause - 1 - snapshot->outage_count].title
			 : NULL;
}

const struct page_group *page_bars_group(const struct page_bars *bars, const char *name)
{
	for (size_t i = 0; i < bars->group_count; i++)
		if (strcmp(bars->groups[i].name, name) == 0)
			return &bars->groups[i];
	return NULL;
}

/* Sets bar->cause to the event if the event is newer than bar->cause, but never replaces an
 * incident by a window. Sets bar->named if the event is an incident with a title and is newer. */
static void set_cause(const struct page_snapshot *snapshot, struct bar *bar, uint32_t cause,
		      enum mark kind)
{
	bool has_incident = bar->cause > 0 && bar->cause <= snapshot->outage_count;
	bool is_named = cause <= snapshot->outage_count && snapshot->outages[cause - 1].title;
	if (is_named &&
	    page_bar_began_at(snapshot, bar->named).s <= page_bar_began_at(snapshot, cause).s)
		bar->named = cause;
	if (kind == MARK_MAINTENANCE && has_incident)
		return;
	if (page_bar_began_at(snapshot, bar->cause).s <= page_bar_began_at(snapshot, cause).s)
		bar->cause = cause;
}

/* Marks the days that the interval of an incident or a window touches. */
static void mark(const struct bars_maker *maker, int64_t monitor_id,
		 const struct uptime_interval *interval, uint32_t cause, enum mark kind)
{
	const struct page_snapshot *snapshot = maker->snapshot;
	const struct page_monitor *monitor = page_monitor_find(&maker->index, monitor_id);
	size_t first, last;
	if (!monitor ||
	    !uptime_days_touched(&snapshot->calendar, interval, snapshot->now, &first, &last))
		return;
	struct bar *of = &maker->bars->bars[place_of(maker, monitor) * UPTIME_DAYS];
	for (size_t i = first; i <= last; i++)
		set_cause(snapshot, &of[i], cause, kind);
	/* Several intervals of one incident may touch the same day. Count the incident only once:
	 * skip the first day of a later interval that begins within the day. */
	if (kind == MARK_REST_OF_INCIDENT && interval->from.s > snapshot->calendar.starts[first].s)
		first++;
	for (size_t i = first; i <= last; i++) {
		if (kind == MARK_MAINTENANCE && of[i].look < BAR_MAINTENANCE)
			of[i].look = BAR_MAINTENANCE;
		if (kind != MARK_MAINTENANCE && of[i].incidents < UINT16_MAX)
			of[i].incidents++;
	}
}

/* Sets `since` of the system to the start of the outage, if the outage is open and has the system's
 * present impact. */
static void note_since(const struct bars_maker *maker, const struct page_outage *outage)
{
	const struct page_monitor *monitor = page_monitor_find(&maker->index, outage->monitor_id);
	if (!monitor || !monitor->open || outage->interval.to.s > 0 ||
	    outage->interval.impact != monitor->impact)
		return;
	struct instant *since = &maker->bars->since[place_of(maker, monitor)];
	if (since->s == 0 || outage->interval.from.s < since->s)
		*since = outage->interval.from;
}

static void mark_all(const struct bars_maker *maker)
{
	const struct page_snapshot *snapshot = maker->snapshot;
	uint32_t cause = 0;
	for (size_t i = 0; i < snapshot->outage_count; i++) {
		const struct page_outage *outage = &snapshot->outages[i];
		mark(maker, outage->monitor_id, &outage->interval, ++cause,
		     outage->is_rest ? MARK_REST_OF_INCIDENT : MARK_INCIDENT);
		note_since(maker, outage);
	}
	for (size_t i = 0; i < snapshot->maintenance_count; i++) {
		const struct page_maintenance *one = &snapshot->maintenances[i];
		cause++;
		if (one->status == PHASE_SCHEDULED || one->status == PHASE_CANCELLED)
			continue;
		const struct uptime_interval its = { .from = one->starts_at, .to = one->ends_at };
		for (size_t j = 0; j < one->monitor_count; j++)
			mark(maker, one->monitors[j].id, &its, cause, MARK_MAINTENANCE);
	}
}

static enum bar_look look_of(const struct uptime_day *day)
{
	static const enum bar_look of_impact[] = {
		[INCIDENT_IMPACT_NONE] = BAR_UP,
		[INCIDENT_DEGRADED_PERFORMANCE] = BAR_DEGRADED,
		[INCIDENT_PARTIAL_OUTAGE] = BAR_PARTLY_DOWN,
		[INCIDENT_MAJOR_OUTAGE] = BAR_SOME_DOWN,
	};
	switch (uptime_state_of(day)) {
	case UPTIME_NO_DATA:
		return BAR_NO_DATA;
	case UPTIME_UP:
		return BAR_UP;
	case UPTIME_DOWN:
		return BAR_DOWN;
	default:
		return day->is_excluded ? BAR_EXCLUDED : of_impact[day->worst];
	}
}

bool page_bar_is_in_gap(const struct page_monitor *monitor, size_t day)
{
	return day == UPTIME_DAYS - 1 && monitor->unobserved_since.s > 0 && !monitor->open;
}

static struct bar bar_of(const struct page_monitor *monitor, size_t day)
{
	enum bar_look look = look_of(&monitor->days[day]);
	bool is_in_gap = page_bar_is_in_gap(monitor, day), is_quiet = look <= BAR_UP;
	bool has_gap = monitor->days[day].unobserved_s > 0 && look != BAR_NO_DATA;
	/* If the system is not observed now, the bar of today shows no data, unless it shows an
	 * impact. */
	return (struct bar){ .look = (uint8_t)(is_in_gap && is_quiet ? BAR_NO_DATA : look),
			     .has_gap = is_in_gap || has_gap };
}

static struct page_group *group_of(struct page_bars *bars, const struct page_view *view,
				   const char *name)
{
	const struct page_group *known = page_bars_group(bars, name);
	if (known)
		return &bars->groups[known - bars->groups];
	bars->groups = arena_grow(view->arena, bars->groups, bars->group_count, &bars->group_room,
				  sizeof(*bars->groups));
	struct page_group *group = &bars->groups[bars->group_count++];
	*group = (struct page_group){ .name = name };
	return group;
}

/* Returns how bad a bar is. A day on which something happened is worse than a quiet day. */
static int rank_of(const struct bar *bar)
{
	return bar->look + (page_bar_is_quiet(bar) ? 0 : (int)BAR_LOOKS);
}

static void add_to_group(const struct page_bars *bars, struct page_group *group, size_t at)
{
	const struct bar *its = &bars->bars[at * UPTIME_DAYS];
	for (size_t day = 0; day < UPTIME_DAYS; day++) {
		struct bar *worst = &group->bars[day];
		bool is_first = group->count == 0;
		if (!is_first && !page_bar_is_quiet(&its[day]) && !page_bar_is_quiet(worst))
			group->others[day]++;
		if (!is_first && rank_of(&its[day]) <= rank_of(worst))
			continue;
		*worst = its[day];
		group->worst[day] = at;
	}
	group->count++;
}

static void make_groups(struct page_bars *bars, const struct page_view *view)
{
	const struct page_snapshot *snapshot = view->snapshot;
	for (size_t i = 0; i < snapshot->monitor_count; i++) {
		const char *name = snapshot->monitors[i].group;
		add_to_group(bars, &bars->all, i);
		if (name)
			add_to_group(bars, group_of(bars, view, name), i);
	}
}

void page_bars_make(struct page_bars *bars, const struct page_view *view)
{
	const struct page_snapshot *snapshot = view->snapshot;
	size_t count = snapshot->monitor_count;
	const struct bars_maker maker = { bars, snapshot,
					  page_monitor_index_of(snapshot, view->arena) };
	*bars = (struct page_bars){
		.bars = ARENA_ARRAY(view->arena, count * UPTIME_DAYS, struct bar),
		.since = ARENA_ARRAY(view->arena, count, struct instant),
	};
	for (size_t day = 0; day < UPTIME_DAYS; day++)
		bars->is_in_log[day] = page_log_has_day(view, day);
	for (size_t i = 0; i < count; i++)
		for (size_t day = 0; day < UPTIME_DAYS; day++)
			bars->bars[i * UPTIME_DAYS + day] = bar_of(&snapshot->monitors[i], day);
	mark_all(&maker);
	for (size_t i = 0; i < count * UPTIME_DAYS; i++)
		bars->looks |= 1U << bars->bars[i].look;
	make_groups(bars, view);
}
