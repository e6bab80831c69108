/*
 * Reads all monitors and status pages of an account at once, so that an operation can compare them
 * with a configuration. It runs few statements, because each reads many rows.
 */
#ifndef STORE_ACCOUNT_CONFIGURATION_H
#define STORE_ACCOUNT_CONFIGURATION_H

#include "db/db.h"
#include "store/monitor/monitor.h"
#include "store/page/status_page.h"

enum configured_kind { CONFIGURED_MONITORS, CONFIGURED_PAGES, CONFIGURED_KINDS };

/* A monitor or a page; both begin with the id. */
union configured {
	struct monitor monitor;
	struct status_page page; /* with password_hash and custom code */
};
struct configured_list {
	union configured *rows; /* by id */
	size_t count;
};

/*
 * Reads the account's monitors that are neither retired nor being removed, or the account's pages
 * with all their columns. Runs a statement for each 1,000 monitors or for each 100 pages, so that
 * the result of a statement has at most 13 MiB.
 */
enum result configuration_load(struct db *db, enum configured_kind kind, int64_t account_id,
			       struct arena *arena, struct configured_list *list,
			       struct error *error) MUST_USE;

/* The ids of monitors, or of pages. */
struct configured_ids {
	enum configured_kind kind;
	struct id_list ids;
};
/* Locks rows of the account until the end of the transaction, in the order of ids. Call it before
 * the first read of the transaction, so that later reads see the locked rows. */
enum result configuration_lock(struct db *db, int64_t account_id, const struct configured_ids *ids,
			       struct arena *arena, struct error *error) MUST_USE;
/*
 * Clears the labels of monitors, or the domains of pages, that are about to change. Then two
 * monitors can exchange labels, and two pages can exchange domains.
 */
enum result configuration_clear_unique(struct db *db, const struct configured_ids *ids,
				       struct arena *arena, struct error *error) MUST_USE;

/* A page, of any account, that has one of the wanted addresses. */
struct configured_address {
	int64_t id;
	int64_t account_id;
	const char *slug;
	const char *domain; /* NULL: the page has no domain, or has lost it, so that another page
			       may take it */
};
struct configured_addresses {
	struct configured_address *rows;
	size_t count;
};
/* Finds the pages whose slug or domain is in `texts`. One statement for each 4,096 texts. */
enum result configuration_addresses(struct db *db, const char *const *texts, size_t count,
				    struct arena *arena, struct configured_addresses *found,
				    struct error *error) MUST_USE;

/* Marks the pages that show any of the monitors as unpublished. */
enum result configuration_mark_pages(struct db *db, const struct id_list *monitor_ids,
				     struct instant now, struct arena *arena, struct error *error)
	MUST_USE;

#endif
