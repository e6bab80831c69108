/*
 * Reads incidents from a file of JSON lines or CSV, one at a time.
 *
 * JSON lines: an object a line. CSV (RFC 4180): a head line with the names.
 * Both have monitor_id, cause, started_at, and may have ended_at, title,
 * acknowledged_at and comment; other names are ignored. The first character
 * tells the two apart: '{' begins JSON lines.
 */
#ifndef CTL_IMPORT_H
#define CTL_IMPORT_H

#include <stdio.h>

#include "base/error.h"
#include "domain/incident.h"

struct import_row {
	int64_t line; /* on which it ends; from 1 */
	struct incident incident;
};

/* Called for each row; its texts live until it returns. Another result than OK ends the reading. */
typedef enum result import_take(void *context, const struct import_row *row, struct error *error);

/* E_INVALID: a line that is no incident; the error names it. Else what `take` says. */
enum result import_read(FILE *file, import_take *take, void *context, struct error *error) MUST_USE;

#endif
