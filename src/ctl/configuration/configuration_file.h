/*
 * Reads the configuration file of `daymarkctl apply`: a JSON object with the lists `monitors` and
 * `status_pages`. The objects in the lists have the fields of the API, with these exceptions:
 *
 *   monitors         of a page: names of monitors, in place of monitor_ids
 *   depends_on       of a monitor: the name of another, in place of depends_on_id; null: none
 *   logo, favicon    paths of files, relative to the folder of the file; null removes the picture
 *   password_file    the path of a file with the password, in place of the password
 *
 * Any other key is a violation, so that no typing error goes unnoticed.
 */
#ifndef CTL_CONFIGURATION_CONFIGURATION_FILE_H
#define CTL_CONFIGURATION_CONFIGURATION_FILE_H

#include "base/violation.h"
#include "service/configuration/configuration.h"

/* How to read a file that the configuration names, such as a logo. The arena owns the content. */
struct configuration_files {
	/* Returns false, with the reason in *why, if the file cannot be read or is longer than
	 * max_bytes. */
	bool (*read)(void *context, const char *path, size_t max_bytes, struct str *content,
		     const char **why);
	void *context;
};

/* Returns whether an object in the file may have this field of a form. The key is the name of the
 * field. */
bool configuration_has_key(const struct field *field);

/* Reads the text of the file. E_MALFORMED, E_TOO_LARGE: the text is not a JSON object, has a key
 * twice, or exceeds a limit. Other mistakes are violations, and the result is OK. A violation names
 * its place, such as "monitors[3].url". */
enum result configuration_read(struct str text, const struct configuration_files *files,
			       struct arena *arena, struct configuration *configuration,
			       struct violations *violations, struct error *error) MUST_USE;

#endif
