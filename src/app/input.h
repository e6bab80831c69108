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

#endif
