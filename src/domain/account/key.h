/* An API key, of which only a hash is stored, and the rules of its fields. */
#ifndef DOMAIN_ACCOUNT_KEY_H
#define DOMAIN_ACCOUNT_KEY_H

#include "domain/monitor/check_settings.h"
#include "domain/field_table.h"

enum {
	KEY_LABEL_MAX_CHARS = 255,
	/* The most valid keys of an account: when it has so many, no key can create another key. */
	KEYS_VALID_MAX = 100,
};

/* The fields of a key. The structs, the form of create, JSON, and the columns in
 * store/account/api_key.c are derived from these rows. */
/* clang-format off */
#define KEY_FIELDS(ROW, of, needed) \
	ROW(of, SHOWN, int64_t, id, .min = 1, .max = INT64_MAX) \
	ROW(of, INNER, int64_t, account_id, .min = 1, .max = INT64_MAX) \
	ROW(of, SET, const char *, label, .flags = FIELD_NOT_EMPTY | FIELD_ZERO_IS_NULL, \
	    .max_chars = KEY_LABEL_MAX_CHARS, .text = "The purpose of the key; null: none.") \
	ROW(of, SET, bool, is_read_only, \
	    .text = "Whether the key cannot write. A read-only key stays read-only.") \
	ROW(of, SET, const char *, location, .max_chars = CHECK_LOCATION_MAX, \
	    .text = "For the checker of a location: its name, as monitors have it in locations. " \
		    "The key reads what that location has to check, sends what it has found, " \
		    "and may do nothing else. null: an ordinary key. No update changes it.") \
	ROW(of, SET, struct instant, expires_at, .option = "expires", \
	    .text = "When the key becomes invalid, in the future; null: never. A key that " \
		    "another key creates ends no later than that key, and with it if null. A " \
		    "key changes no end to a later time than its own.") \
	ROW(of, READ, struct instant, revoked_at, \
	    .text = "When the key was revoked; null: the key was not revoked.") \
	ROW(of, READ, struct instant, last_used_at, \
	    .text = "When the key was last used, to the minute; null: never.") \
	ROW(of, FIRST, struct instant, created_at, .flags = FIELD_NOT_EMPTY) \
	ROW(of, INNER, int64_t, made_by_id) \
	ROW(of, INNER, const char *, made_by_label)
/* clang-format on */

/* An API key. made_by_id and made_by_label are the id of the key that created this key, and its
 * label at that time; 0 and NULL: the operator created this key. */
struct api_key {
	KEY_FIELDS(FIELD_MEMBER, , 0)
};

/* What a client sends to create or update a key. */
struct key_input {
	KEY_FIELDS(FIELD_INPUT, , 0)
};

enum key_field { KEY_FIELDS(FIELD_PLACE, KEY_FIELD_, 0) };

extern const struct fields key_create_fields;
extern const struct fields key_update_fields;
extern const struct fields key_resource_fields; /* for clients */
extern const struct fields key_fields; /* the fields for operators, which include the account */

/* Converts the input to its stored form. Adds a violation for each invalid value. A missing label
 * becomes "". `sent`: the rows of `form` that the client sent. */
void key_check(struct key_input *input, struct fields form, struct field_set sent,
	       struct instant now, struct arena *arena, struct violations *violations);

/* Copies the fields in `sent` from the input to the key. */
void key_merge(struct api_key *row, const struct key_input *input, struct field_set sent);

/*
 * Applies the rules for `key`, which the key `maker` creates. A `key` without an end gets the
 * maker's end. An end after the maker's end is a violation. Copies the maker's id and label to
 * made_by_id and made_by_label.
 */
void key_bound(struct api_key *key, const struct api_key *maker, struct violations *violations);

/*
 * Adds a violation for each change that is not allowed. A key keeps its location. A read-only key
 * stays read-only. An expired key stays expired. A new end must not be after `bound`; 0: no limit.
 */
void key_check_change(const struct api_key *before, const struct api_key *after,
		      struct instant bound, struct instant now, struct violations *violations);
/* Returns the earlier of two ends. An end of 0 means that the key never ends. */
struct instant key_earlier_end(struct instant one, struct instant other);

/* Returns whether the key may be used at `now`. */
bool api_key_is_valid(const struct api_key *key, struct instant now);

#endif
