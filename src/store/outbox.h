/*
 * The outbox: a row for each event of which somebody outside may want to hear (event_is_told()). A
 * row is written in the transaction of its event. Rows are written only while messages are sent
 * ([notify] enabled), since otherwise nothing reads them. A row needs neither its event nor a
 * cursor.
 *
 * A reader claims rows for a time, makes deliveries of them, and finishes them. A finished row
 * stays while it has deliveries, for their texts. If a reader dies, the next reader takes its rows
 * when the time of the claim is over. So a row may be read twice, and a delivery must be known by
 * the row's id.
 *
 * An update that ends an incident or opens it again has one row: that of the end or the opening,
 * with the text of the update.
 *
 * A row can be claimed for OUTBOX_CLAIMABLE_S after its event; outbox_prune() deletes older ones.
 *
 * `payload` is a JSON object:
 *   text        what the event says, such as the body of an update (CommonMark); or null
 *   update_id   the posted update whose text the event tells; missing: none. See struct
 *               leased_delivery
 *   incident    of an event of an incident: as the API lists it after the change, but for `url`;
 *               `monitors` has the names and impacts of its systems, `status_page_ids` the pages
 *               that a notice names. Pages that show its monitors: see status_page_monitors
 *   page_address beside `incident`: as struct incident has it, for incident_url()
 *   dependents  beside `incident` when a system is down: id and name of the systems that depend on
 *               it, directly ones first, up to OUTBOX_DEPENDENTS_MAX; dependent_count has their
 *               number
 *   maintenance of an event of a maintenance window: as the API lists it
 *   monitors    beside `maintenance`: id and name of each system
 *   monitor     of an event of a monitor: its id and name
 *   checker     of an event of a checker: its `location` (null: that of the installation), since
 *               when it is cut off, and until when it was (null: it still is)
 *   occurrence  beside `maintenance`: starts_at and ends_at of the occurrence that the event is of;
 *               null if the event is of the whole window
 * `cause` of an incident is for the account alone: a page shows it only with `show_causes`. There
 * are no secrets.
 */
#ifndef STORE_OUTBOX_H
#define STORE_OUTBOX_H

#include "store/event.h"

enum {
	OUTBOX_CLAIMABLE_S = 7 * 86400,
	OUTBOX_CLAIM_MAX = 512, /* rows at once */
	OUTBOX_DEPENDENTS_MAX = 20,
	OUTBOX_PAYLOAD_MAX_BYTES = 2 << 20, /* enough for 1,000 systems and the longest texts */
	OUTBOX_LEASE_MAX_S = 3600,	    /* the longest time of a claim */
};

struct outbox_row {
	int64_t id;
	int64_t account_id;
	const char *kind; /* event_kind_word() */
	int64_t object_id;
	struct instant at; /* of the event */
	const char *payload;
	int64_t tries; /* how often the row was claimed, including this time */
};

/*
 * Adds a row for each event in the list that somebody may want to hear about (event_is_told()).
 * Call it in the transaction of the events, after the rows of their objects are stored. Takes one
 * statement for 64 rows. For 256 events, takes up to three for their incidents, two for their
 * windows, and one for the dependents of systems that are down.
 */
enum result outbox_add(struct db *db, const struct event_change *changes, size_t count,
		       struct instant now, struct error *error) MUST_USE;

/*
 * Adds rows for an event of the checker of the installation: a row for each account that has
 * checked monitors and channels. The change has no account. One statement.
 */
enum result outbox_add_checker(struct db *db, const struct event_change *change, struct instant now,
			       struct error *error) MUST_USE;
/* Puts `checker` into a payload. */
struct json_object;
void outbox_put_checker(struct json_object *tree, const struct event_change *change);

struct outbox_claim {
	int64_t claim;
	struct instant now;
	struct instant until;
};
/*
 * Claims up to `most` rows until `until`, the oldest first, outside a transaction: a list of struct
 * outbox_row, by id. `claim` identifies the claim: a random number above 0. Does not wait for
 * transactions that add rows, and only briefly for other claims. Also claims rows that are due
 * later than the longest claim: a machine whose clock was ahead has added or claimed them.
 */
enum result outbox_claim(struct db *db, const struct outbox_claim *claim, size_t most,
			 struct arena *arena, struct db_list *rows, struct error *error) MUST_USE;
/* Marks the claimed rows of which subscribers are to hear, if the account has subscribers. Call it
 * before outbox_finish(), which keeps these rows. See store/notify/notice.h. */
enum result outbox_keep_for_subscribers(struct db *db, const struct outbox_claim *claim,
					const struct id_list *ids, struct error *error) MUST_USE;
/*
 * Deletes the rows of the claim that have no deliveries. Keeps the others for the texts of their
 * deliveries; nobody can claim these rows again. Leaves rows that another claim has taken since. In
 * a transaction.
 */
enum result outbox_finish(struct db *db, const struct outbox_claim *claim,
			  const struct id_list *ids, struct error *error) MUST_USE;

/* Deletes rows that nobody can claim any more, 512 at a time. *is_more: call the function again. */
enum result outbox_prune(struct db *db, struct instant now, bool *is_more, struct error *error)
	MUST_USE;

#endif
