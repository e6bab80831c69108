/*
 * The table of routes: every path that the service serves. The last four members of a row are for
 * openapi.json: group, operationId, summary, and the name of the body's schema. A row needs this
 * name only if its group has no name.
 */
#include "app/console/console_routes.h"
#include "app/handlers.h"
#include "app/incident/hooks.h"
#include "app/metrics.h"
#include "app/page/page_admission.h"
#include "app/page/page_files.h"
#include "app/page/page_host.h"
#include "app/resources.h"
#include "app/route_groups.h"
#include "app/routes.h"
#include "domain/notify/alert_channel.h"
#include "domain/monitor/check_exchange.h"
#include "domain/event.h"
#include "domain/page/figures.h"
#include "domain/incident/incident_report.h"
#include "domain/incident/incident_template.h"
#include "domain/account/key.h"
#include "domain/maintenance/maintenance.h"
#include "domain/monitor/monitor.h"
#include "domain/page/page_link.h"
#include "domain/page/status_page.h"
#include "mirror/protocol.h"
#include "service/alert_channels.h"
#include "service/maintenance/maintenances.h"
#include "service/resource/resource.h"

#define ROUTE_VISITOR (ROUTE_OPEN | ROUTE_ON_MIRROR)

#define PAGES	     "/api/v1/status-pages"
#define PAGE	     PAGES "/{id}"
#define LINKS	     PAGE "/links"
#define SUBSCRIBERS  PAGE "/subscribers"
#define SUBSCRIPTION "/s/{slug}/subscription"
#define INCIDENTS    "/api/v1/incidents"
#define INCIDENT     INCIDENTS "/{id}"
#define UPDATES	     INCIDENT "/updates"
#define UPDATE	     UPDATES "/{update_id}"
#define TEMPLATES    "/api/v1/incident-templates"
#define TEMPLATE     TEMPLATES "/{id}"
#define KEYS	     "/api/v1/keys"
#define USERS	     "/api/v1/users"
#define MONITORS     "/api/v1/monitors"
#define WINDOWS	     "/api/v1/maintenances"
#define WINDOW	     WINDOWS "/{id}"
#define PENDING	     "/api/v1/pending-updates"
#define NOTES	     WINDOW "/updates"
#define NOTE	     NOTES "/{update_id}"
#define MONITOR	     MONITORS "/{id}"
#define CHANNELS     "/api/v1/alert-channels"
#define CHANNEL	     CHANNELS "/{id}"
#define DELIVERY     "/api/v1/deliveries/{id}"
#define HEARTBEAT    "/hb/{token}"

/* clang-format off */
/* The routes that update an object, by PUT, PATCH and POST. */
#define UPDATE_ROUTES(path, permission, handler, form, group, verb, noun, its_summary) \
	{ { "PUT", path, 0 }, permission, handler, &form, &group, verb noun, its_summary }, \
	{ { "PATCH", path, 0 }, permission, handler, &form, &group, "patch" noun, \
	  "The same as PUT" }, \
	{ { "POST", path, ROUTE_OVERRIDE }, permission, handler, &form, &group, \
	  verb noun "ByPost", "The same, for clients that can only POST" },

/* The routes that list, show and delete objects, for most resources. */
#define LIST_ROUTE(path, permission, query, group, its_id, its_summary) \
	{ { "GET", path, ROUTE_HAS_QUERY }, permission, resources_list, &query, \
	  &group, its_id, its_summary },
#define SHOW_ROUTE(path, permission, group, its_id, its_summary) \
	{ { "GET", path, 0 }, permission, resources_show, NULL, &group, its_id, its_summary },
#define DELETE_ROUTE(path, permission, handler, group, its_id, its_summary) \
	{ { "DELETE", path, 0 }, permission, handler, NULL, &group, its_id, its_summary },

