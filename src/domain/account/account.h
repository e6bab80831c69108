/* An account, which owns monitors, status pages and keys, and the rules of its fields. */
#ifndef DOMAIN_ACCOUNT_ACCOUNT_H
#define DOMAIN_ACCOUNT_ACCOUNT_H

#include "domain/field_table.h"

enum { ACCOUNT_NAME_MAX_CHARS = 255 };

#define ACCOUNT_FACTOR_ROW \
	.label = "People need a second factor", \
	.text = "A person who has signed in without an authenticator app, a passkey or single " \
		"sign-on reaches only My access."

/* The fields of an account. The structs, the form of create, JSON, and the columns in
 * store/account/account.c are derived from these rows. */
/* clang-format off */
#define ACCOUNT_FIELDS(ROW, of, needed) \
	ROW(of, SHOWN, int64_t, id, .min = 1, .max = INT64_MAX) \
	ROW(of, SET, const char *, name, .flags = FIELD_NOT_EMPTY | (needed), \
	    .max_chars = ACCOUNT_NAME_MAX_CHARS, \
	    .text = "Unique in the installation. Not a number, which commands take for an id.") \
	ROW(of, SET, bool, needs_second_factor, ACCOUNT_FACTOR_ROW) \
	ROW(of, SHOWN, int64_t, key_count, .max = INT64_MAX, .text = "The number of keys.") \
	ROW(of, SHOWN, int64_t, monitor_count, .max = INT64_MAX, \
	    .text = "The number of monitors.") \
	ROW(of, SHOWN, int64_t, status_page_count, .max = INT64_MAX, \
	    .text = "The number of status pages.") \
	ROW(of, SHOWN, int64_t, upload_bytes, .max = INT64_MAX, \
	    .text = "The size of all logos and favicons.") \
	ROW(of, SHOWN, int64_t, incidents_today, .max = INT64_MAX, \
	    .text = "The number of incidents opened since midnight, UTC.") \
	ROW(of, SHOWN, int64_t, response_bytes_today, .max = INT64_MAX, \
	    .text = "The size of the responses stored since then for an Idempotency-Key.") \
	ROW(of, FIRST, struct instant, created_at, .flags = FIELD_NOT_EMPTY)
/* clang-format on */

struct account {
	ACCOUNT_FIELDS(FIELD_MEMBER, , 0)
};

/* What a client sends to create an account. */
struct account_input {
	ACCOUNT_FIELDS(FIELD_INPUT, , 0)
};

enum account_field { ACCOUNT_FIELDS(FIELD_PLACE, ACCOUNT_FIELD_, 0) };

extern const struct fields account_fields;	  /* for operators: all members */
extern const struct fields account_update_fields; /* of struct account_input */

/* Converts the input for a new account to its stored form. Adds a violation for each invalid
 * value. */
void account_check(struct account_input *input, struct arena *arena, struct violations *violations);

/* Copies the fields in `sent` from the input to the account. */
void account_merge(struct account *row, const struct account_input *input, struct field_set sent);

#endif
