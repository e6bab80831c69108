#include "app/console/console_screens.h"

#include <string.h>

#include "app/handlers.h"
#include "domain/event.h"
#include "domain/notify/alert_channel.h"
#include "domain/incident/incident_report.h"
#include "domain/incident/incident_template.h"
#include "domain/account/key.h"
#include "domain/maintenance/maintenance.h"
#include "domain/monitor/monitor.h"
#include "domain/page/page_link.h"
#include "domain/page/page_report.h"
#include "domain/page/status_page.h"
#include "domain/notify/subscriber.h"
#include "service/maintenance/maintenances.h"
#include "service/resource/resource.h"

#define NAMES(...) ((const char *const[]){ __VA_ARGS__, NULL })

const struct console_screen console_incidents_screen = {
	.path = "incidents",
	.api = "/api/v1/incidents",
	.resource = &resource_incidents,
	.title = CONSOLE_INCIDENTS,
	.names = NAMES("title", "monitor.name", "cause"),
	.columns = NAMES("monitors", "phase", "impact", "started_at", "ended_at"),
	.filters = NAMES("search", "status"),
	.alarm = "!ended_at",
	.query = &incidents_query_fields,
	.is_linked = true,
	.actions = { { "delete", CONSOLE_DELETE, PERMISSION_RESPOND, true } },
};

/* The screen of one update of an incident or a maintenance window. */
#define UPDATE_SCREEN(its_path, its_resource, its_fields) \
	{ \
		.path = its_path, .resource = &its_resource, .names = NAMES("at"), \
		.facts = NAMES("phase", "at", "edited_at"), .first = NAMES("body"), \
		.update = &its_fields, .permission = PERMISSION_RESPOND, .has_only_first = true, \
		.has_preview = true, \
		.actions = { { "withdraw", CONSOLE_WITHDRAW, PERMISSION_RESPOND, true } }, \
	}
const struct console_screen console_update_screen =
	UPDATE_SCREEN("incidents/{id}/updates", resource_incident_updates, incident_edit_fields);
const struct console_screen console_note_screen = UPDATE_SCREEN(
	"maintenances/{id}/updates", resource_maintenance_updates, maintenance_edit_fields);

const struct console_screen console_maintenances_screen = {
	.path = "maintenances",
	.api = "/api/v1/maintenances",
	.resource = &resource_maintenances,
	.title = CONSOLE_MAINTENANCE,
	.add = CONSOLE_ADD_MAINTENANCE,
	.names = NAMES("title"),
	.columns = NAMES("status", "next_starts_at", "next_ends_at", "rrule"),
	.facts = NAMES("status", "next_starts_at", "next_ends_at", "rrule"),
	.lists = NAMES("occurrences", "updates"),
	.first =
		NAMES("title", "body", "monitor_ids", "starts_at", "ends_at", "time_zone", "rrule"),
	.without = NAMES("duration"),
	.filters = NAMES("search", "status"),
	.alarm = "status=in_progress",
	.query = &maintenances_query_fields,
	.create = &maintenance_create_fields,
	.update = &maintenance_update_fields,
	.permission = PERMISSION_RESPOND,
	.has_preview = true,
	.is_linked = true,
	.actions = { { "delete", CONSOLE_DELETE, PERMISSION_RESPOND, true } },
	.part_form = { "updates", CONSOLE_REPLY, CONSOLE_PUBLISH, &maintenance_post_fields,
		       NAMES("body", "phase"), true },
};

static const struct console_tab monitor_tabs[CONSOLE_TABS_MAX] = {
	{ "", CONSOLE_GENERAL, PERMISSION_READ },
	{ "/response-times", CONSOLE_RESPONSE_TIMES, PERMISSION_READ },
};

