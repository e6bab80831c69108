/* /console/pages/{id}/systems: which systems a page shows, and in which order; …/share */
#include <stdlib.h>
#include <string.h>

#include "app/console/console.h"
#include "app/console/console_screens.h"
#include "app/input.h"
#include "app/operation.h"
#include "app/resources.h"
#include "app/routes.h"
#include "service/monitors.h"
#include "service/page/status_pages.h"
#include "service/resource/resource.h"
#include "view/console/console_systems_html.h"
#include "view/console/qr_code.h"

/* So many systems of the page, and so many others, are on a screen. */
enum { SHOWN_MAX = 40, FOUND_MAX = 20, ROWS_MAX = SHOWN_MAX + FOUND_MAX };

struct systems_query {
	const char *search;
	int64_t page;
	int notice;
};
static const char *const notice_words[] = { "saved", NULL };
static const struct field query_rows[] = {
	FIELD(struct systems_query, notice, .choices = notice_words),
	FIELD(struct systems_query, search, .max_chars = 255),
	FIELD(struct systems_query, page, .min = 1, .max = STATUS_PAGE_MONITORS_MAX),
};
const struct fields console_systems_query_fields = { query_rows, ARRAY_LEN(query_rows) };

/* What the form says of a system. */
struct systems_row {
	int64_t monitor_id;
	bool is_shown;
	int64_t place; /* from 1; 0: at the end */
};
static const struct field row_rows[] = {
	FIELD(struct systems_row, monitor_id, .flags = FIELD_REQUIRED, .min = 1, .max = INT64_MAX),
	FIELD(struct systems_row, is_shown),
	FIELD(struct systems_row, place, .flags = FIELD_ZERO_IS_NULL,
	      .max = STATUS_PAGE_MONITORS_MAX),
};
static const struct fields row_fields = { row_rows, ARRAY_LEN(row_rows) };
struct systems_input {
	struct field_rows systems;
};
static const struct field input_rows[] = {
	FIELD(struct systems_input, systems, FIELD_MEMBERS(struct systems_row, &row_fields),
	      .max = ROWS_MAX),
};
const struct fields console_systems_fields = { input_rows, ARRAY_LEN(input_rows) };

static enum result find_page(struct exchange *exchange, struct status_page *page)
{
	const struct resource_place place = { .id = exchange->match.id };
	return resource_find(&exchange->service, &resource_status_pages, &place, page);
}

/* The systems of a part of the page, in its order. */
static void set_shown(struct console_systems *systems, const struct id_list *ids,
		      const struct db_list *names)
{
	const struct monitor_name *rows = names->rows;
	size_t from = (size_t)(systems->page - 1) * SHOWN_MAX;
	for (size_t i = from; i < ids->count && i < from + SHOWN_MAX; i++)
		for (size_t j = 0; j < names->count; j++)
			if (rows[j].is_chosen && rows[j].id == ids->ids[i])
				systems->rows[systems->count++] =
					(struct console_system){ rows[j].id, rows[j].name,
								 (int64_t)i + 1 };
	systems->has_more = ids->count > from + SHOWN_MAX;
}

static void set_found(struct console_systems *systems, const struct id_list *chosen,
		      const struct db_list *names)
{
	const struct monitor_name *rows = names->rows;
	size_t found = 0;
	for (size_t i = 0; i < names->count && found < FOUND_MAX; i++) {
		if (rows[i].is_chosen || id_list_has(chosen, rows[i].id))
			continue;
		systems->rows[systems->count++] =
			(struct console_system){ rows[i].id, rows[i].name, 0 };
		found++;
	}
}

static enum result show(struct exchange *exchange, int status, const struct systems_query *query,
			struct console_systems *systems)
{
	const struct console_view view = console_view(exchange);
	struct status_page page;
	struct db_list names = { 0 };
	enum result result = find_page(exchange, &page);
	if (result != OK)
		return result;
	const struct id_list *ids = &page.monitor_ids;
	struct id_list chosen = { ARENA_ARRAY(&exchange->arena, ids->count, int64_t), ids->count };
	if (ids->count > 0)
		memcpy(chosen.ids, ids->ids, ids->count * sizeof(*ids->ids));
	id_list_settle(&chosen);
	struct monitor_name_query wanted = { .chosen = &chosen,
					     .search = query->search,
					     .most = chosen.count + FOUND_MAX };
	result = service_name_monitors(&exchange->service, &wanted, &names);
	if (result != OK)
		return result;
	systems->rows = ARENA_ARRAY(&exchange->arena, ROWS_MAX, struct console_system);
	systems->page = query->page;
	systems->is_saved = query->notice >= 0;
	systems->search = query->search ? query->search : "";
	set_shown(systems, ids, &names);
	set_found(systems, &chosen, &names);
	systems->screen = exchange->route->screen;
	systems->id = page.id;
	systems->name = page.name;
	systems->version = resource_revision(&resource_status_pages, &page);
	systems->principal = &exchange->service.principal;
	console_systems_html(&exchange->response.body, &view, systems);
	console_respond(exchange, status);
	return OK;
}

