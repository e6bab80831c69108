/* What people write about incidents (contract section 6.1). */
#ifndef APP_INCIDENT_INCIDENT_REPORTS_H
#define APP_INCIDENT_INCIDENT_REPORTS_H

#include "app/exchange.h"

enum result incidents_report(struct exchange *exchange);
enum result incident_updates_post(struct exchange *exchange);
enum result incident_updates_edit(struct exchange *exchange);
enum result incident_updates_withdraw(struct exchange *exchange);

#endif
