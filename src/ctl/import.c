#include "ctl/import.h"

#include <csv.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/log.h"
#include "wire/json.h"
#include "wire/json_read.h"
#include "wire/limits.h"

enum { COLUMNS_MAX = 64, ROW_MAX_BYTES = 4 << 20 };

static const char *const names[] = { "monitor_id", "cause",	      "started_at", "ended_at",
				     "title",	   "acknowledged_at", "comment" };
enum name { MONITOR_ID, CAUSE, STARTED_AT, ENDED_AT, TITLE, ACKNOWLEDGED_AT, COMMENT, NAMES };

struct reading {
	import_take *take;
	void *context;
	struct error *error;
	enum result result;
	struct arena arena; /* of the present row */
	int64_t line;
	const char *values[NAMES]; /* of the present row; NULL: not given */

	/* CSV */
	int columns[COLUMNS_MAX]; /* index into names; -1: unknown name */
	int column_count;
	int column;
	bool has_head;
};

static enum result bad_line(struct reading *reading, const char *what)
{
	return error_client(reading->error, E_INVALID, "line %lld: %s", (long long)reading->line,
			    what);
}

static bool read_time(const char *text, struct instant *at)
{
	return !text || text[0] == '\0' || instant_parse(str_from(text), at);
}

static const char *text_or_null(const char *text)
{
	return text && text[0] ? text : NULL;
}

static enum result read_texts(struct reading *reading, struct incident *incident)
{
	const char **values = reading->values;
	incident->cause = values[CAUSE];
	incident->title = text_or_null(values[TITLE]);
	incident->comment = text_or_null(values[COMMENT]);
	size_t cause_chars = str_chars(str_from(incident->cause));
	if (cause_chars < 1 || cause_chars > INCIDENT_CAUSE_MAX_CHARS)
		return bad_line(reading, "cause must have 1 to 1,000 characters");
	if (str_chars(str_from(incident->title)) > INCIDENT_TITLE_MAX_CHARS)
		return bad_line(reading, "title must have at most 255 characters");
	if (str_chars(str_from(incident->comment)) > INCIDENT_COMMENT_MAX_CHARS)
		return bad_line(reading, "comment must have at most 10,000 characters");
	return OK;
}

/* Converts a row's texts to an incident by the rules of the API. */
static enum result take_row(struct reading *reading)
{
	struct import_row row = { .line = reading->line };
	struct incident *incident = &row.incident;
	const char **values = reading->values;
	for (int i = 0; i < NAMES; i++) {
		if (!values[i])
			continue;
		if (!str_is_text(str_from(values[i])))
			return bad_line(reading, "the text is not valid UTF-8");
		struct str trimmed = str_trim(str_from(values[i]));
		values[i] = arena_strndup(&reading->arena, trimmed.data, trimmed.len);
	}
	if (!str_to_int64(str_from(values[MONITOR_ID]), &incident->monitor_id) ||
	    incident->monitor_id < 1)
		return bad_line(reading, "monitor_id must be the id of a monitor");
	enum result result = read_texts(reading, incident);
	if (result != OK)
		return result;
	if (!read_time(values[STARTED_AT], &incident->started_at) || incident->started_at.s == 0)
		return bad_line(reading, "started_at must be a time such as 2026-11-20T19:58:30Z");
	if (!read_time(values[ENDED_AT], &incident->ended_at) ||
	    !read_time(values[ACKNOWLEDGED_AT], &incident->acknowledged_at))
		return bad_line(reading, "ended_at and acknowledged_at must be times or empty");
	if (incident->ended_at.s > 0 && incident->ended_at.s < incident->started_at.s)
		return bad_line(reading, "ended_at must not be before started_at");
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
	for (int i = 0; i < NAMES; i++)
		reading->values[i] = json_text(json_member(root, names[i]), &reading->arena);
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
		for (int i = 0; i < NAMES; i++)
			if (str_eq(str_trim(text), str_from(names[i])))
				reading->columns[column] = i;
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
	bool is_there[NAMES] = { false };
	for (int i = 0; i < reading->column_count; i++)
		if (reading->columns[i] >= 0)
			is_there[reading->columns[i]] = true;
	if (is_there[MONITOR_ID] && is_there[CAUSE] && is_there[STARTED_AT])
		return OK;
	return bad_line(reading, "the header must name monitor_id, cause and started_at");
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
