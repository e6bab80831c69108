/*
 * The process that sends pages to mirrors: a child of the supervisor that runs a pusher
 * (mirror/push/pusher.h) for each mirror. It needs no database.
 */
#ifndef CGI_BIN_MIRRORS_H
#define CGI_BIN_MIRRORS_H

#include "mirror/mirror.h"

/* Runs until SIGTERM, and then sends the waiting pages, for two seconds at most. */
void mirrors_run(const struct config *config, const struct mirrors *mirrors);

#endif
