/*
 * The context in which each operation of the service runs, and the code that all operations share.
 * The shared code handles the transaction and its retries, the Idempotency-Key, the limits of
 * waiting writes, and publishing after COMMIT.
 *
 * Each operation is a function in another header of this folder. A caller (app/, ctl/) fills in a
 * struct service, calls the operation, and reports its outcome.
 */
#ifndef SERVICE_SERVICE_H
#define SERVICE_SERVICE_H

#include "access/signing_key.h"
#include "base/arena.h"
#include "base/config/config.h"
#include "base/violation.h"
#include "db/db.h"
#include "domain/account/principal.h"
#include "domain/page/site.h"
#include "publish/publish.h"
#include "service/running_writes.h"
#include "store/account/idempotency.h"
#include "store/event.h"

/* The functions by which the caller takes part in a transaction. `context` is
 * service->caller_context. For daymarkctl, service->caller is NULL. */
struct service_caller {
	/*
	 * `start` runs once, before the transaction. `rewind` runs before each attempt and after a
	 * failure, and discards the rendered response.
	 */
	void (*start)(void *context);
	void (*rewind)(void *context);
	/* Checks the request's preconditions against the object that the operation has locked, and
	 * adds violations. */
	enum result (*admit)(void *context, const void *current);
	/* Renders the response before COMMIT, so that it can be stored with an Idempotency-Key. */
	enum result (*render)(void *context, const void *outcome);
	/*
	 * `store` stores the status, headers and body of the rendered response in the key. `replay`
	 * restores them from `first`, the key of the first request.
	 */
	void (*store)(void *context, struct idempotency_key *key);
	void (*replay)(void *context, const struct idempotency_key *first);
	/* Whether the principal may cause another DNS look-up. If not, the operation returns
	 * E_RATE_LIMITED. */
	bool (*may_look_up)(void *context);
	/* Called before the operation waits for another operation. During the wait, another thread
	 * may serve requests. */
	void (*pause)(void *context);
};

/* If an operation marks more monitors than this, it publishes all unpublished pages of the
 * account. */
enum { SERVICE_DIRTY_MONITORS_MAX = 16 };

/* The pages that an operation has marked, to be published after COMMIT. */
struct service_dirty {
	struct publish_order page; /* page_id 0: none */
	int64_t monitor_ids[SERVICE_DIRTY_MONITORS_MAX];
	size_t monitor_count;
	bool is_wide;	    /* all unpublished pages of the account */
	int64_t account_id; /* 0: all accounts */
};

/* The events of a transaction so far. */
struct service_events {
	struct event_change *rows;
	size_t count;
	size_t room;
};

/* The body of a transaction, or a part of it. May run more than once. */
struct incident_set;
struct service;
typedef enum result service_work(struct service *service, void *context);

/* The writes that are left to the end of a transaction: see service_write_last(). */
enum { SERVICE_LAST_MAX = 4 };
struct service_last {
	struct {
		service_work *work;
		void *context;
	} rows[SERVICE_LAST_MAX];
	size_t count;
};

/* How the operation publishes for its caller, and the outcome so far. */
struct service_publishing {
	bool is_bounded; /* limited by publish_in_request_pages and publish_in_request_ms of the
			    configuration */
	bool is_held;	 /* publishing waits for service_publish_held() */
	bool is_begun;
	struct publish_allowance allowance;
	publish_progress *progress; /* called by runs that publish several pages; may be NULL */
	void *progress_context;
	size_t written; /* pages that this service has written; other publishers may have written
			   more */
	/* For a bounded caller: the work that is left to service_finish_publishing(). */
	struct publish_rest rest;
	bool is_pending; /* the background loop will publish pages of the operation */
	/* Deleted and moved pages that service_finish_publishing() will publish. */
	int64_t *left_pages;
	size_t left_count;
	size_t left_room;
	/* The page that this operation deletes, moves, or hides from visitors; mirrors must change
	 * it at once. 0: none. */
	int64_t tightened_page;
	/* The page that this operation updates without a change of its privacy. 0: none. */
	int64_t updated_page;
	/* OK, or the reason why a committed change is not published yet. The next publish tries
	 * again. */
	enum result result;
	struct error failure; /* the text of the last failure */
};

