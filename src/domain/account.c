#include "domain/account.h"

#include "base/str.h"
#include "domain/short_text.h"

const char *account_name(struct arena *arena, const char *text)
{
	int64_t number;
	const char *name = short_text(arena, text, ACCOUNT_NAME_MAX_CHARS);
	return name && !str_to_int64(str_from(name), &number) ? name : NULL;
}
