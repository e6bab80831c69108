/* daymarkctl migrate */
#include "base/clock.h"
#include "ctl/ctl.h"
#include "store/migration.h"
#include "wire/json.h"

static const char *state_word(enum migration_state state)
{
	static const char *const words[] = { "pending", "cut off", "applied", "changed" };
	return words[state];
}

static size_t pending_count(const struct migration_list *list)
{
	size_t count = 0;
	for (size_t i = 0; i < list->count; i++)
		count += list->rows[i].state != MIGRATION_APPLIED;
	return count;
}

static int show_status(struct ctl *ctl, const struct migration_list *list)
{
	struct ctl_table table = { .arena = &ctl->arena, .columns = 3 };
	struct json_object *array = json_array_tree();
	ctl_table_cell(&table, "MIGRATION");
	ctl_table_cell(&table, "STATE");
	ctl_table_cell(&table, "APPLIED");
	for (size_t i = 0; i < list->count; i++) {
		const struct migration *migration = &list->rows[i];
		struct json_object *tree = json_object_tree();
		json_put_text(tree, "name", migration->name);
		json_put_text(tree, "state", state_word(migration->state));
		json_put_time(tree, "applied_at", migration->applied_at);
		json_append(array, tree);
		ctl_table_cell(&table, "%s", migration->name);
		ctl_table_cell(&table, "%s", state_word(migration->state));
		ctl_table_cell(&table, "%s", ctl_time(&ctl->arena, migration->applied_at));
	}
	if (ctl->is_json) {
		ctl_print_json(array);
	} else {
		json_free(array);
		ctl_table_print(&table);
	}
	return pending_count(list) > 0 ? CTL_PENDING : CTL_OK;
}

static int apply_all(struct ctl *ctl, const struct migration_list *list, bool is_dry_run)
{
	size_t applied = 0;
	for (size_t i = 0; i < list->count; i++) {
		const struct migration *migration = &list->rows[i];
		if (migration->state == MIGRATION_APPLIED)
			continue;
		if (migration->state == MIGRATION_CHANGED)
			return ctl_fail(ctl, E_FAILED,
					"%s was applied with another text; this program and this "
					"database do not belong together",
					migration->name);
		applied++;
		if (is_dry_run) {
			if (!ctl->is_json)
				printf("-- %s\n%s;\n\n", migration->name, migration->text);
			continue;
		}
		if (!ctl->is_json)
			printf("%s\n", migration->name);
		enum result result =
			migration_apply(ctl->db, migration, clock_now(), &ctl->error);
		if (result != OK)
			return ctl_fail(ctl, result, "%s", migration->name);
	}
	if (ctl->is_json) {
		struct json_object *tree = json_object_tree();
		json_put_int(tree, is_dry_run ? "would_apply" : "applied", (int64_t)applied);
		ctl_print_json(tree);
	} else if (applied == 0) {
		puts("The database is up to date.");
	}
	return CTL_OK;
}

static int migrate_run(struct ctl *ctl)
{
	struct migration_list list;
	bool is_status = ctl_option(ctl, "status") != NULL;
	bool is_dry_run = ctl_option(ctl, "dry-run") != NULL;
	enum result result = OK;
	bool is_file = ctl_option(ctl, "sql") != NULL;
	if (is_status + is_dry_run + is_file > 1)
		return ctl_usage(ctl, "--status, --dry-run and --sql do not go together");
	if (is_file) {
		printf("-- The tables of Daymark %s, for an empty database of MySQL or MariaDB.\n",
		       PACKAGE_VERSION);
		migration_print_all(stdout, &ctl->arena);
		return CTL_OK;
	}
	if (!is_status)
		result = migration_lock(ctl->db, &ctl->error);
	if (result != OK)
		return ctl_fail(ctl, result, "the database cannot be locked for migrating");
	result = migration_list(ctl->db, &ctl->arena, &list, &ctl->error);
	if (result != OK)
		return ctl_fail(ctl, result, "the state of the migrations cannot be read");
	if (is_status)
		return show_status(ctl, &list);
	int status = apply_all(ctl, &list, is_dry_run);
	migration_unlock(ctl->db);
	return status;
}

const struct ctl_command migrate_command = {
	.group = "migrate",
	.summary = "Bring the database's tables up to date",
	.run = migrate_run,
	.options = {
		{ "status", NULL, "say what is applied; exit status 6 when something is not" },
		{ "dry-run", NULL, "print what would be run" },
		{ "sql", NULL, "print one file for an empty database; asks no database" },
	},
};
