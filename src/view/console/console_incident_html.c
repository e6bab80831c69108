#include "view/console/console_incident_html.h"

#include "domain/field_table.h"
#include "view/console/console_resource_html.h"
#include "view/console/console_value_html.h"
#include "view/html.h"
#include "view/mail_html.h"
#include "view/markdown.h"
#include "view/page.h"

const char *console_incident_title(const struct console_view *view, const struct incident *incident)
{
	struct buf title CLEANUP(buf_done) = BUF_INIT(8192);
	if (incident->title)
		return incident->title;
	if (!incident->monitor_name)
		return console_text(view, CONSOLE_NO_TITLE);
	/* Do not escape the name here: the callers escape the whole title. */
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

static const char *number(const struct console_view *view, int64_t value)
{
	return arena_printf(view->arena, "%lld", (long long)value);
}

static const char *update_path(const struct console_view *view,
			       const struct console_incident *screen, int64_t id)
{
	return arena_printf(view->arena, "incidents/%lld/updates/%lld",
			    (long long)screen->incident->row.id, (long long)id);
}

/* Appends the button that withdraws the newest update, while its messages are not sent yet. */
static void put_undo(struct buf *out, const struct console_view *view,
		     const struct console_incident *screen)
{
	if (screen->wait_s <= 0 || !screen->may_respond || !screen->audience.sends_messages)
		return;
	console_paragraph(out, view, CONSOLE_MESSAGES_WAIT,
			  WORD_VALUES({ "seconds", number(view, screen->wait_s) }));
	console_put_form(
		out, view,
		&(struct console_form){
			.path = arena_printf(view->arena, "%s/withdraw",
					     update_path(view, screen, screen->waiting_id)),
			.button = CONSOLE_WITHDRAW,
			.is_once = true,
			.is_plain = true });
}

void console_put_audience(struct buf *out, const struct console_view *view,
			  const struct audience *audience)
{
	enum console_sentence sentence = audience->is_bound ? CONSOLE_AUDIENCE_AT_MOST
							    : CONSOLE_AUDIENCE;
	if (audience->by_mail + audience->by_webhook + audience->channels == 0)
		sentence = CONSOLE_NO_AUDIENCE;
	if (!audience->sends_messages)
		sentence = CONSOLE_SENDS_NOTHING;
	console_paragraph(out, view, sentence,
			  WORD_VALUES({ "mail", number(view, audience->by_mail) },
				      { "webhook", number(view, audience->by_webhook) },
				      { "channels", number(view, audience->channels) }));
	if (audience->sends_messages && !audience->sends_mail)
		console_element(out, view, "p", CONSOLE_SENDS_NO_MAIL);
}

static void put_pending(struct buf *out, const struct console_view *view,
			const struct console_pending_row *row)
{
	const struct pending_update *update = row->update;
	const struct field *kind = fields_find(pending_update_fields, "kind");
	const char *path = arena_printf(view->arena, "pending/%lld", (long long)update->id);
	const struct console_form publish = { .path = arena_printf(view->arena, "%s/publish", path),
					      .button = CONSOLE_PUBLISH,
					      .form_key = row->form_key };
	const struct console_form decline = { .path = arena_printf(view->arena, "%s/decline", path),
					      .button = CONSOLE_DECLINE,
					      .is_once = true,
					      .is_plain = true };
	buf_puts(out, "<article class=\"row\">\n");
	console_paragraph(
		out, view, CONSOLE_PENDING,
		WORD_VALUES({ "kind", console_choice_text(view, kind, (size_t)update->kind) },
			    { "who", update->author_label }));
	console_put_members(out, view, row->members);
	if (update->incident_id > 0)
		console_link(
			out, view,
			arena_printf(view->arena, "incidents/%lld", (long long)update->incident_id),
			CONSOLE_SHOW_INCIDENT);
	if (row->may_publish)
		console_put_form(out, view, &publish);
	else if (row->may_decline)
		console_element(out, view, "p", CONSOLE_ANOTHER_PERSON);
	if (row->may_decline) {
		console_put_form(out, view, &decline);
		console_put_curl(
			out, view,
			&(struct console_call){
				.method = "DELETE",
				.url = arena_printf(view->arena, "%s/api/v1/pending-updates/%lld",
						    view->base_url, (long long)update->id) });
	}
	buf_puts(out, "</article>\n");
}

void console_put_pending(struct buf *out, const struct console_view *view,
			 const struct console_pending *pending)
{
	enum { HTML_MAX = 5 << 10 };
	const size_t begin = out->len;
	for (size_t i = 0; i < pending->count && out->len - begin < HTML_MAX; i++)
		put_pending(out, view, &pending->rows[i]);
}

/* Returns the address of the incidents in the API, followed by `path`. */
static const char *api_url(const struct console_view *view, const char *path)
{
	return arena_printf(view->arena, "%s/api/v1/incidents%s", view->base_url, path);
}

/* Appends the form that chooses a template. It stands first, because choosing a template discards
 * everything that was typed in the report. */
static void put_templates(struct buf *out, const struct console_view *view,
			  const struct console_report *report)
{
	if (report->template_count == 0)
		return;
	buf_puts(out, "<form>\n");
	if (report->search[0])
		console_hidden(out, "search", report->search);
	buf_puts(out, "<label for=\"template_id\">");
	console_say(out, view->words, CONSOLE_TEMPLATE, NULL);
	buf_puts(out, "</label>\n<select id=\"template_id\" name=\"template_id\">\n");
	for (size_t i = 0; i < report->template_count; i++) {
		buf_printf(out, "<option value=\"%lld\">", (long long)report->templates[i].id);
		html_text(out, report->templates[i].name);
		buf_puts(out, "</option>\n");
	}
	buf_puts(out, "</select>\n");
	console_element(out, view, "button class=\"plain\"", CONSOLE_USE_TEMPLATE);
	buf_puts(out, "</form>\n");
}

void console_report_html(struct buf *out, const struct console_view *view,
			 const struct console_report *report)
{
	console_begin(out, view, console_text(view, CONSOLE_REPORT));
	put_templates(out, view, report);
	/* The search stands above the report, because its GET request discards everything that was
	 * typed in the report. */
	if (report->has_more || report->search[0])
		console_put_search(out, view, report->search, report->template_id);
	console_form(out, view, "incidents/new");
	console_put_form_key(out, report->form_key);
	console_inputs(out, view, &report->inputs);
	console_put_audience(out, view, &report->audience);
	console_element(out, view, "button", CONSOLE_PUBLISH_INCIDENT);
	console_end_form(out, view, "incidents/new", "");
	console_put_curl(out, view,
			 &(struct console_call){ .method = "POST",
						 .url = api_url(view, ""),
						 .inputs = &report->inputs });
	console_end_scripted(out, view);
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

/* Appends only the newest updates, so that the screen stays small. */
static void put_updates(struct buf *out, const struct console_view *view,
			const struct console_incident *screen)
{
	const struct posted_updates *updates = &screen->incident->updates;
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
		if (screen->may_respond)
			console_link(out, view, update_path(view, screen, update->id),
				     CONSOLE_EDIT_OR_WITHDRAW);
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
	console_put_audience(out, view, &screen->audience);
	console_element(out, view, "button", CONSOLE_PUBLISH);
	console_end_form(out, view, arena_printf(view->arena, "incidents/%lld", id), "");
	console_put_curl(
		out, view,
		&(struct console_call){
			.method = "POST",
			.url = api_url(view, arena_printf(view->arena, "/%lld/updates", id)),
			.inputs = &screen->reply });
	console_element(out, view, "h2", CONSOLE_POSTMORTEM);
	console_form(out, view, arena_printf(view->arena, "incidents/%lld", id));
	console_put_form_key(out, console_key_of(view, "edit"));
	buf_printf(out, "<input type=\"hidden\" name=\"version\" value=\"%lld\">\n",
		   (long long)incident->revision);
	console_inputs(out, view, &screen->edit);
	console_element(out, view, "button", CONSOLE_SAVE);
	console_end_form(out, view, arena_printf(view->arena, "incidents/%lld/edit", id), "-edit");
	console_put_curl(out, view,
			 &(struct console_call){
				 .method = "PUT",
				 .url = api_url(view, arena_printf(view->arena, "/%lld", id)),
				 .inputs = &screen->edit });
	console_put_actions(out, view, screen->buttons, screen->principal,
			    arena_printf(view->arena, "incidents/%lld", id), NULL);
	console_put_action_calls(out, view, screen->buttons, screen->principal,
				 api_url(view, arena_printf(view->arena, "/%lld", id)));
}

void console_incident_html(struct buf *out, const struct console_view *view,
			   const struct console_incident *screen)
{
	const struct incident *incident = &screen->incident->row;
	console_begin(out, view, console_incident_title(view, incident));
	if (screen->notice)
		console_element(out, view, "p class=\"done\" role=\"status\"", *screen->notice);
	put_undo(out, view, screen);
	if (screen->problem)
		console_element(out, view, "p class=\"problem\" role=\"alert\"", *screen->problem);
	put_facts(out, view, screen->incident);
	console_put_pending(out, view, &screen->pending);
	put_updates(out, view, screen);
	if (incident->postmortem) {
		console_element(out, view, "h2", CONSOLE_POSTMORTEM_NOW);
		markdown_html(out, incident->postmortem, 3);
	}
	if (screen->may_respond)
		put_forms(out, view, screen);
	console_end_scripted(out, view);
}

/* Appends the subject and text of a message, such as a mail, as plain text. */
static void put_letter(struct buf *out, const struct console_view *view,
		       enum console_sentence heading, const char *subject, const struct buf *html)
{
	struct buf text CLEANUP(buf_done) = BUF_INIT(PAGE_FILE_MAX_BYTES);
	console_element(out, view, "h2", heading);
	mail_html_plain(&text, (struct str){ html->data ? html->data : "", html->len });
	buf_puts(out, "<h3>");
	html_text(out, subject);
	buf_puts(out, "</h3>\n<pre>");
	html_text(out, text.data ? text.data : "");
	buf_puts(out, "</pre>\n");
}

void console_put_message(struct buf *out, const struct console_view *view,
			 const struct page_snapshot *snapshot,
			 const struct page_message_event *events, size_t count)
{
	struct buf html CLEANUP(buf_done) = BUF_INIT(PAGE_FILE_MAX_BYTES);
	struct page_message message;
	if (!snapshot->takes_subscribers || count == 0 ||
	    !page_message_make(&html, snapshot, events, count, view->arena, &message))
		console_element(out, view, "p", CONSOLE_PREVIEW_NO_MAIL);
	else
		put_letter(out, view, CONSOLE_PREVIEW_MAIL, message.subject, &html);
}

void console_put_feed_entry(struct buf *out, const struct console_view *view,
			    const struct page_snapshot *snapshot, bool is_window, int64_t id)
{
	struct buf html CLEANUP(buf_done) = BUF_INIT(PAGE_FILE_MAX_BYTES);
	const char *title = page_feed_entry(&html, snapshot, is_window, id, view->arena);
	if (title)
		put_letter(out, view, CONSOLE_PREVIEW_FEED, title, &html);
}
