/* Users and their rules. A user is a person who signs in to the console and has a role in an
 * account. */
#ifndef DOMAIN_ACCOUNT_USER_H
#define DOMAIN_ACCOUNT_USER_H

#include "base/config/config.h"
#include "domain/field_table.h"
#include "domain/account/principal.h"

enum {
	USER_NAME_MAX_CHARS = 64,
	USER_EMAIL_MAX_CHARS = 254, /* RFC 5321 section 4.5.3.1 */
	USER_SUBJECT_MAX_CHARS = 512,
	USER_PASSWORD_MIN = 10, /* bytes */
	USER_PASSWORD_MAX = 128,
	USER_LINK_S = 24 * 3600, /* how long a link is valid */
	USER_FRESH_S = 600,	 /* how long a proof of identity is accepted */
	USER_PASSKEYS_MAX = 10,
};

/*
 * The fields of a user. The structs, the form of create, JSON, and the columns in
 * store/account/user.c are derived from these rows. A user with roles in several accounts is read
 * as one struct for each account.
 */
/* clang-format off */
#define USER_FIELDS(ROW, of, needed) \
	ROW(of, SHOWN, int64_t, id, .min = 1, .max = INT64_MAX) \
	ROW(of, SET, const char *, name, .label = "Name", .flags = FIELD_NOT_EMPTY | (needed), \
	    .max_chars = USER_NAME_MAX_CHARS, \
	    .text = "Unique in the installation; letter case is ignored.") \
	ROW(of, SET, const char *, email, .label = "E-mail address", \
	    .max_chars = USER_EMAIL_MAX_CHARS, \
	    .text = "For people to reach each other; null: none. Nothing is sent to it.") \
	ROW(of, SHOWN, int64_t, account_id, .max = INT64_MAX, .text = "The account of the role.") \
	ROW(of, APART, int, role, .label = "Role", .choices = user_role_words, \
	    .flags = FIELD_NOT_EMPTY | FIELD_AS_WORD | (needed), \
	    .text = "What the user may do in the account: reader, responder (also incidents and " \
		    "maintenance), editor (also pages and monitors) or owner (everything).") \
	ROW(of, SET, const char *, sso_subject, .option = "sso", \
	    .max_chars = USER_SUBJECT_MAX_CHARS, \
	    .text = "The identity for single sign-on: exactly the text that the web server gives " \
		    "as DAYMARK_USER. Unique in the installation; null: none.") \
	ROW(of, INNER, const char *, password_hash) \
	ROW(of, INNER, const char *, totp_secret) \
	ROW(of, INNER, int64_t, totp_step) \
	ROW(of, INNER, const char *, recovery_hashes) \
	ROW(of, READ, struct instant, totp_at, \
	    .text = "When the user has set up an authenticator app, whose codes the sign-in " \
		    "demands; null: the user has none.") \
	ROW(of, INNER, int64_t, passkey_challenge) \
	ROW(of, READ, int64_t, passkey_count, .max = USER_PASSKEYS_MAX, \
	    .text = "How many passkeys the user may sign in with, in place of password and code.") \
	ROW(of, READ, struct instant, disabled_at, \
	    .text = "When the user was disabled; null: the user may sign in.") \
	ROW(of, READ, struct instant, signed_in_at, .text = "The last sign-in; null: never.") \
	ROW(of, FIRST, struct instant, created_at, .flags = FIELD_NOT_EMPTY)
/* clang-format on */

struct user {
	USER_FIELDS(FIELD_MEMBER, , 0)
};

/* What a client sends to create a user. */
struct user_input {
	USER_FIELDS(FIELD_INPUT, , 0)
};

enum user_field { USER_FIELDS(FIELD_PLACE, USER_FIELD_, 0) };

/* What a client sends to update a user. */
struct user_change {
	int role;
	bool is_disabled;
	const char *sso_subject;
};
enum user_change_field { USER_CHANGE_ROLE, USER_CHANGE_DISABLED, USER_CHANGE_SSO };
extern const struct fields user_update_fields;

extern const char *const user_role_words[]; /* in the order of enum role */
extern const struct fields user_create_fields;
extern const struct fields user_fields; /* without hashes and secrets */

/* The kinds of links that a person gets. USER_LINK_ENTER signs the person in at once. With the
 * other links the person chooses a password. */
enum user_link_kind {
	USER_LINK_INVITE,
	USER_LINK_RESET,
	USER_LINK_ENTER,
	USER_LINK_RECOVER /* a reset that also removes the app and the passkeys */
};
/* The words for the kinds in the addresses of links: "invite", "reset", "enter", "recover". */
extern const char *const user_link_words[];

/* Converts the input for a new user to its stored form. Adds a violation for each invalid value. */
void user_check(struct user_input *input, struct field_set sent, struct arena *arena,
		struct violations *violations);
