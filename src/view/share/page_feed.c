/* Writes the feeds (Atom and RSS). */
#include <time.h>

#include "base/bidi.h"
#include "view/html.h"
#include "view/page.h"
#include "view/page/page_incident.h"
#include "view/page/page_markdown.h"
#include "view/page/page_texts.h"
#include "view/page/page_updates.h"
#include "view/words/page_words.h"

static void put_element(struct buf *out, const char *name, const char *text)
{
	buf_printf(out, "<%s>", name);
	html_text(out, text);
	buf_printf(out, "</%s>", name);
}

static void put_atom_time(struct buf *out, const char *name, struct instant at)
{
	char text[INSTANT_TEXT_SIZE];
	put_element(out, name, instant_format(at, text));
}

/* Appends a time in the format of RFC 822. strftime() writes English names, because the program
 * never sets another locale than C. */
static void put_rss_time(struct buf *out, const char *name, struct instant at)
{
	char text[40];
	struct tm parts;
	time_t s = (time_t)at.s;
	gmtime_r(&s, &parts);
	strftime(text, sizeof(text), "%a, %d %b %Y %H:%M:%S +0000", &parts);
	put_element(out, name, text);
}

/* Returns the id of the feed or of an entry. It is unique and permanent (RFC 4287 4.2.6), even if
 * the page's address changes. */
static const char *uuid_of(const struct page_snapshot *snapshot, const char *kind, int64_t id,
			   struct arena *arena)
{
	char text[INSTANT_TEXT_SIZE];
	const char *name =
		arena_printf(arena, "daymark page %lld of %s %s %lld", (long long)snapshot->page.id,
			     instant_format(snapshot->page.created_at, text), kind, (long long)id);
	return arena_printf(arena, "urn:uuid:%s", page_uuid(name, arena));
}

static void put_body(struct buf *html, const struct page_snapshot *snapshot,
		     const struct page_update *update, struct arena *arena)
{
	enum { HEADING_LEVEL = 3 };
	if (!update->is_plain) {
		page_markdown(html, snapshot, update->body, HEADING_LEVEL);
		return;
	}
	buf_puts(html, "<p>");
	html_text(html, bidi_closed(update->body, arena));
	buf_puts(html, "</p>");
}

/* An incident or a maintenance window, as both feeds describe it. */
struct entry {
	const char *uuid;
	const char *title;
	const char *url;
	struct instant published_at, changed_at;
	struct page_update_list updates;
};

static struct entry entry_of_incident(const struct page_snapshot *snapshot,
				      const struct page_incident *shown, struct arena *arena)
{
	const struct incident *incident = &shown->row;
	const struct page_update_list updates = page_incident_updates(snapshot, shown, arena);
	return (struct entry){
		.uuid = uuid_of(snapshot, "incident", incident->id, arena),
		/* The title names the phase of the newest update, as in the JSON. */
		.title = page_incident_name_and_phase(snapshot, incident, updates.rows[0].phase,
						      arena),
		.url = page_incident_url(snapshot, incident, arena),
		.published_at = incident->started_at,
		.changed_at = page_incident_changed_at(shown),
		.updates = updates,
	};
}

static struct entry entry_of_window(const struct page_snapshot *snapshot,
				    const struct page_maintenance *window, struct arena *arena)
{
	const struct locale locale = locale_of_page(&snapshot->page);
	return (struct entry){
		.uuid = uuid_of(snapshot, "maintenance", window->id, arena),
		.title =
			words_text(locale.words, SAY_TITLE_AND_STATUS, 0,
				   WORD_VALUES({ "title", bidi_isolated(window->title, arena) },
					       { "status", words_say(locale.words,
								     page_phase(window->status)) }),
				   arena),
		.url = page_maintenance_url(snapshot, window, arena),
		.published_at = window->created_at,
		.changed_at = window->updated_at,
		.updates = page_maintenance_updates(window, arena),
	};
}

