/* The socket on which the service accepts requests. */
#ifndef LISTENING_H
#define LISTENING_H

#include <stdbool.h>

/* Whether the descriptor is a socket that accepts connections. */
bool socket_is_listening(int fd);

/*
 * Opens the socket with the mode 0660: the service trusts its peer, so only the web server's group
 * may connect. Replaces a socket that a dead service left, but not a socket that accepts
 * connections. Returns less than 0 on failure; errno has the reason.
 */
int socket_open(const char *path);

#endif
