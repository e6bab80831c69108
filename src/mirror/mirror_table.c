#include "mirror/mirror_table.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "publish/folder/folder.h"

#define TABLE_FILE     "pages"
#define TABLE_NEW_FILE "pages.new"

enum { ROWS_MIN = 256 };

/* The first row of the file has this page_id. It identifies the file as a table. */
#define TABLE_MARK INT64_C(0x31656c6261740a44)

_Static_assert(sizeof(struct mirror_row) == 64, "rows do not cross pages of memory");

static enum result failed(struct error *error, const char *what)
{
	return error_log(error, E_FAILED, "mirror: the table of pages cannot be %s: %s", what,
			 errno ? strerror(errno) : "it is damaged");
}

/* Returns the offset of a row in the file. The row with the mark precedes row 0. */
static off_t at_row(uint64_t index)
{
	return (off_t)((index + 1) * sizeof(struct mirror_row));
}

static bool read_row(int fd, uint64_t index, struct mirror_row *row)
{
	errno = 0;
	return pread(fd, row, sizeof(*row), at_row(index)) == sizeof(*row);
}

/* Spreads neighbouring ids over the table. */
static uint64_t hash_of(int64_t page_id)
{
	uint64_t hash = (uint64_t)page_id * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 32;
}

/* Finds the page's row, or a free row for the page. */
static bool find_row(int fd, uint64_t room, int64_t page_id, uint64_t *index,
		     struct mirror_row *row)
{
	*index = hash_of(page_id) & (room - 1);
	for (uint64_t i = 0; i < room; i++) {
		if (!read_row(fd, *index, row))
			return false;
		if (row->page_id == page_id || row->page_id == 0)
			return true;
		*index = (*index + 1) & (room - 1);
	}
	return false;
}

/* Returns the number of rows; 0: the file is not a table. */
static uint64_t room_of(int fd)
{
	struct stat status;
	struct mirror_row mark;
	errno = 0;
	if (fstat(fd, &status) != 0 || pread(fd, &mark, sizeof(mark), 0) != sizeof(mark) ||
	    mark.page_id != TABLE_MARK)
		return 0;
	uint64_t room = (uint64_t)status.st_size / sizeof(struct mirror_row) - 1;
	return room >= ROWS_MIN && (room & (room - 1)) == 0 &&
			       status.st_size % (off_t)sizeof(struct mirror_row) == 0
		       ? room
		       : 0;
}

