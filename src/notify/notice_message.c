#include "notify/notice_message.h"

#include <string.h>

#include "access/signed_id.h"
#include "base/bidi.h"
#include "domain/mail_address.h"
#include "view/html.h"
#include "view/mail_html.h"
#include "view/page.h"
#include "view/words/locale.h"
#include "wire/json.h"
#include "wire/json_read.h"
#include "wire/mail_message.h"

enum { CONTENT_MAX_BYTES = 4 << 20 };

/* Returns the event of a delivery. Adds data from its payload that the page does not have. */
static struct page_message_event event_of(const struct leased_notice *notice, struct arena *arena)
{
	struct page_message_event event = { .kind = event_kind_of(notice->kind),
					    .object_id = notice->object_id,
					    .at = notice->at };
	struct json_object *root = NULL;
	struct error error = { 0 };
	if (!notice->payload || json_read_file(str_from(notice->payload), &root, &error) != OK)
		return event;
	event.text = json_text(json_member(root, "text"), arena);
	const char *starts_at =
		json_text(json_member(json_member(root, "occurrence"), "starts_at"), arena);
	if (starts_at)
		(void)instant_parse(str_from(starts_at), &event.starts_at);
	json_free(root);
	return event;
}

bool notice_content_make(const struct page_snapshot *snapshot, const struct leased_notice *events,
			 size_t count, struct arena *arena, struct notice_content *content)
{
	struct buf html CLEANUP(buf_done) = BUF_INIT(CONTENT_MAX_BYTES);
	struct page_message_event *told = ARENA_ARRAY(arena, count, struct page_message_event);
	*content = (struct notice_content){
		.words = locale_of_page(&snapshot->page).words,
		.page_name = snapshot->page.name,
		.page_url = snapshot->url,
		.snapshot = snapshot,
	};
	if (events[0].outbox_id == 0)
		return true;
	for (size_t i = 0; i < count; i++)
		told[i] = event_of(&events[i], arena);
	if (!page_message_make(&html, snapshot, told, count, arena, &content->message) ||
	    !buf_ok(&html))
		return false;
	content->html = (struct str){ arena_strndup(arena, html.data, html.len), html.len };
	return true;
}

const char *notice_secret(const struct signing_key *key, int64_t subscriber_id, struct arena *arena)
{
	char signature[SECRET_SIGNATURE_SIZE];
	const char *text = arena_printf(arena, "subscriber secret:%lld", (long long)subscriber_id);
	secret_sign(key->bytes, str_from(text), signature);
	/* Convert base64url to base64. */
	for (char *c = signature; *c; c++)
		*c = *c == '-' ? '+' : *c == '_' ? '/' : *c;
	return arena_printf(arena, "whsec_%s=", signature);
}

const char *notice_link(const char *page_url, const struct signing_key *key, int64_t subscriber_id,
			struct arena *arena)
{
	return arena_printf(arena, "%ssubscription?token=%s", page_url,
			    signed_id_make(key, SIGNED_SUBSCRIBER, subscriber_id, arena));
}

/* The data from which a message is made. */
struct making {
	const struct notice_content *content;
	const struct leased_notice *notice;
	const struct config *config;
	const struct signing_key *key;
	struct arena *arena;
	const char *link;
	bool is_asking;
};

static const char *of_page(const struct making *making, enum sentence sentence)
{
	const char *name = bidi_isolated(making->content->page_name, making->arena);
	return words_text(making->content->words, sentence, 0, WORD_VALUES({ "page", name }),
			  making->arena);
}

static void put_paragraph(struct buf *html, const char *text)
{
	buf_puts(html, "<p style=\"margin:0 0 8px\">");
	html_text(html, text);
	buf_puts(html, "</p>\n");
}

static void put_request(const struct making *making, struct buf *html)
{
	const struct words *words = making->content->words;
	bool is_known = making->notice->is_confirmed;
	if (!is_known)
		put_paragraph(html, words_say(words, SAY_CONFIRM_TEXT));
	mail_html_button(html, making->link, words_say(words, is_known ? SAY_MANAGE : SAY_CONFIRM),
			 MAIL_BLUE);
	put_paragraph(html, words_say(words, SAY_CONFIRM_IGNORE));
}

static void put_footer(const struct making *making, struct buf *html)
{
	buf_puts(html, "<hr>\n<p style=\"margin:8px 0;font-size:13px\">");
	html_text(html, of_page(making, SAY_MAIL_WHY));
	buf_puts(html, "<br>\n<a href=\"");
	html_url(html, making->link);
	buf_puts(html, "\">");
	words_put(html, making->content->words, SAY_MANAGE);
	buf_puts(html, "</a></p>\n");
}

static const char *subject_of(const struct making *making)
{
	if (!making->is_asking)
		return making->content->message.subject;
	return of_page(making,
		       making->notice->is_confirmed ? SAY_ALREADY_SUBSCRIBED : SAY_CONFIRM_SUBJECT);
}

static void put_html(const struct making *making, struct buf *html)
{
	const struct notice_content *content = making->content;
	const struct mail_html mail = {
		.words = content->words,
		.title = making->is_asking ? subject_of(making) : content->message.title,
		.colour = making->is_asking ? MAIL_BLUE : content->message.colour,
	};
	mail_html_begin(html, &mail);
	if (making->is_asking)
		put_request(making, html);
	else
		buf_add(html, content->html.data, content->html.len);
	if (!making->is_asking)
		put_footer(making, html);
	mail_html_end(html);
	buf_putc(html, '\0');
}

