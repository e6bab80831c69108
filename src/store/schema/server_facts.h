/* Facts for the operator: about the database server, and about the service's privileges there. */
#ifndef STORE_SCHEMA_SERVER_FACTS_H
#define STORE_SCHEMA_SERVER_FACTS_H

#include "db/db.h"

struct server_facts {
	int64_t now_s; /* the server's clock, seconds since 1970 */
	bool is_read_only;
};
enum result server_facts_read(struct db *db, struct arena *arena, struct server_facts *facts,
			      struct error *error) MUST_USE;

/* The privileges of the connected user in the connected database: "SELECT", "DROP" and so on. Does
 * not include privileges that a role grants. */
struct server_privileges {
	const char **names; /* owned by the arena */
	size_t count;
};
enum result server_privileges_read(struct db *db, struct arena *arena,
				   struct server_privileges *privileges, struct error *error)
	MUST_USE;

#endif
