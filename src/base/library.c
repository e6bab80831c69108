#include "base/library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool library_load(const char *file, const struct library_symbol *symbols, size_t count,
		  char failure[LIBRARY_FAILURE_SIZE])
{
	void *library = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
	for (size_t i = 0; library && i < count; i++) {
		void *function = dlsym(library, symbols[i].name);
		memcpy(symbols[i].member, &function, sizeof(function));
		if (!function)
			library = NULL;
	}
	if (!library)
		snprintf(failure, LIBRARY_FAILURE_SIZE, "%s", dlerror());
	return library != NULL;
}

bool library_is_bundled(void)
{
	return getenv("DAYMARK_BUNDLE") != NULL;
}

void library_hide_path(void)
{
	if (library_is_bundled())
		unsetenv("LD_LIBRARY_PATH");
}
