/* Health checks: whether the process runs, and whether it can serve requests. */
#ifndef APP_HEALTH_H
#define APP_HEALTH_H

#include "app/exchange.h"

/* GET /healthz: 200. Needs no database and no disk. */
enum result health_live(struct exchange *exchange);
/* GET /readyz: 200, or 503 without the database or one of its migrations. Includes the age of
 * the oldest change that is not published on this machine's disk. */
enum result health_ready(struct exchange *exchange);

#endif
