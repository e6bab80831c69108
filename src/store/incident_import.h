/* How far a file of incidents has been imported, so that it can be gone on with. */
#ifndef STORE_INCIDENT_IMPORT_H
#define STORE_INCIDENT_IMPORT_H

#include <stdio.h>

#include "base/secret.h"
#include "db/db.h"

struct incident_import_file {
	uint8_t hash[SECRET_HASH_BYTES]; /* of its content */
	int64_t lines_done;
};

/* Hashes the file and goes back to its beginning. E_FAILED: it is no regular file. */
enum result incident_import_file_hash(FILE *file, struct incident_import_file *import,
				      struct error *error) MUST_USE;
/* Sets lines_done; 0 for a file that is new to the account. */
enum result incident_import_find(struct db *db, int64_t account_id, struct arena *arena,
				 struct incident_import_file *import, struct error *error) MUST_USE;
/* To be run in the batch's transaction. */
enum result incident_import_note(struct db *db, int64_t account_id,
				 const struct incident_import_file *import, struct instant now,
				 struct error *error) MUST_USE;

#endif
