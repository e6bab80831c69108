#include "app/page/page_files_parts.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/input.h"
#include "app/page/page_admission.h"
#include "app/page/page_host.h"
#include "app/page/page_moved.h"
#include "app/page/page_problem.h"
#include "app/respond.h"
#include "base/fd.h"
#include "domain/page/published_file.h"
#include "publish/page/page_incidents.h"
#include "publish/page/pages_reader.h"
#include "view/page.h"
#include "view/page/page_text.h"

static void view_drop(struct page_view *view)
{
	close_fd(&view->fd);
	view->fd = -1;
}

void page_view_close(struct page_view *view)
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

/* Reads the requested bytes of the file. The file does not change: publishing replaces it by a new
 * file. */
static enum result read_file(struct exchange *exchange, const struct page_view *view)
{
	char piece[65536];
	struct buf *body = &exchange->response.body;
	ssize_t len = 1;
	while (len > 0 && buf_ok(body) && body->len < view->len) {
		size_t left = view->len - body->len;
		len = pread(view->fd, piece, left < sizeof(piece) ? left : sizeof(piece),
			    view->from + (off_t)body->len);
		if (len > 0)
			buf_add(body, piece, (size_t)len);
	}
	if (!buf_ok(body) || body->len != view->len)
		return error_log(&exchange->error, E_FAILED, "a published file cannot be read");
	return OK;
}

enum result page_view_open_in(struct exchange *exchange, struct page_view *view,
			      enum pages_place place)
{
	return pages_reader_find(&view->reader, place, view->slug,
				 view->file ? view->file : view->name, &view->fd, &exchange->error);
}

enum result page_view_open_admitted(struct exchange *exchange, struct page_view *view)
{
	enum result result = OK;
	/* Check each request only once, because each check of a wrong key raises the count of wrong
	 * keys. */
	if (!view->visit.reader) {
		view->visit = (struct page_visit){ .reader = &view->reader,
						   .slug = view->slug,
						   .is_asset = view->visit.is_asset ||
							       page_text_is_hashed(view->name) };
		result = page_admission_check(exchange, &view->visit);
	}
	if (result == OK && view->visit.admission == ADMISSION_OPEN)
		result = page_view_open_in(exchange, view, PAGES_PRIVATE);
	return result;
}

void page_view_finish(struct page_view *view)
{
	if (view->fd >= 0 &&
	    (fstat(view->fd, &view->status) != 0 || !S_ISREG(view->status.st_mode)))
		view_drop(view);
	if (view->len == 0)
		view->len = (size_t)view->status.st_size;
}

static enum result find_file(struct exchange *exchange, struct page_view *view)
{
	if (!published_file_type(view->name))
		return OK;
	enum result result = page_view_open_in(exchange, view, PAGES_PUBLIC);
	if (result == OK && view->fd < 0) {
		result = page_view_open_in(exchange, view, PAGES_NOINDEX);
		view->is_noindex = view->fd >= 0;
	}
	view->is_public = view->fd >= 0;
	if (result == OK && !view->is_public)
		result = page_view_open_admitted(exchange, view);
	page_view_finish(view);
	return result;
}

/* For ?plain=1, removes the page's own style and script. If the page is not public, adds asset
 * tokens to the addresses of its files. */
static void adapt_html(struct exchange *exchange, struct page_view *view)
{
	struct buf *html = &exchange->response.body;
	if (wants_plain(exchange))
		page_text_make_plain(html);
	if (view->is_public || exchange->is_page_domain)
		return;
	view->token = page_admission_asset_token(exchange, &view->visit);
	if (view->token)
		page_text_add_token(html, view->token);
}

/* Returns the entity tag of the file. It has the inode's number: two versions of the file that are
 * published in one second may have the same size and time. */
static const char *etag_of(struct exchange *exchange, const struct page_view *view)
{
	return arena_printf(
		&exchange->arena, "\"%llx-%llx-%llx%s\"", (unsigned long long)view->status.st_ino,
		(unsigned long long)view->status.st_mtime, (unsigned long long)view->status.st_size,
		exchange->request.query.len > 0 ? "-q" : "");
}

void page_view_set_public_headers(struct exchange *exchange, const struct page_view *view)
{
	struct response *response = &exchange->response;
	response_header(response, "Access-Control-Allow-Origin", "*");
	response_header(response, "Cache-Control", "%s",
			published_file_is_hashed(view->name) && !view->file
				? published_file_cache_hashed
				: published_file_cache);
	if (view->is_noindex)
		response_header(response, "X-Robots-Tag", "noindex");
}

enum result page_view_send(struct exchange *exchange, struct page_view *view)
{
	struct response *response = &exchange->response;
	response_header(response, "Referrer-Policy", "no-referrer");
	response_header(response, "Content-Security-Policy", "%s",
			page_host_file_policy(exchange, view->name));
	if (view->is_public) {
		const char *etag = etag_of(exchange, view);
		page_view_set_public_headers(exchange, view);
		response_header(response, "ETag", "%s", etag);
		if (exchange_has_etag(exchange, etag)) {
			buf_clear(&response->body);
			return OK;
		}
	}
	response->content_type = published_file_type(view->name);
	if (view->file)
		return OK;
	enum result result = read_file(exchange, view);
	if (result == OK && strncmp(response->content_type, "text/html", 9) == 0)
		adapt_html(exchange, view);
	if (result == OK && !buf_ok(&response->body))
		result = error_log(&exchange->error, E_FAILED, "a page has grown too large");
	return result;
}

