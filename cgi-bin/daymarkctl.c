/*
 * daymarkctl: the tasks of an operator, including those that the API does not offer. See src/ctl.
 */
#include "ctl/ctl.h"

int main(int argc, char **argv)
{
	return ctl_main(argc, argv);
}
