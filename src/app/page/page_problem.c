#include "app/page/page_problem.h"

#include <string.h>

#include "app/page/page_host.h"
#include "domain/page/published_file.h"
#include "http/problem.h"
#include "publish/page/pages_reader.h"
#include "view/page.h"
#include "view/page/page_error.h"
#include "view/page/page_text.h"
#include "view/service_html.h"

void page_problem_is_html(struct exchange *exchange, int status)
{
	response_header(&exchange->response, "Content-Security-Policy",
			"default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
			"form-action 'self'; base-uri 'none'; frame-ancestors 'none'");
	exchange->response.status = status;
	exchange->response.content_type = "text/html; charset=utf-8";
}

void page_problem_set_private(struct exchange *exchange)
{
	response_header(&exchange->response, "Cache-Control", "private, no-store");
	response_header(&exchange->response, "X-Robots-Tag", "noindex");
	response_header(&exchange->response, "Referrer-Policy", "no-referrer");
}

bool page_problem_is_for_people(const struct request *request)
{
	size_t count = request->segment_count;
	const char *type = count > 0 ? published_file_type(request->segments[count - 1]) : NULL;
	return (!type || strncmp(type, "text/html", strlen("text/html")) == 0) &&
	       (count < 3 || strcmp(request->segments[2], "api") != 0);
}

/* Ignores errors from the disk: the caller already reports an error. */
bool page_problem_of_public_page(struct exchange *exchange)
{
	enum { ERROR_PAGE_MAX_BYTES = 256 * 1024 };
	static const enum pages_place places[] = { PAGES_PUBLIC, PAGES_NOINDEX };
	const struct request *request = &exchange->request;
	struct pages_reader reader CLEANUP(pages_reader_close) = PAGES_READER_CLOSED;
	struct error ignored = { 0 };
	if (exchange->error_page || request->segment_count < 2 ||
	    strcmp(request->segments[0], "s") != 0 || page_host_is_foreign(exchange) ||
	    pages_reader_open(&reader, exchange->config->pages_dir, &ignored) != OK)
		return exchange->error_page;
	for (size_t i = 0; i < ARRAY_LEN(places) && !exchange->error_page; i++)
		if (pages_reader_text(&reader, places[i], request->segments[1], PAGE_ERROR_FILE,
				      ERROR_PAGE_MAX_BYTES, &exchange->arena, &exchange->error_page,
				      &ignored) != OK)
			exchange->error_page = NULL;
	if (exchange->error_page)
		exchange->language = page_text_language(exchange->error_page, &exchange->arena);
	return exchange->error_page;
}

/* Responds in the design of the page. Returns false, without a response, if the visitor may not
 * know that the page exists, or if the client is a program. */
static bool respond_as_page(struct exchange *exchange, int status, const char *detail)
{
	struct response *response = &exchange->response;
	if (!exchange->error_page || !page_problem_is_for_people(&exchange->request))
		return false;
	buf_clear(&response->body);
	buf_puts(&response->body, exchange->error_page);
	if (exchange->hides_scripts)
		page_text_make_plain(&response->body);
	page_error_adapt(&response->body,
			 &(struct page_error){
				 .root = page_host_path(exchange, exchange->request.segments[1]),
				 .status = status,
				 .words = words_of_language(exchange->language),
				 .detail = detail,
				 .request_id = status >= 500 ? exchange->request.id : NULL });
	page_problem_is_html(exchange, status);
	response_header(response, "Content-Security-Policy", "%s", page_host_policy(exchange));
	return true;
}

void page_problem_not_found(struct exchange *exchange)
{
	page_problem_set_private(exchange);
	page_problem_of_public_page(exchange);
	if (respond_as_page(exchange, 404, NULL))
		return;
	buf_clear(&exchange->response.body);
	service_not_found_html(&exchange->response.body, words_of_language(exchange->language));
	page_problem_is_html(exchange, 404);
}

/* Returns the sentence about the error, in the service's language; NULL: the error has no sentence,
 * or the page has another language. */
static const char *detail_of(const struct exchange *exchange, enum result result)
{
	if (words_of_language(exchange->language) != words_of_service())
		return NULL;
	if (result == E_INVALID && exchange->violations.count > 0)
		return exchange->violations.first->message;
	return exchange->error.client[0] != '\0' ? exchange->error.client : NULL;
}

static void respond_to_visitor(struct exchange *exchange, enum result result)
{
	struct response *response = &exchange->response;
	int status = problem_status(result);
	if (status == 404) {
		page_problem_not_found(exchange);
		return;
	}
	page_problem_of_public_page(exchange);
	problem_set_headers(response, result, &exchange->error);
	response_header(response, "X-Robots-Tag", "noindex");
	response_header(response, "Referrer-Policy", "no-referrer");
	const char *detail = detail_of(exchange, result);
	if (respond_as_page(exchange, status, detail))
		return;
	buf_clear(&response->body);
	service_failure_html(&response->body, words_of_language(exchange->language), status, detail,
			     status >= 500 ? exchange->request.id : NULL);
	page_problem_is_html(exchange, status);
}

void page_problem_respond(struct exchange *exchange, enum result result)
{
	if (exchange->is_page_domain || !exchange->request.is_for_programs)
		respond_to_visitor(exchange, result);
	else
		problem_respond(&exchange->response, result, &exchange->error,
				&exchange->violations, exchange->request.id);
}
