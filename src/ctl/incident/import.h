/*
 * Reads incidents from a file of JSON lines or CSV, one incident at a time.
 *
 * JSON lines have an object in each line. CSV (RFC 4180) has a first line with the names of the
 * columns. The names monitor_id, cause and started_at are required; ended_at, title,
 * acknowledged_at and comment are optional. Other names are ignored. A file that begins with '{' is
 * JSON lines.
 */
#ifndef CTL_INCIDENT_IMPORT_H
#define CTL_INCIDENT_IMPORT_H

#include <stdio.h>

#include "base/error.h"
#include "domain/incident/incident.h"

struct import_row {
	int64_t line; /* the last line of the row; from 1 */
	struct incident incident;
};

/* Called for each row. The row's texts are valid until the call returns. A result other than OK
 * ends the reading. */
typedef enum result import_take(void *context, const struct import_row *row, struct error *error);

/* Reads the file, and calls `take` for each row. E_INVALID: a line is invalid, and the error names
 * the line. Otherwise returns the result of `take`. */
enum result import_read(FILE *file, import_take *take, void *context, struct error *error) MUST_USE;

#endif
