/* Whether the database can be used, said once in the log when the service starts or reloads. */
#ifndef START_CHECK_H
#define START_CHECK_H

#include "base/config.h"

/*
 * In a process of its own, which ends by itself: the service starts at once, also while a
 * host of the database does not answer. It closes listen_fd, which may be -1.
 */
void start_check(const struct config *config, int listen_fd);

#endif
