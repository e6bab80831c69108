/* The socket on which the service accepts requests. */
#ifndef LISTENING_H
#define LISTENING_H

#include <stdbool.h>

/* Whether the descriptor is a socket that accepts connections. */
bool socket_is_listening(int fd);

/*
 * Opens the socket with the mode 0660: the service trusts its peer, so only the web server's group
 * may connect. A socket that a dead service left is replaced, but not a socket that accepts
 * connections. Less than 0: errno says why.
 */
int socket_open(const char *path);

#endif