const struct app_route app_routes[] = {
	LIST_ROUTE(PAGES, PERMISSION_READ, status_pages_query_fields, pages, "listStatusPages",
		   "List the account's status pages")
	{ { "POST", PAGES, 0 }, PERMISSION_EDIT, status_pages_create, &status_page_create_fields,
	  &pages, "createStatusPage", "Create a status page" },
	SHOW_ROUTE(PAGE, PERMISSION_READ, pages, "showStatusPage", "Show a status page")
	UPDATE_ROUTES(PAGE, PERMISSION_EDIT, status_pages_update, status_page_update_fields,
		      pages, "update", "StatusPage",
		      "Update the fields of a status page that are sent")
	DELETE_ROUTE(PAGE, PERMISSION_MANAGE, status_pages_delete, pages, "deleteStatusPage",
		   "Delete a status page")
	LIST_ROUTE(LINKS, PERMISSION_READ, page_links_query_fields, links, "listPageLinks",
		   "List the page's valid links, newest first")
	{ { "POST", LINKS, 0 }, PERMISSION_MANAGE, page_links_create, &page_link_create_fields,
	  &links, "createPageLink", "Sign a link that opens a private or password page" },
	{ { "GET", PAGE "/reports/{month}", 0 }, PERMISSION_READ, page_reports_show, NULL,
	  &page_reports, "showPageReport", "Show the report of a month" },
	LIST_ROUTE(SUBSCRIBERS, PERMISSION_MANAGE, subscribers_query_fields, subscribers,
		   "listSubscribers", "List the subscribers of the page")
	{ { "POST", SUBSCRIBERS, 0 }, PERMISSION_MANAGE, subscribers_create,
	  &subscriber_input_fields,
	  &subscribers, "createSubscriber", "Add a subscriber who has consented" },
	DELETE_ROUTE(SUBSCRIBERS "/{subscriber_id}", PERMISSION_MANAGE, subscribers_delete,
		   subscribers, "deleteSubscriber",
		   "Delete a subscriber, with all messages that wait")
	{ { "POST", SUBSCRIBERS "/import", 0 }, PERMISSION_MANAGE, subscribers_import,
	  &subscribers_file_fields,
	  &subscriber_imports, "importSubscribers",
	  "Add subscribers who have consented, from CSV" },
	{ { "GET", SUBSCRIBERS "/export", 0 }, PERMISSION_MANAGE, subscribers_export, NULL,
	  &subscriber_files, "exportSubscribers", "Get all subscribers of the page as CSV" },
	DELETE_ROUTE(LINKS "/{link_id}", PERMISSION_MANAGE, page_links_withdraw, links,
		   "withdrawPageLink",
		   "Withdraw a link, and the cookies that visitors got by the link")

	LIST_ROUTE(INCIDENTS, PERMISSION_READ, incidents_query_fields, incidents, "listIncidents",
		   "List the account's incidents")
	{ { "POST", INCIDENTS, 0 }, PERMISSION_RESPOND, incidents_report, &incident_report_fields,
	  &incidents, "reportIncident", "Report an incident, or a notice for pages" },
	SHOW_ROUTE(INCIDENT, PERMISSION_READ, incidents, "showIncident", "Show an incident")
	UPDATE_ROUTES(INCIDENT, PERMISSION_RESPOND, incidents_update, incident_update_fields,
		      incidents, "update", "Incident",
		      "Update the fields of an incident that are sent")
	DELETE_ROUTE(INCIDENT, PERMISSION_RESPOND, incidents_delete, incidents, "deleteIncident",
		   "Delete an incident; its events remain")
	LIST_ROUTE(UPDATES, PERMISSION_READ, updates_query_fields, updates, "listIncidentUpdates",
		   "List the incident's updates, newest first")
	{ { "POST", UPDATES, 0 }, PERMISSION_RESPOND, incident_updates_post, &incident_post_fields,
	  &updates, "postIncidentUpdate", "Post an update" },
	SHOW_ROUTE(UPDATE, PERMISSION_READ, updates, "showIncidentUpdate", "Show an update")
	UPDATE_ROUTES(UPDATE, PERMISSION_RESPOND, incident_updates_edit, incident_edit_fields,
		      updates, "edit", "IncidentUpdate",
		      "Edit an update, which pages mark as edited")
	DELETE_ROUTE(UPDATE, PERMISSION_RESPOND, incident_updates_withdraw, updates,
		   "withdrawIncidentUpdate", "Withdraw an update")
	LIST_ROUTE(PENDING, PERMISSION_READ, pending_updates_query_fields, pending_updates,
		   "listPendingUpdates", "List what waits for a second person")
	SHOW_ROUTE(PENDING "/{id}", PERMISSION_READ, pending_updates, "showPendingUpdate",
		   "Show what waits for a second person")
	DELETE_ROUTE(PENDING "/{id}", PERMISSION_RESPOND, pending_updates_decline, pending_updates,
		   "declinePendingUpdate", "Decline what waits for a second person")

	LIST_ROUTE(TEMPLATES, PERMISSION_READ, incident_templates_query_fields, templates,
		   "listIncidentTemplates", "List the account's incident templates")
	{ { "POST", TEMPLATES, 0 }, PERMISSION_EDIT, incident_templates_create,
	  &incident_template_create_fields,
	  &templates, "createIncidentTemplate", "Create an incident template" },
	SHOW_ROUTE(TEMPLATE, PERMISSION_READ, templates, "showIncidentTemplate",
		   "Show an incident template")
	UPDATE_ROUTES(TEMPLATE, PERMISSION_EDIT, incident_templates_update,
		      incident_template_update_fields, templates, "update", "IncidentTemplate",
		      "Update the fields of a template that are sent")
	DELETE_ROUTE(TEMPLATE, PERMISSION_EDIT, incident_templates_delete, templates,
		   "deleteIncidentTemplate", "Delete an incident template")

	LIST_ROUTE(MONITORS, PERMISSION_READ, monitors_query_fields, monitors, "listMonitors",
		   "List the account's monitors")
	{ { "POST", MONITORS, 0 }, PERMISSION_EDIT, monitors_create, &monitor_create_fields,
	  &monitors, "createMonitor", "Create a monitor" },
	SHOW_ROUTE(MONITOR, PERMISSION_READ, monitors, "showMonitor", "Show a monitor")
	UPDATE_ROUTES(MONITOR, PERMISSION_EDIT, monitors_update, monitor_update_fields,
		      monitors, "update", "Monitor", "Update the fields of a monitor that are sent")
	{ { "DELETE", MONITOR, ROUTE_HAS_QUERY }, PERMISSION_EDIT, monitors_delete,
	  &monitors_delete_fields,
	  &monitors, "deleteMonitor", "Delete a monitor with its incidents, or retire it" },
	{ { "GET", MONITOR "/response-times", ROUTE_HAS_QUERY }, PERMISSION_READ,
	  monitors_response_times, &response_times_query_fields,
	  &response_times, "showResponseTimes", "Show how fast a system has responded" },

	{ { "POST", MONITOR "/check", ROUTE_ACCEPTS }, PERMISSION_RESPOND, monitors_check, NULL,
	  &monitors, "checkMonitor", "Check the system now" },
	{ { "POST", MONITOR "/figures", ROUTE_ACCEPTS }, PERMISSION_REPORT, monitors_add_figures,
	  &figures_fields,
	  &monitors, "addFigures", "Add response times that were measured elsewhere", "Figures" },

	{ { "GET", "/api/v1/checks", ROUTE_HAS_QUERY }, PERMISSION_CHECK, checks_list,
	  &check_orders_query_fields,
	  &checks, "listChecks", "List what a location has to check, with secrets" },
	{ { "POST", "/api/v1/checks", ROUTE_ACCEPTS }, PERMISSION_CHECK, checks_take,
	  &check_findings_fields,
	  &checks, "takeFindings", "Take what a location has found", "Findings" },

	LIST_ROUTE(WINDOWS, PERMISSION_READ, maintenances_query_fields, maintenances,
		   "listMaintenances", "List the account's maintenance windows")
	{ { "POST", WINDOWS, 0 }, PERMISSION_RESPOND, maintenances_create,
	  &maintenance_create_fields,
	  &maintenances, "createMaintenance", "Plan a maintenance window" },
	SHOW_ROUTE(WINDOW, PERMISSION_READ, maintenances, "showMaintenance",
		   "Show a maintenance window")
	UPDATE_ROUTES(WINDOW, PERMISSION_RESPOND, maintenances_update, maintenance_update_fields,
		      maintenances, "update", "Maintenance",
		      "Update the fields of a window that are sent")
	DELETE_ROUTE(WINDOW, PERMISSION_RESPOND, maintenances_delete, maintenances,
		   "deleteMaintenance", "Delete a maintenance window")
	LIST_ROUTE(NOTES, PERMISSION_READ, updates_query_fields, notes, "listMaintenanceUpdates",
		   "List the window's updates, newest first")
	{ { "POST", NOTES, 0 }, PERMISSION_RESPOND, maintenance_updates_post,
	  &maintenance_post_fields,
	  &notes, "postMaintenanceUpdate", "Post an update, which may move the status" },
	SHOW_ROUTE(NOTE, PERMISSION_READ, notes, "showMaintenanceUpdate", "Show an update")
	UPDATE_ROUTES(NOTE, PERMISSION_RESPOND, maintenance_updates_edit, maintenance_edit_fields,
		      notes, "edit", "MaintenanceUpdate",
		      "Edit an update, which pages mark as edited")
	DELETE_ROUTE(NOTE, PERMISSION_RESPOND, maintenance_updates_withdraw, notes,
		   "withdrawMaintenanceUpdate", "Withdraw an update")

	LIST_ROUTE(KEYS, PERMISSION_READ, keys_query_fields, keys, "listKeys",
		   "List the account's keys, newest first, without their texts")
	{ { "POST", KEYS, 0 }, PERMISSION_MANAGE, keys_create, &key_create_fields,
	  &keys, "createKey", "Create a key; only this response has the text of the key" },
	SHOW_ROUTE(KEYS "/{id}", PERMISSION_READ, keys, "showKey",
		   "Show a key, without the text of the key")
	UPDATE_ROUTES(KEYS "/{id}", PERMISSION_MANAGE, keys_update, key_update_fields,
		      keys, "update", "Key",
		      "Update the fields of a key that are sent; no field may extend its rights")
	{ { "DELETE", KEYS "/{id}", ROUTE_HAS_QUERY }, PERMISSION_MANAGE, keys_delete,
	  &keys_delete_fields,
	  &keys, "revokeKey", "Revoke a key; a key may revoke itself" },

	LIST_ROUTE(USERS, PERMISSION_MANAGE, users_query_fields, users, "listUsers",
		   "List the people of the account, newest first")
	{ { "POST", USERS, 0 }, PERMISSION_MANAGE, users_create, &user_create_fields,
	  &users, "createUser", "Give a new person a role in the account, without a link yet" },
	SHOW_ROUTE(USERS "/{id}", PERMISSION_MANAGE, users, "showUser", "Show a user")
	UPDATE_ROUTES(USERS "/{id}", PERMISSION_MANAGE, users_update, user_update_fields,
		      users, "update", "User",
		      "Change the role of a user, disable or enable the user")
	DELETE_ROUTE(USERS "/{id}", PERMISSION_MANAGE, users_delete, users, "deleteUser",
		   "End the role in the account; delete a user without another role")
	{ { "POST", USERS "/{id}/reset", 0 }, PERMISSION_MANAGE, users_reset, NULL,
	  &user_links, "resetUser", "Make a link by which the person sets a new password" },
	LIST_ROUTE(USERS "/{id}/sessions", PERMISSION_MANAGE, user_sessions_query_fields,
		   user_sessions, "listUserSessions", "List the sessions of a user in the account")
	DELETE_ROUTE(USERS "/{id}/sessions/{session_id}", PERMISSION_MANAGE, user_sessions_delete,
		   user_sessions, "endUserSession", "End a session")

	LIST_ROUTE(CHANNELS, PERMISSION_READ, alert_channels_query_fields, channels,
		   "listAlertChannels", "List the account's alert channels, newest first")
	{ { "POST", CHANNELS, 0 }, PERMISSION_MANAGE, alert_channels_create,
	  &alert_channel_create_fields,
	  &channels, "createAlertChannel", "Create an alert channel" },
	SHOW_ROUTE(CHANNEL, PERMISSION_READ, channels, "showAlertChannel",
		   "Show an alert channel, without its secrets")
	UPDATE_ROUTES(CHANNEL, PERMISSION_MANAGE, alert_channels_update,
		      alert_channel_update_fields, channels, "update", "AlertChannel",
		      "Update the fields of an alert channel that are sent")
	DELETE_ROUTE(CHANNEL, PERMISSION_MANAGE, alert_channels_delete, channels,
		   "deleteAlertChannel", "Delete an alert channel with its deliveries")
	{ { "POST", CHANNEL "/test", 0 }, PERMISSION_MANAGE, alert_channels_test, NULL,
	  &channel_tests, "testAlertChannel", "Send a test message now" },
	LIST_ROUTE("/api/v1/deliveries", PERMISSION_READ, deliveries_query_fields, deliveries,
		   "listDeliveries", "List the messages to channels and subscribers, newest first")
	SHOW_ROUTE(DELIVERY, PERMISSION_READ, deliveries, "showDelivery", "Show a message")
	{ { "POST", DELIVERY "/retry", ROUTE_ACCEPTS }, PERMISSION_RESPOND, deliveries_retry_one,
	  NULL,
	  &deliveries, "retryDelivery", "Send a message again" },

	LIST_ROUTE("/api/v1/events", PERMISSION_READ, events_query_fields, events, "listEvents",
		   "List the changes in the account, newest first")

	{ { "GET", "/api/v1/account", 0 }, PERMISSION_READ, account_show, NULL,
	  &account, "showAccount", "Show the account, the key, its limits and the quotas" },

	{ { "POST", "/hooks/bounce", ROUTE_OPEN }, PERMISSION_NONE, hooks_bounce, NULL,
	  &bounces, "takeBounce", "Report that mail to a subscriber came back (RFC 3464)" },
	{ { "POST", "/hooks/alertmanager", ROUTE_HAS_QUERY }, PERMISSION_REPORT, hooks_alertmanager,
	  &hooks_alertmanager_query_fields,
	  &hooks, "receiveAlertmanager", "The webhook of Prometheus Alertmanager" },
	{ { "POST", "/hooks/generic", 0 }, PERMISSION_REPORT, hooks_generic, &hooks_generic_fields,
	  &hooks, "receiveReport", "Report that a monitor is down, or up again", "Report" },

	{ { "GET", HEARTBEAT, ROUTE_OPEN }, PERMISSION_NONE, heartbeats_take, NULL,
	  &heartbeats, "sendHeartbeat", "Report that the system works" },
	{ { "POST", HEARTBEAT, ROUTE_OPEN }, PERMISSION_NONE, heartbeats_take, NULL,
	  &heartbeats, "postHeartbeat", "The same; the body is ignored" },
	{ { "GET", HEARTBEAT "/{report}", ROUTE_OPEN }, PERMISSION_NONE, heartbeats_take, NULL,
	  &heartbeats, "sendReport", "Report a start, a failure, or an exit status" },
	{ { "POST", HEARTBEAT "/{report}", ROUTE_OPEN }, PERMISSION_NONE, heartbeats_take, NULL,
	  &heartbeats, "postReport", "The same; the body is ignored" },

	{ { "GET", "/api/v1/openapi.json", ROUTE_OPEN }, PERMISSION_NONE, openapi_show, NULL,
	  &service, "showOpenapi", "This document" },
	{ { "GET", "/healthz", ROUTE_VISITOR }, PERMISSION_NONE, health_live, NULL,
	  &service, "showLiveness", "Check that the process responds" },
	{ { "GET", "/readyz", ROUTE_OPEN }, PERMISSION_NONE, health_ready, NULL,
	  &service, "showReadiness", "Check that the service can do its work" },
	{ { "GET", "/internal/domain-check", ROUTE_VISITOR | ROUTE_HAS_QUERY }, PERMISSION_NONE,
	  page_host_check,
	  &page_host_check_fields, &service, "checkDomain",
	  "Check whether a page has this domain: for a proxy that gets certificates on demand" },

	CONSOLE_ROUTES

	{ { "GET", "/metrics", ROUTE_VISITOR }, PERMISSION_NONE, metrics_show, NULL },

	/* For visitors and crawlers. */
	{ { "GET", "/s/{slug}", ROUTE_VISITOR }, PERMISSION_NONE, page_files_index, NULL },
	{ { "POST", "/s/{slug}", ROUTE_VISITOR }, PERMISSION_NONE, page_admission_enter_password,
	  &page_admission_fields },
	{ { "GET", "/s/{slug}/subscribe", ROUTE_VISITOR }, PERMISSION_NONE,
	  page_subscription_form, NULL },
	{ { "POST", "/s/{slug}/subscribe", ROUTE_VISITOR }, PERMISSION_NONE,
	  page_subscription_ask, &page_subscription_fields },
	{ { "GET", SUBSCRIPTION, ROUTE_VISITOR }, PERMISSION_NONE, page_subscription_show, NULL },
	{ { "POST", SUBSCRIPTION, ROUTE_VISITOR }, PERMISSION_NONE, page_subscription_change,
	  &page_subscription_fields },
	{ { "GET", "/s/{slug}/alive.svg", ROUTE_VISITOR }, PERMISSION_NONE, page_index_sign, NULL },
	{ { "GET", "/s/{slug}/history", ROUTE_VISITOR }, PERMISSION_NONE, page_search_show, NULL },
	{ { "GET", "/s/{slug}/{file}", ROUTE_VISITOR }, PERMISSION_NONE, page_files_show, NULL },
	{ { "GET", "/s/{slug}/incidents/{incident}", ROUTE_VISITOR }, PERMISSION_NONE,
	  page_files_incident, NULL },
	{ { "GET", "/s/{slug}/maintenance/{window}", ROUTE_VISITOR }, PERMISSION_NONE,
	  page_files_maintenance, NULL },
	{ { "GET", "/s/{slug}/api/v2/{file}", ROUTE_VISITOR }, PERMISSION_NONE, page_files_show,
	  NULL },
	{ { "GET", "/s/{slug}/api/v2/incidents/{file}", ROUTE_VISITOR }, PERMISSION_NONE,
	  page_files_show, NULL },
	{ { "GET", "/s/{slug}/api/v2/scheduled-maintenances/{file}", ROUTE_VISITOR },
	  PERMISSION_NONE, page_files_show, NULL },
	{ { "GET", "/", ROUTE_VISITOR }, PERMISSION_NONE, page_index_show, NULL },
	{ { "GET", "/robots.txt", ROUTE_VISITOR }, PERMISSION_NONE, page_index_robots, NULL },
};
/* clang-format on */
const size_t app_route_count = ARRAY_LEN(app_routes);

