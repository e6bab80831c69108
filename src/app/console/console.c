#include "app/console/console.h"
#include "app/console/console_screens.h"

#include <string.h>

#include "app/idempotency.h"
#include "app/input.h"
#include "app/page/page_host.h"
#include "app/rate.h"
#include "app/routes.h"
#include "base/log.h"
#include "domain/web_url.h"
#include "http/problem.h"
#include "store/account/user_session.h"
#include "view/console/console_people_html.h"
#include "wire/accept_language.h"
#include "wire/cookie.h"

/* Allows no inline script or style. The script may connect to the console to fetch challenges. */
static const char policy[] = "default-src 'none'; img-src 'self' data:; style-src 'self'; "
			     "script-src 'self'; connect-src 'self'; form-action 'self'; "
			     "base-uri 'none'; frame-ancestors 'none'";

/* The Content-Security-Policy of previews, which is at least as strict as that of published pages
 * (page_host.c). A preview has no access to the console's origin and cookies, and sends no form. */
#define PREVIEW_POLICY \
	"default-src 'none'; img-src data:; font-src data:; style-src 'nonce-%s'; " \
	"script-src 'nonce-%s'; worker-src 'none'; base-uri 'none'; form-action 'none'; " \
	"frame-ancestors 'self'; sandbox " CONSOLE_PREVIEW_SANDBOX

static bool is_https(const struct exchange *exchange)
{
	return web_url_is_https(exchange->request.base_url);
}

const char *console_path(struct exchange *exchange, const char *path)
{
	return arena_printf(&exchange->arena, "%s/console/%s", page_host_base_path(exchange), path);
}

/* Returns the full name of the cookie. Over HTTPS the prefix __Host- makes browsers refuse a cookie
 * of this name that another host or another path has set. */
static const char *cookie_name(struct exchange *exchange, const char *name)
{
	return arena_printf(&exchange->arena, "%sdaymark_%s", is_https(exchange) ? "__Host-" : "",
			    name);
}

static void set_cookie(struct exchange *exchange, const char *name, const char *value,
		       const char *more)
{
	const char *path = is_https(exchange) ? "/"
					      : arena_printf(&exchange->arena, "%s/console",
							     page_host_base_path(exchange));
	response_header(&exchange->response, "Set-Cookie",
			"%s=%s; Path=%s; HttpOnly; SameSite=Lax%s%s", cookie_name(exchange, name),
			value, path, is_https(exchange) ? "; Secure" : "", more);
}

void console_set_session(struct exchange *exchange, const char *token)
{
	int64_t days = token[0] ? exchange->config->session_days : 0;
	set_cookie(exchange, "session", token,
		   arena_printf(&exchange->arena, "; Max-Age=%lld", (long long)(days * 24 * 3600)));
}

/* Returns the cookie's value, or NULL if no cookie of this name has the length of our tokens. */
static const char *read_cookie(struct exchange *exchange, const char *name)
{
	struct str header = str_from(exchange->request.cookie), value;
	const struct str wanted = str_from(cookie_name(exchange, name));
	while (cookie_next(&header, wanted, &value))
		if (value.len == SECRET_TOKEN_SIZE - 1)
			return arena_strndup(&exchange->arena, value.data, value.len);
	return NULL;
}

/* Returns the CSRF token for forms: a hash of a cookie's secret, which other sites cannot read. */
static const char *csrf_of(struct exchange *exchange, const char *secret)
{
	const char *text = arena_printf(&exchange->arena, "daymark console form %s", secret);
	return secret_hash_hex(&exchange->arena, text, strlen(text), SECRET_TOKEN_SIZE - 1);
}

/* Binds the sign-in form to this browser by the cookie "visit": there is no session cookie yet. */
static void begin_visit(struct exchange *exchange)
{
	const char *visit = read_cookie(exchange, "visit");
	if (!visit) {
		char token[SECRET_TOKEN_SIZE];
		secret_token(token);
		visit = arena_strdup(&exchange->arena, token);
		set_cookie(exchange, "visit", visit, "");
	}
	exchange->console->csrf = csrf_of(exchange, visit);
}

