/* Reads files that the command line names, as the user who runs the program. */
#ifndef CTL_READ_FILE_H
#define CTL_READ_FILE_H

#include "ctl/ctl.h"

/*
 * Reads the file, or standard input for "-". The content ends with a NUL that does not count.
 * False: *why is the reason; the file may have more than max_bytes.
 */
bool ctl_read_file(struct ctl *ctl, const char *path, size_t max_bytes, struct str *content,
		   const char **why);
/* Reads `text`, or for "-" standard input, as a text of a field. NULL, with a message: it cannot be
 * read. */
const char *ctl_text_or_input(struct ctl *ctl, const char *text);

#endif
