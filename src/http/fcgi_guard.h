/*
 * Looks at the received bytes of a connection before libfcgi reads them. libfcgi trusts the web
 * server: some records, which no web server sends, would make libfcgi end the process
 * (docs/DECISIONS.md, Workers).
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
 * Returns whether the bytes are a request (FastCGI Specification 1.0, section 3.3). A request
 * begins with FCGI_BEGIN_REQUEST. Only FCGI_PARAMS and FCGI_STDIN with the same id may follow.
 */
enum fcgi_sight fcgi_look(const unsigned char *bytes, size_t len);

#endif
