/* The screens for texts that a second person must approve. */
#include "app/console/console.h"
#include "app/console/console_screens.h"
#include "app/operation.h"
#include "http/form.h"
#include "service/incident/pending_updates.h"
#include "service/resource/resource.h"
#include "store/incident/pending_update.h"
#include "view/console/console_incident_html.h"
#include "wire/json.h"
#include "wire/json_pairs.h"
#include "wire/json_read.h"

enum result console_read_pending(struct exchange *exchange, int64_t incident_id,
				 struct console_pending *pending)
{
	struct service *service = &exchange->service;
	bool may_respond = principal_may(&service->principal, PERMISSION_RESPOND);
	struct pending_query query = { { .page = 1, .limit = PENDING_UPDATES_MAX }, incident_id };
	struct resource_rows found;
	enum result result = resource_list(service, &resource_pending_updates, 0, &query, &found);
	const struct pending_update *updates = found.rows;
	struct console_pending_row *rows =
		ARENA_ARRAY(&exchange->arena, found.count, struct console_pending_row);
	for (size_t i = 0; result == OK && i < found.count; i++) {
		struct json_object *request = NULL;
		result = json_read_file(str_from(updates[i].request), &request, &exchange->error);
		if (result != OK)
			return result;
		rows[i] = (struct console_pending_row){
			.update = &updates[i],
			.members = console_members(exchange, request),
			.may_publish = may_respond &&
				       !pending_is_by(&updates[i], &service->principal),
			.may_decline = may_respond,
			.form_key = console_form_key(exchange),
		};
		json_free(request);
	}
	*pending = (struct console_pending){ rows, found.count };
	return result;
}

/* Decodes the request that was stored with the text. Sets *input to a struct with the fields of
 * pending_request_fields(). */
static enum result read_request(struct exchange *exchange, const struct pending_update *pending,
				void **input, struct field_set *sent)
{
	size_t bytes;
	const struct fields *fields = pending_request_fields(pending->kind, &bytes);
	struct form form;
	*input = arena_alloc(&exchange->arena, bytes);
	form_init(&form, *fields, &exchange->arena);
	enum result result = json_decode(str_from(pending->request), &exchange->arena, &form.sink,
					 &exchange->error);
	if (result == OK)
		form_decode(&form, *input, sent, &exchange->violations);
	return result == OK && exchange->violations.count > 0 ? E_INVALID : result;
}

static void render_published(struct exchange *exchange, const void *outcome)
{
	const struct pending_update *published = exchange->service.published;
	const struct incident *reported = outcome;
	bool is_report = published->kind == PENDING_REPORT;
	console_redirect(exchange, arena_printf(&exchange->arena, "incidents/%lld?notice=posted",
						(long long)(is_report ? reported->id
								      : published->incident_id)));
}

/* POST /console/pending/{id}/publish */
enum result console_pending_publish(struct exchange *exchange)
{
	const struct resource_place place = { .id = exchange->match.id };
	struct pending_update pending;
	struct field_set sent = FIELD_SET_NONE;
	void *input = NULL;
	enum result result =
		resource_find(&exchange->service, &resource_pending_updates, &place, &pending);
	bool is_gone = result == E_NOT_FOUND;
	if (result == OK)
		result = read_request(exchange, &pending, &input, &sent);
	if (result != OK && !is_gone)
		return result;
	return service_publish_pending(exchange_service(exchange, NULL, render_published),
				       is_gone ? NULL : &pending, input, sent);
}

static void render_declined(struct exchange *exchange, const void *outcome)
{
	(void)outcome;
	console_redirect(exchange, "?notice=declined");
}

/* POST /console/pending/{id}/decline */
enum result console_pending_decline(struct exchange *exchange)
{
	struct pending_update pending;
	return service_decline_pending(exchange_service(exchange, NULL, render_declined),
				       exchange->match.id, &pending);
}
