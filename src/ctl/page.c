/* daymarkctl page link */
#include "ctl/ctl.h"
#include "service/page_links.h"
#include "wire/json.h"

static int page_link_run(struct ctl *ctl)
{
	struct service service = ctl_service(ctl);
	struct page_link link;
	const char *slug = ctl->arguments[0], *expires = ctl_option(ctl, "expires");
	int64_t seconds = PAGE_LINK_DEFAULT_S;
	if (expires && !ctl_duration(expires, &seconds))
		return ctl_usage(ctl, "--expires must be a duration such as 90d, 12h or 30m");
	enum result result = service_link_slug(&service, slug, seconds, &link);
	if (result != OK)
		return ctl_fail_find(ctl, result, "page", slug);
	struct json_object *tree = json_object_tree();
	json_put_fields(tree, page_link_fields, &link);
	ctl_say(ctl, tree, "%s", link.url);
	return CTL_OK;
}

const struct ctl_command page_link_command = {
	.group = "page",
	.action = "link",
	.arguments = "SLUG",
	.arguments_count = 1,
	.summary = "Create a signed link that opens a private or password page",
	.run = page_link_run,
	.options = { { "expires", "TIME", "it expires after 90d, 12h, 30m; default: 7d" } },
};
