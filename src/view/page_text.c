#include "view/page_text.h"

#include <string.h>

#include "base/str.h"

/* Only the page's own markup has literal quotes and angle brackets. People's texts have character
 * references instead, so they cannot contain these patterns. */

static const char *const stems[] = {
	"page-", "custom-", "logo-", "logodark-", "header-", "favicon-"
};

bool page_text_is_hashed(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(stems); i++)
		if (strncmp(name, stems[i], strlen(stems[i])) == 0)
			return true;
	return false;
}

/* The address of a file relative to the page: the pages of incidents are in folders below it, and
 * the links of the error page begin with "./". */
static const char *from_page(const char *address)
{
	size_t up = strncmp(address, "../", 3) == 0 ? 3 : strncmp(address, "./", 2) == 0 ? 2 : 0;
	return address + up;
}

const char *page_text_language(const char *html, struct arena *arena)
{
	static const char start[] = "<html lang=\"";
	const char *at = strstr(html, start);
	const char *language = at ? at + strlen(start) : "";
	const char *quote = strchr(language, '"');
	return quote ? arena_strndup(arena, language, (size_t)(quote - language)) : NULL;
}

struct buf page_text_take(struct buf *html)
{
	struct buf old = *html;
	*html = BUF_INIT(old.max_bytes);
	return old;
}

/* Whether the line has the page's own CSS or JavaScript. */
static bool is_own(struct str line)
{
	static const char *const openings[] = { "<link rel=\"stylesheet\" href=\"",
						"<script src=\"" };
	for (size_t i = 0; i < ARRAY_LEN(openings); i++)
		if (str_starts(line, str_from(openings[i])))
			return str_starts(str_from(from_page(line.data + strlen(openings[i]))),
					  STR("custom-"));
	return false;
}

void page_text_make_plain(struct buf *html)
{
	struct buf old CLEANUP(buf_done) = page_text_take(html);
	struct str rest = { old.data, old.len }, line;
	while (str_split(&rest, '\n', &line)) {
		if (is_own(line))
			continue;
		buf_add(html, line.data, line.len);
		if (rest.data)
			buf_putc(html, '\n');
	}
}

/* The first address, from `at` on, in an attribute that begins with `start`; NULL: no such
 * attribute. strstr() is several times as fast as memmem(). */
static const char *find_address(const char *at, const char *start)
{
	const char *found = strstr(at, start);
	return found ? found + strlen(start) : NULL;
}

void page_text_add_token(struct buf *html, const char *token)
{
	static const char *const starts[] = { "href=\"", "src=\"", "srcset=\"", "action=\"" };
	enum { FORM = ARRAY_LEN(starts) - 1 };
	const char *next[ARRAY_LEN(starts)];
	struct buf old CLEANUP(buf_done) = page_text_take(html);
	const char *at = old.data ? old.data : "", *end = at + old.len;
	for (size_t i = 0; i < ARRAY_LEN(starts); i++)
		next[i] = find_address(at, starts[i]);
	for (;;) {
		size_t first = 0;
		for (size_t i = 1; i < ARRAY_LEN(starts); i++)
			if (!next[first] || (next[i] && next[i] < next[first]))
				first = i;
		const char *address = next[first];
		if (!address)
			break;
		const char *quote = strchr(address, '"');
		if (quote && (page_text_is_hashed(from_page(address)) || first == FORM)) {
			buf_add(html, at, (size_t)(quote - at));
			buf_printf(html, "?pass=%s", token);
			at = quote;
		}
		next[first] = find_address(address, starts[first]);
	}
	buf_add(html, at, (size_t)(end - at));
}
