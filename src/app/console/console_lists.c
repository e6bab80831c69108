/* Reads the rows of lists, and responds with a list as a CSV file. */
#include <string.h>

#include "app/console/console.h"
#include "app/console/console_screens.h"
#include "app/input.h"
#include "app/operation.h"
#include "app/resources.h"
#include "app/respond.h"
#include "app/routes.h"
#include "domain/field_table.h"
#include "service/resource/resource.h"
#include "wire/csv_rows.h"

struct fields console_filter_fields(struct exchange *exchange)
{
	const struct console_screen *screen = exchange->route->screen;
	struct arena *arena = &exchange->arena;
	size_t count = 0;
	while (screen->filters && screen->filters[count])
		count++;
	struct field *rows = ARENA_ARRAY(arena, count, struct field);
	for (size_t i = 0; i < count; i++) {
		rows[i] = *fields_find(*screen->query, screen->filters[i]);
		rows[i].text = NULL;
		rows[i].flags |= FIELD_NULL_IS_UNSENT;
	}
	return (struct fields){ rows, count };
}

void console_settle_query(struct exchange *exchange)
{
	struct str rest = exchange->request.query, pair;
	struct buf kept CLEANUP(buf_done) = BUF_INIT(rest.len + 2);
	while (str_split(&rest, '&', &pair))
		if (pair.len > 0 && pair.data[pair.len - 1] != '=' &&
		    !str_starts(pair, STR("notice=")) && !str_starts(pair, STR("count=")))
			buf_printf(&kept, "%s%.*s", kept.len > 0 ? "&" : "", (int)pair.len,
				   pair.data);
	exchange->request.query =
		(struct str){ arena_strndup(&exchange->arena, kept.data ? kept.data : "", kept.len),
			      kept.len };
}

const char *console_part_query(struct exchange *exchange, int64_t page, int64_t last)
{
	if (page < 1 || page > last)
		return NULL;
	return arena_printf(&exchange->arena, "%spage=%lld",
			    exchange_other_parameters(exchange, "page"), (long long)page);
}

const char *console_list_path(struct exchange *exchange, const struct console_screen *screen)
{
	const char *id = strstr(screen->path, "{id}");
	if (!id)
		return screen->path;
	return arena_printf(&exchange->arena, "%.*s%lld%s", (int)(id - screen->path), screen->path,
			    (long long)exchange->match.id, id + strlen("{id}"));
}

enum result console_read_list(struct exchange *exchange, int64_t limit,
			      struct console_list_rows *read)
{
	const struct console_screen *screen = exchange->route->screen;
	const struct resource *resource = screen->resource;
	struct list_query *query = arena_alloc(&exchange->arena, resource->query_bytes);
	struct resource_rows *found = &read->found;
	memcpy(query, resource->query_defaults, resource->query_bytes);
	query->page = 1;
	query->limit = limit;
	console_settle_query(exchange);
	enum result result = exchange_read_query(exchange, screen->query, query);
	if (result == OK)
		result = resource_list(&exchange->service, resource,
				       screen->is_part ? exchange->match.id : 0, query, found);
	if (result != OK)
		return result;
	read->query = query;
	read->rows = ARENA_ARRAY(&exchange->arena, found->count, const void *);
	for (size_t i = 0; i < found->count; i++)
		read->rows[i] = resource_present(&exchange->service, resource,
						 (const char *)found->rows + i * found->row_bytes);
	return OK;
}

/* GET /console/audit/export */
enum result console_list_file(struct exchange *exchange)
{
	enum { ROWS_MAX = 10000 /* of about 1 kB */ };
	const struct console_screen *screen = exchange->route->screen;
	struct buf *body = &exchange->response.body;
	struct console_list_rows read;
	enum result result = console_read_list(exchange, ROWS_MAX, &read);
	if (result != OK)
		return result;
	buf_clear(body);
	csv_put_rows(body, screen->resource->listed, read.rows, read.found.count);
	exchange_respond_csv(exchange, arena_printf(&exchange->arena, "%s.csv", screen->path));
	return OK;
}
