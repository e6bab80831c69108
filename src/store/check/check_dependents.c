#include "store/check/check_dependents.h"

#include "base/sorted.h"

#define DEPENDENT(member) FIELD(struct check_dependent, member)
static const struct field rows[] = { DEPENDENT(id), DEPENDENT(name), DEPENDENT(depends_on_id) };
const struct fields check_dependent_fields = { rows, 2 };

enum result check_dependents_read(struct db *db, const struct id_list *account_ids,
				  struct arena *arena, struct check_dependents *list,
				  struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT m.id, m.name, k.depends_on_id FROM monitor_checks k "
			    "JOIN monitors m ON m.id = k.monitor_id AND m.retired_at IS NULL "
			    "WHERE k.depends_on_id > 0 AND k.account_id IN ("));
	sql_list_ints(&sql, account_ids->ids, account_ids->count, arena);
	sql_add(&sql, SQL(") ORDER BY k.depends_on_id, m.id LIMIT ?"), CHECK_DEPENDENTS_MAX);
	return db_read_into(db, &sql, FIELDS(rows), DB_INTO(list, CHECK_DEPENDENTS_MAX), arena,
			    error);
}

/*
 * Adds the monitors that directly depend on the monitor, except first_id. A monitor depends on at
 * most one other monitor. So a monitor could be added twice only in a circle of dependencies, and
 * every such circle contains first_id.
 */
static size_t add_direct(const struct check_dependents *list, int64_t monitor_id, int64_t first_id,
			 const struct check_dependent **found, size_t count)
{
	size_t i = SORTED_PLACE(struct check_dependent, depends_on_id, list->rows, list->count,
				monitor_id);
	for (; i < list->count && list->rows[i].depends_on_id == monitor_id; i++)
		if (list->rows[i].id != first_id)
			found[count++] = &list->rows[i];
	return count;
}

size_t check_dependents_of(const struct check_dependents *list, int64_t monitor_id,
			   struct arena *arena, const struct check_dependent ***found)
{
	*found = ARENA_ARRAY(arena, list->count, const struct check_dependent *);
	size_t count = add_direct(list, monitor_id, monitor_id, *found, 0);
	for (size_t i = 0; i < count; i++)
		count = add_direct(list, (*found)[i]->id, monitor_id, *found, count);
	return count;
}
