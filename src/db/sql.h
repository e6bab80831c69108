/*
 * SQL text that consists of literals only.
 *
 * `struct sql` comes from SQL("…"), which compiles only for a string literal. Values are the
 * arguments of placeholders. A statement with optional clauses is built from several pieces. A list
 * of values is built by repeating a group of placeholders (sql_rows_begin).
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

/* The limits of a statement without a list: the bytes of its text, and its arguments. */
enum { SQL_TEXT_MAX_BYTES = 6144, SQL_ARGS_MAX = 40 };

enum sql_arg_kind { SQL_NULL, SQL_INT, SQL_TEXT, SQL_BYTES };

struct sql_arg {
	enum sql_arg_kind kind;
	int64_t number;
	struct str bytes; /* must stay valid until the statement has run */
};

/* A piece of the statement's text, or an argument. */
struct sql_part {
	enum { SQL_PART_PIECE, SQL_PART_INT, SQL_PART_TEXT, SQL_PART_TIME } kind;
	int64_t number;	  /* a time: its seconds */
	const char *text; /* the text of a piece, or of an argument */
};

struct arena;

/* A statement and its arguments, built piece by piece. Must not be copied, since it has pointers
 * into itself. */
struct sql_build {
	char *text;
	size_t len;
	size_t text_room;
	struct sql_arg *args;
	size_t count;
	size_t args_room;
	struct arena *arena; /* owns text and arguments of a statement with a list */
	size_t list_begin;   /* the index of the first argument of the list that is being added */
	size_t list_end;     /* the index after the last argument of the list; 0: no list */
	size_t list_columns;
	bool list_repeats;
	bool is_prepared_anew;
	char own_text[SQL_TEXT_MAX_BYTES];
	struct sql_arg own_args[SQL_ARGS_MAX];
	char own_times[SQL_ARGS_MAX][INSTANT_TEXT_SIZE]; /* times as text, by argument */
};

/*
 * Add pieces of text, and arguments in the order of the placeholders:
 *
 *   sql_start(&sql, SQL("UPDATE users SET name = ?, seen_at = ? WHERE id = ?"), name, now, id);
 *   sql_add(&sql, SQL("AND state = ? "), state);
 *   sql_add(&sql, id, name);
 *
 * An argument is a number, a boolean, sql_id(), a text or a time. A NULL text and the time 0 become
 * SQL's NULL.
 */
#define sql_start(build, ...) (sql_clear(build), sql_add(build, __VA_ARGS__))
#define sql_add(build, ...) \
	sql_add_parts((build), (const struct sql_part[]){ SQL_PARTS(__VA_ARGS__) }, \
		      sizeof((const struct sql_part[]){ SQL_PARTS(__VA_ARGS__) }) / \
			      sizeof(struct sql_part))
void sql_clear(struct sql_build *build);
void sql_add_parts(struct sql_build *build, const struct sql_part *parts, size_t count);

/* Adds `len` bytes as an argument. If `data` is NULL, adds SQL's NULL. */
void sql_bytes(struct sql_build *build, const void *data, size_t len);

/* Prepares the statement again when it next runs. */
void sql_prepare_anew(struct sql_build *build);

/*
 * A list of rows, each a group of placeholders, for `IN (…)`, `VALUES …`, or a derived table:
 *   { SQL("?"), SQL(", ?") }
 *   { SQL("(?, ?)"), SQL(", (?, ?)"), .repeats_last = true }
 *   { SQL("SELECT CAST(? AS SIGNED) AS id"), SQL(" UNION ALL SELECT CAST(? AS SIGNED)") }
 *
 * The text has 1, 8, 64, 512 or 4096 rows: the smallest of these sizes that suffices. So a
 * statement has at most five different texts, and these stay prepared. The unused rows are NULL,
 * which neither IN nor a join matches. With `repeats_last` the unused rows are copies of the last
 * row, for an INSERT … ON DUPLICATE KEY UPDATE. A derived table needs a CAST in each row: engines
 * differ in the type of a bare placeholder.
 */
struct sql_rows {
	struct sql first;
	struct sql next; /* with the separator that precedes it */
	bool repeats_last;
};
enum { SQL_ROWS_MAX = 4096 };

/*
 * Returns how many of the `left` remaining rows the next statement takes: all, or the largest of
 * the sizes above whose rows have at most SQL_ROWS_MAX placeholders. Servers accept 65,535
 * placeholders, but a prepared statement needs 0.5 to 3 KiB of the server's memory per row and
 * connection.
 */
size_t sql_rows_chunk(const struct sql_rows *rows, size_t left);

/*
 * Adds the text for `count` rows, at most sql_rows_chunk(). Then add the arguments, row by row, and
 * call sql_rows_end(), which adds the arguments of the unused rows. For a count of 0 there is one
 * row of NULLs. The statement's memory is in `arena` after this call.
 */
void sql_rows_begin(struct sql_build *build, const struct sql_rows *rows, size_t count,
		    struct arena *arena);
void sql_rows_end(struct sql_build *build);

/* The placeholders "?, ?, ?" for `IN (…)`. The functions below add such a list. */
extern const struct sql_rows sql_list;
void sql_list_ints(struct sql_build *build, const int64_t *numbers, size_t count,
		   struct arena *arena);
