/* daymarkctl key create|list|revoke */
#include "base/clock.h"
#include "ctl/ctl.h"
#include "service/keys.h"
#include "wire/json.h"

static void print_created(struct ctl *ctl, const struct api_key *key, const char *text)
{
	if (ctl->is_json) {
		struct json_object *tree = json_row_tree(key_fields, key);
		json_put_text(tree, "key", text);
		ctl_print_json(tree);
		return;
	}
	/* Print only the key on standard output, for scripts. */
	printf("%s\n", text);
	fprintf(stderr,
		"Key %lld: note the key now, since no command shows a key again. Send "
		"the key as: Authorization: Bearer %.6s...\n",
		(long long)key->id, text);
}

static int key_create_run(struct ctl *ctl)
{
	int64_t account_id;
	struct service service = ctl_service(ctl);
	struct key_input input = { 0 };
	struct field_set sent;
	struct created_key created;
	int status = ctl_read_new(ctl, &input, &sent, &account_id);
	if (status != CTL_OK)
		return status;
	enum result result = service_create_key(&service, account_id, &input, sent, &created);
	if (result != OK)
		return ctl_fail(ctl, result, "the key cannot be created");
	print_created(ctl, &created.key, created.text);
	return ctl_published(ctl, &service);
}

const struct ctl_command key_create_command = {
	.words = "key create",
	.summary = "Create an API key and print it once",
	.run = key_create_run,
	.form = &key_create_fields,
	.options = { CTL_ACCOUNT_OPTION },
};

static const char *state_text(struct arena *arena, const void *row)
{
	const struct api_key *key = row;
	(void)arena;
	if (api_key_is_valid(key, clock_now()))
		return "valid";
	return key->revoked_at.s ? "revoked" : "expired";
}

static const char *access_text(struct arena *arena, const void *row)
{
	const struct api_key *key = row;
	(void)arena;
	if (key->location)
		return "check";
	return key->is_read_only ? "read" : "write";
}

static const char *maker_text(struct arena *arena, const void *row)
{
	const struct api_key *key = row;
	return key->made_by_id > 0 ? arena_printf(arena, "key %lld", (long long)key->made_by_id)
				   : "-";
}

static const struct ctl_column columns[] = {
	{ "ID", "id", NULL },
	{ "ACCOUNT", "account_id", NULL },
	{ "LABEL", "label", NULL },
	{ "STATE", NULL, state_text },
	{ "ACCESS", NULL, access_text },
	{ "LOCATION", "location", NULL },
	{ "EXPIRES", "expires_at", NULL },
	{ "LAST USED", "last_used_at", NULL },
	{ "MADE BY", NULL, maker_text },
	{ 0 },
};
static const struct ctl_list list = { "keys", columns, &key_fields, &resource_keys };

const struct ctl_command key_list_command = {
	.words = "key list",
	.summary = "List the API keys, without the keys themselves",
	.run = ctl_list,
	.list = &list,
	.options = { { "account", "ACCOUNT", "only this account's" } },
};

static int key_revoke_run(struct ctl *ctl)
{
	int64_t id;
	if (ctl_read_id(ctl, "a key", &id) != CTL_OK)
		return CTL_USAGE;
	struct service service = ctl_service(ctl);
	struct key_revocation revocation;
	bool with_made = ctl_option(ctl, "with-made") != NULL;
	enum result result = service_revoke_key(&service, id, with_made, &revocation);
	if (result != OK)
		return ctl_fail_find(ctl, result, "key", ctl->arguments[0]);
	struct json_object *tree = ctl_done_tree(id, "revoked");
	if (with_made)
		json_put_int(tree, "revoked_key_count", revocation.made_count);
	if (with_made)
		ctl_say(ctl, tree, "Revoked key %lld. Revoked descendants: %lld.", (long long)id,
			(long long)revocation.made_count);
	else
		ctl_say(ctl, tree, "Revoked key %lld.", (long long)id);
	return CTL_OK;
}

const struct ctl_command key_revoke_command = {
	.words = "key revoke",
	.arguments = "ID",
	.summary = "Revoke an API key; this cannot be undone",
	.run = key_revoke_run,
	.options = { { "with-made", NULL, "also all keys that descend from this key" } },
};
