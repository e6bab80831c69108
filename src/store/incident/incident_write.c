#include "store/incident/incident_write.h"

#include <stdlib.h>

#include "store/incident/incident_columns.h"
#include "store/incident/incident_derived.h"
#include "store/page/publication.h"

/* Enough for the longest texts of the incidents in one statement. */
enum { SCRATCH_MAX_BYTES = 64 << 20 };

/* clang-format off */
#define FIRST_GIVEN(name, type) ", CAST(? AS " #type ") AS " #name
#define NEXT_GIVEN(name, type) ", CAST(? AS " #type ")"
#define SET_MARK(name, type) "i." #name " = ?, "
#define SET_GIVEN(name, type) "i." #name " = given." #name ", "
#define NAME(name, type) #name ", "
#define READ_GIVEN(name, type) "given." #name ", "
#define MARK(name, type) "?, "
#define ROW(name, type) FIELD(struct incident, name),
#define COURSE_ROW(name, type) FIELD(struct incident_monitor, name),

static const struct field moved_rows[] = { MOVED_COLUMNS(ROW) };
static const struct field peoples_rows[] = { PEOPLES_COLUMNS(ROW) };
static const struct field course_rows[] = { COURSE_COLUMNS(COURSE_ROW) };
static const struct field detected_rows[] = { DETECTED_COLUMNS(ROW) };
/* clang-format on */

static void bind(struct sql_build *sql, struct fields fields, const void *row)
{
	for (size_t i = 0; i < fields.count; i++)
		sql_field(sql, &fields.rows[i], row);
}

/* The statement that stores the row of a change. */
enum row_kind { NEW_DETECTED, NEW_REPORTED, CHANGED_IN_PART, CHANGED, REMOVED };

static enum row_kind kind_of(const struct incident_change *change)
{
	if (!change->after)
		return REMOVED;
	if (!change->before)
		return change->after->kind == INCIDENT_DETECTED ? NEW_DETECTED : NEW_REPORTED;
	return change->after->monitors ? CHANGED : CHANGED_IN_PART;
}

static struct incident **changes_of(const struct incident_set *set, enum row_kind kind,
				    struct arena *arena, size_t *count)
{
	struct incident **found = ARENA_ARRAY(arena, set->count - set->stored, struct incident *);
	*count = 0;
	for (size_t i = set->stored; i < set->count; i++)
		if (kind_of(&set->rows[i]) == kind)
			found[(*count)++] = set->rows[i].after;
	return found;
}

static const struct sql_rows detected_given = {
	.first = { "SELECT 1 AS one" DETECTED_COLUMNS(FIRST_GIVEN) },
	.next = { " UNION ALL SELECT 1" DETECTED_COLUMNS(NEXT_GIVEN) },
};

static enum result insert_some(const struct incident_set *set, struct incident *const *incidents,
			       size_t count, struct arena *arena, int64_t *first_id)
{
	struct sql_build sql;
	struct db_done done = { 0 };
	sql_start(&sql, SQL("INSERT INTO incidents (" DETECTED_COLUMNS(
				NAME) "account_id, created_at, updated_at, revision) "
				      "SELECT " DETECTED_COLUMNS(READ_GIVEN) "?, ?, ?, 1 FROM ("));
	sql_add(&sql, set->account_id, set->now, set->now);
	sql_rows_begin(&sql, &detected_given, count, arena);
	for (size_t i = 0; i < count; i++)
		bind(&sql, FIELDS(detected_rows), incidents[i]);
	sql_rows_end(&sql);
	sql_add(&sql, SQL(") given WHERE given.monitor_id IS NOT NULL"));
	enum result result = db_write(set->db, &sql, &done, set->error);
	*first_id = done.id;
	return result;
}

struct inserted {
	int64_t id;
	int64_t monitor_id;
	struct instant started_at;
};

/* Orders by monitor, start and id. Until the ids are read, `id` is the index in the set. */
static int by_start(const void *a, const void *b)
{
	const struct incident *const *left = a, *const *right = b;
	int64_t apart = (*left)->monitor_id - (*right)->monitor_id;
	if (apart == 0)
		apart = (*left)->started_at.s - (*right)->started_at.s;
	if (apart == 0)
		apart = (*left)->id - (*right)->id;
	return (apart > 0) - (apart < 0);
}

