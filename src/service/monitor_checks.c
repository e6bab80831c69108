#include "service/monitor_checks.h"

#include "access/signed_id.h"
#include "domain/web_url.h"
#include "service/maintenance/maintenance_changes.h"
#include "store/check/check_settings_store.h"
#include "store/monitor/monitor_uptime.h"

/* Secrets */

/* What is needed to encrypt ("seal") the secrets of an input. */
struct sealing {
	struct service *service;
	struct monitor_change *change;
	struct str owner;
	struct signing_key key;
	bool has_key;
	bool keeps_header; /* a header was sent without a value, so its stored secret stays */
};

/* Encrypts the text into *sealed. `stored` is the secret that is stored now, encrypted; if it
 * encrypts the same text, sets *sealed to `stored`. */
static enum result seal(struct sealing *sealing, const char *text, const char *stored,
			const char **sealed)
{
	struct arena *arena = sealing->service->arena;
	enum result result = OK;
	if (!sealing->has_key)
		result = service_read_key(sealing->service, &sealing->key);
	if (result != OK)
		return result;
	sealing->has_key = true;
	const uint8_t *key = sealing->key.bytes;
	const char *former = stored ? secret_open(key, sealing->owner, str_from(stored), arena)
				    : NULL;
	*sealed = former && secret_is_equal(str_from(former), str_from(text))
			  ? stored
			  : secret_seal(key, sealing->owner, str_from(text), arena);
	return OK;
}

static enum result settle_password(struct sealing *sealing)
{
	struct monitor_change *change = sealing->change;
	const char *stored = change->before->sealed_password, *sealed = NULL;
	const char *text = change->input->request_auth_password;
	enum result result = OK;
	if (!field_set_has(change->sent, MONITOR_FIELD_request_auth_password))
		return OK;
	if (text)
		result = seal(sealing, text, stored, &sealed);
	if (sealed != stored)
		field_set_add(&change->changed, MONITOR_FIELD_request_auth_password);
	change->input->request_auth_password = sealed;
	return result;
}

/*
 * Returns the encrypted secret that is stored for the key of the header. Takes the stored header at
 * the same place if it has this key, otherwise the first stored header with this key. NULL: no
 * stored header has the key.
 */
static const char *stored_secret(const struct monitor *before, const struct check_header *header,
				 size_t at)
{
	const struct check_header *rows = before->request_headers.rows;
	const struct str key = str_from(header->key);
	size_t count = before->request_headers.count;
	if (at < count && rows[at].sealed && str_eq_nocase(key, str_from(rows[at].key)))
		return rows[at].sealed;
	for (size_t i = 0; i < count; i++)
		if (rows[i].sealed && str_eq_nocase(key, str_from(rows[i].key)))
			return rows[i].sealed;
	return NULL;
}

static enum result settle_headers(struct sealing *sealing)
{
	struct monitor_change *change = sealing->change;
	struct field_rows *sent = &change->input->request_headers;
	struct check_header *rows =
		ARENA_ARRAY(sealing->service->arena, sent->count, struct check_header);
	enum result result = OK;
	if (!field_set_has(change->sent, MONITOR_FIELD_request_headers))
		return OK;
	for (size_t i = 0; result == OK && i < sent->count; i++) {
		rows[i] = ((const struct check_header *)sent->rows)[i];
		if (!rows[i].key || !check_header_is_secret(rows[i].key))
			continue;
		const char *stored = stored_secret(change->before, &rows[i], i);
		rows[i].sealed = stored;
		sealing->keeps_header |= stored && !rows[i].value;
		if (rows[i].value)
			result = seal(sealing, rows[i].value, stored, &rows[i].sealed);
		if (rows[i].sealed != stored)
			field_set_add(&change->changed, MONITOR_FIELD_request_headers);
		rows[i].value = NULL;
	}
	sent->rows = rows;
	return result;
}

/* Refuses to keep a secret if the new URL names another server. Otherwise a person who may change
 * the URL could send the secret to a server of their own. */
static void refuse_other_server(struct sealing *sealing, const struct monitor *after)
{
	const struct monitor_change *change = sealing->change;
	const struct monitor *before = change->before;
	struct violations *violations = sealing->service->violations;
	const struct check_header *rows = after->request_headers.rows;
	bool keeps_header = sealing->keeps_header;
	if (!after->url || web_url_is_same_server(before->url, after->url))
		return;
	for (size_t i = 0; !field_set_has(change->sent, MONITOR_FIELD_request_headers) &&
			   i < after->request_headers.count;
	     i++)
		keeps_header |= rows[i].sealed != NULL;
	if (keeps_header)
		violations_add(violations, "request_headers",
			       "The request headers field must be sent with its secret values if "
			       "the url names another server.");
	if (before->sealed_password &&
	    !field_set_has(change->sent, MONITOR_FIELD_request_auth_password))
		violations_add(violations, "request_auth_password",
			       "The request auth password field must be sent if the url names "
			       "another server.");
}

