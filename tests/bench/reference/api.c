/*
 * The least that a C program before MariaDB does for some requests of Daymark's API, with the same
 * bytes as response. It validates nothing, limits nothing, logs nothing and publishes nothing.
 *
 * Its tables are in the database `reference`, which tests/bench/lib/references.bash fills. Each
 * account has its totals in its row, so that a list takes two statements: the account, and the
 * rows.
 */
#include <mysql.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference.h"

enum {
	PER_PAGE = 10,
	COLUMNS = 24,
	PARAMETERS = 4,
	TEXT_SIZE = 1100,
};

struct column {
	int64_t number;
	MYSQL_TIME time;
	char text[TEXT_SIZE];
	unsigned long length;
	char is_null;
};

/* A prepared statement with its buffers; `kinds` has n, s or t for each column. */
struct statement {
	MYSQL_STMT *handle;
	struct column columns[COLUMNS];
	int64_t numbers[PARAMETERS];
	const void *texts[PARAMETERS];
	unsigned long lengths[PARAMETERS];
};

struct api {
	MYSQL *db;
	struct statement auth, incidents, pages, show, updates, lock, update, event;
	struct output *out;
};

/* Prepares SQL whose parameters and columns have the kinds given: n number, s text, t time. */
static void prepare(MYSQL *db, struct statement *st, const char *sql, const char *parameters,
		    const char *kinds)
{
	MYSQL_BIND in[PARAMETERS] = { 0 }, out[COLUMNS] = { 0 };
	st->handle = mysql_stmt_init(db);
	if (mysql_stmt_prepare(st->handle, sql, strlen(sql)))
		die(sql, mysql_stmt_error(st->handle));
	for (size_t i = 0; parameters[i]; i++) {
		bool is_text = parameters[i] == 's';
		in[i].buffer_type = is_text ? MYSQL_TYPE_STRING : MYSQL_TYPE_LONGLONG;
		in[i].buffer = is_text ? calloc(1, TEXT_SIZE) : &st->numbers[i];
		in[i].length = &st->lengths[i];
		st->texts[i] = in[i].buffer;
	}
	if (mysql_stmt_bind_param(st->handle, in))
		die(sql, mysql_stmt_error(st->handle));
	for (size_t i = 0; kinds[i]; i++) {
		struct column *column = &st->columns[i];
		out[i].buffer_type = kinds[i] == 'n'   ? MYSQL_TYPE_LONGLONG
				     : kinds[i] == 't' ? MYSQL_TYPE_DATETIME
						       : MYSQL_TYPE_STRING;
		out[i].buffer = kinds[i] == 'n'	  ? (void *)&column->number
				: kinds[i] == 't' ? (void *)&column->time
						  : (void *)column->text;
		out[i].buffer_length = kinds[i] == 's' ? TEXT_SIZE : 0;
		out[i].length = &column->length;
		out[i].is_null = &column->is_null;
	}
	if (kinds[0] && mysql_stmt_bind_result(st->handle, out))
		die(sql, mysql_stmt_error(st->handle));
}

static void set_text(struct statement *st, size_t i, const void *text, size_t len)
{
	st->lengths[i] = len < TEXT_SIZE ? len : TEXT_SIZE;
	memcpy((void *)(uintptr_t)st->texts[i], text, st->lengths[i]);
}

static void run(struct statement *st)
{
	if (mysql_stmt_execute(st->handle))
		die("execute", mysql_stmt_error(st->handle));
}

static bool next_row(struct statement *st)
{
	return mysql_stmt_fetch(st->handle) == 0;
}

static bool only_row(struct statement *st)
{
	run(st);
	bool is_found = next_row(st);
	mysql_stmt_free_result(st->handle);
	return is_found;
}

static void transact(struct api *api, const char *word)
{
	if (mysql_query(api->db, word))
		die(word, mysql_error(api->db));
}

/* A monitor knows the page that shows it. */
#define INCIDENT \
	"i.id, i.monitor_id, m.name, m.url, i.cause, i.comment, i.started_at, " \
	"i.acknowledged_at, i.ended_at, i.created_at, i.updated_at, i.title, i.phase, i.impact, " \
	"i.next_update_at, i.exclude_from_uptime, i.postmortem, p.slug "
