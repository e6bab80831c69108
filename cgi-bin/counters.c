#include "counters.h"

#include "base/log.h"
#include "base/metrics.h"
#include "publish/folder/pages_dir.h"
#include "work/jobs.h"

void counters_name(const struct process_role *roles, size_t count)
{
	static const char *role_names[PROCESS_ROLES_MAX], *jobs[WORK_JOBS_MAX];
	for (size_t i = 0; i < count; i++)
		role_names[i] = roles[i].name;
	for (size_t i = 0; i < work_job_count; i++)
		jobs[i] = work_jobs[i].name;
	metrics_name(LABEL_ROLE, &(const struct metric_words){ role_names, count });
	metrics_name(LABEL_JOB, &(const struct metric_words){ jobs, work_job_count });
}

void counters_open(const struct config *config)
{
	struct pages_dir dir CLEANUP(pages_dir_close) = PAGES_DIR_CLOSED;
	struct error ignored = { 0 };
	if (!config_has_metrics(config))
		return;
	/* Create the pages folder if it is missing, because the file of the counters is in it. If
	 * this fails, the processes count in shared memory. */
	if (pages_dir_open(&dir, config->pages_dir, &ignored) != OK)
		log_warn("metrics", "counts are not kept in a file: %s", error_text(&ignored));
	metrics_open(config->pages_dir, true);
}
