/* The incidents resource of the API (contract section 6). */
#ifndef APP_INCIDENT_INCIDENTS_H
#define APP_INCIDENT_INCIDENTS_H

#include "app/exchange.h"

enum result incidents_update(struct exchange *exchange);
enum result incidents_delete(struct exchange *exchange);

#endif
