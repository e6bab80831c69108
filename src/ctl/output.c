/* Output of daymarkctl: aligned columns for people, JSON for programs. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <uniwidth.h>

#include "base/log.h"
#include "base/printable.h"
#include "ctl/ctl.h"
#include "wire/json.h"

void ctl_print_json(struct json_object *tree)
{
	struct buf text = BUF_INIT((size_t)256 << 20);
	json_print_pretty(&text, tree);
	json_free(tree);
	if (!buf_ok(&text))
		die("ctl: too much output");
	/* printable.h uses JSON's escapes, so the JSON strings keep their values. */
	printable_write_lines(stdout, (struct str){ text.data, text.len });
	buf_done(&text);
}

void ctl_vprint(FILE *out, const char *format, va_list args)
{
	char *text = NULL;
	int len = vasprintf(&text, format, args);
	if (len < 0)
		die("ctl: out of memory");
	printable_write(out, (struct str){ text, (size_t)len });
	free(text);
}

void ctl_line(FILE *out, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	ctl_vprint(out, format, args);
	va_end(args);
	putc('\n', out);
}

const char *ctl_count(struct arena *arena, int64_t count, const char *noun)
{
	return arena_printf(arena, "%lld %s%s", (long long)count, noun, count == 1 ? "" : "s");
}

const char *ctl_time(struct arena *arena, struct instant at)
{
	char text[INSTANT_TEXT_SIZE];
	return at.s ? arena_strdup(arena, instant_format(at, text)) : "-";
}

void ctl_table_cell(struct ctl_table *table, const char *format, ...)
{
	table->cells = arena_grow(table->arena, table->cells, table->count, &table->room,
				  sizeof(*table->cells));
	va_list args;
	va_start(args, format);
	const char *cell = arena_vprintf(table->arena, format, args);
	va_end(args);
	table->cells[table->count++] = printable_text(table->arena, cell);
}

static int width_of(const char *text)
{
	return u8_strwidth((const uint8_t *)text, "UTF-8");
}

void ctl_table_print(const struct ctl_table *table)
{
	int widths[16] = { 0 };
	if (table->columns > ARRAY_LEN(widths))
		die("ctl: a table of more than %zu columns", ARRAY_LEN(widths));
	for (size_t i = 0; i < table->count; i++) {
		int width = width_of(table->cells[i]);
		if (width > widths[i % table->columns])
			widths[i % table->columns] = width;
	}
	for (size_t i = 0; i < table->count; i++) {
		size_t column = i % table->columns;
		bool is_last = column + 1 == table->columns;
		int padding = is_last ? 0 : widths[column] - width_of(table->cells[i]) + 2;
		printf("%s%*s%s", table->cells[i], padding, "", is_last ? "\n" : "");
	}
}

/* Returns NULL if the percentage is unknown. */
static const char *percent_text(struct arena *arena, const struct percent *percent)
{
	return percent->is_known ? arena_printf(arena, "%lld.%02lld %%",
						(long long)(percent->hundredths / 100),
						(long long)(percent->hundredths % 100))
				 : NULL;
}

/* Adds a cell with the value of the field in `row`; "-" if it has no value. */
static void add_field_cell(struct ctl_table *table, const struct field *field, const void *row)
{
	const char *text = NULL;
	if (field->kind == FIELD_INT)
		text = arena_printf(table->arena, "%lld",
				    (long long)*FIELD_AT_CONST(row, field, int64_t));
	else if (field->kind == FIELD_TIME)
		text = ctl_time(table->arena, *FIELD_AT_CONST(row, field, struct instant));
	else if (field->kind == FIELD_TEXT)
		text = *FIELD_AT_CONST(row, field, const char *);
	else if (field->kind == FIELD_PERCENT)
		text = percent_text(table->arena, FIELD_AT_CONST(row, field, struct percent));
	else if (field->kind == FIELD_CHOICE)
		text = field->choices[*FIELD_AT_CONST(row, field, int)];
	ctl_table_cell(table, "%s", text ? text : "-");
}

void ctl_listing_start(struct ctl_listing *listing, struct ctl *ctl,
		       const struct ctl_column *columns)
{
	*listing = (struct ctl_listing){
		.ctl = ctl,
		.columns = columns,
		.array = json_array_tree(),
		.table = { .arena = &ctl->arena },
	};
	for (; columns->head; columns++, listing->table.columns++)
		ctl_table_cell(&listing->table, "%s", columns->head);
}

struct json_object *ctl_listing_row(struct ctl_listing *listing, struct fields fields,
				    const void *row)
{
	struct json_object *tree = json_row_tree(fields, row);
	json_append(listing->array, tree);
	for (const struct ctl_column *column = listing->columns; column->head; column++)
		if (column->text)
			ctl_table_cell(&listing->table, "%s",
				       column->text(listing->table.arena, row));
		else
			add_field_cell(&listing->table, fields_find(fields, column->field), row);
	return tree;
}

int ctl_listing_end(struct ctl_listing *listing, enum result result, const char *what)
{
	if (result == OK && listing->ctl->is_json) {
		ctl_print_json(listing->array);
		return CTL_OK;
	}
	json_free(listing->array);
	if (result != OK)
		return ctl_fail(listing->ctl, result, "the %s cannot be read", what);
	ctl_table_print(&listing->table);
	return CTL_OK;
}

int ctl_list(struct ctl *ctl)
{
	const struct ctl_list *list = ctl->command->list;
	struct ctl_listing listing;
	int64_t account_id = 0;
	const struct field *id = fields_find(*list->fields, "id");
	int64_t after_id = 0;
	struct resource_rows rows;
	enum result result;
	int status = list->resource && ctl_option(ctl, "account") ? ctl_account(ctl, &account_id)
								  : CTL_OK;
	if (status != CTL_OK)
		return status;
	ctl_listing_start(&listing, ctl, list->columns);
	do {
		result = list->resource
				 ? ctl_read_after(ctl, list->resource, account_id, after_id, &rows)
				 : list->read(ctl, after_id, &rows);
		for (size_t i = 0; result == OK && i < rows.count; i++) {
			const void *row = (const char *)rows.rows + i * rows.row_bytes;
			after_id = *FIELD_AT_CONST(row, id, int64_t);
			ctl_listing_row(&listing, *list->fields, row);
		}
	} while (result == OK && rows.count > 0);
	return ctl_listing_end(&listing, result, list->what);
}

struct json_object *ctl_done_tree(int64_t id, const char *what)
{
	struct json_object *tree = json_object_tree();
	json_put_int(tree, "id", id);
	json_put_bool(tree, what, true);
	return tree;
}

void ctl_say(const struct ctl *ctl, struct json_object *tree, const char *format, ...)
{
	if (ctl->is_json) {
		ctl_print_json(tree);
		return;
	}
	json_free(tree);
	va_list args;
	va_start(args, format);
	ctl_vprint(stdout, format, args);
	va_end(args);
	putchar('\n');
}
