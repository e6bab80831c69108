#include "domain/account/principal.h"

#include <string.h>

const char *principal_type_word(enum principal_type type)
{
	static const char *const words[] = {
		"none", "key", "operator", "system", "user", "checker"
	};
	return words[type];
}

bool principal_may(const struct principal *principal, enum permission permission)
{
	static const enum role needed[] = {
		[PERMISSION_READ] = ROLE_READER,       [PERMISSION_REPORT] = ROLE_RESPONDER,
		[PERMISSION_RESPOND] = ROLE_RESPONDER, [PERMISSION_EDIT] = ROLE_EDITOR,
		[PERMISSION_MANAGE] = ROLE_OWNER,
	};
	if (permission == PERMISSION_NONE)
		return true;
	if (permission == PERMISSION_CHECK || principal->location)
		return permission == PERMISSION_CHECK && principal->location;
	switch (principal->type) {
	case PRINCIPAL_NONE:
		return false;
	case PRINCIPAL_KEY:
	case PRINCIPAL_USER:
		return principal->role >= needed[permission];
	case PRINCIPAL_OPERATOR:
	case PRINCIPAL_SYSTEM:
		return true;
	case PRINCIPAL_CHECKER:
		return permission == PERMISSION_REPORT;
	}
	return false;
}

const char *principal_text(const char *type, int64_t id, const char *label, struct arena *arena)
{
	bool has_label = label && label[0] != '\0';
	if (id == 0)
		return has_label ? label : type;
	return arena_printf(arena, "%s %lld%s%s%s", type, (long long)id, has_label ? " (" : "",
			    has_label ? label : "", has_label ? ")" : "");
}