/*
 * Reads the ids of the inserted rows. The ids cannot be computed, because a database may leave gaps
 * between the ids of a statement. The monitors are locked, so from first_id on they have only the
 * inserted incidents.
 */
static enum result read_ids(const struct incident_set *set, struct incident *const *incidents,
			    size_t count, struct arena *arena, int64_t first_id)
{
	static const struct field fields[] = { FIELD(struct inserted, id),
					       FIELD(struct inserted, monitor_id),
					       FIELD(struct inserted, started_at) };
	struct sql_build sql;
	struct db_list found;
	int64_t *monitors = ARENA_ARRAY(arena, count, int64_t);
	for (size_t i = 0; i < count; i++)
		monitors[i] = incidents[i]->monitor_id;
	sql_start(&sql, SQL("SELECT i.id, i.monitor_id, i.started_at FROM incidents i "
			    "FORCE INDEX (PRIMARY) WHERE i.id >= ? AND i.account_id = ? "
			    "AND i.monitor_id IN ("));
	sql_add(&sql, first_id, set->account_id);
	sql_list_ints(&sql, monitors, count, arena);
	sql_add(&sql, SQL(") ORDER BY i.monitor_id, i.started_at, i.id LIMIT ?"),
		(int64_t)count + 1);
	enum result result = db_read_list(set->db, &sql,
					  DB_SHAPE(FIELDS(fields), struct inserted, count + 1),
					  arena, &found, set->error);
	const struct inserted *inserted = found.rows;
	bool is_same = result == OK && found.count == count;
	struct incident **sorted = ARENA_ARRAY(arena, count, struct incident *);
	for (size_t i = 0; i < count; i++) {
		sorted[i] = incidents[i];
		sorted[i]->id = (int64_t)i;
	}
	qsort(sorted, count, sizeof(struct incident *), by_start);
	for (size_t i = 0; is_same && i < count; i++) {
		is_same = inserted[i].monitor_id == sorted[i]->monitor_id &&
			  inserted[i].started_at.s == sorted[i]->started_at.s;
		sorted[i]->id = inserted[i].id;
	}
	if (result == OK && !is_same)
		return error_log(set->error, E_FAILED, "incidents differ from those inserted");
	return result;
}

static enum result insert_detected(const struct incident_set *set, struct arena *arena)
{
	enum result result = OK;
	size_t count;
	struct incident **incidents = changes_of(set, NEW_DETECTED, arena, &count);
	for (size_t from = 0, size; result == OK && from < count; from += size) {
		int64_t first_id;
		size = sql_rows_chunk(&detected_given, count - from);
		result = insert_some(set, incidents + from, size, arena, &first_id);
		if (result == OK && size > 1)
			result = read_ids(set, incidents + from, size, arena, first_id);
		else
			incidents[from]->id = first_id;
	}
	return result;
}

/* Inserts each incident by its own statement, because a transaction reports only one incident. */
static enum result insert_reported(const struct incident_set *set, struct arena *arena)
{
	enum result result = OK;
	size_t count;
	struct incident **incidents = changes_of(set, NEW_REPORTED, arena, &count);
	for (size_t i = 0; result == OK && i < count; i++) {
		struct sql_build sql;
		struct db_done done = { 0 };
		sql_start(&sql, SQL("INSERT INTO incidents (" MOVED_COLUMNS(NAME) PEOPLES_COLUMNS(
					NAME) "account_id, names_pages, cause, "
					      "created_at, updated_at, "
					      "revision) "
					      "VALUES (" MOVED_COLUMNS(MARK)
						      PEOPLES_COLUMNS(MARK) "?, ?, '', ?, ?, 1)"));
		bind(&sql, FIELDS(moved_rows), incidents[i]);
		bind(&sql, FIELDS(peoples_rows), incidents[i]);
		sql_add(&sql, set->account_id, incidents[i]->page_ids.count > 0, set->now,
			set->now);
		result = db_write(set->db, &sql, &done, set->error);
		incidents[i]->id = done.id;
	}
	return result;
}