const struct console_screen console_monitors_screen = {
	.path = "monitors",
	.api = "/api/v1/monitors",
	.resource = &resource_monitors,
	.title = CONSOLE_MONITORS,
	.add = CONSOLE_ADD_MONITOR,
	.names = NAMES("name"),
	.columns = NAMES("state", "state_since", "type", "group", "url"),
	.facts = NAMES("state", "state_since", "last_cause", "checked_at", "response_ms",
		       "uptime_30d", "uptime_90d", "tls_expires_at", "domain_expires_at",
		       "heartbeat_url", "status_page_count", "incident_count"),
	.first = NAMES("name", "type", "url", "interval", "period", "group", "description",
		       "is_paused", "alert_channel_ids"),
	.filters = NAMES("search", "state", "group"),
	.alarm = "state=down",
	.query = &monitors_query_fields,
	.create = &monitor_create_fields,
	.update = &monitor_update_fields,
	.permission = PERMISSION_EDIT,
	.is_linked = true,
	.actions = { { "check", CONSOLE_CHECK_NOW, PERMISSION_RESPOND, false },
		     { "delete?keep_history=1", CONSOLE_RETIRE, PERMISSION_EDIT, true },
		     { "delete", CONSOLE_DELETE, PERMISSION_EDIT, true } },
	.bulk = &console_bulk_fields,
	.tabs = monitor_tabs,
};

const struct console_screen console_times_screen = {
	.path = "monitors/{id}/response-times",
	.resource = &resource_monitors,
	.query = &response_times_query_fields,
	.filters = NAMES("range"),
	.shown = &response_times_fields,
	.lists = NAMES("points"),
	.table = NAMES("at", "average_ms", "max_ms", "failures"),
	.chart = "average_ms",
	.permission = PERMISSION_EDIT,
	.tabs = monitor_tabs,
};

static const struct console_tab page_tabs[CONSOLE_TABS_MAX] = {
	{ "", CONSOLE_GENERAL, PERMISSION_READ },
	{ "/design", CONSOLE_DESIGN, PERMISSION_EDIT },
	{ "/systems", CONSOLE_PAGE_SYSTEMS, PERMISSION_EDIT },
	{ "/access", CONSOLE_PAGE_ACCESS, PERMISSION_EDIT },
	{ "/subscribers", CONSOLE_SUBSCRIBERS, PERMISSION_MANAGE },
	{ "/links", CONSOLE_PAGE_LINKS, PERMISSION_READ },
	{ "/reports", CONSOLE_PAGE_REPORTS, PERMISSION_READ },
	{ "/share", CONSOLE_SHARE, PERMISSION_READ },
};

const struct console_screen console_pages_screen = {
	.path = "pages",
	.api = "/api/v1/status-pages",
	.resource = &resource_status_pages,
	.title = CONSOLE_PAGES,
	.add = CONSOLE_ADD_PAGE,
	.names = NAMES("name"),
	.columns = NAMES("url", "privacy"),
	.facts = NAMES("url", "privacy", "updated_at"),
	.first = NAMES("name", "slug", "language", "time_zone", "website_url", "contact_url",
		       "support_text", "show_causes", "show_response_times", "show_reports",
		       "needs_second_person"),
	.filters = NAMES("search"),
	.query = &status_pages_query_fields,
	.create = &status_page_create_fields,
	.update = &status_page_update_fields,
	.permission = PERMISSION_EDIT,
	.has_only_first = true,
	.has_preview = true,
	.is_linked = true,
	.actions = { { "delete", CONSOLE_DELETE, PERMISSION_MANAGE, true } },
	.tabs = page_tabs,
};

/* A separate screen with a form for some fields of a page. The arguments after the path are the
 * names of the fields. */
#define PAGE_TAB(its_path, ...) \
	{ \
		.path = "pages/{id}" its_path, .api = "/api/v1/status-pages", \
		.resource = &resource_status_pages, .names = NAMES("name"), \
		.first = NAMES(__VA_ARGS__), .update = &status_page_update_fields, \
		.permission = PERMISSION_EDIT, .has_only_first = true, .has_preview = true, \
		.tabs = page_tabs, \
	}
