#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "probe/excerpt.h"
#include "probe/fault.h"
#include "probe/http_check.h"
#include "probe/json_path.h"

/* Whether the check needs the body of the response. */
static bool reads_body(const struct http_check *check)
{
	return check->probe->body || check->probe->settings->alert_condition != CHECK_STATUS;
}

/* Notes a coding of Content-Encoding. More than one coding is not accepted: libcurl would decode
 * all of them, and a kilobyte that was encoded twice may decode to a gigabyte. */
static void take_coding(struct http_check *check, struct str coding)
{
	bool is_known = str_eq_nocase(coding, STR("gzip")) ||
			str_eq_nocase(coding, STR("x-gzip")) ||
			str_eq_nocase(coding, STR("deflate"));
	if (coding.len == 0 || str_eq_nocase(coding, STR("identity")))
		return;
	check->has_other_coding |= check->is_coded || !is_known;
	check->is_coded = true;
}

/* Reads a header line, also of a 1xx response (CURLOPT_HEADERFUNCTION). */
static size_t take_header(char *data, size_t size, size_t count, void *context)
{
	struct http_check *check = context;
	struct str line = { data, size * count }, name;
	check->header_bytes += line.len;
	while (line.len > 0 && strchr("\r\n", line.data[line.len - 1]))
		line.len--;
	str_split(&line, ':', &name);
	line = str_trim_ows(line);
	if (str_eq_nocase(name, STR("Content-Encoding")))
		take_coding(check, line);
	if (str_eq_nocase(name, STR("Transfer-Encoding")) && !str_eq_nocase(line, STR("chunked")))
		check->refusal = "the Transfer-Encoding of the response was not asked for";
	if (check->header_bytes > HTTP_HEADERS_MAX_BYTES)
		check->refusal = "the headers of the response are too long";
	/* The end of the headers. */
	if (name.len == 0 && check->has_other_coding && reads_body(check))
		check->is_cut = true;
	return check->refusal || check->is_cut ? 0 : size * count;
}

/* Searches for the text in a piece of the body. Keeps the last bytes: the text may begin in this
 * piece and end in the next. */
static void search(struct http_check *check, struct str wanted, const char *data, size_t len)
{
	struct buf *body = &check->body;
	buf_add(body, data, len);
	if (!buf_ok(body))
		return;
	check->has_text |= memmem(body->data, body->len, wanted.data, wanted.len) != NULL;
	size_t kept = wanted.len - 1 < body->len ? wanted.len - 1 : body->len;
	memmove(body->data, body->data + body->len - kept, kept);
	body->len = kept;
}

/* Stores a piece of a JSON body. Returns false if the check would then have more than
 * HTTP_KEPT_EACH_BYTES, and all checks together more than HTTP_KEPT_MAX_BYTES. */
static bool keep(struct http_check *check, const char *data, size_t len)
{
	struct probe_http_shared *http = check->probe->prober->http;
	if (check->kept_bytes + len > HTTP_KEPT_EACH_BYTES &&
	    http->kept_bytes + len > HTTP_KEPT_MAX_BYTES)
		return false;
	check->kept_bytes += len;
	http->kept_bytes += len;
	buf_add(&check->body, data, len);
	return true;
}

/* Reads a piece of the body (CURLOPT_WRITEFUNCTION). */
static size_t take_body(char *data, size_t size, size_t count, void *context)
{
	struct http_check *check = context;
	const struct check_settings *settings = check->probe->settings;
	struct str wanted = str_from(settings->alert_text_lookup);
	size_t room = HTTP_BODY_MAX_BYTES - check->text_bytes;
	size_t len = size * count, taken = len < room ? len : room;
	check->text_bytes += taken;
	check->is_cut |= taken < len;
	if (check->probe->body)
		buf_add(check->probe->body, data, taken);
	if (settings->alert_condition == CHECK_JSON)
		check->is_short |= !keep(check, data, taken);
	else if (reads_body(check) && wanted.len > 0 && !check->has_text)
		search(check, wanted, data, taken);
	check->is_short |= !buf_ok(&check->body) ||
			   (check->probe->body && !buf_ok(check->probe->body));
	return check->is_cut || check->is_short ? 0 : len;
}

/* Ends the transfer if the received body is too long (CURLOPT_XFERINFOFUNCTION). take_body() does
 * not notice this, because it counts decoded bytes, and a long body may decode to nothing. */