/* The routes of a mirror for its origin (mirror/protocol.h) and its operator. */
static const struct app_route mirror_routes[] = {
	{ { "GET", "/readyz", ROUTE_OPEN }, PERMISSION_NONE, mirror_host_ready, NULL },
	{ { "GET", PROTOCOL_PATH "/pages", ROUTE_OPEN }, PERMISSION_NONE, mirror_host_list, NULL },
	{ { "POST", PROTOCOL_PATH "/pages", ROUTE_OPEN },
	  PERMISSION_NONE,
	  mirror_host_pages,
	  NULL },
	{ { "POST", PROTOCOL_PATH "/files", ROUTE_OPEN },
	  PERMISSION_NONE,
	  mirror_host_files,
	  NULL },
	{ { "GET", PROTOCOL_PATH "/site", ROUTE_OPEN },
	  PERMISSION_NONE,
	  mirror_host_shared_list,
	  NULL },
	{ { "PUT", PROTOCOL_PATH "/site", ROUTE_OPEN }, PERMISSION_NONE, mirror_host_shared, NULL },
	{ { "POST", PROTOCOL_PATH "/origin", ROUTE_OPEN },
	  PERMISSION_NONE,
	  mirror_host_origin,
	  NULL },
	{ { "POST", PROTOCOL_PATH "/beat", ROUTE_OPEN }, PERMISSION_NONE, mirror_host_beat, NULL },
};

