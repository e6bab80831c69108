#include "service/bounces.h"

#include "access/signed_id.h"
#include "store/notify/delivery.h"
#include "store/notify/subscriber.h"
#include "wire/bounce_report.h"

const char *const bounce_outcome_words[] = { "counted", "ignored", "unsigned", NULL };

struct bounce {
	int64_t delivery_id;
	const char *text;
	bool is_known;
};

/* Returns the delivery that a signed address such as "bounces+7-1f0c@example.org" names; 0: the
 * report has no such address. */
static int64_t delivery_of(const struct bounce_report *report, const struct signing_key *key)
{
	for (size_t i = 0; i < report->address_count; i++) {
		int64_t id;
		struct str rest = str_from(report->addresses[i]), local, part, token = { 0 };
		/* The token follows the last plus sign. The configured address may contain plus
		 * signs. */
		for (str_split(&rest, '@', &local); str_split(&local, '+', &part);)
			token = part;
		if (!signed_id_read(key, SIGNED_BOUNCE, token, &id))
			continue;
		return id;
	}
	return 0;
}

static const char *failure_of(const struct bounce_report *report, struct arena *arena)
{
	for (size_t i = 0; i < report->recipient_count; i++) {
		const struct bounce_recipient *recipient = &report->recipients[i];
		if (bounce_is_hard(recipient->status, recipient->action))
			return arena_printf(arena, "%s %s", recipient->status, recipient->text);
	}
	return NULL;
}

static enum result bounce_work(struct service *service, void *context)
{
	struct bounce *bounce = context;
	struct delivery delivery;
	enum result result = delivery_find(service->db, 0, bounce->delivery_id, false,
					   service->arena, &delivery, service->error);
	bounce->is_known = result == OK && delivery.subscriber_id > 0;
	if (result == E_NOT_FOUND || (result == OK && !bounce->is_known))
		return OK;
	return result == OK ? subscriber_bounce(service->db, delivery.subscriber_id, bounce->text,
						service->now, service->error)
			    : result;
}

enum result service_take_bounce(struct service *service, struct str report,
				enum bounce_outcome *outcome)
{
	struct bounce_report read;
	struct signing_key key;
	enum result result = service_read_key(service, &key);
	if (result != OK)
		return result;
	bounce_report_read(report, service->arena, &read);
	struct bounce bounce = { .delivery_id = delivery_of(&read, &key),
				 .text = failure_of(&read, service->arena) };
	*outcome = bounce.delivery_id == 0 ? BOUNCE_UNSIGNED : BOUNCE_IGNORED;
	if (bounce.delivery_id == 0 || !bounce.text)
		return OK;
	result = service_transact(service, PERMISSION_NONE, bounce_work, &bounce, NULL);
	if (result == OK && bounce.is_known)
		*outcome = BOUNCE_COUNTED;
	return result;
}
