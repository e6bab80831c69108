#include "store/snapshot/timeline.h"

enum result timeline_begin(struct db *db, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("INSERT INTO timeline (id, epoch) "
			    "VALUES (1, CAST(UNIX_TIMESTAMP(NOW(6)) * 1000000 AS SIGNED)) "
			    "ON DUPLICATE KEY UPDATE epoch = GREATEST(epoch + 1, "
			    "CAST(UNIX_TIMESTAMP(NOW(6)) * 1000000 AS SIGNED))"));
	return db_write(db, &sql, NULL, error);
}
