#include "notify/courier.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "domain/mail_address.h"
#include "domain/web_url.h"
#include "probe/address.h"
#include "view/html.h"
#include "view/mail_html.h"
#include "wire/mail_message.h"
#include "wire/smtp_client.h"

enum { PASSWORD_SIZE = 256, HTML_MAX_BYTES = 1 << 20 };

struct courier {
	const struct config *config;
	struct http_client *http;
	struct smtp_client *smtp; /* NULL: no mail server is configured */
	struct smtp_settings settings;
	char password[PASSWORD_SIZE];
	int limit_s;
};

static enum result read_password(struct courier *courier, const char *path, struct error *error)
{
	FILE *file = path ? fopen(path, "re") : NULL;
	bool is_read = file && fgets(courier->password, sizeof(courier->password), file);
	if (file)
		fclose(file);
	courier->password[strcspn(courier->password, "\r\n")] = '\0';
	return is_read || !path ? OK
				: error_log(error, E_FAILED, "[mail] password_file cannot be read");
}

static enum result open_smtp(struct courier *courier, struct error *error)
{
	const struct config *config = courier->config;
	const char *at = config->mail_server ? strrchr(config->mail_from, '@') : NULL;
	if (!at)
		return OK;
	enum result result = read_password(courier, config->mail_password_file, error);
	courier->settings = (struct smtp_settings){
		.url = config->mail_server,
		.name = at + 1,
		.user = config->mail_user,
		.password = courier->password,
		.ca_file = config->mail_ca_file,
		.needs_tls = config->mail_needs_tls,
		.limit_s = courier->limit_s,
	};
	return result == OK ? smtp_client_open(&courier->smtp, &courier->settings, error) : result;
}

enum result courier_open(struct courier **courier, const struct config *config, int limit_s,
			 struct error *error)
{
	struct courier *opened = memory_needed(calloc(1, sizeof(*opened)));
	opened->config = config;
	opened->limit_s = limit_s;
	enum result result = http_client_open(&opened->http, config->check_ca_file, error);
	if (result == OK)
		result = open_smtp(opened, error);
	if (result != OK) {
		courier_close(opened);
		opened = NULL;
	} else if (!config->check_allow_private) {
		http_client_guard(opened->http, address_is_public);
	}
	*courier = opened;
	return result;
}

void courier_guard(struct courier *courier)
{
	http_client_guard(courier->http, address_is_public);
}

void courier_close(struct courier *courier)
{
	if (!courier)
		return;
	http_client_close(courier->http);
	smtp_client_close(courier->smtp);
	free(courier);
}

void courier_send_mail(struct courier *courier, const char *sender, const char *to, struct str mail,
		       struct arena *arena, struct courier_outcome *outcome)
{
	/* The mail server's response may quote the recipient's address. Hide the address, because
	 * the response is shown in the list of deliveries. */
	const struct alert_channel hidden = { .type = ALERT_EMAIL, .value.secret = to };
	struct smtp_outcome sent;
	*outcome =
		(struct courier_outcome){ .response =
						  "[mail] server is not set in the configuration" };
	if (!courier->smtp)
		return;
	smtp_client_send(courier->smtp, sender, to, mail, arena, &sent);
	outcome->result = (struct delivery_try){ .status = sent.code,
						 .is_accepted = sent.is_accepted,
						 .is_mail = true };
	outcome->response = channel_response_words(&hidden, str_from(sent.text), arena);
}

static const char *colour_of(const struct alert *alert)
{
	return alert->event == ALERT_DOWN ? MAIL_RED
	       : alert->event == ALERT_UP ? MAIL_GREEN
					  : MAIL_BLUE;
}

static void add_paragraphs(struct buf *out, const char *text)
{
	struct str rest = str_from(text), line;
	while (rest.len > 0 && str_split(&rest, '\n', &line)) {
		struct buf part CLEANUP(buf_done) = BUF_INIT(HTML_MAX_BYTES);
		buf_add(&part, line.data, line.len);
		buf_putc(&part, '\0');
		buf_puts(out, "<p style=\"margin:0 0 8px\">");
		html_text(out, buf_ok(&part) ? part.data : "");
		buf_puts(out, "</p>");
	}
}