/* Returns the headers for unsubscribing and sorting in mail programs. A message that asks to
 * confirm a subscription has none. One-click unsubscription needs https (RFC 8058). */
static const char *const *headers_of(const struct making *making)
{
	enum { HEADERS = 5 };
	const char **headers = ARENA_ARRAY(making->arena, HEADERS + 1, const char *);
	size_t count = 0;
	if (making->is_asking)
		return headers;
	headers[count++] = arena_printf(making->arena, "List-Unsubscribe: <%s>", making->link);
	if (str_starts(str_from(making->link), STR("https://")))
		headers[count++] = "List-Unsubscribe-Post: List-Unsubscribe=One-Click";
	headers[count++] = arena_printf(making->arena, "List-Id: <page-%lld.%s>",
					(long long)making->notice->page_id,
					strrchr(making->config->mail_from, '@') + 1);
	headers[count++] = "Precedence: list";
	headers[count++] = arena_printf(making->arena, "Feedback-ID: page-%lld:daymark",
					(long long)making->notice->page_id);
	return headers;
}

static bool make_mail(const struct making *making, struct notice_message *message)
{
	struct buf html CLEANUP(buf_done) = BUF_INIT(CONTENT_MAX_BYTES);
	struct buf text CLEANUP(buf_done) = BUF_INIT(CONTENT_MAX_BYTES);
	struct buf mail CLEANUP(buf_done) = BUF_INIT(4 * CONTENT_MAX_BYTES);
	const char *from = making->config->mail_from, *domain = strrchr(from, '@') + 1;
	const char *thread = making->is_asking ? NULL : making->content->message.thread;
	put_html(making, &html);
	if (!buf_ok(&html))
		return false;
	mail_html_plain(&text, (struct str){ html.data, html.len - 1 });
	buf_putc(&text, '\0');
	const struct mail_message made = {
		.from_name = making->content->page_name,
		.from = from,
		.to = making->notice->address,
		.subject = subject_of(making),
		.id = arena_printf(making->arena, "notice-%lld@%s",
				   (long long)making->notice->message_id, domain),
		.references = thread ? arena_printf(making->arena, "page-%lld-%s@%s",
						    (long long)making->notice->page_id, thread,
						    domain)
				     : NULL,
		.at = making->content->snapshot->now,
		.headers = headers_of(making),
		.text = buf_ok(&text) ? text.data : "",
		.html = html.data,
	};
	mail_message_print(&mail, &made);
	if (!buf_ok(&text) || !buf_ok(&mail))
		return false;
	message->body = (struct str){ arena_strndup(making->arena, mail.data, mail.len), mail.len };
	return true;
}

/* Returns the envelope sender. It contains the signed id of the message, so that a bounce shows
 * which message it is about. */
static const char *sender_of(const struct making *making)
{
	const char *address = making->config->mail_bounce_address;
	const char *at = address ? strrchr(address, '@') : NULL;
	if (!at)
		return making->config->mail_from;
	return arena_printf(making->arena, "%.*s+%s%s", (int)(at - address), address,
			    signed_id_make(making->key, SIGNED_BOUNCE, making->notice->message_id,
					   making->arena),
			    at);
}

static void print_challenge(const struct making *making, struct notice_message *message,
			    struct buf *body)
{
	struct json_object *tree = json_object_tree();
	message->challenge = signed_id_make(making->key, SIGNED_CHALLENGE,
					    making->notice->subscriber_id, making->arena);
	json_put_text(tree, "type", "subscription.challenge");
	json_put_text(tree, "challenge", message->challenge);
	json_put_text(tree, "page", making->content->page_name);
	json_put_text(tree, "page_url", making->content->page_url);
	json_put_text(tree, "manage_url", making->link);
	json_print(body, tree);
	json_free(tree);
}

static bool make_request(const struct making *making, struct notice_message *message)
{
	struct buf body CLEANUP(buf_done) = BUF_INIT(CONTENT_MAX_BYTES);
	const struct notice_content *content = making->content;
	if (making->is_asking)
		print_challenge(making, message, &body);
	else
		page_message_json(&body, content->snapshot, &content->message, making->link,
				  making->arena);
	if (!buf_ok(&body))
		return false;
	message->body = (struct str){ arena_strndup(making->arena, body.data, body.len), body.len };
	message->secret = notice_secret(making->key, making->notice->subscriber_id, making->arena);
	return true;
}

bool notice_message_make(const struct notice_content *content, const struct leased_notice *notice,
			 const struct config *config, const struct signing_key *key,
			 struct arena *arena, struct notice_message *message)
{
	const struct making making = {
		.content = content,
		.notice = notice,
		.config = config,
		.key = key,
		.arena = arena,
		.link = notice_link(content->page_url, key, notice->subscriber_id, arena),
		.is_asking = notice->outbox_id == 0,
	};
	*message = (struct notice_message){
		.message_id = notice->message_id,
		.account_id = notice->account_id,
		.subscriber_id = notice->subscriber_id,
		.tries = notice->tries,
		.first_due_at = notice->first_due_at,
		.is_mail = notice->type == SUBSCRIBER_EMAIL,
		.to = arena_strdup(arena, notice->address),
	};
	if (!message->is_mail)
		return make_request(&making, message);
	message->sender = config->mail_server ? sender_of(&making) : "";
	return config->mail_server && make_mail(&making, message);
}
