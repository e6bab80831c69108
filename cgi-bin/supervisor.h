/*
 * The parent of the FastCGI worker processes: it owns the listening socket, replaces
 * children that end, and passes on signals.
 *
 * The parent handles no request, so no request can end it. Because it holds the socket,
 * connections wait in the backlog while children are replaced.
 */
#ifndef CGI_BIN_SUPERVISOR_H
#define CGI_BIN_SUPERVISOR_H

#include <stdbool.h>

struct supervisor {
	long processes;
	void (*child)(void *context); /* runs in a child until its work ends */
	/* Runs in one more child, if that is wanted; this child is ended after the workers. */
	bool (*wants_publisher)(void *context);
	void (*publisher)(void *context);
	/* The same of the child that sends pages to mirrors; it is ended last. */
	bool (*wants_mirrors)(void *context);
	void (*mirrors)(void *context);
	/* Reads the configuration anew, in the parent. False: the former stays in force. */
	bool (*reload)(void *context);
	void *context;
};

/*
 * Runs until SIGTERM or SIGINT: the children finish the requests in hand.
 * SIGHUP reads the configuration anew and replaces the children one generation
 * by another. Returns the exit status.
 */
int supervisor_run(const struct supervisor *supervisor);

/* Called by a child that has served its requests: a successor is started, and the child is
 * then told to leave. */
void supervisor_replace_me(void);

#endif
