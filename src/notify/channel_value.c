#include "notify/channel_value.h"

#include "base/secret.h"
#include "wire/json.h"
#include "wire/json_read.h"

static struct str owner_of(int64_t account_id, struct arena *arena)
{
	return str_from(arena_printf(arena, "channels of account %lld", (long long)account_id));
}

enum result channel_value_seal(struct alert_channel *channel, const struct signing_key *key,
			       struct arena *arena, struct error *error)
{
	struct buf text CLEANUP(buf_done) = BUF_INIT(256 << 10);
	json_print_fields(&text, alert_channel_sealed_fields, &channel->value);
	if (!buf_ok(&text))
		return error_log(error, E_BUSY, "no memory for the value of a channel");
	channel->sealed_value = secret_seal(key->bytes, owner_of(channel->account_id, arena),
					    (struct str){ text.data, text.len }, arena);
	return OK;
}

bool channel_value_open(struct alert_channel_value *value, int64_t account_id, const char *sealed,
			const struct signing_key *key, struct arena *arena)
{
	struct json_object *root = NULL;
	struct error error = { 0 };
	const char *text =
		secret_open(key->bytes, owner_of(account_id, arena), str_from(sealed), arena);
	*value = (struct alert_channel_value){ 0 };
	if (!text || json_read(str_from(text), &root, &error) != OK)
		return false;
	for (size_t i = 0; i < alert_channel_sealed_fields.count; i++) {
		const struct field *field = &alert_channel_sealed_fields.rows[i];
		*FIELD_AT(value, field, const char *) =
			json_text(json_member(root, field->name), arena);
	}
	json_free(root);
	return true;
}
