/*
 * What the handlers of updates have in common, whether people post about an incident or about a
 * maintenance window. `fields` is the table of the update as that resource shows it.
 */
#ifndef APP_INCIDENT_POSTED_UPDATES_H
#define APP_INCIDENT_POSTED_UPDATES_H

#include "app/exchange.h"
#include "domain/posted_update.h"

/* 200 with the update and its entity tag. */
void posted_update_respond(struct exchange *exchange, struct fields fields,
			   const struct posted_update *update);
/* The same as 201 with Location; `resources` as in the path: "incidents". */
void posted_update_respond_created(struct exchange *exchange, struct fields fields,
				   const struct posted_update *update, const char *resources,
				   int64_t resource_id);
/* The same as 200, or as 304 if the client has this version. */
void posted_update_respond_shown(struct exchange *exchange, struct fields fields,
				 const struct posted_update *update);

/* E_PRECONDITION_FAILED, as exchange_check_etag(). */
enum result posted_update_check_etag(struct exchange *exchange, struct fields fields,
				     const struct posted_update *update) MUST_USE;
/* The same for a change, in which read-only fields may be sent back as they are. */
enum result posted_update_admit_edit(struct exchange *exchange, struct fields fields,
				     const struct posted_update *update) MUST_USE;

#endif
