/*
 * All monitors and status pages of an account at once, for an operation that compares them with
 * the configuration that an operator wants. Few statements, however many rows there are.
 */
#ifndef STORE_ACCOUNT_CONFIGURATION_H
#define STORE_ACCOUNT_CONFIGURATION_H

#include "db/db.h"
#include "store/monitor/monitor.h"
#include "store/page/status_page.h"

struct configured_pages {
	struct status_page *rows; /* by id, with password_hash and custom code */
	size_t count;
};

/* The account's monitors that are not retired or being removed. One statement for each 1,000. */
enum result configuration_monitors(struct db *db, int64_t account_id, struct arena *arena,
				   struct monitor_list *list, struct error *error) MUST_USE;
/* The account's pages, whole. One statement for each 100, so that no result has over 13 MiB. */
enum result configuration_pages(struct db *db, int64_t account_id, struct arena *arena,
				struct configured_pages *list, struct error *error) MUST_USE;

/*
 * Lock rows of the account until the end of the transaction, in the order of ids. Called before
 * the transaction reads anything, so that it reads what the locked rows are now.
 */
enum result configuration_lock_monitors(struct db *db, int64_t account_id,
					const struct id_list *ids, struct arena *arena,
					struct error *error) MUST_USE;
enum result configuration_lock_pages(struct db *db, int64_t account_id, const struct id_list *ids,
				     struct arena *arena, struct error *error) MUST_USE;

/* A page of any account that has one of the wanted addresses. */
struct configured_address {
	int64_t id;
	int64_t account_id;
	const char *slug;
	const char *domain; /* NULL: none, or its proof is lost, so that another page may take it */
};
struct configured_addresses {
	struct configured_address *rows;
	size_t count;
};
/* The pages that have a slug or a domain of `texts`. One statement for each 4,096. */
enum result configuration_addresses(struct db *db, const char *const *texts, size_t count,
				    struct arena *arena, struct configured_addresses *found,
				    struct error *error) MUST_USE;

/*
 * Clear labels and domains that are about to change, so that two monitors, or two pages, can
 * exchange theirs.
 */
enum result configuration_clear_labels(struct db *db, const struct id_list *monitor_ids,
				       struct arena *arena, struct error *error) MUST_USE;
enum result configuration_clear_domains(struct db *db, const struct id_list *page_ids,
					struct arena *arena, struct error *error) MUST_USE;
/* Marks the pages that show one of the monitors as unpublished. */
enum result configuration_mark_pages(struct db *db, const struct id_list *monitor_ids,
				     struct instant now, struct arena *arena, struct error *error)
	MUST_USE;

#endif
