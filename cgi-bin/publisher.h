/*
 * The publisher process: a child of the supervisor that runs the background loop (work/work.h). It
 * publishes the pages that requests leave, changes that a process committed before it died, and
 * the pages of all accounts when a day ends.
 */
#ifndef CGI_BIN_PUBLISHER_H
#define CGI_BIN_PUBLISHER_H

#include "base/config.h"
#include "domain/site.h"

/*
 * Runs until SIGTERM, and ends the process. Requests write to the eventfd `wake_fd` when they
 * leave pages.
 */
void publisher_run(const struct config *config, const struct site *site, int wake_fd);

#endif
