/* Reads the forms of the console that are posted: their tokens, and the typed values. */
#include <string.h>

#include "app/console/console.h"
#include "app/console/console_screens.h"
#include "app/idempotency.h"
#include "app/input.h"
#include "app/routes.h"
#include "domain/monitor/check_settings.h"
#include "domain/field_table.h"
#include "domain/maintenance/maintenance_typed.h"

/* The fields that all forms of the console have. */
struct tokens {
	const char *csrf;
	const char *idempotency_key;
	int64_t version;
	const char *made_for;
	const char *other;
	const char *confirm;
};
static const struct field token_rows[] = {
	FIELD(struct tokens, csrf, .max_chars = SECRET_TOKEN_SIZE),
	FIELD(struct tokens, idempotency_key, .max_chars = 255),
	FIELD(struct tokens, version),
	FIELD(struct tokens, made_for, .max_chars = 64),
	FIELD(struct tokens, other, .max_bytes = MAINTENANCE_RRULE_MAX_BYTES),
	FIELD(struct tokens, confirm, .flags = FIELD_EXACT, .max_bytes = PASSKEY_TEXT_MAX),
};
_Static_assert(ARRAY_LEN(token_rows) == CONSOLE_FORM_TOKENS, "their number is right");

struct fields console_form_fields(struct exchange *exchange, const struct fields *fields)
{
	size_t count = fields ? fields->count : 0;
	struct field *rows =
		ARENA_ARRAY(&exchange->arena, count + ARRAY_LEN(token_rows), struct field);
	if (count > 0)
		memcpy(rows, fields->rows, count * sizeof(*rows));
	memcpy(rows + count, token_rows, sizeof(token_rows));
	return (struct fields){ rows, count + ARRAY_LEN(token_rows) };
}

static const char *token_text(struct exchange *exchange, const struct form_value *value)
{
	return value->is_sent && value->text.len > 0 && str_is_text(value->text)
		       ? arena_strndup(&exchange->arena, value->text.data, value->text.len)
		       : NULL;
}

/* Replaces CR LF by LF. Browsers send each line feed as CR LF, but saving a form must not change a
 * text that the person did not change. */
static void settle_lines(struct form_entry *entry, struct arena *arena)
{
	struct str *text = &entry->value.text;
	for (struct form_item *item = entry->items; item; item = item->next)
		settle_lines(&item->entry, arena);
	if (text->len == 0 || entry->value.shape == PAIR_FILE ||
	    !memchr(text->data, '\r', text->len))
		return;
	char *kept = arena_alloc(arena, text->len + 1);
	size_t len = 0;
	for (size_t i = 0; i < text->len; i++)
		if (text->data[i] != '\r' || i + 1 == text->len || text->data[i + 1] != '\n')
			kept[len++] = text->data[i];
	*text = (struct str){ kept, len };
}

enum result console_take_tokens(struct exchange *exchange, struct form *form)
{
	const struct form_entry *own = &form->entries[form->fields.count - CONSOLE_FORM_TOKENS];
	struct console *console = exchange->console;
	const struct form_value *csrf = &own[0].value;
	for (size_t i = 0; i < form->fields.count; i++)
		settle_lines(&form->entries[i], &exchange->arena);
	console->has_token = csrf->is_sent && console->csrf[0] &&
			     secret_is_equal(csrf->text, str_from(console->csrf));
	console->form_key = token_text(exchange, &own[1].value);
	if (!str_to_int64(own[2].value.text, &console->version))
		console->version = 0;
	console->made_for = token_text(exchange, &own[3].value);
	console->other = token_text(exchange, &own[4].value);
	console->confirm = token_text(exchange, &own[5].value);
	if (exchange->route->screen && console->version > 0 && !console->preview)
		exchange->request.if_match = arena_printf(
			&exchange->arena, "\"%lld-%lld\"",
			(long long)(exchange->match.part_id > 0 ? exchange->match.part_id
								: exchange->match.id),
			(long long)console->version);
	if (!console->form_key || !console->is_signed_in || !console->has_token)
		return OK;
	exchange->request.idempotency_key = console->form_key;
	return idempotency_start(exchange);
}

/* Handles a form without a valid token. Shows the form again if the person has signed in anew since
 * the form was made. Refuses any other form. */
static enum result take_stale(struct exchange *exchange, bool *is_done)
{
	bool may_keep = exchange->console->is_signed_in && !exchange->console->preview;
	const char *kept = may_keep ? console_keep(exchange) : NULL;
	*is_done = true;
	return kept ? console_show_kept(exchange, kept) : console_refuse_form(exchange);
}

