/* Prints structs that a table of fields describes. */
#include <string.h>

#include "base/log.h"
#include "wire/json.h"

/* How each byte of a text is printed. 0: unchanged. 'u': as \u and four digits. Any other
 * character: as a backslash and this character. */
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

/* Returns the number of bytes before the first byte that must be escaped. */
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

static void print_number(struct buf *out, int64_t number)
{
	char digits[24], *at = digits + sizeof(digits);
	uint64_t left = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
	do {
		*--at = (char)('0' + left % 10);
		left /= 10;
	} while (left > 0);
	if (number < 0)
		*--at = '-';
	buf_add(out, at, (size_t)(digits + sizeof(digits) - at));
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
	if (percent->is_known)
		buf_printf(out, "%d.%02d", (int)(percent->hundredths / 100),
			   (int)(percent->hundredths % 100));
	else
		print_null(out);
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

/* Whether the value is printed as null because of FIELD_ZERO_IS_NULL. */
static bool is_null(const struct field *field, const void *row)
{
	if (!(field->flags & FIELD_ZERO_IS_NULL))
		return false;
	if (field->kind == FIELD_TEXT)
		return str_from(*FIELD_AT_CONST(row, field, const char *)).len == 0;
	return *FIELD_AT_CONST(row, field, int64_t) == 0;
}

static void print_field(struct buf *out, const struct field *field, const void *row)
{
	if (is_null(field, row)) {
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