/* Appends the updates of the incident or the window as HTML, newest first. */
static void put_course(struct buf *html, const struct page_snapshot *snapshot,
		       const struct page_update_list *list, struct arena *arena)
{
	const struct locale locale = locale_of_page(&snapshot->page);
	for (size_t i = 0; i < list->count; i++) {
		const struct page_update *update = &list->rows[i];
		enum sentence phase = page_phase(update->phase);
		buf_puts(html, "<p><strong>");
		words_put(html, locale.words, update->is_postmortem ? SAY_POSTMORTEM : phase);
		buf_printf(html, "</strong> <small>%s</small></p>\n",
			   html_time(&locale, update->at, arena));
		put_body(html, snapshot, update, arena);
		buf_putc(html, '\n');
	}
}

static void put_atom_entry(struct buf *out, const struct entry *entry, const struct buf *content)
{
	buf_puts(out, "<entry>");
	put_element(out, "id", entry->uuid);
	put_atom_time(out, "published", entry->published_at);
	put_atom_time(out, "updated", entry->changed_at);
	put_element(out, "title", entry->title);
	buf_puts(out, "<link href=\"");
	html_attr(out, entry->url);
	buf_puts(out, "\"/>\n<content type=\"html\">");
	buf_add(out, content->data, content->len);
	buf_puts(out, "</content></entry>\n");
}

static void put_rss_item(struct buf *out, const struct entry *entry, const struct buf *content)
{
	buf_puts(out, "<item>");
	put_element(out, "title", entry->title);
	put_element(out, "link", entry->url);
	buf_puts(out, "<guid isPermaLink=\"false\">");
	html_text(out, entry->uuid);
	buf_puts(out, "</guid>");
	put_rss_time(out, "pubDate", entry->changed_at);
	buf_puts(out, "\n<description>");
	buf_add(out, content->data, content->len);
	buf_puts(out, "</description></item>\n");
}

/* The updates of an entry, as HTML, and as HTML that is escaped for XML. */
struct course {
	struct buf html;
	struct buf content;
};

static void course_done(struct course *course)
{
	buf_done(&course->html);
	buf_done(&course->content);
}

static void put_entry(const struct page_feeds *feeds, const struct page_snapshot *snapshot,
		      const struct entry *entry, struct course *course, struct arena *arena)
{
	buf_clear(&course->html);
	buf_clear(&course->content);
	put_course(&course->html, snapshot, &entry->updates, arena);
	html_text(&course->content, course->html.data ? course->html.data : "");
	put_atom_entry(feeds->atom, entry, &course->content);
	put_rss_item(feeds->rss, entry, &course->content);
	bool is_failed = !buf_ok(&course->html) || !buf_ok(&course->content);
	feeds->atom->is_failed |= is_failed;
	feeds->rss->is_failed |= is_failed;
}

/* Appends entries: first the windows that are in progress, planned or lately over, then the newest
 * incidents. */
static void put_entries(const struct page_feeds *feeds, const struct page_snapshot *snapshot,
			struct arena *arena)
{
	struct course course CLEANUP(course_done) = { BUF_INIT(PAGE_FILE_MAX_BYTES),
						      BUF_INIT(PAGE_FILE_MAX_BYTES) };
	size_t count = 0;
	for (size_t i = 0; i < snapshot->maintenance_count && count < PAGE_NEWEST_MAX; i++) {
		const struct page_maintenance *window = &snapshot->maintenances[i];
		if (page_maintenance_repeated(snapshot, window))
			continue;
		const struct entry entry = entry_of_window(snapshot, window, arena);
		put_entry(feeds, snapshot, &entry, &course, arena);
		count++;
	}
	for (size_t i = 0; i < snapshot->newest_count; i++) {
		if (snapshot->newest[i].inside)
			continue;
		const struct entry entry = entry_of_incident(snapshot, &snapshot->newest[i], arena);
		put_entry(feeds, snapshot, &entry, &course, arena);
	}
}

