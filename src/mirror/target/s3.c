#include "mirror/target/s3.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "mirror/target/target.h"
#include "wire/xml.h"

enum {
	RESPONSE_MAX_BYTES = 64 << 10,
	LIST_MAX_BYTES = 8 << 20,
	LIST_ARENA_BYTES = 64 << 20,
	HEADERS_MAX = 6,
};

enum result s3_open(struct s3 *s3, const struct mirror *mirror, struct arena *arena,
		    struct error *error)
{
	struct str rest = str_from(mirror->url), scheme, host, bucket = { 0 };
	/* The parts between slashes are "https:", "", the host and the bucket. The rest is the
	 * prefix. */
	bool is_url = str_split(&rest, '/', &scheme) && str_split(&rest, '/', &host) &&
		      str_split(&rest, '/', &host) && str_split(&rest, '/', &bucket);
	*s3 = (struct s3){ .mirror = mirror };
	if (!is_url || bucket.len == 0)
		return error_log(error, E_FAILED, "the URL of mirror %s names no bucket",
				 mirror->name);
	s3->root =
		arena_strndup(arena, mirror->url, (size_t)(bucket.data + bucket.len - mirror->url));
	s3->prefix = rest.len > 0 ? arena_printf(arena, "%s/", rest.data) : "";
	s3->signing = arena_printf(arena, "aws:amz:%s:s3", mirror->region);
	return http_client_open(&s3->client, mirror->ca_file, error);
}

void s3_close(struct s3 *s3)
{
	http_client_close(s3->client);
	s3->client = NULL;
}

const char *s3_etag(const char *etag, struct arena *arena)
{
	struct str text = str_from(etag);
	if (str_starts(text, STR("W/")))
		text = str_skip(text, 2);
	if (text.len > 1 && text.data[0] == '"' && text.data[text.len - 1] == '"')
		text = (struct str){ text.data + 1, text.len - 2 };
	for (size_t i = 0; i < text.len; i++)
		if (text.data[i] <= ' ' || text.data[i] > '~')
			return "-";
	return text.len > 0 && text.len <= 128 ? arena_strndup(arena, text.data, text.len) : "-";
}

/* Encodes all but unreserved characters, as the signature requires. */
static const char *encode(struct arena *arena, const char *text, bool keeps_slash)
{
	static const char unreserved[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
					 "0123456789-._~";
	static const char digits[] = "0123456789ABCDEF";
	char *encoded = arena_alloc(arena, 3 * strlen(text) + 1), *to = encoded;
	for (; *text; text++) {
		if (strchr(unreserved, *text) || (keeps_slash && *text == '/')) {
			*to++ = *text;
			continue;
		}
		*to++ = '%';
		*to++ = digits[(unsigned char)*text >> 4];
		*to++ = digits[(unsigned char)*text & 15];
	}
	return encoded;
}

static const char *url_of(const struct s3 *s3, const char *key, struct arena *arena)
{
	return arena_printf(arena, "%s/%s%s", s3->root, encode(arena, s3->prefix, true),
			    encode(arena, key, true));
}

static struct http_client_request request_of(const struct s3 *s3, const char *method,
					     const char *url, const char *const *headers)
{
	return (struct http_client_request){
		.method = method,
		.url = url,
		.headers = headers,
		.timeout_s = TARGET_TIMEOUT_S,
		.response_max = RESPONSE_MAX_BYTES,
		.sigv4 = s3->signing,
		.access_key = s3->mirror->access_key,
		.secret_key = s3->mirror->secret_key,
	};
}

struct reason {
	char code[65];
};

static void take_code(void *context, const char *path, struct str text)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
	struct reason *reason = context;
	if (strcmp(path, "Error/Code") == 0 && text.len < sizeof(reason->code) &&
	    strspn(text.data, letters) == text.len)
		memcpy(reason->code, text.data, text.len + 1);
}

static struct reason reason_of(const struct http_client_response *response)
{
	struct reason reason = { "" };
	struct error ignored;
	if (response->body.len > 0 && xml_read(response->body, take_code, &reason, &ignored) != OK)
		reason.code[0] = '\0';
	return reason;
}

static bool is_passing(int status, const char *code)
{
	static const char *const codes[] = { "SlowDown", "RequestTimeout", "InternalError",
					     "ServiceUnavailable", "OperationAborted" };
	for (size_t i = 0; i < ARRAY_LEN(codes); i++)
		if (strcmp(codes[i], code) == 0)
			return true;
	return status == 429 || status >= 500;
}

