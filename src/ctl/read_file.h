/* Reads files that the command line names, as the user who runs the program. */
#ifndef CTL_READ_FILE_H
#define CTL_READ_FILE_H

#include "ctl/ctl.h"

/*
 * Reads the file, or standard input for "-". A NUL, which is not counted, follows the content.
 * Returns false, with the reason in *why, if the file cannot be read or is longer than max_bytes.
 */
bool ctl_read_file(struct ctl *ctl, const char *path, size_t max_bytes, struct str *content,
		   const char **why);
/* Returns the text of a field: `text`, or the content of standard input if `text` is "-". Returns
 * NULL, with a message, if standard input cannot be read. */
const char *ctl_text_or_input(struct ctl *ctl, const char *text);

#endif
