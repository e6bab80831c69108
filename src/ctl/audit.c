/* daymarkctl audit */
#include "ctl/ctl.h"
#include "store/event.h"
#include "wire/json.h"

#define OBJECTS \
	"incident, status_page, monitor, maintenance, key, account, alert_channel, user or " \
	"incident_template"
_Static_assert(EVENT_OBJECTS == 9, "OBJECTS names each type of object");

/* Reads all options except --account. Returns CTL_OK, or the exit status. */
static int read_options(struct ctl *ctl, struct event_query *query)
{
	const char *id = ctl_option(ctl, "object-id"), *since = ctl_option(ctl, "since");
	const char *limit = ctl_option(ctl, "limit");
	query->object = ctl_option(ctl, "object");
	query->limit = 50;
	if (query->object && str_place(event_object_words, str_from(query->object)) < 0)
		return ctl_usage(ctl, "--object must be " OBJECTS);
	if (id && !ctl_id(id, &query->object_id))
		return ctl_usage(ctl, "--object-id must be the id of an object");
	if (since && !instant_parse(str_from(since), &query->since))
		return ctl_usage(ctl, "--since must be a time such as 2026-11-20T19:58:30Z");
	if (limit && (!ctl_id(limit, &query->limit) || query->limit > EVENT_LIST_MAX))
		return ctl_usage(ctl, "--limit must be a number from 1 to %d", EVENT_LIST_MAX);
	return CTL_OK;
}

static const char *account_text(struct arena *arena, const void *row)
{
	const struct event *event = row;
	return event->account_id > 0 ? arena_printf(arena, "%lld", (long long)event->account_id)
				     : "-";
}

static const char *actor_text(struct arena *arena, const void *row)
{
	const struct event *event = row;
	return principal_text(event->actor_type, event->actor_id, event->actor_label, arena);
}

static const char *detail_text(struct arena *arena, const void *row)
{
	const struct event *event = row;
	(void)arena;
	return event->detail ? event->detail : "";
}

static int audit_run(struct ctl *ctl)
{
	static const struct ctl_column columns[] = {
		{ "AT", "at", NULL },
		{ "ACCOUNT", NULL, account_text },
		{ "EVENT", "kind", NULL },
		{ "ID", "object_id", NULL },
		{ "ACTOR", NULL, actor_text },
		{ "ADDRESS", "address", NULL },
		{ "DETAIL", NULL, detail_text },
		{ 0 },
	};
	struct ctl_listing listing;
	int64_t account_id = 0;
	struct service service = ctl_service(ctl);
	struct event_query query = { 0 };
	struct event_list list;
	int status = read_options(ctl, &query);
	if (status == CTL_OK && ctl_option(ctl, "account"))
		status = ctl_account(ctl, &account_id);
	if (status != CTL_OK)
		return status;
	query.account_id = account_id;
	enum result result = resource_read_events(&service, &query, &list);
	if (result != OK)
		return ctl_fail(ctl, result, "the events cannot be read");
	ctl_listing_start(&listing, ctl, columns);
	for (size_t i = 0; i < list.count; i++)
		json_put_int_or_null(ctl_listing_row(&listing, event_fields, &list.rows[i]),
				     "account_id", list.rows[i].account_id > 0,
				     list.rows[i].account_id);
	return ctl_listing_end(&listing, OK, "events");
}

const struct ctl_command audit_command = {
	.words = "audit",
	.summary = "List the changes and their actors, newest first",
	.run = audit_run,
	.options = {
		{ "account", "ACCOUNT", "only this account's, by id or name" },
		{ "object", "KIND", "only of objects of this type: " OBJECTS },
		{ "object-id", "ID", "only of the object with this id" },
		{ "since", "TIME", "only changes since this time, UTC" },
		{ "limit", "N", "at most N changes, 1 to 10000; default: 50" },
	},
};
