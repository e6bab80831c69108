/* A network of the test's own: loopback only, all ports are free, and the files of /etc can be
 * replaced. */
#ifndef PROBE_NETWORK_H
#define PROBE_NETWORK_H

#include <stdbool.h>

/* Moves this process, and the servers that it starts, into new namespaces, in which it is root. To
 * be called before secret_init(). False: the system does not allow it. */
bool network_enter(void);
/* Shows a file of the test's folder in place of the file of the system, until the process ends. */
bool network_replace_file(const char *path, const char *by);
/* The number of open descriptors. */
int network_descriptors(void);

#endif
