/*
 * Reads the configuration file of `daymarkctl apply`: a JSON object with the lists `monitors` and
 * `status_pages`. The objects in the lists have the fields of the API, with these exceptions:
 *
 *   monitors         instead of a page's monitor_ids: names of monitors
 *   depends_on       instead of a monitor's depends_on_id: the name of a monitor, or null
 *   logo, favicon    the path of a file, relative to the configuration's folder; null: no picture
 *   password_file    instead of a page's password: the path of a file with the password
 *
 * Any other key is a violation, so that typing errors are noticed.
 */
#ifndef CTL_CONFIGURATION_CONFIGURATION_FILE_H
#define CTL_CONFIGURATION_CONFIGURATION_FILE_H

#include "base/violation.h"
#include "service/configuration/configuration.h"

/* Reads files that the configuration names, such as a logo. The arena owns the content. */
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

/* Decodes `text`, the content of the file. E_MALFORMED, E_TOO_LARGE: `text` is not a JSON object,
 * has a key twice, or exceeds a limit. Adds other mistakes to `violations`, with names such as
 * "monitors[3].url", and returns OK. */
enum result configuration_read(struct str text, const struct configuration_files *files,
			       struct arena *arena, struct configuration *configuration,
			       struct violations *violations, struct error *error) MUST_USE;

#endif
