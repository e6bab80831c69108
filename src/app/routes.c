/*
 * The table of routes: every path that the service serves. The last members of a row are for
 * openapi.json: group, operationId, summary, and the name of the body's schema if the group has
 * none.
 */
#include "app/alerts.h"
#include "app/app.h"
#include "app/events.h"
#include "app/health.h"
#include "app/hooks.h"
#include "app/incidents.h"
#include "app/openapi.h"
#include "app/page_files.h"
#include "app/page_admission.h"
#include "app/page_host.h"
#include "app/page_index.h"
#include "app/status_pages.h"

#define PAGES	  "/api/v1/status-pages"
#define PAGE	  PAGES "/{id}"
#define INCIDENTS "/api/v1/incidents"
#define INCIDENT  INCIDENTS "/{id}"

static const struct api_group pages = {
	.tag = "Status pages",
	.name = "StatusPage",
	.noun = "page",
	.shown = &status_page_resource_fields,
	.listed = &status_page_listed_fields,
	.update = &status_page_update_fields,
	.listed_text = "As in a list: without custom_css and custom_js.",
};
static const struct api_group incidents = {
	.tag = "Incidents",
	.name = "Incident",
	.noun = "incident",
	.shown = &incident_resource_fields,
	.update = &incident_update_fields,
};
static const struct api_group events = { .tag = "Events", .name = "Event", .noun = "event" };
static const struct api_group hooks = { .tag = "Hooks" };
static const struct api_group service = { .tag = "Service" };

/* clang-format off */
const struct route app_routes[] = {
	{ "GET",    PAGES, status_pages_list,   ROUTE_HAS_QUERY, &status_pages_query_fields,
	  &pages, "listStatusPages", "List the account's status pages" },
	{ "POST",   PAGES, status_pages_create, 0,               &status_page_create_fields,
	  &pages, "createStatusPage", "Create a status page" },
	{ "GET",    PAGE,  status_pages_show,   0,               NULL,
	  &pages, "showStatusPage", "Show a status page" },
	{ "PUT",    PAGE,  status_pages_update, 0,               &status_page_update_fields,
	  &pages, "updateStatusPage", "Update the fields of a status page that are sent" },
	{ "PATCH",  PAGE,  status_pages_update, 0,               &status_page_update_fields,
	  &pages, "patchStatusPage", "The same as PUT" },
	{ "POST",   PAGE,  status_pages_update, ROUTE_OVERRIDE,  &status_page_update_fields,
	  &pages, "updateStatusPageByPost", "The same, for clients that can only POST" },
	{ "DELETE", PAGE,  status_pages_delete, 0,               NULL,
	  &pages, "deleteStatusPage", "Delete a status page" },

	{ "GET",    INCIDENTS, incidents_list,   ROUTE_HAS_QUERY, &incidents_query_fields,
	  &incidents, "listIncidents", "List the account's incidents" },
	{ "GET",    INCIDENT,  incidents_show,   0,               NULL,
	  &incidents, "showIncident", "Show an incident" },
	{ "PUT",    INCIDENT,  incidents_update, 0,               &incident_update_fields,
	  &incidents, "updateIncident", "Comment or acknowledge" },
	{ "PATCH",  INCIDENT,  incidents_update, 0,               &incident_update_fields,
	  &incidents, "patchIncident", "The same as PUT" },
	{ "POST",   INCIDENT,  incidents_update, ROUTE_OVERRIDE,  &incident_update_fields,
	  &incidents, "updateIncidentByPost", "The same, for clients that can only POST" },
	{ "DELETE", INCIDENT,  incidents_delete, 0,               NULL,
	  &incidents, "deleteIncident", "Delete an incident; its events remain" },

	{ "GET",    "/api/v1/events", events_list, ROUTE_HAS_QUERY, &events_query_fields,
	  &events, "listEvents", "List what has changed in the account, newest first" },

	{ "POST", "/hooks/alertmanager", hooks_alertmanager, 0, NULL,
	  &hooks, "receiveAlertmanager", "The webhook of Prometheus Alertmanager" },
	{ "POST", "/hooks/generic",      hooks_generic,      0, &hooks_generic_fields,
	  &hooks, "receiveReport", "Report that a monitor is down, or up again", "Report" },

	{ "GET", "/api/v1/openapi.json", openapi_show, ROUTE_OPEN, NULL,
	  &service, "showOpenapi", "This document" },
	{ "GET", "/healthz", health_live, ROUTE_OPEN, NULL,
	  &service, "showLiveness", "Check that the process responds" },
	{ "GET", "/readyz", health_ready, ROUTE_OPEN, NULL,
	  &service, "showReadiness", "Check that the service can do its work" },
	{ "GET", "/internal/domain-check", page_host_check, ROUTE_OPEN | ROUTE_HAS_QUERY,
	  &page_host_check_fields, &service, "checkDomain",
	  "Check whether a page has this domain: for a proxy that gets certificates on demand" },

	/* For visitors and crawlers. */
	{ "GET",  "/s/{slug}",           page_files_index, ROUTE_OPEN, NULL },
	{ "POST", "/s/{slug}",           page_admission_enter_password, ROUTE_OPEN,
	  &page_admission_fields },
	{ "GET",  "/s/{slug}/{file}",    page_files_show,  ROUTE_OPEN, NULL },
	{ "GET",  "/s/{slug}/api/v2/{file}", page_files_show, ROUTE_OPEN, NULL },
	{ "GET",  "/s/{slug}/api/v2/incidents/{file}", page_files_show, ROUTE_OPEN, NULL },
	{ "GET",  "/s/{slug}/api/v2/scheduled-maintenances/{file}", page_files_show, ROUTE_OPEN,
	  NULL },
	{ "GET",  "/",                   page_index_show,   ROUTE_OPEN, NULL },
	{ "GET",  "/robots.txt",         page_index_robots, ROUTE_OPEN, NULL },
};
/* clang-format on */
const size_t app_route_count = ARRAY_LEN(app_routes);
