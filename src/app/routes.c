/* The site map: every path that the service answers to. */
#include "app/alerts.h"
#include "app/app.h"
#include "app/events.h"
#include "app/health.h"
#include "app/hooks.h"
#include "app/incidents.h"
#include "app/openapi.h"
#include "app/page_files.h"
#include "app/page_gate.h"
#include "app/page_host.h"
#include "app/page_index.h"
#include "app/status_pages.h"

#define PAGES	  "/api/v1/status-pages"
#define PAGE	  PAGES "/{id}"
#define INCIDENTS "/api/v1/incidents"
#define INCIDENT  INCIDENTS "/{id}"

/* clang-format off */
const struct route app_routes[] = {
	{ "GET",    PAGES, status_pages_list,   ROUTE_HAS_QUERY, &status_pages_query_fields },
	{ "POST",   PAGES, status_pages_create,  0,               &status_page_create_fields },
	{ "GET",    PAGE,  status_pages_show,   0,               NULL },
	{ "PUT",    PAGE,  status_pages_update, 0,               &status_page_update_fields },
	{ "PATCH",  PAGE,  status_pages_update, 0,               &status_page_update_fields },
	{ "POST",   PAGE,  status_pages_update, ROUTE_OVERRIDE,  &status_page_update_fields },
	{ "DELETE", PAGE,  status_pages_delete, 0,               NULL },

	{ "GET",    INCIDENTS, incidents_list,   ROUTE_HAS_QUERY, &incidents_query_fields },
	{ "GET",    INCIDENT,  incidents_show,   0,               NULL },
	{ "PUT",    INCIDENT,  incidents_update, 0,               &incident_update_fields },
	{ "PATCH",  INCIDENT,  incidents_update, 0,               &incident_update_fields },
	{ "POST",   INCIDENT,  incidents_update, ROUTE_OVERRIDE,  &incident_update_fields },
	{ "DELETE", INCIDENT,  incidents_delete, 0,               NULL },

	{ "GET", "/api/v1/events", events_list, ROUTE_HAS_QUERY, &events_query_fields },

	{ "POST", "/hooks/alertmanager", hooks_alertmanager, 0, NULL },
	{ "POST", "/hooks/generic",      hooks_generic,      0, &hooks_generic_fields },

	{ "GET", "/api/v1/openapi.json", openapi_show,    ROUTE_OPEN, NULL },
	{ "GET",  "/s/{slug}",           page_files_index, ROUTE_OPEN, NULL },
	{ "POST", "/s/{slug}",           page_gate_enter, ROUTE_OPEN, &page_gate_fields },
	{ "GET", "/s/{slug}/{file}",     page_files_show, ROUTE_OPEN, NULL },
	{ "GET", "/s/{slug}/api/v2/{file}", page_files_show, ROUTE_OPEN, NULL },
	{ "GET", "/s/{slug}/api/v2/incidents/{file}", page_files_show, ROUTE_OPEN, NULL },
	{ "GET", "/s/{slug}/api/v2/scheduled-maintenances/{file}", page_files_show, ROUTE_OPEN,
	  NULL },
	{ "GET", "/",                    page_index_show,  ROUTE_OPEN, NULL },
	{ "GET", "/robots.txt",          page_index_robots, ROUTE_OPEN, NULL },
	{ "GET", "/internal/domain-check", page_host_check, ROUTE_OPEN | ROUTE_HAS_QUERY,
	  &page_host_check_fields },
	{ "GET", "/healthz",             health_live,     ROUTE_OPEN, NULL },
	{ "GET", "/readyz",              health_ready,    ROUTE_OPEN, NULL },
};
/* clang-format on */
const size_t app_route_count = ARRAY_LEN(app_routes);
