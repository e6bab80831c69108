/* The routes of the console, a part of the table in app/routes.c. */
#ifndef APP_CONSOLE_CONSOLE_ROUTES_H
#define APP_CONSOLE_CONSOLE_ROUTES_H

#include "app/console/console.h"
#include "app/console/console_screens.h"
#include "domain/account/account.h"

#define CONSOLE	       "/console"
#define ROUTE_VISIT    (ROUTE_CONSOLE | ROUTE_OPEN)
#define ROUTE_PERSONAL (ROUTE_CONSOLE | ROUTE_OWN)

/* clang-format off */
#define SCREEN_LIST(at, its_group, its_screen, its_permission, its_query) \
	{ { "GET", CONSOLE at, ROUTE_CONSOLE | ROUTE_HAS_QUERY }, its_permission, console_list, \
	  &its_query, &its_group, .screen = &its_screen },
#define SCREEN_SHOW(at, its_group, its_screen) \
	{ { "GET", CONSOLE at, ROUTE_CONSOLE | ROUTE_HAS_QUERY }, PERMISSION_READ, console_object, \
	  NULL, &its_group, .screen = &its_screen },
/* The route of a form. Its handler is the handler of the API. */
#define SCREEN_POST(at, flags, its_permission, handler, its_fields, its_group, its_screen) \
	{ { "POST", CONSOLE at, ROUTE_CONSOLE | (flags) }, its_permission, handler, its_fields, \
	  &its_group, .screen = &its_screen },