#define INCIDENT_KINDS "nnsssstttttsnntnss"
#define OF_INCIDENT \
	"JOIN monitors m ON m.id = i.monitor_id " \
	"LEFT JOIN pages p ON p.id = m.page_id "

struct api *api_open(const char *mysql_socket)
{
	struct api *api = calloc(1, sizeof(*api));
	if (!api)
		die("start", "out of memory");
	api->db = mysql_init(NULL);
	if (!mysql_real_connect(api->db, NULL, "root", NULL, "reference", 0, mysql_socket, 0))
		die("connect", mysql_error(api->db));
	mysql_set_character_set(api->db, "utf8mb4");
	prepare(api->db, &api->auth, "SELECT id, incidents, pages FROM accounts WHERE key_hash = ?",
		"s", "nnn");
	prepare(api->db, &api->incidents,
		"SELECT " INCIDENT "FROM (SELECT id, ends_at FROM incidents WHERE account_id = ? "
		"ORDER BY ends_at DESC, id DESC LIMIT ? OFFSET ?) x JOIN incidents i ON i.id = "
		"x.id " OF_INCIDENT "ORDER BY x.ends_at DESC, x.id DESC",
		"nnn", INCIDENT_KINDS);
	prepare(api->db, &api->pages,
		"SELECT p.id, p.name, p.slug, (SELECT GROUP_CONCAT(m.monitor_id "
		"ORDER BY m.position) FROM page_monitors m WHERE m.page_id = p.id) AS monitor_ids, "
		"p.created_at, p.updated_at FROM pages p WHERE p.account_id = ? "
		"ORDER BY p.id DESC LIMIT ? OFFSET ?",
		"nnn", "nssstt");
	prepare(api->db, &api->show,
		"SELECT " INCIDENT "FROM incidents i " OF_INCIDENT
		"WHERE i.id = ? AND i.account_id = ?",
		"nn", INCIDENT_KINDS);
	prepare(api->db, &api->updates,
		"SELECT id, phase, body, at FROM updates WHERE incident_id = ? "
		"ORDER BY at DESC, id DESC LIMIT 200",
		"n", "nnst");
	prepare(api->db, &api->lock,
		"SELECT " INCIDENT "FROM incidents i " OF_INCIDENT
		"WHERE i.id = ? AND i.account_id = ? FOR UPDATE",
		"nn", INCIDENT_KINDS);
	prepare(api->db, &api->update,
		"UPDATE incidents SET comment = ?, updated_at = UTC_TIMESTAMP() WHERE id = ?", "sn",
		"");
	prepare(api->db, &api->event,
		"INSERT INTO events (account_id, incident_id, at) VALUES (?, ?, UTC_TIMESTAMP())",
		"nn", "");
	return api;
}

__attribute__((format(printf, 2, 3))) static void put(struct api *api, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	api->out->len += (size_t)vsnprintf(api->out->bytes + api->out->len,
					   OUTPUT_SIZE - api->out->len, format, list);
	va_end(list);
}

static void put_text(struct api *api, const struct column *column)
{
	char *to = api->out->bytes + api->out->len;
	if (column->is_null) {
		put(api, "null");
		return;
	}
	*to++ = '"';
	for (unsigned long i = 0; i < column->length; i++) {
		if (column->text[i] == '"' || column->text[i] == '\\')
			*to++ = '\\';
		*to++ = column->text[i];
	}
	*to++ = '"';
	api->out->len = (size_t)(to - api->out->bytes);
}

static void put_time(struct api *api, const struct column *column)
{
	const MYSQL_TIME *t = &column->time;
	if (column->is_null)
		put(api, "null");
	else
		put(api, "\"%04u-%02u-%02uT%02u:%02u:%02uZ\"", t->year, t->month, t->day, t->hour,
		    t->minute, t->second);
}

