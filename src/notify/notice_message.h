/* Messages to subscribers, as mail or as requests to webhooks. */
#ifndef NOTIFY_NOTICE_MESSAGE_H
#define NOTIFY_NOTICE_MESSAGE_H

#include "access/signing_key.h"
#include "base/config/config.h"
#include "store/notify/notice.h"
#include "view/page/page_message.h"

/* The content of a message. It is the same for all subscribers of a page who get the same
 * events. */
struct notice_content {
	const struct words *words;
	const char *page_name;
	const char *page_url; /* with a slash at its end */
	struct page_message message;
	struct str html; /* only for mail */
	const struct page_snapshot *snapshot;
};
/* Makes the content. If the first event has no outbox_id, the message only asks to
 * confirm a subscription. Returns false if the page does not show any of the events. */
bool notice_content_make(const struct page_snapshot *snapshot, const struct leased_notice *events,
			 size_t count, struct arena *arena, struct notice_content *content)
	MUST_USE;

/* A message for a subscriber; owned by an arena. */
struct notice_message {
	int64_t message_id;
	int64_t account_id;
	int64_t subscriber_id;
	int64_t tries;
	struct instant first_due_at;
	bool is_mail;
	const char *to;	       /* the mail address, or the URL of the webhook */
	const char *sender;    /* the envelope sender, to which bounces are sent */
	struct str body;       /* the whole mail, or the body of the request */
	const char *challenge; /* a webhook must return it to confirm the subscription; NULL:
				  none */
	const char *secret;    /* signs the requests to the webhook */
};
/* Makes the message for the subscriber of `notice`, which is the first delivery of the message.
 * Returns false if memory is short, or if no mail server is configured. */
bool notice_message_make(const struct notice_content *content, const struct leased_notice *notice,
			 const struct config *config, const struct signing_key *key,
			 struct arena *arena, struct notice_message *message) MUST_USE;

/* Returns the secret of a subscriber's webhook: "whsec_" and base64. Owned by the arena. */
const char *notice_secret(const struct signing_key *key, int64_t subscriber_id,
			  struct arena *arena);
/* Returns the URL below page_url at which a subscriber confirms, changes or ends the
 * subscription. */
const char *notice_link(const char *page_url, const struct signing_key *key, int64_t subscriber_id,
			struct arena *arena);

#endif
