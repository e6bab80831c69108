#include "base/printable.h"

#include <stdbool.h>
#include <string.h>
#include <unictype.h>
#include <unistr.h>

#include "base/buf.h"

static bool is_escaped(ucs4_t c)
{
	return c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0x2028 || c == 0x2029 ||
	       (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

size_t printable_first(struct str text, char out[PRINTABLE_SIZE])
{
	ucs4_t c;
	int len = u8_mbtoucr(&c, (const uint8_t *)text.data, text.len);
	if (len <= 0) {
		snprintf(out, PRINTABLE_SIZE, "\\x%02x", (unsigned char)text.data[0]);
		return 1;
	}
	if (is_escaped(c)) {
		/* Four digits suffice, because only code points below U+10000 are escaped. */
		snprintf(out, PRINTABLE_SIZE, "\\u%04x", (unsigned)c & 0xffff);
	} else {
		memcpy(out, text.data, (size_t)len);
		out[len] = '\0';
	}
	return (size_t)len;
}

bool printable_is_visible(const char *text)
{
	ucs4_t c = 0;
	for (const uint8_t *at = u8_next(&c, (const uint8_t *)text); at; at = u8_next(&c, at))
		if (is_escaped(c) || uc_is_property_default_ignorable_code_point(c))
			return false;
	return true;
}

const char *printable_text(struct arena *arena, const char *text)
{
	char piece[PRINTABLE_SIZE];
	struct str rest = str_from(text);
	struct buf out CLEANUP(buf_done) = BUF_INIT(PRINTABLE_SIZE * (rest.len + 1));
	while (rest.len > 0) {
		rest = str_skip(rest, printable_first(rest, piece));
		buf_puts(&out, piece);
	}
	return arena_strndup(arena, out.data, out.len);
}

static void write_text(FILE *out, struct str text, bool keeps_newlines)
{
	char piece[PRINTABLE_SIZE];
	while (text.len > 0) {
		bool is_kept = keeps_newlines && text.data[0] == '\n';
		size_t len = printable_first(text, piece);
		fputs(is_kept ? "\n" : piece, out);
		text = str_skip(text, len);
	}
}

void printable_write(FILE *out, struct str text)
{
	write_text(out, text, false);
}

void printable_write_lines(FILE *out, struct str text)
{
	write_text(out, text, true);
}
