#include "wire/mime_part.h"

#include <string.h>

#include "wire/mediatype.h"

/* Moves a line, without its line end, from the front of *rest to *line. Returns false if *rest is
 * empty. */
static bool take_line(struct str *rest, struct str *line)
{
	if (rest->len == 0 || !str_split(rest, '\n', line))
		return false;
	if (line->len > 0 && line->data[line->len - 1] == '\r')
		line->len--;
	return true;
}

static bool is_folded(struct str rest)
{
	return rest.len > 0 && (rest.data[0] == ' ' || rest.data[0] == '\t');
}

bool mime_next_field(struct str *rest, struct mime_field *field)
{
	struct str line;
	while (take_line(rest, &line) && line.len > 0) {
		const char *colon = memchr(line.data, ':', line.len);
		struct str folded;
		size_t end = line.len;
		while (is_folded(*rest) && take_line(rest, &folded))
			end = (size_t)(folded.data + folded.len - line.data);
		/* Skip a line without a colon: some mail servers write "From SENDER DATE" before
		 * the header. */
		if (!colon)
			continue;
		size_t len = (size_t)(colon - line.data);
		field->name = str_trim_ows((struct str){ line.data, len });
		field->value = (struct str){ colon + 1, end - len - 1 };
		return true;
	}
	return false;
}

/* Returns the value in small letters, without parameters. Prepares `params` to read them. */
static const char *read_value(struct str value, struct arena *arena, struct header_params *params)
{
	char *line = arena_strndup(arena, value.data, value.len);
	for (size_t i = 0; i < value.len; i++)
		if (line[i] == '\r' || line[i] == '\n')
			line[i] = ' ';
	struct str word = header_value((struct str){ line, value.len }, params);
	char *copy = arena_strndup(arena, word.data, word.len);
	str_to_lower(copy);
	return copy;
}

static void read_boundary(struct header_params *params, char boundary[WIRE_BOUNDARY_MAX_BYTES + 1])
{
	struct header_param param;
	params->is_lenient = true;
	while (header_next_param(params, &param)) {
		if (!str_eq_nocase(param.name, STR("boundary")) ||
		    param.value.len > WIRE_BOUNDARY_MAX_BYTES)
			continue;
		memcpy(boundary, param.value.data, param.value.len);
		boundary[param.value.len] = '\0';
		return;
	}
}

void mime_part_read(struct str text, struct arena *arena, struct mime_part *part)
{
	struct mime_field field;
	struct header_params params;
	*part = (struct mime_part){ .type = "", .encoding = "", .body = text };
	while (mime_next_field(&part->body, &field)) {
		if (!part->type[0] && str_eq_nocase(field.name, STR("Content-Type"))) {
			part->type = read_value(field.value, arena, &params);
			read_boundary(&params, part->boundary);
		} else if (str_eq_nocase(field.name, STR("Content-Transfer-Encoding"))) {
			part->encoding = read_value(field.value, arena, &params);
		}
	}
}

/* Whether the line is "--BOUNDARY" or "--BOUNDARY--". *is_last: it is "--BOUNDARY--". */
static bool is_delimiter(struct str line, struct str boundary, bool *is_last)
{
	if (!str_starts(line, STR("--")) || !str_starts(str_skip(line, 2), boundary))
		return false;
	struct str end = str_trim_ows(str_skip(line, 2 + boundary.len));
	*is_last = str_eq(end, STR("--"));
	return *is_last || end.len == 0;
}

bool mime_part_split(struct str *rest, const char *boundary, struct str *text)
{
	struct str line, begin = *rest;
	bool is_last = false;
	*text = begin;
	while (boundary[0] && take_line(rest, &line)) {
		if (!is_delimiter(line, str_from(boundary), &is_last))
			continue;
		text->len = (size_t)(line.data - begin.data);
		return !is_last;
	}
	return false;
}

static int base64_digit(char c)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *at = c ? strchr(digits, c) : NULL;
	return at ? (int)(at - digits) : -1;
}

static size_t decode_base64(struct str text, char *to)
{
	size_t len = 0;
	unsigned bits = 0, count = 0;
	for (size_t i = 0; i < text.len && text.data[i] != '='; i++) {
		int digit = base64_digit(text.data[i]);
		if (digit < 0)
			continue;
		bits = bits << 6 | (unsigned)digit;
		count += 6;
		if (count >= 8)
			to[len++] = (char)(bits >> (count -= 8));
	}
	return len;
}

static size_t decode_quoted(struct str text, char *to)
{
	size_t len = 0;
	struct str line;
	while (take_line(&text, &line)) {
		while (line.len > 0 && strchr(" \t", line.data[line.len - 1]))
			line.len--;
		bool is_soft = line.len > 0 && line.data[line.len - 1] == '=';
		for (size_t i = 0; i < line.len - is_soft; i++) {
			bool is_code = line.data[i] == '=' && i + 2 < line.len &&
				       hex_digit(line.data[i + 1]) >= 0 &&
				       hex_digit(line.data[i + 2]) >= 0;
			to[len++] = is_code ? (char)(hex_digit(line.data[i + 1]) << 4 |
						     hex_digit(line.data[i + 2]))
					    : line.data[i];
			i += is_code ? 2 : 0;
		}
		if (!is_soft && text.data)
			to[len++] = '\n';
	}
	return len;
}

struct str mime_part_decode(const struct mime_part *part, struct arena *arena)
{
	bool is_base64 = strcmp(part->encoding, "base64") == 0;
	if (!is_base64 && strcmp(part->encoding, "quoted-printable") != 0)
		return part->body;
	char *decoded = arena_alloc(arena, part->body.len + 1);
	size_t len = is_base64 ? decode_base64(part->body, decoded)
			       : decode_quoted(part->body, decoded);
	return (struct str){ decoded, len };
}
