/* daymarkctl: the tasks of an operator, also those that the API omits. See src/ctl. */
#include "ctl/ctl.h"

int main(int argc, char **argv)
{
	return ctl_main(argc, argv);
}
