/* Writes a handler's response: the envelopes of contract section 3, and entity tags. */
#ifndef APP_RESPOND_H
#define APP_RESPOND_H

#include "app/exchange.h"

/* Responds {"data": data, "status": status}. */
void exchange_respond(struct exchange *exchange, int status, struct json_object *data);
/* Like exchange_respond(), but for a row, of which it prints the fields `fields`. */
void exchange_respond_row(struct exchange *exchange, int status, struct fields fields,
			  const void *row);
/* Responds with `sent`, which has a secret. Stores `stored`, which has none, for an
 * Idempotency-Key, so that nobody can sign in with data from a copy of the database. */
void exchange_respond_secret(struct exchange *exchange, int status, struct json_object *stored,
			     struct json_object *sent);
/* Makes the response a file with this name. The body must already have the CSV. In the console,
 * also sets the policy headers of screens. */
void exchange_respond_csv(struct exchange *exchange, const char *name);
/* Sets the entity tag of one resource. The tag has the id and the revision. */
void exchange_set_etag(struct exchange *exchange, int64_t id, int64_t revision);
/* Compares If-Match, if the request has it, with this version. E_PRECONDITION_FAILED: they differ.
 */
enum result exchange_check_etag(struct exchange *exchange, int64_t id, int64_t revision) MUST_USE;
/* Whether If-None-Match has the tag `etag`, or the tag of this `id` and `revision`. If true, sets
 * the status 304. */
bool exchange_has_etag(struct exchange *exchange, const char *etag);
bool exchange_is_unchanged(struct exchange *exchange, int64_t id, int64_t revision);

#endif
