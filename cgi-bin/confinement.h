/* Confines the service's processes: see base/confine.h and the setting `confine`. */
#ifndef CGI_BIN_CONFINEMENT_H
#define CGI_BIN_CONFINEMENT_H

#include "base/config/config.h"
#include "mirror/mirror.h"

/* Drops privileges, for this program and for all processes that it starts. */
void confine_start(const struct config *config);
/*
 * Confines a process that serves requests, publishes or pushes. The process may change files only
 * in the pages folder, in the folder above it, and in the folder of the log. It may read the
 * certificates of the mirrors that it pushes to (`mirrors` NULL: none). If the confinement fails,
 * logs the failure, and the process continues unconfined.
 */
void confine_to(const struct config *config, const struct mirrors *mirrors);

#endif
