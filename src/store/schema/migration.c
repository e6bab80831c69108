#include "store/schema/migration.h"

#include <string.h>

#include "base/config/config.h"
#include "base/secret.h"
#include "store/schema/migration_lease.h"

/* MySQL's error numbers for an object that exists already, cannot be made, or does not exist. */
enum {
	ER_NO_TABLE_MADE = 1005,
	ER_EXISTS_TABLE = 1050,
	ER_EXISTS_COLUMN = 1060,
	ER_EXISTS_KEY = 1061,
	ER_NO_KEY = 1091,
	ER_EXISTS_CONSTRAINT = 1826,
};
enum { ER_UNKNOWN_TABLE = 1146 };

#define MIGRATIONS_TABLE \
	"CREATE TABLE IF NOT EXISTS schema_migrations (" \
	"name VARCHAR(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY, " \
	"checksum CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, " \
	"begun_at DATETIME NOT NULL, applied_at DATETIME NULL" \
	") ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=" CONFIG_COLLATION

/* The name of the schema, which is the first of the embedded files. */
#define SCHEMA_NAME   "schema.sql"
/* The last migration that was written before sql/schema.sql. A database in which it was applied has
 * the tables of the first sql/schema.sql. */
#define FORMER_LAST   "0195_status_page_monitors_is_retired_fill.sql"
#define FORMER_COMMIT "6f43eb0"

static const struct migration migrations_table = { .text = MIGRATIONS_TABLE };

struct applied {
	const char *name;
	const char *checksum;
	struct instant applied_at;
};

static bool is_schema(const struct migration *migration)
{
	return strcmp(migration->name, SCHEMA_NAME) == 0;
}

static enum migration_state state_of(const struct migration *migration,
				     const struct applied *applied)
{
	bool is_same = strcmp(migration->checksum, applied->checksum) == 0;
	if (applied->applied_at.s > 0)
		return is_same || is_schema(migration) ? MIGRATION_APPLIED : MIGRATION_CHANGED;
	return is_same || !is_schema(migration) ? MIGRATION_BEGUN : MIGRATION_CHANGED;
}

static void note_applied(struct migration_list *list, const struct applied *applied)
{
	struct migration *schema = &list->rows[0];
	if (strcmp(applied->name, FORMER_LAST) == 0 && applied->applied_at.s > 0) {
		schema->applied_at = applied->applied_at;
		schema->state = MIGRATION_APPLIED;
	} else if (schema->state == MIGRATION_PENDING && strcmp(applied->name, FORMER_LAST) <= 0) {
		schema->state = MIGRATION_OLDER;
	}
	for (size_t i = 0; i < list->count; i++) {
		struct migration *migration = &list->rows[i];
		if (strcmp(migration->name, applied->name) != 0)
			continue;
		migration->applied_at = applied->applied_at;
		migration->state = state_of(migration, applied);
	}
}

/* Removes from the list the migrations that the schema includes. The last statement of the schema
 * names them. */
static void drop_those_in_schema(struct arena *arena, struct migration_list *list)
{
	const struct migration *schema = &list->rows[0];
	size_t kept = 1;
	for (size_t i = 1; i < list->count; i++)
		if (!strstr(schema->text, arena_printf(arena, "'%s'", list->rows[i].name)))
			list->rows[kept++] = list->rows[i];
	list->count = kept;
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
	enum result result = read_applied(db, arena, list, error);
	if (result == OK && list->rows[0].state != MIGRATION_APPLIED)
		drop_those_in_schema(arena, list);
	return result;
}

const char *migration_obstacle(struct arena *arena, const struct migration *migration)
{
	if (migration->state == MIGRATION_OLDER)
		return "the tables are older than version 0.1: bring them to its start with "
		       "commit " FORMER_COMMIT ", see \"Upgrade\" in docs/OPERATING.md";
	if (migration->state == MIGRATION_CHANGED && is_schema(migration) &&
	    migration->applied_at.s == 0)
		return "another version of Daymark began to make the tables and was interrupted: "
		       "empty the database and try again";
	if (migration->state == MIGRATION_CHANGED)
		return arena_printf(arena, "%s was applied with another text", migration->name);
	return NULL;
}

static const char *lack_of(struct arena *arena, const struct migration_list *list)
{
	const struct migration *first = NULL;
	size_t more = 0;
	for (size_t i = 0; i < list->count; i++) {
		const struct migration *migration = &list->rows[i];
		const char *obstacle = migration_obstacle(arena, migration);
		if (obstacle)
			return obstacle;
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
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT t.table_collation AS name FROM information_schema.tables t "
			    "WHERE t.table_schema = DATABASE() AND t.table_name = 'accounts' "
			    "ORDER BY t.table_name LIMIT 1"));
	enum result result = db_read_text(db, &sql, arena, collation, error);
	return result == E_NOT_FOUND ? OK : result;
}

