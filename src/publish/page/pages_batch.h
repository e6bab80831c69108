/*
 * The new content of a folder below the pages folder: new files, and existing files that stay.
 *
 * Readers see a file completely or not at all, even after a loss of power: a batch writes each file
 * under a temporary name, syncs all files, and then renames them. It syncs the renames only if
 * visitors must not see a former file any more: see publish/folder/boot.h.
 */
#ifndef PUBLISH_PAGE_PAGES_BATCH_H
#define PUBLISH_PAGE_PAGES_BATCH_H

#include "publish/folder/folder.h"
#include "publish/folder/pages_dir.h"
#include "publish/page/replaced_files.h"

/* The names of the folder and the files must be valid. These names and the arena must outlive the
 * batch. */
struct pages_batch {
	const struct pages_dir *dir;
	enum pages_place place;
	const char *folder;
	int folder_fd;
	struct arena *arena;
	/* All files that may be in the folder, and in the folder of pages_batch_mirror(). NULL:
	 * they are not known, so the commit lists the folder. */
	const struct pages_names *former;
	/* New files are closed at once, because the caller syncs the whole file system. */
	bool closes_files;
	/* pages_batch_close() does not remove the temporary files, because they are committed
	 * later. */
	bool keeps_files;
	/* Receives the files that the commit replaces; NULL: the commit frees them. */
	struct replaced_files *replaced;
	/* The commit syncs the folder even if no file was removed. */
	bool is_durable;

	/* Private to the batch. */
	struct pages_names names;
	struct pages_file *files; /* by the index of `names` */
	size_t file_room;
	size_t open_count;
	bool is_new; /* the batch has created the folder */
};

struct pages_file {
	const char *stamp;
	struct folder_file new; /* the name is "" if the file already exists in the folder */
};

/* Opens the folder, and creates it if it does not exist. */
enum result pages_batch_open(struct pages_batch *batch, const struct pages_dir *dir,
			     enum pages_place place, const char *folder, struct arena *arena,
			     struct error *error) MUST_USE;
/* Returns how many bytes to add to a file of `len` bytes: see folder_padding(). */
size_t pages_batch_padding(const struct pages_batch *batch, const char *name, size_t len);
/* Writes a file under a temporary name. Sets *stamp to the stamp of the file, unless `stamp` is
 * NULL. */
enum result pages_batch_add(struct pages_batch *batch, const char *name, struct str data,
			    const char **stamp, struct error *error) MUST_USE;
/* Whether the folder has the file with this stamp. */
bool pages_batch_has(const struct pages_batch *batch, const char *name, const char *stamp);
/* Adds an existing file with this stamp to the batch, so that the commit keeps it. */
void pages_batch_keep(struct pages_batch *batch, const char *name, const char *stamp);

/* Adds a file that was already written under a temporary name. */
void pages_batch_adopt(struct pages_batch *batch, const char *name, const char *temporary,
		       const char *stamp);

/* Waits until the content of the new files is on the disk. */
enum result pages_batch_sync(struct pages_batch *batch, struct error *error) MUST_USE;
/* Like pages_batch_sync(), but also syncs the file `also`. */
enum result pages_batch_sync_with(struct pages_batch *batch, struct folder_file *also,
				  struct error *error) MUST_USE;
/*
 * Renames the new files to their names, in the order of addition, and removes all files that are
 * not in the batch. A removal is on the disk when the function returns. Call it after the sync.
 */
enum result pages_batch_commit(struct pages_batch *batch, struct error *error) MUST_USE;
/* Makes another folder contain exactly the files of the batch, as hard links. Call it after the
 * commit. */
enum result pages_batch_mirror(const struct pages_batch *batch, enum pages_place place,
			       const char *folder, struct error *error) MUST_USE;
/* Removes the temporary files of a batch that was not committed. */
void pages_batch_close(struct pages_batch *batch);

/* Makes a folder contain exactly one file. Waits until the folder and the file are on the disk. */
enum result pages_dir_put(const struct pages_dir *dir, enum pages_place place, const char *folder,
			  const char *name, struct str text, struct arena *arena,
			  struct error *error) MUST_USE;

#endif
