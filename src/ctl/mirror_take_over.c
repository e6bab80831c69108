/* daymarkctl mirror take-over */
#include <signal.h>
#include <string.h>

#include "access/signing_key.h"
#include "ctl/mirrors.h"
#include "wire/json.h"

/* The progress of a take-over, which makes this host the origin. This host gets the former origin's
 * signing key from the mirrors, which use the key to check links and cookies. */
struct taking {
	struct ctl *ctl;
	const struct pages_dir *dir;
	const char *key; /* the key of the first mirror that has a key */
	size_t taken;
	size_t failed;
};

static enum result take_key(struct taking *taking, const struct mirror *mirror, const char *key)
{
	struct ctl *ctl = taking->ctl;
	const char *own = NULL;
	if (!key || ctl_option(ctl, "keep-key"))
		return OK;
	if (taking->key && strcmp(taking->key, key) != 0) {
		ctl_line(
			stderr,
			"daymarkctl: mirror %s has another signing key than the mirrors before it: "
			"`daymarkctl mirror push --confirm --name %s` replaces it there",
			mirror->name, mirror->name);
		return OK;
	}
	taking->key = key;
	enum result result =
		signing_key_export(taking->dir->root_fd, &ctl->arena, &own, &ctl->error);
	if (result != OK || strcmp(own, key) == 0)
		return result;
	result = signing_key_import(taking->dir->root_fd, str_from(key), &ctl->error);
	if (result == OK)
		ctl_line(stderr, "The signing key is now the signing key of mirror %s.",
			 mirror->name);
	return result;
}

static void take_over(struct taking *taking, const struct mirror *mirror)
{
	struct ctl *ctl = taking->ctl;
	struct target target = { .kind = target_kind_of(mirror),
				 .mirror = mirror,
				 .config = &ctl->config };
	const char *key = NULL;
	if (!target.kind->take_over)
		return;
	ctl->error = (struct error){ 0 };
	enum result result = target.kind->open(&target, mirror, &ctl->config, &ctl->error);
	if (result == OK) {
		result = target.kind->take_over(&target, &ctl->arena, &key, &ctl->error);
		target.kind->close(&target);
	}
	if (result == OK)
		result = take_key(taking, mirror, key);
	taking->taken += result == OK;
	taking->failed += result != OK;
	if (result != OK)
		ctl_line(stderr, "daymarkctl: mirror %s: %s", mirror->name,
			 error_text(&ctl->error));
}

static int take_over_run(struct ctl *ctl)
{
	struct pages_dir dir CLEANUP(pages_dir_close) = PAGES_DIR_CLOSED;
	struct taking taking = { .ctl = ctl, .dir = &dir };
	struct mirrors mirrors;
	int status = ctl_open_mirrors(ctl, &mirrors, &dir);
	if (status != CTL_OK)
		return status;
	signal(SIGPIPE, SIG_IGN);
	for (size_t i = 0; i < mirrors.count; i++)
		take_over(&taking, &mirrors.rows[i]);
	journal_add_all(&dir);
	struct json_object *tree = json_object_tree();
	json_put_int(tree, "taken_over", (int64_t)taking.taken);
	json_put_int(tree, "failed", (int64_t)taking.failed);
	ctl_say(ctl, tree, "%s taken over, %zu failed.",
		ctl_count(&ctl->arena, (int64_t)taking.taken, "mirror"), taking.failed);
	return taking.failed > 0 ? CTL_FAILED : ctl_await_complete(ctl, &dir, &mirrors);
}

const struct ctl_command mirror_take_over_command = {
	.words = "mirror take-over",
	.summary = "Make mirrors follow this machine, and refuse their former origin",
	.run = take_over_run,
	.options = {
		{ "name", "NAME", "this mirror only" },
		{ "keep-key", NULL, "do not take the mirror's signing key" },
		CTL_WAIT_OPTION,
	},
};
