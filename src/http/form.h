/*
 * Decodes named values into a struct, according to the struct's field table. The values come from a
 * query string, or from an urlencoded, multipart or JSON body. All sources have the same errors.
 *
 * A form is a sink for the decoders of wire/. It keeps the values of known fields and drops all
 * other values at once. form_decode() interprets the kept values when the body is complete.
 *
 * Names: `field`; for lists `field[]`, `field[0]`, or a JSON array. If a scalar is sent twice, the
 * last value counts. Text is trimmed unless FIELD_EXACT; empty text is NULL. A file part without a
 * name and without bytes counts as not sent.
 *
 * Nested fields: `field[member]` or a JSON object; for rows `field[0][member]` or a JSON array of
 * objects. Rows are in the order of their index. The index need not begin at 0 and may have gaps. A
 * violation names the row by its number in this order: `field.0.member`. As in PHP, "[]" is the
 * highest index so far plus 1, so each `field[][member]` begins a new row. A row of several members
 * needs an explicit index: with "[]" each member becomes a row, which is rejected if it lacks
 * required members.
 *
 * Sent rows replace all rows. Members that were not sent become 0 in a row, but keep the caller's
 * values in an object. Empty text, null and an empty list clear rows; they set no member of an
 * object. Unknown members are ignored.
 */
#ifndef HTTP_FORM_H
#define HTTP_FORM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/violation.h"
#include "base/field.h"
#include "wire/pairs.h"

struct form_value {
	bool is_sent;
	enum pair_shape shape;
	struct str text;   /* NUL-terminated unless it is empty */
	bool is_cut;	   /* the value was longer than the limit */
	bool has_filename; /* a file part with a file name */
};

struct form_entry {
	struct form_value value; /* the value for the name without brackets; its shape is
				    PAIR_OBJECT if members of an object or a row were sent */
	struct form_item *items; /* the values for names with brackets: rows sorted by index,
				    other items in the order sent */
	struct form_item *last;
	size_t item_count;
	bool has_bad_index; /* "[x]", "[0][y]" */
	bool has_too_many;  /* more rows were sent than the field's `.max`; the surplus rows were
			       dropped */
};

struct form_item {
	int64_t index; /* 7 for "[7]"; -1 for "[]" in a list of ids; in an object: the index of the
			  member in its table */
	struct form_entry entry;
	struct form_item *next;
};

struct form {
	struct pair_sink sink;
	struct arena *arena;
	struct fields fields;
	struct form_entry *entries; /* an entry for each field, then an entry for _method */
};

/* Initialises a form. `fields` may have at most FIELD_SET_MAX rows. A field that is a list of rows
 * must have a `.max`. Without fields the form keeps only _method. */
void form_init(struct form *form, struct fields fields, struct arena *arena);

/* Fills in `object`, and adds the index of each sent field to *sent. Adds a violation for each
 * invalid value. Members with an invalid value, and members that were not sent, stay unchanged. */
void form_decode(struct form *form, void *object, struct field_set *sent,
		 struct violations *violations);

/* Whether the value is not decoded, but only compared with the resource: see http/read_only.h. */
bool form_keeps_as_read(const struct field *field, const struct form_entry *entry);

/* Whether a field with this name was sent, even with an invalid value. */
bool form_has(const struct form *form, const char *name);

/* Reads a boolean: 1, 0, true, false, yes, no, on or off. */
bool form_read_bool(struct str text, bool *value);

/*
 * Sets *method to the method that the body names in _method, "PUT" or "PATCH", or to NULL if
 * _method was not sent or is empty. Returns E_INVALID, with a violation at _method, for any other
 * value.
 */
enum result form_method(struct form *form, const char **method, struct violations *violations);

#endif
