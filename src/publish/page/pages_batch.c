#include "publish/page/pages_batch.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "publish/folder/file_sync.h"

/* The most files that a batch keeps open until they are synced: a process has few descriptors. */
enum { OPEN_FILES_MAX = 24 };
_Static_assert((int)OPEN_FILES_MAX < (int)FILE_SYNC_MAX, "a batch is synced at once");

enum result pages_batch_open(struct pages_batch *batch, const struct pages_dir *dir,
			     enum pages_place place, const char *folder, struct arena *arena,
			     struct error *error)
{
	*batch = (struct pages_batch){
		.dir = dir, .place = place, .folder = folder, .arena = arena
	};
	batch->folder_fd = folder_make(dir->place_fds[place], folder, pages_place_is_public(place),
				       &batch->is_new);
	return batch->folder_fd >= 0 ? OK : folder_failed(error, "cannot make the folder", folder);
}

static struct pages_file *add_file(struct pages_batch *batch, const char *name)
{
	batch->files = arena_grow(batch->arena, batch->files, batch->names.count, &batch->file_room,
				  sizeof(*batch->files));
	struct pages_file *file = &batch->files[batch->names.count];
	*file = (struct pages_file){ .new.fd = -1 };
	pages_names_add(&batch->names, name, batch->arena);
	return file;
}

enum result pages_batch_sync_with(struct pages_batch *batch, struct folder_file *also,
				  struct error *error)
{
	struct folder_file *files[OPEN_FILES_MAX + 1];
	size_t count = 0;
	if (also && also->fd >= 0)
		files[count++] = also;
	/* The last file comes first: if the files are synced one after the other, its sync usually
	 * also writes the earlier files, so that their syncs are fast. */
	for (size_t i = batch->names.count; i > 0; i--)
		if (batch->files[i - 1].new.fd >= 0)
			files[count++] = &batch->files[i - 1].new;
	batch->open_count = 0;
	return folder_sync_files(files, count, error);
}

enum result pages_batch_sync(struct pages_batch *batch, struct error *error)
{
	return pages_batch_sync_with(batch, NULL, error);
}

size_t pages_batch_padding(const struct pages_batch *batch, const char *name, size_t len)
{
	return batch->is_new ? 0 : folder_padding(batch->folder_fd, name, len);
}

enum result pages_batch_add(struct pages_batch *batch, const char *name, struct str data,
			    const char **stamp, struct error *error)
{
	enum result result = batch->open_count < OPEN_FILES_MAX ? OK
								: pages_batch_sync(batch, error);
	if (result != OK)
		return result;
	struct pages_file *file = add_file(batch, name);
	result = folder_write(batch->dir->new_fd, pages_place_is_public(batch->place), data,
			      &file->new, error);
	if (result != OK)
		return result;
	if (batch->closes_files)
		folder_close_file(&file->new);
	else
		batch->open_count++;
	file->stamp = arena_strdup(batch->arena, file->new.stamp);
	if (stamp)
		*stamp = file->stamp;
	return OK;
}

bool pages_batch_has(const struct pages_batch *batch, const char *name, const char *stamp)
{
	return !batch->is_new && folder_has(batch->folder_fd, name, stamp);
}

void pages_batch_keep(struct pages_batch *batch, const char *name, const char *stamp)
{
	add_file(batch, name)->stamp = stamp;
}

void pages_batch_adopt(struct pages_batch *batch, const char *name, const char *temporary,
		       const char *stamp)
{
	struct pages_file *file = add_file(batch, name);
	file->stamp = stamp;
	snprintf(file->new.name, sizeof(file->new.name), "%s", temporary);
}

/* Removes the folder's files that are not in the batch. Syncs the folder if necessary. */
static enum result finish_folder(const struct pages_batch *batch, int fd, bool is_new,
				 struct error *error)
{
	bool is_synced = batch->dir->syncs_folders || batch->is_durable;
	enum result result =
		is_new ? OK : folder_sweep(fd, &batch->names, batch->former, &is_synced, error);
	if (result == OK && is_synced && fsync(fd) != 0)
		result = folder_failed(error, "cannot sync", batch->folder);
	return result;
}

static enum result sync_place(const struct pages_batch *batch, enum pages_place place, bool is_new,
			      struct error *error)
{
	bool is_synced = is_new && (batch->dir->syncs_folders || batch->is_durable);
	return !is_synced || fsync(batch->dir->place_fds[place]) == 0
		       ? OK
		       : folder_failed(error, "cannot sync", pages_place_name(place));
}

static enum result name_file(const struct pages_batch *batch, const char *name,
			     struct folder_file *file, struct error *error)
{
	if (batch->replaced && !batch->is_new)
		replaced_files_keep(batch->replaced, batch->folder_fd, name);
	return folder_name_file(batch->dir->new_fd, file, batch->folder_fd, name, error);
}

enum result pages_batch_commit(struct pages_batch *batch, struct error *error)
{
	enum result result = sync_place(batch, batch->place, batch->is_new, error);
	for (size_t i = 0; result == OK && i < batch->names.count; i++)
		if (batch->files[i].new.name[0] != '\0')
			result = name_file(batch, batch->names.names[i], &batch->files[i].new,
					   error);
	return result == OK ? finish_folder(batch, batch->folder_fd, batch->is_new, error) : result;
}

enum result pages_batch_mirror(const struct pages_batch *batch, enum pages_place place,
			       const char *folder, struct error *error)
{
	bool is_new;
	int to_fd CLEANUP(close_fd) = folder_make(batch->dir->place_fds[place], folder,
						  pages_place_is_public(place), &is_new);
	if (to_fd < 0)
		return folder_failed(error, "cannot make the folder", folder);
	enum result result = sync_place(batch, place, is_new, error);
	for (size_t i = 0; result == OK && i < batch->names.count; i++)
		if (is_new || !folder_has(to_fd, batch->names.names[i], batch->files[i].stamp))
			result = folder_link(batch->folder_fd, batch->dir->new_fd, to_fd,
					     batch->names.names[i], error);
	return result == OK ? finish_folder(batch, to_fd, is_new, error) : result;
}

enum result pages_dir_put(const struct pages_dir *dir, enum pages_place place, const char *folder,
			  const char *name, struct str text, struct arena *arena,
			  struct error *error)
{
	struct pages_batch batch CLEANUP(pages_batch_close) = { .folder_fd = -1 };
	enum result result = pages_batch_open(&batch, dir, place, folder, arena, error);
	batch.is_durable = true;
	if (result == OK)
		result = pages_batch_add(&batch, name, text, NULL, error);
	if (result == OK)
		result = pages_batch_sync(&batch, error);
	return result == OK ? pages_batch_commit(&batch, error) : result;
}

void pages_batch_close(struct pages_batch *batch)
{
	for (size_t i = 0; batch->dir && !batch->keeps_files && i < batch->names.count; i++)
		folder_drop_file(batch->dir->new_fd, &batch->files[i].new);
	if (batch->dir)
		close_fd(&batch->folder_fd);
	*batch = (struct pages_batch){ .folder_fd = -1 };
}
