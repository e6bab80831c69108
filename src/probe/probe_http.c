#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/http_check.h"

struct http_socket {
	struct probe_http_shared *http;
	struct loop_watch watch;
};

/* Ends the request, whichever step it has reached. */
static void drop_request(struct http_check *check)
{
	struct probe_http_shared *http = check->probe->prober->http;
	if (check->easy) {
		curl.multi_remove_handle(http->multi, check->easy);
		curl.easy_cleanup(check->easy);
	}
	connect_stop(&check->connect);
	curl.slist_free_all(check->address);
	curl.slist_free_all(check->headers);
	check->easy = NULL;
	check->address = check->headers = NULL;
}

static void send_request(struct http_check *check)
{
	struct probe_http_shared *http = check->probe->prober->http;
	check->easy = curl.easy_init();
	bool is_ready = check->easy && http_request_set(check);
	if (is_ready) {
		curl.easy_setopt(check->easy, CURLOPT_PRIVATE, check);
		http_response_set(check);
		check->sent_us = probe_elapsed_us(check->probe);
		is_ready = curl.multi_add_handle(http->multi, check->easy) == CURLM_OK;
	}
	if (!is_ready)
		probe_end_void(check->probe, "no memory");
}

static void take_connection(struct probe *probe, int error)
{
	if (error != 0)
		connect_fail(probe, error);
	else
		send_request(probe->own);
}

static void begin_request(struct http_check *check)
{
	connect_to_host(&check->connect, check->probe, check->host, check->port);
}

/* Begins the request to the target of a redirect. */
static void follow(struct http_check *check, const char *location)
{
	struct probe_result *result = &check->probe->result;
	if (!http_target_follow(check, location))
		return;
	drop_request(check);
	result->resolved_us = result->connected_us = PROBE_NOT_REACHED;
	result->secured_us = result->first_byte_us = PROBE_NOT_REACHED;
	result->address[0] = '\0';
	begin_request(check);
}

/* For each request that has ended: follows its redirect, or ends its check. */
static void take_ends(struct probe_http_shared *http)
{
	CURLMsg *message;
	int left;
	while ((message = curl.multi_info_read(http->multi, &left))) {
		struct http_check *check = NULL;
		CURLcode code = message->data.result;
		curl.easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &check);
		const char *location = http_response_location(check, code);
		if (location)
			follow(check, location);
		else
			http_response_judge(check, code);
	}
}

static void timer_has_come(void *context)
{
	struct probe_http_shared *http = context;
	int running;
	curl.multi_socket_action(http->multi, CURL_SOCKET_TIMEOUT, 0, &running);
	take_ends(http);
}

/* Sets the timer of libcurl (CURLMOPT_TIMERFUNCTION). */
static int set_timer(CURLM *multi, long wait_ms, void *context)
{
	struct probe_http_shared *http = context;
	(void)multi;
	if (wait_ms < 0)
		loop_timer_cancel(http->loop, &http->timer);
	else
		loop_timer_set(http->loop, &http->timer, clock_ms() + wait_ms);
	return 0;
}

static void socket_is_ready(void *context)
{
	struct http_socket *watched = context;
	/* Copy the members of `watched`: multi_socket_action() may free it. */
	struct probe_http_shared *http = watched->http;
	uint32_t ready = watched->watch.ready;
	/* After an error tell libcurl to read and write, so that it notices the error. */
	if (ready & ~(uint32_t)(EPOLLIN | EPOLLOUT))
		ready |= EPOLLIN | EPOLLOUT;
	int running, events = (ready & EPOLLIN ? CURL_CSELECT_IN : 0) |
			      (ready & EPOLLOUT ? CURL_CSELECT_OUT : 0);
	curl.multi_socket_action(http->multi, watched->watch.fd, events, &running);
	take_ends(http);
}

static void forget_socket(struct probe_http_shared *http, curl_socket_t fd,
			  struct http_socket *watched)
{
	if (!watched)
		return;
	loop_unwatch(http->loop, &watched->watch);
	free(watched);
	curl.multi_assign(http->multi, fd, NULL);
}

static struct http_socket *watch_socket(struct probe_http_shared *http, curl_socket_t fd)
{
	struct http_socket *watched = calloc(1, sizeof(*watched));
	if (!watched)
		return NULL;
	watched->http = http;
	watched->watch = (struct loop_watch){ .call = socket_is_ready, .context = watched };
	if (loop_watch(http->loop, &watched->watch, fd) &&
	    curl.multi_assign(http->multi, fd, watched) == CURLM_OK)
		return watched;
	loop_unwatch(http->loop, &watched->watch);
	free(watched);
	return NULL;
}

