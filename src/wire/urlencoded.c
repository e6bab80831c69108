#include "wire/urlencoded.h"

#include <ctype.h>

#include "base/buf.h"
#include "wire/limits.h"

/* Whether %XX begins the text. */
static bool is_escape(struct str text)
{
	return text.len >= 3 && text.data[0] == '%' && hex_digit(text.data[1]) >= 0 &&
	       hex_digit(text.data[2]) >= 0;
}

static struct str decode(struct str text, struct buf *out)
{
	buf_clear(out);
	char *to = buf_claim(out, text.len), *end = to;
	while (to && text.len > 0) {
		bool is_escaped = is_escape(text);
		char c = text.data[0];
		if (is_escaped)
			c = (char)(hex_digit(text.data[1]) * 16 + hex_digit(text.data[2]));
		else if (c == '+')
			c = ' ';
		*end++ = c;
		text = str_skip(text, is_escaped ? 3 : 1);
	}
	return (struct str){ to, to ? (size_t)(end - to) : 0 };
}

static enum result send_pair(struct str value, struct pair_sink *sink, struct error *error)
{
	struct buf name_bytes CLEANUP(buf_done) = BUF_INIT(value.len);
	struct buf value_bytes CLEANUP(buf_done) = BUF_INIT(value.len);
	struct str name;
	str_split(&value, '=', &name);
	const struct pair pair = {
		.name = decode(name, &name_bytes),
		.value = decode(value, &value_bytes),
		.shape = PAIR_TEXT,
	};
	if (!buf_ok(&name_bytes) || !buf_ok(&value_bytes))
		return E_BUSY;
	if (pair.name.len > WIRE_NAME_MAX_BYTES)
		return error_client(error, E_MALFORMED, "A field has a name of more than %d bytes.",
				    WIRE_NAME_MAX_BYTES);
	return sink->take(sink, &pair, error);
}

enum result urlencoded_decode(struct str text, struct pair_sink *sink, struct error *error)
{
	enum result result = OK;
	struct str pair;
	for (size_t count = 0; result == OK && str_split(&text, '&', &pair);) {
		if (pair.len == 0)
			continue;
		if (++count > WIRE_PARTS_MAX)
			return error_client(error, E_MALFORMED,
					    "The request has more than %d fields.", WIRE_PARTS_MAX);
		result = send_pair(pair, sink, error);
	}
	return result;
}

bool percent_decode(struct str text, char *out)
{
	size_t len = 0;
	for (size_t i = 0; i < text.len; i++) {
		char c = text.data[i];
		if (c == '%') {
			if (!is_escape(str_skip(text, i)))
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

void percent_encode(struct buf *out, const char *text)
{
	for (; *text; text++)
		buf_printf(out, isalnum((unsigned char)*text) ? "%c" : "%%%02X",
			   (unsigned char)*text);
}