_Static_assert(ARRAY_LEN(app_routes) + ARRAY_LEN(mirror_routes) < APP_ROUTE_NUMBERS,
	       "a number for each pattern");

const char *app_route_pattern(size_t number)
{
	if (number == 0 || number > app_route_count + ARRAY_LEN(mirror_routes))
		return "-";
	return number <= app_route_count
		       ? app_routes[number - 1].route.pattern
		       : mirror_routes[number - 1 - app_route_count].route.pattern;
}

/* Compares pointers, not texts: router_try() always sets the pattern of the first matching row. */
size_t app_route_number(const char *pattern)
{
	for (size_t i = 1; pattern && i <= app_route_count + ARRAY_LEN(mirror_routes); i++)
		if (app_route_pattern(i) == pattern)
			return i;
	return 0;
}

enum result app_route_find(const struct request *request, bool is_mirror, struct route_match *match,
			   const struct app_route **route)
{
	*match = (struct route_match){ 0 };
	*route = NULL;
	for (size_t i = 0; i < app_route_count; i++)
		if ((!is_mirror || app_routes[i].route.flags & ROUTE_ON_MIRROR) &&
		    router_try(match, &app_routes[i].route, request))
			*route = &app_routes[i];
	for (size_t i = 0; is_mirror && i < ARRAY_LEN(mirror_routes); i++)
		if (router_try(match, &mirror_routes[i].route, request))
			*route = &mirror_routes[i];
	return router_result(match);
}
