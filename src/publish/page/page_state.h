/*
 * A page's note is a file about the version of the page on this disk: its addresses, its revision,
 * the time when it must be published again, and its files. From the note a publisher knows which
 * files are current and which to remove, even if another machine has changed the page.
 *
 * While a publisher renames the page's files, the note has the name PAGE_STATE_UNFINISHED. If the
 * publisher dies, files of two revisions remain. The next publisher notices this by the name.
 */
#ifndef PUBLISH_PAGE_PAGE_STATE_H
#define PUBLISH_PAGE_PAGE_STATE_H

#include "base/clock.h"
#include "publish/folder/folder.h"
#include "publish/folder/pages_dir.h"
#include "publish/page/replaced_files.h"
#include "store/page/publication.h"

/* The file that visitors open. Publishers rename it into place after all other files. */
#define PAGE_FIRST_FILE	      "index.html"
/* The names of the note: PAGE_STATE_FILE if all files of the page are of one version, otherwise
 * PAGE_STATE_UNFINISHED. */
#define PAGE_STATE_FILE	      "page"
#define PAGE_STATE_UNFINISHED "writing"

enum {
	PAGE_FILES_MAX = 2048, /* the most files of a page, including twins */
	PAGE_NOTE_MAX_BYTES = 1 << 20,
};

/* A file with its compressed twin. */
struct file_state {
	const char *name;
	const char *digest; /* see publish/page/page_output.c; "-": the file's name has the hash
			       of its content */
	const char *stamp;  /* see struct folder_file */
	const char *packed; /* the stamp of the compressed twin; "-": no twin */
	/* 0: a current file of the page. Otherwise the page has replaced this file, and keeps it
	 * until this time: see page_output_keep_replaced(). */
	struct instant kept_until;
};

struct page_state {
	bool is_known;	/* false: there is no note, and the other members are empty */
	bool is_broken; /* there is a note, but it cannot be parsed, or it names too many files */
	bool is_whole;	/* false: a publisher is writing the page, or died while writing */
	int64_t epoch;	/* the epoch of the revision; see store/snapshot/timeline.h */
	int64_t revision;
	struct instant due; /* when the page must be published again; see page_snapshot_due() */
	const char *slug;
	const char *domain;	/* NULL: none */
	enum pages_place place; /* the place of the files under the slug; PAGES_PLACES: unknown */
	const char *version; /* on a mirror, the origin's name for this content; otherwise NULL */
	struct file_state *files; /* empty unless is_whole */
	size_t file_count;
};

/* Reads the page's note. The arena owns the texts. E_FAILED: the page may have a note, but it
 * cannot be read. */
enum result page_state_read(const struct pages_dir *dir, int64_t page_id, struct arena *arena,
			    struct page_state *state, struct error *error) MUST_USE;
/* Parses only the first lines of a note, before its list of files. The text may lack that list. */
void page_state_parse_head(struct str text, struct arena *arena, struct page_state *state);
/* Parses a note that the caller has read. is_whole: the note has the name PAGE_STATE_FILE. */
void page_state_parse(const char *text, bool is_whole, struct arena *arena,
		      struct page_state *state);
/* Returns the name of the page's folder in PAGES_STATE. */
const char *page_state_folder(int64_t page_id, struct arena *arena);
/* Writes a note, and waits until it is on the disk. E_FAILED: for example, the note has more than
 * PAGE_FILES_MAX files. */
enum result page_state_write(const struct pages_dir *dir, int64_t page_id,
			     const struct page_state *state, struct arena *arena,
			     struct error *error) MUST_USE;

/* The new note of a page while a publisher changes the page's files. */
struct page_note {
	const struct pages_dir *dir;
	int folder_fd;
	struct folder_file file;
	struct replaced_files *replaced; /* receives the former note; NULL: the commit frees it */
};
#define PAGE_NOTE_CLOSED ((struct page_note){ .folder_fd = -1, .file.fd = -1 })

/* Writes the new note under a temporary name. The caller must sync note->file. */
enum result page_note_open(struct page_note *note, const struct pages_dir *dir, int64_t page_id,
			   const struct page_state *state, struct arena *arena, struct error *error)
	MUST_USE;
/* Renames the former note to PAGE_STATE_UNFINISHED. Call it before the first file is renamed. */
enum result page_note_begin(const struct page_note *note, struct error *error) MUST_USE;
/* Replaces the former note by the new note. Call it after the last file was renamed. */
enum result page_note_commit(struct page_note *note, struct error *error) MUST_USE;
void page_note_close(struct page_note *note);

enum result page_state_remove(const struct pages_dir *dir, int64_t page_id, struct arena *arena,
			      struct error *error) MUST_USE;

/* Renames the note to PAGE_STATE_UNFINISHED, so that the page counts as incomplete. OK if there is
 * no note. */
enum result page_state_unfinish(const struct pages_dir *dir, int64_t page_id, struct arena *arena,
				struct error *error) MUST_USE;

/* Returns < 0 if the note is older than this revision of this epoch, 0 if both are equal, > 0 if
 * the note is newer. */
int page_state_compare(const struct page_state *state, int64_t epoch, int64_t revision);
/* Whether PAGE_FIRST_FILE exists in the page's folders that the note names. Also true if the note
 * names no place. */
bool page_state_is_there(const struct pages_dir *dir, const struct page_state *state);
/* Whether the disk has all files of the note, and none was changed since it was written. */
bool page_state_is_intact(const struct pages_dir *dir, const struct page_state *state,
			  struct arena *arena);
/* Whether the page must be published again: state->due has passed, or was set by a wrong clock. */
bool page_state_is_due(const struct page_state *state, struct instant now);
/* Whether the disk has all files of the row's revision, none was changed, and the page is not
 * due. */
bool page_state_is_current(const struct pages_dir *dir, const struct page_state *state,
			   const struct publication *row, struct instant now, struct arena *arena);

#endif
