/* Checks of publishing: whether the background loop runs, which pages are late, which files are
 * missing, and which pages the database has lost. */
#include "ctl/check/checks.h"
#include "publish/deleted.h"
#include "publish/folder/disk_check.h"
#include "publish/folder/files_check.h"
#include "publish/folder/signal_spool.h"
#include "store/check/check_locations.h"
#include "store/check/check_store.h"
#include "store/page/publication.h"
#include "work/work.h"

/* A change that has waited longer than this is reported. A background loop publishes it sooner. */
enum { LATE_S = 120 };

static struct check check_late(struct ctl *ctl)
{
	struct instant now = clock_now(), late = { now.s - LATE_S };
	struct publication_due_query query = { .settled = late, .now = late, .limit = 1 };
	struct publication_list list = { 0 };
	enum result result = publication_due(ctl->db, &query, &ctl->arena, &list, &ctl->error);
	if (result != OK)
		return check_failure(ctl, result);
	if (list.count == 0)
		return (struct check){ OK, "none is late" };
	return check_fault(ctl,
			   "see `background work` above, and the log for the reason; "
			   "then daymarkctl publish",
			   "page %s has been due for more than %d minutes", list.rows[0].slug,
			   LATE_S / 60);
}

#define TIMER_FIX "systemctl enable --now daymark-publish.timer, or the crontab of OPERATING.md"

/* Called if no background loop runs. Checks whether a timer runs daymarkctl instead. Only warns,
 * because perhaps no work has been due yet. */
static struct check check_timer(struct ctl *ctl)
{
	/* The timer and the crontab of OPERATING.md start daymarkctl every minute. */
	enum { SILENT_S = 900 };
	struct instant last;
	enum result result = work_last_run(ctl->config.pages_dir, &last, &ctl->error);
	if (result != OK)
		return check_failure(ctl, result);
	int64_t silent_s = clock_now().s - last.s;
	if (last.s > 0 && silent_s <= SILENT_S)
		return (struct check){
			OK, "no background process runs now; a timer has done the due work"
		};
	return check_warning(
		ctl, TIMER_FIX, "%s",
		last.s == 0
			? "no background process runs now, and no timer has ever run "
			  "`daymarkctl work --once`"
			: arena_printf(&ctl->arena,
				       "no background process runs now, and none has run for %s",
				       ctl_count(&ctl->arena, silent_s / 60, "minute")));
}

static struct check check_worker(struct ctl *ctl, bool has_late_page)
{
	bool is_running;
	enum result result = work_is_running(ctl->config.pages_dir, &is_running, &ctl->error);
	if (result != OK)
		return check_failure(ctl, result);
	if (is_running)
		return (struct check){ OK, "runs: pages follow the clock" };
	if (ctl->config.has_publisher && ctl->config.listen)
		return (struct check){ E_FAILED, "no publisher runs: is the service down?",
				       .fix = "systemctl start daymark, or your way to start it" };
	if (has_late_page)
		return check_fault(ctl, TIMER_FIX, "no timer runs `daymarkctl work --once`");
	return check_timer(ctl);
}

/* Checks whether this disk has the newest state of all pages in the database. */
static struct check check_disk(struct ctl *ctl)
{
	struct publisher publisher = ctl_publisher(ctl);
	struct instant oldest = { 0 };
	enum result result = disk_check(&publisher, &oldest, &ctl->error);
	int64_t age_s = oldest.s > 0 ? clock_now().s - oldest.s : 0;
	if (result != OK)
		return check_failure(ctl, result);
	if (age_s > LATE_S)
		return check_fault(ctl, "daymarkctl publish --all",
				   "the disk has lacked a page's newest state for %lld s",
				   (long long)age_s);
	return (struct check){ OK, "this disk has the newest state of all pages" };
}

/* Checks whether the database has the pages on this disk. */
static struct check check_lost(struct ctl *ctl)
{
	struct publisher publisher = ctl_publisher(ctl);
	struct pages_dir dir CLEANUP(pages_dir_close) = PAGES_DIR_CLOSED;
	size_t lost = 0;
	enum result result = pages_dir_open(&dir, ctl->config.pages_dir, &ctl->error);
	if (result == OK)
		result = publish_find_lost(&publisher, &dir, &lost, &ctl->error);
	if (result != OK)
		return check_failure(ctl, result);
	if (lost > 0)
		return check_fault(ctl,
				   "connect the right database, or restore a backup; `daymarkctl "
				   "publish --all` removes the pages",
				   "the database does not know %zu pages of this disk", lost);
	return (struct check){ OK, "none: the database knows the pages of this disk" };
}

/* Finds the oldest signal that waits on the disk. *since: when the signal came; 0: none waits. */
static enum result find_waiting(const struct pages_dir *dir, struct instant *since,
				struct error *error)
{
	struct signal_spool spool CLEANUP(signal_spool_close) = SIGNAL_SPOOL_CLOSED;
	struct check_signal first = { 0 };
	int64_t offset = 0;
	size_t count = 0;
	enum result result = signal_spool_open(&spool, dir, error);
	if (result == OK)
		result = signal_spool_read(&spool, &offset, &first, 1, &count, error);
	*since = first.at;
	return result == E_NOT_FOUND ? OK : result;
}

