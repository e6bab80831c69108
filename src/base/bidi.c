#include "base/bidi.h"

#include <stdbool.h>
#include <string.h>
#include <unictype.h>
#include <unistr.h>

/* Control characters of UAX #9. PDF ends an embedding or an override. PDI ends an isolate. FSI
 * begins an isolate that has the direction of its text. */
#define PDF "\xe2\x80\xac"
#define PDI "\xe2\x81\xa9"
#define FSI "\xe2\x81\xa8"
enum { CONTROL_BYTES = 3 };

enum control { NO_CONTROL, BEGINS_EMBEDDING, BEGINS_ISOLATE, ENDS_EMBEDDING, ENDS_ISOLATE };

/* Returns the first character of `text`, which must not be empty. Returns 0xfffd if it is not
 * UTF-8. Sets *bytes to its length. */
static ucs4_t character(const char *text, size_t *bytes)
{
	const uint8_t *at = (const uint8_t *)text;
	ucs4_t c = *at;
	*bytes = 1;
	if (c >= 0x80)
		*bytes = (size_t)u8_mbtouc(&c, at, strnlen(text, 4));
	return c;
}

static enum control control_of(ucs4_t c)
{
	if (c == 0x202c)
		return ENDS_EMBEDDING;
	if (c == 0x2069)
		return ENDS_ISOLATE;
	if (c >= 0x202a && c <= 0x202e)
		return BEGINS_EMBEDDING;
	return c >= 0x2066 && c <= 0x2068 ? BEGINS_ISOLATE : NO_CONTROL;
}

static bool is_control(ucs4_t c)
{
	return control_of(c) != NO_CONTROL;
}

static bool sets_direction(ucs4_t c)
{
	int class = uc_bidi_class(c);
	/* U+200E (left-to-right mark) has the class of a left-to-right letter, so test it
	 * separately. */
	return class == UC_BIDI_R || class == UC_BIDI_AL || class == UC_BIDI_AN || c == 0x200e ||
	       is_control(c);
}

static bool has(const char *text, bool (*is_so)(ucs4_t c))
{
	for (size_t bytes; *text; text += bytes)
		if (is_so(character(text, &bytes)))
			return true;
	return false;
}

/* The embeddings, overrides and isolates that are open, innermost last. */
struct begun {
	enum control *kinds;
	size_t count;
};

/* Ends the innermost embedding, override or isolate that `end` can end. The end of an isolate also
 * ends the embeddings and overrides inside. Returns false if `end` can end nothing that is open. */
static bool end_one(struct begun *begun, enum control end)
{
	size_t at = begun->count;
	enum control wanted = end == ENDS_ISOLATE ? BEGINS_ISOLATE : BEGINS_EMBEDDING;
	while (end == ENDS_ISOLATE && at > 0 && begun->kinds[at - 1] != wanted)
		at--;
	if (at == 0 || begun->kinds[at - 1] != wanted)
		return false;
	begun->count = at - 1;
	return true;
}

const char *bidi_closed(const char *name, struct arena *arena)
{
	const size_t len = strlen(name);
	if (!has(name, is_control))
		return name;
	/* At most one closing character is added for each control character of the name. Every
	 * control and closing character has CONTROL_BYTES bytes, so the result is at most twice as
	 * long as the name. */
	char *closed = arena_array(arena, 2 * len + 1, 1), *to = closed;
	struct begun begun = { ARENA_ARRAY(arena, len / CONTROL_BYTES, enum control), 0 };
	for (size_t bytes; *name; name += bytes) {
		enum control control = control_of(character(name, &bytes));
		if (control == BEGINS_EMBEDDING || control == BEGINS_ISOLATE)
			begun.kinds[begun.count++] = control;
		else if (control != NO_CONTROL && !end_one(&begun, control))
			continue;
		memcpy(to, name, bytes);
		to += bytes;
	}
	while (begun.count > 0) {
		const char *end = begun.kinds[--begun.count] == BEGINS_ISOLATE ? PDI : PDF;
		memcpy(to, end, CONTROL_BYTES);
		to += CONTROL_BYTES;
	}
	return closed;
}

const char *bidi_isolated(const char *name, struct arena *arena)
{
	return has(name, sets_direction)
		       ? arena_printf(arena, FSI "%s" PDI, bidi_closed(name, arena))
		       : name;
}
