#include "ctl/ctl.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/secret.h"
#include "base/str.h"
#include "store/account.h"
#include "wire/json.h"

static const struct ctl_command *const commands[] = {
	&migrate_command,      &check_config_command,	&publish_command,
	&backup_command,       &restore_command,
	&account_add_command,  &account_list_command,	&account_remove_command,
	&key_create_command,   &key_list_command,	&key_revoke_command,
	&monitor_add_command,  &monitor_list_command,	&monitor_rename_command,
	&monitor_remove_command, &monitor_label_command,
	&incident_open_command, &incident_resolve_command, &incident_list_command,
	&incident_show_command, &incident_import_command, &incident_recount_command,
	&page_link_command,
};

enum { ARENA_MAX_BYTES = 256 << 20 };

/* Options of every command; getopt_long() gives these numbers, and a command's own from OWN. */
enum { OPTION_HELP = 1, OPTION_VERSION, OPTION_CONFIG, OPTION_JSON, OPTION_YES, OPTION_OWN };

static const struct option common_options[] = {
	{ "help", no_argument, NULL, OPTION_HELP },
	{ "version", no_argument, NULL, OPTION_VERSION },
	{ "config", required_argument, NULL, OPTION_CONFIG },
	{ "json", no_argument, NULL, OPTION_JSON },
	{ "yes", no_argument, NULL, OPTION_YES },
};

static const char *command_name(const struct ctl_command *command, char name[64])
{
	snprintf(name, 64, "%s%s%s", command->group, command->action ? " " : "",
		 command->action ? command->action : "");
	return name;
}

static void print_overview(FILE *out)
{
	char name[64];
	fputs("Usage: daymarkctl COMMAND [OPTION]... [ARGUMENT]...\n\n", out);
	for (size_t i = 0; i < ARRAY_LEN(commands); i++)
		fprintf(out, "  %-18s %s\n", command_name(commands[i], name), commands[i]->summary);
	fputs("\nOptions of every command:\n"
	      "  --config FILE    the configuration (else $DAYMARK_CONF, else daymark.conf beside\n"
	      "                   the program, else " SYSCONFDIR "/daymark/daymark.conf)\n"
	      "  --json           output for programs\n"
	      "  --yes            do not ask before removing\n"
	      "  --help           of the program, or of the command before it\n"
	      "  --version\n\n"
	      "See daymarkctl(1) for exit statuses and examples.\n",
	      out);
}

static void print_help(const struct ctl_command *command, FILE *out)
{
	char name[64];
	fprintf(out, "Usage: daymarkctl %s [OPTION]...%s%s\n\n%s.\n", command_name(command, name),
		command->arguments ? " " : "", command->arguments ? command->arguments : "",
		command->summary);
	for (const struct ctl_option *option = command->options; option->name; option++) {
		char left[64];
		snprintf(left, sizeof(left), "--%s%s%s", option->name, option->value ? " " : "",
			 option->value ? option->value : "");
		fprintf(out, "%s  %-22s %s\n", option == command->options ? "\n" : "", left,
			option->help);
	}
	fputs("\nAlso --config FILE, --json, --yes; see `daymarkctl --help`.\n", out);
}

static int complain(const char *format, ...) PRINTF_LIKE(1, 2);
static int complain(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	fputs("daymarkctl: ", stderr);
	ctl_vprint(stderr, format, args);
	fputs("\nTry `daymarkctl --help`.\n", stderr);
	va_end(args);
	return CTL_USAGE;
}

/* The command that the words name; *words is how many of them did. */
static const struct ctl_command *find_command(char **words, int count, int *used)
{
	for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
		const struct ctl_command *command = commands[i];
		int wanted = command->action ? 2 : 1;
		if (count < wanted || strcmp(words[0], command->group) != 0 ||
		    (command->action && strcmp(words[1], command->action) != 0))
			continue;
		*used = wanted;
		return command;
	}
	return NULL;
}

/* The words before the first option that are no option themselves name the command. */
static int leading_words(int argc, char **argv)
{
	int count = 0;
	while (1 + count < argc && argv[1 + count][0] != '-' && count < 2)
		count++;
	return count;
}

