#include "app/handlers.h"

#include "app/mirrors.h"
#include "publish/folder/disk_check.h"
#include "store/schema/migration.h"
#include "wire/json.h"

enum result health_live(struct exchange *exchange)
{
	struct json_object *body = json_object_tree();
	json_put_text(body, "state", "ok");
	json_put_int(body, "status", 200);
	response_json(&exchange->response, 200, body);
	return OK;
}

enum result health_ready(struct exchange *exchange)
{
	const struct publisher publisher = {
		.db = exchange->db,
		.path = exchange->config->pages_dir,
		.now = exchange->now,
		.arena = &exchange->arena,
	};
	struct instant oldest = { 0 };
	const char *lack = NULL;
	enum result result =
		migration_lack(exchange->db, &exchange->arena, &lack, &exchange->error);
	if (result == OK && !lack)
		result = disk_check(&publisher, &oldest, &exchange->error);
	bool is_ready = result == OK && !lack;
	int status = is_ready ? 200 : 503;
	struct json_object *body = json_object_tree();
	json_put_text(body, "state", is_ready ? "ready" : "not ready");
	json_put_text(body, "database", result == OK ? "up" : "down");
	json_put_text(body, "migrations", result == OK && !lack ? "complete" : lack);
	json_put_int_or_null(body, "oldest_unpublished_s", is_ready,
			     oldest.s > 0 ? exchange->now.s - oldest.s : 0);
	json_put(body, "mirrors", mirrors_tree(exchange));
	json_put_int(body, "status", status);
	if (status == 503)
		response_header(&exchange->response, "Retry-After", "5");
	response_json(&exchange->response, status, body);
	return OK;
}
