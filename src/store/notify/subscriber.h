/* Subscribers of pages in MySQL. */
#ifndef STORE_NOTIFY_SUBSCRIBER_H
#define STORE_NOTIFY_SUBSCRIBER_H

#include "db/db.h"
#include "domain/notify/subscriber.h"
#include "store/list.h"

enum subscriber_sort { SUBSCRIBER_BY_ID, SUBSCRIBER_BY_ADDRESS };
struct subscriber_query {
	struct list_query list; /* lists the subscribers of the page list.owner_id */
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
/* Lists up to 1,000 subscribers with ids above after_id. account_id 0: of all accounts. page_id 0:
 * of all pages. */
enum { SUBSCRIBERS_MAX = 1000 };
enum result subscribers_after(struct db *db, int64_t account_id, int64_t page_id, int64_t after_id,
			      struct arena *arena, struct subscriber_list *list,
			      struct error *error) MUST_USE;

struct subscriber_place {
	int64_t account_id;
	int64_t page_id;
	int64_t id;
	const char *address_hash; /* find the subscriber by this hash; NULL: by `id` */
	bool for_update;
};
/* Finds a subscriber, and locks the row if for_update. account_id or page_id 0: any. E_NOT_FOUND:
 * there is none. */
enum result subscriber_find(struct db *db, const struct subscriber_place *place,
			    struct arena *arena, struct subscriber *subscriber, struct error *error)
	MUST_USE;

/*
 * Adds subscribers to a page. Each must have an address_hash. If the page already has a subscriber
 * with the same address, that row stays as it is. Sets *added to the number of new rows. Runs one
 * INSERT for each 512 rows. Runs another INSERT for each 512 monitors of rows without
 * takes_all_monitors, and skips monitors that the page does not show.
 */
enum result subscribers_add(struct db *db, const struct subscriber *rows, size_t count,
			    struct arena *arena, int64_t *added, struct error *error) MUST_USE;
/* Stores takes_all_monitors and monitor_ids. E_NOT_FOUND: the page does not show all of the
 * monitors. Runs up to three statements. */
enum result subscriber_put_monitors(struct db *db, const struct subscriber *subscriber,
				    struct arena *arena, struct error *error) MUST_USE;
/* Stores confirmed_at, and ends a suspension. Changes nothing if the subscriber is confirmed and
 * not suspended. */
enum result subscriber_confirm(struct db *db, int64_t id, struct instant now, struct error *error)
	MUST_USE;
/* Deletes the subscriber and its deliveries. */
enum result subscriber_delete(struct db *db, int64_t id, struct error *error) MUST_USE;
/* Suspends a subscriber whose receiver refuses messages, and the subscriber's waiting deliveries.
 * Call it in a transaction. */
enum result subscriber_suspend(struct db *db, int64_t id, const char *reason, struct instant now,
			       struct error *error) MUST_USE;
/* Counts a bounced message, but at most one in 24 hours. Suspends the subscriber when the count
 * reaches SUBSCRIBER_BOUNCES_MAX. Call it in a transaction. */
enum result subscriber_bounce(struct db *db, int64_t id, const char *reason, struct instant now,
			      struct error *error) MUST_USE;
/* Lists the monitors of the page, by their position: rows of struct subscriber_system. */
struct subscriber_system {
	int64_t id;
	const char *name;
};
enum result subscribers_systems(struct db *db, int64_t page_id, struct arena *arena,
				struct db_list *systems, struct error *error) MUST_USE;
/* Sets *count to the number of subscribers of the page. */
enum result subscribers_count(struct db *db, int64_t page_id, int64_t *count, struct error *error)
	MUST_USE;
/* Deletes subscribers who did not confirm in time. If *is_more is true, call it again. */
enum result subscribers_prune(struct db *db, struct instant now, bool *is_more, struct error *error)
	MUST_USE;
/* Deletes some subscribers of one deleted page, with their deliveries. If *is_more is true, call it
 * again. */
enum result subscribers_prune_pages(struct db *db, bool *is_more, struct error *error) MUST_USE;

#endif
