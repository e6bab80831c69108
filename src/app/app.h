/*
 * Handles a request: makes the response, and writes one log line.
 *
 *   route -> key, before the body is read -> handler (body, transaction,
 *   publish) -> response -> log line
 */
#ifndef APP_APP_H
#define APP_APP_H

#include "base/config/config.h"
#include "http/gateway.h"

struct app_settings {
	const struct config *config;
	const struct site *site; /* the host names of the installation, from the configuration */
	int publisher_fd; /* an eventfd that wakes the publisher process; -1: there is none */
};
/* Handles requests. Each thread has separate state; `context` is the struct app_settings. */
extern const struct responder app_responder;

#endif
