/* Lets an operator without a shell become an owner in the console. The content of the file
 * setup.token (access/setup_token.h) proves that the person controls the installation. */
#ifndef SERVICE_SETUP_H
#define SERVICE_SETUP_H

#include "service/sign_in.h"

struct setup_input {
	const char *token; /* a member is NULL if the person has not typed it */
	const char *name;  /* of the new user */
	const char *password;
	const char *again;
	const char *account; /* the name of a new or an existing account */
};
/*
 * Adds a user as an owner of the account, and begins a session. Deletes the file after a success.
 * E_NOT_FOUND: there is no file; E_UNAUTHENTICATED: the file has another token; E_CONFLICT: the
 * process may not delete the file; E_INVALID, also if another user has the name.
 */
enum result service_set_up(struct service *service, const struct setup_input *input,
			   struct begun_session *begun) MUST_USE;

#endif
