#include "domain/key.h"

#include "domain/short_text.h"

const char *key_label(struct arena *arena, const char *text)
{
	return text ? short_text(arena, text, KEY_LABEL_MAX_CHARS) : "";
}
