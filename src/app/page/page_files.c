#include "app/page/page_files.h"

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
#include "domain/published_file.h"
#include "publish/page/page_incidents.h"
#include "publish/page/pages_reader.h"
#include "view/page.h"
#include "view/page_text.h"

/* The requested file, and the file that was found. */
struct view {
	const char *slug;
	const char *name;
	const char *file; /* the file with the content; NULL: `name` is its name */
	struct pages_reader reader;
	struct page_visit visit; /* used if the page is not public */
	bool is_public;
	bool is_noindex;
	int fd; /* -1: no file for this visitor */
	struct stat status;
	off_t from; /* the part of the file that is sent */
	size_t len;
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

static enum result open_in(struct exchange *exchange, struct view *view, enum pages_place place)
{
	return pages_reader_find(&view->reader, place, view->slug,
				 view->file ? view->file : view->name, &view->fd, &exchange->error);
}

static enum result open_admitted(struct exchange *exchange, struct view *view)
{
	enum result result = OK;
	/* Check a request only once, since wrong keys are counted. */
	if (!view->visit.reader) {
		view->visit = (struct page_visit){ .reader = &view->reader,
						   .slug = view->slug,
						   .is_asset = view->visit.is_asset ||
							       page_text_is_hashed(view->name) };
		result = page_admission_check(exchange, &view->visit);
	}
	if (result == OK && view->visit.admission == ADMISSION_OPEN)
		result = open_in(exchange, view, PAGES_PRIVATE);
	return result;
}

static void finish_find(struct view *view)
{
	if (view->fd >= 0 &&
	    (fstat(view->fd, &view->status) != 0 || !S_ISREG(view->status.st_mode)))
		view_drop(view);
	if (view->len == 0)
		view->len = (size_t)view->status.st_size;
}

static enum result find_file(struct exchange *exchange, struct view *view)
{
	if (!published_file_type(view->name))
		return OK;
	enum result result = open_in(exchange, view, PAGES_PUBLIC);
	if (result == OK && view->fd < 0) {
		result = open_in(exchange, view, PAGES_NOINDEX);
		view->is_noindex = view->fd >= 0;
	}
	view->is_public = view->fd >= 0;
	if (result == OK && !view->is_public)
		result = open_admitted(exchange, view);
	finish_find(view);
	return result;
}

/* Removes a page's own style and script for ?plain=1. Adds asset tokens to the addresses of the
 * files of a page that is not public. */
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

/* Two versions of the same second differ in the inode's number. */
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
			published_file_is_hashed(view->name) && !view->file
				? published_file_cache_hashed
				: published_file_cache);
	if (view->is_noindex)
		response_header(response, "X-Robots-Tag", "noindex");
}

