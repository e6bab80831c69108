/* Reads and writes comma-separated values (RFC 4180). libcsv reads them row by row. */
#ifndef WIRE_CSV_ROWS_H
#define WIRE_CSV_ROWS_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/field.h"
#include "base/str.h"

enum { CSV_ROWS_COLUMNS_MAX = 64 };

/* A row of the text. The first row is the header. The arena owns the values. */
struct csv_row {
	size_t line; /* from 1 */
	const char *values[CSV_ROWS_COLUMNS_MAX];
	size_t count;
};
/* Reads the text, and calls `take` for each row, until `take` fails. Returns E_MALFORMED if a quote
 * is wrong or a value has a NUL byte: *line is the number of the line. */
enum result csv_rows_read(struct str text, struct arena *arena,
			  enum result (*take)(void *context, const struct csv_row *row),
			  void *context, size_t *line);

/* Returns whether a spreadsheet would read the text as a formula, or drop an apostrophe at its
 * start. */
bool csv_is_like_formula(const char *text);
/* Appends a value, in quotation marks if necessary. If csv_is_like_formula(), puts an apostrophe
 * before the text. */
void csv_put(struct buf *out, const char *text);
/*
 * Appends a line with the names of the fields, and a line for each row. Each member of an object
 * has a separate column, such as `actor.label`. A value that is null is empty. The fields are
 * numbers, texts, times, and objects of these.
 */
void csv_put_rows(struct buf *out, const struct fields *fields, const void *const *rows,
		  size_t count);

#endif
