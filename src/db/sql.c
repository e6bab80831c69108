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
	*arg = (struct sql_arg){ .kind = kind, .placeholders = 1 };
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

void sql_ids(struct sql_build *build, const int64_t *ids, size_t count)
{
	static const size_t sizes[] = { 8, 64, SQL_IDS_MAX };
	size_t size = 0;
	if (count == 0 || count > SQL_IDS_MAX)
		die("sql: a list of %zu ids", count);
	while (sizes[size] < count)
		size++;
	struct sql_arg *arg = next_arg(build, SQL_IDS);
	arg->number = (int64_t)count;
	arg->ids = ids;
	arg->placeholders = sizes[size];
	sql_add(build, SQL("(?"));
	for (size_t i = 1; i < arg->placeholders; i++)
		sql_add(build, SQL(",?"));
	sql_add(build, SQL(") "));
}

size_t sql_placeholders(const struct sql_build *build)
{
	size_t placeholders = 0;
	for (size_t i = 0; i < build->count; i++)
		placeholders += build->args[i].placeholders;
	return placeholders;
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
