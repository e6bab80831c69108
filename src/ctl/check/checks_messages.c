/* Checks of messages: whether they are sent in time, and which could not be sent. */
#include "access/signing_key.h"
#include "ctl/check/checks.h"
#include "notify/channel_value.h"
#include "store/notify/alert_channel.h"
#include "store/notify/delivery.h"

static struct check check_sender(struct ctl *ctl, const struct delivery_health *health)
{
	enum { IDLE_S = 120, LATE_S = 600 };
	const char *waiting = ctl_count(&ctl->arena, health->queued, "message");
	if (health->unexpanded_s > IDLE_S)
		return check_warning(ctl,
				     "is daymark-sender there? systemctl restart daymark, or "
				     "`daymarkctl deliver --once` by cron",
				     "no sender has taken what has happened for %s",
				     ctl_count(&ctl->arena, health->unexpanded_s / 60, "minute"));
	if (health->oldest_s > LATE_S)
		return check_warning(ctl, "daymarkctl delivery list shows what the receivers say",
				     "a message has waited for %s; %s to send",
				     ctl_count(&ctl->arena, health->oldest_s / 60, "minute"),
				     waiting);
	return (struct check){ OK, arena_printf(&ctl->arena, "%s to send", waiting) };
}

static struct check check_failed(struct ctl *ctl, const struct delivery_health *health)
{
	if (health->failed > 0)
		return check_warning(ctl,
				     "daymarkctl delivery list shows what the receivers said; "
				     "daymarkctl delivery retry",
				     "%s of the last day",
				     ctl_count(&ctl->arena, health->failed, "message"));
	return (struct check){ OK, "none in the last day" };
}

static struct check check_suspended(struct ctl *ctl)
{
	enum { MOST = 10 };
	struct alert_channel_list list;
	const char *names = "";
	enum result result =
		alert_channels_suspended(ctl->db, MOST, &ctl->arena, &list, &ctl->error);
	if (result != OK)
		return check_failure(ctl, result);
	if (list.count == 0)
		return (struct check){ OK, "none is suspended" };
	for (size_t i = 0; i < list.count; i++)
		names = arena_printf(&ctl->arena, "%s%s%lld (%s)", names, i > 0 ? ", " : "",
				     (long long)list.rows[i].id, list.rows[i].name);
	return check_warning(ctl,
			     "correct the channel: daymarkctl alert-channel set ID; test it: "
			     "daymarkctl alert-channel test ID",
			     "suspended, since their receivers refuse messages: %s%s", names,
			     list.count == MOST ? ", perhaps others" : "");
}

/* Finds the first channel whose secrets the present signing key cannot decrypt. *id: its id; 0:
 * there is no such channel. */
static enum result find_undecryptable(struct ctl *ctl, int64_t *id)
{
	enum { LIST_MAX_BYTES = 64 << 20 };
	struct arena arena CLEANUP(arena_done);
	struct alert_channel_list list;
	struct signing_key key;
	bool has_key = signing_key_load(ctl->config.pages_dir, &key);
	int64_t after_id = 0;
	enum result result;
	arena_init(&arena, LIST_MAX_BYTES);
	*id = 0;
	do {
		arena_reset(&arena);
		result = alert_channels_after(ctl->db, 0, after_id, &arena, &list, &ctl->error);
		for (size_t i = 0; result == OK && *id == 0 && i < list.count; i++) {
			struct alert_channel *row = &list.rows[i];
			after_id = row->id;
			if (!has_key || !channel_value_open(&row->value, row->account_id,
							    row->sealed_value, &key, &arena))
				*id = row->id;
		}
	} while (result == OK && *id == 0 && list.count > 0);
	return result;
}

static struct check check_values(struct ctl *ctl)
{
	int64_t id;
	enum result result = find_undecryptable(ctl, &id);
	if (result != OK)
		return check_failure(ctl, result);
	if (id == 0)
		return (struct check){ OK, "their addresses can be decrypted" };
	return check_fault(ctl,
			   "bring the former file `secret` back, or enter the addresses and tokens "
			   "of all channels again: daymarkctl alert-channel set ID",
			   "the signing key cannot decrypt the address of channel %lld: its "
			   "messages fail",
			   (long long)id);
}

void checks_of_messages(struct ctl *ctl, struct checks *checks)
{
	struct delivery_health health;
	if (!ctl->config.has_outbox)
		return;
	enum result result = delivery_health_read(ctl->db, clock_now(), &health, &ctl->error);
	if (result != OK) {
		checks_add(checks, "messages", check_failure(ctl, result));
		return;
	}
	checks_add(checks, "messages", check_sender(ctl, &health));
	checks_add(checks, "failed messages", check_failed(ctl, &health));
	checks_add(checks, "alert channels", check_suspended(ctl));
	checks_add(checks, "channel secrets", check_values(ctl));
}
