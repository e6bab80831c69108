#include "publish/page/page_writer.h"

#include <string.h>

#include "base/secret.h"
#include "domain/page/page_maintenance.h"
#include "publish/page/page_incidents.h"
#include "store/snapshot/page_history.h"
#include "view/page.h"
#include "view/renderer.h"
#include "view/words/words_file.h"

/*
 * Returns the digest of the data on which the files of all months depend, such as the version of
 * the renderer and the names of monitors, but without the rows of the months. If it changes, all
 * months are rendered again.
 */
static const char *frame_digest(const struct page_writing *writing)
{
	const struct page_snapshot *snapshot = writing->snapshot;
	struct arena *arena = writing->publisher->arena;
	struct buf text CLEANUP(buf_done) = BUF_INIT(PAGE_FILE_MAX_BYTES);
	page_history_frame(&text, snapshot, arena);
	page_incident_frame(&text, snapshot, arena);
	if (snapshot->has_maintenance)
		page_maintenance_frame(&text, snapshot, arena);
	buf_printf(&text, "%s%s %d %s\n", renderer_id, words_file_id(), snapshot->page.show_causes,
		   zone_name(status_page_zone(&snapshot->page)));
	for (size_t i = 0; i < snapshot->monitor_count; i++)
		buf_printf(&text, "%lld %s %s %lld\n", (long long)snapshot->monitors[i].id,
			   snapshot->monitors[i].name,
			   snapshot->monitors[i].group ? snapshot->monitors[i].group : "",
			   (long long)snapshot->monitors[i].known_since.s);
	return secret_digest_fast(arena, &(struct str){ text.data, text.len }, 1);
}

/* Adds the month's maintenance windows to the digest, and which of them have ended: the clock ends
 * a window without a change in the database. */
static void add_windows(struct buf *text, const struct page_snapshot *snapshot,
			const struct page_month *month)
{
	const struct page_windows *windows = &snapshot->windows;
	const struct instant end = page_month_end(month);
	int64_t last_id = 0;
	bool is_ours = false;
	for (size_t i = 0; end.s > snapshot->calendar.starts[0].s && i < windows->count; i++) {
		const struct page_window *window = &windows->rows[i];
		struct instant to = window->interval.to;
		if (window->maintenance_id != last_id)
			is_ours = page_windows_concern(snapshot, window->maintenance_id);
		last_id = window->maintenance_id;
		if (is_ours && window->interval.from.s < end.s &&
		    (to.s == 0 || to.s >= month->start.s))
			buf_printf(text, " %lld-%lld-%lld-%d", (long long)window->maintenance_id,
				   (long long)window->interval.from.s, (long long)to.s,
				   to.s > 0 && to.s <= snapshot->now.s);
	}
}

/* Adds the month's open incidents to the digest: an incident raises the revisions of its months
 * only when it ends. In the current month an open incident has a line for each day, so also adds
 * the date. */
static void add_open(struct buf *text, const struct page_snapshot *snapshot,
		     const struct page_month *month)
{
	bool is_current = month->start.s == snapshot->month_start.s, is_any = false;
	for (size_t i = 0; i < snapshot->incident_count; i++) {
		const struct incident *incident = &snapshot->incidents[i].row;
		if (incident->ended_at.s > 0)
			continue;
		is_any |= is_current;
		if (page_month_has_earlier(month, incident, snapshot->now))
			buf_printf(text, " %lld %s", (long long)incident->id,
				   incident->title ? incident->title : "");
	}
	if (is_any)
		buf_printf(text, " until %lld",
			   (long long)snapshot->calendar.starts[UPTIME_DAYS - 1].s);
}

/* Returns the digest of a month's files. It covers the names of the next newer and older month,
 * because the page of the month links to them. */
static const char *month_digest(const struct page_writing *writing, size_t at, const char *frame)
{
	const struct page_snapshot *snapshot = writing->snapshot;
	const char *newer = at > 0 ? snapshot->months[at - 1].name : "";
	const char *older = at + 1 < snapshot->month_count ? snapshot->months[at + 1].name : "";
	struct buf text CLEANUP(buf_done) = BUF_INIT(PAGE_FILE_MAX_BYTES);
	bool has_report = page_report_month_of(snapshot, snapshot->months[at].name) != NULL;
	buf_printf(&text, "%s %lld %s %s %d", frame, (long long)snapshot->months[at].revision,
		   newer, older, has_report);
	add_windows(&text, snapshot, &snapshot->months[at]);
	add_open(&text, snapshot, &snapshot->months[at]);
	return secret_digest_fast(writing->publisher->arena, &(struct str){ text.data, text.len },
				  1);
}

/* The files of a month, and their common digest. is_wanted[i]: the disk lacks file i. */
struct month_files {
	const char *digest;
	const char *names[3];
	bool is_wanted[3];
};

/* Keeps the files that are on the disk. Returns a row for each month. Sets is_wanted[i] if the disk
 * lacks a file of month i. */
static struct month_files *keep_months(struct page_writing *writing, const char *frame,
				       bool *is_wanted)
{
	struct arena *arena = writing->publisher->arena;
	const struct page_snapshot *snapshot = writing->snapshot;
	struct month_files *months = ARENA_ARRAY(arena, snapshot->month_count, struct month_files);
	for (size_t i = 0; i < snapshot->month_count; i++) {
		struct month_files *files = &months[i];
		files->digest = month_digest(writing, i, frame);
		files->names[0] = page_month_file(arena, snapshot->months[i].name);
		files->names[1] =
			page_own_month_file(PAGE_OF_INCIDENT, snapshot->months[i].name, arena);
		files->names[2] =
			page_own_month_file(PAGE_OF_MAINTENANCE, snapshot->months[i].name, arena);
		for (size_t j = 0; j < ARRAY_LEN(files->names); j++)
			files->is_wanted[j] =
				(j < 2 || snapshot->has_maintenance) &&
				!page_output_keep(&writing->output, files->names[j], files->digest);
		is_wanted[i] = files->is_wanted[0] || files->is_wanted[1] || files->is_wanted[2];
	}
	return months;
}

