/*
 * One request and its response, as handlers see them: who asks, what for, and
 * the means to answer. Passed to every handler; nothing is global.
 */
#ifndef APP_EXCHANGE_H
#define APP_EXCHANGE_H

#include "base/arena.h"
#include "base/config.h"
#include "base/violation.h"
#include "base/throttle.h"
#include "db/db.h"
#include "domain/site.h"
#include "http/form.h"
#include "http/request.h"
#include "http/response.h"
#include "http/router.h"
#include "publish/publish.h"
#include "store/api_key.h"
#include "store/idempotency.h"

/* What a request has published so far; see app/publishing.h. */
struct publishing {
	bool is_begun;
	struct publish_allowance allowance; /* what it may still publish */
	bool is_cut;			    /* pages are left */
	bool has_failed;
};

struct exchange {
	const struct config *config;
	struct db *db;
	struct throttle *throttle; /* the worker's, opened when it is first needed */
	struct gateway *gateway;
	struct arena arena; /* all that this request needs */
	struct request request;
	struct site site;    /* the installation's own names */
	bool is_page_domain; /* the request came to a page's own domain */
	struct route_match match;
	struct response response;
	struct api_key key;		    /* id 0: no key was needed, or none was valid */
	struct idempotency_key idempotency; /* key_hash NULL: none was sent */
	struct publishing publishing;
	struct form *form; /* what exchange_body() has read */
	struct violations violations;
	struct error error;
	struct instant now;
	uint64_t queries_before; /* db_queries() when the request came */
};

/*
 * Reads the body into `object` by the route's fields. Faults are added to
 * exchange->violations and are for the caller to report. Else the results of
 * body_read(), and of the method override: E_METHOD_NOT_ALLOWED for a POST that must
 * name PUT or PATCH and does not, E_INVALID (fault added) for another _method.
 */
enum result exchange_body(struct exchange *exchange, void *object, uint64_t *sent) MUST_USE;
/*
 * Adds a fault for each field sent that a client may not set and that differs from the
 * resource, as it is read: see http/read_only.h. Frees the tree.
 */
void exchange_check_read_only(struct exchange *exchange, struct json_object *resource,
			      const char *growing);
/* The same for the parameters of the query string. E_INVALID when there are violations. */
enum result exchange_query(struct exchange *exchange, void *object) MUST_USE;
/* By other fields than the route's. */
enum result exchange_read_query(struct exchange *exchange, const struct fields *fields,
				void *object) MUST_USE;

/*
 * What a handler does inside a transaction. May run more than once. A write answers in
 * it, so that the response can be stored with it; what a try that failed has answered is
 * taken back.
 */
typedef enum result transaction_body(struct exchange *exchange, void *context);
/*
 * db_transact(), with the exchange's connection and error. A write that carries an
 * Idempotency-Key is done once: else E_REPLAYED or E_CONFLICT, see app/idempotency.h.
 * A write is E_REFUSED while too many of the account's are waiting, see app/writers.h.
 */
enum result exchange_transact(struct exchange *exchange, enum db_mode mode, transaction_body *body,
			      void *context) MUST_USE;

/* The same, whatever the request carries. */
enum result exchange_transact_plainly(struct exchange *exchange, enum db_mode mode,
				      transaction_body *body, void *context) MUST_USE;

/* Who acts, for a history: "key 7 (deploy)". Owned by the exchange. */
const char *exchange_actor(struct exchange *exchange);

/* The size of a list's page: a FIELD_CHOICE among these, as `per_page` is everywhere. */
extern const char *const exchange_per_page_choices[];
/* The choice that the configuration makes the default. */
int exchange_per_page_default(const struct exchange *exchange);
/* The directions of every list: 0 is descending, the default. */
extern const char *const exchange_sort_choices[];
/* Pages so high that their offset would not fit in a number are past every end. */
#define EXCHANGE_PAGE_MAX (INT64_MAX / 100)

/* {"data": tree, "status": status} */
void exchange_respond(struct exchange *exchange, int status, struct json_object *data);
/* {"id", "object", "deleted": true, "status": 200} */
void exchange_respond_deleted(struct exchange *exchange, const char *object, int64_t id);

/* A page of a list. */
struct list_page {
	int64_t number; /* from 1 */
	int64_t size;
	int64_t offset; /* how many rows are before it */
	int64_t total;	/* this and `shown` are set once the list is read */
	size_t shown;
};
/*
 * The page that a query asks for, before its rows are read: `choice` is one of the sizes.
 * E_BUSY: it may become large, and too much is in memory.
 */
enum result exchange_begin_list(struct exchange *exchange, int choice, int64_t number,
				struct list_page *page) MUST_USE;
/* {"data": array, "links", "meta", "status"} of contract section 3. */
void exchange_respond_list(struct exchange *exchange, struct json_object *array,
			   const struct list_page *page);

/* The entity tag of a single resource: its id and revision. */
void exchange_set_etag(struct exchange *exchange, int64_t id, int64_t revision);
/* E_PRECONDITION_FAILED: there is an If-Match, and it does not name this version. */
enum result exchange_check_etag(struct exchange *exchange, int64_t id, int64_t revision) MUST_USE;
/* Whether If-None-Match names this tag, or this version; then 304 has been answered. */
bool exchange_has_etag(struct exchange *exchange, const char *etag);
bool exchange_is_unchanged(struct exchange *exchange, int64_t id, int64_t revision);

#endif
