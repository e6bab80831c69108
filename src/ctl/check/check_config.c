/* daymarkctl check-config. `daymarkctl doctor` makes these checks, too. */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <libgen.h>
#include <pwd.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "access/signing_key.h"
#include "base/fd.h"
#include "base/log.h"
#include "base/zone.h"
#include "ctl/check/checks.h"
#include "ctl/ctl.h"
#include "ctl/owner.h"
#include "domain/domain_name.h"
#include "domain/page/status_page.h"
#include "mirror/mirror.h"
#include "publish/folder/pages_dir.h"
#include "store/schema/migration.h"
#include "wire/json.h"
#include "wire/limits.h"

const char *checks_user_name(uid_t uid)
{
	const struct passwd *user = getpwuid(uid);
	return user ? user->pw_name : "the service's user";
}

/* Returns whether the process is in the group. daymarkctl has the groups of the service's user. */
static bool is_own_group(struct ctl *ctl, gid_t group)
{
	int room = getgroups(0, NULL);
	gid_t *groups = ARENA_ARRAY(&ctl->arena, room > 0 ? (size_t)room : 1, gid_t);
	int count = getgroups(room, groups);
	for (int i = 0; i < count; i++)
		if (groups[i] == group)
			return true;
	return group == 0 || group == getegid();
}

/* Returns whether the user is root, the caller, or the owner of the pages folder. */
static bool is_own_user(const struct ctl *ctl, uid_t user)
{
	struct stat pages;
	return user == 0 || user == geteuid() ||
	       (stat(ctl->config.pages_dir, &pages) == 0 && user == pages.st_uid);
}

static const char *group_name(gid_t group, struct arena *arena)
{
	const struct group *found = getgrgid(group);
	return found ? arena_strdup(arena, found->gr_name)
		     : arena_printf(arena, "%lld", (long long)group);
}

/* Checks that only root, the service's user and the service's group may read the file, which
 * contains passwords and keys of mirrors. */
static struct check check_file(struct ctl *ctl)
{
	struct stat status;
	if (stat(ctl->config_path, &status) != 0)
		return check_fault(ctl, NULL, "%s: %s", ctl->config_path, strerror(errno));
	if (status.st_mode & S_IRWXO)
		return check_fault(ctl, arena_printf(&ctl->arena, "chmod o= %s", ctl->config_path),
				   "any user can read its passwords in %s", ctl->config_path);
	if (status.st_mode & S_IRWXG && !is_own_group(ctl, status.st_gid))
		return check_fault(ctl,
				   arena_printf(&ctl->arena, "chgrp %s %s",
						group_name(getegid(), &ctl->arena),
						ctl->config_path),
				   "the group %s, which is not the service's, can read its "
				   "passwords in %s",
				   group_name(status.st_gid, &ctl->arena), ctl->config_path);
	if (!is_own_user(ctl, status.st_uid))
		return check_fault(ctl,
				   arena_printf(&ctl->arena, "chown root %s", ctl->config_path),
				   "the user %s, who is not the service's, owns %s and can read "
				   "its passwords",
				   checks_user_name(status.st_uid), ctl->config_path);
	/* Test as the effective user, who is normally the service's user. Root could always read
	 * the file. */
	if (faccessat(AT_FDCWD, ctl->config_path, R_OK, AT_EACCESS) != 0)
		return check_fault(ctl,
				   arena_printf(&ctl->arena, "chgrp %s %s && chmod 0640 %s",
						checks_user_name(geteuid()), ctl->config_path,
						ctl->config_path),
				   "%s cannot read it", checks_user_name(geteuid()));
	return (struct check){ OK, ctl->config_path };
}

/*
 * Returns the user of the service: the owner of the folder around the pages folder. If root owns
 * that folder, returns the user with the same name as the group that may read the configuration. 0:
 * the user is not known, or is root.
 */
