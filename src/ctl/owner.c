#include "ctl/owner.h"

#include <errno.h>
#include <fts.h>
#include <grp.h>
#include <libgen.h>
#include <pwd.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"

/* Reads the owner of the pages folder. If the folder does not exist yet, reads the owner of its
 * parent, who will own it. */
static bool stat_pages(struct ctl *ctl, struct stat *status)
{
	const char *path = ctl->config.pages_dir;
	return stat(path, status) == 0 ||
	       (errno == ENOENT && stat(dirname(arena_strdup(&ctl->arena, path)), status) == 0);
}

int ctl_become_owner(struct ctl *ctl)
{
	struct stat status;
	if (geteuid() != 0 || !stat_pages(ctl, &status) || status.st_uid == 0)
		return CTL_OK;
	const struct passwd *owner = getpwuid(status.st_uid);
	ctl->owner_uid = status.st_uid;
	ctl->owner_gid = owner ? owner->pw_gid : status.st_gid;
	int outcome = owner ? initgroups(owner->pw_name, ctl->owner_gid)
			    : setgroups(1, &ctl->owner_gid);
	if (outcome == 0 && setegid(ctl->owner_gid) == 0 && seteuid(ctl->owner_uid) == 0)
		return CTL_OK;
	error_client(&ctl->error, E_FAILED, "%s", strerror(errno));
	return ctl_fail(ctl, E_FAILED, "cannot switch to the owner of %s", ctl->config.pages_dir);
}

void ctl_as_caller(const struct ctl *ctl)
{
	if (ctl->owner_uid != 0 && (seteuid(0) != 0 || setegid(getgid()) != 0))
		die("ctl: cannot become root again: %s", strerror(errno));
}

void ctl_as_owner(const struct ctl *ctl)
{
	if (ctl->owner_uid != 0 && (setegid(ctl->owner_gid) != 0 || seteuid(ctl->owner_uid) != 0))
		die("ctl: cannot become the owner of the pages again: %s", strerror(errno));
}

static void close_tree(FTS **tree)
{
	if (*tree)
		fts_close(*tree);
}

const char *ctl_find_foreign(struct ctl *ctl, const char *path)
{
	char *const roots[] = { arena_strdup(&ctl->arena, path), NULL };
	FTS *tree CLEANUP(close_tree) = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	const FTSENT *entry;
	struct stat root;
	if (!tree || stat(path, &root) != 0)
		return NULL;
	while ((entry = fts_read(tree)))
		if (entry->fts_info != FTS_NS && entry->fts_info != FTS_ERR &&
		    entry->fts_statp->st_uid != root.st_uid)
			return arena_strdup(&ctl->arena, entry->fts_path);
	return NULL;
}
