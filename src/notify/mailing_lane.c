/* The work of the lanes: they send messages. */
#include "notify/mailing_parts.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/secret.h"
#include "notify/webhook_signature.h"
#include "wire/bounce_report.h"

/* Whether the reply of a mail server has an enhanced status (RFC 3463) that says that the address
 * does not exist. Other refusals may concern the sender, or the content of the message. */
static bool is_of_address(const char *reply)
{
	char status[16];
	size_t from = strcspn(reply, " -"), len = 0;
	while (reply[from] == ' ' || reply[from] == '-')
		from++;
	len = strspn(reply + from, "0123456789.");
	snprintf(status, sizeof(status), "%.*s", (int)(len < 15 ? len : 15), reply + from);
	return bounce_is_hard(status, "failed");
}

static void judge(const struct notice_message *message, const struct courier_outcome *sent,
		  struct notice_outcome *outcome)
{
	uint32_t random;
	int status = sent->result.status;
	secret_random(&random, sizeof(random));
	outcome->verdict = delivery_judge(&sent->result, message->tries,
					  clock_now().s - message->first_due_at.s, random);
	outcome->status = status;
	outcome->response = sent->response;
	outcome->is_bounce = message->is_mail && status >= 550 && is_of_address(sent->response);
}

static void post(struct mailing_lane *lane, const struct notice_message *message,
		 const struct signing_key *key, struct courier_outcome *sent,
		 struct notice_outcome *outcome)
{
	struct arena *arena = &lane->arena;
	const struct instant now = clock_now();
	const struct alert_channel channel = { .type = ALERT_WEBHOOK, .value.url = message->to };
	const char *id = arena_printf(arena, "notice-%lld", (long long)message->message_id);
	const struct webhook_message hook = { id, now, message->body };
	const char *const secrets[WEBHOOK_SECRETS_MAX] = { message->secret, NULL };
	const struct channel_request request = {
		.url = message->to,
		.headers = { "Content-Type: application/json",
			     arena_printf(arena, "webhook-id: %s", id),
			     arena_printf(arena, "webhook-timestamp: %lld", (long long)now.s),
			     arena_printf(arena, "webhook-signature: %s",
					  webhook_signature(&hook, secrets, key, arena)) },
		.body = message->body,
	};
	struct str body;
	courier_send_request(lane->courier, &channel, &request, arena, sent, &body);
	if (!message->challenge || !sent->result.is_accepted)
		return;
	size_t len = strlen(message->challenge);
	outcome->is_confirmed = body.len >= len &&
				memmem(body.data, body.len, message->challenge, len);
	if (!outcome->is_confirmed) {
		sent->result =
			(struct delivery_try){ .status = sent->result.status, .is_final = true };
		sent->response = "the response does not contain the challenge";
	}
}

void mailing_send(void *context)
{
	struct mailing_lane *lane = context;
	const struct mailing *mailing = lane->mailing;
	enum { MARGIN_MS = 2000 }; /* no message begins when less time of its lease is left */
	const int64_t until_ms = clock_ms() + LANE_S * 1000;
	struct signing_key key;
	bool has_key = signing_key_load(mailing->config->pages_dir, &key);
	for (size_t i = 0; i < lane->count; i++) {
		const struct notice_message *message = &lane->messages[i];
		struct notice_outcome *outcome = &lane->outcomes[i];
		struct courier_outcome sent = { 0 };
		*outcome = (struct notice_outcome){ .message_id = message->message_id,
						    .subscriber_id = message->subscriber_id,
						    .is_unsent = true };
		if (!has_key || mailing->is_leaving || (i > 0 && clock_ms() > until_ms) ||
		    clock_ms() + MARGIN_MS > lane->leased_until_ms)
			continue;
		outcome->is_unsent = false;
		if (message->is_mail)
			courier_send_mail(lane->courier, message->sender, message->to,
					  message->body, &lane->arena, &sent);
		else
			post(lane, message, &key, &sent, outcome);
		judge(message, &sent, outcome);
		if (outcome->verdict.state == DELIVERY_SENT)
			sent_journal_add(&mailing->journal, outcome);
	}
}
