/*
 * An exchange is one request and its response. It has the principal, the route, and all other state
 * of the request: there is no global state. Handlers get the exchange. They read the request by
 * input.h, run an operation of service/ by operation.h, and write the response by respond.h.
 */
#ifndef APP_EXCHANGE_H
#define APP_EXCHANGE_H

#include "base/arena.h"
#include "base/config/config.h"
#include "base/throttle.h"
#include "base/violation.h"
#include "db/db.h"
#include "domain/page/site.h"
#include "http/form.h"
#include "http/request.h"
#include "http/response.h"
#include "http/router.h"
#include "service/service.h"

struct app_route;
struct console;
struct exchange;

/*
 * The functions that a handler adds to the transaction of an operation: see struct service_caller.
 */
typedef enum result exchange_admit(struct exchange *exchange, const void *current);
typedef void exchange_render(struct exchange *exchange, const void *outcome);

struct exchange {
	const struct config *config;
	struct db *db;
	struct throttle *throttle; /* owned by the worker; opened when it is first used */
	struct gateway *gateway;
	struct arena arena; /* memory that lives as long as the request */
	struct request request;
	const struct site *site; /* the host names of the installation */
	bool is_page_domain;	 /* the request came to the domain of a page */
	bool is_moved;		 /* the response redirects from a former domain */
	/*
	 * The language of the requested page. NULL: not known, or the visitor may not know that the
	 * page exists.
	 */
	const char *language;
	/* The content of PAGE_ERROR_FILE of the requested page. NULL: not known, or the visitor may
	 * not know that the page exists. */
	const char *error_page;
	bool hides_scripts; /* omit the page's script: it could read the token in the address */
	struct route_match match;
	const struct app_route *route; /* NULL: no route has the path and the method */
	struct response response;
	int64_t monitor_id; /* for the log: the monitor that sent a heartbeat; 0: none */
	bool is_key_due;    /* the time of the key's last use must be stored */
	/* The context for operations of service/. The principal is PRINCIPAL_NONE if the route
	 * needs no key, or if the key is not valid. */
	struct service service;
	exchange_admit *admit; /* checks the object; NULL: no check */
	exchange_render *render;
	size_t header_count; /* the number of response headers before the operation */
	/* The text to store for the Idempotency-Key if the response body has a secret. NULL: the
	 * body is stored. */
	const char *stored_body;
	struct console *console; /* NULL: not admitted, or not for the console */
	struct form *form;	 /* the form of the body; NULL: the body is not read */
	struct violations violations;
	struct error error;
	struct instant now;
	uint64_t queries_before; /* db_queries() when the request came */
};

/* The state that a thread of a process keeps from request to request. */
struct exchange_worker {
	const struct config *config;
	const struct site *site;
	struct db *db;
	struct throttle throttle;
	struct arena_spare spare_chunks;
	struct buf_spare spare_body;
};

/* Initializes all members except `request`, which request_read() sets. */
void exchange_init(struct exchange *exchange, struct exchange_worker *worker,
		   struct gateway *gateway);
void exchange_done(struct exchange *exchange, struct exchange_worker *worker);

#endif
