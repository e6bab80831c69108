#include "app/incident/posted_updates.h"

#include "app/input.h"
#include "app/respond.h"
#include "wire/json.h"

static struct json_object *update_tree(struct fields fields, const struct posted_update *update)
{
	struct json_object *tree = json_object_tree();
	json_put_fields(tree, fields, update);
	return tree;
}

static void respond(struct exchange *exchange, struct fields fields,
		    const struct posted_update *update, int status)
{
	exchange_set_etag(exchange, update->id, exchange_hash(fields, update));
	exchange_respond(exchange, status, update_tree(fields, update));
}

void posted_update_respond(struct exchange *exchange, struct fields fields,
			   const struct posted_update *update)
{
	respond(exchange, fields, update, 200);
}

void posted_update_respond_created(struct exchange *exchange, struct fields fields,
				   const struct posted_update *update, const char *resources,
				   int64_t resource_id)
{
	response_header(&exchange->response, "Location", "%s/api/v1/%s/%lld/updates/%lld",
			exchange->request.base_url, resources, (long long)resource_id,
			(long long)update->id);
	respond(exchange, fields, update, 201);
}

void posted_update_respond_shown(struct exchange *exchange, struct fields fields,
				 const struct posted_update *update)
{
	int64_t revision = exchange_hash(fields, update);
	if (exchange_is_unchanged(exchange, update->id, revision))
		exchange_set_etag(exchange, update->id, revision);
	else
		respond(exchange, fields, update, 200);
}

enum result posted_update_check_etag(struct exchange *exchange, struct fields fields,
				     const struct posted_update *update)
{
	return exchange_check_etag(exchange, update->id, exchange_hash(fields, update));
}

enum result posted_update_admit_edit(struct exchange *exchange, struct fields fields,
				     const struct posted_update *update)
{
	enum result result = posted_update_check_etag(exchange, fields, update);
	if (result == OK)
		exchange_check_read_only(exchange, update_tree(fields, update), NULL);
	return result;
}
