/*
 * The quotas of an account. If a write would exceed a quota, the functions return E_QUOTA_EXCEEDED,
 * with a text for the client that names the quota. A limit of 0 means no limit, and then no
 * statement runs.
 *
 * The table account_usage has a row for each account and quota. The check locks the row until the
 * end of the transaction, so that two writes at the limit cannot both pass. The quotas have
 * separate rows, so that the creation of a page does not wait for an observation.
 */
#ifndef STORE_ACCOUNT_USAGE_H
#define STORE_ACCOUNT_USAGE_H

#include "store/page/status_page.h"

enum { USAGE_DAY_S = 24 * 3600 };

/* Inserts the rows of a new account. Call it in the transaction that adds the account. */
enum result usage_start(struct db *db, int64_t account_id, struct error *error) MUST_USE;

/*
 * For other files of store/ with quotas: runs an UPDATE that matches a row of account_usage only
 * while the account is below a quota. If the account lacks its rows, adds them and runs the UPDATE
 * again. E_QUOTA_EXCEEDED: the UPDATE matches no row.
 */
enum result usage_check(struct db *db, const struct sql_build *sql, int64_t account_id,
			struct error *error) MUST_USE;

/* Checks the quota of pages, or of monitors. Call it before the insertion, in the same transaction.
 * One statement. */
enum result usage_check_pages(struct db *db, int64_t account_id, int64_t most, struct error *error)
	MUST_USE;
enum result usage_check_monitors(struct db *db, int64_t account_id, int64_t most,
				 struct error *error) MUST_USE;
/* Checks the quota of keys, before the insertion of a key. Revoked and expired keys do not
 * count. */
enum result usage_check_keys(struct db *db, int64_t account_id, int64_t most, struct instant now,
			     struct error *error) MUST_USE;
/* Locks the account's row for keys until COMMIT. Until then no key of the account can create
 * another key. */
enum result usage_lock_keys(struct db *db, int64_t account_id, struct error *error) MUST_USE;
/* Checks the quota of maintenance windows, before the insertion of a window. Windows that ended at
 * `since` or before do not count. */
enum result usage_check_maintenances(struct db *db, int64_t account_id, int64_t most,
				     struct instant since, struct error *error) MUST_USE;
/* Checks the quota of incident templates, before the insertion of a template. */
enum result usage_check_templates(struct db *db, int64_t account_id, int64_t most,
				  struct error *error) MUST_USE;
/* Files that are to be stored for a page. usage_check_uploads() does not count the files that they
 * replace. */
struct usage_upload {
	const struct page_file *files;
	size_t count;
};
enum result usage_check_uploads(struct db *db, const struct status_page *page,
				const struct usage_upload *upload, int64_t most_bytes,
				struct error *error) MUST_USE;

/* Adds `count` to the number of incidents that were opened today. Call it last in a transaction:
 * until the transaction ends, all other writes that open incidents in the account must wait. */
enum result usage_count_incidents(struct db *db, int64_t account_id, int64_t count, int64_t most,
				  struct error *error) MUST_USE;

/* An account's use of some quotas; the other counts are in struct account. */
struct usage_counts {
	int64_t valid_keys;
	int64_t maintenances; /* windows that end in the future, or ended less than 366 days before
				 `now` */
	int64_t templates;    /* the number of templates of incidents */
};
enum result usage_count(struct db *db, int64_t account_id, struct instant now,
			struct usage_counts *counts, struct error *error) MUST_USE;

/*
 * The column used_today has the number of a day in its upper bits, and the use on that day in its
 * lower 40 bits. Days are days of UTC by the database's clock, because the clocks of web machines
 * may differ. If the column has the number of another day, nothing was used today. The other day
 * may be a later one if the clock was set back.
 */
#define USAGE_TODAY "UNIX_TIMESTAMP() DIV 86400 * 1099511627776"
#define USAGE_SO_FAR \
	"IF(u.used_today DIV 1099511627776 = UNIX_TIMESTAMP() DIV 86400, " \
	"u.used_today - " USAGE_TODAY ", 0)"

#endif
