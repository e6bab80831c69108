#include "app/exchange.h"

#include <string.h>

#include "app/idempotency.h"
#include "app/writers.h"
#include "base/log.h"
#include "http/body.h"
#include "http/read_only.h"
#include "wire/fingerprint.h"
#include "wire/json.h"
#include "wire/urlencoded.h"

const char *const exchange_per_page_choices[] = { "10", "25", "50", "100", NULL };
const char *const exchange_sort_choices[] = { "desc", "asc", NULL };
static const int64_t per_page_sizes[] = { 10, 25, 50, 100 };

int exchange_per_page_default(const struct exchange *exchange)
{
	for (size_t choice = 0; choice < ARRAY_LEN(per_page_sizes); choice++)
		if (per_page_sizes[choice] == exchange->config->per_page)
			return (int)choice;
	die("exchange: there is no page of %lld", (long long)exchange->config->per_page);
}

const char *exchange_actor(struct exchange *exchange)
{
	const struct api_key *key = &exchange->key;
	return arena_printf(&exchange->arena, "key %lld%s%.200s%s", (long long)key->id,
			    key->label[0] ? " (" : "", key->label, key->label[0] ? ")" : "");
}

static const struct fields no_fields = { NULL, 0 };

static enum result check_override(struct exchange *exchange, struct form *form)
{
	const char *method;
	bool needs_override = exchange->match.route->flags & ROUTE_OVERRIDE;
	if (strcmp(exchange->request.method, "POST") != 0)
		return OK;
	enum result result = form_method(form, &method, &exchange->violations);
	if (result != OK)
		return result;
	if (needs_override == (method != NULL))
		return OK;
	return error_client(&exchange->error, E_METHOD_NOT_ALLOWED,
			    needs_override ? "A POST to this path must name PUT in its _method."
					   : "There is no %s on this path.",
			    method);
}

/* A body that may be sent again is remembered by what it says. */
static enum result read_form(struct exchange *exchange, struct form *form)
{
	int64_t max_bytes = exchange->config->max_body_bytes;
	uint8_t hash[SECRET_HASH_BYTES];
	struct fingerprint fingerprint;
	fingerprint_init(&fingerprint, &form->sink);
	bool is_remembered = idempotency_is_asked(exchange);
	enum result result = body_read(&exchange->request, exchange->gateway,
				       is_remembered ? &fingerprint.sink : &form->sink, max_bytes,
				       &exchange->error);
	if (result == OK && is_remembered) {
		fingerprint_end(&fingerprint, hash);
		idempotency_add_body(exchange, hash, sizeof(hash));
	}
	return result;
}

enum result exchange_body(struct exchange *exchange, void *object, uint64_t *sent)
{
	const struct fields *fields = exchange->match.route->fields;
	struct form *form = ARENA_NEW(&exchange->arena, struct form);
	form_init(form, fields ? *fields : no_fields, &exchange->arena);
	exchange->form = form;
	enum result result = read_form(exchange, form);
	if (result == OK)
		result = check_override(exchange, form);
	if (result == OK)
		form_decode(form, object, sent, &exchange->violations);
	return result;
}

void exchange_check_read_only(struct exchange *exchange, struct json_object *resource,
			      const char *growing)
{
	const struct read_only_check check = { resource, growing };
	read_only_check(exchange->form, &check, &exchange->violations);
	json_free(resource);
}

enum result exchange_query(struct exchange *exchange, void *object)
{
	return exchange_read_query(exchange, exchange->match.route->fields, object);
}

enum result exchange_read_query(struct exchange *exchange, const struct fields *fields,
				void *object)
{
	struct form form;
	struct urlencoded decoder;
	uint64_t sent;
	form_init(&form, *fields, &exchange->arena);
	urlencoded_init(&decoder, &form.sink);
	enum result result = urlencoded_feed(&decoder, exchange->request.query, &exchange->error);
	if (result == OK)
		result = urlencoded_finish(&decoder, &exchange->error);
	if (result != OK)
		return result;
	form_decode(&form, object, &sent, &exchange->violations);
	return exchange->violations.count > 0 ? E_INVALID : OK;
}

