#include "access/page_access.h"

#include <string.h>

#include "base/lines.h"
#include "base/secret.h"
#include "wire/urlencoded.h"

static const char *or_none(const char *text)
{
	return text && text[0] != '\0' ? text : LINE_NONE;
}

/* Writes a space, and then the text as one word, percent-encoded (see percent_decode()). */
static void write_text(struct buf *out, const char *text)
{
	buf_putc(out, ' ');
	if (!text)
		buf_puts(out, LINE_NONE);
	for (const char *c = text ? text : ""; *c; c++)
		if (strchr(" \n%" LINE_NONE, *c))
			buf_printf(out, "%%%02X", (unsigned)*c);
		else
			buf_putc(out, *c);
}

void page_access_write(struct buf *out, const struct status_page *page)
{
	buf_printf(out, "%lld %lld %d %s %s %s %s", (long long)page->id,
		   (long long)page->account_id, page->privacy, or_none(page->password_hash),
		   page->language ? page->language : status_page_languages[0],
		   or_none(page->withdrawn_links), or_none(page->key_marks));
	/* Only the form for a password shows the name and the contact. */
	if (page->privacy == PRIVACY_PASSWORD) {
		write_text(out, page->name);
		write_text(out, page->contact_url);
	}
	buf_putc(out, '\n');
}

/* Returns the next word of the record, "" for LINE_NONE, or NULL if the record has no more words.
 */
static const char *take_word(struct str *line, struct arena *arena)
{
	const char *word = line_text(line, arena);
	return word && strcmp(word, LINE_NONE) == 0 ? "" : word;
}

/* Returns the next word, decoded, or NULL if the record has no more words. Returns "" for
 * LINE_NONE, and for a word that cannot be decoded. */
static const char *take_text(struct str *line, struct arena *arena)
{
	const char *word = take_word(line, arena);
	char *text = word ? arena_strdup(arena, word) : NULL;
	return !text || percent_decode(str_from(word), text) ? text : "";
}

bool page_access_parse(struct str text, struct arena *arena, struct page_access *access)
{
	struct lines lines = lines_of(text);
	struct str line;
	int64_t privacy;
	*access = (struct page_access){ .name = "", .contact_url = "" };
	if (!lines_next(&lines, &line) || !line_number(&line, INT64_MIN, &access->page_id) ||
	    !line_number(&line, INT64_MIN, &access->account_id) ||
	    !line_number(&line, INT64_MIN, &privacy))
		return false;
	access->privacy = (int)privacy;
	access->password_hash = take_word(&line, arena);
	access->language = take_word(&line, arena);
	access->withdrawn_links = take_word(&line, arena);
	access->key_marks = take_word(&line, arena);
	if (privacy == PRIVACY_PASSWORD) {
		access->name = take_text(&line, arena);
		access->contact_url = take_text(&line, arena);
	}
	return access->password_hash && access->language && access->withdrawn_links &&
	       access->key_marks && access->name && access->contact_url && line_ends(&line);
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
		/* An empty list gives one empty item, which is not a number: skip it. */
		is_as_strict = !str_to_int64(item, &id) || page_access_is_withdrawn(there, id);
	return is_as_strict;
}
