/*
 * Runs the programs that come with MySQL or MariaDB, with the login that the
 * configuration has. It reaches them through a pipe: a password stands in no
 * list of processes and in no file.
 */
#ifndef CTL_MYSQL_CLIENT_H
#define CTL_MYSQL_CLIENT_H

#include "base/config.h"
#include "base/error.h"

struct mysql_client {
	const char *names[2];	    /* the program as MariaDB and as MySQL call it */
	const char *const *options; /* ends with NULL */
	int in_fd;
	int out_fd;
};

/*
 * Waits for its end. As the user of migrations, on the first host that the
 * configuration names. E_FAILED: it is not installed, or ended with a failure,
 * of which it has told standard error.
 */
enum result mysql_client_run(const struct mysql_client *client, const struct config *config,
			     struct error *error) MUST_USE;

#endif
