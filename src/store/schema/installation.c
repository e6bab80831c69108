#include "store/schema/installation.h"

#include <string.h>

/*
 * Returns the address without the scheme, because an installation uses http until it has
 * certificates. Returns NULL without a base_url, or if the address is too long for the column.
 */
static const char *address_of(const char *base_url)
{
	enum { ADDRESS_MAX_BYTES = 255 };
	const char *after = base_url ? strstr(base_url, "://") : NULL;
	const char *address = after ? after + strlen("://") : NULL;
	return address && strlen(address) <= ADDRESS_MAX_BYTES ? address : NULL;
}

enum result installation_record(struct db *db, const char *base_url, struct instant now,
				struct error *error)
{
	struct sql_build sql;
	const char *address = address_of(base_url);
	if (!address)
		return OK;
	/* If seen_at is more than INSTALLATION_SILENT_S old, set `since` to now: the installation
	 * may have used another base_url in the meantime. */
	sql_start(&sql,
		  SQL("INSERT INTO installations (address, since, seen_at) "
		      "SELECT ?, ?, ? FROM timeline WHERE timeline.id = 1 "
		      "ON DUPLICATE KEY UPDATE since = IF(seen_at < ?, ?, since), seen_at = ?"));
	sql_add(&sql, address, now, now, (struct instant){ now.s - INSTALLATION_SILENT_S }, now,
		now);
	return db_write(db, &sql, NULL, error);
}

enum result installation_find_other(struct db *db, const char *base_url, struct instant now,
				    struct arena *arena, const char **address, struct error *error)
{
	struct sql_build sql;
	*address = NULL;
	if (!address_of(base_url))
		return OK;
	sql_start(&sql, SQL("SELECT o.address FROM installations o "
			    "JOIN installations i ON i.address = ? AND o.seen_at > i.since "
			    "WHERE o.address <> ? AND o.seen_at > ? ORDER BY o.address LIMIT 1"));
	sql_add(&sql, address_of(base_url), address_of(base_url),
		(struct instant){ now.s - INSTALLATION_SILENT_S });
	enum result result = db_read_text(db, &sql, arena, address, error);
	return result == E_NOT_FOUND ? OK : result;
}
