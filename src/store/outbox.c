#include "store/outbox.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "store/check/check_dependents.h"
#include "store/incident/incident_report.h"
#include "store/maintenance/maintenance.h"
#include "view/json/incident_json.h"
#include "wire/json.h"

enum {
	PART_EVENTS = 256,
	PART_ROWS = 64,
	STATEMENT_BYTES = 1 << 20, /* an INSERT with this many bytes gets no more rows; packets may
				      be limited to 4 MiB */
	SCRATCH_MAX_BYTES = 512 << 20,
};

/* The objects of some events, which the payloads of the outbox describe. */
struct told {
	struct db_list incidents;    /* rows of struct incident, by id */
	struct db_list maintenances; /* rows of struct maintenance, by id */
	struct db_list monitors;     /* rows of struct told_monitor, by id */
	struct check_dependents dependents;
};

struct told_monitor {
	int64_t id;
	const char *name;
};
static const struct field monitor_rows[] = { FIELD(struct told_monitor, id),
					     FIELD(struct told_monitor, name) };

/* Finds the row with this id in a list ordered by id; NULL: none. The id must be the first member
 * of the row's struct. */
static const void *find_row(const struct db_list *list, size_t bytes, int64_t id)
{
	return list->count > 0 ? bsearch(&id, list->rows, list->count, bytes, id_order) : NULL;
}
_Static_assert(offsetof(struct incident, id) == 0, "an incident begins with its id");

static const struct maintenance *find_maintenance(const struct told *told, int64_t id)
{
	const struct maintenance *rows = told->maintenances.rows;
	for (size_t i = 0; i < told->maintenances.count; i++)
		if (rows[i].id == id)
			return &rows[i];
	return NULL;
}

/* Reads the names of the monitors of the maintenance windows, and of monitors that are objects of
 * events. */
static enum result read_monitors(struct db *db, const struct event_change *changes, size_t count,
				 struct told *told, struct arena *arena, struct error *error)
{
	const struct maintenance *windows = told->maintenances.rows;
	struct id_list ids = { 0 };
	size_t room = 0;
	enum result result = OK;
	for (size_t i = 0; i < told->maintenances.count; i++)
		for (size_t j = 0; j < windows[i].monitor_ids.count; j++) {
			ids.ids = arena_grow(arena, ids.ids, ids.count, &room, sizeof(*ids.ids));
			ids.ids[ids.count++] = windows[i].monitor_ids.ids[j];
		}
	for (size_t i = 0; i < count; i++)
		if (event_kind_object(changes[i].kind) == EVENT_OF_MONITOR) {
			ids.ids = arena_grow(arena, ids.ids, ids.count, &room, sizeof(*ids.ids));
			ids.ids[ids.count++] = changes[i].object_id;
		}
	id_list_settle(&ids);
	struct told_monitor *rows = ARENA_ARRAY(arena, ids.count, struct told_monitor);
	told->monitors = (struct db_list){ .rows = rows };
	for (size_t from = 0, size; result == OK && from < ids.count; from += size) {
		struct sql_build sql;
		struct db_list some = { 0 };
		size = sql_rows_chunk(&sql_list, ids.count - from);
		sql_start(&sql, SQL("SELECT id, name FROM monitors WHERE id IN ("));
		sql_list_ints(&sql, ids.ids + from, size, arena);
		sql_add(&sql, SQL(") ORDER BY id LIMIT ?"), (int64_t)size);
		result = db_read_list(db, &sql,
				      DB_SHAPE(FIELDS(monitor_rows), struct told_monitor, size),
				      arena, &some, error);
		if (some.count > 0)
			memcpy(rows + told->monitors.count, some.rows, some.count * sizeof(*rows));
		told->monitors.count += some.count;
	}
	return result;
}

/* If an event opens an incident, reads which monitors of its account depend on other monitors. */
static enum result read_dependents(struct db *db, const struct event_change *changes, size_t count,
				   struct told *told, struct arena *arena, struct error *error)
{
	struct id_list accounts = { ARENA_ARRAY(arena, count, int64_t), 0 };
	for (size_t i = 0; i < count; i++)
		if (changes[i].kind == EVENT_INCIDENT_OPENED)
			accounts.ids[accounts.count++] = changes[i].account_id;
	id_list_settle(&accounts);
	return accounts.count > 0
		       ? check_dependents_read(db, &accounts, arena, &told->dependents, error)
		       : OK;
}

