#include "domain/notify/subscriber.h"

#include <string.h>

#include "base/secret.h"
#include "base/str.h"
#include "domain/mail_address.h"
#include "domain/web_url.h"

const char *const subscriber_type_words[] = { "email", "webhook", NULL };
const char *const subscriber_state_words[] = { "unconfirmed", "confirmed", "suspended", NULL };

#define SUBSCRIBER(member, ...) FIELD(struct subscriber, member, __VA_ARGS__)
/* clang-format off */
#define RESOURCE_ROWS \
	SUBSCRIBER(id, .min = 1, .max = INT64_MAX), \
	SUBSCRIBER(type, .flags = FIELD_AS_WORD, .choices = subscriber_type_words, \
		   .text = "How the subscriber receives messages."), \
	SUBSCRIBER(address, .flags = FIELD_NOT_EMPTY, \
		   .text = "The address of e-mail, or the URL of the webhook."), \
	SUBSCRIBER(state, .flags = FIELD_AS_WORD, .choices = subscriber_state_words, \
		   .text = "unconfirmed: the receiver has not confirmed yet; such subscribers " \
			   "are deleted after 7 days. suspended: the receiver refuses messages."), \
	SUBSCRIBER(takes_all_monitors, \
		   .text = "Whether the subscriber hears of all systems of the page."), \
	SUBSCRIBER(monitor_ids, \
		   .text = "The systems of which the subscriber hears if takes_all_monitors is " \
			   "false."), \
	SUBSCRIBER(created_at, .flags = FIELD_NOT_EMPTY), \
	SUBSCRIBER(confirmed_at, .text = "When the receiver confirmed; null: not yet."), \
	SUBSCRIBER(suspended_at, .text = "When messages ended; null: they did not."), \
	SUBSCRIBER(suspension, .text = "What the receiver said then.")
/* clang-format on */
static const struct field resource_rows[] = { RESOURCE_ROWS };
static const struct field operator_rows[] = { RESOURCE_ROWS, SUBSCRIBER(account_id),
					      SUBSCRIBER(page_id) };
const struct fields subscriber_resource_fields = { resource_rows, ARRAY_LEN(resource_rows) };
const struct fields subscriber_fields = { operator_rows, ARRAY_LEN(operator_rows) };

#define INPUT(member, ...) FIELD(struct subscriber_input, member, __VA_ARGS__)
static const struct field input_rows[] = {
	INPUT(address, .flags = FIELD_REQUIRED | FIELD_NOT_EMPTY, .max_bytes = WEB_URL_MAX_BYTES,
	      .text = "An address of e-mail, or the https URL of a webhook."),
	INPUT(monitor_ids, .max = 1000,
	      .text = "The systems of which the subscriber hears; none: all of the page."),
};
const struct fields subscriber_input_fields = { input_rows, ARRAY_LEN(input_rows) };

static bool is_webhook(const char *text)
{
	return str_starts(str_from(text), STR("https://")) && web_url_is_valid(text) &&
	       !web_url_has_user(text);
}

bool subscriber_set_address(struct subscriber *subscriber, const char *text, struct arena *arena,
			    struct violations *violations)
{
	const char *mail = mail_address_ascii(arena, text);
	if (!mail && !is_webhook(text)) {
		violations_add(violations, "address",
			       "The address field must be an address of e-mail, or the https URL "
			       "of a webhook without user and password.");
		return false;
	}
	subscriber->type = mail ? SUBSCRIBER_EMAIL : SUBSCRIBER_WEBHOOK;
	subscriber->address = mail ? mail : text;
	/* Nearly all servers ignore case in addresses: "Ann@" and "ann@" get the same hash. */
	char *same = arena_strdup(arena, subscriber->address);
	if (mail)
		str_to_lower(same);
	subscriber->address_hash =
		secret_hash_hex(arena, same, strlen(same), 2 * SECRET_HASH_BYTES);
	return true;
}

void subscriber_set_monitors(struct subscriber *subscriber, struct id_list monitor_ids)
{
	id_list_settle(&monitor_ids);
	subscriber->monitor_ids = monitor_ids;
	subscriber->takes_all_monitors = monitor_ids.count == 0;
}
