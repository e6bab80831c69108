#include "mirror/target/command_pages.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/fd.h"
#include "base/str.h"
#include "domain/page/published_file.h"
#include "publish/folder/folder.h"
#include "publish/page/page_state.h"

/* The name of the folder `public` until it is complete for the first time. */
#define UNFINISHED_FOLDER COMMAND_PAGES_FOLDER ".new"
#define TEMPORARY_FOLDER  "new"
#define API_FOLDER	  "api"

enum { NOTE_MAX_BYTES = 8 * PAGE_NOTE_MAX_BYTES, NOTED_MAX_BYTES = 1 << 30 };

/* The addresses of the pages that are public according to a complete note. */
struct noted {
	enum pages_place place;
	bool is_read;
	struct pages_names names; /* sorted */
	struct arena arena;
};

struct making {
	int from_fd; /* a folder of DIR/public */
	int to_fd;   /* the corresponding folder of the mirror */
	int new_fd;  /* for temporary files; not DIR/new, which a sweep may empty at any time */
	const struct pages_dir *dir;
	struct noted *noted;
	enum result *result;
	struct error *error; /* the first failure */
};

/* Notes the first failure. The caller continues: it must link all other files, and remove files
 * that are not public any more. */
static void note_failure(const struct making *making, enum result result, const struct error *error)
{
	if (*making->result == OK && result != OK) {
		*making->error = *error;
		*making->result = result;
	}
}