static enum result read_objects(struct db *db, const struct event_change *changes, size_t count,
				struct instant now, struct arena *arena, struct told *told,
				struct error *error)
{
	struct id_list incidents = { ARENA_ARRAY(arena, count, int64_t), 0 };
	struct id_list windows = { ARENA_ARRAY(arena, count, int64_t), 0 };
	for (size_t i = 0; i < count; i++) {
		enum event_object object = event_kind_object(changes[i].kind);
		struct id_list *ids = object == EVENT_OF_INCIDENT ? &incidents : &windows;
		if (object == EVENT_OF_MONITOR || object == EVENT_OF_ACCOUNT)
			continue;
		ids->ids[ids->count++] = changes[i].object_id;
	}
	id_list_settle(&incidents);
	id_list_settle(&windows);
	enum result result = OK;
	if (incidents.count > 0)
		result = incidents_read_whole(db, &incidents, arena, &told->incidents, error);
	if (result == OK && windows.count > 0)
		result = maintenances_read(db, &windows, now, arena, &told->maintenances, error);
	if (result == OK)
		result = read_dependents(db, changes, count, told, arena, error);
	return result == OK ? read_monitors(db, changes, count, told, arena, error) : result;
}

static void put_maintenance(struct json_object *tree, const struct maintenance *window,
			    const struct event_change *change, const struct told *told)
{
	struct json_object *object = json_object_tree(), *monitors = json_array_tree();
	json_put_fields(object, maintenance_resource_fields, window);
	json_put(tree, "maintenance", object);
	for (size_t i = 0; i < window->monitor_ids.count; i++) {
		const struct told_monitor *monitor =
			find_row(&told->monitors, sizeof(*monitor), window->monitor_ids.ids[i]);
		struct json_object *row = json_object_tree();
		if (monitor)
			json_put_fields(row, FIELDS(monitor_rows), monitor);
		json_append(monitors, row);
	}
	json_put(tree, "monitors", monitors);
	if (change->starts_at.s == 0) {
		json_put_null(tree, "occurrence");
		return;
	}
	object = json_object_tree();
	json_put_time(object, "starts_at", change->starts_at);
	json_put_time(object, "ends_at", change->ends_at);
	json_put(tree, "occurrence", object);
}

static void put_monitor(struct json_object *tree, const struct told_monitor *monitor)
{
	struct json_object *object = json_row_tree(FIELDS(monitor_rows), monitor);
	json_put(tree, "monitor", object);
}

static void put_dependents(struct json_object *tree, const struct told *told, int64_t monitor_id,
			   struct arena *arena)
{
	const struct check_dependent **found;
	struct json_object *list = json_array_tree();
	size_t count = check_dependents_of(&told->dependents, monitor_id, arena, &found);
	for (size_t i = 0; i < count && i < OUTBOX_DEPENDENTS_MAX; i++) {
		struct json_object *row = json_row_tree(check_dependent_fields, found[i]);
		json_append(list, row);
	}
	json_put(tree, "dependents", list);
	json_put_int(tree, "dependent_count", (int64_t)count);
}

/* Makes the payload of an event. Sets *payload to NULL if the event's object does not exist any
 * more. */
static enum result make_payload(const struct event_change *change, const struct told *told,
				struct instant now, struct arena *arena, const char **payload,
				struct error *error)
{
	const struct incident *incident =
		find_row(&told->incidents, sizeof(*incident), change->object_id);
	const struct maintenance *window = find_maintenance(told, change->object_id);
	const struct told_monitor *monitor =
		find_row(&told->monitors, sizeof(*monitor), change->object_id);
	enum event_object object = event_kind_object(change->kind);
	*payload = NULL;
	if (object == EVENT_OF_INCIDENT	 ? !incident
	    : object == EVENT_OF_MONITOR ? !monitor
					 : object == EVENT_OF_MAINTENANCE && !window)
		return OK;
	struct json_object *tree = json_object_tree();
	struct buf text CLEANUP(buf_done) = BUF_INIT(OUTBOX_PAYLOAD_MAX_BYTES);
	json_put_text(tree, "text", object == EVENT_OF_ACCOUNT ? NULL : change->detail);
	if (change->update_id > 0)
		json_put_int(tree, "update_id", change->update_id);
	if (object == EVENT_OF_ACCOUNT) {
		outbox_put_checker(tree, change);
	} else if (object == EVENT_OF_INCIDENT) {
		json_put(tree, "incident", incident_json(incident, NULL, now));
		json_put_text(tree, "page_address", incident->page_address);
		if (change->kind == EVENT_INCIDENT_OPENED)
			put_dependents(tree, told, incident->monitor_id, arena);
	} else if (object == EVENT_OF_MONITOR)
		put_monitor(tree, monitor);
	else
		put_maintenance(tree, window, change, told);
	json_print(&text, tree);
	json_free(tree);
	if (!buf_ok(&text))
		return error_log(error, E_REFUSED, "no memory for a row of the outbox");
	*payload = arena_strndup(arena, text.data, text.len);
	return OK;
}

