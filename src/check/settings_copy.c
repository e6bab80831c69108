#include "check/settings_copy.h"

#include <stdlib.h>
#include <string.h>

#include "base/attr.h"
#include "base/memory.h"
#include "domain/field_table.h"

#define OWN(member, ...) FIELD(struct check_settings, member, __VA_ARGS__)
/* clang-format off */
static const struct field members[] = {
	CHECK_FIELDS(FIELD_OF_MEMBERS, struct check_settings)
	OWN(request_headers, FIELD_MEMBERS(struct check_header, &check_header_fields)),
	OWN(url), OWN(request_auth_password), OWN(has_lost_secrets),
};
/* clang-format on */
#undef OWN

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
		copy = memory_needed(calloc(1, head + texts.bytes));
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

bool settings_are_equal(const struct check_settings *one, const struct check_settings *other)
{
	for (size_t i = 0; i < ARRAY_LEN(members); i++)
		if (!field_is_same(&members[i], one, other))
			return false;
	return true;
}
