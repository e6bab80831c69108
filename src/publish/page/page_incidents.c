#include "publish/page/page_incidents.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "view/html.h"
#include "view/page.h"
#include "view/words/page_words.h"

/*
 * A month's file has rows of ROW_BYTES, then the pages of incidents, then the titles. The first row
 * has the largest id, the number of incidents in the file, and the number of incidents that the
 * page of the month omits. Then follows a row for each incident, sorted by id: the id, and the
 * offset and length of the incident's page in the file (length 0: no page). The last row has the id
 * 0, and the offset and length of the titles. A title is a line with the path, date and name of an
 * incident, the newest first.
 */
#define ROW_FORMAT "%019lld %010zu %010zu\n"
enum { ROW_BYTES = 19 + 1 + 10 + 1 + 10 + 1, MONTHS_MAX_BYTES = 16 * PAGE_MONTHS_MAX };

struct row {
	int64_t id;
	size_t first, second;
};

const char *page_incident_file_name(int64_t incident_id, struct arena *arena)
{
	return arena_printf(arena, "incident-%lld.html", (long long)incident_id);
}

const char *page_own_month_file(enum page_own_kind kind, const char *month, struct arena *arena)
{
	return arena_printf(arena, "%s.%s", month,
			    kind == PAGE_OF_INCIDENT ? "incidents" : "maintenance");
}

static bool is_chosen(const struct page_incident_choice *choice, int64_t id)
{
	for (size_t i = 0; i < choice->count; i++)
		if (choice->incidents[i]->row.id == id)
			return true;
	return false;
}

void page_incidents_choose(const struct page_snapshot *snapshot,
			   struct page_incident_choice *choice)
{
	choice->count = 0;
	for (size_t i = 0; i < snapshot->newest_count && i < PAGE_INCIDENT_FILES_MAX; i++)
		choice->incidents[choice->count++] = &snapshot->newest[i];
	/* Choose open incidents before ended incidents. */
	for (int is_open = 1; is_open >= 0; is_open--)
		for (size_t i = 0; i < snapshot->incident_count; i++) {
			const struct page_incident *incident = &snapshot->incidents[i];
			if (choice->count < PAGE_INCIDENT_FILES_MAX &&
			    (incident->row.ended_at.s == 0) == (is_open == 1) &&
			    page_incident_has_text(incident) &&
			    !is_chosen(choice, incident->row.id))
				choice->incidents[choice->count++] = incident;
		}
}
_Static_assert((int)PAGE_NEWEST_MAX <= (int)PAGE_INCIDENT_FILES_MAX, "the newest have files");

/* What a row of a month's file is for: an incident, or an occurrence of maintenance. */
struct own_page {
	int64_t id; /* the first member, because id_order() requires it */
	const struct page_incident *incident;
	const struct page_maintenance *maintenance;
};

/* Appends the title of an incident or occurrence as one line: replaces line breaks in its name. */
static void put_title(struct buf *out, const struct page_snapshot *snapshot,
		      const struct own_page *own, struct arena *arena)
{
	const struct locale locale = locale_of_page(&snapshot->page);
	const struct incident *incident = own->incident ? &own->incident->row : NULL;
	char *name = arena_strdup(arena, incident ? page_incident_name(snapshot, incident, arena)
						  : own->maintenance->title);
	for (char *at = name; *at; at++)
		if (*at == '\n' || *at == '\t')
			*at = ' ';
	buf_printf(out, "%s\t%s\t%s\n",
		   incident ? page_incident_path(incident, arena)
			    : page_maintenance_path(own->maintenance, arena),
		   html_date(&locale, incident ? incident->started_at : own->maintenance->starts_at,
			     arena),
		   name);
}

static void put_own_page(struct buf *pages, const struct page_snapshot *snapshot,
			 const struct own_page *own, struct arena *arena)
{
	if (own->maintenance)
		page_maintenance(pages, snapshot, own->maintenance, arena);
	else if (page_incident_has_text(own->incident))
		page_incident(pages, snapshot, own->incident, arena);
}

