#include "wire/csv_rows.h"

#include <csv.h>
#include <string.h>

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
	for (size_t i = 0; i < len; i++)
		reading->line += text[i] == '\n';
	if (memchr(text, '\0', len))
		reading->result = E_MALFORMED;
	if (row->count < CSV_ROWS_COLUMNS_MAX)
		row->values[row->count++] = arena_strndup(reading->arena, text, len);
}

static void end_row(int terminator, void *context)
{
	struct reading *reading = context;
	(void)terminator;
	reading->row.line = reading->line++;
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
	if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI) != 0)
		return E_BUSY;
	bool is_valid = csv_parse(&parser, text.data, text.len, take_value, end_row, &reading) ==
				text.len &&
			csv_fini(&parser, take_value, end_row, &reading) == 0;
	csv_free(&parser);
	*line = reading.line;
	return reading.result == OK && !is_valid ? E_MALFORMED : reading.result;
}