static int take_progress(void *context, curl_off_t all, curl_off_t received, curl_off_t all_sent,
			 curl_off_t sent)
{
	struct http_check *check = context;
	(void)all;
	(void)all_sent;
	(void)sent;
	check->is_cut |= received > HTTP_BODY_MAX_BYTES;
	return check->is_cut;
}

void http_response_set(struct http_check *check)
{
	CURL *easy = check->easy;
	http_response_done(check);
	check->body = BUF_INIT(HTTP_BODY_MAX_BYTES + 1);
	if (check->probe->body)
		buf_clear(check->probe->body);
	check->header_bytes = check->text_bytes = 0;
	check->is_coded = check->has_other_coding = false;
	check->refusal = NULL;
	check->reason[0] = '\0';
	check->is_cut = check->has_text = false;
	curl.easy_setopt(easy, CURLOPT_ERRORBUFFER, check->reason);
	curl.easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_header);
	curl.easy_setopt(easy, CURLOPT_HEADERDATA, check);
	curl.easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body);
	curl.easy_setopt(easy, CURLOPT_WRITEDATA, check);
	curl.easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
	curl.easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, take_progress);
	curl.easy_setopt(easy, CURLOPT_XFERINFODATA, check);
	curl.easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "gzip, deflate");
	curl.easy_setopt(easy, CURLOPT_HTTP_CONTENT_DECODING, reads_body(check) ? 1L : 0L);
}

void http_response_done(struct http_check *check)
{
	check->probe->prober->http->kept_bytes -= check->kept_bytes;
	check->kept_bytes = 0;
	buf_done(&check->body);
}

/* Whether there is a response. It need not be complete. */
static bool has_response(const struct http_check *check, CURLcode code)
{
	return code == CURLE_OK || code == CURLE_BAD_CONTENT_ENCODING || check->is_cut;
}

const char *http_response_location(const struct http_check *check, CURLcode code)
{
	struct curl_header *header;
	long status = 0;
	curl.easy_getinfo(check->easy, CURLINFO_RESPONSE_CODE, &status);
	bool is_redirect = (status >= 301 && status <= 303) || status == 307 || status == 308;
	if (!has_response(check, code) || !is_redirect ||
	    !check->probe->settings->follow_redirects ||
	    curl.easy_header(check->easy, "Location", 0, CURLH_HEADER, -1, &header) != CURLHE_OK)
		return NULL;
	return header->value;
}

/* Returns a field of the server's certificate, not of its issuers; NULL: not known. */
static const char *certificate_field(CURL *easy, const char *field)
{
	struct curl_certinfo *chain = NULL;
	size_t len = strlen(field);
	if (curl.easy_getinfo(easy, CURLINFO_CERTINFO, &chain) != CURLE_OK || !chain ||
	    chain->num_of_certs < 1)
		return NULL;
	for (const struct curl_slist *line = chain->certinfo[0]; line; line = line->next)
		if (strncmp(line->data, field, len) == 0 && line->data[len] == ':')
			return line->data + len + 1;
	return NULL;
}

static void note_certificate(CURL *easy, struct probe_result *result)
{
	const char *issuer = certificate_field(easy, "Issuer");
	const char *expires = certificate_field(easy, "Expire date");
	time_t at = expires ? curl.getdate(expires, NULL) : -1;
	if (at > 0)
		result->tls_expires_at.s = at;
	if (issuer)
		snprintf(result->tls_issuer, sizeof(result->tls_issuer), "%s", issuer);
}

static void note_wait(CURL *easy, struct probe_result *result)
{
	curl_off_t wait_s = 0;
	curl.easy_getinfo(easy, CURLINFO_RETRY_AFTER, &wait_s);
	result->retry_after_s = wait_s;
}

/* Stores when the step ended. libcurl returns 0 if the step has not ended. */
static void note_time(const struct http_check *check, CURLINFO step, int64_t *us)
{
	curl_off_t passed_us = 0;
	curl.easy_getinfo(check->easy, step, &passed_us);
	if (passed_us > 0)
		*us = check->sent_us + passed_us;
}

void http_response_note(struct http_check *check)
{
	struct probe_result *result = &check->probe->result;
	long status = 0;
	if (!check->easy)
		return;
	note_time(check, CURLINFO_APPCONNECT_TIME_T, &result->secured_us);
	note_time(check, CURLINFO_STARTTRANSFER_TIME_T, &result->first_byte_us);
	if (check->is_tls && result->secured_us == PROBE_NOT_REACHED)
		check->probe->awaits = "no TLS handshake";
	curl.easy_getinfo(check->easy, CURLINFO_RESPONSE_CODE, &status);
	result->status = (int)status;
	note_wait(check->easy, result);
	note_certificate(check->easy, result);
}

