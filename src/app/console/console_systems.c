/* Two screens of a page. /console/pages/{id}/systems has its systems and their order.
 * /console/pages/{id}/share has its address, also as a QR code. */
#include <stdlib.h>
#include <string.h>

#include "app/console/console.h"
#include "app/console/console_screens.h"
#include "app/input.h"
#include "app/operation.h"
#include "app/resources.h"
#include "app/routes.h"
#include "base/str.h"
#include "service/monitors.h"
#include "service/page/status_pages.h"
#include "service/resource/resource.h"
#include "view/console/console_systems_html.h"
#include "view/console/qr_code.h"

/* A screen shows at most SHOWN_MAX systems of the page, and at most FOUND_MAX other systems. */
enum { SHOWN_MAX = 40, FOUND_MAX = 20 };
/* A rejected form that is shown again may have up to SHOWN_MAX more rows, for systems that were
 * added to the page after the form was made. */
enum { ROWS_MAX = 2 * SHOWN_MAX + FOUND_MAX };

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

/* A row of the form: a system of the page, or a system that the search has found. */
struct systems_row {
	int64_t monitor_id;
	bool is_shown;
	int64_t place; /* the typed place in the page's list, from 1; 0: at the end */
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
	/* Which part of the list the form shows (from 1), and the search. */
	int64_t page;
	const char *search;
};
static const struct field input_rows[] = {
	FIELD(struct systems_input, systems, FIELD_MEMBERS(struct systems_row, &row_fields),
	      .max = ROWS_MAX),
	FIELD(struct systems_input, page, .min = 1, .max = STATUS_PAGE_MONITORS_MAX),
	FIELD(struct systems_input, search, .max_chars = 255),
};
/* Indexes into input_rows. */
enum { SYSTEMS_ROWS, SYSTEMS_PAGE, SYSTEMS_SEARCH };
const struct fields console_systems_fields = { input_rows, ARRAY_LEN(input_rows) };

static enum result find_page(struct exchange *exchange, struct status_page *page)
{
	const struct resource_place place = { .id = exchange->match.id };
	return resource_find(&exchange->service, &resource_status_pages, &place, page);
}

/* The data for a screen of the systems. */
struct systems_view {
	const struct systems_query *query;
	const struct word_value *typed; /* the values of a rejected form; NULL: none */
	const struct id_list *ids;	/* the systems that the page shows, in its order */
	struct db_list names;
	struct console_systems *screen;
};

static const struct monitor_name *name_of(const struct systems_view *view, int64_t id)
{
	const struct monitor_name *rows = view->names.rows;
	for (size_t i = 0; i < view->names.count; i++)
		if (rows[i].id == id)
			return &rows[i];
	return NULL;
}

static size_t place_of(const struct id_list *ids, int64_t id)
{
	size_t at = 0;
	while (at < ids->count && ids->ids[at] != id)
		at++;
	return at;
}

static void add_row(struct exchange *exchange, struct systems_view *view, int64_t id,
		    const char *name)
{
	struct console_systems *screen = view->screen;
	size_t at = place_of(view->ids, id);
	bool is_shown = at < view->ids->count;
	const char *place = is_shown ? arena_printf(&exchange->arena, "%zu", at + 1) : "";
	screen->rows[screen->count++] = (struct console_system){
		.id = id, .name = name, .place = place, .stored = place, .is_shown = is_shown
	};
}

static bool has_row(const struct console_systems *screen, int64_t id)
{
	for (size_t i = 0; i < screen->count; i++)
		if (screen->rows[i].id == id)
			return true;
	return false;
}

static const char *typed_text(struct exchange *exchange, const struct systems_view *view,
			      size_t row, const char *member)
{
	const struct console_inputs inputs = { .typed = view->typed };
	return console_typed_value(&inputs,
				   arena_printf(&exchange->arena, "systems[%zu][%s]", row, member));
}

/* Returns the id of the system in a row of the rejected form; 0: none. */
static int64_t typed_id(struct exchange *exchange, const struct systems_view *view, size_t row)
{
	const char *text = typed_text(exchange, view, row, "monitor_id");
	int64_t id;
	return text && str_to_int64(str_from(text), &id) && id > 0 ? id : 0;
}