static uid_t service_user(struct ctl *ctl)
{
	struct stat status;
	const struct passwd *user;
	if (stat(dirname(arena_strdup(&ctl->arena, ctl->config.pages_dir)), &status) == 0 &&
	    status.st_uid != 0)
		return status.st_uid;
	if (stat(ctl->config_path, &status) != 0 || status.st_gid == 0)
		return 0;
	const struct group *group = getgrgid(status.st_gid);
	user = group ? getpwnam(group->gr_name) : NULL;
	return user ? user->pw_uid : 0;
}

static struct check check_pages(struct ctl *ctl)
{
	struct pages_dir dir CLEANUP(pages_dir_close);
	const char *path = ctl->config.pages_dir, *foreign = NULL;
	struct stat status;
	enum result result = pages_dir_open(&dir, path, &ctl->error);
	if (result == OK)
		foreign = ctl_find_foreign(ctl, path);
	/* If root owns the folder, daymarkctl still runs as root here. Then pages_dir_open()
	 * succeeds even if the service cannot use the folder. */
	if (result == OK && stat(path, &status) == 0 && status.st_uid == 0 &&
	    service_user(ctl) != 0)
		return check_fault(ctl,
				   arena_printf(&ctl->arena, "chown -R %s: %s",
						checks_user_name(service_user(ctl)), path),
				   "%s belongs to root, so that the service, "
				   "which runs as %s, cannot publish",
				   path, checks_user_name(service_user(ctl)));
	/* The service could neither read nor replace a file of another owner. */
	if (foreign && stat(path, &status) == 0)
		return check_fault(ctl,
				   arena_printf(&ctl->arena, "chown -R %s: %s",
						checks_user_name(status.st_uid), path),
				   "%s belongs to another user than the folder", foreign);
	return (struct check){ result,
			       arena_strdup(&ctl->arena, result == OK ? ctl->config.pages_dir
								      : error_text(&ctl->error)) };
}

static struct check check_migrations(struct ctl *ctl)
{
	struct migration_list list;
	size_t pending = 0;
	enum result result = migration_list(ctl->db, &ctl->arena, &list, &ctl->error);
	if (result != OK)
		return check_failure(ctl, result);
	for (size_t i = 0; i < list.count; i++)
		pending += list.rows[i].state != MIGRATION_APPLIED;
	if (pending > 0)
		return check_fault(ctl, "daymarkctl migrate", "not applied: %s",
				   ctl_count(&ctl->arena, (int64_t)pending, "migration"));
	return (struct check){ OK, "up to date" };
}

/* Compares the configured collation with the collation of the tables. If they differ, the tables
 * that migrations create will differ from the existing tables. */
static struct check check_collation(struct ctl *ctl)
{
	const char *found = NULL, *wanted = ctl->config.collation;
	enum result result = migration_collation(ctl->db, &ctl->arena, &found, &ctl->error);
	if (result != OK)
		return check_failure(ctl, result);
	if (found && strcmp(found, wanted) != 0)
		return check_warning(
			ctl, arena_printf(&ctl->arena, "set [database] collation = %s", found),
			"the tables have %s, new ones would have %s", found, wanted);
	return (struct check){ OK, wanted };
}

/* Returns the size of the largest statement, which stores all files of a page. All other values are
 * far smaller. */
static int64_t largest_statement(void)
{
	int64_t bytes = WIRE_JSON_MAX_BYTES;
	for (size_t i = 0; i < status_page_create_fields.count; i++)
		if (status_page_create_fields.rows[i].kind == FIELD_FILE)
			bytes += (int64_t)status_page_create_fields.rows[i].max_bytes;
	return bytes;
}

static struct check check_packet(struct ctl *ctl)
{
	int64_t max = 0, needed = largest_statement();
	enum result result = db_packet_max(ctl->db, &max, &ctl->error);
	if (result != OK)
		return check_failure(ctl, result);
	if (max < needed)
		return check_fault(ctl,
				   "raise max_allowed_packet in the configuration of the database",
				   "max_allowed_packet is %lld; uploads need %lld", (long long)max,
				   (long long)needed);
	return (struct check){ OK, "large enough for every upload" };
}