static enum result refuse(const struct http_client_response *response, const char *method,
			  const char *key, struct error *error)
{
	struct reason reason = reason_of(response);
	bool is_again = is_passing(response->status, reason.code);
	error->retry_after_s = response->retry_after_s;
	return error_log(error, is_again ? E_UNAVAILABLE : E_REFUSED,
			 "the bucket responds %d%s%s to %s %.200s", response->status,
			 reason.code[0] ? " " : "", reason.code, method, key);
}

static int64_t read_file(void *context, int64_t offset, char *to, size_t max)
{
	const struct s3_change *change = context;
	return pread(change->fd, to, max, offset);
}

static const char *method_of(const struct s3_change *change)
{
	return change->content_type ? "PUT" : "DELETE";
}

static struct http_client_request request_for(const struct s3 *s3, struct s3_change *change,
					      struct arena *arena)
{
	uint8_t nothing[SECRET_HASH_BYTES];
	bool is_put = change->content_type != NULL;
	const char **headers = ARENA_ARRAY(arena, HEADERS_MAX, const char *);
	secret_hash(STR(""), nothing);
	const char *hash =
		secret_to_hex(arena, is_put ? change->sha256 : nothing, SECRET_HASH_BYTES);
	headers[0] = arena_printf(arena, "x-amz-content-sha256: %s", hash);
	struct http_client_request request =
		request_of(s3, method_of(change), url_of(s3, change->key, arena), headers);
	if (!is_put)
		return request;
	headers[1] = arena_printf(arena, "x-amz-meta-sha256: %s", hash);
	headers[2] = arena_printf(arena, "Content-Type: %s", change->content_type);
	headers[3] = arena_printf(arena, "Cache-Control: %s", change->cache_control);
	request.body = change->data;
	if (!change->data.data) {
		request.read = read_file;
		request.context = change;
		request.body_bytes = change->bytes;
	}
	return request;
}

/* Whether the change was made. Some services respond 404 to the deletion of an object that does not
 * exist. */
static bool is_done(const struct s3_change *change, const struct http_client_response *response)
{
	return (response->status >= 200 && response->status < 300) ||
	       (response->status == 404 && !change->content_type &&
		strcmp(reason_of(response).code, "NoSuchBucket") != 0);
}

/* Sets the ETags of the changes up to the first that was not made, and *done to their number. If
 * that change was refused, returns the failure. */
static enum result take_responses(struct s3_change *changes, size_t count,
				  const struct http_client_response *responses, size_t *done,
				  struct arena *arena, struct error *error)
{
	for (*done = 0; *done < count && responses[*done].status > 0; (*done)++) {
		struct s3_change *change = &changes[*done];
		if (!is_done(change, &responses[*done]))
			return refuse(&responses[*done], method_of(change), change->key, error);
		change->etag = s3_etag(responses[*done].etag, arena);
	}
	return OK;
}

enum result s3_change_all(struct s3 *s3, struct s3_change *changes, size_t count,
			  struct arena *arena, struct error *error)
{
	struct http_client_request *requests =
		ARENA_ARRAY(arena, count, struct http_client_request);
	struct http_client_response *responses =
		ARENA_ARRAY(arena, count, struct http_client_response);
	size_t begin = 0, done;
	enum result result = OK;
	for (size_t i = 0; i < count; i++)
		requests[i] = request_for(s3, &changes[i], arena);
	while (result == OK && begin < count) {
		size_t left = count - begin;
		struct error failure = { 0 };
		result = http_client_send_all(s3->client, requests + begin, left, arena,
					      responses + begin, error);
		enum result taken = take_responses(changes + begin, left, responses + begin, &done,
						   arena, &failure);
		begin += done;
		/* Report the refusal of a change: it says more than the failure of another
		 * request. */
		if (taken != OK)
			*error = failure;
		if (taken != OK)
			result = taken;
	}
	return result;
}

static enum result get(struct s3 *s3, const char *url, size_t max_bytes, struct arena *arena,
		       struct http_client_response *response, struct error *error)
{
	uint8_t nothing[SECRET_HASH_BYTES];
	secret_hash(STR(""), nothing);
	const char *const headers[] = { arena_printf(
						arena, "x-amz-content-sha256: %s",
						secret_to_hex(arena, nothing, sizeof(nothing))),
					NULL };
	struct http_client_request request = request_of(s3, "GET", url, headers);
	request.response_max = max_bytes;
	return http_client_send(s3->client, &request, arena, response, error);
}

