#include "domain/event.h"

#include <string.h>

#include "base/attr.h"

struct kind {
	const char *word;
	enum event_object object;
};

static const struct kind kinds[] = {
	[EVENT_NONE] = { "", EVENT_OF_INCIDENT },
	[EVENT_INCIDENT_OPENED] = { "incident.opened", EVENT_OF_INCIDENT },
	[EVENT_INCIDENT_ACKNOWLEDGED] = { "incident.acknowledged", EVENT_OF_INCIDENT },
	[EVENT_INCIDENT_UNACKNOWLEDGED] = { "incident.unacknowledged", EVENT_OF_INCIDENT },
	[EVENT_INCIDENT_COMMENTED] = { "incident.commented", EVENT_OF_INCIDENT },
	[EVENT_INCIDENT_BACKDATED] = { "incident.backdated", EVENT_OF_INCIDENT },
	[EVENT_INCIDENT_RESOLVED] = { "incident.resolved", EVENT_OF_INCIDENT },
	[EVENT_INCIDENT_RECORDED] = { "incident.recorded", EVENT_OF_INCIDENT },
	[EVENT_INCIDENT_IMPORTED] = { "incident.imported", EVENT_OF_INCIDENT },
	[EVENT_INCIDENT_DELETED] = { "incident.deleted", EVENT_OF_INCIDENT },
	[EVENT_STATUS_PAGE_CREATED] = { "status_page.created", EVENT_OF_STATUS_PAGE },
	[EVENT_STATUS_PAGE_UPDATED] = { "status_page.updated", EVENT_OF_STATUS_PAGE },
	[EVENT_STATUS_PAGE_DELETED] = { "status_page.deleted", EVENT_OF_STATUS_PAGE },
	[EVENT_DOMAIN_PROVEN] = { "domain.proven", EVENT_OF_STATUS_PAGE },
	[EVENT_DOMAIN_LOST] = { "domain.lost", EVENT_OF_STATUS_PAGE },
	[EVENT_MONITOR_ADDED] = { "monitor.added", EVENT_OF_MONITOR },
	[EVENT_MONITOR_RENAMED] = { "monitor.renamed", EVENT_OF_MONITOR },
	[EVENT_MONITOR_LABELLED] = { "monitor.labelled", EVENT_OF_MONITOR },
	[EVENT_MONITOR_RETIRED] = { "monitor.retired", EVENT_OF_MONITOR },
	[EVENT_MONITOR_REMOVED] = { "monitor.removed", EVENT_OF_MONITOR },
	[EVENT_KEY_CREATED] = { "key.created", EVENT_OF_KEY },
	[EVENT_KEY_REVOKED] = { "key.revoked", EVENT_OF_KEY },
	[EVENT_ACCOUNT_ADDED] = { "account.added", EVENT_OF_ACCOUNT },
	[EVENT_ACCOUNT_REMOVED] = { "account.removed", EVENT_OF_ACCOUNT },
};
_Static_assert(ARRAY_LEN(kinds) == EVENT_KINDS, "each kind has its word");

const char *const event_object_words[] = { "incident", "status_page", "monitor",
					   "key",      "account",     NULL };
_Static_assert(ARRAY_LEN(event_object_words) == EVENT_OBJECTS + 1, "each object has its word");

const char *event_kind_word(enum event_kind kind)
{
	return kinds[kind].word;
}

enum event_kind event_kind_of(const char *word)
{
	for (int kind = EVENT_NONE + 1; kind < EVENT_KINDS; kind++)
		if (strcmp(kinds[kind].word, word) == 0)
			return (enum event_kind)kind;
	return EVENT_NONE;
}

const char *event_action(const char *word)
{
	const char *dot = strchr(word, '.');
	return dot ? dot + 1 : word;
}

enum event_object event_kind_object(enum event_kind kind)
{
	return kinds[kind].object;
}
