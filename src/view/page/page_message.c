#include "view/page/page_message.h"

#include <string.h>

#include "base/bidi.h"
#include "view/html.h"
#include "view/json/page_json_rows.h"
#include "view/mail_html.h"
#include "view/page.h"
#include "view/page/page_impact.h"
#include "view/page/page_markdown.h"
#include "view/page/page_texts.h"
#include "view/page/page_updates.h"
#include "view/words/page_words.h"

/* The incident or occurrence of a window that a message is about, and what is new about it. */
struct item {
	const struct page_incident *incident;
	const struct page_maintenance *window;
	struct page_update_list updates;
	bool *is_new;	 /* by the index of the update */
	bool is_soon;	 /* the window begins soon */
	bool is_changed; /* the times of the window were changed */
};

static const struct page_incident *find_incident(const struct page_snapshot *snapshot, int64_t id)
{
	for (size_t i = 0; i < snapshot->newest_count; i++)
		if (snapshot->newest[i].row.id == id)
			return &snapshot->newest[i];
	return NULL;
}

static const struct page_maintenance *find_window(const struct page_snapshot *snapshot,
						  const struct page_message_event *event)
{
	for (size_t i = 0; i < snapshot->maintenance_count; i++) {
		const struct page_maintenance *window = &snapshot->maintenances[i];
		if (window->window_id == event->object_id && !window->is_withdrawn &&
		    (event->starts_at.s == 0 || window->starts_at.s == event->starts_at.s))
			return window;
	}
	return NULL;
}

/*
 * Returns whether a message about the event shows the update at the index. Later updates have their
 * own events, perhaps in other messages. Neither the time nor the text identifies an update: people
 * may post it with a time in the past, and correct its text.
 */
static bool tells_of(const struct page_message_event *event, const struct page_update_list *updates,
		     size_t index)
{
	const struct page_update *update = &updates->rows[index];
	bool is_later = update->at.s > event->at.s;
	switch (event->kind) {
	case EVENT_INCIDENT_OPENED:
	case EVENT_INCIDENT_REPORTED:
	case EVENT_MAINTENANCE_SCHEDULED:
		return (index + 1 == updates->count || !is_later) && !update->is_postmortem;
	case EVENT_INCIDENT_POSTMORTEM:
		return update->is_postmortem;
	case EVENT_INCIDENT_RESOLVED:
		if (update->phase == PHASE_RESOLVED && !update->is_postmortem && !is_later)
			return true;
		break;
	case EVENT_INCIDENT_REOPENED:
		if (index == 0 && !is_later)
			return true;
		break;
	case EVENT_MAINTENANCE_STARTED:
		return update->phase == PHASE_IN_PROGRESS;
	case EVENT_MAINTENANCE_VERIFYING:
		return update->phase == PHASE_VERIFYING;
	case EVENT_MAINTENANCE_COMPLETED:
		return update->phase == PHASE_COMPLETED;
	case EVENT_MAINTENANCE_CANCELLED:
		return update->phase == PHASE_CANCELLED;
	case EVENT_MAINTENANCE_REMINDER:
	case EVENT_MAINTENANCE_UPDATED:
		return false;
	default:
		break;
	}
	return (update->at.s == event->at.s && !update->is_postmortem) ||
	       (event->text && update->edited_at.s >= event->at.s) ||
	       (event->text && strcmp(update->body, event->text) == 0);
}

/* Finds the incident or window of the event. Returns false if the page does not show it. Also
 * returns false for an incident inside a reported incident, whose messages are enough. */
static bool find_item(const struct page_snapshot *snapshot, const struct page_message_event *event,
		      struct arena *arena, struct item *item)
{
	*item = (struct item){ 0 };
	if (event_kind_object(event->kind) == EVENT_OF_INCIDENT) {
		item->incident = find_incident(snapshot, event->object_id);
		if (!item->incident || item->incident->inside)
			return false;
		item->updates = page_incident_updates(snapshot, item->incident, arena);
	} else {
		item->window = find_window(snapshot, event);
		if (!item->window)
			return false;
		item->updates = page_maintenance_updates(item->window, arena);
	}
	item->is_new = ARENA_ARRAY(arena, item->updates.count, bool);
	return true;
}

static void take_event(struct item *item, const struct page_message_event *event)
{
	for (size_t i = 0; i < item->updates.count; i++)
		item->is_new[i] |= tells_of(event, &item->updates, i);
	item->is_soon |= event->kind == EVENT_MAINTENANCE_REMINDER &&
			 item->window->status == PHASE_SCHEDULED;
	item->is_changed |= event->kind == EVENT_MAINTENANCE_UPDATED;
}

static bool has_news(const struct item *item)
{
	bool has = item->is_soon || item->is_changed;
	for (size_t i = 0; i < item->updates.count; i++)
		has |= item->is_new[i];
	return has;
}

/* The data that all functions of rendering need. */
struct rendering {
	struct buf *html;
	const struct page_snapshot *snapshot;
	struct locale locale;
	struct arena *arena;
};

static const char *title_of(const struct rendering *rendering, const struct item *item)
{
	const struct words *words = rendering->locale.words;
	if (item->incident)
		return page_incident_name_and_phase(rendering->snapshot, &item->incident->row,
						    item->updates.rows[0].phase, rendering->arena);
	enum sentence status = item->is_soon ? SAY_BEGINS_SOON : page_phase(item->window->status);
	return words_text(
		words, SAY_TITLE_AND_STATUS, 0,
		WORD_VALUES({ "title", bidi_isolated(item->window->title, rendering->arena) },
			    { "status", words_say(words, status) }),
		rendering->arena);
}