/* Appends a month's file: the rows, the pages and the titles of the list. Sorts the list. */
static void put_file(struct buf *out, const struct page_snapshot *snapshot, struct own_page *list,
		     size_t count, size_t left_out, struct arena *arena)
{
	struct buf pages CLEANUP(buf_done) = BUF_INIT(PAGE_FILE_MAX_BYTES);
	struct buf titles CLEANUP(buf_done) = BUF_INIT(PAGE_FILE_MAX_BYTES);
	size_t from = (count + 2) * ROW_BYTES;
	for (size_t i = 0; i < count; i++)
		put_title(&titles, snapshot, &list[i], arena);
	if (count > 0)
		qsort(list, count, sizeof(*list), id_order);
	buf_printf(out, ROW_FORMAT, count > 0 ? (long long)list[count - 1].id : 0LL, count,
		   left_out);
	for (size_t i = 0; i < count; i++) {
		size_t begin = pages.len;
		put_own_page(&pages, snapshot, &list[i], arena);
		buf_printf(out, ROW_FORMAT, (long long)list[i].id, from + begin, pages.len - begin);
	}
	buf_printf(out, ROW_FORMAT, 0LL, from + pages.len, titles.len);
	out->is_failed |= !buf_ok(&pages) || !buf_ok(&titles);
	if (pages.data)
		buf_add(out, pages.data, pages.len);
	if (titles.data)
		buf_add(out, titles.data, titles.len);
}

void page_incidents_month(struct buf *out, const struct page_snapshot *snapshot,
			  const struct page_month *month, struct arena *arena)
{
	size_t count = month->incident_count;
	struct own_page *list = ARENA_ARRAY(arena, count, struct own_page);
	for (size_t i = 0; i < count; i++)
		list[i] =
			(struct own_page){ month->incidents[i].row.id, &month->incidents[i], NULL };
	put_file(out, snapshot, list, count, month->total > count ? month->total - count : 0,
		 arena);
}

static void add_maintenances(struct own_page *list, size_t *count,
			     const struct page_maintenance *rows, size_t row_count)
{
	for (size_t i = 0; i < row_count; i++)
		if (!rows[i].is_withdrawn)
			list[(*count)++] = (struct own_page){ rows[i].id, NULL, &rows[i] };
}

void page_maintenances_month(struct buf *out, const struct page_snapshot *snapshot,
			     const struct page_month *month, struct arena *arena)
{
	struct own_page *list = ARENA_ARRAY(arena, month->maintenance_count, struct own_page);
	size_t count = 0;
	add_maintenances(list, &count, month->maintenances, month->maintenance_count);
	put_file(out, snapshot, list, count, 0, arena);
}

void page_maintenances_current(struct buf *out, const struct page_snapshot *snapshot,
			       struct arena *arena)
{
	struct own_page *list = ARENA_ARRAY(
		arena, snapshot->maintenance_count + snapshot->withdrawn_count, struct own_page);
	size_t count = 0;
	add_maintenances(list, &count, snapshot->maintenances, snapshot->maintenance_count);
	add_maintenances(list, &count, snapshot->withdrawn, snapshot->withdrawn_count);
	put_file(out, snapshot, list, count, 0, arena);
}

void page_incidents_months(struct buf *out, const struct page_snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->month_count; i++)
		buf_printf(out, "%s\n", snapshot->months[i].name);
}

/* Reads a row of a month's file. Returns false if the file is too short or not valid. */
static bool read_row(int fd, size_t at, struct row *row)
{
	char text[ROW_BYTES + 1] = "";
	long long id;
	if (pread(fd, text, ROW_BYTES, (off_t)(at * ROW_BYTES)) != ROW_BYTES ||
	    sscanf(text, "%lld %zu %zu", &id, &row->first, &row->second) != 3)
		return false;
	row->id = id;
	return true;
}

/* A search for an incident, from the newest month to the oldest. */
struct search {
	enum page_own_kind kind;
	int64_t id;
	/* The last searched month, if the wanted incident may belong to it: the page of the month
	 * omits incidents, and all ids of the month are above the wanted id. */
	const char *candidate;
	struct page_incident_place *found;
};

/* Searches the rows of a month. Returns true, and sets search->found, if the month has the
 * incident. */
static bool search_rows(struct search *search, int fd, const struct row *head, const char *month)
{
	size_t from = 1, to = head->first + 1;
	struct row row = { 0 };
	while (from < to) {
		size_t middle = from + (to - from) / 2;
		if (!read_row(fd, middle, &row))
			return false;
		if (row.id == search->id)
			break;
		if (row.id < search->id)
			from = middle + 1;
		else
			to = middle;
	}
	if (from >= to)
		return false;
	search->found->month = month;
	search->found->is_in_month = true;
	search->found->from = (off_t)row.first;
	search->found->len = row.second;
	return true;
}

