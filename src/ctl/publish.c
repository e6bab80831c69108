/* daymarkctl publish */
#include "publish/publish.h"

#include <unistd.h>

#include "ctl/ctl.h"
#include "store/publication.h"
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
		fprintf(stderr, "daymarkctl: page %s: %s\n", slug, error_text(failure));
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
		return ctl_fail(ctl, result, "page %s", slug);
	struct json_object *tree = json_object_tree();
	json_put_int(tree, "published", 1);
	ctl_say(ctl, tree, "Page %s is published.", slug);
	return CTL_OK;
}

static int publish_run_command(struct ctl *ctl)
{
	struct publisher publisher = ctl_publisher(ctl);
	const char *slug = ctl_option(ctl, "page");
	bool is_all = ctl_option(ctl, "all") != NULL;
	if (slug && is_all)
		return ctl_usage(ctl, "--page and --all do not go together");
	if (slug)
		return publish_one(ctl, &publisher, slug);
	struct progress progress = { ctl, 0, isatty(STDERR_FILENO) && !ctl->is_json };
	struct publish_run run = {
		.is_all = is_all,
		.is_sweeping = true,
		.progress = show_progress,
		.context = &progress,
	};
	enum result result = publish_run(&publisher, &run, &ctl->error);
	if (result != OK)
		return ctl_fail(ctl, result, "%zu pages published, %zu failed", run.published,
				run.failed);
	struct json_object *tree = json_object_tree();
	json_put_int(tree, "published", (int64_t)run.published);
	json_put_int(tree, "removed", (int64_t)run.removed);
	ctl_say(ctl, tree, "%zu pages published, %zu left-over folders removed.", run.published,
		       run.removed);
	return CTL_OK;
}

const struct ctl_command publish_command = {
	.group = "publish",
	.summary = "Write the files of pages with unpublished changes, and remove left-over ones",
	.run = publish_run_command,
	.options = {
		{ "all", NULL, "every page: after a restore, or on a new disk" },
		{ "page", "SLUG", "only this page" },
	},
};
