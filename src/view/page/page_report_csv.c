/* Writes the report of a month for spreadsheets, with a row for each system, group, incident and
 * window. */
#include "domain/page/page_report.h"
#include "view/page.h"
#include "view/words/page_words.h"
#include "wire/csv_rows.h"

#define HEAD \
	"type,name,group,starts_at,ends_at,duration,uptime,known_s,down_s,degraded_s," \
	"outage_count,maintenance_s,excluded_s,unobserved_s,impact,exclude_from_uptime," \
	"systems\r\n"

/* Appends the first columns: type, name and group. */
static void put_start(struct buf *out, const char *type, const char *name, const char *group)
{
	buf_printf(out, "%s,", type);
	csv_put(out, name);
	buf_putc(out, ',');
	csv_put(out, group ? group : "");
}

/* Appends the columns start, end and duration. If `to` is 0, the end is empty, and the duration is
 * the time until `now`. */
static void put_times(struct buf *out, struct instant from, struct instant to, struct instant now)
{
	char start[INSTANT_TEXT_SIZE], end[INSTANT_TEXT_SIZE];
	int64_t until = to.s > 0 ? to.s : now.s;
	buf_printf(out, ",%s,%s,%lld", instant_format(from, start),
		   to.s > 0 ? instant_format(to, end) : "",
		   (long long)(until > from.s ? until - from.s : 0));
}

static void put_figures(struct buf *out, const struct page_report *report, const char *type,
			const struct page_report_figures *figures)
{
	const int64_t seconds[] = { figures->known_s,	    figures->down_s,
				    figures->degraded_s,    figures->outage_count,
				    figures->maintenance_s, figures->excluded_s,
				    figures->unobserved_s };
	put_start(out, type, figures->name, figures->group);
	put_times(out, figures->known_since.s > 0 ? figures->known_since : report->month.from,
		  report->until, report->until);
	buf_putc(out, ',');
	if (figures->uptime.is_known)
		buf_printf(out, "%lld.%02lld", (long long)figures->uptime.hundredths / 100,
			   (long long)figures->uptime.hundredths % 100);
	for (size_t i = 0; i < ARRAY_LEN(seconds); i++)
		buf_printf(out, ",%lld", (long long)seconds[i]);
	buf_puts(out, ",,,\r\n");
}

/* Appends the systems as one value, and ends the row. */
static void put_systems(struct buf *out, const struct incident_monitor *monitors, size_t count,
			struct arena *arena)
{
	struct buf names CLEANUP(buf_done) = BUF_INIT(PAGE_FILE_MAX_BYTES);
	for (size_t i = 0; i < count; i++)
		buf_printf(&names, "%s%s", i > 0 ? "; " : "", monitors[i].name);
	csv_put(out, names.len > 0 ? arena_strndup(arena, names.data, names.len) : "");
	buf_puts(out, "\r\n");
}

void page_report_csv(struct buf *out, const struct page_snapshot *snapshot,
		     const struct page_report *report, struct arena *arena)
{
	const struct instant now = snapshot->now;
	buf_puts(out, HEAD);
	put_start(out, "month", report->month.name, NULL);
	put_times(out, report->month.from, report->until, now);
	buf_puts(out, ",,,,,,,,,,,\r\n");
	for (size_t i = 0; i < report->group_count; i++)
		put_figures(out, report, "group", &report->groups[i]);
	for (size_t i = 0; i < report->system_count; i++)
		put_figures(out, report, "system", &report->systems[i]);
	for (size_t i = 0; i < report->incident_count; i++) {
		const struct incident *row = &report->incidents[i].row;
		put_start(out, "incident", page_incident_name(snapshot, row, arena), NULL);
		put_times(out, row->started_at, row->ended_at, now);
		buf_printf(out, ",,,,,,,,,%s,%s,", incident_impact_words[row->impact],
			   row->exclude_from_uptime ? "true" : "false");
		put_systems(out, row->monitors, row->monitor_count, arena);
	}
	for (size_t i = 0; i < report->maintenance_count; i++) {
		const struct page_maintenance *row = &report->maintenances[i];
		put_start(out, "maintenance", row->title ? row->title : "", NULL);
		put_times(out, row->starts_at, row->ends_at, now);
		buf_puts(out, ",,,,,,,,,,,");
		put_systems(out, row->monitors, row->monitor_count, arena);
	}
}
