/* daymarkctl work, publish */
#include "work/work.h"

#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/metrics.h"
#include "ctl/mirrors.h"
#include "store/page/publication.h"
#include "store/snapshot/timeline.h"
#include "wire/json.h"

/* How long the pushers may take to end after the background loop has ended. */
enum { LEAVE_MS = 2000 };

struct progress {
	struct ctl *ctl;
	size_t done;
	bool is_shown;
};

static void show_progress(void *context, const char *slug, const struct error *failure)
{
	struct progress *progress = context;
	progress->done++;
	if (failure)
		ctl_line(stderr, "daymarkctl: page %s: %s", slug, error_text(failure));
	else if (progress->is_shown && progress->done % 100 == 0)
		fprintf(stderr, "%zu pages...\n", progress->done);
}

static void show_page(void *context, const char *slug, const struct error *failure)
{
	const struct progress *progress = context;
	if (failure) {
		ctl_line(stderr, "daymarkctl: page %s: %s; trying again", slug,
			 error_text(failure));
		return;
	}
	struct json_object *tree = json_object_tree();
	json_put_text(tree, "published", slug);
	ctl_say(progress->ctl, tree, "%s", slug);
	fflush(stdout);
}

static void show_job(void *context, const char *name, const struct error *failure)
{
	(void)context;
	if (failure)
		ctl_line(stderr, "daymarkctl: %s: %s; trying again", name, error_text(failure));
	else
		ctl_line(stderr, "daymarkctl: %s: works again", name);
}

static void show_domain(void *context, const char *sentence)
{
	(void)context;
	ctl_line(stderr, "daymarkctl: %s", sentence);
}

static void show_mirror(void *context, const struct mirror *mirror, const struct error *failure)
{
	(void)context;
	if (failure)
		ctl_line(stderr, "daymarkctl: mirror %s: %s; trying again", mirror->name,
			 error_text(failure));
	else
		ctl_line(stderr, "daymarkctl: mirror %s: works again", mirror->name);
}

static struct work work_of(struct progress *progress)
{
	struct ctl *ctl = progress->ctl;
	if (config_has_metrics(&ctl->config))
		metrics_open(ctl->config.pages_dir, false);
	return (struct work){
		.config = &ctl->config,
		.site = &ctl->site,
		.db = ctl->db,
		.wake_fd = -1,
		.observer = { .page = show_page,
			      .job = show_job,
			      .domain = show_domain,
			      .context = progress },
	};
}

/* Runs until SIGTERM or SIGINT. Returns the exit status. */
static int run_loop(struct ctl *ctl, unsigned roles)
{
	struct progress progress = { .ctl = ctl };
	struct work work = work_of(&progress);
	struct loop loop;
	struct mirrors mirrors;
	const struct pusher_observer observer = { .turned = show_mirror };
	int status = ctl_mirrors(ctl, &mirrors);
	if (status != CTL_OK)
		return status;
	if (!loop_open(&loop))
		die("work: out of descriptors");
	struct pushers *pushers = pushers_start(&loop, &ctl->config, &mirrors, &observer);
	if (!pushers && mirrors.count > 0)
		die("work: the pushers cannot be started");
	work.loop = &loop;
	work.roles = roles;
	work_run(&work);
	pushers_stop(pushers, LEAVE_MS);
	/*
	 * Exit without freeing the memory: a DNS look-up, or a pusher that waits for its mirror,
	 * still uses it.
	 */
	if (!loop_close(&loop)) {
		fflush(stdout);
		_exit(CTL_OK);
	}
	return CTL_OK;
}

struct how {
	bool is_all;	 /* publish every page */
	bool is_locking; /* do nothing while another process does the machine's background work */
};

