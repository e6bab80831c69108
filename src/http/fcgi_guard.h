/*
 * Looks at the received bytes of a connection before libfcgi reads them. libfcgi trusts the web
 * server: some records, which no web server sends, would end the process (docs/DECISIONS.md,
 * Workers).
 */
#ifndef HTTP_FCGI_GUARD_H
#define HTTP_FCGI_GUARD_H

#include <stddef.h>

enum fcgi_sight {
	FCGI_IS_NO_REQUEST,
	FCGI_IS_PART,  /* the request is incomplete: libfcgi would wait for the rest */
	FCGI_IS_WHOLE, /* libfcgi can read the request without waiting */
};

/*
 * The kind of record at the start of the bytes (FastCGI Specification 1.0, section 3.3): only
 * FCGI_BEGIN_REQUEST begins a request, and only FCGI_PARAMS and FCGI_STDIN with the same id
 * continue it.
 */
enum fcgi_sight fcgi_look(const unsigned char *bytes, size_t len);

#endif
