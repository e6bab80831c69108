/*
 * Prints trees, and rows by their field tables. Printing does not use json-c, which does not
 * report a lack of memory.
 */
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "base/log.h"
#include "wire/json.h"
#include "wire/json_marks.h"

char json_lacking, json_printed;

/* How a byte of a text is printed: 0 as it is, 'u' by its number, else after a backslash. */
/* clang-format off */
static const char escapes[256] = {
	'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'b', 't', 'n', 'u', 'f', 'r', 'u', 'u',
	'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u',
	['"'] = '"', ['\\'] = '\\',
};
/* clang-format on */

static char escape_of(char c)
{
	return escapes[(unsigned char)c];
}

/* The number of bytes at the front of the text that are printed as they are. */
static size_t plain_length(const char *text, size_t len)
{
	size_t count = 0;
	while (count < len && !escape_of(text[count]))
		count++;
	return count;
}

static void print_escape(struct buf *out, char c)
{
	char escape = escape_of(c);
	if (escape == 'u')
		buf_printf(out, "\\u%04x", (unsigned)c);
	else
		buf_add(out, (const char[]){ '\\', escape }, 2);
}

static void print_text(struct buf *out, const char *text, size_t len)
{
	size_t plain = plain_length(text, len);
	if (plain == len) {
		char *to = buf_claim(out, len + 2);
		if (!to)
			return;
		*to++ = '"';
		memcpy(to, text, len);
		to[len] = '"';
		return;
	}
	buf_putc(out, '"');
	while (len > 0) {
		buf_add(out, text, plain);
		if (plain < len)
			print_escape(out, text[plain++]);
		text += plain;
		len -= plain;
		plain = plain_length(text, len);
	}
	buf_putc(out, '"');
}

static void print_unsigned(struct buf *out, uint64_t number, bool is_negative)
{
	char digits[24], *at = digits + sizeof(digits);
	do {
		*--at = (char)('0' + number % 10);
		number /= 10;
	} while (number > 0);
	if (is_negative)
		*--at = '-';
	buf_add(out, at, (size_t)(digits + sizeof(digits) - at));
}

static void print_number(struct buf *out, int64_t number)
{
	bool is_negative = number < 0;
	print_unsigned(out, is_negative ? 0 - (uint64_t)number : (uint64_t)number, is_negative);
}

static void print_null(struct buf *out)
{
	buf_add(out, "null", 4);
}

static void print_time(struct buf *out, struct instant at)
{
	char text[INSTANT_TEXT_SIZE];
	if (at.s == 0)
		print_null(out);
	else
		print_text(out, text, strlen(instant_format(at, text)));
}

static void print_ids(struct buf *out, const struct id_list *list)
{
	buf_putc(out, '[');
	for (size_t i = 0; i < list->count; i++) {
		if (i > 0)
			buf_putc(out, ',');
		print_number(out, list->ids[i]);
	}
	buf_putc(out, ']');
}

static void print_nullable(struct buf *out, const char *text)
{
	if (text)
		print_text(out, text, strlen(text));
	else
		print_null(out);
}

static void print_choice(struct buf *out, const struct field *field, int choice)
{
	if (field->flags & FIELD_AS_WORD)
		print_nullable(out, field->choices[choice]);
	else
		print_number(out, choice);
}

static void print_percent(struct buf *out, const struct percent *percent)
{
	char text[PERCENT_TEXT_SIZE];
	buf_puts(out, percent_format(percent, text));
}

static void print_rows(struct buf *out, const struct field *field, const void *row)
{
	const struct field_rows rows = field_rows(row, field);
	const char *each = rows.rows;
	buf_putc(out, '[');
	for (size_t i = 0; i < rows.count; i++) {
		if (i > 0)
			buf_putc(out, ',');
		json_print_fields(out, *field->members, each + i * field->row_bytes);
	}
	buf_putc(out, ']');
}

static void print_field(struct buf *out, const struct field *field, const void *row)
{
	if (json_field_is_null(field, row)) {
		print_null(out);
		return;
	}
	switch (field->kind) {
	case FIELD_INT:
		print_number(out, *FIELD_AT_CONST(row, field, int64_t));
		break;
	case FIELD_BOOL:
		buf_puts(out, *FIELD_AT_CONST(row, field, bool) ? "true" : "false");
		break;
	case FIELD_CHOICE:
		print_choice(out, field, *FIELD_AT_CONST(row, field, int));
		break;
	case FIELD_TEXT:
		print_nullable(out, *FIELD_AT_CONST(row, field, const char *));
		break;
	case FIELD_IDS:
		print_ids(out, FIELD_AT_CONST(row, field, struct id_list));
		break;
	case FIELD_TIME:
		print_time(out, *FIELD_AT_CONST(row, field, struct instant));
		break;
	case FIELD_PERCENT:
		print_percent(out, FIELD_AT_CONST(row, field, struct percent));
		break;
	case FIELD_OBJECT:
		json_print_fields(out, *field->members, field_rows(row, field).rows);
		break;
	case FIELD_ROWS:
		print_rows(out, field, row);
		break;
	case FIELD_FILE:
		die("json: the file %s cannot be written", field->name);
	}
}

