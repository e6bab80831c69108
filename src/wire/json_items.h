/*
 * Reads a JSON object with one long list item by item. Each item is a tree only while it is
 * visited, so a body of megabytes takes the memory of its largest item.
 *
 * The limits on bytes, depth, containers and values hold for each item, and for the object without
 * the list.
 */
#ifndef WIRE_JSON_ITEMS_H
#define WIRE_JSON_ITEMS_H

#include "base/buf.h"
#include "base/error.h"
#include "base/str.h"
#include "wire/json_scan.h"

struct json_object;
struct json_tokener;

struct json_visitor {
	const char *name; /* the member of the outermost object that is the list */
	/* memory that the visitor keeps of an item, in addition to twice its text */
	size_t item_weight;
	size_t value_weight; /* and of each value in the item */
	/* Called at the start of the list. If the member occurs twice, it is called again, and
	 * only the last list counts. */
	void (*begin)(struct json_visitor *visitor);
	/* Called for each item; NULL for null. The item is borrowed. */
	enum result (*visit)(struct json_visitor *visitor, struct json_object *item,
			     struct error *error);
};

struct json_items {
	struct json_visitor *visitor;
	struct json_tokener *tokener;
	struct json_scan scan;
	struct buf rest; /* the object with an empty list */
	struct buf item;
	bool is_in_list;
	bool is_after_name; /* after the list's name and its colon */
	int depth;	    /* within the object, or within the item */
	size_t name_at;	    /* start of the last string in `rest` */
	size_t name_end;
	size_t count;
	size_t rest_containers; /* containers outside the list */
	size_t rest_values;
	size_t kept_bytes; /* memory that the visitor keeps of all items */
	size_t most_bytes; /* memory of the largest tree so far: of an item or of the rest */
};

void json_items_init(struct json_items *items, struct json_visitor *visitor);
void json_items_done(struct json_items *items);
/* E_MALFORMED; E_TOO_LARGE: an item, or the rest; or the result of a visit. */
enum result json_items_feed(struct json_items *items, struct str bytes, struct error *error)
	MUST_USE;
/* The memory that the input may take: the largest tree, and what the visitor keeps. */
size_t json_items_weight(const struct json_items *items);
/* Gives the object without the items; its list is empty. The caller frees it. */
enum result json_items_finish(struct json_items *items, struct json_object **root,
			      struct error *error) MUST_USE;

#endif
