/* Subscribers of pages in MySQL. */
#ifndef STORE_NOTIFY_SUBSCRIBER_H
#define STORE_NOTIFY_SUBSCRIBER_H

#include "db/db.h"
#include "domain/notify/subscriber.h"
#include "store/list.h"

enum subscriber_sort { SUBSCRIBER_BY_ID, SUBSCRIBER_BY_ADDRESS };
struct subscriber_query {
	struct list_query list; /* of the page owner_id */
	int type;		/* enum subscriber_type */
	int state;		/* enum subscriber_state */
};
struct subscriber_list {
	struct subscriber *rows; /* owned by the arena */
	size_t count;
	int64_t total;
};
/* Lists subscribers of a page. E_NOT_FOUND: the account has no such page. */
enum result subscribers_list(struct db *db, const struct subscriber_query *query,
			     struct arena *arena, struct subscriber_list *list, struct error *error)
	MUST_USE;
/* Lists up to 1,000 subscribers above after_id; account_id or page_id 0: of all. */
enum { SUBSCRIBERS_MAX = 1000 };
enum result subscribers_after(struct db *db, int64_t account_id, int64_t page_id, int64_t after_id,
			      struct arena *arena, struct subscriber_list *list,
			      struct error *error) MUST_USE;

struct subscriber_place {
	int64_t account_id;
	int64_t page_id;
	int64_t id;
	const char *address_hash; /* in place of the id; NULL: the id counts */
	bool for_update;
};
/* Finds a subscriber. account_id or page_id 0: any. With for_update the row is locked. E_NOT_FOUND:
 * there is none. */
enum result subscriber_find(struct db *db, const struct subscriber_place *place,
			    struct arena *arena, struct subscriber *subscriber, struct error *error)
	MUST_USE;

/*
 * Adds the subscribers of a page, which each have an address_hash. A row stays as it is if the page
 * has its address already. *added: how many are new. One statement for 512 rows. One more for 512
 * systems of new rows without takes_all_monitors. Systems that the page does not show are left out.
 */
enum result subscribers_add(struct db *db, const struct subscriber *rows, size_t count,
			    struct arena *arena, int64_t *added, struct error *error) MUST_USE;
/* Stores takes_all_monitors and monitor_ids. E_NOT_FOUND: the page does not show all of the
 * monitors. Up to three statements. */
enum result subscriber_put_monitors(struct db *db, const struct subscriber *subscriber,
				    struct arena *arena, struct error *error) MUST_USE;
/* Stores confirmed_at, and ends a suspension. A confirmed subscriber stays as it is. */
enum result subscriber_confirm(struct db *db, int64_t id, struct instant now, struct error *error)
	MUST_USE;
/* Deletes the subscriber and its deliveries. */
enum result subscriber_delete(struct db *db, int64_t id, struct error *error) MUST_USE;
/* Stores that the receiver refuses messages, and suspends the deliveries that wait. In a
 * transaction. */
enum result subscriber_suspend(struct db *db, int64_t id, const char *reason, struct instant now,
			       struct error *error) MUST_USE;
/* Counts a returned message, unless one was returned in the last 24 hours; suspends the subscriber
 * after SUBSCRIBER_BOUNCES_MAX. In a transaction. */
enum result subscriber_bounce(struct db *db, int64_t id, const char *reason, struct instant now,
			      struct error *error) MUST_USE;
/* A list of struct subscriber_system: the systems of the page, by their position. */
struct subscriber_system {
	int64_t id;
	const char *name;
};
enum result subscribers_systems(struct db *db, int64_t page_id, struct arena *arena,
				struct db_list *systems, struct error *error) MUST_USE;
/* Sets *count to the number of subscribers of the page. */
enum result subscribers_count(struct db *db, int64_t page_id, int64_t *count, struct error *error)
	MUST_USE;
/* Deletes subscribers who did not confirm in time. *is_more: call it again. */
enum result subscribers_prune(struct db *db, struct instant now, bool *is_more, struct error *error)
	MUST_USE;
/* Deletes some subscribers of a deleted page, with their deliveries. *is_more: call it again. */
enum result subscribers_prune_pages(struct db *db, bool *is_more, struct error *error) MUST_USE;

#endif
