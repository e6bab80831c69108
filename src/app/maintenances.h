/* The handlers of /api/v1/maintenances (contract section 12). */
#ifndef APP_MAINTENANCES_H
#define APP_MAINTENANCES_H

#include "app/exchange.h"

enum result maintenances_create(struct exchange *exchange);
enum result maintenances_update(struct exchange *exchange);
enum result maintenances_delete(struct exchange *exchange);

/* maintenance_updates.c */
enum result maintenance_updates_post(struct exchange *exchange);
enum result maintenance_updates_edit(struct exchange *exchange);
enum result maintenance_updates_withdraw(struct exchange *exchange);

#endif
