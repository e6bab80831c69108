/* daymarkctl migrate */
#include "base/clock.h"
#include "ctl/ctl.h"
#include "store/migration.h"
#include "store/timeline.h"
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

enum migrate_manner { MIGRATE_ALOUD, MIGRATE_QUIETLY, MIGRATE_DRY_RUN };

static int apply_all(struct ctl *ctl, const struct migration_list *list, enum migrate_manner manner)
{
	size_t applied = 0;
	bool is_dry_run = manner == MIGRATE_DRY_RUN;
	for (size_t i = 0; i < list->count; i++) {
		const struct migration *migration = &list->rows[i];
		if (migration->state == MIGRATION_APPLIED)
			continue;
		if (migration->state == MIGRATION_CHANGED)
			return ctl_fail(ctl, E_FAILED,
					"%s was applied with another text; this database "
					"belongs to another version of Daymark",
					migration->name);
		applied++;
		if (is_dry_run) {
			if (!ctl->is_json)
				printf("-- %s\n%s;\n\n", migration->name, migration->text);
			continue;
		}
		if (!ctl->is_json && manner == MIGRATE_ALOUD)
			printf("%s\n", migration->name);
		enum result result = migration_apply(ctl->db, migration, clock_now(), &ctl->error);
		if (result != OK)
			return ctl_fail(ctl, result, "%s", migration->name);
	}
	/* Tables of an older version may come from an older dump. */
	bool is_new_epoch = applied > 0 && !is_dry_run;
	enum result result = is_new_epoch ? timeline_begin(ctl->db, &ctl->error) : OK;
	if (result != OK)
		return ctl_fail(ctl, result, "the new epoch cannot be stored");
	if (manner == MIGRATE_QUIETLY)
		return CTL_OK;
	if (ctl->is_json) {
		struct json_object *tree = json_object_tree();
		json_put_int(tree, is_dry_run ? "would_apply" : "applied", (int64_t)applied);
		ctl_print_json(tree);
	} else if (applied == 0) {
		puts("The database is up to date.");
	}
	return CTL_OK;
}

static int read_list(struct ctl *ctl, struct migration_list *list)
{
	enum result result = migration_list(ctl->db, &ctl->arena, list, &ctl->error);
	return result == OK ? CTL_OK
			    : ctl_fail(ctl, result, "the state of the migrations cannot be read");
}

/* Applies migrations under their lock. */
static int apply_locked(struct ctl *ctl, enum migrate_manner manner)
{
	struct migration_list list;
	enum result result = migration_lock(ctl->db, &ctl->error);
	if (result != OK)
		return ctl_fail(ctl, result, "the database cannot be locked for migrating");
	int status = read_list(ctl, &list);
	if (status == CTL_OK)
		status = apply_all(ctl, &list, manner);
	migration_unlock(ctl->db);
	return status;
}

int ctl_migrate(struct ctl *ctl)
{
	return apply_locked(ctl, MIGRATE_QUIETLY);
}

static int print_file(struct ctl *ctl)
{
	printf("-- The tables of Daymark %s, for an empty database of MySQL or MariaDB.\n",
	       PACKAGE_VERSION);
	migration_print_all(stdout, &ctl->arena);
	return CTL_OK;
}

static int migrate_run(struct ctl *ctl)
{
	struct migration_list list;
	bool is_status = ctl_option(ctl, "status") != NULL;
	bool is_dry_run = ctl_option(ctl, "dry-run") != NULL;
	bool is_file = ctl_option(ctl, "sql") != NULL;
	if (is_status + is_dry_run + is_file > 1)
		return ctl_usage(ctl, "use only one of --status, --dry-run and --sql");
	if (is_file)
		return print_file(ctl);
	if (!is_status)
		return apply_locked(ctl, is_dry_run ? MIGRATE_DRY_RUN : MIGRATE_ALOUD);
	int status = read_list(ctl, &list);
	return status == CTL_OK ? show_status(ctl, &list) : status;
}

const struct ctl_command migrate_command = {
	.group = "migrate",
	.summary = "Update the database's tables",
	.is_migrating = true,
	.is_patient = true,
	.run = migrate_run,
	.options = {
		{ "status", NULL, "list the migrations; exit status 6 if one is not applied" },
		{ "dry-run", NULL, "print the statements without running them" },
		{ "sql", NULL, "print all tables as one file; does not connect to a database" },
	},
};
