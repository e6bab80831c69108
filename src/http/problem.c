#include "http/problem.h"

#include <string.h>

#include "base/violation_code.h"
#include "wire/json.h"

struct problem {
	enum result result;
	int status;
	const char *message; /* used if the error has no text */
};

static const struct problem problems[] = {
	{ E_MALFORMED, 400, "The request cannot be decoded." },
	{ E_UNAUTHENTICATED, 401, "Unauthenticated." },
	{ E_FORBIDDEN, 403, "This key may only read." },
	{ E_NOT_FOUND, 404, "Not found." },
	{ E_METHOD_NOT_ALLOWED, 405, "This method is not supported here." },
	{ E_TOO_SLOW, 408, "The body did not come in time. Nothing was changed." },
	{ E_CONFLICT, 409, "The request conflicts with an existing value." },
	{ E_PRECONDITION_FAILED, 412, "The resource has changed since the version in If-Match." },
	{ E_TOO_LARGE, 413, "The body is too large." },
	{ E_UNSUPPORTED, 415, "The body's type is not supported." },
	{ E_INVALID, 422, "The given data is invalid." },
	{ E_RATE_LIMITED, 429, "Too many requests." },
	{ E_QUOTA_EXCEEDED, 429, "A quota of the account is used up." },
	{ E_BUSY, 503, "The service is busy. Nothing was changed; please try again." },
	{ E_CROWDED, 503, "Too many unfinished requests. Nothing was changed; please try again." },
	{ E_RETRY, 503, "The database is busy. Nothing was changed; please try again." },
	{ E_UNAVAILABLE, 503, "The database cannot be reached. Nothing was changed." },
	{ E_REFUSED, 503,
	  "The database cannot do this at the moment. Nothing was changed; please try again." },
	{ E_UNCERTAIN, 503,
	  "The connection to the database was lost while saving. Whether the change was made is "
	  "unknown; check before you try again." },
	{ E_FAILED, 500, "Server error." },
};

static const struct problem *problem_of(enum result result)
{
	for (size_t i = 0; i < ARRAY_LEN(problems); i++)
		if (problems[i].result == result)
			return &problems[i];
	return &problems[ARRAY_LEN(problems) - 1];
}

int problem_status(enum result result)
{
	return problem_of(result)->status;
}

static void put_violations(struct json_object *body, const struct violations *violations)
{
	const char *message = violations->first->message;
	if (violations->count > 1)
		message = arena_printf(violations->arena, "%s (and %zu more error%s)", message,
				       violations->count - 1, violations->count > 2 ? "s" : "");
	json_put_text(body, "message", message);
	json_put_int(body, "status", 422);

	struct json_object *errors = json_object_tree(), *codes = json_object_tree();
	json_put(body, "errors", errors);
	json_put(body, "codes", codes);
	for (const struct violation *violation = violations->first; violation;
	     violation = violation->next) {
		/* All violations of a field become one list, at the place of the first. So skip
		 * later ones. */
		const struct violation *earlier = violations->first;
		while (earlier != violation && strcmp(earlier->field, violation->field) != 0)
			earlier = earlier->next;
		if (earlier != violation)
			continue;
		struct json_object *messages = json_array_tree(), *words = json_array_tree();
		json_put(errors, violation->field, messages);
		json_put(codes, violation->field, words);
		for (const struct violation *same = violation; same; same = same->next) {
			if (strcmp(same->field, violation->field) != 0)
				continue;
			json_append_text(messages, same->message);
			json_append_text(words, violation_code(same->message));
		}
	}
}

void problem_set_headers(struct response *response, enum result result, const struct error *error)
{
	int status = problem_status(result);
	if (status == 503)
		response_header(response, "Retry-After", "%d",
				error->retry_after_s > 0 ? error->retry_after_s : 5);
	if (status == 401)
		response_header(response, "WWW-Authenticate", "Bearer realm=\"daymark\"");
}

void problem_respond(struct response *response, enum result result, const struct error *error,
		     const struct violations *violations, const char *request_id)
{
	const struct problem *problem = problem_of(result);
	struct json_object *body = json_object_tree();
	if (result == E_INVALID && violations && violations->count > 0) {
		put_violations(body, violations);
	} else {
		json_put_text(body, "message",
			      error->client[0] != '\0' ? error->client : problem->message);
		json_put_int(body, "status", problem->status);
	}
	if (problem->status >= 500)
		json_put_text(body, "request_id", request_id);
	problem_set_headers(response, result, error);
	response_json(response, problem->status, body);
}
