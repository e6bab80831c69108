/*
 * Field tables: a table describes the members of a struct for all code that reads or writes them.
 * http/form decodes requests into the struct, db/rows decodes rows of the database, and wire/json
 * prints the struct.
 *
 * The kind of a field follows from the member's C type, so a table cannot disagree with its struct:
 *
 *   int64_t                   a number        struct id_list   ids, in order
 *   bool                      a boolean       struct instant   a time
 *   int                       a choice        struct field_file *  a file
 *   const char *              text, NULL when unset
 *   struct percent            a percentage; printed, but never read
 *   struct field_rows         a list of objects     } with FIELD_MEMBERS()
 *   another struct            an object             }
 *
 * A table has the shape, the limits and the texts of each field. Rules for only one field are in
 * the code that handles the field.
 */
#ifndef BASE_FIELD_H
#define BASE_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/field_set.h"

/* A file in memory, owned by an arena. */
struct field_file {
	const char *data;
	size_t len;
};

/* A percentage: in JSON a number with two decimals, or null if it is not known. */
struct percent {
	bool is_known;
	int64_t hundredths; /* 0 to 10,000 */
};

enum field_kind {
	FIELD_INT,
	FIELD_BOOL,
	FIELD_CHOICE, /* an index into .choices, which ends with NULL */
	FIELD_TEXT,
	FIELD_IDS,
	FIELD_TIME,
	FIELD_FILE,
	FIELD_PERCENT,
	FIELD_OBJECT, /* an object: a nested struct, or members of the outer struct */
	FIELD_ROWS,   /* a list of objects: an array of structs */
};

/* An array of structs of one type. The size of a struct is in struct field (row_bytes). */
struct field_rows {
	void *rows; /* owned by an arena */
	size_t count;
};

/* Ids in the order in which they were sent, without repeats. */
struct id_list {
	int64_t *ids; /* owned by an arena */
	size_t count;
};
/* Compares two ids, for qsort() and bsearch(). */
static inline int id_order(const void *a, const void *b)
{
	int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
	return (left > right) - (left < right);
}
/* Sorts the ids, and removes repeats. */
static inline void id_list_settle(struct id_list *list)
{
	size_t kept = 0;
	if (list->count > 1)
		qsort(list->ids, list->count, sizeof(*list->ids), id_order);
	for (size_t i = 0; i < list->count; i++)
		if (kept == 0 || list->ids[kept - 1] != list->ids[i])
			list->ids[kept++] = list->ids[i];
	list->count = kept;
}
/* Whether the list, which is sorted, has the id. */
static inline bool id_list_has(const struct id_list *list, int64_t id)
{
	return list->count > 0 && bsearch(&id, list->ids, list->count, sizeof(id), id_order);
}

enum field_flag {
	FIELD_REQUIRED = 1 << 0,   /* a request must have the field, and its value is not empty */
	FIELD_NOT_EMPTY = 1 << 1,  /* text: neither empty nor null in requests and resources */
	FIELD_EXACT = 1 << 2,	   /* text: blanks at both ends are kept */
	FIELD_NUMBER_TOO = 1 << 3, /* text; a JSON request may send it as a number, such as an id */
	FIELD_READ_ONLY = 1 << 4,  /* a client cannot set it: see http/read_only.h */
	/* A boolean in requests, a time in responses. A request may also send that time back. */
	FIELD_OR_AS_READ = 1 << 5,
	FIELD_ON_PAGE = 1 << 6, /* status pages show it: a change marks them as unpublished */
	FIELD_AS_WORD = 1 << 7, /* JSON has the word of a choice, not its number */
	/* JSON has null in place of the number 0 and of an empty text. An object is null in JSON if
	 * the number at the field's offset is 0. */
	FIELD_ZERO_IS_NULL = 1 << 8,
	/* Read-only. The value changes as time passes, so a client may send any value. */
	FIELD_MOVES = 1 << 9,
	FIELD_NULL_IS_UNSENT = 1 << 10, /* a choice: an empty value counts as not sent */
	FIELD_SECONDS = 1 << 11, /* a number of seconds; daymarkctl accepts 30s, 90m, 2h or 1d */
	FIELD_PROSE = 1 << 12,	 /* text in CommonMark; for "-" daymarkctl reads standard input */
	FIELD_SECRET = 1 << 14,	 /* the console neither shows nor keeps the typed value */
	FIELD_AS_TIME = 1 << 15, /* text that is a time, with or without an offset from UTC */
	/* A command, not a stored value. Configuration files and console forms do not have it. */
	FIELD_ACT = 1 << 13,
	/* Only owners of the account may set it; see field_is_for_owners(). */
	FIELD_FOR_OWNERS = 1 << 16,
	/* With FIELD_FOR_OWNERS: other users may set it, too, but only when they create the
	 * object. */
	FIELD_FREE_AT_FIRST = 1 << 17,
};

struct fields;

