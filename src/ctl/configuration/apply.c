/* daymarkctl apply */
#include <libgen.h>
#include <string.h>
#include <unistd.h>

#include "ctl/configuration/apply_changes.h"
#include "ctl/configuration/configuration_file.h"
#include "ctl/mirrors.h"
#include "ctl/read_file.h"
#include "wire/json.h"
#include "wire/limits.h"

/* The folder to which paths in the configuration file are relative. */
struct folder {
	struct ctl *ctl;
	const char *path;
};

static bool read_path(void *context, const char *path, size_t max_bytes, struct str *content,
		      const char **why)
{
	const struct folder *folder = context;
	/*
	 * On the command line "-" means standard input. In the file it is the name of a file.
	 */
	if (*path != '/')
		path = arena_printf(&folder->ctl->arena, "%s/%s", folder->path, path);
	return ctl_read_file(folder->ctl, path, max_bytes, content, why);
}

static bool read_argument(struct ctl *ctl, struct folder *folder, struct str *text,
			  const char **why)
{
	const char *path = ctl->arguments[0];
	*folder = (struct folder){ ctl, "." };
	if (strcmp(path, "-") != 0)
		folder->path = dirname(arena_strdup(&ctl->arena, path));
	return ctl_read_file(ctl, path, WIRE_FILE_MAX_BYTES, text, why);
}

/* Prints all violations, so that the operator can correct them together. */
static int fail_with_violations(struct ctl *ctl)
{
	const struct violations *violations = &ctl->violations;
	struct json_object *tree = json_object_tree(), *errors = json_object_tree();
	for (const struct violation *one = violations->first; one; one = one->next) {
		struct json_object *texts = json_array_tree();
		json_append_text(texts, one->message);
		json_put(errors, one->field, texts);
		ctl_line(stderr, "daymarkctl: %s: %s", one->field, one->message);
	}
	json_put_text(tree, "error", "the configuration is invalid; nothing was changed");
	json_put(tree, "errors", errors);
	json_put_int(tree, "exit_status", CTL_USAGE);
	if (ctl->is_json)
		ctl_print_json(tree);
	else
		json_free(tree);
	return CTL_USAGE;
}

/* Reports all violations, or the failure `result` if there are none. */
static int fail(struct ctl *ctl, enum result result)
{
	return result == E_INVALID && ctl->violations.count > 0
		       ? fail_with_violations(ctl)
		       : ctl_fail(ctl, result, "the configuration cannot be applied");
}

static void show_progress(void *context, const char *slug, const struct error *failure)
{
	size_t *published = context;
	(void)slug;
	*published += failure == NULL;
	fprintf(stderr, "\rpages published: %zu", *published);
}

static int finish(struct ctl *ctl, const struct configuration_plan *plan, bool is_dry)
{
	const size_t *counts = plan->counts;
	size_t changes = counts[PLAN_ADD] + counts[PLAN_CHANGE] + counts[PLAN_REMOVE];
	struct json_object *tree = apply_changes_json(ctl, plan);
	json_put_bool(tree, "dry_run", is_dry);
	if (changes == 0)
		ctl_say(ctl, tree, "Nothing to change.");
	else
		ctl_say(ctl, tree,
			is_dry ? "%zu to add, %zu to change, %zu to remove. Nothing was changed."
			       : "%zu added, %zu changed, %zu removed.",
			counts[PLAN_ADD], counts[PLAN_CHANGE], counts[PLAN_REMOVE]);
	return changes > 0 && is_dry ? CTL_PENDING : CTL_OK;
}

static bool is_confirmed(struct ctl *ctl, const struct configuration_order *order,
			 const struct configuration_plan *plan)
{
	const struct planned_list *monitors = &plan->lists[CONFIGURED_MONITORS];
	int64_t incidents = 0;
	for (size_t i = 0; i < monitors->count; i++)
		if (monitors->rows[i].action == PLAN_REMOVE)
			incidents += monitors->rows[i].before.monitor.incident_count;
	if (plan->counts[PLAN_REMOVE] == 0)
		return true;
	return ctl_confirm(
		ctl,
		order->keeps_history
			? "Remove %s (monitors and pages)? A history of %s remains."
			: "Remove %s (monitors and pages), and %s? Use --keep-history to "
			  "keep the incidents.",
		ctl_count(&ctl->arena, (int64_t)plan->counts[PLAN_REMOVE], "object"),
		ctl_count(&ctl->arena, incidents, "incident"));
}

