/*
 * Whether the machine was restarted, or the program replaced by one that renders otherwise, since
 * the pages were written.
 *
 * The kernel has an id for each boot. While a machine runs, no rename of a file is lost, so the
 * publishers need not wait until a folder is on the disk. If the machine loses power, files may be
 * those of before the last changes. The next boot has another id than the pages folder has
 * recorded, and the first publisher then compares every page with the database. After an upgrade
 * it does the same, so that the whole history of each page is as the new program renders it.
 */
#ifndef PUBLISH_FOLDER_BOOT_H
#define PUBLISH_FOLDER_BOOT_H

#include "base/clock.h"
#include "publish/folder/pages_dir.h"

/* The id of this boot; NULL: the system has none. */
const char *boot_id(void);
/* Whether the pages were last compared in another boot, or by another renderer (view/renderer.h).
 */
bool boot_is_new(const struct pages_dir *dir);
/* Records that this program compared every page in this boot, or that there is none yet. */
enum result boot_record(const struct pages_dir *dir, struct error *error) MUST_USE;

/*
 * A moment that another process can tell the age of, also if somebody has set the clock meanwhile:
 * while the machine runs, its time since the boot counts.
 */
struct boot_moment {
	struct instant at; /* 0: never */
	char boot[64];	   /* the id of the boot; "-": none */
	int64_t up_s;	   /* since the boot */
};
enum { BOOT_MOMENT_SIZE = 128 };

struct boot_moment boot_moment_now(void);
/* Seconds, never below 0; -1: not known, since there was no such moment, or since it was in another
 * boot and is in the future by the clock. */
int64_t boot_moment_age_s(const struct boot_moment *moment);
/* Writes "1764000000 <boot id> 4711" to `text`, and returns `text`. */
char *boot_moment_format(const struct boot_moment *moment, char text[BOOT_MOMENT_SIZE]);
/* Also accepts a time alone, as former versions wrote it; what is no time is no moment. */
struct boot_moment boot_moment_parse(struct str text);

#endif
