/* The text of src/app/openapi/openapi.json, which the build embeds in the program. */
#ifndef APP_OPENAPI_OPENAPI_TEXT_H
#define APP_OPENAPI_OPENAPI_TEXT_H

#include "base/embedded.h"

extern const struct embedded openapi_files[];
extern const size_t openapi_files_count;

#endif
