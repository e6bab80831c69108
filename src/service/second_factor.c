#include "service/second_factor.h"

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

enum result second_factor_remove(struct service *service, struct user *user)
{
	user->totp_at = (struct instant){ 0 };
	user->totp_secret = user->recovery_hashes = NULL;
	add_event(service, user, EVENT_USER_FACTOR_REMOVED, "authenticator app");
	return user_set_factor(service->db, user, service->error);
}

/* The principal's row, locked. */
static enum result lock_self(struct service *service, struct user *user)
{
	const struct principal *principal = &service->principal;
	if (principal->type != PRINCIPAL_USER)
		return E_FORBIDDEN;
	return user_show(service->db, principal->id, principal->account_id, true, service->arena,
			 user, service->error);
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

/* A code of the new secret cannot have been used, and the step of an earlier app does not count. */
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
	/* The other sessions began without the app. */
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
