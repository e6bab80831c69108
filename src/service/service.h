/*
 * What each operation of the service is run with, and the one place for what all of them share:
 * the transaction and its retries, the Idempotency-Key, the limits of waiting writes,
 * and publishing after COMMIT.
 *
 * The operations are in the other headers of this folder, one function for each. A caller
 * (app/, ctl/) fills in a struct service, calls the operation, and reports its outcome.
 */
#ifndef SERVICE_SERVICE_H
#define SERVICE_SERVICE_H

#include "base/arena.h"
#include "base/config.h"
#include "base/violation.h"
#include "db/db.h"
#include "domain/principal.h"
#include "domain/site.h"
#include "publish/publish.h"
#include "service/running_writes.h"
#include "store/account/idempotency.h"
#include "store/event.h"

/*
 * How the caller takes part in a transaction. daymarkctl needs none of it: its service has no
 * caller. `context` is service->caller_context.
 */
struct service_caller {
	/* `start` runs once, before the transaction; `rewind` before each attempt and after a
	 * failure: it discards what was rendered. */
	void (*start)(void *context);
	void (*rewind)(void *context);
	/* The object as it was found and locked: checks preconditions, and adds violations. */
	enum result (*admit)(void *context, const void *current);
	/* Renders the response, before COMMIT: so it can be stored with an Idempotency-Key. */
	enum result (*render)(void *context, const void *outcome);
	/* Adds status, headers and body of what was rendered; and the reverse. */
	void (*store)(void *context, struct idempotency_key *key);
	void (*replay)(void *context, const struct idempotency_key *first);
	/* Whether the principal may ask DNS once more; false: E_RATE_LIMITED. */
	bool (*may_look_up)(void *context);
	/* The operation is about to wait for another one; another thread may serve meanwhile. */
	void (*pause)(void *context);
};

/* Of more monitors than this, all unpublished pages of the account are looked for at once. */
enum { SERVICE_DIRTY_MONITORS_MAX = 16 };

/* What an operation has marked to be published after COMMIT. */
struct service_dirty {
	struct publish_order page; /* page_id 0: none */
	int64_t monitor_ids[SERVICE_DIRTY_MONITORS_MAX];
	size_t monitor_count;
	bool is_wide;	    /* the unpublished pages of that account */
	int64_t account_id; /* 0: of all accounts */
};

/* What a transaction has changed so far. */
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

/* What has been published on behalf of the caller so far. */
struct service_publishing {
	bool is_bounded; /* by the configuration: publish_in_request_pages, _ms */
	bool is_held;	 /* until service_publish_held() */
	bool is_begun;
	struct publish_allowance allowance;
	publish_progress *progress; /* of runs that publish several pages; may be NULL */
	void *progress_context;
	size_t written; /* pages; others were written by other publishers meanwhile */
	/* Of a bounded caller: for service_finish_publishing(). */
	struct publish_rest rest;
	bool is_pending; /* pages are left to the background loop */
	/* Deleted and moved pages that are left to service_finish_publishing(). */
	int64_t *left_pages;
	size_t left_count;
	size_t left_room;
	/* A page that visitors of mirrors must lose, or may only see as somebody else; 0: none. */
	int64_t tightened_page;
	/* The page that the operation updated, if it does not open the page to more visitors; 0:
	 * none. */
	int64_t updated_page;
	enum result result;   /* OK, or the last failure, with its text: */
	struct error failure; /* committed and not published; the next publish repeats it */
};

struct service {
	struct db *db;
	const struct config *config;
	const struct site *site;
	const char *base_url; /* what the addresses in published files begin with */
	struct arena *arena;  /* owns what operations return */
	struct principal principal;
	struct instant now;
	struct violations *violations;	     /* of E_INVALID */
	struct error *error;		     /* of any other failure */
	const struct service_caller *caller; /* NULL: none */
	void *caller_context;
	struct idempotency_key idempotency; /* key_hash NULL: none was sent */
	struct service_events events;	/* this and the next three are empty between operations */
	struct incident_set *incidents; /* changes: see service/incident/incident_changes.h */
	struct service_last last;
	struct service_dirty dirty;
	int ticket; /* in a transaction that writes: see service/running_writes.h */
	struct service_publishing publishing;
};

/*
 * Runs `work` in a transaction that writes, renders `outcome`, commits, and publishes what was
 * marked. Marks made before the call are published after a replay, too.
 * E_REPLAYED: the Idempotency-Key was used before; the caller has the first response.
 * E_CONFLICT: it was used with another request. E_REFUSED: too many writes of the account wait.
 * E_FORBIDDEN: the principal lacks the permission.
 */
enum result service_transact(struct service *service, enum permission permission,
			     service_work *work, void *context, const void *outcome) MUST_USE;
/* The same without Idempotency-Key and response, for what a refused request may still do. */
enum result service_transact_silently(struct service *service, enum permission permission,
				      service_work *work, void *context) MUST_USE;
/* A transaction that reads. */
enum result service_read(struct service *service, service_work *work, void *context) MUST_USE;

/* In a transaction that writes, before rows are locked. E_REFUSED: too many writes wait for one of
 * them. */
enum result service_await(struct service *service, const struct running_writes_rows *rows) MUST_USE;
enum result service_await_one(struct service *service, enum running_writes_table table, int64_t id)
	MUST_USE;

/* In a transaction: lets the caller check the object that was found. */
enum result service_admit(struct service *service, const void *current) MUST_USE;

/*
 * In a transaction: adds an event, which is stored with the others before COMMIT, and before the
 * response is rendered. change->detail must live as long.
 */
void service_add_event(struct service *service, const struct event_change *change);
/*
 * In a transaction: leaves a write to its end, when the events are stored and the response is
 * rendered, in the order of the calls. For statements that lock what many writes change, such as
 * page_revisions: the rows stay locked until COMMIT. If too many writes are left, the first of them
 * run now. `context` must live until COMMIT.
 */
enum result service_write_last(struct service *service, service_work *work, void *context) MUST_USE;

/* Mark what is to be published. Marks are repeated with a repeated transaction. */
void service_mark_page(struct service *service, const struct publish_order *order);
void service_mark_monitor(struct service *service, int64_t monitor_id, int64_t account_id);
void service_mark_account(struct service *service, int64_t account_id);

/* Publishes what is marked, within the allowance. For service_transact(). */
void service_publish(struct service *service);
/* For an operation of several transactions: publishes once, when the last is done. */
void service_hold_publishing(struct service *service);
void service_publish_held(struct service *service);
/* For publishing outside of an operation. */
struct publisher service_publisher(const struct service *service);
/* Removes the files that a deletion has left, marks the published pages, and frees the replaced
 * files. A bounded caller calls this function after the response. */
enum result service_finish_publishing(struct service *service, struct error *error) MUST_USE;

#endif