static bool is_empty(const struct form_entry *entry)
{
	for (const struct form_item *item = entry->items; item; item = item->next)
		if (!is_empty(&item->entry))
			return false;
	return entry->value.text.len == 0;
}

/* Drops empty rows: each form has empty rows in which more can be typed. If all rows are empty, the
 * field counts as sent with an empty list. */
static void drop_empty_rows(struct form_entry *entry)
{
	struct form_item **at = &entry->items;
	bool is_sent = entry->items != NULL;
	entry->last = NULL;
	while (*at) {
		if (!is_empty(&(*at)->entry)) {
			entry->last = *at;
			at = &(*at)->next;
			continue;
		}
		*at = (*at)->next;
		entry->item_count--;
	}
	if (is_sent && !entry->items)
		entry->value = (struct form_value){ .is_sent = true };
}

/* Adds the seconds and "Z" for UTC to a time such as "2026-11-20T19:58", as browsers send it. */
static void complete_time(struct form_value *value, struct arena *arena)
{
	enum { MINUTES = 16, SECONDS = 19 };
	if (value->text.len != MINUTES && value->text.len != SECONDS)
		return;
	value->text =
		str_from(arena_printf(arena, "%.*s%sZ", (int)value->text.len, value->text.data,
				      value->text.len == MINUTES ? ":00" : ""));
}

static struct form_value *value_at(const struct form *form, const char *name)
{
	const struct field *field = fields_find(form->fields, name);
	return field ? &form->entries[field - form->fields.rows].value : NULL;
}

/* Sets the times of a maintenance window from the typed texts. Returns false if the form is not
 * that of a window. */
static bool settle_window(struct exchange *exchange)
{
	const struct form *form = exchange->form;
	struct console *console = exchange->console;
	struct maintenance_typed typed = { .other = console->other };
	const struct fields rows = maintenance_typed_fields;
	if (!value_at(form, "rrule"))
		return false;
	console->typed = console_typed(exchange, false);
	for (size_t i = 0; i < rows.count; i++) {
		const struct form_value *value = value_at(form, rows.rows[i].name);
		if (value && value->is_sent && str_is_text(value->text))
			*FIELD_AT(&typed, &rows.rows[i], const char *) =
				value->text.len > 0 ? value->text.data : "";
	}
	if (!maintenance_settle_typed(&typed, &exchange->arena)) {
		/* Report ends_at, not the duration: the form has no input for the duration that
		 * could show a violation. */
		violations_add(&exchange->violations, "ends_at",
			       "The ends at field must be after starts_at.");
		typed.duration = "1";
	}
	for (size_t i = 0; i < rows.count; i++) {
		struct form_value *value = value_at(form, rows.rows[i].name);
		const char *text = *FIELD_AT(&typed, &rows.rows[i], const char *);
		if (value && text && !value->is_cut)
			*value = (struct form_value){ .is_sent = true, .text = str_from(text) };
	}
	return true;
}

static bool has_no_null(const struct field *field)
{
	return field->choices || field->flags & FIELD_SECRET ||
	       (field->kind == FIELD_INT && !(field->flags & FIELD_ZERO_IS_NULL));
}

/*
 * Changes the values that browsers send into values of the API. An empty input counts as not sent
 * in a field with choices, in a secret, and in a number that cannot be null.
 */
static void settle(struct exchange *exchange)
{
	struct form *form = exchange->form;
	bool is_window = settle_window(exchange);
	for (size_t i = 0; i < form->fields.count; i++) {
		const struct field *field = &form->fields.rows[i];
		struct form_entry *entry = &form->entries[i];
		bool is_time = field->kind == FIELD_TIME || field->flags & FIELD_AS_TIME;
		if (field->kind == FIELD_ROWS)
			drop_empty_rows(entry);
		else if (is_time && !is_window)
			complete_time(&entry->value, &exchange->arena);
		else if (has_no_null(field) && entry->value.text.len == 0)
			entry->value.is_sent = false;
	}
}

enum result console_take_form(struct exchange *exchange, bool *is_done)
{
	const struct console *console = exchange->console;
	enum result result = exchange_read_form(exchange);
	if (result != OK)
		return result;
	if (!console->has_token)
		return take_stale(exchange, is_done);
	if (exchange->route->screen)
		settle(exchange);
	if (exchange->route->route.flags & ROUTE_FRESH &&
	    principal_may(&exchange->service.principal, exchange->route->permission) &&
	    !user_session_is_fresh(&console->session, exchange->now))
		return console_confirm(exchange, is_done);
	return OK;
}

/* A list of typed values. If `rows` is NULL, add_typed() only counts them. */
struct typed_list {
	struct arena *arena;
	struct word_value *rows;
	size_t count;
	bool has_secrets;
};

