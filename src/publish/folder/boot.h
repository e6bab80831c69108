/*
 * Tells whether the machine was restarted since the pages were written, or whether the program was
 * replaced by one that renders differently.
 *
 * The kernel has an id for each boot. While a machine runs, no rename of a file is lost. So
 * publishers need not wait until a folder is on the disk. If the machine loses power, some files
 * may be older than the last changes. The id of the next boot differs from the id in the pages
 * folder. The first publisher then compares every page with the database. It does the same after an
 * upgrade, so that the new program renders the whole history of each page.
 */
#ifndef PUBLISH_FOLDER_BOOT_H
#define PUBLISH_FOLDER_BOOT_H

#include "base/clock.h"
#include "base/config/config.h"
#include "publish/folder/pages_dir.h"

/* Returns the id of this boot; NULL: the kernel has no ids of boots. */
const char *boot_id(void);
/* The settings on which the files of all pages depend. */
struct pages_settings {
	bool takes_subscribers; /* the result of config_takes_subscribers() */
	bool has_previews;
};
struct pages_settings pages_settings(const struct config *config);
/* Whether the pages were not compared yet in this boot, by this renderer (view/renderer.h), with
 * these settings and with this words_file_id(). */
bool boot_is_new(const struct pages_dir *dir, struct pages_settings settings);
/*
 * Records that this program has compared every page in this boot, or that the folder has no pages
 * yet.
 */
enum result boot_record(const struct pages_dir *dir, struct pages_settings settings,
			struct error *error) MUST_USE;

/* A stored time. Another process can compute its age even if somebody has set the clock: in the
 * same boot, the age is the difference of the seconds since the boot. */
struct boot_moment {
	struct instant at; /* 0: never */
	char boot[64];	   /* the id of the boot; "-": none */
	int64_t up_s;	   /* seconds from the boot to this moment */
};
enum { BOOT_MOMENT_SIZE = 128 };

struct boot_moment boot_moment_now(void);
/* Returns the age in seconds. Returns -1 if there is no moment, or if a moment of another boot is
 * in the future. */
int64_t boot_moment_age_s(const struct boot_moment *moment);
/* Writes "1764000000 <boot id> 4711" to `text`, and returns `text`. */
char *boot_moment_format(const struct boot_moment *moment, char text[BOOT_MOMENT_SIZE]);
/* Parses a text of boot_moment_format(). For another text, returns an unknown moment. */
struct boot_moment boot_moment_parse(struct str text);

#endif
