/* The common parts of all commands of daymarkctl: the table of commands, the options, and the
 * output for people and for programs. */
#ifndef CTL_CTL_H
#define CTL_CTL_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/config/config.h"
#include "base/error.h"
#include "db/db.h"
#include "publish/publish.h"
#include "service/resource/resource.h"
#include "service/service.h"

struct json_object;

/* Exit statuses, as daymarkctl(1) documents them. */
enum ctl_exit {
	CTL_OK = 0,
	CTL_FAILED = 1,
	CTL_USAGE = 2,	      /* wrong options, or an invalid value */
	CTL_NOT_FOUND = 3,    /* the object does not exist */
	CTL_CONFLICT = 4,     /* the object already exists */
	CTL_DECLINED = 5,     /* not confirmed */
	CTL_PENDING = 6,      /* not up to date (migrate --status, recount --check) */
	CTL_UNAVAILABLE = 69, /* the database cannot be reached (EX_UNAVAILABLE) */
};

struct ctl_option {
	const char *name;
	/* Name of the value in --help; NULL for a flag. "[=NAME]": the value may be left out. */
	const char *value;
	const char *help;
	const char *field;	 /* this option replaces the form's option for `field` */
	const struct field *row; /* the field, if the form has made the option */
	bool is_off;		 /* the option sets a boolean to false */
};
struct ctl_options {
	struct ctl_option *rows;
	size_t count;
};

enum { CTL_OPTIONS_MAX = 8, CTL_ARGS_MAX = 4 };

struct ctl;

struct ctl_command {
	const char *words;     /* "monitor add"; the first word is the command's group */
	const char *arguments; /* "NAME", "ID NAME", "NAME [URL]"; NULL: none */
	const char *summary;
	bool is_migrating;	/* logs in as the database user that may change tables */
	bool waits_for_mirrors; /* after run(), waits for the mirrors if --wait is given */
	bool is_patient;	/* statements may take long, since their time grows with the data */
	bool is_bare;		/* needs neither the configuration nor the database */
	bool is_on_mirror;	/* works also on a mirror, which has no database */
	int (*run)(struct ctl *ctl);
	const struct ctl_list *list; /* the list that ctl_list() prints */
	/* Each field of the form becomes an argument, such as NAME, or an option. */
	const struct fields *form;
	bool has_only_arguments; /* the form makes arguments, but no options */
	/* The field for which the form makes no option, because the operation refuses it; NULL:
	 * none. */
	const char *without;
	struct ctl_option options[CTL_OPTIONS_MAX]; /* the options besides those of the form */
	void (*print_more)(FILE *out); /* prints more help below the options; or NULL */
};

struct ctl {
	struct arena arena;
	struct config config;
	struct site site; /* the host names of the installation, from the configuration */
	const char *config_path;
	struct db *db;
	bool is_json;
	bool is_yes; /* do not ask for confirmation */
	/* If root runs daymarkctl, it works as this user (ctl/owner.h). 0: works as the caller. */
	uid_t owner_uid;
	gid_t owner_gid;
	const struct ctl_command *command;
	const char *arguments[CTL_ARGS_MAX];
	struct ctl_options options;
	const char **values; /* the value of each option; NULL: not given; "" for a flag */
	struct violations violations;
	struct error error;
};

/* All commands, in the order of the help. */
/* clang-format off */
#define CTL_COMMANDS(ROW) \
	ROW(migrate) ROW(check_config) ROW(doctor) ROW(publish) ROW(work) \
	ROW(mirror_status) ROW(mirror_push) ROW(mirror_take_over) ROW(backup) \
	ROW(restore) ROW(apply) ROW(export) ROW(account_add) ROW(account_list) \
	ROW(account_set) ROW(account_remove) ROW(key_create) ROW(key_list) ROW(key_revoke) \
	ROW(user_add) ROW(user_list) ROW(user_reset) ROW(user_disable) ROW(user_delete) \
	ROW(monitor_add) ROW(monitor_list) ROW(monitor_rename) ROW(monitor_remove) \
	ROW(monitor_label) ROW(monitor_set) ROW(monitor_check) ROW(maintenance_add) \
	ROW(maintenance_list) ROW(maintenance_show) ROW(maintenance_set) \
	ROW(maintenance_update) ROW(maintenance_complete) ROW(maintenance_cancel) \
	ROW(maintenance_delete) ROW(incident_open) ROW(incident_report) \
	ROW(incident_update) ROW(incident_edit) ROW(incident_withdraw) \
	ROW(incident_resolve) ROW(incident_delete) ROW(incident_list) \
	ROW(incident_show) ROW(incident_import) ROW(incident_recount) ROW(page_link) \
	ROW(page_links) ROW(page_withdraw_link) ROW(page_report) \
	ROW(domain_list) ROW(domain_check) \
	ROW(alert_channel_add) ROW(alert_channel_list) ROW(alert_channel_set) \
	ROW(alert_channel_remove) ROW(alert_channel_test) ROW(delivery_list) \
	ROW(delivery_retry) ROW(deliver) ROW(subscriber_list) ROW(subscriber_add) \
	ROW(subscriber_remove) ROW(subscriber_import) ROW(subscriber_export) ROW(bounce) \
	ROW(audit) ROW(mirror_key)
