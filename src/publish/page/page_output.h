/*
 * Writes those files of a page that the disk does not have yet, by the page's note: a file that is
 * unchanged is neither written nor compressed.
 */
#ifndef PUBLISH_PAGE_PAGE_OUTPUT_H
#define PUBLISH_PAGE_PAGE_OUTPUT_H

#include "base/buf.h"
#include "publish/page/page_state.h"
#include "publish/page/pages_batch.h"
#include "wire/gzip.h"

struct page_output {
	struct pages_batch batch;
	struct buf text;      /* of the file that is made */
	size_t written_count; /* files that were written, not kept */
	int64_t until_ms;     /* see struct publisher */

	/* Private. */
	struct arena *arena;
	const struct page_state *before;
	struct page_state *after;
	size_t file_room;
	size_t next; /* the index in `before` where the next file probably is */
	struct pages_names former;
	struct buf packed;
	struct gzip gzip;
};

/*
 * Opens the folder. `before` is the note of the files in it; NULL: it may have any files. The files
 * are listed in `after`, which the caller writes. Both and the arena must outlive the output.
 */
enum result page_output_open(struct page_output *output, const struct pages_dir *dir,
			     enum pages_place place, const char *folder,
			     const struct page_state *before, struct page_state *after,
			     struct arena *arena, struct error *error) MUST_USE;
/*
 * Keeps a file that has the digest, with its twin, if the folder has both as they were written.
 * `digest` is of everything that the content depends on, or PAGE_OUTPUT_HASHED.
 */
bool page_output_keep(struct page_output *output, const char *name, const char *digest);
/*
 * Adds output->text as a file, and empties it. E_TOO_SLOW: see struct publisher. The file is kept
 * if its text is unchanged. A digest (NULL: none) is noted for page_output_keep(), which the caller
 * has tried. In places that web servers read, larger files have a compressed twin for clients that
 * accept gzip.
 */
enum result page_output_text(struct page_output *output, const char *name, const char *digest,
			     struct error *error) MUST_USE;
/* The digest that the note has of the file; NULL: it has no such file. */
const char *page_output_noted(struct page_output *output, const char *name);
/* Writes a file without a twin. */
enum result page_output_data(struct page_output *output, const char *name, const char *digest,
			     struct str data, struct error *error) MUST_USE;
/* The digest of a text whose name carries the hash of its content. */
#define PAGE_OUTPUT_HASHED "-"

/*
 * Keeps files that the former version of the page named and this one does not, if their names carry
 * the hash of their content and another file of their kind has taken their place: a browser may
 * have read index.html just before, and ask for its style now. A picture, style or script that was
 * removed goes at once. Of the files of a page the newest PAGE_OUTPUT_REPLACED_MAX are kept, if
 * they have at most PAGE_OUTPUT_REPLACED_MAX_BYTES without their twins. *until is when the first of
 * them is to be removed; 0: none is kept. To be called once the other hashed files are added.
 */
enum {
	PAGE_OUTPUT_REPLACED_S = 300,
	PAGE_OUTPUT_REPLACED_MAX = 16,
	PAGE_OUTPUT_REPLACED_MAX_BYTES = 4 << 20,
};
void page_output_keep_replaced(struct page_output *output, struct instant now,
			       struct instant *until);

/* Gives back the memory for texts, once all files are added. */
void page_output_free_text(struct page_output *output);
void page_output_close(struct page_output *output);

#endif