/* Adds a list of `count` times: `from`, `from` + `step_s`, and so on. */
void sql_list_times(struct sql_build *build, struct instant from, int64_t step_s, size_t count,
		    struct arena *arena);
void sql_list_texts(struct sql_build *build, const char *const *texts, size_t count,
		    struct arena *arena);

/*
 * Returns a pattern for `LIKE ? ESCAPE '!'` that matches texts which contain `text`. '%' and '_' in
 * `text` are ordinary characters. The arena owns the pattern.
 */
const char *sql_contains(struct arena *arena, const char *text);

/* Adds an argument: the member of `row` that `field` describes. Ends the program if the kind of the
 * field is not stored in a single column. */
void sql_field(struct sql_build *build, const struct field *field, const void *row);

static inline struct sql_part sql_part_piece(struct sql piece)
{
	return (struct sql_part){ SQL_PART_PIECE, .text = piece.text };
}
static inline struct sql_part sql_part_int(int64_t number)
{
	return (struct sql_part){ SQL_PART_INT, .number = number };
}
static inline struct sql_part sql_part_text(const char *text)
{
	return (struct sql_part){ SQL_PART_TEXT, .text = text };
}
static inline struct sql_part sql_part_time(struct instant at)
{
	return (struct sql_part){ SQL_PART_TIME, .number = at.s };
}

/* Returns the id as an argument. The id 0 becomes SQL's NULL. */
static inline struct sql_part sql_id(int64_t id)
{
	return id > 0 ? sql_part_int(id) : sql_part_text(NULL);
}
static inline struct sql_part sql_part_itself(struct sql_part part)
{
	return part;
}

/* clang-format off */
/* Converts a value to a struct sql_part by its type. `void *` is the type of the constant NULL. */
#define SQL_PART(value) _Generic((value), \
	struct sql: sql_part_piece, \
	struct sql_part: sql_part_itself, \
	struct instant: sql_part_time, \
	const char *: sql_part_text, \
	char *: sql_part_text, \
	void *: sql_part_text, \
	default: sql_part_int)(value)

/* Converts each argument to a struct sql_part. Takes at most 20 arguments. */
#define SQL_PARTS(...) \
	SQL_PARTS_OF(__VA_ARGS__, SQL_PARTS_20, SQL_PARTS_19, SQL_PARTS_18, SQL_PARTS_17, \
		     SQL_PARTS_16, SQL_PARTS_15, SQL_PARTS_14, SQL_PARTS_13, SQL_PARTS_12, \
		     SQL_PARTS_11, SQL_PARTS_10, SQL_PARTS_9, SQL_PARTS_8, SQL_PARTS_7, \
		     SQL_PARTS_6, SQL_PARTS_5, SQL_PARTS_4, SQL_PARTS_3, SQL_PARTS_2, \
		     SQL_PART)(__VA_ARGS__)
#define SQL_PARTS_OF(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, macro, ...) macro
#define SQL_PARTS_2(value, ...) SQL_PART(value), SQL_PART(__VA_ARGS__)
#define SQL_PARTS_3(value, ...) SQL_PART(value), SQL_PARTS_2(__VA_ARGS__)
#define SQL_PARTS_4(value, ...) SQL_PART(value), SQL_PARTS_3(__VA_ARGS__)
#define SQL_PARTS_5(value, ...) SQL_PART(value), SQL_PARTS_4(__VA_ARGS__)
#define SQL_PARTS_6(value, ...) SQL_PART(value), SQL_PARTS_5(__VA_ARGS__)
#define SQL_PARTS_7(value, ...) SQL_PART(value), SQL_PARTS_6(__VA_ARGS__)
#define SQL_PARTS_8(value, ...) SQL_PART(value), SQL_PARTS_7(__VA_ARGS__)
#define SQL_PARTS_9(value, ...) SQL_PART(value), SQL_PARTS_8(__VA_ARGS__)
#define SQL_PARTS_10(value, ...) SQL_PART(value), SQL_PARTS_9(__VA_ARGS__)
#define SQL_PARTS_11(value, ...) SQL_PART(value), SQL_PARTS_10(__VA_ARGS__)
#define SQL_PARTS_12(value, ...) SQL_PART(value), SQL_PARTS_11(__VA_ARGS__)
#define SQL_PARTS_13(value, ...) SQL_PART(value), SQL_PARTS_12(__VA_ARGS__)
#define SQL_PARTS_14(value, ...) SQL_PART(value), SQL_PARTS_13(__VA_ARGS__)
#define SQL_PARTS_15(value, ...) SQL_PART(value), SQL_PARTS_14(__VA_ARGS__)
#define SQL_PARTS_16(value, ...) SQL_PART(value), SQL_PARTS_15(__VA_ARGS__)
#define SQL_PARTS_17(value, ...) SQL_PART(value), SQL_PARTS_16(__VA_ARGS__)
#define SQL_PARTS_18(value, ...) SQL_PART(value), SQL_PARTS_17(__VA_ARGS__)
#define SQL_PARTS_19(value, ...) SQL_PART(value), SQL_PARTS_18(__VA_ARGS__)
#define SQL_PARTS_20(value, ...) SQL_PART(value), SQL_PARTS_19(__VA_ARGS__)
/* clang-format on */

#endif