static void add_typed(struct typed_list *list, const char *name, const struct form_value *value)
{
	if (!value->is_sent || value->shape == PAIR_OBJECT || value->shape == PAIR_FILE)
		return;
	if (list->rows)
		list->rows[list->count] = (struct word_value){
			name,
			str_is_text(value->text)
				? arena_strndup(list->arena, value->text.data, value->text.len)
				: ""
		};
	list->count++;
}

static void list_typed(struct typed_list *list, const struct field *field, const char *name,
		       const struct form_entry *entry);

/* Whether the row is an HTTP header with a secret value, such as Authorization, in a monitor's
 * check. */
static bool has_secret_value(const struct fields *members, const struct form_entry *row)
{
	if (members != &check_header_fields)
		return false;
	for (const struct form_item *item = row->items; item; item = item->next)
		if (strcmp(members->rows[item->index].name, "key") == 0 &&
		    item->entry.value.text.len > 0)
			return check_header_is_secret(item->entry.value.text.data);
	return false;
}

static void list_members(struct typed_list *list, const struct fields *members, const char *name,
			 const struct form_entry *entry)
{
	bool has_secret = !list->has_secrets && has_secret_value(members, entry);
	for (const struct form_item *item = entry->items; item; item = item->next) {
		const struct field *member = &members->rows[item->index];
		if (has_secret && strcmp(member->name, "value") == 0)
			continue;
		list_typed(list, member, arena_printf(list->arena, "%s[%s]", name, member->name),
			   &item->entry);
	}
}

static void list_typed(struct typed_list *list, const struct field *field, const char *name,
		       const struct form_entry *entry)
{
	if (field->flags & FIELD_SECRET && !list->has_secrets)
		return;
	add_typed(list, name, &entry->value);
	if (field->kind == FIELD_OBJECT) {
		list_members(list, field->members, name, entry);
		return;
	}
	for (const struct form_item *item = entry->items; item; item = item->next)
		if (field->kind == FIELD_ROWS)
			list_members(
				list, field->members,
				arena_printf(list->arena, "%s[%lld]", name, (long long)item->index),
				&item->entry);
		else
			add_typed(list, arena_printf(list->arena, "%s[]", name),
				  &item->entry.value);
}

const struct word_value *console_typed(struct exchange *exchange, bool with_secrets)
{
	const struct form *form = exchange->form;
	const char *other = exchange->console->other;
	struct typed_list list = { .arena = &exchange->arena, .has_secrets = with_secrets };
	if (exchange->console->typed)
		return exchange->console->typed;
	for (int pass = 0; pass < 2; pass++) {
		size_t room = list.count + 2;
		list.count = 0;
		if (pass > 0)
			list.rows = ARENA_ARRAY(list.arena, room, struct word_value);
		for (size_t i = 0; i < form->fields.count; i++)
			list_typed(&list, &form->fields.rows[i], form->fields.rows[i].name,
				   &form->entries[i]);
	}
	if (other)
		list.rows[list.count] = (struct word_value){ RECURRENCE_OTHER, other };
	return list.rows;
}

/* Returns the path of the list or of the person that the form changed. */
const char *console_repeated_path(struct exchange *exchange)
{
	const struct request *request = &exchange->request;
	const struct console_screen *screen = exchange->route->screen;
	const char *first = request->segments[1], *last = request->segments[3];
	const char *path = screen ? console_list_path(exchange, screen) : first;
	/* A person still exists after /people/{id} and …/reset, but not after …/delete. */
	if (strcmp(first, "people") == 0 && (!last || strcmp(last, "delete") != 0) &&
	    exchange->match.id > 0)
		path = arena_printf(&exchange->arena, "people/%lld", (long long)exchange->match.id);
	return arena_printf(&exchange->arena, "%s?notice=repeated", path);
}

const char *console_form_key(struct exchange *exchange)
{
	char token[SECRET_TOKEN_SIZE];
	secret_token(token);
	return arena_strdup(&exchange->arena, token);
}

const struct word_value *console_window_presets(struct exchange *exchange,
						const struct maintenance *window)
{
	const struct zone *zone = console_view(exchange).locale.zone;
	const struct fields rows = maintenance_typed_fields;
	struct word_value *presets =
		ARENA_ARRAY(&exchange->arena, rows.count + 1, struct word_value);
	struct maintenance_typed typed = { .time_zone = zone_name(zone) };
	size_t count = 0;
	if (window)
		typed = maintenance_typed_of(window, zone, &exchange->arena);
	for (size_t i = 0; i < rows.count; i++) {
		const char *text = *FIELD_AT(&typed, &rows.rows[i], const char *);
		if (text)
			presets[count++] = (struct word_value){ rows.rows[i].name, text };
	}
	return presets;
}
