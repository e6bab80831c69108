#include "domain/domain_name.h"

#include <idn2.h>
#include <string.h>

#include "base/log.h"
#include "base/str.h"

static bool is_letter_or_digit(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/* Returns whether the label has only letters, digits and inner hyphens (RFC 1123 section 2.1). */
static bool is_label(struct str label)
{
	if (label.len < 1 || label.len > 63 || !is_letter_or_digit(label.data[0]) ||
	    !is_letter_or_digit(label.data[label.len - 1]))
		return false;
	for (size_t i = 0; i < label.len; i++)
		if (!is_letter_or_digit(label.data[i]) && label.data[i] != '-')
			return false;
	return true;
}

static bool is_host_name(struct str name)
{
	struct str rest = name, label = { 0 };
	size_t labels = 0;
	if (name.len < 1 || name.len > 253)
		return false;
	for (; str_split(&rest, '.', &label); labels++)
		if (!is_label(label))
			return false;
	/* The last label must not begin with a digit: no top-level domain is a number, and an IPv4
	 * address ends in a number. */
	return labels >= 2 && !(label.data[0] >= '0' && label.data[0] <= '9');
}

/* Returns the name in lower case, without a final dot; NULL if it is not a host name. */
static const char *host_name(struct arena *arena, struct str found)
{
	if (found.len > 0 && found.data[found.len - 1] == '.')
		found.len--;
	char *kept = arena_strndup(arena, found.data, found.len);
	str_to_lower(kept);
	return is_host_name(str_from(kept)) ? kept : NULL;
}

/* Returns whether the name has only ASCII, and no "--", which marks encoded labels. */
static bool is_plain(const char *name)
{
	for (const char *c = name; *c; c++)
		if ((signed char)*c < 0 || (c[0] == '-' && c[1] == '-'))
			return false;
	return true;
}

const char *domain_name_ascii(struct arena *arena, const char *name)
{
	char *ascii = NULL;
	if (strlen(name) > 4 * 253)
		return NULL;
	/* Most names are plain. Skip the conversion, which takes longer than the rest of the
	 * look-up. */
	if (is_plain(name))
		return host_name(arena, str_from(name));
	int outcome = idn2_to_ascii_8z(name, &ascii, IDN2_NONTRANSITIONAL | IDN2_NFC_INPUT);
	/* If memory runs out, end the process, as arenas do. The name must not count as invalid. */
	if (outcome == IDN2_MALLOC)
		die("domain: out of memory");
	if (outcome != IDN2_OK)
		return NULL;
	const char *found = host_name(arena, str_from(ascii));
	idn2_free(ascii);
	return found;
}
