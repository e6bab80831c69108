#include "domain/event.h"

#include <string.h>

#include "base/attr.h"

const char *const event_kind_words[] = {
	[EVENT_INCIDENT_OPENED - 1] = "incident.opened",
	[EVENT_INCIDENT_ACKNOWLEDGED - 1] = "incident.acknowledged",
	[EVENT_INCIDENT_UNACKNOWLEDGED - 1] = "incident.unacknowledged",
	[EVENT_INCIDENT_COMMENTED - 1] = "incident.commented",
	[EVENT_INCIDENT_BACKDATED - 1] = "incident.backdated",
	[EVENT_INCIDENT_RESOLVED - 1] = "incident.resolved",
	[EVENT_INCIDENT_RECORDED - 1] = "incident.recorded",
	[EVENT_INCIDENT_IMPORTED - 1] = "incident.imported",
	[EVENT_INCIDENT_REPORTED - 1] = "incident.reported",
	[EVENT_INCIDENT_UPDATED - 1] = "incident.updated",
	[EVENT_INCIDENT_UPDATE_POSTED - 1] = "incident.update_posted",
	[EVENT_INCIDENT_UPDATE_EDITED - 1] = "incident.update_edited",
	[EVENT_INCIDENT_UPDATE_WITHDRAWN - 1] = "incident.update_withdrawn",
	[EVENT_INCIDENT_UPDATE_PENDING - 1] = "incident.update_pending",
	[EVENT_INCIDENT_UPDATE_APPROVED - 1] = "incident.update_approved",
	[EVENT_INCIDENT_UPDATE_DECLINED - 1] = "incident.update_declined",
	[EVENT_INCIDENT_REOPENED - 1] = "incident.reopened",
	[EVENT_INCIDENT_POSTMORTEM - 1] = "incident.postmortem",
	[EVENT_INCIDENT_DELETED - 1] = "incident.deleted",
	[EVENT_STATUS_PAGE_CREATED - 1] = "status_page.created",
	[EVENT_STATUS_PAGE_UPDATED - 1] = "status_page.updated",
	[EVENT_STATUS_PAGE_DELETED - 1] = "status_page.deleted",
	[EVENT_DOMAIN_PROVEN - 1] = "domain.proven",
	[EVENT_DOMAIN_LOST - 1] = "domain.lost",
	[EVENT_DOMAIN_RESTORED - 1] = "domain.restored",
	[EVENT_DOMAIN_TAKEN - 1] = "domain.taken",
	[EVENT_LINK_CREATED - 1] = "link.created",
	[EVENT_LINK_WITHDRAWN - 1] = "link.withdrawn",
	[EVENT_MONITOR_CREATED - 1] = "monitor.created",
	[EVENT_MONITOR_RENAMED - 1] = "monitor.renamed",
	[EVENT_MONITOR_LABELLED - 1] = "monitor.labelled",
	[EVENT_MONITOR_UPDATED - 1] = "monitor.updated",
	[EVENT_MONITOR_RETIRED - 1] = "monitor.retired",
	[EVENT_CERTIFICATE_EXPIRING - 1] = "monitor.certificate_expiring",
	[EVENT_DOMAIN_EXPIRING - 1] = "monitor.domain_expiring",
	[EVENT_ISSUER_CHANGED - 1] = "monitor.issuer_changed",
	[EVENT_MONITOR_DELETED - 1] = "monitor.deleted",
	[EVENT_MAINTENANCE_SCHEDULED - 1] = "maintenance.scheduled",
	[EVENT_MAINTENANCE_UPDATED - 1] = "maintenance.updated",
	[EVENT_MAINTENANCE_REMINDER - 1] = "maintenance.reminder",
	[EVENT_MAINTENANCE_STARTED - 1] = "maintenance.started",
	[EVENT_MAINTENANCE_VERIFYING - 1] = "maintenance.verifying",
	[EVENT_MAINTENANCE_COMPLETED - 1] = "maintenance.completed",
	[EVENT_MAINTENANCE_CANCELLED - 1] = "maintenance.cancelled",
	[EVENT_MAINTENANCE_UPDATE_POSTED - 1] = "maintenance.update_posted",
	[EVENT_MAINTENANCE_UPDATE_EDITED - 1] = "maintenance.update_edited",
	[EVENT_MAINTENANCE_UPDATE_WITHDRAWN - 1] = "maintenance.update_withdrawn",
	[EVENT_MAINTENANCE_DELETED - 1] = "maintenance.deleted",
	[EVENT_KEY_CREATED - 1] = "key.created",
	[EVENT_KEY_UPDATED - 1] = "key.updated",
	[EVENT_KEY_REVOKED - 1] = "key.revoked",
	[EVENT_ACCOUNT_CREATED - 1] = "account.created",
	[EVENT_ACCOUNT_UPDATED - 1] = "account.updated",
	[EVENT_ACCOUNT_DELETED - 1] = "account.deleted",
	[EVENT_CHECKER_CUT_OFF - 1] = "checker.cut_off",
	[EVENT_CHECKER_RECONNECTED - 1] = "checker.reconnected",
	[EVENT_CHANNEL_CREATED - 1] = "alert_channel.created",
	[EVENT_CHANNEL_UPDATED - 1] = "alert_channel.updated",
	[EVENT_CHANNEL_DELETED - 1] = "alert_channel.deleted",
	[EVENT_CHANNEL_SUSPENDED - 1] = "alert_channel.suspended",
	[EVENT_USER_CREATED - 1] = "user.created",
	[EVENT_USER_UPDATED - 1] = "user.updated",
	[EVENT_USER_LINKED - 1] = "user.linked",
	[EVENT_USER_RECOVERY_LINKED - 1] = "user.recovery_linked",
	[EVENT_USER_PASSWORD_SET - 1] = "user.password_set",
	[EVENT_USER_DISABLED - 1] = "user.disabled",
	[EVENT_USER_ENABLED - 1] = "user.enabled",
	[EVENT_USER_DELETED - 1] = "user.deleted",
	[EVENT_USER_FACTOR_SET - 1] = "user.factor_set",
	[EVENT_USER_FACTOR_REMOVED - 1] = "user.factor_removed",
	[EVENT_USER_PASSKEY_ADDED - 1] = "user.passkey_added",
	[EVENT_USER_PASSKEY_REMOVED - 1] = "user.passkey_removed",
	[EVENT_SESSION_STARTED - 1] = "session.started",
	[EVENT_SESSION_ENDED - 1] = "session.ended",
	[EVENT_TEMPLATE_CREATED - 1] = "incident_template.created",
	[EVENT_TEMPLATE_UPDATED - 1] = "incident_template.updated",
	[EVENT_TEMPLATE_DELETED - 1] = "incident_template.deleted",
	[EVENT_SUBSCRIBER_CREATED - 1] = "subscriber.created",
	[EVENT_SUBSCRIBERS_IMPORTED - 1] = "subscriber.imported",
	[EVENT_SUBSCRIBER_DELETED - 1] = "subscriber.deleted",
	[EVENT_KINDS - 1] = NULL,
};

