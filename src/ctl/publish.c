/* daymarkctl publish */
#include "publish/publish.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ctl/ctl.h"
#include "publish/follow.h"
#include "store/idempotency.h"
#include "store/publication.h"
#include "store/timeline.h"
#include "wire/json.h"

struct progress {
	const struct ctl *ctl;
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

static int publish_one(struct ctl *ctl, const struct publisher *publisher, const char *slug)
{
	struct publication page;
	enum result result = publication_find(ctl->db, slug, &ctl->arena, &page, &ctl->error);
	if (result == OK)
		result = publish_page(publisher, &(struct publish_order){ .page_id = page.id },
				      &ctl->error);
	if (result != OK)
		return ctl_fail_find(ctl, result, "page", slug);
	struct json_object *tree = json_object_tree();
	json_put_int(tree, "published", 1);
	ctl_say(ctl, tree, "Page %s is published.", slug);
	return CTL_OK;
}

/* Removes the responses of Idempotency-Keys that are older than a day. */
static enum result forget_old(struct ctl *ctl, struct error *error)
{
	struct instant oldest = { clock_now().s - IDEMPOTENCY_KEPT_S };
	return idempotency_forget(ctl->db, oldest, error);
}

static volatile sig_atomic_t is_ended;

static void end(int signal)
{
	(void)signal;
	is_ended = true;
}

static void say_followed(void *context, const char *slug, const struct error *failure)
{
	const struct ctl *ctl = context;
	if (failure) {
		ctl_line(stderr, "daymarkctl: page %s: %s; trying again", slug,
			 error_text(failure));
		return;
	}
	struct json_object *tree = json_object_tree();
	json_put_text(tree, "published", slug);
	ctl_say(ctl, tree, "%s", slug);
	fflush(stdout);
}

/* Does what `publish` does without an option, which writes to the database. */
static enum result mark_due(struct ctl *ctl, const struct publisher *publisher, struct error *error)
{
	struct arena arena CLEANUP(arena_done);
	struct publisher own = *publisher;
	struct publish_run run = { .is_sweeping = true };
	arena_init(&arena, publisher->arena->cap_bytes);
	own.arena = &arena;
	own.now = clock_now();
	enum result result = publish_run(&own, &run, error);
	/* The next follower round fails at the same pages, and reports them. */
	return result == OK || run.failed > 0 ? forget_old(ctl, error) : result;
}

/*
 * Checks domains in a process of its own: a look-up may take seconds, and must not delay pages.
 * Skips this minute if the process of the last minute still runs.
 */
static void recheck_domains_aside(struct ctl *ctl, pid_t *child)
{
	if (*child > 0 && waitpid(*child, NULL, WNOHANG) == 0)
		return;
	*child = fork();
	if (*child != 0)
		return;
	struct db_login login = db_login_of(&ctl->config, false);
	signal(SIGTERM, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	ctl->db = db_new(&login);
	if (ctl_recheck_domains(ctl) != OK)
		ctl_line(stderr, "daymarkctl: domains are not checked: %s",
			 error_text(&ctl->error));
	_exit(0);
}

/* Follows the changes of other machines until a signal ends it. */
static int publish_follow(struct ctl *ctl, const struct publisher *publisher)
{
	enum { ROUNDS_A_MINUTE = 120 };
	bool is_marking = ctl_option(ctl, "mark") != NULL;
	static const struct timespec between = { .tv_nsec = 500 * 1000 * 1000 };
	struct sigaction action = { .sa_handler = end };
	struct follower follower CLEANUP(follower_done);
	enum result last = OK;
	pid_t child = 0;
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	follower_init(&follower, publisher, say_followed, ctl);
	for (unsigned round = 0; !is_ended; round++, nanosleep(&between, NULL)) {
		struct error error = { 0 };
		enum result result = follower_round(&follower, clock_now(), &error);
		if (result == OK && is_marking && round % ROUNDS_A_MINUTE == 0) {
			result = mark_due(ctl, publisher, &error);
			recheck_domains_aside(ctl, &child);
		}
		if (result != OK && result != last)
			ctl_line(stderr, "daymarkctl: %s; trying again", error_text(&error));
		if (result == OK && last != OK)
			fprintf(stderr, "daymarkctl: following again\n");
		last = result;
	}
	if (child > 0)
		kill(child, SIGTERM);
	return CTL_OK;
}

static int publish_run_command(struct ctl *ctl)
{
	struct publisher publisher = ctl_publisher(ctl);
	const char *slug = ctl_option(ctl, "page");
	bool is_all = ctl_option(ctl, "all") != NULL;
	bool is_following = ctl_option(ctl, "follow") != NULL;
	bool is_new_epoch = ctl_option(ctl, "new-epoch") != NULL;
	if ((slug != NULL) + is_all + is_following + is_new_epoch > 1)
		return ctl_usage(ctl, "use only one of --page, --all, --new-epoch and --follow");
	if (ctl_option(ctl, "mark") && !is_following)
		return ctl_usage(ctl, "--mark needs --follow");
	if (is_following)
		return publish_follow(ctl, &publisher);
	if (slug)
		return publish_one(ctl, &publisher, slug);
	enum result result = is_new_epoch ? timeline_begin(ctl->db, &ctl->error) : OK;
	if (result != OK)
		return ctl_fail(ctl, result, "the new epoch cannot be stored");
	struct progress progress = { ctl, 0, isatty(STDERR_FILENO) && !ctl->is_json };
	struct publish_run run = {
		.is_all = is_all || is_new_epoch,
		.is_sweeping = true,
		.progress = show_progress,
		.context = &progress,
	};
	result = publish_run(&publisher, &run, &ctl->error);
	if (result == OK)
		result = forget_old(ctl, &ctl->error);
	if (result == OK)
		result = ctl_recheck_domains(ctl);
	if (result != OK)
		return ctl_fail(ctl, result, "%zu pages published, %zu failed", run.published,
				run.failed);
	struct json_object *tree = json_object_tree();
	json_put_int(tree, "published", (int64_t)run.published);
	json_put_int(tree, "removed", (int64_t)run.removed);
	ctl_say(ctl, tree, "%zu pages published, %zu folders of deleted pages removed.",
		run.published, run.removed);
	return CTL_OK;
}

const struct ctl_command publish_command = {
	.group = "publish",
	.summary = "Publish pages with unpublished changes, and remove folders of deleted pages",
	.run = publish_run_command,
	.options = {
		{ "all", NULL, "publish every page: on a new disk, after an upgrade" },
		{ "new-epoch", NULL, "publish every page on every machine: "
				      "after the database has lost changes" },
		{ "page", "SLUG", "publish this page only" },
		{ "follow", NULL, "run until ended: on each of several web machines" },
		{ "mark", NULL, "with --follow: also do each minute what `publish` does" },
	},
};