static struct check check_base_url(struct ctl *ctl)
{
	/* base_url is optional. Without it, links contain the Host header that the client sends. */
	if (!ctl->config.base_url)
		return check_warning(ctl, "set [site] base_url",
				     "not set: links use each request's Host header, and no "
				     "page can have a domain");
	if (!ctl->site.has_domains)
		return check_fault(ctl, NULL, "has no host name");
	return (struct check){ OK, ctl->config.base_url };
}

/* Checks the host names of the installation, and shows them in their normal form. No page can have
 * one of these names as its domain. */
static struct check check_hosts(struct ctl *ctl)
{
	struct str rest = str_from(ctl->config.hosts), item;
	const char *names = "";
	while (ctl->config.hosts && str_split(&rest, ',', &item)) {
		item = str_trim_ows(item);
		const char *host = arena_strndup(&ctl->arena, item.data, item.len);
		if (!domain_name_ascii(&ctl->arena, host))
			return check_fault(ctl, NULL, "%s is no host name", host);
	}
	for (size_t i = 0; i < ctl->site.count; i++)
		names = arena_printf(&ctl->arena, "%s%s%s", names, i > 0 ? ", " : "",
				     ctl->site.hosts[i]);
	return (struct check){ OK, names[0] ? names : "none" };
}

/* Checks that the machine has the database of time zones. Without it, all pages use UTC. */
static struct check check_zones(struct ctl *ctl)
{
	if (zone_find("Etc/UTC"))
		return (struct check){ OK, "the machine has the database of zones" };
	return check_warning(ctl, "install tzdata",
			     "the machine has no database of zones, so that every page is in UTC");
}

/* Checks the settings of the mirrors. Shows the names of the mirrors, but never their keys. */
static struct check check_mirrors(struct ctl *ctl)
{
	struct mirrors mirrors;
	const char *names = "";
	enum result result = mirrors_parse(&ctl->config, &ctl->arena, &mirrors, &ctl->error);
	if (result != OK)
		return check_failure(ctl, result);
	for (size_t i = 0; i < mirrors.count; i++)
		names = arena_printf(&ctl->arena, "%s%s%s", names, i > 0 ? ", " : "",
				     mirrors.rows[i].name);
	return (struct check){ OK, names[0] ? names : "none" };
}

