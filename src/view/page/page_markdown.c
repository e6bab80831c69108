#include "view/page/page_markdown.h"

#include <string.h>

#include "base/secret.h"
#include "view/markdown.h"

/* Only texts of at least KEPT_MIN_BYTES are kept: rendering a shorter text is faster than finding
 * its HTML. KEPT_MAX_BYTES limits the bytes of all kept HTML, KEPT_MAX the number of texts. */
enum { KEPT_MIN_BYTES = 200, KEPT_MAX_BYTES = 8 << 20, KEPT_MAX = 1000 };

struct kept_text {
	const char *digest;
	/* 0: the text has no heading, so its HTML is the same at each level. */
	int heading_level;
	struct str html;
};

struct page_texts_kept {
	struct arena *arena;
	struct kept_text *rows;
	size_t count;
	size_t room;
	size_t bytes;
};

void page_markdown_begin(struct page_snapshot *snapshot, struct arena *arena)
{
	snapshot->kept_texts = ARENA_NEW(arena, struct page_texts_kept);
	snapshot->kept_texts->arena = arena;
}

static bool has_heading(struct str html)
{
	for (size_t i = 0; i + 2 < html.len; i++)
		if (html.data[i] == '<' && html.data[i + 1] == 'h' && html.data[i + 2] >= '1' &&
		    html.data[i + 2] <= '6')
			return true;
	return false;
}

static const struct kept_text *find(const struct page_texts_kept *kept, const char *digest,
				    int heading_level)
{
	for (size_t i = 0; i < kept->count; i++) {
		const struct kept_text *row = &kept->rows[i];
		if (strcmp(row->digest, digest) == 0 &&
		    (row->heading_level == 0 || row->heading_level == heading_level))
			return row;
	}
	return NULL;
}

static void keep_html(struct page_texts_kept *kept, const char *digest, int heading_level,
		      struct str html)
{
	if (kept->count == KEPT_MAX || kept->bytes + html.len > KEPT_MAX_BYTES)
		return;
	kept->rows =
		arena_grow(kept->arena, kept->rows, kept->count, &kept->room, sizeof(*kept->rows));
	kept->bytes += html.len;
	kept->rows[kept->count++] = (struct kept_text){
		.digest = digest,
		.heading_level = has_heading(html) ? heading_level : 0,
		.html = { arena_strndup(kept->arena, html.data, html.len), html.len },
	};
}

void page_markdown(struct buf *out, const struct page_snapshot *snapshot, const char *text,
		   int heading_level)
{
	struct page_texts_kept *kept = snapshot->kept_texts;
	const struct str whole = str_from(text);
	if (!kept || whole.len < KEPT_MIN_BYTES) {
		markdown_html(out, text, heading_level);
		return;
	}
	const char *digest = secret_digest_fast(kept->arena, &whole, 1);
	const struct kept_text *found = find(kept, digest, heading_level);
	if (found) {
		buf_add(out, found->html.data, found->html.len);
		return;
	}
	const size_t begin = out->len;
	markdown_html(out, text, heading_level);
	if (buf_ok(out))
		keep_html(kept, digest, heading_level,
			  (struct str){ out->data + begin, out->len - begin });
}
