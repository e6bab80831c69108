/* Files that the build embeds into the program (tools/embed). */
#ifndef BASE_EMBEDDED_H
#define BASE_EMBEDDED_H

#include <stddef.h>

struct embedded {
	const char *name; /* without folder */
	const char *text; /* NUL-terminated */
};

#endif
