#include "unit/lib/unit.h"

#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include "base/log.h"

bool dies(void (*function)(void))
{
	int status;
	pid_t pid = fork();
	if (pid == 0) {
		log_to_fd(-1);
		function();
		_exit(0);
	}
	return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
	       WEXITSTATUS(status) == EX_SOFTWARE;
}
