#include "ctl/incident/import.h"

#include <csv.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/log.h"
#include "ctl/ctl.h"
#include "domain/field_table.h"
#include "wire/json.h"
#include "wire/json_read.h"
#include "wire/limits.h"

enum { COLUMNS_MAX = 64, ROW_MAX_BYTES = 4 << 20 };

/* The columns of a CSV file. The objects in a file of JSON lines have the same members. */
static const struct field rows[] = {
	FIELD(struct incident, monitor_id, .flags = FIELD_REQUIRED, .min = 1, .max = INT64_MAX),
	FIELD(struct incident, cause, .flags = FIELD_REQUIRED | FIELD_NOT_EMPTY,
	      .max_chars = INCIDENT_CAUSE_MAX_CHARS),
	FIELD(struct incident, started_at, .flags = FIELD_REQUIRED),
	FIELD(struct incident, ended_at),
	FIELD(struct incident, title, .max_chars = INCIDENT_TITLE_MAX_CHARS),
	FIELD(struct incident, acknowledged_at),
	FIELD(struct incident, comment, .max_chars = INCIDENT_COMMENT_MAX_CHARS),
};

struct reading {
	import_take *take;
	void *context;
	struct error *error;
	enum result result;
	struct arena arena; /* memory for the present row */
	int64_t line;
	const char *values[ARRAY_LEN(rows)]; /* values of the present row; NULL: not given */

	/* CSV */
	int columns[COLUMNS_MAX]; /* index into rows; -1: unknown name */
	int column_count;
	int column;
	bool has_head;
};

static enum result bad_line(struct reading *reading, const char *what)
{
	return error_client(reading->error, E_INVALID, "line %lld: %s", (long long)reading->line,
			    what);
}

static enum result bad_value(struct reading *reading, const struct field *field, const char *what)
{
	return bad_line(reading, arena_printf(&reading->arena, "%s must be %s", field->name, what));
}

/* Stores a value in its member. Does not check texts: fields_check_texts() does. */
static enum result read_value(struct reading *reading, const struct field *field, const char *text,
			      struct incident *incident)
{
	struct str trimmed = str_trim(str_from(text));
	bool is_needed = field->flags & FIELD_REQUIRED;
	int64_t *number;
	switch (field->kind) {
	case FIELD_INT:
		number = FIELD_AT(incident, field, int64_t);
		if (!str_to_int64(trimmed, number) || *number < field->min)
			return bad_value(reading, field, "a number from 1");
		return OK;
	case FIELD_TIME:
		if (trimmed.len == 0
			    ? is_needed
			    : !instant_parse(trimmed, FIELD_AT(incident, field, struct instant)))
			return bad_value(reading, field,
					 is_needed ? "a time such as 2026-11-20T19:58:30Z"
						   : "a time such as 2026-11-20T19:58:30Z, or "
						     "empty");
		return OK;
	default:
		*FIELD_AT(incident, field, const char *) = text;
		return OK;
	}
}

static enum result check_texts(struct reading *reading, struct incident *incident)
{
	struct violations violations;
	violations_init(&violations, &reading->arena);
	fields_check_texts(FIELDS(rows), incident, FIELD_SET_NONE, &reading->arena, &violations);
	const struct violation *first = violations.first;
	return first ? bad_line(reading, ctl_violation(&reading->arena, first, first->field)) : OK;
}

/* Converts the row's texts to an incident by the rules of the API, and calls `take`. */
static enum result take_row(struct reading *reading)
{
	struct import_row row = { .line = reading->line };
	struct incident *incident = &row.incident;
	enum result result = OK;
	for (size_t i = 0; result == OK && i < ARRAY_LEN(rows); i++)
		result = read_value(reading, &rows[i], reading->values[i], incident);
	if (result == OK)
		result = check_texts(reading, incident);
	if (result == OK && incident->ended_at.s > 0 &&
	    incident->ended_at.s < incident->started_at.s)
		result = bad_line(reading, "ended_at must not be before started_at");
	if (result == OK)
		result = reading->take(reading->context, &row, reading->error);
	arena_reset(&reading->arena);
	memset(reading->values, 0, sizeof(reading->values));
	return result;
}

