/*
 * Publishing on behalf of a request, behind its commit and before its response.
 *
 * What is committed stands even when the disk is full: the answer then has
 * X-Daymark-Published: no, and the next publish mends it. Of the pages that show a monitor
 * a request publishes as many as the configuration allows, however many monitors it is
 * about. The rest is published directly after the response, which then has
 * X-Daymark-Published: pending.
 */
#ifndef APP_PUBLISHING_H
#define APP_PUBLISHING_H

#include "app/exchange.h"
#include "publish/publish.h"

/* See publish_page(). The page that a request is about is always published. */
void exchange_publish_page(struct exchange *exchange, const struct publish_order *order);
/* The pages that show the monitor and have unpublished changes. */
void exchange_publish_monitor(struct exchange *exchange, int64_t monitor_id);
/* The pages of the key's account that have unpublished changes. */
void exchange_publish_due(struct exchange *exchange);
/* After the response: sees to the pages that were left, in this process where nothing waits
 * for it, else by the publisher process. */
void exchange_publish_rest(struct exchange *exchange, int wake_fd);

#endif