static const struct sql_rows moved_given = {
	.first = { "SELECT CAST(? AS SIGNED) AS id" MOVED_COLUMNS(FIRST_GIVEN) },
	.next = { " UNION ALL SELECT CAST(? AS SIGNED)" MOVED_COLUMNS(NEXT_GIVEN) },
};
static const struct sql_rows whole_given = {
	.first = { "SELECT CAST(? AS SIGNED) AS id" MOVED_COLUMNS(FIRST_GIVEN)
			   PEOPLES_COLUMNS(FIRST_GIVEN) COURSE_COLUMNS(FIRST_GIVEN) },
	.next = { " UNION ALL SELECT CAST(? AS SIGNED)" MOVED_COLUMNS(NEXT_GIVEN)
			  PEOPLES_COLUMNS(NEXT_GIVEN) COURSE_COLUMNS(NEXT_GIVEN) },
};

static void add_given(struct sql_build *sql, bool is_whole, struct incident *const *incidents,
		      size_t count, struct arena *arena)
{
	static const struct incident_monitor none = { 0 };
	sql_rows_begin(sql, is_whole ? &whole_given : &moved_given, count, arena);
	for (size_t i = 0; i < count; i++) {
		bool has_course = incidents[i]->kind == INCIDENT_DETECTED &&
				  incidents[i]->monitor_count > 0;
		sql_add(sql, incidents[i]->id);
		bind(sql, FIELDS(moved_rows), incidents[i]);
		if (!is_whole)
			continue;
		bind(sql, FIELDS(peoples_rows), incidents[i]);
		bind(sql, FIELDS(course_rows), has_course ? &incidents[i]->monitors[0] : &none);
	}
	sql_rows_end(sql);
}

/* Updates incidents. Either all of them were read whole (is_whole), or all were read in part. */
static enum result update_some(const struct incident_set *set, bool is_whole,
			       struct incident *const *incidents, size_t count, struct arena *arena)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE ("));
	add_given(&sql, is_whole, incidents, count, arena);
	sql_add(&sql, SQL(") given STRAIGHT_JOIN incidents i FORCE INDEX (PRIMARY) "
			  "ON i.id = given.id SET " MOVED_COLUMNS(SET_GIVEN)));
	if (is_whole)
		sql_add(&sql, SQL(PEOPLES_COLUMNS(SET_GIVEN) COURSE_COLUMNS(SET_GIVEN)));
	sql_add(&sql, SQL("i.updated_at = ?, i.revision = i.revision + 1 WHERE i.account_id = ?"),
		set->now, set->account_id);
	return db_write(set->db, &sql, NULL, set->error);
}

static enum result update_rows(const struct incident_set *set, bool is_whole, struct arena *arena)
{
	enum result result = OK;
	size_t count;
	struct incident **incidents =
		changes_of(set, is_whole ? CHANGED : CHANGED_IN_PART, arena, &count);
	for (size_t from = 0, size; result == OK && from < count; from += size) {
		size = sql_rows_chunk(is_whole ? &whole_given : &moved_given, count - from);
		result = update_some(set, is_whole, incidents + from, size, arena);
	}
	return result;
}

static enum result delete_rows(const struct incident_set *set, struct arena *arena)
{
	struct id_list ids = { ARENA_ARRAY(arena, set->count - set->stored, int64_t), 0 };
	enum result result = OK;
	for (size_t i = set->stored; i < set->count; i++)
		if (!set->rows[i].after)
			ids.ids[ids.count++] = set->rows[i].before->id;
	id_list_settle(&ids);
	for (size_t from = 0, size; result == OK && from < ids.count; from += size) {
		struct sql_build sql;
		size = sql_rows_chunk(&sql_list, ids.count - from);
		sql_start(&sql, SQL("DELETE FROM incidents WHERE id IN ("));
		sql_list_ints(&sql, ids.ids + from, size, arena);
		sql_add(&sql, SQL(") AND account_id = ?"), set->account_id);
		result = db_write(set->db, &sql, NULL, set->error);
	}
	return result;
}

