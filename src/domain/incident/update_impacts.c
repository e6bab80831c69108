#include "domain/incident/update_impacts.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

static int by_id(const void *a, const void *b)
{
	const struct update_impact *left = a, *right = b;
	return (left->monitor_id > right->monitor_id) - (left->monitor_id < right->monitor_id);
}

static void sort(struct update_impacts *impacts)
{
	if (impacts->count > 0)
		qsort(impacts->rows, impacts->count, sizeof(*impacts->rows), by_id);
}

const struct update_impact *update_impacts_find(const struct update_impacts *impacts,
						int64_t monitor_id)
{
	const struct update_impact key = { .monitor_id = monitor_id };
	return impacts->count > 0 ? bsearch(&key, impacts->rows, impacts->count, sizeof(key), by_id)
				  : NULL;
}

const char *update_impacts_text(const struct incident_monitor *before, size_t count,
				const struct incident *incident, struct arena *arena)
{
	enum { ROW_MAX_BYTES = 32 };
	struct update_impacts earlier = { ARENA_ARRAY(arena, count, struct update_impact), count };
	struct update_impacts now = { ARENA_ARRAY(arena, incident->monitor_count,
						  struct update_impact),
				      incident->monitor_count };
	struct buf text CLEANUP(buf_done) = BUF_INIT(ROW_MAX_BYTES * (now.count + 1));
	for (size_t i = 0; i < count; i++)
		earlier.rows[i] =
			(struct update_impact){ before[i].id, before[i].impact, before[i].impact };
	sort(&earlier);
	for (size_t i = 0; i < now.count; i++) {
		const struct incident_monitor *monitor = &incident->monitors[i];
		const struct update_impact *was = update_impacts_find(&earlier, monitor->id);
		now.rows[i] = (struct update_impact){ monitor->id,
						      was ? was->after : (int)INCIDENT_IMPACT_NONE,
						      monitor->impact };
	}
	sort(&now);
	for (size_t i = 0; i < now.count; i++)
		buf_printf(&text, "%s%lld:%d:%d", i > 0 ? "," : "",
			   (long long)now.rows[i].monitor_id, now.rows[i].before,
			   now.rows[i].after);
	return text.len > 0 && buf_ok(&text) ? arena_strndup(arena, text.data, text.len) : NULL;
}

/* Reads a colon and a digit: the number of an enum incident_impact. */
static bool take_impact(const char **at, int *impact)
{
	if ((*at)[0] != ':' || (*at)[1] < '0' || (*at)[1] > '0' + INCIDENT_MAJOR_OUTAGE)
		return false;
	*impact = (*at)[1] - '0';
	*at += 2;
	return true;
}

struct update_impacts update_impacts_of(const char *text, struct arena *arena)
{
	struct update_impacts impacts = { 0 };
	size_t most = text ? 1 : 0;
	for (const char *at = text; at && *at; at++)
		most += *at == ',';
	impacts.rows = ARENA_ARRAY(arena, most, struct update_impact);
	while (text && *text) {
		char *end;
		struct update_impact row = { .monitor_id = strtoll(text, &end, 10) };
		text = end;
		if (!take_impact(&text, &row.before) || !take_impact(&text, &row.after))
			break;
		impacts.rows[impacts.count++] = row;
		text += *text == ',';
	}
	return impacts;
}
