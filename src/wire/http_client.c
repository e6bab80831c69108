#include "wire/http_client.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/memory.h"
#include "wire/http_progress.h"

/* A request that is under way. */
struct transfer {
	CURL *easy; /* kept for the next request */
	struct curl_slist *headers;
	const struct http_client_request *request; /* NULL: none */
	struct http_client_response *response;
	struct buf body; /* of the response */
	int64_t offset;	 /* in the request's body */
	struct http_progress progress;
	char reason[CURL_ERROR_SIZE];
};

struct http_client {
	CURLM *multi;
	char *ca_file;
	struct transfer transfers[HTTP_CLIENT_PARALLEL];
	struct http_sockets sockets;
};

void http_client_close(struct http_client *client)
{
	if (!client)
		return;
	for (size_t i = 0; i < ARRAY_LEN(client->transfers); i++)
		if (client->transfers[i].easy)
			curl.easy_cleanup(client->transfers[i].easy);
	if (client->multi)
		curl.multi_cleanup(client->multi);
	free(client->ca_file);
	free(client);
}

enum result http_client_open(struct http_client **client, const char *ca_file, struct error *error)
{
	*client = NULL;
	enum result result = http_library_load(error);
	if (result != OK)
		return result;
	struct http_client *opened = memory_needed(calloc(1, sizeof(*opened)));
	http_sockets_init(&opened->sockets);
	opened->multi = memory_needed(curl.multi_init());
	opened->ca_file = ca_file ? memory_needed(strdup(ca_file)) : NULL;
	/* Keep one connection per transfer. By default, libcurl keeps four per running request. */
	curl.multi_setopt(opened->multi, CURLMOPT_MAXCONNECTS, (long)HTTP_CLIENT_PARALLEL);
	*client = opened;
	return OK;
}

void http_client_guard(struct http_client *client,
		       bool (*may_connect)(const struct sockaddr *address))
{
	client->sockets.may_connect = may_connect;
}

static int64_t body_bytes(const struct http_client_request *request)
{
	return request->read ? request->body_bytes : (int64_t)request->body.len;
}

/* Copies the next bytes of the request's body to libcurl (CURLOPT_READFUNCTION). */
static size_t give_body(char *to, size_t size, size_t count, void *context)
{
	struct transfer *transfer = context;
	const struct http_client_request *request = transfer->request;
	int64_t left = body_bytes(request) - transfer->offset, len = (int64_t)(size * count);
	if (len > left)
		len = left;
	if (len == 0)
		return 0;
	if (request->read)
		len = request->read(request->context, transfer->offset, to, (size_t)len);
	else
		memcpy(to, request->body.data + transfer->offset, (size_t)len);
	if (len < 1)
		return CURL_READFUNC_ABORT;
	transfer->offset += len;
	return (size_t)len;
}

/* Moves to an offset in the request's body (CURLOPT_SEEKFUNCTION). libcurl calls this to send the
 * body again if the server has closed a kept connection. */
static int seek_body(void *context, curl_off_t offset, int origin)
{
	struct transfer *transfer = context;
	if (origin != SEEK_SET || offset < 0 || offset > body_bytes(transfer->request))
		return CURL_SEEKFUNC_FAIL;
	transfer->offset = offset;
	return CURL_SEEKFUNC_OK;
}

/* Stores the next bytes of the response's body (CURLOPT_WRITEFUNCTION). */
static size_t take_body(char *data, size_t size, size_t count, void *context)
{
	struct transfer *transfer = context;
	size_t len = size * count, room = transfer->request->response_max - transfer->body.len;
	bool is_cut = transfer->request->takes_part && len > room;
	buf_add(&transfer->body, data, is_cut ? room : len);
	return is_cut || transfer->body.is_failed ? 0 : len;
}

