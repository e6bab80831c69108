#include "app/page/page_search.h"

#include <string.h>

#include "app/input.h"
#include "app/page/page_admission.h"
#include "app/page/page_host.h"
#include "app/page/page_moved.h"
#include "app/page/page_problem.h"
#include "publish/page/page_incidents.h"
#include "view/page.h"
#include "view/page_search.h"
#include "view/page_text.h"

/* Forms are for this page alone: the pages on which tenants have scripts can send none. */
static const char policy[] =
	"default-src 'none'; img-src 'self' data:; style-src 'self'; script-src 'self'; "
	"worker-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
	"sandbox allow-scripts allow-forms allow-top-navigation-by-user-activation";

struct search_input {
	const char *q;
};
static const struct field rows[] = { FIELD(struct search_input, q,
					   .max_chars = PAGE_SEARCH_MAX_CHARS) };

/* The place of the page's files that the visitor may see, and its error page. */
struct found {
	struct pages_reader reader;
	struct page_visit visit;
	enum pages_place place;
	const char *error_page; /* NULL: no page for this visitor */
};

static void found_close(struct found *found)
{
	pages_reader_close(&found->reader);
}

static enum result read_in(struct exchange *exchange, struct found *found, enum pages_place place)
{
	enum { ERROR_PAGE_MAX_BYTES = 256 * 1024 };
	found->place = place;
	return pages_reader_text(&found->reader, place, found->visit.slug, PAGE_ERROR_FILE,
				 ERROR_PAGE_MAX_BYTES, &exchange->arena, &found->error_page,
				 &exchange->error);
}

static enum result find_page(struct exchange *exchange, struct found *found)
{
	enum result result = read_in(exchange, found, PAGES_PUBLIC);
	if (result == OK && !found->error_page)
		result = read_in(exchange, found, PAGES_NOINDEX);
	if (result != OK || found->error_page)
		return result;
	found->visit.reader = &found->reader;
	result = page_admission_check(exchange, &found->visit);
	if (result == OK && found->visit.admission == ADMISSION_OPEN)
		result = read_in(exchange, found, PAGES_PRIVATE);
	return result;
}

/* Responds to a visitor who sees no page here. */
static enum result show_nothing(struct exchange *exchange, const struct found *found)
{
	bool is_moved = false;
	enum result result = page_moved_from_slug(exchange, found->visit.slug, &is_moved);
	if (result != OK || is_moved || found->visit.admission == ADMISSION_REDIRECT)
		return result;
	if (found->visit.admission != ADMISSION_ASK_PASSWORD) {
		page_problem_not_found(exchange);
		return OK;
	}
	exchange->response.status = 303;
	response_header(&exchange->response, "Location", "%s",
			page_moved_address(exchange, found->visit.slug));
	return OK;
}

static void put_page(struct exchange *exchange, const struct found *found,
		     const struct page_search *search)
{
	struct buf *html = &exchange->response.body;
	buf_puts(html, found->error_page);
	page_text_make_plain(html);
	const char *token = found->place == PAGES_PRIVATE && !exchange->is_page_domain
				    ? page_admission_asset_token(exchange, &found->visit)
				    : NULL;
	if (token)
		page_text_add_token(html, token);
	page_search(html, search, &exchange->arena);
	page_problem_set_private(exchange);
	response_header(&exchange->response, "Content-Security-Policy", "%s", policy);
	exchange->response.content_type = "text/html; charset=utf-8";
}

static enum result show_found(struct exchange *exchange, const struct found *found,
			      const char *wanted)
{
	struct buf titles CLEANUP(buf_done) = BUF_INIT((size_t)4 * PAGE_TITLES_BYTES);
	const struct page_titles read = { &found->reader, found->place, found->visit.slug, &titles,
					  &exchange->arena };
	enum result result = wanted ? page_incidents_titles(&read, &exchange->error) : OK;
	if (result == OK && !buf_ok(&titles))
		result = error_log(&exchange->error, E_FAILED, "the titles of a page are too long");
	if (result != OK)
		return result;
	put_page(exchange, found,
		 &(struct page_search){ .root = page_host_path(exchange, found->visit.slug),
					.words = words_of_language(page_text_language(
						found->error_page, &exchange->arena)),
					.wanted = wanted,
					.titles = { titles.data ? titles.data : "", titles.len } });
	return buf_ok(&exchange->response.body)
		       ? OK
		       : error_log(&exchange->error, E_FAILED, "a search has too many results");
}

enum result page_search_show(struct exchange *exchange)
{
	struct found found CLEANUP(found_close) = { .reader = PAGES_READER_CLOSED,
						    .visit.slug = exchange->match.params[0] };
	struct search_input input = { 0 };
	if (page_moved_from_slash(exchange))
		return OK;
	enum result result =
		pages_reader_open(&found.reader, exchange->config->pages_dir, &exchange->error);
	if (result == OK)
		result = find_page(exchange, &found);
	if (result != OK || !found.error_page)
		return result == OK ? show_nothing(exchange, &found) : result;
	result = exchange_read_query(exchange, &(struct fields){ rows, ARRAY_LEN(rows) }, &input);
	bool is_empty = str_trim(str_from(input.q)).len == 0;
	return result == OK ? show_found(exchange, &found, is_empty ? NULL : input.q) : result;
}
