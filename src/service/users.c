#include "service/users.h"

void service_add_user_event(struct service *service, const struct user *user, enum event_kind kind,
			    const char *detail)
{
	service_add_event(service, &(struct event_change){
					   .kind = kind,
					   .account_id = user->account_id,
					   .object_id = user->id,
					   .detail = detail,
				   });
}

/* Adds the event of a new role. If the principal is the system, the event also names the cause:
 * single sign-on, or the file setup.token. */
static void add_role_event(struct service *service, const struct user *user, enum event_kind kind)
{
	bool is_given = service->principal.type == PRINCIPAL_SYSTEM;
	service_add_user_event(service, user, kind,
			       arena_printf(service->arena, "%s; role: %s%s%s", user->name,
					    user_role_words[user->role], is_given ? "; " : "",
					    is_given ? service->principal.label : ""));
}

static enum result make_link(struct service *service, struct user_link *link)
{
	link->ends_at = (struct instant){ service->now.s + USER_LINK_S };
	service_add_user_event(service, &link->user,
			       link->kind == USER_LINK_RECOVER ? EVENT_USER_RECOVERY_LINKED
							       : EVENT_USER_LINKED,
			       link->user.name);
	return user_set_link(service->db, link->user.id, link->kind, link->ends_at, link->token,
			     service->error);
}

struct adding {
	struct user_link *link;
	int64_t account_id;
	struct user_input input;
};

/* Refuses an identity that another user has. */
static enum result check_subject(struct service *service, const char *subject, int64_t user_id)
{
	struct user other;
	enum result result = subject ? user_find_by_subject(service->db, subject, service->arena,
							    &other, service->error)
				     : E_NOT_FOUND;
	if (result == OK && other.id != user_id) {
		violations_add(service->violations, "sso_subject",
			       "The sso subject has already been taken.");
		return E_INVALID;
	}
	return result == E_NOT_FOUND ? OK : result;
}

static enum result set_subject(struct service *service, struct user *user, const char *subject)
{
	enum result result = check_subject(service, subject, user->id);
	if (result != OK)
		return result;
	user->sso_subject = subject;
	service_add_user_event(service, user, EVENT_USER_UPDATED,
			       arena_printf(service->arena, "%s; sso_subject: %s", user->name,
					    subject ? subject : "none"));
	result = user_set_subject(service->db, user, service->error);
	return result == OK ? user_sessions_end(service->db, user->id, 0, service->error) : result;
}

static enum result change_role(struct service *service, const struct adding *adding)
{
	struct user *user = &adding->link->user;
	const char *subject = adding->input.sso_subject;
	bool has_role = user->account_id > 0;
	bool is_bound = !subject || str_eq(str_from(user->sso_subject), str_from(subject));
	if (has_role && user->role == adding->input.role && is_bound)
		return E_CONFLICT;
	enum result result = is_bound ? OK : set_subject(service, user, subject);
	if (result != OK || (has_role && user->role == adding->input.role))
		return result;
	user->role = adding->input.role;
	user->account_id = adding->account_id;
	add_role_event(service, user, EVENT_USER_UPDATED);
	result = user_set_role(service->db, user, service->error);
	if (result != OK)
		return result;
	/* If the user is new in the account, end the user's link, because an owner of another
	 * account may have made it. */
	return has_role ? user_sessions_end(service->db, user->id, user->account_id, service->error)
			: user_end_link(service->db, user->id, user->disabled_at, service->error);
}

enum result service_create_user(struct service *service, int64_t account_id,
				const struct user_input *input, struct user_link *link)
{
	struct user *user = &link->user;
	*user = (struct user){ .account_id = account_id, .created_at = service->now };
	user_merge(user, input, FIELD_SET_ALL);
	enum result result = check_subject(service, user->sso_subject, 0);
	if (result == OK)
		result = user_add(service->db, user, service->error);
	if (result == OK)
		result = user_set_role(service->db, user, service->error);
	if (result != OK)
		return result;
	add_role_event(service, user, EVENT_USER_CREATED);
	return link->is_unlinked ? OK : make_link(service, link);
}