static enum result send_file(struct exchange *exchange, const struct view *view)
{
	struct response *response = &exchange->response;
	response_header(response, "Referrer-Policy", "no-referrer");
	response_header(response, "Content-Security-Policy", "%s", page_host_policy(exchange));
	if (view->is_public) {
		const char *etag = etag_of(exchange, view);
		set_public_headers(exchange, view);
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

/* The page's own error page, for a visitor who may see the page. */
static enum result offer_error_page(struct exchange *exchange, struct view *view)
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
	return OK;
}

static void go_to_page(struct exchange *exchange, const char *slug)
{
	exchange->response.status = 303;
	response_header(&exchange->response, "Location", "%s", page_moved_address(exchange, slug));
}

/* Responds when the page has no file for the visitor at the address. Redirects from a former slug.
 * For a page with a password, asks for the password before the visitor learns which files exist. */
static enum result show_nothing(struct exchange *exchange, struct view *view)
{
	bool is_moved, is_for_people = page_problem_is_for_people(&exchange->request);
	enum result result = page_moved_from_slug(exchange, view->slug, &is_moved);
	if (result == OK && !is_moved && is_for_people)
		result = offer_error_page(exchange, view);
	if (result != OK || is_moved || view->visit.admission == ADMISSION_REDIRECT)
		return result;
	if (is_for_people && view->visit.admission == ADMISSION_ASK_PASSWORD)
		go_to_page(exchange, view->slug);
	else
		page_problem_not_found(exchange);
	return OK;
}

/* Makes the badge of a system from the file of all systems' badges. */
static enum result send_badge(struct exchange *exchange, struct view *view)
{
	struct buf *body = &exchange->response.body;
	enum result result = read_file(exchange, view);
	if (result != OK)
		return result;
	struct str lines =
		str_from(arena_strndup(&exchange->arena, body->data ? body->data : "", body->len));
	buf_clear(body);
	return page_badge_of_system(body, lines, view->name, &exchange->arena)
		       ? send_file(exchange, view)
		       : show_nothing(exchange, view);
}

static enum result show_file(struct exchange *exchange, const char *slug, const char *name)
{
	struct view view CLEANUP(view_close) = {
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
		return view.file ? send_badge(exchange, &view) : send_file(exchange, &view);
	if (view.visit.admission == ADMISSION_ASK_PASSWORD && strcmp(name, "index.html") == 0)
		page_admission_ask_password(exchange, &view.visit.access, NULL);
	else
		return show_nothing(exchange, &view);
	return OK;
}

enum result page_files_admit(struct exchange *exchange, bool *is_admitted)
{
	struct view view CLEANUP(view_close) = {
		.slug = exchange->match.params[0],
		.name = "index.html",
		.reader = PAGES_READER_CLOSED,
		.fd = -1,
	};
	*is_admitted = false;
	enum result result =
		pages_reader_open(&view.reader, exchange->config->pages_dir, &exchange->error);
	if (result == OK) {
		/* The token in the address of the form is that of an asset. */
		view.visit = (struct page_visit){ .slug = view.slug, .is_asset = true };
		result = find_file(exchange, &view);
	}
	if (result != OK || view.visit.admission == ADMISSION_REDIRECT)
		return result;
	*is_admitted = view.fd >= 0;
	if (!*is_admitted)
		return show_nothing(exchange, &view);
	view_drop(&view);
	result = offer_error_page(exchange, &view);
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

/* The file of a requested name: programs that read other status pages ask for history.atom. */
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

/* An incident or a window whose page is inside a larger file. */
struct old_incident {
	struct page_own_id own;
	struct page_incident_place place;
};

static void old_incident_close(struct old_incident *old)
{
	close_fd(&old->place.fd);
}

/* Searches the months in the place, and sets the file with the page in `view`. */
static enum result search_place(struct exchange *exchange, struct view *view,
				struct old_incident *old, enum pages_place place)
{
	if (view->fd >= 0 || old->place.month)
		return OK;
	enum result result = page_incidents_find(&view->reader, place, view->slug, old->own,
						 &exchange->arena, &old->place, &exchange->error);
	if (result != OK || old->place.len == 0)
		return result;
	view->fd = old->place.fd;
	view->from = old->place.from;
	view->len = old->place.len;
	old->place.fd = -1;
	return OK;
}

/* Searches the public places, and the private place if the visitor is admitted. */
static enum result find_incident(struct exchange *exchange, struct view *view,
				 struct old_incident *old)
{
	static const enum pages_place public_places[] = { PAGES_PUBLIC, PAGES_NOINDEX };
	enum result result = OK;
	for (size_t i = 0; result == OK && i < ARRAY_LEN(public_places) && !view->is_public; i++) {
		result = open_in(exchange, view, public_places[i]);
		if (result == OK)
			result = search_place(exchange, view, old, public_places[i]);
		view->is_public = view->fd >= 0 || old->place.month;
		view->is_noindex = view->is_public && public_places[i] == PAGES_NOINDEX;
	}
	if (result == OK && !view->is_public)
		result = open_admitted(exchange, view);
	if (result == OK && !view->is_public && view->visit.admission == ADMISSION_OPEN)
		result = search_place(exchange, view, old, PAGES_PRIVATE);
	finish_find(view);
	return result;
}

/* Redirects to the month, and to the incident in it if the month shows the incident. */
static void go_to_month(struct exchange *exchange, const struct view *view,
			const struct old_incident *old)
{
	struct response *response = &exchange->response;
	response->status = 302;
	response_header(response, "Location", "%s%s.html%s",
			page_moved_address(exchange, view->slug), old->place.month,
			old->place.is_in_month ? arena_printf(&exchange->arena, "#incident-%lld",
							      (long long)old->own.id)
					       : "");
	if (view->is_public)
		set_public_headers(exchange, view);
}

/* The id in "7" or "7.html"; 0: the address is not an incident's. */
static int64_t incident_id_of(const char *name)
{
	int64_t id = 0;
	struct str rest = str_from(name), digits;
	if (!str_split(&rest, '.', &digits) || (rest.data && !str_eq(rest, STR("html"))) ||
	    digits.len == 0 || digits.data[0] < '1' || digits.data[0] > '9')
		return 0;
	return str_to_int64(digits, &id) ? id : 0;
}

static enum result show_own_page(struct exchange *exchange, enum page_own_kind kind)
{
	struct old_incident old CLEANUP(old_incident_close) = {
		.own = { kind, incident_id_of(exchange->match.params[1]) },
		.place = PAGE_INCIDENT_NOWHERE,
	};
	struct view view CLEANUP(view_close) = {
		.slug = exchange->match.params[0],
		.name = kind == PAGE_OF_INCIDENT
				? page_incident_file_name(old.own.id, &exchange->arena)
				: "maintenance.html",
		.reader = PAGES_READER_CLOSED,
		.fd = -1,
	};
	if (old.own.id > 0 && page_moved_from_slash(exchange))
		return OK;
	enum result result =
		pages_reader_open(&view.reader, exchange->config->pages_dir, &exchange->error);
	if (result == OK && old.own.id > 0)
		result = find_incident(exchange, &view, &old);
	if (result != OK || view.visit.admission == ADMISSION_REDIRECT)
		return result;
	if (view.fd >= 0)
		return send_file(exchange, &view);
	if (old.place.month) {
		go_to_month(exchange, &view, &old);
	} else if (view.visit.admission == ADMISSION_ASK_PASSWORD) {
		go_to_page(exchange, view.slug);
	} else {
		return show_nothing(exchange, &view);
	}
	return OK;
}

enum result page_files_incident(struct exchange *exchange)
{
	return show_own_page(exchange, PAGE_OF_INCIDENT);
}

enum result page_files_maintenance(struct exchange *exchange)
{
	return show_own_page(exchange, PAGE_OF_MAINTENANCE);
}