/* Sets exchange->error_page if the visitor may see the page. */
static enum result offer_error_page(struct exchange *exchange, struct page_view *view)
{
	struct buf *html = &exchange->response.body;
	view->name = PAGE_ERROR_FILE;
	view->file = NULL;
	view->from = 0;
	view->len = 0;
	enum result result = find_file(exchange, view);
	if (result != OK || view->fd < 0)
		return result;
	buf_clear(html);
	result = read_file(exchange, view);
	if (result != OK)
		return result;
	adapt_html(exchange, view);
	exchange->error_page = arena_strndup(&exchange->arena, html->data, html->len);
	buf_clear(html);
	return OK;
}

void page_view_go_to_page(struct exchange *exchange, const char *slug)
{
	exchange->response.status = 303;
	response_header(&exchange->response, "Location", "%s", page_moved_address(exchange, slug));
}

/* Responds if the file does not exist, or the visitor is not admitted. Redirects from a former
 * slug. On a page with a password, redirects people to its form for any file, so that the response
 * does not reveal which files exist. */
enum result page_view_send_nothing(struct exchange *exchange, struct page_view *view)
{
	bool is_moved, is_for_people = page_problem_is_for_people(&exchange->request);
	enum result result = page_moved_from_slug(exchange, view->slug, &is_moved);
	if (result == OK && !is_moved && is_for_people)
		result = offer_error_page(exchange, view);
	if (result != OK || is_moved || view->visit.admission == ADMISSION_REDIRECT)
		return result;
	if (is_for_people && view->visit.admission == ADMISSION_ASK_PASSWORD)
		page_view_go_to_page(exchange, view->slug);
	else
		page_problem_not_found(exchange);
	return OK;
}

/* Responds with the badge of one system. The file has the badges of all systems. */
static enum result send_badge(struct exchange *exchange, struct page_view *view)
{
	struct buf *body = &exchange->response.body;
	enum result result = read_file(exchange, view);
	if (result != OK)
		return result;
	struct str lines =
		str_from(arena_strndup(&exchange->arena, body->data ? body->data : "", body->len));
	buf_clear(body);
	return page_badge_of_system(body, lines, view->name, &exchange->arena)
		       ? page_view_send(exchange, view)
		       : page_view_send_nothing(exchange, view);
}

static enum result show_file(struct exchange *exchange, const char *slug, const char *name)
{
	struct page_view view CLEANUP(page_view_close) = {
		.slug = slug,
		.name = name,
		.file = page_badge_is_of_system(name) ? PAGE_BADGES_FILE : NULL,
		.reader = PAGES_READER_CLOSED,
		.fd = -1,
	};
	enum result result =
		pages_reader_open(&view.reader, exchange->config->pages_dir, &exchange->error);
	if (result == OK)
		result = find_file(exchange, &view);
	if (result != OK || view.visit.admission == ADMISSION_REDIRECT)
		return result;
	if (view.fd >= 0)
		return view.file ? send_badge(exchange, &view) : page_view_send(exchange, &view);
	if (view.visit.admission == ADMISSION_ASK_PASSWORD && strcmp(name, "index.html") == 0)
		page_admission_ask_password(exchange, &view.visit.access, NULL);
	else
		return page_view_send_nothing(exchange, &view);
	return OK;
}

enum result page_files_admit(struct exchange *exchange, struct page_admittance *admittance)
{
	struct page_view view CLEANUP(page_view_close) = {
		.slug = exchange->match.params[0],
		.name = "index.html",
		.reader = PAGES_READER_CLOSED,
		.fd = -1,
	};
	*admittance = (struct page_admittance){ 0 };
	enum result result =
		pages_reader_open(&view.reader, exchange->config->pages_dir, &exchange->error);
	if (result == OK) {
		/* The asset token in the address of the form admits the visitor. */
		view.visit = (struct page_visit){ .slug = view.slug, .is_asset = true };
		result = find_file(exchange, &view);
	}
	if (result != OK || view.visit.admission == ADMISSION_REDIRECT)
		return result;
	admittance->is_given = view.fd >= 0;
	if (!admittance->is_given)
		return page_view_send_nothing(exchange, &view);
	admittance->place = !view.is_public   ? PAGES_PRIVATE
			    : view.is_noindex ? PAGES_NOINDEX
					      : PAGES_PUBLIC;
	view_drop(&view);
	result = offer_error_page(exchange, &view);
	admittance->token = view.token;
	if (exchange->error_page)
		exchange->language = page_text_language(exchange->error_page, &exchange->arena);
	return result;
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

/* Returns the name of the file for a requested name. history.atom is the name of feed.atom at other
 * services. */
static const char *file_of(const char *name)
{
	if (page_is_error_file(name))
		return "";
	return strcmp(name, "history.atom") == 0 ? "feed.atom" : name;
}

enum result page_files_show(struct exchange *exchange)
{
	if (published_file_type(exchange->match.params[1]) && page_moved_from_slash(exchange))
		return OK;
	return show_file(exchange, exchange->match.params[0], file_of(exchange->match.params[1]));
}

enum result page_files_missing(struct exchange *exchange)
{
	return show_file(exchange, exchange->request.segments[1], "");
}
