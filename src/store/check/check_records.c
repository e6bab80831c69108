/* Stores the states of checked monitors, with their hours. */
#include <stdlib.h>

#include "store/check/check_store.h"
#include "store/page/publication.h"

enum {
	SCRATCH_MAX_BYTES = 64 << 20,
	PART = 512, /* most statements have at most this number of ids or rows */
};

/* Adds a number to the arguments, limited to the values from 0 to the maximum of an INT column. */
static void add_int(struct sql_build *sql, int64_t number)
{
	sql_add(sql, number < 0 ? 0 : number > INT32_MAX ? INT32_MAX : number);
}

#define STATE_MARKS "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
static const struct sql_rows state_rows = {
	.first = { "(" STATE_MARKS "?, ?)" },
	.next = { ", (" STATE_MARKS "?, ?)" },
	.repeats_last = true,
};
static const struct sql_rows record_rows = {
	.first = { "(" STATE_MARKS "?, ?, ?)" },
	.next = { ", (" STATE_MARKS "?, ?, ?)" },
	.repeats_last = true,
};
static const struct sql_rows vote_rows = {
	.first = { "(?, UTC_TIMESTAMP(), " STATE_MARKS "?, ?, ?)" },
	.next = { ", (?, UTC_TIMESTAMP(), " STATE_MARKS "?, ?, ?)" },
	.repeats_last = true,
};

static void add_state(struct sql_build *sql, int64_t monitor_id, const struct check_state *state)
{
	sql_add(sql, monitor_id, state->phase, state->since, state->checked_at,
		state->failing_since, state->well_since);
	add_int(sql, state->failures);
	add_int(sql, state->successes);
	sql_add(sql, state->is_slow);
	add_int(sql, state->changes);
	sql_add(sql, state->changes_since, state->is_flapping);
	add_int(sql, state->response_ms);
	sql_add(sql, state->cause[0] ? state->cause : NULL);
}

#define STATE_COLUMNS \
	"monitor_id, phase, since, checked_at, failing_since, well_since, failures, successes, " \
	"is_slow, changes, changes_since, is_flapping, response_ms, cause, "
#define RECORD_COLUMNS STATE_COLUMNS "tls_expires_at, tls_seen_at, tls_issuer) VALUES "
#define VALUE_OF(name) name " = VALUES(" name "), "
#define STATE_UPDATES \
	" ON DUPLICATE KEY UPDATE " VALUE_OF("phase") VALUE_OF("since") VALUE_OF("checked_at") \
		VALUE_OF("failing_since") VALUE_OF("well_since") VALUE_OF("failures") \
			VALUE_OF("successes") VALUE_OF("is_slow") VALUE_OF("changes") \
				VALUE_OF("changes_since") VALUE_OF("is_flapping") \
					VALUE_OF("response_ms") VALUE_OF("cause")

/* Stores the states as the votes of the location. If `location` is NULL, stores them as the states
 * of the monitors. */
static enum result store_states(struct db *db, const struct check_location *location,
				const struct check_record *const *rows, size_t count,
				struct error *error)
{
	const struct sql_rows *shape = location ? &vote_rows : &record_rows;
	struct arena scratch CLEANUP(arena_done);
	enum result result = OK;
	arena_init(&scratch, SCRATCH_MAX_BYTES);
	for (size_t from = 0, size; result == OK && from < count; from += size) {
		struct sql_build sql;
		size = sql_rows_chunk(shape, count - from);
		sql_start(&sql, location ? SQL("INSERT INTO monitor_states (location_id, "
					       "voted_at, " RECORD_COLUMNS)
					 : SQL("INSERT INTO monitor_states (" RECORD_COLUMNS));
		sql_rows_begin(&sql, shape, size, &scratch);
		for (size_t i = from; i < from + size; i++) {
			if (location)
				sql_add(&sql, location->id);
			add_state(&sql, rows[i]->monitor_id, &rows[i]->state);
			sql_add(&sql, rows[i]->tls_expires_at, rows[i]->tls_seen_at,
				rows[i]->tls_issuer[0] ? rows[i]->tls_issuer : NULL);
		}
		sql_rows_end(&sql);
		sql_add(&sql,
			SQL(STATE_UPDATES
			    "tls_expires_at = COALESCE(VALUES(tls_expires_at), tls_expires_at), "
			    "tls_seen_at = COALESCE(VALUES(tls_seen_at), tls_seen_at), "
			    "tls_issuer = COALESCE(VALUES(tls_issuer), tls_issuer)"));
		if (location)
			sql_add(&sql, SQL(", voted_at = VALUES(voted_at)"));
		result = db_write(db, &sql, NULL, error);
		arena_reset(&scratch);
	}
	return result;
}

