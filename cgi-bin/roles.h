/* The work of the supervisor's children that serve no requests. */
#ifndef CGI_BIN_ROLES_H
#define CGI_BIN_ROLES_H

#include "domain/page/site.h"
#include "mirror/mirror.h"

/*
 * The process that sends pages to mirrors. Runs a pusher (mirror/push/pusher.h) for each mirror
 * until SIGTERM. After SIGTERM, it sends the pages that still wait, for at most two seconds. It
 * needs no database.
 */
void mirrors_run(const struct config *config, const struct mirrors *mirrors);
/* The process that sends messages to alert channels until SIGTERM. If the sending does not stop
 * within three seconds of SIGTERM, ends the process; otherwise returns. */
void sending_run(const struct config *config);
/*
 * The publisher process: runs the background loop (work/work.h) until SIGTERM, and then exits.
 *
 * The loop publishes the pages that requests have not published, and the changes of a process that
 * died between commit and publishing. When a day ends, it publishes the pages of all accounts. A
 * request writes to the eventfd `wake_fd` to wake the loop.
 */
void publisher_run(const struct config *config, const struct site *site, int wake_fd);

#endif
