#include "store/check/check_store.h"

enum { SCRATCH_MAX_BYTES = 16 << 20 };

enum result check_signals_read(struct db *db, int64_t after_id, struct check_signal *rows,
			       size_t most, size_t *count, struct error *error)
{
	static const struct field fields[] = { FIELD(struct check_signal, id),
					       FIELD(struct check_signal, monitor_id),
					       FIELD(struct check_signal, kind),
					       FIELD(struct check_signal, value),
					       FIELD(struct check_signal, at) };
	struct arena scratch CLEANUP(arena_done);
	struct db_rows *found CLEANUP(db_rows_cleanup) = NULL;
	struct sql_build sql;
	*count = 0;
	arena_init(&scratch, SCRATCH_MAX_BYTES);
	sql_start(&sql, SQL("SELECT id, monitor_id, kind, value, at FROM check_signals "
			    "WHERE id > ? ORDER BY id LIMIT ?"));
	sql_add(&sql, after_id, (int64_t)most);
	enum result result = db_read(db, &sql, &found, error);
	while (result == OK && *count < most &&
	       db_next(found, FIELDS(fields), &rows[*count], &scratch))
		(*count)++;
	return result;
}

enum result check_signals_delete(struct db *db, const int64_t *ids, size_t count,
				 struct error *error)
{
	struct arena scratch CLEANUP(arena_done);
	enum result result = OK;
	arena_init(&scratch, SCRATCH_MAX_BYTES);
	for (size_t from = 0, size; result == OK && from < count; from += size) {
		struct sql_build sql;
		size = sql_rows_chunk(&sql_list, count - from);
		sql_start(&sql, SQL("DELETE FROM check_signals WHERE id IN ("));
		sql_list_ints(&sql, ids + from, size, &scratch);
		sql_add(&sql, SQL(")"));
		result = db_write(db, &sql, NULL, error);
		arena_reset(&scratch);
	}
	return result;
}
