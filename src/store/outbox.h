/*
 * The outbox: a table with a row for each event that must be told to somebody outside the service
 * (event_is_told()). A row is written in the transaction of its event. Rows are written only if
 * the service sends messages ([notify] enabled), because nothing else reads them. A row stays valid
 * after its event is deleted, and a reader needs no cursor.
 *
 * A reader claims rows for a limited time, makes deliveries from them, and finishes them. A
 * finished row stays while it has deliveries, which need its texts. If a reader dies, another
 * reader claims its rows when the time of the claim is over. So a row may be processed twice, and a
 * delivery must be identified by the row's id.
 *
 * A posted update that ends or reopens an incident makes only one row: the row of the end or the
 * reopening, which contains the text of the update.
 *
 * A row can be claimed for OUTBOX_CLAIMABLE_S after its event. outbox_prune() deletes older rows
 * that are not finished.
 *
 * `payload` is a JSON object:
 *   text        what the event says, such as the body of an update (CommonMark); or null
 *   update_id   the posted update whose body is `text`; missing: none. See struct leased_delivery
 *   incident    for an event of an incident: the incident after the change, as the API lists it,
 *               without `url`. `monitors` has the names and impacts of the affected monitors,
 *               `status_page_ids` the pages that the incident names. The table
 *               status_page_monitors has the pages that show the monitors
 *   page_address beside `incident`: page_address of struct incident, for incident_url()
 *   dependents  beside `incident`, if a monitor is down: id and name of the monitors that depend on
 *               it, direct dependents first, up to OUTBOX_DEPENDENTS_MAX
 *   dependent_count beside `dependents`: the number of all dependents
 *   maintenance for an event of a maintenance window: the window, as the API lists it
 *   monitors    beside `maintenance`: id and name of each monitor of the window
 *   monitor     for an event of a monitor: its id and name
 *   checker     for an event of a checker: its `location` (null: the installation's checker),
 *               cut_off_since, and cut_off_until (null: it is still cut off)
 *   occurrence  beside `maintenance`: starts_at and ends_at of the event's occurrence; null if the
 *               event concerns the whole window
 * Only the account may see the `cause` of an incident: a page shows it only with `show_causes`. A
 * payload has no secrets.
 */
#ifndef STORE_OUTBOX_H
#define STORE_OUTBOX_H

#include "store/event.h"

enum {
	OUTBOX_CLAIMABLE_S = 7 * 86400,
	OUTBOX_CLAIM_MAX = 512, /* the most rows that one call claims */
	OUTBOX_DEPENDENTS_MAX = 20,
	OUTBOX_PAYLOAD_MAX_BYTES = 2 << 20, /* enough for 1,000 monitors and the longest texts */
	OUTBOX_LEASE_MAX_S = 3600,	    /* the longest time of a claim */
};

struct outbox_row {
	int64_t id;
	int64_t account_id;
	const char *kind; /* the word of event_kind_word() */
	int64_t object_id;
	struct instant at; /* the time of the event */
	const char *payload;
	int64_t tries; /* how often the row was claimed, including this time */
};

/*
 * Adds a row for each event for which event_is_told() is true. Call it in the transaction of the
 * events, after the rows of their objects are stored. Inserts up to 64 rows by one statement. For
 * each 256 events, reads incidents by up to three statements, maintenance windows by two, and the
 * dependents of monitors that are down by one.
 */
enum result outbox_add(struct db *db, const struct event_change *changes, size_t count,
		       struct instant now, struct error *error) MUST_USE;

/*
 * Adds rows for an event of the installation's checker: one row for each account that has both
 * checked monitors and alert channels. change->account_id is not used. One statement.
 */
enum result outbox_add_checker(struct db *db, const struct event_change *change, struct instant now,
			       struct error *error) MUST_USE;
/* Adds the member `checker` to a payload. */
struct json_object;
void outbox_put_checker(struct json_object *tree, const struct event_change *change);

struct outbox_claim {
	int64_t claim;
	struct instant now;
	struct instant until;
};
/*
 * Claims up to `most` rows until the time claim->until, the oldest first. Returns them as a list of
 * struct outbox_row, by id. claim->claim identifies the claim: a random number above 0. Call it
 * outside a transaction. Does not wait for transactions that add rows, and only briefly for other
 * claims. Also claims rows whose due_at is more than OUTBOX_LEASE_MAX_S in the future: a machine
 * with a wrong clock has added or claimed them.
 */
enum result outbox_claim(struct db *db, const struct outbox_claim *claim, size_t most,
			 struct arena *arena, struct db_list *rows, struct error *error) MUST_USE;
/* Marks the claimed rows whose account has confirmed subscribers. Call it before outbox_finish(),
 * which keeps the marked rows for the messages to subscribers. See store/notify/notice.h. */
enum result outbox_keep_for_subscribers(struct db *db, const struct outbox_claim *claim,
					const struct id_list *ids, struct error *error) MUST_USE;
/*
 * Finishes the rows of the claim. Deletes rows without deliveries. Keeps rows that have deliveries
 * or a mark of outbox_keep_for_subscribers(); no reader can claim them any more. Skips rows that
 * another reader has claimed meanwhile. Call it in a transaction.
 */
enum result outbox_finish(struct db *db, const struct outbox_claim *claim,
			  const struct id_list *ids, struct error *error) MUST_USE;

/* Deletes up to 512 unfinished rows that are too old to be claimed. If *is_more is true, call it
 * again. */
enum result outbox_prune(struct db *db, struct instant now, bool *is_more, struct error *error)
	MUST_USE;

#endif
