#include "wire/smtp_client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "wire/http_library.h"

enum { CONNECT_S = 10, REPLY_SIZE = 512 };

struct smtp_client {
	const struct smtp_settings *settings;
	CURL *easy;	 /* has the kept connection */
	struct str left; /* the bytes of the message that libcurl has not read yet */
	struct str whole;
	/* the first refusal (4xx or 5xx) of the server; without a refusal, its last reply */
	char reply[REPLY_SIZE];
	char reason[CURL_ERROR_SIZE];
};

enum result smtp_client_open(struct smtp_client **client, const struct smtp_settings *settings,
			     struct error *error)
{
	*client = NULL;
	enum result result = http_library_load(error);
	if (result != OK)
		return result;
	struct smtp_client *opened = memory_needed(calloc(1, sizeof(*opened)));
	opened->settings = settings;
	opened->easy = memory_needed(curl.easy_init());
	*client = opened;
	return OK;
}

void smtp_client_close(struct smtp_client *client)
{
	if (!client)
		return;
	curl.easy_cleanup(client->easy);
	free(client);
}

/* Copies the next bytes of the message to libcurl (CURLOPT_READFUNCTION). */
static size_t give_message(char *to, size_t size, size_t count, void *context)
{
	struct smtp_client *client = context;
	size_t len = size * count < client->left.len ? size * count : client->left.len;
	memcpy(to, client->left.data, len);
	client->left = str_skip(client->left, len);
	return len;
}

/* Stores a reply of the server (CURLOPT_HEADERFUNCTION). */
static size_t take_reply(char *data, size_t size, size_t count, void *context)
{
	struct smtp_client *client = context;
	size_t len = size * count;
	/* Keeps a refusal: the next reply is only the reply to QUIT. */
	if (client->reply[0] == '4' || client->reply[0] == '5')
		return len;
	while (len > 0 && (data[len - 1] == '\n' || data[len - 1] == '\r'))
		len--;
	snprintf(client->reply, sizeof(client->reply), "%.*s", (int)len, data);
	return size * count;
}

static void set_options(struct smtp_client *client, const char *url, struct curl_slist *recipients)
{
	const struct smtp_settings *settings = client->settings;
	CURL *easy = client->easy;
	curl.easy_reset(easy);
	curl.easy_setopt(easy, CURLOPT_URL, url);
	curl.easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
	curl.easy_setopt(easy, CURLOPT_PROXY, "");
	curl.easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
	curl.easy_setopt(easy, CURLOPT_ERRORBUFFER, client->reason);
	curl.easy_setopt(easy, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_S);
	curl.easy_setopt(easy, CURLOPT_TIMEOUT, (long)settings->limit_s);
	curl.easy_setopt(easy, CURLOPT_USE_SSL,
			 settings->needs_tls ? (long)CURLUSESSL_ALL : (long)CURLUSESSL_NONE);
	curl.easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
	if (settings->ca_file) {
		curl.easy_setopt(easy, CURLOPT_CAINFO, settings->ca_file);
		curl.easy_setopt(easy, CURLOPT_CAPATH, NULL);
	}
	if (settings->user) {
		curl.easy_setopt(easy, CURLOPT_USERNAME, settings->user);
		curl.easy_setopt(easy, CURLOPT_PASSWORD,
				 settings->password ? settings->password : "");
	}
	/* Without CURLOPT_UPLOAD, libcurl sends VRFY in place of a message. */
	curl.easy_setopt(easy, CURLOPT_UPLOAD, 1L);
	curl.easy_setopt(easy, CURLOPT_MAIL_RCPT, recipients);
	curl.easy_setopt(easy, CURLOPT_READFUNCTION, give_message);
	curl.easy_setopt(easy, CURLOPT_READDATA, client);
	curl.easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_reply);
	curl.easy_setopt(easy, CURLOPT_HEADERDATA, client);
}

static CURLcode send_once(struct smtp_client *client, bool is_fresh, long *code)
{
	client->left = client->whole;
	client->reply[0] = client->reason[0] = '\0';
	*code = 0;
	curl.easy_setopt(client->easy, CURLOPT_FRESH_CONNECT, is_fresh ? 1L : 0L);
	CURLcode sent = curl.easy_perform(client->easy);
	curl.easy_getinfo(client->easy, CURLINFO_RESPONSE_CODE, code);
	return sent;
}

void smtp_client_send(struct smtp_client *client, const char *from, const char *to,
		      struct str message, struct arena *arena, struct smtp_outcome *outcome)
{
	struct curl_slist *recipients =
		memory_needed(curl.slist_append(NULL, arena_printf(arena, "<%s>", to)));
	const char *url =
		arena_printf(arena, "%s/%s", client->settings->url, client->settings->name);
	long code;
	client->whole = message;
	set_options(client, url, recipients);
	curl.easy_setopt(client->easy, CURLOPT_MAIL_FROM, arena_printf(arena, "<%s>", from));
	CURLcode sent = send_once(client, false, &code);
	/* Send again if the server has closed the kept connection, without a reply or after 421
	 * (RFC 5321 section 3.8). */
	if (sent != CURLE_OK && (code == 0 || code == 421) && sent != CURLE_OPERATION_TIMEDOUT)
		sent = send_once(client, true, &code);
	curl.slist_free_all(recipients);
	const char *reason = client->reason[0] ? client->reason : curl.easy_strerror(sent);
	/* A code below 400 belongs to an earlier step: the login has failed or the connection has
	 * ended. */
	if (sent != CURLE_OK && code < 400)
		code = 0;
	*outcome = (struct smtp_outcome){
		.is_accepted = sent == CURLE_OK,
		.code = (int)code,
		.text = arena_strdup(arena, code > 0 ? client->reply : reason),
	};
}