static const char *find_fault(const struct http_check *check, CURLcode code)
{
	static const char not_http[] = "the response is not valid HTTP";
	long found = 0;
	switch (code) {
	case CURLE_COULDNT_CONNECT:
	case CURLE_OPERATION_TIMEDOUT:
		return "no connection";
	case CURLE_PEER_FAILED_VERIFICATION:
		curl.easy_getinfo(check->easy, CURLINFO_SSL_VERIFYRESULT, &found);
		check->probe->result.tls_is_over = fault_is_expiry(found);
		return fault_of_certificate(found);
	case CURLE_SSL_CONNECT_ERROR:
		return "the TLS handshake failed";
	case CURLE_GOT_NOTHING:
		return "the connection was closed without a response";
	case CURLE_SEND_ERROR:
		return fault_of_socket(ECONNRESET);
	case CURLE_RECV_ERROR:
		/* libcurl also returns this code if the chunks of a body are not valid. */
		return strstr(check->reason, "chunk") ? not_http : fault_of_socket(ECONNRESET);
	case CURLE_PARTIAL_FILE:
		return "the response is incomplete";
	default:
		return not_http;
	}
}

/* Whether this machine caused the failure. The failure then says nothing about the checked
 * system. */
static bool is_own_fault(const struct http_check *check, CURLcode code)
{
	return check->is_short || code == CURLE_OUT_OF_MEMORY || code == CURLE_FAILED_INIT ||
	       code == CURLE_SSL_CACERT_BADFILE || code == CURLE_SSL_ENGINE_INITFAILED;
}

static void judge_text(struct http_check *check)
{
	const struct check_settings *settings = check->probe->settings;
	struct excerpt text;
	excerpt_make(&text, str_from(settings->alert_text_lookup));
	if (check->has_text == (settings->alert_condition == CHECK_NO_TEXT))
		probe_end(check->probe, true, NULL);
	else
		probe_end(check->probe, false, "the text \"%s\" is %s", text.text,
			  check->has_text ? "there" : "missing");
}

static void judge_json(struct http_check *check)
{
	struct buf cause CLEANUP(buf_done) = BUF_INIT(2048);
	struct str body = { check->body.data ? check->body.data : "", check->body.len };
	if (check->is_cut)
		probe_end(check->probe, false, "the response has more than %d bytes of JSON",
			  HTTP_BODY_MAX_BYTES);
	else if (json_path_holds(body, check->probe->settings, &cause))
		probe_end(check->probe, true, NULL);
	else if (buf_ok(&cause))
		probe_end(check->probe, false, "%s", cause.data);
	else
		probe_end_void(check->probe, "no memory");
}

void http_response_judge(struct http_check *check, CURLcode code)
{
	const struct check_settings *settings = check->probe->settings;
	long status = 0;
	curl.easy_getinfo(check->easy, CURLINFO_RESPONSE_CODE, &status);
	if (!has_response(check, code) && is_own_fault(check, code))
		probe_end_void(check->probe,
			       code == CURLE_SSL_CACERT_BADFILE
				       ? "the file of trusted certificates cannot be read"
				       : "no memory");
	else if (check->refusal)
		probe_end(check->probe, false, "%s", check->refusal);
	else if (!has_response(check, code))
		probe_end(check->probe, false, "%s", find_fault(check, code));
	else if (!check_status_is_expected(settings->expected_statuses, status))
		probe_end(check->probe, false, "HTTP status %ld", status);
	else if (settings->alert_condition == CHECK_STATUS && !check->probe->body)
		probe_end(check->probe, true, NULL);
	else if (check->has_other_coding)
		probe_end(check->probe, false,
			  "the response has an encoding that was not asked for");
	else if (code == CURLE_BAD_CONTENT_ENCODING)
		probe_end(check->probe, false, "the response cannot be decoded");
	else if (settings->alert_condition == CHECK_JSON)
		judge_json(check);
	else if (settings->alert_condition == CHECK_STATUS)
		probe_end(check->probe, !check->is_cut,
			  check->is_cut ? "the response is too long" : NULL);
	else
		judge_text(check);
}
