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
void exchange_publish_page(struct exchange *exchange, int64_t page_id, const char *former_slug,
			   const struct page_file *at_hand, size_t count);
/* The pages that show the monitor and have unpublished changes. */
void exchange_publish_monitor(struct exchange *exchange, int64_t monitor_id);
/* Takes away the folder of a page that is gone. */
void exchange_retire_slug(struct exchange *exchange, const char *slug);

#endif