/* Checks whether heartbeats wait too long on the disk, or were lost. */
static struct check check_signals(struct ctl *ctl)
{
	struct pages_dir dir CLEANUP(pages_dir_close) = PAGES_DIR_CLOSED;
	struct instant since = { 0 };
	enum result result = pages_dir_open(&dir, ctl->config.pages_dir, &ctl->error);
	if (result == OK)
		result = find_waiting(&dir, &since, &ctl->error);
	if (result != OK)
		return check_failure(ctl, result);
	int64_t age_s = since.s > 0 ? clock_now().s - since.s : 0;
	if (age_s > LATE_S)
		return check_fault(ctl, "see `background work`, which moves them",
				   "heartbeats have waited on the disk for %lld s",
				   (long long)age_s);
	if (signal_spool_has_damaged(&dir))
		return check_warning(ctl, "read the file, and delete it",
				     "%s/spool-damaged has heartbeats that are lost",
				     ctl->config.pages_dir);
	return (struct check){ OK, "none waits on the disk" };
}

/* Checks whether a checker process checks the monitors. */
static struct check check_checker(struct ctl *ctl)
{
	enum { IDLE_S = 60 };
	static const char fix[] = "systemctl enable --now daymark-check";
	struct check_idleness idleness;
	enum result result = check_idleness_read(ctl->db, &idleness, &ctl->error);
	if (result != OK)
		return check_failure(ctl, result);
	if (idleness.monitors == 0)
		return (struct check){ OK, "no monitor is to be checked" };
	const char *monitors = ctl_count(&ctl->arena, idleness.monitors, "monitor");
	if (idleness.idle_s < 0)
		return check_fault(ctl, fix, "no daymark-check has ever run; %s to check",
				   monitors);
	if (idleness.idle_s > IDLE_S)
		return check_fault(ctl, fix, "no daymark-check has run for %s; %s to check",
				   ctl_count(&ctl->arena, idleness.idle_s / 60, "minute"),
				   monitors);
	if (idleness.hurried > 0)
		return check_warning(
			ctl, "daymarkctl monitor set ID --interval",
			"daymark-check --once runs every %lld s or so, less often than "
			"the interval of %s",
			(long long)idleness.apart_s,
			ctl_count(&ctl->arena, idleness.hurried, "monitor"));
	return (struct check){ OK, arena_printf(&ctl->arena, "daymark-check runs; %s to check",
						monitors) };
}

/* Checks whether the checkers of other locations still request their monitors. */
static struct check check_locations(struct ctl *ctl)
{
	struct lost_locations lost = { 0 };
	enum result result = lost_locations_read(ctl->db, &ctl->arena, &lost, &ctl->error);
	if (result != OK)
		return check_failure(ctl, result);
	if (lost.count == 0)
		return (struct check){ OK, "the checkers of other locations respond, if any" };
	if (lost.rows[0].silent_s < 0)
		return check_warning(
			ctl, "compare the locations of your monitors with: daymarkctl key list",
			"no checker has ever asked for the monitors of %s (account %lld)%s",
			lost.rows[0].name, (long long)lost.rows[0].account_id,
			lost.count > 1 ? "; others, too" : "");
	return check_warning(ctl, "start daymark-check there, and look into its log",
			     "the checker of %s (account %lld) has been silent for %s%s",
			     lost.rows[0].name, (long long)lost.rows[0].account_id,
			     ctl_count(&ctl->arena, lost.rows[0].silent_s / 60, "minute"),
			     lost.count > 1 ? "; others, too" : "");
}

void checks_of_work(struct ctl *ctl, struct checks *checks)
{
	struct check late = check_late(ctl);
	checks_add(checks, "background work", check_worker(ctl, late.result != OK));
	checks_add(checks, "due pages", late);
	checks_add(checks, "published files", check_disk(ctl));
	checks_add(checks, "lost pages", check_lost(ctl));
	checks_add(checks, "checker", check_checker(ctl));
	checks_add(checks, "heartbeats", check_signals(ctl));
	checks_add(checks, "locations", check_locations(ctl));
}

/* Returns "12 pages", or "10000 of 12000 pages" if not all pages were checked. */
static const char *scope_of(struct ctl *ctl, const struct files_check *files)
{
	if (files->checked >= files->page_count)
		return ctl_count(&ctl->arena, (int64_t)files->checked, "page");
	return arena_printf(&ctl->arena, "%zu of %s", files->checked,
			    ctl_count(&ctl->arena, (int64_t)files->page_count, "page"));
}

static struct check check_page_files(struct ctl *ctl, const struct pages_dir *dir)
{
	/* The most pages that are checked. So many pages take some seconds, mostly for the reading
	 * of their records. */
	enum { PAGES_MAX = 10000 };
	struct files_check files = { .pages_max = PAGES_MAX };
	enum result result = files_check(dir, &files, &ctl->arena, &ctl->error);
	if (result != OK)
		return check_failure(ctl, result);
	const char *scope = scope_of(ctl, &files);
	if (files.damaged > 0)
		return check_fault(ctl,
				   config_is_mirror(&ctl->config)
					   ? "on the origin: daymarkctl mirror push"
					   : "daymarkctl publish --all",
				   "of %s %zu lack files, or have others than were written; the "
				   "first is %s",
				   scope, files.damaged, files.first);
	return (struct check){
		OK, arena_printf(&ctl->arena, "%s have their files as they were written", scope)
	};
}

void checks_of_page_files(struct ctl *ctl, struct checks *checks)
{
	struct pages_dir dir CLEANUP(pages_dir_close) = PAGES_DIR_CLOSED;
	struct error ignored = { 0 };
	/* check-config reports a folder that cannot be opened. */
	if (pages_dir_open(&dir, ctl->config.pages_dir, &ignored) == OK)
		checks_add(checks, "files of pages", check_page_files(ctl, &dir));
}