static enum result add_work(struct service *service, void *context)
{
	const struct adding *adding = context;
	adding->link->token[0] = '\0';
	enum result result = user_find(service->db, adding->input.name, adding->account_id,
				       service->arena, &adding->link->user, service->error);
	/* Only the operator may give a role to a user who already exists. */
	if (result == OK && service->principal.account_id > 0) {
		violations_add(service->violations, "name", "The name has already been taken.");
		return E_INVALID;
	}
	if (result == OK)
		return change_role(service, adding);
	return result == E_NOT_FOUND ? service_create_user(service, adding->account_id,
							   &adding->input, adding->link)
				     : result;
}

enum result service_add_user(struct service *service, int64_t account_id,
			     const struct user_input *input, struct field_set sent,
			     struct user_link *link)
{
	struct adding adding = { link, account_id, *input };
	if (!principal_may(&service->principal, PERMISSION_MANAGE))
		return E_FORBIDDEN;
	user_check(&adding.input, sent, service->arena, service->violations);
	if (service->violations->count > 0)
		return E_INVALID;
	return service_transact(service, PERMISSION_MANAGE, add_work, &adding, link);
}

/* A change of a user in an account. */
struct changing {
	int64_t id;
	int64_t account_id;
	const struct user_change *change;
	struct field_set sent;
	struct user_link *link;
	struct user *user;
};

/* Checks that another owner of the account can sign in; for the operator, does nothing. Locks the
 * owners' rows until COMMIT: two owners cannot remove each other at the same time. */
static enum result keep_an_owner(struct service *service, const struct user *user)
{
	bool is_last;
	if (user->role != ROLE_OWNER || service->principal.type == PRINCIPAL_OPERATOR)
		return OK;
	enum result result =
		user_is_last_owner(service->db, user, service->arena, &is_last, service->error);
	if (result == OK && is_last)
		return error_client(service->error, E_CONFLICT,
				    "This is the last owner of the account. Make another person "
				    "an owner first.");
	return result;
}

/* Lets only the operator change a user who has several accounts. */
static enum result refuse_elsewhere(struct service *service, const struct user *user)
{
	bool is_elsewhere = false;
	if (service->principal.account_id == 0)
		return OK;
	enum result result =
		user_is_elsewhere(service->db, user, service->arena, &is_elsewhere, service->error);
	if (result == OK && is_elsewhere)
		return error_client(service->error, E_CONFLICT,
				    "This person belongs to another account, too: only the "
				    "operator (daymarkctl user) may do this.");
	return result;
}

static enum result find_user(struct service *service, const struct changing *changing,
			     struct user *user)
{
	enum result result = user_show(service->db, changing->id, changing->account_id, true,
				       service->arena, user, service->error);
	if (result == OK && changing->account_id > 0 && user->account_id == 0)
		result = E_NOT_FOUND;
	return result == OK ? service_admit(service, user) : result;
}

/* Checks that the principal may give the user another way to sign in. A key must not do this if the
 * new way bypasses the authenticator app or the passkeys (is_past_factor). */
static enum result refuse_new_access(struct service *service, const struct user *user,
				     bool is_past_factor)
{
	enum result result = refuse_elsewhere(service, user);
	if (result == OK && is_past_factor && service->principal.type == PRINCIPAL_KEY)
		return error_client(
			service->error, E_CONFLICT,
			"This person has an authenticator app or passkeys, which the link "
			"or the identity would replace: only an owner in the console or the "
			"operator (daymarkctl user) may do this.");
	return result;
}

/*
 * Whether the link bypasses a second factor of the user. A link for recovery bypasses the app and
 * the passkeys. Another link sets a password, which works instead of a passkey, but not instead of
 * the code of an app.
 */
static bool link_is_past_factor(const struct user_link *link)
{
	return link->kind == USER_LINK_RECOVER
		       ? user_has_factor(&link->user)
		       : link->user.passkey_count > 0 && link->user.totp_at.s == 0;
}

