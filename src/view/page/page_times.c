#include "view/page/page_times.h"

#include "base/sorted.h"

enum {
	HOUR_S = 3600,
	HEIGHT = 100,
	TOP = 15,
	STEP = 10,
	DASH = 4,
	LINE_MIN_HOURS = 3, /* with fewer hours, the line would be hard to see */
};

/* The average response times of a system for each hour, oldest first. NULL: no successful check in
 * the hour. */
struct hours {
	const struct response_time *at[PAGE_RESPONSE_HOURS];
	size_t count; /* the number of hours that are not NULL */
	int64_t average_ms;
	int64_t max_ms; /* the highest average of an hour */
	int64_t slowest_ms;
};

static bool has_response(const struct response_time *row)
{
	return row && row->checks > row->failures;
}

static struct hours hours_of(const struct page_view *view, size_t at)
{
	const struct page_snapshot *snapshot = view->snapshot;
	const struct response_time *rows = snapshot->response_times;
	const size_t total = snapshot->response_time_count;
	const int64_t id = snapshot->monitors[at].id;
	const int64_t end = page_response_end(snapshot->now).s;
	int64_t sum = 0, checks = 0;
	struct hours hours = { 0 };
	if (!snapshot->has_response_times)
		return hours;
	for (size_t i = SORTED_PLACE(struct response_time, monitor_id, rows, total, id);
	     i < total && rows[i].monitor_id == id; i++) {
		int64_t ago = (end - rows[i].at.s) / HOUR_S;
		if (ago < 1 || ago > PAGE_RESPONSE_HOURS || !has_response(&rows[i]))
			continue;
		hours.at[PAGE_RESPONSE_HOURS - ago] = &rows[i];
		hours.count++;
		sum += rows[i].average_ms * (rows[i].checks - rows[i].failures);
		checks += rows[i].checks - rows[i].failures;
		if (rows[i].average_ms > hours.max_ms)
			hours.max_ms = rows[i].average_ms;
		if (rows[i].max_ms > hours.slowest_ms)
			hours.slowest_ms = rows[i].max_ms;
	}
	hours.average_ms = checks > 0 ? sum / checks : 0;
	return hours;
}

/* Appends the line, with gaps for hours without a response. An hour between two gaps is a dash. */
static void put_line(const struct page_view *view, const struct hours *hours)
{
	struct buf *out = view->out;
	const int64_t max = hours->max_ms > 0 ? hours->max_ms : 1;
	buf_puts(out, "<path d=\"");
	for (int64_t i = 0; i < PAGE_RESPONSE_HOURS; i++) {
		if (!hours->at[i])
			continue;
		bool begins = i == 0 || !hours->at[i - 1];
		bool ends = i + 1 == PAGE_RESPONSE_HOURS || !hours->at[i + 1];
		int64_t height = (HEIGHT - 2 * TOP) * hours->at[i]->average_ms / max;
		buf_printf(out, "%s%lld %lld%s", begins ? "M" : " ",
			   (long long)(STEP * i + STEP / 2 - (begins && ends ? DASH / 2 : 0)),
			   (long long)(HEIGHT - TOP - height), begins && ends ? "h4" : "");
	}
	buf_puts(out, "\"/>");
}

static const char *milliseconds(const struct page_view *view, int64_t number)
{
	return arena_printf(view->arena, "%lld", (long long)number);
}

void page_put_times(const struct page_view *view, size_t at)
{
	const struct hours hours = hours_of(view, at);
	if (hours.count == 0)
		return;
	/* The picture is hidden from screen readers: the sentence and the table have its data. */
	buf_puts(view->out, "<div class=\"times\">");
	if (hours.count >= LINE_MIN_HOURS) {
		buf_printf(view->out,
			   "<svg viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" "
			   "aria-hidden=\"true\">",
			   STEP * PAGE_RESPONSE_HOURS, HEIGHT);
		put_line(view, &hours);
		buf_puts(view->out, "</svg>");
	}
	buf_puts(view->out, "<p>");
	page_say_with(view, SAY_RESPONSE_TIME, 0,
		      WORD_VALUES({ "milliseconds", milliseconds(view, hours.average_ms) }));
	buf_puts(view->out, "</p></div>\n");
}

static void put_cell(const struct page_view *view, int64_t number)
{
	buf_puts(view->out, "<td>");
	page_say_with(view, SAY_MILLISECONDS, 0,
		      WORD_VALUES({ "milliseconds", milliseconds(view, number) }));
	buf_puts(view->out, "</td>");
}

static void put_rows(const struct page_view *view, const struct page_monitor *monitor,
		     const struct hours *hours)
{
	struct buf *out = view->out;
	const int64_t first =
		page_response_end(view->snapshot->now).s - PAGE_RESPONSE_HOURS * (int64_t)HOUR_S;
	buf_puts(out, "<tbody><tr><th colspan=\"3\" scope=\"rowgroup\" dir=\"auto\">");
	page_put_name(view, monitor->name);
	buf_puts(out, "</th></tr>\n");
	for (int64_t i = 0; i < PAGE_RESPONSE_HOURS; i++) {
		const struct local_time start =
			locale_time(view->locale, (struct instant){ first + i * HOUR_S });
		buf_printf(out, "<tr><th scope=\"row\">%02d:%02d</th>", start.hour, start.minute);
		if (hours->at[i]) {
			put_cell(view, hours->at[i]->average_ms);
			put_cell(view, hours->at[i]->max_ms);
		} else {
			page_say_in(view, "<td colspan=\"2\">", SAY_DAY_NO_DATA, "</td>");
		}
		buf_puts(out, "</tr>\n");
	}
	buf_puts(out, "</tbody>\n");
}

static void put_row(const struct page_view *view, const struct page_monitor *monitor,
		    const struct hours *hours)
{
	buf_puts(view->out, "<tr><th scope=\"row\" dir=\"auto\">");
	page_put_name(view, monitor->name);
	buf_puts(view->out, "</th>");
	put_cell(view, hours->average_ms);
	put_cell(view, hours->slowest_ms);
	buf_puts(view->out, "</tr>\n");
}

static void put_heading(const struct page_view *view, bool is_short)
{
	struct buf *out = view->out;
	page_say_in(view, "<details class=\"table\"><summary>", SAY_RESPONSE_TABLE,
		    "</summary>\n<table><thead><tr><th scope=\"col\">");
	page_say_with(view, is_short ? SAY_SYSTEMS : SAY_HOURS_HEADING, 0,
		      WORD_VALUES({ "zone", locale_zone_name(view->locale, view->snapshot->now) }));
	buf_puts(out, "</th>");
	page_say_in(view, "<th scope=\"col\">", SAY_AVERAGE, "</th>");
	page_say_in(view, "<th scope=\"col\">", SAY_SLOWEST, "</th></tr></thead>\n");
}

void page_put_times_table(const struct page_view *view, bool is_short)
{
	bool is_begun = false;
	for (size_t i = 0; i < view->snapshot->monitor_count; i++) {
		const struct hours hours = hours_of(view, i);
		if (hours.count == 0)
			continue;
		if (!is_begun)
			put_heading(view, is_short);
		is_begun = true;
		(is_short ? put_row : put_rows)(view, &view->snapshot->monitors[i], &hours);
	}
	if (is_begun)
		buf_puts(view->out, "</table></details>\n");
}
