#include <string.h>

#include "app/console/console.h"
#include "app/console/console_screens.h"
#include "app/input.h"
#include "app/operation.h"
#include "app/resources.h"
#include "app/routes.h"
#include "domain/field_table.h"
#include "service/resource/resource.h"

/* With ROWS_MAX rows, a list has at most 25 kB of HTML, even with the longest names. */
enum { ROWS_MAX = 20 };

static const char *const notice_words[] = { "saved",	"added",  "accepted",  "deleted", "changed",
					    "repeated", "posted", "withdrawn", NULL };
static const enum console_sentence notices[] = { CONSOLE_SAVED,		CONSOLE_ADDED,
						 CONSOLE_ACCEPTED,	CONSOLE_DELETED,
						 CONSOLE_CHANGED_COUNT, CONSOLE_REPEATED,
						 CONSOLE_POSTED,	CONSOLE_WITHDRAWN };
/* The parameters that every screen has. A list also has the parameters of its query. */
struct screen_query {
	int notice;
	int64_t count; /* the number in the text of the notice */
	const char *search;
};
static const struct field query_rows[] = {
	FIELD(struct screen_query, notice, .choices = notice_words),
	FIELD(struct screen_query, count, .max = INT64_MAX),
	FIELD(struct screen_query, search, .max_chars = 255),
};
static const struct fields screen_query_fields = { query_rows, ARRAY_LEN(query_rows) };

/* A rejected form, and the status of the response to it. */
struct refusal {
	int status;
	bool is_stale; /* the object has changed since the form was made */
	const struct word_value *typed;
	struct violations violations;
};

static const struct console_screen *screen_of(const struct exchange *exchange)
{
	return exchange->route->screen;
}

static enum result read_query(struct exchange *exchange, struct screen_query *query)
{
	*query = (struct screen_query){ .notice = -1 };
	return exchange_read_query(exchange, &screen_query_fields, query);
}

static const enum console_sentence *notice_of(const struct screen_query *query)
{
	return query->notice >= 0 ? &notices[query->notice] : NULL;
}

/* Returns the inputs for the form of the screen. `refusal` may be NULL. */
static struct console_inputs inputs_of(const struct exchange *exchange, const struct fields *fields,
				       const struct refusal *refusal)
{
	const struct console_screen *screen = exchange->route->screen;
	const struct principal *principal = &exchange->service.principal;
	return (struct console_inputs){ .fields = *fields,
					.is_whole = true,
					.first = screen->first,
					.has_only_first = screen->has_only_first,
					.without = screen->without,
					.has_no_owner =
						!principal_may(principal, PERMISSION_MANAGE),
					.is_new = fields == screen->create,
					.typed = refusal ? refusal->typed : NULL,
					.violations = refusal ? &refusal->violations : NULL,
					.is_stale = refusal && refusal->is_stale };
}

/* Sets the bulk form, which encloses the list, if the person may send it. `refusal` may be NULL. */
static enum result set_bulk(struct exchange *exchange, const struct refusal *refusal,
			    struct console_inputs *bulk, struct console_list *list)
{
	const struct console_screen *screen = list->screen;
	const struct fields *fields = screen->bulk;
	const struct console_object object = { .inputs = bulk };
	const char *query = exchange->request.query.data;
	bool has_more;
	if (!fields || list->count == 0 || !principal_may(list->principal, screen->permission))
		return OK;
	*bulk = inputs_of(exchange, fields, refusal);
	bulk->is_whole = false;
	bulk->first = NULL;
	bulk->suffix = "-bulk";
	if (refusal && strncmp(refusal->violations.first->field, "monitor_ids", 11) == 0)
		bulk->problem = refusal->violations.first->message;
	bulk->chosen =
		console_chosen_ids(exchange, &object, fields_find(*fields, "alert_channel_ids"));
	list->checked = console_chosen_ids(exchange, &object, fields_find(*fields, "monitor_ids"));
	list->bulk = bulk;
	list->bulk_path = arena_printf(&exchange->arena, "%s/bulk%s%s", list->path,
				       query[0] ? "?" : "", query);
	return console_read_options(exchange, "alert_channel_ids", NULL, bulk, &has_more);
}

