/*
 * The schema, step by step.
 *
 * Each migration is one statement (MySQL commits DDL by itself). It is noted
 * as begun before and as finished after it runs: one that was cut off between
 * the two is run again, and "it is there already" then counts as done.
 */
#ifndef STORE_MIGRATION_H
#define STORE_MIGRATION_H

#include <stdio.h>

#include "base/embedded.h"
#include "db/db.h"

enum migration_state {
	MIGRATION_PENDING,
	MIGRATION_BEGUN, /* cut off; will be run again */
	MIGRATION_APPLIED,
	MIGRATION_CHANGED, /* applied, but its text is another now: refuse to go on */
};

struct migration {
	const char *name;
	const char *text;
	const char *checksum; /* SHA-256 of the text, in hexadecimal */
	enum migration_state state;
	struct instant applied_at;
};

struct migration_list {
	struct migration *rows; /* in order */
	size_t count;
};

/* The migrations that the build embeds. */
extern const struct embedded migration_files[];
extern const size_t migration_files_count;

/* Compares them with the database; one that has no such table has applied none. */
enum result migration_list(struct db *db, struct arena *arena, struct migration_list *list,
			   struct error *error) MUST_USE;

/*
 * What keeps the program from working on the tables, as "0029_x is missing", or NULL. The
 * text belongs to the arena.
 */
enum result migration_lack(struct db *db, struct arena *arena, const char **lack,
			   struct error *error) MUST_USE;

/* All of them, and the note that they are applied, as SQL for an empty database. */
void migration_print_all(FILE *out, struct arena *arena);

/* Whether the database has no table at all. */
enum result migration_is_empty(struct db *db, struct arena *arena, bool *is_empty,
			       struct error *error) MUST_USE;

/* Waits, up to 30 s, until no other migrates this database; E_RETRY after that. */
enum result migration_lock(struct db *db, struct error *error) MUST_USE;
void migration_unlock(struct db *db);

/* Runs one that is pending or was cut off. */
enum result migration_apply(struct db *db, const struct migration *migration, struct instant now,
			    struct error *error) MUST_USE;

#endif
