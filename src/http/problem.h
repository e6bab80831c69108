/* Error responses. Only this file maps results to status codes. */
#ifndef HTTP_PROBLEM_H
#define HTTP_PROBLEM_H

#include "base/error.h"
#include "base/violation.h"
#include "http/response.h"

int problem_status(enum result result);
/* Sets the headers that an error response has, in JSON and in any other format: Retry-After,
 * WWW-Authenticate. */
void problem_set_headers(struct response *response, enum result result, const struct error *error);

/*
 * Responds with an error as JSON: {"message", "status"}, with "errors" and "codes" for E_INVALID
 * and "request_id" for 5xx. The response does not contain the text for the log. Headers that the
 * caller has set are kept.
 */
void problem_respond(struct response *response, enum result result, const struct error *error,
		     const struct violations *violations, const char *request_id);

#endif
