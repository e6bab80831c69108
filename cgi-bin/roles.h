/* The work of the supervisor's children that serve no requests. */
#ifndef CGI_BIN_ROLES_H
#define CGI_BIN_ROLES_H

#include "domain/page/site.h"
#include "mirror/mirror.h"

/*
 * The process that sends pages to mirrors. Runs a pusher (mirror/push/pusher.h) for each mirror
 * until SIGTERM. Then sends the waiting pages, for two seconds at most. It needs no database.
 */
void mirrors_run(const struct config *config, const struct mirrors *mirrors);
/* The process that sends messages to alert channels until SIGTERM. Returns if all sending stops in
 * time after SIGTERM. Otherwise ends the process. */
void sending_run(const struct config *config);
/*
 * The publisher process: runs the background loop (work/work.h) until SIGTERM, and then ends the
 * process. The loop publishes the pages that requests leave to it. It also publishes the changes of
 * a process that died after its commit, but before it published them. When a day ends, the loop
 * publishes the pages of all accounts. A request that leaves pages writes to the eventfd `wake_fd`.
 */
void publisher_run(const struct config *config, const struct site *site, int wake_fd);

#endif