/* Watches a socket as libcurl asks (CURLMOPT_SOCKETFUNCTION). If that fails, ends this check.
 * Always returns 0, because any other value ends the requests of all checks. */
static int change_socket(CURL *easy, curl_socket_t fd, int what, void *context, void *assigned)
{
	struct probe_http_shared *http = context;
	struct http_socket *watched = assigned;
	struct http_check *check = NULL;
	if (what == CURL_POLL_REMOVE) {
		forget_socket(http, fd, watched);
		return 0;
	}
	if (!watched)
		watched = watch_socket(http, fd);
	uint32_t events = (what & CURL_POLL_IN ? EPOLLIN : 0) |
			  (what & CURL_POLL_OUT ? EPOLLOUT : 0);
	if (watched && loop_watch_for(http->loop, &watched->watch, events))
		return 0;
	curl.easy_getinfo(easy, CURLINFO_PRIVATE, &check);
	probe_end_void(check->probe, "no memory");
	return 0;
}

static void start(struct probe *probe)
{
	const struct check_settings *settings = probe->settings;
	struct http_check *check = calloc(1, sizeof(*check));
	probe->own = check;
	if (check) {
		check->probe = probe;
		check->connect.call = take_connection;
		check->url = curl.url();
		check->method = (enum check_method)settings->request_method;
		check->sends_body = settings->request_body && check->method != CHECK_HEAD;
	}
	if (!check || !check->url)
		probe_end_void(probe, "no memory");
	else if (settings->has_lost_secrets)
		probe_end_void(probe, "the stored password or headers cannot be decrypted");
	else if (http_target_begin(check))
		begin_request(check);
}

static void stop(struct probe *probe)
{
	struct http_check *check = probe->own;
	if (!check)
		return;
	http_response_note(check);
	drop_request(check);
	if (check->url)
		curl.url_cleanup(check->url);
	http_response_done(check);
	free(check);
	probe->own = NULL;
}

const struct probe_type probe_http = { .start = start, .stop = stop, .connects = true };

/* Returns the file of trusted certificates from the settings, or else the default of libcurl; NULL:
 * none. The caller frees the name. libcurl reads the file once for all checks. */
static char *find_ca_file(const char *wanted)
{
	CURL *easy = curl.easy_init();
	char *own = NULL;
	if (easy && !wanted)
		curl.easy_getinfo(easy, CURLINFO_CAINFO, &own);
	char *found = wanted || own ? strdup(wanted ? wanted : own) : NULL;
	if (easy)
		curl.easy_cleanup(easy);
	return found;
}

enum result probe_http_open(struct prober *prober, struct error *error)
{
	const char *base_url = prober->settings.base_url;
	enum result result = http_library_load(error);
	if (result != OK)
		return result;
	struct probe_http_shared *http = calloc(1, sizeof(*http));
	prober->http = http;
	if (!http || !(http->multi = curl.multi_init()))
		return error_log(error, E_FAILED, "no memory for HTTP requests");
	http->loop = prober->loop;
	http->timer = (struct loop_timer){ .call = timer_has_come, .context = http };
	http->ca_file = find_ca_file(prober->settings.ca_file);
	snprintf(http->user_agent, sizeof(http->user_agent), "Daymark/" PACKAGE_VERSION "%s%s%s",
		 base_url ? " (+" : "", base_url ? base_url : "", base_url ? ")" : "");
	curl.multi_setopt(http->multi, CURLMOPT_SOCKETFUNCTION, change_socket);
	curl.multi_setopt(http->multi, CURLMOPT_SOCKETDATA, http);
	curl.multi_setopt(http->multi, CURLMOPT_TIMERFUNCTION, set_timer);
	curl.multi_setopt(http->multi, CURLMOPT_TIMERDATA, http);
	/* Each connection serves one request only. */
	curl.multi_setopt(http->multi, CURLMOPT_PIPELINING, (long)CURLPIPE_NOTHING);
	return OK;
}

void probe_http_close(struct prober *prober)
{
	struct probe_http_shared *http = prober->http;
	if (!http)
		return;
	if (http->multi)
		curl.multi_cleanup(http->multi);
	loop_timer_cancel(http->loop, &http->timer);
	free(http->ca_file);
	free(http);
}