struct service {
	struct db *db;
	const struct config *config;
	const struct site *site;
	const char *base_url; /* the base of the addresses in published files */
	struct arena *arena;  /* owns the results of operations */
	struct principal principal;
	struct instant now;
	struct violations *violations;	     /* the violations, after E_INVALID */
	struct error *error;		     /* the texts of any other failure */
	const struct service_caller *caller; /* NULL: none */
	void *caller_context;
	struct idempotency_key idempotency; /* key_hash is NULL if no key was sent */
	struct service_preview
		*preview; /* not NULL: an operation fills this preview and changes nothing */
	struct service_events events; /* empty between operations, like all members up to `dirty` */
	/*
	 * Texts that wait for a second person (service/incident/pending_updates.h). `published` is
	 * the text that this operation publishes. `held` is the text that this operation has stored
	 * to wait. NULL: none.
	 */
	const struct pending_update *published, *held;
	struct incident_set *incidents; /* changes: see service/incident/incident_changes.h */
	struct service_last last;
	struct service_dirty dirty;
	int ticket; /* the ticket of the running write: see service/running_writes.h */
	struct service_publishing publishing;
};

/*
 * Runs `work` in a transaction that writes, renders `outcome`, commits, and publishes the marked
 * pages. E_REPLAYED: the Idempotency-Key was used before. The call has then restored the first
 * response by caller->replay(), and has published the account's unpublished pages and the pages
 * that were marked before the call. E_CONFLICT: the key was used with another request. E_REFUSED:
 * too many writes of the account wait. E_FORBIDDEN: the principal lacks the permission.
 */
enum result service_transact(struct service *service, enum permission permission,
			     service_work *work, void *context, const void *outcome) MUST_USE;
/* Does the same as service_transact(), but without Idempotency-Key and response: for the writes of
 * a rejected request. */
enum result service_transact_silently(struct service *service, enum permission permission,
				      service_work *work, void *context) MUST_USE;
/* Runs `work` in a transaction that reads. */
enum result service_read(struct service *service, service_work *work, void *context) MUST_USE;

/* Call it in a transaction that writes, before rows are locked. E_REFUSED: too many writes wait
 * for one of the rows. */
enum result service_await(struct service *service, const struct running_writes_rows *rows) MUST_USE;
enum result service_await_one(struct service *service, enum running_writes_table table, int64_t id)
	MUST_USE;

/* Calls caller->admit() with `current`, the object that the operation has found. Call it in a
 * transaction. */
enum result service_admit(struct service *service, const void *current) MUST_USE;

/* Adds an event. Call it in a transaction, which stores all events before it renders the response.
 * change->detail must stay in memory until COMMIT. */
void service_add_event(struct service *service, const struct event_change *change);
/*
 * Postpones a write to the end of the transaction, after its events are stored and the response is
 * rendered. Use it for rows that many writes change, such as page_revisions: rows stay locked until
 * COMMIT. Postponed writes run in the order of the calls. After SERVICE_LAST_MAX postponed writes,
 * the next call first runs all of them. `context` must stay in memory until COMMIT.
 */
enum result service_write_last(struct service *service, service_work *work, void *context) MUST_USE;

/* These functions mark pages to be published. Each attempt of a transaction begins without the
 * marks of the former attempt. */
void service_mark_page(struct service *service, const struct publish_order *order);
void service_mark_monitor(struct service *service, int64_t monitor_id, int64_t account_id);
void service_mark_account(struct service *service, int64_t account_id);

/* Publishes the marked pages, within the caller's bounds. For service_transact(). */
void service_publish(struct service *service);
/* For an operation of several transactions: service_hold_publishing() postpones publishing, and
 * service_publish_held() publishes once, after the last transaction. */
void service_hold_publishing(struct service *service);
void service_publish_held(struct service *service);
/* Reads the key of the installation, and creates it if it does not exist. E_FAILED: the log has the
 * reason. */
enum result service_read_key(struct service *service, struct signing_key *key) MUST_USE;
/* Makes a publisher for publishing outside of an operation. */
struct publisher service_publisher(const struct service *service);
/*
 * Removes files of deleted pages, marks the published pages, and frees replaced files. A bounded
 * caller calls this function after the response.
 */
enum result service_finish_publishing(struct service *service, struct error *error) MUST_USE;

#endif
