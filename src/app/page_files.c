#include "app/page_files.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/page_gate.h"
#include "app/page_text.h"
#include "app/respond.h"
#include "base/fd.h"
#include "publish/pages_dir.h"

static const struct {
	const char *extension;
	const char *type;
} types[] = {
	{ ".html", "text/html; charset=utf-8" },
	{ ".css", "text/css; charset=utf-8" },
	{ ".js", "text/javascript; charset=utf-8" },
	{ ".json", "application/json" },
	{ ".atom", "application/atom+xml; charset=utf-8" },
	{ ".svg", "image/svg+xml; charset=utf-8" },
	{ ".png", "image/png" },
	{ ".jpg", "image/jpeg" },
	{ ".gif", "image/gif" },
	{ ".webp", "image/webp" },
	{ ".ico", "image/x-icon" },
	{ ".txt", "text/plain; charset=utf-8" },
};

/*
 * As the web server's configuration has them (tests/lint sees to it). Below the
 * shared host a page runs in an origin of its own: what it holds is its
 * tenant's, and the host's cookies and other pages are not. On a page's own
 * domain it has that origin to itself, but for service workers, which would
 * outlive what the page's account may publish there.
 */
static const char shared_policy[] =
	"default-src 'none'; img-src 'self' data:; font-src 'self' data:; style-src 'self'; "
	"script-src 'self'; worker-src 'none'; base-uri 'none'; form-action 'none'; "
	"frame-ancestors 'none'; sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox "
	"allow-top-navigation-by-user-activation";
static const char domain_policy[] =
	"default-src 'none'; img-src 'self' data:; font-src 'self' data:; style-src 'self'; "
	"script-src 'self'; worker-src 'none'; connect-src 'self'; base-uri 'none'; "
	"form-action 'none'; frame-ancestors 'none'";

static const char *type_of(const char *name)
{
	const char *dot = strrchr(name, '.');
	for (size_t i = 0; dot && i < ARRAY_LEN(types); i++)
		if (strcmp(types[i].extension, dot) == 0)
			return types[i].type;
	return NULL;
}

/* What is asked for, and what has been found. */
struct view {
	const char *slug;
	const char *name;
	struct pages_dir dir;
	struct gate gate;
	enum gate_answer answer;
	struct gate_grant grant;
	bool is_public;
	bool is_noindex;
	int fd; /* -1: there is nothing to be seen */
	struct stat status;
};

static void view_drop(struct view *view)
{
	close_fd(&view->fd);
	view->fd = -1;
}

static void view_close(struct view *view)
{
	view_drop(view);
	pages_dir_close(&view->dir);
}

struct plain_input {
	bool plain;
};
static const struct field plain_rows[] = { FIELD(struct plain_input, plain) };
static const struct fields plain_fields = { plain_rows, ARRAY_LEN(plain_rows) };

static bool wants_plain(struct exchange *exchange)
{
	struct plain_input input = { 0 };
	return exchange->request.query.len > 0 &&
	       exchange_read_query(exchange, &plain_fields, &input) == OK && input.plain;
}

static enum result read_file(struct exchange *exchange, int fd)
{
	char piece[65536];
	ssize_t len;
	while ((len = read(fd, piece, sizeof(piece))) > 0)
		buf_add(&exchange->response.body, piece, (size_t)len);
	if (len < 0 || !buf_ok(&exchange->response.body))
		return error_log(&exchange->error, E_FAILED, "a published file cannot be read");
	return OK;
}

static enum result open_in(struct exchange *exchange, struct view *view, enum pages_place place)
{
	return pages_dir_find_file(&view->dir, place, view->slug, view->name, &view->fd,
				   &exchange->error);
}

static enum result open_behind_gate(struct exchange *exchange, struct view *view)
{
	struct gate_visit visit = { &view->dir, NULL, view->slug, page_text_is_hashed(view->name) };
	enum result result =
		gate_read(&view->dir, view->slug, &exchange->arena, &view->gate, &exchange->error);
	if (result != OK && result != E_NOT_FOUND)
		return result;
	if (result == OK)
		visit.gate = &view->gate;
	result = page_gate_check(exchange, &visit, &view->answer, &view->grant);
	if (result == OK && view->answer == GATE_OPEN)
		result = open_in(exchange, view, PAGES_PRIVATE);
	return result;
}

