/*
 * Subscriptions of visitors: the form below a page, behind the gate of the page's files, and the
 * page of a signed link, which needs no other admission.
 */
#ifndef APP_PAGE_PAGE_SUBSCRIPTION_H
#define APP_PAGE_PAGE_SUBSCRIPTION_H

#include "app/exchange.h"

/* GET and POST /s/{slug}/subscribe. The response to a POST is the same for known and unknown
 * addresses. 429: too many requests from the network, or at the page. */
enum result page_subscription_form(struct exchange *exchange);
enum result page_subscription_ask(struct exchange *exchange);
/*
 * GET /s/{slug}/subscription?token=: changes nothing. POST: `action` confirm, save or end; or
 * List-Unsubscribe=One-Click (RFC 8058), which ends the subscription.
 */
enum result page_subscription_show(struct exchange *exchange);
enum result page_subscription_change(struct exchange *exchange);
extern const struct fields page_subscription_fields;

#endif
