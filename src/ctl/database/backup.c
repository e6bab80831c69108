/* daymarkctl backup, restore: all data, including uploads, in one file of SQL. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "access/signing_key.h"
#include "base/fd.h"
#include "base/str.h"
#include "ctl/ctl.h"
#include "ctl/database/mysql_client.h"
#include "ctl/owner.h"
#include "publish/folder/filled.h"
#include "store/schema/migration.h"
#include "store/snapshot/timeline.h"
#include "wire/json.h"

/*
 * The first and the last line of a backup. Both are comments, so that any SQL client can load the
 * file. The last line shows that the backup is complete. It also contains the key that signs links
 * and cookies, since the database does not have that key.
 */
#define HEAD "-- Daymark backup 1"
#define TAIL "-- Daymark backup ends, gate key "

enum { LINE_MAX_BYTES = 256 };

static enum result export_signing_key(struct ctl *ctl, const char **key)
{
	struct pages_dir dir CLEANUP(pages_dir_close) = PAGES_DIR_CLOSED;
	enum result result = pages_dir_open(&dir, ctl->config.pages_dir, &ctl->error);
	return result == OK ? signing_key_export(dir.root_fd, &ctl->arena, key, &ctl->error)
			    : result;
}

static enum result failed_at(struct ctl *ctl, const char *path)
{
	return error_client(&ctl->error, E_FAILED, "%s: %s", path, strerror(errno));
}

static enum result run_client(struct ctl *ctl, const struct mysql_client *client)
{
	ctl_as_caller(ctl);
	enum result result = mysql_client_run(client, &ctl->config, &ctl->error);
	ctl_as_owner(ctl);
	return result;
}

/* Dumps the database in one transaction, so that later writes do not affect the backup. */
static enum result dump_database(struct ctl *ctl, int fd, const char *path)
{
	static const char *const options[] = {
		"--single-transaction",
		"--quick",
		"--no-tablespaces",
		"--skip-triggers",
		"--skip-add-locks",
		"--skip-lock-tables",
		"--hex-blob",
		"--default-character-set=utf8mb4",
		NULL,
	};
	const struct mysql_client client = {
		.names = { "mariadb-dump", "mysqldump" },
		.options = options,
		.in_fd = STDIN_FILENO,
		.out_fd = fd,
	};
	char at[INSTANT_TEXT_SIZE];
	const char *key;
	enum result result = export_signing_key(ctl, &key);
	if (result != OK)
		return result;
	if (dprintf(fd, HEAD ", by " PACKAGE_VERSION ", %s\n", instant_format(clock_now(), at)) < 0)
		return failed_at(ctl, path);
	result = run_client(ctl, &client);
	if (result == OK && dprintf(fd, TAIL "%s\n", key) < 0)
		result = failed_at(ctl, path);
	return result;
}

