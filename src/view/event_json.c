#include "view/event_json.h"

#include "wire/json.h"

struct json_object *event_json(const struct event *event)
{
	struct json_object *tree = json_object_tree(), *actor = json_object_tree();
	json_put_int(tree, "id", event->id);
	json_put_text(tree, "kind", event->kind);
	json_put_text(tree, "object", event->object);
	json_put_int(tree, "object_id", event->object_id);
	json_put(tree, "actor", actor);
	json_put_text(actor, "type", event->actor_type);
	json_put_int_or_null(actor, "id", event->actor_id > 0, event->actor_id);
	json_put_text(actor, "label", event->actor_label[0] ? event->actor_label : NULL);
	json_put_time(tree, "at", event->at);
	json_put_text(tree, "address", event->address);
	json_put_text(tree, "request_id", event->request_id);
	json_put_text(tree, "detail", event->detail);
	return tree;
}