void user_merge(struct user *row, const struct user_input *input, struct field_set sent);
/* Adds a violation at "password" if the password is not allowed. Adds a violation at "again" if
 * `again` differs from the password. */
void user_check_password(const char *password, const char *again, struct violations *violations);
/* Returns whether the user has an authenticator app or a passkey. */
bool user_has_factor(const struct user *user);
/* Returns whether the user may sign in to the account of this struct user. */
bool user_may_sign_in(const struct user *user);

/* The largest id of a session: 53 bits, since many JSON programs read numbers as doubles. */
#define USER_SESSION_ID_MAX ((INT64_C(1) << 53) - 1)

/* A person's preferences for the console. */
struct user_preferences {
	const char *language;	  /* one of user_languages */
	const char *color_scheme; /* one of user_color_schemes */
	const char *time_zone;	  /* an IANA name */
};
/* The choices for a preference. The first choice is "auto", which follows the browser. */
extern const char *const user_languages[];
extern const char *const user_color_schemes[];
extern const struct fields user_preference_fields;
/* Converts the texts to their stored form. Adds a violation for each invalid text. */
void user_check_preferences(struct user_preferences *preferences, struct arena *arena,
			    struct violations *violations);
/* Returns whether the preference is "auto", which follows the browser. */
bool user_is_auto(const char *preference);

/* How the person of a session has signed in. */
enum user_session_way {
	USER_WAY_UNKNOWN, /* an earlier version of the program began the session */
	USER_BY_PASSWORD,
	USER_BY_PASSWORD_AND_APP,
	USER_BY_LINK,
	USER_BY_LINK_AND_APP,
	USER_BY_PASSKEY,
	USER_BY_FRONT, /* single sign-on */
};
extern const char *const user_session_way_words[];

/* A session of a user, for one account. */
struct user_session {
	int64_t id; /* 0: an earlier version of the program began the session */
	int64_t user_id;
	int64_t account_id;
	const char *user_name;
	const char *account_name;
	int role;	       /* enum role: the present role in the account */
	int64_t account_count; /* the number of accounts in which the user has a role */
	int64_t passkey_count; /* the number of the user's passkeys */
	struct user_preferences preferences;
	struct instant totp_at;	  /* when the user's app was set up; 0: the user has no app */
	bool needs_second_factor; /* the account demands a second factor */
	int began;		  /* enum user_session_way: how the session began */
	struct instant created_at;
	struct instant used_at;
	/*
	 * When the user last proved their identity; 0: at created_at. But if the session began by
	 * single sign-on, and the user has an app or a passkey, 0 means that this session has no
	 * proof yet.
	 */
	struct instant confirmed_at;
	const char *address; /* the client's address when the session began; NULL: not known */
	const char *agent;   /* the text that the browser sends as User-Agent; NULL: not known */
	/* The identity that the web server must pass as DAYMARK_USER with each request of the
	 * session; NULL: the session did not begin by single sign-on. */
	const char *sso_subject;
};
/* A passkey (WebAuthn) by which a user signs in. */
struct user_passkey {
	int64_t id;
	int64_t user_id;
	const char *credential_id; /* in base64url */
	const char *public_key;	   /* SubjectPublicKeyInfo of P-256, in base64url */
	const char *rp_id;	   /* the host name of the console for which it was made */
	const char *name;	   /* the name that the person has given */
	/* How many signatures the authenticator has counted. 0: it does not count, for example
	 * because several devices share the passkey. */
	int64_t counter;
	struct instant created_at;
	struct instant used_at; /* 0: never */
};
/* The fields that an owner sees of another person's session. */
extern const struct fields user_session_fields;
/*
 * Returns whether the session has a second factor. This is true in three cases: the person has an
 * app, whose code each sign-in demands; the person has signed in by a passkey; or the session began
 * by single sign-on, where the web server is responsible for factors.
 */
bool user_session_has_factor(const struct user_session *session);
/* Returns whether the account demands a second factor that the session does not have. */
bool user_session_lacks_factor(const struct user_session *session);
/* Returns whether the user may make sensitive changes without a new proof of identity. Single
 * sign-on alone is no proof for a person with an app or a passkey. */
bool user_session_is_fresh(const struct user_session *session, struct instant now);
/*
 * Returns whether only the web server can prove the person's identity: the session began by single
 * sign-on, and the person has no app, no passkey and no usable password.
 */
bool user_is_proven_by_front(const struct user *user, const struct user_session *session,
			     bool has_passwords);
/* The age limits of sessions: a session is valid at `now` if it was used after used_after, and
 * created after created_after. */
struct user_session_bounds {
	struct instant used_after, created_after;
};
struct user_session_bounds user_session_bounds(const struct config *config, struct instant now);
/* Returns whether to store `now` as the time of the last use. This is done at most every five
 * minutes. */
bool user_session_wants_touch(const struct user_session *session, struct instant now);
struct principal user_principal(const struct user_session *session);

#endif
