/* The handlers that resources.h does not have: for writes, for single objects without an id, for
 * hooks, for pages and for mirrors. */
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
/* POST /hooks/bounce. The route needs no key: the mail address in the report is signed. */
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
struct response_times_query {
	int range; /* enum response_range */
};
/* The result of monitors_read_times(): the response times of the request's monitor, for the range
 * that the query names. Its fields are response_times_fields. */
struct response_times_shown {
	int64_t monitor_id;
	int range;
	struct response_time *points;
	size_t point_count;
};
enum result monitors_read_times(struct exchange *exchange, struct response_times_shown *shown)
	MUST_USE;
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
/* Returns the address of a link for a user. */
struct user_link;
const char *users_link_url(struct exchange *exchange, const struct user_link *link);
extern const struct fields user_link_fields;
enum result account_show(struct exchange *exchange);
extern const struct fields monitors_delete_fields, response_times_query_fields,
	response_times_fields, keys_delete_fields, account_shown_fields;

/* checks.c (contract section 13): for the checkers of other locations. */
enum result checks_list(struct exchange *exchange);
enum result checks_take(struct exchange *exchange);

/*
 * heartbeats.c (contract section 13). The body is ignored. The log has the monitor's id in place of
 * the path, because the path has a secret token. An unknown token gets 404, and counts as a wrong
 * key.
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

/* health.c. GET /healthz: 200. Uses neither database nor disk. */
enum result health_live(struct exchange *exchange);
/* GET /readyz: 200, or 503 if the database cannot be used or lacks a migration. The response has
 * the age of the oldest change that is not yet published on this machine. */
enum result health_ready(struct exchange *exchange);

/* incident/alerts.c. The fields are the parameters of the webhook's address. */
enum result hooks_alertmanager(struct exchange *exchange);
extern const struct fields hooks_alertmanager_query_fields;

/* openapi/openapi.c */
enum result openapi_show(struct exchange *exchange);
/* Writes openapi.json with a placeholder for the service's address. Check buf_ok() afterwards. */
void openapi_write(struct buf *out);

/* page/page_search.c */
enum result page_search_show(struct exchange *exchange);

/* page/page_subscription.c. GET and POST /s/{slug}/subscribe. The response to a POST does not
 * reveal whether the e-mail address is known. 429: too many requests from the client's network, or
 * for the page. */
enum result page_subscription_form(struct exchange *exchange);
enum result page_subscription_ask(struct exchange *exchange);
/*
 * GET /s/{slug}/subscription?token=: shows the subscription, and changes nothing. POST: the field
 * `action` is confirm, save or end. List-Unsubscribe=One-Click (RFC 8058) has the effect of end.
 */
enum result page_subscription_show(struct exchange *exchange);
enum result page_subscription_change(struct exchange *exchange);
extern const struct fields page_subscription_fields;

/* page/page_index.c */
/* GET /: the list of public pages, or 404. The setting [pages] index decides. */
enum result page_index_show(struct exchange *exchange);
/*
 * GET /s/{slug}/alive.svg: an empty picture, even if the page does not exist. At the domain of a
 * private page only admitted visitors get it. The script of a page loads the picture to learn
 * whether the service responds: a sandboxed page can send no other request.
 */
enum result page_index_sign(struct exchange *exchange);

/* GET /robots.txt: allows pages, disallows the API, hooks and internal paths. */
enum result page_index_robots(struct exchange *exchange);

/* mirror_host.c: the requests of an origin to its mirror (mirror/protocol.h), and the mirror's GET
 * /readyz. It responds 200 with the mirror's age. It responds 503 if the origin has not yet
 * reported that the mirror is complete, or if the signing key is missing. */
enum result mirror_host_ready(struct exchange *exchange);

enum result mirror_host_list(struct exchange *exchange);
enum result mirror_host_pages(struct exchange *exchange);
enum result mirror_host_files(struct exchange *exchange);
enum result mirror_host_shared_list(struct exchange *exchange);
enum result mirror_host_shared(struct exchange *exchange);
enum result mirror_host_origin(struct exchange *exchange);
enum result mirror_host_beat(struct exchange *exchange);

/* Responds to a request that only an origin can serve. */
enum result mirror_host_refuse(struct exchange *exchange);

#endif
