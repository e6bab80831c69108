#include "mirror/target/bucket_folders.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/fd.h"
#include "base/lines.h"
#include "publish/folder/folder.h"

#define NEW_FILE ".new"

enum {
	RECORD_MAX_BYTES = 8 << 20,
	HEAD_MAX_BYTES = 256,
	FILE_NAME_SIZE = 256,
};

/* Sets the name of the record's file: "s.acme" for the folder "s/acme". Returns false if the
 * folder's name has another form. */
static bool file_name(const char *name, char file[FILE_NAME_SIZE])
{
	size_t len = strlen(name);
	if (len < 3 || len >= FILE_NAME_SIZE || !strchr("sd", name[0]) || name[1] != '/' ||
	    strchr(name + 2, '/'))
		return false;
	memcpy(file, name, len + 1);
	file[1] = '.';
	return true;
}

static int compare(const void *a, const void *b)
{
	return strcmp(((const struct bucket_folder *)a)->name,
		      ((const struct bucket_folder *)b)->name);
}

struct bucket_folder *bucket_folders_find(const struct bucket_folders *folders, const char *name)
{
	const struct bucket_folder key = { .name = (char *)(uintptr_t)name };
	return folders->count > 0 ? bsearch(&key, folders->rows, folders->count,
					    sizeof(*folders->rows), compare)
				  : NULL;
}

void bucket_folders_close(struct bucket_folders *folders)
{
	for (size_t i = 0; i < folders->count; i++)
		free(folders->rows[i].name);
	free(folders->rows);
	*folders = (struct bucket_folders){ .fd = -1 };
}

/* Adds a row at the end. Returns NULL if there is no memory. */
static struct bucket_folder *add_row(struct bucket_folders *folders, const char *name)
{
	if (folders->count == folders->room) {
		size_t room = folders->room > 0 ? 2 * folders->room : 64;
		struct bucket_folder *rows = reallocarray(folders->rows, room, sizeof(*rows));
		if (!rows)
			return NULL;
		folders->rows = rows;
		folders->room = room;
	}
	struct bucket_folder *row = &folders->rows[folders->count];
	*row = (struct bucket_folder){ .name = strdup(name) };
	folders->count += row->name != NULL;
	return row->name ? row : NULL;
}

/* Parses the first line of a record: "page 17 2 <version>". */
static bool parse_head(struct lines *lines, int64_t *page_id, int64_t *page_folders,
		       struct str *version)
{
	struct str line;
	return lines_next(lines, &line) && line_key(&line, "page") &&
	       line_number(&line, 0, page_id) && line_number(&line, 0, page_folders) &&
	       *page_folders <= 2 && line_word(&line, version) && line_ends(&line) &&
	       version->len <= PAGE_COPY_VERSION_CHARS;
}

struct opening {
	struct bucket_folders *folders;
	bool is_failed;
};

static void open_one(void *context, const char *file)
{
	struct opening *opening = context;
	struct bucket_folders *folders = opening->folders;
	char head[HEAD_MAX_BYTES], name[FILE_NAME_SIZE];
	size_t len = strlen(file);
	int64_t page_id, page_folders;
	struct str version;
	if (len < 3 || len >= sizeof(name) || !strchr("sd", file[0]) || file[1] != '.')
		return;
	memcpy(name, file, len + 1);
	name[1] = '/';
	ssize_t got = folder_read_some(folders->fd, file, head, sizeof(head));
	struct lines lines = lines_of((struct str){ head, got > 0 ? (size_t)got : 0 });
	if (got < 0 || !parse_head(&lines, &page_id, &page_folders, &version)) {
		/* Remove the damaged record. The next comparison with the bucket's list creates a
		 * new record. */
		opening->is_failed |= unlinkat(folders->fd, file, 0) != 0;
		return;
	}
	struct bucket_folder *row = add_row(folders, name);
	opening->is_failed |= row == NULL;
	if (!row)
		return;
	row->page_id = page_id;
	row->page_folders = (int)page_folders;
	memcpy(row->version, version.data, version.len);
}

enum result bucket_folders_open(struct bucket_folders *folders, int fd, struct error *error)
{
	*folders = (struct bucket_folders){ .fd = fd };
	struct opening opening = { .folders = folders };
	enum result result = folder_each(fd, open_one, &opening, error);
	if (result == OK && opening.is_failed)
		result = error_log(error, E_FAILED, "the records of the bucket cannot be read");
	if (result != OK)
		bucket_folders_close(folders);
	else if (folders->count > 0)
		qsort(folders->rows, folders->count, sizeof(*folders->rows), compare);
	return result;
}

/* Parses the line of an object: "<sha256> <etag> <name>". */
static bool parse_object(struct str line, struct arena *arena, struct bucket_object *object)
{
	*object = (struct bucket_object){ 0 };
	object->sha256 = line_text(&line, arena);
	object->etag = line_text(&line, arena);
	object->name = arena_strndup(arena, line.len > 0 ? line.data : "", line.len);
	return object->sha256 && object->etag && line.len > 0;
}

