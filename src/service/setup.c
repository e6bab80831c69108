#include "service/setup.h"

#include "access/setup_token.h"
#include "service/accounts.h"
#include "service/users.h"

static const char proof[] = "setup.token";

/* Compares `typed` with the file's token, in constant time. */
static enum result check_token(struct service *service, const char *typed)
{
	struct str token;
	enum result result = setup_token_read(service->config->setup_token, service->arena, &token);
	if (result != OK)
		return E_NOT_FOUND;
	return secret_is_equal(token, str_from(typed ? typed : ""))
		       ? OK
		       : error_log(service->error, E_UNAUTHENTICATED,
				   "wrong content of setup.token");
}

static enum result find_account(struct service *service, const char *name, struct account *account)
{
	enum result result =
		account_find(service->db, name, service->arena, account, service->error);
	if (result != E_NOT_FOUND)
		return result;
	*account = (struct account){ .name = name };
	result = service_create_account(service, account);
	if (result != E_CONFLICT)
		return result;
	violations_add(service->violations, "account", "The account is being removed.");
	return E_INVALID;
}

static enum result refuse_name(struct service *service)
{
	violations_add(service->violations, "name", "The name has already been taken.");
	return E_INVALID;
}

/* Makes the system the principal again: an earlier attempt of the transaction may have made the new
 * user the principal. */
static void become_system(struct service *service)
{
	service->principal = (struct principal){
		.type = PRINCIPAL_SYSTEM,
		.label = proof,
		.address = service->principal.address,
		.request_id = service->principal.request_id,
	};
}

struct setting_up {
	const struct user_input *input;
	const char *account;
	const char *password_hash;
	struct begun_session *begun;
};

static enum result set_up_work(struct service *service, void *context)
{
	const struct setting_up *setting = context;
	struct user_link link = { .is_unlinked = true };
	struct account account;
	struct user other;
	become_system(service);
	enum result result = user_find(service->db, setting->input->name, 0, service->arena, &other,
				       service->error);
	if (result == OK)
		return refuse_name(service);
	if (result == E_NOT_FOUND)
		result = find_account(service, setting->account, &account);
	if (result == OK)
		result = service_create_user(service, account.id, setting->input, &link);
	if (result == E_CONFLICT)
		return refuse_name(service);
	if (result != OK)
		return result;
	setting->begun->user = link.user;
	setting->begun->way = USER_BY_PASSWORD;
	setting->begun->note = proof;
	return service_begin_session(service, setting->password_hash, setting->begun);
}

/* Does all checks of the input that need no database, and hashes the password. */
static enum result check(struct service *service, const struct setup_input *input,
			 struct user_input *person, const char **password_hash)
{
	const struct user named = { .name = input->name ? input->name : "" };
	const struct link_use chosen = { .password = input->password, .again = input->again };
	struct account_input account = { .name = input->account };
	struct violations found = { .arena = service->arena };
	user_check(person, FIELD_SET(USER_FIELD_role), service->arena, service->violations);
	account_check(&account, service->arena, &found);
	if (found.count > 0)
		violations_add(service->violations, "account", "%s",
			       "The account field must have 1 to 255 characters, and must not be a "
			       "number.");
	return service_hash_chosen(service, &named, &chosen, password_hash);
}

enum result service_set_up(struct service *service, const struct setup_input *input,
			   struct begun_session *begun)
{
	const char *path = service->config->setup_token, *taken = NULL;
	struct user_input person = { .name = input->name, .role = ROLE_OWNER };
	struct setting_up setting = { .input = &person, .account = input->account, .begun = begun };
	enum result result = check_token(service, input->token);
	if (result == OK)
		result = check(service, input, &person, &setting.password_hash);
	if (result == OK)
		result = setup_token_take(path, service->arena, &taken, service->error);
	if (result != OK)
		return result;
	result = service_transact(service, PERMISSION_NONE, set_up_work, &setting, begun);
	if (result == OK)
		setup_token_delete(taken);
	else
		setup_token_put_back(taken, path);
	return result;
}
