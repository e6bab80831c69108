#include "app/page/page_admission.h"

#include <string.h>

#include "access/attempts.h"
#include "app/input.h"
#include "app/page/page_host.h"
#include "app/page/page_problem.h"
#include "app/rate.h"
#include "domain/web_url.h"
#include "http/auth.h"
#include "service/passwords.h"
#include "store/account/api_key.h"
#include "view/service_html.h"
#include "view/words/words.h"

struct password_input {
	const char *password;
};
static const struct field password_rows[] = {
	FIELD(struct password_input, password, .flags = FIELD_EXACT,
	      .max_bytes = STATUS_PAGE_PASSWORD_MAX_BYTES),
};
const struct fields page_admission_fields = { password_rows, ARRAY_LEN(password_rows) };

struct token_input {
	const char *link;
	const char *asset_token;
};
static const struct field token_rows[] = {
	FIELD(struct token_input, link, .max_chars = 128),
	FIELD_NAMED(struct token_input, asset_token, "pass", .max_chars = 128),
};
static const struct fields token_fields = { token_rows, ARRAY_LEN(token_rows) };

void page_admission_ask_password(struct exchange *exchange, const struct page_access *access,
				 const char *problem)
{
	service_password_html(&exchange->response.body, words_of_language(exchange->language),
			      &(struct service_password_form){ .name = access->name,
							       .contact_url = access->contact_url,
							       .problem = problem },
			      &exchange->arena);
	page_problem_set_private(exchange);
	page_problem_is_html(exchange, problem ? 403 : 200);
}

static void refuse_for_now(struct exchange *exchange, const struct page_access *access, int status,
			   const char *problem, int64_t wait_s)
{
	page_admission_ask_password(exchange, access, problem);
	exchange->response.status = status;
	response_header(&exchange->response, "Retry-After", "%lld", (long long)wait_s);
}

/* Finds the key that signs cookies and tokens. A mirror signs only with the key of its origin. */
static enum result find_key(struct exchange *exchange, const struct page_visit *visit,
			    struct signing_key *key)
{
	*key = visit->key;
	if (visit->has_key)
		return OK;
	if (config_is_mirror(exchange->config))
		return error_log(&exchange->error, E_UNAVAILABLE,
				 "the origin has not sent its signing key");
	return signing_key_make(visit->reader->root_fd, key, &exchange->error);
}

/* Redirects to the page itself, with a cookie for the grant. */
static enum result redirect_with_cookie(struct exchange *exchange, const struct page_visit *visit,
					const struct visitor_grant *grant)
{
	bool is_https = web_url_is_https(exchange->request.base_url);
	const char *path = page_host_path(exchange, visit->slug);
	struct signing_key key;
	enum result result = find_key(exchange, visit, &key);
	if (result != OK)
		return result;
	const char *cookie =
		visitor_token_sign(&key, VISITOR_COOKIE, &visit->access, grant, &exchange->arena);
	page_problem_set_private(exchange);
	response_header(&exchange->response, "Set-Cookie",
			ADMISSION_COOKIE_NAME
			"=%s; Path=%s; Max-Age=%lld; HttpOnly; SameSite=Lax%s",
			cookie, path, (long long)(grant->end.s - exchange->now.s),
			is_https ? "; Secure" : "");
	/* A Location without a host keeps the host of the request (RFC 9110 section 10.2.2). */
	response_header(&exchange->response, "Location", "%s", path);
	exchange->response.status = 303;
	return OK;
}

/*
 * Sets *is_theirs if the request has an API key of the page's account. A valid key of another
 * account, or of a location, does not count as a wrong key. If the client has sent too many wrong
 * keys, looks up a key only if the access record has its mark. A right key is thus always found.
 * Does the same work if no page exists: account_id is then 0, which matches no key. Returns an
 * error if the key cannot be looked up.
 */
static enum result find_account_key(struct exchange *exchange, const struct page_access *access,
				    bool *is_theirs)
{
	struct str text = { 0 };
	struct api_key key;
	int64_t wait_s, limit = exchange->config->wrong_keys_per_minute;
	*is_theirs = false;
	/* A mirror has no database with the keys of accounts. */
	if (config_is_mirror(exchange->config) || !auth_is_bearer(exchange->request.authorization))
		return OK;
	bool is_key = auth_bearer(exchange->request.authorization, &text);
	const char *wrong_keys = rate_wrong_keys(exchange);
	if (rate_is_used_up(exchange, limit, wrong_keys) &&
	    !(is_key && page_access_may_be_key(access, text)))
		return OK;
	enum result result = E_NOT_FOUND;
	if (is_key)
		result = api_key_find(exchange->db, text, &exchange->arena, &key, &exchange->error);
	if (result != OK && result != E_NOT_FOUND)
		return result;
	if (result == OK && api_key_is_valid(&key, exchange->now))
		*is_theirs = key.account_id == access->account_id && !key.location;
	else
		rate_takes(exchange, limit, wrong_keys, &wait_s);
	return OK;
}

