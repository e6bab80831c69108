#include "service/second_factor.h"

#include <string.h>

#include "service/users.h"

static struct str owner_of(const struct user *user, struct arena *arena)
{
	return str_from(arena_printf(arena, "second factor of user %lld", (long long)user->id));
}

static void add_event(struct service *service, const struct user *user, enum event_kind kind,
		      const char *what)
{
	service_add_user_event(service, user, kind,
			       arena_printf(service->arena, "%s; %s", user->name, what));
}

static enum result check_code(struct service *service, struct user *user, const char *code)
{
	struct signing_key key;
	enum result result = service_read_key(service, &key);
	if (result != OK)
		return result;
	const char *secret = secret_open(key.bytes, owner_of(user, service->arena),
					 str_from(user->totp_secret), service->arena);
	if (!secret)
		return error_log(service->error, E_FAILED,
				 "the second factor of user %lld was encrypted with another key",
				 (long long)user->id);
	return totp_check(secret, code, service->now, user->totp_step, &user->totp_step,
			  service->error);
}

enum result second_factor_use(struct service *service, struct user *user, const char *code)
{
	const char *tidy = totp_tidy(code, service->arena);
	if (user->totp_at.s == 0 || !user->totp_secret)
		return E_UNAUTHENTICATED;
	if (totp_is_code(tidy)) {
		enum result result = check_code(service, user, tidy);
		return result == OK ? user_set_factor(service->db, user, service->error) : result;
	}
	const char *left = recovery_take(user->recovery_hashes, tidy, service->arena);
	if (!left)
		return E_UNAUTHENTICATED;
	user->recovery_hashes = left;
	add_event(service, user, EVENT_USER_FACTOR_SET,
		  arena_printf(service->arena, "recovery code used; left: %zu",
			       recovery_count(left)));
	return user_set_factor(service->db, user, service->error);
}

/* Stores the challenge as used, so that it works only once. The transaction has locked the user. */
static enum result take_challenge(struct service *service, struct user *user, int64_t made_us)
{
	if (made_us <= user->passkey_challenge)
		return error_log(service->error, E_UNAUTHENTICATED,
				 "passkey: user %lld has used this or a later challenge",
				 (long long)user->id);
	user->passkey_challenge = made_us;
	return user_set_factor(service->db, user, service->error);
}

enum result passkey_use(struct service *service, struct passkey_claim *claim, struct user *user)
{
	struct user_passkey passkey;
	const char *last = strrchr(claim->text, '.');
	enum result result = user_passkey_find(service->db, last ? last + 1 : "", service->arena,
					       &passkey, service->error);
	if (result == OK)
		result = user_show(service->db, passkey.user_id, 0, true, service->arena, user,
				   service->error);
	if (result == OK)
		result = service_read_key(service, &claim->key);
	if (result == OK)
		result = passkey_verify(claim, &passkey);
	if (result == OK)
		result = take_challenge(service, user, claim->made_us);
	if (result == OK) {
		passkey.used_at = service->now;
		result = user_passkey_touch(service->db, &passkey, service->error);
	}
	return result == E_NOT_FOUND
		       ? error_log(service->error, E_UNAUTHENTICATED, "passkey: not known")
		       : result;
}

static enum result remove_passkey(struct service *service, const struct user *user, int64_t id)
{
	add_event(service, user, EVENT_USER_PASSKEY_REMOVED, id > 0 ? "one passkey" : "all");
	return user_passkey_remove(service->db, user->id, id, service->error);
}

enum result second_factor_remove(struct service *service, struct user *user)
{
	enum result result = user->passkey_count > 0 ? remove_passkey(service, user, 0) : OK;
	if (result != OK || user->totp_at.s == 0)
		return result;
	user->totp_at = (struct instant){ 0 };
	user->totp_secret = user->recovery_hashes = NULL;
	add_event(service, user, EVENT_USER_FACTOR_REMOVED, "authenticator app");
	return user_set_factor(service->db, user, service->error);
}

/*
 * Locks the principal's row, for a change of its factors. E_FORBIDDEN: the principal is not a user.
 * Also E_FORBIDDEN if a user with passkeys has signed in without a second factor, although one of
 * the user's accounts demands it. Otherwise somebody with only the password could replace the
 * passkeys.
 */
static enum result lock_self(struct service *service, struct user *user)
{
	const struct principal *principal = &service->principal;
	bool is_demanded = false;
	if (principal->type != PRINCIPAL_USER)
		return E_FORBIDDEN;
	enum result result = user_show(service->db, principal->id, principal->account_id, true,
				       service->arena, user, service->error);
	if (result == OK && user->passkey_count > 0 && !principal->has_factor)
		result = user_needs_factor(service->db, user->id, &is_demanded, service->error);
	if (result == OK && is_demanded)
		return error_client(service->error, E_FORBIDDEN,
				    "An account of yours demands a second factor. Sign out, and "
				    "sign in with your passkey; if you have lost it, an owner can "
				    "reset your access.");
	return result;
}

struct setting {
	const struct factor_input *input;
	const char *token;
	struct recovery_codes *codes;
};

