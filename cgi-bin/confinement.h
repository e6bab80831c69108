/* Gives up rights of the service's processes. See base/confine.h and the setting `confine`. */
#ifndef CGI_BIN_CONFINEMENT_H
#define CGI_BIN_CONFINEMENT_H

#include "base/config/config.h"
#include "mirror/mirror.h"

/* Gives up privileges, for the program and all processes that it starts. */
void confine_start(const struct config *config);
/*
 * Confines a process that serves requests, publishes or pushes. The process may change files only
 * in and beside the pages folder and in the folder of the log. It may read the certificates of the
 * mirrors that it pushes to (`mirrors` NULL: none). Logs a failure, after which the process works
 * unconfined.
 */
void confine_to(const struct config *config, const struct mirrors *mirrors);

#endif
