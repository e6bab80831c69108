#include "domain/page/page_texts.h"

#include <string.h>

void page_texts_limit_updates(struct page_incident *incidents, size_t count)
{
	size_t bytes = 0, most = 0;
	for (size_t i = 0; i < count; i++)
		if (incidents[i].updates.count > most)
			most = incidents[i].updates.count;
	for (size_t place = 0; place < most; place++)
		for (size_t i = 0; i < count; i++) {
			struct posted_updates *updates = &incidents[i].updates;
			if (place >= updates->count)
				continue;
			bytes += strlen(updates->rows[place].body);
			if (bytes > PAGE_TEXTS_MAX_BYTES)
				updates->count = place;
		}
}

static void limit_body(struct page_maintenance *row, size_t *bytes)
{
	*bytes += row->body ? strlen(row->body) : 0;
	if (*bytes > PAGE_TEXTS_MAX_BYTES)
		row->body = NULL;
}

static void limit_updates(struct page_maintenance *row, size_t *bytes)
{
	for (size_t i = 0; i < row->update_count; i++) {
		*bytes += strlen(row->updates[i].body);
		if (*bytes > PAGE_TEXTS_MAX_BYTES)
			row->update_count = i;
	}
}

/* All occurrences of a window have the same text. So the first occurrence of each window uses the
 * limit first, and the other occurrences use what is left. */
static void limit_maintenance(struct page_maintenance *rows, size_t count)
{
	size_t bytes = 0;
	for (int is_first = 1; is_first >= 0; is_first--)
		for (size_t i = 0; i < count; i++) {
			bool is_new = i == 0 || rows[i].window_id != rows[i - 1].window_id;
			if (is_new == (is_first == 1))
				limit_body(&rows[i], &bytes);
		}
	for (size_t i = 0; i < count; i++)
		limit_updates(&rows[i], &bytes);
}

void page_texts_limit_month(struct page_month *month)
{
	limit_maintenance(month->maintenances, month->maintenance_count);
}

void page_texts_limit(struct page_snapshot *snapshot)
{
	page_texts_limit_updates(snapshot->incidents, snapshot->incident_count);
	page_texts_limit_updates(snapshot->newest, snapshot->newest_count);
	limit_maintenance(snapshot->maintenances, snapshot->maintenance_count);
}
