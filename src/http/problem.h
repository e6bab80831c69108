/* What went wrong, as a response. The only place that turns results into status codes. */
#ifndef HTTP_PROBLEM_H
#define HTTP_PROBLEM_H

#include "base/error.h"
#include "base/violation.h"
#include "http/response.h"

int problem_status(enum result result);
/* What its response has besides, in whichever form: Retry-After, WWW-Authenticate. */
void problem_set_headers(struct response *response, enum result result, const struct error *error);

/*
 * Makes `response` the response to a failure: {"message", "status"}, with
 * "errors" for E_INVALID and "request_id" for 5xx. The text for the log never
 * gets into it. Headers that were set stay.
 */
void problem_respond(struct response *response, enum result result, const struct error *error,
		     const struct violations *violations, const char *request_id);

#endif
