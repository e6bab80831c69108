#include "view/console/console_resource_html.h"

#include <string.h>

#include "domain/event.h"
#include "domain/field_table.h"
#include "view/console/console_value_html.h"
#include "view/html.h"

/* Returns the name of an object, or its number. */
static const char *name_of(const struct console_view *view, const struct console_screen *screen,
			   const struct fields *fields, const void *row)
{
	for (size_t i = 0; screen->names[i]; i++) {
		const void *object = row;
		const struct field *field =
			console_find_field(fields, screen->names[i], &object, view->arena);
		const char *text = console_value_text(view, field, object);
		if (text[0] && field->kind == FIELD_TIME)
			return console_time_name(view, field, object);
		if (text[0])
			return field->choices == event_kind_words ? console_event_text(view, text)
								  : text;
	}
	const struct field *id = fields_find(*fields, "id");
	return arena_printf(view->arena, "#%s", console_value_text(view, id, row));
}

static int64_t id_of(const struct fields *fields, const void *row)
{
	return *FIELD_AT_CONST(row, fields_find(*fields, "id"), int64_t);
}

static bool is_alarming(const struct console_view *view, const struct console_screen *screen,
			const struct fields *fields, const void *row)
{
	if (!screen->alarm)
		return false;
	bool is_inverse = screen->alarm[0] == '!';
	struct str rest = str_from(screen->alarm + is_inverse), name;
	str_split(&rest, '=', &name);
	const struct field *field =
		fields_find(*fields, arena_strndup(view->arena, name.data, name.len));
	const char *value = console_value_text(view, field, row);
	return is_inverse != (rest.len > 0 ? str_eq(str_from(value), rest) : value[0] != '\0');
}

static void put_notice(struct buf *out, const struct console_view *view,
		       const enum console_sentence *notice, int64_t count)
{
	if (!notice)
		return;
	buf_puts(out, "<p class=\"done\" role=\"status\">");
	console_say(out, view->words, *notice,
		    WORD_VALUES({ "count", arena_printf(view->arena, "%lld", (long long)count) }));
	buf_puts(out, "</p>\n");
}

static void put_button(struct buf *out, const struct console_view *view, const char *path,
		       const struct console_action *action, const char *form_key)
{
	const struct console_form form = {
		.path = arena_printf(view->arena, "%s/%s", path, action->path),
		.button = action->button,
		.form_key = form_key,
		.is_plain = true,
	};
	if (action->is_grave) {
		buf_puts(out, "<details>\n");
		console_element(out, view, "summary", action->button);
		console_element(out, view, "p", CONSOLE_GRAVE);
	}
	console_put_form(out, view, &form);
	if (action->is_grave)
		buf_puts(out, "</details>\n");
}

void console_put_actions(struct buf *out, const struct console_view *view,
			 const struct console_screen *screen, const struct principal *principal,
			 const char *path, const char *form_key)
{
	for (size_t i = 0; i < CONSOLE_ACTIONS_MAX && screen->actions[i].path; i++)
		if (principal_may(principal, screen->actions[i].permission))
			put_button(out, view, path, &screen->actions[i], form_key);
}

void console_put_tabs(struct buf *out, const struct console_view *view,
		      const struct console_screen *screen, const struct principal *principal,
		      int64_t id)
{
	const size_t base = strcspn(screen->path, "/");
	const char *own = strchr(screen->path, '}');
	if (!screen->tabs || id == 0)
		return;
	buf_puts(out, "<nav class=\"tabs\" aria-labelledby=\"screen\">");
	for (size_t i = 0; i < CONSOLE_TABS_MAX && screen->tabs[i].path; i++) {
		const struct console_tab *tab = &screen->tabs[i];
		if (!principal_may(principal, tab->permission))
			continue;
		buf_puts(out, "<a href=\"");
		html_attr(out, view->root);
		buf_printf(
			out, "%.*s/%lld%s\"%s>", (int)base, screen->path, (long long)id, tab->path,
			strcmp(own ? own + 1 : "", tab->path) == 0 ? " aria-current=\"page\"" : "");
		console_say(out, view->words, tab->sentence, NULL);
		buf_puts(out, "</a>\n");
	}
	buf_puts(out, "</nav>\n");
}

