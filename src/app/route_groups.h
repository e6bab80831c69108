/* The groups of routes, one for each resource. Only routes.c includes this file. */
#ifndef APP_ROUTE_GROUPS_H
#define APP_ROUTE_GROUPS_H

#include "app/handlers.h"
#include "app/routes.h"
#include "domain/notify/alert_channel.h"
#include "domain/incident/incident_report.h"
#include "domain/incident/incident_template.h"
#include "domain/account/key.h"
#include "domain/maintenance/maintenance.h"
#include "domain/monitor/monitor.h"
#include "domain/page/page_link.h"
#include "domain/page/page_report.h"
#include "domain/page/status_page.h"
#include "domain/account/user.h"
#include "service/alert_channels.h"
#include "service/maintenance/maintenances.h"
#include "service/resource/resource.h"
#include "service/subscribers.h"

static const struct api_group pages = {
	.tag = "Status pages",
	.name = "StatusPage",
	.noun = "page",
	.resource = &resource_status_pages,
	.update = &status_page_update_fields,
	.listed_text = "As in a list: without custom_css and custom_js.",
};
static const struct api_group links = {
	.tag = "Status pages",
	.name = "PageLink",
	.noun = "link",
	.resource = &resource_page_links,
	.listed_text = "A link as lists show it: without its URL.",
};
static const struct api_group page_reports = {
	.tag = "Status pages",
	.name = "PageReport",
	.noun = "report",
	.shown = &page_report_fields,
	.is_one = true,
};
static const struct api_group subscribers = {
	.tag = "Subscribers",
	.name = "Subscriber",
	.noun = "subscriber",
	.resource = &resource_subscribers,
};
static const struct api_group subscriber_imports = {
	.tag = "Subscribers",
	.name = "SubscriberImport",
	.noun = "import",
	.shown = &subscriber_import_fields,
	.is_one = true,
};
static const struct api_group subscriber_files = { .tag = "Subscribers" };
static const struct api_group incidents = {
	.tag = "Incidents",
	.name = "Incident",
	.noun = "incident",
	.resource = &resource_incidents,
	.update = &incident_update_fields,
	.listed_text = "As in a list: without updates.",
};
static const struct api_group updates = {
	.tag = "Incidents",
	.name = "IncidentUpdate",
	.noun = "update",
	.resource = &resource_incident_updates,
	.update = &incident_edit_fields,
};
static const struct api_group templates = {
	.tag = "Incidents",
	.name = "IncidentTemplate",
	.noun = "template",
	.resource = &resource_incident_templates,
	.update = &incident_template_update_fields,
};
static const struct api_group pending_updates = {
	.tag = "Incidents",
	.name = "PendingUpdate",
	.noun = "pending update",
	.resource = &resource_pending_updates,
};
static const struct api_group monitors = {
	.tag = "Monitors",
	.name = "Monitor",
	.noun = "monitor",
	.resource = &resource_monitors,
	.update = &monitor_update_fields,
};
static const struct api_group response_times = {
	.tag = "Monitors",
	.name = "ResponseTimes",
	.noun = "response times",
	.shown = &response_times_fields,
	.is_one = true,
};
static const struct api_group maintenances = {
	.tag = "Maintenance",
	.name = "Maintenance",
	.noun = "window",
	.resource = &resource_maintenances,
	.update = &maintenance_update_fields,
	.listed_text = "As in a list: without occurrences and updates.",
};
static const struct api_group notes = {
	.tag = "Maintenance",
	.name = "MaintenanceUpdate",
	.noun = "update",
	.resource = &resource_maintenance_updates,
	.update = &maintenance_edit_fields,
};
static const struct api_group keys = {
	.tag = "Keys",
	.name = "Key",
	.noun = "key",
	.resource = &resource_keys,
	.update = &key_update_fields,
};
static const struct api_group users = {
	.tag = "Users",
	.name = "User",
	.noun = "user",
	.resource = &resource_users,
	.update = &user_update_fields,
};
static const struct api_group user_links = {
	.tag = "Users",
	.name = "UserLink",
	.noun = "link",
	.shown = &user_link_fields,
	.is_one = true,
};
static const struct api_group user_sessions = {
	.tag = "Users",
	.name = "UserSession",
	.noun = "session",
	.resource = &resource_user_sessions,
};
static const struct api_group channels = {
	.tag = "Alert channels",
	.name = "AlertChannel",
	.noun = "alert channel",
	.resource = &resource_alert_channels,
	.update = &alert_channel_update_fields,
};
static const struct api_group channel_tests = {
	.tag = "Alert channels",
	.name = "AlertTest",
	.noun = "test",
	.shown = &alert_test_fields,
	.is_one = true,
};
static const struct api_group deliveries = {
	.tag = "Alert channels",
	.name = "Delivery",
	.noun = "delivery",
	.resource = &resource_deliveries,
};
static const struct api_group events = {
	.tag = "Events",
	.name = "Event",
	.noun = "event",
	.resource = &resource_events,
};
static const struct api_group account = {
	.tag = "Account",
	.name = "Account",
	.noun = "account",
	.shown = &account_shown_fields,
	.is_one = true,
};
static const struct api_group checks = { .tag = "Locations" };
static const struct api_group heartbeats = { .tag = "Heartbeats" };
static const struct api_group bounces = { .tag = "Subscribers" };
static const struct api_group hooks = { .tag = "Hooks" };
static const struct api_group service = { .tag = "Service" };

#endif
