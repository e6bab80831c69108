/* What a handler reads of the request: the body and the query, by the route's fields. */
#ifndef APP_INPUT_H
#define APP_INPUT_H

#include "app/exchange.h"

/*
 * Reads the body into `object` by the route's fields. Violations are added to
 * exchange->violations and are for the caller to report. Else the results of
 * body_read(), and of the method override: E_METHOD_NOT_ALLOWED for a POST that must
 * name PUT or PATCH and does not, E_INVALID (violation added) for another _method.
 */
enum result exchange_body(struct exchange *exchange, void *object, struct field_set *sent) MUST_USE;
/*
 * Adds a violation for each field sent that a client may not set and that differs from the
 * resource, as it is read: see http/read_only.h. Frees the tree.
 */
void exchange_check_read_only(struct exchange *exchange, struct json_object *resource,
			      const char *growing);
/* The parameters of the query string, by the route's fields. E_INVALID: there are violations. The
 * response to a GET names others in X-Daymark-Ignored. */
enum result exchange_query(struct exchange *exchange, void *object) MUST_USE;
/* The same by other fields than the route's. */
enum result exchange_read_query(struct exchange *exchange, const struct fields *fields,
				void *object) MUST_USE;

/* The size of a list's page: a FIELD_CHOICE among these, as `per_page` is everywhere. */
extern const char *const exchange_per_page_choices[];
/* The choice that the configuration makes the default. */
int exchange_per_page_default(const struct exchange *exchange);
/* The directions of every list: 0 is descending, the default. */
extern const char *const exchange_sort_choices[];
/* Pages so high that their offset would not fit in a number are past every end. */
#define EXCHANGE_PAGE_MAX (INT64_MAX / 100)
/* The rows of `per_page` and `page`, with which the query of every list ends. */
#define EXCHANGE_PAGE_ROWS(type, noun) \
	FIELD(type, per_page, .choices = exchange_per_page_choices, .default_value = "10", \
	      .text = "How many " noun " the response has."), \
		FIELD(type, page, .min = 1, .max = EXCHANGE_PAGE_MAX, .default_value = "1", \
		      .text = "Which part of the list, from 1.")

/* A page of a list. */
struct list_page {
	int64_t number; /* from 1 */
	int64_t size;
	int64_t offset; /* how many rows are before it */
	int64_t total;	/* this and `shown` are set once the list is read */
	size_t shown;
	const char *cursor; /* the parameter that asks for the rest of a list without parts, else
			     * NULL */
};
/*
 * The page that a query asks for, before its rows are read: `choice` is one of the sizes.
 * E_BUSY: the list may become large, and too much memory is in use.
 */
enum result exchange_begin_list(struct exchange *exchange, int choice, int64_t number,
				struct list_page *page) MUST_USE;

#endif