static void add_html(struct buf *out, const struct alert *alert)
{
	const struct mail_html mail = { words_of_service(), alert->title, colour_of(alert) };
	mail_html_begin(out, &mail);
	add_paragraphs(out, alert->text);
	if (alert->url) {
		buf_puts(out, "<p style=\"margin:12px 0 0\"><a href=\"");
		html_url(out, alert->url);
		buf_puts(out, "\">");
		html_text(out, alert->url);
		buf_puts(out, "</a></p>");
	}
	mail_html_end(out);
}

/* Prints the mail of an alert. Mail programs show mails about the same object as one thread. */
static void print_alert_mail(struct buf *out, const struct alert *alert, const char *from,
			     const char *to, struct arena *arena)
{
	const char *domain = strrchr(from, '@') + 1;
	struct buf html CLEANUP(buf_done) = BUF_INIT(HTML_MAX_BYTES);
	add_html(&html, alert);
	buf_putc(&html, '\0');
	const struct mail_message message = {
		.from_name = "Daymark",
		.from = from,
		.to = to,
		.subject = alert->title,
		.id = arena_printf(arena, "%s@%s", alert->id, domain),
		.references = arena_printf(arena, "%s@%s", alert->subject, domain),
		.at = alert->at,
		.text = arena_printf(arena, "%s\n\n%s\n%s%s%s", alert->title, alert->text,
				     alert->url ? "\n" : "", alert->url ? alert->url : "",
				     alert->url ? "\n" : ""),
		.html = buf_ok(&html) ? html.data : "",
	};
	mail_message_print(out, &message);
	out->is_failed |= !buf_ok(&html);
}

static void send_alert_mail(struct courier *courier, const struct alert_channel *channel,
			    const struct alert *alert, struct arena *arena,
			    struct courier_outcome *outcome)
{
	struct buf message CLEANUP(buf_done) = BUF_INIT(1 << 20);
	const char *to = mail_address_ascii(arena, channel->value.email);
	const char *from = courier->config->mail_from;
	*outcome = (struct courier_outcome){ .response = "no memory for the message" };
	if (from && to)
		print_alert_mail(&message, alert, from, to, arena);
	if (buf_ok(&message))
		courier_send_mail(courier, from, to, (struct str){ message.data, message.len },
				  arena, outcome);
}

/* Sends a request. Without a response, response->status is 0. */
static void send_request(struct courier *courier, const struct alert_channel *channel,
			 const struct channel_request *request, struct arena *arena,
			 struct courier_outcome *outcome, struct http_client_response *response)
{
	struct error error = { 0 };
	const struct http_client_request sent = {
		.method = "POST",
		.url = request->url,
		.headers = request->headers,
		.body = request->body,
		.timeout_s = courier->limit_s,
		.limit_s = courier->limit_s,
		.response_max = CHANNEL_RESPONSE_MAX_BYTES,
		.takes_part = true,
	};
	*response = (struct http_client_response){ 0 };
	enum result result = http_client_send(courier->http, &sent, arena, response, &error);
	if (result != OK) {
		*outcome = (struct courier_outcome){
			.result.is_final = result == E_FORBIDDEN,
			.response = channel_response_words(channel, str_from(error_text(&error)),
							   arena),
		};
		return;
	}
	outcome->result = channel_response_judge(channel, response);
	outcome->response = channel_response_words(channel, response->body, arena);
}

void courier_send_request(struct courier *courier, const struct alert_channel *channel,
			  const struct channel_request *request, struct arena *arena,
			  struct courier_outcome *outcome, struct str *body)
{
	struct http_client_response response;
	send_request(courier, channel, request, arena, outcome, &response);
	*body = response.body;
}

void courier_send(struct courier *courier, const struct alert_channel *channel,
		  const struct alert *alert, const struct signing_key *key, struct arena *arena,
		  struct courier_outcome *outcome)
{
	enum { CHATS = 2 }; /* the stored chat, then the chat to which the service moved it */
	struct alert_channel moved = *channel;
	struct channel_request request;
	struct http_client_response response;
	if (channel->type == ALERT_EMAIL) {
		send_alert_mail(courier, channel, alert, arena, outcome);
		return;
	}
	for (int i = 0; i < CHATS && (i == 0 || moved.value.chat_id); i++) {
		*outcome = (struct courier_outcome){ .response = "no memory for the message" };
		if (!channel_request_make(&moved, alert, key, clock_now(), arena, &request))
			return;
		send_request(courier, &moved, &request, arena, outcome, &response);
		moved.value.chat_id = channel_response_moved(&moved, &response, arena);
	}
}
