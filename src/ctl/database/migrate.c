/* daymarkctl migrate */
#include <unistd.h>

#include "base/clock.h"
#include "ctl/ctl.h"
#include "store/schema/migration.h"
#include "store/schema/migration_lease.h"
#include "store/snapshot/timeline.h"
#include "wire/json.h"

static const char *state_word(enum migration_state state)
{
	static const char *const words[] = { "pending", "cut off", "applied", "changed", "older" };
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

static enum result apply_migration(struct ctl *ctl, struct migration_lease *lease,
				   const struct migration *migration)
{
	enum result result = migration_lease_check(lease, &ctl->error);
	return result == OK ? migration_apply(ctl->db, &ctl->arena, migration,
					      ctl->config.collation, clock_now(), &ctl->error)
			    : result;
}

/* Applies the migrations. If `lease` is NULL, only shows them. */
static int apply_all(struct ctl *ctl, const struct migration_list *list,
		     struct migration_lease *lease, enum migrate_manner manner)
{
	size_t applied = 0;
	bool is_dry_run = manner == MIGRATE_DRY_RUN;
	for (size_t i = 0; i < list->count; i++) {
		const struct migration *migration = &list->rows[i];
		if (migration->state == MIGRATION_APPLIED)
			continue;
		const char *obstacle = migration_obstacle(&ctl->arena, migration);
		if (obstacle)
			return ctl_fail(ctl, E_FAILED, "%s", obstacle);
		applied++;
		if (is_dry_run) {
			if (!ctl->is_json)
				printf("-- %s\n%s;\n\n", migration->name,
				       migration_text(&ctl->arena, migration,
						      ctl->config.collation));
			continue;
		}
		if (!ctl->is_json && manner == MIGRATE_ALOUD)
			printf("%s\n", migration->name);
		enum result result = apply_migration(ctl, lease, migration);
		if (result != OK)
			return ctl_fail(ctl, result, "%s", migration->name);
	}
	/* The tables may come from an older dump, while the disks of web machines have pages with
	 * higher revisions. A new epoch makes these pages invalid. */
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

enum { WAIT_S = 30, WAIT_MAX_S = 86400, TRY_EVERY_MS = 250 };

/* Takes the lease. If another process has it, waits for up to `wait_s` seconds. */
static enum result take_lease(struct ctl *ctl, struct migration_lease *lease,
			      const struct db_login *login, int64_t wait_s)
{
	int64_t until_ms = clock_ms() + 1000 * wait_s;
	bool is_told = ctl->is_json;
	for (;;) {
		enum result result =
			migration_lease_take(lease, ctl->db, login, &ctl->arena, &ctl->error);
		if (result != E_CONFLICT || clock_ms() >= until_ms)
			return result;
		if (!is_told)
			fprintf(stderr, "Waiting: %s.\n", error_text(&ctl->error));
		is_told = true;
		ctl->error = (struct error){ 0 };
		usleep(TRY_EVERY_MS * 1000);
	}
}

static int apply_leased(struct ctl *ctl, enum migrate_manner manner, int64_t wait_s)
{
	struct migration_list list;
	struct migration_lease lease;
	struct db_login login = db_login_of(&ctl->config, true);
	enum result result = take_lease(ctl, &lease, &login, wait_s);
	if (result != OK)
		return ctl_fail(ctl, result, "the lease for migrating cannot be taken");
	int status = read_list(ctl, &list);
	if (status == CTL_OK)
		status = apply_all(ctl, &list, &lease, manner);
	migration_lease_release(&lease);
	return status;
}

int ctl_migrate(struct ctl *ctl)
{
	return apply_leased(ctl, MIGRATE_QUIETLY, WAIT_S);
}

static int show_dry_run(struct ctl *ctl)
{
	struct migration_list list;
	int status = read_list(ctl, &list);
	return status == CTL_OK ? apply_all(ctl, &list, NULL, MIGRATE_DRY_RUN) : status;
}

static int print_file(struct ctl *ctl)
{
	printf("-- The tables of Daymark %s, for an empty database of MySQL or MariaDB.\n"
	       "-- Another collation: set it in daymark.conf and run `daymarkctl migrate --sql`, "
	       "or\n"
	       "-- replace %s in this file.\n",
	       PACKAGE_VERSION, ctl->config.collation);
	migration_print_all(stdout, &ctl->arena, ctl->config.collation);
	return CTL_OK;
}

static int migrate_run(struct ctl *ctl)
{
	struct migration_list list;
	const char *wait = ctl_option(ctl, "wait");
	int64_t wait_s = WAIT_S;
	bool is_status = ctl_option(ctl, "status") != NULL;
	bool is_dry_run = ctl_option(ctl, "dry-run") != NULL;
	bool is_file = ctl_option(ctl, "sql") != NULL;
	if (is_status + is_dry_run + is_file > 1)
		return ctl_usage(ctl, "use only one of --status, --dry-run and --sql");
	if (wait && (!str_to_int64(str_from(wait), &wait_s) || wait_s < 0 || wait_s > WAIT_MAX_S))
		return ctl_usage(ctl, "--wait must be a number of seconds of at most %d",
				 WAIT_MAX_S);
	if (is_file)
		return print_file(ctl);
	if (is_dry_run)
		return show_dry_run(ctl);
	if (!is_status)
		return apply_leased(ctl, MIGRATE_ALOUD, wait_s);
	int status = read_list(ctl, &list);
	return status == CTL_OK ? show_status(ctl, &list) : status;
}

const struct ctl_command migrate_command = {
	.words = "migrate",
	.summary = "Update the database's tables",
	.is_migrating = true,
	.is_patient = true,
	.run = migrate_run,
	.options = {
		{ "status", NULL, "list the migrations; exit status 6 if any is not applied" },
		{ "dry-run", NULL, "print the statements without running them" },
		{ "wait", "SECONDS", "wait that long while another process migrates; default: 30" },
		{ "sql", NULL, "print all tables as one file; does not connect to a database" },
	},
};
