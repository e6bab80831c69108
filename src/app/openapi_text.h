/* src/app/openapi.json, as the build embeds it. */
#ifndef APP_OPENAPI_TEXT_H
#define APP_OPENAPI_TEXT_H

#include "base/embedded.h"

extern const struct embedded openapi_files[];
extern const size_t openapi_files_count;

#endif
