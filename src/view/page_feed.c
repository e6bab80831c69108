/* feed.atom and badge.svg */
#include "base/secret.h"
#include "view/html.h"
#include "view/page.h"

static void put_atom_time(struct buf *out, const char *name, struct instant at)
{
	char text[INSTANT_TEXT_SIZE];
	buf_printf(out, "<%s>%s</%s>", name, instant_format(at, text), name);
}

/*
 * A name that no other feed or entry has, and that never changes (RFC 4287 4.2.6), whatever
 * becomes of the page's address: a UUID (RFC 9562 5.8) of what never changes.
 */
static void put_id(struct buf *out, const struct page_snapshot *view, int64_t incident_id,
		   struct arena *arena)
{
	char text[INSTANT_TEXT_SIZE];
	uint8_t hash[SECRET_HASH_BYTES];
	const char *name = arena_printf(
		arena, "daymark page %lld of %s incident %lld", (long long)view->page.id,
		instant_format(view->page.created_at, text), (long long)incident_id);
	secret_hash(str_from(name), hash);
	hash[6] = (uint8_t)(0x80 | (hash[6] & 0x0f));
	hash[8] = (uint8_t)(0x80 | (hash[8] & 0x3f));
	buf_puts(out, "<id>urn:uuid:");
	for (size_t i = 0; i < 16; i++)
		buf_printf(out, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
			   hash[i]);
	buf_puts(out, "</id>");
}

static void put_entry(struct buf *out, const struct page_snapshot *view,
		      const struct incident *incident, struct arena *arena)
{
	const char *name = page_incident_name(view, incident, arena);
	buf_puts(out, "<entry>");
	put_id(out, view, incident->id, arena);
	put_atom_time(out, "published", incident->started_at);
	put_atom_time(out, "updated", incident->updated_at);
	buf_puts(out, "<title>");
	html_text(out, name);
	buf_printf(out, " (%s)</title><link href=\"",
		   incident_status_word(incident_status(incident)));
	html_attr(out, page_incident_url(view, incident, arena));
	buf_puts(out, "\"/><content type=\"text\">");
	html_text(out, incident->comment ? incident->comment : name);
	buf_puts(out, "</content></entry>\n");
}

void page_feed(struct buf *out, const struct page_snapshot *view, struct arena *arena)
{
	/* The moment of the newest change: RFC 4287 4.2.15 wants it for what matters only. */
	struct instant updated = view->page.updated_at;
	for (size_t i = 0; i < view->newest_count; i++)
		if (view->newest[i]->updated_at.s > updated.s)
			updated = view->newest[i]->updated_at;
	buf_puts(out, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
		      "<feed xmlns=\"http://www.w3.org/2005/Atom\">\n");
	put_id(out, view, 0, arena);
	buf_puts(out, "<title>");
	html_text(out, view->page.name);
	buf_puts(out, "</title><author><name>");
	html_text(out, view->page.name);
	buf_puts(out, "</name></author>");
	put_atom_time(out, "updated", updated);
	buf_puts(out, "<link href=\"");
	html_attr(out, view->url);
	buf_puts(out, "\"/><link rel=\"self\" href=\"");
	html_attr(out, view->url);
	buf_puts(out, "feed.atom\"/>\n");
	for (size_t i = 0; i < view->newest_count; i++)
		put_entry(out, view, view->newest[i], arena);
	buf_puts(out, "</feed>\n");
}

void page_badge(struct buf *out, const struct page_snapshot *view, struct arena *arena)
{
	const char *words = page_snapshot_summary(view, arena);
	const char *colour = view->down_count > 0			 ? "#c21d25"
			     : view->no_data_count < view->monitor_count ? "#1a7f37"
									 : "#59636e";
	int width = 24 + 7 * (int)str_chars(str_from(words));
	buf_printf(
		out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"24\" role=\"img\" "
		"aria-label=\"%s\"><title>%s</title><rect width=\"%d\" height=\"24\" rx=\"4\" "
		"fill=\"%s\"/><text x=\"%d\" y=\"16\" fill=\"#fff\" text-anchor=\"middle\" "
		"font-family=\"Verdana,DejaVu Sans,sans-serif\" font-size=\"12\" textLength=\"%d\">"
		"%s</text></svg>\n",
		width, words, words, width, colour, width / 2, width - 20, words);
}

void page_robots(struct buf *out)
{
	/* Open to all, also where the page is not to be indexed: who may not read the page
	 * would not learn that either. */
	buf_puts(out, "User-agent: *\nDisallow:\n");
}
