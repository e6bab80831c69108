/* How an operator without a shell becomes an owner in the console: the file setup.token
 * (access/setup_token.h) proves control of the installation, as a shell does. */
#ifndef SERVICE_SETUP_H
#define SERVICE_SETUP_H

#include "service/sign_in.h"

struct setup_input {
	const char *token; /* NULL: none was typed, as in the other members */
	const char *name;  /* of the new user */
	const char *password;
	const char *again;
	const char *account; /* the name of a new account, or of one that exists */
};
/*
 * Adds a user as an owner of the account, and begins a session. The file is deleted, or stays if
 * nothing was changed. E_NOT_FOUND: there is no file; E_UNAUTHENTICATED: it has another token;
 * E_CONFLICT: the process may not delete it; E_INVALID, also if another user has the name.
 */
enum result service_set_up(struct service *service, const struct setup_input *input,
			   struct begun_session *begun) MUST_USE;

#endif
