/*
 * The parent of the service's processes: it owns the listening socket, replaces
 * children that end, and passes on signals.
 *
 * The parent handles no request, so no request can end it. Because it holds the socket,
 * connections wait in the backlog while children are replaced.
 */
#ifndef CGI_BIN_SUPERVISOR_H
#define CGI_BIN_SUPERVISOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What processes of a role get beyond the rights that all have. */
enum process_right {
	PROCESS_HAS_MEMORY = 1,		/* a process's share of memory_mb */
	PROCESS_READS_CERTIFICATES = 2, /* those of mirrors */
	PROCESS_RUNS_COMMANDS = 4,	/* not confined, if a mirror has a command */
};

/* A kind of process: a new kind is one more row of the table. */
struct process_role {
	const char *name;  /* in the log */
	const char *title; /* in `ps` and `top`; NULL: that of the program */
	/* How many there are by the present configuration; 0: the role is off. */
	long (*count)(const void *context);
	/* Runs in the child until SIGTERM, or until its work ends. */
	void (*run)(const void *context);
	/* When the service ends: how long they may take after the roles before them have ended. */
	int64_t leave_ms;
	bool wears_out;	 /* they may call supervisor_replace_me() */
	unsigned rights; /* of enum process_right */
};

enum { PROCESS_ROLES_MAX = 8 };

struct supervisor {
	/* When the service ends, the roles end one after the other. */
	const struct process_role *roles;
	size_t role_count;
	/* Prepares a child, before its role runs. */
	void (*begin)(const void *context, const struct process_role *role);
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
