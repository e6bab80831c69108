/*
 * Events: the records of changes by the service (contract section 14). The table events is the
 * audit log of an account, and the timeline of each object. Events are deleted by their age, even
 * if nobody has read them. The outbox (store/outbox.h) has the events that must be delivered.
 *
 * A reader that keeps a cursor reads by ascending id. An event gets its id at the INSERT, not at
 * the COMMIT. So it may become visible after an event with a higher id. A reader must not move its
 * cursor beyond an id while a transaction with a lower id may still commit. event_list_after()
 * therefore leaves such an event to a later call.
 */
#ifndef STORE_EVENT_H
#define STORE_EVENT_H

#include "db/db.h"
#include "domain/event.h"
#include "domain/account/principal.h"

/* Who made a change, and when. */
struct event_source {
	const struct principal *principal;
	struct instant now;
	bool fills_outbox; /* also add the events to the outbox */
};

/* One change, which makes one event. */
struct event_change {
	enum event_kind kind;
	int64_t account_id; /* 0: the event is about the installation, and only the operator can see
			       it */
	int64_t object_id;
	int64_t monitor_id; /* if the object is an incident: its monitor; 0: none */
	const char *detail; /* never a secret; NULL: none */
	int64_t update_id;  /* the posted update whose body is `detail`; 0: none */
	/* The start and the end of an occurrence of maintenance, or of the time in which a checker
	 * is cut off. 0: none. */
	struct instant starts_at, ends_at;
};

/* Appends events, up to 512 by one statement. If source->fills_outbox, also adds them to the
 * outbox. Call it in the transaction of the changes, after the changed objects are stored, because
 * the outbox reads these objects. */
enum result event_append(struct db *db, const struct event_source *source,
			 const struct event_change *changes, size_t count, struct error *error)
	MUST_USE;

/*
 * Appends the event domain.taken for the page that has lost `domain`. Call it before
 * domain_claim_take(), which takes the domain from that page for the page `page_id`. Appends
 * nothing if no other page than `page_id` has lost the domain. The actor of the event is the
 * system, because the principal of the request belongs to another account.
 */
enum result event_append_domain_taken(struct db *db, const char *domain, int64_t page_id,
				      struct instant now, struct error *error) MUST_USE;

/* For INSERT ... SELECT statements that make events from rows: the columns of the source, and their
 * placeholders. event_add_source() adds the arguments in the same order. */
#define EVENT_SOURCE_COLUMNS "actor_type, actor_id, actor_label, at, address, request_id"
#define EVENT_SOURCE_VALUES  "?, ?, ?, ?, ?, ?"
void event_add_source(struct sql_build *sql, const struct event_source *source);

/* A span of time and the number of its events. */
struct event_span {
	int64_t start_s; /* in Unix time */
	int64_t total;
};
struct event_spans {
	struct event_span
		*rows; /* newest first; a span may have several rows; owned by the arena */
	size_t count;
	int64_t total; /* the sum of all rows */
};

enum event_search { EVENT_SEARCH_DETAIL, EVENT_SEARCH_ACTOR };

struct event_query {
	int64_t account_id; /* 0: events of all accounts and of the installation */
	const char *kind;   /* NULL: any */
	const char *object; /* NULL: any */
	int64_t object_id;  /* 0: any */
	struct instant since;
	/* The text to search for; NULL: no search. Only the newest EVENT_SEARCHED_MAX events that
	 * match the other members are searched. */
	const char *search;
	int search_by; /* enum event_search */
	bool is_oldest_first;
	int64_t after_id; /* only events with ids above this id */
	int64_t up_to_id; /* only events up to this id; 0: no upper limit */
	int64_t limit;	  /* at most EVENT_LIST_MAX */
	int64_t offset;
	const struct event_spans *days; /* from event_days(), for a deep page; NULL: not read yet */
};
enum { EVENT_LIST_MAX = 10000, EVENT_SEARCHED_MAX = 10000 };

struct event_list {
	struct event *rows; /* owned by the arena */
	size_t count;
	int64_t read_up_to; /* event_list_after() sets it to the after_id of the next call */
};

