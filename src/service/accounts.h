/* The operations on accounts. Each runs in one transaction and appends an event. */
#ifndef SERVICE_ACCOUNTS_H
#define SERVICE_ACCOUNTS_H

#include "service/service.h"
#include "store/account/account.h"
#include "store/account/usage.h"

/*
 * Adds an account. *account is the new account. E_INVALID (violation); E_CONFLICT: another account
 * has the name (account->name).
 */
enum result service_add_account(struct service *service, const struct account_input *input,
				struct account *account) MUST_USE;
/* Adds a checked account, as a part of another operation. E_CONFLICT: another account has the
 * name. */
enum result service_create_account(struct service *service, struct account *account) MUST_USE;
/* Sets whether the users of an account need a second factor. E_NOT_FOUND. E_INVALID: is_demanded is
 * true, but the principal has no second factor and is not the operator. */
enum result service_demand_factor(struct service *service, int64_t id, bool is_demanded,
				  struct account *account) MUST_USE;
/*
 * Closes an account. From now on the service refuses the account's keys, and lists omit the
 * account. Later, many small transactions delete its rows and events (store/account/removal.h). The
 * event that reports the closing belongs to the installation, and stays. E_NOT_FOUND.
 */
enum result service_close_account(struct service *service, int64_t id, const char *name) MUST_USE;

/* Reads the principal's account, and how much of its quotas is used. E_FORBIDDEN. */
enum result service_show_account(struct service *service, struct account *account,
				 struct usage_counts *counts) MUST_USE;

#endif