/* Syncs the file's folder, so that a power cut does not undo the rename. */
static bool sync_folder_of(struct ctl *ctl, const char *path)
{
	int fd CLEANUP(close_fd) =
		open(dirname(arena_strdup(&ctl->arena, path)), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd >= 0 && fsync(fd) == 0;
}

static int backup_to_file(struct ctl *ctl, const char *path)
{
	struct stat status = { 0 };
	/* Write a new file with mode 0600, and rename it. So the mode of an existing file does not
	 * matter, and a symbolic link is not followed. */
	char *aside = arena_printf(&ctl->arena, "%s.XXXXXX", path);
	ctl_as_caller(ctl);
	int fd CLEANUP(close_fd) = mkostemp(aside, O_CLOEXEC);
	if (fd < 0)
		return ctl_fail(ctl, failed_at(ctl, aside), "the backup cannot be written");
	ctl_as_owner(ctl);
	enum result result = dump_database(ctl, fd, aside);
	ctl_as_caller(ctl);
	if (result == OK && (fsync(fd) != 0 || fstat(fd, &status) != 0 ||
			     rename(aside, path) != 0 || !sync_folder_of(ctl, path)))
		result = failed_at(ctl, path);
	if (result != OK) {
		unlink(aside);
		return ctl_fail(ctl, result, "the backup failed");
	}
	struct json_object *tree = json_object_tree();
	json_put_text(tree, "file", path);
	json_put_int(tree, "bytes", status.st_size);
	ctl_say(ctl, tree, "%s: %lld bytes.", path, (long long)status.st_size);
	return CTL_OK;
}

static int backup_run(struct ctl *ctl)
{
	const char *path = ctl->arguments[0];
	if (strcmp(path, "-") != 0)
		return backup_to_file(ctl, path);
	enum result result = dump_database(ctl, STDOUT_FILENO, "standard output");
	return result == OK ? CTL_OK : ctl_fail(ctl, result, "the backup failed");
}

const struct ctl_command backup_command = {
	.words = "backup",
	.arguments = "FILE",
	.summary = "Write all data, uploads included, to a file, or with - to standard output",
	.run = backup_run,
};

/* Returns the signing key from the last line; NULL if the backup is incomplete. */
static const char *check_backup(struct ctl *ctl, int fd)
{
	char head[sizeof(HEAD) - 1], end[LINE_MAX_BYTES];
	off_t size = lseek(fd, 0, SEEK_END);
	off_t from = size > (off_t)sizeof(end) ? size - (off_t)sizeof(end) : 0;
	ssize_t len = pread(fd, end, sizeof(end), from);
	if (pread(fd, head, sizeof(head), 0) != (ssize_t)sizeof(head) ||
	    memcmp(head, HEAD, sizeof(head)) != 0 || len < 1 || end[len - 1] != '\n' ||
	    lseek(fd, 0, SEEK_SET) != 0)
		return NULL;
	end[len - 1] = '\0';
	const char *line = strrchr(end, '\n');
	if (!line || !str_starts(str_from(line + 1), STR(TAIL)))
		return NULL;
	return arena_strdup(&ctl->arena, line + 1 + strlen(TAIL));
}

static enum result bring_in(struct ctl *ctl, int fd, const char *key)
{
	static const char *const options[] = { "--default-character-set=utf8mb4", NULL };
	const struct mysql_client client = {
		.names = { "mariadb", "mysql" },
		.options = options,
		.in_fd = fd,
		.out_fd = STDERR_FILENO,
	};
	struct pages_dir dir CLEANUP(pages_dir_close) = PAGES_DIR_CLOSED;
	enum result result = run_client(ctl, &client);
	if (result == OK)
		result = pages_dir_open(&dir, ctl->config.pages_dir, &ctl->error);
	/* Remove the mark that the folder is filled: the background loop may have filled it while
	 * only a part of the database was restored. */
	if (result == OK)
		filled_forget(&dir);
	return result == OK ? signing_key_import(dir.root_fd, str_from(key), &ctl->error) : result;
}

static enum result publish_all(struct ctl *ctl, size_t *published)
{
	struct publish_run run = { .is_all = true, .is_sweeping = true };
	struct publisher publisher = ctl_publisher(ctl);
	struct pages_dir dir CLEANUP(pages_dir_close) = PAGES_DIR_CLOSED;
	enum result result = publish_run(&publisher, &run, &ctl->error);
	*published = run.published;
	if (result == OK)
		result = pages_dir_open(&dir, ctl->config.pages_dir, &ctl->error);
	return result == OK ? filled_mark(&dir, NULL, 0, &ctl->error) : result;
}

static int restore_run(struct ctl *ctl)
{
	const char *path = ctl->arguments[0];
	bool is_empty = false;
	size_t published;
	ctl_as_caller(ctl);
	int fd CLEANUP(close_fd) = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return ctl_fail(ctl, failed_at(ctl, path), "the backup cannot be read");
	ctl_as_owner(ctl);
	const char *key = check_backup(ctl, fd);
	if (!key)
		return ctl_usage(ctl, "%s is not a complete backup of Daymark; nothing was changed",
				 path);
	enum result result = migration_is_empty(ctl->db, &is_empty, &ctl->error);
	if (result != OK)
		return ctl_fail(ctl, result, "the database cannot be read");
	if (!is_empty)
		return ctl_fail(
			ctl, E_CONFLICT,
			"the database %s already has tables; restore into an empty database",
			ctl->config.database_name);
	result = bring_in(ctl, fd, key);
	if (result != OK)
		return ctl_fail(ctl, result,
				"the restore is incomplete; empty the database and try again");
	int status = ctl_migrate(ctl);
	if (status != CTL_OK)
		return status;
	/* The disks of web machines may have pages with higher revisions than the backup. A new
	 * epoch makes these pages invalid. */
	result = timeline_begin(ctl->db, &ctl->error);
	if (result != OK)
		return ctl_fail(ctl, result,
				"all data are restored, but no page is published; run "
				"`daymarkctl publish --new-epoch`");
	result = publish_all(ctl, &published);
	if (result != OK)
		return ctl_fail(ctl, result,
				"all data are restored, but not all pages are published; run "
				"`daymarkctl publish --all`");
	struct json_object *tree = json_object_tree();
	json_put_int(tree, "published", (int64_t)published);
	ctl_say(ctl, tree, "All data are restored, %s published.",
		ctl_count(&ctl->arena, (int64_t)published, "page"));
	return CTL_OK;
}

const struct ctl_command restore_command = {
	.words = "restore",
	.arguments = "FILE",
	.summary = "Load a backup into an empty database, and publish its pages",
	.is_migrating = true,
	.is_patient = true,
	.run = restore_run,
};
