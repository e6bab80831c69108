#include "mirror/mirror_state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fd.h"
#include "base/lines.h"
#include "mirror/mirror_table.h"
#include "mirror/origin_mark.h"
#include "publish/folder/folder.h"
#include "publish/folder/gone.h"

#define STATUS_FILE	"status"
#define STATUS_NEW_FILE "status.new"

enum { STATUS_MAX_BYTES = 2048 };

enum result mirror_folder_make(const struct pages_dir *dir, const char *name, int *folder_fd,
			       struct error *error)
{
	bool is_new;
	int parent_fd CLEANUP(close_fd) = folder_make(dir->root_fd, JOURNAL_FOLDER, false, &is_new);
	*folder_fd = parent_fd >= 0 ? folder_make(parent_fd, name, false, &is_new) : -1;
	return *folder_fd >= 0 ? OK
			       : folder_failed(error, "cannot make the folder of mirror", name);
}

int mirror_folder_open(const struct pages_dir *dir, const char *name)
{
	int parent_fd CLEANUP(close_fd) = folder_open(dir->root_fd, JOURNAL_FOLDER);
	return parent_fd >= 0 ? folder_open(parent_fd, name) : -1;
}

enum result mirror_lock(int folder_fd, int *lock_fd, struct error *error)
{
	*lock_fd = openat(folder_fd, "lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (*lock_fd < 0)
		return folder_failed(error, "cannot open the lock of", "a mirror");
	if (flock(*lock_fd, LOCK_EX | LOCK_NB) == 0)
		return OK;
	close(*lock_fd);
	*lock_fd = -1;
	return errno == EWOULDBLOCK ? OK : folder_failed(error, "cannot lock", "a mirror");
}

const char *mirror_need_text(enum mirror_need need)
{
	static const char *const texts[MIRROR_NEEDS] = {
		[MIRROR_NEED_FILL] = "this pages folder is not filled from the database yet",
		[MIRROR_NEED_TAKE_OVER] = ORIGIN_REFUSED_TEXT,
		[MIRROR_NEED_CONFIRM] = "the removal of pages waits for confirmation",
		[MIRROR_NEED_KEY] = "the mirror has another signing key",
	};
	return texts[need];
}

/* Writes the status. The error text is in the last line. */
enum result mirror_status_write(int folder_fd, const struct mirror_status *status,
				struct error *error)
{
	const struct journal_place *place = &status->confirmed;
	char complete[BOOT_MOMENT_SIZE];
	int fd CLEANUP(close_fd) = openat(folder_fd, STATUS_NEW_FILE,
					  O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC,
					  0600);
	int len = fd < 0 ? -1
			 : dprintf(fd,
				   "complete %s\nstate %s\nwaiting %lld\noldest %lld\n"
				   "confirmed %s %lld\nneed %d\nfailed %lld\nerror %s\n",
				   boot_moment_format(&status->complete, complete),
				   status->is_complete ? "complete" : "incomplete",
				   (long long)status->waiting, (long long)status->oldest.s,
				   place->generation[0] ? place->generation : LINE_NONE,
				   (long long)place->offset, (int)status->need,
				   (long long)status->failed_at.s, status->error);
	if (len > 0 && renameat(folder_fd, STATUS_NEW_FILE, folder_fd, STATUS_FILE) == 0)
		return OK;
	return folder_failed(error, "cannot write the status of", "a mirror");
}

static void read_confirmed(struct journal_place *place, struct str line)
{
	struct str generation;
	int64_t offset;
	if (!line_word(&line, &generation) || generation.len != sizeof(place->generation) - 1 ||
	    !line_number(&line, 0, &offset))
		return;
	memcpy(place->generation, generation.data, generation.len);
	place->offset = offset;
}

static void read_line(struct mirror_status *status, struct str line)
{
	struct str name;
	int64_t number = 0;
	if (!line_word(&line, &name))
		return;
	if (str_eq(name, STR("error")))
		snprintf(status->error, sizeof(status->error), "%.*s", (int)line.len,
			 line.len > 0 ? line.data : "");
	else if (str_eq(name, STR("complete")))
		status->complete = boot_moment_parse(line);
	else if (str_eq(name, STR("state")))
		status->is_complete = str_eq(line, STR("complete"));
	else if (str_eq(name, STR("confirmed")))
		read_confirmed(&status->confirmed, line);
	else if (!line_number(&line, INT64_MIN, &number))
		return;
	else if (str_eq(name, STR("need")))
		status->need = number > 0 && number < MIRROR_NEEDS ? (enum mirror_need)number : 0;
	else if (str_eq(name, STR("waiting")))
		status->waiting = number;
	else if (str_eq(name, STR("oldest")))
		status->oldest.s = number;
	else if (str_eq(name, STR("failed")))
		status->failed_at.s = number;
}

void mirror_status_read(int folder_fd, struct mirror_status *status)
{
	char text[STATUS_MAX_BYTES];
	*status = (struct mirror_status){ .waiting = -1 };
	ssize_t len = folder_read_some(folder_fd, STATUS_FILE, text, sizeof(text));
	struct lines lines = lines_of((struct str){ text, len > 0 ? (size_t)len : 0 });
	struct str line;
	while (lines_next(&lines, &line))
		read_line(status, line);
}

static bool is_same_journal(const struct journal_place *a, const struct journal_place *b)
{
	return a->generation[0] && strcmp(a->generation, b->generation) == 0;
}

/* Whether the status confirms all changes before `end`. `newest` is the present end of the
 * journal. */
static bool confirms(const struct mirror_status *status, const struct journal_place *end,
		     const struct journal_place *newest)
{
	if (is_same_journal(end, &status->confirmed))
		return status->confirmed.offset >= end->offset;
	/* The journal was replaced after `end`. The pusher has then compared all pages, and the
	 * mirror has confirmed a place in the new journal. */
	return !is_same_journal(end, newest) && is_same_journal(newest, &status->confirmed);
}

void mirror_report(const struct pages_dir *dir, const struct mirror *mirror,
		   struct mirror_report *report)
{
	struct journal_place end = journal_end(dir);
	int folder_fd CLEANUP(close_fd) = mirror_folder_open(dir, mirror->name);
	*report = (struct mirror_report){ .mirror = mirror };
	struct mirror_status *status = &report->status;
	mirror_status_read(folder_fd, status);
	bool is_known = is_same_journal(&end, &status->confirmed);
	int64_t unread = is_known ? (end.offset - status->confirmed.offset) / JOURNAL_LINE_BYTES
				  : 0;
	report->is_complete = confirms(status, &end, &end) && status->is_complete;
	/* If the pusher knows of no waiting page, report the lines that it has not read yet. */
	if (status->waiting == 0)
		status->waiting = is_known ? unread : -1;
	report->trouble = mirror_need_text(status->need);
	if (!report->trouble && status->failed_at.s > 0)
		report->trouble = "the last attempt failed";
	report->age_s = report->is_complete ? 0 : boot_moment_age_s(&status->complete);
}

static bool is_confirmed(const struct pages_dir *dir, const struct mirror *mirror,
			 const struct journal_place *end, struct mirror_status *status)
{
	struct journal_place newest = journal_end(dir);
	int folder_fd CLEANUP(close_fd) = mirror_folder_open(dir, mirror->name);
	mirror_status_read(folder_fd, status);
	return confirms(status, end, &newest);
}

bool mirror_has_confirmed(const struct pages_dir *dir, const struct mirror *mirror,
			  const struct journal_place *end)
{
	struct mirror_status status;
	return is_confirmed(dir, mirror, end, &status);
}

bool mirror_is_complete(const struct pages_dir *dir, const struct mirror *mirror,
			const struct journal_place *end)
{
	struct mirror_status status;
	return is_confirmed(dir, mirror, end, &status) && status.is_complete;
}

enum result mirror_lags(const struct pages_dir *dir, const struct mirror *mirror, int64_t page_id,
			struct arena *arena, bool *lags, struct error *error)
{
	struct mirror_row row;
	struct mirror_status status;
	char version[PAGE_COPY_VERSION_CHARS + 1];
	int folder_fd CLEANUP(close_fd) = mirror_folder_open(dir, mirror->name);
	*lags = false;
	if (folder_fd < 0)
		return OK;
	if (mirror->kind == MIRROR_COMMAND) {
		mirror_status_read(folder_fd, &status);
		*lags = status.complete.at.s > 0 || status.failed_at.s > 0;
		return OK;
	}
	*lags = true;
	enum result result = mirror_table_look(folder_fd, page_id, &row, error);
	if (result != OK)
		return result;
	*lags = row.state != MIRROR_ROW_NONE;
	if (row.state != MIRROR_ROW_CONFIRMED)
		return OK;
	result = page_copy_version(dir, page_id, arena, version, error);
	*lags = result != OK || !mirror_row_is_of(&row, version);
	return result;
}

/* Compares a row with the page on this disk, for mirror_shows_more(). Returns false if the row has
 * no address. A row has no address before the mirror confirmed the page, or if the mirror's folder
 * on this disk is new. */
static bool row_shows_more(const struct mirror_row *row, const struct page_look *look)
{
	bool is_open = row->place != PAGES_PRIVATE && row->place != PAGES_PLACES;
	if (row->state == MIRROR_ROW_NONE || row->address == 0)
		return false;
	return look->is_gone || row->address != look->address ||
	       (look->place == PAGES_PRIVATE && (is_open || row->access != look->access));
}

enum result mirror_shows_more(const struct pages_dir *dir, const struct mirror *mirror,
			      int64_t page_id, struct arena *arena, bool *shows_more,
			      struct error *error)
{
	const struct journal_place end = journal_end(dir);
	struct mirror_row row;
	struct page_look look;
	int folder_fd CLEANUP(close_fd) = mirror_folder_open(dir, mirror->name);
	*shows_more = false;
	enum result result = folder_fd < 0 ? OK : page_copy_look(dir, page_id, arena, &look, error);
	if (folder_fd < 0 || result != OK)
		return result;
	if (mirror->kind == MIRROR_COMMAND) {
		*shows_more = look.place == PAGES_PRIVATE &&
			      !mirror_has_confirmed(dir, mirror, &end);
		return OK;
	}
	result = mirror_table_look(folder_fd, page_id, &row, error);
	*shows_more = result == OK && row_shows_more(&row, &look);
	return result;
}

struct forgetting {
	const struct mirrors *mirrors;
	struct pages_names names;
	struct arena *arena;
};

static void note_strange(void *context, const char *name)
{
	struct forgetting *forgetting = context;
	for (size_t i = 0; i < forgetting->mirrors->count; i++)
		if (strcmp(forgetting->mirrors->rows[i].name, name) == 0)
			return;
	if (folder_is_name(name))
		pages_names_add(&forgetting->names, arena_strdup(forgetting->arena, name),
				forgetting->arena);
}

static void forget_gone(const struct pages_dir *dir, const struct mirrors *mirrors)
{
	enum { SETTLED_S = 60 };
	int64_t size = gone_size(dir);
	struct journal_place end = journal_end(dir);
	bool is_confirmed = size > 0;
	for (size_t i = 0; is_confirmed && i < mirrors->count; i++)
		is_confirmed = mirror_has_confirmed(dir, &mirrors->rows[i], &end);
	if (is_confirmed)
		gone_forget(dir, size, SETTLED_S);
}

enum result mirrors_forget(const struct pages_dir *dir, const struct mirrors *mirrors,
			   struct arena *arena, struct error *error)
{
	struct forgetting forgetting = { .mirrors = mirrors, .arena = arena };
	int parent_fd CLEANUP(close_fd) = folder_open(dir->root_fd, JOURNAL_FOLDER);
	if (mirrors->count == 0)
		journal_remove(dir);
	forget_gone(dir, mirrors);
	if (parent_fd < 0)
		return OK;
	enum result result = folder_each(parent_fd, note_strange, &forgetting, error);
	for (size_t i = 0; result == OK && i < forgetting.names.count; i++)
		result = folder_remove_all(parent_fd, forgetting.names.names[i], error);
	return result;
}
