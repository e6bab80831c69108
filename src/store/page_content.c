#include "store/page_content.h"

#include <stdlib.h>
#include <string.h>

#include "store/page_rows.h"

/* An incident, before its monitor may be known: rows come in any order. */
struct sighting {
	int64_t monitor_id;
	struct uptime_interval interval;
	struct incident *incident; /* NULL: only its interval is shown */
};

/* What a shown incident says; the other recent ones are only counted. */
struct text {
	int64_t incident_id;
	const char *title;
	const char *cause;
	const char *comment;
};

struct reading {
	struct page_content *content;
	struct arena *arena;
	struct instant now;
	size_t monitor_room;
	struct sighting *sightings;
	size_t sighting_count;
	size_t sighting_room;
	struct text *texts;
	size_t text_count;
	size_t text_room;
	struct incident **incidents;
	size_t month_room;
	struct incident *newest[PAGE_NEWEST_MAX];
	size_t newest_count;
};

static const char *keep(const struct reading *reading, const char *text)
{
	return text ? arena_strdup(reading->arena, text) : NULL;
}

static bool is_same(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0;
}

static void take_page(struct reading *reading, const struct page_row *row,
		      const struct page_content_query *query)
{
	struct page_content *content = reading->content;
	content->is_slug_taken |= is_same(row->slug, query->slug);
	content->is_domain_taken |= is_same(row->domain, query->domain);
	if (row->id != query->page_id)
		return;
	content->is_found = true;
	content->epoch = row->position;
	content->view.page = (struct status_page){
		.id = row->id,
		.account_id = row->account_id,
		.password_hash = keep(reading, row->password_hash),
		.revision = row->revision,
		.name = keep(reading, row->name),
		.slug = keep(reading, row->slug),
		.domain = keep(reading, row->domain),
		.privacy = row->privacy,
		.logo_file = keep(reading, row->logo_file),
		.favicon_file = keep(reading, row->favicon_file),
		.custom_css = keep(reading, row->custom_css),
		.custom_js = keep(reading, row->custom_js),
		.website_url = keep(reading, row->website_url),
		.contact_url = keep(reading, row->contact_url),
		.meta_title = keep(reading, row->meta_title),
		.meta_description = keep(reading, row->meta_description),
		.noindex = row->noindex,
		.show_causes = row->show_causes,
		.created_at = row->created_at,
		.updated_at = row->updated_at,
	};
}

static void take_monitor(struct reading *reading, const struct page_row *row)
{
	struct page_snapshot *view = &reading->content->view;
	view->monitors = arena_grow(reading->arena, view->monitors, view->monitor_count,
				    &reading->monitor_room, sizeof(*view->monitors));
	view->monitors[view->monitor_count++] = (struct page_monitor){
		.id = row->id,
		.position = row->position,
		.name = keep(reading, row->name),
		.created_at = row->created_at,
		.updated_at = row->updated_at,
		.known_since = row->started_at,
		.is_retired = row->ended_at.s > 0,
	};
}

static void take_incident(struct reading *reading, const struct page_row *row)
{
	reading->sightings = arena_grow(reading->arena, reading->sightings, reading->sighting_count,
					&reading->sighting_room, sizeof(*reading->sightings));
	struct sighting *sighting = &reading->sightings[reading->sighting_count++];
	*sighting = (struct sighting){ .monitor_id = row->id,
				       .interval = { row->started_at, row->ended_at } };
	if (row->ended_at.s > 0 && row->ended_at.s < page_recent_start(reading->now).s)
		return;
	sighting->incident = ARENA_NEW(reading->arena, struct incident);
	*sighting->incident = (struct incident){
		.id = row->incident_id,
		.monitor_id = row->id,
		.cause = "",
		.started_at = row->started_at,
		.acknowledged_at = row->acknowledged_at,
		.ended_at = row->ended_at,
		.updated_at = row->updated_at,
	};
}

static void take_text(struct reading *reading, const struct page_row *row)
{
	reading->texts = arena_grow(reading->arena, reading->texts, reading->text_count,
				    &reading->text_room, sizeof(*reading->texts));
	reading->texts[reading->text_count++] = (struct text){
		.incident_id = row->incident_id,
		.title = keep(reading, row->name),
		.cause = keep(reading, row->cause),
		.comment = keep(reading, row->comment),
	};
}

static void take_newest(struct reading *reading, const struct page_row *row)
{
	if (reading->newest_count == PAGE_NEWEST_MAX)
		return;
	struct incident *incident = ARENA_NEW(reading->arena, struct incident);
	*incident = (struct incident){
		.id = row->incident_id,
		.monitor_id = row->id,
		.title = keep(reading, row->name),
		.cause = keep(reading, row->cause),
		.comment = keep(reading, row->comment),
		.started_at = row->started_at,
		.acknowledged_at = row->acknowledged_at,
		.ended_at = row->ended_at,
		.updated_at = row->updated_at,
	};
	reading->newest[reading->newest_count++] = incident;
}

