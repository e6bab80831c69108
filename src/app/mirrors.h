/*
 * The parts of responses about mirrors, to which separate processes send pages
 * (mirror/push/pusher.h). No request waits for a mirror, and none of these functions runs a
 * statement.
 */
#ifndef APP_MIRRORS_H
#define APP_MIRRORS_H

#include "app/exchange.h"
#include "base/metrics.h"
#include "wire/json.h"

/* Sets X-Daymark-Mirrors to the names of the mirrors that still show, or may show, a page as it
 * was. If there are no such mirrors, sets no header. Call it after a write that has taken a page
 * from visitors. */
void exchange_tell_mirrors(struct exchange *exchange);
/* The mirrors that do not get all changes. */
struct mirror_trouble {
	const char *name;
	const char *reason;
};
size_t mirrors_in_trouble(struct exchange *exchange, struct mirror_trouble **rows);
/* The state of each mirror, for /readyz. */
struct json_object *mirrors_tree(struct exchange *exchange);
/* Prints the states for /metrics; leaves out values that are not known. */
void mirrors_print_metrics(struct exchange *exchange, const struct metrics_output *output);

#endif