/* Does all work that is due, and prints the outcome. Returns the exit status. */
static int run_once(struct ctl *ctl, const struct how *how)
{
	static struct work work;
	struct progress progress = { ctl, 0, isatty(STDERR_FILENO) && !ctl->is_json };
	work = work_of(&progress);
	work.is_all = how->is_all;
	work.is_locking = how->is_locking;
	work.progress = show_progress;
	enum result result = work_once(&work, &ctl->error);
	const struct work_done *done = &work.done;
	if (result != OK)
		return ctl_fail(ctl, result, "%s published, %zu failed",
				ctl_count(&ctl->arena, (int64_t)done->published, "page"),
				done->failed);
	struct json_object *tree = json_object_tree();
	json_put_int(tree, "published", (int64_t)done->published);
	json_put_int(tree, "removed", (int64_t)done->removed);
	if (how->is_locking)
		json_put_bool(tree, "is_busy", done->is_busy);
	if (done->is_busy)
		ctl_say(ctl, tree,
			"Nothing was done: another process does this machine's background work.");
	else
		ctl_say(ctl, tree, "%s published, %s of deleted pages removed.",
			ctl_count(&ctl->arena, (int64_t)done->published, "page"),
			ctl_count(&ctl->arena, (int64_t)done->removed, "folder"));
	return CTL_OK;
}

/* Does the work that is due, then pushes to the mirrors, even if the database does not work. */
static int work_and_push_once(struct ctl *ctl)
{
	struct mirrors mirrors;
	int status = ctl_mirrors(ctl, &mirrors);
	if (status != CTL_OK)
		return status;
	status = run_once(ctl, &(struct how){ .is_locking = true });
	int pushed = ctl_push_once(ctl, &mirrors);
	return status == CTL_OK ? pushed : status;
}

static int work_command_run(struct ctl *ctl)
{
	if (ctl_option(ctl, "once"))
		return work_and_push_once(ctl);
	return run_loop(ctl, WORK_WRITES);
}

const struct ctl_command work_command = {
	.words = "work",
	.summary = "Do the background work until SIGTERM",
	.run = work_command_run,
	.options = {
		{ "once", NULL, "do the due work, and end: for cron and shared hosting" },
	},
};

static int publish_one(struct ctl *ctl, const char *slug)
{
	struct publisher publisher = ctl_publisher(ctl);
	struct publication page;
	enum result result = publication_find(ctl->db, slug, &ctl->arena, &page, &ctl->error);
	if (result == OK)
		result = publish_page(&publisher, &(struct publish_order){ .page_id = page.id },
				      &ctl->error);
	if (result != OK)
		return ctl_fail_find(ctl, result, "page", slug);
	struct json_object *tree = json_object_tree();
	json_put_int(tree, "published", 1);
	ctl_say(ctl, tree, "Page %s is published.", slug);
	return CTL_OK;
}

static int publish_run_command(struct ctl *ctl)
{
	const char *slug = ctl_option(ctl, "page");
	bool is_all = ctl_option(ctl, "all") != NULL;
	bool is_following = ctl_option(ctl, "follow") != NULL;
	bool is_new_epoch = ctl_option(ctl, "new-epoch") != NULL;
	if ((slug != NULL) + is_all + is_following + is_new_epoch > 1)
		return ctl_usage(ctl, "use only one of --page, --all, --new-epoch and --follow");
	if (ctl_option(ctl, "mark") && !is_following)
		return ctl_usage(ctl, "--mark needs --follow");
	if (is_following)
		return run_loop(ctl, WORK_FOLLOWS | (ctl_option(ctl, "mark") ? WORK_WRITES : 0));
	if (slug)
		return publish_one(ctl, slug);
	enum result result = is_new_epoch ? timeline_begin(ctl->db, &ctl->error) : OK;
	if (result != OK)
		return ctl_fail(ctl, result, "the new epoch cannot be stored");
	/*
	 * Runs without the lock: the operator wants the pages now, and a second publisher does no
	 * harm.
	 */
	return run_once(ctl, &(struct how){ .is_all = is_all || is_new_epoch });
}

const struct ctl_command publish_command = {
	.words = "publish",
	.summary = "Publish pages with unpublished changes, and remove folders of deleted pages",
	.waits_for_mirrors = true,
	.run = publish_run_command,
	.options = {
		{ "all", NULL, "publish every page: on a new disk, after an upgrade" },
		{ "new-epoch", NULL, "publish every page on every machine: "
				      "after the database has lost changes" },
		{ "page", "SLUG", "publish this page only" },
		{ "follow", NULL, "run until ended: on each of several web machines" },
		{ "mark", NULL, "with --follow: also do the work of `daymarkctl work`" },
		CTL_WAIT_OPTION,
	},
};
