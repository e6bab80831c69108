/* The routes of the console, a part of the table in app/routes.c. */
#ifndef APP_CONSOLE_CONSOLE_ROUTES_H
#define APP_CONSOLE_CONSOLE_ROUTES_H

#include "app/console/console.h"

#define CONSOLE	    "/console"
#define ROUTE_VISIT (ROUTE_CONSOLE | ROUTE_OPEN)

/* clang-format off */
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
	{ { "POST", CONSOLE "/incidents/{id}/updates", ROUTE_CONSOLE }, PERMISSION_RESPOND, \
	  console_now_reply, &incident_post_fields }, \
	{ { "POST", CONSOLE "/incidents/{id}/acknowledge", ROUTE_CONSOLE }, PERMISSION_RESPOND, \
	  console_now_take, &incident_post_fields }, \
	{ { "GET", CONSOLE "/login", ROUTE_VISIT }, PERMISSION_NONE, console_login_show, NULL }, \
	{ { "POST", CONSOLE "/login", ROUTE_VISIT }, PERMISSION_NONE, console_login, \
	  &console_login_fields }, \
	{ { "POST", CONSOLE "/login/code", ROUTE_VISIT }, PERMISSION_NONE, console_code, \
	  &console_code_fields }, \
	{ { "POST", CONSOLE "/login/sso", ROUTE_VISIT }, PERMISSION_NONE, console_sso, \
	  &console_sso_fields }, \
	{ { "GET", CONSOLE "/me", ROUTE_CONSOLE | ROUTE_HAS_QUERY }, \
	  PERMISSION_READ, console_me, \
	  &console_me_fields }, \
	{ { "POST", CONSOLE "/me", ROUTE_CONSOLE }, PERMISSION_READ, console_me_password, \
	  &console_password_fields }, \
	{ { "GET", CONSOLE "/me/app", ROUTE_CONSOLE }, \
	  PERMISSION_READ, console_app_show, NULL }, \
	{ { "POST", CONSOLE "/me/app", ROUTE_CONSOLE | ROUTE_FRESH }, PERMISSION_READ, \
	  console_app_set, &console_app_fields }, \
	{ { "POST", CONSOLE "/me/app/remove", ROUTE_CONSOLE | ROUTE_FRESH }, PERMISSION_READ, \
	  console_app_remove, NULL }, \
	{ { "POST", CONSOLE "/me/codes", ROUTE_CONSOLE | ROUTE_FRESH }, PERMISSION_READ, \
	  console_codes, NULL }, \
	{ { "POST", CONSOLE "/me/sessions/end", ROUTE_CONSOLE }, PERMISSION_READ, \
	  console_me_end_sessions, NULL }, \
	{ { "POST", CONSOLE "/me/sessions/{id}/end", ROUTE_CONSOLE }, PERMISSION_READ, \
	  console_me_end_session, NULL }, \
	{ { "GET", CONSOLE "/accounts", ROUTE_CONSOLE }, \
	  PERMISSION_READ, console_accounts, NULL }, \
	{ { "POST", CONSOLE "/accounts/{id}", ROUTE_CONSOLE }, PERMISSION_READ, \
	  console_account_choose, &console_account_fields }, \
	{ { "GET", CONSOLE "/people", ROUTE_CONSOLE | ROUTE_HAS_QUERY }, PERMISSION_MANAGE, \
	  console_people, &console_people_fields }, \
	{ { "POST", CONSOLE "/people", ROUTE_CONSOLE | ROUTE_FRESH }, PERMISSION_MANAGE, \
	  console_people_invite, &user_create_fields }, \
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
	  console_person_reset, NULL }, \
	{ { "POST", CONSOLE "/people/{id}/sessions/end", ROUTE_CONSOLE }, PERMISSION_MANAGE, \
	  console_person_end_sessions, NULL }, \
	{ { "POST", CONSOLE "/people/{id}/sessions/{session_id}/end", ROUTE_CONSOLE }, \
	  PERMISSION_MANAGE, \
	  console_person_end_session, NULL }, \
	{ { "POST", CONSOLE "/logout", ROUTE_CONSOLE }, PERMISSION_READ, console_logout, NULL }, \
	{ { "GET", CONSOLE "/logout", ROUTE_VISIT }, PERMISSION_NONE, console_logged_out, NULL }, \
	{ { "GET", CONSOLE "/static/{file}", ROUTE_VISIT }, \
	  PERMISSION_NONE, console_static, NULL }, \
	{ { "GET", CONSOLE "/{link}/{token}", ROUTE_VISIT }, PERMISSION_NONE, console_link_show, \
	  NULL }, \
	{ { "POST", CONSOLE "/{link}/{token}", ROUTE_VISIT }, PERMISSION_NONE, console_link_use, \
	  &console_link_fields },
/* clang-format on */

#endif
