/* The help texts of daymarkctl. */
#include <string.h>

#include "base/str.h"
#include "ctl/ctl.h"

bool ctl_is_in_group(const struct ctl_command *command, const char *group)
{
	size_t len = strlen(group);
	return strncmp(command->words, group, len) == 0 &&
	       (command->words[len] == ' ' || command->words[len] == '\0');
}

bool ctl_has_group(const char *group)
{
	for (size_t i = 0; i < ctl_command_count; i++)
		if (ctl_is_in_group(ctl_commands[i], group))
			return true;
	return false;
}

static void print_commands(const char *group, FILE *out)
{
	for (size_t i = 0; i < ctl_command_count; i++)
		if (!group || ctl_is_in_group(ctl_commands[i], group))
			fprintf(out, "  %-21s %s\n", ctl_commands[i]->words,
				ctl_commands[i]->summary);
}

void ctl_print_overview(const char *group, FILE *out)
{
	fprintf(out, "Usage: daymarkctl %s%sCOMMAND [OPTION]... [ARGUMENT]...\n\n",
		group ? group : "", group ? " " : "");
	print_commands(group, out);
	if (group) {
		fprintf(out, "\nSee `daymarkctl help %s COMMAND` for the options of a command.\n",
			group);
		return;
	}
	fputs("\nOptions of every command:\n"
	      "  --config FILE    the configuration (else $DAYMARK_CONF, else daymark.conf beside\n"
	      "                   the program, else " SYSCONFDIR "/daymark/daymark.conf)\n"
	      "  --json           print JSON, also for errors\n"
	      "  --yes            do not ask for confirmation\n"
	      "  -h, --help       show the help of the program, or of the command before it\n"
	      "  --version\n\n"
	      "See daymarkctl(1) for exit statuses and examples.\n",
	      out);
}

void ctl_print_beside(const char *left, const char *text, FILE *out)
{
	enum { COLUMN = 25, WIDTH = 79 };
	int column = fprintf(out, "  %-22s", left);
	if (column >= COLUMN)
		column = fprintf(out, "\n%*s", COLUMN - 1, "") - 1;
	struct str rest = str_from(text), word;
	while (str_split(&rest, ' ', &word)) {
		int len = (int)str_chars(word);
		if (column + 1 + len > WIDTH && column >= COLUMN)
			column = fprintf(out, "\n%*s", COLUMN - 1, "") - 1;
		column += len + 1;
		fprintf(out, " %.*s", (int)word.len, word.data);
	}
	putc('\n', out);
}

/* Prints the formats of the option values, such as TIME. */
static void print_values(const struct ctl_options *options, FILE *out)
{
	static const char *const rows[][2] = {
		{ "TIME", "2026-11-20T19:58:30Z, now, or from now on 30m, 2h, 7d" },
		{ "DURATION", "30s, 30m, 2h, 7d" },
		{ "IDS", "7,8,9" },
		{ "JSON", "as in a request with a JSON body" },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		bool is_used = false;
		for (size_t j = 0; j < options->count && !is_used; j++)
			is_used = options->rows[j].row && options->rows[j].value &&
				  strcmp(options->rows[j].value, rows[i][0]) == 0;
		if (is_used)
			ctl_print_beside(rows[i][0], rows[i][1], out);
	}
}

void ctl_print_help(const struct ctl_command *command, FILE *out)
{
	char left[64];
	struct arena arena CLEANUP(arena_done);
	arena_init(&arena, 1 << 20);
	const struct ctl_options options = ctl_options_of(command, &arena);
	fprintf(out, "Usage: daymarkctl %s [OPTION]...%s%s\n\n%s.\n", command->words,
		command->arguments ? " " : "", command->arguments ? command->arguments : "",
		command->summary);
	for (size_t i = 0; i < options.count; i++) {
		const struct ctl_option *option = &options.rows[i];
		const char *value = option->value ? option->value : "";
		snprintf(left, sizeof(left), "--%s%s%s", option->name,
			 value[0] && value[0] != '[' ? " " : "", value);
		fputs(i == 0 ? "\n" : "", out);
		ctl_print_beside(left, option->help, out);
	}
	print_values(&options, out);
	if (command->print_more)
		command->print_more(out);
	fputs("\nOptions of every command: --config FILE, --json, --yes; see `daymarkctl "
	      "--help`.\n",
	      out);
}
