#include "app/page_gate.h"

#include <string.h>

#include "app/input.h"
#include "app/page_problem.h"
#include "app/password.h"
#include "app/rate.h"
#include "http/auth.h"
#include "view/gate_html.h"
#include "wire/cookie.h"

#define COOKIE_NAME "daymark_page"

/* Of that name in one request: paths and domains that a page's address has are fewer. */
enum { COOKIES_MAX = 8 };

struct password_input {
	const char *password;
};
static const struct field password_rows[] = {
	FIELD(struct password_input, password, .flags = FIELD_EXACT,
	      .max_bytes = STATUS_PAGE_PASSWORD_MAX_BYTES),
};
const struct fields page_gate_fields = { password_rows, ARRAY_LEN(password_rows) };

struct entry_input {
	const char *link;
	const char *pass;
};
static const struct field entry_rows[] = {
	FIELD(struct entry_input, link, .max_chars = 128),
	FIELD(struct entry_input, pass, .max_chars = 128),
};
static const struct fields entry_fields = { entry_rows, ARRAY_LEN(entry_rows) };

/* What is behind a gate is nobody's to keep. */
static void seal(struct exchange *exchange)
{
	response_header(&exchange->response, "Cache-Control", "private, no-store");
	response_header(&exchange->response, "X-Robots-Tag", "noindex");
	response_header(&exchange->response, "Referrer-Policy", "no-referrer");
}

static void respond_html(struct exchange *exchange, int status)
{
	seal(exchange);
	page_problem_is_html(exchange, status);
}

void page_gate_ask(struct exchange *exchange, const char *problem)
{
	gate_form_html(&exchange->response.body, problem);
	respond_html(exchange, problem ? 403 : 200);
}

static void ask_later(struct exchange *exchange, int status, const char *problem, int64_t wait_s)
{
	page_gate_ask(exchange, problem);
	exchange->response.status = status;
	response_header(&exchange->response, "Retry-After", "%lld", (long long)wait_s);
}

void page_gate_missing(struct exchange *exchange)
{
	buf_clear(&exchange->response.body);
	gate_missing_html(&exchange->response.body);
	respond_html(exchange, 404);
}

static const char *page_path(struct exchange *exchange, const char *slug)
{
	if (exchange->is_page_domain)
		return "/";
	const char *host = strstr(exchange->request.base_url, "://");
	const char *path = host ? strchr(host + 3, '/') : NULL;
	return arena_printf(&exchange->arena, "%s/s/%s/", path ? path : "", slug);
}

/* Sets the cookie, and sends the visitor to the page itself. */
static enum result admit(struct exchange *exchange, const struct gate_visit *visit,
			 const struct gate_grant *grant)
{
	const char *cookie = gate_cookie(visit->dir, visit->gate, grant, &exchange->arena);
	bool is_https = strncmp(exchange->request.base_url, "https:", 6) == 0;
	const char *path = page_path(exchange, visit->slug);
	if (!cookie)
		return error_log(&exchange->error, E_FAILED, "the gate's key cannot be had");
	seal(exchange);
	response_header(&exchange->response, "Set-Cookie",
			COOKIE_NAME "=%s; Path=%s; Max-Age=%lld; HttpOnly; SameSite=Lax%s", cookie,
			path, (long long)(grant->end.s - exchange->now.s),
			is_https ? "; Secure" : "");
	/* Below the host that was asked, whichever that is (RFC 9110 10.2.2). */
	response_header(&exchange->response, "Location", "%s", path);
	exchange->response.status = 303;
	return OK;
}

/*
 * Whether the request brings a key of the page's own account. Another account's is no wrong
 * key, and the database being away makes none wrong. All of it goes the same way where there
 * is no page, and nothing is put on the response.
 */
static bool has_key(struct exchange *exchange, const struct gate *gate)
{
	struct str text;
	struct api_key key;
	int64_t wait_s, limit = exchange->config->wrong_keys_per_minute;
	if (!auth_is_bearer(exchange->request.authorization))
		return false;
	const char *wrong_keys = rate_wrong_keys(exchange);
	if (rate_is_used_up(exchange, limit, wrong_keys))
		return false;
	enum result result = E_NOT_FOUND;
	if (auth_bearer(exchange->request.authorization, &text))
		result = api_key_find(exchange->db, text, &exchange->arena, &key, &exchange->error);
	if (result == OK && api_key_is_valid(&key, exchange->now))
		return gate && key.account_id == gate->account_id;
	if (result == OK || result == E_NOT_FOUND)
		rate_takes(exchange, limit, wrong_keys, &wait_s);
	return false;
}

/* A cookie that opens the page, wherever it stands among others of its name. */
static bool has_cookie(struct exchange *exchange, const struct gate_visit *visit,
		       struct gate_grant *grant)
{
	struct str header = str_from(exchange->request.cookie);
	struct gate_token token = { .now = exchange->now };
	for (int i = 0; i < COOKIES_MAX; i++) {
		if (!cookie_next(&header, STR(COOKIE_NAME), &token.text))
			return false;
		if (gate_cookie_holds(visit->dir, visit->gate, &token, &exchange->arena, grant))
			return true;
	}
	return false;
}

