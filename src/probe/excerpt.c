#include "probe/excerpt.h"

#include <stdio.h>
#include <string.h>

#include "base/printable.h"

void excerpt_make(struct excerpt *excerpt, struct str text, size_t max_chars)
{
	char piece[PRINTABLE_SIZE];
	size_t len = 0, chars = 0;
	while (text.len > 0) {
		size_t used = printable_first(text, piece);
		chars += str_chars(str_from(piece));
		if (chars > max_chars)
			break;
		text = str_skip(text, used);
		len += (size_t)snprintf(excerpt->text + len, sizeof(excerpt->text) - len, "%s",
					piece);
	}
	memcpy(excerpt->text + len, "...", text.len > 0 ? 4 : 0);
	excerpt->text[len + (text.len > 0 ? 3 : 0)] = '\0';
}