static bool add_headers(struct transfer *transfer)
{
	const char *const *headers = transfer->request->headers;
	transfer->headers = NULL;
	for (size_t i = 0; headers && headers[i]; i++) {
		struct curl_slist *longer = curl.slist_append(transfer->headers, headers[i]);
		if (!longer)
			return false;
		transfer->headers = longer;
	}
	return true;
}

static void set_method(CURL *easy, const struct http_client_request *request)
{
	const char *method = request->method;
	bool has_body = strcmp(method, "PUT") == 0 || strcmp(method, "POST") == 0;
	curl.easy_setopt(easy, CURLOPT_NOBODY, strcmp(method, "HEAD") == 0 ? 1L : 0L);
	curl.easy_setopt(easy, CURLOPT_CUSTOMREQUEST, method);
	if (!has_body)
		return;
	curl.easy_setopt(easy, CURLOPT_UPLOAD, 1L);
	curl.easy_setopt(easy, CURLOPT_INFILESIZE_LARGE, (curl_off_t)body_bytes(request));
}

static void set_security(CURL *easy, const struct http_client *client)
{
	curl.easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
	curl.easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
	curl.easy_setopt(easy, CURLOPT_DISALLOW_USERNAME_IN_URL, 1L);
	/* Uses no proxy, even if the environment names one: the caller has chosen the server. */
	curl.easy_setopt(easy, CURLOPT_PROXY, "");
	curl.easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L);
	curl.easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L);
	curl.easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
	if (!client->ca_file)
		return;
	curl.easy_setopt(easy, CURLOPT_CAINFO, client->ca_file);
	curl.easy_setopt(easy, CURLOPT_CAPATH, NULL);
}

static void set_options(struct http_client *client, struct transfer *transfer)
{
	const struct http_client_request *request = transfer->request;
	CURL *easy = transfer->easy;
	curl.easy_setopt(easy, CURLOPT_PRIVATE, transfer);
	curl.easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer->reason);
	curl.easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
	curl.easy_setopt(easy, CURLOPT_USERAGENT, "daymark/" PACKAGE_VERSION);
	curl.easy_setopt(easy, CURLOPT_URL, request->url);
	curl.easy_setopt(easy, CURLOPT_HTTPHEADER, transfer->headers);
	/* With HTTP/2, all requests would share one connection, and would fail together. */
	curl.easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
	curl.easy_setopt(easy, CURLOPT_TIMEOUT, (long)request->limit_s);
	http_progress_watch(easy, &client->sockets, request->timeout_s, &transfer->progress);
	curl.easy_setopt(easy, CURLOPT_MAXFILESIZE_LARGE,
			 (curl_off_t)(request->takes_part ? 0 : request->response_max));
	curl.easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body);
	curl.easy_setopt(easy, CURLOPT_WRITEDATA, transfer);
	curl.easy_setopt(easy, CURLOPT_READFUNCTION, give_body);
	curl.easy_setopt(easy, CURLOPT_READDATA, transfer);
	curl.easy_setopt(easy, CURLOPT_SEEKFUNCTION, seek_body);
	curl.easy_setopt(easy, CURLOPT_SEEKDATA, transfer);
	set_method(easy, request);
	set_security(easy, client);
	if (!request->sigv4)
		return;
	curl.easy_setopt(easy, CURLOPT_AWS_SIGV4, request->sigv4);
	curl.easy_setopt(easy, CURLOPT_USERNAME, request->access_key);
	curl.easy_setopt(easy, CURLOPT_PASSWORD, request->secret_key);
}

static void end(struct transfer *transfer)
{
	curl.slist_free_all(transfer->headers);
	buf_done(&transfer->body);
	transfer->headers = NULL;
	transfer->request = NULL;
}

