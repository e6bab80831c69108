#include "app/openapi.h"

#include <string.h>

#include "app/openapi_text.h"

/* What stands for the installation's address in the file. */
static const char placeholder[] = "https://status.example.org";

enum result openapi_show(struct exchange *exchange)
{
	struct buf *body = &exchange->response.body;
	const char *text = openapi_files[0].text;
	const char *at = strstr(text, placeholder);
	buf_add(body, text, at ? (size_t)(at - text) : strlen(text));
	if (at) {
		buf_puts(body, exchange->request.base_url);
		buf_puts(body, at + strlen(placeholder));
	}
	exchange->response.content_type = "application/json";
	response_header(&exchange->response, "Cache-Control", "public, max-age=300");
	return OK;
}
