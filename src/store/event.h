/*
 * Events: what the service has changed (contract section 14). One table is the audit log and the
 * timeline of each object. Events are deleted by their age, whether somebody has read them or not:
 * what must be delivered is in the outbox (store/outbox.h).
 *
 * A reader that keeps a cursor reads by ascending id. Ids are given when a transaction
 * inserts and not when it commits, so an event may become visible after one with a higher
 * id. A reader must therefore not move its cursor beyond an id while a lower one may still be
 * uncommitted: event_list_after() leaves such events to the next call.
 */
#ifndef STORE_EVENT_H
#define STORE_EVENT_H

#include "db/db.h"
#include "domain/event.h"
#include "domain/principal.h"

/* Who changes something, and when. */
struct event_source {
	const struct principal *principal;
	struct instant now;
	bool fills_outbox; /* the setting `outbox`: see store/outbox.h */
};

/* One change. */
struct event_change {
	enum event_kind kind;
	int64_t account_id; /* 0: of the installation, and seen by the operator alone */
	int64_t object_id;
	int64_t monitor_id;		   /* of an incident; 0: none */
	const char *detail;		   /* never a secret; NULL: none */
	struct instant starts_at, ends_at; /* of an occurrence of maintenance; 0: none */
};

/* Appends events, in the transaction of their changes: up to 512 in a statement. Fills the outbox,
 * for which the objects of the events must be stored. */
enum result event_append(struct db *db, const struct event_source *source,
			 const struct event_change *changes, size_t count, struct error *error)
	MUST_USE;

/*
 * Appends the event that a lost domain is taken from the page that has it, unless that is
 * `page_id`: before domain_claim_take(). The system is its actor, since the principal is of another
 * account.
 */
enum result event_append_domain_taken(struct db *db, const char *domain, int64_t page_id,
				      struct instant now, struct error *error) MUST_USE;

/* For a statement that makes events of rows: the columns, and their values in that order. */
#define EVENT_SOURCE_COLUMNS "actor_type, actor_id, actor_label, at, address, request_id"
#define EVENT_SOURCE_VALUES  "?, ?, ?, ?, ?, ?"
void event_add_source(struct sql_build *sql, const struct event_source *source);

enum event_search { EVENT_SEARCH_DETAIL, EVENT_SEARCH_ACTOR };

struct event_query {
	int64_t account_id; /* 0: all accounts, and the installation */
	const char *kind;   /* NULL: any */
	const char *object; /* NULL: any */
	int64_t object_id;  /* 0: any */
	struct instant since;
	/* In the newest EVENT_SEARCHED_MAX of the events that the rest of the query chooses; NULL:
	 * none. */
	const char *search;
	int search_by; /* enum event_search */
	bool is_oldest_first;
	int64_t after_id; /* only events above this id, and */
	int64_t up_to_id; /* up to this one; 0: any */
	int64_t limit;	  /* at most EVENT_LIST_MAX */
	int64_t offset;
};
enum { EVENT_LIST_MAX = 1000, EVENT_SEARCHED_MAX = 10000 };

struct event_list {
	struct event *rows; /* owned by the arena */
	size_t count;
	int64_t read_up_to; /* of event_list_after(): the id to go on with */
};

/*
 * The events of an account above query->after_id, by ascending id, as far as no event below them
 * can still appear: an event is listed if all ids below it are there (of any account), or if it is
 * older than EVENT_SETTLED_S, by which time each transaction that was given a lower id has ended.
 * Ids that are missing for ever, such as those of a transaction that was rolled back, delay the
 * events above them by that time; a Galera cluster leaves out ids, and delays every event. Locks
 * nothing. A machine whose clock is wrong by more than that time may delay events, but not hide
 * them, unless another machine writes at the same moment.
 *
 * Of the query also kind, object, object_id, since and limit count. A reader goes on with
 * list->read_up_to, which may be above the last event of the list: so filtered events are not
 * passed over again. Two statements: run it in a transaction that reads one snapshot.
 */
enum { EVENT_SETTLED_S = 120 };
enum result event_list_after(struct db *db, const struct event_query *query, struct instant now,
			     struct arena *arena, struct event_list *list, struct error *error)
	MUST_USE;

/*
 * Newest first: the events of an account by their times, the events of one object or of all
 * accounts by their ids. One statement; an offset above 1,000 takes two more, run in a transaction
 * that reads one snapshot.
 */
enum result event_list(struct db *db, const struct event_query *query, struct arena *arena,
		       struct event_list *list, struct error *error) MUST_USE;
/*
 * The number of events, without limit and offset. One statement, which takes as long for a million
 * events of an account as for a thousand: it adds the events that are not counted yet to kept
 * counts. The events of all accounts, of one incident, of one object with `since` or without
 * `object`, and of a search are counted one by one.
 */
enum result event_count(struct db *db, const struct event_query *query, struct arena *arena,
			int64_t *total, struct error *error) MUST_USE;
/*
 * Adds to the kept counts the next events that are settled. *is_more: call it again. E_REFUSED: a
 * transaction that has stored events EVENT_SETTLED_S ago has not ended.
 */
enum result event_count_some(struct db *db, struct instant now, bool *is_more, struct error *error)
	MUST_USE;
/* *wrong: how many counts of an account and a kind differ from the events, such as after a program
 * of a former version has deleted events. */
enum result event_counts_check(struct db *db, struct arena *arena, int64_t *wrong,
			       struct error *error) MUST_USE;
/* In a transaction: deletes the kept counts. event_count_some() builds them again, and totals are
 * right meanwhile. */
enum result event_counts_reset(struct db *db, struct error *error) MUST_USE;

/* The time of the newest event; 0: there is none. */
enum result event_newest(struct db *db, struct instant *at, struct error *error) MUST_USE;
/*
 * Deletes events of before that time among the next 512 above *after_id, which begins at 0, and
 * takes them from the kept counts. The events of open incidents stay. *is_more: call it again;
 * false once all of these events are newer.
 */
enum result event_prune(struct db *db, struct instant before, int64_t *after_id, bool *is_more,
			struct error *error) MUST_USE;

#endif