/* Reads the tokens of the request. Ignores a query that cannot be decoded. */
static struct admission_tokens read_tokens(struct exchange *exchange,
					   const struct page_visit *visit)
{
	struct token_input input = { 0 };
	if (exchange->request.query.len > 0 &&
	    exchange_read_query(exchange, &token_fields, &input) != OK)
		input = (struct token_input){ 0 };
	return (struct admission_tokens){
		.cookies = exchange->request.cookie,
		.link = input.link,
		.asset_token = input.asset_token,
		.is_asset = visit->is_asset,
		.now = exchange->now,
	};
}

/* Reads the page's access file. E_NOT_FOUND: the page is public or does not exist. */
static enum result read_access(struct exchange *exchange, struct page_visit *visit)
{
	const char *text;
	enum result result = pages_reader_text(visit->reader, PAGES_PRIVATE, visit->slug,
					       PAGE_ACCESS_FILE, PAGE_ACCESS_MAX_BYTES,
					       &exchange->arena, &text, &exchange->error);
	if (result != OK)
		return result;
	return page_access_parse(str_from(text), &exchange->arena, &visit->access) ? OK
										   : E_NOT_FOUND;
}

enum result page_admission_is_private(struct exchange *exchange, const char *slug, bool *is_private)
{
	struct pages_reader reader CLEANUP(pages_reader_close) = PAGES_READER_CLOSED;
	struct page_visit visit = { .reader = &reader, .slug = slug };
	enum result result =
		pages_reader_open(&reader, exchange->config->pages_dir, &exchange->error);
	if (result == OK)
		result = read_access(exchange, &visit);
	*is_private = result == OK && visit.access.privacy == PRIVACY_PRIVATE;
	return result == E_NOT_FOUND ? OK : result;
}

/*
 * Returns an access record for a page that does not exist. It admits nobody: no token is signed for
 * page 0, and no account has the id 0. It has one mark of a key, computed from the slug. So a wrong
 * key takes as long as for a page that exists.
 */
static struct page_access access_of_no_page(struct exchange *exchange,
					    const struct page_visit *visit)
{
	char signature[SECRET_SIGNATURE_SIZE];
	struct page_access access = { .privacy = PRIVACY_PRIVATE,
				      .password_hash = "",
				      .language = status_page_languages[0],
				      .key_marks = "",
				      .name = "",
				      .contact_url = "" };
	if (!visit->has_key)
		return access;
	secret_sign(visit->key.bytes, str_from(visit->slug), signature);
	access.key_marks = secret_hash_hex(&exchange->arena, signature, strlen(signature),
					   PAGE_ACCESS_MARK_CHARS);
	return access;
}

enum result page_admission_check(struct exchange *exchange, struct page_visit *visit)
{
	struct error ignored = { 0 };
	enum result found = read_access(exchange, visit);
	if (found != OK && found != E_NOT_FOUND)
		return found;
	enum result result = signing_key_read(visit->reader->root_fd, &visit->key, &visit->has_key,
					      found == OK ? &exchange->error : &ignored);
	if (found == E_NOT_FOUND)
		visit->access = access_of_no_page(exchange, visit);
	if (result != OK && found == OK)
		return result;
	page_problem_set_private(exchange);
	const struct admission_tokens tokens = read_tokens(exchange, visit);
	visit->admission = admission_decide(&visit->access, visit->has_key ? &visit->key : NULL,
					    &tokens, &exchange->arena, &visit->grant);
	if (visit->admission == ADMISSION_REDIRECT)
		return redirect_with_cookie(exchange, visit, &visit->grant);
	bool is_theirs = false;
	result = visit->admission == ADMISSION_OPEN
			 ? OK
			 : find_account_key(exchange, &visit->access, &is_theirs);
	if (result != OK)
		return result;
	if (is_theirs) {
		visit->admission = ADMISSION_OPEN;
		visit->grant = (struct visitor_grant){ VISITOR_BY_KEY, { INT64_MAX }, 0 };
	}
	if (visit->admission == ADMISSION_OPEN || visit->admission == ADMISSION_ASK_PASSWORD)
		exchange->language = visit->access.language;
	return OK;
}

