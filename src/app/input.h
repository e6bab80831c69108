/* Reads the request for a handler: the body and the query, by the fields of the route. */
#ifndef APP_INPUT_H
#define APP_INPUT_H

#include "app/exchange.h"

/*
 * Reads the body into `object` by the fields of the route. Adds violations to exchange->violations,
 * which the caller reports. Returns the results of body_read(), and two results for the field
 * _method of a POST. E_METHOD_NOT_ALLOWED: the field is missing, but the route needs it, or the
 * route does not accept it. E_INVALID, with a violation: its value is not valid.
 */
enum result exchange_body(struct exchange *exchange, void *object, struct field_set *sent) MUST_USE;
/* Reads the body into exchange->form. exchange_body() calls it if the form is not yet read. */
enum result exchange_read_form(struct exchange *exchange) MUST_USE;
/*
 * Adds a violation for each read-only field whose value in the request differs from its value in
 * `resource`: see http/read_only.h. Frees the tree `resource`.
 */
void exchange_check_read_only(struct exchange *exchange, struct json_object *resource,
			      const char *growing);
/*
 * Reads the parameters of the query by the fields of the route. E_INVALID: there are violations.
 * The response to a GET names unknown parameters in X-Daymark-Ignored.
 */
enum result exchange_query(struct exchange *exchange, void *object) MUST_USE;
/* Like exchange_query(), for a write without a body. Adds the query to the hash of the request,
 * because a parameter may decide whether the request keeps or deletes something. */
enum result exchange_query_of_write(struct exchange *exchange, void *object) MUST_USE;
/* Like exchange_query(), but with the fields `fields`, and without X-Daymark-Ignored. */
enum result exchange_read_query(struct exchange *exchange, const struct fields *fields,
				void *object) MUST_USE;

#endif
