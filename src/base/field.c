#include "base/field.h"

#include <string.h>

#include "base/log.h"

static size_t kind_bytes(enum field_kind kind)
{
	switch (kind) {
	case FIELD_INT:
		return sizeof(int64_t);
	case FIELD_BOOL:
		return sizeof(bool);
	case FIELD_CHOICE:
		return sizeof(int);
	case FIELD_TEXT:
		return sizeof(const char *);
	case FIELD_IDS:
		return sizeof(struct id_list);
	case FIELD_TIME:
		return sizeof(struct instant);
	case FIELD_FILE:
		return sizeof(struct field_file *);
	}
	die("field: a kind that is none");
}

void field_copy(const struct field *to, void *to_object, const struct field *from,
		const void *from_object)
{
	if (to->kind != from->kind)
		die("field: %s and %s are of two kinds", to->name, from->name);
	memcpy((char *)to_object + to->offset, (const char *)from_object + from->offset,
	       kind_bytes(to->kind));
}
