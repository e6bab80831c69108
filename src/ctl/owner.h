/*
 * Whose files a command of root's writes. The pages folder belongs to the user of the service,
 * which could not read or replace files of root's in it: so root works as the folder's owner,
 * and as itself only on files that the command line names.
 */
#ifndef CTL_OWNER_H
#define CTL_OWNER_H

#include "ctl/ctl.h"

/* As root, becomes the owner of the pages folder. CTL_OK, or the exit status. */
int ctl_become_owner(struct ctl *ctl);

/* Between these two it is the caller again; for everybody but root they do nothing. */
void ctl_as_caller(const struct ctl *ctl);
void ctl_as_owner(const struct ctl *ctl);

/* The first file below `path` that belongs to another user than `path` does; NULL for none. */
const char *ctl_find_foreign(struct ctl *ctl, const char *path);

#endif
