#include "view/console/console_now_html.h"

#include "base/str.h"
#include "view/console/console_incident_html.h"
#include "view/console/console_value_html.h"
#include "view/html.h"

static const char *number(const struct console_view *view, int64_t value)
{
	return arena_printf(view->arena, "%lld", (long long)value);
}

static const char *time_html(const struct console_view *view, struct instant at)
{
	return html_time(&view->locale, at, view->arena);
}

static const char *duration(const struct console_view *view, int64_t seconds)
{
	return html_duration(&view->locale, seconds > 0 ? seconds : 0, view->arena);
}

static void put_title(struct buf *out, const struct console_view *view,
		      const struct incident_resource *shown)
{
	const struct incident *incident = &shown->row;
	buf_printf(out, "<h3 id=\"title-%lld\">", (long long)incident->id);
	console_text_link(out, view,
			  arena_printf(view->arena, "incidents/%lld", (long long)incident->id),
			  console_incident_title(view, incident));
	buf_puts(out, "</h3>\n");
	console_put_incident_state(out, view, shown);
}

static void put_systems(struct buf *out, const struct console_view *view,
			const struct incident *incident)
{
	static const struct field rows[] = { FIELD(struct incident_monitor, name) };
	static const struct fields names = { rows, ARRAY_LEN(rows) };
	static const struct field systems =
		FIELD_ARRAY(struct incident, monitors, monitor_count, "monitors", &names);
	if (incident->monitor_count == 0 ||
	    (incident->kind == INCIDENT_DETECTED && !incident->title))
		return;
	console_paragraph(out, view, CONSOLE_SYSTEMS,
			  WORD_VALUES({ "names", console_names(view, &systems, incident) }));
}

static void put_texts(struct buf *out, const struct console_view *view,
		      const struct incident *incident)
{
	put_systems(out, view, incident);
	if (incident->cause && incident->cause[0])
		console_paragraph(
			out, view, CONSOLE_CAUSE,
			WORD_VALUES({ "cause", console_shortened(view, incident->cause) }));
	if (incident->comment)
		console_paragraph(
			out, view, CONSOLE_LAST_UPDATE,
			WORD_VALUES({ "text", console_shortened(view, incident->comment) }));
}

static void put_promise(struct buf *out, const struct console_view *view,
			const struct incident *incident)
{
	int64_t late_s = view->now.s - incident->next_update_at.s;
	if (incident->next_update_at.s == 0)
		return;
	buf_puts(out, late_s > 0 ? "<p class=\"late\">" : "<p>");
	console_say_html(out, view->words, late_s > 0 ? CONSOLE_OVERDUE : CONSOLE_PROMISED,
			 WORD_VALUES({ "time", time_html(view, incident->next_update_at) },
				     { "duration", duration(view, late_s) }));
	buf_puts(out, "</p>\n");
}

static void put_owner(struct buf *out, const struct console_view *view,
		      const struct console_now_row *row)
{
	const struct incident *incident = &row->incident->row;
	struct buf who CLEANUP(buf_done) = BUF_INIT(4096);
	buf_puts(out, "<p>");
	if (incident->acknowledged_at.s == 0) {
		console_say(out, view->words, CONSOLE_NOT_TAKEN, NULL);
	} else {
		html_text(&who, row->taken_by ? row->taken_by : "");
		console_say_html(
			out, view->words, row->taken_by ? CONSOLE_TAKEN : CONSOLE_TAKEN_BY_SOMEBODY,
			WORD_VALUES({ "who", who.data },
				    { "time", time_html(view, incident->acknowledged_at) }));
	}
	buf_puts(out, "</p>\n");
	console_put_incident_link(out, view, row->incident);
}

static void put_forms(struct buf *out, const struct console_view *view,
		      const struct console_now_row *row, const struct audience *audience)
{
	long long id = (long long)row->incident->row.id;
	console_form(out, view, arena_printf(view->arena, "incidents/%lld/reply", id));
	console_put_form_key(out, row->form_key);
	console_inputs(out, view, &row->reply);
	console_put_audience(out, view, audience);
	buf_printf(out, "<button aria-describedby=\"title-%lld\">", id);
	console_say(out, view->words, CONSOLE_PUBLISH, NULL);
	buf_puts(out, "</button>\n");
	if (row->incident->row.acknowledged_at.s == 0) {
		buf_puts(out, "<button class=\"plain\" formnovalidate formaction=\"");
		html_attr(out, view->root);
		buf_printf(out, "incidents/%lld/acknowledge\" aria-describedby=\"title-%lld\">", id,
			   id);
		console_say(out, view->words, CONSOLE_TAKE, NULL);
		buf_puts(out, "</button>\n");
	}
	buf_puts(out, "</form>\n");
}

