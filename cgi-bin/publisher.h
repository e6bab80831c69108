/*
 * The publisher process: a child of the supervisor that publishes what requests have left, what
 * a worker that died had committed, and the pages of all accounts when a day is over.
 */
#ifndef CGI_BIN_PUBLISHER_H
#define CGI_BIN_PUBLISHER_H

#include "base/config.h"

/*
 * Runs until SIGTERM, and then publishes for two seconds at most. Begins with all that is due,
 * looks again every second, and at once when the eventfd `wake_fd` is written to. One process
 * of a machine does the work; others wait for its end.
 */
void publisher_run(const struct config *config, int wake_fd);

#endif