enum result mirror_table_begin(struct mirror_table *table, int folder_fd, size_t count,
			       struct error *error)
{
	const struct mirror_row mark = { .page_id = TABLE_MARK };
	*table = MIRROR_TABLE_CLOSED;
	table->folder_fd = folder_fd;
	table->room = ROWS_MIN;
	while (table->room < 2 * (uint64_t)count)
		table->room *= 2;
	table->fd = openat(folder_fd, TABLE_NEW_FILE,
			   O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (table->fd < 0 || ftruncate(table->fd, at_row(table->room)) != 0 ||
	    pwrite(table->fd, &mark, sizeof(mark), 0) != sizeof(mark))
		return failed(error, "made");
	return OK;
}

enum result mirror_table_replace(struct mirror_table *old, struct mirror_table *table,
				 struct error *error)
{
	errno = 0;
	if (fdatasync(table->fd) != 0 ||
	    renameat(table->folder_fd, TABLE_NEW_FILE, table->folder_fd, TABLE_FILE) != 0)
		return failed(error, "replaced");
	mirror_table_close(old);
	*old = *table;
	*table = MIRROR_TABLE_CLOSED;
	return OK;
}

static enum result count_rows(struct mirror_table *table, struct error *error)
{
	struct mirror_row row;
	for (uint64_t i = 0; i < table->room; i++) {
		if (!read_row(table->fd, i, &row))
			return failed(error, "read");
		table->used += row.page_id != 0;
	}
	return OK;
}

enum result mirror_table_open(struct mirror_table *table, int folder_fd, struct error *error)
{
	struct mirror_table fresh CLEANUP(mirror_table_close) = MIRROR_TABLE_CLOSED;
	*table = MIRROR_TABLE_CLOSED;
	table->folder_fd = folder_fd;
	table->fd = openat(folder_fd, TABLE_FILE, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
	table->room = table->fd >= 0 ? room_of(table->fd) : 0;
	if (table->room > 0)
		return count_rows(table, error);
	enum result result = mirror_table_begin(&fresh, folder_fd, 0, error);
	return result == OK ? mirror_table_replace(table, &fresh, error) : result;
}

void mirror_table_close(struct mirror_table *table)
{
	close_fd(&table->fd);
	*table = MIRROR_TABLE_CLOSED;
}

enum result mirror_table_find(const struct mirror_table *table, int64_t page_id,
			      struct mirror_row *row, struct error *error)
{
	uint64_t index;
	if (!find_row(table->fd, table->room, page_id, &index, row))
		return failed(error, "read");
	row->page_id = page_id;
	return OK;
}

/* Copies all rows except free rows and rows in the state MIRROR_ROW_NONE. */
static enum result copy_rows(const struct mirror_table *from, struct mirror_table *to,
			     struct error *error)
{
	struct mirror_row row;
	enum result result = OK;
	for (uint64_t i = 0; result == OK && i < from->room; i++) {
		if (!read_row(from->fd, i, &row))
			return failed(error, "read");
		if (row.page_id != 0 && row.state != MIRROR_ROW_NONE)
			result = mirror_table_put(to, &row, error);
	}
	return result;
}

static enum result grow(struct mirror_table *table, struct error *error)
{
	struct mirror_table larger CLEANUP(mirror_table_close) = MIRROR_TABLE_CLOSED;
	enum result result =
		mirror_table_begin(&larger, table->folder_fd, (size_t)table->room, error);
	if (result == OK)
		result = copy_rows(table, &larger, error);
	return result == OK ? mirror_table_replace(table, &larger, error) : result;
}

enum result mirror_table_put(struct mirror_table *table, const struct mirror_row *row,
			     struct error *error)
{
	uint64_t index;
	struct mirror_row before;
	enum result result = OK;
	if (2 * (table->used + 1) > table->room)
		result = grow(table, error);
	if (result != OK)
		return result;
	if (!find_row(table->fd, table->room, row->page_id, &index, &before) ||
	    pwrite(table->fd, row, sizeof(*row), at_row(index)) != sizeof(*row))
		return failed(error, "written");
	table->used += before.page_id == 0;
	return OK;
}

enum result mirror_table_sync(const struct mirror_table *table, struct error *error)
{
	errno = 0;
	return fdatasync(table->fd) == 0 ? OK : failed(error, "synced");
}

enum result mirror_table_look(int folder_fd, int64_t page_id, struct mirror_row *row,
			      struct error *error)
{
	uint64_t index;
	*row = (struct mirror_row){ .page_id = page_id };
	errno = 0;
	int fd CLEANUP(close_fd) = openat(folder_fd, TABLE_FILE, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT ? OK : failed(error, "opened");
	uint64_t room = room_of(fd);
	if (room == 0 || !find_row(fd, room, page_id, &index, row))
		return failed(error, "read");
	row->page_id = page_id;
	return OK;
}

bool mirror_row_is_of(const struct mirror_row *row, const char *version)
{
	uint8_t hash[SECRET_HASH_BYTES];
	return secret_from_hex(str_from(version), hash, sizeof(hash)) &&
	       memcmp(hash, row->version, sizeof(hash)) == 0;
}

void mirror_row_confirm(struct mirror_row *row, const char *version)
{
	bool is_version = secret_from_hex(str_from(version), row->version, sizeof(row->version));
	row->state = is_version ? MIRROR_ROW_CONFIRMED : MIRROR_ROW_SENT;
}
