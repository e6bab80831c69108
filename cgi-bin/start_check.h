/* Logs once, when the service starts or reloads, whether the database can be used. */
#ifndef START_CHECK_H
#define START_CHECK_H

#include "base/config/config.h"

/*
 * Starts the check in a separate process, so that the service does not wait for a database host
 * that does not answer. The process of the check closes its copy of listen_fd, which may be -1.
 */
void start_check(const struct config *config, int listen_fd);

#endif
