#include "wire/csv_rows.h"

#include <csv.h>
#include <string.h>

#include "base/log.h"

struct reading {
	struct arena *arena;
	enum result (*take)(void *context, const struct csv_row *row);
	void *context;
	enum result result;
	struct csv_row row;
	size_t line;
};

static void take_value(void *data, size_t len, void *context)
{
	struct reading *reading = context;
	struct csv_row *row = &reading->row;
	const char *text = data ? data : "";
	if (memchr(text, '\0', len))
		reading->result = E_MALFORMED;
	if (row->count < CSV_ROWS_COLUMNS_MAX)
		row->values[row->count++] = arena_strndup(reading->arena, text, len);
}

static void end_row(int terminator, void *context)
{
	struct reading *reading = context;
	(void)terminator;
	reading->row.line = reading->line;
	if (reading->result == OK)
		reading->result = reading->take(reading->context, &reading->row);
	reading->row.count = 0;
}

enum result csv_rows_read(struct str text, struct arena *arena,
			  enum result (*take)(void *context, const struct csv_row *row),
			  void *context, size_t *line)
{
	struct reading reading = { .arena = arena, .take = take, .context = context, .line = 1 };
	struct csv_parser parser;
	bool is_valid = true;
	if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI) != 0)
		return E_BUSY;
	text = str_skip_mark(text);
	while (is_valid && text.len > 0) {
		const char *end = memchr(text.data, '\n', text.len);
		size_t len = end ? (size_t)(end - text.data) + 1 : text.len;
		is_valid = csv_parse(&parser, text.data, len, take_value, end_row, &reading) == len;
		text = str_skip(text, len);
		reading.line += is_valid && end;
	}
	is_valid = is_valid && csv_fini(&parser, take_value, end_row, &reading) == 0;
	csv_free(&parser);
	*line = reading.line;
	return reading.result == OK && !is_valid ? E_MALFORMED : reading.result;
}

bool csv_is_like_formula(const char *text)
{
	return *text && strchr("=+-@'\t\r", *text);
}

void csv_put(struct buf *out, const char *text)
{
	const char *guard = csv_is_like_formula(text) ? "'" : "";
	/* Also quotes values with a semicolon or a tab: some spreadsheets end a column there. */
	if (text[strcspn(text, "\",;\t\r\n")] == '\0') {
		buf_printf(out, "%s%s", guard, text);
		return;
	}
	buf_printf(out, "\"%s", guard);
	for (; *text; text++)
		buf_printf(out, *text == '"' ? "\"%c" : "%c", *text);
	buf_putc(out, '"');
}

/* Appends the names of the columns. `of`: the name of the object with these fields; "": the row
 * itself has them. */
static void put_names(struct buf *out, const struct fields *fields, const char *of)
{
	for (size_t i = 0; i < fields->count; i++) {
		const struct field *field = &fields->rows[i];
		buf_puts(out, i > 0 ? "," : "");
		if (field->kind == FIELD_OBJECT)
			put_names(out, field->members, field->name);
		else
			buf_printf(out, "%s%s%s", of, *of ? "." : "", field->name);
	}
}

static void put_value(struct buf *out, const struct field *field, const void *row)
{
	char text[INSTANT_TEXT_SIZE];
	const char *const *words = FIELD_AT_CONST(row, field, const char *);
	const int64_t *number = FIELD_AT_CONST(row, field, int64_t);
	const struct instant *at = FIELD_AT_CONST(row, field, struct instant);
	if (field->kind == FIELD_TEXT)
		csv_put(out, *words ? *words : "");
	else if (field->kind == FIELD_TIME)
		buf_puts(out, at->s > 0 ? instant_format(*at, text) : "");
	else if (field->kind != FIELD_INT)
		die("csv: the field %s cannot be written", field->name);
	else if (*number != 0 || !(field->flags & FIELD_ZERO_IS_NULL))
		buf_printf(out, "%lld", (long long)*number);
}

static void put_values(struct buf *out, const struct fields *fields, const void *row)
{
	for (size_t i = 0; i < fields->count; i++) {
		const struct field *field = &fields->rows[i];
		buf_puts(out, i > 0 ? "," : "");
		if (field->kind == FIELD_OBJECT)
			put_values(out, field->members, field_rows(row, field).rows);
		else
			put_value(out, field, row);
	}
}

void csv_put_rows(struct buf *out, const struct fields *fields, const void *const *rows,
		  size_t count)
{
	put_names(out, fields, "");
	buf_puts(out, "\r\n");
	for (size_t i = 0; i < count; i++) {
		put_values(out, fields, rows[i]);
		buf_puts(out, "\r\n");
	}
}