static enum result start(struct http_client *client, struct transfer *transfer,
			 const struct http_client_request *request,
			 struct http_client_response *response, struct error *error)
{
	if (!transfer->easy)
		transfer->easy = curl.easy_init();
	else
		curl.easy_reset(transfer->easy);
	transfer->request = request;
	transfer->response = response;
	transfer->body = BUF_INIT(request->response_max + 1);
	transfer->offset = 0;
	transfer->reason[0] = '\0';
	client->sockets.has_refused = false;
	bool is_ready = transfer->easy && add_headers(transfer);
	if (is_ready) {
		set_options(client, transfer);
		is_ready = curl.multi_add_handle(client->multi, transfer->easy) == CURLM_OK;
	}
	if (is_ready)
		return OK;
	end(transfer);
	return error_log(error, E_FAILED, "no memory for an HTTP request");
}

static void take_response(struct transfer *transfer, struct arena *arena)
{
	struct http_client_response *response = transfer->response;
	const struct buf *body = &transfer->body;
	struct curl_header *etag, *date;
	long status = 0;
	curl_off_t retry_after_s = 0;
	curl.easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &status);
	curl.easy_getinfo(transfer->easy, CURLINFO_RETRY_AFTER, &retry_after_s);
	response->status = (int)status;
	response->retry_after_s = (int)(retry_after_s < 86400 ? retry_after_s : 86400);
	response->body =
		(struct str){ arena_strndup(arena, body->data ? body->data : "", body->len),
			      body->len };
	if (curl.easy_header(transfer->easy, "ETag", 0, CURLH_HEADER, -1, &etag) == CURLHE_OK)
		response->etag = arena_strdup(arena, etag->value);
	if (curl.easy_header(transfer->easy, "Date", 0, CURLH_HEADER, -1, &date) == CURLHE_OK)
		response->date_s = curl.getdate(date->value, NULL);
	if (response->date_s < 0)
		response->date_s = 0;
}

static bool has_status(const struct transfer *transfer)
{
	long status = 0;
	curl.easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &status);
	return status >= 200;
}

static enum result outcome(const struct transfer *transfer, CURLcode code, struct error *error)
{
	const struct http_sockets *sockets = transfer->progress.sockets;
	const char *reason = transfer->reason[0] ? transfer->reason : curl.easy_strerror(code);
	size_t max = transfer->request->response_max;
	transfer->response->is_cut = code != CURLE_OK;
	if ((code == CURLE_OK && transfer->body.len <= max) ||
	    (transfer->request->takes_part && has_status(transfer)))
		return OK;
	if (code == CURLE_COULDNT_CONNECT && sockets->has_refused)
		return error_log(error, E_FORBIDDEN,
				 "the address is private, and may not be connected to");
	if (code == CURLE_OK || code == CURLE_FILESIZE_EXCEEDED || code == CURLE_WRITE_ERROR)
		return error_log(error, E_UNAVAILABLE, "the response has more than %zu bytes", max);
	if (transfer->progress.is_stalled)
		return error_log(error, E_UNAVAILABLE, "no progress for %d s",
				 transfer->request->timeout_s);
	if (code == CURLE_READ_ERROR || code == CURLE_ABORTED_BY_CALLBACK)
		return error_log(error, E_FAILED, "the body of the request cannot be read");
	if (code == CURLE_OPERATION_TIMEDOUT)
		return error_log(error, E_UNAVAILABLE, "no progress for %d s: %s",
				 transfer->request->timeout_s, reason);
	return error_log(error,
			 code == CURLE_OUT_OF_MEMORY || code == CURLE_SSL_CACERT_BADFILE ||
					 code == CURLE_URL_MALFORMAT
				 ? E_FAILED
				 : E_UNAVAILABLE,
			 "%s", reason);
}

/* The requests of one call of http_client_send_all(). */
struct round {
	struct http_client *client;
	const struct http_client_request *requests;
	struct http_client_response *responses;
	size_t count;
	size_t started;
	size_t running;
	bool is_stopping;
	enum result result; /* the first failure */
	struct arena *arena;
	struct error *error;
};

