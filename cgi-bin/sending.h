/* The process that sends messages to alert channels. */
#ifndef SENDING_H
#define SENDING_H

#include "base/config.h"

/* Sends until SIGTERM. Does not return if messages are still under way then. */
void sending_run(const struct config *config);

#endif
