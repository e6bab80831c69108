/* daymarkctl page link */
#include "access/visitor_token.h"
#include "ctl/ctl.h"
#include "publish/pages_dir.h"
#include "store/publication.h"
#include "wire/json.h"

static int page_link_run(struct ctl *ctl)
{
	struct publication page;
	struct signing_key key;
	struct pages_dir dir CLEANUP(pages_dir_close) = PAGES_DIR_CLOSED;
	const char *slug = ctl->arguments[0], *expires = ctl_option(ctl, "expires");
	int64_t seconds = 7 * 86400;
	if (expires && !ctl_duration(expires, &seconds))
		return ctl_usage(ctl, "--expires must be a duration such as 90d, 12h or 30m");
	struct instant end = { clock_now().s + seconds };
	enum result result = publication_find(ctl->db, slug, &ctl->arena, &page, &ctl->error);
	if (result == OK)
		result = pages_dir_open(&dir, ctl->config.pages_dir, &ctl->error);
	if (result != OK)
		return ctl_fail_find(ctl, result, "page", slug);
	result = signing_key_make(dir.root_fd, &key, &ctl->error);
	if (result != OK)
		return ctl_fail(ctl, result, "the signing key cannot be read");
	const struct page_access access = { .page_id = page.id };
	const struct visitor_grant grant = { VISITOR_BY_LINK, end };
	const char *link = visitor_token_sign(&key, VISITOR_LINK, &access, &grant, &ctl->arena);
	struct status_page located = { .slug = page.slug, .domain = page.domain };
	if (!site_shows(&ctl->site, page.domain))
		located.domain = NULL;
	const char *url = arena_printf(&ctl->arena, "%s?link=%s",
				       status_page_url(&located, ctl->config.base_url, &ctl->arena),
				       link);
	struct json_object *tree = json_object_tree();
	json_put_text(tree, "url", url);
	json_put_time(tree, "expires_at", end);
	ctl_say(ctl, tree, "%s", url);
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
