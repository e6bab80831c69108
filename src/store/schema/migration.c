#include "store/schema/migration.h"

#include <string.h>

#include "base/config.h"
#include "base/secret.h"
#include "store/schema/migration_lease.h"

/* MySQL's error numbers for an object that exists already, or that no longer exists. */
enum { ER_EXISTS_TABLE = 1050, ER_EXISTS_COLUMN = 1060, ER_EXISTS_KEY = 1061, ER_NO_KEY = 1091 };
enum { ER_UNKNOWN_TABLE = 1146 };

#define MIGRATIONS_TABLE \
	"CREATE TABLE IF NOT EXISTS schema_migrations (" \
	"name VARCHAR(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY, " \
	"checksum CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, " \
	"begun_at DATETIME NOT NULL, applied_at DATETIME NULL" \
	") ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=" CONFIG_COLLATION

static const struct migration migrations_table = { .text = MIGRATIONS_TABLE };

struct applied {
	const char *name;
	const char *checksum;
	struct instant applied_at;
};

static void note_applied(struct migration_list *list, const struct applied *applied)
{
	for (size_t i = 0; i < list->count; i++) {
		struct migration *migration = &list->rows[i];
		if (strcmp(migration->name, applied->name) != 0)
			continue;
		migration->applied_at = applied->applied_at;
		if (applied->applied_at.s == 0)
			migration->state = MIGRATION_BEGUN;
		else if (strcmp(migration->checksum, applied->checksum) == 0)
			migration->state = MIGRATION_APPLIED;
		else
			migration->state = MIGRATION_CHANGED;
	}
}

static enum result read_applied(struct db *db, struct arena *arena, struct migration_list *list,
				struct error *error)
{
	static const struct field applied_rows[] = {
		FIELD(struct applied, name),
		FIELD(struct applied, checksum),
		FIELD(struct applied, applied_at),
	};
	struct sql_build sql;
	struct db_rows *found CLEANUP(db_rows_cleanup) = NULL;
	struct applied applied;
	sql_start(&sql, SQL("SELECT name, checksum, applied_at FROM schema_migrations "
			    "ORDER BY name LIMIT 10000"));
	enum result result = db_read(db, &sql, &found, error);
	if (result == E_FAILED && db_errno(db) == ER_UNKNOWN_TABLE) {
		*error = (struct error){ 0 };
		return OK;
	}
	if (result != OK)
		return result;
	while (db_next(found, FIELDS(applied_rows), &applied, arena))
		note_applied(list, &applied);
	return OK;
}

static void list_built(struct arena *arena, struct migration_list *list)
{
	*list = (struct migration_list){
		.rows = ARENA_ARRAY(arena, migration_files_count, struct migration),
		.count = migration_files_count,
	};
	for (size_t i = 0; i < list->count; i++) {
		const char *text = migration_files[i].text;
		list->rows[i] = (struct migration){
			.name = migration_files[i].name,
			.text = text,
			.checksum = secret_hash_hex(arena, text, strlen(text), 64),
		};
	}
}

enum result migration_list(struct db *db, struct arena *arena, struct migration_list *list,
			   struct error *error)
{
	list_built(arena, list);
	return read_applied(db, arena, list, error);
}

static const char *lack_of(struct arena *arena, const struct migration_list *list)
{
	const struct migration *first = NULL;
	size_t more = 0;
	for (size_t i = 0; i < list->count; i++) {
		const struct migration *migration = &list->rows[i];
		if (migration->state == MIGRATION_CHANGED)
			return arena_printf(arena, "%s was applied with another text",
					    migration->name);
		if (migration->state == MIGRATION_APPLIED)
			continue;
		more += first != NULL;
		first = first ? first : migration;
	}
	if (!first)
		return NULL;
	if (more > 0)
		return arena_printf(arena, "%s and %zu more are missing", first->name, more);
	return arena_printf(arena, "%s is missing", first->name);
}