const struct console_screen console_design_screen =
	PAGE_TAB("/design", "logo", "logo_dark", "header_image", "favicon", "remove_logo",
		 "remove_logo_dark", "remove_header_image", "remove_favicon", "logo_height",
		 "accent_color", "color_scheme", "custom_css", "custom_js");
const struct console_screen console_access_screen =
	PAGE_TAB("/access", "privacy", "password", "domain", "allow_subscribers", "noindex",
		 "meta_title", "meta_description");

const struct console_screen console_systems_screen = PAGE_TAB("/systems", "monitor_ids");
const struct console_screen console_share_screen = PAGE_TAB("/share", "url");

const struct console_screen console_reports_screen = {
	.path = "pages/{id}/reports",
	.resource = &resource_status_pages,
	.shown = &page_report_fields,
	.facts = NAMES("month", "time_zone", "is_complete"),
	.lists = NAMES("systems", "groups", "incidents", "maintenances"),
	.table = NAMES("name", "uptime", "outage_count", "down_s"),
	.permission = PERMISSION_EDIT,
	.tabs = page_tabs,
};

const struct console_screen console_subscribers_screen = {
	.path = "pages/{id}/subscribers",
	.api = "/api/v1/status-pages/{id}/subscribers",
	.resource = &resource_subscribers,
	.title = CONSOLE_SUBSCRIBERS,
	.add = CONSOLE_ADD_SUBSCRIBER,
	.names = NAMES("address"),
	.columns = NAMES("state", "confirmed_at", "suspended_at", "suspension"),
	.first = NAMES("address"),
	.filters = NAMES("search", "state"),
	.alarm = "state=suspended",
	.query = &subscribers_query_fields,
	.create = &subscriber_input_fields,
	.permission = PERMISSION_MANAGE,
	.has_only_first = true,
	.is_part = true,
	.actions = { { "delete", CONSOLE_DELETE, PERMISSION_MANAGE, false } },
	.part_form = { "import", CONSOLE_IMPORT, CONSOLE_IMPORT, &subscribers_file_fields, NULL },
	.tabs = page_tabs,
};

const struct console_screen console_links_screen = {
	.path = "pages/{id}/links",
	.api = "/api/v1/status-pages/{id}/links",
	.resource = &resource_page_links,
	.title = CONSOLE_PAGE_LINKS,
	.add = CONSOLE_ADD_LINK,
	.names = NAMES("label"),
	.columns = NAMES("created_at", "expires_at"),
	.filters = NULL,
	.query = &page_links_query_fields,
	.create = &page_link_create_fields,
	.permission = PERMISSION_MANAGE,
	.is_part = true,
	.actions = { { "delete", CONSOLE_WITHDRAW, PERMISSION_MANAGE, false } },
	.tabs = page_tabs,
};

const struct console_screen console_channels_screen = {
	.path = "channels",
	.api = "/api/v1/alert-channels",
	.resource = &resource_alert_channels,
	.title = CONSOLE_CHANNELS,
	.add = CONSOLE_ADD_CHANNEL,
	.names = NAMES("name"),
	.columns = NAMES("type", "address", "is_enabled", "suspended_at"),
	.facts = NAMES("type", "address", "suspended_at", "suspension"),
	.first = NAMES("name", "type", "value", "is_enabled", "takes_all_monitors"),
	.filters = NAMES("search"),
	.alarm = "suspended_at",
	.query = &alert_channels_query_fields,
	.create = &alert_channel_create_fields,
	.update = &alert_channel_update_fields,
	.permission = PERMISSION_MANAGE,
	.is_linked = true,
	.members_of = alert_channel_members,
	.choose = "type",
	.actions = { { "test", CONSOLE_SEND_TEST, PERMISSION_MANAGE, false },
		     { "delete", CONSOLE_DELETE, PERMISSION_MANAGE, true } },
};

