#include "domain/mail_address.h"

#include <string.h>

#include "domain/domain_name.h"

enum { LOCAL_MAX_BYTES = 64 };

static bool is_atom_char(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
	       (c != '\0' && strchr("!#$%&'*+-/=?^_`{|}~", c));
}

/* Returns whether the text is a dot-atom: no dot at its ends, and no two dots side by side. */
static bool is_local_part(const char *text, size_t len)
{
	if (len == 0 || len > LOCAL_MAX_BYTES || text[0] == '.' || text[len - 1] == '.')
		return false;
	for (size_t i = 0; i < len; i++)
		if (!is_atom_char(text[i]) && (text[i] != '.' || text[i - 1] == '.'))
			return false;
	return true;
}

const char *mail_address_ascii(struct arena *arena, const char *text)
{
	const char *at = strrchr(text, '@');
	if (!at || !is_local_part(text, (size_t)(at - text)))
		return NULL;
	const char *domain = domain_name_ascii(arena, at + 1);
	if (!domain || (size_t)(at - text) + 1 + strlen(domain) > MAIL_ADDRESS_MAX_BYTES)
		return NULL;
	return arena_printf(arena, "%.*s@%s", (int)(at - text), text, domain);
}
