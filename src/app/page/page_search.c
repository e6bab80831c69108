#include "app/handlers.h"

#include "app/input.h"
#include "app/page/page_files.h"
#include "app/page/page_host.h"
#include "app/page/page_moved.h"
#include "app/page/page_problem.h"
#include "publish/page/page_incidents.h"
#include "view/page.h"
#include "view/page/page_search.h"

struct search_input {
	const char *q;
};
static const struct field rows[] = { FIELD(struct search_input, q,
					   .max_chars = PAGE_SEARCH_MAX_CHARS) };

static enum result show_found(struct exchange *exchange, enum pages_place place, const char *wanted)
{
	struct buf titles CLEANUP(buf_done) = BUF_INIT((size_t)4 * PAGE_TITLES_BYTES);
	struct buf *html = &exchange->response.body;
	struct pages_reader reader CLEANUP(pages_reader_close) = PAGES_READER_CLOSED;
	const char *slug = exchange->match.params[0];
	const struct page_titles read = { &reader, place, slug, &titles, &exchange->arena };
	enum result result =
		pages_reader_open(&reader, exchange->config->pages_dir, &exchange->error);
	if (result == OK && wanted)
		result = page_incidents_titles(&read, &exchange->error);
	if (result == OK && !buf_ok(&titles))
		result = error_log(&exchange->error, E_FAILED, "the titles of a page are too long");
	if (result != OK)
		return result;
	buf_puts(html, exchange->error_page);
	page_search(
		html,
		&(struct page_search){ .root = page_host_path(exchange, slug),
				       .words = words_of_language(exchange->language),
				       .wanted = wanted,
				       .titles = { titles.data ? titles.data : "", titles.len } },
		&exchange->arena);
	page_problem_set_private(exchange);
	response_header(&exchange->response, "Content-Security-Policy", "%s",
			page_host_policy(exchange));
	exchange->response.content_type = "text/html; charset=utf-8";
	return buf_ok(html)
		       ? OK
		       : error_log(&exchange->error, E_FAILED, "a search has too many results");
}

enum result page_search_show(struct exchange *exchange)
{
	struct page_admittance admittance;
	struct search_input input = { 0 };
	if (page_moved_from_slash(exchange))
		return OK;
	enum result result = page_files_admit(exchange, &admittance);
	if (result != OK || !admittance.is_given)
		return result;
	result = exchange_read_query(exchange, &(struct fields){ rows, ARRAY_LEN(rows) }, &input);
	bool is_empty = str_trim(str_from(input.q)).len == 0;
	return result == OK ? show_found(exchange, admittance.place, is_empty ? NULL : input.q)
			    : result;
}
