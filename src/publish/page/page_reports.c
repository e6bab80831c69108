/* Writes the files of a page's reports, if their content may have changed. */
#include <string.h>

#include "base/secret.h"
#include "domain/page/page_report.h"
#include "publish/page/page_writer.h"
#include "store/snapshot/page_history.h"
#include "view/page.h"

static bool overlaps(const struct page_report_month *month, struct instant from, struct instant to)
{
	return from.s < month->to.s && (to.s == 0 || to.s >= month->from.s);
}

/* Whether the snapshot has all rows of the month. */
static bool is_at_hand(const struct page_snapshot *snapshot, const struct page_report_month *month)
{
	return month->from.s >= snapshot->calendar.starts[0].s;
}

static void add_interval(struct buf *text, int64_t id, const struct uptime_interval *interval)
{
	buf_printf(text, "%lld %lld-%lld %d%d%d\n", (long long)id, (long long)interval->from.s,
		   (long long)interval->to.s, interval->impact, interval->is_excluded,
		   interval->is_gap);
}

/* Adds the systems of the window to the text. Returns false if the window has no system of the
 * page. */
static bool add_systems(struct buf *text, const struct page_windows *windows,
			int64_t maintenance_id)
{
	bool is_any = false;
	for (size_t i = 0; i < windows->monitor_count; i++) {
		if (windows->monitors[i].maintenance_id != maintenance_id)
			continue;
		buf_printf(text, " %lld", (long long)windows->monitors[i].monitor_id);
		is_any = true;
	}
	return is_any;
}

static void add_windows(struct buf *text, const struct page_snapshot *snapshot,
			const struct page_report_month *month)
{
	const struct page_windows *windows = &snapshot->windows;
	int64_t last_id = 0;
	bool is_ours = false;
	for (size_t i = 0; i < windows->count; i++) {
		const struct page_window *window = &windows->rows[i];
		if (!overlaps(month, window->interval.from, window->interval.to))
			continue;
		if (window->maintenance_id != last_id)
			is_ours = add_systems(text, windows, window->maintenance_id);
		last_id = window->maintenance_id;
		if (!is_ours)
			continue;
		add_interval(text, window->maintenance_id, &window->interval);
		buf_printf(text, "%lld %d %s\n", (long long)window->ends_at.s,
			   window->ends_at.s <= snapshot->now.s, window->title);
	}
}

/* Adds the rows of a recent month. The snapshot has them, because it needs them for its bars. */
static void add_rows(struct buf *text, const struct page_snapshot *snapshot,
		     const struct page_report_month *month)
{
	for (size_t i = 0; i < snapshot->outage_count + snapshot->excused_count; i++) {
		const struct page_outage *outage = &snapshot->outages[i];
		const struct instant from = outage->excused_from.s > 0 ? outage->excused_from
								       : outage->interval.from;
		if (!overlaps(month, from, outage->interval.to))
			continue;
		add_interval(text, outage->monitor_id, &outage->interval);
		buf_printf(text, "%d %lld %lld %lld %lld %s\n", i < snapshot->outage_count,
			   (long long)outage->incident_id, (long long)outage->began_at.s,
			   (long long)outage->ended_at.s, (long long)outage->excused_from.s,
			   outage->title ? outage->title : "");
	}
	for (size_t i = 0; i < snapshot->gap_count; i++)
		if (overlaps(month, snapshot->gaps[i].interval.from, snapshot->gaps[i].interval.to))
			add_interval(text, snapshot->gaps[i].monitor_id,
				     &snapshot->gaps[i].interval);
	add_windows(text, snapshot, month);
}

/*
 * For an older month, whose rows the snapshot lacks: adds data that changes whenever these rows
 * change.
 * - The revisions of the page's months that overlap with the month.
 * - The open incidents: an open incident raises the revisions of its later months only when it
 *   ends.
 * The gaps of an older month do not change.
 */
static void add_revisions(struct buf *text, const struct page_snapshot *snapshot,
			  const struct page_report_month *month)
{
	for (size_t i = 0; i < snapshot->month_count; i++) {
		const struct page_month *of = &snapshot->months[i];
		if (overlaps(month, of->start, page_month_end(of)))
			buf_printf(text, "%s %lld\n", of->name, (long long)of->revision);
	}
	for (size_t i = 0; i < snapshot->incident_count; i++) {
		const struct incident *row = &snapshot->incidents[i].row;
		if (row->ended_at.s == 0 && row->started_at.s < month->to.s)
			buf_printf(text, "%lld %lld\n", (long long)row->id,
				   (long long)row->updated_at.s);
	}
}

