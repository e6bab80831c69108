/* The things in an account that need the attention of a person. The first screen of the console
 * shows them. */
#ifndef STORE_ACCOUNT_ATTENTION_H
#define STORE_ACCOUNT_ATTENTION_H

#include "base/field.h"
#include "db/db.h"
#include "domain/notify/subscriber.h"

/* Who last acknowledged or reported an incident, according to the events that still exist. */
struct acknowledger {
	int64_t incident_id;
	const char *actor_type;
	int64_t actor_id;
	const char *actor_label;
};

struct attention {
	int64_t overdue_promises;  /* open incidents whose promised update is late */
	int64_t failed_deliveries; /* deliveries that failed in the last 24 hours */
	int64_t suspended_channels;
	int64_t suspended_subscribers;
	int64_t unpublished_pages;	 /* pages with changes that are unpublished for longer than
					    ATTENTION_UNPUBLISHED_S */
	int64_t pending_updates;	 /* texts that wait for a second person */
	struct instant cut_off_since;	 /* 0: no checker is cut off */
	int64_t maintenance_now;	 /* windows in progress */
	struct instant maintenance_next; /* when the next window begins; 0: none is planned */
	struct audience audience; /* only its members by_mail, by_webhook and channels are set */
	const struct acknowledger *takers; /* owned by the arena */
	size_t taker_count;
};
enum { ATTENTION_UNPUBLISHED_S = 60, ATTENTION_INCIDENTS_MAX = 100 };

/* The incidents whose acknowledgers are read: at most ATTENTION_INCIDENTS_MAX of an account. */
struct attention_query {
	int64_t account_id;
	struct id_list incidents;
	struct instant now;
};
/* Reads *attention by one statement. */
enum result attention_read(struct db *db, const struct attention_query *query, struct arena *arena,
			   struct attention *attention, struct error *error) MUST_USE;

#endif
