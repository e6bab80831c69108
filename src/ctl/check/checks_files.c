/* Checks of the disk, of access to the pages folder, and of the service's rights. */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <libgen.h>
#include <pwd.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "access/signing_key.h"
#include "base/confine.h"
#include "ctl/check/checks.h"
#include "publish/folder/pages_dir.h"
#include "view/share/page_preview.h"

static struct check check_room(struct ctl *ctl, const char *path)
{
	enum { FAULT_MB = 16, WARNING_MB = 256, FAULT_FILES = 1000 };
	struct statvfs room;
	struct check check = { OK };
	if (statvfs(path, &room) != 0) {
		check.result = E_FAILED;
		check.detail = arena_printf(&ctl->arena, "%s: %s", path, strerror(errno));
		return check;
	}
	long long free_mb = (long long)(room.f_bavail * (room.f_frsize / 1024) / 1024);
	/* f_files is 0 if the file system does not limit the number of files. */
	bool lacks_files = room.f_files > 0 && room.f_favail < FAULT_FILES;
	check.detail = arena_printf(&ctl->arena, "%lld MB are free at %s", free_mb, path);
	if (lacks_files)
		check.detail = arena_printf(&ctl->arena, "no new files fit at %s (inodes)", path);
	check.result = free_mb < FAULT_MB || lacks_files ? E_FAILED : OK;
	check.is_warning = check.result == OK && free_mb < WARNING_MB;
	if (check.result != OK || check.is_warning)
		check.fix = "free space there, or move the folder to a larger disk";
	return check;
}

static struct check check_log(struct ctl *ctl)
{
	const char *path = ctl->config.log_file;
	if (!path)
		return (struct check){ OK, "standard error: the journal, or the web server's "
					   "log" };
	const char *folder = dirname(arena_strdup(&ctl->arena, path));
	const char *written = access(path, F_OK) == 0 ? path : folder;
	if (faccessat(AT_FDCWD, written, W_OK, AT_EACCESS) != 0)
		return check_fault(ctl,
				   arena_printf(&ctl->arena, "chown %s %s",
						checks_user_name(geteuid()), written),
				   "%s cannot write %s: %s", checks_user_name(geteuid()), written,
				   strerror(errno));
	return check_room(ctl, folder);
}

/* Checks that only the service's user may use the files and folders in `names`. Otherwise other
 * users could read private pages and sign links. */
static struct check check_private(struct ctl *ctl)
{
	static const char *const names[] = { "private", "host",	    "former",	"former-host",
					     "state",	"new",	    "lock",	"secret",
					     "mirror",	"received", "throttle", "boot",
					     "gone",	"filled",   "origin" };
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		const char *path =
			arena_printf(&ctl->arena, "%s/%s", ctl->config.pages_dir, names[i]);
		struct stat about;
		if (lstat(path, &about) != 0 || !(about.st_mode & (S_IRWXG | S_IRWXO)))
			continue;
		return check_fault(ctl, arena_printf(&ctl->arena, "chmod go= %s", path),
				   "%s may use %s",
				   about.st_mode & S_IRWXO ? "other users of this machine"
							   : "the members of its group",
				   path);
	}
	return (struct check){ OK, "only the service's user may read them" };
}

/* Checks that the web server's user may enter the folders of the public files. */
static struct check check_public(struct ctl *ctl)
{
	static const char *const names[] = { "public/s", "public/d", "noindex/s", "noindex/d" };
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		char *path = arena_printf(&ctl->arena, "%s/%s", ctl->config.pages_dir, names[i]);
		struct stat about;
		while (path[0] == '/' && path[1] != '\0') {
			if (stat(path, &about) == 0 && !(about.st_mode & S_IXOTH))
				return check_warning(
					ctl, arena_printf(&ctl->arena, "chmod o+x %s", path),
					"not every user may enter %s: does the web "
					"server's?",
					path);
			path = dirname(path);
		}
	}
	return (struct check){ OK, "the web server may read them" };
}

const char *checks_first_folder(struct ctl *ctl, const struct pages_dir *dir,
				enum pages_place place)
{
	struct pages_names folders = { 0 };
	struct error ignored = { 0 };
	enum result result = pages_dir_folders(dir, place, &ctl->arena, &folders, &ignored);
	return result == OK && folders.count > 0 ? folders.names[0] : NULL;
}

/*
 * Reports a missing signing key. On a mirror this is a fault, since the origin sends the key before
 * the pages. On an origin it is only a warning: the key may be lost, but perhaps no visitor, link
 * or backup has needed a key yet.
 */
