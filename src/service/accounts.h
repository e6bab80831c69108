/* The operations on accounts. Each runs in one transaction and appends an event. */
#ifndef SERVICE_ACCOUNTS_H
#define SERVICE_ACCOUNTS_H

#include "service/service.h"

/* E_INVALID: it is no name (violation). E_CONFLICT: another account has it. */
enum result service_add_account(struct service *service, const char *name, int64_t *id) MUST_USE;
/*
 * Removes the account with all that it has, its events too. What is left is an event of the
 * installation, which names it. E_NOT_FOUND.
 */
enum result service_remove_account(struct service *service, int64_t id, const char *name) MUST_USE;

#endif
