/* An event as the API and daymarkctl show it (contract section 17). */
#ifndef VIEW_EVENT_JSON_H
#define VIEW_EVENT_JSON_H

#include "domain/event.h"

struct json_object;

/* {id, kind, object, object_id, actor {type, id, label}, at, address, request_id, detail} */
struct json_object *event_json(const struct event *event);

#endif