static enum result find_session(struct exchange *exchange)
{
	struct console *console = exchange->console;
	if (!console->token)
		return OK;
	console->csrf = csrf_of(exchange, console->token);
	struct user_session_bounds bounds = user_session_bounds(exchange->config, exchange->now);
	enum result result = user_session_find(exchange->db, console->token, bounds,
					       &exchange->arena, &console->session,
					       &exchange->error);
	if (result != OK)
		return result == E_NOT_FOUND ? OK : result;
	if (!console_is_of_front(console)) {
		console->session = (struct user_session){ 0 };
		return OK;
	}
	console->is_signed_in = true;
	console->is_touch_due = user_session_wants_touch(&console->session, exchange->now);
	exchange->service.principal = user_principal(&console->session);
	return OK;
}

static const char *header_of(struct exchange *exchange, const char *name)
{
	return exchange->gateway->param(exchange->gateway, name);
}

/* Whether `origin` is the origin of base_url, or has the host and port of the request's Host header
 * and a scheme as safe as that of base_url: a web server in front may add HTTPS. */
static bool is_own_origin(struct exchange *exchange, const char *origin)
{
	const char *base = exchange->request.base_url, *host = header_of(exchange, "HTTP_HOST");
	const char *authority = strstr(origin, "://");
	size_t len = strlen(base) - strlen(page_host_base_path(exchange));
	if (strlen(origin) == len && strncmp(origin, base, len) == 0)
		return true;
	bool is_safe = !is_https(exchange) || web_url_is_https(origin);
	return is_safe && authority && host && strcmp(authority + 3, host) == 0;
}

const char *console_agent(struct exchange *exchange)
{
	enum { MOST = 200 }; /* bytes */
	const char *agent = header_of(exchange, "HTTP_USER_AGENT");
	const struct str cut = str_cut(str_from(agent ? agent : ""), MOST);
	return cut.len > 0 && str_is_text(cut) ? arena_strndup(&exchange->arena, cut.data, cut.len)
					       : NULL;
}

struct passkey_claim console_claim(struct exchange *exchange, const char *text)
{
	/* console_admit() has checked that this is the console's origin. */
	const char *origin = header_of(exchange, "HTTP_ORIGIN");
	return (struct passkey_claim){ .text = text,
				       .browser = exchange->console->csrf,
				       .origin = origin ? origin : "",
				       .now = exchange->now,
				       .arena = &exchange->arena,
				       .error = &exchange->error };
}

bool console_is_own_page(struct exchange *exchange)
{
	const char *site = header_of(exchange, "HTTP_SEC_FETCH_SITE");
	const char *origin = header_of(exchange, "HTTP_ORIGIN");
	return (site && strcmp(site, "same-origin") == 0) ||
	       (origin && origin[0] && is_own_origin(exchange, origin));
}

/* Whether the referrer, with or without a path, has the console's origin. */
static bool is_own_referrer(struct exchange *exchange, const char *referrer)
{
	const char *authority = strstr(referrer, "://");
	size_t len = authority ? (size_t)(authority - referrer) + 3 : 0;
	len += strcspn(referrer + len, "/?#");
	return is_own_origin(exchange, arena_strndup(&exchange->arena, referrer, len));
}

/* Whether the headers show that another site made the request. A sandboxed page on this host has
 * the origin "null". Old browsers send only the referrer. If the headers show nothing, returns
 * false; the form's token is checked later. */
static bool is_from_elsewhere(struct exchange *exchange)
{
	const char *site = header_of(exchange, "HTTP_SEC_FETCH_SITE");
	const char *origin = header_of(exchange, "HTTP_ORIGIN");
	if (site && site[0] && strcmp(site, "same-origin") != 0 && strcmp(site, "none") != 0)
		return true;
	if (origin && origin[0])
		return !is_own_origin(exchange, origin);
	const char *referrer = header_of(exchange, "HTTP_REFERER");
	return !(site && site[0]) && referrer && referrer[0] &&
	       !is_own_referrer(exchange, referrer);
}

enum result console_refuse_form(struct exchange *exchange)
{
	return error_client(&exchange->error, E_FORBIDDEN, "%s",
			    console_sentences[CONSOLE_403_FORM]);
}

