#include "ctl/ctl.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/library.h"
#include "base/log.h"
#include "base/secret.h"
#include "base/str.h"
#include "ctl/mirrors.h"
#include "ctl/owner.h"
#include "store/account/account.h"
#include "view/words/words_file.h"
#include "wire/json.h"

#define COMMAND(name) &name##_command,
const struct ctl_command *const ctl_commands[] = { CTL_COMMANDS(COMMAND) };
const size_t ctl_command_count = ARRAY_LEN(ctl_commands);

enum { ARENA_MAX_BYTES = 256 << 20 };

/* What getopt_long() returns for the common options. For a command's own options it returns
 * OPTION_OWN and higher numbers. */
enum { OPTION_HELP = 1, OPTION_VERSION, OPTION_CONFIG, OPTION_JSON, OPTION_YES, OPTION_OWN };

static const struct option common_options[] = {
	{ "help", no_argument, NULL, OPTION_HELP },
	{ "version", no_argument, NULL, OPTION_VERSION },
	{ "config", required_argument, NULL, OPTION_CONFIG },
	{ "json", no_argument, NULL, OPTION_JSON },
	{ "yes", no_argument, NULL, OPTION_YES },
};

/* Finds the command whose name is at the start of `words`; NULL: none. *used: the number of words
 * in its name. */
static const struct ctl_command *find_command(char **words, int count, int *used)
{
	for (size_t i = 0; i < ctl_command_count; i++) {
		const struct ctl_command *command = ctl_commands[i];
		const char *second = strchr(command->words, ' ');
		*used = second ? 2 : 1;
		if (count >= *used && ctl_is_in_group(command, words[0]) &&
		    (!second || strcmp(words[1], second + 1) == 0))
			return command;
	}
	*used = 0;
	return NULL;
}

/* Returns how many words, at most 3, come before the first option. They name the command. */
static int leading_words(int argc, char **argv)
{
	int count = 0;
	while (1 + count < argc && argv[1 + count][0] != '-' && count < 3)
		count++;
	return count;
}

static int kind_of_value(const char *value)
{
	if (!value)
		return no_argument;
	return value[0] == '[' ? optional_argument : required_argument;
}

/* Returns the common options, then the options of the command. The last row is empty. */
static struct option *getopt_rows(const struct ctl_options *own, struct arena *arena)
{
	size_t count = ARRAY_LEN(common_options);
	struct option *rows = ARENA_ARRAY(arena, count + own->count + 1, struct option);
	memcpy(rows, common_options, sizeof(common_options));
	for (size_t i = 0; i < own->count; i++)
		rows[count++] = (struct option){ own->rows[i].name,
						 kind_of_value(own->rows[i].value), NULL,
						 OPTION_OWN + (int)i };
	return rows;
}

static bool has_option(int argc, char **argv, const char *option)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (strcmp(argv[i], option) == 0)
			return true;
	return false;
}

/* Returns the unknown option. If the option is "-name" with one hyphen, getopt_long() has read only
 * the letter n, and optind is still the index of "-name". */
static const char *unknown_option(char **argv)
{
	const char *next = argv[optind];
	return next && next[0] == '-' && next[1] == (char)optopt && optopt != 0 ? next
										: argv[optind - 1];
}

/* Reads the common options, and the options of ctl->command. If ctl->command is NULL, stops at the
 * first word. Returns the exit status if the program is to end, otherwise -1. */
static int read_options(struct ctl *ctl, int argc, char **argv)
{
	const char *words = ctl->command ? ctl->command->words : "", *gap = *words ? " " : "";
	int chosen;
	if (ctl->command)
		ctl->options = ctl_options_of(ctl->command, &ctl->arena);
	ctl->values = ARENA_ARRAY(&ctl->arena, ctl->options.count, const char *);
	const struct option *options = getopt_rows(&ctl->options, &ctl->arena);
	opterr = 0;
	optind = 0; /* 0 resets getopt_long() for another run with other arguments. */
	while ((chosen = getopt_long(argc, argv, ctl->command ? ":h" : "+:h", options, NULL)) !=
	       -1) {
		switch (chosen) {
		case 'h':
		case OPTION_HELP:
			if (ctl->command)
				ctl_print_help(ctl->command, stdout);
			else
				ctl_print_overview(NULL, stdout);
			return CTL_OK;
		case OPTION_VERSION:
			puts("daymarkctl " PACKAGE_VERSION);
			return CTL_OK;
		case OPTION_CONFIG:
			ctl->config_path = optarg;
			break;
		case OPTION_JSON:
			/* has_option() finds "--json", but not an abbreviation such as "--js". */
			ctl->is_json = true;
			break;
		case OPTION_YES:
			ctl->is_yes = true;
			break;
		case ':':
			return ctl_usage(ctl, "%s needs a value; try `daymarkctl%s%s --help`",
					 argv[optind - 1], gap, words);
		case '?':
			return ctl_usage(ctl, "there is no option %s; try `daymarkctl%s%s --help`",
					 unknown_option(argv), gap, words);
		default:
			ctl->values[chosen - OPTION_OWN] = optarg ? optarg : "";
		}
	}
	return -1;
}

static int read_arguments(struct ctl *ctl, int argc, char **argv)
{
	const struct ctl_command *command = ctl->command;
	struct str wanted = str_from(command->arguments), name;
	int count = argc - optind, needed = 0, most = 0;
	for (; command->arguments && str_split(&wanted, ' ', &name); most++)
		needed += name.data[0] != '[';
	if (count < needed || count > most)
		return ctl_usage(ctl, "%s takes %s; try `daymarkctl %s --help`", command->words,
				 command->arguments ? command->arguments : "no arguments",
				 command->words);
	for (int i = 0; i < count; i++)
		ctl->arguments[i] = argv[optind + i];
	return -1;
}