const char *const event_object_words[] = {
	"incident", "status_page",   "monitor", "maintenance",	     "key",
	"account",  "alert_channel", "user",	"incident_template", NULL
};
_Static_assert(ARRAY_LEN(event_object_words) == EVENT_OBJECTS + 1, "each object has its word");

static const char *const actor_words[] = { "key", "operator", "system", "user", "checker", NULL };

#define ROW(member, ...) FIELD(struct event, member, __VA_ARGS__)
#define ACTOR(member, its_name, ...) \
	FIELD_NAMED(struct event, actor_##member, its_name, __VA_ARGS__)
static const struct field actor_rows[] = {
	ACTOR(type, "type", .flags = FIELD_NOT_EMPTY, .choices = actor_words, .label = "By",
	      .text = "key: a request with an API key; operator: daymarkctl on the host; system: "
		      "the service itself, such as by the clock; user: a person in the console; "
		      "checker: daymark-check."),
	ACTOR(id, "id", .flags = FIELD_ZERO_IS_NULL,
	      .text = "The id of the key or the user; null: none."),
	ACTOR(label, "label", .flags = FIELD_ZERO_IS_NULL, .label = "Name",
	      .text = "The label of the key, or the name of the user or the program; null: none."),
};
static const struct fields actor_fields = { actor_rows, ARRAY_LEN(actor_rows) };

static const struct field rows[] = {
	ROW(id, .min = 1, .max = INT64_MAX, .text = "Later events have higher ids, nearly always."),
	ROW(kind, .flags = FIELD_NOT_EMPTY, .choices = event_kind_words, .text = "What changed."),
	ROW(object, .flags = FIELD_NOT_EMPTY, .choices = event_object_words,
	    .text = "The type of the object that changed."),
	ROW(object_id, .text = "The id of the object."),
	{ .name = "actor",
	  .kind = FIELD_OBJECT,
	  .members = &actor_fields,
	  .text = "Who made the change." },
	ROW(at, .flags = FIELD_NOT_EMPTY, .text = "When the change was made."),
	ROW(address, .text = "The address of the client; null: no request made the change."),
	ROW(request_id, .text = "The X-Request-Id of the request; null: no request."),
	ROW(detail, .text = "The text that belongs to the change, such as a cause, a title or the "
			    "body of an update; never a secret."),
};
const struct fields event_fields = { rows, ARRAY_LEN(rows) };

bool event_is_told(enum event_kind kind)
{
	static const bool told[EVENT_KINDS] = {
		[EVENT_INCIDENT_OPENED] = true,
		[EVENT_INCIDENT_ACKNOWLEDGED] = true,
		[EVENT_INCIDENT_UNACKNOWLEDGED] = true,
		[EVENT_INCIDENT_COMMENTED] = true,
		[EVENT_INCIDENT_RESOLVED] = true,
		[EVENT_INCIDENT_REPORTED] = true,
		[EVENT_INCIDENT_UPDATED] = true,
		[EVENT_INCIDENT_UPDATE_POSTED] = true,
		[EVENT_INCIDENT_REOPENED] = true,
		[EVENT_INCIDENT_POSTMORTEM] = true,
		[EVENT_CERTIFICATE_EXPIRING] = true,
		[EVENT_DOMAIN_EXPIRING] = true,
		[EVENT_ISSUER_CHANGED] = true,
		[EVENT_MAINTENANCE_SCHEDULED] = true,
		[EVENT_MAINTENANCE_UPDATED] = true,
		[EVENT_MAINTENANCE_REMINDER] = true,
		[EVENT_MAINTENANCE_STARTED] = true,
		[EVENT_MAINTENANCE_VERIFYING] = true,
		[EVENT_MAINTENANCE_COMPLETED] = true,
		[EVENT_MAINTENANCE_CANCELLED] = true,
		[EVENT_MAINTENANCE_UPDATE_POSTED] = true,
		[EVENT_CHECKER_CUT_OFF] = true,
		[EVENT_CHECKER_RECONNECTED] = true,
	};
	return told[kind];
}

bool event_is_public(enum event_kind kind)
{
	enum event_object object = event_kind_object(kind);
	return event_is_told(kind) &&
	       (object == EVENT_OF_INCIDENT || object == EVENT_OF_MAINTENANCE) &&
	       kind != EVENT_INCIDENT_ACKNOWLEDGED && kind != EVENT_INCIDENT_UNACKNOWLEDGED &&
	       kind != EVENT_INCIDENT_UPDATED;
}

const char *event_kind_word(enum event_kind kind)
{
	return kind == EVENT_NONE ? "" : event_kind_words[kind - 1];
}

enum event_kind event_kind_of(const char *word)
{
	return (enum event_kind)(str_place(event_kind_words, str_from(word)) + 1);
}

const char *event_action(const char *word)
{
	const char *dot = strchr(word, '.');
	return dot ? dot + 1 : word;
}

enum event_object event_kind_object(enum event_kind kind)
{
	if (kind <= EVENT_INCIDENT_DELETED)
		return EVENT_OF_INCIDENT;
	/* Events about the domain, the links or the subscribers of a page belong to the page. */
	if (kind <= EVENT_SUBSCRIBER_DELETED)
		return EVENT_OF_STATUS_PAGE;
	if (kind <= EVENT_MONITOR_DELETED)
		return EVENT_OF_MONITOR;
	if (kind <= EVENT_MAINTENANCE_DELETED)
		return EVENT_OF_MAINTENANCE;
	if (kind <= EVENT_KEY_REVOKED)
		return EVENT_OF_KEY;
	if (kind <= EVENT_CHECKER_RECONNECTED)
		return EVENT_OF_ACCOUNT;
	if (kind <= EVENT_CHANNEL_SUSPENDED)
		return EVENT_OF_CHANNEL;
	return kind <= EVENT_SESSION_ENDED ? EVENT_OF_USER : EVENT_OF_TEMPLATE;
}