enum result incident_write_rows(struct incident_set *set)
{
	struct arena scratch CLEANUP(arena_done);
	const size_t from = set->stored;
	arena_init(&scratch, SCRATCH_MAX_BYTES);
	enum result result = insert_detected(set, &scratch);
	if (result == OK)
		result = insert_reported(set, &scratch);
	if (result == OK)
		result = update_rows(set, false, &scratch);
	if (result == OK)
		result = update_rows(set, true, &scratch);
	if (result == OK)
		result = incident_write_systems(set, from);
	if (result == OK)
		result = delete_rows(set, &scratch);
	set->stored = set->count;
	return result;
}

/*
 * Writes a set with a single change, of a detected incident: the incident, its month, its monitor
 * and its pages. One statement saves round trips while the rows are locked. incident_write_months()
 * has made sure that the row of the month exists.
 */
static enum result update_one(const struct incident_set *set)
{
	static const struct incident_monitor none = { 0 };
	const struct incident_change *change = &set->rows[0];
	const struct incident *after = change->after;
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE incidents i JOIN monitors m ON m.id = i.monitor_id "
			    "LEFT JOIN incident_months h ON h.monitor_id = i.monitor_id "
			    "AND h.month = ? "
			    "LEFT JOIN status_page_monitors s ON s.monitor_id = m.id "
			    "LEFT JOIN page_revisions r ON r.page_id = s.status_page_id "
			    "SET " MOVED_COLUMNS(SET_MARK)));
	sql_add(&sql, incident_month_of(after));
	bind(&sql, FIELDS(moved_rows), after);
	if (kind_of(change) == CHANGED) {
		sql_add(&sql, SQL(PEOPLES_COLUMNS(SET_MARK) COURSE_COLUMNS(SET_MARK)));
		bind(&sql, FIELDS(peoples_rows), after);
		bind(&sql, FIELDS(course_rows),
		     after->monitor_count > 0 ? &after->monitors[0] : &none);
	}
	sql_add(&sql, SQL("h.revision = h.revision + 1, m.updated_at = GREATEST(m.updated_at, ?), "
			  "m.known_since = COALESCE(LEAST(m.known_since, ?), m.known_since, "
			  "?), " PUBLICATION_MARK_DIRTY ", i.updated_at = ?, "
			  "i.revision = i.revision + 1 WHERE i.id = ? AND i.account_id = ?"));
	/* If only texts have changed, pass the time 1, which leaves the monitor's updated_at as it
	 * is. */
	bool is_same = incident_is_same_state(change->before, after);
	sql_add(&sql, is_same ? (struct instant){ 1 } : set->now, after->started_at,
		after->started_at, set->now, set->now, after->id, set->account_id);
	return db_write(set->db, &sql, NULL, set->error);
}

/* Updates the monitor, and marks its pages as unpublished, by one statement. */
static enum result mark_one(const struct incident_set *set, const struct incident *incident)
{
	const struct publication_change change = {
		.monitor_id = incident->monitor_id,
		.known_since = incident->started_at,
		.now = set->now,
	};
	return publication_mark_dirty(set->db, &change, set->error);
}

enum result incident_write_all(struct incident_set *set)
{
	const struct incident_change *first = &set->rows[0];
	const struct incident *incident = first->after ? first->after : first->before;
	/*
	 * Several changes are written by several statements. They lock the monitors, and then the
	 * pages, in the order of ids.
	 *
	 * A single change whose row is already stored (stored > 0, for the outbox) is written by
	 * the same statements. update_one() would store its row again. mark_one() would always
	 * change the monitor's updated_at, although a new text does not change the monitor's state.
	 */
	const bool changes_one = first->before && first->after;
	const bool is_one = set->count == 1 && incident->kind == INCIDENT_DETECTED &&
			    !(changes_one && set->stored > 0);
	const bool is_update = is_one && changes_one;
	enum result result = is_one ? OK : incident_write_monitors(set);
	if (result == OK && !is_update)
		result = incident_write_rows(set);
	if (result == OK)
		result = incident_write_counts(set);
	if (result == OK)
		result = incident_write_months(set, is_update);
	if (result != OK)
		return result;
	if (is_one)
		return is_update ? update_one(set) : mark_one(set, incident);
	return incident_mark_pages(set);
}
