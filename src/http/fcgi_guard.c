#include "http/fcgi_guard.h"

#include <fastcgi.h>
#include <stdbool.h>
#include <string.h>

static bool belongs_to_request(const unsigned char *header, const unsigned char *first)
{
	bool is_management = header[2] == 0 && header[3] == FCGI_NULL_REQUEST_ID;
	if (header[0] != FCGI_VERSION_1 || is_management || memcmp(header + 2, first + 2, 2) != 0)
		return false;
	return header == first ? header[1] == FCGI_BEGIN_REQUEST
			       : header[1] == FCGI_PARAMS || header[1] == FCGI_STDIN;
}

enum fcgi_sight fcgi_look(const unsigned char *bytes, size_t len)
{
	/* Web servers send the first record in one write. So fewer bytes than a header are not a
	 * request. */
	if (len < FCGI_HEADER_LEN)
		return FCGI_IS_NO_REQUEST;
	for (size_t at = 0; at < len && len - at >= FCGI_HEADER_LEN;) {
		const unsigned char *header = bytes + at;
		size_t content_len = (size_t)header[4] << 8 | header[5];
		if (!belongs_to_request(header, bytes))
			return FCGI_IS_NO_REQUEST;
		if (header[1] == FCGI_STDIN && content_len == 0)
			return FCGI_IS_WHOLE;
		at += FCGI_HEADER_LEN + content_len + header[6];
	}
	return FCGI_IS_PART;
}
