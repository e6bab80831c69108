#include "service/incident/incident_templates.h"

#include "service/maintenance/maintenance_changes.h"

struct changing {
	enum event_kind kind;
	int64_t id; /* 0: a new template */
	struct incident_template_input input;
	struct field_set sent;
	struct incident_template *row;
};

/* Applies the input, and stores the template. */
static enum result store(struct service *service, const struct changing *changing)
{
	const struct incident_template_input *input = &changing->input;
	const struct field_set sent = changing->sent;
	struct incident_template *row = changing->row;
	enum result result =
		maintenance_check_monitors(service, row->account_id, &input->monitor_ids);
	if (result != OK || service->violations->count > 0)
		return result == OK ? E_INVALID : result;
	INCIDENT_TEMPLATE_FIELDS(FIELD_MERGE, INCIDENT_TEMPLATE_FIELD_, 0)
	id_list_settle(&row->monitor_ids);
	row->updated_at = service->now;
	result = incident_template_save(service->db, row, service->config->most_incident_templates,
					service->arena, service->error);
	if (result == E_CONFLICT)
		violations_add(service->violations, "name", "The name has already been taken.");
	if (result == E_QUOTA_EXCEEDED)
		violations_add(service->violations, "incident_templates", "%s",
			       service->error->client);
	return result;
}

static enum result change_work(struct service *service, void *context)
{
	const struct changing *changing = context;
	const int64_t account_id = service->principal.account_id;
	struct incident_template *row = changing->row;
	enum result result = OK;
	*row = (struct incident_template){ .account_id = account_id, .created_at = service->now };
	if (changing->id > 0)
		result = incident_template_find(service->db, account_id, changing->id, true,
						service->arena, row, service->error);
	if (result == OK && changing->id > 0)
		result = service_admit(service, row);
	if (result == OK)
		result = changing->kind == EVENT_TEMPLATE_DELETED
				 ? incident_template_delete(service->db, row->id, service->error)
				 : store(service, changing);
	if (result == OK)
		service_add_event(service, &(struct event_change){
						   .kind = changing->kind,
						   .account_id = account_id,
						   .object_id = row->id,
						   .detail = row->name,
					   });
	return result;
}

enum result service_save_incident_template(struct service *service, int64_t id,
					   const struct incident_template_input *input,
					   struct field_set sent, struct incident_template *row)
{
	const bool is_new = id == 0;
	struct changing changing = { is_new ? EVENT_TEMPLATE_CREATED : EVENT_TEMPLATE_UPDATED, id,
				     *input, sent, row };
	fields_check_texts(is_new ? incident_template_create_fields
				  : incident_template_update_fields,
			   &changing.input, sent, service->arena, service->violations);
	enum result result = is_new ? service_admit(service, NULL) : OK;
	return result == OK
		       ? service_transact(service, PERMISSION_EDIT, change_work, &changing, row)
		       : result;
}

enum result service_delete_incident_template(struct service *service, int64_t id,
					     struct incident_template *row)
{
	struct changing changing = { .kind = EVENT_TEMPLATE_DELETED, .id = id, .row = row };
	return service_transact(service, PERMISSION_EDIT, change_work, &changing, row);
}

enum result service_template_cause(struct service *service, const struct id_list *monitor_ids,
				   const char **cause)
{
	if (!principal_may(&service->principal, PERMISSION_READ))
		return E_FORBIDDEN;
	return incident_template_cause(service->db, monitor_ids, service->arena, cause,
				       service->error);
}