static bool parse(struct str text, struct arena *arena, struct bucket_record *record)
{
	struct lines lines = lines_of(text);
	struct str version, line;
	int64_t page_folders;
	size_t room = 0;
	if (!parse_head(&lines, &record->page_id, &page_folders, &version))
		return false;
	record->page_folders = (int)page_folders;
	record->version = arena_strndup(arena, version.data, version.len);
	while (lines_next(&lines, &line)) {
		if (str_eq(line, STR("end")))
			return true;
		record->objects = arena_grow(arena, record->objects, record->count, &room,
					     sizeof(*record->objects));
		if (!parse_object(line, arena, &record->objects[record->count++]))
			return false;
	}
	return false;
}

enum result bucket_record_read(const struct bucket_folders *folders, const char *name,
			       struct arena *arena, struct bucket_record *record,
			       struct error *error)
{
	char file[FILE_NAME_SIZE];
	struct stat status;
	*record = (struct bucket_record){ .version = BUCKET_UNKNOWN };
	if (!file_name(name, file) || !bucket_folders_find(folders, name))
		return OK;
	if (fstatat(folders->fd, file, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
	    status.st_size > RECORD_MAX_BYTES)
		return folder_failed(error, "cannot read", file);
	char *text = arena_alloc(arena, (size_t)status.st_size + 1);
	ssize_t len = folder_read_some(folders->fd, file, text, (size_t)status.st_size);
	if (len >= 0 && parse((struct str){ text, (size_t)len }, arena, record))
		return OK;
	/* Remove the damaged record. The next comparison with the bucket's list finds the objects
	 * of the folder, and creates a new record. */
	unlinkat(folders->fd, file, 0);
	return error_log(error, E_FAILED, "the record %s of the bucket is damaged", file);
}

struct bucket_object *bucket_record_find(const struct bucket_record *record, const char *name)
{
	for (size_t i = 0; i < record->count; i++)
		if (strcmp(record->objects[i].name, name) == 0)
			return &record->objects[i];
	return NULL;
}

static bool write_file(int fd, const char *file, const struct buf *text)
{
	int file_fd CLEANUP(close_fd) =
		openat(fd, NEW_FILE, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	return file_fd >= 0 && folder_write_all(file_fd, (struct str){ text->data, text->len }) &&
	       renameat(fd, NEW_FILE, fd, file) == 0;
}

/* Returns the folder's row, or a new row for it; NULL: no memory. */
static struct bucket_folder *row_of(struct bucket_folders *folders, const char *name)
{
	struct bucket_folder *row = bucket_folders_find(folders, name);
	if (row || !add_row(folders, name))
		return row;
	size_t at = folders->count - 1;
	struct bucket_folder new = folders->rows[at];
	while (at > 0 && strcmp(folders->rows[at - 1].name, name) > 0)
		at--;
	memmove(&folders->rows[at + 1], &folders->rows[at],
		(folders->count - 1 - at) * sizeof(*folders->rows));
	folders->rows[at] = new;
	return &folders->rows[at];
}

enum result bucket_record_write(struct bucket_folders *folders, const char *name,
				const struct bucket_record *record, struct error *error)
{
	char file[FILE_NAME_SIZE];
	struct buf text CLEANUP(buf_done) = BUF_INIT(RECORD_MAX_BYTES);
	struct bucket_folder *row = file_name(name, file) ? row_of(folders, name) : NULL;
	if (!row)
		return error_log(error, E_FAILED, "no record can be made of %.200s", name);
	buf_printf(&text, "page %lld %d %s\n", (long long)record->page_id, record->page_folders,
		   record->version);
	for (size_t i = 0; i < record->count; i++)
		buf_printf(&text, "%s %s %s\n", record->objects[i].sha256, record->objects[i].etag,
			   record->objects[i].name);
	buf_puts(&text, "end\n");
	if (!buf_ok(&text))
		return error_log(error, E_FAILED, "the record %s is too large", file);
	if (!write_file(folders->fd, file, &text))
		return folder_failed(error, "cannot write", file);
	row->page_id = record->page_id;
	row->page_folders = record->page_folders;
	snprintf(row->version, sizeof(row->version), "%s", record->version);
	return OK;
}

enum result bucket_record_remove(struct bucket_folders *folders, const char *name,
				 struct error *error)
{
	char file[FILE_NAME_SIZE];
	struct bucket_folder *row = bucket_folders_find(folders, name);
	if (!row || !file_name(name, file))
		return OK;
	if (unlinkat(folders->fd, file, 0) != 0 && errno != ENOENT)
		return folder_failed(error, "cannot remove", file);
	free(row->name);
	size_t at = (size_t)(row - folders->rows);
	memmove(row, row + 1, (folders->count - 1 - at) * sizeof(*row));
	folders->count--;
	return OK;
}
