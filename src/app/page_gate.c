#include "app/page_gate.h"

#include <string.h>

#include "http/auth.h"
#include "view/gate_html.h"
#include "wire/cookie.h"

#define COOKIE_NAME "daymark_page"

struct password_input {
	const char *password;
};
static const struct field password_rows[] = {
	FIELD(struct password_input, password, .flags = FIELD_EXACT,
	      .max_bytes = STATUS_PAGE_PASSWORD_MAX_BYTES),
};
const struct fields page_gate_fields = { password_rows, ARRAY_LEN(password_rows) };

struct link_input {
	const char *link;
};
static const struct field link_rows[] = { FIELD(struct link_input, link, .max_chars = 128) };
static const struct fields link_fields = { link_rows, ARRAY_LEN(link_rows) };

/* What is behind a gate is nobody's to keep. */
static void seal(struct exchange *exchange)
{
	response_header(&exchange->response, "Cache-Control", "private, no-store");
	response_header(&exchange->response, "X-Robots-Tag", "noindex");
	response_header(&exchange->response, "Referrer-Policy", "no-referrer");
}

static void answer_html(struct exchange *exchange, int status)
{
	seal(exchange);
	response_header(&exchange->response, "Content-Security-Policy",
			"default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
			"form-action 'self'; base-uri 'none'; frame-ancestors 'none'");
	exchange->response.status = status;
	exchange->response.content_type = "text/html; charset=utf-8";
}

void page_gate_ask(struct exchange *exchange, const char *problem)
{
	gate_form_html(&exchange->response.body, problem);
	answer_html(exchange, problem ? 403 : 200);
}

void page_gate_missing(struct exchange *exchange)
{
	buf_clear(&exchange->response.body);
	gate_missing_html(&exchange->response.body);
	answer_html(exchange, 404);
}

static const char *page_path(struct exchange *exchange, const char *slug)
{
	const char *host = strstr(exchange->request.base_url, "://");
	const char *path = host ? strchr(host + 3, '/') : NULL;
	return arena_printf(&exchange->arena, "%s/s/%s/", path ? path : "", slug);
}

/* Sets the cookie, and sends the visitor to the page itself. */
static enum result admit(struct exchange *exchange, const struct pages_dir *dir,
			 const struct gate *gate, const char *slug)
{
	struct instant end = { exchange->now.s + GATE_COOKIE_S };
	const char *cookie = gate_cookie(dir, gate, end, &exchange->arena);
	bool is_https = strncmp(exchange->request.base_url, "https:", 6) == 0;
	if (!cookie)
		return error_log(&exchange->error, E_FAILED, "the gate's key cannot be had");
	seal(exchange);
	response_header(&exchange->response, "Set-Cookie",
			COOKIE_NAME "=%s; Path=%s; Max-Age=%d; HttpOnly; SameSite=Lax%s", cookie,
			page_path(exchange, slug), GATE_COOKIE_S, is_https ? "; Secure" : "");
	response_header(&exchange->response, "Location", "%s/s/%s/", exchange->request.base_url, slug);
	exchange->response.status = 303;
	return OK;
}

/* A key of the page's own account. The database being away is no key. */
static bool has_key(struct exchange *exchange, const struct gate *gate)
{
	struct str text;
	struct api_key key;
	return auth_bearer(exchange->request.authorization, &text) &&
	       api_key_find(exchange->db, text, &exchange->arena, &key, &exchange->error) == OK &&
	       api_key_is_valid(&key, exchange->now) && key.account_id == gate->account_id;
}

static bool has_link(struct exchange *exchange, const struct pages_dir *dir,
		     const struct gate *gate)
{
	struct link_input input = { 0 };
	return exchange_read_query(exchange, &link_fields, &input) == OK && input.link &&
	       gate_link_holds(dir, gate, str_from(input.link), exchange->now, &exchange->arena);
}

enum result page_gate_check(struct exchange *exchange, const struct pages_dir *dir,
			    const struct gate *gate, const char *slug, enum gate_answer *answer)
{
	struct str cookie;
	*answer = GATE_OPEN;
	seal(exchange);
	if (cookie_find(exchange->request.cookie, STR(COOKIE_NAME), &cookie) &&
	    gate_cookie_holds(dir, gate, cookie, exchange->now, &exchange->arena))
		return OK;
	if (exchange->request.query.len > 0 && has_link(exchange, dir, gate)) {
		*answer = GATE_MOVED;
		return admit(exchange, dir, gate, slug);
	}
	if (exchange->request.authorization && has_key(exchange, gate))
		return OK;
	*answer = gate->privacy == PRIVACY_PASSWORD ? GATE_ASKS : GATE_CLOSED;
	return OK;
}

enum result page_gate_enter(struct exchange *exchange)
{
	struct pages_dir dir CLEANUP(pages_dir_close);
	struct password_input input = { 0 };
	struct gate gate;
	uint64_t sent;
	int64_t wait_s;
	const char *slug = exchange->match.params[0];
	enum result result = pages_dir_open(&dir, exchange->config->pages_dir, &exchange->error);
	if (result == OK)
		result = exchange_body(exchange, &input, &sent);
	if (result != OK)
		return result;
	if (slug[0] == '.' || strchr(slug, '/') ||
	    !gate_read(&dir, slug, &exchange->arena, &gate) || gate.privacy != PRIVACY_PASSWORD) {
		page_gate_missing(exchange);
		return OK;
	}
	if (!gate_may_try(&dir, gate.page_id, exchange->request.remote_addr, exchange->now, &wait_s)) {
		page_gate_ask(exchange, "Too many tries. Please wait a minute.");
		exchange->response.status = 429;
		response_header(&exchange->response, "Retry-After", "%lld", (long long)wait_s);
		return OK;
	}
	if (input.password &&
	    secret_password_matches(gate.password_hash, str_from(input.password)))
		return admit(exchange, &dir, &gate, slug);
	page_gate_ask(exchange, "That is not the password.");
	return OK;
}
