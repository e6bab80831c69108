/*
 * What every daymarkctl command has: its entry in the table, its options, and
 * how it talks to people and to programs.
 */
#ifndef CTL_CTL_H
#define CTL_CTL_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/config.h"
#include "base/error.h"
#include "db/db.h"
#include "publish/publish.h"
#include "service/service.h"

struct json_object;

/* Exit statuses, as daymarkctl(1) documents them. */
enum ctl_exit {
	CTL_OK = 0,
	CTL_FAILED = 1,
	CTL_USAGE = 2,	      /* wrong options, or a value that is not allowed */
	CTL_NOT_FOUND = 3,    /* no such account, key, monitor */
	CTL_CONFLICT = 4,     /* it exists already */
	CTL_DECLINED = 5,     /* asked, and not confirmed */
	CTL_PENDING = 6,      /* something is still to be done (migrate --status) */
	CTL_UNAVAILABLE = 69, /* the database cannot be reached (EX_UNAVAILABLE) */
};

struct ctl_option {
	const char *name;
	const char *value; /* what --help calls its value; NULL for a flag */
	const char *help;
};

enum { CTL_OPTIONS_MAX = 8, CTL_ARGS_MAX = 4 };

struct ctl;

struct ctl_command {
	const char *group;
	const char *action;    /* NULL: the group is the whole command */
	const char *arguments; /* for --help: "NAME", "ID NAME" */
	int arguments_count;
	const char *summary;
	bool is_migrating; /* it logs in as the user that may change tables */
	bool is_patient;   /* a statement may take long: it grows with what is stored */
	int (*run)(struct ctl *ctl);
	struct ctl_option options[CTL_OPTIONS_MAX]; /* ends with a name of NULL */
};

struct ctl {
	struct arena arena;
	struct config config;
	struct site site; /* by the configuration */
	const char *config_path;
	struct db *db;
	bool is_json;
	bool is_yes;	 /* do not ask */
	uid_t owner_uid; /* whom root works as, see ctl/owner.h; 0: as the caller */
	gid_t owner_gid;
	const struct ctl_command *command;
	const char *arguments[CTL_ARGS_MAX];
	const char *values[CTL_OPTIONS_MAX]; /* by option; NULL: not given; "" for a flag */
	struct violations violations;
	struct error error;
};

extern const struct ctl_command account_add_command, account_list_command, account_remove_command;
extern const struct ctl_command key_create_command, key_list_command, key_revoke_command;
extern const struct ctl_command monitor_add_command, monitor_list_command, monitor_rename_command,
	monitor_remove_command;
extern const struct ctl_command monitor_label_command, page_link_command;
extern const struct ctl_command domain_list_command, domain_check_command;
extern const struct ctl_command incident_open_command, incident_resolve_command,
	incident_list_command, incident_show_command, incident_import_command,
	incident_recount_command;
extern const struct ctl_command migrate_command, check_config_command, publish_command;
extern const struct ctl_command backup_command, restore_command, audit_command;

/* Runs the program; its exit status. */
int ctl_main(int argc, char **argv);

/* All commands, in the order of the help. */
extern const struct ctl_command *const ctl_commands[];
extern const size_t ctl_command_count;
enum { CTL_WORDS_SIZE = 64 };
/* " monitor add"; "" for no command. */
const char *ctl_command_words(const struct ctl_command *command, char words[CTL_WORDS_SIZE]);
bool ctl_has_group(const char *group);
/* The commands of a group, or of all groups for NULL. */
void ctl_print_overview(const char *group, FILE *out);
void ctl_print_help(const struct ctl_command *command, FILE *out);

/* The value of the command's option of that name; NULL when it was not given. */
const char *ctl_option(const struct ctl *ctl, const char *name);

/* Prints what went wrong on standard error (as JSON on standard output with --json). */
int ctl_fail(const struct ctl *ctl, enum result result, const char *format, ...) PRINTF_LIKE(3, 4);
/* For a look-up of what the user named: "there is no monitor 99; see `daymarkctl monitor list`". */
int ctl_fail_find(const struct ctl *ctl, enum result result, const char *kind, const char *who);
/* A wrong value: names the option or argument. */
int ctl_usage(const struct ctl *ctl, const char *format, ...) PRINTF_LIKE(2, 3);

/* Asks on the terminal unless --yes; false, with a word of why, when it is declined. */
bool ctl_confirm(const struct ctl *ctl, const char *format, ...) PRINTF_LIKE(2, 3);

/* A positive id from an argument. */
bool ctl_id(const char *text, int64_t *id);
/* "90d", "12h", "30m" in seconds. False for anything else, and for more than 100 years. */
bool ctl_duration(const char *text, int64_t *seconds);
/* Trimmed text of 1 to max_chars characters; NULL when it is not. */
const char *ctl_text(struct ctl *ctl, const char *text, size_t max_chars);

/*
 * Print to a terminal: what a client, a file or the database gave may stand in the
 * arguments, and is made safe by base/printable.h. ctl_line() adds a newline.
 */
void ctl_vprint(FILE *out, const char *format, va_list args) PRINTF_LIKE(2, 0);
void ctl_line(FILE *out, const char *format, ...) PRINTF_LIKE(2, 3);

/* Prints the tree and frees it. */
void ctl_print_json(struct json_object *tree);

/* Rows of text in aligned columns; the first is the head. */
struct ctl_table {
	struct arena *arena;
	size_t columns;
	const char **cells; /* row after row */
	size_t count;
	size_t room;
};
void ctl_table_cell(struct ctl_table *table, const char *format, ...) PRINTF_LIKE(2, 3);
void ctl_table_print(const struct ctl_table *table);
/*
 * A list for people or for programs: give the head, then for each row its
 * struct and its cells, then end it.
 */
struct ctl_listing {
	struct ctl *ctl;
	struct json_object *array;
	struct ctl_table table;
};
void ctl_listing_start(struct ctl_listing *listing, struct ctl *ctl, const char *const *head,
		       size_t columns);
void ctl_listing_row(struct ctl_listing *listing, struct fields fields, const void *row);
/* Prints it; or on another result than OK says that `what` cannot be read. The exit status. */
int ctl_listing_end(struct ctl_listing *listing, enum result result, const char *what);

/* Prints the tree with --json, and frees it; else prints the sentence. */
void ctl_say(const struct ctl *ctl, struct json_object *tree, const char *format, ...)
	PRINTF_LIKE(3, 4);

/* A time for people; "-" for none. */
const char *ctl_time(struct arena *arena, struct instant at);

/* Applies what is not applied of the migrations; the exit status. */
int ctl_migrate(struct ctl *ctl);

/* For an operation of service/, on behalf of the operator. */
struct service ctl_service(struct ctl *ctl);
/* Behind an operation: CTL_OK, or the exit status if not all pages are published. */
int ctl_published(struct ctl *ctl, const struct service *service);
/* For publishing what a command has changed. */
struct publisher ctl_publisher(struct ctl *ctl);
/* Publishes the pages that show the monitor, or with 0 all that are due; the exit status. */
int ctl_publish(struct ctl *ctl, int64_t monitor_id);

/*
 * Looks again at the proofs of domains that are due, for some seconds at most, and
 * publishes the pages that are seen at their domain again, or not any more. Warnings go to
 * standard error.
 */
enum result ctl_recheck_domains(struct ctl *ctl);

/* The account that --account names, or the only one there is. */
struct account;
int ctl_account(struct ctl *ctl, struct account *account);

#endif