static void put_row(struct buf *out, const struct console_view *view,
		    const struct console_list *list, const void *row)
{
	const struct console_screen *screen = list->screen;
	bool is_alarm = is_alarming(view, screen, list->listed, row);
	int64_t id = id_of(list->listed, row);
	const char *name = name_of(view, screen, list->listed, row);
	const char *path = arena_printf(view->arena, "%s/%lld", list->path, (long long)id);
	const char *link = screen->link	       ? screen->link(row, view->arena)
			   : screen->is_linked ? path
					       : NULL;
	buf_printf(out, "<article class=\"row%s\">\n", is_alarm ? "" : " calm");
	if (list->bulk)
		buf_printf(out,
			   "<input type=\"checkbox\" form=\"bulk\" class=\"pick\" "
			   "name=\"monitor_ids[]\" "
			   "value=\"%lld\" aria-labelledby=\"row-%lld\"%s>\n",
			   (long long)id, (long long)id,
			   id_list_has(&list->checked, id) ? " checked" : "");
	buf_printf(out, list->bulk ? "<h2 id=\"row-%lld\">" : "<h2>", (long long)id);
	if (link)
		console_text_link(out, view, link, name);
	else
		html_text(out, name);
	buf_puts(out, "</h2>\n");
	console_put_facts(out, view, *list->listed, screen->columns, row);
	if (screen->is_part)
		console_put_actions(out, view, screen, list->principal, path, NULL);
	buf_puts(out, "</article>\n");
}

static void put_filter(struct buf *out, const struct console_view *view,
		       const struct console_inputs *filter)
{
	if (!filter || filter->fields.count == 0)
		return;
	buf_puts(out, "<form role=\"search\" class=\"filter\">\n");
	console_inputs(out, view, filter);
	console_element(out, view, "button class=\"plain\"",
			fields_find(filter->fields, "search") ? CONSOLE_SEARCH : CONSOLE_SHOW);
	buf_puts(out, "</form>\n");
}

static void put_link(struct buf *out, const struct console_view *view, const char *path,
		     enum console_sentence sentence)
{
	if (!path)
		return;
	buf_puts(out, "<p>");
	console_link(out, view, path, sentence);
	buf_puts(out, "</p>\n");
}

static void put_page_link(struct buf *out, const struct console_view *view, const char *path,
			  const char *query, enum console_sentence sentence)
{
	if (query)
		put_link(out, view, arena_printf(view->arena, "%s?%s", path, query), sentence);
}

static void put_part_form(struct buf *out, const struct console_view *view,
			  const struct console_part_form *part, const char *path,
			  const struct console_inputs *inputs, const char *form_key,
			  const char *api)
{
	if (!part->path)
		return;
	console_element(out, view, "h2", part->heading);
	console_put_form(out, view,
			 &(struct console_form){
				 .path = arena_printf(view->arena, "%s/%s", path, part->path),
				 .inputs = inputs,
				 .button = part->button,
				 .has_preview = part->has_preview,
				 .suffix = "-part",
				 .method = "POST",
				 .api = arena_printf(view->arena, "%s/%s", api, part->path),
				 .form_key = form_key });
}

