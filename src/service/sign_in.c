#include "service/sign_in.h"

#include <string.h>
#include <strings.h>

#include "access/password_strength.h"
#include "service/passwords.h"
#include "service/second_factor.h"
#include "service/users.h"

/* Makes the user the principal, so that the events name the user. */
static void become_user(struct service *service, const struct user *user)
{
	const struct user_session session = { .user_id = user->id,
					      .account_id = user->account_id,
					      .user_name = user->name,
					      .role = user->role };
	struct principal principal = user_principal(&session);
	principal.address = service->principal.address;
	principal.request_id = service->principal.request_id;
	service->principal = principal;
}

enum result service_begin_session(struct service *service, const char *password_hash,
				  struct begun_session *begun)
{
	const struct user *user = &begun->user;
	/* Single sign-on alone does not confirm the session of a user who has an app or a
	 * passkey. */
	const bool is_proven = begun->way != USER_BY_FRONT || !user_has_factor(user);
	struct user_session session = { .user_id = user->id,
					.account_id = user->account_id,
					.created_at = service->now,
					.used_at = service->now,
					.id = secret_number() & USER_SESSION_ID_MAX,
					.confirmed_at = { is_proven ? service->now.s : 0 },
					.address = service->principal.address,
					.agent = begun->agent,
					.sso_subject = begun->sso_subject,
					.began = begun->way };
	const char *way = user_session_way_words[begun->way];
	become_user(service, user);
	service_add_user_event(service, user, EVENT_SESSION_STARTED,
			       arena_printf(service->arena, "%s; %s%s%s", user->name, way,
					    begun->note ? "; " : "",
					    begun->note ? begun->note : ""));
	if (begun->continues) {
		session.created_at = begun->continues->created_at;
		session.confirmed_at = begun->continues->confirmed_at;
	}
	enum result result = begun->continues ? OK
					      : user_sign_in(service->db, user->id, password_hash,
							     service->now, service->error);
	if (result == OK && begun->former) {
		result = user_session_end(service->db, begun->former, service->error);
		/* A session can be continued only once, and not after it has ended. */
		if (result == E_NOT_FOUND)
			result = begun->continues ? E_UNAUTHENTICATED : OK;
	}
	if (result == OK)
		result = user_session_add(service->db, &session, begun->token, service->error);
	return result;
}

struct beginning {
	const struct link_use *use;
	const char *password_hash; /* NULL: do not change the password */
	const char *code;
	struct passkey_claim *passkey;
	struct begun_session *begun;
};

static enum result find_link(struct service *service, const struct link_use *use, bool is_locked,
			     struct user *user)
{
	const struct user_link_place place = { use->token, use->kind, service->now, is_locked };
	enum result result =
		user_find_by_link(service->db, &place, service->arena, user, service->error);
	return result == OK && user->account_id == 0 ? E_NOT_FOUND : result;
}

/* Whether the user must also type a code of the app. A link replaces only the password. A link for
 * recovery needs no code, because it removes the app. */
static bool needs_code(const struct beginning *beginning)
{
	return beginning->begun->user.totp_at.s > 0 && beginning->use->kind != USER_LINK_RECOVER;
}

/* Makes the link unusable, and sets the new password, but begins no session. */
static enum result spend_link(struct service *service, const struct beginning *beginning)
{
	struct user *user = &beginning->begun->user;
	become_user(service, user);
	if (!beginning->password_hash)
		return user_end_link(service->db, user->id, user->disabled_at, service->error);
	user->password_hash = beginning->password_hash;
	return user_set_password(service->db, user->id, user->password_hash, service->error);
}

static enum result use_work(struct service *service, void *context)
{
	const struct beginning *beginning = context;
	struct user *user = &beginning->begun->user;
	enum result result = find_link(service, beginning->use, true, user);
	if (result == OK && beginning->password_hash)
		result = user_sessions_end(service->db, user->id, 0, service->error);
	if (result == OK && needs_code(beginning))
		result = spend_link(service, beginning);
	else if (result == OK)
		result = service_begin_session(service, beginning->password_hash, beginning->begun);
	if (result == OK && beginning->password_hash)
		service_add_user_event(service, user, EVENT_USER_PASSWORD_SET, user->name);
	if (result == OK && user->disabled_at.s > 0) {
		user->disabled_at = (struct instant){ 0 };
		service_add_user_event(service, user, EVENT_USER_ENABLED, user->name);
		result = user_end_link(service->db, user->id, user->disabled_at, service->error);
	}
	if (result == OK && beginning->use->kind == USER_LINK_RECOVER)
		result = second_factor_remove(service, user);
	return result;
}

enum result service_hash_chosen(struct service *service, const struct user *user,
				const struct link_use *use, const char **hash)
{
	bool is_common = false;
	enum result result = OK;
	user_check_password(use->password, use->again, service->violations);
	if (service->violations->count == 0)
		result = password_is_common(use->password, user->name, &is_common, service->error);
	if (is_common)
		violations_add(service->violations, "password",
			       "The password field has one of the first passwords that strangers "
			       "try. Choose another, such as a sentence of your own.");
	if (service->violations->count > 0)
		return E_INVALID;
	return result == OK ? service_hash_password(service, use->password, hash) : result;
}

