/*
 * Reads a JSON object with one long list item by item. Each item is a tree only while it is
 * visited. So a body of megabytes needs memory only for its text, its largest item and the data
 * that the visitor keeps.
 *
 * Each item may reach the limits on bytes, depth, containers and values. So may the object without
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
	/*
	 * bytes of memory that the visitor keeps for each item, besides twice the size of its text
	 */
	size_t item_weight;
	size_t value_weight; /* bytes of memory that the visitor keeps for each value in an item */
	/* Called at the start of the list. If the member occurs twice, begin() is called again, and
	 * the visitor must forget the first list. */
	void (*begin)(struct json_visitor *visitor);
	/* Called for each item. The item is borrowed, and NULL for null. */
	enum result (*visit)(struct json_visitor *visitor, struct json_object *item,
			     struct error *error);
};

/*
 * Reads an object, which the caller frees. Its visited list is empty. The arena claims the memory
 * of the trees, and of the data that the visitor keeps. Returns E_MALFORMED if the text is not a
 * JSON object, E_TOO_LARGE if an item or the object without the list is too large, E_BUSY if memory
 * is short, or the failure of visit().
 */
enum result json_read_items(struct str text, struct arena *arena, struct json_visitor *visitor,
			    struct json_object **root, struct error *error) MUST_USE;

#endif
