/* POST /console/monitors/bulk: changes the systems that the person has chosen in the list. */
#include "app/console/console.h"
#include "app/console/console_screens.h"
#include "app/input.h"
#include "app/operation.h"
#include "service/monitors.h"
#include "service/resource/resource.h"

enum { RESUME, PAUSE };
static const char *const pause_words[] = { "resume", "pause", NULL };

struct bulk_input {
	struct id_list monitor_ids;
	bool takes_all;
	int pause; /* -1: unchanged */
	bool sets_group;
	const char *group;
	bool replaces_channels;
	struct id_list alert_channel_ids;
};
#define BULK(member, ...) FIELD(struct bulk_input, member, __VA_ARGS__)
_Static_assert(MONITORS_CHANGED_MAX == 1000, "the label of takes_all and its translations name it");
/* The form shows an input below the list for each field that has a label. */
static const struct field bulk_rows[] = {
	BULK(monitor_ids, .max = MONITORS_CHANGED_MAX),
	BULK(takes_all, .label = "All systems that the search finds, at most 1000"),
	BULK(pause, .flags = FIELD_NULL_IS_UNSENT, .choices = pause_words, .label = "Checks"),
	BULK(sets_group, .label = "Set the group; an empty one removes the systems from theirs"),
	BULK(group, .max_chars = MONITOR_GROUP_MAX_CHARS, .label = "Group"),
	BULK(alert_channel_ids, .max = ALERT_CHANNELS_OF_MONITOR_MAX,
	     .label = "Add these alert channels"),
	BULK(replaces_channels, .label = "Remove all other alert channels"),
};
const struct fields console_bulk_fields = { bulk_rows, ARRAY_LEN(bulk_rows) };

/* Sets *ids to all systems that the query of the list finds. */
static enum result choose_all(struct exchange *exchange, struct id_list *ids)
{
	struct service *service = &exchange->service;
	struct monitor_query query =
		*(const struct monitor_query *)resource_monitors.query_defaults;
	enum result result = exchange_read_query(exchange, &monitors_query_fields, &query);
	if (result == OK)
		result = service_find_monitors(service, &query, ids);
	if (result == OK && ids->count > MONITORS_CHANGED_MAX)
		violations_add(&exchange->violations, "takes_all",
			       "The search finds more than %d systems.", MONITORS_CHANGED_MAX);
	return result;
}

static void render_changed(struct exchange *exchange, const void *outcome)
{
	const struct str query = exchange->request.query;
	console_redirect(exchange,
			 arena_printf(&exchange->arena, "monitors?%s%snotice=changed&count=%lld",
				      query.data, query.len > 0 ? "&" : "",
				      (long long)*(const int64_t *)outcome));
}

enum result console_bulk(struct exchange *exchange)
{
	struct bulk_input input = { .pause = -1 };
	struct monitors_order order = { .ids = &input.monitor_ids };
	struct field_set sent = FIELD_SET_NONE;
	int64_t changed = 0;
	enum result result = exchange_body(exchange, &input, &sent);
	console_settle_query(exchange);
	if (result == OK && input.takes_all)
		result = choose_all(exchange, &input.monitor_ids);
	if (result != OK)
		return result;
	id_list_settle(&input.monitor_ids);
	order.input.is_paused = input.pause == PAUSE;
	order.input.group = input.group;
	order.input.alert_channel_ids = input.alert_channel_ids;
	order.adds_channels = !input.replaces_channels;
	if (input.pause >= 0)
		field_set_add(&order.sent, MONITOR_FIELD_is_paused);
	if (input.sets_group || input.group)
		field_set_add(&order.sent, MONITOR_FIELD_group);
	if (input.alert_channel_ids.count > 0 || input.replaces_channels)
		field_set_add(&order.sent, MONITOR_FIELD_alert_channel_ids);
	return service_update_monitors(exchange_service(exchange, NULL, render_changed), &order,
				       &changed);
}
