/* The help texts of daymarkctl. */
#include <string.h>

#include "ctl/ctl.h"

const char *ctl_command_words(const struct ctl_command *command, char words[CTL_WORDS_SIZE])
{
	const char *action = command && command->action ? command->action : NULL;
	snprintf(words, CTL_WORDS_SIZE, "%s%s%s%s", command ? " " : "",
		 command ? command->group : "", action ? " " : "", action ? action : "");
	return words;
}

bool ctl_has_group(const char *group)
{
	for (size_t i = 0; i < ctl_command_count; i++)
		if (strcmp(ctl_commands[i]->group, group) == 0)
			return true;
	return false;
}

static void print_commands(const char *group, FILE *out)
{
	char words[CTL_WORDS_SIZE];
	for (size_t i = 0; i < ctl_command_count; i++)
		if (!group || strcmp(ctl_commands[i]->group, group) == 0)
			fprintf(out, "  %-21s %s\n", ctl_command_words(ctl_commands[i], words) + 1,
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

void ctl_print_help(const struct ctl_command *command, FILE *out)
{
	char words[CTL_WORDS_SIZE];
	fprintf(out, "Usage: daymarkctl%s [OPTION]...%s%s\n\n%s.\n",
		ctl_command_words(command, words), command->arguments ? " " : "",
		command->arguments ? command->arguments : "", command->summary);
	for (const struct ctl_option *option = command->options; option->name; option++) {
		char left[64];
		const char *value = option->value ? option->value : "";
		snprintf(left, sizeof(left), "--%s%s%s", option->name,
			 value[0] && value[0] != '[' ? " " : "", value);
		fprintf(out, "%s  %-22s %s\n", option == command->options ? "\n" : "", left,
			option->help);
	}
	fputs("\nOptions of every command: --config FILE, --json, --yes; see `daymarkctl "
	      "--help`.\n",
	      out);
}
