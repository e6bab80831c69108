/*
 * Derives structs, forms and JSON from the table of a resource's fields, such as MONITOR_FIELDS in
 * domain/monitor/monitor_fields.h. store/columns.h derives the columns of statements. Such a table
 * has a row for each field, in the order of JSON and of the documentation:
 *
 *   ROW(of, kind, C type, name, limits and text as base/field.h has them)
 *
 * `of` is an argument of the macro ROW: the name of a struct, a prefix, or empty. The table also
 * has a parameter `needed`, which is FIELD_REQUIRED in the form of create, and 0 otherwise. The
 * kinds:
 *
 *   SET    a client sends it, the column of the same name stores it, the resource shows it
 *   LONG   as SET, but lists omit it
 *   SIDE   as SET, but the column is in another table than the resource's main table
 *   APART  a client sends it, the resource shows it; a separate statement stores it
 *   SENT   a client sends it; it is not shown
 *   FIRST  the program sets it when it creates the row; the resource shows it
 *   INNER  as FIRST, but the resource does not show it
 *   READ   separate statements write the column of the same name; the resource shows it
 *   SHOWN  the resource shows it; each statement that reads it must name it
 *   MOVING as SHOWN, and it changes with the clock
 *
 * A client may send back the fields that it cannot set, if they are unchanged. Values for MOVING
 * fields are ignored.
 */
#ifndef DOMAIN_FIELD_TABLE_H
#define DOMAIN_FIELD_TABLE_H

#include <stdint.h>

#include "base/arena.h"
#include "base/field.h"
#include "base/violation.h"

/* clang-format off */
/*                      MEMBER SENT KEPT SHOWN LISTED BOTH INSERTED UPDATED READ SHORT MOVES SIDE */
#define FIELD_KIND_SET    1,     1,   0,   1,    1,     1,   1,       1,      1,   1,    0,    0
#define FIELD_KIND_LONG   1,     1,   0,   1,    0,     1,   1,       1,      1,   0,    0,    0
#define FIELD_KIND_SIDE   1,     1,   0,   1,    1,     1,   0,       0,      0,   0,    0,    1
#define FIELD_KIND_APART  1,     1,   0,   1,    1,     1,   0,       0,      0,   0,    0,    0
#define FIELD_KIND_SENT   0,     1,   0,   0,    0,     0,   0,       0,      0,   0,    0,    0
#define FIELD_KIND_FIRST  1,     0,   1,   1,    1,     0,   1,       0,      1,   1,    0,    0
#define FIELD_KIND_INNER  1,     0,   0,   0,    0,     0,   1,       0,      1,   1,    0,    0
#define FIELD_KIND_READ   1,     0,   1,   1,    1,     0,   0,       0,      1,   1,    0,    0
#define FIELD_KIND_SHOWN  1,     0,   1,   1,    1,     0,   0,       0,      0,   0,    0,    0
#define FIELD_KIND_MOVING 1,     0,   0,   1,    1,     0,   0,       0,      0,   0,    1,    0

/*
 * Each macro selects a column of the table above. BOTH: sent and shown. READ: selected by
 * statements. SHORT: selected for lists. SIDE: stored in another table than the resource's main
 * table.
 */
#define FIELD_IS_MEMBER(...) FIELD_NTH_1(__VA_ARGS__)
#define FIELD_IS_SENT(...) FIELD_NTH_2(__VA_ARGS__)
#define FIELD_IS_KEPT(...) FIELD_NTH_3(__VA_ARGS__)
#define FIELD_IS_SHOWN(...) FIELD_NTH_4(__VA_ARGS__)
#define FIELD_IS_LISTED(...) FIELD_NTH_5(__VA_ARGS__)
#define FIELD_IS_BOTH(...) FIELD_NTH_6(__VA_ARGS__)
#define FIELD_IS_INSERTED(...) FIELD_NTH_7(__VA_ARGS__)
#define FIELD_IS_UPDATED(...) FIELD_NTH_8(__VA_ARGS__)
#define FIELD_IS_READ(...) FIELD_NTH_9(__VA_ARGS__)
#define FIELD_IS_SHORT(...) FIELD_NTH_10(__VA_ARGS__)
#define FIELD_IS_MOVES(...) FIELD_NTH_11(__VA_ARGS__)
#define FIELD_IS_SIDE(...) FIELD_NTH_12(__VA_ARGS__)
#define FIELD_NTH_1(a, ...) a
#define FIELD_NTH_2(a, b, ...) b
#define FIELD_NTH_3(a, b, c, ...) c
#define FIELD_NTH_4(a, b, c, d, ...) d
#define FIELD_NTH_5(a, b, c, d, e, ...) e
#define FIELD_NTH_6(a, b, c, d, e, f, ...) f
#define FIELD_NTH_7(a, b, c, d, e, f, g, ...) g
#define FIELD_NTH_8(a, b, c, d, e, f, g, h, ...) h
#define FIELD_NTH_9(a, b, c, d, e, f, g, h, i, ...) i
#define FIELD_NTH_10(a, b, c, d, e, f, g, h, i, j, ...) j
#define FIELD_NTH_11(a, b, c, d, e, f, g, h, i, j, k, ...) k
#define FIELD_NTH_12(a, b, c, d, e, f, g, h, i, j, k, l) l

