/*
 * Describes the members of a struct once, for everything that walks them:
 * http/form decodes requests by it, db/stmt decodes rows, wire/json writes it.
 *
 * The kind follows from the member's own C type, so a table cannot disagree
 * with its struct:
 *
 *   int64_t                   a number        struct id_list   ids, in order
 *   bool                      a boolean       struct instant   a time
 *   int                       a choice        struct field_file *  a file
 *   const char *              text, NULL when unset
 *
 * Knows only shapes and limits. What is special to one field is written by
 * hand where that field is handled.
 */
#ifndef BASE_FIELD_H
#define BASE_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"

/* A file in memory, owned by an arena. */
struct field_file {
	const char *data;
	size_t len;
};

enum field_kind {
	FIELD_INT,
	FIELD_BOOL,
	FIELD_CHOICE, /* an index into .choices; NULL-terminated */
	FIELD_TEXT,
	FIELD_IDS,
	FIELD_TIME,
	FIELD_FILE,
};

/* Ids in the order given, without repeats. */
struct id_list {
	int64_t *ids; /* owned by an arena */
	size_t count;
};

enum field_flag {
	FIELD_REQUIRED = 1 << 0,   /* a request without it, or with it empty, is faulty */
	FIELD_NOT_EMPTY = 1 << 1,  /* text that is sent must not be empty */
	FIELD_EXACT = 1 << 2,	   /* text is taken as it is, white space and all */
	FIELD_NUMBER_TOO = 1 << 3, /* text that JSON may also give as a number: an id, say */
	FIELD_READ_ONLY = 1 << 4,  /* of the resource, not of the input: see http/read_only.h */
	FIELD_OR_AS_READ = 1 << 5, /* a boolean whose field of the resource is a time */
};

struct field {
	const char *name;
	enum field_kind kind;
	size_t offset;
	unsigned flags;
	size_t max_chars; /* text: code points; 0 for no limit but the body's */
	size_t max_bytes; /* text and files */
	int64_t min;	  /* numbers */
	int64_t max;
	const char *const *choices;
};

/* clang-format off */
#define FIELD_KIND(type, member) _Generic(((type *)0)->member, \
	int64_t: FIELD_INT, \
	bool: FIELD_BOOL, \
	int: FIELD_CHOICE, \
	const char *: FIELD_TEXT, \
	struct id_list: FIELD_IDS, \
	struct instant: FIELD_TIME, \
	struct field_file *: FIELD_FILE)
/* clang-format on */

/* A row of a field table; the limits follow as designated initialisers. */
#define FIELD_NAMED(type, member, its_name, ...) \
	{ \
		.name = (its_name), .kind = FIELD_KIND(type, member), \
		.offset = offsetof(type, member), __VA_ARGS__ \
	}
#define FIELD(type, member, ...) FIELD_NAMED(type, member, #member, __VA_ARGS__)

/* A row for a field of the resource that a client may not set. */
#define FIELD_KEPT(its_name) \
	{ \
		.name = (its_name), .flags = FIELD_READ_ONLY \
	}

/* A table and its length, as one argument. */
struct fields {
	const struct field *rows;
	size_t count;
};
#define FIELDS(table) ((struct fields){ (table), ARRAY_LEN(table) })

/* The member that a row describes, as a pointer to its type. */
#define FIELD_AT(object, field, type) ((type *)(void *)((char *)(object) + (field)->offset))
#define FIELD_AT_CONST(object, field, type) \
	((type const *)(const void *)((const char *)(object) + (field)->offset))

/* Copies the member that `from` describes to the one that `to` does; both are of one kind. */
void field_copy(const struct field *to, void *to_object, const struct field *from,
		const void *from_object);

#endif
