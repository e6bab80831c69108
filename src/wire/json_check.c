/* Checks JSON text. */

#include <string.h>

#include "wire/json_reader.h"

static const char unpaired_surrogate[] = "it has an unpaired surrogate";

struct cursor {
	const char *at, *end;
	bool has_nul; /* the last string has \u0000, which is not allowed in a name */
};

static char peek(const struct cursor *cursor, size_t ahead)
{
	return ahead < (size_t)(cursor->end - cursor->at) ? cursor->at[ahead] : '\0';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Returns the code of \uXXXX at the cursor; -1: there is no \uXXXX. */
static int32_t read_code(const struct cursor *cursor)
{
	int32_t code = 0;
	if (peek(cursor, 0) != '\\' || peek(cursor, 1) != 'u')
		return -1;
	for (size_t i = 2; i < 6; i++) {
		int digit = hex_digit(peek(cursor, i));
		if (digit < 0)
			return -1;
		code = code * 16 + digit;
	}
	return code;
}

static bool is_low_surrogate(int32_t code)
{
	return code >= 0xdc00 && code <= 0xdfff;
}

static const char *check_escape(struct cursor *cursor)
{
	int32_t code = read_code(cursor);
	if (peek(cursor, 1) != 'u') {
		cursor->at += cursor->end - cursor->at < 2 ? 1 : 2;
		return NULL;
	}
	if (code < 0)
		return "it has \\u without four hexadecimal digits";
	cursor->at += 6;
	cursor->has_nul |= code == 0;
	if (code < 0xd800 || code > 0xdbff)
		return is_low_surrogate(code) ? unpaired_surrogate : NULL;
	if (!is_low_surrogate(read_code(cursor)))
		return unpaired_surrogate;
	cursor->at += 6;
	return NULL;
}

static const char *check_string(struct cursor *cursor)
{
	const char *violation = NULL;
	cursor->has_nul = false;
	cursor->at++;
	while (!violation && cursor->at < cursor->end) {
		char c = *cursor->at;
		if ((unsigned char)c < ' ')
			return "it has a control character in a string";
		if (c == '\\') {
			violation = check_escape(cursor);
			continue;
		}
		cursor->at++;
		if (c == '"')
			break;
	}
	return violation;
}

static const char *check_number(struct cursor *cursor)
{
	cursor->at += *cursor->at == '-';
	if (peek(cursor, 0) == '0' && is_digit(peek(cursor, 1)))
		return "it has a number with a leading zero";
	for (char c; (c = peek(cursor, 0)) && strchr("0123456789.eE+-", c); cursor->at++)
		if (c == '.' && !is_digit(peek(cursor, 1)))
			return "it has a number that ends in a point";
	return NULL;
}

const char *json_check(struct str text, struct json_extent *extent)
{
	struct cursor cursor = { text.data, text.data + text.len, false };
	const char *violation = NULL;
	size_t depth = 0;
	*extent = (struct json_extent){ 0 };
	while (!violation && cursor.at < cursor.end) {
		char c = *cursor.at;
		if (depth == 0 && strchr(",:]}", c))
			break;
		if (c == '"') {
			violation = check_string(&cursor);
			continue;
		}
		if (c == '-' || is_digit(c)) {
			violation = check_number(&cursor);
			continue;
		}
		if (c == '\'' || c == 'N' || c == 'I')
			violation = "it has a single quote, NaN or Infinity";
		if (c == ':' && cursor.has_nul)
			violation = "it has a name with a NUL";
		depth += c == '{' || c == '[';
		depth -= c == '}' || c == ']';
		extent->containers += c == '{' || c == '[';
		extent->values += c == ',';
		cursor.at++;
	}
	extent->bytes = (size_t)(cursor.at - text.data);
	return violation;
}
