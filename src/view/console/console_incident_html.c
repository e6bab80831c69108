#include "view/console/console_incident_html.h"

#include "view/console/console_resource_html.h"
#include "view/html.h"
#include "view/markdown.h"

const char *console_incident_title(const struct console_view *view, const struct incident *incident)
{
	struct buf title CLEANUP(buf_done) = BUF_INIT(8192);
	if (incident->title)
		return incident->title;
	if (!incident->monitor_name)
		return console_text(view, CONSOLE_NO_TITLE);
	/* The values become text of an element, which escapes them. */
	console_say_html(&title, view->words, CONSOLE_IS_DOWN,
			 WORD_VALUES({ "monitor", incident->monitor_name }));
	return arena_strndup(view->arena, title.data, title.len);
}

void console_put_incident_state(struct buf *out, const struct console_view *view,
				const struct incident_resource *shown)
{
	const struct incident *incident = &shown->row;
	buf_puts(out, "<p><b>");
	console_say(out, view->words, CONSOLE_IMPACT_NONE + (enum console_sentence)shown->impact,
		    NULL);
	buf_puts(out, "</b> ");
	console_say_html(
		out, view->words, CONSOLE_SINCE,
		WORD_VALUES({ "time", html_time(&view->locale, incident->started_at, view->arena) },
			    { "duration", html_duration(&view->locale,
							shown->duration > 0 ? shown->duration : 0,
							view->arena) }));
	buf_puts(out, ". ");
	console_say(out, view->words,
		    CONSOLE_INVESTIGATING + (enum console_sentence)incident->phase, NULL);
	buf_puts(out, ".</p>\n");
}

void console_put_incident_link(struct buf *out, const struct console_view *view,
			       const struct incident_resource *shown)
{
	if (!shown->url)
		return;
	buf_puts(out, "<p><a href=\"");
	html_url(out, shown->url);
	buf_puts(out, "\" rel=\"noopener\">");
	console_say(out, view->words, CONSOLE_SHOW_PAGE, NULL);
	buf_puts(out, "</a></p>\n");
}

void console_report_html(struct buf *out, const struct console_view *view,
			 const struct console_report *report)
{
	console_begin(out, view, console_text(view, CONSOLE_REPORT));
	/* A form of its own, since its GET must not lose what was typed unnoticed: it comes first.
	 */
	if (report->has_more || report->search[0])
		console_put_search(out, view, report->search);
	console_form(out, view, "incidents/new");
	console_put_form_key(out, report->form_key);
	console_inputs(out, view, &report->inputs);
	console_element(out, view, "button", CONSOLE_PUBLISH_INCIDENT);
	buf_puts(out, "</form>\n");
	console_end(out);
}

static void put_facts(struct buf *out, const struct console_view *view,
		      const struct incident_resource *shown)
{
	const struct incident *incident = &shown->row;
	console_put_incident_state(out, view, shown);
	if (incident->cause && incident->cause[0])
		console_paragraph(out, view, CONSOLE_CAUSE,
				  WORD_VALUES({ "cause", incident->cause }));
	console_put_incident_link(out, view, shown);
}

/* The newest updates, so that the screen stays small. */
static void put_updates(struct buf *out, const struct console_view *view,
			const struct posted_updates *updates)
{
	enum { UPDATES_MAX = 20, HTML_MAX = 12 << 10 };
	const size_t begin = out->len;
	console_element(out, view, "h2", CONSOLE_UPDATES);
	if (updates->count == 0)
		console_element(out, view, "p", CONSOLE_NO_UPDATES);
	for (size_t i = 0; i < updates->count && i < UPDATES_MAX; i++) {
		const struct posted_update *update = &updates->rows[i];
		if (out->len - begin > HTML_MAX) {
			console_element(out, view, "p", CONSOLE_OLDER_ON_PAGE);
			return;
		}
		buf_puts(out, "<article class=\"row\">\n<p><b>");
		console_say(out, view->words,
			    CONSOLE_INVESTIGATING + (enum console_sentence)update->phase, NULL);
		buf_puts(out, "</b> ");
		buf_puts(out, html_time(&view->locale, update->at, view->arena));
		buf_puts(out, "</p>\n");
		markdown_html(out, update->body, 3);
		buf_puts(out, "</article>\n");
	}
}

static void put_forms(struct buf *out, const struct console_view *view,
		      const struct console_incident *screen)
{
	const struct incident *incident = &screen->incident->row;
	long long id = (long long)incident->id;
	console_element(out, view, "h2", CONSOLE_REPLY);
	console_form(out, view, arena_printf(view->arena, "incidents/%lld/reply", id));
	console_put_form_key(out, screen->form_key);
	console_inputs(out, view, &screen->reply);
	console_element(out, view, "button", CONSOLE_PUBLISH);
	buf_puts(out, "</form>\n");
	console_element(out, view, "h2", CONSOLE_POSTMORTEM);
	console_form(out, view, arena_printf(view->arena, "incidents/%lld", id));
	buf_printf(out, "<input type=\"hidden\" name=\"version\" value=\"%lld\">\n",
		   (long long)incident->revision);
	console_inputs(out, view, &screen->edit);
	console_element(out, view, "button", CONSOLE_SAVE);
	buf_puts(out, "</form>\n");
}

void console_incident_html(struct buf *out, const struct console_view *view,
			   const struct console_incident *screen)
{
	const struct incident *incident = &screen->incident->row;
	console_begin(out, view, console_incident_title(view, incident));
	if (screen->notice)
		console_element(out, view, "p class=\"done\" role=\"status\"", *screen->notice);
	if (screen->problem)
		console_element(out, view, "p class=\"problem\" role=\"alert\"", *screen->problem);
	put_facts(out, view, screen->incident);
	put_updates(out, view, &screen->incident->updates);
	if (incident->postmortem) {
		console_element(out, view, "h2", CONSOLE_POSTMORTEM_NOW);
		markdown_html(out, incident->postmortem, 3);
	}
	if (screen->may_respond)
		put_forms(out, view, screen);
	console_end(out);
}