enum result service_find_link(struct service *service, enum user_link_kind kind, const char *token,
			      struct user *user)
{
	return find_link(service, &(struct link_use){ .kind = kind, .token = token }, false, user);
}

/* The hash of a random text. A password for an unknown name is compared with it, so that the time
 * of the response does not tell whether a user exists. */
static const char no_password[] = "$argon2id$v=19$m=19456,t=2,p=1$MDEyMzQ1Njc4OWFiY2RlZg$"
				  "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

static enum result refuse_sign_in(struct service *service, enum result found,
				  const struct user *user, bool is_right)
{
	if (found == E_NOT_FOUND)
		return error_log(service->error, E_UNAUTHENTICATED, "no user has this name");
	return error_log(service->error, E_UNAUTHENTICATED, "%s of user %lld",
			 !is_right ? "wrong password" : "right password or passkey, but no access",
			 (long long)user->id);
}

/* Makes the text of begun->step. The signature covers the browser's secret and the password's hash,
 * so the step does not work in another browser or after a new password. */
static enum result sign_step(struct service *service, const struct begun_session *begun,
			     struct instant ends_at, const char **step)
{
	struct signing_key key;
	uint8_t derived[SECRET_HASH_BYTES];
	char signature[SECRET_SIGNATURE_SIZE];
	const struct user *user = &begun->user;
	enum result result = service_read_key(service, &key);
	if (result != OK)
		return result;
	const char *start = arena_printf(service->arena, "%lld.%lld", (long long)user->id,
					 (long long)ends_at.s);
	const char *text = arena_printf(service->arena, "%s %s %s %s", start,
					user_session_way_words[begun->way], begun->browser,
					user->password_hash ? user->password_hash : "");
	secret_derive(key.bytes, "console sign-in", derived);
	secret_sign(derived, str_from(text), signature);
	*step = arena_printf(service->arena, "%s.%s", start, signature);
	return OK;
}

/* Sets begun->step, so that the person can type a code. */
static enum result make_step(struct service *service, enum user_session_way way,
			     struct begun_session *begun)
{
	begun->way = way;
	return sign_step(service, begun, (struct instant){ service->now.s + SIGN_IN_STEP_S },
			 &begun->step);
}

enum result service_use_link(struct service *service, const struct link_use *use,
			     struct begun_session *begun)
{
	struct beginning beginning = { .use = use, .begun = begun };
	begun->way = USER_BY_LINK;
	/* Find the link first, so that no password is hashed for a wrong link. Hash before the
	 * transaction, so that a refused password does not use up the link. */
	enum result result = find_link(service, use, false, &begun->user);
	if (result == OK && use->kind != USER_LINK_ENTER)
		result = service_hash_chosen(service, &begun->user, use, &beginning.password_hash);
	if (result == OK)
		result = service_transact(service, PERMISSION_NONE, use_work, &beginning, begun);
	return result == OK && needs_code(&beginning)
		       ? make_step(service,
				   beginning.password_hash ? USER_BY_PASSWORD_AND_APP
							   : USER_BY_LINK_AND_APP,
				   begun)
		       : result;
}

enum result service_find_step(struct service *service, const char *step,
			      struct begun_session *begun)
{
	static const enum user_session_way ways[] = { USER_BY_PASSWORD_AND_APP,
						      USER_BY_LINK_AND_APP };
	struct str rest = str_from(step ? step : ""), id_text, end_text;
	struct instant ends_at;
	const char *expected;
	int64_t id;
	if (!str_split(&rest, '.', &id_text) || !str_split(&rest, '.', &end_text) ||
	    !str_to_int64(id_text, &id) || !str_to_int64(end_text, &ends_at.s) ||
	    ends_at.s <= service->now.s)
		return E_NOT_FOUND;
	enum result result =
		user_show(service->db, id, 0, false, service->arena, &begun->user, service->error);
	bool is_right = false;
	for (size_t i = 0; i < ARRAY_LEN(ways) && result == OK && !is_right; i++) {
		begun->way = ways[i];
		result = sign_step(service, begun, ends_at, &expected);
		is_right = result == OK && secret_is_equal(str_from(step), str_from(expected));
	}
	if (result != OK)
		return result;
	return is_right && user_may_sign_in(&begun->user) ? OK : E_NOT_FOUND;
}

enum result service_lock_unchanged(struct service *service, struct user *user)
{
	const struct user before = *user;
	enum result result =
		user_show(service->db, user->id, 0, true, service->arena, user, service->error);
	if (result != OK)
		return result == E_NOT_FOUND ? E_UNAUTHENTICATED : result;
	return user_may_sign_in(user) && (user->totp_at.s > 0) == (before.totp_at.s > 0) &&
			       str_same(user->password_hash, before.password_hash)
		       ? OK
		       : E_UNAUTHENTICATED;
}

