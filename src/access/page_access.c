#include "access/page_access.h"

#include <string.h>

#include "base/secret.h"
#include "wire/urlencoded.h"

#define NOTHING "-"

static const char *or_nothing(const char *text)
{
	return text && text[0] != '\0' ? text : NOTHING;
}

/* A text without spaces, by percent_decode(). */
static void write_text(struct buf *out, const char *text)
{
	buf_putc(out, ' ');
	if (!text)
		buf_puts(out, NOTHING);
	for (const char *c = text ? text : ""; *c; c++)
		if (strchr(" \n%" NOTHING, *c))
			buf_printf(out, "%%%02X", (unsigned)*c);
		else
			buf_putc(out, *c);
}

void page_access_write(struct buf *out, const struct status_page *page)
{
	buf_printf(out, "%lld %lld %d %s %s %lld %s %s", (long long)page->id,
		   (long long)page->account_id, page->privacy, or_nothing(page->password_hash),
		   page->language ? page->language : status_page_languages[0],
		   (long long)page->former_links_end.s, or_nothing(page->withdrawn_links),
		   or_nothing(page->key_marks));
	/* Only the form for a password shows them. */
	if (page->privacy == PRIVACY_PASSWORD) {
		write_text(out, page->name);
		write_text(out, page->contact_url);
	}
	buf_putc(out, '\n');
}

/* The next part; NULL: the record ends before it. */
static const char *take(struct str *text, struct arena *arena)
{
	struct str part;
	return str_split(text, ' ', &part) ? arena_strndup(arena, part.data, part.len) : NULL;
}

static const char *or_empty(const char *part)
{
	return part && strcmp(part, NOTHING) != 0 ? part : "";
}

/* "" if there is none, or if it cannot be decoded. */
static const char *text_of(const char *part, struct arena *arena)
{
	char *text = arena_strdup(arena, or_empty(part));
	return percent_decode(str_from(or_empty(part)), text) ? text : "";
}

bool page_access_parse(struct str text, struct arena *arena, struct page_access *access)
{
	const char *parts[10];
	int64_t privacy;
	/* A file that was cut has no newline at its end. */
	if (text.len == 0 || text.data[text.len - 1] != '\n')
		return false;
	text.len--;
	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		parts[i] = take(&text, arena);
	if (!parts[3] || !str_to_int64(str_from(parts[0]), &access->page_id) ||
	    !str_to_int64(str_from(parts[1]), &access->account_id) ||
	    !str_to_int64(str_from(parts[2]), &privacy))
		return false;
	access->privacy = (int)privacy;
	access->password_hash = or_empty(parts[3]);
	access->language = parts[4] ? parts[4] : status_page_languages[0];
	access->former_links_end.s = INT64_MAX;
	if (parts[5] && !str_to_int64(str_from(parts[5]), &access->former_links_end.s))
		return false;
	access->withdrawn_links = or_empty(parts[6]);
	access->key_marks = parts[7] ? or_empty(parts[7]) : NULL;
	access->name = text_of(parts[8], arena);
	access->contact_url = text_of(parts[9], arena);
	return true;
}

bool page_access_is_withdrawn(const struct page_access *access, int64_t link_id)
{
	struct str rest = str_from(access->withdrawn_links), item;
	int64_t id;
	while (str_split(&rest, ',', &item))
		if (str_to_int64(item, &id) && id == link_id)
			return true;
	return false;
}

bool page_access_may_be_key(const struct page_access *access, struct str key)
{
	uint8_t hash[SECRET_HASH_BYTES];
	char mark[PAGE_ACCESS_MARK_CHARS + 2];
	if (!access->key_marks)
		return true;
	secret_hash(key, hash);
	snprintf(mark, sizeof(mark), "%02x%02x", hash[0], hash[1]);
	size_t len = strlen(access->key_marks);
	for (size_t i = 0; i + PAGE_ACCESS_MARK_CHARS <= len; i += PAGE_ACCESS_MARK_CHARS)
		if (strncmp(access->key_marks + i, mark, PAGE_ACCESS_MARK_CHARS) == 0)
			return true;
	return false;
}

bool page_access_is_as_strict(const struct page_access *there, const struct page_access *wanted)
{
	struct str rest = str_from(wanted->withdrawn_links), item;
	int64_t id;
	bool is_as_strict = there->page_id == wanted->page_id &&
			    there->account_id == wanted->account_id &&
			    there->privacy == wanted->privacy &&
			    strcmp(there->password_hash, wanted->password_hash) == 0;
	while (is_as_strict && str_split(&rest, ',', &item))
		/* An empty list has one empty item. */
		is_as_strict = !str_to_int64(item, &id) || page_access_is_withdrawn(there, id);
	return is_as_strict;
}
