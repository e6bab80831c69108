/* The expiry of certificates and domains: adds events for it, and stores the dates that registries
 * have stated. */
#ifndef STORE_CHECK_CHECK_EXPIRY_STORE_H
#define STORE_CHECK_CHECK_EXPIRY_STORE_H

#include "store/event.h"

enum { CHECK_EXPIRIES_MAX = 512 };
/*
 * Adds events for up to CHECK_EXPIRIES_MAX monitors with ids above *after_id: for each expiry that
 * is due (domain/monitor/check_expiry.h), and for each changed issuer. Leaves out monitors that are
 * paused or retired. Stores in the same transaction which expiries and issuers have an event. Sets
 * *after_id to the last monitor that was read. If *is_more is true, call it again. E_CONFLICT:
 * `holder` does not have the lease, and no event was added.
 */
enum result check_expiries_tell(struct db *db, const char *holder,
				const struct event_source *source, int64_t *after_id, bool *is_more,
				struct error *error) MUST_USE;

/* A monitor whose domain is watched for its expiry. */
struct check_domain {
	int64_t monitor_id;
	int64_t type;
	const char *url; /* the URL of the monitor */
	/* The stored data of the domain: */
	const char *name; /* the domain whose times are stored; NULL: none */
	struct instant expires_at;
	struct instant checked_at; /* when a registry last stated an expiry */
	struct instant asked_at;
};
struct check_domain_list {
	struct check_domain *rows; /* sorted by monitor_id; owned by the arena */
	size_t count;
};
/* Reads up to CHECK_DOMAINS_MAX monitors with ids above `after_id` that have a stored state, and
 * are neither paused nor retired. Fewer than CHECK_DOMAINS_MAX rows end the list. */
enum { CHECK_DOMAINS_MAX = 1000 };
enum result check_domains_read(struct db *db, int64_t after_id, struct arena *arena,
			       struct check_domain_list *list, struct error *error) MUST_USE;
/* Stores the names and times of the rows, in one transaction. E_CONFLICT: `holder` does not have
 * the lease. */
enum result check_domains_store(struct db *db, const char *holder, const struct check_domain *rows,
				size_t count, struct error *error) MUST_USE;

#endif
