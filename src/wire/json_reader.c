#include "wire/json_reader.h"

#include <errno.h>
#include <json-c/json.h>
#include <string.h>

#include "wire/limits.h"

const struct json_limits json_body_limits = {
	"A JSON body",
	{ WIRE_JSON_MAX_BYTES, WIRE_JSON_MAX_CONTAINERS, WIRE_JSON_MAX_VALUES },
	WIRE_JSON_MAX_DEPTH,
};

enum result json_reader_init(struct json_reader *reader, struct str text,
			     const struct json_limits *limits, struct error *error)
{
	*reader = (struct json_reader){ .text = text, .limits = limits, .error = error };
	reader->tokener = json_tokener_new_ex(limits->depth);
	if (!reader->tokener)
		return E_BUSY;
	/* JSON_TOKENER_STRICT rejects comments, single quotes, and a comma before a closing
	 * bracket. */
	json_tokener_set_flags(reader->tokener,
			       JSON_TOKENER_STRICT | JSON_TOKENER_ALLOW_TRAILING_CHARS);
	return OK;
}

void json_reader_done(struct json_reader *reader)
{
	if (reader->tokener)
		json_tokener_free(reader->tokener);
}

static void skip_blanks(struct json_reader *reader)
{
	while (reader->text.len > 0 && strchr(" \t\n\r", reader->text.data[0]) &&
	       reader->text.data[0] != '\0')
		reader->text = str_skip(reader->text, 1);
}

enum result json_reader_refuse(struct json_reader *reader, const char *reason)
{
	skip_blanks(reader);
	if (reader->text.len == 0)
		return error_client(reader->error, E_MALFORMED, "The JSON body is incomplete.");
	reader->violation_at = reader->text.data;
	return error_client(reader->error, E_MALFORMED, "The body is not valid JSON: %s.", reason);
}

enum result json_reader_end(struct json_reader *reader)
{
	skip_blanks(reader);
	if (reader->text.len == 0)
		return OK;
	reader->violation_at = reader->text.data;
	return error_client(reader->error, E_MALFORMED, "There is text after the JSON body.");
}

bool json_reader_take(struct json_reader *reader, char c)
{
	skip_blanks(reader);
	if (reader->text.len == 0 || reader->text.data[0] != c)
		return false;
	reader->text = str_skip(reader->text, 1);
	reader->used.bytes++;
	reader->used.containers += c == '{' || c == '[';
	reader->used.values += c == ',';
	return true;
}

/* Returns the number of bytes up to the colon after the next name, including the colon. Without a
 * colon, returns the length of the text. */
static size_t step_bytes(struct str text)
{
	bool is_in_string = false;
	for (size_t i = 0; i < text.len; i++) {
		char c = text.data[i];
		if (c == '"')
			is_in_string = !is_in_string;
		else if (is_in_string)
			i += c == '\\';
		else if (c == ':')
			return i + 1;
	}
	return text.len;
}

/*
 * Passes the next bytes to json-c. Returns false if memory is short.
 *
 * If memory is short, json-c 0.16 returns an incomplete tree, and sets errno to ENOMEM. If json-c
 * could not copy a name, it crashes when it adds the member. So `bytes` ends after a name and its
 * colon, and errno is checked before json-c reads the value.
 */
static bool feed_step(struct json_tokener *tokener, struct str bytes, struct json_object **value)
{
	errno = 0;
	*value = json_tokener_parse_ex(tokener, bytes.data, (int)bytes.len);
	if (errno != ENOMEM)
		return true;
	json_object_put(*value);
	*value = NULL;
	return false;
}

/* Reads the value from the first `bytes` bytes of the text: json_check() has measured the value. */
static enum result parse(struct json_reader *reader, size_t bytes, struct json_object **value)
{
	struct json_tokener *tokener = reader->tokener;
	enum json_tokener_error state = json_tokener_continue;
	const char *end = reader->text.data + bytes;
	json_tokener_reset(tokener);
	while (state == json_tokener_continue) {
		struct str left = { reader->text.data, (size_t)(end - reader->text.data) };
		/* At the end of the text, json-c needs a NUL to see that a number has ended. */
		struct str step = left.len > 0 ? (struct str){ left.data, step_bytes(left) }
					       : (struct str){ "", 1 };
		if (!feed_step(tokener, step, value))
			return E_BUSY;
		state = json_tokener_get_error(tokener);
		if (left.len > 0)
			reader->text = str_skip(reader->text, json_tokener_get_parse_end(tokener));
	}
	if (state != json_tokener_success)
		return json_reader_refuse(reader, json_tokener_error_desc(state));
	return OK;
}

bool json_reader_claim(struct json_reader *reader, size_t tree_bytes)
{
	size_t bytes = tree_bytes + reader->kept_bytes;
	if (!reader->arena || bytes <= WIRE_SMALL_BYTES || bytes <= reader->claimed_bytes)
		return true;
	if (!arena_expect(reader->arena, bytes - reader->claimed_bytes))
		return false;
	reader->claimed_bytes = bytes;
	return true;
}

static size_t tree_bytes(const struct json_extent *extent)
{
	return 2 * extent->bytes + extent->containers * WIRE_JSON_CONTAINER_WEIGHT +
	       extent->values * WIRE_JSON_VALUE_WEIGHT;
}

static enum result check_limits(struct json_reader *reader)
{
	const struct json_extent *used = &reader->used, *most = &reader->limits->most;
	if (used->bytes <= most->bytes && used->containers <= most->containers &&
	    used->values <= most->values)
		return OK;
	return error_client(reader->error, E_TOO_LARGE,
			    "%s may have at most %zu bytes, %zu objects and lists, and %zu values.",
			    reader->limits->noun, most->bytes, most->containers, most->values);
}

enum result json_reader_value(struct json_reader *reader, struct json_object **value)
{
	struct json_extent extent, *used = &reader->used;
	*value = NULL;
	skip_blanks(reader);
	const char *violation = json_check(reader->text, &extent);
	used->bytes += extent.bytes;
	used->containers += extent.containers;
	used->values += extent.values;
	if (violation)
		reader->text = str_skip(reader->text, extent.bytes);
	else if (extent.bytes == 0)
		violation = "a value is missing";
	if (violation)
		return json_reader_refuse(reader, violation);
	enum result result = check_limits(reader);
	if (result != OK)
		return result;
	return json_reader_claim(reader, tree_bytes(&extent)) ? parse(reader, extent.bytes, value)
							      : E_BUSY;
}
