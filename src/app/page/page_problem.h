/*
 * Responds to visitors with errors as HTML, and with other HTML in place of a page. Programs get
 * errors as JSON (http/problem.h).
 */
#ifndef APP_PAGE_PAGE_PROBLEM_H
#define APP_PAGE_PAGE_PROBLEM_H

#include "app/exchange.h"

/* Sets the status of the response, and the headers for an HTML document without scripts. */
void page_problem_is_html(struct exchange *exchange, int status);

/* Sets the headers that keep a response out of caches, search engines and Referer. */
void page_problem_set_private(struct exchange *exchange);

/* Whether a person may have typed the address: not if it is a picture, a JSON file or a feed. */
bool page_problem_is_for_people(const struct request *request);

/*
 * Whether the requested page is public, or the visitor is admitted to it. Sets exchange->error_page
 * and exchange->language.
 */
bool page_problem_of_public_page(struct exchange *exchange);

/*
 * Responds 404 in HTML: in the design of exchange->error_page, or of the requested page if it is
 * public. Hidden and unknown pages get the same response.
 */
void page_problem_not_found(struct exchange *exchange);

/* Responds with an error: to programs in JSON, to visitors in HTML. The HTML has the design of the
 * requested page if the visitor may see the page. */
void page_problem_respond(struct exchange *exchange, enum result result);

#endif