/* Responds with the list. `refusal`: a rejected form of the list, or NULL. */
static enum result show_list(struct exchange *exchange, const struct refusal *refusal)
{
	const struct console_screen *screen = screen_of(exchange);
	const struct console_view view = console_view(exchange);
	struct console_inputs bulk, add, part;
	struct screen_query own;
	struct console_list_rows read;
	enum result result = read_query(exchange, &own);
	if (result == OK)
		result = console_read_list(exchange, ROWS_MAX, &read);
	if (result != OK)
		return result;
	const struct console_inputs filter = { .fields = console_filter_fields(exchange),
					       .is_whole = true,
					       .object = read.query };
	struct console_list list = {
		.screen = screen,
		.path = console_list_path(exchange, screen),
		.owner_id = screen->is_part ? exchange->match.id : 0,
		.rows = read.rows,
		.listed = screen->resource->listed,
		.count = read.found.count,
		.total = read.found.total,
		.previous = console_part_query(exchange, read.query->page - 1, read.query->page),
		.next = console_part_query(exchange, read.query->page + 1,
					   (read.found.total + ROWS_MAX - 1) / ROWS_MAX),
		.file_query = console_part_query(exchange, 1, 1),
		.filter = &filter,
		.principal = &exchange->service.principal,
		.form_key = console_form_key(exchange),
		.notice = refusal ? NULL : notice_of(&own),
		.notice_count = own.count,
	};
	bool is_of_part = exchange->route->fields == screen->part_form.fields;
	if (screen->is_part) {
		add = inputs_of(exchange, screen->create, is_of_part ? NULL : refusal);
		list.add = &add;
	}
	if (screen->is_part && screen->part_form.path) {
		part = inputs_of(exchange, screen->part_form.fields, is_of_part ? refusal : NULL);
		part.first = screen->part_form.first;
		list.part = &part;
	}
	result = set_bulk(exchange, refusal, &bulk, &list);
	if (result != OK)
		return result;
	console_list_html(&exchange->response.body, &view, &list);
	console_respond(exchange, refusal ? refusal->status : 200);
	return OK;
}

enum result console_list(struct exchange *exchange)
{
	return show_list(exchange, NULL);
}

/* Sets the members of a nested value that have inputs, which depend on the object's `type`. */
static void set_members(const struct console_screen *screen, struct console_inputs *inputs,
			const char *type)
{
	const struct field *field = fields_find(inputs->fields, screen->choose);
	for (int i = 0; type && field->choices[i]; i++)
		if (strcmp(field->choices[i], type) == 0)
			inputs->members = screen->members_of(i);
}

/* Whether the request is a form for a part of the object, such as for an update of an incident. */
static bool is_part_form(const struct exchange *exchange)
{
	const struct fields *fields = screen_of(exchange)->part_form.fields;
	return fields && exchange->route->fields == fields;
}

static enum result show_object(struct exchange *exchange, const struct refusal *refusal,
			       struct console_object *object, struct console_inputs *inputs)
{
	const struct console_screen *screen = object->screen;
	const struct console_view view = console_view(exchange);
	struct screen_query query;
	enum result result = read_query(exchange, &query);
	object->principal = &exchange->service.principal;
	object->form_key = console_form_key(exchange);
	object->notice = refusal ? NULL : notice_of(&query);
	if (inputs->fields.count > 0)
		object->inputs = inputs;
	if (result == OK && object->inputs)
		result = console_set_options(exchange, inputs, object, query.search);
	if (result != OK)
		return result;
	struct console_inputs part = { .is_whole = true,
				       .has_only_first = true,
				       .suffix = "-part" };
	if (refusal && is_part_form(exchange)) {
		part.typed = refusal->typed;
		part.violations = &refusal->violations;
	}
	if (screen->part_form.path) {
		part.fields = *screen->part_form.fields;
		part.first = screen->part_form.first;
		object->part = &part;
	}
	console_object_html(&exchange->response.body, &view, object);
	exchange->console->has_preview = screen->has_preview;
	console_respond(exchange, refusal ? refusal->status : 200);
	return OK;
}

/* Returns the type of the new object, from the query; NULL: none. The type determines the form's
 * inputs. */
static const char *chosen_type(struct exchange *exchange)
{
	const struct console_screen *screen = screen_of(exchange);
	struct choice_query {
		int type;
	} query = { -1 };
	struct field row = *fields_find(*screen->create, screen->choose);
	const struct fields fields = { &row, 1 };
	row.offset = offsetof(struct choice_query, type);
	row.flags = 0;
	if (exchange_read_query(exchange, &fields, &query) != OK || query.type < 0)
		return NULL;
	return row.choices[query.type];
}

/* Responds with the form for a new object. */
static enum result show_new(struct exchange *exchange, const struct refusal *refusal)
{
	const struct console_screen *screen = screen_of(exchange);
	struct console_object object = { .screen = screen };
	struct console_inputs inputs = inputs_of(exchange, screen->create, refusal);
	if (!principal_may(&exchange->service.principal, screen->permission))
		return E_FORBIDDEN;
	if (screen->choose) {
		const char *type = refusal ? console_typed_value(&inputs, screen->choose)
					   : chosen_type(exchange);
		const struct console_view view = console_view(exchange);
		if (!type) {
			console_choose_html(&exchange->response.body, &view, screen);
			console_respond(exchange, 200);
			return OK;
		}
		set_members(screen, &inputs, type);
		struct word_value *presets = ARENA_ARRAY(&exchange->arena, 2, struct word_value);
		presets[0] = (struct word_value){ screen->choose, type };
		inputs.presets = presets;
	}
	if (fields_find(inputs.fields, "rrule"))
		inputs.presets = console_window_presets(exchange, NULL);
	return show_object(exchange, refusal, &object, &inputs);
}

