/*
 * A copy of a page from this machine's disk, which is sent to mirrors. It has all files of one
 * version of the page, but not the folder of the page's own domain: the mirror makes this folder
 * from the same files.
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
	const char *name; /* for a compressed twin: the name of the public file and ".gz" */
	uint8_t sha256[SECRET_HASH_BYTES];
	size_t size;
	int fd; /* for reading; shows the file as it was when the copy was opened */
};

struct page_copy {
	int64_t page_id;
	/*
	 * The SHA-256 of the page's note on this disk (publish/page/page_state.h), in hexadecimal.
	 * Two versions differ if the page was published with different content. Only this machine
	 * can compute the version. A mirror stores it.
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
 * Opens all files of the page. First tries without the page's lock. If that fails, locks the page,
 * but only while it opens the files, so that no publisher waits for a mirror. Sets is_gone if the
 * page was deleted, or hidden by a publisher. Returns E_RETRY if a publisher died while it wrote
 * the page; the next publisher completes the page. Returns E_RETRY also if the page has no note and
 * is not known to be deleted (publish/folder/gone.h). E_FAILED: the log has the reason.
 */
enum result page_copy_open(const struct pages_dir *dir, int64_t page_id, struct arena *arena,
			   struct page_copy *copy, struct error *error) MUST_USE;
/* Reads only the version, without waiting. The version is "" if the page does not exist, or is
 * being written. */
enum result page_copy_version(const struct pages_dir *dir, int64_t page_id, struct arena *arena,
			      char version[PAGE_COPY_VERSION_CHARS + 1], struct error *error)
	MUST_USE;

/* The state of a page according to its note. */
struct page_look {
	char version[PAGE_COPY_VERSION_CHARS + 1]; /* "": see page_copy_version() */
	bool is_gone;				   /* the page is known to be deleted */
	bool is_missing;	/* the page has no note, and is not known to be deleted */
	enum pages_place place; /* PAGES_PLACES: unknown */
	uint64_t address;	/* a hash of slug and domain */
	uint64_t access;	/* a number that changes with the password; 0: no password */
};
enum result page_copy_look(const struct pages_dir *dir, int64_t page_id, struct arena *arena,
			   struct page_look *look, struct error *error) MUST_USE;

/* Closes all files. May be called twice. */
void page_copy_close(struct page_copy *copy);

#endif
