#include "store/account/idempotency.h"

#include <string.h>

#include "store/account/usage.h"

#define ROW(member) FIELD(struct idempotency_key, member)
static const struct field rows[] = {
	ROW(account_id), ROW(key_hash), ROW(request_hash), ROW(status),
	ROW(headers),	 ROW(body),	ROW(created_at),
};

enum result idempotency_claim(struct db *db, const struct idempotency_key *key, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql,
		  SQL("INSERT INTO idempotency_keys "
		      "(account_id, key_hash, request_hash, created_at) VALUES (?, ?, ?, ?)"));
	sql_add(&sql, key->account_id, key->key_hash, key->request_hash, key->created_at);
	return db_write(db, &sql, NULL, error);
}

enum result idempotency_find(struct db *db, const struct idempotency_key *wanted,
			     struct arena *arena, struct idempotency_key *key, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT account_id, key_hash, request_hash, status, headers, body, "
			    "created_at FROM idempotency_keys "
			    "WHERE account_id = ? AND key_hash = ? ORDER BY key_hash LIMIT 1"));
	sql_add(&sql, wanted->account_id, wanted->key_hash);
	return db_read_one(db, &sql, FIELDS(rows), key, arena, error);
}

enum result idempotency_store_response(struct db *db, const struct idempotency_key *key,
				       int64_t most_bytes, struct error *error)
{
	struct sql_build sql;
	int64_t bytes = (int64_t)(strlen(key->headers) + strlen(key->body));
	/* One statement stores the response and counts its bytes. */
	sql_start(&sql, SQL("UPDATE idempotency_keys k JOIN account_usage u "
			    "ON u.account_id = k.account_id AND u.quota = 'responses' "
			    "SET k.status = ?, k.headers = ?, k.body = ?, "
			    "u.used_today = " USAGE_TODAY " + " USAGE_SO_FAR " + ? "
			    "WHERE k.account_id = ? AND k.key_hash = ? "
			    "AND " USAGE_SO_FAR " + ? <= ?"));
	sql_add(&sql, key->status, key->headers, key->body, bytes, key->account_id, key->key_hash,
		bytes, most_bytes > 0 ? most_bytes : INT64_MAX);
	enum result result = usage_check(db, &sql, key->account_id, error);
	if (result != E_QUOTA_EXCEEDED)
		return result;
	return error_client(error, E_QUOTA_EXCEEDED,
			    "The responses stored for the account's Idempotency-Keys may have at "
			    "most %lld MB a day.",
			    (long long)(most_bytes >> 20));
}

enum result idempotency_forget(struct db *db, struct instant oldest, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("DELETE FROM idempotency_keys WHERE created_at < ? "
			    "ORDER BY created_at LIMIT 10000"));
	sql_add(&sql, oldest);
	return db_write(db, &sql, NULL, error);
}