static struct check lost_key(struct ctl *ctl)
{
	if (config_is_mirror(&ctl->config))
		return check_fault(ctl, "on the origin: daymarkctl mirror push",
				   "the file `secret` is missing, though some pages are not "
				   "public");
	return check_warning(
		ctl,
		"copy `secret` from a copy of the pages folder, another web machine or a "
		"mirror host; if it never existed, `daymarkctl backup` makes it",
		"there is no file `secret`, though some pages are not public: if it was lost, "
		"cookies and signed links that were given out are invalid");
}

static struct check check_key(struct ctl *ctl, const struct pages_dir *dir)
{
	struct signing_key key;
	bool is_found;
	enum result result = signing_key_read(dir->root_fd, &key, &is_found, &ctl->error);
	if (result != OK)
		return (struct check){ result, arena_strdup(&ctl->arena, error_text(&ctl->error)),
				       .fix = "restore the file `secret` from a backup; without it "
					      "signed links and cookies become invalid" };
	if (!is_found && checks_first_folder(ctl, dir, PAGES_PRIVATE))
		return lost_key(ctl);
	return (struct check){ OK, is_found ? "readable" : "not needed yet: nothing was signed" };
}

static struct check check_confinement(struct ctl *ctl)
{
	if (!ctl->config.is_confined)
		return check_warning(ctl, "set [server] confine = yes", "switched off");
	if (!confine_is_supported())
		return check_warning(ctl, "use Linux 5.19 or newer",
				     "the kernel has no Landlock: only the user's rights limit "
				     "the service");
	return (struct check){ OK, "the kernel enforces it" };
}

static struct check check_previews(struct ctl *ctl)
{
	if (!ctl->config.has_previews)
		return (struct check){ OK, "switched off" };
	if (!page_preview_is_possible())
		return check_warning(ctl,
				     "install Pango (on Debian libpangocairo-1.0-0) and run "
				     "`daymarkctl publish`, or set [pages] previews = no",
				     "links to pages are shown without a picture of the state");
	return (struct check){ OK, "pages have a picture of their state" };
}

void checks_of_files(struct ctl *ctl, struct checks *checks)
{
	struct pages_dir dir CLEANUP(pages_dir_close) = PAGES_DIR_CLOSED;
	struct error ignored = { 0 };
	checks_add(checks, "disk", check_room(ctl, ctl->config.pages_dir));
	checks_add(checks, "log", check_log(ctl));
	checks_add(checks, "confinement", check_confinement(ctl));
	checks_add(checks, "previews", check_previews(ctl));
	/* check-config reports a folder that cannot be opened. */
	if (pages_dir_open(&dir, ctl->config.pages_dir, &ignored) != OK)
		return;
	checks_add(checks, "signing key", check_key(ctl, &dir));
}

static bool is_member(const struct group *group, const char *except)
{
	for (char **member = group->gr_mem; *member; member++)
		if (strcmp(*member, except) != 0)
			return true;
	return false;
}

/* Returns whether any user except `except` is in the group. */
static bool has_other_user(gid_t gid, uid_t except)
{
	const struct group *group = getgrgid(gid);
	if (group && is_member(group, checks_user_name(except)))
		return true;
	const struct passwd *user;
	bool is_found = false;
	setpwent();
	while (!is_found && (user = getpwent()))
		is_found = user->pw_gid == gid && user->pw_uid != except && user->pw_uid != 0;
	endpwent();
	return is_found;
}

/* Checks that the web server, which is another user, may use the socket by its group. */
static struct check check_socket(struct ctl *ctl)
{
	struct stat about;
	const char *listen = ctl->config.listen;
	const char *path = listen ? listen + strlen("unix:") : NULL;
	struct check check = { OK, "the web server's group may use it" };
	if (!path || stat(path, &about) != 0) {
		check.detail = path ? "there is no socket: the service is down" : "not used";
		check.is_skipped = true;
		return check;
	}
	const struct group *group = getgrgid(about.st_gid);
	const char *name = group ? arena_strdup(&ctl->arena, group->gr_name)
				 : arena_printf(&ctl->arena, "%u", about.st_gid);
	if ((about.st_mode & S_IWOTH) || about.st_uid == 0 ||
	    has_other_user(about.st_gid, about.st_uid))
		return check;
	check.is_warning = true;
	check.detail = arena_printf(&ctl->arena,
				    "no user but %s is in the group %s of %s: can the web server "
				    "use the socket?",
				    checks_user_name(about.st_uid), name, path);
	check.fix = "SocketGroup= in daymark.socket, or without systemd the group of the socket's "
		    "folder, which needs mode 2755, must be the group of the web server";
	return check;
}

void checks_of_socket(struct ctl *ctl, struct checks *checks)
{
	checks_add(checks, "socket", check_socket(ctl));
}

void checks_of_secret_files(struct ctl *ctl, struct checks *checks)
{
	checks_add(checks, "private files", check_private(ctl));
}

void checks_of_public_folders(struct ctl *ctl, struct checks *checks)
{
	checks_add(checks, "public files", check_public(ctl));
}