void console_list_html(struct buf *out, const struct console_view *view,
		       const struct console_list *list)
{
	const struct console_screen *screen = list->screen;
	bool may_add = principal_may(list->principal, screen->permission);
	const char *api = console_api_url(view, screen, list->owner_id);
	console_begin(out, view, console_text(view, screen->title));
	console_put_tabs(out, view, screen, list->principal, list->owner_id);
	put_notice(out, view, list->notice, list->notice_count);
	if (screen->create && !screen->is_part && may_add)
		put_page_link(out, view, arena_printf(view->arena, "%s/new", list->path), "",
			      screen->add);
	put_filter(out, view, list->filter);
	if (list->count == 0)
		console_element(out, view, "p", CONSOLE_NONE_FOUND);
	for (size_t i = 0; i < list->count; i++)
		put_row(out, view, list, list->rows[i]);
	if (screen->is_part && list->count > 0)
		console_put_action_calls(out, view, screen, list->principal,
					 arena_printf(view->arena, "%s/ID", api));
	/* The check boxes of the rows above belong to this form by its id. They stand outside the
	 * form, so that the rows can be printed without it. */
	if (list->bulk) {
		console_begin_form(out, view, list->bulk_path, " id=\"bulk\"");
		console_put_form_key(out, list->form_key);
		console_element(out, view, "h2", CONSOLE_CHANGE_CHOSEN);
		console_inputs(out, view, list->bulk);
		console_element(out, view, "button", CONSOLE_CHANGE_CHOSEN);
		buf_puts(out, "</form>\n");
	}
	put_page_link(out, view, list->path, list->previous, CONSOLE_PREVIOUS);
	put_page_link(out, view, list->path, list->next, CONSOLE_NEXT);
	if (screen->has_file && list->count > 0)
		put_page_link(out, view, arena_printf(view->arena, "%s/export", list->path),
			      list->file_query, CONSOLE_SAVE_CSV);
	if (list->add && may_add) {
		console_element(out, view, "h2", screen->add);
		console_put_form(out, view,
				 &(struct console_form){ .path = list->path,
							 .inputs = list->add,
							 .button = screen->add,
							 .method = "POST",
							 .api = api,
							 .form_key = list->form_key });
	}
	if (list->part && may_add) {
		put_part_form(out, view, &screen->part_form, list->path, list->part, list->form_key,
			      api);
		put_link(out, view, arena_printf(view->arena, "%s/export", list->path),
			 CONSOLE_EXPORT);
	}
	console_end(out);
}

void console_put_search(struct buf *out, const struct console_view *view, const char *search,
			int64_t template_id)
{
	buf_puts(out, "<form role=\"search\">\n");
	if (template_id > 0)
		console_hidden(out, "template_id",
			       arena_printf(view->arena, "%lld", (long long)template_id));
	buf_puts(out, "<label for=\"search\">");
	console_say(out, view->words, CONSOLE_SEARCH_SYSTEMS, NULL);
	buf_puts(out, "</label>\n<input id=\"search\" name=\"search\" maxlength=\"255\" value=\"");
	html_attr(out, search);
	buf_puts(out, "\">\n");
	console_element(out, view, "button class=\"plain\"", CONSOLE_SEARCH);
	buf_puts(out, "</form>\n");
}

/* Returns the path of the form, with the object's id in place of "{id}". */
static const char *form_path(const struct console_view *view, const struct console_object *object)
{
	const char *path = object->screen->path, *id = strstr(path, "{id}");
	if (object->id == 0)
		return path;
	if (!id)
		return arena_printf(view->arena, "%s/%lld", path, (long long)object->id);
	return arena_printf(view->arena, "%.*s%lld%s", (int)(id - path), path,
			    (long long)object->id, id + strlen("{id}"));
}

static void put_form(struct buf *out, const struct console_view *view,
		     const struct console_object *object, const char *path, const char *url)
{
	const struct console_screen *screen = object->screen;
	bool is_new = object->id == 0;
	if (object->search)
		console_put_search(out, view, object->search, 0);
	console_put_form(out, view,
			 &(struct console_form){ .path = path,
						 .inputs = object->inputs,
						 .button = is_new ? screen->add : CONSOLE_SAVE,
						 .version = object->version,
						 .has_preview = screen->has_preview,
						 .method = is_new ? "POST" : "PUT",
						 .api = url,
						 .form_key = object->form_key });
}

