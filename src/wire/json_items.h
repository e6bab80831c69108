/*
 * Reads a JSON object that has one long list. Reads the list item by item: each item is a tree only
 * while visit() runs. So a body of megabytes needs memory only for its text, its largest item and
 * the data that the visitor keeps.
 *
 * The limits on bytes, depth, containers and values apply to each item, and to the object without
 * the list.
 */
#ifndef WIRE_JSON_ITEMS_H
#define WIRE_JSON_ITEMS_H

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"

struct json_object;

struct json_visitor {
	const char *name; /* the name of the list, which is a member of the outermost object */
	/* The visitor keeps item_weight + 2 * (bytes of the item's text) bytes for each item, and
	 * value_weight bytes for each value in the item. */
	size_t item_weight;
	size_t value_weight;
	/* Called at the start of the list. If the object has the list twice, begin() is called
	 * twice: the visitor must then drop the items of the first list. */
	void (*begin)(struct json_visitor *visitor);
	/* Called for each item, which is borrowed. `item` is NULL for null. */
	enum result (*visit)(struct json_visitor *visitor, struct json_object *item,
			     struct error *error);
};

/*
 * Reads an object, and calls the visitor for its list. The caller frees *root, in which the list is
 * empty. The arena claims the memory of the trees and of the data that the visitor keeps.
 * E_MALFORMED: the text is not a JSON object. E_TOO_LARGE: an item, or the object without the list,
 * is too large. E_BUSY: memory is short. Also returns failures of visit().
 */
enum result json_read_items(struct str text, struct arena *arena, struct json_visitor *visitor,
			    struct json_object **root, struct error *error) MUST_USE;

#endif
