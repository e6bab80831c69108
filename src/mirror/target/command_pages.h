/*
 * The folder that an operator's command copies: `public` in the mirror's own folder. It has hard
 * links to the files of DIR/public. So the folder takes no space, and does not change while the
 * command runs. Each page's folder also has the addresses that web servers rewrite
 * (api/v2/summary.json), because the destination of the copy may not rewrite them. Only for
 * mirror/target/target_command.c.
 */
#ifndef MIRROR_TARGET_COMMAND_PAGES_H
#define MIRROR_TARGET_COMMAND_PAGES_H

#include <stdbool.h>

#include "base/error.h"
#include "publish/folder/pages_dir.h"

#define COMMAND_PAGES_FOLDER "public"

/*
 * Makes the folder `public`, below the mirror's folder, equal to DIR/public. After a failure the
 * folder may have old versions of pages, but only of pages that are still public. *is_usable is
 * false if the folder has never been complete: the command must not run. E_UNAVAILABLE: DIR/public
 * lacks the folder of a page that is public according to its note. The copy of this page is
 * unchanged.
 */
enum result command_pages_make(const struct pages_dir *dir, int folder_fd, bool *is_usable,
			       struct error *error) MUST_USE;

#endif
