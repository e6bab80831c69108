#include "app/keys.h"

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
	const struct api_key_query query = { exchange->key.account_id, page.size, page.offset };
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
	enum result result = api_key_show(exchange->db, exchange->key.account_id,
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
	uint64_t sent = 0;
	enum result result = exchange_body(exchange, &input, &sent);
	if (result != OK)
		return result;
	result = service_create_key(
		exchange_service(exchange, exchange_admit_creation, render_creation),
		exchange->key.account_id, &input, sent, &created);
	return exchange_as_violation(exchange, result);
}

/* DELETE /{id} */

/* For a client a revoked key is deleted. */
static enum result admit_revocation(struct exchange *exchange, const void *current)
{
	const struct api_key *key = current;
	if (key->revoked_at.s > 0)
		return E_NOT_FOUND;
	return exchange_check_etag(exchange, key->id, revision_of(key));
}

static void render_revocation(struct exchange *exchange, const void *outcome)
{
	const struct api_key *key = outcome;
	exchange_respond_deleted(exchange, "key", key->id);
}

enum result keys_delete(struct exchange *exchange)
{
	struct api_key key;
	return service_revoke_key(exchange_service(exchange, admit_revocation, render_revocation),
				  exchange->match.id, &key);
}
