/* Writes the files of a page. Does not write or compress a file again if the disk has it already
 * according to the page's note. */
#ifndef PUBLISH_PAGE_PAGE_OUTPUT_H
#define PUBLISH_PAGE_PAGE_OUTPUT_H

#include "base/buf.h"
#include "publish/page/page_state.h"
#include "publish/page/pages_batch.h"
#include "wire/gzip.h"

struct page_output {
	struct pages_batch batch;
	struct buf text;      /* the text of the file that is being made */
	size_t written_count; /* files that were written instead of kept */
	int64_t until_ms;     /* see struct publisher */

	/* Private. */
	struct arena *arena;
	const struct page_state *before;
	struct page_state *after;
	size_t file_room;
	size_t next; /* where in `before` the search for the next file begins */
	struct pages_names former;
	struct buf packed;
	struct gzip gzip;
};

/*
 * Opens the folder. `before` is the note of the folder's files; NULL: the folder may have any
 * files. The output lists its files in `after`, the new note, which the caller writes to the disk.
 * Both notes and the arena must outlive the output.
 */
enum result page_output_open(struct page_output *output, const struct pages_dir *dir,
			     enum pages_place place, const char *folder,
			     const struct page_state *before, struct page_state *after,
			     struct arena *arena, struct error *error) MUST_USE;
/*
 * Keeps a file if the former note has this digest for it, and if the file and its compressed twin
 * are as they were written. Returns whether the file is kept. `digest` covers everything on which
 * the content depends, or is PAGE_OUTPUT_HASHED.
 */
bool page_output_keep(struct page_output *output, const char *name, const char *digest);
/*
 * Adds output->text as a file, and empties it. E_TOO_SLOW: see struct publisher. An existing file
 * is kept if its text is unchanged. Stores the digest (NULL: none) in the new note, for
 * page_output_keep(). The caller has called page_output_keep() for the file before. In places that
 * web servers read, larger files have a compressed twin for clients that accept gzip.
 */
enum result page_output_text(struct page_output *output, const char *name, const char *digest,
			     struct error *error) MUST_USE;
/* Returns the file's digest in the former note; NULL: the note does not name the file. */
const char *page_output_noted(struct page_output *output, const char *name);
/* Writes a file without a twin. */
enum result page_output_data(struct page_output *output, const char *name, const char *digest,
			     struct str data, struct error *error) MUST_USE;
/* Given as the digest if the file's name has the hash of its content. */
#define PAGE_OUTPUT_HASHED "-"

enum {
	PAGE_OUTPUT_REPLACED_S = 300,
	PAGE_OUTPUT_REPLACED_MAX = 16,
	PAGE_OUTPUT_REPLACED_MAX_BYTES = 4 << 20,
};
/*
 * Keeps replaced files for a while, if their names have the hash of their content. A browser may
 * have just read the former index.html, and ask for its style now. A file is replaced if the former
 * version of the page named it, and this version names another file of the same kind. A picture,
 * style or script without a successor is removed at once. A page keeps its newest
 * PAGE_OUTPUT_REPLACED_MAX replaced files, up to PAGE_OUTPUT_REPLACED_MAX_BYTES without their
 * twins. *until: when the first of these files must be removed; 0: no file is kept. Call it after
 * the other hashed files were added.
 */
void page_output_keep_replaced(struct page_output *output, struct instant now,
			       struct instant *until);

/* Frees the memory for texts. Call it after all files were added. */
void page_output_free_text(struct page_output *output);
void page_output_close(struct page_output *output);

#endif
