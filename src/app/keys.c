#include "app/keys.h"

#include "app/idempotency.h"
#include "app/operation.h"
#include "app/respond.h"
#include "service/keys.h"
#include "wire/json.h"

/* GET / */

struct list_input {
	int per_page;
	int64_t page;
};
static const struct field query_rows[] = { EXCHANGE_PAGE_ROWS(struct list_input, "keys") };
const struct fields keys_query_fields = { query_rows, ARRAY_LEN(query_rows) };

enum result keys_list(struct exchange *exchange)
{
	struct list_input input = { .page = 1, .per_page = exchange_per_page_default(exchange) };
	struct list_page page;
	struct api_key_page found;
	enum result result = exchange_query(exchange, &input);
	if (result == OK)
		result = exchange_begin_list(exchange, input.per_page, input.page, &page);
	if (result != OK)
		return result;
	const struct api_key_query query = { exchange->principal.account_id, page.size,
					     page.offset };
	result =
		api_key_list_page(exchange->db, &query, &exchange->arena, &found, &exchange->error);
	if (result != OK)
		return result;
	const struct list_rows list = { found.rows, sizeof(*found.rows), found.count, found.total };
	exchange_respond_rows(exchange, key_resource_fields, &list, &page);
	return OK;
}

static struct json_object *key_tree(const struct api_key *key)
{
	struct json_object *tree = json_object_tree();
	json_put_fields(tree, key_resource_fields, key);
	return tree;
}

/* A use of the key changes what clients read. */
static int64_t revision_of(const struct api_key *key)
{
	return exchange_hash(key_resource_fields, key);
}

/* GET /{id} */

enum result keys_show(struct exchange *exchange)
{
	struct api_key key;
	enum result result = api_key_show(exchange->db, exchange->principal.account_id,
					  exchange->match.id, &exchange->arena, &key,
					  &exchange->error);
	if (result != OK)
		return result;
	exchange_set_etag(exchange, key.id, revision_of(&key));
	if (!exchange_is_unchanged(exchange, key.id, revision_of(&key)))
		exchange_respond(exchange, 200, key_tree(&key));
	return OK;
}

/* POST / */

static void respond_created(struct exchange *exchange, const struct created_key *created,
			    const char *text)
{
	struct json_object *tree = key_tree(&created->key);
	json_put_text(tree, "key", text);
	exchange_respond(exchange, 201, tree);
}

/* The stored response has no key: a copy of the database must not contain valid keys. */
static void render_creation(struct exchange *exchange, const void *outcome)
{
	const struct created_key *created = outcome;
	struct buf *body = &exchange->response.body;
	respond_created(exchange, created, NULL);
	exchange->stored_body =
		buf_ok(body) ? arena_strndup(&exchange->arena, body->data, body->len) : "";
	respond_created(exchange, created, created->text);
	exchange_set_location(exchange, created->key.id);
	response_header(&exchange->response, "Cache-Control", "private, no-store");
	exchange_set_etag(exchange, created->key.id, revision_of(&created->key));
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
		exchange->principal.account_id, &input, sent, &created);
	return exchange_as_violation(exchange, result);
}

/* DELETE /{id} */

struct delete_input {
	bool with_made;
};
static const struct field delete_rows[] = {
	FIELD(struct delete_input, with_made,
	      .text = "Also revoke the keys that this key has made, and those that they have made; "
		      "of a revoked key these only."),
};
const struct fields keys_delete_fields = { delete_rows, ARRAY_LEN(delete_rows) };

/* For a client a revoked key is deleted. */
static enum result admit_revocation(struct exchange *exchange, const void *current)
{
	const struct key_revocation *revocation = current;
	const struct api_key *key = &revocation->key;
	if (key->revoked_at.s > 0 && !revocation->with_made)
		return E_NOT_FOUND;
	return exchange_check_etag(exchange, key->id, revision_of(key));
}

static void render_revocation(struct exchange *exchange, const void *outcome)
{
	const struct key_revocation *revocation = outcome;
	if (!revocation->with_made) {
		exchange_respond_deleted(exchange, "key", revocation->id);
		return;
	}
	struct json_object *body = json_object_tree();
	json_put_int(body, "id", revocation->id);
	json_put_text(body, "object", "key");
	json_put_bool(body, "deleted", true);
	json_put_int(body, "revoked_keys", revocation->made_count);
	json_put_int(body, "status", 200);
	response_json(&exchange->response, 200, body);
}

enum result keys_delete(struct exchange *exchange)
{
	struct delete_input input = { 0 };
	struct key_revocation revocation;
	const struct str query = exchange->request.query;
	enum result result = exchange_query(exchange, &input);
	if (result != OK)
		return result;
	/* To keep the keys that it has made is another request than to revoke them. */
	if (idempotency_is_asked(exchange))
		idempotency_add_body(exchange, query.data, query.len);
	return service_revoke_key(exchange_service(exchange, admit_revocation, render_revocation),
				  exchange->match.id, input.with_made, &revocation);
}
