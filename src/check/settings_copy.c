#include "check/settings_copy.h"

#include <stdlib.h>
#include <string.h>

#include "base/attr.h"
#include "base/log.h"

static const struct field members[] = { CHECK_FIELDS(FIELD_OF_MEMBERS, struct check_settings) };

/* Space for texts behind a struct; without `at` it is only measured. */
struct texts {
	char *at;
	size_t bytes;
};

static void keep(struct texts *texts, const char **text)
{
	if (!*text)
		return;
	size_t size = strlen(*text) + 1;
	if (texts->at) {
		memcpy(texts->at + texts->bytes, *text, size);
		*text = texts->at + texts->bytes;
	}
	texts->bytes += size;
}

/* Lets the texts of the settings point to copies in `texts`. */
static void keep_all(struct check_settings *settings, struct check_header *headers,
		     struct texts *texts)
{
	for (size_t i = 0; i < ARRAY_LEN(members); i++)
		if (members[i].kind == FIELD_TEXT)
			keep(texts, FIELD_AT(settings, &members[i], const char *));
	keep(texts, &settings->url);
	keep(texts, &settings->request_auth_password);
	for (size_t i = 0; i < settings->request_headers.count; i++) {
		keep(texts, &headers[i].key);
		keep(texts, &headers[i].value);
		headers[i].sealed = NULL;
	}
}

struct check_settings *settings_copy(const struct check_settings *settings)
{
	size_t count = settings->request_headers.count;
	size_t head = sizeof(*settings) + count * sizeof(struct check_header);
	struct check_settings *copy = NULL;
	struct texts texts = { NULL, 0 };
	for (int pass = 0; pass < 2; pass++) {
		free(copy);
		copy = calloc(1, head + texts.bytes);
		if (!copy)
			die("check: out of memory");
		struct check_header *headers = (void *)(copy + 1);
		*copy = *settings;
		if (count > 0)
			memcpy(headers, settings->request_headers.rows, count * sizeof(*headers));
		copy->request_headers.rows = headers;
		texts = (struct texts){ pass == 0 ? NULL : (char *)copy + head, 0 };
		keep_all(copy, headers, &texts);
	}
	return copy;
}

static bool are_equal(const char *one, const char *other)
{
	return one == other || (one && other && strcmp(one, other) == 0);
}

static bool is_member_equal(const struct field *member, const struct check_settings *one,
			    const struct check_settings *other)
{
	switch (member->kind) {
	case FIELD_INT:
		return *FIELD_AT_CONST(one, member, int64_t) ==
		       *FIELD_AT_CONST(other, member, int64_t);
	case FIELD_CHOICE:
		return *FIELD_AT_CONST(one, member, int) == *FIELD_AT_CONST(other, member, int);
	case FIELD_BOOL:
		return *FIELD_AT_CONST(one, member, bool) == *FIELD_AT_CONST(other, member, bool);
	case FIELD_TEXT:
		return are_equal(*FIELD_AT_CONST(one, member, const char *),
				 *FIELD_AT_CONST(other, member, const char *));
	default: /* request_headers */
		return true;
	}
}

bool settings_are_equal(const struct check_settings *one, const struct check_settings *other)
{
	const struct check_header *headers = one->request_headers.rows;
	const struct check_header *others = other->request_headers.rows;
	for (size_t i = 0; i < ARRAY_LEN(members); i++)
		if (!is_member_equal(&members[i], one, other))
			return false;
	if (one->request_headers.count != other->request_headers.count)
		return false;
	for (size_t i = 0; i < one->request_headers.count; i++)
		if (!are_equal(headers[i].key, others[i].key) ||
		    !are_equal(headers[i].value, others[i].value))
			return false;
	return are_equal(one->url, other->url) &&
	       are_equal(one->request_auth_password, other->request_auth_password) &&
	       one->has_lost_secrets == other->has_lost_secrets;
}
