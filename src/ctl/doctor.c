/* daymarkctl doctor */
#include "ctl/checks.h"

static int doctor_run(struct ctl *ctl)
{
	struct checks checks = { 0 };
	checks_of_configuration(ctl, &checks);
	checks_of_files(ctl, &checks);
	if (checks_of_database(ctl, &checks))
		checks_of_work(ctl, &checks);
	checks_of_mirrors(ctl, &checks);
	checks_of_web_server(ctl, &checks);
	return checks_report(ctl, &checks);
}

const struct ctl_command doctor_command = {
	.group = "doctor",
	.summary = "Find what is wrong with this installation, and how to mend it",
	.run = doctor_run,
	.options = {
		{ "offline", NULL, "send no requests to base_url" },
	},
};
