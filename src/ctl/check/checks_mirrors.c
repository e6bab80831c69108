/*
 * Checks of the mirrors. On an origin: whether each mirror has all changes from this disk. On a
 * mirror: whether the origin has sent all changes.
 */
#include "ctl/check/checks.h"
#include "mirror/mirror_state.h"
#include "mirror/receive/receiver.h"

/* A mirror is stale if it has lacked a change for longer than this. */
enum { STALE_S = 300 };

static const char *fix_of(struct ctl *ctl, const struct mirror_report *report)
{
	const char *name = report->mirror->name;
	switch (report->status.need) {
	case MIRROR_NEED_FILL:
		return "wait until the service has published all pages, or: daymarkctl publish "
		       "--all";
	case MIRROR_NEED_CONFIRM:
		return arena_printf(
			&ctl->arena,
			"to remove these pages: daymarkctl mirror push --confirm --name %s", name);
	case MIRROR_NEED_TAKE_OVER:
	case MIRROR_NEED_KEY:
		return arena_printf(&ctl->arena, "daymarkctl mirror take-over --name %s", name);
	case MIRROR_NEED_NONE:
	case MIRROR_NEEDS:
		break;
	}
	return arena_printf(&ctl->arena, "daymarkctl mirror push --name %s", name);
}

static struct check check_mirror(struct ctl *ctl, const struct mirror_report *report)
{
	const char *failure = report->status.error;
	int64_t age_s = report->age_s;
	bool is_stale = age_s < 0 || age_s > STALE_S || report->status.need != MIRROR_NEED_NONE;
	struct check check = { is_stale ? E_FAILED : OK, "has everything" };
	if (!is_stale && !failure[0])
		return check;
	check.is_warning = !is_stale;
	check.fix = fix_of(ctl, report);
	if (report->status.need != MIRROR_NEED_NONE) {
		check.detail = arena_strdup(&ctl->arena, failure);
		return check;
	}
	check.detail = !is_stale			   ? "the last attempt failed"
		       : report->status.complete.at.s == 0 ? "never had everything"
		       : age_s < 0
			       ? "has not confirmed everything since this machine's clock was set"
			       : arena_printf(&ctl->arena, "was last complete %lld minutes ago",
					      (long long)(age_s / 60));
	if (failure[0])
		check.detail = arena_printf(&ctl->arena, "%s: %s", check.detail, failure);
	return check;
}

static struct check check_origin(struct ctl *ctl)
{
	static const char fix[] = "on the origin: daymarkctl mirror status";
	struct receiver receiver CLEANUP(receiver_close) = RECEIVER_CLOSED;
	struct receiver_beat beat = { 0 };
	enum result result = receiver_open(&receiver, ctl->config.pages_dir, &ctl->error);
	if (result == OK)
		result = receiver_read_beat(&receiver, &beat, &ctl->error);
	if (result != OK)
		return check_failure(ctl, result);
	int64_t age_s = boot_moment_age_s(&beat.complete);
	if (age_s >= 0 && age_s <= STALE_S)
		return (struct check){ OK, "this mirror has everything that the origin has" };
	if (beat.complete.at.s == 0)
		return check_fault(ctl, fix, "the origin has never sent everything");
	if (age_s < 0)
		return check_fault(ctl, fix,
				   "the origin has not said that this mirror has everything since "
				   "the clock was set");
	return check_fault(ctl, fix,
			   "the origin last said that this mirror has everything %lld minutes ago",
			   (long long)(age_s / 60));
}

void checks_of_mirrors(struct ctl *ctl, struct checks *checks)
{
	struct pages_dir dir CLEANUP(pages_dir_close) = PAGES_DIR_CLOSED;
	struct mirrors mirrors = { 0 };
	struct error ignored = { 0 };
	if (config_is_mirror(&ctl->config))
		checks_add(checks, "origin", check_origin(ctl));
	/* check-config reports a failure of either function. */
	if (mirrors_parse(&ctl->config, &ctl->arena, &mirrors, &ignored) != OK ||
	    pages_dir_open(&dir, ctl->config.pages_dir, &ignored) != OK)
		return;
	for (size_t i = 0; i < mirrors.count; i++) {
		struct mirror_report report;
		mirror_report(&dir, &mirrors.rows[i], &report);
		checks_add(checks, arena_printf(&ctl->arena, "mirror %s", report.mirror->name),
			   check_mirror(ctl, &report));
	}
}
