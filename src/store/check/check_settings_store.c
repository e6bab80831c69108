#include "store/check/check_settings_store.h"

#include <stdlib.h>

#include "base/secret.h"

/* The headers of a request are stored as lines: "KEY: VALUE", or "=KEY: SEALED" with a sealed
 * value. Neither value has line feeds, and a key has neither '=' nor ':'. */

static const char *header_lines(const struct field_rows *headers, struct arena *arena)
{
	const struct check_header *rows = headers->rows;
	const char *lines = NULL;
	for (size_t i = 0; i < headers->count; i++)
		lines = arena_printf(arena, "%s%s%s: %s\n", lines ? lines : "",
				     rows[i].sealed ? "=" : "", rows[i].key,
				     rows[i].sealed ? rows[i].sealed : rows[i].value);
	return lines;
}

static struct field_rows read_headers(const char *lines, struct arena *arena)
{
	struct str rest = str_from(lines), line, key;
	size_t count = 0, room = 0;
	struct check_header *rows = NULL;
	while (str_split(&rest, '\n', &line)) {
		bool is_sealed = line.len > 0 && *line.data == '=';
		line = str_skip(line, is_sealed);
		if (!str_split(&line, ':', &key) || line.len < 2)
			continue;
		line = str_skip(line, 1);
		const char *value = arena_strndup(arena, line.data, line.len);
		rows = arena_grow(arena, rows, count, &room, sizeof(*rows));
		rows[count++] = (struct check_header){
			.key = arena_strndup(arena, key.data, key.len),
			.value = is_sealed ? NULL : value,
			.sealed = is_sealed ? value : NULL,
		};
	}
	return (struct field_rows){ rows, count };
}

void check_settings_complete(struct monitor *rows, size_t count, struct arena *arena)
{
	for (size_t i = 0; i < count; i++) {
		rows[i].request_headers = (struct field_rows){ 0 };
		rows[i].has_request_auth_password = rows[i].sealed_password != NULL;
		if (rows[i].check_id == 0)
			fields_set_initial(monitor_fields, &rows[i]);
		else if (rows[i].header_lines)
			rows[i].request_headers = read_headers(rows[i].header_lines, arena);
	}
}

enum result check_settings_put(struct db *db, const struct monitor *monitor, struct arena *arena,
			       struct error *error)
{
	/* clang-format off */
	static const struct field rows[] = { CHECK_FIELDS(COLUMN_SIDE_ROW, struct monitor) };
	/* clang-format on */
	struct sql_build sql;
	sql_start(&sql, SQL("INSERT INTO monitor_checks (" CHECK_FIELDS(COLUMN_SIDE, ) //
			    "request_headers, request_auth_password, changed_at, monitor_id, "
			    "account_id) VALUES (" CHECK_FIELDS(COLUMN_SIDE_MARK, ) //
			    "?, ?, ?, ?, ?) ON DUPLICATE KEY UPDATE "		    //
			    CHECK_FIELDS(COLUMN_SIDE_SET, )			    //
			    "request_headers = VALUES(request_headers), "
			    "request_auth_password = VALUES(request_auth_password), "
			    "changed_at = VALUES(changed_at)"));
	columns_bind(&sql, FIELDS(rows), monitor);
	sql_add(&sql, header_lines(&monitor->request_headers, arena), monitor->sealed_password,
		monitor->updated_at, monitor->id, monitor->account_id);
	return db_write(db, &sql, NULL, error);
}

/* Dependencies */

enum result check_dependencies_read(struct db *db, int64_t account_id, struct arena *arena,
				    struct check_dependencies *list, struct error *error)
{
	enum { DEPENDENCIES_MAX = 1000000 };
#define DEPENDENCY(member) FIELD(struct check_dependency, member)
	static const struct field rows[] = { DEPENDENCY(id), DEPENDENCY(depends_on_id),
					     DEPENDENCY(found_id) };
	struct sql_build sql;
	sql_start(&sql,
		  SQL("SELECT k.monitor_id AS id, k.depends_on_id, m.id AS found_id "
		      "FROM monitor_checks k LEFT JOIN monitors m ON m.id = k.depends_on_id "
		      "AND m.account_id = k.account_id AND m.retired_at IS NULL "
		      "AND m.removed_at IS NULL WHERE k.account_id = ? "
		      "AND k.depends_on_id > 0 ORDER BY k.monitor_id LIMIT 1000000 FOR UPDATE"));
	sql_add(&sql, account_id);
	return db_read_into(db, &sql, FIELDS(rows), DB_INTO(list, DEPENDENCIES_MAX), arena, error);
}

