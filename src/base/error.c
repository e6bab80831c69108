#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

bool result_is_of_database(enum result result)
{
	return result == E_UNAVAILABLE || result == E_REFUSED || result == E_RETRY ||
	       result == E_UNCERTAIN;
}

enum result error_client(struct error *error, enum result result, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(error->client, sizeof(error->client), format, args);
	va_end(args);
	return result;
}

enum result error_log(struct error *error, enum result result, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(error->log, sizeof(error->log), format, args);
	va_end(args);
	return result;
}

const char *error_text(const struct error *error)
{
	if (error->client[0] != '\0')
		return error->client;
	return error->log[0] != '\0' ? error->log : "it failed without a reason; this is a defect";
}
