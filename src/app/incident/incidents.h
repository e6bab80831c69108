/* The incidents resource of the API (contract section 6). */
#ifndef APP_INCIDENT_INCIDENTS_H
#define APP_INCIDENT_INCIDENTS_H

#include "app/exchange.h"
#include "domain/incident.h"

extern const struct fields incidents_query_fields;

enum result incidents_list(struct exchange *exchange);
enum result incidents_show(struct exchange *exchange);
enum result incidents_update(struct exchange *exchange);
enum result incidents_delete(struct exchange *exchange);

/* Makes the address from the page of the incident. */
void incidents_set_url(struct exchange *exchange, struct incident *incident);

#endif