struct exchange_work {
	struct exchange *exchange;
	transaction_body *body;
	void *context;
	size_t header_count; /* before it */
};

static enum result run_work(struct db *db, void *context, struct error *error)
{
	(void)db;
	(void)error;
	struct exchange_work *work = context;
	response_rewind(&work->exchange->response, work->header_count);
	enum result result = work->body(work->exchange, work->context);
	/* What cannot be answered is not done. */
	if (result == OK && work->exchange->response.is_failed)
		return error_log(&work->exchange->error, E_FAILED,
				 "the response cannot be printed");
	return result;
}

enum result exchange_transact(struct exchange *exchange, enum db_mode mode, transaction_body *body,
			      void *context)
{
	return mode == DB_WRITE && idempotency_is_asked(exchange)
		       ? idempotency_transact(exchange, body, context)
		       : exchange_transact_plainly(exchange, mode, body, context);
}

enum result exchange_transact_plainly(struct exchange *exchange, enum db_mode mode,
				      transaction_body *body, void *context)
{
	struct exchange_work work = { exchange, body, context, exchange->response.header_count };
	int64_t most = config_half_threads(exchange->config);
	bool is_counted = mode == DB_WRITE && exchange->key.account_id > 0;
	int ticket;
	if (is_counted && !writers_enter(exchange->key.account_id, clock_ms(), most, &ticket)) {
		exchange->error.retry_after_s = 1;
		error_log(&exchange->error, E_REFUSED,
			  "too many writes of the account are waiting");
		return error_client(
			&exchange->error, E_REFUSED,
			"Too many changes of this account are waiting for the database. "
			"Nothing was changed; please try again.");
	}
	enum result result = db_transact(exchange->db, mode, run_work, &work, &exchange->error);
	if (is_counted)
		writers_leave(ticket);
	if (result != OK)
		response_rewind(&exchange->response, work.header_count);
	return result;
}

void exchange_respond(struct exchange *exchange, int status, struct json_object *data)
{
	struct json_object *body = json_object_tree();
	json_put(body, "data", data);
	json_put_int(body, "status", status);
	response_json(&exchange->response, status, body);
}

void exchange_respond_deleted(struct exchange *exchange, const char *object, int64_t id)
{
	struct json_object *body = json_object_tree();
	json_put_int(body, "id", id);
	json_put_text(body, "object", object);
	json_put_bool(body, "deleted", true);
	json_put_int(body, "status", 200);
	response_json(&exchange->response, 200, body);
}

/* The request's query without its `page`, each pair as it came and an '&' behind it. */
static const char *other_parameters(struct exchange *exchange)
{
	const char *kept = "";
	struct str rest = exchange->request.query, pair;
	while (str_split(&rest, '&', &pair)) {
		struct str left = pair, name = { 0 };
		str_split(&left, '=', &name);
		char *decoded = arena_alloc(&exchange->arena, name.len + 1);
		if (pair.len == 0 ||
		    (percent_decode(name, decoded) && strcmp(decoded, "page") == 0))
			continue;
		kept = arena_printf(&exchange->arena, "%s%.*s&", kept, (int)pair.len, pair.data);
	}
	return kept;
}

static void put_link(struct exchange *exchange, struct json_object *links, const char *key,
		     const char *path, const char *parameters, int64_t page)
{
	json_put_text(links, key,
		      page > 0 ? arena_printf(&exchange->arena, "%s?%spage=%lld", path, parameters,
					      (long long)page)
			       : NULL);
}

static void put_position(struct json_object *meta, const char *key, bool is_empty, int64_t position)
{
	if (is_empty)
		json_put_null(meta, key);
	else
		json_put_int(meta, key, position);
}

