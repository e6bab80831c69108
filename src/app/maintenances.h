/* The handlers of /api/v1/maintenances (contract section 12). */
#ifndef APP_MAINTENANCES_H
#define APP_MAINTENANCES_H

#include "app/exchange.h"
#include "domain/maintenance.h"

extern const struct fields maintenances_query_fields;

enum result maintenances_list(struct exchange *exchange);
enum result maintenances_show(struct exchange *exchange);
enum result maintenances_create(struct exchange *exchange);
enum result maintenances_update(struct exchange *exchange);
enum result maintenances_delete(struct exchange *exchange);

/* maintenance_updates.c */
enum result maintenance_updates_post(struct exchange *exchange);
enum result maintenance_updates_show(struct exchange *exchange);
enum result maintenance_updates_edit(struct exchange *exchange);
enum result maintenance_updates_withdraw(struct exchange *exchange);

/* For both files: the If-Match of a request that changes a window. */
enum result maintenances_check_etag(struct exchange *exchange,
				    const struct maintenance *maintenance) MUST_USE;

#endif
