#include "domain/key.h"

/* clang-format off */
static const struct field create_rows[] = {
	KEY_FIELDS(FIELD_OF_FORM, struct key_input, FIELD_REQUIRED)
};
static const struct field resource_rows[] = { KEY_FIELDS(FIELD_OF_RESOURCE, struct api_key, 0) };
static const struct field member_rows[] = { KEY_FIELDS(FIELD_OF_MEMBERS, struct api_key, 0) };
/* clang-format on */

const struct fields key_create_fields = { create_rows, ARRAY_LEN(create_rows) };
const struct fields key_resource_fields = { resource_rows, ARRAY_LEN(resource_rows) };
const struct fields key_fields = { member_rows, ARRAY_LEN(member_rows) };

void key_check(struct key_input *input, uint64_t sent, struct instant now, struct arena *arena,
	       struct violations *violations)
{
	fields_check_texts(key_create_fields, input, sent, arena, violations);
	if (input->expires_at.s != 0 && input->expires_at.s <= now.s)
		violations_add(violations, "expires_at",
			       "The expires at field must be in the future.");
	if (!input->label)
		input->label = "";
}

void key_merge(struct api_key *row, const struct key_input *input, uint64_t sent)
{
	KEY_FIELDS(FIELD_MERGE, KEY_FIELD_, 0)
}

bool api_key_is_valid(const struct api_key *key, struct instant now)
{
	return key->revoked_at.s == 0 && (key->expires_at.s == 0 || key->expires_at.s > now.s);
}
