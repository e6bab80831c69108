/*
 * A JSON object with one long list, read item by item: each item is a tree only while it
 * is visited, so a body of megabytes takes the memory of its largest item.
 *
 * Item and remainder each keep the decoder's limits: bytes, depth, containers and values.
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
	/* What it keeps of an item in memory, beside twice its text. */
	size_t item_weight;
	size_t value_weight; /* and of each value in it */
	/* The list begins: once, or again where the member comes twice and the last one counts. */
	void (*begin)(struct json_visitor *visitor);
	/* An item, which may be NULL for null. Borrowed. */
	enum result (*visit)(struct json_visitor *visitor, struct json_object *item,
			     struct error *error);
};

struct json_items {
	struct json_visitor *visitor;
	struct json_tokener *tokener;
	struct json_scan scan;
	struct buf rest; /* the object, its list empty */
	struct buf item;
	bool is_in_list;
	bool is_after_name; /* behind the list's name and its colon */
	int depth;	    /* in the object, or in the item */
	size_t name_at;	    /* where in `rest` the newest string begins */
	size_t name_end;
	size_t count;
	size_t rest_containers; /* counted outside of the list */
	size_t rest_values;
	size_t kept_bytes; /* what the visitor has kept of all items */
	size_t most_bytes; /* what the heaviest tree took, of an item or of the rest so far */
};

void json_items_init(struct json_items *items, struct json_visitor *visitor);
void json_items_done(struct json_items *items);
/* E_MALFORMED, E_TOO_LARGE (an item, or all else), or what a visit said. */
enum result json_items_feed(struct json_items *items, struct str bytes, struct error *error)
	MUST_USE;
/* How much memory what was fed may take: the heaviest tree, and what the visitor keeps. */
size_t json_items_weight(const struct json_items *items);
/* What there is beside the items, which the caller frees; the list in it is empty. */
enum result json_items_finish(struct json_items *items, struct json_object **root,
			      struct error *error) MUST_USE;

#endif
