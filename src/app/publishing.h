/*
 * What a response says of publishing, and what is published after it.
 *
 * service_transact() publishes before the response. What is committed stands even when the disk
 * is full: the response then has X-Daymark-Published: no, and the next publish repeats it. Where
 * pages are left, the response has X-Daymark-Published: pending, and they are published directly
 * after it.
 */
#ifndef APP_PUBLISHING_H
#define APP_PUBLISHING_H

#include "app/exchange.h"

/* Sets the header, and logs a failure. Once, when the handler has returned. */
void exchange_tell_publishing(struct exchange *exchange);
/* After the response: marks the pages that were published, and publishes those that were left, in
 * this process where nothing waits for it, else by the publisher process. */
void exchange_publish_rest(struct exchange *exchange, int wake_fd);

#endif
