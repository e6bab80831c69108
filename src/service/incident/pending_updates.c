#include "service/incident/pending_updates.h"

#include "service/incident/incident_reports.h"
#include "service/incident/incidents.h"
#include "store/incident/pending_update.h"
#include "wire/json.h"
#include "wire/limits.h"

/* Prints the sent fields as JSON, which `fields` can decode again. */
static enum result print_request(struct service *service, const struct fields *fields,
				 const void *input, struct field_set sent, const char **text)
{
	struct buf out CLEANUP(buf_done) = BUF_INIT(WIRE_RESPONSE_MAX_BYTES);
	struct json_object *tree = json_object_tree();
	for (size_t i = 0; i < fields->count; i++) {
		struct field field = fields->rows[i];
		field.flags |= FIELD_AS_WORD;
		if (field_set_has(sent, i) && !(field.flags & FIELD_READ_ONLY))
			json_put_fields(tree, (struct fields){ &field, 1 }, input);
	}
	json_print(&out, tree);
	json_free(tree);
	if (!buf_ok(&out))
		return error_log(service->error, E_BUSY, "no memory for a pending update");
	*text = arena_strndup(service->arena, out.data, out.len);
	return OK;
}

static void add_event(struct service *service, const struct pending_update *pending,
		      int64_t incident_id, enum event_kind kind, const char *detail)
{
	service_add_event(service, &(struct event_change){ .kind = kind,
							   .account_id = pending->account_id,
							   .object_id = incident_id,
							   .detail = detail });
}

static const char *author_of(const struct service *service, const struct pending_update *pending)
{
	return principal_text(pending->author_type, pending->author_id, pending->author_label,
			      service->arena);
}

enum result pending_update_take(struct service *service, int64_t incident_id)
{
	const struct pending_update *pending = service->published;
	if (!pending)
		return OK;
	add_event(service, pending, incident_id, EVENT_INCIDENT_UPDATE_APPROVED,
		  author_of(service, pending));
	return pending_update_delete(service->db, pending->id, service->error);
}

enum result pending_update_hold(struct service *service, enum pending_kind kind,
				const struct incident *incident, int64_t update_id,
				const void *input, struct field_set sent)
{
	const struct principal *author = &service->principal;
	struct pending_demand demand;
	size_t bytes;
	if (service->published)
		return pending_update_take(service, incident->id);
	/* A preview does not wait: it shows the page as it will be after another person has
	 * published the text. */
	bool is_held = author->type == PRINCIPAL_KEY || author->type == PRINCIPAL_USER;
	if (service->preview || !is_held)
		return OK;
	enum result result = pending_update_demand(service->db, incident, service->arena, &demand,
						   service->error);
	if (result != OK || !demand.is_demanded)
		return result;
	if (demand.count >= PENDING_UPDATES_MAX) {
		violations_add(service->violations, "body",
			       "At most %d texts of an account wait for a second person.",
			       PENDING_UPDATES_MAX);
		return E_INVALID;
	}
	struct pending_update *pending = ARENA_NEW(service->arena, struct pending_update);
	*pending = (struct pending_update){
		.account_id = incident->account_id,
		.kind = kind,
		.incident_id = incident->id,
		.update_id = update_id,
		.author_type = principal_type_word(author->type),
		.author_id = author->id,
		.author_label = author->label ? author->label : "",
		.created_at = service->now,
	};
	result = print_request(service, pending_request_fields(kind, &bytes), input, sent,
			       &pending->request);
	if (result == OK)
		result = pending_update_insert(service->db, pending, service->error);
	add_event(service, pending, incident->id, EVENT_INCIDENT_UPDATE_PENDING, pending->request);
	service->held = pending;
	return result;
}

static enum result publish(struct service *service, const struct pending_update *pending,
			   void *input, struct field_set sent)
{
	struct incident_resource *incident = ARENA_NEW(service->arena, struct incident_resource);
	struct incident_posting *posting = ARENA_NEW(service->arena, struct incident_posting);
	struct incident_update update = { .sent = sent };
	switch ((enum pending_kind)pending->kind) {
	case PENDING_REPORT:
		return service_report_incident(service, input, sent, incident);
	case PENDING_UPDATE:
		return service_post_update(service, pending->incident_id, input, sent, posting);
	case PENDING_EDIT:
		return service_edit_update(service, pending->incident_id, pending->update_id, input,
					   sent, posting);
	case PENDING_CHANGE:
		update.input = *(const struct incident_input *)input;
		return service_update_incident(service, pending->incident_id, &update, incident);
	}
	return E_FAILED;
}

/* Fails, because the text does not wait any more. But for a repeated request, service_transact()
 * restores the stored response. */
static enum result gone_work(struct service *service, void *context)
{
	(void)service;
	(void)context;
	return E_NOT_FOUND;
}

enum result service_publish_pending(struct service *service, const struct pending_update *pending,
				    void *input, struct field_set sent)
{
	const struct principal *principal = &service->principal;
	if (!principal_may(principal, PERMISSION_RESPOND))
		return E_FORBIDDEN;
	if (!pending)
		return service_transact(service, PERMISSION_RESPOND, gone_work, NULL, NULL);
	if (principal->type != PRINCIPAL_USER || pending_is_by(pending, principal))
		return error_client(service->error, E_FORBIDDEN,
				    "Another person must publish what was written.");
	service->published = pending;
	enum result result = publish(service, pending, input, sent);
	service->published = NULL;
	return result;
}

struct declining {
	int64_t id;
	struct pending_update *pending;
};

static enum result decline_work(struct service *service, void *context)
{
	const struct declining *declining = context;
	struct pending_update *pending = declining->pending;
	enum result result = pending_update_find(service->db, service->principal.account_id,
						 declining->id, service->arena, pending,
						 service->error);
	if (result == OK)
		result = service_admit(service, pending);
	if (result != OK)
		return result;
	add_event(service, pending, pending->incident_id, EVENT_INCIDENT_UPDATE_DECLINED,
		  author_of(service, pending));
	return pending_update_delete(service->db, pending->id, service->error);
}

enum result service_decline_pending(struct service *service, int64_t id,
				    struct pending_update *pending)
{
	struct declining declining = { id, pending };
	return service_transact(service, PERMISSION_RESPOND, decline_work, &declining, pending);
}