enum result monitor_settle_change(struct service *service, struct monitor_change *change)
{
	struct monitor after = *change->before;
	struct sealing sealing = { .service = service, .change = change };
	sealing.owner = check_secret_owner(after.account_id, service->arena);
	change->changed = FIELD_SET_NONE;
	enum result result = settle_password(&sealing);
	if (result == OK)
		result = settle_headers(&sealing);
	if (result != OK)
		return result;
	monitor_merge(&after, change->input, change->sent);
	refuse_other_server(&sealing, &after);
	change->changed = field_set_or(change->changed,
				       fields_differing(monitor_update_fields, change->sent,
							monitor_fields, change->before, &after));
	if (monitor_has_check_fields(change->changed) ||
	    field_set_has(change->changed, MONITOR_FIELD_url))
		monitor_check_settings(&after, service->violations);
	return OK;
}

/* Data of a monitor that are stored in other tables than `monitors` */

static const char unknown_dependency[] = "The selected depends_on_id is invalid.";

bool monitor_refuse_dependency(struct service *service, const struct check_dependencies *list,
			       int64_t id)
{
	switch (check_dependency_state(list, id)) {
	case DEPENDENCY_RIGHT:
		return false;
	case DEPENDENCY_UNKNOWN:
		violations_add(service->violations, "depends_on_id", "%s", unknown_dependency);
		break;
	case DEPENDENCY_CIRCLE:
		violations_add(service->violations, "depends_on_id",
			       "The depends on id field must not name the monitor itself, or a "
			       "monitor that depends on it.");
		break;
	}
	return true;
}

enum result monitor_refuse_change(struct service *service, const struct monitor_change *change)
{
	const int64_t id = change->input->depends_on_id;
	struct monitor found;
	if (service->violations->count == 0)
		return OK;
	if (!field_set_has(change->sent, MONITOR_FIELD_depends_on_id) || id <= 0)
		return E_INVALID;
	enum result result = monitor_find(service->db, change->before->account_id, id, service->now,
					  service->arena, &found, service->error);
	if (result == E_NOT_FOUND)
		violations_add(service->violations, "depends_on_id", "%s", unknown_dependency);
	return result == OK || result == E_NOT_FOUND ? E_INVALID : result;
}

enum result monitor_check_dependency(struct service *service, const struct monitor *monitor,
				     struct field_set changed)
{
	struct check_dependencies list;
	if (!field_set_has(changed, MONITOR_FIELD_depends_on_id) || monitor->depends_on_id == 0)
		return OK;
	enum result result = check_dependencies_read(service->db, monitor->account_id,
						     service->arena, &list, service->error);
	return result == OK && monitor_refuse_dependency(service, &list, monitor->id) ? E_INVALID
										      : result;
}

enum result monitor_add_window(struct service *service, struct monitor *monitor,
			       const struct monitor_input *input, struct field_set sent)
{
	enum { NAME_MAX_CHARS = 200 };
	const struct instant start = input->maintenance_start_at, end = input->maintenance_end_at;
	const struct field_set fields = FIELD_SET(
		MAINTENANCE_FIELD_title, MAINTENANCE_FIELD_monitor_ids, MAINTENANCE_FIELD_starts_at,
		MAINTENANCE_FIELD_ends_at, MAINTENANCE_FIELD_auto_transition);
	char text[INSTANT_TEXT_SIZE];
	if (!field_set_has(sent, MONITOR_FIELD_maintenance_start_at) || start.s == 0)
		return OK;
	const struct maintenance_input window = {
		.title = str_chars(str_from(monitor->name)) <= NAME_MAX_CHARS
				 ? arena_printf(service->arena, "Maintenance of %s", monitor->name)
				 : "Maintenance",
		.starts_at = arena_strdup(service->arena, instant_format(start, text)),
		.ends_at = end,
		.monitor_ids = { &monitor->id, 1 },
		.auto_transition = true,
	};
	bool is_now = start.s <= service->now.s && end.s > service->now.s;
	if (is_now && (monitor->maintenance_since.s == 0 || monitor->maintenance_since.s > start.s))
		monitor->maintenance_since = start;
	monitor_derive_state(monitor);
	return maintenance_change_add(service, monitor->account_id, &window, fields);
}

/* Reading */

enum result monitors_set_heartbeat_urls(struct service *service, struct monitor *rows, size_t count)
{
	struct signing_key key;
	bool has_key = false;
	enum result result = OK;
	for (size_t i = 0; result == OK && i < count; i++) {
		rows[i].heartbeat_url = NULL;
		if (rows[i].type != CHECK_HEARTBEAT)
			continue;
		if (!has_key)
			result = service_read_key(service, &key);
		if (result != OK)
			break;
		has_key = true;
		rows[i].heartbeat_url = arena_printf(
			service->arena, "%s/hb/%s", service->base_url,
			signed_id_make(&key, SIGNED_HEARTBEAT, rows[i].id, service->arena));
	}
	return result;
}

enum result monitors_present(struct service *service, struct monitor *rows, size_t count)
{
	enum result result =
		monitor_read_uptimes(service->db, rows, count, service->now, service->error);
	return result == OK ? monitors_set_heartbeat_urls(service, rows, count) : result;
}