static void fail(struct round *round, enum result result, const struct error *error)
{
	round->is_stopping = true;
	if (round->result == OK && round->error)
		*round->error = *error;
	if (round->result == OK)
		round->result = result;
}

static void start_more(struct round *round)
{
	struct http_client *client = round->client;
	for (size_t i = 0; i < ARRAY_LEN(client->transfers); i++) {
		struct transfer *transfer = &client->transfers[i];
		struct error error = { 0 };
		if (round->is_stopping || round->started == round->count)
			return;
		if (transfer->request)
			continue;
		enum result result = start(client, transfer, &round->requests[round->started],
					   &round->responses[round->started], &error);
		round->started++;
		if (result == OK)
			round->running++;
		else
			fail(round, result, &error);
	}
}

static void end_some(struct round *round)
{
	CURLM *multi = round->client->multi;
	CURLMsg *message;
	int left;
	while ((message = curl.multi_info_read(multi, &left))) {
		struct transfer *transfer = NULL;
		struct error error = { 0 };
		CURLcode code = message->data.result;
		curl.easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
		enum result result = outcome(transfer, code, &error);
		if (result == OK)
			take_response(transfer, round->arena);
		else
			fail(round, result, &error);
		round->is_stopping |= transfer->response->status >= 300;
		curl.multi_remove_handle(multi, transfer->easy);
		end(transfer);
		round->running--;
	}
}

/* Ends all transfers after curl_multi_perform() or curl_multi_poll() has failed. */
static void end_all(struct round *round, CURLMcode code)
{
	struct error error = { 0 };
	for (size_t i = 0; i < ARRAY_LEN(round->client->transfers); i++) {
		struct transfer *transfer = &round->client->transfers[i];
		if (!transfer->request)
			continue;
		curl.multi_remove_handle(round->client->multi, transfer->easy);
		end(transfer);
	}
	round->running = 0;
	fail(round, error_log(&error, E_FAILED, "%s", curl.multi_strerror(code)), &error);
}

static sigset_t broken_pipe(void)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGPIPE);
	return set;
}

/* Blocks SIGPIPE, which would end the process: a TLS library may write to a connection that the
 * server has closed. */
static void hold_broken_pipe(sigset_t *before)
{
	const sigset_t set = broken_pipe();
	pthread_sigmask(SIG_BLOCK, &set, before);
}

static void drop_broken_pipe(const sigset_t *before)
{
	const sigset_t set = broken_pipe();
	const struct timespec at_once = { 0 };
	if (sigismember(before, SIGPIPE))
		return;
	while (sigtimedwait(&set, NULL, &at_once) > 0)
		continue;
	pthread_sigmask(SIG_SETMASK, before, NULL);
}

enum result http_client_send_all(struct http_client *client,
				 const struct http_client_request *requests, size_t count,
				 struct arena *arena, struct http_client_response *responses,
				 struct error *error)
{
	enum { POLL_MS = 1000 };
	struct round round = { .client = client,
			       .requests = requests,
			       .responses = responses,
			       .count = count,
			       .arena = arena,
			       .error = error };
	sigset_t before;
	memset(responses, 0, count * sizeof(*responses));
	hold_broken_pipe(&before);
	start_more(&round);
	while (round.running > 0) {
		int running;
		CURLMcode code = curl.multi_perform(client->multi, &running);
		end_some(&round);
		start_more(&round);
		/* Does not wait if start_more() has started a request: it has no socket yet. */
		if (code == CURLM_OK && round.running > 0 && (size_t)running == round.running)
			code = curl.multi_poll(client->multi, NULL, 0, POLL_MS, NULL);
		if (code != CURLM_OK)
			end_all(&round, code);
	}
	drop_broken_pipe(&before);
	return round.result;
}

enum result http_client_send(struct http_client *client, const struct http_client_request *request,
			     struct arena *arena, struct http_client_response *response,
			     struct error *error)
{
	return http_client_send_all(client, request, 1, arena, response, error);
}
