#include "store/schema/server_facts.h"

enum { PRIVILEGES_MAX = 200 };

enum result server_facts_read(struct db *db, struct arena *arena, struct server_facts *facts,
			      struct error *error)
{
	static const struct field rows[] = { FIELD(struct server_facts, now_s),
					     FIELD(struct server_facts, is_read_only) };
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT UNIX_TIMESTAMP() AS now_s, "
			    "@@global.read_only AS is_read_only"));
	return db_read_one(db, &sql, FIELDS(rows), facts, arena, error);
}

enum result server_privileges_read(struct db *db, struct arena *arena,
				   struct server_privileges *privileges, struct error *error)
{
	struct privilege {
		const char *name;
	};
	static const struct field rows[] = { FIELD(struct privilege, name) };
	struct db_list list;
	struct sql_build sql;
	/* Compare with LIKE, because a grant may name databases by a pattern. */
	sql_start(
		&sql,
		SQL("SELECT DISTINCT p.privilege_type AS name FROM ("
		    "SELECT u.privilege_type FROM information_schema.user_privileges u "
		    "UNION ALL "
		    "SELECT s.privilege_type FROM information_schema.schema_privileges s "
		    "WHERE DATABASE() LIKE s.table_schema) p ORDER BY p.privilege_type LIMIT 200"));
	enum result result = db_read_list(db, &sql,
					  DB_SHAPE(FIELDS(rows), struct privilege, PRIVILEGES_MAX),
					  arena, &list, error);
	if (result != OK)
		return result;
	const struct privilege *found = list.rows;
	privileges->names = ARENA_ARRAY(arena, list.count + 1, const char *);
	privileges->count = list.count;
	for (size_t i = 0; i < list.count; i++)
		privileges->names[i] = found[i].name;
	return OK;
}
