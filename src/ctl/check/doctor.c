/* daymarkctl doctor */
#include "ctl/check/checks.h"

static void print_summary(const struct checks *checks)
{
	size_t faults = 0, warnings = 0;
	for (size_t i = 0; i < checks->count; i++) {
		faults += checks->rows[i].result != OK;
		warnings += checks->rows[i].result == OK && checks->rows[i].is_warning;
	}
	ctl_line(stdout, "%s", "");
	if (faults + warnings == 0)
		ctl_line(stdout, "Nothing is wrong.");
	else
		ctl_line(stdout, "Faults: %zu. Warnings: %zu.", faults, warnings);
}

static int doctor_run(struct ctl *ctl)
{
	struct checks checks = { .ctl = ctl };
	checks_of_configuration(ctl, &checks);
	checks_of_files(ctl, &checks);
	/* A mirror has no database. */
	if (!config_is_mirror(&ctl->config) && checks_of_database(ctl, &checks)) {
		checks_of_work(ctl, &checks);
		checks_of_messages(ctl, &checks);
	}
	if (!config_is_mirror(&ctl->config))
		checks_of_mail(ctl, &checks);
	checks_of_page_files(ctl, &checks);
	checks_of_mirrors(ctl, &checks);
	if (!checks_of_web_server(ctl, &checks)) {
		checks_of_socket(ctl, &checks);
		checks_of_public_folders(ctl, &checks);
	}
	int status = checks_report(ctl, &checks);
	if (!ctl->is_json)
		print_summary(&checks);
	return status;
}

const struct ctl_command doctor_command = {
	.words = "doctor",
	.summary = "Find the faults of this installation, and how to repair them",
	.is_on_mirror = true,
	.run = doctor_run,
	.options = {
		{ "offline", NULL, "send no requests to base_url, and ask no DNS" },
	},
};
