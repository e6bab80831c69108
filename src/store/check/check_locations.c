#include "store/check/check_locations.h"

#include "base/str.h"

static enum result add_location(struct db *db, const struct check_location *location,
				struct error *error)
{
	struct sql_build sql;
	/* Lock the row of location 0, so that no other transaction computes the same id. */
	enum result result = check_location_add_own(db, error);
	if (result != OK)
		return result;
	sql_start(&sql, SQL("INSERT INTO check_locations (id, account_id, name, seen_at) "
			    "SELECT MAX(id) + 1, ?, ?, UTC_TIMESTAMP() FROM check_locations "
			    "HAVING EXISTS (SELECT 1 FROM monitors m JOIN monitor_checks k "
			    "ON k.monitor_id = m.id WHERE " CHECK_IS_OF_LOCATION
			    ") ON DUPLICATE KEY UPDATE seen_at = VALUES(seen_at)"));
	check_location_bind(&sql, location);
	check_location_bind(&sql, location);
	return db_write(db, &sql, NULL, error);
}

static enum result reconnect(struct db *db, const struct check_location *location,
			     struct instant since, const struct event_source *source,
			     struct error *error)
{
	const struct event_change change = { .kind = EVENT_CHECKER_RECONNECTED,
					     .account_id = location->account_id,
					     .object_id = location->account_id,
					     .detail = location->name,
					     .starts_at = since,
					     .ends_at = source->now };
	return event_append(db, source, &change, 1, error);
}

enum result check_location_see(struct db *db, struct check_location *location,
			       const struct event_source *source, struct error *error)
{
	struct seen {
		int64_t id;
		bool is_recent;
		struct instant cut_off_since;
	} seen = { 0 };
	static const struct field rows[] = { FIELD(struct seen, id), FIELD(struct seen, is_recent),
					     FIELD(struct seen, cut_off_since) };
	struct sql_build find, sql;
	sql_start(&find,
		  SQL("SELECT id, COALESCE(seen_at > UTC_TIMESTAMP() - INTERVAL 3 SECOND, 0) "
		      "AS is_recent, cut_off_since FROM check_locations WHERE account_id = ? AND "
		      "name = ? "
		      "FOR UPDATE"));
	check_location_bind(&find, location);
	enum result result = db_read_one(db, &find, FIELDS(rows), &seen, NULL, error);
	if (result == E_NOT_FOUND) {
		result = add_location(db, location, error);
		if (result == OK)
			result = db_read_one(db, &find, FIELDS(rows), &seen, NULL, error);
	}
	if (result != OK)
		return result;
	location->id = seen.id;
	if (seen.is_recent)
		return OK;
	sql_start(&sql, SQL("UPDATE check_locations SET seen_at = UTC_TIMESTAMP(), "
			    "cut_off_since = NULL WHERE id = ?"));
	sql_add(&sql, seen.id);
	result = db_write(db, &sql, NULL, error);
	return result == OK && seen.cut_off_since.s > 0
		       ? reconnect(db, location, seen.cut_off_since, source, error)
		       : result;
}

struct silent_location {
	int64_t id;
	int64_t account_id;
	const char *name;
	struct instant seen_at;
};

static enum result find_silent(struct db *db, struct arena *arena, struct db_list *found,
			       struct error *error)
{
#define SILENT(member) FIELD(struct silent_location, member)
	static const struct field rows[] = { SILENT(id), SILENT(account_id), SILENT(name),
					     SILENT(seen_at) };
#undef SILENT
	struct sql_build sql;
	sql_start(&sql,
		  SQL("SELECT l.id, l.account_id, l.name, l.seen_at FROM check_locations l "
		      "WHERE l.id > 0 AND l.cut_off_since IS NULL "
		      "AND l.seen_at < UTC_TIMESTAMP() - INTERVAL ? SECOND AND EXISTS (SELECT 1 "
		      "FROM monitors m JOIN monitor_checks k ON k.monitor_id = m.id "
		      "WHERE m.account_id = l.account_id AND k.type > 0 AND m.is_paused = 0 "
		      "AND m.retired_at IS NULL AND m.removed_at IS NULL "
		      "AND FIND_IN_SET(l.name, REPLACE(k.locations, ' ', '')) > 0) "
		      "ORDER BY l.id LIMIT ? FOR UPDATE"));
	sql_add(&sql, CHECK_LOCATION_CUT_OFF_S, CUT_OFF_LOCATIONS_MAX);
	return db_read_list(db, &sql,
			    DB_SHAPE(FIELDS(rows), struct silent_location, CUT_OFF_LOCATIONS_MAX),
			    arena, found, error);
}

enum result check_locations_cut_off(struct db *db, const struct event_source *source,
				    struct arena *arena, struct error *error)
{
	struct event_change changes[CUT_OFF_LOCATIONS_MAX];
	int64_t ids[CUT_OFF_LOCATIONS_MAX];
	struct sql_build sql;
	struct db_list found = { 0 };
	enum result result = find_silent(db, arena, &found, error);
	const struct silent_location *rows = found.rows;
	if (result != OK || found.count == 0 || !source)
		return result;
	for (size_t i = 0; i < found.count; i++) {
		ids[i] = rows[i].id;
		changes[i] = (struct event_change){ .kind = EVENT_CHECKER_CUT_OFF,
						    .account_id = rows[i].account_id,
						    .object_id = rows[i].account_id,
						    .detail = rows[i].name,
						    .starts_at = rows[i].seen_at };
	}
	sql_start(&sql, SQL("UPDATE check_locations SET cut_off_since = seen_at WHERE id IN ("));
	sql_list_ints(&sql, ids, found.count, arena);
	sql_add(&sql, SQL(")"));
	result = db_write(db, &sql, NULL, error);
	return result == OK ? event_append(db, source, changes, found.count, error) : result;
}

