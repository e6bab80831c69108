#include "view/json/maintenance_json.h"

#include "wire/json.h"

struct json_object *maintenance_json(const struct maintenance_shown *shown)
{
	struct json_object *tree = json_row_tree(maintenance_shown_fields, shown);
	return tree;
}
