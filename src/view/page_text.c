#include "view/page_text.h"

#include <string.h>

#include "base/str.h"

/*
 * Only the page's own markup has literal quotes and angle brackets: in texts of a tenant they
 * are character references. So these texts cannot contain the patterns that are searched here.
 */

static const char *const stems[] = { "page-", "custom-", "logo-", "favicon-" };

bool page_text_is_hashed(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(stems); i++)
		if (strncmp(name, stems[i], strlen(stems[i])) == 0)
			return true;
	return false;
}

/* Returns the old text and leaves the buffer empty for the new one. */
static struct buf take_text(struct buf *html)
{
	struct buf old = *html;
	*html = BUF_INIT(old.max_bytes);
	return old;
}

void page_text_make_plain(struct buf *html)
{
	struct buf old CLEANUP(buf_done) = take_text(html);
	struct str rest = { old.data, old.len }, line;
	while (str_split(&rest, '\n', &line)) {
		if (str_starts(line, STR("<link rel=\"stylesheet\" href=\"custom-")) ||
		    str_starts(line, STR("<script src=\"custom-")))
			continue;
		buf_add(html, line.data, line.len);
		if (rest.data)
			buf_putc(html, '\n');
	}
}

void page_text_add_token(struct buf *html, const char *token)
{
	struct buf old CLEANUP(buf_done) = take_text(html);
	struct str rest = { old.data, old.len }, piece;
	bool is_file = false;
	while (str_split(&rest, '"', &piece)) {
		buf_add(html, piece.data, piece.len);
		/* The piece was the address of a file: its closing quote follows. */
		if (is_file)
			buf_printf(html, "?pass=%s", token);
		if (rest.data)
			buf_putc(html, '"');
		bool is_address =
			(piece.len >= 5 && memcmp(piece.data + piece.len - 5, "href=", 5) == 0) ||
			(piece.len >= 4 && memcmp(piece.data + piece.len - 4, "src=", 4) == 0);
		is_file = is_address && rest.data && page_text_is_hashed(rest.data);
	}
}
