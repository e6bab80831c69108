#include "publisher.h"

#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "base/log.h"
#include "work/work.h"

static void log_page(void *context, const char *slug, const struct error *failure)
{
	(void)context;
	if (failure)
		log_warn("publish", "page %s is not published yet: %s", slug, error_text(failure));
	else
		log_info("publish", "page %s is published", slug);
}

static void log_job(void *context, const char *name, const struct error *failure)
{
	bool is_pages = strcmp(name, "pages") == 0;
	(void)context;
	if (failure && is_pages)
		log_warn("publish", "publishing is interrupted, and tried again every second: %s",
			 error_text(failure));
	else if (failure)
		log_warn("work", "%s failed, and is tried again: %s", name, error_text(failure));
	else if (is_pages)
		log_info("publish", "publishing works again");
	else
		log_info("work", "%s works again", name);
}

static void log_domain(void *context, const char *sentence)
{
	(void)context;
	log_warn("domain", "%s", sentence);
}

void publisher_run(const struct config *config, const struct site *site, int wake_fd)
{
	struct db_login login = db_login_of(config, false);
	struct loop loop;
	if (!loop_open(&loop))
		die("publisher: out of descriptors");
	struct work work = {
		.loop = &loop,
		.config = config,
		.site = site,
		.db = db_new(&login),
		.roles = WORK_WRITES,
		.wake_fd = wake_fd,
		.observer = { .page = log_page, .job = log_job, .domain = log_domain },
	};
	work_run(&work);
	/* A DNS look-up in another thread may still use `work`: exit without freeing it. */
	_exit(EX_OK);
}
