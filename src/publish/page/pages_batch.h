/*
 * The new content of a folder below the pages folder: new files, and existing files that are kept.
 *
 * Readers see a file completely or not at all, even after a loss of power: a file is written under
 * a temporary name, synced and renamed. Files of a batch are renamed only after all are synced.
 * The renames themselves are synced only if something must not be seen any more: see
 * publish/folder/boot.h.
 */
#ifndef PUBLISH_PAGE_PAGES_BATCH_H
#define PUBLISH_PAGE_PAGES_BATCH_H

#include "publish/folder/folder.h"
#include "publish/folder/pages_dir.h"
#include "publish/page/replaced_files.h"

/* Names must be valid; names and arena must outlive the batch. */
struct pages_batch {
	const struct pages_dir *dir;
	enum pages_place place;
	const char *folder;
	int folder_fd;
	struct arena *arena;
	/* All files that the folder and its mirror may have already. NULL: unknown, and the commit
	 * lists the folder. */
	const struct pages_names *former;
	/* New files are closed at once: the caller syncs the whole file system. */
	bool closes_files;
	/* Files that were not committed keep their temporary names for a later commit. */
	bool keeps_files;
	/* Receives the files that the commit replaces; NULL: the commit frees them. */
	struct replaced_files *replaced;
	/* The commit syncs the folder even if it only replaces files. */
	bool is_durable;

	/* Private to the batch. */
	struct pages_names names;
	struct pages_file *files; /* by the index of `names` */
	size_t file_room;
	size_t open_count;
	bool is_new; /* the folder */
};

struct pages_file {
	const char *stamp;
	struct folder_file new; /* with an empty name if the file exists already */
};

/* Creates the folder if it does not exist. */
enum result pages_batch_open(struct pages_batch *batch, const struct pages_dir *dir,
			     enum pages_place place, const char *folder, struct arena *arena,
			     struct error *error) MUST_USE;
/* By how many bytes a file of `len` bytes must be made longer: see folder_padding(). */
size_t pages_batch_padding(const struct pages_batch *batch, const char *name, size_t len);
/* Writes a file under a temporary name. *stamp: the stamp of the file; NULL: not wanted. */
enum result pages_batch_add(struct pages_batch *batch, const char *name, struct str data,
			    const char **stamp, struct error *error) MUST_USE;
/* Whether the folder has the file with this stamp. */
bool pages_batch_has(const struct pages_batch *batch, const char *name, const char *stamp);
/* Keeps an existing file with this stamp. */
void pages_batch_keep(struct pages_batch *batch, const char *name, const char *stamp);

/* Adds a file that already exists under a temporary name. */
void pages_batch_adopt(struct pages_batch *batch, const char *name, const char *temporary,
		       const char *stamp);

/* Waits until the content of the new files is on the disk. */
enum result pages_batch_sync(struct pages_batch *batch, struct error *error) MUST_USE;
/* Does the same as pages_batch_sync() for the batch and one more file. */
enum result pages_batch_sync_with(struct pages_batch *batch, struct folder_file *also,
				  struct error *error) MUST_USE;
/*
 * Renames the new files to their names, in the order of addition, and removes all files that are
 * not in the batch. A removal is on the disk when the function returns. Call it after the sync.
 */
enum result pages_batch_commit(struct pages_batch *batch, struct error *error) MUST_USE;
/* Gives another folder the same files. Call it after the commit. */
enum result pages_batch_mirror(const struct pages_batch *batch, enum pages_place place,
			       const char *folder, struct error *error) MUST_USE;
/* Removes the temporary files of a batch that was not committed. */
void pages_batch_close(struct pages_batch *batch);

/* Writes a folder with exactly one file, and waits until both are on the disk. */
enum result pages_dir_put(const struct pages_dir *dir, enum pages_place place, const char *folder,
			  const char *name, struct str text, struct arena *arena,
			  struct error *error) MUST_USE;

#endif
