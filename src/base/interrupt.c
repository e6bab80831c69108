#include "base/interrupt.h"

#include <signal.h>

static void do_nothing(int signal)
{
	(void)signal;
}

void interrupt_by(int signal)
{
	/* With SA_RESTART the kernel would repeat the system call. */
	const struct sigaction action = { .sa_handler = do_nothing };
	sigaction(signal, &action, NULL);
}
