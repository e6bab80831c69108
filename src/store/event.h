/*
 * Events: the records of changes by the service (contract section 14). One table is the audit log
 * and the timeline of each object. Events are deleted by their age, even if nobody has read them.
 * The outbox (store/outbox.h) has the events that must be delivered.
 *
 * A reader that keeps a cursor reads by ascending id. A transaction gets ids when it inserts, not
 * when it commits. So an event may become visible after an event with a higher id. A reader must
 * not move its cursor beyond an id while a lower id may still be uncommitted. event_list_after()
 * therefore leaves the higher id to the next call.
 */
#ifndef STORE_EVENT_H
#define STORE_EVENT_H

#include "db/db.h"
#include "domain/event.h"
#include "domain/account/principal.h"

/* The actor of a change, and its time. */
struct event_source {
	const struct principal *principal;
	struct instant now;
	bool fills_outbox; /* the setting `outbox`: see store/outbox.h */
};

/* One change. */
struct event_change {
	enum event_kind kind;
	int64_t account_id; /* 0: an event of the installation, which only the operator sees */
	int64_t object_id;
	int64_t monitor_id; /* the monitor of an incident; 0: none */
	const char *detail; /* never a secret; NULL: none */
	int64_t update_id;  /* the posted update whose text the detail is; 0: none */
	/* The start and the end of an occurrence of maintenance, or of the time in which a checker
	 * is cut off. 0: none. */
	struct instant starts_at, ends_at;
};

/* Appends events, in the transaction of their changes: up to 512 in a statement. Fills the outbox,
 * for which the objects of the events must be stored. */
enum result event_append(struct db *db, const struct event_source *source,
			 const struct event_change *changes, size_t count, struct error *error)
	MUST_USE;

/*
 * Appends an event to the page that has lost the domain: another page takes it. Appends nothing if
 * no page has lost the domain, or only the page `page_id`. Call it before domain_claim_take(). The
 * event's actor is the system, since the principal belongs to another account.
 */
enum result event_append_domain_taken(struct db *db, const char *domain, int64_t page_id,
				      struct instant now, struct error *error) MUST_USE;

/* For a statement that makes events from rows: the columns that event_add_source() fills, and their
 * values in the same order. */
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
	int64_t total; /* of all events */
};

enum event_search { EVENT_SEARCH_DETAIL, EVENT_SEARCH_ACTOR };

struct event_query {
	int64_t account_id; /* 0: events of all accounts and of the installation */
	const char *kind;   /* NULL: any */
	const char *object; /* NULL: any */
	int64_t object_id;  /* 0: any */
	struct instant since;
	/* Searches the newest EVENT_SEARCHED_MAX events that match the rest of the query; NULL: no
	 * search. */
	const char *search;
	int search_by; /* enum event_search */
	bool is_oldest_first;
	int64_t after_id; /* only events with ids above this id */
	int64_t up_to_id; /* only events up to this id; 0: no upper limit */
	int64_t limit;	  /* at most EVENT_LIST_MAX */
	int64_t offset;
	const struct event_spans *days; /* of event_days(), for a deep page; NULL: unknown */
};
enum { EVENT_LIST_MAX = 10000, EVENT_SEARCHED_MAX = 10000 };

struct event_list {
	struct event *rows; /* owned by the arena */
	size_t count;
	int64_t read_up_to; /* of event_list_after(): after_id for the next call */
};

enum { EVENT_SETTLED_S = 120 };
/*
 * Lists the events of an account above query->after_id, by ascending id. Ends before the first
 * event below which another may still appear. An event is listed if all ids below it exist (in any
 * account), or if it is older than EVENT_SETTLED_S. By then each transaction with a lower id has
 * ended. Ids that stay missing, for example after a rollback, delay the events above them by
 * EVENT_SETTLED_S. A Galera cluster leaves out ids, and so delays every event. Locks nothing. A
 * machine's clock that is wrong by more than EVENT_SETTLED_S may delay events. It hides events only
 * if another machine writes at the same moment.
 *
 * Uses kind, object, object_id, since and limit of the query, too. A reader continues with
 * list->read_up_to. This id may be above the last event of the list, so that events which the query
 * excludes are not read again. Takes two statements: run it in a transaction that reads one
 * snapshot.
 */
enum result event_list_after(struct db *db, const struct event_query *query, struct instant now,
			     struct arena *arena, struct event_list *list, struct error *error)
	MUST_USE;

/*
 * Lists events, newest first. Events of an account are ordered by their times, events of one object
 * or of all accounts by their ids. Takes one statement. A deep page (event_is_deep()) takes up to
 * two more statements, which find where the page begins. One finds the day, unless query->days is
 * set. The other finds the hour, if more than 2,000 events of the day would be passed over. Run
 * them in a transaction that reads one snapshot.
 */
enum result event_list(struct db *db, const struct event_query *query, struct arena *arena,
		       struct event_list *list, struct error *error) MUST_USE;
/*
 * Counts the events of the query, without limit and offset. One statement adds the events that are
 * not counted yet to the kept counts. So it takes as long for a million events of an account as for
 * a thousand. Some events have no kept counts, and are counted one by one: events of all accounts,
 * of one incident, of one object with `since` or without `object`, and of a search.
 */
enum result event_count(struct db *db, const struct event_query *query, struct arena *arena,
			int64_t *total, struct error *error) MUST_USE;
/* Whether event_list() finds the beginning of the page by its day: for a list by time, at an offset
 * above 1,000. */
bool event_is_deep(const struct event_query *query);
/*
 * Reads the number of events of each day (UTC) of a query for which event_is_deep() holds, and
 * their total. One statement, which takes as long as event_count(). The same days serve all offsets
 * of the query.
 */
enum result event_days(struct db *db, const struct event_query *query, struct arena *arena,
		       struct event_spans *days, struct error *error) MUST_USE;
/* Adds the next events that are older than EVENT_SETTLED_S to the kept counts. *is_more: call it
 * again. E_REFUSED: a transaction that stored events EVENT_SETTLED_S ago has not ended. */
enum result event_count_some(struct db *db, struct instant now, bool *is_more, struct error *error)
	MUST_USE;
/* Sets *wrong to the number of kept counts (of an account and a kind) that differ from the events.
 * They differ, for example, after an older version of the program has deleted events. */
enum result event_counts_check(struct db *db, int64_t *wrong, struct error *error) MUST_USE;
/* Deletes the kept counts, in a transaction. event_count_some() builds them again; until then
 * event_count() still returns the right totals. */
enum result event_counts_reset(struct db *db, struct error *error) MUST_USE;

/* The time of the newest event; 0: there is none. */
enum result event_newest(struct db *db, struct instant *at, struct error *error) MUST_USE;
/*
 * Reads the next 512 events above *after_id (0 at first). Deletes those older than `before`, and
 * subtracts them from the kept counts. The events of open incidents stay. *is_more: call it again;
 * false: the remaining events are newer.
 */
enum result event_prune(struct db *db, struct instant before, int64_t *after_id, bool *is_more,
			struct error *error) MUST_USE;

#endif
