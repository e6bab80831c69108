#include "service/users.h"

#include "service/passwords.h"

static void add_event(struct service *service, const struct user *user, enum event_kind kind,
		      const char *detail)
{
	service_add_event(service, &(struct event_change){
					   .kind = kind,
					   .account_id = user->account_id,
					   .object_id = user->id,
					   .detail = detail,
				   });
}

static enum result make_link(struct service *service, struct user_link *link)
{
	link->ends_at = (struct instant){ service->now.s + USER_LINK_S };
	link->user.disabled_at = (struct instant){ 0 };
	add_event(service, &link->user, EVENT_USER_LINKED, link->user.name);
	return user_set_link(service->db, link->user.id, link->kind, link->ends_at, link->token,
			     service->error);
}

struct adding {
	struct user_link *link;
	int64_t account_id;
	struct user_input input;
};

static enum result change_role(struct service *service, const struct adding *adding)
{
	struct user *user = &adding->link->user;
	bool has_role = user->account_id > 0;
	if (has_role && user->role == adding->input.role)
		return E_CONFLICT;
	user->role = adding->input.role;
	user->account_id = adding->account_id;
	add_event(service, user, EVENT_USER_UPDATED,
		  arena_printf(service->arena, "%s; role: %s", user->name,
			       user_role_words[user->role]));
	enum result result = user_set_role(service->db, user, service->error);
	return result == OK && has_role
		       ? user_sessions_end(service->db, user->id, user->account_id, service->error)
		       : result;
}

static enum result add_new(struct service *service, const struct adding *adding)
{
	struct user *user = &adding->link->user;
	*user = (struct user){ .account_id = adding->account_id, .created_at = service->now };
	user_merge(user, &adding->input, FIELD_SET_ALL);
	enum result result = user_add(service->db, user, service->error);
	if (result == OK)
		result = user_set_role(service->db, user, service->error);
	if (result != OK)
		return result;
	add_event(service, user, EVENT_USER_CREATED,
		  arena_printf(service->arena, "%s; role: %s", user->name,
			       user_role_words[user->role]));
	return make_link(service, adding->link);
}

static enum result add_work(struct service *service, void *context)
{
	const struct adding *adding = context;
	adding->link->token[0] = '\0';
	enum result result = user_find(service->db, adding->input.name, adding->account_id,
				       service->arena, &adding->link->user, service->error);
	if (result == OK)
		return change_role(service, adding);
	return result == E_NOT_FOUND ? add_new(service, adding) : result;
}

enum result service_add_user(struct service *service, int64_t account_id,
			     const struct user_input *input, struct field_set sent,
			     struct user_link *link)
{
	struct adding adding = { link, account_id, *input };
	user_check(&adding.input, sent, service->arena, service->violations);
	if (service->violations->count > 0)
		return E_INVALID;
	return service_transact(service, PERMISSION_MANAGE, add_work, &adding, link);
}

/* A change of the user of this name. */
struct naming {
	const char *name;
	struct user_link *link;
	struct user *user;
};

static enum result link_work(struct service *service, void *context)
{
	const struct naming *naming = context;
	enum result result = user_find(service->db, naming->name, 0, service->arena,
				       &naming->link->user, service->error);
	return result == OK ? make_link(service, naming->link) : result;
}

enum result service_link_user(struct service *service, const char *name, struct user_link *link)
{
	struct naming naming = { .name = name, .link = link };
	return service_transact(service, PERMISSION_MANAGE, link_work, &naming, link);
}

static enum result disable_work(struct service *service, void *context)
{
	const struct naming *naming = context;
	struct user *user = naming->user;
	enum result result =
		user_find(service->db, naming->name, 0, service->arena, user, service->error);
	if (result != OK || user->disabled_at.s > 0)
		return result;
	user->disabled_at = service->now;
	add_event(service, user, EVENT_USER_DISABLED, user->name);
	result = user_disable(service->db, user->id, service->now, service->error);
	return result == OK ? user_sessions_end(service->db, user->id, 0, service->error) : result;
}

enum result service_disable_user(struct service *service, const char *name, struct user *user)
{
	struct naming naming = { .name = name, .user = user };
	return service_transact(service, PERMISSION_MANAGE, disable_work, &naming, user);
}

enum result service_list_users(struct service *service, int64_t account_id, int64_t after_id,
			       struct user_list *list)
{
	if (!principal_may(&service->principal, PERMISSION_MANAGE))
		return E_FORBIDDEN;
	return user_list(service->db, account_id, after_id, service->arena, list, service->error);
}