enum result s3_read(struct s3 *s3, const char *key, size_t max_bytes, struct arena *arena,
		    const char **text, struct error *error)
{
	struct http_client_response response;
	enum result result = get(s3, url_of(s3, key, arena), max_bytes + RESPONSE_MAX_BYTES, arena,
				 &response, error);
	*text = NULL;
	if (result != OK)
		return result;
	if (response.status == 404 && strcmp(reason_of(&response).code, "NoSuchBucket") != 0)
		return OK;
	if (response.status != 200)
		return refuse(&response, "GET", key, error);
	*text = response.body.data;
	return OK;
}

struct listing {
	struct s3 *s3;
	s3_object *object;
	void *context;
	struct arena arena; /* of one response */
	const char *key;
	const char *etag;
	const char *token; /* the token of the next part; NULL: no more parts */
	bool is_list;
	bool is_truncated;
	enum result result;
	struct error *error;
};

static void end_object(struct listing *listing)
{
	const char *prefix = listing->s3->prefix;
	size_t len = strlen(prefix);
	if (listing->key && strncmp(listing->key, prefix, len) == 0 && listing->result == OK)
		listing->result = listing->object(listing->context, listing->key + len,
						  listing->etag ? listing->etag : "-",
						  listing->error);
	listing->key = listing->etag = NULL;
}

static void take_element(void *context, const char *path, struct str text)
{
	struct listing *listing = context;
	static const char root[] = "ListBucketResult";
	if (strncmp(path, root, sizeof(root) - 1) != 0)
		return;
	listing->is_list = true;
	path += sizeof(root) - 1;
	if (strcmp(path, "/Contents/Key") == 0)
		listing->key = arena_strndup(&listing->arena, text.data, text.len);
	else if (strcmp(path, "/Contents/ETag") == 0)
		listing->etag = s3_etag(arena_strndup(&listing->arena, text.data, text.len),
					&listing->arena);
	else if (strcmp(path, "/Contents") == 0)
		end_object(listing);
	else if (strcmp(path, "/IsTruncated") == 0)
		listing->is_truncated = str_eq(text, STR("true"));
	else if (strcmp(path, "/NextContinuationToken") == 0)
		listing->token = arena_strndup(&listing->arena, text.data, text.len);
}

/* Requests one part of the list. The signature requires the parameters in sorted order. */
static enum result list_part(struct listing *listing, const char *begin, const char *token)
{
	struct s3 *s3 = listing->s3;
	struct arena *arena = &listing->arena;
	struct http_client_response response;
	const char *prefix = arena_printf(arena, "%s%s", s3->prefix, begin);
	const char *url = arena_printf(arena, "%s?%s%s%slist-type=2&prefix=%s", s3->root,
				       token ? "continuation-token=" : "",
				       token ? encode(arena, token, false) : "", token ? "&" : "",
				       encode(arena, prefix, false));
	enum result result = get(s3, url, LIST_MAX_BYTES, arena, &response, listing->error);
	if (result != OK)
		return result;
	if (response.status != 200)
		return refuse(&response, "a list of", begin, listing->error);
	listing->is_list = listing->is_truncated = false;
	listing->token = NULL;
	result = xml_read(response.body, take_element, listing, listing->error);
	/* A token that leads to the same part again would make the listing endless. */
	if (result == OK && (!listing->is_list ||
			     (listing->is_truncated &&
			      (!listing->token || (token && strcmp(listing->token, token) == 0)))))
		result = E_MALFORMED;
	if (result == E_MALFORMED)
		return error_log(listing->error, E_REFUSED,
				 "the bucket responds with no list of objects");
	return result == OK ? listing->result : result;
}

enum result s3_list(struct s3 *s3, const char *begin, s3_object *object, void *context,
		    struct error *error)
{
	struct listing listing = { .s3 = s3, .object = object, .context = context, .error = error };
	char token[XML_TEXT_MAX] = "";
	enum result result;
	arena_init(&listing.arena, LIST_ARENA_BYTES);
	do {
		result = list_part(&listing, begin, token[0] ? token : NULL);
		snprintf(token, sizeof(token), "%s", listing.token ? listing.token : "");
		arena_reset(&listing.arena);
	} while (result == OK && listing.is_truncated);
	arena_done(&listing.arena);
	return result;
}
