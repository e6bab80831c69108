/*
 * The tables of the database. sql/schema.sql makes them in an empty database, and each later change
 * is a migration.
 *
 * MySQL commits DDL by itself. So the table schema_migrations records the schema and each migration
 * twice: as begun before it runs, and as applied afterwards. An interrupted schema or migration
 * runs again. In the second run, an error such as "this table exists" counts as success. A
 * migration is one statement. The last statement of the schema records the migrations whose results
 * the schema has.
 *
 * The SQL files contain the word CONFIG_COLLATION. When the program runs or prints a file, it
 * replaces the word with the configured collation. Checksums are computed before this replacement.
 * The checksum of an applied migration must stay the same. The checksum of the schema may change
 * after the schema was applied: later versions of the program have another schema.
 */
#ifndef STORE_SCHEMA_MIGRATION_H
#define STORE_SCHEMA_MIGRATION_H

#include <stdio.h>

#include "base/embedded.h"
#include "db/db.h"

enum migration_state {
	MIGRATION_PENDING,
	MIGRATION_BEGUN, /* interrupted: it is to run again */
	MIGRATION_APPLIED,
	MIGRATION_CHANGED, /* error: the text changed after the migration was applied, or after the
			      schema was begun */
	MIGRATION_OLDER,   /* only of the schema: the tables are so old that the program has no
			      migrations for them */
};

struct migration {
	const char *name;
	const char *text;
	const char *checksum; /* SHA-256 of the text, in hexadecimal */
	enum migration_state state;
	struct instant applied_at;
};

/* The schema, then the migrations in their order. Until the schema is applied, the list leaves out
 * the migrations that the schema includes. */
struct migration_list {
	struct migration *rows;
	size_t count;
};

/* The schema and the migrations, as the build embeds them. */
extern const struct embedded migration_files[];
extern const size_t migration_files_count;

/* Reads the state of the schema and of all migrations in this database. */
enum result migration_list(struct db *db, struct arena *arena, struct migration_list *list,
			   struct error *error) MUST_USE;

/* Returns the text of the migration with `collation` in place of CONFIG_COLLATION. The collation
 * must be one that config.c accepts. */
const char *migration_text(struct arena *arena, const struct migration *migration,
			   const char *collation);

/* Reads the collation of the existing tables. Leaves *collation as it is if there are no tables. */
enum result migration_collation(struct db *db, struct arena *arena, const char **collation,
				struct error *error) MUST_USE;

/* Sets *lack to the reason why the program cannot work with the tables, such as "0029_x is
 * missing", or to NULL if it can. The arena owns the text. */
enum result migration_lack(struct db *db, struct arena *arena, const char **lack,
			   struct error *error) MUST_USE;

/* Returns why the migration cannot be applied, and what to do. Returns NULL if it can be applied or
 * was applied. */
const char *migration_obstacle(struct arena *arena, const struct migration *migration);

/* Prints the SQL for an empty database: the schema, the migrations that it does not include, and
 * INSERT statements that record them in schema_migrations. */
void migration_print_all(FILE *out, struct arena *arena, const char *collation);

/* Whether the database has no table at all. */
enum result migration_is_empty(struct db *db, bool *is_empty, struct error *error) MUST_USE;

/* Runs a migration that is pending or was interrupted. E_CONFLICT: another program has made a table
 * with a name from the schema. */
enum result migration_apply(struct db *db, struct arena *arena, const struct migration *migration,
			    const char *collation, struct instant now, struct error *error)
	MUST_USE;

#endif
