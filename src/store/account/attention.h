/* What a person of an account has to look at, for the first screen of the console. */
#ifndef STORE_ACCOUNT_ATTENTION_H
#define STORE_ACCOUNT_ATTENTION_H

#include "base/field.h"
#include "db/db.h"

struct attention {
	int64_t failed_deliveries; /* in the last 24 hours */
	int64_t suspended_channels;
	int64_t suspended_subscribers;
	int64_t unpublished_pages;    /* for more than ATTENTION_UNPUBLISHED_S */
	struct instant cut_off_since; /* a checker of the installation or of the account; 0: none */
};
enum { ATTENTION_UNPUBLISHED_S = 60 };

/* One statement. */
enum result attention_read(struct db *db, int64_t account_id, struct instant now,
			   struct attention *attention, struct error *error) MUST_USE;

/* Who has acknowledged an incident last. */
struct acknowledger {
	int64_t incident_id;
	const char *actor_type;
	int64_t actor_id;
	const char *actor_label;
};
/* The acknowledgers of these incidents of the account, as far as the events are kept. One
 * statement. */
enum result acknowledgers_read(struct db *db, int64_t account_id, const struct id_list *incidents,
			       struct arena *arena, struct db_list *list, struct error *error)
	MUST_USE;

#endif
