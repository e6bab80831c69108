#include "domain/short_text.h"

#include "base/str.h"

const char *short_text(struct arena *arena, const char *text, size_t max_chars)
{
	struct str trimmed = str_from(text);
	if (!str_is_text(trimmed))
		return NULL;
	trimmed = str_trim(trimmed);
	if (trimmed.len == 0 || str_chars(trimmed) > max_chars)
		return NULL;
	return arena_strndup(arena, trimmed.data, trimmed.len);
}
