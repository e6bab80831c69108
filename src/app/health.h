/* Whether the service lives, and whether it can do its work. */
#ifndef APP_HEALTH_H
#define APP_HEALTH_H

#include "app/exchange.h"

/* 200 while the process answers; asks nothing of anyone. */
enum result health_live(struct exchange *exchange);
/* 200, or 503 without the database or one of its migrations; with the age of the oldest
 * change that this machine's disk does not have. */
enum result health_ready(struct exchange *exchange);

#endif
