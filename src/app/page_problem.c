#include "app/page_problem.h"

#include "http/problem.h"
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

void page_problem_not_found(struct exchange *exchange)
{
	buf_clear(&exchange->response.body);
	service_not_found_html(&exchange->response.body, words_of_language(exchange->language));
	page_problem_set_private(exchange);
	page_problem_is_html(exchange, 404);
}

/* The sentences of errors are in the service's language only. */
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
	buf_clear(&response->body);
	service_failure_html(&response->body, words_of_language(exchange->language), status,
			     detail_of(exchange, result),
			     status >= 500 ? exchange->request.id : NULL);
	problem_set_headers(response, result, &exchange->error);
	response_header(response, "X-Robots-Tag", "noindex");
	response_header(response, "Referrer-Policy", "no-referrer");
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
