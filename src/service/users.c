#include "service/users.h"

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
