#include "store/page/domain_claim.h"

#include "store/page/publication.h"

#define KEY_NAME "domain_proof"

struct secret_row {
	const char *value;
};
static const struct field secret_rows[] = { FIELD(struct secret_row, value) };

static enum result find_key(struct db *db, struct arena *arena, const char **value,
			    struct error *error)
{
	struct secret_row row = { 0 };
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT value FROM secrets WHERE name = ? ORDER BY name LIMIT 1"),
		  KEY_NAME);
	enum result result = db_read_one(db, &sql, FIELDS(secret_rows), &row, arena, error);
	*value = row.value;
	return result;
}

static enum result make_key(struct db *db, struct instant now, struct arena *arena,
			    struct error *error)
{
	uint8_t key[SECRET_HASH_BYTES];
	struct sql_build sql;
	secret_random(key, sizeof(key));
	sql_start(&sql, SQL("INSERT INTO secrets (name, value, created_at) VALUES (?, ?, ?)"),
		  KEY_NAME, secret_to_hex(arena, key, sizeof(key)), now);
	enum result result = db_write(db, &sql, NULL, error);
	/* E_CONFLICT: another process has stored its key in the meantime. That key is used. */
	return result == E_CONFLICT ? OK : result;
}

enum result domain_key_read(struct db *db, struct instant now, struct arena *arena,
			    uint8_t key[SECRET_HASH_BYTES], struct error *error)
{
	const char *value;
	enum result result = find_key(db, arena, &value, error);
	if (result == E_NOT_FOUND) {
		result = make_key(db, now, arena, error);
		if (result == OK)
			result = find_key(db, arena, &value, error);
	}
	if (result == OK && !secret_from_hex(str_from(value), key, SECRET_HASH_BYTES))
		return error_log(error, E_FAILED, "the key of domain proofs is damaged");
	return result;
}

#define ACCOUNT_COUNT \
	"(SELECT COUNT(*) FROM (SELECT id FROM accounts WHERE removed_at IS NULL ORDER BY id " \
	"LIMIT 2) few) AS " \
	"account_count "

enum result domain_standing_read(struct db *db, int64_t account_id, int64_t page_id,
				 struct arena *arena, struct domain_standing *standing,
				 struct error *error)
{
	static const struct field standing_rows[] = {
		FIELD(struct domain_standing, account_count),
		FIELD(struct domain_standing, key),
		FIELD(struct domain_standing, domain),
		FIELD(struct domain_standing, missing_since),
	};
	struct sql_build sql;
	*standing = (struct domain_standing){ 0 };
	sql_start(&sql, SQL("SELECT " ACCOUNT_COUNT ", s.value AS `key`, p.domain, "
			    "p.domain_missing_since AS missing_since FROM (SELECT 1 AS one) single "
			    "LEFT JOIN secrets s ON s.name = ? "
			    "LEFT JOIN status_pages p ON p.id = ? AND p.account_id = ? LIMIT 1"));
	sql_add(&sql, KEY_NAME, page_id, account_id);
	return db_read_one(db, &sql, FIELDS(standing_rows), standing, arena, error);
}

enum result domain_has_accounts(struct db *db, bool *is_several, struct error *error)
{
	int64_t account_count = 0;
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT " ACCOUNT_COUNT));
	enum result result = db_read_int(db, &sql, &account_count, error);
	*is_several = account_count > 1;
	return result;
}

enum result domain_claim_read(struct db *db, const struct domain_claim_query *query,
			      struct arena *arena, struct domain_claim_list *list,
			      struct error *error)
{
#define CLAIM(member) FIELD(struct domain_claim, member)
#define PROOF(member) FIELD_NAMED(struct domain_claim, proof.member, "domain_" #member)
	static const struct field claim_rows[] = {
		CLAIM(page_id),	   CLAIM(account_id),	 CLAIM(account),
		CLAIM(slug),	   CLAIM(domain),	 PROOF(proven_at),
		PROOF(checked_at), PROOF(missing_since), PROOF(lost_at),
	};
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT p.id AS page_id, p.account_id, a.name AS account, p.slug, "
			    "p.domain, p.domain_proven_at, p.domain_checked_at, "
			    "p.domain_missing_since, p.domain_lost_at FROM status_pages p "
			    "JOIN accounts a ON a.id = p.account_id WHERE p.domain IS NOT NULL "));
	if (query->domain)
		sql_add(&sql, SQL("AND p.domain = ? "), query->domain);
	if (query->choice == DOMAIN_CLAIMS_DUE) {
		sql_add(&sql, SQL("AND (p.domain_checked_at IS NULL OR p.domain_checked_at < ?) "
				  "ORDER BY p.domain_checked_at, p.id LIMIT 100"));
		sql_add(&sql, query->before);
	} else {
		sql_add(&sql, SQL("AND p.id > ? "), query->after_id);
		if (query->choice == DOMAIN_CLAIMS_MISSING)
			sql_add(&sql, SQL("AND p.domain_missing_since IS NOT NULL "));
		sql_add(&sql, SQL("ORDER BY p.id LIMIT 100"));
	}
	return db_read_into(db, &sql, FIELDS(claim_rows), DB_INTO(list, DOMAIN_CLAIMS_MAX), arena,
			    error);
}

enum result domain_claim_note(struct db *db, const struct domain_claim_change *change,
			      bool *is_noted, struct error *error)
{
	struct db_done done = { 0 };
	const struct domain_claim *claim = change->claim;
	const struct domain_proof *proof = &claim->proof;
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE status_pages p LEFT JOIN page_revisions r ON r.page_id = p.id "
			    "SET domain_proven_at = ?, domain_checked_at = ?, "
			    "domain_missing_since = ?, domain_lost_at = ?"));
	sql_add(&sql, proof->proven_at, proof->checked_at, proof->missing_since, proof->lost_at);
	if (change->has_turned)
		sql_add(&sql, SQL(", version = version + 1, " PUBLICATION_MARK_DIRTY), change->now);
	sql_add(&sql, SQL(" WHERE p.id = ? AND domain = ? AND domain_checked_at <=> ?"),
		claim->page_id, claim->domain, change->before);
	enum result result = db_write(db, &sql, &done, error);
	*is_noted = result == OK && done.rows > 0;
	return result;
}

enum result domain_claim_take(struct db *db, const char *domain, int64_t page_id,
			      struct instant now, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE status_pages p LEFT JOIN page_revisions r ON r.page_id = p.id "
			    "SET domain = NULL, domain_proven_at = NULL, "
			    "domain_checked_at = NULL, domain_missing_since = NULL, "
			    "domain_lost_at = NULL, version = version + 1, " PUBLICATION_MARK_DIRTY
			    "WHERE domain = ? AND p.id <> ? AND domain_lost_at IS NOT NULL"));
	sql_add(&sql, now, domain, page_id);
	return db_write(db, &sql, NULL, error);
}
