/*
 * Named values into a struct, by its field table: the same for query strings
 * and for urlencoded, multipart and JSON bodies, with the same errors.
 *
 * A form is a sink for the decoders of wire/. It keeps what the table knows
 * and drops the rest as it streams by. What the values mean is decided at the
 * end, in form_decode().
 *
 * Names: `field`; for lists `field[]`, `field[0]`, or a JSON array. A scalar
 * sent twice: the last one wins. Text is trimmed unless FIELD_EXACT; an empty
 * text is NULL. A file part without name and bytes is as if not sent.
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
	struct str text; /* so far; NUL-terminated by form_decode() */
	size_t text_size;
	bool is_cut;	   /* longer than may be kept */
	bool has_filename; /* a file part that names a file */
};

struct form_item {
	int64_t index; /* of "[7]"; -1 for "[]" */
	struct form_value value;
	struct form_item *next;
};

struct form_entry {
	struct form_value value; /* the scalar, or a list's misuse as one */
	struct form_item *items; /* of "[]" names, in order */
	struct form_item *last;
	bool has_bad_index; /* "[x]", "[0][y]" */
};

/* form_decode() tells which were sent by a bit each. */
enum { FORM_FIELDS_MAX = 64 };

struct form {
	struct pair_sink sink;
	struct arena *arena;
	struct fields fields;
	struct form_entry *entries; /* one for each field, and one more for _method */
	struct form_value *open;    /* where data goes; NULL drops it */
	size_t open_max_bytes;
};

/*
 * `fields` has at most FORM_FIELDS_MAX rows, and may be empty: then everything is dropped but
 * _method.
 */
void form_init(struct form *form, struct fields fields, struct arena *arena);

/*
 * Fills `object` and sets a bit of *sent for each row that was sent. Adds a
 * fault for each value that its row does not allow; that member is then
 * untouched. Absent members keep what `object` has.
 */
void form_decode(struct form *form, void *object, uint64_t *sent, struct violations *violations);

/* Whether a value was sent that is to be compared with the resource: see http/read_only.h. */
bool form_keeps_as_read(const struct field *field, const struct form_entry *entry);

/* "yes", "0" and so on, as of every boolean field. */
bool form_read_bool(struct str text, bool *value);

/*
 * The method that a body asks for by _method: NULL when it was not sent or
 * empty, else "PUT" or "PATCH". E_INVALID, with a fault at _method, for
 * anything else.
 */
enum result form_method(struct form *form, const char **method, struct violations *violations);

#endif