static enum result take_json_line(struct reading *reading, struct str line)
{
	struct json_object *root;
	if (str_trim(line).len == 0)
		return OK;
	if (json_read(line, &root, reading->error) != OK)
		return bad_line(reading, "the line is not a JSON object");
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		reading->values[i] = json_text(json_member(root, rows[i].name), &reading->arena);
	json_free(root);
	return take_row(reading);
}

static enum result read_json_lines(struct reading *reading, FILE *file)
{
	char *line = NULL;
	size_t size = 0;
	ssize_t len;
	enum result result = OK;
	while (result == OK && (len = getline(&line, &size, file)) >= 0) {
		reading->line++;
		result = len > WIRE_JSON_MAX_BYTES
				 ? bad_line(reading, "the line is too long")
				 : take_json_line(reading, (struct str){ line, (size_t)len });
	}
	free(line);
	return result;
}

/* libcsv's callback for a field. */
static void take_field(void *data, size_t len, void *context)
{
	struct reading *reading = context;
	struct str text = { data, len };
	for (size_t i = 0; i < len; i++)
		reading->line += text.data[i] == '\n';
	if (reading->result != OK || reading->column == COLUMNS_MAX)
		return;
	int column = reading->column++;
	if (!reading->has_head) {
		reading->columns[column] = -1;
		for (size_t i = 0; i < ARRAY_LEN(rows); i++)
			if (str_eq(str_trim(text), str_from(rows[i].name)))
				reading->columns[column] = (int)i;
		return;
	}
	if (memchr(text.data, '\0', len))
		reading->result = bad_line(reading, "the line has a NUL byte");
	else if (column < reading->column_count && reading->columns[column] >= 0)
		reading->values[reading->columns[column]] =
			arena_strndup(&reading->arena, text.data, len);
}

static enum result check_head(struct reading *reading)
{
	bool is_there[ARRAY_LEN(rows)] = { false };
	for (int i = 0; i < reading->column_count; i++)
		if (reading->columns[i] >= 0)
			is_there[reading->columns[i]] = true;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (rows[i].flags & FIELD_REQUIRED && !is_there[i])
			return bad_line(reading, "the header must name monitor_id, cause and "
						 "started_at");
	return OK;
}

/* libcsv's callback for the end of a row. */
static void end_row(int terminator, void *context)
{
	(void)terminator;
	struct reading *reading = context;
	reading->line++;
	if (reading->result == OK && !reading->has_head) {
		reading->has_head = true;
		reading->column_count = reading->column;
		reading->result = check_head(reading);
	} else if (reading->result == OK && reading->column != reading->column_count) {
		reading->result =
			bad_line(reading, "the row has another number of fields than the header");
	} else if (reading->result == OK) {
		reading->result = take_row(reading);
	}
	reading->column = 0;
}

static enum result read_csv(struct reading *reading, FILE *file)
{
	struct csv_parser parser;
	char piece[65536];
	size_t len;
	if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI) != 0)
		die("import: out of memory");
	while (reading->result == OK && (len = fread(piece, 1, sizeof(piece), file)) > 0)
		if (csv_parse(&parser, piece, len, take_field, end_row, reading) != len &&
		    reading->result == OK)
			reading->result = bad_line(reading, "the quotes are not valid CSV");
	if (reading->result == OK && csv_fini(&parser, take_field, end_row, reading) != 0)
		reading->result = bad_line(reading, "a quote is not closed");
	csv_free(&parser);
	return reading->result;
}

enum result import_read(FILE *file, import_take *take, void *context, struct error *error)
{
	struct reading reading = { .take = take, .context = context, .error = error };
	arena_init(&reading.arena, 4 * ROW_MAX_BYTES);
	int first = getc(file);
	ungetc(first, file);
	enum result result = first == '{' ? read_json_lines(&reading, file)
					  : read_csv(&reading, file);
	if (result == OK && ferror(file))
		result = error_client(error, E_FAILED, "the file cannot be read");
	arena_done(&reading.arena);
	return result;
}
