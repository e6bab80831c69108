/*
 * One request and its response: who asks, what for, and the means to respond. Passed to every
 * handler; nothing is global. What handlers do with it is in input.h (read the request),
 * operation.h (run an operation of service/) and respond.h (write the response).
 */
#ifndef APP_EXCHANGE_H
#define APP_EXCHANGE_H

#include "base/arena.h"
#include "base/config.h"
#include "base/throttle.h"
#include "base/violation.h"
#include "db/db.h"
#include "domain/site.h"
#include "http/form.h"
#include "http/request.h"
#include "http/response.h"
#include "http/router.h"
#include "service/service.h"

struct app_route;
struct exchange;

/* What a handler adds to the transaction of an operation: see struct service_caller. */
typedef enum result exchange_admit(struct exchange *exchange, const void *current);
typedef void exchange_render(struct exchange *exchange, const void *outcome);

struct exchange {
	const struct config *config;
	struct db *db;
	struct throttle *throttle; /* the worker's, opened when it is first needed */
	struct gateway *gateway;
	struct arena arena; /* all that this request needs */
	struct request request;
	const struct site *site; /* the installation's own names */
	bool is_page_domain;	 /* the request came to a page's own domain */
	bool is_moved;		 /* the response redirects from a former domain */
	/* Of the page that the visitor asks for; NULL: unknown, or not to be known to the visitor.
	 */
	const char *language;
	/* PAGE_ERROR_FILE of the page that the visitor asks for; NULL: as above. */
	const char *error_page;
	struct route_match match;
	const struct app_route *route; /* NULL: no route has the path and the method */
	struct response response;
	bool is_key_due; /* the time of the key's last use is to be stored */
	/* For the operations of service/. Its principal is PRINCIPAL_NONE if no key was needed, or
	 * none was valid. */
	struct service service;
	exchange_admit *admit; /* of the operation; NULL: everything is admitted */
	exchange_render *render;
	size_t header_count;	 /* of the response, before the operation */
	const char *stored_body; /* for an Idempotency-Key, in place of a body with a secret */
	struct form *form;	 /* what exchange_body() has read */
	struct violations violations;
	struct error error;
	struct instant now;
	uint64_t queries_before; /* db_queries() when the request came */
};

/* What the threads of a process keep from request to request. */
struct exchange_worker {
	const struct config *config;
	const struct site *site;
	struct db *db;
	struct throttle throttle;
	struct arena_spare spare_chunks;
	struct buf_spare spare_body;
};

/* Everything but the request, which is read next. */
void exchange_init(struct exchange *exchange, struct exchange_worker *worker,
		   struct gateway *gateway);
void exchange_done(struct exchange *exchange, struct exchange_worker *worker);

#endif