static void all_options(const struct ctl_command *command, struct option *options)
{
	size_t count = ARRAY_LEN(common_options);
	memcpy(options, common_options, sizeof(common_options));
	for (int i = 0; command && command->options[i].name; i++)
		options[count++] = (struct option){
			command->options[i].name,
			command->options[i].value ? required_argument : no_argument,
			NULL,
			OPTION_OWN + i,
		};
	options[count] = (struct option){ 0 };
}

/* Takes the options. -1: go on; else the program's exit status. */
static int read_options(struct ctl *ctl, int argc, char **argv)
{
	struct option options[ARRAY_LEN(common_options) + CTL_OPTIONS_MAX + 1];
	int chosen;
	all_options(ctl->command, options);
	while ((chosen = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (chosen) {
		case OPTION_HELP:
			if (ctl->command)
				print_help(ctl->command, stdout);
			else
				print_overview(stdout);
			return CTL_OK;
		case OPTION_VERSION:
			puts("daymarkctl " PACKAGE_VERSION);
			return CTL_OK;
		case OPTION_CONFIG:
			ctl->config_path = optarg;
			break;
		case OPTION_JSON:
			ctl->is_json = true;
			break;
		case OPTION_YES:
			ctl->is_yes = true;
			break;
		case '?':
			fputs("Try `daymarkctl --help`.\n", stderr);
			return CTL_USAGE;
		default:
			ctl->values[chosen - OPTION_OWN] = optarg ? optarg : "";
		}
	}
	return -1;
}

static int read_arguments(struct ctl *ctl, int argc, char **argv)
{
	char name[64];
	int count = argc - optind;
	if (count != ctl->command->arguments_count)
		return complain("%s takes %s", command_name(ctl->command, name),
				ctl->command->arguments ? ctl->command->arguments : "no arguments");
	for (int i = 0; i < count; i++)
		ctl->arguments[i] = argv[optind + i];
	return -1;
}

static int run_command(struct ctl *ctl)
{
	ctl->config_path = config_path(ctl->config_path);
	enum result result = config_load(&ctl->config, ctl->config_path, &ctl->arena,
					 &ctl->error);
	if (result != OK)
		return ctl_fail(ctl, result, "the configuration cannot be used");
	struct db_login login = db_login_of(&ctl->config, ctl->command->is_migrating);
	ctl->db = db_new(&login);
	int status = ctl->command->run(ctl);
	db_free(ctl->db);
	return status;
}

int ctl_main(int argc, char **argv)
{
	struct ctl ctl = { 0 };
	int used = 0;
	int words = leading_words(argc, argv);
	secret_init();
	ctl.command = find_command(argv + 1, words, &used);
	if (!ctl.command && words > 0)
		return complain("there is no command %s%s%s", argv[1], words > 1 ? " " : "",
				words > 1 ? argv[2] : "");
	int status = read_options(&ctl, argc - used, argv + used);
	if (status < 0 && !ctl.command) {
		print_overview(stderr);
		status = CTL_USAGE;
	}
	if (status < 0)
		status = read_arguments(&ctl, argc - used, argv + used);
	if (status >= 0)
		return status;
	arena_init(&ctl.arena, ARENA_MAX_BYTES);
	status = run_command(&ctl);
	arena_done(&ctl.arena);
	return fflush(stdout) == 0 ? status : CTL_FAILED;
}

const char *ctl_option(const struct ctl *ctl, const char *name)
{
	for (int i = 0; ctl->command->options[i].name; i++)
		if (strcmp(ctl->command->options[i].name, name) == 0)
			return ctl->values[i];
	die("ctl: %s has no option %s", ctl->command->group, name);
}

static int exit_status(enum result result)
{
	switch (result) {
	case OK:
		return CTL_OK;
	case E_INVALID:
		return CTL_USAGE;
	case E_MISSING:
		return CTL_MISSING;
	case E_TAKEN:
		return CTL_TAKEN;
	case E_UNAVAILABLE:
	case E_RETRY:
		return CTL_UNAVAILABLE;
	default:
		return CTL_FAILED;
	}
}

static void say(const struct ctl *ctl, int status, const char *message, const char *detail)
{
	if (ctl->is_json) {
		struct json_object *tree = json_object_tree();
		json_put_text(tree, "error", message);
		json_put_text(tree, "detail", *detail ? detail : NULL);
		json_put_int(tree, "exit_status", status);
		ctl_print_json(tree);
	}
	ctl_line(stderr, "daymarkctl: %s%s%s", message, *detail ? ": " : "", detail);
}

int ctl_fail(const struct ctl *ctl, enum result result, const char *format, ...)
{
	char message[512];
	va_list args;
	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	bool has_detail = ctl->error.client[0] || ctl->error.log[0];
	int status = exit_status(result);
	say(ctl, status, message, has_detail ? error_text(&ctl->error) : "");
	return status;
}

int ctl_usage(const struct ctl *ctl, const char *format, ...)
{
	char message[512];
	va_list args;
	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	say(ctl, CTL_USAGE, message, "");
	return CTL_USAGE;
}

bool ctl_confirm(const struct ctl *ctl, const char *format, ...)
{
	char answer[16];
	va_list args;
	if (ctl->is_yes)
		return true;
	va_start(args, format);
	ctl_vprint(stderr, format, args);
	va_end(args);
	if (!isatty(STDIN_FILENO)) {
		fputs("\ndaymarkctl: nobody can be asked here; say --yes if that is meant\n", stderr);
		return false;
	}
	fputs(" Type yes to go on: ", stderr);
	if (fgets(answer, sizeof(answer), stdin) && strcmp(answer, "yes\n") == 0)
		return true;
	fputs("daymarkctl: nothing was changed\n", stderr);
	return false;
}

bool ctl_id(const char *text, int64_t *id)
{
	return str_to_int64(str_from(text), id) && *id > 0;
}

bool ctl_duration(const char *text, int64_t *seconds)
{
	static const struct {
		char unit;
		int64_t seconds;
	} units[] = { { 'm', 60 }, { 'h', 3600 }, { 'd', 86400 } };
	struct str digits = str_from(text);
	if (digits.len < 2)
		return false;
	digits.len--;
	for (size_t i = 0; i < ARRAY_LEN(units); i++) {
		int64_t count;
		if (text[digits.len] != units[i].unit || !str_to_int64(digits, &count) || count < 1)
			continue;
		*seconds = count * units[i].seconds;
		return count <= INT64_C(100) * 366 * 86400 / units[i].seconds;
	}
	return false;
}

const char *ctl_text(struct ctl *ctl, const char *text, size_t max_chars)
{
	struct str trimmed = str_from(text);
	if (!str_is_text(trimmed))
		return NULL;
	trimmed = str_trim(trimmed);
	if (trimmed.len == 0 || str_chars(trimmed) > max_chars)
		return NULL;
	return arena_strndup(&ctl->arena, trimmed.data, trimmed.len);
}

int ctl_account(struct ctl *ctl, struct account *account)
{
	const char *who = ctl_option(ctl, "account");
	struct account_list list;
	enum result result;
	if (who) {
		result = account_find(ctl->db, who, &ctl->arena, account, &ctl->error);
		return result == OK ? CTL_OK : ctl_fail(ctl, result, "account %s", who);
	}
	result = account_list(ctl->db, 0, &ctl->arena, &list, &ctl->error);
	if (result != OK)
		return ctl_fail(ctl, result, "the accounts cannot be read");
	if (list.count != 1)
		return ctl_usage(ctl, list.count == 0 ? "there is no account yet; see account add"
						      : "say which with --account NAME");
	*account = list.rows[0];
	return CTL_OK;
}

struct publisher ctl_publisher(struct ctl *ctl)
{
	return (struct publisher){
		.db = ctl->db,
		.path = ctl->config.pages_dir,
		.base_url = ctl->config.base_url,
		.now = clock_now(),
		.arena = &ctl->arena,
	};
}

int ctl_publish(struct ctl *ctl, int64_t monitor_id)
{
	struct publisher publisher = ctl_publisher(ctl);
	struct publish_run run = { 0 };
	enum result result = monitor_id > 0
				     ? publish_monitor(&publisher, monitor_id, &ctl->error)
				     : publish_run(&publisher, &run, &ctl->error);
	return result == OK ? CTL_OK
			    : ctl_fail(ctl, result,
				       "the change is saved, but not all pages are published; run "
				       "`daymarkctl publish`");
}
