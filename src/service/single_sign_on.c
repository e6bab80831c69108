#include "service/single_sign_on.h"

#include <string.h>

#include "service/users.h"
#include "store/account/account.h"

bool front_subject_is_valid(const char *subject)
{
	const struct str text = str_from(subject);
	if (text.len == 0 || !str_is_text(text) || str_chars(text) > USER_SUBJECT_MAX_CHARS)
		return false;
	for (size_t i = 0; i < text.len; i++)
		if ((unsigned char)subject[i] < ' ' || subject[i] == 0x7f)
			return false;
	return subject[0] != ' ' && subject[text.len - 1] != ' ';
}

/* Chooses the name of a new user: the e-mail address if it is known, otherwise the identity. If
 * this text is too long, or another user has this name, makes a name from the hash of the
 * identity. */
static enum result choose_name(struct service *service, const struct front_person *person,
			       const char **name)
{
	struct user other;
	*name = person->email ? person->email : person->subject;
	enum result found =
		str_chars(str_from(*name)) > USER_NAME_MAX_CHARS
			? OK
			: user_find(service->db, *name, 0, service->arena, &other, service->error);
	if (found == OK)
		*name = arena_printf(service->arena, "sso-%s",
				     secret_hash_hex(service->arena, person->subject,
						     strlen(person->subject), 16));
	return found == E_NOT_FOUND ? OK : found;
}

static enum result create(struct service *service, const struct front_person *person,
			  int64_t account_id, int role, struct user *user)
{
	struct user_link link = { .is_unlinked = true };
	struct user_input input = { .email = person->email,
				    .role = role,
				    .sso_subject = person->subject };
	enum result result = choose_name(service, person, &input.name);
	if (result != OK)
		return result;
	user_check(&input, FIELD_SET_ALL, service->arena, service->violations);
	if (service->violations->count > 0)
		return error_log(service->error, E_UNAUTHENTICATED,
				 "the web server told a person that cannot be stored");
	result = service_create_user(service, account_id, &input, &link);
	*user = link.user;
	return result;
}

/* Sets the user's role by the groups of the person. If no group gives a role (role < 0), a user who
 * has a role becomes a reader. The last owner stays an owner; the event of the session records
 * this. */
static enum result follow_groups(struct service *service, int64_t account_id, int role,
				 struct begun_session *begun)
{
	struct user user;
	int wanted = role < 0 ? ROLE_READER : role;
	enum result result = user_show(service->db, begun->user.id, account_id, true,
				       service->arena, &user, service->error);
	bool has_role = result == OK && user.account_id > 0;
	if (result != OK || (has_role ? user.role == wanted : role < 0))
		return result;
	user.account_id = account_id;
	result = service_set_role(service, &user, wanted);
	if (result != E_CONFLICT)
		return result;
	*service->error = (struct error){ 0 };
	begun->note = "stays the last owner";
	return OK;
}

struct arriving {
	const struct front_person *person;
	struct begun_session *begun;
};

/* Finds or creates the user, and sets the user's role in sso_account. */
static enum result find_user(struct service *service, const struct front_person *person,
			     struct begun_session *begun)
{
	const struct config *config = service->config;
	bool creates = strcmp(config->sso_create, CONFIG_CREATE_READER) == 0;
	int role = config_role_of_groups(config->sso_groups, person->groups);
	struct account account = { 0 };
	enum result found = user_find_by_subject(service->db, person->subject, service->arena,
						 &begun->user, service->error);
	if (found != OK && found != E_NOT_FOUND)
		return found;
	if (found == E_NOT_FOUND && !creates)
		return error_log(service->error, E_UNAUTHENTICATED, "no user has the identity");
	if (!config->sso_account)
		return OK;
	enum result result = account_find(service->db, config->sso_account, service->arena,
					  &account, service->error);
	if (result == E_NOT_FOUND)
		return error_log(service->error, E_FAILED,
				 "[console] sso_account names no account");
	if (result == OK && found == E_NOT_FOUND)
		return create(service, person, account.id, role < 0 ? ROLE_READER : role,
			      &begun->user);
	return result == OK && config->sso_groups ? follow_groups(service, account.id, role, begun)
						  : result;
}

static enum result arrive_work(struct service *service, void *context)
{
	const struct arriving *arriving = context;
	const char *subject = arriving->person->subject;
	struct begun_session *begun = arriving->begun;
	struct user *user = &begun->user;
	service->principal.type = PRINCIPAL_SYSTEM;
	service->principal.label = "single sign-on";
	begun->way = USER_BY_FRONT;
	begun->sso_subject = subject;
	enum result result = find_user(service, arriving->person, begun);
	if (result == OK)
		result = user_show(service->db, user->id, 0, true, service->arena, user,
				   service->error);
	/* The database also finds an identity that differs only in blanks at its end. */
	if (result == OK && (!user_may_sign_in(user) || !user->sso_subject ||
			     strcmp(user->sso_subject, subject) != 0))
		return error_log(service->error, E_UNAUTHENTICATED, "user %lld has no access",
				 (long long)user->id);
	return result == OK ? service_begin_session(service, NULL, begun) : result;
}

enum result service_sign_in_by_front(struct service *service, const struct front_person *person,
				     struct begun_session *begun)
{
	struct arriving arriving = { person, begun };
	return service_transact(service, PERMISSION_NONE, arrive_work, &arriving, begun);
}
