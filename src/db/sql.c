#include "db/sql.h"

#include <string.h>

#include "base/arena.h"
#include "base/log.h"

void sql_clear(struct sql_build *build)
{
	build->text = build->own_text;
	build->text_room = sizeof(build->own_text);
	build->args = build->own_args;
	build->args_room = ARRAY_LEN(build->own_args);
	build->arena = NULL;
	build->len = build->count = build->list_end = 0;
	build->is_prepared_anew = false;
	build->text[0] = '\0';
}

/* Makes room for `more` bytes of text and the NUL. */
static void reserve_text(struct sql_build *build, size_t more)
{
	size_t needed = build->len + more + 1, room = 2 * build->text_room;
	if (needed <= build->text_room)
		return;
	if (!build->arena)
		die("sql: a statement of more than %d bytes", SQL_TEXT_MAX_BYTES);
	room = room > needed ? room : needed;
	char *text = arena_alloc(build->arena, room);
	memcpy(text, build->text, build->len);
	build->text = text;
	build->text_room = room;
}

static void reserve_args(struct sql_build *build, size_t more)
{
	size_t needed = build->count + more, room = 2 * build->args_room;
	if (needed <= build->args_room)
		return;
	if (!build->arena)
		die("sql: a statement with more than %d arguments", SQL_ARGS_MAX);
	room = room > needed ? room : needed;
	struct sql_arg *args = ARENA_ARRAY(build->arena, room, struct sql_arg);
	memcpy(args, build->args, build->count * sizeof(*args));
	build->args = args;
	build->args_room = room;
}

static void add_text(struct sql_build *build, const char *text)
{
	size_t len = strlen(text);
	reserve_text(build, len);
	memcpy(build->text + build->len, text, len + 1);
	build->len += len;
}

void sql_prepare_anew(struct sql_build *build)
{
	build->is_prepared_anew = true;
}

static struct sql_arg *next_arg(struct sql_build *build, enum sql_arg_kind kind)
{
	if (build->list_end > 0 && build->count == build->list_end)
		die("sql: more arguments than the list has placeholders");
	reserve_args(build, 1);
	struct sql_arg *arg = &build->args[build->count++];
	*arg = (struct sql_arg){ .kind = kind };
	return arg;
}

void sql_bytes(struct sql_build *build, const void *data, size_t len)
{
	next_arg(build, data ? SQL_BYTES : SQL_NULL)->bytes = (struct str){ data, len };
}

static void add_arg_text(struct sql_build *build, const char *text)
{
	next_arg(build, text ? SQL_TEXT : SQL_NULL)->bytes = str_from(text);
}

static void add_arg_time(struct sql_build *build, struct instant at)
{
	char *text = build->own_times[0];
	if (build->count < SQL_ARGS_MAX)
		text = build->own_times[build->count];
	else if (build->arena && at.s)
		text = arena_alloc(build->arena, INSTANT_TEXT_SIZE);
	add_arg_text(build, at.s ? instant_format_sql(at, text) : NULL);
}

void sql_add_parts(struct sql_build *build, const struct sql_part *parts, size_t count)
{
	for (const struct sql_part *part = parts; part < parts + count; part++)
		switch (part->kind) {
		case SQL_PART_PIECE:
			add_text(build, part->text);
			break;
		case SQL_PART_INT:
			next_arg(build, SQL_INT)->number = part->number;
			break;
		case SQL_PART_TEXT:
			add_arg_text(build, part->text);
			break;
		case SQL_PART_TIME:
			add_arg_time(build, (struct instant){ part->number });
			break;
		}
}

void sql_field(struct sql_build *build, const struct field *field, const void *row)
{
	switch (field->kind) {
	case FIELD_INT:
		sql_add(build, *FIELD_AT_CONST(row, field, int64_t));
		return;
	case FIELD_BOOL:
		sql_add(build, *FIELD_AT_CONST(row, field, bool));
		return;
	case FIELD_CHOICE:
		sql_add(build, *FIELD_AT_CONST(row, field, int));
		return;
	case FIELD_TEXT:
		sql_add(build, *FIELD_AT_CONST(row, field, const char *));
		return;
	case FIELD_TIME:
		sql_add(build, *FIELD_AT_CONST(row, field, struct instant));
		return;
	case FIELD_IDS:
	case FIELD_FILE:
	case FIELD_PERCENT:
	case FIELD_OBJECT:
	case FIELD_ROWS:
		break;
	}
	die("sql: %s is no column", field->name);
}

static size_t columns_of(const struct sql_rows *rows)
{
	size_t count = 0;
	for (const char *c = rows->first.text; *c; c++)
		count += *c == '?';
	return count;
}

static const size_t sizes[] = { 1, 8, 64, 512, SQL_ROWS_MAX };

size_t sql_rows_chunk(const struct sql_rows *rows, size_t left)
{
	size_t columns = columns_of(rows), most = 1;
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
		if (sizes[i] * columns <= SQL_ROWS_MAX)
			most = sizes[i];
	return left < most ? left : most;
}

void sql_rows_begin(struct sql_build *build, const struct sql_rows *rows, size_t count,
		    struct arena *arena)
{
	size_t columns = columns_of(rows), size = 0;
	if (count != sql_rows_chunk(rows, count))
		die("sql: a list of %zu rows of %zu", count, columns);
	while (sizes[size] < count)
		size++;
	build->arena = arena;
	reserve_args(build, sizes[size] * columns);
	reserve_text(build, strlen(rows->first.text) + sizes[size] * strlen(rows->next.text));
	add_text(build, rows->first.text);
	for (size_t i = 1; i < sizes[size]; i++)
		add_text(build, rows->next.text);
	build->list_begin = build->count;
	build->list_end = build->count + sizes[size] * columns;
	build->list_columns = columns;
	build->list_repeats = rows->repeats_last;
}

void sql_rows_end(struct sql_build *build)
{
	size_t columns = build->list_columns, given = build->count - build->list_begin;
	if (given % columns != 0 || (given == 0 && build->list_repeats))
		die("sql: %zu arguments for rows of %zu", given, columns);
	while (build->count < build->list_end) {
		struct sql_arg *arg = next_arg(build, SQL_NULL);
		if (build->list_repeats)
			*arg = arg[-(ptrdiff_t)columns];
	}
	build->list_end = 0;
}

const struct sql_rows sql_list = { { "?" }, { ", ?" }, false };

void sql_list_ints(struct sql_build *build, const int64_t *numbers, size_t count,
		   struct arena *arena)
{
	sql_rows_begin(build, &sql_list, count, arena);
	for (size_t i = 0; i < count; i++)
		sql_add(build, numbers[i]);
	sql_rows_end(build);
}

void sql_list_times(struct sql_build *build, struct instant from, int64_t step_s, size_t count,
		    struct arena *arena)
{
	sql_rows_begin(build, &sql_list, count, arena);
	for (size_t i = 0; i < count; i++) {
		const struct instant at = { from.s + (int64_t)i * step_s };
		sql_add(build, instant_format_sql(at, arena_alloc(arena, INSTANT_TEXT_SIZE)));
	}
	sql_rows_end(build);
}

void sql_list_texts(struct sql_build *build, const char *const *texts, size_t count,
		    struct arena *arena)
{
	sql_rows_begin(build, &sql_list, count, arena);
	for (size_t i = 0; i < count; i++)
		sql_add(build, texts[i]);
	sql_rows_end(build);
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