/* How long a command with is_patient waits for a response of the database. */
enum { PATIENCE_S = 3600 };

static int run_command(struct ctl *ctl)
{
	if (ctl->command->is_bare)
		return ctl->command->run(ctl);
	ctl->config_path = config_path(ctl->config_path);
	enum result result = config_load(&ctl->config, ctl->config_path, &ctl->arena, &ctl->error);
	if (result != OK)
		return ctl_fail(ctl, result, "the configuration cannot be used");
	if (config_is_mirror(&ctl->config) && !ctl->command->is_on_mirror)
		return ctl_usage(ctl, "this host is a mirror and has no database: run the command "
				      "on its origin");
	int status = ctl_become_owner(ctl);
	if (status == CTL_OK && words_file_load(ctl->config.words_file, &ctl->error) != OK)
		return ctl_fail(ctl, E_INVALID, "the configuration cannot be used");
	if (status == CTL_OK && ctl->command->waits_for_mirrors)
		status = ctl_wait_seconds(ctl, &(int64_t){ 0 });
	if (status != CTL_OK)
		return status;
	site_init(&ctl->site, &ctl->config, &ctl->arena);
	struct db_login login = db_login_of(&ctl->config, ctl->command->is_migrating);
	if (ctl->command->is_patient)
		login.io_timeout_s = PATIENCE_S;
	ctl->db = db_new(&login);
	status = ctl->command->run(ctl);
	if (status == CTL_OK && ctl->command->waits_for_mirrors)
		status = ctl_await_mirrors(ctl);
	db_free(ctl->db);
	return status;
}

/* Handles "help", "help monitor" and "help monitor add". */
static int help_run(struct ctl *ctl, int count, char **words)
{
	int used = 0;
	const struct ctl_command *command = find_command(words, count, &used);
	if (command)
		ctl_print_help(command, stdout);
	else if (count == 0 || (count == 1 && ctl_has_group(words[0])))
		ctl_print_overview(count > 0 ? words[0] : NULL, stdout);
	else
		return ctl_usage(ctl, "there is no command %s%s%s; try `daymarkctl help`", words[0],
				 count > 1 ? " " : "", count > 1 ? words[1] : "");
	return CTL_OK;
}

/* Handles "help", groups, and words that name no command. */
static int no_command(struct ctl *ctl, int argc, char **argv, int words)
{
	const char *first = words > 0 ? argv[1] : NULL, *second = words > 1 ? argv[2] : NULL;
	bool is_group = first && ctl_has_group(first);
	if (first && strcmp(first, "help") == 0)
		return help_run(ctl, words - 1, argv + 2);
	if (is_group && (has_option(argc, argv, "--help") || has_option(argc, argv, "-h")))
		return help_run(ctl, 1, argv + 1);
	if (second || (first && !is_group))
		return ctl_usage(ctl, "there is no command %s%s%s; try `daymarkctl help%s%s`",
				 first, second ? " " : "", second ? second : "",
				 is_group ? " " : "", is_group ? first : "");
	if (ctl->is_json)
		return ctl_usage(ctl, "a command is missing; try `daymarkctl help`");
	ctl_print_overview(first, stderr);
	return CTL_USAGE;
}

int ctl_main(int argc, char **argv)
{
	/* With --json, errors of the command line are JSON, too. */
	struct ctl ctl = { .is_json = has_option(argc, argv, "--json") };
	int used = 0;
	arena_init(&ctl.arena, ARENA_MAX_BYTES);
	library_hide_path();
	secret_init();
	int status = read_options(&ctl, argc, argv);
	argc -= optind - 1;
	argv += optind - 1;
	int words = leading_words(argc, argv);
	if (status < 0)
		ctl.command = find_command(argv + 1, words, &used);
	if (ctl.command)
		status = read_options(&ctl, argc - used, argv + used);
	if (status < 0 && !ctl.command)
		status = no_command(&ctl, argc, argv, words);
	if (status < 0)
		status = read_arguments(&ctl, argc - used, argv + used);
	if (status < 0)
		status = run_command(&ctl);
	arena_done(&ctl.arena);
	return fflush(stdout) == 0 ? status : CTL_FAILED;
}

bool ctl_id(const char *text, int64_t *id)
{
	return str_to_int64(str_from(text), id) && *id > 0;
}

int ctl_read_id(const struct ctl *ctl, const char *kind, int64_t *id)
{
	return ctl_id(ctl->arguments[0], id)
		       ? CTL_OK
		       : ctl_usage(ctl, "ID must be the id of %s; see `daymarkctl %.*s list`", kind,
				   (int)strcspn(ctl->command->words, " "), ctl->command->words);
}

bool ctl_duration(const char *text, int64_t *seconds)
{
	static const struct {
		char unit;
		int64_t seconds;
	} units[] = { { 's', 1 }, { 'm', 60 }, { 'h', 3600 }, { 'd', 86400 } };
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

int ctl_account(struct ctl *ctl, int64_t *account_id)
{
	const char *who = ctl_option(ctl, "account");
	struct account account;
	struct account_list list;
	enum result result;
	if (who) {
		result = account_find(ctl->db, who, &ctl->arena, &account, &ctl->error);
		*account_id = account.id;
		return result == OK ? CTL_OK : ctl_fail_find(ctl, result, "account", who);
	}
	result = account_list(ctl->db, 0, &ctl->arena, &list, &ctl->error);
	if (result != OK)
		return ctl_fail(ctl, result, "the accounts cannot be read");
	if (list.count != 1)
		return ctl_usage(ctl,
				 list.count == 0
					 ? "there is no account yet; see `daymarkctl account add`"
					 : "there are several accounts; choose one with --account");
	*account_id = list.rows[0].id;
	return CTL_OK;
}