/* clang-format on */
#define CTL_COMMAND_DECLARED(name) extern const struct ctl_command name##_command;
CTL_COMMANDS(CTL_COMMAND_DECLARED)

/* Runs the program; returns its exit status. */
int ctl_main(int argc, char **argv);

extern const struct ctl_command *const ctl_commands[];
extern const size_t ctl_command_count;
/* Returns whether the command's first word is `group`. */
bool ctl_is_in_group(const struct ctl_command *command, const char *group);
bool ctl_has_group(const char *group);
/* Prints the commands of the group; NULL: of all groups. */
void ctl_print_overview(const char *group, FILE *out);
void ctl_print_help(const struct ctl_command *command, FILE *out);

/*
 * Prints `text` beside `left`, in the right column of the help, in lines of at most 79 characters.
 */
void ctl_print_beside(const char *left, const char *text, FILE *out);

/* Returns the options of the command: first the options that its form makes, then the options of
 * its own table. The arena owns them. */
struct ctl_options ctl_options_of(const struct ctl_command *command, struct arena *arena);
/* Returns the value of the option; NULL if it was not given. */
const char *ctl_option(const struct ctl *ctl, const char *name);
/*
 * Reads the arguments and options for the form's fields into `input`, the struct that the form
 * describes. Adds the fields that were given to *sent. Does not check texts, since the operation
 * does. Returns CTL_OK, or the exit status.
 */
int ctl_read_form(struct ctl *ctl, struct fields form, void *input, struct field_set *sent);
/* Calls ctl_read_form() with the command's form. Fails if no field was given. */
int ctl_read_change(struct ctl *ctl, void *input, struct field_set *sent);
/* Calls ctl_read_form() with the command's form. Accepts that no field was given. *account_id: the
 * account of the new object. */
int ctl_read_new(struct ctl *ctl, void *input, struct field_set *sent, int64_t *account_id);
/* Returns the name of the argument or option for a field, such as NAME or --label; NULL: none. */
const char *ctl_word_of(const struct ctl *ctl, const char *field, struct arena *arena);

/*
 * Prints an error on standard error, with --json also as JSON on standard output. With E_INVALID,
 * prints the first of ctl->violations, with the name of its argument or option. Returns the exit
 * status.
 */
int ctl_fail(const struct ctl *ctl, enum result result, const char *format, ...) PRINTF_LIKE(3, 4);
/* Prints an error about the object `who`: "there is no monitor 99; see `daymarkctl monitor list`".
 * Returns the exit status. */
int ctl_fail_find(const struct ctl *ctl, enum result result, const char *kind, const char *who);
/* Prints that a value is invalid. `format` names the option or argument. Returns CTL_USAGE. */
int ctl_usage(const struct ctl *ctl, const char *format, ...) PRINTF_LIKE(2, 3);

/*
 * Rewrites "The name field must be text." to "WORD must be text", where WORD is `word`. If `word`
 * is NULL, only removes the full stop.
 */
const char *ctl_violation(struct arena *arena, const struct violation *violation, const char *word);

/* Asks for confirmation on the terminal, unless --yes. Returns false, with a message, if the user
 * does not confirm. */
bool ctl_confirm(const struct ctl *ctl, const char *format, ...) PRINTF_LIKE(2, 3);

/* Reads a positive id. Returns false for any other text. */
bool ctl_id(const char *text, int64_t *id);
/* Reads the first argument as an id of an object of the command's group. `kind` names the object in
 * the error message, such as "a monitor". Returns CTL_OK, or the exit status. */
int ctl_read_id(const struct ctl *ctl, const char *kind, int64_t *id);
/* Reads "90d", "12h", "30m" as seconds. Returns false for other text, and for more than 100
 * years. */
bool ctl_duration(const char *text, int64_t *seconds);
/* Returns the trimmed text; NULL unless it is valid UTF-8 of 1 to max_chars characters. */
const char *ctl_text(struct ctl *ctl, const char *text, size_t max_chars);