void console_object_html(struct buf *out, const struct console_view *view,
			 const struct console_object *object)
{
	const struct console_screen *screen = object->screen;
	const char *path = form_path(view, object);
	const char *url = console_api_url(view, screen, object->id);
	bool may_write = principal_may(object->principal, screen->permission);
	if (object->id > 0 && url)
		url = arena_printf(view->arena, "%s/%lld", url, (long long)object->id);
	console_begin(out, view,
		      object->heading ? object->heading
		      : object->row   ? name_of(view, screen, object->shown, object->row)
				      : console_text(view, screen->add));
	console_put_tabs(out, view, screen, object->principal, object->id);
	put_notice(out, view, object->notice, 0);
	put_link(out, view, object->back, CONSOLE_GO_BACK);
	put_filter(out, view, object->filter);
	if (object->row && screen->facts)
		console_put_facts(out, view, *object->shown, screen->facts, object->row);
	for (size_t i = 0; object->row && screen->lists && screen->lists[i]; i++)
		console_put_list(out, view, object, fields_find(*object->shown, screen->lists[i]),
				 path);
	put_link(out, view, object->previous, CONSOLE_PREVIOUS);
	put_link(out, view, object->next, CONSOLE_NEXT);
	put_link(out, view, object->csv, CONSOLE_SAVE_CSV);
	if (object->row && may_write)
		put_part_form(out, view, &screen->part_form, path, object->part, object->form_key,
			      url);
	if (object->inputs && may_write)
		put_form(out, view, object, path, url);
	if (object->row) {
		console_put_actions(out, view, screen, object->principal, path, object->form_key);
		console_put_action_calls(out, view, screen, object->principal, url);
	}
	if (screen->has_preview)
		console_end_scripted(out, view);
	else
		console_end(out);
}

void console_choose_html(struct buf *out, const struct console_view *view,
			 const struct console_screen *screen)
{
	const struct field *field = fields_find(*screen->create, screen->choose);
	console_begin(out, view, console_text(view, screen->add));
	console_element(out, view, "p", CONSOLE_CHOOSE);
	buf_puts(out, "<ul>\n");
	for (size_t i = 0; field->choices[i]; i++) {
		buf_puts(out, "<li>");
		console_text_link(out, view,
				  arena_printf(view->arena, "%s/new?%s=%s", screen->path,
					       screen->choose, field->choices[i]),
				  console_choice_text(view, field, i));
		buf_puts(out, "</li>\n");
	}
	buf_puts(out, "</ul>\n");
	console_end(out);
}

void console_put_members(struct buf *out, const struct console_view *view,
			 const struct word_value *members)
{
	buf_puts(out, "<dl>\n");
	for (; members->name; members++) {
		const struct field field = { .name = members->name };
		buf_puts(out, "<div><dt>");
		html_text(out, console_label(view, &field));
		buf_puts(out, "</dt><dd><code>");
		html_text(out, members->text);
		buf_puts(out, "</code></dd></div>\n");
	}
	buf_puts(out, "</dl>\n");
}

void console_result_html(struct buf *out, const struct console_view *view, const char *back,
			 const struct console_result *result)
{
	console_begin(out, view,
		      console_text(view, result->is_failure ? CONSOLE_PROBLEM : CONSOLE_RESULT));
	if (result->sentence)
		console_element(out, view,
				result->is_failure ? "p class=\"problem\" role=\"alert\""
						   : "p class=\"done\" role=\"status\"",
				*result->sentence);
	console_put_members(out, view, result->members);
	buf_puts(out, "<p>");
	console_link(out, view, back, result->has_secrets ? CONSOLE_DONE : CONSOLE_GO_BACK);
	buf_puts(out, "</p>\n");
	console_end(out);
}

static void put_item(struct buf *out, const struct console_view *view, const char *path,
		     enum console_sentence sentence)
{
	buf_puts(out, "<li>");
	console_link(out, view, path, sentence);
	buf_puts(out, "</li>\n");
}

void console_more_html(struct buf *out, const struct console_view *view,
		       const struct console_screen *const *screens)
{
	console_begin(out, view, console_text(view, CONSOLE_MORE_SCREENS));
	buf_puts(out, "<ul class=\"screens\">\n");
	for (; *screens; screens++)
		put_item(out, view, (*screens)->path, (*screens)->title);
	if (view->session->role >= ROLE_OWNER)
		put_item(out, view, "people", CONSOLE_PEOPLE);
	put_item(out, view, "health", CONSOLE_HEALTH);
	put_item(out, view, "me", CONSOLE_ME);
	buf_puts(out, "</ul>\n");
	console_end(out);
}
