#include "store/incident/incident_import.h"

enum result incident_import_file_hash(FILE *file, struct incident_import_file *import,
				      struct error *error)
{
	size_t size;
	if (!secret_hash_fd(fileno(file), import->hash, &size))
		return error_client(error, E_FAILED, "the import needs a regular file, not a pipe");
	return OK;
}

enum result incident_import_find(struct db *db, int64_t account_id,
				 struct incident_import_file *import, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT lines_done FROM incident_imports "
			    "WHERE account_id = ? AND file_hash = ? ORDER BY account_id LIMIT 1"));
	sql_add(&sql, account_id);
	sql_bytes(&sql, import->hash, sizeof(import->hash));
	enum result result = db_read_int(db, &sql, &import->lines_done, error);
	return result == E_NOT_FOUND ? OK : result;
}

enum result incident_import_note(struct db *db, int64_t account_id,
				 const struct incident_import_file *import, struct instant now,
				 struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("REPLACE INTO incident_imports (account_id, file_hash, lines_done, "
			    "updated_at) VALUES (?, ?, ?, ?)"));
	sql_add(&sql, account_id);
	sql_bytes(&sql, import->hash, sizeof(import->hash));
	sql_add(&sql, import->lines_done, now);
	return db_write(db, &sql, NULL, error);
}
