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

/* The rights of a role's processes, in addition to the rights of all processes. */
enum process_right {
	PROCESS_HAS_MEMORY = 1,		/* may use one process's share of memory_mb */
	PROCESS_READS_CERTIFICATES = 2, /* may read the certificates of mirrors */
	PROCESS_RUNS_COMMANDS = 4,	/* is not confined if a mirror has a command */
};

/* A kind of process, described by a row of the table of roles. */
struct process_role {
	const char *name;  /* in the log */
	const char *title; /* name in `ps` and `top`; NULL: the program's name */
	/* Returns how many processes the present configuration wants. 0: the role is off. */
	long (*count)(const void *context);
	/* Runs in the child until SIGTERM, or until its work ends. */
	void (*run)(const void *context);
	/* When the service ends, the roles end one after the other. Processes of this role that
	 * still run are killed after this time plus the leave_ms of all roles before this one. */
	int64_t leave_ms;
	bool wears_out;	 /* whether its processes may call supervisor_replace_me() */
	unsigned rights; /* of enum process_right */
};

enum { PROCESS_ROLES_MAX = 8 };

struct supervisor {
	/* The roles, in the order in which they end when the service ends. */
	const struct process_role *roles;
	size_t role_count;
	/* Prepares a child, before its role runs. */
	void (*begin)(const void *context, const struct process_role *role);
	/*
	 * Reads the configuration again, in the parent. Returns false if it is not valid; the
	 * former configuration then stays in force.
	 */
	bool (*reload)(void *context);
	void *context;
};

/*
 * Runs until SIGTERM or SIGINT, lets the children finish their requests, and returns the exit
 * status. On SIGHUP, it reads the configuration again, starts new children, and then ends the old
 * children.
 */
int supervisor_run(const struct supervisor *supervisor);

/* Asks the supervisor to replace the calling child. The supervisor starts a successor, and then
 * ends the child with SIGTERM. */
void supervisor_replace_me(void);

#endif
