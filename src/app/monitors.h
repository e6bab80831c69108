/* The monitors resource of the API (contract section 11). */
#ifndef APP_MONITORS_H
#define APP_MONITORS_H

#include "app/exchange.h"

extern const struct fields monitors_delete_fields;

enum result monitors_create(struct exchange *exchange);
enum result monitors_update(struct exchange *exchange);
enum result monitors_delete(struct exchange *exchange);

#endif
