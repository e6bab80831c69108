#include "wire/cookie.h"

bool cookie_next(struct str *header, struct str name, struct str *value)
{
	struct str pair, key;
	while (str_split(header, ';', &pair)) {
		pair = str_trim_ows(pair);
		*value = pair;
		if (str_split(value, '=', &key) && str_eq(key, name) && value->data)
			return true;
	}
	return false;
}
