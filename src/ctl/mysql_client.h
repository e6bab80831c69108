/*
 * Runs client programs of MySQL or MariaDB, with the login of the configuration. They read it
 * from a pipe, so that the password appears neither in the list of processes nor in a file.
 */
#ifndef CTL_MYSQL_CLIENT_H
#define CTL_MYSQL_CLIENT_H

#include "base/config.h"
#include "base/error.h"

struct mysql_client {
	const char *names[2];	    /* of the program: MariaDB's name, MySQL's name */
	const char *const *options; /* ends with NULL */
	int in_fd;
	int out_fd;
};

/*
 * Runs the program as migrate_user on the first configured host, and waits until it ends.
 * E_FAILED: the program is not installed, or it failed and has written the reason to
 * standard error.
 */
enum result mysql_client_run(const struct mysql_client *client, const struct config *config,
			     struct error *error) MUST_USE;

#endif
