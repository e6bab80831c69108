#include "domain/account/account.h"

#include "base/str.h"

/* clang-format off */
static const struct field create_rows[] = {
	ACCOUNT_FIELDS(FIELD_OF_FORM, struct account_input, FIELD_REQUIRED)
};
static const struct field member_rows[] = { ACCOUNT_FIELDS(FIELD_OF_MEMBERS, struct account, 0) };
/* clang-format on */
static const struct field update_rows[] = {
	FIELD(struct account_input, needs_second_factor, ACCOUNT_FACTOR_ROW),
};

static const struct fields create_fields = { create_rows, ARRAY_LEN(create_rows) };
const struct fields account_update_fields = { update_rows, ARRAY_LEN(update_rows) };
const struct fields account_fields = { member_rows, ARRAY_LEN(member_rows) };

void account_check(struct account_input *input, struct arena *arena, struct violations *violations)
{
	int64_t number;
	fields_check_texts(create_fields, input, FIELD_SET_NONE, arena, violations);
	if (input->name && !violations_has(violations, "name") &&
	    str_to_int64(str_from(input->name), &number))
		violations_add(
			violations, "name",
			"The name field must have 1 to %d characters, and must not be a number.",
			ACCOUNT_NAME_MAX_CHARS);
}

void account_merge(struct account *row, const struct account_input *input, struct field_set sent)
{
	ACCOUNT_FIELDS(FIELD_MERGE, ACCOUNT_FIELD_, 0)
}
