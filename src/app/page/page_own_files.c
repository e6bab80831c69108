/* Serves the pages of incidents and maintenance windows. A page is a whole file, or a part of a
 * larger file. */
#include "app/page/page_files_parts.h"

#include "app/page/page_moved.h"
#include "base/fd.h"
#include "publish/page/page_incidents.h"
#include "view/page.h"

/* An incident or a maintenance window whose page is a part of a larger file. */
struct old_incident {
	struct page_own_id own;
	struct page_incident_place place;
};

static void old_incident_close(struct old_incident *old)
{
	close_fd(&old->place.fd);
}

/* Searches the monthly files in the folder `place`. If a file has the page, sets view->fd to the
 * file. */
static enum result search_place(struct exchange *exchange, struct page_view *view,
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

/* Searches the public folders, and the private folder if the visitor is admitted. */
static enum result find_incident(struct exchange *exchange, struct page_view *view,
				 struct old_incident *old)
{
	static const enum pages_place public_places[] = { PAGES_PUBLIC, PAGES_NOINDEX };
	enum result result = OK;
	for (size_t i = 0; result == OK && i < ARRAY_LEN(public_places) && !view->is_public; i++) {
		result = page_view_open_in(exchange, view, public_places[i]);
		if (result == OK)
			result = search_place(exchange, view, old, public_places[i]);
		view->is_public = view->fd >= 0 || old->place.month;
		view->is_noindex = view->is_public && public_places[i] == PAGES_NOINDEX;
	}
	if (result == OK && !view->is_public)
		result = page_view_open_admitted(exchange, view);
	if (result == OK && !view->is_public && view->visit.admission == ADMISSION_OPEN)
		result = search_place(exchange, view, old, PAGES_PRIVATE);
	page_view_finish(view);
	return result;
}

/* Redirects to the page of the month, with a fragment if that page shows the incident. */
static void go_to_month(struct exchange *exchange, const struct page_view *view,
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
		page_view_set_public_headers(exchange, view);
}

/* Returns the id in "7" or "7.html", or 0 for any other name. */
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
	struct page_view view CLEANUP(page_view_close) = {
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
		return page_view_send(exchange, &view);
	if (old.place.month) {
		go_to_month(exchange, &view, &old);
	} else if (view.visit.admission == ADMISSION_ASK_PASSWORD) {
		page_view_go_to_page(exchange, view.slug);
	} else {
		return page_view_send_nothing(exchange, &view);
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
