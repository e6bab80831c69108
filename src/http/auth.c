#include "http/auth.h"

static bool is_url_safe(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '-' || c == '_';
}

/* Sets *key to the text after "Bearer ". Returns false if the header has another scheme, or is
 * NULL. */
static bool split_scheme(const char *header, struct str *key)
{
	struct str value = str_trim_ows(str_from(header));
	struct str scheme = { value.data, value.len < 7 ? value.len : 7 };
	*key = str_trim_ows(str_skip(value, 7));
	return str_eq_nocase(scheme, STR("Bearer "));
}

bool auth_is_bearer(const char *header)
{
	struct str key;
	return split_scheme(header, &key);
}

bool auth_bearer(const char *header, struct str *key)
{
	if (!split_scheme(header, key) || key->len != API_KEY_CHARS ||
	    !str_starts(*key, STR("dm_")))
		return false;
	for (size_t i = 3; i < key->len; i++)
		if (!is_url_safe(key->data[i]))
			return false;
	return true;
}

bool auth_bearer_text(const char *header, struct str *text)
{
	return split_scheme(header, text) && text->len > 0;
}
