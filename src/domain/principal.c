#include "domain/principal.h"

#include <string.h>

const char *principal_type_word(enum principal_type type)
{
	static const char *const words[] = { "none", "key", "operator", "system" };
	return words[type];
}

const char *principal_text(const char *type, int64_t id, const char *label, struct arena *arena)
{
	bool has_label = label && label[0] != '\0';
	if (id == 0)
		return has_label ? label : type;
	return arena_printf(arena, "%s %lld%s%s%s", type, (long long)id, has_label ? " (" : "",
			    has_label ? label : "", has_label ? ")" : "");
}
