/*
 * The principal of an operation and its permissions. A principal is an API key, the operator, the
 * service itself, a user or a checker.
 */
#ifndef DOMAIN_ACCOUNT_PRINCIPAL_H
#define DOMAIN_ACCOUNT_PRINCIPAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/clock.h"

/* Events store the type's word. principal.c has the words in this order. */
enum principal_type {
	PRINCIPAL_NONE, /* a request without a valid key: has only PERMISSION_NONE */
	PRINCIPAL_KEY,
	PRINCIPAL_OPERATOR, /* daymarkctl */
	PRINCIPAL_SYSTEM,   /* the service itself, for example in a timed task */
	PRINCIPAL_USER,
	PRINCIPAL_CHECKER,
};

/* The kinds of permission. Every request has PERMISSION_NONE, even a visitor's. */
enum permission {
	PERMISSION_NONE,
	PERMISSION_READ,
	PERMISSION_REPORT,  /* sending observations: hooks */
	PERMISSION_RESPOND, /* incidents, updates and maintenance */
	PERMISSION_EDIT,    /* pages and monitors */
	PERMISSION_MANAGE,  /* keys and links, and the account itself */
	PERMISSION_CHECK,   /* running the checks of a location: only its key has this permission */
};

/* Roles in an account; each role includes the permissions of the role before it. */
enum role { ROLE_READER, ROLE_RESPONDER, ROLE_EDITOR, ROLE_OWNER };

struct principal {
	enum principal_type type;
	int64_t id;	    /* the id of the key, the user or the checker; otherwise 0 */
	int64_t account_id; /* the only account that the principal can reach; 0: all accounts */
	enum role role;	    /* the role of a key or a user in the account */
	bool has_factor;    /* the session of a user has a second factor */
	struct instant expires_at; /* when the key ends; 0: never, or not a key */
	const char *label;	   /* the label of the key, or the name of the program; "": none */
	const char *location;	   /* the location of the checker that uses the key; NULL: none */
	const char *address;	   /* the client's address; NULL: none */
	const char *request_id;	   /* NULL for none */
};

bool principal_may(const struct principal *principal, enum permission permission);

/* Returns "none", "key", "operator", "system", "user" or "checker". */
const char *principal_type_word(enum principal_type type);
/* Returns a text for people, such as "key 7 (deploy)" or "daymarkctl". Owned by the arena. */
const char *principal_text(const char *type, int64_t id, const char *label, struct arena *arena);

#endif