/* Locks the user before it uses the code, so that the second of two sign-ins with the same code
 * fails. */
static enum result code_work(struct service *service, void *context)
{
	const struct beginning *beginning = context;
	struct user *user = &beginning->begun->user;
	enum result result = service_lock_unchanged(service, user);
	if (result == OK)
		result = second_factor_use(service, user, beginning->code);
	return result == OK ? service_begin_session(service, NULL, beginning->begun) : result;
}

enum result service_sign_in_by_code(struct service *service, const char *code,
				    struct begun_session *begun)
{
	struct beginning beginning = { .code = code, .begun = begun };
	enum result result =
		service_transact(service, PERMISSION_NONE, code_work, &beginning, begun);
	return result == E_UNAUTHENTICATED
		       ? error_log(service->error, E_UNAUTHENTICATED, "wrong code of user %lld",
				   (long long)begun->user.id)
		       : result;
}

static enum result passkey_work(struct service *service, void *context)
{
	const struct beginning *beginning = context;
	struct user *user = &beginning->begun->user;
	enum result result = passkey_use(service, beginning->passkey, user);
	if (result == OK && !user_may_sign_in(user))
		result = refuse_sign_in(service, OK, user, true);
	return result == OK ? service_begin_session(service, NULL, beginning->begun) : result;
}

enum result service_sign_in_by_passkey(struct service *service, struct passkey_claim *claim,
				       struct begun_session *begun)
{
	struct beginning beginning = { .passkey = claim, .begun = begun };
	begun->way = USER_BY_PASSKEY;
	return service_transact(service, PERMISSION_NONE, passkey_work, &beginning, begun);
}

static enum result sign_in_work(struct service *service, void *context)
{
	const struct beginning *beginning = context;
	enum result result = service_lock_unchanged(service, &beginning->begun->user);
	return result == OK ? service_begin_session(service, NULL, beginning->begun) : result;
}

enum result service_sign_in(struct service *service, const char *name, const char *password,
			    struct begun_session *begun)
{
	struct beginning beginning = { .begun = begun };
	struct user *user = &begun->user;
	bool is_right = false;
	*user = (struct user){ 0 };
	begun->step = NULL;
	begun->way = USER_BY_PASSWORD;
	enum result found =
		user_find(service->db, name ? name : "", 0, service->arena, user, service->error);
	if (found != OK && found != E_NOT_FOUND)
		return found;
	/* The database also finds a name with similar letters, such as other accents. Treat such a
	 * name as unknown, because the limit of tries counts it as a different name. */
	if (found == OK && strcasecmp(user->name, name) != 0) {
		*user = (struct user){ 0 };
		found = E_NOT_FOUND;
	}
	const char *hash = user->password_hash ? user->password_hash : no_password;
	enum result result =
		service_password_matches(service, hash, password ? password : "", &is_right);
	if (result != OK)
		return result;
	if (!is_right || !user->password_hash || !user_may_sign_in(user))
		return refuse_sign_in(service, found, user, is_right);
	if (user->totp_at.s > 0)
		return make_step(service, USER_BY_PASSWORD_AND_APP, begun);
	result = service_transact(service, PERMISSION_NONE, sign_in_work, &beginning, begun);
	return result == E_UNAUTHENTICATED ? refuse_sign_in(service, OK, user, true) : result;
}

struct choosing {
	int64_t account_id;
	struct begun_session *begun;
};

static enum result choose_work(struct service *service, void *context)
{
	const struct choosing *choosing = context;
	struct user *user = &choosing->begun->user;
	enum result result = user_show(service->db, service->principal.id, choosing->account_id,
				       true, service->arena, user, service->error);
	if (result == OK && !user_may_sign_in(user))
		result = E_NOT_FOUND;
	return result == OK ? service_begin_session(service, NULL, choosing->begun) : result;
}

enum result service_change_account(struct service *service, int64_t account_id,
				   struct begun_session *begun)
{
	struct choosing choosing = { account_id, begun };
	begun->agent = begun->continues->agent;
	begun->sso_subject = begun->continues->sso_subject;
	begun->way = begun->continues->began;
	begun->note = account_id == service->principal.account_id ? "new password"
								  : "from another account";
	return service_transact(service, PERMISSION_READ, choose_work, &choosing, begun);
}

static enum result sign_out_work(struct service *service, void *context)
{
	const char *token = context;
	const struct principal *principal = &service->principal;
	const struct user user = { .id = principal->id, .account_id = principal->account_id };
	service_add_user_event(service, &user, EVENT_SESSION_ENDED, principal->label);
	enum result result = user_session_end(service->db, token, service->error);
	return result == E_NOT_FOUND ? OK : result;
}

enum result service_sign_out(struct service *service, const char *token)
{
	return service_transact(service, PERMISSION_READ, sign_out_work,
				arena_strdup(service->arena, token), NULL);
}
