/*
 * A running HTTP check: one request, and another for each redirect. Each request connects to its
 * host by probe/connect.h, and gives the connection to libcurl.
 *
 *   probe_http.c     the steps of a check, and the sockets of libcurl in the event loop
 *   http_target.c    URLs, redirects, addresses
 *   http_request.c   the request that is sent
 *   http_response.c  the response, and whether it shows that the system is up
 */
#ifndef PROBE_HTTP_CHECK_H
#define PROBE_HTTP_CHECK_H

#include "base/buf.h"
#include "probe/connect.h"
#include "probe/probe_type.h"
#include "wire/http_library.h"

enum {
	HTTP_REDIRECTS_MAX = 10,
	HTTP_BODY_MAX_BYTES = 1 << 20, /* for a body as received, and for a body after decoding;
					  a longer body is cut */
	/*
	 * A JSON body is stored until it is complete. A check may always store
	 * HTTP_KEPT_EACH_BYTES. It may store more only while all checks together store at most
	 * HTTP_KEPT_MAX_BYTES, so that slow servers cannot use up the memory.
	 */
	HTTP_KEPT_EACH_BYTES = 64 * 1024,
	HTTP_KEPT_MAX_BYTES = 64 << 20,
	HTTP_HEADERS_MAX_BYTES = 256 * 1024,
	HTTP_URL_MAX_BYTES = 8192, /* longest URL, also of a redirect */
	HTTP_HOST_SIZE = 256,
	HTTP_ORIGIN_SIZE = HTTP_HOST_SIZE + 32,
};

/* The data that the HTTP checks of a prober share. libcurl names the sockets to watch, the loop
 * watches them, and calls libcurl for their events. */
struct probe_http_shared {
	struct loop *loop;
	CURLM *multi;
	struct loop_timer timer;
	size_t kept_bytes; /* the stored bytes of all JSON bodies */
	char user_agent[512];
	char *ca_file; /* the file of trusted certificates; NULL: libcurl uses its folder of
			  certificates */
};

struct http_check {
	struct probe *probe;
	struct connecting connect;
	bool is_connected; /* libcurl uses the socket that probe/connect.h has connected */
	CURL *easy;	   /* NULL: no request is under way */

	/* The target. */
	CURLU *url;
	char host[HTTP_HOST_SIZE];	     /* in ASCII, without brackets */
	char origin[HTTP_ORIGIN_SIZE];	     /* scheme, host and port of this request */
	char first_origin[HTTP_ORIGIN_SIZE]; /* scheme, host and port of the first request; only
						this server gets secrets */
	int port;
	bool is_tls;
	int redirects;

	/* The request. */
	enum check_method method;
	bool sends_body;
	int64_t sent_us; /* microseconds from the start of the check to this request */
	struct curl_slist *headers;
	struct curl_slist *address; /* the list for CURLOPT_CONNECT_TO */

	/* The response. */
	char reason[CURL_ERROR_SIZE]; /* why libcurl has failed */
	const char *refusal;	      /* why this program refused the response; NULL: it did not */
	size_t header_bytes;
	size_t text_bytes; /* of the body, decoded */
	bool is_coded;
	bool has_other_coding; /* the body has two codings, or a coding that this program does
				  not decode */
	bool is_cut;	       /* the rest of the body was not read */
	bool is_short;	       /* this machine lacks memory */
	bool has_text;	       /* alert_text_lookup was found */
	size_t kept_bytes;
	struct buf body; /* the JSON body; or, if a text is sought, only the last bytes, in
			    which the text may begin */
};

/* Reads the target from the URL of the check. Returns false if the check has ended because of an
 * error. */
bool http_target_begin(struct http_check *check);
/* Reads the target of a redirect, and sets the method for it. Returns false if the check has ended
 * because of an error. */
bool http_target_follow(struct http_check *check, const char *location);

/* Sets libcurl's options for the request. Returns false if there is no memory. */
bool http_request_set(struct http_check *check) MUST_USE;

/* Sets libcurl's options for receiving the response. */
void http_response_set(struct http_check *check);
/*
 * Returns the target of the redirect that the check must follow; NULL: none. libcurl owns the text.
 */
const char *http_response_location(const struct http_check *check, CURLcode code);
/* Copies the times, the status, Retry-After and the certificate to the result of the check. */
void http_response_note(struct http_check *check);
/* Frees the body of the response. */
void http_response_done(struct http_check *check);
/* Ends the check. The response decides whether the system is up. If there is no response, `code`
 * explains why. */
void http_response_judge(struct http_check *check, CURLcode code);

#endif
