/*
 * What a visitor sees instead of a page, in HTML: a failure, and the installation's own root.
 * Failures of what is asked by programs stay JSON (http/problem.h).
 */
#ifndef APP_PAGE_PROBLEM_H
#define APP_PAGE_PROBLEM_H

#include "app/exchange.h"

/* Makes the response's body HTML of the gate's kind. */
void page_problem_is_html(struct exchange *exchange, int status);

/* Makes the response the response to a failure, in the form of what was asked for. */
void page_problem_respond(struct exchange *exchange, enum result result);

#endif
