#include "store/list.h"

enum result list_total_past_end(struct db *db, const struct sql_build *sql, int64_t offset,
				struct arena *arena, int64_t *total, struct error *error)
{
	struct count {
		int64_t total;
	} count = { 0 };
	static const struct field rows[] = { FIELD(struct count, total) };
	enum result result = db_read_one(db, sql, FIELDS(rows), &count, arena, error);
	*total = count.total < offset ? count.total : offset;
	return result;
}