static enum result store(struct service *service, struct user *user, const char *what,
			 struct recovery_codes *codes)
{
	enum result result =
		recovery_make(service->arena, codes->codes, &user->recovery_hashes, service->error);
	if (result != OK)
		return result;
	add_event(service, user, EVENT_USER_FACTOR_SET, what);
	return user_set_factor(service->db, user, service->error);
}

/* Sets up the app. Passes 0 to totp_check() as the last used step: the secret is new. */
static enum result set_work(struct service *service, void *context)
{
	const struct setting *setting = context;
	struct signing_key key;
	struct user user;
	const char *code = totp_tidy(setting->input->code, service->arena);
	enum result result = lock_self(service, &user);
	if (result == OK)
		result = totp_check(setting->input->secret, code, service->now, 0, &user.totp_step,
				    service->error);
	if (result == E_UNAUTHENTICATED) {
		violations_add(service->violations, "code",
			       "The code field is not the present code of the app. Compare the "
			       "clocks of your phone and of the service.");
		return E_INVALID;
	}
	if (result == OK)
		result = service_read_key(service, &key);
	if (result != OK)
		return result;
	user.totp_at = service->now;
	user.totp_secret = secret_seal(key.bytes, owner_of(&user, service->arena),
				       str_from(setting->input->secret), service->arena);
	if (!user.totp_secret)
		return E_BUSY;
	/* End the other sessions, which began without this app. */
	result = user_sessions_end_others(service->db, user.id, setting->token, service->error);
	return result == OK ? store(service, &user, "authenticator app", setting->codes) : result;
}

enum result service_set_factor(struct service *service, const struct factor_input *input,
			       const char *token, struct recovery_codes *codes)
{
	struct setting setting = { input, token, codes };
	if (!totp_is_secret(input->secret)) {
		violations_add(service->violations, "secret",
			       "The secret field must have %d characters of base32.",
			       TOTP_SECRET_CHARS);
		return E_INVALID;
	}
	return service_transact(service, PERMISSION_READ, set_work, &setting, codes);
}

static enum result renew_work(struct service *service, void *context)
{
	struct user user;
	enum result result = lock_self(service, &user);
	if (result == OK && user.totp_at.s == 0)
		result = E_NOT_FOUND;
	return result == OK ? store(service, &user, "new recovery codes", context) : result;
}

enum result service_renew_recovery(struct service *service, struct recovery_codes *codes)
{
	return service_transact(service, PERMISSION_READ, renew_work, codes, codes);
}

static enum result remove_work(struct service *service, void *context)
{
	struct user user;
	(void)context;
	enum result result = lock_self(service, &user);
	if (result == OK && user.totp_at.s == 0)
		result = E_NOT_FOUND;
	return result == OK ? second_factor_remove(service, &user) : result;
}

enum result service_remove_factor(struct service *service)
{
	return service_transact(service, PERMISSION_READ, remove_work, NULL, NULL);
}

struct adding {
	const char *name;
	struct passkey_claim *claim;
};

static enum result refuse_passkey(struct service *service, const char *text)
{
	violations_add(service->violations, "passkey", "%s", text);
	return E_INVALID;
}

static enum result add_work(struct service *service, void *context)
{
	const struct adding *adding = context;
	struct user_passkey passkey = { .name = adding->name, .created_at = service->now };
	struct user user;
	enum result result = lock_self(service, &user);
	if (result == OK && user.passkey_count >= USER_PASSKEYS_MAX)
		return refuse_passkey(service,
				      "There are 10 passkeys, the most. Remove one first.");
	if (result == OK)
		result = service_read_key(service, &adding->claim->key);
	if (result == OK)
		result = passkey_read_new(adding->claim, &passkey);
	if (result == OK)
		result = take_challenge(service, &user, adding->claim->made_us);
	if (result == E_UNAUTHENTICATED)
		return refuse_passkey(service, "The browser has made no valid passkey, or too much "
					       "time has passed. Please try again.");
	if (result != OK)
		return result;
	passkey.user_id = user.id;
	add_event(service, &user, EVENT_USER_PASSKEY_ADDED, passkey.name);
	result = user_passkey_add(service->db, &passkey, service->error);
	return result == E_CONFLICT ? refuse_passkey(service, "This passkey is in use already.")
				    : result;
}

enum result service_add_passkey(struct service *service, const char *name,
				struct passkey_claim *claim)
{
	struct adding adding = { name, claim };
	if (!name)
		violations_add(service->violations, "name", "The name field is required.");
	return service->violations->count > 0
		       ? E_INVALID
		       : service_transact(service, PERMISSION_READ, add_work, &adding, NULL);
}

static enum result remove_passkey_work(struct service *service, void *context)
{
	struct user user;
	const int64_t *id = context;
	enum result result = lock_self(service, &user);
	return result == OK ? remove_passkey(service, &user, *id) : result;
}

enum result service_remove_passkey(struct service *service, int64_t id)
{
	return service_transact(service, PERMISSION_READ, remove_passkey_work, &id, NULL);
}
