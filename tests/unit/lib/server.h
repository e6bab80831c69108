/* A server that a test starts: a program that prints a line when it is ready, and serves until its
 * standard input ends. */
#ifndef UNIT_LIB_SERVER_H
#define UNIT_LIB_SERVER_H

#include <stdbool.h>
#include <sys/types.h>

struct test_server {
	pid_t pid;
	int input;
	char line[256]; /* what the program has printed */
};

/* False: the program does not run. `argv` is found in PATH and ends with NULL. */
bool server_start(struct test_server *server, const char *const argv[]);
void server_stop(struct test_server *server);

#endif
