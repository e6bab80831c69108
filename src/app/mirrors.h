/*
 * Adds data about the mirrors to responses. Separate processes send pages to the mirrors
 * (mirror/push/pusher.h), so no request waits for a mirror. These functions run no SQL.
 */
#ifndef APP_MIRRORS_H
#define APP_MIRRORS_H

#include "app/exchange.h"
#include "base/metrics.h"
#include "wire/json.h"

/*
 * Call it after a write that deletes a page, or restricts who sees it. Sets X-Daymark-Mirrors to
 * the names of the mirrors that may still show the page as it was before. If no mirror may show it,
 * sets no header.
 */
void exchange_tell_mirrors(struct exchange *exchange);
/* A mirror that does not get all changes, and why. */
struct mirror_trouble {
	const char *name;
	const char *reason;
};
size_t mirrors_in_trouble(struct exchange *exchange, struct mirror_trouble **rows);
/* Returns the state of each mirror, for /readyz. */
struct json_object *mirrors_tree(struct exchange *exchange);
/* Prints the states of the mirrors for /metrics. Leaves out unknown values. */
void mirrors_print_metrics(struct exchange *exchange, const struct metrics_output *output);

#endif
