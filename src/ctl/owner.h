/* Lets root work as the owner of the pages folder. If root wrote files there, the service could
 * neither read nor replace them. Only the files that the command line names are read as root. */
#ifndef CTL_OWNER_H
#define CTL_OWNER_H

#include "ctl/ctl.h"

/* As root, switches to the owner of the pages folder. Returns CTL_OK, or the exit status. */
int ctl_become_owner(struct ctl *ctl);

/* ctl_as_caller() switches back to root, ctl_as_owner() switches to the owner of the pages folder.
 * Both do nothing if ctl_become_owner() has not switched. */
void ctl_as_caller(const struct ctl *ctl);
void ctl_as_owner(const struct ctl *ctl);

/* Returns the first file below `path` whose owner is not the owner of `path`; NULL: none. */
const char *ctl_find_foreign(struct ctl *ctl, const char *path);

#endif
