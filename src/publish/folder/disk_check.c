#include "publish/folder/disk_check.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "publish/page/page_state.h"
#include "store/page/publication.h"

#define REPORT_FILE "checked"

enum { REPORT_SIZE = 64, REPORT_FRESH_S = 10 };

static void disk_report_forget(const struct pages_dir *dir)
{
	unlinkat(dir->root_fd, REPORT_FILE, 0);
}

void disk_report_write(const struct pages_dir *dir, const struct disk_report *report)
{
	char text[REPORT_SIZE];
	int fd CLEANUP(close_fd) = openat(dir->root_fd, REPORT_FILE,
					  O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	/* The text always has the same length, so that one write replaces it. */
	int len = snprintf(text, sizeof(text), "%-20lld %-20lld\n", (long long)report->checked_at.s,
			   (long long)report->behind_since.s);
	/* If the write was incomplete, remove the file: the next disk_check() then compares the
	 * pages. */
	if (fd >= 0 && pwrite(fd, text, (size_t)len, 0) != len)
		disk_report_forget(dir);
}

void disk_report_expire(const struct pages_dir *dir)
{
	char text[REPORT_SIZE];
	int fd CLEANUP(close_fd) =
		openat(dir->root_fd, REPORT_FILE, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
	/* Overwrite only the first number, checked_at. The second number, behind_since, stays. */
	int len = snprintf(text, sizeof(text), "%-20d", 0);
	if (fd >= 0 && pwrite(fd, text, (size_t)len, 0) != len)
		disk_report_forget(dir);
}

/* Reads the first number of the text, and removes it from the text. */
static bool take_number(struct str *rest, int64_t *number)
{
	struct str word;
	*rest = str_trim(*rest);
	return str_split(rest, ' ', &word) && str_to_int64(word, number);
}

static struct disk_report read_report(const struct pages_dir *dir)
{
	struct disk_report report = { 0 };
	char text[REPORT_SIZE] = "";
	struct str rest;
	if (folder_read_some(dir->root_fd, REPORT_FILE, text, sizeof(text) - 1) < 0)
		return report;
	rest = str_from(text);
	if (!take_number(&rest, &report.checked_at.s) ||
	    !take_number(&rest, &report.behind_since.s))
		return (struct disk_report){ 0 };
	return report;
}

/*
 * Whether the disk has the page in the row's revision, or in a newer revision that was written
 * after the row was read.
 */
static bool has_page(const struct pages_dir *dir, const struct publication *row,
		     size_t arena_cap_bytes)
{
	struct arena arena CLEANUP(arena_done);
	struct page_state state;
	struct error ignored = { 0 };
	arena_init(&arena, arena_cap_bytes);
	return page_state_read(dir, row->id, &arena, &state, &ignored) == OK && state.is_known &&
	       page_state_compare(&state, row->epoch, row->revision) >= 0;
}

/* Sets *is_behind if the database calls a page published, but this disk lacks it or has an older
 * revision. */
static enum result compare_pages(const struct publisher *publisher, const struct pages_dir *dir,
				 bool *is_behind, struct error *error)
{
	struct arena arena CLEANUP(arena_done);
	struct publication_query query = { .is_all = true, .now = publisher->now };
	struct publication_list list = { 0 };
	int64_t after_id = 0;
	*is_behind = false;
	arena_init(&arena, PUBLICATION_LIST_MAX_BYTES);
	do {
		arena_reset(&arena);
		enum result result =
			publication_list(publisher->db, &query, after_id, &arena, &list, error);
		if (result != OK)
			return result;
		for (size_t i = 0; !*is_behind && i < list.count; i++) {
			const struct publication *row = &list.rows[i];
			after_id = row->id;
			*is_behind = row->unpublished_since.s == 0 &&
				     !has_page(dir, row, publisher->arena->cap_bytes);
		}
	} while (!*is_behind && list.count == PUBLICATION_LIST_MAX);
	return OK;
}

static enum result compare_disk(const struct publisher *publisher, const struct pages_dir *dir,
				struct instant *behind_since, struct error *error)
{
	struct disk_report report = read_report(dir);
	struct instant before = report.checked_at, now = publisher->now;
	bool is_behind;
	if (now.s < before.s || now.s >= before.s + REPORT_FRESH_S) {
		/* Store the time first, so that other requests do not start a comparison at the
		 * same time. */
		report.checked_at = now;
		disk_report_write(dir, &report);
		enum result result = compare_pages(publisher, dir, &is_behind, error);
		if (result != OK)
			return result;
		if (!is_behind)
			report.behind_since = (struct instant){ 0 };
		else if (report.behind_since.s == 0)
			report.behind_since = before.s > 0 ? before : now;
		disk_report_write(dir, &report);
	}
	*behind_since = report.behind_since;
	return OK;
}

enum result disk_check(const struct publisher *publisher, struct instant *oldest,
		       struct error *error)
{
	struct pages_dir dir CLEANUP(pages_dir_close) = PAGES_DIR_CLOSED;
	struct publication_list due = { 0 };
	struct instant behind_since = { 0 };
	*oldest = (struct instant){ 0 };
	enum result result = publication_backlog(publisher->db, publisher->arena, &due, error);
	if (result != OK)
		return result;
	struct error ignored = { 0 };
	bool is_open = pages_dir_open(&dir, publisher->path, &ignored) == OK;
	for (size_t i = 0; oldest->s == 0 && i < due.count; i++)
		if (!is_open || !has_page(&dir, &due.rows[i], publisher->arena->cap_bytes))
			*oldest = due.rows[i].unpublished_since;
	if (is_open)
		result = compare_disk(publisher, &dir, &behind_since, error);
	if (behind_since.s > 0 && (oldest->s == 0 || behind_since.s < oldest->s))
		*oldest = behind_since;
	return result;
}
