/* The keys of an account (contract section 11). */
#ifndef APP_KEYS_H
#define APP_KEYS_H

#include "app/exchange.h"

extern const struct fields keys_delete_fields;

enum result keys_create(struct exchange *exchange);
enum result keys_update(struct exchange *exchange);
enum result keys_delete(struct exchange *exchange);

#endif
