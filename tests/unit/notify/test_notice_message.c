/* Messages to subscribers: the headers, and what signs them. */
#include "unit/lib/unit.h"

#include "access/signed_id.h"
#include "notify/notice_message.h"
#include "view/mail_html.h"

static struct page_snapshot snapshot;
static struct notice_content content;
static struct config config;
static struct signing_key key;
static struct leased_notice notice;

static int start(void **state)
{
	(void)state;
	memset(&key, 7, sizeof(key));
	snapshot = (struct page_snapshot){ .now = { 1795176000 } };
	config = (struct config){ .mail_server = "smtp://x",
				  .mail_from = "status@example.org",
				  .mail_bounce_address = "bounces@example.org" };
	content = (struct notice_content){ .words = words_of_language("en"),
					   .page_name = "Our page",
					   .page_url = "https://s.example/s/x/",
					   .message = { .subject = "Our page: Orders fail",
							.title = "Orders fail",
							.thread = "incident-7",
							.colour = MAIL_RED },
					   .html = STR("<p>Words</p>\n"),
					   .snapshot = &snapshot };
	notice = (struct leased_notice){ .id = 8,
					 .message_id = 8,
					 .page_id = 3,
					 .subscriber_id = 5,
					 .address = "ann@example.net",
					 .outbox_id = 9 };
	return 0;
}

static struct notice_message made(void)
{
	struct notice_message message;
	assert_true(notice_message_make(&content, &notice, &config, &key, &arena, &message));
	return message;
}

static bool has(struct notice_message message, const char *text)
{
	return memmem(message.body.data, message.body.len, text, strlen(text)) != NULL;
}

/* Whether a line of the mail's headers begins so. */
static bool has_header(struct notice_message message, const char *text)
{
	const char *at = memmem(message.body.data, message.body.len, text, strlen(text));
	const char *end = memmem(message.body.data, message.body.len, "\r\n\r\n", 4);
	return at && at < end;
}

static void a_message_can_be_ended_with_one_click(void **state)
{
	(void)state;
	const char *link = notice_link(content.page_url, &key, 5, &arena);
	struct notice_message message = made();
	assert_true(has(message, "\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n"));
	assert_true(has(message, "\r\nList-Unsubscribe: <https://s.example/s/x/subscription?"));
	assert_true(has(message, "\r\nList-Id: <page-3.example.org>\r\n"));
	assert_true(has(message, "\r\nMessage-ID: <notice-8@example.org>\r\n"));
	assert_true(has(message, "\r\nReferences: <page-3-incident-7@example.org>\r\n"));
	assert_memory_equal("https://s.example/s/x/subscription?token=5-", link, 43);
	/* RFC 8058 needs https; and a request to confirm is no subscription yet. */
	content.page_url = "http://s.example/s/x/";
	message = made();
	assert_false(has(message, "One-Click"));
	assert_true(has(message, "\r\nList-Unsubscribe: <http://s.example/"));
	notice.outbox_id = 0;
	content.page_url = "https://s.example/s/x/";
	assert_false(has(made(), "List-Unsubscribe"));
	assert_false(has(made(), "References"));
}

static void texts_of_people_add_no_header(void **state)
{
	(void)state;
	content.page_name = "x\r\nBcc: b@example.org";
	content.message.subject = "y\r\nBcc: c@example.org\r\n\r\nz";
	assert_false(has_header(made(), "\nBcc:"));
	notice.outbox_id = 0;
	assert_false(has_header(made(), "\nBcc:"));
	notice.type = SUBSCRIBER_WEBHOOK;
	struct notice_message message = made();
	assert_true(has(message, "\"page\":\"x\\r\\nBcc: b@example.org\""));
}

static void bounces_name_the_delivery(void **state)
{
	int64_t id = 0;
	struct str sender, local, name = { 0 };
	(void)state;
	sender = str_from(made().sender);
	assert_true(str_split(&sender, '@', &local) && str_split(&local, '+', &name));
	assert_true(str_eq(name, STR("bounces")));
	assert_true(signed_id_read(&key, SIGNED_BOUNCE, local, &id));
	assert_int_equal(8, id);
	/* The address does not admit to the subscription. */
	assert_false(signed_id_read(&key, SIGNED_SUBSCRIBER, local, &id));
	config.mail_bounce_address = NULL;
	assert_string_equal("status@example.org", made().sender);
}

static void a_webhook_has_a_secret_of_its_own(void **state)
{
	(void)state;
	notice.type = SUBSCRIBER_WEBHOOK;
	notice.outbox_id = 0;
	struct notice_message message = made();
	assert_non_null(message.challenge);
	assert_true(has(message, message.challenge));
	assert_false(has(message, message.secret));
	assert_string_not_equal(message.secret, notice_secret(&key, 6, &arena));
	assert_memory_equal("whsec_", message.secret, 6);
	assert_int_equal(6 + 44, strlen(message.secret));
}

static void without_a_mail_server_there_is_no_mail(void **state)
{
	struct notice_message message;
	(void)state;
	config.mail_server = NULL;
	assert_false(notice_message_make(&content, &notice, &config, &key, &arena, &message));
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup(function, start)
	const struct CMUnitTest tests[] = {
		TEST(a_message_can_be_ended_with_one_click),
		TEST(texts_of_people_add_no_header),
		TEST(bounces_name_the_delivery),
		TEST(a_webhook_has_a_secret_of_its_own),
		TEST(without_a_mail_server_there_is_no_mail),
	};
	return RUN_WITH_ARENA(tests);
}
