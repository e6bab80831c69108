#include "wire/cookie.h"

bool cookie_find(const char *header, struct str name, struct str *value)
{
	struct str rest = str_from(header), pair, key;
	while (str_split(&rest, ';', &pair)) {
		pair = str_trim_ows(pair);
		*value = pair;
		if (str_split(value, '=', &key) && str_eq(key, name) && value->data)
			return true;
	}
	return false;
}
