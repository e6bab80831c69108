#include "app/page_files.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/page_admission.h"
#include "app/page_problem.h"
#include "app/respond.h"
#include "base/fd.h"
#include "domain/published_file.h"
#include "publish/pages_reader.h"
#include "view/page_text.h"

/*
 * The configurations of the web servers have the same policies; tests/lint compares them. On
 * the shared host the sandbox gives each page an origin of its own, so that a tenant's script
 * reaches neither the host's cookies nor other pages. A page's own domain needs no sandbox. Both
 * forbid service workers, which would go on running after the page has lost its address.
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

/* What is asked for, and what has been found. */
struct view {
	const char *slug;
	const char *name;
	struct pages_reader reader;
	struct page_visit visit; /* if the page is not public */
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
	pages_reader_close(&view->reader);
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

/* Published files never change: a new version is a new file. */
static enum result read_file(struct exchange *exchange, const struct view *view)
{
	char piece[65536];
	struct buf *body = &exchange->response.body;
	size_t size = (size_t)view->status.st_size;
	ssize_t len = 1;
	while (len > 0 && buf_ok(body) && body->len < size) {
		len = read(view->fd, piece, sizeof(piece));
		if (len > 0)
			buf_add(body, piece, (size_t)len);
	}
	if (!buf_ok(body) || body->len != size)
		return error_log(&exchange->error, E_FAILED, "a published file cannot be read");
	return OK;
}

static enum result open_in(struct exchange *exchange, struct view *view, enum pages_place place)
{
	return pages_reader_find(&view->reader, place, view->slug, view->name, &view->fd,
				 &exchange->error);
}

static enum result open_admitted(struct exchange *exchange, struct view *view)
{
	view->visit = (struct page_visit){ .reader = &view->reader,
					   .slug = view->slug,
					   .is_asset = page_text_is_hashed(view->name) };
	enum result result = page_admission_check(exchange, &view->visit);
	if (result == OK && view->visit.admission == ADMISSION_OPEN)
		result = open_in(exchange, view, PAGES_PRIVATE);
	return result;
}

static enum result find_file(struct exchange *exchange, struct view *view)
{
	enum result result =
		pages_reader_open(&view->reader, exchange->config->pages_dir, &exchange->error);
	if (result != OK || !published_file_type(view->name))
		return result;
	result = open_in(exchange, view, PAGES_PUBLIC);
	if (result == OK && view->fd < 0) {
		result = open_in(exchange, view, PAGES_NOINDEX);
		view->is_noindex = view->fd >= 0;
	}
	view->is_public = view->fd >= 0;
	if (result == OK && !view->is_public)
		result = open_admitted(exchange, view);
	if (view->fd >= 0 &&
	    (fstat(view->fd, &view->status) != 0 || !S_ISREG(view->status.st_mode)))
		view_drop(view);
	return result;
}

/* Removes a page's own style and script for ?plain=1, and adds passes to the addresses of its
 * files where the page is not public. */
static void adapt_html(struct exchange *exchange, const struct view *view)
{
	struct buf *html = &exchange->response.body;
	if (wants_plain(exchange))
		page_text_make_plain(html);
	if (view->is_public || exchange->is_page_domain)
		return;
	const char *token = page_admission_asset_token(exchange, &view->visit);
	if (token)
		page_text_add_token(html, token);
}

/* The inode's number tells apart two versions of the same second. */
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
			published_file_is_hashed(view->name) ? published_file_cache_hashed
							     : published_file_cache);
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
	response->content_type = published_file_type(view->name);
	enum result result = read_file(exchange, view);
	if (result == OK && strncmp(response->content_type, "text/html", 9) == 0)
		adapt_html(exchange, view);
	if (result == OK && !buf_ok(&response->body))
		result = error_log(&exchange->error, E_FAILED, "a page has grown too large");
	return result;
}

static enum result show_file(struct exchange *exchange, const char *slug, const char *name)
{
	struct view view CLEANUP(view_close) = {
		.slug = slug, .name = name, .reader = PAGES_READER_CLOSED, .fd = -1
	};
	enum result result = find_file(exchange, &view);
	if (result != OK || view.visit.admission == ADMISSION_REDIRECT)
		return result;
	if (view.fd >= 0)
		return send_file(exchange, &view);
	if (view.visit.admission == ADMISSION_ASK_PASSWORD && strcmp(name, "index.html") == 0)
		page_admission_ask_password(exchange, NULL);
	else
		page_problem_not_found(exchange);
	return OK;
}

enum result page_files_index(struct exchange *exchange)
{
	const char *slug = exchange->match.params[0];
	enum result result = show_file(exchange, slug, "index.html");
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
	return show_file(exchange, exchange->match.params[0], exchange->match.params[1]);
}