enum result migration_lack(struct db *db, struct arena *arena, const char **lack,
			   struct error *error)
{
	struct migration_list list;
	enum result result = migration_list(db, arena, &list, error);
	*lack = result == OK ? lack_of(arena, &list) : NULL;
	return result;
}

const char *migration_text(struct arena *arena, const struct migration *migration,
			   const char *collation)
{
	const char *rest = migration->text, *found, *text = "";
	while ((found = strstr(rest, CONFIG_COLLATION))) {
		text = arena_printf(arena, "%s%.*s%s", text, (int)(found - rest), rest, collation);
		rest = found + strlen(CONFIG_COLLATION);
	}
	return arena_printf(arena, "%s%s", text, rest);
}

enum result migration_collation(struct db *db, struct arena *arena, const char **collation,
				struct error *error)
{
	struct table {
		const char *name;
	} table = { 0 };
	static const struct field table_rows[] = { FIELD(struct table, name) };
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT t.table_collation AS name FROM information_schema.tables t "
			    "WHERE t.table_schema = DATABASE() AND t.table_name = 'accounts' "
			    "ORDER BY t.table_name LIMIT 1"));
	enum result result = db_read_one(db, &sql, FIELDS(table_rows), &table, arena, error);
	*collation = table.name;
	return result == E_NOT_FOUND ? OK : result;
}

void migration_print_all(FILE *out, struct arena *arena, const char *collation)
{
	struct migration_list list;
	list_built(arena, &list);
	fprintf(out, "SET NAMES utf8mb4;\n\n%s;\n\n%s;\n",
		migration_text(arena, &migrations_table, collation), MIGRATION_LEASE_TABLE);
	for (size_t i = 0; i < list.count; i++) {
		const struct migration *migration = &list.rows[i];
		fprintf(out,
			"\n%s;\n"
			"INSERT INTO schema_migrations (name, checksum, begun_at, applied_at) "
			"VALUES ('%s', '%s', UTC_TIMESTAMP(), UTC_TIMESTAMP());\n",
			migration_text(arena, migration, collation), migration->name,
			migration->checksum);
	}
}

enum result migration_is_empty(struct db *db, struct arena *arena, bool *is_empty,
			       struct error *error)
{
	struct tables {
		int64_t count;
	} tables = { 0 };
	static const struct field table_rows[] = { FIELD(struct tables, count) };
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT COUNT(*) AS `count` FROM information_schema.tables "
			    "WHERE table_schema = DATABASE()"));
	enum result result = db_read_one(db, &sql, FIELDS(table_rows), &tables, arena, error);
	*is_empty = tables.count == 0;
	return result;
}

static enum result record_migration(struct db *db, const struct migration *migration,
				    bool is_finished, struct instant now, struct error *error)
{
	struct sql_build sql;
	if (is_finished)
		sql_start(&sql, SQL("UPDATE schema_migrations SET applied_at = ?, checksum = ? "
				    "WHERE name = ?"));
	else
		sql_start(&sql, SQL("REPLACE INTO schema_migrations (begun_at, checksum, name) "
				    "VALUES (?, ?, ?)"));
	sql_time(&sql, now);
	sql_text(&sql, migration->checksum);
	sql_text(&sql, migration->name);
	return db_write(db, &sql, NULL, error);
}

static bool is_done_already(unsigned number)
{
	return number == ER_EXISTS_TABLE || number == ER_EXISTS_COLUMN || number == ER_EXISTS_KEY ||
	       number == ER_NO_KEY;
}

enum result migration_apply(struct db *db, struct arena *arena, const struct migration *migration,
			    const char *collation, struct instant now, struct error *error)
{
	enum result result =
		db_script(db, migration_text(arena, &migrations_table, collation), error);
	if (result == OK)
		result = record_migration(db, migration, false, now, error);
	if (result != OK)
		return result;
	result = db_script(db, migration_text(arena, migration, collation), error);
	if (result == E_FAILED && migration->state == MIGRATION_BEGUN &&
	    is_done_already(db_errno(db)))
		result = OK;
	return result == OK ? record_migration(db, migration, true, now, error) : result;
}
