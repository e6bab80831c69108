/* How far a file of incidents has been imported, so that the import can be continued. */
#ifndef STORE_INCIDENT_INCIDENT_IMPORT_H
#define STORE_INCIDENT_INCIDENT_IMPORT_H

#include <stdio.h>

#include "base/secret.h"
#include "db/db.h"

struct incident_import_file {
	uint8_t hash[SECRET_HASH_BYTES]; /* the hash of the file's content */
	int64_t lines_done;
};

/* Hashes the file and rewinds it. E_FAILED: the file cannot be read twice. */
enum result incident_import_file_hash(FILE *file, struct incident_import_file *import,
				      struct error *error) MUST_USE;
/* Sets import->lines_done. It is 0 if the account has imported nothing from the file yet. */
enum result incident_import_find(struct db *db, int64_t account_id,
				 struct incident_import_file *import, struct error *error) MUST_USE;
/* Stores import->lines_done. Call it in the transaction of the batch. */
enum result incident_import_note(struct db *db, int64_t account_id,
				 const struct incident_import_file *import, struct instant now,
				 struct error *error) MUST_USE;

#endif
