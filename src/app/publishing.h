/*
 * Publishing on behalf of a request, behind its commit and before its answer.
 *
 * What is committed stands even when the disk is full: the answer then has
 * X-Daymark-Published: no, and the next publish mends it.
 */
#ifndef APP_PUBLISHING_H
#define APP_PUBLISHING_H

#include "app/exchange.h"
#include "publish/publish.h"

/* See publish_page(). */
void exchange_publish_page(struct exchange *exchange, const struct publish_order *order);
/* The pages that show the monitor and have unpublished changes. */
void exchange_publish_monitor(struct exchange *exchange, int64_t monitor_id);
/* The pages of the key's account that have unpublished changes. */
void exchange_publish_due(struct exchange *exchange);

#endif
