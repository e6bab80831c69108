/*
 * Runs the client programs of MySQL or MariaDB with the login of the configuration. A pipe passes
 * the login, so the password is neither in the list of processes nor in a file.
 */
#ifndef CTL_DATABASE_MYSQL_CLIENT_H
#define CTL_DATABASE_MYSQL_CLIENT_H

#include "base/config/config.h"
#include "base/error.h"

struct mysql_client {
	const char *names[2];	    /* the program's name in MariaDB and in MySQL */
	const char *const *options; /* ends with NULL */
	int in_fd;
	int out_fd;
};

/*
 * Runs the program as migrate_user on the first host of the configuration, and waits for its end.
 * E_FAILED: the program is not installed, or has failed and printed the reason to standard error.
 */
enum result mysql_client_run(const struct mysql_client *client, const struct config *config,
			     struct error *error) MUST_USE;

#endif