static const struct check_dependency *find_dependency(const struct check_dependencies *list,
						      int64_t id)
{
	return list->count > 0
		       ? bsearch(&id, list->rows, list->count, sizeof(*list->rows), id_order)
		       : NULL;
}

enum check_dependency_state check_dependency_state(const struct check_dependencies *list,
						   int64_t id)
{
	const struct check_dependency *at = find_dependency(list, id);
	if (at && at->found_id == 0)
		return DEPENDENCY_UNKNOWN;
	for (size_t i = 0; at && i < list->count; i++) {
		if (at->depends_on_id == id)
			return DEPENDENCY_CIRCLE;
		at = find_dependency(list, at->depends_on_id);
	}
	return DEPENDENCY_RIGHT;
}

enum result check_dependency_clear(struct db *db, int64_t account_id, int64_t id,
				   struct instant now, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE monitor_checks SET depends_on_id = 0, changed_at = ? "
			    "WHERE account_id = ? AND depends_on_id = ?"));
	sql_add(&sql, now, account_id, id);
	return db_write(db, &sql, NULL, error);
}

enum result check_outage_forget(struct db *db, int64_t monitor_id, struct instant now, bool *had,
				struct error *error)
{
	struct sql_build sql;
	struct db_done done = { 0 };
	sql_start(&sql, SQL("UPDATE monitor_states SET reported = 0, reported_since = NULL, "
			    "phase = ?, since = ?, failing_since = NULL, is_slow = 0, "
			    "is_flapping = 0 WHERE monitor_id = ? AND location_id = 0 "
			    "AND reported > 0"));
	sql_add(&sql, CHECK_NO_DATA, now, monitor_id);
	enum result result = db_write(db, &sql, &done, error);
	*had = done.rows > 0;
	return result;
}

/* For the checker */

struct str check_secret_owner(int64_t account_id, struct arena *arena)
{
	return str_from(arena_printf(arena, "monitors of account %lld", (long long)account_id));
}

static const char *open_secret(struct stored_check *row, const uint8_t *key, const char *sealed,
			       struct arena *arena)
{
	if (!sealed)
		return NULL;
	const char *text = key ? secret_open(key, check_secret_owner(row->account_id, arena),
					     str_from(sealed), arena)
			       : NULL;
	row->settings.has_lost_secrets |= !text;
	return text;
}

static void complete_stored(struct stored_check *row, const uint8_t *key, struct arena *arena)
{
	row->settings.request_headers = read_headers(row->header_lines, arena);
	row->settings.request_auth_password = open_secret(row, key, row->sealed_password, arena);
	struct check_header *headers = row->settings.request_headers.rows;
	for (size_t i = 0; i < row->settings.request_headers.count; i++)
		if (headers[i].sealed)
			headers[i].value = open_secret(row, key, headers[i].sealed, arena);
}

void check_location_bind(struct sql_build *sql, const struct check_location *location)
{
	sql_add(sql, location->account_id, location->name);
}

enum result stored_checks_read(struct db *db, const uint8_t *key, const struct check_range *range,
			       struct arena *arena, struct stored_check_list *list,
			       struct error *error)
{
	_Static_assert(offsetof(struct stored_check, settings) == 0,
		       "the rows of struct check_settings are read into struct stored_check");
#define STORED(member) FIELD(struct stored_check, member)
	/* clang-format off */
	static const struct field rows[] = {
		CHECK_FIELDS(COLUMN_SIDE_ROW, struct check_settings)
		STORED(header_lines), STORED(sealed_password), FIELD(struct check_settings, url),
		STORED(account_id), STORED(name), STORED(is_paused), STORED(id),
	};
	/* clang-format on */
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT " CHECK_FIELDS(COLUMN_SIDE, "k.") //
			    "k.request_headers AS header_lines, "
			    "k.request_auth_password AS sealed_password, m.url, m.account_id, "
			    "m.name, m.is_paused, m.id FROM monitor_checks k "
			    "JOIN monitors m ON m.id = k.monitor_id "
			    "JOIN accounts a ON a.id = m.account_id AND a.removed_at IS NULL "
			    "WHERE k.monitor_id > ? AND k.type > 0 AND m.retired_at IS NULL "
			    "AND m.removed_at IS NULL "));
	sql_add(&sql, range->after_id);
	if (range->location) {
		sql_add(&sql, SQL("AND " CHECK_IS_OF_LOCATION));
		check_location_bind(&sql, range->location);
	}
	sql_add(&sql, SQL("ORDER BY k.monitor_id LIMIT ?"), (int64_t)range->most);
	enum result result =
		db_read_into(db, &sql, FIELDS(rows), DB_INTO(list, range->most), arena, error);
	for (size_t i = 0; result == OK && i < list->count; i++)
		complete_stored(&list->rows[i], key, arena);
	return result;
}