static int64_t seconds_of(const MYSQL_TIME *t)
{
	int64_t year = t->year - (t->month <= 2), month = t->month;
	int64_t days = 365 * year + year / 4 - year / 100 + year / 400 +
		       (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + t->day;
	return ((days * 24 + t->hour) * 60 + t->minute) * 60 + t->second;
}

static const char *const phases[] = { "investigating", "identified", "monitoring", "resolved" };

/* What the account's own people have added. */
static void put_report(struct api *api, const struct column *c, const char *host)
{
	static const char *const impacts[] = { "none", "degraded_performance", "partial_outage",
					       "major_outage" };
	const char *impact = impacts[c[13].number & 3];
	put(api, ",\"kind\":\"detected\",\"title\":");
	put_text(api, &c[11]);
	put(api,
	    ",\"phase\":\"%s\",\"impact\":\"%s\",\"monitor_ids\":[%ld],\"monitors\":[{\"id\":%ld,"
	    "\"name\":",
	    phases[c[8].is_null ? c[12].number & 3 : 3], impact, (long)c[1].number,
	    (long)c[1].number);
	put_text(api, &c[2]);
	put(api, ",\"impact\":\"%s\"}],\"status_page_ids\":[],\"next_update_at\":", impact);
	put_time(api, &c[14]);
	put(api, ",\"exclude_from_uptime\":%s,\"postmortem\":", c[15].number ? "true" : "false");
	put_text(api, &c[16]);
	if (c[17].is_null)
		put(api, ",\"url\":null");
	else
		put(api, ",\"url\":\"http://%s/s/%.*s/incidents/%ld\"", host, (int)c[17].length,
		    c[17].text, (long)c[0].number);
}

static void put_incident(struct api *api, const struct column *c, const char *host)
{
	static const char *const names[] = { ",\"started_at\":", ",\"acknowledged_at\":",
					     ",\"ended_at\":" };
	bool is_over = !c[8].is_null;
	put(api,
	    "{\"id\":%ld,\"monitor_id\":%ld,\"monitor\":{\"id\":%ld,\"name\":", (long)c[0].number,
	    (long)c[1].number, (long)c[1].number);
	put_text(api, &c[2]);
	put(api, ",\"url\":");
	put_text(api, &c[3]);
	put(api, "},\"cause\":");
	put_text(api, &c[4]);
	put(api, ",\"comment\":");
	put_text(api, &c[5]);
	put(api, ",\"status\":\"%s\"",
	    is_over	   ? "resolved"
	    : c[7].is_null ? "open"
			   : "acknowledged");
	for (size_t i = 0; i < 3; i++) {
		put(api, "%s", names[i]);
		put_time(api, &c[6 + i]);
	}
	put(api, ",\"duration\":%ld,\"created_at\":",
	    is_over ? (long)(seconds_of(&c[8].time) - seconds_of(&c[6].time)) : 0L);
	put_time(api, &c[9]);
	put(api, ",\"updated_at\":");
	put_time(api, &c[10]);
	put_report(api, c, host);
}

static void put_page(struct api *api, const struct column *c, const char *host)
{
	put(api, "{\"id\":%ld,\"name\":", (long)c[0].number);
	put_text(api, &c[1]);
	put(api, ",\"slug\":");
	put_text(api, &c[2]);
	put(api,
	    ",\"url\":\"http://%s/s/%.*s/\",\"monitor_ids\":[%.*s],\"privacy\":0,"
	    "\"has_password\":false,\"domain\":null,\"logo_url\":null,\"logo_dark_url\":null,"
	    "\"favicon_url\":null,"
	    "\"website_url\":null,\"contact_url\":null,\"meta_title\":null,"
	    "\"meta_description\":null,\"noindex\":false,\"show_causes\":false,\"time_zone\":"
	    "\"UTC\",\"language\":\"en\",\"created_at\":",
	    host, (int)c[2].length, c[2].text, (int)c[3].length, c[3].text);
	put_time(api, &c[4]);
	put(api, ",\"updated_at\":");
	put_time(api, &c[5]);
}

static void put_link(struct api *api, const char *rel, const char *path, long page)
{
	if (page > 0)
		put(api, "\"%s\":\"%s?page=%ld\"", rel, path, page);
	else
		put(api, "\"%s\":null", rel);
}

/* The end of a list: its links, and its numbers. */
static void put_meta(struct api *api, const char *path, long page, long total, long count)
{
	long last = total > 0 ? (total + PER_PAGE - 1) / PER_PAGE : 1, from = (page - 1) * PER_PAGE;
	put(api, "],\"links\":{");
	put_link(api, "first", path, 1);
	put(api, ",");
	put_link(api, "last", path, last);
	put(api, ",");
	put_link(api, "prev", path, page - 1);
	put(api, ",");
	put_link(api, "next", path, page < last ? page + 1 : 0);
	put(api,
	    "},\"meta\":{\"current_page\":%ld,\"from\":%ld,\"last_page\":%ld,\"path\":\"%s\","
	    "\"per_page\":%d,\"to\":%ld,\"total\":%ld},\"status\":200}",
	    page, from + 1, last, path, PER_PAGE, from + count, total);
}

static void list(struct api *api, const struct request *request, bool is_incidents)
{
	struct statement *st = is_incidents ? &api->incidents : &api->pages;
	const char *query = strchr(request->uri, '?');
	long page = query && strncmp(query, "?page=", 6) == 0 ? strtol(query + 6, NULL, 10) : 1;
	long total = (long)api->auth.columns[is_incidents ? 1 : 2].number, count = 0;
	char path[700];
	snprintf(path, sizeof(path), "http://%s%.*s", request->host,
		 (int)strcspn(request->uri, "?"), request->uri);
	st->numbers[0] = api->auth.columns[0].number;
	st->numbers[1] = PER_PAGE;
	st->numbers[2] = (page - 1) * PER_PAGE;
	run(st);
	put(api, "{\"data\":[");
	while (next_row(st)) {
		if (count++ > 0)
			put(api, ",");
		if (is_incidents)
			put_incident(api, st->columns, request->host);
		else
			put_page(api, st->columns, request->host);
		put(api, "}");
	}
	mysql_stmt_free_result(st->handle);
	put_meta(api, path, page, total, count);
}

static bool show(struct api *api, struct statement *st, long id)
{
	st->numbers[0] = id;
	st->numbers[1] = api->auth.columns[0].number;
	return only_row(st);
}

/* An incident without a comment has no updates. */
static void put_updates(struct api *api, const struct column *incident)
{
	struct statement *st = &api->updates;
	long count = 0;
	put(api, ",\"updates\":[");
	st->numbers[0] = incident[0].number;
	if (!incident[5].is_null)
		run(st);
	while (!incident[5].is_null && next_row(st)) {
		put(api, "%s{\"id\":%ld,\"phase\":\"%s\",\"body\":", count++ > 0 ? "," : "",
		    (long)st->columns[0].number, phases[st->columns[1].number & 3]);
		put_text(api, &st->columns[2]);
		put(api, ",\"at\":");
		put_time(api, &st->columns[3]);
		put(api, ",\"edited_at\":null}");
	}
	if (!incident[5].is_null)
		mysql_stmt_free_result(st->handle);
	put(api, "]");
}

static bool update(struct api *api, const struct request *request, long id)
{
	transact(api, "START TRANSACTION");
	if (!show(api, &api->lock, id)) {
		transact(api, "ROLLBACK");
		return false;
	}
	const char *value = memchr(request->body, '=', request->body_len);
	value = value ? value + 1 : request->body;
	struct column *comment = &api->lock.columns[5];
	comment->is_null = 0;
	comment->length = request->body_len - (size_t)(value - request->body);
	memcpy(comment->text, value, comment->length);
	set_text(&api->update, 0, value, comment->length);
	api->update.numbers[1] = id;
	run(&api->update);
	api->event.numbers[0] = api->auth.columns[0].number;
	api->event.numbers[1] = id;
	run(&api->event);
	transact(api, "COMMIT");
	return true;
}

bool api_handle(struct api *api, const struct request *request, struct output *out)
{
	static const char one[] = "/api/v1/incidents/";
	unsigned char hash[crypto_hash_sha256_BYTES];
	api->out = out;
	crypto_hash_sha256(hash, (const unsigned char *)request->key, strlen(request->key));
	set_text(&api->auth, 0, hash, sizeof(hash));
	if (!only_row(&api->auth))
		return false;
	if (strncmp(request->uri, one, sizeof(one) - 1) != 0) {
		list(api, request, strncmp(request->uri, one, sizeof(one) - 2) == 0);
		return true;
	}
	long id = strtol(request->uri + sizeof(one) - 1, NULL, 10);
	bool is_update = strcmp(request->method, "PUT") == 0;
	struct statement *st = is_update ? &api->lock : &api->show;
	if (is_update ? !update(api, request, id) : !show(api, st, id))
		return false;
	put(api, "{\"data\":");
	put_incident(api, st->columns, request->host);
	put_updates(api, st->columns);
	put(api, "},\"status\":200}");
	return true;
}