enum result check_location_mark(struct db *db, const struct check_location *location,
				struct checked_mark *mark, struct error *error)
{
	static const struct field rows[] = { FIELD(struct checked_mark, total),
					     FIELD(struct checked_mark, sum),
					     FIELD(struct checked_mark, newest) };
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT COUNT(*) AS total, CAST(COALESCE(SUM(UNIX_TIMESTAMP("
			    "GREATEST(k.changed_at, m.updated_at))), 0) AS SIGNED) AS sum, "
			    "MAX(GREATEST(k.changed_at, m.updated_at)) AS newest "
			    "FROM monitor_checks k JOIN monitors m ON m.id = k.monitor_id "
			    "WHERE k.type > 0 AND m.retired_at IS NULL AND m.removed_at IS NULL "
			    "AND " CHECK_IS_OF_LOCATION));
	check_location_bind(&sql, location);
	return db_read_one(db, &sql, FIELDS(rows), mark, NULL, error);
}

enum result check_votings_read(struct db *db, struct instant since, struct arena *arena,
			       struct check_votings *list, struct error *error)
{
#define VOTING(member) FIELD(struct check_voting, member)
	static const struct field rows[] = {
		VOTING(monitor_id),  VOTING(location),	    VOTING(phase),	VOTING(since),
		VOTING(checked_at),  VOTING(failing_since), VOTING(well_since), VOTING(is_slow),
		VOTING(response_ms), VOTING(cause),	    VOTING(voted_at),
	};
#undef VOTING
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT s.monitor_id, l.name AS location, s.phase, s.since, "
			    "s.checked_at, s.failing_since, s.well_since, s.is_slow, "
			    "s.response_ms, s.cause, "
			    "s.voted_at FROM monitor_states s JOIN check_locations l "
			    "ON l.id = s.location_id WHERE s.voted_at >= ? "
			    "ORDER BY s.voted_at LIMIT ?"));
	sql_add(&sql, since, CHECK_VOTINGS_MAX);
	return db_read_into(db, &sql, FIELDS(rows), DB_INTO(list, CHECK_VOTINGS_MAX), arena, error);
}

enum { NAMED_MAX = 10000 };
struct named_locations {
	int64_t account_id;
	const char *locations;
};

static enum result read_named(struct db *db, struct arena *arena, struct db_list *found,
			      struct error *error)
{
	static const struct field rows[] = { FIELD(struct named_locations, account_id),
					     FIELD(struct named_locations, locations) };
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT DISTINCT k.account_id, k.locations FROM monitor_checks k "
			    "JOIN monitors m ON m.id = k.monitor_id WHERE k.type > 0 "
			    "AND k.locations IS NOT NULL AND m.is_paused = 0 "
			    "AND m.retired_at IS NULL AND m.removed_at IS NULL "
			    "ORDER BY k.account_id, k.locations LIMIT ?"));
	sql_add(&sql, NAMED_MAX);
	return db_read_list(db, &sql, DB_SHAPE(FIELDS(rows), struct named_locations, NAMED_MAX),
			    arena, found, error);
}

static enum result read_silences(struct db *db, struct arena *arena, struct db_list *found,
				 struct error *error)
{
	static const struct field rows[] = { FIELD(struct lost_location, name),
					     FIELD(struct lost_location, account_id),
					     FIELD(struct lost_location, silent_s) };
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT name, account_id, TIMESTAMPDIFF(SECOND, seen_at, "
			    "UTC_TIMESTAMP()) AS silent_s FROM check_locations "
			    "WHERE id > 0 AND seen_at IS NOT NULL ORDER BY id LIMIT ?"));
	sql_add(&sql, NAMED_MAX);
	return db_read_list(db, &sql, DB_SHAPE(FIELDS(rows), struct lost_location, NAMED_MAX),
			    arena, found, error);
}

static const struct lost_location *find(const struct lost_location *rows, size_t count,
					int64_t account_id, struct str name)
{
	for (size_t i = 0; i < count; i++)
		if (rows[i].account_id == account_id && str_eq_nocase(str_from(rows[i].name), name))
			return &rows[i];
	return NULL;
}

/* Adds the location to the list if its checker has sent no request for CHECK_LOCATION_LOST_S
 * seconds, and if the list does not have the location yet. */
static void add_lost(struct lost_locations *list, const struct db_list *silences,
		     int64_t account_id, struct str name, struct arena *arena)
{
	const struct lost_location *known = find(silences->rows, silences->count, account_id, name);
	if (known && known->silent_s <= CHECK_LOCATION_LOST_S)
		return;
	if (list->count == LOST_LOCATIONS_MAX || find(list->rows, list->count, account_id, name))
		return;
	list->rows[list->count++] =
		(struct lost_location){ .name = arena_strndup(arena, name.data, name.len),
					.account_id = account_id,
					.silent_s = known ? known->silent_s : -1 };
}

enum result lost_locations_read(struct db *db, struct arena *arena, struct lost_locations *list,
				struct error *error)
{
	struct db_list named = { 0 }, silences = { 0 };
	*list = (struct lost_locations){ .rows = ARENA_ARRAY(arena, LOST_LOCATIONS_MAX,
							     struct lost_location) };
	enum result result = read_named(db, arena, &named, error);
	if (result == OK && named.count > 0)
		result = read_silences(db, arena, &silences, error);
	const struct named_locations *rows = named.rows;
	for (size_t i = 0; result == OK && i < named.count; i++) {
		struct str rest = str_from(rows[i].locations), name;
		while (check_location_take(&rest, &name))
			if (!str_eq_nocase(name, str_from(CHECK_LOCATION_CENTRE)))
				add_lost(list, &silences, rows[i].account_id, name, arena);
	}
	return result;
}
