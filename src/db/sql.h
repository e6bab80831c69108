/*
 * SQL text that consists of literals only.
 *
 * `struct sql` comes from SQL("…"), which compiles only for a string literal. Values go
 * into placeholders. A statement with optional clauses is built from several pieces, and
 * a list of values from a group of placeholders that is repeated (sql_rows_begin).
 */
#ifndef DB_SQL_H
#define DB_SQL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/field.h"
#include "base/str.h"

struct sql {
	const char *text;
};
#define SQL(literal) ((struct sql){ "" literal "" })

/* Bounds of a statement without a list. */
enum { SQL_TEXT_MAX_BYTES = 6144, SQL_ARGS_MAX = 40 };

enum sql_arg_kind { SQL_NULL, SQL_INT, SQL_TEXT, SQL_BYTES };

struct sql_arg {
	enum sql_arg_kind kind;
	int64_t number;
	struct str bytes; /* borrowed until the statement has run */
};

struct arena;

/* A statement and its arguments, built piece by piece. Not to be copied: it points into itself. */
struct sql_build {
	char *text;
	size_t len;
	size_t text_room;
	struct sql_arg *args;
	size_t count;
	size_t args_room;
	struct arena *arena; /* owns text and arguments of a statement with a list */
	size_t list_begin;   /* the first argument of the list that is being added */
	size_t list_end;     /* behind its last one */
	size_t list_columns;
	bool list_repeats;
	bool is_prepared_anew;
	char own_text[SQL_TEXT_MAX_BYTES];
	struct sql_arg own_args[SQL_ARGS_MAX];
	char own_times[SQL_ARGS_MAX][INSTANT_TEXT_SIZE]; /* times as text, by argument */
};

void sql_start(struct sql_build *build, struct sql piece);
void sql_add(struct sql_build *build, struct sql piece);

/* Add arguments, in the order of the placeholders. */
void sql_int(struct sql_build *build, int64_t number);
void sql_text(struct sql_build *build, const char *text); /* NULL is NULL */
void sql_bytes(struct sql_build *build, const void *data, size_t len);
void sql_time(struct sql_build *build, struct instant at); /* no time is NULL */

/* The statement is prepared anew for this run, even if it is prepared already. */
void sql_prepare_anew(struct sql_build *build);

/*
 * A list of rows, each a group of placeholders, for `IN (…)`, `VALUES …`, or a derived table:
 *   { SQL("?"), SQL(", ?") }
 *   { SQL("(?, ?)"), SQL(", (?, ?)"), .repeats_last = true }
 *   { SQL("SELECT CAST(? AS SIGNED) AS id"), SQL(" UNION ALL SELECT CAST(? AS SIGNED)") }
 *
 * The text has 1, 8, 64, 512 or 4096 rows, whichever size is the first to hold the list, so
 * that a statement has at most five texts and stays prepared. Missing rows are NULL, which
 * neither IN nor a join matches; with `repeats_last` they are copies of the last row, for
 * an INSERT … ON DUPLICATE KEY UPDATE. A derived table needs a CAST in each row: engines
 * differ in the type of a bare placeholder.
 */
struct sql_rows {
	struct sql first;
	struct sql next; /* with the separator from the row before */
	bool repeats_last;
};
enum { SQL_ROWS_MAX = 4096 };

/*
 * How many of the `left` rows the next statement takes: all, or the largest size that has at most
 * SQL_ROWS_MAX placeholders. Servers accept 65,535 placeholders, but each row of a prepared
 * statement costs the server 0.5 to 3 KiB per connection.
 */
size_t sql_rows_chunk(const struct sql_rows *rows, size_t left);

/*
 * Adds the text for `count` rows, at most sql_rows_chunk(). Then add the arguments, row by row,
 * and call sql_rows_end(), which fills up the missing rows. A count of 0 gives a row of NULLs.
 * From here on the statement's memory is in `arena`.
 */
void sql_rows_begin(struct sql_build *build, const struct sql_rows *rows, size_t count,
		    struct arena *arena);
void sql_rows_end(struct sql_build *build);

/* "?, ?, ?" for `IN (…)`. */
extern const struct sql_rows sql_list;
void sql_list_ints(struct sql_build *build, const int64_t *numbers, size_t count,
		   struct arena *arena);
/* Times, each `step_s` seconds after the one before. */
void sql_list_times(struct sql_build *build, struct instant from, int64_t step_s, size_t count,
		    struct arena *arena);
void sql_list_texts(struct sql_build *build, const char *const *texts, size_t count,
		    struct arena *arena);

/*
 * "contains `text`" as a LIKE pattern, in which '%' and '_' of the text are
 * ordinary characters. For use with `LIKE ? ESCAPE '!'`. Owned by the arena.
 */
const char *sql_contains(struct arena *arena, const char *text);

/* Adds the member that the field describes as an argument; the kind of the field fits into a
 * column. */
void sql_field(struct sql_build *build, const struct field *field, const void *row);

#endif
