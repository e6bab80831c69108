/* The counters for /metrics, which all processes of the service share. */
#ifndef CGI_BIN_COUNTERS_H
#define CGI_BIN_COUNTERS_H

#include "base/config/config.h"
#include "supervisor.h"

/* Sets the names of the roles and of the background jobs, which are labels in /metrics. */
void counters_name(const struct process_role *roles, size_t count);
/* Opens the counters if the configuration has `metrics_allow` or `metrics_key`. Call it before
 * fork(): the processes then share the counters even if the file cannot be opened. */
void counters_open(const struct config *config);

#endif