/* Expands to the arguments after `kind` if the group contains the kind, otherwise to nothing. */
#define FIELD_WHERE(group, kind, ...) \
	FIELD_WHERE_NEXT(FIELD_IS_##group(FIELD_KIND_##kind), __VA_ARGS__)
#define FIELD_WHERE_NEXT(bit, ...) FIELD_WHERE_IS(bit, __VA_ARGS__)
#define FIELD_WHERE_IS(bit, ...) FIELD_WHERE_##bit(__VA_ARGS__)
#define FIELD_WHERE_0(...)
#define FIELD_WHERE_1(...) __VA_ARGS__

/* Members of the resource's struct, and of the struct that receives a client's request. */
#define FIELD_MEMBER(of, kind, type, name, ...) FIELD_WHERE(MEMBER, kind, type name;)
#define FIELD_INPUT(of, kind, type, name, ...) FIELD_WHERE(SENT, kind, type name;)

/* Rows of field tables; `of` is the struct. */
#define FIELD_OF_MEMBERS(of, kind, type, name, ...) \
	FIELD_WHERE(MEMBER, kind, FIELD(of, name, __VA_ARGS__),)
#define FIELD_OF_RESOURCE(of, kind, type, name, ...) \
	FIELD_WHERE(SHOWN, kind, FIELD(of, name, __VA_ARGS__),)
#define FIELD_OF_LIST(of, kind, type, name, ...) \
	FIELD_WHERE(LISTED, kind, FIELD(of, name, __VA_ARGS__),)
#define FIELD_OF_FORM(of, kind, type, name, ...) \
	FIELD_WHERE(SENT, kind, FIELD(of, name, __VA_ARGS__),) \
	FIELD_WHERE(KEPT, kind, FIELD_KEPT(#name),) FIELD_WHERE(MOVES, kind, FIELD_MOVING(#name),)

/* Enumerators that number a form's rows, as http/form does. `of` is the prefix of their names. */
#define FIELD_PLACE(of, kind, type, name, ...) \
	FIELD_WHERE(SENT, kind, of##name,) FIELD_WHERE(KEPT, kind, of##name,) \
	FIELD_WHERE(MOVES, kind, of##name,)
/* Sets a MOVING field of *row to zero. */
#define FIELD_CLEAR(of, kind, type, name, ...) \
	FIELD_WHERE(MOVES, kind, row->name = (type){ 0 };)
/* If the field was sent, copies it from *input to *row. `of` is the prefix of the enumerators'
 * names. */
#define FIELD_MERGE(of, kind, type, name, ...) \
	FIELD_WHERE(BOTH, kind, if (field_set_has(sent, of##name)) row->name = input->name;)
/* clang-format on */

/*
 * Converts the texts of an input to their stored form. Trims texts without FIELD_EXACT. Empty texts
 * become NULL. Adds a violation for each text that its row in `form` does not allow. http/form has
 * already done this for its input; a second call changes nothing. `sent` has the rows that the
 * client sent. Checks a text if it was sent, is not NULL, or is required. Checks the texts inside
 * an object only if the object was sent.
 */
void fields_check_texts(struct fields form, void *input, struct field_set sent, struct arena *arena,
			struct violations *violations);

/* Returns the row with this name; NULL: the table has no such row. */
const struct field *fields_find(struct fields fields, const char *name);

/* Returns whether only owners of the account may set the field: in a new object if is_new is true,
 * otherwise in an existing object. */
bool field_is_for_owners(const struct field *field, bool is_new);

/* Returns whether two objects have the same value of the field; files are not compared. */
bool field_is_same(const struct field *field, const void *one, const void *other);

/* Returns the sent fields whose values differ between two objects. `members` is the field table of
 * the objects; a field that is not in this table counts as equal. */
struct field_set fields_differing(struct fields form, struct field_set sent, struct fields members,
				  const void *one, const void *other);

/* Sets the members whose rows have an .initial value to that value. */
void fields_set_initial(struct fields fields, void *object);

/* Returns the fields of `sent` that pages show: fields with FIELD_ON_PAGE. */
struct field_set fields_on_page(struct fields form, struct field_set sent);

#endif
