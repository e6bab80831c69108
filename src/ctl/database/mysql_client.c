#include "ctl/database/mysql_client.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fd.h"
#include "base/log.h"
#include "base/str.h"
#include "db/db.h"

extern char **environ;

enum { OPTIONS_FD = 3, OPTIONS_MAX = 16, LOGIN_MAX_BYTES = 4096 };

/* Writes an option with its value. The value is in quotes, since outside of quotes # begins a
 * comment. Escapes quotes and backslashes. */
static void put_option(struct buf *out, const char *name, struct str value)
{
	buf_printf(out, "%s=\"", name);
	for (size_t i = 0; i < value.len; i++)
		buf_printf(out, strchr("\\\"", value.data[i]) ? "\\%c" : "%c", value.data[i]);
	buf_puts(out, "\"\n");
}

static void put_login(struct buf *out, const struct config *config)
{
	struct db_login login = db_login_of(config, true);
	buf_puts(out, "[client]\n");
	put_option(out, "user", str_from(login.user));
	put_option(out, "password", str_from(login.password));
	if (login.socket) {
		put_option(out, "socket", str_from(login.socket));
		return;
	}
	struct str rest = str_from(login.hosts), host = { 0 }, port;
	str_split(&rest, ',', &host);
	rest = str_trim_ows(host);
	str_split(&rest, ':', &host);
	port = rest.data ? rest : STR("3306");
	put_option(out, "host", host);
	put_option(out, "port", port);
	buf_puts(out, "protocol=tcp\n");
}

/* Returns the reading end of a pipe that contains the login, or -1. */
static int login_pipe(const struct config *config)
{
	int ends[2];
	struct buf text CLEANUP(buf_done) = BUF_INIT(LOGIN_MAX_BYTES);
	put_login(&text, config);
	if (!buf_ok(&text) || pipe2(ends, O_CLOEXEC) != 0)
		return -1;
	/* The login fits into the pipe's buffer, so the write does not wait for a reader. */
	bool is_written = write(ends[1], text.data, text.len) == (ssize_t)text.len;
	close(ends[1]);
	if (is_written)
		return ends[0];
	close(ends[0]);
	return -1;
}

static int spawn_client(pid_t *pid, const struct mysql_client *client, const char *name,
			int login_fd, const char *database)
{
	const char *arguments[OPTIONS_MAX + 4] = { name, "--defaults-file=/dev/fd/3" };
	size_t count = 2;
	posix_spawn_file_actions_t actions;
	for (size_t i = 0; client->options[i]; i++) {
		if (i == OPTIONS_MAX)
			die("ctl: %s has more than %d options", name, OPTIONS_MAX);
		arguments[count++] = client->options[i];
	}
	arguments[count] = database;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, client->in_fd, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, client->out_fd, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, login_fd, OPTIONS_FD);
	int failure =
		posix_spawnp(pid, name, &actions, NULL, (char *const *)(void *)arguments, environ);
	posix_spawn_file_actions_destroy(&actions);
	return failure;
}

enum result mysql_client_run(const struct mysql_client *client, const struct config *config,
			     struct error *error)
{
	pid_t pid;
	int status, failure = ENOENT;
	int login_fd CLEANUP(close_fd) = login_pipe(config);
	if (login_fd < 0)
		return error_log(error, E_FAILED, "the login cannot be passed to the MySQL client");
	for (size_t i = 0; failure == ENOENT && i < ARRAY_LEN(client->names); i++)
		failure = spawn_client(&pid, client, client->names[i], login_fd,
				       config->database_name);
	if (failure == ENOENT)
		return error_client(error, E_FAILED, "neither %s nor %s is installed",
				    client->names[0], client->names[1]);
	if (failure != 0)
		return error_client(error, E_FAILED, "%s: %s", client->names[0], strerror(failure));
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return OK;
	return error_client(error, E_FAILED, "%s ended with %s %d", client->names[0],
			    WIFEXITED(status) ? "status" : "signal",
			    WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
}
