#include "app/handlers.h"

#include "app/input.h"
#include "app/operation.h"
#include "app/resources.h"
#include "app/respond.h"
#include "service/keys.h"
#include "service/resource/resource.h"
#include "wire/json.h"

/* POST /keys */

static struct json_object *created_tree(const struct created_key *created, const char *text)
{
	struct json_object *tree = json_row_tree(key_resource_fields, &created->key);
	json_put_text(tree, "key", text);
	return tree;
}

static void render_creation(struct exchange *exchange, const void *outcome)
{
	const struct created_key *created = outcome;
	resources_set_location(exchange, &created->key);
	exchange_respond_secret(exchange, 201, created_tree(created, NULL),
				created_tree(created, created->text));
	exchange_set_etag(exchange, created->key.id,
			  resource_revision(&resource_keys, &created->key));
}

enum result keys_create(struct exchange *exchange)
{
	struct key_input input = { 0 };
	struct created_key created;
	struct field_set sent = FIELD_SET_NONE;
	enum result result = exchange_body(exchange, &input, &sent);
	if (result != OK)
		return result;
	result = service_create_key(
		exchange_service(exchange, exchange_admit_creation, render_creation),
		exchange->service.principal.account_id, &input, sent, &created);
	return exchange_as_violation(exchange, result);
}

/* PUT /keys/{id} */
enum result keys_update(struct exchange *exchange)
{
	struct key_input input = { 0 };
	struct api_key key;
	struct field_set sent = FIELD_SET_NONE;
	enum result result = exchange_body(exchange, &input, &sent);
	if (result != OK)
		return result;
	return service_update_key(
		exchange_service(exchange, resources_admit_update, resources_render),
		exchange->match.id, &input, sent, &key);
}

/* DELETE /keys/{id} */

struct delete_input {
	bool with_made;
};
static const struct field delete_rows[] = {
	FIELD(struct delete_input, with_made,
	      .text = "Also revoke all keys that descend from this key: those that the key "
		      "has made, and so on. If the key itself is revoked already, revoke "
		      "only these descendants."),
};
const struct fields keys_delete_fields = { delete_rows, ARRAY_LEN(delete_rows) };

/* Checks If-Match. Returns E_NOT_FOUND if the key is revoked already: for clients, a revoked key is
 * deleted. */
static enum result admit_revocation(struct exchange *exchange, const void *current)
{
	const struct key_revocation *revocation = current;
	const struct api_key *key = &revocation->key;
	if (key->revoked_at.s > 0 && !revocation->with_made)
		return E_NOT_FOUND;
	return exchange_check_etag(exchange, key->id, resource_revision(&resource_keys, key));
}

static void render_revocation(struct exchange *exchange, const void *outcome)
{
	const struct key_revocation *revocation = outcome;
	resources_respond_deleted(exchange, revocation->id,
				  revocation->with_made ? "revoked_key_count" : NULL,
				  revocation->made_count);
}

enum result keys_delete(struct exchange *exchange)
{
	struct delete_input input = { 0 };
	struct key_revocation revocation;
	enum result result = exchange_query_of_write(exchange, &input);
	if (result != OK)
		return result;
	return service_revoke_key(exchange_service(exchange, admit_revocation, render_revocation),
				  exchange->match.id, input.with_made, &revocation);
}
