/*
 * A copy of a page on this machine's disk, for mirrors: all files of the page, of one version. The
 * copy leaves out the folder of the page's own domain: that folder has the same files, and the
 * mirror makes it.
 */
#ifndef MIRROR_PAGE_COPY_H
#define MIRROR_PAGE_COPY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/secret.h"
#include "publish/folder/pages_dir.h"

enum { PAGE_COPY_VERSION_CHARS = 64 };

struct page_copy_file {
	const char *name; /* also NAME.gz, the compressed twin that a public file may have */
	uint8_t sha256[SECRET_HASH_BYTES];
	size_t size;
	int fd; /* for reading the file as it was when the copy was opened */
};

struct page_copy {
	int64_t page_id;
	/*
	 * The SHA-256 of the page's note on this disk (publish/page/page_state.h), in hexadecimal.
	 * The version differs when the page was published with another content. Only this machine
	 * can compute the version; a mirror stores it.
	 */
	char version[PAGE_COPY_VERSION_CHARS + 1];
	bool is_gone;		/* the page is deleted; the other members are empty */
	enum pages_place place; /* PAGES_PUBLIC, PAGES_NOINDEX or PAGES_PRIVATE */
	const char *slug;
	const char *domain;	      /* NULL: none */
	struct page_copy_file *files; /* in the order of publishing: index.html is last */
	size_t file_count;
};

/*
 * Opens all files of the page. Tries first without the page's lock. If that fails, waits for a
 * publisher of the page, and keeps the page locked only while the files are opened. So no write
 * waits for a mirror. A page that its publisher had to hide is gone. E_RETRY: a publisher has died
 * while it wrote the page, and the next publisher completes the page. E_RETRY also if the page has
 * no note and is not known to be deleted (publish/folder/gone.h). E_FAILED: the log has the reason.
 */
enum result page_copy_open(const struct pages_dir *dir, int64_t page_id, struct arena *arena,
			   struct page_copy *copy, struct error *error) MUST_USE;
/* Reads only the version, without waiting. "": the page does not exist, or is being written. */
enum result page_copy_version(const struct pages_dir *dir, int64_t page_id, struct arena *arena,
			      char version[PAGE_COPY_VERSION_CHARS + 1], struct error *error)
	MUST_USE;

/* The state of a page according to its note. */
struct page_look {
	char version[PAGE_COPY_VERSION_CHARS + 1]; /* "": see page_copy_version() */
	bool is_gone;				   /* the page is known to be deleted */
	bool is_missing;	/* there is no note, but no deletion is known either */
	enum pages_place place; /* PAGES_PLACES: unknown */
	uint64_t address;	/* another value for another slug or domain */
	uint64_t access;	/* another value for another password; 0: no password */
};
enum result page_copy_look(const struct pages_dir *dir, int64_t page_id, struct arena *arena,
			   struct page_look *look, struct error *error) MUST_USE;

/* May be called twice. */
void page_copy_close(struct page_copy *copy);

#endif