/*
 * Decides whether the incident may be one that a month omits. The month becomes the candidate if
 * its page omits incidents, and all its ids are above the wanted id. If all ids of the next older
 * month are below the wanted id, the incident counts as found in the candidate. This is a guess:
 * ids grow with time, but not those of imported incidents.
 */
static void note_candidate(struct search *search, int fd, const struct row *head, const char *month)
{
	struct row first = { .id = INT64_MAX };
	if (search->candidate && search->id > head->id && !search->found->month)
		search->found->month = search->candidate;
	if (head->first > 0 && !read_row(fd, 1, &first))
		return;
	search->candidate = head->second > 0 && search->id < first.id ? month : NULL;
}

static enum result search_month(struct search *search, const struct pages_reader *reader,
				enum pages_place place, const char *folder, const char *month,
				struct arena *arena, struct error *error)
{
	struct row head;
	int fd = -1;
	enum result result = pages_reader_find(
		reader, place, folder, page_own_month_file(search->kind, month, arena), &fd, error);
	if (result != OK || fd < 0)
		return result;
	bool is_read = read_row(fd, 0, &head);
	if (is_read && search->id <= head.id && search_rows(search, fd, &head, month)) {
		search->found->fd = fd;
		return OK;
	}
	if (is_read)
		note_candidate(search, fd, &head, month);
	close_fd(&fd);
	return OK;
}

enum result page_incidents_find(const struct pages_reader *reader, enum pages_place place,
				const char *folder, struct page_own_id id, struct arena *arena,
				struct page_incident_place *found, struct error *error)
{
	struct search search = { .kind = id.kind, .id = id.id, .found = found };
	const char *text = NULL;
	*found = PAGE_INCIDENT_NOWHERE;
	enum result result = OK;
	if (id.kind == PAGE_OF_MAINTENANCE)
		result = search_month(&search, reader, place, folder, PAGE_CURRENT_MONTH, arena,
				      error);
	if (result == OK && found->fd < 0)
		result = pages_reader_text(reader, place, folder, PAGE_INCIDENT_MONTHS_FILE,
					   MONTHS_MAX_BYTES, arena, &text, error);
	struct str rest = str_from(text ? text : ""), line;
	while (result == OK && found->fd < 0 && str_split(&rest, '\n', &line))
		if (line.len > 0)
			result = search_month(&search, reader, place, folder,
					      arena_strndup(arena, line.data, line.len), arena,
					      error);
	if (found->fd < 0 && !found->month)
		found->month = search.candidate;
	return result;
}

/* Appends the titles from the file of a month, if the file has any. */
static void read_titles(struct buf *out, int fd)
{
	char piece[4096];
	struct row head, place;
	ssize_t len = 1;
	size_t done = 0;
	if (!read_row(fd, 0, &head) || !read_row(fd, head.first + 1, &place) || place.id != 0)
		return;
	while (len > 0 && done < place.second) {
		size_t left = place.second - done;
		len = pread(fd, piece, left < sizeof(piece) ? left : sizeof(piece),
			    (off_t)(place.first + done));
		if (len > 0)
			buf_add(out, piece, (size_t)len);
		done += len > 0 ? (size_t)len : 0;
	}
}

static enum result add_titles(const struct page_titles *titles, enum page_own_kind kind,
			      const char *month, struct error *error)
{
	const char *name = page_own_month_file(kind, month, titles->arena);
	int fd = -1;
	enum result result =
		pages_reader_find(titles->reader, titles->place, titles->folder, name, &fd, error);
	if (result == OK && fd >= 0)
		read_titles(titles->out, fd);
	close_fd(&fd);
	return result;
}

enum result page_incidents_titles(const struct page_titles *titles, struct error *error)
{
	const char *text = NULL;
	enum result result = pages_reader_text(titles->reader, titles->place, titles->folder,
					       PAGE_INCIDENT_MONTHS_FILE, MONTHS_MAX_BYTES,
					       titles->arena, &text, error);
	struct str rest = str_from(text ? text : ""), line;
	while (result == OK && titles->out->len < PAGE_TITLES_BYTES &&
	       str_split(&rest, '\n', &line)) {
		const char *month = arena_strndup(titles->arena, line.data, line.len);
		if (line.len == 0)
			continue;
		result = add_titles(titles, PAGE_OF_MAINTENANCE, month, error);
		if (result == OK)
			result = add_titles(titles, PAGE_OF_INCIDENT, month, error);
	}
	return result;
}
