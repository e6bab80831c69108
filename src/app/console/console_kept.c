/*
 * Keeps the typed values of a form if the session has ended since the form was made. The sign-in
 * form has the values as one text, "PATH?name=value&…". After the sign-in the console shows a form
 * with the values, which the person must send again.
 */
#include <string.h>

#include "app/console/console.h"
#include "app/console/console_screens.h"
#include "app/routes.h"
#include "view/console/console_people_html.h"
#include "wire/urlencoded.h"

static void put_pair(struct buf *out, const char *name, const char *value)
{
	buf_puts(out, "&");
	percent_encode(out, name);
	buf_puts(out, "=");
	percent_encode(out, value);
}

/* Whether the form has a typed text; chosen values do not count. */
static bool is_typed(const struct form *form)
{
	for (size_t i = 0; i < form->fields.count; i++)
		if (form->fields.rows[i].kind == FIELD_TEXT &&
		    !(form->fields.rows[i].flags & FIELD_SECRET) &&
		    form->entries[i].value.text.len > 0)
			return true;
	return false;
}

const char *console_own_path(struct exchange *exchange)
{
	struct buf path CLEANUP(buf_done) = BUF_INIT(4096);
	const struct request *request = &exchange->request;
	for (size_t i = 1; i < request->segment_count; i++) {
		buf_puts(&path, i > 1 ? "/" : "");
		percent_encode(&path, request->segments[i]);
	}
	return arena_strndup(&exchange->arena, path.data, path.len);
}

const char *console_keep(struct exchange *exchange)
{
	struct buf text CLEANUP(buf_done) = BUF_INIT((size_t)exchange->config->max_body_bytes);
	const struct form *form = exchange->form;
	/* Do not keep the bulk form: a kept form shows neither the search nor the names of the
	 * chosen systems. */
	if (exchange->route->fields == &console_bulk_fields)
		return NULL;
	if (!exchange->console->made_for || !console_is_own_page(exchange) || !is_typed(form))
		return NULL;
	buf_printf(&text, "%s?", console_own_path(exchange));
	for (const struct word_value *at = console_typed(exchange, false); at->name; at++)
		put_pair(&text, at->name, at->text);
	/* Add the fields that every form has (console_form.c), except the last two: `other` and
	 * `confirm`. */
	for (size_t i = 0; i < CONSOLE_FORM_TOKENS - 2; i++) {
		const struct str value = form->entries[form->fields.count + i].value.text;
		if (value.len > 0 && str_is_text(value))
			put_pair(&text, form->fields.rows[form->fields.count + i].name,
				 arena_strndup(&exchange->arena, value.data, value.len));
	}
	return buf_ok(&text) ? arena_strndup(&exchange->arena, text.data, text.len) : NULL;
}

/* Finds the route to which the form was posted. */
static bool find_route(struct str path, struct arena *arena, const struct app_route **route)
{
	struct request request = { .method = "POST", .segments = { "console" }, .arena = arena };
	struct route_match match;
	struct str segment;
	request.segment_count = 1;
	while (str_split(&path, '/', &segment)) {
		if (request.segment_count == REQUEST_SEGMENTS_MAX)
			return false;
		request.segments[request.segment_count++] =
			arena_strndup(arena, segment.data, segment.len);
	}
	return app_route_find(&request, false, &match, route) == OK &&
	       (*route)->route.flags & ROUTE_CONSOLE && !((*route)->route.flags & ROUTE_OPEN);
}

/* For a form with a list of ids: sets the options of the list, and which of them are chosen. */
static enum result set_options(struct exchange *exchange, struct console_inputs *inputs)
{
	const struct form *form = exchange->form;
	const struct console_object object = { .inputs = inputs };
	bool has_more;
	/* A session that lacks the required second factor must not learn the names of objects. */
	if (user_session_lacks_factor(&exchange->console->session))
		return OK;
	for (size_t i = 0; i < form->fields.count; i++) {
		const struct field *field = &form->fields.rows[i];
		if (field->kind != FIELD_IDS)
			continue;
		inputs->chosen = console_chosen_ids(exchange, &object, field);
		return console_read_options(exchange, field->name, NULL, inputs, &has_more);
	}
	return OK;
}

/* Makes the kept form show the same inputs as its screen. An input for any other field would be
 * empty, and the form would then clear the field. */
static void set_screen(struct exchange *exchange, struct console_inputs *inputs,
		       const struct app_route *route)
{
	const struct console_screen *screen = route->screen;
	if (!screen)
		return;
	bool is_part = route->fields == screen->part_form.fields;
	inputs->is_whole = true;
	inputs->has_no_owner = !principal_may(&exchange->service.principal, PERMISSION_MANAGE);
	inputs->is_new = route->fields == screen->create;
	inputs->first = is_part ? screen->part_form.first : screen->first;
	inputs->has_only_first = is_part || screen->has_only_first;
	inputs->without = screen->without;
}

static enum result show(struct exchange *exchange, int status, const struct app_route *route,
			struct console_kept *kept)
{
	const struct form *form = exchange->form;
	const struct console_view view = console_view(exchange);
	set_screen(exchange, &kept->inputs, route);
	kept->inputs.fields = form->fields;
	kept->inputs.typed = console_typed(exchange, false);
	enum result result = set_options(exchange, &kept->inputs);
	if (result != OK)
		return result;
	buf_clear(&exchange->response.body);
	console_kept_html(&exchange->response.body, &view, kept);
	console_respond(exchange, status);
	return OK;
}

enum result console_show_kept(struct exchange *exchange, const char *text)
{
	struct str rest = str_from(text), path = { 0 };
	struct console *console = exchange->console;
	struct console_kept kept = { .text = text };
	struct form *form = ARENA_NEW(&exchange->arena, struct form);
	const struct app_route *route;
	int status = console->has_token ? 200 : 409;
	long long user = 0, account = 0;
	str_split(&rest, '?', &path);
	if (!find_route(path, &exchange->arena, &route)) {
		console_redirect(exchange, "");
		return OK;
	}
	form_init(form, console_form_fields(exchange, route->fields), &exchange->arena);
	enum result result = urlencoded_decode(rest, &form->sink, &exchange->error);
	if (result == OK)
		result = console_take_tokens(exchange, form);
	if (result != OK)
		return result;
	form->fields.count -= CONSOLE_FORM_TOKENS;
	exchange->form = form;
	/* Do not show the typed values to another person. */
	if (!console->made_for || sscanf(console->made_for, "%lld.%lld", &user, &account) != 2 ||
	    user != console->session.user_id) {
		console_redirect(exchange, "");
		return OK;
	}
	kept.path = arena_strndup(&exchange->arena, path.data, path.len);
	kept.account_id = account == console->session.account_id ? 0 : account;
	kept.form_key = console->form_key;
	kept.version = console->version;
	return show(exchange, status, route, &kept);
}
