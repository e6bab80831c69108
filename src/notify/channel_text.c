#include "notify/channel_text.h"

#include <string.h>

#include "base/buf.h"
#include "base/str.h"

#define ELLIPSIS "\u2026"
enum { TEXT_MAX_BYTES = 4 << 20, ELLIPSIS_BYTES = 3 };

/* Returns the character, or its replacement by the rule. */
static struct str piece_of(const char *at, const struct channel_text_rule *rule)
{
	for (size_t i = 0; i < CHANNEL_TEXT_CHANGES; i++)
		if (rule->changes[i].from && rule->changes[i].from == *at)
			return str_from(rule->changes[i].to);
	return (struct str){ at, str_char_len(at) };
}

struct size {
	size_t units, bytes;
};

static void measure(struct str piece, struct size *size)
{
	for (size_t i = 0; i < piece.len; i++) {
		unsigned char byte = (unsigned char)piece.data[i];
		/* A character of four bytes has two units of UTF-16. */
		size->units += (byte & 0xc0) == 0x80 ? 0 : byte >= 0xf0 ? 2 : 1;
		size->bytes += byte < ' ' || byte == 0x7f    ? strlen("\\u0001")
			       : byte == '"' || byte == '\\' ? strlen("\\\"")
							     : 1;
	}
}

static bool fits(const struct size *size, const struct channel_text_rule *rule, size_t units,
		 size_t bytes)
{
	return (rule->units == 0 || size->units + units <= rule->units) &&
	       (rule->bytes == 0 || size->bytes + bytes <= rule->bytes);
}

const char *channel_text(struct arena *arena, const char *text,
			 const struct channel_text_rule *rule)
{
	struct buf out CLEANUP(buf_done) = BUF_INIT(TEXT_MAX_BYTES);
	struct size size = { 0 };
	size_t cut = 0; /* the length of `out` after which an ellipsis still fits */
	for (size_t len; *text; text += len) {
		struct str piece = piece_of(text, rule);
		len = str_char_len(text);
		measure(piece, &size);
		if (!fits(&size, rule, 0, 0)) {
			out.len = cut;
			buf_puts(&out, ELLIPSIS);
			break;
		}
		buf_add(&out, piece.data, piece.len);
		if (fits(&size, rule, 1, ELLIPSIS_BYTES))
			cut = out.len;
	}
	return out.len > 0 && buf_ok(&out) ? arena_strndup(arena, out.data, out.len) : "";
}