static int compare_ints(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int by_position(const void *a, const void *b)
{
	const struct page_monitor *left = a, *right = b;
	return compare_ints(left->position, right->position);
}

static int by_monitor_id(const void *a, const void *b)
{
	struct page_monitor *const *left = a, *const *right = b;
	return compare_ints((*left)->id, (*right)->id);
}

static int by_monitor_and_start(const void *a, const void *b)
{
	const struct sighting *left = a, *right = b;
	int order = compare_ints(left->monitor_id, right->monitor_id);
	return order != 0 ? order : compare_ints(left->interval.from.s, right->interval.from.s);
}

static int by_incident_id(const void *a, const void *b)
{
	const struct text *left = a, *right = b;
	return compare_ints(left->incident_id, right->incident_id);
}

static void put_text(const struct reading *reading, struct incident *incident)
{
	struct text wanted = { .incident_id = incident->id };
	const struct text *found = reading->text_count > 0
					   ? bsearch(&wanted, reading->texts, reading->text_count,
						     sizeof(*reading->texts), by_incident_id)
					   : NULL;
	if (!found)
		return;
	incident->title = found->title;
	incident->cause = found->cause;
	incident->comment = found->comment;
}

static void show_incident(struct reading *reading, struct page_monitor *monitor,
			  struct incident *incident)
{
	struct page_snapshot *view = &reading->content->view;
	incident->monitor_name = monitor->name;
	put_text(reading, incident);
	reading->incidents[view->incident_count++] = incident;
	/* An incident of a retired monitor stands in the log, and is no state of the page. */
	if (incident->ended_at.s == 0 && !monitor->is_retired) {
		monitor->open = incident;
		view->down_count++;
	}
}

/* The monitor's days and incidents, from what was seen of it; how many of those there are. */
static size_t finish_monitor(struct reading *reading, struct page_monitor *monitor, size_t from,
			     struct uptime_interval *intervals)
{
	size_t count = 0;
	for (; from + count < reading->sighting_count; count++) {
		const struct sighting *sighting = &reading->sightings[from + count];
		if (sighting->monitor_id != monitor->id)
			break;
		intervals[count] = sighting->interval;
		if (sighting->incident)
			show_incident(reading, monitor, sighting->incident);
	}
	struct instant from_when = reading->now;
	/* A record that begins this second has a second: its day is not without data. */
	if (monitor->known_since.s > 0)
		from_when.s = monitor->known_since.s < reading->now.s ? monitor->known_since.s
								      : reading->now.s - 1;
	uptime_fill(intervals, count, from_when, reading->now, monitor->days);
	return count;
}

static int newest_first(const void *a, const void *b)
{
	const struct incident *left = *(struct incident *const *)a;
	const struct incident *right = *(struct incident *const *)b;
	if (left->started_at.s != right->started_at.s)
		return left->started_at.s < right->started_at.s ? 1 : -1;
	return left->id < right->id ? 1 : -1;
}

static int monitor_by_id(const void *id, const void *monitor)
{
	return compare_ints(*(const int64_t *)id, (*(struct page_monitor *const *)monitor)->id);
}

/* The newest incidents, in order and with the names of their monitors, sorted by id. */
static void name_newest(struct reading *reading, struct page_monitor *const *by_id)
{
	struct page_snapshot *view = &reading->content->view;
	view->newest = ARENA_ARRAY(reading->arena, reading->newest_count, const struct incident *);
	qsort(reading->newest, reading->newest_count, sizeof(*reading->newest), newest_first);
	for (size_t i = 0; i < reading->newest_count; i++) {
		struct incident *incident = reading->newest[i];
		struct page_monitor *const *monitor = bsearch(&incident->monitor_id, by_id,
							      view->monitor_count, sizeof(*by_id),
							      monitor_by_id);
		incident->monitor_name = monitor ? (*monitor)->name : "";
		view->newest[view->newest_count++] = incident;
	}
}

/* A retired monitor is no system of the page; its incidents stay in the log. */
static void drop_retired(struct page_snapshot *view)
{
	size_t kept = 0;
	for (size_t i = 0; i < view->monitor_count; i++) {
		if (view->monitors[i].is_retired)
			continue;
		view->no_data_count += page_monitor_state(&view->monitors[i]) == SYSTEM_NO_DATA;
		view->monitors[kept++] = view->monitors[i];
	}
	view->monitor_count = kept;
}

/* Brings monitors and what was seen of them together, each in its order. */
static void finish_monitors(struct reading *reading)
{
	struct page_snapshot *view = &reading->content->view;
	size_t seen = reading->sighting_count, from = 0;
	struct page_monitor **by_id =
		ARENA_ARRAY(reading->arena, view->monitor_count, struct page_monitor *);
	struct uptime_interval *intervals =
		ARENA_ARRAY(reading->arena, seen, struct uptime_interval);
	reading->incidents = ARENA_ARRAY(reading->arena, seen, struct incident *);
	if (view->monitor_count == 0)
		return;
	qsort(view->monitors, view->monitor_count, sizeof(*view->monitors), by_position);
	for (size_t i = 0; i < view->monitor_count; i++)
		by_id[i] = &view->monitors[i];
	qsort(by_id, view->monitor_count, sizeof(*by_id), by_monitor_id);
	if (seen > 0)
		qsort(reading->sightings, seen, sizeof(*reading->sightings), by_monitor_and_start);
	if (reading->text_count > 0)
		qsort(reading->texts, reading->text_count, sizeof(*reading->texts), by_incident_id);
	for (size_t i = 0; i < view->monitor_count; i++) {
		while (from < seen && reading->sightings[from].monitor_id < by_id[i]->id)
			from++;
		from += finish_monitor(reading, by_id[i], from, intervals);
	}
	name_newest(reading, by_id);
	drop_retired(view);
}

static void take_month(struct reading *reading, const struct page_row *row)
{
	struct page_snapshot *view = &reading->content->view;
	char text[INSTANT_TEXT_SIZE];
	view->months = arena_grow(reading->arena, view->months, view->month_count,
				  &reading->month_room, sizeof(*view->months));
	view->months[view->month_count++] = (struct page_month){
		.start = row->started_at,
		.revision = row->revision,
		.name = arena_strndup(reading->arena, instant_format(row->started_at, text), 7),
	};
}

static int newest_month_first(const void *a, const void *b)
{
	const struct page_month *left = a, *right = b;
	return compare_ints(right->start.s, left->start.s);
}

static void sort_months(struct page_snapshot *view)
{
	if (view->month_count > 0)
		qsort(view->months, view->month_count, sizeof(*view->months), newest_month_first);
	if (view->month_count > PAGE_MONTHS_MAX)
		view->month_count = PAGE_MONTHS_MAX;
}

static void take_row(struct reading *reading, const struct page_row *row,
		     const struct page_content_query *query)
{
	switch (row->kind) {
	case PAGE_ROW_PAGE:
		take_page(reading, row, query);
		break;
	case PAGE_ROW_MONITOR:
		take_monitor(reading, row);
		break;
	case PAGE_ROW_INCIDENT:
		take_incident(reading, row);
		break;
	case PAGE_ROW_MONTH:
		take_month(reading, row);
		break;
	case PAGE_ROW_TEXT:
		take_text(reading, row);
		break;
	default:
		take_newest(reading, row);
	}
}

static enum result check_size(const struct reading *reading, struct error *error)
{
	if (reading->sighting_count > PAGE_INTERVALS_MAX)
		return error_log(error, E_FAILED,
				 "publish: the monitors have more than %d incidents in %d days",
				 PAGE_INTERVALS_MAX, UPTIME_DAYS);
	if (!arena_has_room(reading->arena))
		return error_log(error, E_FAILED,
				 "publish: the incidents take more memory than a page may");
	return OK;
}

static enum result take_rows(struct reading *reading, const struct page_content_query *query,
			     struct db_rows *found, struct error *error)
{
	struct arena row_arena CLEANUP(arena_done);
	struct page_row row;
	enum result result = OK;
	arena_init(&row_arena, 1 << 20);
	/* What is not kept of a row goes at once: there may be a hundred thousand. */
	for (; db_next(found, page_row_fields, &row, &row_arena); arena_reset(&row_arena)) {
		/* Rows come in any order, and the page's own is always wanted. */
		if (result == OK || row.kind == PAGE_ROW_PAGE)
			take_row(reading, &row, query);
		if (result == OK)
			result = check_size(reading, error);
	}
	reading->content->is_row_read = true;
	return result;
}

enum result page_content_read(struct db *db, const struct page_content_query *query,
			      struct arena *arena, struct page_content *content,
			      struct error *error)
{
	struct db_rows *found CLEANUP(db_rows_cleanup) = NULL;
	struct reading reading = { .content = content, .arena = arena, .now = query->now };
	*content = (struct page_content){ .view.now = query->now };
	enum result result = page_rows_read(db, query, &found, error);
	if (result == OK)
		result = take_rows(&reading, query, found, error);
	if (result != OK)
		return result;
	finish_monitors(&reading);
	sort_months(&content->view);
	if (content->view.incident_count > 0)
		qsort(reading.incidents, content->view.incident_count, sizeof(*reading.incidents),
		      newest_first);
	content->view.incidents = (const struct incident **)(void *)reading.incidents;
	return OK;
}