/* The screens to list, create, show and change the objects of a resource. */
#define SCREENS(at, flags, its_permission, handlers, its_fields, its_group, its_screen, its_query) \
	SCREEN_LIST(at, its_group, its_screen, PERMISSION_READ, its_query) \
	{ { "GET", CONSOLE at "/new", ROUTE_CONSOLE | ROUTE_HAS_QUERY }, its_permission, \
	  console_new, NULL, &its_group, .screen = &its_screen }, \
	SCREEN_POST(at, flags, its_permission, handlers##_create, &its_fields##_create_fields, \
		    its_group, its_screen) \
	SCREEN_SHOW(at "/{id}", its_group, its_screen) \
	SCREEN_POST(at "/{id}", flags, its_permission, handlers##_update, \
		    &its_fields##_update_fields, its_group, its_screen)

#define CONSOLE_ROUTES \
	{ { "GET", CONSOLE, ROUTE_CONSOLE | ROUTE_HAS_QUERY }, PERMISSION_READ, console_now, \
	  &console_now_fields }, \
	{ { "GET", CONSOLE "/incidents/new", ROUTE_CONSOLE | ROUTE_HAS_QUERY }, PERMISSION_READ, \
	  console_report_show, &console_report_fields }, \
	{ { "POST", CONSOLE "/incidents/new", ROUTE_CONSOLE }, \
	  PERMISSION_RESPOND, console_report, \
	  &incident_report_fields }, \
	{ { "GET", CONSOLE "/incidents/{id}", ROUTE_CONSOLE | ROUTE_HAS_QUERY }, \
	  PERMISSION_READ, \
	  console_incident_show, &console_incident_fields }, \
	{ { "POST", CONSOLE "/incidents/{id}", ROUTE_CONSOLE }, PERMISSION_RESPOND, \
	  console_incident_edit, &incident_update_fields }, \
	{ { "POST", CONSOLE "/incidents/{id}/reply", ROUTE_CONSOLE }, PERMISSION_RESPOND, \
	  console_incident_reply, &incident_post_fields }, \
	{ { "POST", CONSOLE "/incidents/new/preview", ROUTE_CONSOLE | ROUTE_PREVIEW }, \
	  PERMISSION_RESPOND, console_report, &incident_report_fields }, \
	{ { "POST", CONSOLE "/incidents/{id}/preview", ROUTE_CONSOLE | ROUTE_PREVIEW }, \
	  PERMISSION_RESPOND, console_incident_reply, &incident_post_fields }, \
	{ { "POST", CONSOLE "/incidents/{id}/edit/preview", ROUTE_CONSOLE | ROUTE_PREVIEW }, \
	  PERMISSION_RESPOND, console_incident_edit, &incident_update_fields }, \
	{ { "POST", CONSOLE "/incidents/{id}/acknowledge", ROUTE_CONSOLE }, PERMISSION_RESPOND, \
	  console_now_take, &incident_post_fields }, \
	{ { "POST", CONSOLE "/pending/{id}/publish", ROUTE_CONSOLE }, PERMISSION_RESPOND, \
	  console_pending_publish, NULL }, \
	{ { "POST", CONSOLE "/pending/{id}/decline", ROUTE_CONSOLE }, PERMISSION_RESPOND, \
	  console_pending_decline, NULL }, \
	SCREEN_SHOW("/incidents/{id}/updates/{update_id}", updates, console_update_screen) \
	SCREEN_POST("/incidents/{id}/updates/{update_id}", 0, PERMISSION_RESPOND, \
		    incident_updates_edit, &incident_edit_fields, updates, console_update_screen) \
	SCREEN_POST("/incidents/{id}/updates/{update_id}/preview", ROUTE_PREVIEW, \
		    PERMISSION_RESPOND, incident_updates_edit, &incident_edit_fields, updates, \
		    console_update_screen) \
	SCREEN_POST("/incidents/{id}/updates/{update_id}/withdraw", 0, PERMISSION_RESPOND, \
		    incident_updates_withdraw, NULL, updates, console_update_screen) \
	SCREEN_POST("/incidents/{id}/delete", 0, PERMISSION_RESPOND, incidents_delete, NULL, \
		    incidents, console_incidents_screen) \
	SCREEN_LIST("/incidents", incidents, console_incidents_screen, PERMISSION_READ, \
		    incidents_query_fields) \
	SCREENS("/maintenances", 0, PERMISSION_RESPOND, maintenances, maintenance, maintenances, \
		console_maintenances_screen, maintenances_query_fields) \
	SCREEN_POST("/maintenances/preview", ROUTE_PREVIEW, PERMISSION_RESPOND, \
		    maintenances_create, &maintenance_create_fields, maintenances, \
		    console_maintenances_screen) \
	SCREEN_POST("/maintenances/{id}/preview", ROUTE_PREVIEW, PERMISSION_RESPOND, \
		    maintenances_update, &maintenance_update_fields, maintenances, \
		    console_maintenances_screen) \
	SCREEN_POST("/maintenances/{id}/updates/preview", ROUTE_PREVIEW, PERMISSION_RESPOND, \
		    maintenance_updates_post, &maintenance_post_fields, notes, \
		    console_maintenances_screen) \
	SCREEN_POST("/maintenances/{id}/delete", 0, PERMISSION_RESPOND, maintenances_delete, NULL, \
		    maintenances, console_maintenances_screen) \
	SCREEN_POST("/maintenances/{id}/updates", 0, PERMISSION_RESPOND, maintenance_updates_post, \
		    &maintenance_post_fields, notes, console_maintenances_screen) \
	SCREEN_SHOW("/maintenances/{id}/updates/{update_id}", notes, console_note_screen) \
	SCREEN_POST("/maintenances/{id}/updates/{update_id}", 0, PERMISSION_RESPOND, \
		    maintenance_updates_edit, &maintenance_edit_fields, notes, \
		    console_note_screen) \
	SCREEN_POST("/maintenances/{id}/updates/{update_id}/preview", ROUTE_PREVIEW, \
		    PERMISSION_RESPOND, maintenance_updates_edit, &maintenance_edit_fields, notes, \
		    console_note_screen) \
	SCREEN_POST("/maintenances/{id}/updates/{update_id}/withdraw", 0, PERMISSION_RESPOND, \
		    maintenance_updates_withdraw, NULL, notes, console_note_screen) \
	SCREENS("/monitors", 0, PERMISSION_EDIT, monitors, monitor, monitors, \
		console_monitors_screen, monitors_query_fields) \
	SCREEN_POST("/monitors/bulk", 0, PERMISSION_EDIT, console_bulk, &console_bulk_fields, \
		    monitors, console_monitors_screen) \
	SCREEN_POST("/monitors/{id}/check", 0, PERMISSION_RESPOND, monitors_check, NULL, monitors, \
		    console_monitors_screen) \
	{ { "GET", CONSOLE "/monitors/{id}/response-times", ROUTE_CONSOLE | ROUTE_HAS_QUERY }, \
	  PERMISSION_READ, console_response_times, &response_times_query_fields, \
	  &response_times, .screen = &console_times_screen }, \
	SCREEN_POST("/monitors/{id}/delete", ROUTE_HAS_QUERY, PERMISSION_EDIT, monitors_delete, \
		    &monitors_delete_fields, monitors, console_monitors_screen) \
	SCREENS("/pages", 0, PERMISSION_EDIT, status_pages, status_page, pages, \
		console_pages_screen, status_pages_query_fields) \
	SCREEN_POST("/pages/preview", ROUTE_PREVIEW, PERMISSION_EDIT, status_pages_create, \
		    &status_page_create_fields, pages, console_pages_screen) \
	SCREEN_POST("/pages/{id}/delete", 0, PERMISSION_MANAGE, status_pages_delete, NULL, pages, \
		    console_pages_screen) \
	SCREEN_POST("/pages/{id}/preview", ROUTE_PREVIEW, PERMISSION_EDIT, status_pages_update, \
		    &status_page_update_fields, pages, console_pages_screen) \
	SCREEN_SHOW("/pages/{id}/design", pages, console_design_screen) \
	SCREEN_POST("/pages/{id}/design", 0, PERMISSION_EDIT, status_pages_update, \
		    &status_page_update_fields, pages, console_design_screen) \
	{ { "GET", CONSOLE "/pages/{id}/systems", ROUTE_CONSOLE | ROUTE_HAS_QUERY }, \
	  PERMISSION_READ, console_systems, &console_systems_query_fields, &pages, \
	  .screen = &console_systems_screen }, \
	SCREEN_POST("/pages/{id}/systems", 0, PERMISSION_EDIT, console_systems_change, \
		    &console_systems_fields, pages, console_systems_screen) \
	SCREEN_POST("/pages/{id}/systems/preview", ROUTE_PREVIEW, PERMISSION_EDIT, \
		    console_systems_change, &console_systems_fields, pages, \
		    console_systems_screen) \
	SCREEN_POST("/pages/{id}/design/preview", ROUTE_PREVIEW, PERMISSION_EDIT, \
		    status_pages_update, &status_page_update_fields, pages, \
		    console_design_screen) \
	SCREEN_SHOW("/pages/{id}/access", pages, console_access_screen) \
	SCREEN_POST("/pages/{id}/access", 0, PERMISSION_EDIT, status_pages_update, \
		    &status_page_update_fields, pages, console_access_screen) \
	SCREEN_POST("/pages/{id}/access/preview", ROUTE_PREVIEW, PERMISSION_EDIT, \
		    status_pages_update, &status_page_update_fields, pages, \
		    console_access_screen) \
	SCREEN_LIST("/pages/{id}/subscribers", subscribers, console_subscribers_screen, \
		    PERMISSION_MANAGE, subscribers_query_fields) \
	SCREEN_POST("/pages/{id}/subscribers", 0, PERMISSION_MANAGE, subscribers_create, \
		    &subscriber_input_fields, subscribers, console_subscribers_screen) \
	SCREEN_POST("/pages/{id}/subscribers/{subscriber_id}/delete", 0, PERMISSION_MANAGE, \
		    subscribers_delete, NULL, subscribers, console_subscribers_screen) \
	SCREEN_POST("/pages/{id}/subscribers/import", 0, PERMISSION_MANAGE, subscribers_import, \
		    &subscribers_file_fields, subscriber_imports, console_subscribers_screen) \
	{ { "GET", CONSOLE "/pages/{id}/subscribers/export", ROUTE_CONSOLE }, PERMISSION_MANAGE, \
	  subscribers_export, NULL, &subscriber_files }, \
	{ { "GET", CONSOLE "/pages/{id}/share", ROUTE_CONSOLE }, PERMISSION_READ, console_share, \
	  NULL, &pages, .screen = &console_share_screen }, \
	{ { "GET", CONSOLE "/pages/{id}/reports", ROUTE_CONSOLE }, PERMISSION_READ, \
	  console_report_of_month, NULL, &page_reports, .screen = &console_reports_screen }, \
	{ { "GET", CONSOLE "/pages/{id}/reports/{month}", ROUTE_CONSOLE }, PERMISSION_READ, \
	  console_report_of_month, NULL, &page_reports, .screen = &console_reports_screen }, \
	SCREEN_LIST("/pages/{id}/links", links, console_links_screen, PERMISSION_READ, \
		    page_links_query_fields) \
	SCREEN_POST("/pages/{id}/links", ROUTE_FRESH, PERMISSION_MANAGE, page_links_create, \
		    &page_link_create_fields, links, console_links_screen) \
	SCREEN_POST("/pages/{id}/links/{link_id}/delete", 0, PERMISSION_MANAGE, \
		    page_links_withdraw, NULL, links, console_links_screen) \
	SCREENS("/channels", 0, PERMISSION_MANAGE, alert_channels, alert_channel, channels, \
		console_channels_screen, alert_channels_query_fields) \
	SCREEN_POST("/channels/{id}/test", 0, PERMISSION_MANAGE, console_channel_test, NULL, \
		    channel_tests, console_channels_screen) \
	SCREEN_POST("/channels/{id}/delete", 0, PERMISSION_MANAGE, alert_channels_delete, NULL, \
		    channels, console_channels_screen) \
	SCREEN_LIST("/deliveries", deliveries, console_deliveries_screen, PERMISSION_READ, \
		    deliveries_query_fields) \
	SCREEN_SHOW("/deliveries/{id}", deliveries, console_deliveries_screen) \
	SCREEN_POST("/deliveries/{id}/retry", 0, PERMISSION_RESPOND, deliveries_retry_one, NULL, \
		    deliveries, console_deliveries_screen) \
	SCREENS("/keys", ROUTE_FRESH, PERMISSION_MANAGE, keys, key, keys, console_keys_screen, \
		keys_query_fields) \
	SCREEN_POST("/keys/{id}/delete", ROUTE_FRESH | ROUTE_HAS_QUERY, PERMISSION_MANAGE, \
		    keys_delete, &keys_delete_fields, keys, console_keys_screen) \
	SCREENS("/templates", 0, PERMISSION_EDIT, incident_templates, incident_template, \
		templates, console_templates_screen, incident_templates_query_fields) \
	SCREEN_POST("/templates/{id}/delete", 0, PERMISSION_EDIT, incident_templates_delete, \
		    NULL, templates, console_templates_screen) \
	SCREEN_LIST("/audit", events, console_audit_screen, PERMISSION_READ, events_query_fields) \
	{ { "GET", CONSOLE "/audit/export", ROUTE_CONSOLE | ROUTE_HAS_QUERY }, PERMISSION_READ, \
	  console_list_file, &events_query_fields, &events, .screen = &console_audit_screen }, \
	{ { "GET", CONSOLE "/health", ROUTE_CONSOLE }, PERMISSION_READ, console_health, NULL }, \
	{ { "GET", CONSOLE "/more", ROUTE_CONSOLE }, PERMISSION_READ, console_more, NULL }, \
	{ { "GET", CONSOLE "/login", ROUTE_VISIT }, PERMISSION_NONE, console_login_show, NULL }, \
	{ { "POST", CONSOLE "/login", ROUTE_VISIT }, PERMISSION_NONE, console_login, \
	  &console_login_fields }, \
	{ { "POST", CONSOLE "/login/code", ROUTE_VISIT }, PERMISSION_NONE, console_code, \
	  &console_code_fields }, \
	{ { "GET", CONSOLE "/login/challenge", ROUTE_VISIT }, PERMISSION_NONE, console_challenge, \
	  NULL }, \
	{ { "POST", CONSOLE "/login/sso", ROUTE_VISIT }, PERMISSION_NONE, console_sso, \
	  &console_sso_fields }, \
	{ { "GET", CONSOLE "/setup", ROUTE_VISIT }, PERMISSION_NONE, console_setup_show, NULL }, \
	{ { "POST", CONSOLE "/setup", ROUTE_VISIT }, PERMISSION_NONE, console_setup, \
	  &console_setup_fields }, \
	{ { "GET", CONSOLE "/me", ROUTE_PERSONAL | ROUTE_HAS_QUERY }, \
	  PERMISSION_READ, console_me, \
	  &console_me_fields }, \
	{ { "POST", CONSOLE "/me", ROUTE_PERSONAL }, PERMISSION_READ, console_me_password, \
	  &console_password_fields }, \
	{ { "POST", CONSOLE "/me/preferences", ROUTE_PERSONAL }, PERMISSION_READ, \
	  console_me_preferences, &user_preference_fields }, \
	{ { "GET", CONSOLE "/me/app", ROUTE_PERSONAL }, \
	  PERMISSION_READ, console_app_show, NULL }, \
	{ { "POST", CONSOLE "/me/app", ROUTE_PERSONAL | ROUTE_FRESH }, PERMISSION_READ, \
	  console_app_set, &console_app_fields }, \
	{ { "POST", CONSOLE "/me/app/remove", ROUTE_PERSONAL | ROUTE_FRESH }, PERMISSION_READ, \
	  console_app_remove, NULL }, \
	{ { "POST", CONSOLE "/me/codes", ROUTE_PERSONAL | ROUTE_FRESH }, PERMISSION_READ, \
	  console_codes, NULL }, \
	{ { "GET", CONSOLE "/me/challenge", ROUTE_PERSONAL }, PERMISSION_READ, console_challenge, \
	  NULL }, \
	{ { "GET", CONSOLE "/me/passkeys", ROUTE_PERSONAL }, PERMISSION_READ, console_passkeys, \
	  NULL }, \
	{ { "POST", CONSOLE "/me/passkeys", ROUTE_PERSONAL | ROUTE_FRESH }, PERMISSION_READ, \
	  console_passkey_add, &console_passkey_fields }, \
	{ { "POST", CONSOLE "/me/passkeys/{id}/remove", ROUTE_PERSONAL | ROUTE_FRESH }, \
	  PERMISSION_READ, console_passkey_remove, NULL }, \
	{ { "POST", CONSOLE "/me/sessions/end", ROUTE_PERSONAL }, PERMISSION_READ, \
	  console_me_end_sessions, NULL }, \
	{ { "POST", CONSOLE "/me/sessions/{id}/end", ROUTE_PERSONAL }, PERMISSION_READ, \
	  console_me_end_session, NULL }, \
	{ { "GET", CONSOLE "/accounts", ROUTE_PERSONAL }, \
	  PERMISSION_READ, console_accounts, NULL }, \
	{ { "POST", CONSOLE "/accounts/{id}", ROUTE_PERSONAL }, PERMISSION_READ, \
	  console_account_choose, &console_account_fields }, \
	{ { "GET", CONSOLE "/people", ROUTE_CONSOLE | ROUTE_HAS_QUERY }, PERMISSION_MANAGE, \
	  console_people, &console_people_fields }, \
	{ { "POST", CONSOLE "/people", ROUTE_CONSOLE | ROUTE_FRESH }, PERMISSION_MANAGE, \
	  console_people_invite, &user_create_fields }, \
	{ { "POST", CONSOLE "/people/factor", ROUTE_CONSOLE | ROUTE_FRESH }, PERMISSION_MANAGE, \
	  console_people_factor, &account_update_fields }, \
	{ { "GET", CONSOLE "/people/{id}", ROUTE_CONSOLE | ROUTE_HAS_QUERY }, PERMISSION_MANAGE, \
	  console_person, &console_people_fields }, \
	{ { "POST", CONSOLE "/people/{id}", ROUTE_CONSOLE | ROUTE_FRESH }, PERMISSION_MANAGE, \
	  console_person_role, &console_role_fields }, \
	{ { "POST", CONSOLE "/people/{id}/disable", ROUTE_CONSOLE | ROUTE_FRESH }, \
	  PERMISSION_MANAGE, \
	  console_person_disable, NULL }, \
	{ { "POST", CONSOLE "/people/{id}/enable", ROUTE_CONSOLE | ROUTE_FRESH }, \
	  PERMISSION_MANAGE, \
	  console_person_enable, NULL }, \
	{ { "POST", CONSOLE "/people/{id}/delete", ROUTE_CONSOLE | ROUTE_FRESH }, \
	  PERMISSION_MANAGE, \
	  console_person_delete, NULL }, \
	{ { "POST", CONSOLE "/people/{id}/reset", ROUTE_CONSOLE | ROUTE_FRESH }, \
	  PERMISSION_MANAGE, \
	  console_person_reset, &console_reset_fields }, \
	{ { "POST", CONSOLE "/people/{id}/sessions/end", ROUTE_CONSOLE }, PERMISSION_MANAGE, \
	  console_person_end_sessions, NULL }, \
	{ { "POST", CONSOLE "/people/{id}/sessions/{session_id}/end", ROUTE_CONSOLE }, \
	  PERMISSION_MANAGE, \
	  console_person_end_session, NULL }, \
	{ { "POST", CONSOLE "/logout", ROUTE_PERSONAL }, PERMISSION_READ, console_logout, NULL }, \
	{ { "GET", CONSOLE "/logout", ROUTE_VISIT }, PERMISSION_NONE, console_logged_out, NULL }, \
	{ { "GET", CONSOLE "/static/{file}", ROUTE_VISIT }, \
	  PERMISSION_NONE, console_static, NULL }, \
	{ { "GET", CONSOLE "/{link}/{token}", ROUTE_VISIT }, PERMISSION_NONE, console_link_show, \
	  NULL }, \
	{ { "POST", CONSOLE "/{link}/{token}", ROUTE_VISIT }, PERMISSION_NONE, console_link_use, \
	  &console_link_fields },
/* clang-format on */

#endif
