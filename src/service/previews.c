#include "service/previews.h"

#include <string.h>

#include "publish/page/page_writer.h"
#include "store/incident/incident.h"
#include "store/maintenance/maintenance.h"
#include "store/snapshot/page_content.h"

/* Reads the pictures of the page, and sets their sizes in the snapshot. */
static enum result read_pictures(struct service *service, struct service_preview *preview)
{
	struct page_snapshot *snapshot = preview->snapshot;
	const struct status_page *page = &snapshot->page;
	const struct {
		const char *name;
		struct image *image;
	} shown[] = { { page->logo_file, &snapshot->logo },
		      { page->logo_dark_file, &snapshot->logo_dark },
		      { page->header_image_file, &snapshot->header_image } };
	enum result result = publication_files(service->db, page->id, service->arena,
					       preview->pictures, &preview->picture_count,
					       service->error);
	for (size_t i = 0; result == OK && i < ARRAY_LEN(shown); i++)
		for (size_t j = 0; shown[i].name && j < preview->picture_count; j++)
			if (strcmp(shown[i].name, preview->pictures[j].name) == 0)
				(void)image_identify(preview->pictures[j].data,
						     preview->pictures[j].len, shown[i].image);
	return result;
}

void service_preview_object(const struct service *service, const void *object)
{
	if (service->preview)
		service->preview->object = object;
}

/* Copies the events about which subscribers of pages are notified. */
static void take_events(struct service *service, struct service_preview *preview)
{
	const struct service_events *events = &service->events;
	preview->events = ARENA_ARRAY(service->arena, events->count, struct event_change);
	preview->event_count = 0;
	for (size_t i = 0; i < events->count; i++)
		if (event_is_public(events->rows[i].kind))
			preview->events[preview->event_count++] = events->rows[i];
}

static enum result list_pages(struct service *service, struct service_preview *preview,
			      const void *outcome)
{
	const void *object = preview->object ? preview->object : outcome;
	if (preview->of == PREVIEW_OF_INCIDENT) {
		preview->object_id = ((const struct incident *)object)->id;
		return incident_list_pages(service->db, object, service->arena, &preview->pages,
					   service->error);
	}
	if (object == outcome) {
		preview->window = ARENA_NEW(service->arena, struct maintenance_shown);
		*preview->window = *(const struct maintenance_shown *)outcome;
	}
	preview->object_id = ((const struct maintenance *)object)->id;
	return maintenance_list_pages(service->db, preview->object_id, service->arena,
				      &preview->pages, service->error);
}

enum result service_read_preview(struct service *service, const void *outcome)
{
	/* Limit the time of reading: the transaction has locked rows that other writes need. */
	enum { READ_MAX_MS = 2000 };
	struct service_preview *preview = service->preview;
	const struct publisher publisher = service_publisher(service);
	struct page_content_query query = { &preview->page_id, 1, service->now,
					    clock_ms() + READ_MAX_MS };
	struct page_content_list list = { 0 };
	enum result result = OK;
	preview->snapshot = NULL;
	take_events(service, preview);
	if (preview->of == PREVIEW_OF_PAGE && preview->page_id == 0)
		preview->page_id = ((const struct status_page *)outcome)->id;
	if (preview->of != PREVIEW_OF_PAGE) {
		result = list_pages(service, preview, outcome);
		query.page_ids = preview->pages.rows;
		if (result != OK || preview->pages.count == 0)
			return result;
	}
	result = page_content_read(service->db, &query, service->arena, &list, service->error);
	if (result != OK)
		return result == E_TOO_SLOW ? E_REFUSED : result;
	preview->snapshot = &list.rows[0].view;
	if (!site_shows(service->site, preview->snapshot->page.domain))
		preview->snapshot->page.domain = NULL;
	page_writing_prepare(&publisher, preview->snapshot, service->arena);
	return read_pictures(service, preview);
}
