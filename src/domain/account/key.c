#include "domain/account/key.h"

/* clang-format off */
static const struct field create_rows[] = {
	KEY_FIELDS(FIELD_OF_FORM, struct key_input, FIELD_REQUIRED) FIELD_KEPT("made_by"),
};
static const struct field update_rows[] = {
	KEY_FIELDS(FIELD_OF_FORM, struct key_input, 0) FIELD_KEPT("made_by"),
};
static const struct field maker_rows[] = {
	FIELD_NAMED(struct api_key, made_by_id, "id", .min = 1, .max = INT64_MAX,
		    .text = "The id of that key."),
	FIELD_NAMED(struct api_key, made_by_label, "label", .flags = FIELD_ZERO_IS_NULL,
		    .text = "The label of that key when it made this key; null: none."),
};
static const struct fields maker_fields = { maker_rows, ARRAY_LEN(maker_rows) };
#define RESOURCE_ROWS \
	KEY_FIELDS(FIELD_OF_RESOURCE, struct api_key, 0) { \
		.name = "made_by", .kind = FIELD_OBJECT, .members = &maker_fields, \
		.offset = offsetof(struct api_key, made_by_id), .flags = FIELD_ZERO_IS_NULL, \
		.text = "The key that created this key; null: daymarkctl did.", \
	}
static const struct field resource_rows[] = { RESOURCE_ROWS };
static const struct field operator_rows[] = { RESOURCE_ROWS, FIELD(struct api_key, account_id) };
/* clang-format on */

const struct fields key_create_fields = { create_rows, ARRAY_LEN(create_rows) };
const struct fields key_update_fields = { update_rows, ARRAY_LEN(update_rows) };
const struct fields key_resource_fields = { resource_rows, ARRAY_LEN(resource_rows) };
const struct fields key_fields = { operator_rows, ARRAY_LEN(operator_rows) };

static void refuse_read_only(struct violations *violations)
{
	violations_add(
		violations, "is_read_only",
		"The is read only field must be false for the key of a location, which sends "
		"what it has found.");
}

static void check_location(const struct key_input *input, struct violations *violations)
{
	const struct str name = str_from(input->location);
	if (!input->location || violations_has(violations, "location"))
		return;
	if (!check_location_is_valid(name))
		violations_add(violations, "location",
			       "The location field must be a name of letters, digits, hyphens, "
			       "underscores and points.");
	if (str_eq_nocase(name, str_from(CHECK_LOCATION_CENTRE)))
		violations_add(violations, "location",
			       "The location field must not be " CHECK_LOCATION_CENTRE
			       ", whose checker runs beside the database and needs no key.");
	if (input->is_read_only)
		refuse_read_only(violations);
}

void key_check(struct key_input *input, struct fields form, struct field_set sent,
	       struct instant now, struct arena *arena, struct violations *violations)
{
	fields_check_texts(form, input, sent, arena, violations);
	if (input->expires_at.s != 0 && input->expires_at.s <= now.s)
		violations_add(violations, "expires_at",
			       "The expires at field must be in the future.");
	if (!input->label)
		input->label = "";
	check_location(input, violations);
}

void key_merge(struct api_key *row, const struct key_input *input, struct field_set sent)
{
	KEY_FIELDS(FIELD_MERGE, KEY_FIELD_, 0)
}

void key_bound(struct api_key *key, const struct api_key *maker, struct violations *violations)
{
	char end[INSTANT_TEXT_SIZE];
	key->made_by_id = maker->id;
	key->made_by_label = maker->label;
	if (maker->expires_at.s == 0)
		return;
	if (key->expires_at.s == 0)
		key->expires_at = maker->expires_at;
	else if (key->expires_at.s > maker->expires_at.s)
		violations_add(violations, "expires_at",
			       "The expires at field must not be later than %s, when the key that "
			       "creates it ends.",
			       instant_format(maker->expires_at, end));
}

struct instant key_earlier_end(struct instant one, struct instant other)
{
	if (one.s == 0 || other.s == 0)
		return one.s == 0 ? other : one;
	return one.s < other.s ? one : other;
}

void key_check_change(const struct api_key *before, const struct api_key *after,
		      struct instant bound, struct instant now, struct violations *violations)
{
	char end[INSTANT_TEXT_SIZE];
	bool ends_anew = after->expires_at.s != before->expires_at.s;
	bool is_expired = before->expires_at.s > 0 && before->expires_at.s <= now.s;
	if (!str_eq_nocase(str_from(before->location), str_from(after->location)))
		violations_add(violations, "location",
			       "The location field cannot be changed: create another key.");
	if (after->location && after->is_read_only)
		refuse_read_only(violations);
	if (before->is_read_only && !after->is_read_only)
		violations_add(violations, "is_read_only",
			       "The is read only field can no longer be false: a read-only key "
			       "gets no further permission.");
	if (!ends_anew || violations_has(violations, "expires_at"))
		return;
	if (is_expired)
		violations_add(
			violations, "expires_at",
			"The expires at field can no longer be changed: the key has expired.");
	else if (bound.s > 0 && (after->expires_at.s == 0 || after->expires_at.s > bound.s))
		violations_add(violations, "expires_at",
			       "The expires at field must not be later than %s, when the key that "
			       "made it, or the key of this request, ends.",
			       instant_format(bound, end));
}

bool api_key_is_valid(const struct api_key *key, struct instant now)
{
	return key->revoked_at.s == 0 && (key->expires_at.s == 0 || key->expires_at.s > now.s);
}