static enum result find_file(struct exchange *exchange, struct view *view)
{
	enum result result =
		pages_dir_open(&view->dir, exchange->config->pages_dir, &exchange->error);
	if (result != OK || !type_of(view->name))
		return result;
	result = open_in(exchange, view, PAGES_PUBLIC);
	if (result == OK && view->fd < 0) {
		result = open_in(exchange, view, PAGES_NOINDEX);
		view->is_noindex = view->fd >= 0;
	}
	view->is_public = view->fd >= 0;
	if (result == OK && !view->is_public)
		result = open_behind_gate(exchange, view);
	if (view->fd >= 0 &&
	    (fstat(view->fd, &view->status) != 0 || !S_ISREG(view->status.st_mode)))
		view_drop(view);
	return result;
}

/* What the responder puts into a page, or leaves out. */
static void adapt_html(struct exchange *exchange, const struct view *view)
{
	struct buf *html = &exchange->response.body;
	if (wants_plain(exchange))
		page_text_make_plain(html);
	if (view->is_public || exchange->is_page_domain)
		return;
	struct gate_grant grant = view->grant;
	if (grant.end.s > exchange->now.s + GATE_PASS_S)
		grant.end.s = exchange->now.s + GATE_PASS_S;
	const char *pass = gate_pass(&view->dir, &view->gate, &grant, &exchange->arena);
	if (pass)
		page_text_add_pass(html, pass);
}

/* Another file has another number, also within the same second. */
static const char *etag_of(struct exchange *exchange, const struct view *view)
{
	return arena_printf(
		&exchange->arena, "\"%llx-%llx-%llx%s\"", (unsigned long long)view->status.st_ino,
		(unsigned long long)view->status.st_mtime, (unsigned long long)view->status.st_size,
		exchange->request.query.len > 0 ? "-q" : "");
}

static void set_public_headers(struct exchange *exchange, const struct view *view)
{
	struct response *response = &exchange->response;
	response_header(response, "Access-Control-Allow-Origin", "*");
	response_header(response, "Cache-Control", "%s",
			page_text_is_hashed(view->name)
				? "public, max-age=31536000, immutable"
				: "public, max-age=0, s-maxage=5, stale-while-revalidate=30, "
				  "stale-if-error=86400");
	if (view->is_noindex)
		response_header(response, "X-Robots-Tag", "noindex");
}

static enum result send_file(struct exchange *exchange, const struct view *view)
{
	struct response *response = &exchange->response;
	response_header(response, "Referrer-Policy", "no-referrer");
	response_header(response, "Content-Security-Policy", "%s",
			exchange->is_page_domain ? domain_policy : shared_policy);
	if (view->is_public) {
		const char *etag = etag_of(exchange, view);
		set_public_headers(exchange, view);
		response_header(response, "ETag", "%s", etag);
		if (exchange_has_etag(exchange, etag))
			return OK;
	}
	response->content_type = type_of(view->name);
	enum result result = read_file(exchange, view->fd);
	if (result == OK && strncmp(response->content_type, "text/html", 9) == 0)
		adapt_html(exchange, view);
	if (result == OK && !buf_ok(&response->body))
		result = error_log(&exchange->error, E_FAILED, "a page has grown too large");
	return result;
}

static enum result show(struct exchange *exchange, const char *slug, const char *name)
{
	struct view view CLEANUP(
		view_close) = { .slug = slug, .name = name, .answer = GATE_OPEN, .fd = -1 };
	enum result result = find_file(exchange, &view);
	if (result != OK || view.answer == GATE_MOVED)
		return result;
	if (view.fd >= 0)
		return send_file(exchange, &view);
	if (view.answer == GATE_ASKS && strcmp(name, "index.html") == 0)
		page_gate_ask(exchange, NULL);
	else
		page_gate_missing(exchange);
	return OK;
}

enum result page_files_index(struct exchange *exchange)
{
	const char *slug = exchange->match.params[0];
	enum result result = show(exchange, slug, "index.html");
	if (result != OK || exchange->request.has_final_slash || exchange->response.status != 200)
		return result;
	buf_clear(&exchange->response.body);
	exchange->response.status = 308;
	response_header(&exchange->response, "Location", "%s/s/%s/", exchange->request.base_url,
			slug);
	return OK;
}

enum result page_files_show(struct exchange *exchange)
{
	return show(exchange, exchange->match.params[0], exchange->match.params[1]);
}