static enum result link_work(struct service *service, void *context)
{
	const struct changing *changing = context;
	struct user *user = &changing->link->user;
	enum result result = find_user(service, changing, user);
	if (result == OK)
		result = refuse_new_access(service, user, link_is_past_factor(changing->link));
	return result == OK ? make_link(service, changing->link) : result;
}

enum result service_link_user(struct service *service, int64_t id, struct user_link *link)
{
	struct changing changing = { .id = id,
				     .account_id = service->principal.account_id,
				     .link = link };
	return service_transact(service, PERMISSION_MANAGE, link_work, &changing, link);
}

enum result service_set_role(struct service *service, struct user *user, int role)
{
	enum result result = role < ROLE_OWNER ? keep_an_owner(service, user) : OK;
	if (result != OK)
		return result;
	user->role = role;
	add_role_event(service, user, EVENT_USER_UPDATED);
	result = user_set_role(service->db, user, service->error);
	return result == OK
		       ? user_sessions_end(service->db, user->id, user->account_id, service->error)
		       : result;
}

static enum result set_disabled(struct service *service, struct user *user, bool is_disabled)
{
	enum result result = refuse_elsewhere(service, user);
	if (result == OK && is_disabled)
		result = keep_an_owner(service, user);
	if (result != OK)
		return result;
	user->disabled_at = is_disabled ? service->now : (struct instant){ 0 };
	service_add_user_event(service, user,
			       is_disabled ? EVENT_USER_DISABLED : EVENT_USER_ENABLED, user->name);
	result = user_end_link(service->db, user->id, user->disabled_at, service->error);
	return result == OK && is_disabled
		       ? user_sessions_end(service->db, user->id, 0, service->error)
		       : result;
}

/* Changes the identity for single sign-on. The principal needs the same rights as for a link,
 * because with the identity the user can sign in to all accounts without a code. */
static enum result change_subject(struct service *service, struct user *user, const char *subject)
{
	enum result result = refuse_new_access(service, user, user_has_factor(user));
	if (result == OK && !subject && !user->password_hash)
		result = keep_an_owner(service, user);
	return result == OK ? set_subject(service, user, subject) : result;
}

static enum result update_work(struct service *service, void *context)
{
	const struct changing *changing = context;
	const struct user_change *change = changing->change;
	struct user *user = changing->user;
	enum result result = find_user(service, changing, user);
	if (result == OK && service->violations->count > 0)
		result = E_INVALID;
	if (result == OK && field_set_has(changing->sent, USER_CHANGE_ROLE) &&
	    change->role != user->role)
		result = service_set_role(service, user, change->role);
	if (result == OK && field_set_has(changing->sent, USER_CHANGE_SSO) &&
	    !str_eq(str_from(change->sso_subject), str_from(user->sso_subject)))
		result = change_subject(service, user, change->sso_subject);
	if (result == OK && field_set_has(changing->sent, USER_CHANGE_DISABLED) &&
	    change->is_disabled != (user->disabled_at.s > 0))
		result = set_disabled(service, user, change->is_disabled);
	return result;
}

enum result service_update_user(struct service *service, int64_t id,
				const struct user_change *change, struct field_set sent,
				struct user *user)
{
	struct changing changing = { .id = id,
				     .account_id = service->principal.account_id,
				     .change = change,
				     .sent = sent,
				     .user = user };
	return service_transact(service, PERMISSION_MANAGE, update_work, &changing, user);
}

static enum result delete_work(struct service *service, void *context)
{
	const struct changing *changing = context;
	struct user *user = changing->user;
	enum result result = find_user(service, changing, user);
	if (result == OK)
		result = keep_an_owner(service, user);
	if (result != OK)
		return result;
	service_add_user_event(service, user, EVENT_USER_DELETED, user->name);
	result = user_sessions_end(service->db, user->id, user->account_id, service->error);
	return result == OK ? user_delete(service->db, user, service->error) : result;
}

enum result service_delete_user(struct service *service, int64_t account_id, int64_t id,
				struct user *user)
{
	struct changing changing = { .id = id, .account_id = account_id, .user = user };
	return service_transact(service, PERMISSION_MANAGE, delete_work, &changing, user);
}