static enum result put_month(struct page_writing *writing, size_t at,
			     const struct month_files *files, struct arena *arena,
			     struct error *error)
{
	struct page_snapshot *snapshot = writing->snapshot;
	struct page_output *output = &writing->output;
	enum result result = OK;
	if (files->is_wanted[0]) {
		page_history(&output->text, snapshot, at, arena);
		result = page_output_text(output, files->names[0], files->digest, error);
	}
	if (result == OK && files->is_wanted[1]) {
		page_incidents_month(&output->text, snapshot, &snapshot->months[at], arena);
		result = page_output_text(output, files->names[1], files->digest, error);
	}
	if (result == OK && files->is_wanted[2]) {
		page_maintenances_month(&output->text, snapshot, &snapshot->months[at], arena);
		result = page_output_text(output, files->names[2], files->digest, error);
	}
	return result;
}

static void forget_months(struct page_snapshot *snapshot, size_t from)
{
	for (size_t i = from; i < snapshot->month_count; i++) {
		const struct page_month *month = &snapshot->months[i];
		snapshot->months[i] = (struct page_month){ .start = month->start,
							   .revision = month->revision,
							   .name = month->name };
	}
}

/* Reads the month together with the next wanted months. If this needs too much memory, reads only
 * the month. */
static enum result read_months(struct page_writing *writing, const bool *is_wanted, size_t at,
			       struct arena *history, struct error *error)
{
	struct page_snapshot *snapshot = writing->snapshot;
	struct db *db = writing->publisher->db;
	/* Free the rows of the months that were read before: their files are already in the
	 * batch. */
	arena_reset(history);
	enum result result = page_history_read(db, snapshot, is_wanted, at, history, error);
	if (result != E_FAILED || arena_has_room(history))
		return result;
	bool *is_this = ARENA_ARRAY(writing->publisher->arena, snapshot->month_count, bool);
	is_this[at] = true;
	forget_months(snapshot, at);
	arena_reset(history);
	*error = (struct error){ 0 };
	return page_history_read(db, snapshot, is_this, at, history, error);
}

static enum result put_wanted(struct page_writing *writing, const char *frame, struct error *error)
{
	struct arena *arena = writing->publisher->arena;
	struct page_snapshot *snapshot = writing->snapshot;
	bool *is_wanted = ARENA_ARRAY(arena, snapshot->month_count, bool);
	const struct month_files *months = keep_months(writing, frame, is_wanted);
	struct arena history CLEANUP(arena_done);
	enum result result = OK;
	/* Use a separate arena: the arena of the group has the rows of all its pages. */
	arena_init(&history, PUBLISH_PAGE_MAX_BYTES);
	for (size_t i = 0; result == OK && i < snapshot->month_count; i++) {
		if (!is_wanted[i])
			continue;
		if (!snapshot->months[i].is_read)
			result = read_months(writing, is_wanted, i, &history, error);
		if (result == OK)
			result = put_month(writing, i, &months[i], &history, error);
	}
	return result;
}

/* Writes the pages of incidents. Renders each page to find out whether it has changed, because no
 * revision covers all the data that the page shows. */
static enum result put_incidents(struct page_writing *writing, struct error *error)
{
	struct arena *arena = writing->publisher->arena;
	struct page_output *output = &writing->output;
	struct page_incident_choice choice;
	enum result result = OK;
	page_incidents_choose(writing->snapshot, &choice);
	for (size_t i = 0; result == OK && i < choice.count; i++) {
		const struct page_incident *incident = choice.incidents[i];
		const char *name = page_incident_file_name(incident->row.id, arena);
		page_incident(&output->text, writing->snapshot, incident, arena);
		result = page_output_text(output, name, NULL, error);
	}
	return result;
}

/* Adds the pages of maintenance windows, all in one file, in the same way as put_incidents(). */
static enum result put_maintenances(struct page_writing *writing, struct error *error)
{
	struct page_output *output = &writing->output;
	if (!writing->snapshot->has_maintenance)
		return OK;
	page_maintenances_current(&output->text, writing->snapshot, writing->publisher->arena);
	return page_output_text(output,
				page_own_month_file(PAGE_OF_MAINTENANCE, PAGE_CURRENT_MONTH,
						    writing->publisher->arena),
				NULL, error);
}

enum result page_months_put(struct page_writing *writing, struct error *error)
{
	const struct page_snapshot *snapshot = writing->snapshot;
	const bool is_empty = snapshot->month_count == 0 && snapshot->newest_count == 0 &&
			      !snapshot->has_maintenance;
	if (is_empty && snapshot->report_count == 0)
		return OK;
	const char *frame = frame_digest(writing);
	enum result result = page_reports_put(writing, frame, error);
	if (result != OK || is_empty)
		return result;
	result = put_wanted(writing, frame, error);
	if (result == OK)
		result = put_incidents(writing, error);
	if (result == OK)
		result = put_maintenances(writing, error);
	if (result != OK || snapshot->month_count == 0)
		return result;
	page_incidents_months(&writing->output.text, writing->snapshot);
	return page_output_text(&writing->output, PAGE_INCIDENT_MONTHS_FILE, NULL, error);
}
