/* The handlers of writes, and of single objects without an id. Each belongs to a route. */
#ifndef APP_HANDLERS_H
#define APP_HANDLERS_H

#include "app/exchange.h"

/* status_pages.c, page_links.c, page_reports.c (contract sections 5 and 11) */
enum result status_pages_create(struct exchange *exchange);
enum result status_pages_update(struct exchange *exchange);
enum result status_pages_delete(struct exchange *exchange);
enum result page_links_create(struct exchange *exchange);
enum result page_links_withdraw(struct exchange *exchange);
enum result page_reports_show(struct exchange *exchange);
/* subscribers.c (contract section 14) */
enum result subscribers_create(struct exchange *exchange);
enum result subscribers_delete(struct exchange *exchange);
enum result subscribers_import(struct exchange *exchange);
enum result subscribers_export(struct exchange *exchange);
extern const struct fields subscribers_file_fields;
/* POST /hooks/bounce: needs no key, since the report has a signed address. */
enum result hooks_bounce(struct exchange *exchange);

/* incident/ (contract sections 6 and 15) */
enum result incidents_report(struct exchange *exchange);
enum result incidents_update(struct exchange *exchange);
enum result incidents_delete(struct exchange *exchange);
enum result incident_updates_post(struct exchange *exchange);
enum result incident_updates_edit(struct exchange *exchange);
enum result incident_updates_withdraw(struct exchange *exchange);
enum result pending_updates_decline(struct exchange *exchange);
enum result incident_templates_create(struct exchange *exchange);
enum result incident_templates_update(struct exchange *exchange);
enum result incident_templates_delete(struct exchange *exchange);

/* monitors.c, keys.c, account.c (contract section 11) */
enum result monitors_create(struct exchange *exchange);
enum result monitors_update(struct exchange *exchange);
enum result monitors_delete(struct exchange *exchange);
enum result monitors_response_times(struct exchange *exchange);
enum result monitors_check(struct exchange *exchange);
enum result monitors_add_figures(struct exchange *exchange);
enum result keys_create(struct exchange *exchange);
enum result keys_update(struct exchange *exchange);
enum result keys_delete(struct exchange *exchange);
enum result users_create(struct exchange *exchange);
enum result users_update(struct exchange *exchange);
enum result users_delete(struct exchange *exchange);
enum result users_reset(struct exchange *exchange);
enum result user_sessions_delete(struct exchange *exchange);
/* The address of a link that was made. */
struct user_link;
const char *users_link_url(struct exchange *exchange, const struct user_link *link);
extern const struct fields user_link_fields;
enum result account_show(struct exchange *exchange);
extern const struct fields monitors_delete_fields, response_times_query_fields,
	response_times_fields, keys_delete_fields, account_shown_fields;

/* checks.c (contract section 13): the checkers of other locations. */
enum result checks_list(struct exchange *exchange);
enum result checks_take(struct exchange *exchange);

/*
 * heartbeats.c (contract section 13): the body is ignored. The token in the path is a secret: the
 * log has the monitor's id in its place. 404 for unknown tokens, which count as wrong keys.
 */
enum result heartbeats_take(struct exchange *exchange);

/* maintenances.c, maintenance_updates.c (contract section 12) */
enum result maintenances_create(struct exchange *exchange);
enum result maintenances_update(struct exchange *exchange);
enum result maintenances_delete(struct exchange *exchange);
enum result maintenance_updates_post(struct exchange *exchange);
enum result maintenance_updates_edit(struct exchange *exchange);
enum result maintenance_updates_withdraw(struct exchange *exchange);

/* alert_channels.c (contract section 14) */
enum result alert_channels_create(struct exchange *exchange);
enum result alert_channels_update(struct exchange *exchange);
enum result alert_channels_delete(struct exchange *exchange);
enum result alert_channels_test(struct exchange *exchange);
enum result deliveries_retry_one(struct exchange *exchange);

/* health.c. GET /healthz: 200. Needs no database and no disk. */
enum result health_live(struct exchange *exchange);
/* GET /readyz: 200, or 503 if the database or one of its migrations is missing. Includes the age
 * of the oldest change that is not published on this machine's disk. */
enum result health_ready(struct exchange *exchange);

#endif