enum result check_reported_store(struct db *db, const struct check_reported_state *rows,
				 size_t count, struct error *error)
{
	struct arena scratch CLEANUP(arena_done);
	enum result result = OK;
	arena_init(&scratch, SCRATCH_MAX_BYTES);
	for (size_t from = 0, size; result == OK && from < count; from += size) {
		struct sql_build sql;
		size = sql_rows_chunk(&state_rows, count - from);
		sql_start(&sql, SQL("INSERT INTO monitor_states (" STATE_COLUMNS
				    "reported, reported_since) VALUES "));
		sql_rows_begin(&sql, &state_rows, size, &scratch);
		for (size_t i = from; i < from + size; i++) {
			add_state(&sql, rows[i].monitor_id, rows[i].state);
			sql_add(&sql, rows[i].reported.kind, rows[i].reported.since);
		}
		sql_rows_end(&sql);
		sql_add(&sql, SQL(STATE_UPDATES "reported = VALUES(reported), "
						"reported_since = VALUES(reported_since)"));
		result = db_write(db, &sql, NULL, error);
		arena_reset(&scratch);
	}
	return result;
}

/* Sets *there to the sorted ids of the monitors that exist. If `location` is not NULL, omits
 * monitors that do not belong to the location. */
static enum result find_there(struct db *db, const struct check_location *location,
			      const struct id_list *ids, struct arena *arena, struct id_list *there,
			      struct error *error)
{
	static const struct field rows[] = { FIELD(struct check_record, monitor_id) };
	there->ids = ARENA_ARRAY(arena, ids->count, int64_t);
	there->count = 0;
	enum result result = OK;
	for (size_t from = 0, size; result == OK && from < ids->count; from += size) {
		struct sql_build sql;
		struct db_rows *found CLEANUP(db_rows_cleanup) = NULL;
		struct check_record row;
		size = ids->count - from < PART ? ids->count - from : PART;
		if (location) {
			sql_start(&sql, SQL("SELECT m.id AS monitor_id FROM monitors m "
					    "JOIN monitor_checks k ON k.monitor_id = m.id "
					    "WHERE " CHECK_IS_OF_LOCATION "AND m.id IN ("));
			check_location_bind(&sql, location);
		} else {
			sql_start(&sql, SQL("SELECT m.id AS monitor_id FROM monitors m "
					    "WHERE m.id IN ("));
		}
		sql_list_ints(&sql, ids->ids + from, size, arena);
		sql_add(&sql, SQL(") ORDER BY m.id LIMIT ?"), PART);
		result = db_read(db, &sql, &found, error);
		while (result == OK && db_next(found, FIELDS(rows), &row, arena))
			there->ids[there->count++] = row.monitor_id;
	}
	return result;
}

static int by_hour(const void *a, const void *b)
{
	const struct checked_hour *left = a, *right = b;
	int order = id_order(&left->hour.hour.s, &right->hour.hour.s);
	return order ? order : id_order(&left->monitor_id, &right->monitor_id);
}

static int by_monitor(const void *a, const void *b)
{
	return id_order(&(*(const struct check_record *const *)a)->monitor_id,
			&(*(const struct check_record *const *)b)->monitor_id);
}

struct storing {
	const char *holder;
	const struct check_location *location; /* the location of the votes; NULL: the states of the
						  monitors are stored */
	const struct check_batch *batch;
};

/* Returns E_RETRY if a monitor was deleted after find_there() had found it: the transaction then
 * runs again. Otherwise returns `result`. */
static enum result again_if_deleted(struct db *db, enum result result)
{
	enum { MISSING_PARENT = 1452 };
	return result == E_FAILED && db_errno(db) == MISSING_PARENT ? E_RETRY : result;
}

/*
 * Copies the certificates from the location's votes to the states of monitors. A monitor's
 * certificate comes from one location: the installation's own checker, if it checks the monitor,
 * otherwise the first location in the monitor's settings.
 */
static enum result take_certificates(struct db *db, const struct check_location *location,
				     const struct check_batch *batch, struct error *error)
{
	struct arena scratch CLEANUP(arena_done);
	struct sql_build sql;
	size_t count = 0;
	arena_init(&scratch, SCRATCH_MAX_BYTES);
	int64_t *ids = ARENA_ARRAY(&scratch, batch->count, int64_t);
	for (size_t i = 0; i < batch->count; i++)
		if (batch->records[i].tls_expires_at.s > 0)
			ids[count++] = batch->records[i].monitor_id;
	if (count == 0)
		return OK;
	sql_start(&sql, SQL("UPDATE monitor_states v "
			    "JOIN monitor_checks k ON k.monitor_id = v.monitor_id "
			    "JOIN monitor_states s ON s.monitor_id = v.monitor_id "
			    "AND s.location_id = 0 SET s.tls_expires_at = v.tls_expires_at, "
			    "s.tls_seen_at = v.tls_seen_at, s.tls_issuer = v.tls_issuer "
			    "WHERE v.location_id = ? AND k.account_id = ? "
			    "AND TRIM(SUBSTRING_INDEX(k.locations, ',', 1)) = ? "
			    "AND FIND_IN_SET('" CHECK_LOCATION_CENTRE
			    "', REPLACE(k.locations, ' ', '')) = 0 AND v.monitor_id IN ("));
	sql_add(&sql, location->id);
	check_location_bind(&sql, location);
	sql_list_ints(&sql, ids, count, &scratch);
	sql_add(&sql, SQL(")"));
	return db_write(db, &sql, NULL, error);
}

