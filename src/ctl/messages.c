/* Error messages and confirmations of daymarkctl. */
#include <pwd.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"
#include "ctl/ctl.h"
#include "wire/json.h"

static int exit_status(enum result result)
{
	switch (result) {
	case OK:
		return CTL_OK;
	case E_INVALID:
		return CTL_USAGE;
	case E_NOT_FOUND:
		return CTL_NOT_FOUND;
	case E_CONFLICT:
		return CTL_CONFLICT;
	case E_UNAVAILABLE:
	case E_REFUSED:
	case E_RETRY:
		return CTL_UNAVAILABLE;
	default:
		return CTL_FAILED;
	}
}

/* Tells the operator to run the command as the service's user, who owns the pages folder. */
static void print_permission_hint(const struct ctl *ctl)
{
	const char *paths[] = { ctl->config.pages_dir, ctl->config_path };
	for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
		struct stat status;
		if (!paths[i] || stat(paths[i], &status) != 0 || status.st_uid == geteuid())
			continue;
		const struct passwd *owner = getpwuid(status.st_uid);
		ctl_line(stderr,
			 "daymarkctl: run this command as the service's user: "
			 "sudo -u %s daymarkctl ...",
			 owner && status.st_uid != 0 ? owner->pw_name : "daymark");
		return;
	}
}

/* Prints what to check if migrate_user cannot log in. Some hosting providers allow only one
 * database user. */
static void print_login_hint(const struct ctl *ctl)
{
	if (ctl->command && ctl->command->is_migrating && ctl->config.migrate_user)
		ctl_line(stderr,
			 "daymarkctl: migrate_user of %s cannot log in: check migrate_password; if "
			 "the database has one user only, remove migrate_user and "
			 "migrate_password",
			 ctl->config_path);
}

static void print_error(const struct ctl *ctl, int status, const char *message, const char *detail)
{
	if (ctl->is_json) {
		struct json_object *tree = json_object_tree();
		json_put_text(tree, "error", message);
		json_put_text(tree, "detail", *detail ? detail : NULL);
		json_put_int(tree, "exit_status", status);
		ctl_print_json(tree);
	}
	ctl_line(stderr, "daymarkctl: %s%s%s", message, *detail ? ": " : "", detail);
	if (strstr(detail, "Permission denied"))
		print_permission_hint(ctl);
	if (ctl->db && db_is_denied(ctl->db))
		print_login_hint(ctl);
}

const char *ctl_violation(struct arena *arena, const struct violation *violation, const char *word)
{
	const char *label = violation_label(arena, violation->field);
	const char *const starts[] = { arena_printf(arena, "The %s field ", label),
				       arena_printf(arena, "The selected %s ", label) };
	struct str text = str_from(violation->message);
	if (text.len > 0 && text.data[text.len - 1] == '.')
		text.len--;
	for (size_t i = 0; word && i < ARRAY_LEN(starts); i++)
		if (str_starts(text, str_from(starts[i])))
			return arena_printf(arena, "%s %s", word,
					    arena_strndup(arena, text.data, text.len) +
						    strlen(starts[i]));
	return arena_strndup(arena, text.data, text.len);
}

static int fail_invalid(const struct ctl *ctl)
{
	const struct violation *violation = ctl->violations.first;
	struct arena *arena = ctl->violations.arena;
	const char *word = ctl_word_of(ctl, violation->field, arena);
	return ctl_usage(ctl, "%s", ctl_violation(arena, violation, word));
}

int ctl_fail(const struct ctl *ctl, enum result result, const char *format, ...)
{
	char message[512];
	if (result == E_INVALID && ctl->violations.count > 0)
		return fail_invalid(ctl);
	va_list args;
	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	bool has_detail = ctl->error.client[0] || ctl->error.log[0];
	int status = exit_status(result);
	print_error(ctl, status, message, has_detail ? error_text(&ctl->error) : "");
	return status;
}

int ctl_fail_find(const struct ctl *ctl, enum result result, const char *kind, const char *who)
{
	if (result != E_NOT_FOUND)
		return ctl_fail(ctl, result, "%s %s", kind, who);
	char list[64];
	bool has_list = false;
	snprintf(list, sizeof(list), "%s list", kind);
	for (size_t i = 0; i < ctl_command_count; i++)
		has_list |= strcmp(ctl_commands[i]->words, list) == 0;
	return has_list ? ctl_fail(ctl, result, "there is no %s %s; see `daymarkctl %s list`", kind,
				   who, kind)
			: ctl_fail(ctl, result, "there is no %s %s", kind, who);
}

int ctl_usage(const struct ctl *ctl, const char *format, ...)
{
	char message[512];
	va_list args;
	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	print_error(ctl, CTL_USAGE, message, "");
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
		fputs("\ndaymarkctl: not a terminal: use --yes to confirm\n", stderr);
		return false;
	}
	fputs(" Type yes to confirm: ", stderr);
	if (fgets(answer, sizeof(answer), stdin) && strcmp(answer, "yes\n") == 0)
		return true;
	fputs("daymarkctl: not confirmed; nothing was changed\n", stderr);
	return false;
}
