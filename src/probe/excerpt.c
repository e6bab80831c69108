#include "probe/excerpt.h"

#include <string.h>

#include "base/printable.h"

void excerpt_print(char *to, size_t size, struct str text, size_t max_chars)
{
	static const char dots[] = "...";
	char piece[PRINTABLE_SIZE];
	size_t len = 0, chars = 0;
	while (text.len > 0) {
		size_t used = printable_first(text, piece), added = strlen(piece);
		chars += str_chars(str_from(piece));
		if (chars > max_chars || len + added + sizeof(dots) > size)
			break;
		memcpy(to + len, piece, added);
		len += added;
		text = str_skip(text, used);
	}
	memcpy(to + len, text.len > 0 ? dots : "", text.len > 0 ? sizeof(dots) : 1);
}

void excerpt_make(struct excerpt *excerpt, struct str text)
{
	excerpt_print(excerpt->text, sizeof(excerpt->text), text, EXCERPT_MAX_CHARS);
}
