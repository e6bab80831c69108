/* The objects that a person can choose in a form's list of ids. */
#include <string.h>

#include "app/console/console_screens.h"
#include "base/str.h"
#include "domain/notify/alert_channel.h"
#include "domain/field_table.h"
#include "service/monitors.h"
#include "service/resource/resource.h"

/* OPTIONS_MAX options have at most 20 kB of HTML, even with the longest names. */
enum { OPTIONS_MAX = 100 };

static bool has_option(const struct console_option *options, size_t count, int64_t id)
{
	for (size_t i = 0; i < count; i++)
		if (options[i].id == id)
			return true;
	return false;
}

/* Adds an option for each chosen id that has no option, such as the id of a retired monitor.
 * Without an option, the form would not send the id. */
static size_t add_chosen(struct exchange *exchange, const struct console_inputs *inputs,
			 struct console_option *options, size_t found)
{
	size_t count = found;
	for (size_t i = 0; i < inputs->chosen.count; i++) {
		const int64_t id = inputs->chosen.ids[i];
		if (!has_option(options, found, id))
			options[count++] = (struct console_option){
				id, arena_printf(&exchange->arena, "#%lld", (long long)id)
			};
	}
	return count;
}

/* Reads the chosen monitors, and the monitors that the search finds. */
static enum result read_monitors(struct exchange *exchange, const char *search,
				 struct console_inputs *inputs, bool *has_more)
{
	struct monitor_name_query query = { .chosen = &inputs->chosen,
					    .search = search,
					    .most = OPTIONS_MAX + 1 };
	struct db_list names = { 0 };
	enum result result = service_name_monitors(&exchange->service, &query, &names);
	if (result != OK)
		return result;
	const struct monitor_name *rows = names.rows;
	struct console_option *options = ARENA_ARRAY(
		&exchange->arena, names.count + inputs->chosen.count, struct console_option);
	size_t count = 0, found = 0;
	for (size_t i = 0; i < names.count; i++) {
		bool is_new = rows[i].is_chosen || !id_list_has(&inputs->chosen, rows[i].id);
		found += !rows[i].is_chosen;
		if (is_new && found <= OPTIONS_MAX)
			options[count++] = (struct console_option){ rows[i].id, rows[i].name };
	}
	inputs->options = options;
	inputs->option_count = add_chosen(exchange, inputs, options, count);
	*has_more = found > OPTIONS_MAX;
	return OK;
}

static enum result read_channels(struct exchange *exchange, struct console_inputs *inputs)
{
	const struct resource *resource = &resource_alert_channels;
	struct list_query *query = arena_alloc(&exchange->arena, resource->query_bytes);
	struct resource_rows found;
	memcpy(query, resource->query_defaults, resource->query_bytes);
	query->page = 1;
	query->limit = OPTIONS_MAX;
	enum result result = resource_list(&exchange->service, resource, 0, query, &found);
	if (result != OK)
		return result;
	const struct alert_channel *channels = found.rows;
	struct console_option *options = ARENA_ARRAY(
		&exchange->arena, found.count + inputs->chosen.count, struct console_option);
	size_t count = 0;
	for (; count < found.count; count++)
		options[count] =
			(struct console_option){ channels[count].id, channels[count].name };
	inputs->options = options;
	inputs->option_count = add_chosen(exchange, inputs, options, count);
	return OK;
}

enum result console_read_options(struct exchange *exchange, const char *field, const char *search,
				 struct console_inputs *inputs, bool *has_more)
{
	*has_more = false;
	return strcmp(field, "monitor_ids") == 0 ? read_monitors(exchange, search, inputs, has_more)
						 : read_channels(exchange, inputs);
}

struct id_list console_chosen_ids(struct exchange *exchange, const struct console_object *object,
				  const struct field *field)
{
	const struct field *shown = object->row ? fields_find(*object->shown, field->name) : NULL;
	const struct word_value *typed = object->inputs->typed;
	struct id_list chosen = { 0 };
	if (shown && !typed) {
		const struct id_list *own = FIELD_AT_CONST(object->row, shown, struct id_list);
		chosen.ids = ARENA_ARRAY(&exchange->arena, own->count, int64_t);
		chosen.count = own->count;
		if (own->count > 0)
			memcpy(chosen.ids, own->ids, own->count * sizeof(*own->ids));
	}
	if (typed) {
		const char *name = arena_printf(&exchange->arena, "%s[]", field->name);
		size_t most = 0;
		while (typed[most].name)
			most++;
		chosen.ids = ARENA_ARRAY(&exchange->arena, most, int64_t);
		for (; typed->name; typed++)
			if (strcmp(typed->name, name) == 0 &&
			    str_to_int64(str_from(typed->text), &chosen.ids[chosen.count]))
				chosen.count++;
	}
	id_list_settle(&chosen);
	return chosen;
}

/* Whether the form of the screen has the field. */
static bool has_input(const struct console_screen *screen, const char *name)
{
	const char *const *at = screen->first;
	while (at && *at && strcmp(*at, name) != 0)
		at++;
	return !screen->has_only_first || !at || *at;
}

/* Returns the union of the two lists: a rejected form offers the typed ids and the stored ids. */
static struct id_list both(const struct id_list *one, const struct id_list *other,
			   struct arena *arena)
{
	struct id_list all = { ARENA_ARRAY(arena, one->count + other->count, int64_t), 0 };
	for (size_t i = 0; i < one->count; i++)
		all.ids[all.count++] = one->ids[i];
	for (size_t i = 0; i < other->count; i++)
		all.ids[all.count++] = other->ids[i];
	id_list_settle(&all);
	return all;
}

enum result console_set_options(struct exchange *exchange, struct console_inputs *inputs,
				struct console_object *object, const char *search)
{
	for (size_t i = 0; i < inputs->fields.count; i++) {
		const struct field *field = &inputs->fields.rows[i];
		bool has_more;
		if (field->kind != FIELD_IDS || !has_input(object->screen, field->name))
			continue;
		const struct console_inputs stored_inputs = { 0 };
		struct console_object stored = *object;
		stored.inputs = &stored_inputs;
		const struct id_list chosen = console_chosen_ids(exchange, object, field),
				     former = console_chosen_ids(exchange, &stored, field);
		inputs->chosen = both(&chosen, &former, &exchange->arena);
		enum result result =
			console_read_options(exchange, field->name, search, inputs, &has_more);
		inputs->chosen = chosen;
		if (result != OK)
			return result;
		if (has_more || search)
			object->search = search ? search : "";
	}
	return OK;
}
