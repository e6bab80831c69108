/* Logs once, when the service starts or reloads, whether the database can be used. */
#ifndef START_CHECK_H
#define START_CHECK_H

#include "base/config/config.h"

/*
 * Starts the check in a separate process, so that the service need not wait for a host of the
 * database that does not answer. The process closes listen_fd, which may be -1, and ends by itself.
 */
void start_check(const struct config *config, int listen_fd);

#endif
