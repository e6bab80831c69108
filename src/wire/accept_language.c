#include "wire/accept_language.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/str.h"

/* Returns the language in the list that matches a range: "de" for "de-AT". NULL: none. */
static const char *find_language(struct str range, const char *const *languages)
{
	struct str wanted, language;
	str_split(&range, '-', &wanted);
	for (; *languages; languages++) {
		struct str tag = str_from(*languages);
		str_split(&tag, '-', &language);
		if (str_eq_nocase(wanted, language))
			return *languages;
	}
	return NULL;
}

/* Returns 0.5 for "q=0.5", and 1 for an empty parameter. strtod() does not read past the end of the
 * header, because the header ends with NUL. */
static double weight_of(struct str parameter)
{
	parameter = str_trim_ows(parameter);
	return parameter.len > 1 && parameter.data[1] == '=' ? strtod(parameter.data + 2, NULL) : 1;
}

const char *accepted_language(const char *header, const char *const *languages)
{
	const char *best = languages[0];
	double best_weight = 0;
	struct str rest = str_from(header ? header : ""), item, range;
	while (str_split(&rest, ',', &item)) {
		str_split(&item, ';', &range);
		range = str_trim_ows(range);
		const char *language = str_eq(range, STR("*")) ? languages[0]
							       : find_language(range, languages);
		double weight = weight_of(item);
		if (language && weight > best_weight) {
			best = language;
			best_weight = weight;
		}
	}
	return best;
}
