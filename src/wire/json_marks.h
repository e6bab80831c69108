/* What the files that build and print trees share. A mark for a tree needs no memory. */
#ifndef WIRE_JSON_MARKS_H
#define WIRE_JSON_MARKS_H

#include "base/field.h"

/* User data of a json-c object, by address: the tree is incomplete; the string is JSON text. */
extern char json_lacking, json_printed;

/* Whether FIELD_ZERO_IS_NULL makes the value null. */
bool json_field_is_null(const struct field *field, const void *row);

#endif
