/*
 * The user that root works as. The service could not read or replace root's files in the pages
 * folder, so root works as the folder's owner, and as root only on files that the command line
 * names.
 */
#ifndef CTL_OWNER_H
#define CTL_OWNER_H

#include "ctl/ctl.h"

/* As root, switches to the owner of the pages folder. Returns CTL_OK, or the exit status. */
int ctl_become_owner(struct ctl *ctl);

/* Between these two calls the process is root again. Without root they do nothing. */
void ctl_as_caller(const struct ctl *ctl);
void ctl_as_owner(const struct ctl *ctl);

/* Returns the first file below `path` whose owner is not that of `path`; NULL for none. */
const char *ctl_find_foreign(struct ctl *ctl, const char *path);

#endif