void migration_print_all(FILE *out, struct arena *arena, const char *collation)
{
	struct migration_list list;
	list_built(arena, &list);
	drop_those_in_schema(arena, &list);
	fprintf(out, "SET NAMES utf8mb4;\n\n%s;\n\n%s;\n",
		migration_text(arena, &migrations_table, collation), MIGRATION_LEASE_TABLE);
	for (size_t i = 0; i < list.count; i++) {
		const struct migration *migration = &list.rows[i];
		fprintf(out,
			"\n%s%s\n"
			"INSERT INTO schema_migrations (name, checksum, begun_at, applied_at) "
			"VALUES ('%s', '%s', UTC_TIMESTAMP(), UTC_TIMESTAMP());\n",
			migration_text(arena, migration, collation),
			is_schema(migration) ? "" : ";", migration->name, migration->checksum);
	}
}

enum result migration_is_empty(struct db *db, bool *is_empty, struct error *error)
{
	int64_t count = 0;
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT COUNT(*) AS `count` FROM information_schema.tables "
			    "WHERE table_schema = DATABASE()"));
	enum result result = db_read_int(db, &sql, &count, error);
	*is_empty = count == 0;
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
	sql_add(&sql, now, migration->checksum, migration->name);
	return db_write(db, &sql, NULL, error);
}

static bool is_done_already(unsigned number, const struct error *error)
{
	/* MariaDB reports this number if a constraint already exists. */
	if (number == ER_NO_TABLE_MADE)
		return strstr(error_text(error), "errno: 121");
	return number == ER_EXISTS_TABLE || number == ER_EXISTS_COLUMN || number == ER_EXISTS_KEY ||
	       number == ER_NO_KEY || number == ER_EXISTS_CONSTRAINT;
}

/* Runs the statements in `text`. Each statement ends with a semicolon at the end of a line. */
static enum result run_statements(struct db *db, struct arena *arena, const char *text,
				  bool is_repeated, struct error *error)
{
	enum result result = OK;
	while (result == OK && text[strspn(text, " \n")] != '\0') {
		const char *end = strstr(text, ";\n");
		size_t len = end ? (size_t)(end - text) : strlen(text);
		result = db_script(db, arena_printf(arena, "%.*s", (int)len, text), error);
		if (result == E_FAILED && is_repeated && is_done_already(db_errno(db), error))
			result = OK;
		text += len + (end ? strlen(";\n") : 0);
	}
	return result;
}

/* Refuses a database in which another program has made a table with a name from the schema. Called
 * only before the first run of the schema: after an interrupted run, the existing tables count as
 * Daymark's. */
static enum result find_foreign_table(struct db *db, struct arena *arena,
				      const struct migration *schema, struct error *error)
{
	enum { TABLES_MAX = 10000 };
	struct table {
		const char *name;
	};
	static const struct field rows[] = { FIELD(struct table, name) };
	struct db_list list;
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT t.table_name AS name FROM information_schema.tables t "
			    "WHERE t.table_schema = DATABASE() ORDER BY t.table_name LIMIT 10000"));
	enum result result = db_read_list(
		db, &sql, DB_SHAPE(FIELDS(rows), struct table, TABLES_MAX), arena, &list, error);
	const struct table *tables = list.rows;
	for (size_t i = 0; result == OK && i < list.count; i++)
		if (strstr(schema->text, arena_printf(arena, "CREATE TABLE %s (", tables[i].name)))
			return error_client(error, E_CONFLICT,
					    "the database has a table %s that Daymark did not "
					    "make: use an empty database",
					    tables[i].name);
	return result;
}

enum result migration_apply(struct db *db, struct arena *arena, const struct migration *migration,
			    const char *collation, struct instant now, struct error *error)
{
	enum result result = OK;
	if (is_schema(migration) && migration->state == MIGRATION_PENDING)
		result = find_foreign_table(db, arena, migration, error);
	if (result == OK)
		result = db_script(db, migration_text(arena, &migrations_table, collation), error);
	if (result == OK)
		result = record_migration(db, migration, false, now, error);
	if (result == OK)
		result = run_statements(db, arena, migration_text(arena, migration, collation),
					migration->state == MIGRATION_BEGUN, error);
	return result == OK ? record_migration(db, migration, true, now, error) : result;
}