/* What the query brings; one that cannot be read brings nothing. */
static struct entry_input read_entry(struct exchange *exchange)
{
	struct entry_input input = { 0 };
	if (exchange->request.query.len > 0 &&
	    exchange_read_query(exchange, &entry_fields, &input) != OK)
		input = (struct entry_input){ 0 };
	return input;
}

/* What opens the page without the database: a cookie, a pass, a link. */
static enum result check_tokens(struct exchange *exchange, const struct gate_visit *visit,
				enum gate_answer *answer, struct gate_grant *grant)
{
	const struct gate *gate = visit->gate;
	struct arena *arena = &exchange->arena;
	*answer = GATE_OPEN;
	if (has_cookie(exchange, visit, grant))
		return OK;
	struct entry_input entry = read_entry(exchange);
	struct gate_token pass = { str_from(entry.pass), exchange->now };
	if (visit->is_part && gate_pass_holds(visit->dir, gate, &pass, arena, grant))
		return OK;
	struct gate_token link = { str_from(entry.link), exchange->now };
	*answer = GATE_MOVED;
	if (gate_link_holds(visit->dir, gate, &link, arena, grant))
		return admit(exchange, visit, grant);
	*answer = gate->privacy == PRIVACY_PASSWORD ? GATE_ASKS : GATE_CLOSED;
	return OK;
}

enum result page_gate_check(struct exchange *exchange, const struct gate_visit *visit,
			    enum gate_answer *answer, struct gate_grant *grant)
{
	/* No token is signed for page 0: where there is no page, the response takes as long. */
	static const struct gate no_page = { .privacy = PRIVACY_PRIVATE, .password_hash = "" };
	struct gate_visit checked = *visit;
	if (!visit->gate)
		checked.gate = &no_page;
	seal(exchange);
	enum result result = check_tokens(exchange, &checked, answer, grant);
	if (result != OK || *answer == GATE_OPEN || *answer == GATE_MOVED)
		return result;
	if (has_key(exchange, visit->gate)) {
		*answer = GATE_OPEN;
		*grant = (struct gate_grant){ GATE_BY_LINK, { INT64_MAX } };
	}
	return OK;
}

/* A try of a password, in the names by which its client is counted. */
struct
try {
	const char *page;    /* at this page */
	const char *address; /* at all pages together */
};

static struct try name_try(struct exchange *exchange, const struct gate *gate)
{
	const char *client = exchange->request.client;
	return (struct try){
		.page = arena_printf(&exchange->arena, "page %lld %.64s", (long long)gate->page_id,
				     client),
		.address = arena_printf(&exchange->arena, "password %.64s", client),
	};
}

/* Tries are counted before they are made, so that many at once are no way around it. */
static bool may_try(struct exchange *exchange, const struct try *try, int64_t *wait_s)
{
	int64_t at_all_pages = exchange->config->wrong_passwords_per_minute;
	/* An address over its limit adds no name of a page to the counts. */
	if (rate_is_used_up(exchange, at_all_pages, try->address))
		return rate_takes(exchange, at_all_pages, try->address, wait_s);
	return rate_takes(exchange, GATE_TRIES, try->page, wait_s) &&
	       rate_takes(exchange, at_all_pages, try->address, wait_s);
}

/* It was no wrong one: a whole office may come from one address. */
static void forget_try(struct exchange *exchange, const struct try *try)
{
	rate_gives_back(exchange, try->page);
	if (exchange->config->wrong_passwords_per_minute > 0)
		rate_gives_back(exchange, try->address);
}

static enum result try_password(struct exchange *exchange, const struct gate_visit *visit,
				const char *password)
{
	bool is_right = false;
	int64_t wait_s = 1;
	struct try try = name_try(exchange, visit->gate);
	if (!may_try(exchange, &try, &wait_s)) {
		ask_later(exchange, 429, "Too many tries. Please wait a minute.", wait_s);
		return OK;
	}
	enum result result = OK;
	if (password)
		result =
			password_matches(exchange, visit->gate->password_hash, password, &is_right);
	if (result != OK || is_right)
		forget_try(exchange, &try);
	if (result == E_BUSY) {
		ask_later(
			exchange, 503,
			"Too many visitors are entering passwords at the moment. Please try again.",
			1);
		return OK;
	}
	if (result == OK && !is_right)
		page_gate_ask(exchange, "That is not the password.");
	if (result != OK || !is_right)
		return result;
	struct gate_grant grant = { GATE_BY_PASSWORD, { exchange->now.s + GATE_COOKIE_S } };
	return admit(exchange, visit, &grant);
}

enum result page_gate_enter(struct exchange *exchange)
{
	struct pages_dir dir CLEANUP(pages_dir_close);
	struct password_input input = { 0 };
	struct gate gate;
	uint64_t sent;
	const char *slug = exchange->match.params[0];
	enum result result = pages_dir_open(&dir, exchange->config->pages_dir, &exchange->error);
	if (result == OK)
		result = exchange_body(exchange, &input, &sent);
	if (result != OK)
		return result;
	result = gate_read(&dir, slug, &exchange->arena, &gate, &exchange->error);
	if (result == E_NOT_FOUND || (result == OK && gate.privacy != PRIVACY_PASSWORD)) {
		page_gate_missing(exchange);
		return OK;
	}
	if (result != OK)
		return result;
	struct gate_visit visit = { &dir, &gate, slug, false };
	return try_password(exchange, &visit, input.password);
}
