/* How a handler writes the response: the envelopes of contract section 3, and entity tags. */
#ifndef APP_RESPOND_H
#define APP_RESPOND_H

#include "app/input.h"

/* {"data": tree, "status": status} */
void exchange_respond(struct exchange *exchange, int status, struct json_object *data);
/* The same with status 200 for a row and its field table, without a tree. */
void exchange_respond_row(struct exchange *exchange, struct fields fields, const void *row);
/* Location of a resource that the request to its list has created. */
void exchange_set_location(struct exchange *exchange, int64_t id);
/* {"id", "object", "deleted": true, "status": 200} */
void exchange_respond_deleted(struct exchange *exchange, const char *object, int64_t id);
/*
 * {"data": rows, "links", "meta", "status"}, without a tree for the rows, which costs more than the
 * rest of the request: begin, add each row by its field table, end.
 */
void exchange_begin_rows(struct exchange *exchange);
void exchange_add_row(struct exchange *exchange, struct fields fields, const void *row);
void exchange_end_rows(struct exchange *exchange, const struct list_page *page);
/* All of it for an array of rows; `page` takes their number and the total. */
struct list_rows {
	const void *rows;
	size_t row_bytes;
	size_t count;
	int64_t total; /* of the whole list */
};
void exchange_respond_rows(struct exchange *exchange, struct fields fields,
			   const struct list_rows *list, struct list_page *page);

/*
 * A hash of the resource, in place of its revision: for resources that change without a write to
 * their row.
 */
int64_t exchange_hash(struct fields fields, const void *row);
/* The entity tag of a single resource: its id and revision. */
void exchange_set_etag(struct exchange *exchange, int64_t id, int64_t revision);
/* E_PRECONDITION_FAILED: there is an If-Match, and it does not name this version. */
enum result exchange_check_etag(struct exchange *exchange, int64_t id, int64_t revision) MUST_USE;
/* Whether If-None-Match names this tag, or this version; then the response is 304. */
bool exchange_has_etag(struct exchange *exchange, const char *etag);
bool exchange_is_unchanged(struct exchange *exchange, int64_t id, int64_t revision);

#endif