static void put_row(struct buf *out, const struct console_view *view, const struct console_now *now,
		    const struct console_now_row *row)
{
	const struct incident *incident = &row->incident->row;
	buf_printf(out, "<article class=\"row\" aria-labelledby=\"title-%lld\">\n",
		   (long long)incident->id);
	put_title(out, view, row->incident);
	put_promise(out, view, incident);
	put_owner(out, view, row);
	put_texts(out, view, incident);
	if (now->may_respond)
		put_forms(out, view, row, &now->audience);
	buf_puts(out, "</article>\n");
}

/* Appends a paragraph with a link to a screen. The values are HTML. */
static void put_link(struct buf *out, const struct console_view *view, const char *path,
		     enum console_sentence sentence, const struct word_value *values)
{
	buf_puts(out, "<p><a href=\"");
	html_attr(out, view->root);
	buf_printf(out, "%s\">", path);
	console_say_html(out, view->words, sentence, values);
	buf_puts(out, "</a></p>\n");
}

static void put_maintenance(struct buf *out, const struct console_view *view,
			    const struct console_now *now)
{
	if (now->maintenance_now > 0)
		put_link(out, view, "maintenances", CONSOLE_MAINTENANCE_NOW,
			 WORD_VALUES({ "count", number(view, now->maintenance_now) }));
	if (now->maintenance_next.s > 0)
		put_link(out, view, "maintenances", CONSOLE_MAINTENANCE_NEXT,
			 WORD_VALUES({ "time", time_html(view, now->maintenance_next) }));
}

/* For each element of now->needs, the path of the screen where a person can act on it. */
static const char *const need_paths[] = {
	"incidents?status=open", "deliveries?state=failed", "channels", "pages", "health", "#main"
};
_Static_assert(ARRAY_LEN(need_paths) == ARRAY_LEN(((struct console_now *)0)->needs),
	       "one for each");

static void put_needs(struct buf *out, const struct console_view *view,
		      const struct console_now *now)
{
	bool is_empty = now->cut_off_since.s == 0 && now->mirror_count == 0;
	for (size_t i = 0; i < ARRAY_LEN(now->needs); i++)
		is_empty &= now->needs[i] == 0;
	console_element(out, view, "h2", CONSOLE_NEEDS_YOU);
	if (is_empty) {
		console_element(out, view, "p", CONSOLE_NEEDS_NOTHING);
		return;
	}
	for (size_t i = 0; i < ARRAY_LEN(now->needs); i++) {
		if (now->needs[i] == 0)
			continue;
		put_link(out, view, need_paths[i],
			 CONSOLE_OVERDUE_PROMISES + (enum console_sentence)i,
			 WORD_VALUES({ "count", number(view, now->needs[i]) }));
	}
	console_put_pending(out, view, &now->pending);
	if (now->cut_off_since.s > 0)
		put_link(out, view, "health", CONSOLE_CUT_OFF,
			 WORD_VALUES({ "duration",
				       duration(view, view->now.s - now->cut_off_since.s) }));
	for (size_t i = 0; i < now->mirror_count; i++)
		console_paragraph(out, view, CONSOLE_MIRROR_BEHIND,
				  WORD_VALUES({ "name", now->mirrors[i].name },
					      { "reason", now->mirrors[i].reason }));
}

void console_now_html(struct buf *out, const struct console_view *view,
		      const struct console_now *now)
{
	console_begin(out, view, console_text(view, CONSOLE_NOW));
	if (now->notice)
		console_element(out, view, "p class=\"done\" role=\"status\"", *now->notice);
	if (now->total == 0)
		console_element(out, view, "p", CONSOLE_ALL_WELL);
	else {
		buf_puts(out, "<h2>");
		console_say(out, view->words, CONSOLE_DOWN_NOW,
			    WORD_VALUES({ "count", number(view, now->total) }));
		buf_puts(out, "</h2>\n");
	}
	for (size_t i = 0; i < now->count; i++)
		put_row(out, view, now, &now->rows[i]);
	/* Append only one command line, as an example for all replies, so that the screen stays
	 * small. */
	if (now->may_respond && now->count > 0)
		console_put_curl(
			out, view,
			&(struct console_call){
				.method = "POST",
				.url = arena_printf(view->arena, "%s/api/v1/incidents/ID/updates",
						    view->base_url),
				.inputs = &now->rows[0].reply });
	if (now->has_more) {
		buf_puts(out, "<p><a href=\"");
		html_attr(out, view->root);
		buf_printf(out, "?page=%lld\">", (long long)now->page + 1);
		console_say(out, view->words, CONSOLE_MORE, NULL);
		buf_puts(out, "</a></p>\n");
	}
	put_maintenance(out, view, now);
	put_needs(out, view, now);
	console_end(out);
}

void console_health_html(struct buf *out, const struct console_view *view, struct fields fields,
			 const char *const *names, const void *object,
			 const struct console_now *needs)
{
	console_begin(out, view, console_text(view, CONSOLE_HEALTH));
	console_put_facts(out, view, fields, names, object);
	put_needs(out, view, needs);
	console_end(out);
}
