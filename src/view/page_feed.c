/* feed.atom and badge.svg */
#include "base/secret.h"
#include "view/html.h"
#include "view/page.h"
#include "view/page_words.h"

static void put_atom_time(struct buf *out, const char *name, struct instant at)
{
	char text[INSTANT_TEXT_SIZE];
	buf_printf(out, "<%s>%s</%s>", name, instant_format(at, text), name);
}

/*
 * The id of the feed or of an entry: unique and permanent (RFC 4287 4.2.6), also if the page's
 * address changes. It is a UUID (RFC 9562 5.8) of values that never change.
 */
static void put_id(struct buf *out, const struct page_snapshot *snapshot, int64_t incident_id,
		   struct arena *arena)
{
	char text[INSTANT_TEXT_SIZE];
	uint8_t hash[SECRET_HASH_BYTES];
	const char *name = arena_printf(
		arena, "daymark page %lld of %s incident %lld", (long long)snapshot->page.id,
		instant_format(snapshot->page.created_at, text), (long long)incident_id);
	secret_hash(str_from(name), hash);
	hash[6] = (uint8_t)(0x80 | (hash[6] & 0x0f));
	hash[8] = (uint8_t)(0x80 | (hash[8] & 0x3f));
	/* 8, 4, 4, 4 and 12 digits. */
	const char *hex = secret_to_hex(arena, hash, 16);
	buf_puts(out, "<id>urn:uuid:");
	for (size_t i = 0; i < 5; i++) {
		static const size_t starts[] = { 0, 8, 12, 16, 20, 32 };
		if (i > 0)
			buf_putc(out, '-');
		buf_add(out, hex + starts[i], starts[i + 1] - starts[i]);
	}
	buf_puts(out, "</id>");
}

static void put_entry(struct buf *out, const struct page_snapshot *snapshot,
		      const struct incident *incident, struct arena *arena)
{
	const char *name = page_incident_name(snapshot, incident, arena);
	buf_puts(out, "<entry>");
	put_id(out, snapshot, incident->id, arena);
	put_atom_time(out, "published", incident->started_at);
	put_atom_time(out, "updated", incident->updated_at);
	buf_puts(out, "<title>");
	html_text(out, page_incident_name_and_status(snapshot, incident, arena));
	buf_puts(out, "</title><link href=\"");
	html_attr(out, page_incident_url(snapshot, incident, arena));
	buf_puts(out, "\"/><content type=\"text\">");
	html_text(out, incident->comment ? incident->comment : name);
	buf_puts(out, "</content></entry>\n");
}

void page_feed(struct buf *out, const struct page_snapshot *snapshot, struct arena *arena)
{
	/* The newest change of the page or of an incident: not the moment of publishing, since a
	 * feed is updated by significant changes only (RFC 4287 4.2.15). */
	struct instant updated = snapshot->page.updated_at;
	for (size_t i = 0; i < snapshot->newest_count; i++)
		if (snapshot->newest[i].updated_at.s > updated.s)
			updated = snapshot->newest[i].updated_at;
	buf_puts(out, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
		      "<feed xmlns=\"http://www.w3.org/2005/Atom\">\n");
	put_id(out, snapshot, 0, arena);
	buf_puts(out, "<title>");
	html_text(out, snapshot->page.name);
	buf_puts(out, "</title><author><name>");
	html_text(out, snapshot->page.name);
	buf_puts(out, "</name></author>");
	put_atom_time(out, "updated", updated);
	buf_puts(out, "<link href=\"");
	html_attr(out, snapshot->url);
	buf_puts(out, "\"/><link rel=\"self\" href=\"");
	html_attr(out, snapshot->url);
	buf_puts(out, "feed.atom\"/>\n");
	for (size_t i = 0; i < snapshot->newest_count; i++)
		put_entry(out, snapshot, &snapshot->newest[i], arena);
	buf_puts(out, "</feed>\n");
}

void page_badge(struct buf *out, const struct page_snapshot *snapshot, struct arena *arena)
{
	struct buf html CLEANUP(buf_done) = BUF_INIT(PAGE_FILE_MAX_BYTES);
	const char *summary = page_summary(snapshot, arena);
	const char *colour = snapshot->down_count > 0				 ? "#c21d25"
			     : snapshot->no_data_count < snapshot->monitor_count ? "#1a7f37"
										 : "#59636e";
	int width = 24 + 7 * (int)str_chars(str_from(summary));
	html_text(&html, summary);
	const char *text = html.data;
	buf_printf(
		out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"24\" role=\"img\" "
		"aria-label=\"%s\"><title>%s</title><rect width=\"%d\" height=\"24\" rx=\"4\" "
		"fill=\"%s\"/><text x=\"%d\" y=\"16\" fill=\"#fff\" text-anchor=\"middle\" "
		"font-family=\"Verdana,DejaVu Sans,sans-serif\" font-size=\"12\" textLength=\"%d\">"
		"%s</text></svg>\n",
		width, text, text, width, colour, width / 2, width - 20, text);
}

void page_robots(struct buf *out)
{
	/* Allow all robots, even if the page has noindex: a robot that may not fetch the page
	 * would not see its noindex. */
	buf_puts(out, "User-agent: *\nDisallow:\n");
}