/* The session begins: from here on the user is the principal, whom the events name. */
static enum result begin_session(struct service *service, const char *password_hash,
				 struct begun_session *begun)
{
	const struct user *user = &begun->user;
	const struct user_session session = { .user_id = user->id,
					      .account_id = user->account_id,
					      .user_name = user->name,
					      .role = user->role,
					      .created_at = service->now };
	struct principal principal = user_principal(&session);
	principal.address = service->principal.address;
	principal.request_id = service->principal.request_id;
	service->principal = principal;
	add_event(service, user, EVENT_SESSION_STARTED, user->name);
	enum result result =
		user_sign_in(service->db, user->id, password_hash, service->now, service->error);
	if (result == OK && begun->former)
		result = user_session_end(service->db, begun->former, service->error);
	if (result == OK)
		result = user_session_add(service->db, &session, begun->token, service->error);
	return result;
}

struct using
{
	const struct link_use *use;
	const char *password_hash; /* NULL: the password stays */
	struct begun_session *begun;
};

static enum result find_link(struct service *service, const struct link_use *use, bool is_locked,
			     struct user *user)
{
	const struct user_link_place place = { use->token, use->kind, service->now, is_locked };
	enum result result =
		user_find_by_link(service->db, &place, service->arena, user, service->error);
	return result == OK && !user_may_sign_in(user) ? E_NOT_FOUND : result;
}

static enum result use_work(struct service *service, void *context)
{
	const struct using *using = context;
	struct user *user = &using->begun->user;
	enum result result = find_link(service, using->use, true, user);
	if (result == OK && using->password_hash)
		result = user_sessions_end(service->db, user->id, 0, service->error);
	if (result == OK)
		result = begin_session(service, using->password_hash, using->begun);
	if (result == OK && using->password_hash)
		add_event(service, user, EVENT_USER_PASSWORD_SET, user->name);
	return result;
}

enum result service_find_link(struct service *service, enum user_link_kind kind, const char *token,
			      struct user *user)
{
	return find_link(service, &(struct link_use){ .kind = kind, .token = token }, false, user);
}

enum result service_use_link(struct service *service, const struct link_use *use,
			     struct begun_session *begun)
{
	struct using using = { .use = use, .begun = begun };
	/* A wrong link costs no hash, and a wrong password does not use the link up. */
	enum result result = find_link(service, use, false, &begun->user);
	if (result == OK && use->kind != USER_LINK_ENTER) {
		user_check_password(use->password, use->again, service->violations);
		if (service->violations->count > 0)
			return E_INVALID;
		result = service_hash_password(service, use->password, &using.password_hash);
	}
	return result == OK ? service_transact(service, PERMISSION_NONE, use_work, &using, begun)
			    : result;
}

/* The hash of a random text, for users who do not exist: the time must not tell that. */
static const char no_password[] = "$argon2id$v=19$m=19456,t=2,p=1$MDEyMzQ1Njc4OWFiY2RlZg$"
				  "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

static enum result refuse_sign_in(struct service *service, enum result found,
				  const struct user *user, bool is_right)
{
	if (found == E_NOT_FOUND)
		return error_log(service->error, E_UNAUTHENTICATED, "no user has this name");
	return error_log(service->error, E_UNAUTHENTICATED, "%s of user %lld",
			 !is_right ? "wrong password" : "right password, but no access",
			 (long long)user->id);
}

static enum result sign_in_work(struct service *service, void *context)
{
	const struct using *using = context;
	return begin_session(service, NULL, using->begun);
}

enum result service_sign_in(struct service *service, const char *name, const char *password,
			    struct begun_session *begun)
{
	struct using using = { .begun = begun };
	struct user *user = &begun->user;
	bool is_right = false;
	*user = (struct user){ 0 };
	enum result found =
		user_find(service->db, name ? name : "", 0, service->arena, user, service->error);
	if (found != OK && found != E_NOT_FOUND)
		return found;
	const char *hash = user->password_hash ? user->password_hash : no_password;
	enum result result =
		service_password_matches(service, hash, password ? password : "", &is_right);
	if (result != OK)
		return result;
	if (!is_right || !user->password_hash || !user_may_sign_in(user))
		return refuse_sign_in(service, found, user, is_right);
	return service_transact(service, PERMISSION_NONE, sign_in_work, &using, begun);
}

static enum result sign_out_work(struct service *service, void *context)
{
	const char *token = context;
	const struct principal *principal = &service->principal;
	const struct user user = { .id = principal->id, .account_id = principal->account_id };
	add_event(service, &user, EVENT_SESSION_ENDED, principal->label);
	return user_session_end(service->db, token, service->error);
}

enum result service_sign_out(struct service *service, const char *token)
{
	return service_transact(service, PERMISSION_READ, sign_out_work,
				arena_strdup(service->arena, token), NULL);
}
