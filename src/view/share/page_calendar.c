/* Writes calendar.ics (RFC 5545, and RFC 7986): the maintenance windows of a page. */
#include <string.h>

#include "base/bidi.h"
#include "base/str.h"
#include "domain/maintenance/maintenance.h"
#include "view/page.h"

enum { LINE_MAX_OCTETS = 75 };

/* Appends a content line. Folds it after 75 octets, but never inside a character. */
static void put_line(struct buf *out, const char *line)
{
	size_t len = 0;
	while (*line) {
		size_t bytes = str_char_len(line);
		if (len + bytes > LINE_MAX_OCTETS) {
			buf_puts(out, "\r\n ");
			len = 1;
		}
		buf_add(out, line, bytes);
		line += bytes;
		len += bytes;
	}
	buf_puts(out, "\r\n");
}

/*
 * Returns the value as TEXT: escaped, with line breaks as \n and without other control characters.
 */
static const char *escaped(const char *text, struct arena *arena)
{
	char *value = arena_array(arena, 2 * strlen(text) + 1, 1), *to = value;
	for (const char *at = text; *at; at++) {
		unsigned char c = (unsigned char)*at;
		if (c == '\\' || c == ';' || c == ',')
			*to++ = '\\';
		if (c == '\n')
			*to++ = '\\', *to++ = 'n';
		else if ((c >= ' ' && c != 0x7f) || c == '\t')
			*to++ = *at;
	}
	return value;
}

static void put_text(struct buf *out, const char *name, const char *text, struct arena *arena)
{
	put_line(out, arena_printf(arena, "%s:%s", name, escaped(text, arena)));
}

static void put_time(struct buf *out, const char *name, struct instant at)
{
	struct instant_parts parts = instant_split(at);
	buf_printf(out, "%s:%04d%02d%02dT%02d%02d%02dZ\r\n", name, parts.year, parts.month,
		   parts.day, parts.hour, parts.minute, parts.second);
}

/* Appends the UID (RFC 7986 5.3). It does not depend on the page, so it stays the same if the
 * page's address changes, and is the same on all pages that show the window. */
static void put_uid(struct buf *out, const struct page_maintenance *row, struct arena *arena)
{
	char text[INSTANT_TEXT_SIZE];
	const char *name = arena_printf(arena, "daymark maintenance %lld occurrence %lld of %s",
					(long long)row->window_id, (long long)row->id,
					instant_format(row->created_at, text));
	buf_printf(out, "UID:%s\r\n", page_uuid(name, arena));
}

/* Returns the DESCRIPTION of an event: the systems, the window's text and its newest update. */
static const char *description_of(const struct page_maintenance *row, struct arena *arena)
{
	struct buf text CLEANUP(buf_done) = BUF_INIT(PAGE_FILE_MAX_BYTES);
	for (size_t i = 0; i < row->monitor_count; i++)
		buf_printf(&text, "%s%s", i > 0 ? ", " : "",
			   bidi_isolated(row->monitors[i].name, arena));
	if (row->body)
		buf_printf(&text, "\n\n%s", row->body);
	if (row->update_count > 0)
		buf_printf(&text, "\n\n%s", row->updates[0].body);
	return text.data ? arena_strdup(arena, text.data) : "";
}

static void put_event(struct buf *out, const struct page_snapshot *snapshot,
		      const struct page_maintenance *row, struct arena *arena)
{
	bool is_cancelled = row->status == PHASE_CANCELLED || row->is_withdrawn;
	buf_puts(out, "BEGIN:VEVENT\r\n");
	put_uid(out, row, arena);
	/* Without METHOD, DTSTAMP is the time of the last change (RFC 5545 3.8.7.2). */
	put_time(out, "DTSTAMP", row->updated_at);
	put_time(out, "CREATED", row->created_at);
	put_time(out, "LAST-MODIFIED", row->updated_at);
	buf_printf(out, "SEQUENCE:%lld\r\n", (long long)row->sequence);
	put_time(out, "DTSTART", row->starts_at);
	/* RFC 5545 forbids a DTEND equal to DTSTART. Without DTEND, the duration is 0. */
	if (row->ends_at.s > row->starts_at.s)
		put_time(out, "DTEND", row->ends_at);
	buf_printf(out, "STATUS:%s\r\nTRANSP:TRANSPARENT\r\n",
		   is_cancelled ? "CANCELLED" : "CONFIRMED");
	put_text(out, "SUMMARY", bidi_closed(row->title, arena), arena);
	put_text(out, "DESCRIPTION", description_of(row, arena), arena);
	put_line(out, arena_printf(arena, "URL:%s",
				   row->is_withdrawn ? snapshot->url
						     : page_maintenance_url(snapshot, row, arena)));
	buf_puts(out, "END:VEVENT\r\n");
}

void page_calendar(struct buf *out, const struct page_snapshot *snapshot, struct arena *arena)
{
	const char *name = bidi_closed(snapshot->page.name, arena);
	buf_puts(out, "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n"
		      "PRODID:-//Daymark//Status page//EN\r\nCALSCALE:GREGORIAN\r\n");
	/* Writes each property under two names, because few programs know the names of RFC 7986. */
	put_text(out, "NAME", name, arena);
	put_text(out, "X-WR-CALNAME", name, arena);
	put_line(out, arena_printf(arena, "URL:%s", snapshot->url));
	put_line(out, arena_printf(arena, "SOURCE;VALUE=URI:%scalendar.ics", snapshot->url));
	buf_puts(out, "REFRESH-INTERVAL;VALUE=DURATION:PT1H\r\nX-PUBLISHED-TTL:PT1H\r\n");
	for (size_t i = 0; i < snapshot->maintenance_count; i++)
		put_event(out, snapshot, &snapshot->maintenances[i], arena);
	for (size_t i = 0; i < snapshot->withdrawn_count; i++)
		put_event(out, snapshot, &snapshot->withdrawn[i], arena);
	buf_puts(out, "END:VCALENDAR\r\n");
}