/* If a form with typed values was sent, responds with the sign-in form, which keeps the values.
 * Otherwise makes no response, and sets *is_kept to false. */
static enum result keep_form(struct exchange *exchange, enum console_sentence problem,
			     bool *is_kept)
{
	*is_kept = false;
	if (strcmp(exchange->request.method, "POST") != 0)
		return OK;
	enum result result = exchange_read_form(exchange);
	if (result != OK)
		return result;
	const char *kept = console_keep(exchange);
	*is_kept = kept != NULL;
	if (!kept)
		return OK;
	begin_visit(exchange);
	/* Make the screen as for a visitor without a session, but keep the language. */
	exchange->console->is_signed_in = false;
	const struct console_view view = console_view(exchange);
	console_ask(exchange, 403,
		    &(struct console_sign_in){
			    .kept = kept,
			    .problem = console_text(&view, problem),
		    });
	return OK;
}

static enum result ask_to_sign_in(struct exchange *exchange)
{
	bool is_kept;
	if (exchange->console->preview)
		return console_refuse_form(exchange);
	enum result result = keep_form(exchange, CONSOLE_SESSION_ENDED, &is_kept);
	if (result == OK && !is_kept)
		console_redirect(exchange, "login");
	return result;
}

/* Refuses a request of a session without the second factor. Redirects a GET to /console/me. Shows
 * the sign-in form after a POST, and keeps the typed values in it. */
static enum result refuse_session(struct exchange *exchange, bool *is_done)
{
	const enum console_sentence problem = console_factor_text(&exchange->console->session);
	if (strcmp(exchange->request.method, "GET") == 0) {
		*is_done = true;
		console_redirect(exchange, "me");
		return OK;
	}
	if (!exchange->console->preview) {
		enum result result = keep_form(exchange, problem, is_done);
		if (result != OK || *is_done)
			return result;
	}
	return error_client(&exchange->error, E_FORBIDDEN, "%s", console_sentences[problem]);
}

/* Sets exchange->console. E_NOT_FOUND: the console is off, or has another host. */
static enum result open_console(struct exchange *exchange)
{
	bool is_here = exchange->config->console_url ? exchange->request.is_for_console
						     : !page_host_is_foreign(exchange);
	if (!exchange->config->has_console || exchange->is_page_domain || !is_here)
		return E_NOT_FOUND;
	exchange->console = ARENA_NEW(&exchange->arena, struct console);
	*exchange->console =
		(struct console){ .csrf = "", .token = read_cookie(exchange, "session") };
	console_begin_preview(exchange);
	console_find_front(exchange);
	return OK;
}

enum result console_admit(struct exchange *exchange, bool *is_done)
{
	bool is_open = exchange->route->route.flags & ROUTE_OPEN;
	enum result result = open_console(exchange);
	if (result != OK)
		return result;
	if (strcmp(exchange->request.method, "GET") != 0 && is_from_elsewhere(exchange))
		return console_refuse_form(exchange);
	if (is_open) {
		begin_visit(exchange);
		return OK;
	}
	result = find_session(exchange);
	if (result != OK)
		return result;
	*is_done = !exchange->console->is_signed_in;
	if (*is_done)
		return ask_to_sign_in(exchange);
	const char *who = arena_printf(&exchange->arena, "user %lld",
				       (long long)exchange->console->session.user_id);
	if (!rate_allows(exchange, exchange->config->requests_per_minute, who))
		return E_RATE_LIMITED;
	return user_session_lacks_factor(&exchange->console->session) &&
			       !(exchange->route->route.flags & ROUTE_OWN)
		       ? refuse_session(exchange, is_done)
		       : OK;
}

enum result console_miss(struct exchange *exchange)
{
	enum result result = open_console(exchange);
	if (result == OK)
		result = find_session(exchange);
	return result == OK ? E_NOT_FOUND : result;
}

enum result console_enter(struct exchange *exchange, const char *token, const char *kept)
{
	console_set_session(exchange, token);
	if (!kept) {
		console_redirect(exchange, "");
		return OK;
	}
	exchange->console->token = token;
	enum result result = find_session(exchange);
	return result == OK ? console_show_kept(exchange, kept) : result;
}