/* Adds the rows of the rejected form, with the ticks and places that the person typed. */
static void set_typed(struct exchange *exchange, struct systems_view *view)
{
	struct console_systems *screen = view->screen;
	for (size_t i = 0; i < ROWS_MAX; i++) {
		int64_t id = typed_id(exchange, view, i);
		const struct monitor_name *monitor = id > 0 ? name_of(view, id) : NULL;
		if (!monitor)
			continue;
		const char *tick = typed_text(exchange, view, i, "is_shown");
		const char *place = typed_text(exchange, view, i, "place");
		add_row(exchange, view, id, monitor->name);
		struct console_system *row = &screen->rows[screen->count - 1];
		row->is_shown = tick && strcmp(tick, "1") == 0;
		row->place = place ? place : "";
		row->typed_as = arena_printf(&exchange->arena, "systems.%zu.", i);
	}
}

static size_t first_shown(const struct systems_view *view)
{
	return (size_t)(view->query->page - 1) * SHOWN_MAX;
}

/* Adds the systems of the shown part of the page's list, in the list's order. */
static void set_shown(struct exchange *exchange, struct systems_view *view)
{
	const struct id_list *ids = view->ids;
	size_t from = first_shown(view);
	for (size_t i = from; i < ids->count && i < from + SHOWN_MAX; i++) {
		const struct monitor_name *monitor = name_of(view, ids->ids[i]);
		if (monitor && view->screen->count < ROWS_MAX &&
		    !has_row(view->screen, monitor->id))
			add_row(exchange, view, monitor->id, monitor->name);
	}
	view->screen->has_more = ids->count > from + SHOWN_MAX;
}

static void set_found(struct exchange *exchange, struct systems_view *view)
{
	const struct monitor_name *rows = view->names.rows;
	for (size_t i = 0; i < view->names.count; i++)
		if (!rows[i].is_chosen)
			add_row(exchange, view, rows[i].id, rows[i].name);
}

/* Reads the names of the systems that the screen shows: a part of the page's list, the systems of
 * the rejected form, and the results of the search. */
static enum result read_names(struct exchange *exchange, int64_t page_id, struct systems_view *view)
{
	const struct id_list *ids = view->ids;
	struct id_list chosen = { ARENA_ARRAY(&exchange->arena, SHOWN_MAX + ROWS_MAX, int64_t) };
	for (size_t i = first_shown(view); i < ids->count && chosen.count < SHOWN_MAX; i++)
		chosen.ids[chosen.count++] = ids->ids[i];
	for (size_t i = 0; view->typed && i < ROWS_MAX; i++) {
		int64_t id = typed_id(exchange, view, i);
		if (id > 0)
			chosen.ids[chosen.count++] = id;
	}
	id_list_settle(&chosen);
	struct monitor_name_query wanted = { .chosen = &chosen,
					     .search = view->query->search,
					     .not_on_page = page_id,
					     .most = FOUND_MAX };
	return service_name_monitors(&exchange->service, &wanted, &view->names);
}

/* Responds with the screen and `status`. `typed`: the values of a rejected form; NULL: no form was
 * sent. */
static enum result show(struct exchange *exchange, int status, const struct systems_query *query,
			const struct word_value *typed, struct console_systems *systems)
{
	const struct console_view view = console_view(exchange);
	struct status_page page;
	enum result result = find_page(exchange, &page);
	if (result != OK)
		return result;
	struct systems_view rows = { query, typed, &page.monitor_ids, { 0 }, systems };
	result = read_names(exchange, page.id, &rows);
	if (result != OK)
		return result;
	systems->rows = ARENA_ARRAY(&exchange->arena, ROWS_MAX, struct console_system);
	systems->page = query->page;
	systems->is_saved = query->notice >= 0;
	systems->search = query->search ? query->search : "";
	if (typed)
		set_typed(exchange, &rows);
	set_shown(exchange, &rows);
	if (!typed)
		set_found(exchange, &rows);
	systems->screen = exchange->route->screen;
	systems->id = page.id;
	systems->name = page.name;
	systems->version = resource_revision(&resource_status_pages, &page);
	systems->form_key = console_form_key(exchange);
	if (!systems->list)
		systems->list = &page.monitor_ids;
	systems->principal = &exchange->service.principal;
	console_systems_html(&exchange->response.body, &view, systems);
	exchange->console->has_preview = true;
	console_respond(exchange, status);
	return OK;
}

