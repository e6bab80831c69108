#include "http/auth.h"

static bool is_url_safe(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '-' || c == '_';
}

bool auth_bearer(const char *header, struct str *key)
{
	struct str value = str_trim_ows(str_from(header));
	struct str scheme = { value.data, value.len < 7 ? value.len : 7 };
	if (!str_eq_nocase(scheme, STR("Bearer ")))
		return false;
	*key = str_trim_ows(str_skip(value, 7));
	if (key->len != API_KEY_CHARS || !str_starts(*key, STR("dm_")))
		return false;
	for (size_t i = 3; i < key->len; i++)
		if (!is_url_safe(key->data[i]))
			return false;
	return true;
}