static int apply(struct ctl *ctl, struct service *service, const struct configuration_order *order)
{
	struct configuration_plan plan;
	size_t published = 0;
	bool is_dry = ctl_option(ctl, "dry-run") != NULL;
	bool is_shown = isatty(STDERR_FILENO) && !ctl->is_json;
	enum result result = service_plan_configuration(service, order, &plan);
	/* ctl->violations also has the violations that were found while the file was read. */
	if (result == OK && ctl->violations.count > 0)
		result = E_INVALID;
	if (result != OK)
		return fail(ctl, result);
	if (!ctl->is_json)
		apply_changes_print(ctl, &plan);
	if (is_dry ||
	    plan.counts[PLAN_ADD] + plan.counts[PLAN_CHANGE] + plan.counts[PLAN_REMOVE] == 0)
		return finish(ctl, &plan, is_dry);
	if (!is_confirmed(ctl, order, &plan))
		return CTL_DECLINED;
	if (is_shown) {
		service->publishing.progress = show_progress;
		service->publishing.progress_context = &published;
	}
	result = service_apply_configuration(service, order, &plan);
	if (published > 0)
		fputc('\n', stderr);
	if (result != OK)
		return fail(ctl, result);
	int status = ctl_published(ctl, service);
	return status == CTL_OK ? finish(ctl, &plan, false) : status;
}

static int apply_run(struct ctl *ctl)
{
	int64_t account_id;
	struct configuration configuration;
	struct folder folder;
	struct str text;
	const char *why = "";
	struct service service = ctl_service(ctl);
	struct configuration_order order = {
		.wanted = &configuration,
		.prunes = ctl_option(ctl, "prune") != NULL,
		.keeps_history = ctl_option(ctl, "keep-history") != NULL,
	};
	if (order.keeps_history && !order.prunes)
		return ctl_usage(ctl, "--keep-history needs --prune");
	int status = ctl_account(ctl, &account_id);
	if (status != CTL_OK)
		return status;
	if (!read_argument(ctl, &folder, &text, &why))
		return ctl_usage(ctl, "%s: %s", ctl->arguments[0], why);
	service.principal.account_id = account_id;
	const struct configuration_files files = { read_path, &folder };
	enum result result = configuration_read(text, &files, &ctl->arena, &configuration,
						&ctl->violations, &ctl->error);
	if (result != OK)
		return ctl_fail(ctl, E_INVALID, "%s cannot be read",
				strcmp(ctl->arguments[0], "-") == 0 ? "standard input"
								    : ctl->arguments[0]);
	return apply(ctl, &service, &order);
}

/* Prints, from the field tables, the keys that objects in the file may have. */
static void print_keys(FILE *out)
{
	for (int kind = 0; kind < CONFIGURED_KINDS; kind++) {
		const struct fields form = *configured_kinds[kind].form;
		fprintf(out, "\nKeys of %s:\n", configured_kinds[kind].list);
		for (size_t i = 0; i < form.count; i++)
			if (configuration_has_key(&form.rows[i]))
				ctl_print_beside(form.rows[i].name, form.rows[i].text, out);
		if (kind == CONFIGURED_MONITORS)
			ctl_print_beside("depends_on",
					 "The name of another monitor of the file or of the "
					 "account, in place of depends_on_id.",
					 out);
	}
	ctl_print_beside("monitors",
			 "The names of the page's systems in their order: monitors of "
			 "the file or of the account.",
			 out);
	ctl_print_beside("password_file",
			 "The path of a file with the password on one line, in "
			 "place of password.",
			 out);
}

const struct ctl_command apply_command = {
	.words = "apply",
	.arguments = "FILE",
	.summary = "Make monitors and pages as a JSON file states them",
	.is_patient = true,
	.waits_for_mirrors = true,
	.run = apply_run,
	.print_more = print_keys,
	.options = {
		CTL_ACCOUNT_OPTION,
		{ "dry-run", NULL, "only show the changes; exit status 6 if there are any" },
		{ "prune", NULL, "remove monitors and pages that the file does not list" },
		{ "keep-history", NULL, "with --prune: retire monitors and keep their incidents" },
		CTL_WAIT_OPTION,
	},
};
