#include "domain/account/user.h"

#include <string.h>

#include "base/printable.h"
#include "base/str.h"
#include "base/zone.h"

const char *const user_role_words[] = { "reader", "responder", "editor", "owner", NULL };
const char *const user_session_way_words[] = { "unknown",	   "password",
					       "password and app", "link",
					       "link and app",	   "passkey",
					       "single sign-on",   NULL };
const char *const user_link_words[] = { "invite", "reset", "enter", "recover", NULL };

/* clang-format off */
static const struct field create_rows[] = {
	USER_FIELDS(FIELD_OF_FORM, struct user_input, FIELD_REQUIRED)
};
static const struct field update_rows[] = {
	FIELD(struct user_change, role, .choices = user_role_words, .label = "Role",
	      .flags = FIELD_NOT_EMPTY | FIELD_AS_WORD,
	      .text = "Another role in the account, which ends the sessions there."),
	FIELD_NAMED(struct user_change, is_disabled, "disabled_at", .flags = FIELD_OR_AS_READ,
		    .text = "true: the user may not sign in any more, and all sessions end; "
			    "false: the user may sign in again."),
	FIELD(struct user_change, sso_subject, .max_chars = USER_SUBJECT_MAX_CHARS,
	      .text = "The identity for single sign-on; null: the user has none. Another one ends "
		      "all sessions."),
	FIELD_KEPT("id"), FIELD_KEPT("name"), FIELD_KEPT("email"), FIELD_KEPT("account_id"),
	FIELD_KEPT("totp_at"), FIELD_KEPT("passkey_count"), FIELD_KEPT("signed_in_at"),
	FIELD_KEPT("created_at"),
};
static const struct field resource_rows[] = { USER_FIELDS(FIELD_OF_RESOURCE, struct user, 0) };
/* clang-format on */

static const struct field session_rows[] = {
	FIELD(struct user_session, id, .max = INT64_MAX),
	FIELD(struct user_session, account_id, .max = INT64_MAX,
	      .text = "The account in which the person has signed in."),
	FIELD(struct user_session, began, .choices = user_session_way_words,
	      .flags = FIELD_NOT_EMPTY | FIELD_AS_WORD, .text = "How the person signed in."),
	FIELD(struct user_session, address, .text = "The client's address at the sign-in."),
	FIELD(struct user_session, agent, .text = "The browser, by its own words."),
	FIELD(struct user_session, used_at, .flags = FIELD_NOT_EMPTY,
	      .text = "The last use, to five minutes."),
	FIELD(struct user_session, created_at, .flags = FIELD_NOT_EMPTY),
};
const struct fields user_session_fields = { session_rows, ARRAY_LEN(session_rows) };
const struct fields user_create_fields = { create_rows, ARRAY_LEN(create_rows) };
const struct fields user_update_fields = { update_rows, ARRAY_LEN(update_rows) };
const struct fields user_fields = { resource_rows, ARRAY_LEN(resource_rows) };

/* "auto", and the languages of pages. */
const char *const user_languages[] = { "auto", "en",	"de", "fr", "es", "it",
				       "nl",   "pt-BR", "pl", "ja", NULL };
const char *const user_color_schemes[] = { "auto", "light", "dark", NULL };
static const struct field preference_rows[] = {
	FIELD(struct user_preferences, language, .label = "Language", .flags = FIELD_NOT_EMPTY,
	      .empty_value = "auto", .choices = user_languages),
	FIELD(struct user_preferences, color_scheme, .label = "Colours", .flags = FIELD_NOT_EMPTY,
	      .empty_value = "auto", .choices = user_color_schemes),
	FIELD(struct user_preferences, time_zone, .label = "Time zone, such as Europe/Berlin",
	      .flags = FIELD_NOT_EMPTY, .empty_value = "UTC", .max_bytes = ZONE_NAME_SIZE - 1),
};
const struct fields user_preference_fields = { preference_rows, ARRAY_LEN(preference_rows) };

