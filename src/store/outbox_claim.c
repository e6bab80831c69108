/* How a reader claims, finishes and deletes rows of the outbox. */
#include "store/outbox.h"

enum { PRUNED_ROWS = 512 };

/* A row is due from due_at on. It is also due if due_at is more than OUTBOX_LEASE_MAX_S in the
 * future, because a wrong clock has then set due_at. */
#define IS_DUE "(due_at <= ? OR due_at > ?) "

static void bind_due(struct sql_build *sql, struct instant now)
{
	sql_add(sql, now, (struct instant){ now.s + OUTBOX_LEASE_MAX_S });
}

/* Finds the committed rows that may be claimed now. Locks nothing. */
static enum result find_due(struct db *db, const struct outbox_claim *claim, size_t most,
			    struct arena *arena, struct id_list *ids, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT id FROM outbox WHERE is_expanded = 0 AND " IS_DUE "AND at > ? "
			    "ORDER BY due_at, id LIMIT ?"));
	bind_due(&sql, claim->now);
	sql_add(&sql, (struct instant){ claim->now.s - OUTBOX_CLAIMABLE_S }, (int64_t)most);
	enum result result = db_read_ids(db, &sql, most, arena, ids, error);
	id_list_settle(ids);
	return result;
}

enum result outbox_claim(struct db *db, const struct outbox_claim *claim, size_t most,
			 struct arena *arena, struct db_list *rows, struct error *error)
{
#define ROW(member) FIELD(struct outbox_row, member)
	static const struct field fields[] = { ROW(id), ROW(account_id), ROW(kind), ROW(object_id),
					       ROW(at), ROW(payload),	 ROW(tries) };
	const struct instant latest = { claim->now.s + OUTBOX_LEASE_MAX_S };
	struct id_list ids = { 0 };
	struct sql_build sql;
	*rows = (struct db_list){ 0 };
	most = most < OUTBOX_CLAIM_MAX ? most : OUTBOX_CLAIM_MAX;
	enum result result = find_due(db, claim, most, arena, &ids, error);
	if (result != OK || ids.count == 0)
		return result;
	/* IS_DUE skips rows that another reader has claimed since find_due(). */
	sql_start(&sql, SQL("UPDATE outbox FORCE INDEX (PRIMARY) SET claim = ?, due_at = ?, tries "
			    "= tries + 1 "
			    "WHERE is_expanded = 0 AND " IS_DUE "AND id IN ("));
	sql_add(&sql, claim->claim, claim->until.s < latest.s ? claim->until : latest);
	bind_due(&sql, claim->now);
	sql_list_ints(&sql, ids.ids, ids.count, arena);
	sql_add(&sql, SQL(")"));
	result = db_write(db, &sql, NULL, error);
	if (result != OK)
		return result;
	sql_start(&sql, SQL("SELECT id, account_id, kind, object_id, at, payload, tries "
			    "FROM outbox WHERE claim = ? AND id IN ("));
	sql_add(&sql, claim->claim);
	sql_list_ints(&sql, ids.ids, ids.count, arena);
	sql_add(&sql, SQL(") ORDER BY id LIMIT ?"), (int64_t)most);
	return db_read_list(db, &sql, DB_SHAPE(FIELDS(fields), struct outbox_row, most), arena,
			    rows, error);
}

/* Runs the statement for the rows `ids` that still have the claim, in lists that fit into a
 * statement. If has_time is true, the first argument of the statement is claim->now. */
static enum result for_claimed(struct db *db, const struct outbox_claim *claim, struct sql text,
			       bool has_time, const struct id_list *ids, struct error *error)
{
	struct arena scratch CLEANUP(arena_done);
	enum result result = OK;
	arena_init(&scratch, 1 << 20);
	for (size_t from = 0, size; result == OK && from < ids->count; from += size) {
		struct sql_build sql;
		size = sql_rows_chunk(&sql_list, ids->count - from);
		sql_start(&sql, text);
		if (has_time)
			sql_add(&sql, claim->now);
		sql_add(&sql, claim->claim);
		sql_list_ints(&sql, ids->ids + from, size, &scratch);
		sql_add(&sql, SQL(")"));
		result = db_write(db, &sql, NULL, error);
	}
	return result;
}

enum result outbox_keep_for_subscribers(struct db *db, const struct outbox_claim *claim,
					const struct id_list *ids, struct error *error)
{
	return for_claimed(db, claim,
			   SQL("UPDATE outbox SET subscribers_after = 0 WHERE EXISTS (SELECT 1 "
			       "FROM subscribers s WHERE s.account_id = outbox.account_id "
			       "AND s.confirmed_at IS NOT NULL) AND claim = ? AND id IN ("),
			   false, ids, error);
}

enum result outbox_finish(struct db *db, const struct outbox_claim *claim,
			  const struct id_list *ids, struct error *error)
{
	enum result result = for_claimed(
		db, claim,
		SQL("UPDATE outbox SET is_expanded = 1, due_at = ? WHERE (EXISTS (SELECT 1 "
		    "FROM deliveries d WHERE d.outbox_id = outbox.id) "
		    "OR subscribers_after IS NOT NULL) AND claim = ? AND id IN ("),
		true, ids, error);
	return result == OK ? for_claimed(db, claim,
					  SQL("DELETE FROM outbox WHERE is_expanded = 0 "
					      "AND claim = ? AND id IN ("),
					  false, ids, error)
			    : result;
}

enum result outbox_prune(struct db *db, struct instant now, bool *is_more, struct error *error)
{
	struct sql_build sql;
	struct db_done done = { 0 };
	sql_start(&sql, SQL("DELETE FROM outbox WHERE at <= ? AND is_expanded = 0 "
			    "ORDER BY at LIMIT ?"));
	sql_add(&sql, (struct instant){ now.s - OUTBOX_CLAIMABLE_S }, PRUNED_ROWS);
	enum result result = db_write(db, &sql, &done, error);
	*is_more = result == OK && done.rows == PRUNED_ROWS;
	return result;
}