void console_after_response(struct exchange *exchange)
{
	struct console *console = exchange->console;
	struct error ignored = { 0 };
	enum result result = OK;
	if (console && console->is_touch_due)
		result = user_session_touch(exchange->db, console->token, exchange->now, &ignored);
	if (result != OK && result != E_NOT_FOUND)
		log_warn("console", "the use of a session was not noted: %s", ignored.log);
}

struct console_view console_view(struct exchange *exchange)
{
	const struct console *console = exchange->console;
	const struct user_preferences *preferences = &console->session.preferences;
	const struct zone *zone = preferences->time_zone ? zone_find(preferences->time_zone) : NULL;
	const char *language = preferences->language;
	if (user_is_auto(language))
		language = accepted_language(header_of(exchange, "HTTP_ACCEPT_LANGUAGE"),
					     status_page_languages);
	return (struct console_view){
		.words = console_words_of(language),
		.locale = { words_of_language(language), zone ? zone : zone_utc() },
		.root = console_path(exchange, ""),
		.base_url = exchange->request.base_url,
		.session = console->is_signed_in ? &console->session : NULL,
		.csrf = console->csrf,
		.form_key = console_form_key(exchange),
		.now = exchange->now,
		.arena = &exchange->arena,
	};
}

/* Sets the headers of every screen. The referrer policy hides paths, because a path may have the
 * token of a link. The policy no-referrer would also remove the header Origin. */
static void set_headers(struct exchange *exchange)
{
	struct response *response = &exchange->response;
	const struct console *console = exchange->console;
	if (console->nonce)
		response_header(response, "Content-Security-Policy", PREVIEW_POLICY, console->nonce,
				console->nonce);
	else
		response_header(response, "Content-Security-Policy", "%s%s", policy,
				console->has_preview ? "; frame-src 'self'" : "");
	response_header(response, "Cache-Control", "no-store");
	response_header(response, "Referrer-Policy", "strict-origin");
	response_header(response, "X-Robots-Tag", "noindex");
	response_header(response, "Cross-Origin-Opener-Policy", "same-origin");
	response_header(response, "Cross-Origin-Resource-Policy", "same-origin");
}

void console_respond(struct exchange *exchange, int status)
{
	set_headers(exchange);
	exchange->response.status = status;
	exchange->response.content_type = "text/html; charset=utf-8";
}

void console_redirect(struct exchange *exchange, const char *path)
{
	set_headers(exchange);
	response_header(&exchange->response, "Location", "%s", console_path(exchange, path));
	exchange->response.status = 303;
}

void console_respond_problem(struct exchange *exchange, enum result result)
{
	const struct console_view view = console_view(exchange);
	int status = problem_status(result);
	if (!exchange->console->preview && console_respond_refused(exchange, result))
		return;
	const char *detail = exchange->error.client[0] ? exchange->error.client : NULL;
	if (result == E_INVALID && exchange->violations.count > 0)
		detail = exchange->violations.first->message;
	problem_set_headers(&exchange->response, result, &exchange->error);
	buf_clear(&exchange->response.body);
	if (exchange->console->preview)
		console_no_preview_html(&exchange->response.body, &view,
					detail ? detail : console_problem_text(&view, status),
					exchange->violations.first);
	else
		console_problem_html(&exchange->response.body, &view, status, detail,
				     status >= 500 ? exchange->request.id : NULL);
	console_respond(exchange, status);
}

enum result console_static(struct exchange *exchange)
{
	size_t at = 0;
	while (at < CONSOLE_ASSETS &&
	       strcmp(exchange->match.params[0], console_asset_name(at, &exchange->arena)) != 0)
		at++;
	if (at == CONSOLE_ASSETS)
		return E_NOT_FOUND;
	buf_puts(&exchange->response.body, console_assets[at].text);
	set_headers(exchange);
	response_header(&exchange->response, "Cache-Control",
			"public, max-age=31536000, immutable");
	exchange->response.content_type = at == CONSOLE_STYLE ? "text/css; charset=utf-8"
							      : "text/javascript; charset=utf-8";
	exchange->response.status = 200;
	return OK;
}
