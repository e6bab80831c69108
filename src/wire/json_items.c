#include "wire/json_items.h"

#include <json-c/json.h>
#include <string.h>

#include "base/log.h"
#include "wire/json.h"
#include "wire/json_read.h"
#include "wire/limits.h"

void json_items_init(struct json_items *items, struct json_visitor *visitor)
{
	*items = (struct json_items){
		.visitor = visitor,
		.tokener = json_tokener_new_ex(WIRE_JSON_MAX_DEPTH),
		.rest = BUF_INIT(WIRE_JSON_MAX_BYTES),
		.item = BUF_INIT(WIRE_JSON_MAX_BYTES),
	};
	if (!items->tokener)
		die("json: out of memory");
	json_tokener_set_flags(items->tokener, JSON_TOKENER_STRICT);
}

void json_items_done(struct json_items *items)
{
	if (items->tokener)
		json_tokener_free(items->tokener);
	buf_done(&items->rest);
	buf_done(&items->item);
	*items = (struct json_items){ 0 };
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static enum result keep_byte(struct buf *buf, char c, struct error *error)
{
	buf_putc(buf, c);
	if (buf_ok(buf))
		return OK;
	return error_client(
		error, E_TOO_LARGE,
		"An item of a JSON list, and the rest of the body, may each have at most %d "
		"bytes.",
		WIRE_JSON_MAX_BYTES);
}

static enum result check_counts(const struct json_items *items, struct error *error)
{
	if (!json_scan_is_over(&items->scan))
		return OK;
	return error_client(
		error, E_TOO_LARGE,
		"An item of a JSON list, and the rest of the body, may each have at most %d "
		"objects and lists, and %d values.",
		WIRE_JSON_MAX_CONTAINERS, WIRE_JSON_MAX_VALUES);
}

static enum result visit_item(struct json_items *items, struct error *error)
{
	/* Include the NUL, which ends a number. */
	json_tokener_reset(items->tokener);
	struct json_object *item =
		json_tokener_parse_ex(items->tokener, items->item.data, (int)items->item.len + 1);
	enum json_tokener_error failure = json_tokener_get_error(items->tokener);
	enum result result;
	if (failure != json_tokener_success ||
	    json_tokener_get_parse_end(items->tokener) < items->item.len)
		result = error_client(error, E_MALFORMED, "An item of %s is not valid JSON: %s.",
				      items->visitor->name,
				      failure == json_tokener_success
					      ? "there is text after it"
					      : json_tokener_error_desc(failure));
	else
		result = items->visitor->visit(items->visitor, item, error);
	json_object_put(item);
	return result;
}

static size_t tree_weight(const struct json_items *items)
{
	const struct buf *text = items->is_in_list ? &items->item : &items->rest;
	size_t weight = json_weight(text->len, &items->scan);
	return weight > items->most_bytes ? weight : items->most_bytes;
}

size_t json_items_weight(const struct json_items *items)
{
	return tree_weight(items) + items->kept_bytes;
}

static void note_item(struct json_items *items)
{
	const struct json_visitor *visitor = items->visitor;
	items->most_bytes = tree_weight(items);
	items->kept_bytes += visitor->item_weight + 2 * items->item.len +
			     (items->scan.values + 1) * visitor->value_weight;
}

/* Handles the end of an item: a comma, or the end of the list. */
static enum result end_item(struct json_items *items, bool is_last, struct error *error)
{
	struct buf *item = &items->item;
	while (item->len > 0 && is_blank(item->data[item->len - 1]))
		item->data[--item->len] = '\0';
	bool is_empty_list = is_last && items->count == 0 && item->len == 0;
	if (item->len == 0 && !is_empty_list)
		return error_client(error, E_MALFORMED, "An item of %s is missing.",
				    items->visitor->name);
	/* The comma after an item is not part of it. */
	items->scan.values -= is_last ? 0 : 1;
	enum result result = check_counts(items, error);
	if (result == OK && !is_empty_list)
		result = visit_item(items, error);
	note_item(items);
	items->count++;
	items->scan.containers = is_last ? items->rest_containers : 0;
	items->scan.values = is_last ? items->rest_values : 0;
	buf_clear(item);
	return result;
}

static enum result feed_list(struct json_items *items, char c, bool is_text, struct error *error)
{
	bool is_end = !is_text && items->depth == 0 && c == ']';
	if (is_end || (!is_text && items->depth == 0 && c == ',')) {
		enum result result = end_item(items, is_end, error);
		if (result != OK || !is_end)
			return result;
		items->is_in_list = false;
		items->depth = 1;
		return keep_byte(&items->rest, c, error);
	}
	if (!is_text && (c == '{' || c == '['))
		items->depth++;
	if (!is_text && (c == '}' || c == ']'))
		items->depth--;
	if (items->depth < 0)
		return error_client(error, E_MALFORMED,
				    "The body is not valid JSON: it has one brace too many.");
	return items->item.len == 0 && is_blank(c) ? OK : keep_byte(&items->item, c, error);
}

/* Whether the last string is the list's name, written without escapes. */
static bool is_name(const struct json_items *items)
{
	struct str name = { items->rest.data + items->name_at, items->name_end - items->name_at };
	return str_eq(name, str_from(items->visitor->name));
}

static void begin_list(struct json_items *items)
{
	items->most_bytes = tree_weight(items);
	items->is_in_list = true;
	items->is_after_name = false;
	items->depth = 0;
	items->count = 0;
	items->rest_containers = items->scan.containers;
	items->rest_values = items->scan.values;
	items->scan.containers = items->scan.values = 0;
	items->visitor->begin(items->visitor);
}

static enum result feed_rest(struct json_items *items, char c, bool is_text, struct error *error)
{
	bool was_after_name = items->is_after_name;
	enum result result = keep_byte(&items->rest, c, error);
	if (result != OK || is_blank(c))
		return result;
	items->is_after_name = false;
	if (is_text) {
		/* The last character is the closing quote. */
		items->name_end = items->rest.len - 1;
		return OK;
	}
	if (c == '"')
		items->name_at = items->name_end = items->rest.len;
	else if (c == ':')
		items->is_after_name = items->depth == 1 && is_name(items);
	else if (c == '[' && was_after_name)
		begin_list(items);
	else if (c == '{' || c == '[')
		items->depth++;
	else if (c == '}' || c == ']')
		items->depth--;
	return OK;
}

enum result json_items_feed(struct json_items *items, struct str bytes, struct error *error)
{
	enum result result = OK;
	for (size_t i = 0; i < bytes.len && result == OK; i++) {
		char c = bytes.data[i];
		bool is_text = items->scan.is_in_string;
		const char *violation = json_scan(&items->scan, c);
		if (violation)
			return error_client(error, E_MALFORMED,
					    "The body is not valid JSON: it has %s.", violation);
		result = items->is_in_list ? feed_list(items, c, is_text, error)
					   : feed_rest(items, c, is_text, error);
	}
	return result == OK ? check_counts(items, error) : result;
}

/* Visits the items of a list whose name was written with escapes. */
static enum result visit_items(struct json_items *items, struct json_object *list,
			       struct error *error)
{
	enum result result = OK;
	size_t count = json_length(list);
	if (count > 0)
		items->visitor->begin(items->visitor);
	for (size_t i = 0; i < count && result == OK; i++)
		result = items->visitor->visit(items->visitor, json_item(list, i), error);
	return result;
}

enum result json_items_finish(struct json_items *items, struct json_object **root,
			      struct error *error)
{
	*root = NULL;
	if (items->is_in_list)
		return error_client(error, E_MALFORMED, "The JSON body is incomplete.");
	struct str rest = { items->rest.data ? items->rest.data : "", items->rest.len };
	enum result result = json_read(rest, root, error);
	return result == OK ? visit_items(items, json_member(*root, items->visitor->name), error)
			    : result;
}
