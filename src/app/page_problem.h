/*
 * HTML responses for visitors other than pages: errors, and the helpers that they share.
 * Requests of programs get their errors as JSON (http/problem.h).
 */
#ifndef APP_PAGE_PROBLEM_H
#define APP_PAGE_PROBLEM_H

#include "app/exchange.h"

/* Sets the status, and the headers of a small HTML document without scripts. */
void page_problem_is_html(struct exchange *exchange, int status);

/* Sets the headers that keep a response out of caches, search engines and Referer. */
void page_problem_set_private(struct exchange *exchange);

/* Responds 404 in HTML. The response is the same for hidden pages and for unknown ones. */
void page_problem_not_found(struct exchange *exchange);

/* Responds with an error: HTML for visitors, JSON for programs. */
void page_problem_respond(struct exchange *exchange, enum result result);

#endif