static bool find_entry(const struct page_snapshot *snapshot, bool is_window, int64_t id,
		       struct arena *arena, struct entry *entry)
{
	for (size_t i = 0; is_window && i < snapshot->maintenance_count; i++)
		if (snapshot->maintenances[i].window_id == id) {
			*entry = entry_of_window(snapshot, &snapshot->maintenances[i], arena);
			return true;
		}
	for (size_t i = 0; !is_window && i < snapshot->newest_count; i++)
		if (snapshot->newest[i].row.id == id && !snapshot->newest[i].inside) {
			*entry = entry_of_incident(snapshot, &snapshot->newest[i], arena);
			return true;
		}
	return false;
}

const char *page_feed_entry(struct buf *html, const struct page_snapshot *snapshot, bool is_window,
			    int64_t id, struct arena *arena)
{
	struct entry entry;
	if (!find_entry(snapshot, is_window, id, arena, &entry))
		return NULL;
	put_course(html, snapshot, &entry.updates, arena);
	return entry.title;
}

/* Returns when the page, an incident or a window last changed. The time of publishing does not
 * count, because only significant changes update a feed (RFC 4287 4.2.15). */
static struct instant changed_at(const struct page_snapshot *snapshot)
{
	struct instant newest = snapshot->page.updated_at;
	for (size_t i = 0; i < snapshot->newest_count; i++) {
		struct instant changed = page_incident_changed_at(&snapshot->newest[i]);
		newest = changed.s > newest.s ? changed : newest;
	}
	for (size_t i = 0; i < snapshot->maintenance_count; i++)
		if (snapshot->maintenances[i].updated_at.s > newest.s)
			newest = snapshot->maintenances[i].updated_at;
	return newest;
}

static void begin_atom(struct buf *out, const struct page_snapshot *snapshot, struct arena *arena)
{
	buf_puts(out, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n");
	buf_printf(out, "<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:lang=\"%s\">\n",
		   locale_of_page(&snapshot->page).words->language);
	put_element(out, "id", uuid_of(snapshot, "incident", 0, arena));
	put_element(out, "title", bidi_closed(snapshot->page.name, arena));
	buf_puts(out, "<author>");
	put_element(out, "name", bidi_closed(snapshot->page.name, arena));
	buf_puts(out, "</author>");
	put_atom_time(out, "updated", changed_at(snapshot));
	buf_puts(out, "<link href=\"");
	html_attr(out, snapshot->url);
	buf_puts(out, "\"/><link rel=\"self\" href=\"");
	html_attr(out, snapshot->url);
	buf_puts(out, "feed.atom\"/>\n");
}

static void begin_rss(struct buf *out, const struct page_snapshot *snapshot, struct arena *arena)
{
	buf_puts(out, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
		      "<rss version=\"2.0\" xmlns:atom=\"http://www.w3.org/2005/Atom\">"
		      "<channel>\n");
	put_element(out, "title", bidi_closed(snapshot->page.name, arena));
	put_element(out, "link", snapshot->url);
	put_element(out, "description", page_title(snapshot, arena));
	put_element(out, "language", locale_of_page(&snapshot->page).words->language);
	put_rss_time(out, "lastBuildDate", changed_at(snapshot));
	buf_puts(out, "<atom:link rel=\"self\" type=\"application/rss+xml\" href=\"");
	html_attr(out, snapshot->url);
	buf_puts(out, "history.rss\"/>\n");
}

void page_feeds(const struct page_feeds *feeds, const struct page_snapshot *snapshot,
		struct arena *arena)
{
	begin_atom(feeds->atom, snapshot, arena);
	begin_rss(feeds->rss, snapshot, arena);
	put_entries(feeds, snapshot, arena);
	buf_puts(feeds->atom, "</feed>\n");
	buf_puts(feeds->rss, "</channel></rss>\n");
}

void page_robots(struct buf *out)
{
	/* Allow all robots, even if the page has noindex: a robot that may not fetch the page
	 * would not see the noindex. */
	buf_puts(out, "User-agent: *\nDisallow:\n");
}
