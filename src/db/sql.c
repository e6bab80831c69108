#include "db/sql.h"

#include <string.h>

#include "base/arena.h"
#include "base/log.h"

void sql_start(struct sql_build *build, struct sql piece)
{
	build->len = 0;
	build->count = 0;
	build->text[0] = '\0';
	sql_add(build, piece);
}

void sql_add(struct sql_build *build, struct sql piece)
{
	size_t len = strlen(piece.text);
	if (len >= sizeof(build->text) - build->len)
		die("sql: a statement of more than %d bytes", SQL_TEXT_MAX_BYTES);
	memcpy(build->text + build->len, piece.text, len + 1);
	build->len += len;
}

static struct sql_arg *next_arg(struct sql_build *build, enum sql_arg_kind kind)
{
	if (build->count == SQL_ARGS_MAX)
		die("sql: a statement with more than %d arguments", SQL_ARGS_MAX);
	struct sql_arg *arg = &build->args[build->count++];
	*arg = (struct sql_arg){ .kind = kind };
	return arg;
}

void sql_int(struct sql_build *build, int64_t number)
{
	next_arg(build, SQL_INT)->number = number;
}

void sql_text(struct sql_build *build, const char *text)
{
	next_arg(build, text ? SQL_TEXT : SQL_NULL)->bytes = str_from(text);
}

void sql_str(struct sql_build *build, struct str text)
{
	next_arg(build, SQL_TEXT)->bytes = text;
}

void sql_bytes(struct sql_build *build, const void *data, size_t len)
{
	next_arg(build, data ? SQL_BYTES : SQL_NULL)->bytes = (struct str){ data, len };
}

void sql_time(struct sql_build *build, struct instant at)
{
	char *text = build->times[build->count < SQL_ARGS_MAX ? build->count : 0];
	sql_text(build, at.s ? instant_format_sql(at, text) : NULL);
}

const char *sql_contains(struct arena *arena, const char *text)
{
	char *pattern = arena_alloc(arena, 2 * strlen(text) + 3);
	char *end = pattern;
	*end++ = '%';
	for (; *text; text++) {
		if (strchr("%_!", *text))
			*end++ = '!';
		*end++ = *text;
	}
	*end++ = '%';
	*end = '\0';
	return pattern;
}

void sql_field(struct sql_build *build, const struct field *field, const void *row)
{
	switch (field->kind) {
	case FIELD_INT:
		sql_int(build, *FIELD_AT_CONST(row, field, int64_t));
		return;
	case FIELD_BOOL:
		sql_int(build, *FIELD_AT_CONST(row, field, bool));
		return;
	case FIELD_CHOICE:
		sql_int(build, *FIELD_AT_CONST(row, field, int));
		return;
	case FIELD_TEXT:
		sql_text(build, *FIELD_AT_CONST(row, field, const char *));
		return;
	case FIELD_TIME:
		sql_time(build, *FIELD_AT_CONST(row, field, struct instant));
		return;
	case FIELD_IDS:
	case FIELD_FILE:
	case FIELD_OBJECT:
		break;
	}
	die("sql: %s is no column", field->name);
}
