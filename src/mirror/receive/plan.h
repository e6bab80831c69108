/*
 * The plan is a file with the remaining steps of putting pages in place. Because of the plan, a
 * process that dies leaves no page half old and half new. A process writes the plan when all new
 * files of its pages are on the disk under temporary names (in DIR/new). It removes the plan when
 * all pages are in place. If a process dies, the next process carries out the plan again. It
 * renames the files that are not in place yet.
 *
 * All pages are locked (pages_dir_lock_all()) while a plan may exist, so that at most one plan
 * exists.
 */
#ifndef MIRROR_RECEIVE_PLAN_H
#define MIRROR_RECEIVE_PLAN_H

#include "mirror/receive/receiver.h"
#include "publish/page/page_address.h"

/* The name of the plan in the folder of received files. */
#define PLAN_FILE "plan"

struct plan_file {
	const char *name;
	const char *digest;    /* the SHA-256 in hexadecimal */
	const char *stamp;     /* see publish/folder/folder.h */
	const char *temporary; /* the file's name in DIR/new; NULL: it is in place already */
};

struct plan_page {
	int64_t page_id;
	const char *version;
	struct page_address address;
	/* the slug that the page gives up and that no other page takes over; NULL: none */
	const char *left_slug;
	/* the domain that the page gives up and that no other page takes over; NULL: none */
	const char *left_domain;
	struct plan_file *files; /* in the order of placing */
	size_t file_count;
	enum result outcome; /* set by plan_carry_out(); not stored */
};

struct plan {
	struct plan_page *pages;
	size_t count;
};

/* Writes the plan to the disk. The temporary files that it names must already be on the disk. */
enum result plan_save(const struct receiver *receiver, const struct plan *plan, struct error *error)
	MUST_USE;
/* Reads the plan. Without a file, the plan has no pages. A plan that cannot be parsed is removed.
 * Its pages are then not intact, so the origin sends them again. */
enum result plan_load(const struct receiver *receiver, struct plan *plan, struct error *error)
	MUST_USE;
enum result plan_remove(const struct receiver *receiver, struct error *error) MUST_USE;

/*
 * Puts the pages in place, waits until they are on the disk, and removes the plan. If a page fails,
 * continues with the next page. If the failed page may succeed later, its `outcome` is E_FAILED,
 * and the plan stays on the disk. Returns E_FAILED if one of the first `count` pages failed.
 */
enum result plan_carry_out(const struct receiver *receiver, struct plan *plan, size_t count,
			   struct error *error) MUST_USE;

#endif
