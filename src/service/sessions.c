#include "service/sessions.h"

#include <string.h>

#include "service/passwords.h"
#include "service/second_factor.h"

static bool is_self(const struct service *service, int64_t user_id)
{
	return service->principal.type == PRINCIPAL_USER && service->principal.id == user_id;
}

/* Finds the account in which the principal may list or end the sessions of the user. If the user is
 * the principal, sets *account_id to 0, which means all accounts. */
static enum result find_reach(struct service *service, int64_t user_id, int64_t *account_id)
{
	struct user user;
	*account_id = is_self(service, user_id) ? 0 : service->principal.account_id;
	if (is_self(service, user_id))
		return OK;
	if (!principal_may(&service->principal, PERMISSION_MANAGE))
		return E_FORBIDDEN;
	enum result result = user_show(service->db, user_id, *account_id, false, service->arena,
				       &user, service->error);
	return result == OK && *account_id > 0 && user.account_id == 0 ? E_NOT_FOUND : result;
}

enum result service_list_sessions(struct service *service, int64_t user_id,
				  struct user_session_list *list)
{
	int64_t account_id;
	struct user_session_bounds bounds = user_session_bounds(service->config, service->now);
	enum result result = find_reach(service, user_id, &account_id);
	return result == OK ? user_session_list(service->db, user_id, account_id, bounds,
						service->arena, list, service->error)
			    : result;
}

static enum result end_work(struct service *service, void *context)
{
	const struct session_end *end = context;
	struct user_session one = { .id = end->id, .user_id = end->user_id };
	enum result result = find_reach(service, end->user_id, &one.account_id);
	if (result != OK)
		return result;
	service_add_event(service, &(struct event_change){
					   .kind = EVENT_SESSION_ENDED,
					   .account_id = service->principal.account_id,
					   .object_id = end->user_id,
					   .detail = end->id > 0 ? "one session" : "all sessions",
				   });
	if (end->id > 0)
		return user_session_end_one(service->db, &one, service->error);
	return is_self(service, end->user_id) && end->token
		       ? user_sessions_end_others(service->db, end->user_id, end->token,
						  service->error)
		       : user_sessions_end(service->db, end->user_id, one.account_id,
					   service->error);
}

enum result service_end_sessions(struct service *service, const struct session_end *end)
{
	struct session_end work = *end;
	return service_transact(service, PERMISSION_READ, end_work, &work, NULL);
}

struct confirming {
	const char *token;
	const char *code; /* `code` and `passkey`: NULL if not needed */
	struct passkey_claim *passkey;
};

static enum result confirm_work(struct service *service, void *context)
{
	const struct confirming *confirming = context;
	struct user user;
	enum result result = OK;
	if (confirming->code)
		result = user_show(service->db, service->principal.id, 0, true, service->arena,
				   &user, service->error);
	if (result == OK && confirming->code)
		result = second_factor_use(service, &user, confirming->code);
	if (confirming->passkey)
		result = passkey_use(service, confirming->passkey, &user);
	if (result == OK && confirming->passkey && user.id != service->principal.id)
		result = error_log(service->error, E_UNAUTHENTICATED,
				   "passkey of another person: user %lld", (long long)user.id);
	if (result == OK)
		result = user_session_confirm(service->db, confirming->token, service->now,
					      service->error);
	return result == E_NOT_FOUND ? E_UNAUTHENTICATED : result;
}

enum result service_confirm(struct service *service, const struct user_session *session,
			    const char *token, struct passkey_claim *claim)
{
	struct confirming confirming = { .token = token };
	const char *text = claim->text ? claim->text : "", *tidy = totp_tidy(text, service->arena);
	struct user user;
	bool is_right = false;
	enum result result = user_show(service->db, service->principal.id, 0, false, service->arena,
				       &user, service->error);
	if (result == OK && user_is_proven_by_front(&user, session, service->config->has_passwords))
		is_right = true;
	else if (strlen(text) > USER_PASSWORD_MAX)
		/* The text is longer than any password or code, so it must be a passkey. */
		confirming.passkey = claim;
	else if (result == OK && user.totp_at.s > 0)
		confirming.code = tidy;
	else if (result == OK && user.password_hash)
		result = service_password_matches(service, user.password_hash, text, &is_right);
	if (result == OK && !is_right && !confirming.code && !confirming.passkey)
		return error_log(service->error, E_UNAUTHENTICATED, "wrong password of user %lld",
				 (long long)user.id);
	return result == OK
		       ? service_transact(service, PERMISSION_READ, confirm_work, &confirming, NULL)
		       : result;
}

struct changing {
	const struct password_change *change;
	const char *hash;
	struct user user;
};

static enum result change_work(struct service *service, void *context)
{
	struct changing *changing = context;
	const struct principal *principal = &service->principal;
	enum result result = service_lock_unchanged(service, &changing->user);
	if (result == OK)
		result = user_set_password(service->db, principal->id, changing->hash,
					   service->error);
	if (result == OK)
		result = user_sessions_end_others(service->db, principal->id,
						  changing->change->token, service->error);
	/* If the user has an authenticator app, a new password does not confirm the session,
	 * because only a code does. */
	if (result == OK)
		result = (changing->user.totp_at.s > 0 ? user_session_touch : user_session_confirm)(
			service->db, changing->change->token, service->now, service->error);
	if (result == E_NOT_FOUND)
		return E_UNAUTHENTICATED; /* the session has ended during this request */
	service_add_event(service, &(struct event_change){
					   .kind = EVENT_USER_PASSWORD_SET,
					   .account_id = principal->account_id,
					   .object_id = principal->id,
					   .detail = principal->label,
				   });
	return result;
}

enum result service_change_password(struct service *service, const struct password_change *change)
{
	struct changing changing = { .change = change };
	struct user *user = &changing.user;
	bool is_right = true;
	enum result result = user_show(service->db, service->principal.id, 0, false, service->arena,
				       user, service->error);
	if (result == OK && user->password_hash)
		result = service_password_matches(service, user->password_hash,
						  change->current ? change->current : "",
						  &is_right);
	if (result == OK && !is_right)
		return error_log(service->error, E_UNAUTHENTICATED, "wrong password of user %lld",
				 (long long)user->id);
	if (result == OK && !user->password_hash && user_has_factor(user) && !change->is_fresh)
		return error_client(service->error, E_FORBIDDEN,
				    "Sign in with your passkey or your app first.");
	if (result == OK)
		result = service_hash_chosen(service, user, &change->chosen, &changing.hash);
	return result == OK
		       ? service_transact(service, PERMISSION_READ, change_work, &changing, NULL)
		       : result;
}

static enum result preferences_work(struct service *service, void *context)
{
	const struct principal *principal = &service->principal;
	service_add_event(service, &(struct event_change){
					   .kind = EVENT_USER_UPDATED,
					   .account_id = principal->account_id,
					   .object_id = principal->id,
					   .detail = principal->label,
				   });
	return user_set_preferences(service->db, principal->id, context, service->error);
}

enum result service_set_preferences(struct service *service, struct user_preferences *preferences)
{
	user_check_preferences(preferences, service->arena, service->violations);
	return service->violations->count > 0
		       ? E_INVALID
		       : service_transact(service, PERMISSION_READ, preferences_work, preferences,
					  NULL);
}
