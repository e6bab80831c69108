#include "unit/lib/server.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Whether the program has printed its line. */
static bool read_line(struct test_server *server, int from)
{
	size_t len = 0;
	ssize_t got = 1;
	while (got > 0 && len + 1 < sizeof(server->line) && !memchr(server->line, '\n', len)) {
		got = read(from, server->line + len, sizeof(server->line) - 1 - len);
		len += got > 0 ? (size_t)got : 0;
	}
	server->line[len] = '\0';
	return strchr(server->line, '\n') != NULL;
}

bool server_start(struct test_server *server, const char *const argv[])
{
	int input[2], output[2];
	posix_spawn_file_actions_t actions;
	if (pipe2(input, O_CLOEXEC) != 0 || pipe2(output, O_CLOEXEC) != 0)
		return false;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
	bool is_started = posix_spawnp(&server->pid, argv[0], &actions, NULL,
				       (char *const *)(uintptr_t)argv, environ) == 0;
	posix_spawn_file_actions_destroy(&actions);
	close(input[0]);
	close(output[1]);
	server->input = input[1];
	bool is_ready = is_started && read_line(server, output[0]);
	close(output[0]);
	if (is_started && !is_ready)
		server_stop(server);
	else if (!is_started)
		close(server->input);
	return is_ready;
}

void server_stop(struct test_server *server)
{
	close(server->input);
	waitpid(server->pid, NULL, 0);
}
