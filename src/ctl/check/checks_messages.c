/* Checks of messages: whether a sender works, and which messages it could not send. */
#include "ctl/check/checks.h"
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
}
