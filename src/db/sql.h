/*
 * SQL text that can only be made of literals.
 *
 * `struct sql` comes from SQL("…"), which does not compile for anything but a
 * string literal; what a client sends goes into placeholders. A statement with
 * optional clauses is put together from such pieces.
 */
#ifndef DB_SQL_H
#define DB_SQL_H

#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/str.h"

struct sql {
	const char *text;
};
#define SQL(literal) ((struct sql){ "" literal "" })

enum { SQL_TEXT_MAX_BYTES = 4096, SQL_ARGS_MAX = 40, SQL_IDS_MAX = 512 };

enum sql_arg_kind { SQL_NULL, SQL_INT, SQL_TEXT, SQL_BYTES, SQL_IDS };

/* The value of one placeholder; of SQL_IDS, of several. */
struct sql_arg {
	enum sql_arg_kind kind;
	int64_t number;	     /* SQL_INT: the value; SQL_IDS: how many ids */
	struct str bytes;    /* borrowed until the statement has run */
	const int64_t *ids;  /* borrowed until the statement has run */
	size_t placeholders; /* how many of the statement's it fills */
};

/* A statement and its arguments, built piece by piece. */
struct sql_build {
	char text[SQL_TEXT_MAX_BYTES];
	size_t len;
	struct sql_arg args[SQL_ARGS_MAX];
	size_t count;
	char times[SQL_ARGS_MAX][INSTANT_TEXT_SIZE]; /* times as text, by argument */
};

void sql_start(struct sql_build *build, struct sql piece);
void sql_add(struct sql_build *build, struct sql piece);

/* The arguments, in the order of the placeholders. */
void sql_int(struct sql_build *build, int64_t number);
void sql_text(struct sql_build *build, const char *text); /* NULL is NULL */
void sql_str(struct sql_build *build, struct str text);
void sql_bytes(struct sql_build *build, const void *data, size_t len);
void sql_time(struct sql_build *build, struct instant at); /* no time is NULL */

/*
 * Adds "(?,?,…) " with its ids, from 1 to SQL_IDS_MAX: the right side of IN. Unlike a join, a
 * list lets the optimizer read a range of the index for each id. The list is padded with its
 * last id to one of three sizes, so that lists of all lengths share three prepared statements.
 */
void sql_ids(struct sql_build *build, const int64_t *ids, size_t count);
/* The placeholders that the arguments fill. */
size_t sql_placeholders(const struct sql_build *build);

/*
 * "contains `text`" as a LIKE pattern, in which '%' and '_' of the text are
 * ordinary characters. For use with `LIKE ? ESCAPE '!'`. Owned by the arena.
 */
struct arena;
const char *sql_contains(struct arena *arena, const char *text);

#endif
