#include "view/page/page_text.h"

#include <string.h>

#include "base/secret.h"

/* The functions below find addresses by the quotes and angle brackets around them. Quotes and angle
 * brackets in texts of people are escaped, so they cannot be mistaken for HTML. */

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

/* Returns the address without a leading "../" (from a page of an incident) or "./" (from the error
 * page). */
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

/* Returns whether the line is a link to the page's own CSS or JavaScript. */
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

/* Returns the text after the first `start`, such as "href=\"", from `at` on; NULL: none. strstr()
 * is several times as fast as memmem(). */
static const char *find_address(const char *at, const char *start)
{
	const char *found = strstr(at, start);
	return found ? found + strlen(start) : NULL;
}

/* Appends the replacement of an address. is_form: the address is the action of a form. */
typedef void put_address(struct buf *html, struct str address, bool is_form, const void *context);

static void change_addresses(struct buf *html, put_address *put, const void *context)
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
		if (quote) {
			buf_add(html, at, (size_t)(address - at));
			put(html, (struct str){ address, (size_t)(quote - address) }, first == FORM,
			    context);
			at = quote;
		}
		next[first] = find_address(address, starts[first]);
	}
	buf_add(html, at, (size_t)(end - at));
}

static void put_with_token(struct buf *html, struct str address, bool is_form, const void *token)
{
	buf_add(html, address.data, address.len);
	if (is_form || page_text_is_hashed(from_page(address.data)))
		buf_printf(html, "?pass=%s", (const char *)token);
}

void page_text_add_token(struct buf *html, const char *token)
{
	change_addresses(html, put_with_token, token);
}

/* Returns whether the address has no scheme. Returns false for "#...", a link within the file. */
static bool is_relative(const char *address)
{
	return address[0] != '#' && address[strcspn(address, ":/?#\"")] != ':';
}

static void put_whole(struct buf *html, struct str address, bool is_form, const void *context)
{
	const struct page_inlines *inlines = context;
	(void)is_form;
	for (size_t i = 0; i < inlines->count; i++)
		if (str_eq(address, str_from(inlines->rows[i].name))) {
			buf_puts(html, inlines->rows[i].content.data);
			return;
		}
	buf_puts(html, is_relative(address.data) ? inlines->url : "");
	buf_add(html, address.data, address.len);
}

void page_text_make_whole(struct buf *html, const struct page_inlines *inlines, struct arena *arena)
{
	for (size_t i = 0; i < inlines->count; i++) {
		struct page_inline *one = &inlines->rows[i];
		bool is_text = strncmp(one->type, "text/", 5) == 0;
		one->content = str_from(
			arena_printf(arena, "data:%.*s;base64,%s%s%s", (int)strcspn(one->type, ";"),
				     one->type, secret_to_base64(arena, one->content),
				     is_text ? "\" nonce=\"" : "", is_text ? inlines->nonce : ""));
	}
	change_addresses(html, put_whole, inlines);
	/* Browsers accept <base> even at the end of the document. */
	buf_puts(html, "<base target=\"_blank\">\n");
}
