/*
 * The handlers of lists and single objects, and the common functions of handlers that change
 * objects, for the resource of the route's group: see service/resource/resource.h.
 */
#ifndef APP_RESOURCES_H
#define APP_RESOURCES_H

#include "app/exchange.h"

/* GET of a list, and GET of a single object */
enum result resources_list(struct exchange *exchange);
enum result resources_show(struct exchange *exchange);

/* Returns the parameters of the request's query as they were sent, each followed by '&'. Leaves out
 * the parameter with the name `but`. */
const char *exchange_other_parameters(struct exchange *exchange, const char *but);

/* Callbacks for exchange_service(). `current` and `outcome` point to structs that begin with a row
 * of the resource. */
/* Compares If-Match with the version of the row. E_PRECONDITION_FAILED: the versions differ. */
enum result resources_admit(struct exchange *exchange, const void *current) MUST_USE;
/* Like resources_admit(); also adds a violation for each read-only field that was sent with another
 * value. */
enum result resources_admit_update(struct exchange *exchange, const void *current) MUST_USE;
/* Respond with the row and its entity tag. The status is 200, 202 or 201; 201 also has Location. */
void resources_render(struct exchange *exchange, const void *outcome);
void resources_render_accepted(struct exchange *exchange, const void *outcome);
void resources_render_created(struct exchange *exchange, const void *outcome);
/* Sets the Location of a row that a POST to the list has created. */
void resources_set_location(struct exchange *exchange, const void *row);
/* Responds {"id", "object", "deleted": true, "status": 200}. */
void resources_render_deleted(struct exchange *exchange, const void *outcome);
/* Like resources_render_deleted(). If `counted` is not NULL, adds a member of this name: `count`,
 * the number of other objects that were deleted with the object. */
void resources_respond_deleted(struct exchange *exchange, int64_t id, const char *counted,
			       int64_t count);

#endif