/* Called on a mirror, which has no database. Checks whether the origin has sent the signing key. */
static struct check check_mirror(struct ctl *ctl)
{
	struct signing_key key;
	bool has_key = false;
	int folder_fd CLEANUP(close_fd) =
		open(ctl->config.pages_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	enum result result = signing_key_read(folder_fd, &key, &has_key, &ctl->error);
	if (result != OK)
		return check_failure(ctl, result);
	if (!has_key)
		return check_warning(ctl, NULL,
				     "the origin has not sent anything yet: it needs a setting "
				     "`mirror` with this host's address and key");
	return (struct check){ OK, "the origin has sent its signing key" };
}

/* Checks that a mirror has no mirrors of its own, since mirrors do not pass on changes. */
static struct check check_chain(struct ctl *ctl)
{
	struct check check = check_mirrors(ctl);
	if (check.result != OK)
		return check;
	check.detail = arena_printf(&ctl->arena,
				    "a mirror does not send changes on, but [mirrors] names %s",
				    check.detail);
	check.is_warning = true;
	check.fix = "remove the lines `mirror` here, and add them to the origin's configuration";
	return check;
}

struct check check_fault(struct ctl *ctl, const char *fix, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	const char *detail = arena_vprintf(&ctl->arena, format, args);
	va_end(args);
	return (struct check){ E_FAILED, detail, .fix = fix };
}

struct check check_warning(struct ctl *ctl, const char *fix, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	const char *detail = arena_vprintf(&ctl->arena, format, args);
	va_end(args);
	return (struct check){ OK, detail, .is_warning = true, .fix = fix };
}

struct check check_failure(struct ctl *ctl, enum result result)
{
	const char *detail = arena_strdup(&ctl->arena, error_text(&ctl->error));
	ctl->error = (struct error){ 0 };
	return (struct check){ result, detail };
}

void checks_add(struct checks *checks, const char *what, struct check check)
{
	if (checks->count == ARRAY_LEN(checks->rows))
		die("ctl: more than %zu checks", ARRAY_LEN(checks->rows));
	check.what = what;
	checks->rows[checks->count++] = check;
	checks->ctl->error = (struct error){ 0 };
}

static const char *word_of(const struct check *check)
{
	if (check->is_skipped)
		return "skipped";
	if (check->result != OK)
		return "NOT OK";
	return check->is_warning ? "warning" : "ok";
}

static struct json_object *check_json(const struct check *check)
{
	struct json_object *tree = json_object_tree();
	json_put_text(tree, "check", check->what);
	json_put_bool(tree, "ok", check->result == OK);
	json_put_bool(tree, "warning", check->is_warning);
	json_put_bool(tree, "skipped", check->is_skipped);
	json_put_text(tree, "detail", check->detail);
	json_put_text(tree, "fix", check->fix);
	return tree;
}

static void print_check(const struct check *check)
{
	ctl_line(stdout, "%-8s %-18s %s", word_of(check), check->what, check->detail);
	if (check->fix)
		ctl_line(stdout, "%-8s %-18s fix: %s", "", "", check->fix);
}

int checks_report(const struct ctl *ctl, const struct checks *checks)
{
	struct json_object *array = json_array_tree();
	enum result worst = OK;
	for (size_t i = 0; i < checks->count; i++) {
		const struct check *check = &checks->rows[i];
		json_append(array, check_json(check));
		if (check->result != OK)
			worst = check->result;
		if (!ctl->is_json)
			print_check(check);
	}
	if (ctl->is_json)
		ctl_print_json(array);
	else
		json_free(array);
	if (worst == OK)
		return CTL_OK;
	return worst == E_UNAVAILABLE || worst == E_REFUSED ? CTL_UNAVAILABLE : CTL_FAILED;
}

void checks_of_configuration(struct ctl *ctl, struct checks *checks)
{
	checks_add(checks, "daymark.conf", check_file(ctl));
	checks_add(checks, "base_url", check_base_url(ctl));
	checks_add(checks, "hosts", check_hosts(ctl));
	checks_add(checks, "pages folder", check_pages(ctl));
	checks_of_secret_files(ctl, checks);
	if (config_is_mirror(&ctl->config)) {
		checks_add(checks, "mirror", check_mirror(ctl));
		if (ctl->config.mirror_count > 0)
			checks_add(checks, "mirrors", check_chain(ctl));
		return;
	}
	struct check migrations = check_migrations(ctl);
	checks_add(checks, "database", migrations);
	checks_add(checks, "collation", check_collation(ctl));
	checks_add(checks, "packet size", check_packet(ctl));
	if (migrations.result == OK)
		checks_of_installation(ctl, checks);
	checks_add(checks, "mirrors", check_mirrors(ctl));
	checks_add(checks, "time zones", check_zones(ctl));
}

static int check_config_run(struct ctl *ctl)
{
	struct checks checks = { .ctl = ctl };
	checks_of_configuration(ctl, &checks);
	checks_of_socket(ctl, &checks);
	return checks_report(ctl, &checks);
}

const struct ctl_command check_config_command = {
	.words = "check-config",
	.summary = "Check the configuration, the database and the pages folder",
	.is_on_mirror = true,
	.run = check_config_run,
};