enum result console_new(struct exchange *exchange)
{
	return show_new(exchange, NULL);
}

/* Returns the path without its last segment: "incidents/7" for "incidents/7/updates". A path of one
 * segment stays unchanged. */
static const char *path_above(struct exchange *exchange, const char *path)
{
	const char *end = strrchr(path, '/');
	return end ? arena_strndup(&exchange->arena, path, (size_t)(end - path)) : path;
}

/* Returns the id of the requested part, or of the object if no part is requested. */
static int64_t own_id(const struct exchange *exchange)
{
	return exchange->match.part_id > 0 ? exchange->match.part_id : exchange->match.id;
}

static enum result show_stored(struct exchange *exchange, const struct refusal *refusal)
{
	struct console_screen own = *screen_of(exchange), *screen = &own;
	const struct resource *resource = screen->resource;
	const struct resource_place place = { exchange->match.id, exchange->match.part_id };
	void *row = arena_alloc(&exchange->arena, resource->row_bytes);
	enum result result = resource_find(&exchange->service, resource, &place, row);
	if (result != OK)
		return result;
	struct console_object object = { .screen = screen,
					 .id = own_id(exchange),
					 .version = resource_revision(resource, row),
					 .shown = resource->shown };
	if (place.part_id > 0) {
		own.path = console_list_path(exchange, screen);
		own.api = arena_printf(&exchange->arena, "/api/v1/%s", own.path);
		object.back = path_above(exchange, own.path);
	}
	result = resource_complete(&exchange->service, resource, row);
	if (result != OK)
		return result;
	object.row = resource_present(&exchange->service, resource, row);
	struct console_inputs inputs = { 0 };
	if (screen->update)
		inputs = inputs_of(exchange, screen->update,
				   is_part_form(exchange) ? NULL : refusal);
	inputs.object = object.row;
	if (fields_find(inputs.fields, "rrule"))
		inputs.presets = console_window_presets(exchange, object.row);
	inputs.shown = resource->shown;
	if (inputs.is_stale) {
		const struct console_view view = console_view(exchange);
		inputs.problem = console_text(&view, CONSOLE_OBJECT_CHANGED);
	}
	if (screen->choose) {
		const struct field *type = fields_find(*resource->shown, screen->choose);
		const char *typed = console_typed_value(&inputs, screen->choose);
		set_members(screen, &inputs,
			    typed ? typed : type->choices[*FIELD_AT_CONST(object.row, type, int)]);
	}
	return show_object(exchange, refusal, &object, &inputs);
}

enum result console_object(struct exchange *exchange)
{
	return show_stored(exchange, NULL);
}

bool console_respond_refused(struct exchange *exchange, enum result result)
{
	const struct console_screen *screen = exchange->route ? exchange->route->screen : NULL;
	bool is_stale = result == E_PRECONDITION_FAILED;
	bool is_invalid = result == E_INVALID && exchange->violations.count > 0;
	if (!screen || !exchange->form || !(is_stale || is_invalid))
		return false;
	struct refusal refusal = {
		.status = is_stale ? 409 : 422,
		.is_stale = is_stale,
		.typed = console_typed(exchange, false),
		.violations = exchange->violations,
	};
	violations_init(&exchange->violations, &exchange->arena);
	buf_clear(&exchange->response.body);
	exchange->error = (struct error){ 0 };
	bool is_bulk = screen->bulk && exchange->route->fields == screen->bulk;
	if (!is_bulk)
		exchange->request.query = STR("");
	if (is_bulk || screen->is_part)
		return show_list(exchange, &refusal) == OK;
	return (exchange->match.id == 0 ? show_new : show_stored)(exchange, &refusal) == OK;
}

void console_respond_saved(struct exchange *exchange, int64_t id, enum console_outcome outcome)
{
	const struct console_screen *screen = screen_of(exchange);
	const char *path = console_list_path(exchange, screen), *word = notice_words[outcome];
	bool is_list = outcome == CONSOLE_IS_DELETED || screen->is_part;
	bool is_of_part = exchange->match.part_id > 0 && !screen->is_part;
	if (is_of_part && outcome == CONSOLE_IS_DELETED)
		word = "withdrawn";
	else if (is_part_form(exchange) && outcome == CONSOLE_IS_ADDED && !screen->is_part)
		word = "posted";
	/* Redirect to the screen of the whole object, which has the list of its parts. */
	if (is_of_part)
		path = path_above(exchange, path);
	else if (!is_list && strcmp(path, screen->path) == 0)
		path = arena_printf(&exchange->arena, "%s/%lld", path,
				    (long long)(exchange->match.id > 0 ? exchange->match.id : id));
	buf_clear(&exchange->response.body);
	console_redirect(exchange, arena_printf(&exchange->arena, "%s?notice=%s", path, word));
}
