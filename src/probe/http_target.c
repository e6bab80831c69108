#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "domain/domain_name.h"
#include "probe/http_check.h"

/* Returns whether libcurl has succeeded. Sets is_short if libcurl lacks memory. */
static bool is_ok(struct http_check *check, CURLUcode code)
{
	check->is_short |= code == CURLUE_OUT_OF_MEMORY;
	return code == CURLUE_OK;
}

/* Copies a part of the URL. Returns false if the URL lacks the part, or the part is too long. */
static bool copy_part(struct http_check *check, CURLUPart part, unsigned flags, char *to,
		      size_t size)
{
	char *text = NULL;
	if (!is_ok(check, curl.url_get(check->url, part, &text, flags)))
		return false;
	int len = snprintf(to, size, "%s", text);
	curl.free(text);
	return len >= 0 && (size_t)len < size;
}

static bool is_ascii(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text >= 0x80)
			return false;
	return true;
}

/* Normalises the host: ASCII, lower case, no final dot. Returns false if the host is not valid. */
static bool settle_host(struct http_check *check)
{
	struct arena arena CLEANUP(arena_done);
	char found[4 * HTTP_HOST_SIZE];
	const char *settled = found;
	arena_init(&arena, 1 << 16);
	if (!copy_part(check, CURLUPART_HOST, 0, found, sizeof(found)))
		return false;
	size_t len = strlen(found);
	str_to_lower(found);
	if (!is_ascii(found))
		settled = domain_name_ascii(&arena, found);
	else if (len > 1 && found[len - 1] == '.')
		found[len - 1] = '\0';
	if (!settled || strlen(settled) >= sizeof(check->host) ||
	    !is_ok(check, curl.url_set(check->url, CURLUPART_HOST, settled, 0)))
		return false;
	/* An IPv6 address is in brackets. */
	size_t skipped = settled[0] == '[';
	snprintf(check->host, sizeof(check->host), "%.*s", (int)strcspn(settled + skipped, "]"),
		 settled + skipped);
	return true;
}

/* Reads the URL into the target of the check. Returns NULL if checks may request the URL. Otherwise
 * returns the reason, which ends a sentence that begins with "the URL". */
static const char *refusal_of(struct http_check *check, const char *url)
{
	char scheme[16], port[8];
	if (strlen(url) > HTTP_URL_MAX_BYTES)
		return "is too long";
	CURLUcode code =
		curl.url_set(check->url, CURLUPART_URL, url, CURLU_DISALLOW_USER | CURLU_URLENCODE);
	if (code == CURLUE_USER_NOT_ALLOWED)
		return "has a user or a password";
	if (code == CURLUE_UNSUPPORTED_SCHEME)
		return "is neither http nor https";
	if (!is_ok(check, code) || !copy_part(check, CURLUPART_SCHEME, 0, scheme, sizeof(scheme)))
		return "is not valid";
	if (strcmp(scheme, "http") != 0 && strcmp(scheme, "https") != 0)
		return "is neither http nor https";
	if (!settle_host(check) ||
	    !copy_part(check, CURLUPART_PORT, CURLU_DEFAULT_PORT, port, sizeof(port)))
		return "is not valid";
	check->port = (int)strtol(port, NULL, 10);
	snprintf(check->origin, sizeof(check->origin), "%s://%s:%d", scheme, check->host,
		 check->port);
	check->is_tls = strcmp(scheme, "https") == 0;
	return NULL;
}

/* Adds a parameter to the URL. Its value differs in each check, so that no cache has a response. */
static bool add_cache_buster(struct http_check *check)
{
	char parameter[32];
	snprintf(parameter, sizeof(parameter), "_=%lld", (long long)clock_us());
	return curl.url_set(check->url, CURLUPART_QUERY, parameter, CURLU_APPENDQUERY) == CURLUE_OK;
}

static void refuse(struct http_check *check, const char *noun, const char *refusal)
{
	if (check->is_short)
		probe_end_void(check->probe, "no memory");
	else
		probe_end(check->probe, false, "%s %s", noun, refusal);
}

bool http_target_begin(struct http_check *check)
{
	const struct check_settings *settings = check->probe->settings;
	const char *refusal = refusal_of(check, settings->url ? settings->url : "");
	if (refusal) {
		refuse(check, "the URL", refusal);
		return false;
	}
	memcpy(check->first_origin, check->origin, sizeof(check->origin));
	if (!settings->cache_buster || add_cache_buster(check))
		return true;
	probe_end_void(check->probe, "no memory");
	return false;
}

/* Changes the method for a redirect (RFC 9110 section 15.4). After 303 it becomes GET, but HEAD
 * stays HEAD. After 301 and 302, POST becomes GET, as in browsers. */
static void change_method(struct http_check *check, long status)
{
	bool is_get = status == 303 ? check->method != CHECK_HEAD
				    : status < 303 && check->method == CHECK_POST;
	if (!is_get)
		return;
	check->method = CHECK_GET;
	check->sends_body = false;
}

bool http_target_follow(struct http_check *check, const char *location)
{
	struct probe *probe = check->probe;
	long status = 0;
	curl.easy_getinfo(check->easy, CURLINFO_RESPONSE_CODE, &status);
	if (++check->redirects > HTTP_REDIRECTS_MAX) {
		probe_end(probe, false, "more than %d redirects", HTTP_REDIRECTS_MAX);
		return false;
	}
	const char *refusal = refusal_of(check, location);
	if (refusal) {
		refuse(check, "the URL of a redirect", refusal);
		return false;
	}
	snprintf(probe->result.note, sizeof(probe->result.note), "after %d %s, at %.*s",
		 check->redirects, check->redirects == 1 ? "redirect" : "redirects", 200,
		 check->origin);
	change_method(check, status);
	if (!check->sends_body || strcmp(check->origin, check->first_origin) == 0)
		return true;
	/* The body may have a password, so another server must not get it. */
	probe_end(probe, false, "a redirect to another server, which must not get the body");
	return false;
}
