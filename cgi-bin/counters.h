/* The counters for /metrics of the processes of the service. */
#ifndef CGI_BIN_COUNTERS_H
#define CGI_BIN_COUNTERS_H

#include "base/config/config.h"
#include "supervisor.h"

/* Names the roles, and the jobs of the background loop. */
void counters_name(const struct process_role *roles, size_t count);
/* Call it before fork(), so that all processes share the counters even without the file. Nothing is
 * counted if the configuration lets nobody read the counters. */
void counters_open(const struct config *config);

#endif
