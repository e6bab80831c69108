/*
 * The service: a request in, an answer out, one log line.
 *
 *   route -> key, before the body is read -> handler (body, transaction,
 *   publish) -> answer -> log line
 */
#ifndef APP_APP_H
#define APP_APP_H

#include "http/gateway.h"
#include "http/router.h"

/* What threads make their own state from: `context` is the struct config. */
extern const struct responder app_responder;

/* All that the service answers to, for openapi.json's test as well. */
extern const struct route app_routes[];
extern const size_t app_route_count;

#endif
