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
	size_t next; /* index in `before` at which the next search begins */
	struct pages_names former;
	struct buf packed;
	struct gzip gzip;
};

/*
 * Opens the folder. `before` is the note about the files in the folder; NULL: the files are
 * unknown. The output lists its files in the new note `after`, which the caller writes to the disk.
 * Both notes and the arena must outlive the output.
 */
enum result page_output_open(struct page_output *output, const struct pages_dir *dir,
			     enum pages_place place, const char *folder,
			     const struct page_state *before, struct page_state *after,
			     struct arena *arena, struct error *error) MUST_USE;
/*
 * Keeps a file if the former note has this digest for it, and neither the file nor its twin was
 * changed since it was written. Returns whether the file is kept. `digest` covers all data on which
 * the content depends, or is PAGE_OUTPUT_HASHED.
 */
bool page_output_keep(struct page_output *output, const char *name, const char *digest);
/*
 * Adds output->text as a file, and empties the text. If the existing file has the same text, keeps
 * it. Stores the digest (NULL: none) in the new note, for page_output_keep(). The caller must have
 * called page_output_keep() for this file. In public places, larger files get a compressed twin for
 * clients that accept gzip. E_TOO_SLOW: see until_ms in struct publisher.
 */
enum result page_output_text(struct page_output *output, const char *name, const char *digest,
			     struct error *error) MUST_USE;
/* Returns the file's digest in the former note; NULL: the note does not name the file. */
const char *page_output_noted(struct page_output *output, const char *name);
/* Writes a file without a twin. */
enum result page_output_data(struct page_output *output, const char *name, const char *digest,
			     struct str data, struct error *error) MUST_USE;
/* The digest of a file whose name contains the hash of its content. */
#define PAGE_OUTPUT_HASHED "-"

enum {
	PAGE_OUTPUT_REPLACED_S = 300,
	PAGE_OUTPUT_REPLACED_MAX = 16,
	PAGE_OUTPUT_REPLACED_MAX_BYTES = 4 << 20,
};
/*
 * Keeps replaced files for a while: a browser may have just read the former index.html, and now
 * request its style. A file counts as replaced if its name has the hash of its content, the former
 * version of the page has the file, and this version has another file of the same kind. A picture,
 * style or script without such a successor is removed at once. A page keeps its newest
 * PAGE_OUTPUT_REPLACED_MAX replaced files, and at most PAGE_OUTPUT_REPLACED_MAX_BYTES without
 * twins. *until: when the next of them must be removed; 0: none is kept. Call it after all other
 * hashed files were added.
 */
void page_output_keep_replaced(struct page_output *output, struct instant now,
			       struct instant *until);

/* Frees the memory for texts. Call it after all files were added. */
void page_output_free_text(struct page_output *output);
void page_output_close(struct page_output *output);

#endif
