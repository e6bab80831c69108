/* Checks of the mirrors: whether each has what this disk has. */
#include "ctl/checks.h"
#include "mirror/mirror_state.h"

static struct check check_mirror(struct ctl *ctl, const struct mirror_report *report)
{
	/* A mirror is behind for a moment after each change. */
	enum { STALE_S = 300 };
	const char *what = arena_printf(&ctl->arena, "mirror %s", report->mirror->name);
	bool is_stale = report->age_s < 0 || report->age_s > STALE_S;
	if (!is_stale)
		return (struct check){ what, OK, "has everything" };
	struct check check = { what, E_FAILED };
	check.detail = report->age_s < 0
			       ? "never had everything"
			       : arena_printf(&ctl->arena, "was last complete %lld minutes ago",
					      (long long)(report->age_s / 60));
	if (report->status.error[0])
		check.detail =
			arena_printf(&ctl->arena, "%s: %s", check.detail, report->status.error);
	check.fix = arena_printf(&ctl->arena, "daymarkctl mirror push %s", report->mirror->name);
	return check;
}

void checks_of_mirrors(struct ctl *ctl, struct checks *checks)
{
	struct pages_dir dir CLEANUP(pages_dir_close) = PAGES_DIR_CLOSED;
	struct mirrors mirrors = { 0 };
	struct error error = { 0 };
	/* The check of the configuration reports both failures. */
	if (mirrors_parse(&ctl->config, &ctl->arena, &mirrors, &error) != OK ||
	    pages_dir_open(&dir, ctl->config.pages_dir, &error) != OK)
		return;
	for (size_t i = 0; i < mirrors.count; i++) {
		struct mirror_report report;
		mirror_report(&dir, &mirrors.rows[i], clock_now(), &report);
		checks_add(checks, check_mirror(ctl, &report));
	}
}
