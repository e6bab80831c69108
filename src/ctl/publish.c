/* daymarkctl publish */
#include "publish/publish.h"

#include "ctl/mirrors.h"
#include "ctl/work.h"
#include "store/page/publication.h"
#include "store/snapshot/timeline.h"
#include "wire/json.h"

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
		return ctl_work_run(ctl,
				    WORK_FOLLOWS | (ctl_option(ctl, "mark") ? WORK_WRITES : 0));
	if (slug)
		return publish_one(ctl, slug);
	enum result result = is_new_epoch ? timeline_begin(ctl->db, &ctl->error) : OK;
	if (result != OK)
		return ctl_fail(ctl, result, "the new epoch cannot be stored");
	/*
	 * Runs without the lock: the operator wants the pages now, and a second publisher does no
	 * harm.
	 */
	return ctl_work_once(ctl, &(struct ctl_work_once){ .is_all = is_all || is_new_epoch });
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
