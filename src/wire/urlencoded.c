#include "wire/urlencoded.h"

#include <string.h>

static void pair_start(struct urlencoded *decoder)
{
	decoder->name_len = 0;
	decoder->escape_len = -1;
	decoder->is_in_value = false;
	decoder->is_empty = true;
}

void urlencoded_init(struct urlencoded *decoder, struct pair_sink *sink)
{
	*decoder = (struct urlencoded){ .sink = sink };
	pair_start(decoder);
}

static enum result emit_bytes(struct urlencoded *decoder, struct str bytes, struct error *error)
{
	decoder->is_empty = false;
	if (decoder->is_in_value)
		return decoder->sink->data(decoder->sink, bytes, error);
	if (bytes.len > sizeof(decoder->name) - decoder->name_len)
		return error_client(error, E_MALFORMED, "A field has a name of more than %d bytes.",
				    WIRE_NAME_MAX_BYTES);
	memcpy(decoder->name + decoder->name_len, bytes.data, bytes.len);
	decoder->name_len += bytes.len;
	return OK;
}

/* Treats an incomplete escape as plain text. */
static enum result flush_escape(struct urlencoded *decoder, struct error *error)
{
	if (decoder->escape_len < 0)
		return OK;
	char raw[3] = { '%', decoder->escape[0], decoder->escape[1] };
	struct str bytes = { raw, 1 + (size_t)decoder->escape_len };
	decoder->escape_len = -1;
	return emit_bytes(decoder, bytes, error);
}

static enum result open_value(struct urlencoded *decoder, struct error *error)
{
	if (++decoder->pairs > WIRE_PARTS_MAX)
		return error_client(error, E_MALFORMED, "The request has more than %d fields.",
				    WIRE_PARTS_MAX);
	struct pair pair = {
		.name = { decoder->name, decoder->name_len },
		.shape = PAIR_TEXT,
	};
	decoder->is_in_value = true;
	decoder->is_empty = false;
	return decoder->sink->open(decoder->sink, &pair, error);
}

static enum result end_pair(struct urlencoded *decoder, struct error *error)
{
	enum result result = flush_escape(decoder, error);
	if (result == OK && !decoder->is_empty) {
		if (!decoder->is_in_value)
			result = open_value(decoder, error);
		if (result == OK)
			result = decoder->sink->close(decoder->sink, error);
	}
	pair_start(decoder);
	return result;
}

/* Handles a byte of an escape. Sets *is_taken to false if the byte does not belong to it. */
static enum result feed_escape(struct urlencoded *decoder, char c, bool *is_taken,
			       struct error *error)
{
	*is_taken = hex_digit(c) >= 0;
	if (!*is_taken)
		return flush_escape(decoder, error);
	decoder->escape[decoder->escape_len++] = c;
	if (decoder->escape_len < 2)
		return OK;
	char byte = (char)(hex_digit(decoder->escape[0]) * 16 + hex_digit(decoder->escape[1]));
	decoder->escape_len = -1;
	return emit_bytes(decoder, (struct str){ &byte, 1 }, error);
}

static enum result feed_byte(struct urlencoded *decoder, char c, struct error *error)
{
	if (decoder->escape_len >= 0) {
		bool is_taken;
		enum result result = feed_escape(decoder, c, &is_taken, error);
		if (result != OK || is_taken)
			return result;
	}
	switch (c) {
	case '&':
		return end_pair(decoder, error);
	case '%':
		decoder->escape_len = 0;
		return OK;
	case '+':
		return emit_bytes(decoder, STR(" "), error);
	case '=':
		if (!decoder->is_in_value)
			return open_value(decoder, error);
		return emit_bytes(decoder, STR("="), error);
	default:
		return emit_bytes(decoder, (struct str){ &c, 1 }, error);
	}
}

static bool is_special(char c)
{
	return c == '&' || c == '%' || c == '+' || c == '=';
}

enum result urlencoded_feed(struct urlencoded *decoder, struct str bytes, struct error *error)
{
	size_t i = 0;
	while (i < bytes.len) {
		enum result result;
		size_t run = 0;
		/* Send the plain bytes of a value to the sink in one piece. */
		if (decoder->is_in_value && decoder->escape_len < 0)
			while (i + run < bytes.len && !is_special(bytes.data[i + run]))
				run++;
		if (run > 0) {
			result = emit_bytes(decoder, (struct str){ bytes.data + i, run }, error);
			i += run;
		} else {
			result = feed_byte(decoder, bytes.data[i++], error);
		}
		if (result != OK)
			return result;
	}
	return OK;
}

enum result urlencoded_finish(struct urlencoded *decoder, struct error *error)
{
	return end_pair(decoder, error);
}

bool percent_decode(struct str text, char *out)
{
	size_t len = 0;
	for (size_t i = 0; i < text.len; i++) {
		char c = text.data[i];
		if (c == '%') {
			if (text.len - i < 3 || hex_digit(text.data[i + 1]) < 0 ||
			    hex_digit(text.data[i + 2]) < 0)
				return false;
			c = (char)(hex_digit(text.data[i + 1]) * 16 + hex_digit(text.data[i + 2]));
			i += 2;
		}
		if (c == '\0')
			return false;
		out[len++] = c;
	}
	out[len] = '\0';
	return true;
}
