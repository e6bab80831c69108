/*
 * Tells about publishing in a response, and publishes after it.
 *
 * service_transact() publishes before the response. A committed change stays even if the disk is
 * full: the response then has X-Daymark-Published: no, and the next publish repeats it. If pages
 * are left for later, the response has X-Daymark-Published: pending, and they are published
 * directly after it.
 */
#ifndef APP_PUBLISHING_H
#define APP_PUBLISHING_H

#include "app/exchange.h"

/* Sets the header, and logs a failure. Call it once, after the handler has returned. */
void exchange_tell_publishing(struct exchange *exchange);
/* After the response: marks the pages that were published. Wakes the publisher process, which
 * publishes the others; without such a process publishes them here. */
void exchange_publish_rest(struct exchange *exchange, int wake_fd);

#endif