enum { EVENT_SETTLED_S = 120 };
/*
 * Lists events of an account with ids above query->after_id, by ascending id. Stops at the first id
 * below which a transaction may still commit an event. So an event is listed if all lower ids exist
 * (in any account), or if the event is older than EVENT_SETTLED_S. Every transaction with a lower
 * id has ended by then. An id that stays missing, for example after a rollback, delays the events
 * above it by EVENT_SETTLED_S. A Galera cluster leaves out ids, so every event is delayed there.
 * Takes no locks. If a machine's clock is wrong by more than EVENT_SETTLED_S, events may be
 * delayed. If another machine writes at the same moment, an event may even be missed.
 *
 * Also applies the query's kind, object, object_id, since and limit. The reader passes
 * list->read_up_to as after_id of the next call. It may be higher than the id of the last listed
 * event, so that the next call does not read events again that the query excludes. Runs two
 * statements: call it in a transaction that reads one snapshot.
 */
enum result event_list_after(struct db *db, const struct event_query *query, struct instant now,
			     struct arena *arena, struct event_list *list, struct error *error)
	MUST_USE;

/*
 * Lists events, newest first. Events of an account are ordered by their times, events of one object
 * or of all accounts by their ids. Runs one statement. For a deep page (event_is_deep()) up to two
 * more statements find where the page begins. The first finds the day, unless query->days is set.
 * The second finds the hour, if the offset within the day is above 2,000. Read a deep page in a
 * transaction that reads one snapshot.
 */
enum result event_list(struct db *db, const struct event_query *query, struct arena *arena,
		       struct event_list *list, struct error *error) MUST_USE;
/*
 * Counts the events of the query, ignoring its limit and offset. One statement adds up the kept
 * counts (store/event_count.c) and the number of newer events. So the time does not grow with the
 * number of the account's events. For these queries there are no kept counts, and the events are
 * counted one by one:
 * - events of all accounts
 * - a search
 * - events of one incident
 * - events of another object, if query->since is set
 * - events of an object_id without query->object
 */
enum result event_count(struct db *db, const struct event_query *query, struct arena *arena,
			int64_t *total, struct error *error) MUST_USE;
/* Whether event_list() first finds the day in which the page begins. True for an offset above 1,000
 * in a list that is ordered by time and has no search. */
bool event_is_deep(const struct event_query *query);
/*
 * Counts the events of each UTC day. days->total is the sum. Call it only for queries for which
 * event_is_deep() is true. Runs one statement, which takes as long as event_count(). The result is
 * valid for every offset of the same query.
 */
enum result event_days(struct db *db, const struct event_query *query, struct arena *arena,
		       struct event_spans *days, struct error *error) MUST_USE;
/* Adds events that are older than EVENT_SETTLED_S to the kept counts. If *is_more is true, call it
 * again. E_REFUSED: a transaction that has stored one of these events has not ended. */
enum result event_count_some(struct db *db, struct instant now, bool *is_more, struct error *error)
	MUST_USE;
/* Compares the kept counts of each account and kind with the events. Sets *wrong to the number of
 * wrong counts. Counts are wrong, for example, after an older version of the program has deleted
 * events. */
enum result event_counts_check(struct db *db, int64_t *wrong, struct error *error) MUST_USE;
/* Deletes the kept counts. Call it in a transaction. event_count_some() builds them again. In the
 * meantime event_count() still returns the right totals. */
enum result event_counts_reset(struct db *db, struct error *error) MUST_USE;

/* Reads the time of the newest event; 0: there are no events. */
enum result event_newest(struct db *db, struct instant *at, struct error *error) MUST_USE;
/*
 * Reads the next 512 events above *after_id (0 in the first call), and moves *after_id to the last
 * of them. Deletes the events that are older than `before`, except events of open incidents, and
 * subtracts them from the kept counts. If *is_more is true, call it again. If *is_more is false,
 * nothing was deleted, and *after_id has not changed.
 */
enum result event_prune(struct db *db, struct instant before, int64_t *after_id, bool *is_more,
			struct error *error) MUST_USE;

#endif