/*
 * Print text that may come from clients, files or the database. base/printable.h escapes it for the
 * terminal. ctl_line() adds a newline.
 */
void ctl_vprint(FILE *out, const char *format, va_list args) PRINTF_LIKE(2, 0);
void ctl_line(FILE *out, const char *format, ...) PRINTF_LIKE(2, 3);

/* Prints the tree and frees it. */
void ctl_print_json(struct json_object *tree);

/* Rows of text in aligned columns; the first row is the header. */
struct ctl_table {
	struct arena *arena;
	size_t columns;
	const char **cells; /* row after row */
	size_t count;
	size_t room;
};
void ctl_table_cell(struct ctl_table *table, const char *format, ...) PRINTF_LIKE(2, 3);
void ctl_table_print(const struct ctl_table *table);

/* A column of a list. It shows the field named `field`, or the text that text() returns for a
 * row. */
struct ctl_column {
	const char *head;
	const char *field;
	const char *(*text)(struct arena *arena, const void *row);
};
/* A list that is printed as a table or as JSON: start it, add the rows, end it. In the last row of
 * `columns`, `head` is NULL. */
struct ctl_listing {
	struct ctl *ctl;
	const struct ctl_column *columns;
	struct json_object *array;
	struct ctl_table table;
};
void ctl_listing_start(struct ctl_listing *listing, struct ctl *ctl,
		       const struct ctl_column *columns);
/* Adds a row. Returns the JSON object for the row, which the listing frees. */
struct json_object *ctl_listing_row(struct ctl_listing *listing, struct fields fields,
				    const void *row);
/* If result is OK, prints the list, otherwise prints that `what` cannot be read. Returns the exit
 * status. */
int ctl_listing_end(struct ctl_listing *listing, enum result result, const char *what);

/* A list that the command reads in parts, ordered by id. */
struct ctl_list {
	const char *what; /* "monitors" */
	const struct ctl_column *columns;
	const struct fields *fields; /* fields of a row for --json; must contain `id` */
	/* The kind of the objects to list. Lists the objects of all accounts, or of the account
	 * that the option "account" names. */
	const struct resource *resource;
	/* If `resource` is NULL: reads the next rows with ids above `after_id`. */
	enum result (*read)(struct ctl *ctl, int64_t after_id, struct resource_rows *rows);
};
/* Prints the list of the command. Returns the exit status. */
int ctl_list(struct ctl *ctl);

/* With --json prints `tree`, otherwise the sentence. Frees `tree`. */
void ctl_say(const struct ctl *ctl, struct json_object *tree, const char *format, ...)
	PRINTF_LIKE(3, 4);

/* Formats a time; "-" for a time of 0. */
const char *ctl_time(struct arena *arena, struct instant at);
/* Returns a number with a noun, such as "1 page" or "2 pages". The plural takes an s. */
const char *ctl_count(struct arena *arena, int64_t count, const char *noun);

/* Applies all pending migrations; returns the exit status. */
int ctl_migrate(struct ctl *ctl);

/* Returns the context for the operations of service/, with the operator as principal. */
struct service ctl_service(struct ctl *ctl);
/* Finds an object by its id, in any account: see resource_find(). */
enum result ctl_find(struct ctl *ctl, const struct resource *resource, int64_t id, void *row)
	MUST_USE;
/* Reads the next objects with ids above `after_id`: see resource_list_after(). */
enum result ctl_read_after(struct ctl *ctl, const struct resource *resource, int64_t account_id,
			   int64_t after_id, struct resource_rows *rows) MUST_USE;
/* Call it after a successful operation. Returns CTL_OK if the changed pages are published,
 * otherwise an exit status. */
int ctl_published(struct ctl *ctl, const struct service *service);
/*
 * Call it after an operation on the object that the first argument of the command names. If
 * `result` is OK, does the same as ctl_published(). Otherwise reports the failure, and returns its
 * exit status.
 */
int ctl_finish(struct ctl *ctl, const struct service *service, enum result result,
	       const char *kind);
/* Returns {"id": 7, "deleted": true} for the id 7 and `what` "deleted". */
struct json_object *ctl_done_tree(int64_t id, const char *what);
/* Returns a publisher that a command uses to publish its changes. */
struct publisher ctl_publisher(struct ctl *ctl);
/* Publishes the pages with unpublished changes; returns the exit status. */
int ctl_publish_due(struct ctl *ctl);

#define CTL_ACCOUNT_OPTION \
	{ \
		"account", "ACCOUNT", "The account, by id or name; needed if there are several." \
	}
/* Finds the account that --account names, or the only account. Returns CTL_OK, or the exit
 * status. */
int ctl_account(struct ctl *ctl, int64_t *account_id);

#endif
