/*
 * The quotas of an account. E_QUOTA_EXCEEDED, with a text that names the quota: the write would
 * exceed it. A limit of 0 is no limit, and costs no statement.
 *
 * account_usage has a row for each account and quota. The check locks the row until the end of
 * the transaction, so that two writes at the limit cannot both pass. The quotas have separate rows,
 * so that the creation of a page does not wait for an observation.
 */
#ifndef STORE_ACCOUNT_USAGE_H
#define STORE_ACCOUNT_USAGE_H

#include "store/page/status_page.h"

enum { USAGE_DAY_S = 24 * 3600 };

/* Inserts the quotas of a new account, in the transaction that adds the account. */
enum result usage_start(struct db *db, int64_t account_id, struct error *error) MUST_USE;

/*
 * Runs an UPDATE whose condition holds while the account is below a quota. E_QUOTA_EXCEEDED: the
 * UPDATE matched no row, although the account has its rows. For other files of store/ that count
 * against quotas.
 */
enum result usage_check(struct db *db, const struct sql_build *sql, int64_t account_id,
			struct error *error) MUST_USE;

/* Call before the transaction inserts a page, or a monitor. One statement. */
enum result usage_check_pages(struct db *db, int64_t account_id, int64_t most, struct error *error)
	MUST_USE;
enum result usage_check_monitors(struct db *db, int64_t account_id, int64_t most,
				 struct error *error) MUST_USE;
/* Call before the transaction inserts a key. Revoked and expired keys do not count. */
enum result usage_check_keys(struct db *db, int64_t account_id, int64_t most, struct instant now,
			     struct error *error) MUST_USE;
/* Locks the account's keys until COMMIT. Until then no key of the account can create another
 * key. */
enum result usage_lock_keys(struct db *db, int64_t account_id, struct error *error) MUST_USE;
/* Call before the transaction inserts a maintenance window. Windows that were over by `since` do
 * not count. */
enum result usage_check_maintenances(struct db *db, int64_t account_id, int64_t most,
				     struct instant since, struct error *error) MUST_USE;
/* Call before the transaction inserts a template of incidents. */
enum result usage_check_templates(struct db *db, int64_t account_id, int64_t most,
				  struct error *error) MUST_USE;
/* For the check before a page's files are stored. Files that the new files replace do not count. */
struct usage_upload {
	const struct page_file *files;
	size_t count;
};
enum result usage_check_uploads(struct db *db, const struct status_page *page,
				const struct usage_upload *upload, int64_t most_bytes,
				struct error *error) MUST_USE;

/* Counts opened incidents. Call it last in a transaction. Until the transaction ends, every other
 * write that opens incidents in the account waits. */
enum result usage_count_incidents(struct db *db, int64_t account_id, int64_t count, int64_t most,
				  struct error *error) MUST_USE;

/* The use of an account's quotas, besides the counts of struct account. */
struct usage_counts {
	int64_t valid_keys;
	int64_t maintenances; /* windows that end in the future, or ended less than 366 days before
				 `now` */
	int64_t templates;    /* of incidents */
};
enum result usage_count(struct db *db, int64_t account_id, struct instant now,
			struct usage_counts *counts, struct error *error) MUST_USE;

/*
 * used_today has the number of a day in its upper bits, and the use on that day in the lower 40.
 * Days are days of UTC by the database's clock, since the clocks of web machines may differ. With
 * the number of another day, nothing was used today. This holds for a later day, too, after the
 * clock was set back.
 */
#define USAGE_TODAY "UNIX_TIMESTAMP() DIV 86400 * 1099511627776"
#define USAGE_SO_FAR \
	"IF(u.used_today DIV 1099511627776 = UNIX_TIMESTAMP() DIV 86400, " \
	"u.used_today - " USAGE_TODAY ", 0)"

#endif
