/* Logs once, when the service starts or reloads, whether the database can be used. */
#ifndef START_CHECK_H
#define START_CHECK_H

#include "base/config/config.h"

/*
 * Runs in a separate process, which ends by itself: the service starts at once, even while a host
 * of the database does not answer. The process closes listen_fd, which may be -1.
 */
void start_check(const struct config *config, int listen_fd);

#endif