void json_print_fields(struct buf *out, struct fields fields, const void *row)
{
	buf_putc(out, '{');
	for (size_t i = 0; i < fields.count; i++) {
		if (i > 0)
			buf_putc(out, ',');
		print_text(out, fields.rows[i].name, strlen(fields.rows[i].name));
		buf_putc(out, ':');
		print_field(out, &fields.rows[i], row);
	}
	buf_putc(out, '}');
}

struct printer {
	struct buf *out;
	bool is_pretty;
	int depth;
};

static void print_value(struct printer *printer, struct json_object *tree);

static void print_line(struct printer *printer)
{
	if (!printer->is_pretty)
		return;
	buf_putc(printer->out, '\n');
	for (int i = 0; i < printer->depth; i++)
		buf_puts(printer->out, "  ");
}

static void print_object(struct printer *printer, struct json_object *object)
{
	bool is_empty = true;
	buf_putc(printer->out, '{');
	printer->depth++;
	json_object_object_foreach(object, key, value)
	{
		if (!is_empty)
			buf_putc(printer->out, ',');
		is_empty = false;
		print_line(printer);
		print_text(printer->out, key, strlen(key));
		buf_puts(printer->out, printer->is_pretty ? ": " : ":");
		print_value(printer, value);
	}
	printer->depth--;
	if (!is_empty)
		print_line(printer);
	buf_putc(printer->out, '}');
}

static void print_array(struct printer *printer, struct json_object *array)
{
	size_t count = json_object_array_length(array);
	buf_putc(printer->out, '[');
	printer->depth++;
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			buf_putc(printer->out, ',');
		print_line(printer);
		print_value(printer, json_object_array_get_idx(array, i));
	}
	printer->depth--;
	if (count > 0)
		print_line(printer);
	buf_putc(printer->out, ']');
}

static void print_string(struct printer *printer, struct json_object *tree)
{
	const char *text = json_object_get_string(tree);
	size_t len = (size_t)json_object_get_string_len(tree);
	if (json_object_get_userdata(tree) == &json_printed)
		buf_add(printer->out, text, len);
	else
		print_text(printer->out, text, len);
}

static void print_int(struct printer *printer, struct json_object *tree)
{
	int64_t number = json_object_get_int64(tree);
	/* json-c keeps larger numbers as unsigned. */
	if (number < 0)
		print_number(printer->out, number);
	else
		print_unsigned(printer->out, json_object_get_uint64(tree), false);
}

/* json-c keeps the digits as they were read. */
static void print_double(struct printer *printer, struct json_object *tree)
{
	const char *text = json_object_get_string(tree);
	if (text && text[0] != '\0')
		buf_puts(printer->out, text);
	else
		printer->out->is_failed = true;
}

static void print_value(struct printer *printer, struct json_object *tree)
{
	switch (json_object_get_type(tree)) {
	case json_type_null:
		buf_puts(printer->out, "null");
		return;
	case json_type_boolean:
		buf_puts(printer->out, json_object_get_boolean(tree) ? "true" : "false");
		return;
	case json_type_int:
		print_int(printer, tree);
		return;
	case json_type_double:
		print_double(printer, tree);
		return;
	case json_type_string:
		print_string(printer, tree);
		return;
	case json_type_object:
	case json_type_array:
		break;
	}
	if (json_object_get_userdata(tree) == &json_lacking)
		printer->out->is_failed = true;
	else if (json_object_is_type(tree, json_type_object))
		print_object(printer, tree);
	else
		print_array(printer, tree);
}

void json_print(struct buf *out, struct json_object *tree)
{
	if (tree)
		print_value(&(struct printer){ .out = out }, tree);
	else
		out->is_failed = true;
}

void json_print_pretty(struct buf *out, struct json_object *tree)
{
	if (tree)
		print_value(&(struct printer){ .out = out, .is_pretty = true }, tree);
	else
		out->is_failed = true;
	buf_putc(out, '\n');
}
