/*
 * What responses say of mirrors, which are fed by processes of their own (mirror/push/pusher.h). No
 * request waits for a mirror, and none of this takes a statement.
 */
#ifndef APP_MIRRORS_H
#define APP_MIRRORS_H

#include "app/exchange.h"
#include "wire/json.h"

/*
 * After a write that has taken a page from visitors: X-Daymark-Mirrors names each mirror that has,
 * or may have, the page as it was. Without such a mirror there is no header.
 */
void exchange_tell_mirrors(struct exchange *exchange);
/* The state of each mirror, for /readyz. */
struct json_object *mirrors_tree(struct exchange *exchange);

#endif