/* Returns true only if the folder certainly has no file of this name. */
static bool is_missing(int fd, const char *name)
{
	return faccessat(fd, name, F_OK, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT;
}

static bool is_missing_page(int fd, const char *name)
{
	char path[NAME_MAX + sizeof("/" PAGE_FIRST_FILE)];
	snprintf(path, sizeof(path), "%s/" PAGE_FIRST_FILE, name);
	return is_missing(fd, path);
}

static bool is_same_file(const struct stat *file, int fd, const char *name)
{
	struct stat other;
	return fstatat(fd, name, &other, AT_SYMLINK_NOFOLLOW) == 0 &&
	       other.st_ino == file->st_ino && other.st_dev == file->st_dev;
}

static void link_file(const struct making *making, int to_fd, const char *name)
{
	struct error error = { 0 };
	enum result result = folder_link(making->from_fd, making->new_fd, to_fd, name, &error);
	/* A file that was removed in the meantime is no failure: its page has changed, so the
	 * command runs again. */
	if (result != OK && !is_missing(making->from_fd, name))
		note_failure(making, result, &error);
}

/* Makes the parent folders of an address such as "api/v2/summary.json", and opens the last one.
 * Returns -1, with errno, after a failure. */
static int make_parents(int fd, const char *address)
{
	char name[32];
	const char *slash;
	bool is_new;
	int folder = folder_open(fd, ".");
	while (folder >= 0 && (slash = strchr(address, '/'))) {
		snprintf(name, sizeof(name), "%.*s", (int)(slash - address), address);
		int parent CLEANUP(close_fd) = folder;
		folder = folder_make(parent, name, true, &is_new);
		address = slash + 1;
	}
	return folder;
}

static void take_file(void *context, const char *name)
{
	const struct making *making = context;
	const char *address = published_file_api_address(name);
	struct error error = { 0 };
	struct stat file;
	if (fstatat(making->from_fd, name, &file, AT_SYMLINK_NOFOLLOW) != 0) {
		if (errno != ENOENT)
			note_failure(making, folder_failed(&error, "cannot read", name), &error);
		return;
	}
	if (!S_ISREG(file.st_mode))
		return;
	if (!is_same_file(&file, making->to_fd, name))
		link_file(making, making->to_fd, name);
	if (!address || is_same_file(&file, making->to_fd, address))
		return;
	int api_fd CLEANUP(close_fd) = make_parents(making->to_fd, address);
	if (api_fd >= 0)
		link_file(making, api_fd, name);
	else
		note_failure(making, folder_failed(&error, "cannot make", address), &error);
}

static void take_other_file(void *context, const char *name)
{
	if (strcmp(name, PAGE_FIRST_FILE) != 0 && strcmp(name, PAGE_FIRST_FILE ".gz") != 0)
		take_file(context, name);
}

static void drop_file(void *context, const char *name)
{
	const struct making *making = context;
	const char *address = published_file_api_address(name);
	struct error error = { 0 };
	if (strcmp(name, API_FOLDER) == 0 || !is_missing(making->from_fd, name))
		return;
	/* Remove the file last. As long as the file is there, the next run knows that its address
	 * must be removed, too. */
	if (address && unlinkat(making->to_fd, address, 0) != 0 && errno != ENOENT)
		note_failure(making, folder_failed(&error, "cannot remove", address), &error);
	else
		note_failure(making, folder_remove_all(making->to_fd, name, &error), &error);
}

/*
 * Links the files of a page, index.html before the files that it names. A publisher that replaces
 * index.html in the meantime keeps, for some minutes, the files that the old index.html names.
 */
static void make_page(void *context, const char *name)
{
	const struct making *place = context;
	struct making page = *place;
	struct error error = { 0 };
	bool is_new;
	int from_fd CLEANUP(close_fd) = folder_open(place->from_fd, name);
	if (from_fd < 0) {
		/* The page was removed during the run, or the name is not a folder. */
		if (errno != ENOENT && errno != ENOTDIR)
			note_failure(place, folder_failed(&error, "cannot open", name), &error);
		return;
	}
	if (is_missing(from_fd, PAGE_FIRST_FILE))
		return;
	int to_fd CLEANUP(close_fd) = folder_make(place->to_fd, name, true, &is_new);
	if (to_fd < 0) {
		note_failure(place, folder_failed(&error, "cannot make the folder", name), &error);
		return;
	}
	page.from_fd = from_fd;
	page.to_fd = to_fd;
	take_file(&page, PAGE_FIRST_FILE ".gz");
	take_file(&page, PAGE_FIRST_FILE);
	note_failure(place, folder_each(from_fd, take_other_file, &page, &error), &error);
	note_failure(place, folder_each(to_fd, drop_file, &page, &error), &error);
}

static enum result add_noted(const struct pages_dir *dir, struct noted *noted, int64_t page_id,
			     struct error *error)
{
	struct arena arena CLEANUP(arena_done);
	struct page_state state;
	arena_init(&arena, NOTE_MAX_BYTES);
	enum result result = page_state_read(dir, page_id, &arena, &state, error);
	const char *name = noted->place == PAGES_DOMAIN ? state.domain : state.slug;
	if (result == OK && state.is_whole && state.place == PAGES_PUBLIC && name)
		pages_names_add(&noted->names, arena_strdup(&noted->arena, name), &noted->arena);
	return result;
}

static enum result read_notes(const struct pages_dir *dir, struct noted *noted, struct error *error)
{
	struct pages_names folders = { 0 };
	int64_t page_id;
	enum result result = pages_dir_folders(dir, PAGES_STATE, &noted->arena, &folders, error);
	for (size_t i = 0; result == OK && i < folders.count; i++)
		if (str_to_int64(str_from(folders.names[i]), &page_id))
			result = add_noted(dir, noted, page_id, error);
	pages_names_sort(&noted->names);
	noted->is_read = result == OK;
	return result;
}

/*
 * Removes the copy of a page if DIR/public does not have the page. Keeps the copy if a note calls
 * the page public: somebody has removed the page's files, and they will be published again; or the
 * page is being removed at this moment, and the next run removes the copy.
 */
static void drop_page(void *context, const char *name)
{
	const struct making *place = context;
	struct noted *noted = place->noted;
	struct error error = { 0 };
	if (!is_missing_page(place->from_fd, name))
		return;
	enum result result = noted->is_read ? OK : read_notes(place->dir, noted, &error);
	if (result == OK && pages_names_find(&noted->names, name))
		result = error_log(&error, E_UNAVAILABLE, "the files of page %s are missing", name);
	if (result == OK)
		result = folder_remove_all(place->to_fd, name, &error);
	note_failure(place, result, &error);
}

static void noted_done(struct noted *noted)
{
	arena_done(&noted->arena);
}

/* Makes the copy of a place equal to the place. Removes pages first, because this needs no
 * space. */
static void make_place(const struct making *all, enum pages_place which, int from_fd)
{
	struct noted noted CLEANUP(noted_done) = { .place = which };
	struct making place = *all;
	struct error error = { 0 };
	bool is_new;
	arena_init(&noted.arena, NOTED_MAX_BYTES);
	place.noted = &noted;
	int to_fd CLEANUP(close_fd) =
		folder_make(all->to_fd, pages_place_name(which), true, &is_new);
	if (to_fd < 0) {
		note_failure(all, folder_failed(&error, "cannot make", "a folder"), &error);
		return;
	}
	place.from_fd = from_fd;
	place.to_fd = to_fd;
	note_failure(all, folder_each(to_fd, drop_page, &place, &error), &error);
	note_failure(all, folder_each(from_fd, make_page, &place, &error), &error);
}

enum result command_pages_make(const struct pages_dir *dir, int folder_fd, bool *is_usable,
			       struct error *error)
{
	static const enum pages_place public_places[] = { PAGES_PUBLIC, PAGES_DOMAIN };
	enum result result = OK;
	bool is_new;
	*is_usable = false;
	int new_fd CLEANUP(close_fd) = folder_make(folder_fd, TEMPORARY_FOLDER, false, &is_new);
	if (new_fd < 0)
		return folder_failed(error, "cannot make the folder of", "a command");
	/* Remove the temporary files of a process that died. */
	result = folder_sweep(new_fd, NULL, NULL, &is_new, error);
	if (result != OK)
		return result;
	bool was_there = !is_missing(folder_fd, COMMAND_PAGES_FOLDER);
	int to_fd CLEANUP(close_fd) = folder_make(
		folder_fd, was_there ? COMMAND_PAGES_FOLDER : UNFINISHED_FOLDER, true, &is_new);
	if (to_fd < 0)
		return folder_failed(error, "cannot make the folder of", "a command");
	*is_usable = was_there;
	const struct making making = { .from_fd = -1,
				       .to_fd = to_fd,
				       .new_fd = new_fd,
				       .dir = dir,
				       .result = &result,
				       .error = error };
	for (size_t i = 0; i < ARRAY_LEN(public_places); i++)
		make_place(&making, public_places[i], dir->place_fds[public_places[i]]);
	if (was_there || result != OK)
		return result;
	if (renameat(folder_fd, UNFINISHED_FOLDER, folder_fd, COMMAND_PAGES_FOLDER) != 0)
		return folder_failed(error, "cannot rename to", COMMAND_PAGES_FOLDER);
	*is_usable = true;
	return OK;
}