/* Before the rows of a list are read and written. */
static bool has_room_for(struct exchange *exchange, int64_t rows)
{
	/* The longest incident has 44 KB: once as read, once as written. 25 rows go on always. */
	enum { ROW_BYTES = 96 * 1024, ALWAYS = 25 };
	return rows <= ALWAYS || arena_expect(&exchange->arena, (size_t)rows * ROW_BYTES);
}

enum result exchange_begin_list(struct exchange *exchange, int choice, int64_t number,
				struct list_page *page)
{
	if (choice < 0 || (size_t)choice >= ARRAY_LEN(per_page_sizes))
		die("exchange: there is no choice %d of page sizes", choice);
	int64_t size = per_page_sizes[choice];
	*page = (struct list_page){ .number = number, .size = size, .offset = (number - 1) * size };
	return has_room_for(exchange, size) ? OK : E_BUSY;
}

void exchange_respond_list(struct exchange *exchange, struct json_object *array,
			   const struct list_page *page)
{
	const char *path = arena_printf(&exchange->arena, "%s%s", exchange->request.base_url,
					exchange->match.pattern);
	const char *parameters = other_parameters(exchange);
	int64_t last = page->total > 0 ? (page->total - 1) / page->size + 1 : 1;
	bool is_empty = page->shown == 0;

	struct json_object *body = json_object_tree();
	struct json_object *links = json_object_tree();
	struct json_object *meta = json_object_tree();
	json_put(body, "data", array);
	json_put(body, "links", links);
	put_link(exchange, links, "first", path, parameters, 1);
	put_link(exchange, links, "last", path, parameters, last);
	put_link(exchange, links, "prev", path, parameters,
		 page->number > last ? last : page->number - 1);
	put_link(exchange, links, "next", path, parameters,
		 page->number < last ? page->number + 1 : 0);
	json_put(body, "meta", meta);
	json_put_int(meta, "current_page", page->number);
	put_position(meta, "from", is_empty, page->offset + 1);
	json_put_int(meta, "last_page", last);
	json_put_text(meta, "path", path);
	json_put_int(meta, "per_page", page->size);
	put_position(meta, "to", is_empty, page->offset + (int64_t)page->shown);
	json_put_int(meta, "total", page->total);
	json_put_int(body, "status", 200);
	response_json(&exchange->response, 200, body);
}

static const char *etag_of(struct exchange *exchange, int64_t id, int64_t revision)
{
	return arena_printf(&exchange->arena, "\"%lld-%lld\"", (long long)id, (long long)revision);
}

/*
 * Whether a list of entity tags (RFC 9110 13.1) names this one. If-None-Match
 * compares weakly: a cache in front may have made our tag weak.
 */
static bool names_etag(const char *header, const char *etag, bool is_weak_enough)
{
	struct str rest = str_from(header), item;
	while (str_split(&rest, ',', &item)) {
		item = str_trim_ows(item);
		if (is_weak_enough && str_starts(item, STR("W/")))
			item = str_skip(item, 2);
		if (str_eq(item, STR("*")) || str_eq(item, str_from(etag)))
			return true;
	}
	return false;
}

void exchange_set_etag(struct exchange *exchange, int64_t id, int64_t revision)
{
	response_header(&exchange->response, "ETag", "%s", etag_of(exchange, id, revision));
}

enum result exchange_check_etag(struct exchange *exchange, int64_t id, int64_t revision)
{
	const char *header = exchange->request.if_match;
	if (!header || names_etag(header, etag_of(exchange, id, revision), false))
		return OK;
	return E_PRECONDITION_FAILED;
}

bool exchange_has_etag(struct exchange *exchange, const char *etag)
{
	const char *header = exchange->request.if_none_match;
	if (!header || !names_etag(header, etag, true))
		return false;
	exchange->response.status = 304;
	return true;
}

bool exchange_is_unchanged(struct exchange *exchange, int64_t id, int64_t revision)
{
	return exchange_has_etag(exchange, etag_of(exchange, id, revision));
}
