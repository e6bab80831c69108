/* Who asks for an operation: an API key, the operator, or the service itself. */
#ifndef DOMAIN_PRINCIPAL_H
#define DOMAIN_PRINCIPAL_H

#include <stdint.h>

#include "base/arena.h"

/* In the order of the words that events are stored with. */
enum principal_type {
	PRINCIPAL_NONE, /* no valid key: may do nothing that needs a principal */
	PRINCIPAL_KEY,
	PRINCIPAL_OPERATOR, /* daymarkctl */
	PRINCIPAL_SYSTEM,   /* the service, by the clock */
};

struct principal {
	enum principal_type type;
	int64_t id;		/* the key's; 0 for the other types */
	int64_t account_id;	/* the only account that it may reach; 0: all accounts */
	const char *label;	/* of the key, or the name of the program; "" for none */
	const char *address;	/* the client's; NULL for none */
	const char *request_id; /* NULL for none */
};

/* "none", "key", "operator", "system" */
const char *principal_type_word(enum principal_type type);
/* For people: "key 7 (deploy)", "daymarkctl". Owned by the arena. */
const char *principal_text(const char *type, int64_t id, const char *label, struct arena *arena);

#endif
