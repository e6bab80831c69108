#include "app/input.h"

#include <string.h>

#include "app/console/console.h"
#include "app/idempotency.h"
#include "app/routes.h"
#include "base/log.h"
#include "domain/field_table.h"
#include "http/body.h"
#include "http/read_only.h"
#include "wire/fingerprint.h"
#include "wire/json.h"
#include "wire/urlencoded.h"

static const struct fields no_fields = { NULL, 0 };

static enum result check_override(struct exchange *exchange, struct form *form)
{
	const char *method;
	bool needs_override = exchange->route->route.flags & ROUTE_OVERRIDE;
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

/* Reads the body, and hashes its values if the request has an Idempotency-Key. */
static enum result read_form(struct exchange *exchange, struct form *form)
{
	int64_t max_bytes = exchange->config->max_body_bytes;
	uint8_t hash[SECRET_HASH_BYTES];
	struct fingerprint fingerprint;
	fingerprint_init(&fingerprint, &form->sink);
	/* Hash every body of the console: a form has its Idempotency-Key in the body, so the key is
	 * not known yet. */
	bool is_remembered = idempotency_is_asked(exchange) || exchange->console;
	enum result result = body_read(&exchange->request, exchange->gateway,
				       is_remembered ? &fingerprint.sink : &form->sink, max_bytes,
				       &exchange->error);
	if (result == OK && is_remembered) {
		fingerprint_end(&fingerprint, hash);
		if (exchange->console)
			result = console_take_tokens(exchange, form);
		if (result == OK && idempotency_is_asked(exchange))
			idempotency_add_body(exchange, hash, sizeof(hash));
	}
	return result;
}

enum result exchange_read_form(struct exchange *exchange)
{
	const struct fields *fields = exchange->route->fields;
	struct form *form = ARENA_NEW(&exchange->arena, struct form);
	form_init(form,
		  exchange->console ? console_form_fields(exchange, fields)
				    : (fields ? *fields : no_fields),
		  &exchange->arena);
	exchange->form = form;
	enum result result = read_form(exchange, form);
	if (result == OK)
		result = check_override(exchange, form);
	if (result == OK && exchange->console)
		form->fields.count -= CONSOLE_FORM_TOKENS;
	return result;
}

enum result exchange_body(struct exchange *exchange, void *object, struct field_set *sent)
{
	enum result result = exchange->form ? OK : exchange_read_form(exchange);
	if (result == OK)
		form_decode(exchange->form, object, sent, &exchange->violations);
	return result;
}

void exchange_check_read_only(struct exchange *exchange, struct json_object *resource,
			      const char *growing)
{
	const struct read_only_check check = { resource, growing };
	read_only_check(exchange->form, &check, &exchange->violations);
	json_free(resource);
}

/* Whether a parameter with this name is a field of `fields`, or an item of a list field. */
static bool is_known(struct exchange *exchange, const struct fields *fields, struct str name)
{
	char *decoded = arena_alloc(&exchange->arena, name.len + 1);
	if (!percent_decode(name, decoded))
		return false;
	decoded[strcspn(decoded, "[")] = '\0';
	return fields_find(*fields, decoded) != NULL;
}

/* Returns the first MAX_BYTES bytes of a parameter's name, for a response header. Percent-encodes
 * bytes that are not in `plain`. */
static const char *printable_name(struct exchange *exchange, struct str name)
{
	enum { MAX_BYTES = 64 };
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				    "0123456789-._~[]%+";
	struct buf text CLEANUP(buf_done) = BUF_INIT(4 * MAX_BYTES);
	for (size_t i = 0; i < name.len && i < MAX_BYTES; i++) {
		const char byte = name.data[i];
		if (byte != '\0' && strchr(plain, byte))
			buf_putc(&text, byte);
		else
			buf_printf(&text, "%%%02X", (unsigned char)byte);
	}
	return arena_strdup(&exchange->arena, buf_ok(&text) ? text.data : "");
}

/* Lists unknown parameters in a header, so that the client can notice a misspelt filter. */
static void tell_ignored(struct exchange *exchange)
{
	enum { MOST = 10 };
	const char *names = "";
	struct str rest = exchange->request.query, pair;
	for (int count = 0; str_split(&rest, '&', &pair);) {
		struct str name = { 0 };
		str_split(&pair, '=', &name);
		if (name.len == 0 || is_known(exchange, exchange->route->fields, name))
			continue;
		if (count == MOST) {
			names = arena_printf(&exchange->arena, "%s, ...", names);
			break;
		}
		names = arena_printf(&exchange->arena, "%s%s%s", names, count++ > 0 ? ", " : "",
				     printable_name(exchange, name));
	}
	if (*names)
		response_header(&exchange->response, "X-Daymark-Ignored", "%s", names);
}

enum result exchange_query(struct exchange *exchange, void *object)
{
	if (strcmp(exchange->request.method, "GET") == 0)
		tell_ignored(exchange);
	return exchange_read_query(exchange, exchange->route->fields, object);
}

enum result exchange_query_of_write(struct exchange *exchange, void *object)
{
	const struct str query = exchange->request.query;
	enum result result = exchange_query(exchange, object);
	if (result == OK && idempotency_is_asked(exchange))
		idempotency_add_body(exchange, query.data, query.len);
	return result;
}

enum result exchange_read_query(struct exchange *exchange, const struct fields *fields,
				void *object)
{
	struct form form;
	struct field_set sent;
	form_init(&form, *fields, &exchange->arena);
	enum result result =
		urlencoded_decode(exchange->request.query, &form.sink, &exchange->error);
	if (result != OK)
		return result;
	form_decode(&form, object, &sent, &exchange->violations);
	return exchange->violations.count > 0 ? E_INVALID : OK;
}