enum result console_systems(struct exchange *exchange)
{
	struct systems_query query = { .page = 1, .notice = -1 };
	struct console_systems systems = { 0 };
	enum result result = exchange_read_query(exchange, &console_systems_query_fields, &query);
	return result == OK ? show(exchange, 200, &query, &systems) : result;
}

static void remove_id(struct id_list *ids, int64_t id)
{
	size_t kept = 0;
	for (size_t i = 0; i < ids->count; i++)
		if (ids->ids[i] != id)
			ids->ids[kept++] = ids->ids[i];
	ids->count = kept;
}

static size_t place_of(const struct id_list *ids, int64_t id)
{
	size_t at = 0;
	while (at < ids->count && ids->ids[at] != id)
		at++;
	return at;
}

static void insert_id(struct id_list *ids, int64_t id, size_t at)
{
	if (at > ids->count)
		at = ids->count;
	memmove(ids->ids + at + 1, ids->ids + at, (ids->count - at) * sizeof(*ids->ids));
	ids->ids[at] = id;
	ids->count++;
}

static int place_order(const void *a, const void *b)
{
	const struct systems_row *left = a, *right = b;
	return (left->place > right->place) - (left->place < right->place);
}

/*
 * The list with the changes of the form: systems of which the form does not tell stay where they
 * are. A system that is moved gets its place in the new list.
 */
static struct id_list changed_list(const struct id_list *now, const struct field_rows *form,
				   struct arena *arena)
{
	struct id_list list = { ARENA_ARRAY(arena, now->count + form->count, int64_t), now->count };
	struct systems_row *rows = form->rows;
	if (now->count > 0)
		memcpy(list.ids, now->ids, now->count * sizeof(*now->ids));
	for (size_t i = 0; i < form->count; i++) {
		size_t at = place_of(now, rows[i].monitor_id);
		bool is_kept = at < now->count && rows[i].place == (int64_t)at + 1;
		if (rows[i].is_shown && is_kept)
			rows[i].monitor_id = 0;
		else
			remove_id(&list, rows[i].monitor_id);
	}
	if (form->count > 0)
		qsort(rows, form->count, sizeof(*rows), place_order);
	for (size_t i = 0; i < form->count; i++) {
		if (rows[i].monitor_id == 0 || !rows[i].is_shown)
			continue;
		/* The form may name a system twice. */
		remove_id(&list, rows[i].monitor_id);
		insert_id(&list, rows[i].monitor_id,
			  rows[i].place > 0 ? (size_t)rows[i].place - 1 : list.count);
	}
	return list;
}

enum result console_systems_change(struct exchange *exchange)
{
	struct systems_input input = { 0 };
	struct status_page_change change = { .sent = FIELD_SET(STATUS_PAGE_FIELD_monitor_ids) };
	struct status_page page;
	struct field_set sent;
	if (!principal_may(&exchange->service.principal, PERMISSION_EDIT))
		return E_FORBIDDEN;
	enum result result = exchange_body(exchange, &input, &sent);
	if (result == OK)
		result = find_page(exchange, &page);
	if (result != OK)
		return result;
	change.input.monitor_ids =
		changed_list(&page.monitor_ids, &input.systems, &exchange->arena);
	result = service_update_status_page(
		exchange_service(exchange, resources_admit, resources_render), exchange->match.id,
		&change, &page);
	const struct console_view view = console_view(exchange);
	const struct violation *violation = exchange->violations.first;
	bool is_stale = result == E_PRECONDITION_FAILED;
	if (!is_stale && (result != E_INVALID || !violation))
		return result;
	struct console_systems systems = {
		.problem = is_stale ? console_text(&view, CONSOLE_OBJECT_CHANGED)
				    : violation->message
	};
	exchange->error = (struct error){ 0 };
	return show(exchange, is_stale ? 409 : 422,
		    &(struct systems_query){ .page = 1, .notice = -1 }, &systems);
}

/* GET /console/pages/{id}/share */
enum result console_share(struct exchange *exchange)
{
	const struct console_view view = console_view(exchange);
	struct buf image CLEANUP(buf_done) = BUF_INIT(64 << 10);
	struct console_object object = { .screen = exchange->route->screen,
					 .principal = &exchange->service.principal };
	struct error ignored = { 0 };
	struct status_page row;
	enum result result = find_page(exchange, &row);
	if (result != OK)
		return result;
	const struct status_page *page =
		resource_present(&exchange->service, &resource_status_pages, &row);
	object.row = page;
	/* Without the library the screen has no image. */
	bool has_image = qr_code_svg(&image, page->url, page->url, &ignored) == OK;
	console_share_html(&exchange->response.body, &view, &object, has_image ? image.data : "");
	console_respond(exchange, 200);
	return OK;
}