const struct console_screen console_deliveries_screen = {
	.path = "deliveries",
	.api = "/api/v1/deliveries",
	.resource = &resource_deliveries,
	.title = CONSOLE_DELIVERIES,
	.names = NAMES("kind"),
	.columns = NAMES("state", "channel_name", "created_at", "response"),
	.facts = NAMES("state", "channel_name", "created_at", "tried_at", "due_at", "tries",
		       "status", "response"),
	.filters = NAMES("state"),
	.alarm = "state=failed",
	.query = &deliveries_query_fields,
	.permission = PERMISSION_RESPOND,
	.is_linked = true,
	.actions = { { "retry", CONSOLE_SEND_AGAIN, PERMISSION_RESPOND, false } },
};

const struct console_screen console_keys_screen = {
	.path = "keys",
	.api = "/api/v1/keys",
	.resource = &resource_keys,
	.title = CONSOLE_KEYS,
	.add = CONSOLE_ADD_KEY,
	.names = NAMES("label"),
	.columns = NAMES("is_read_only", "location", "last_used_at", "expires_at", "revoked_at"),
	.facts = NAMES("is_read_only", "location", "created_at", "last_used_at", "expires_at",
		       "revoked_at"),
	.filters = NAMES("search"),
	.query = &keys_query_fields,
	.create = &key_create_fields,
	.update = &key_update_fields,
	.permission = PERMISSION_MANAGE,
	.is_linked = true,
	.actions = { { "delete", CONSOLE_REVOKE, PERMISSION_MANAGE, true } },
};

/* Returns the path of the screen of the event's object. Returns NULL for deleted objects, which
 * have no screen, and for keys and people, whose screens not everybody may see. */
static const char *path_of_event(const void *row, struct arena *arena)
{
	static const char *const paths[EVENT_OBJECTS] = {
		[EVENT_OF_INCIDENT] = "incidents", [EVENT_OF_STATUS_PAGE] = "pages",
		[EVENT_OF_MONITOR] = "monitors",   [EVENT_OF_MAINTENANCE] = "maintenances",
		[EVENT_OF_CHANNEL] = "channels",   [EVENT_OF_TEMPLATE] = "templates",
	};
	const struct event *event = row;
	/* -1: the event is from a newer version of the program */
	const int object = str_place(event_object_words, str_from(event->object));
	const char *path = object >= 0 ? paths[object] : NULL;
	return path && strcmp(event_action(event->kind), "deleted") != 0
		       ? arena_printf(arena, "%s/%lld", path, (long long)event->object_id)
		       : NULL;
}

const struct console_screen console_audit_screen = {
	.path = "audit",
	.resource = &resource_events,
	.title = CONSOLE_AUDIT,
	.names = NAMES("kind"),
	.columns = NAMES("at", "actor.type", "actor.label", "object_id", "detail"),
	.filters = NAMES("search", "object"),
	.query = &events_query_fields,
	.link = path_of_event,
	.has_file = true,
};

const struct console_screen console_templates_screen = {
	.path = "templates",
	.api = "/api/v1/incident-templates",
	.resource = &resource_incident_templates,
	.title = CONSOLE_TEMPLATES,
	.add = CONSOLE_ADD_TEMPLATE,
	.names = NAMES("name"),
	.columns = NAMES("title", "phase", "impact"),
	.filters = NAMES("search"),
	.query = &incident_templates_query_fields,
	.create = &incident_template_create_fields,
	.update = &incident_template_update_fields,
	.permission = PERMISSION_EDIT,
	.is_linked = true,
	.actions = { { "delete", CONSOLE_DELETE, PERMISSION_EDIT, true } },
};

const struct console_screen *const console_more_screens[] = {
	&console_templates_screen, &console_channels_screen, &console_deliveries_screen,
	&console_keys_screen,	   &console_audit_screen,    NULL,
};