static const char *colour_of(const struct item *item)
{
	if (!item->incident)
		return MAIL_BLUE;
	if (item->incident->row.ended_at.s > 0)
		return MAIL_GREEN;
	return item->incident->row.impact == INCIDENT_MAJOR_OUTAGE ? MAIL_RED : MAIL_AMBER;
}

static void put_systems(const struct rendering *rendering, const struct incident_monitor *monitors,
			size_t count)
{
	struct buf *out = rendering->html;
	if (count == 0)
		return;
	buf_puts(out, "<p style=\"margin:0 0 8px\">");
	words_put(out, rendering->locale.words, SAY_AFFECTED_SYSTEMS);
	for (size_t i = 0; i < count; i++) {
		buf_puts(out, i == 0 ? ": " : ", ");
		html_text(out, bidi_isolated(monitors[i].name, rendering->arena));
	}
	buf_puts(out, "</p>\n");
}

static void put_update(const struct rendering *rendering, const struct page_update *update)
{
	enum { HEADING_LEVEL = 3 };
	struct buf *out = rendering->html;
	buf_puts(out, "<p style=\"margin:12px 0 4px\"><b>");
	words_put(out, rendering->locale.words,
		  update->is_postmortem ? SAY_POSTMORTEM : page_phase(update->phase));
	buf_printf(out, "</b> %s</p>\n",
		   html_time(&rendering->locale, update->at, rendering->arena));
	if (!update->is_plain) {
		page_markdown(out, rendering->snapshot, update->body, HEADING_LEVEL);
		return;
	}
	buf_puts(out, "<p style=\"margin:0 0 8px\">");
	html_text(out, bidi_closed(update->body, rendering->arena));
	buf_puts(out, "</p>\n");
}

static void put_item(const struct rendering *rendering, const struct item *item)
{
	struct buf *out = rendering->html;
	const struct page_maintenance *window = item->window;
	const struct words *words = rendering->locale.words;
	if (window) {
		buf_printf(out, "<p style=\"margin:0 0 8px\">%s</p>\n",
			   html_times(&rendering->locale, window->starts_at, window->ends_at,
				      rendering->arena));
		put_systems(rendering, window->monitors, window->monitor_count);
	} else if (item->incident->row.kind == INCIDENT_REPORTED) {
		put_systems(rendering, item->incident->row.monitors,
			    item->incident->row.monitor_count);
	}
	if (item->is_changed) {
		buf_puts(out, "<p style=\"margin:0 0 8px\">");
		words_put(out, words, SAY_MAINTENANCE_CHANGED);
		buf_puts(out, "</p>\n");
	}
	for (size_t i = 0; i < item->updates.count; i++)
		if (item->is_new[i])
			put_update(rendering, &item->updates.rows[i]);
	mail_html_button(
		out,
		window ? page_maintenance_url(rendering->snapshot, window, rendering->arena)
		       : page_incident_url(rendering->snapshot, &item->incident->row,
					   rendering->arena),
		words_say(words, SAY_OPEN_STATUS_PAGE), colour_of(item));
}

static void describe(const struct rendering *rendering, const struct item *item, size_t count,
		     struct page_message *message)
{
	const struct words *words = rendering->locale.words;
	struct arena *arena = rendering->arena;
	message->incident = item->incident;
	message->window = item->window;
	message->title =
		count == 1 ? title_of(rendering, item)
			   : words_text(words, SAY_SEVERAL_NEWS, count,
					WORD_VALUES({ "count", arena_printf(arena, "%zu", count) }),
					arena);
	message->subject = words_text(
		words, SAY_MAIL_SUBJECT, 0,
		WORD_VALUES({ "page", bidi_isolated(rendering->snapshot->page.name, arena) },
			    { "title", message->title }),
		arena);
	message->thread = arena_printf(
		arena, "%s-%lld", item->incident ? "incident" : "maintenance",
		(long long)(item->incident ? item->incident->row.id : item->window->id));
	message->colour = colour_of(item);
}

bool page_message_make(struct buf *html, const struct page_snapshot *snapshot,
		       const struct page_message_event *events, size_t count, struct arena *arena,
		       struct page_message *message)
{
	const struct rendering rendering = { html, snapshot, locale_of_page(&snapshot->page),
					     arena };
	struct item *items = ARENA_ARRAY(arena, count, struct item);
	size_t kept = 0, told = 0;
	*message = (struct page_message){ 0 };
	for (size_t i = 0; i < count; i++) {
		struct item item;
		size_t at = 0;
		if (!find_item(snapshot, &events[i], arena, &item))
			continue;
		while (at < kept &&
		       (items[at].incident != item.incident || items[at].window != item.window))
			at++;
		if (at == kept)
			items[kept++] = item;
		take_event(&items[at], &events[i]);
	}
	for (size_t i = 0; i < kept; i++)
		if (has_news(&items[i]))
			items[told++] = items[i];
	if (told == 0)
		return false;
	describe(&rendering, &items[0], told, message);
	for (size_t i = 0; i < told; i++) {
		if (told > 1) {
			buf_puts(html, "<h2 style=\"margin:16px 0 8px;font-size:17px\">");
			html_text(html, title_of(&rendering, &items[i]));
			buf_puts(html, "</h2>\n");
		}
		put_item(&rendering, &items[i]);
	}
	return true;
}

void page_message_json(struct buf *out, const struct page_snapshot *snapshot,
		       const struct page_message *message, const char *unsubscribe,
		       struct arena *arena)
{
	const struct page_json_index *index = page_json_index_make(snapshot, arena);
	page_json_about_message(out, snapshot, unsubscribe, arena);
	page_json_add_member(out, "incident");
	if (message->incident)
		page_json_incident(out, snapshot, index, message->incident, arena);
	else
		page_json_maintenance(out, snapshot, index, message->window, arena);
	buf_putc(out, '}');
}
