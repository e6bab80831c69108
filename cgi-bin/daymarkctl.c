/*
 * daymarkctl: the commands for operators. See src/ctl.
 */
#include "ctl/ctl.h"

int main(int argc, char **argv)
{
	return ctl_main(argc, argv);
}