static const struct sql_rows given_rows = {
	.first = { "SELECT CAST(? AS SIGNED) AS account_id, CAST(? AS CHAR(32)) AS kind, "
		   "CAST(? AS SIGNED) AS object_id, CAST(? AS CHAR) AS payload" },
	.next = { " UNION ALL SELECT CAST(? AS SIGNED), CAST(? AS CHAR(32)), CAST(? AS SIGNED), "
		  "CAST(? AS CHAR)" },
};

static enum result insert_rows(struct db *db, const struct event_change *changes,
			       const char *const *payloads, size_t count, struct instant now,
			       struct arena *arena, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("INSERT INTO outbox (at, due_at, account_id, kind, object_id, payload) "
			    "SELECT ?, ?, given.account_id, given.kind, given.object_id, "
			    "given.payload FROM ("));
	sql_add(&sql, now, now);
	sql_rows_begin(&sql, &given_rows, count, arena);
	for (size_t i = 0; i < count; i++)
		sql_add(&sql, changes[i].account_id, event_kind_word(changes[i].kind),
			changes[i].object_id, payloads[i]);
	sql_rows_end(&sql);
	sql_add(&sql, SQL(") given WHERE given.payload IS NOT NULL"));
	return db_write(db, &sql, NULL, error);
}

/* Returns how many rows the next INSERT may have. */
static size_t chunk_of(const char *const *payloads, size_t count)
{
	size_t size = 0, bytes = 0;
	while (size < count && size < PART_ROWS && (size == 0 || bytes < STATEMENT_BYTES))
		bytes += str_from(payloads[size++]).len;
	return size;
}

/* Adds rows for the events that event_is_told() selects. */
static enum result add_part(struct db *db, const struct event_change *changes, size_t count,
			    struct instant now, struct error *error)
{
	struct arena arena CLEANUP(arena_done);
	struct told told = { 0 };
	arena_init(&arena, SCRATCH_MAX_BYTES);
	enum result result = read_objects(db, changes, count, now, &arena, &told, error);
	const char **payloads = ARENA_ARRAY(&arena, count, const char *);
	for (size_t i = 0; result == OK && i < count; i++)
		result = make_payload(&changes[i], &told, now, &arena, &payloads[i], error);
	for (size_t from = 0, size; result == OK && from < count; from += size) {
		size = chunk_of(payloads + from, count - from);
		result = insert_rows(db, changes + from, payloads + from, size, now, &arena, error);
	}
	return result;
}

/* Whether `first` is the posted text of `second`, which resolves or reopens the same incident. The
 * outbox then has only one row for both events. */
static bool is_text_of(const struct event_change *first, const struct event_change *second)
{
	bool is_text = first->kind == EVENT_INCIDENT_UPDATE_POSTED ||
		       first->kind == EVENT_INCIDENT_COMMENTED;
	bool is_move = second->kind == EVENT_INCIDENT_RESOLVED ||
		       second->kind == EVENT_INCIDENT_REOPENED;
	return is_text && is_move && first->object_id == second->object_id && !second->detail;
}

enum result outbox_add(struct db *db, const struct event_change *changes, size_t count,
		       struct instant now, struct error *error)
{
	struct event_change told[PART_EVENTS];
	enum result result = OK;
	size_t kept = 0;
	for (size_t i = 0; result == OK && i < count; i++) {
		bool is_part = i + 1 < count && is_text_of(&changes[i], &changes[i + 1]);
		if (is_part || !event_is_told(changes[i].kind))
			continue;
		told[kept] = changes[i];
		if (i > 0 && is_text_of(&changes[i - 1], &changes[i])) {
			told[kept].detail = changes[i - 1].detail;
			told[kept].update_id = changes[i - 1].update_id;
		}
		kept++;
		if (kept == PART_EVENTS) {
			result = add_part(db, told, kept, now, error);
			kept = 0;
		}
	}
	return result == OK && kept > 0 ? add_part(db, told, kept, now, error) : result;
}
