/* Gives up rights of the service's processes. See base/confine.h and the setting `confine`. */
#ifndef CGI_BIN_CONFINEMENT_H
#define CGI_BIN_CONFINEMENT_H

#include "base/config/config.h"
#include "mirror/mirror.h"

/* Gives up privileges, for the program and all processes that it starts. */
void confine_start(const struct config *config);
/*
 * For a process that serves requests, publishes or pushes: it may change files only in the pages
 * folder, beside it, and in the folder of the log, and may read the certificates of the mirrors
 * that it pushes to (NULL: none). Logs a failure, after which the process works unconfined.
 */
void confine_to(const struct config *config, const struct mirrors *mirrors);

#endif