enum result console_systems(struct exchange *exchange)
{
	struct systems_query query = { .page = 1, .notice = -1 };
	struct console_systems systems = { 0 };
	enum result result = exchange_read_query(exchange, &console_systems_query_fields, &query);
	return result == OK ? show(exchange, 200, &query, NULL, &systems) : result;
}

static void remove_id(struct id_list *ids, int64_t id)
{
	size_t kept = 0;
	for (size_t i = 0; i < ids->count; i++)
		if (ids->ids[i] != id)
			ids->ids[kept++] = ids->ids[i];
	ids->count = kept;
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
 * Returns the list of the page's systems, changed by the form. Systems that the form does not name
 * keep their order. A typed place is an index in the new list, from 1.
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
		/* Remove the system first: an earlier row of the form may have added it. */
		remove_id(&list, rows[i].monitor_id);
		insert_id(&list, rows[i].monitor_id,
			  rows[i].place > 0 ? (size_t)rows[i].place - 1 : list.count);
	}
	return list;
}

/* Redirects to the part of the list from which the form was sent. */
static void render_saved(struct exchange *exchange, const void *outcome)
{
	const struct status_page *page = outcome;
	const struct form_entry *part = &exchange->form->entries[SYSTEMS_PAGE];
	int64_t number;
	if (!str_to_int64(part->value.text, &number))
		number = 1;
	buf_clear(&exchange->response.body);
	console_redirect(exchange,
			 arena_printf(&exchange->arena, "pages/%lld/systems?notice=saved&page=%lld",
				      (long long)page->id, (long long)number));
}

/* Shows the form again. Adds the systems of the page that the form does not have. `list`: the
 * page's list with the form's changes; NULL: the form has wrong values. */
static enum result show_refused(struct exchange *exchange, enum result result,
				const struct systems_input *input, const struct id_list *list)
{
	const struct console_view view = console_view(exchange);
	const struct violations violations = exchange->violations;
	bool is_stale = result == E_PRECONDITION_FAILED;
	struct console_systems systems = {
		.problem = is_stale ? console_text(&view, CONSOLE_OBJECT_CHANGED) : NULL,
		.violations = &violations,
		.is_stale = is_stale,
		.list = list,
	};
	const struct systems_query query = { .page = input->page > 0 ? input->page : 1,
					     .search = input->search,
					     .notice = -1 };
	violations_init(&exchange->violations, &exchange->arena);
	exchange->error = (struct error){ 0 };
	return show(exchange, is_stale ? 409 : 422, &query, console_typed(exchange, false),
		    &systems);
}

/* POST /console/pages/{id}/systems, and its preview */
enum result console_systems_change(struct exchange *exchange)
{
	struct systems_input input = { .page = 1 };
	struct status_page_change change = { .sent = FIELD_SET(STATUS_PAGE_FIELD_monitor_ids) };
	const struct id_list *list = NULL;
	struct status_page page;
	struct field_set sent;
	if (!principal_may(&exchange->service.principal, PERMISSION_EDIT))
		return E_FORBIDDEN;
	enum result result = exchange_body(exchange, &input, &sent);
	if (result == OK)
		result = find_page(exchange, &page);
	if (result == OK) {
		change.input.monitor_ids =
			changed_list(&page.monitor_ids, &input.systems, &exchange->arena);
		list = &change.input.monitor_ids;
		result = service_update_status_page(
			exchange_service(exchange, resources_admit, render_saved),
			exchange->match.id, &change, &page);
	}
	bool is_refused = result == E_PRECONDITION_FAILED ||
			  (result == E_INVALID && exchange->violations.count > 0);
	if (!is_refused || exchange->console->preview)
		return result;
	return show_refused(exchange, result, &input, list);
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
	/* If the library for QR codes is missing, the screen has no image. */
	bool has_image = qr_code_svg(&image, page->url, page->url, &ignored) == OK;
	console_share_html(&exchange->response.body, &view, &object, has_image ? image.data : "");
	console_respond(exchange, 200);
	return OK;
}