static const char *digest_of(const struct page_writing *writing, size_t at, const char *frame)
{
	const struct page_snapshot *snapshot = writing->snapshot;
	const struct page_report_month *month = &snapshot->reports[at];
	struct buf text CLEANUP(buf_done) = BUF_INIT(PUBLISH_PAGE_MAX_BYTES);
	buf_printf(&text, "%s %s %d%d\n", frame, month->name, at > 0,
		   at + 1 < snapshot->report_count);
	/* Add the date, so that the present month is written at least once a day. */
	if (month->to.s > snapshot->now.s)
		buf_printf(&text, "%lld\n",
			   (long long)snapshot->calendar.starts[UPTIME_DAYS - 1].s);
	if (is_at_hand(snapshot, month))
		add_rows(&text, snapshot, month);
	else
		add_revisions(&text, snapshot, month);
	return secret_digest_fast(writing->publisher->arena, &(struct str){ text.data, text.len },
				  1);
}

/* The files of a month. */
struct report_files {
	const char *digest;
	const char *page, *table;
	bool wants_page, wants_table; /* the disk lacks the page or the table */
};

static struct report_files keep_files(struct page_writing *writing, size_t at, const char *frame)
{
	struct arena *arena = writing->publisher->arena;
	const struct page_report_month *month = &writing->snapshot->reports[at];
	struct report_files files = {
		.digest = digest_of(writing, at, frame),
		.page = page_report_file(arena, month, "html"),
		.table = page_report_file(arena, month, "csv"),
	};
	files.wants_page = !page_output_keep(&writing->output, files.page, files.digest);
	files.wants_table = !page_output_keep(&writing->output, files.table, files.digest);
	return files;
}

static enum result put_report(struct page_writing *writing, const struct page_snapshot *from,
			      size_t at, const struct report_files *files, struct error *error)
{
	struct page_output *output = &writing->output;
	struct page_report report;
	struct arena arena CLEANUP(arena_done);
	enum result result = OK;
	arena_init(&arena, PUBLISH_PAGE_MAX_BYTES);
	page_report_make(&report, from, &from->reports[at], &arena);
	if (files->wants_page) {
		page_report(&output->text, from, &report, &from->reports[at], &arena);
		result = page_output_text(output, files->page, files->digest, error);
	}
	if (result == OK && files->wants_table) {
		page_report_csv(&output->text, from, &report, &arena);
		result = page_output_text(output, files->table, files->digest, error);
	}
	return result;
}

/* Reads into `past` the rows of the wanted months that the snapshot lacks. If the history is too
 * large, reads nothing: the page then has only the reports of the last months. */
static enum result read_past(struct page_writing *writing, const struct report_files *files,
			     struct page_snapshot *past, struct arena *arena, struct error *error)
{
	const struct page_snapshot *snapshot = writing->snapshot;
	struct instant since = { 0 };
	for (size_t i = 0; i < snapshot->report_count; i++)
		if ((files[i].wants_page || files[i].wants_table) &&
		    !is_at_hand(snapshot, &snapshot->reports[i]))
			since = snapshot->reports[i].from;
	past->report_count = 0;
	if (since.s == 0)
		return OK;
	enum result result =
		page_history_read_past(writing->publisher->db, snapshot, since, arena, past, error);
	if (result != E_TOO_LARGE)
		return result;
	past->report_count = 0;
	*error = (struct error){ 0 };
	return OK;
}

enum result page_reports_put(struct page_writing *writing, const char *frame, struct error *error)
{
	const struct page_snapshot *snapshot = writing->snapshot;
	struct report_files *files =
		ARENA_ARRAY(writing->publisher->arena, PAGE_REPORTS_MAX, struct report_files);
	struct page_snapshot past;
	struct arena arena CLEANUP(arena_done);
	arena_init(&arena, PUBLISH_PAGE_MAX_BYTES);
	for (size_t i = 0; i < snapshot->report_count; i++)
		files[i] = keep_files(writing, i, frame);
	enum result result = read_past(writing, files, &past, &arena, error);
	for (size_t i = 0; result == OK && i < snapshot->report_count; i++) {
		const struct page_snapshot *from =
			is_at_hand(snapshot, &snapshot->reports[i]) ? snapshot : &past;
		if ((files[i].wants_page || files[i].wants_table) && i < from->report_count)
			result = put_report(writing, from, i, &files[i], error);
	}
	return result;
}
