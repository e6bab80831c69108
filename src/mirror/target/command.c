#include "mirror/target/command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"

enum {
	POLL_MS = 100,
	TAIL_BYTES = 300, /* an error shows at most this many bytes, from the end of the output */
	NOT_EXECUTABLE = 126,
	NOT_FOUND = 127,
};

/* The end of the output. */
struct tail {
	char text[TAIL_BYTES + 1];
	size_t len;
};

static void add(struct tail *tail, const char *data, size_t len)
{
	if (len > TAIL_BYTES) {
		data += len - TAIL_BYTES;
		len = TAIL_BYTES;
	}
	size_t kept = tail->len + len > TAIL_BYTES ? TAIL_BYTES - len : tail->len;
	memmove(tail->text, tail->text + tail->len - kept, kept);
	memcpy(tail->text + kept, data, len);
	tail->len = kept + len;
}

/* Returns the end of the output as one line of ASCII: the log has one line for each failure. */
static const char *tail_text(struct tail *tail)
{
	while (tail->len > 0 && (unsigned char)tail->text[tail->len - 1] <= ' ')
		tail->len--;
	for (size_t i = 0; i < tail->len; i++) {
		char *c = &tail->text[i];
		if (*c == '\n')
			*c = '|';
		else if (*c < ' ' || *c > '~')
			*c = '?';
	}
	tail->text[tail->len] = '\0';
	return tail->text;
}

/* Runs in the child process, between fork() and exec(). Only system calls are allowed there. */
static void become_command(const struct command *command, char *const *environment, int output,
			   pid_t parent)
{
	static const char shell[] = "/bin/sh", option[] = "-c";
	const char *const arguments[] = { shell, option, command->line, NULL };
	struct sigaction action = { .sa_handler = SIG_DFL };
	sigset_t none;
	for (int number = 1; number < NSIG; number++)
		sigaction(number, &action, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	int input = open("/dev/null", O_RDONLY);
	if (getppid() != parent || input < 0 || dup2(input, STDIN_FILENO) < 0 ||
	    dup2(output, STDOUT_FILENO) < 0 || dup2(output, STDERR_FILENO) < 0)
		_exit(NOT_EXECUTABLE);
	if (close_range(STDERR_FILENO + 1, ~0U, 0) == 0)
		execve(shell, (char *const *)(uintptr_t)arguments, environment);
	_exit(NOT_EXECUTABLE);
}

/* Returns the environment with DAYMARK_PAGES and DAYMARK_MIRROR; NULL: no memory. */
static char **make_environment(const struct command *command)
{
	size_t count = 0, kept = 0;
	while (environ[count])
		count++;
	char **environment = calloc(count + 3, sizeof(*environment)), *pages = NULL, *name = NULL;
	if (!environment || asprintf(&pages, "DAYMARK_PAGES=%s", command->pages) < 0)
		pages = NULL;
	if (!pages || asprintf(&name, "DAYMARK_MIRROR=%s", command->name) < 0) {
		free(pages);
		free(environment);
		return NULL;
	}
	environment[kept++] = pages;
	environment[kept++] = name;
	for (size_t i = 0; i < count; i++)
		if (strncmp(environ[i], "DAYMARK_PAGES=", 14) != 0 &&
		    strncmp(environ[i], "DAYMARK_MIRROR=", 15) != 0)
			environment[kept++] = environ[i];
	return environment;
}

static void free_environment(char **environment)
{
	free(environment[0]);
	free(environment[1]);
	free(environment);
}

/* Reads the available output. Returns false if the output has ended. */
static bool read_output(int output, struct tail *tail)
{
	char piece[4096];
	ssize_t len;
	while ((len = read(output, piece, sizeof(piece))) > 0)
		add(tail, piece, (size_t)len);
	return len < 0 && (errno == EAGAIN || errno == EINTR);
}

/* Waits until the shell ends. Processes that the shell has left behind may continue. Their output
 * is ignored. */
static int await(const struct command *command, pid_t pid, int output, struct tail *tail,
		 bool *is_ended)
{
	int64_t until_ms = clock_ms() + command->most_ms;
	int status = 0, number = SIGTERM;
	bool is_open = true;
	*is_ended = false;
	for (;;) {
		struct pollfd wait = { .fd = is_open ? output : -1, .events = POLLIN };
		poll(&wait, 1, POLL_MS);
		if (is_open)
			is_open = read_output(output, tail);
		pid_t done = waitpid(pid, &status, WNOHANG);
		if (done == pid || (done < 0 && errno != EINTR))
			break;
		if (clock_ms() < until_ms)
			continue;
		*is_ended = true;
		kill(-pid, number);
		number = SIGKILL;
		until_ms = clock_ms() + command->end_ms;
	}
	/* Processes that ignored SIGTERM get SIGKILL. */
	if (*is_ended)
		kill(-pid, SIGKILL);
	if (is_open)
		read_output(output, tail);
	return status;
}

static enum result judge(const struct command *command, int status, bool is_ended,
			 struct tail *tail, struct error *error)
{
	const char *text = tail_text(tail);
	const char *says = text[0] ? "; the end of its output: " : "";
	if (is_ended)
		return error_log(error, E_UNAVAILABLE,
				 "the command was ended after %lld seconds%s%s",
				 (long long)(command->most_ms / 1000), says, text);
	if (WIFSIGNALED(status))
		return error_log(error, E_UNAVAILABLE, "the command died by signal %d%s%s",
				 WTERMSIG(status), says, text);
	int code = WEXITSTATUS(status);
	if (code == 0)
		return OK;
	return error_log(error,
			 code == NOT_FOUND || code == NOT_EXECUTABLE ? E_REFUSED : E_UNAVAILABLE,
			 "the command ended with status %d%s%s", code, says, text);
}

enum result command_run(const struct command *command, struct error *error)
{
	struct tail tail = { .len = 0 };
	bool is_ended;
	int output[2];
	char **environment = make_environment(command);
	if (!environment || pipe2(output, O_CLOEXEC) != 0) {
		if (environment)
			free_environment(environment);
		return error_log(error, E_FAILED, "the command cannot be started: %s",
				 strerror(errno));
	}
	int from CLEANUP(close_fd) = output[0];
	pid_t parent = getpid(), pid = fork();
	if (pid == 0)
		become_command(command, environment, output[1], parent);
	close(output[1]);
	free_environment(environment);
	if (pid < 0)
		return error_log(error, E_FAILED, "the command cannot be started: %s",
				 strerror(errno));
	/* The parent sets the group, too, because kill() may be called before the child has set
	 * the group. */
	setpgid(pid, pid);
	fcntl(from, F_SETFL, O_NONBLOCK);
	int status = await(command, pid, from, &tail, &is_ended);
	return judge(command, status, is_ended, &tail, error);
}
