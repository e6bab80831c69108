/*
 * What a response tells about publishing, and publishing after the response.
 *
 * service_transact() publishes before the response. A committed change stays even when the disk is
 * full: the response then has X-Daymark-Published: no, and the next publish repeats it. If pages
 * are left for later, the response has X-Daymark-Published: pending, and they are published
 * directly after it.
 */
#ifndef APP_PUBLISHING_H
#define APP_PUBLISHING_H

#include "app/exchange.h"

/* Sets the header, and logs a failure. Call it once, after the handler has returned. */
void exchange_tell_publishing(struct exchange *exchange);
/*
 * After the response: marks the pages that were published. Wakes the publisher process to publish
 * the rest; without such a process publishes them in this process.
 */
void exchange_publish_rest(struct exchange *exchange, int wake_fd);

#endif
