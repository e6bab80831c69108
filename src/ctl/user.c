/* daymarkctl user add|list|reset|disable|delete */
#include "ctl/ctl.h"
#include "service/users.h"
#include "wire/json.h"

#define SIGN_IN_OPTION \
	{ \
		"sign-in", NULL, "The link signs the person in, and sets no password." \
	}

static const char *link_url(struct ctl *ctl, const struct user_link *link)
{
	const char *base_url = config_console_base(&ctl->config, ctl->config.base_url);
	return arena_printf(&ctl->arena, "%s/console/%s/%s", base_url ? base_url : "",
			    user_link_words[link->kind], link->token);
}

static void tell_console_is_off(const struct ctl *ctl)
{
	if (!ctl->config.has_console)
		fprintf(stderr, "The console is off, and the link does not work: set enabled = yes "
				"in [console] of daymark.conf.\n");
}

/* Prints only the link on standard output, for scripts. */
static void print_link(struct ctl *ctl, const struct user_link *link)
{
	if (ctl->is_json) {
		struct json_object *tree = json_row_tree(user_fields, &link->user);
		json_put_text(tree, "link", link->token[0] ? link_url(ctl, link) : NULL);
		ctl_print_json(tree);
	} else if (link->token[0]) {
		printf("%s\n", link_url(ctl, link));
		ctl_line(stderr, "User %s: the link works once, until %s, and is not shown again.",
			 link->user.name, ctl_time(&ctl->arena, link->ends_at));
	} else {
		ctl_line(stdout, "User %s is now %s of account %lld.", link->user.name,
			 user_role_words[link->user.role], (long long)link->user.account_id);
	}
	if (link->token[0])
		tell_console_is_off(ctl);
}

static enum user_link_kind kind_of(const struct ctl *ctl, enum user_link_kind kind)
{
	return ctl_option(ctl, "sign-in") ? USER_LINK_ENTER : kind;
}

static int user_add_run(struct ctl *ctl)
{
	int64_t account_id;
	struct service service = ctl_service(ctl);
	struct user_input input = { 0 };
	struct field_set sent;
	struct user_link link = { .kind = kind_of(ctl, USER_LINK_INVITE) };
	int status = ctl_read_new(ctl, &input, &sent, &account_id);
	if (status != CTL_OK)
		return status;
	link.is_unlinked = input.sso_subject != NULL;
	enum result result = service_add_user(&service, account_id, &input, sent, &link);
	if (result == E_CONFLICT)
		return ctl_fail(ctl, result, "user %s has this role already", input.name);
	if (result != OK)
		return ctl_fail(ctl, result, "the user cannot be added");
	print_link(ctl, &link);
	return CTL_OK;
}

const struct ctl_command user_add_command = {
	.words = "user add",
	.arguments = "NAME",
	.summary = "Give a person a role in an account; print a link to set a password",
	.run = user_add_run,
	.form = &user_create_fields,
	.options = { SIGN_IN_OPTION, CTL_ACCOUNT_OPTION },
};

static const char *role_text(struct arena *arena, const void *row)
{
	const struct user *user = row;
	(void)arena;
	return user->account_id > 0 ? user_role_words[user->role] : "-";
}

static const char *state_text(struct arena *arena, const void *row)
{
	const struct user *user = row;
	(void)arena;
	if (user->disabled_at.s > 0)
		return "disabled";
	if (user->sso_subject)
		return "sso";
	return user->password_hash ? "valid" : "no password";
}

static const struct ctl_column columns[] = {
	{ "ID", "id", NULL },
	{ "NAME", "name", NULL },
	{ "EMAIL", "email", NULL },
	{ "ACCOUNT", "account_id", NULL },
	{ "ROLE", NULL, role_text },
	{ "STATE", NULL, state_text },
	{ "LAST SIGN-IN", "signed_in_at", NULL },
	{ 0 },
};
static const struct ctl_list list = { "users", columns, &user_fields, &resource_users };

const struct ctl_command user_list_command = {
	.words = "user list",
	.summary = "List the people who may sign in to the console",
	.run = ctl_list,
	.list = &list,
	.options = { { "account", "ACCOUNT", "only this account's" } },
};

/* Finds the user whom the first argument names, in any account. */
static enum result find_user(struct ctl *ctl, struct user *user)
{
	struct service service = ctl_service(ctl);
	return user_find(service.db, ctl->arguments[0], 0, service.arena, user, service.error);
}

static int user_reset_run(struct ctl *ctl)
{
	struct service service = ctl_service(ctl);
	bool is_recovery = ctl_option(ctl, "remove-2fa");
	struct user_link link = { .kind = kind_of(ctl, is_recovery ? USER_LINK_RECOVER
								   : USER_LINK_RESET) };
	struct user user;
	if (is_recovery && ctl_option(ctl, "sign-in"))
		return ctl_usage(ctl, "--sign-in and --remove-2fa exclude each other");
	enum result result = find_user(ctl, &user);
	if (result == OK)
		result = service_link_user(&service, user.id, &link);
	if (result != OK)
		return ctl_fail_find(ctl, result, "user", ctl->arguments[0]);
	print_link(ctl, &link);
	if (user_has_factor(&link.user))
		ctl_line(stderr,
			 "The authenticator app, the recovery codes and the passkeys of %s %s.",
			 link.user.name,
			 is_recovery ? "are removed when the link is used"
				     : "stay; --remove-2fa makes a link that removes them");
	return CTL_OK;
}

const struct ctl_command user_reset_command = {
	.words = "user reset",
	.arguments = "NAME",
	.summary = "Print a link by which the person sets a new password, also if disabled",
	.run = user_reset_run,
	.options = { SIGN_IN_OPTION,
		     { "remove-2fa", NULL,
		       "The link also removes the authenticator app, the recovery codes and the "
		       "passkeys." } },
};

static int user_disable_run(struct ctl *ctl)
{
	struct service service = ctl_service(ctl);
	struct user user;
	const struct user_change change = { .is_disabled = true };
	enum result result = find_user(ctl, &user);
	if (result == OK)
		result = service_update_user(&service, user.id, &change,
					     FIELD_SET(USER_CHANGE_DISABLED), &user);
	if (result != OK)
		return ctl_fail_find(ctl, result, "user", ctl->arguments[0]);
	ctl_say(ctl, ctl_done_tree(user.id, "disabled"), "Disabled user %lld (%s).",
		(long long)user.id, user.name);
	return CTL_OK;
}

const struct ctl_command user_disable_command = {
	.words = "user disable",
	.arguments = "NAME",
	.summary = "Keep a person from signing in, and end the sessions",
	.run = user_disable_run,
};

static int user_delete_run(struct ctl *ctl)
{
	struct service service = ctl_service(ctl);
	int64_t account_id;
	struct user user;
	int status = ctl_account(ctl, &account_id);
	if (status != CTL_OK)
		return status;
	enum result result = find_user(ctl, &user);
	if (result == OK)
		result = service_delete_user(&service, account_id, user.id, &user);
	if (result != OK)
		return ctl_fail_find(ctl, result, "user", ctl->arguments[0]);
	ctl_say(ctl, ctl_done_tree(user.id, "deleted"), "User %s has no access to account %lld.",
		user.name, (long long)account_id);
	return CTL_OK;
}

const struct ctl_command user_delete_command = {
	.words = "user delete",
	.arguments = "NAME",
	.summary = "End a person's role in an account; delete a person without another role",
	.run = user_delete_run,
	.options = { CTL_ACCOUNT_OPTION },
};
