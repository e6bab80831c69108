/*
 * cpu-time FILE COMMAND...: runs the command, and writes to FILE the processor time in
 * centiseconds of all its processes that have ended, daemons included. Exits with the command's
 * status.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static long centiseconds(struct timeval t)
{
	return t.tv_sec * 100 + t.tv_usec / 10000;
}

int main(int argc, char **argv)
{
	int status = 0, command_status = 0;
	struct rusage usage;
	pid_t command, ended;
	FILE *file;

	/* Daemons become children of this process, not of init. */
	if (argc < 3 || prctl(PR_SET_CHILD_SUBREAPER, 1) != 0)
		return 125;
	command = fork();
	if (command == 0) {
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	if (command < 0)
		return 125;
	do {
		ended = wait(&status);
		if (ended == command)
			command_status = status;
	} while (ended > 0 && ended != command);
	while (waitpid(-1, NULL, WNOHANG) > 0)
		continue;
	if (getrusage(RUSAGE_CHILDREN, &usage) != 0 || (file = fopen(argv[1], "w")) == NULL)
		return 125;
	fprintf(file, "%ld\n", centiseconds(usage.ru_utime) + centiseconds(usage.ru_stime));
	if (fclose(file) != 0)
		return 125;
	return WIFEXITED(command_status) ? WEXITSTATUS(command_status)
					 : 128 + WTERMSIG(command_status);
}