const char *page_admission_asset_token(struct exchange *exchange, const struct page_visit *visit)
{
	struct signing_key key;
	struct visitor_grant grant = visit->grant;
	if (grant.end.s > exchange->now.s + VISITOR_ASSET_TOKEN_S)
		grant.end.s = exchange->now.s + VISITOR_ASSET_TOKEN_S;
	if (find_key(exchange, visit, &key) != OK)
		return NULL;
	return visitor_token_sign(&key, VISITOR_ASSET_TOKEN, &visit->access, &grant,
				  &exchange->arena);
}

/* Counts the attempt. Returns false if there were too many attempts, and true if counting fails. */
static bool may_attempt(struct exchange *exchange, const struct attempt *attempt, int64_t *wait_s)
{
	struct throttle *throttle = rate_throttle(exchange);
	enum result result = throttle ? attempt_count(attempt, throttle, wait_s) : OK;
	if (result == E_FAILED)
		rate_fail(exchange);
	return result != E_RATE_LIMITED;
}

static void take_attempt_back(struct exchange *exchange, const struct attempt *attempt)
{
	struct throttle *throttle = rate_throttle(exchange);
	if (throttle)
		attempt_take_back(attempt, throttle);
}

static enum result try_password(struct exchange *exchange, const struct page_visit *visit,
				const char *password)
{
	const struct words *words = words_of_language(exchange->language);
	bool is_right = false;
	int64_t wait_s = 1;
	const struct attempt attempt = attempt_init(visit->access.page_id, exchange->request.client,
						    exchange->config->wrong_passwords_per_minute,
						    exchange->now, &exchange->arena);
	if (!may_attempt(exchange, &attempt, &wait_s)) {
		refuse_for_now(exchange, &visit->access, 429, words_say(words, SAY_TOO_MANY_TRIES),
			       wait_s);
		return OK;
	}
	enum result result = OK;
	if (password)
		result = service_password_matches(&exchange->service, visit->access.password_hash,
						  password, &is_right);
	if (result != OK || is_right)
		take_attempt_back(exchange, &attempt);
	if (result == E_BUSY) {
		refuse_for_now(exchange, &visit->access, 503,
			       words_say(words, SAY_TOO_MANY_VISITORS), 1);
		return OK;
	}
	if (result == OK && !is_right)
		page_admission_ask_password(exchange, &visit->access,
					    words_say(words, SAY_WRONG_PASSWORD));
	if (result != OK || !is_right)
		return result;
	const struct visitor_grant grant = { .means = VISITOR_BY_PASSWORD,
					     .end = { exchange->now.s + VISITOR_COOKIE_S } };
	return redirect_with_cookie(exchange, visit, &grant);
}

/* Refuses a password that was sent to a page without a password. Responds for a private page as if
 * the page did not exist. */
static enum result refuse_password(struct exchange *exchange)
{
	if (page_problem_of_public_page(exchange)) {
		snprintf(exchange->match.allow, sizeof(exchange->match.allow), "GET, HEAD");
		return E_METHOD_NOT_ALLOWED;
	}
	page_problem_not_found(exchange);
	return OK;
}

enum result page_admission_enter_password(struct exchange *exchange)
{
	struct pages_reader reader CLEANUP(pages_reader_close) = PAGES_READER_CLOSED;
	struct password_input input = { 0 };
	struct page_visit visit = { .reader = &reader, .slug = exchange->match.params[0] };
	struct field_set sent;
	enum result result =
		pages_reader_open(&reader, exchange->config->pages_dir, &exchange->error);
	if (result == OK)
		result = exchange_body(exchange, &input, &sent);
	if (result != OK)
		return result;
	result = read_access(exchange, &visit);
	/* Read the signing key before the password is checked: the cookie cannot be signed without
	 * it. */
	if (result == OK)
		result = signing_key_read(reader.root_fd, &visit.key, &visit.has_key,
					  &exchange->error);
	if (result == E_NOT_FOUND || (result == OK && visit.access.privacy != PRIVACY_PASSWORD))
		return refuse_password(exchange);
	if (result != OK)
		return result;
	exchange->language = visit.access.language;
	return try_password(exchange, &visit, input.password);
}