void user_check_preferences(struct user_preferences *preferences, struct arena *arena,
			    struct violations *violations)
{
	fields_check_texts(user_preference_fields, preferences, FIELD_SET_ALL, arena, violations);
	if (str_place(user_languages, str_from(preferences->language)) < 0)
		violations_add(violations, "language", "The selected language is invalid.");
	if (str_place(user_color_schemes, str_from(preferences->color_scheme)) < 0)
		violations_add(violations, "color_scheme", "The selected color scheme is invalid.");
	if (!zone_find(preferences->time_zone))
		violations_add(violations, "time_zone",
			       "The time zone field must be an IANA zone name, such as "
			       "Europe/Berlin.");
}

bool user_is_auto(const char *preference)
{
	return !preference || strcmp(preference, user_languages[0]) == 0;
}

void user_check(struct user_input *input, struct field_set sent, struct arena *arena,
		struct violations *violations)
{
	fields_check_texts(user_create_fields, input, sent, arena, violations);
	if (input->name && !printable_is_visible(input->name))
		violations_add(violations, "name",
			       "The name must not have invisible or control characters.");
	if (!field_set_has(sent, USER_FIELD_role))
		violations_add(violations, "role", "The role field is required.");
}

void user_merge(struct user *row, const struct user_input *input, struct field_set sent)
{
	USER_FIELDS(FIELD_MERGE, USER_FIELD_, 0)
}

void user_check_password(const char *password, const char *again, struct violations *violations)
{
	size_t len = password ? strlen(password) : 0;
	if (len < USER_PASSWORD_MIN || len > USER_PASSWORD_MAX)
		violations_add(violations, "password",
			       "The password field must have %d to %d bytes.", USER_PASSWORD_MIN,
			       USER_PASSWORD_MAX);
	else if (!again || strcmp(password, again) != 0)
		violations_add(violations, "again", "The again field must repeat the password.");
}

bool user_has_factor(const struct user *user)
{
	return user->totp_at.s > 0 || user->passkey_count > 0;
}

bool user_may_sign_in(const struct user *user)
{
	return user->account_id > 0 && user->disabled_at.s == 0;
}

struct user_session_bounds user_session_bounds(const struct config *config, struct instant now)
{
	return (struct user_session_bounds){
		.used_after = { now.s - config->session_idle_hours * 3600 },
		.created_after = { now.s - config->session_days * 24 * 3600 },
	};
}

bool user_session_wants_touch(const struct user_session *session, struct instant now)
{
	enum { TOUCH_S = 300 };
	return now.s - session->used_at.s >= TOUCH_S;
}

bool user_session_is_fresh(const struct user_session *session, struct instant now)
{
	bool is_confirmed = session->confirmed_at.s > 0;
	bool has_factor = session->totp_at.s > 0 || session->passkey_count > 0;
	if (!is_confirmed && session->began == USER_BY_FRONT && has_factor)
		return false;
	int64_t at = is_confirmed ? session->confirmed_at.s : session->created_at.s;
	return now.s - at < USER_FRESH_S;
}

bool user_session_has_factor(const struct user_session *session)
{
	bool is_by_passkey = session->began == USER_BY_PASSKEY && session->passkey_count > 0;
	return session->totp_at.s > 0 || is_by_passkey || session->sso_subject;
}

bool user_session_lacks_factor(const struct user_session *session)
{
	return session->needs_second_factor && !user_session_has_factor(session);
}

bool user_is_proven_by_front(const struct user *user, const struct user_session *session,
			     bool has_passwords)
{
	return session->sso_subject && !user_has_factor(user) &&
	       (!user->password_hash || !has_passwords);
}

struct principal user_principal(const struct user_session *session)
{
	return (struct principal){
		.type = PRINCIPAL_USER,
		.id = session->user_id,
		.account_id = session->account_id,
		.role = (enum role)session->role,
		.has_factor = user_session_has_factor(session),
		.label = session->user_name,
	};
}
