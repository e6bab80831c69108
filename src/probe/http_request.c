#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "probe/address.h"
#include "probe/http_check.h"

static bool add_header(struct http_check *check, const char *text)
{
	struct curl_slist *longer = curl.slist_append(check->headers, text);
	if (longer)
		check->headers = longer;
	return longer != NULL;
}

static bool is_prefix_of(const char *prefix, const char *name)
{
	size_t len = strlen(prefix);
	return str_eq_nocase((struct str){ name, strnlen(name, len) }, str_from(prefix));
}

/*
 * Whether this request gets a certain header of the settings. A request to another origin than the
 * first request gets only harmless headers, because other headers may contain a secret. A
 * redirected request without a body gets no "Content-" headers.
 */
static bool is_for(const struct http_check *check, const char *name)
{
	static const char *const harmless[] = { "Accept", "User-Agent", "Cache-Control",
						"Content-" };
	bool is_abroad = strcmp(check->origin, check->first_origin) != 0;
	if (check->redirects > 0 && !check->sends_body && is_prefix_of("Content-", name))
		return false;
	for (size_t i = 0; is_abroad && i < ARRAY_LEN(harmless); i++)
		if (is_prefix_of(harmless[i], name))
			return true;
	return !is_abroad;
}

static bool add_headers(struct http_check *check)
{
	const struct field_rows *list = &check->probe->settings->request_headers;
	const struct check_header *headers = list->rows;
	struct buf line CLEANUP(buf_done) = BUF_INIT(1 << 20);
	/* Remove the header Expect of libcurl: with this header, libcurl waits for the server's
	 * permission to send a body. */
	bool is_added = add_header(check, "Expect:");
	for (size_t i = 0; is_added && i < list->count; i++) {
		const char *value = headers[i].value ? headers[i].value : "";
		if (!is_for(check, headers[i].key))
			continue;
		buf_clear(&line);
		/* libcurl expects a header without a value as "name;". */
		buf_printf(&line, *value ? "%s: %s" : "%s;", headers[i].key, value);
		is_added = buf_ok(&line) && add_header(check, line.data);
	}
	curl.easy_setopt(check->easy, CURLOPT_HTTPHEADER, check->headers);
	return is_added;
}

/*
 * Returns the connected socket to libcurl (CURLOPT_OPENSOCKETFUNCTION). If libcurl asks for a
 * second connection, for example to repeat the request by HTTP/1.1, returns a new socket. libcurl
 * connects it to the same address.
 */
static curl_socket_t give_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address)
{
	struct http_check *check = context;
	int fd = check->connect.watch.fd;
	(void)purpose;
	check->connect.watch.fd = -1;
	check->is_connected = fd >= 0;
	if (fd < 0)
		fd = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
	return fd < 0 ? CURL_SOCKET_BAD : fd;
}

/* Tells libcurl whether the socket is already connected (CURLOPT_SOCKOPTFUNCTION). */
static int tell_state(void *context, curl_socket_t fd, curlsocktype purpose)
{
	const struct http_check *check = context;
	(void)fd;
	(void)purpose;
	return check->is_connected ? CURL_SOCKOPT_ALREADY_CONNECTED : CURL_SOCKOPT_OK;
}

/* Makes libcurl use the connected socket and its address, instead of resolving the name. */
static bool set_connection(struct http_check *check)
{
	const char *address = check->probe->result.address;
	bool is_ipv6 = strchr(address, ':');
	char text[ADDRESS_TEXT_SIZE + sizeof("::[]:")];
	snprintf(text, sizeof(text), is_ipv6 ? "::[%s]:" : "::%s:", address);
	check->address = curl.slist_append(NULL, text);
	curl.easy_setopt(check->easy, CURLOPT_CURLU, check->url);
	curl.easy_setopt(check->easy, CURLOPT_CONNECT_TO, check->address);
	curl.easy_setopt(check->easy, CURLOPT_OPENSOCKETFUNCTION, give_socket);
	curl.easy_setopt(check->easy, CURLOPT_OPENSOCKETDATA, check);
	curl.easy_setopt(check->easy, CURLOPT_SOCKOPTFUNCTION, tell_state);
	curl.easy_setopt(check->easy, CURLOPT_SOCKOPTDATA, check);
	return check->address != NULL;
}

static void set_method(struct http_check *check)
{
	const struct check_settings *settings = check->probe->settings;
	CURL *easy = check->easy;
	if (check->sends_body) {
		curl.easy_setopt(easy, CURLOPT_POSTFIELDSIZE, (long)strlen(settings->request_body));
		curl.easy_setopt(easy, CURLOPT_POSTFIELDS, settings->request_body);
	} else if (check->method == CHECK_POST) {
		curl.easy_setopt(easy, CURLOPT_POSTFIELDSIZE, 0L);
		curl.easy_setopt(easy, CURLOPT_POSTFIELDS, "");
	}
	if (check->method == CHECK_HEAD)
		curl.easy_setopt(easy, CURLOPT_NOBODY, 1L);
	else
		curl.easy_setopt(easy, CURLOPT_CUSTOMREQUEST, check_method_words[check->method]);
}

static void set_security(struct http_check *check)
{
	const char *ca_file = check->probe->prober->http->ca_file;
	bool is_verified = check->probe->settings->verify_tls;
	CURL *easy = check->easy;
	curl.easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
	curl.easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
	/* Use no proxy, not even a proxy from environment variables. */
	curl.easy_setopt(easy, CURLOPT_PROXY, "");
	curl.easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, is_verified ? 1L : 0L);
	curl.easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, is_verified ? 2L : 0L);
	curl.easy_setopt(easy, CURLOPT_CERTINFO, 1L);
	/* Make a new connection and a new TLS session for each request. */
	curl.easy_setopt(easy, CURLOPT_FRESH_CONNECT, 1L);
	curl.easy_setopt(easy, CURLOPT_FORBID_REUSE, 1L);
	curl.easy_setopt(easy, CURLOPT_SSL_SESSIONID_CACHE, 0L);
	/* libcurl would read its folder of certificates for each connection. Switch the folder off
	 * if the certificates are in a file or are not verified. */
	if (ca_file || !is_verified)
		curl.easy_setopt(easy, CURLOPT_CAPATH, NULL);
	curl.easy_setopt(easy, CURLOPT_CAINFO, is_verified ? ca_file : NULL);
#if LIBCURL_VERSION_NUM >= 0x075700
	curl.easy_setopt(easy, CURLOPT_CA_CACHE_TIMEOUT, (long)PROBE_TRUST_KEEP_S);
#endif
}

bool http_request_set(struct http_check *check)
{
	const struct check_settings *settings = check->probe->settings;
	CURL *easy = check->easy;
	curl.easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
	/* Switch off libcurl's cache of names, because libcurl searches all of it, and all checks
	 * share it. */
	curl.easy_setopt(easy, CURLOPT_DNS_CACHE_TIMEOUT, 0L);
	curl.easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
	curl.easy_setopt(easy, CURLOPT_USERAGENT, check->probe->prober->http->user_agent);
	if (settings->request_auth_username && strcmp(check->origin, check->first_origin) == 0) {
		curl.easy_setopt(easy, CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC);
		curl.easy_setopt(easy, CURLOPT_USERNAME, settings->request_auth_username);
		curl.easy_setopt(easy, CURLOPT_PASSWORD, settings->request_auth_password);
	}
	set_method(check);
	set_security(check);
	return set_connection(check) && add_headers(check);
}