struct field {
	const char *name;
	enum field_kind kind;
	size_t offset;
	unsigned flags;
	size_t max_chars; /* text: in code points; 0: only the size of the body limits it */
	size_t max_bytes; /* text and files */
	int64_t min;	  /* the smallest number that a client may send */
	int64_t max; /* the largest number, or the most items of a list, that a client may send */
	const char *const *choices;
	const char *empty_value; /* of texts: what is stored if a client sends an empty text; NULL:
				    the empty text itself */
	const struct fields *members; /* FIELD_OBJECT, FIELD_ROWS */
	size_t count_offset; /* FIELD_ROWS: the offset of the size_t that counts the structs;
				`offset` is the offset of the pointer to the structs */
	size_t row_bytes; /* FIELD_ROWS, FIELD_OBJECT: the size of a struct; 0: no nested struct */
	/* The value that a number, boolean or choice has in a new object. NULL: 0, false, or the
	 * first choice. */
	const char *initial;

	/* For the documentation only. */
	const char *text;    /* the meaning of the field, in whole sentences */
	const char *pattern; /* of texts: a regular expression (ECMA-262) that the text matches */
	const char *format;  /* of texts: the format in JSON Schema, such as "uri" */
	const char *default_value; /* the value of a parameter that is not sent */

	/* For the console: the name of the input, in English. The kind of input follows from the
	 * kind and the flags of the field. NULL: the console has no input for the field. */
	const char *label;
	const char *help; /* the text beside the input; NULL: `text` is shown there */
	/* Values that the console offers in words; the user may also type another value. NULL ends
	 * the list. Only the recurrence rule of maintenances has such values. */
	const char *const *usual;
	const char *autofill; /* the attribute autocomplete of the input (HTML) */

	/* For daymarkctl. If these members are NULL, the name of the field gives the option: for
	 * example --known-since for known_since, --paused and --no-paused for is_paused, and
	 * --monitors for monitor_ids. */
	const char *option;	/* names of the option, such as "paused|pause" */
	const char *option_off; /* names of the option that sets a boolean to false */
};

/* clang-format off */
#define FIELD_KIND(type, member) _Generic(((type *)0)->member, \
	int64_t: FIELD_INT, \
	bool: FIELD_BOOL, \
	int: FIELD_CHOICE, \
	const char *: FIELD_TEXT, \
	struct id_list: FIELD_IDS, \
	struct instant: FIELD_TIME, \
	struct percent: FIELD_PERCENT, \
	struct field_file *: FIELD_FILE, \
	struct field_rows: FIELD_ROWS, \
	default: FIELD_OBJECT)
/* clang-format on */

/* Makes a row of a field table. Further arguments set further members, such as `.max = 10`. */
#define FIELD_NAMED(type, member, its_name, ...) \
	{ \
		.name = (its_name), .kind = FIELD_KIND(type, member), \
		.offset = offsetof(type, member), \
		.count_offset = offsetof(type, member) + offsetof(struct field_rows, count), \
		__VA_ARGS__ \
	}
#define FIELD(type, member, ...) FIELD_NAMED(type, member, #member, __VA_ARGS__)

/*
 * Completes the row of a list of structs (struct field_rows) or of one nested struct. `its_type` is
 * the type of the structs, and `its_fields` is the table of their members. A client sends a member
 * as `name[0][member]` for a list, and as `name[member]` for one struct. `.max` limits the length
 * of a list. No member may be FIELD_READ_ONLY. In a list, each member must be FIELD_REQUIRED;
 * http/form.h has the reason.
 */
#define FIELD_MEMBERS(its_type, its_fields) .row_bytes = sizeof(its_type), .members = (its_fields)

/* Makes a row for an array of structs. `member` points to the structs, `counter` has their number,
 * and `its_fields` is the table of their members. */
#define FIELD_ARRAY(type, member, counter, its_name, its_fields, ...) \
	{ \
		.name = (its_name), .kind = FIELD_ROWS, .offset = offsetof(type, member), \
		.count_offset = offsetof(type, counter), \
		.row_bytes = sizeof(*((type *)0)->member), .members = (its_fields), __VA_ARGS__ \
	}

/* Make rows of a form for fields that a client cannot set. FIELD_MOVING() is for a field whose
 * value changes as time passes. */
#define FIELD_KEPT(its_name) \
	{ \
		.name = (its_name), .flags = FIELD_READ_ONLY \
	}
#define FIELD_MOVING(its_name) \
	{ \
		.name = (its_name), .flags = FIELD_READ_ONLY | FIELD_MOVES \
	}

/* A table and its length, as one argument. */
struct fields {
	const struct field *rows;
	size_t count;
};
#define FIELDS(table) ((struct fields){ (table), ARRAY_LEN(table) })

/* Returns a pointer to the member that a row describes. */
#define FIELD_AT(object, field, type) ((type *)(void *)((char *)(object) + (field)->offset))
#define FIELD_AT_CONST(object, field, type) \
	((type const *)(const void *)((const char *)(object) + (field)->offset))

/* For FIELD_ROWS, returns the structs. For FIELD_OBJECT, returns the one struct of the object. */
static inline struct field_rows field_rows(const void *object, const struct field *field)
{
	char *start = (char *)(uintptr_t)object;
	if (field->kind == FIELD_OBJECT)
		return (struct field_rows){ start + (field->row_bytes > 0 ? field->offset : 0), 1 };
	return (struct field_rows){ *FIELD_AT(start, field, void *),
				    *(size_t *)(void *)(start + field->count_offset) };
}
static inline void field_set_rows(void *object, const struct field *field, struct field_rows rows)
{
	*FIELD_AT(object, field, void *) = rows.rows;
	*(size_t *)(void *)((char *)object + field->count_offset) = rows.count;
}

#endif
