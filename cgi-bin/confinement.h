/* Which rights the service gives up. See base/confine.h and the setting `confine`. */
#ifndef CGI_BIN_CONFINEMENT_H
#define CGI_BIN_CONFINEMENT_H

#include "base/config.h"

/* For the program and all processes that it starts. */
void confine_start(const struct config *config);
/* For a process that serves requests or publishes: it may change files only beside the pages folder
 * and in the folder of the log. Logs a failure, after which the process works unconfined. */
void confine_to(const struct config *config);

#endif