static enum result store_rows(struct db *db, const struct storing *storing, struct error *error)
{
	const struct check_batch *batch = storing->batch;
	struct arena scratch CLEANUP(arena_done);
	struct id_list ids = { 0 }, there = { 0 };
	size_t states = 0, hours = 0;
	arena_init(&scratch, SCRATCH_MAX_BYTES);
	const struct check_record **records =
		ARENA_ARRAY(&scratch, batch->count, const struct check_record *);
	struct checked_hour *kept = ARENA_ARRAY(&scratch, batch->hour_count, struct checked_hour);
	ids.ids = ARENA_ARRAY(&scratch, batch->count + batch->hour_count, int64_t);
	for (size_t i = 0; i < batch->count; i++)
		ids.ids[ids.count++] = batch->records[i].monitor_id;
	for (size_t i = 0; i < batch->hour_count; i++)
		ids.ids[ids.count++] = batch->hours[i].monitor_id;
	id_list_settle(&ids);
	enum result result = find_there(db, storing->location, &ids, &scratch, &there, error);
	if (result != OK)
		return result;
	for (size_t i = 0; i < batch->count; i++)
		if (id_list_has(&there, batch->records[i].monitor_id))
			records[states++] = &batch->records[i];
	for (size_t i = 0; i < batch->hour_count; i++)
		if (id_list_has(&there, batch->hours[i].monitor_id))
			kept[hours++] = batch->hours[i];
	/* All writers of these rows lock them in this order. */
	qsort(records, states, sizeof(*records), by_monitor);
	qsort(kept, hours, sizeof(*kept), by_hour);
	result = store_states(db, storing->location, records, states, error);
	if (result == OK && storing->location)
		result = take_certificates(db, storing->location, batch, error);
	if (result == OK)
		result = check_hours_store(db, kept, hours, error);
	return again_if_deleted(db, result);
}

static enum result store_work(struct db *db, void *context, struct error *error)
{
	const struct storing *storing = context;
	enum result result = check_lease_hold(db, storing->holder, error);
	return result == OK ? store_rows(db, storing, error) : result;
}

enum result check_votes_store(struct db *db, const struct check_location *location,
			      const struct check_batch *batch, struct error *error)
{
	const struct storing storing = { .location = location, .batch = batch };
	return store_rows(db, &storing, error);
}

enum result check_records_store(struct db *db, const char *holder, const struct check_batch *batch,
				struct error *error)
{
	struct storing storing = { .holder = holder, .batch = batch };
	return db_transact(db, DB_WRITE, store_work, &storing, error);
}

static const struct sql_rows beginning_rows = {
	.first = { "SELECT CAST(? AS SIGNED) AS id, CAST(? AS DATETIME) AS since" },
	.next = { " UNION ALL SELECT CAST(? AS SIGNED), CAST(? AS DATETIME)" },
};

enum result check_beginnings_store(struct db *db, const struct check_beginning *rows, size_t count,
				   struct instant now, struct error *error)
{
	struct arena scratch CLEANUP(arena_done);
	enum result result = OK;
	arena_init(&scratch, SCRATCH_MAX_BYTES);
	struct publication_shown shown = {
		.monitors = { ARENA_ARRAY(&scratch, count, int64_t), 0 },
		.now = now,
	};
	for (size_t from = 0, size; result == OK && from < count; from += size) {
		struct sql_build sql;
		size = sql_rows_chunk(&beginning_rows, count - from);
		sql_start(&sql, SQL("UPDATE ("));
		sql_rows_begin(&sql, &beginning_rows, size, &scratch);
		for (size_t i = from; i < from + size; i++) {
			sql_add(&sql, rows[i].monitor_id, rows[i].since);
			shown.monitors.ids[shown.monitors.count++] = rows[i].monitor_id;
		}
		sql_rows_end(&sql);
		sql_add(&sql, SQL(") given STRAIGHT_JOIN monitors m FORCE INDEX (PRIMARY) "
				  "ON m.id = given.id SET m.known_since = given.since "
				  "WHERE m.known_since IS NULL"));
		result = db_write(db, &sql, NULL, error);
	}
	return result == OK && count > 0 ? publication_mark_shown(db, &shown, &scratch, error)
					 : result;
}
