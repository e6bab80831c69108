/*
 * Decides whether a visitor may see a page that is not public, by the tokens that the
 * request carries. The same decision holds for every file of the page: HTML, feeds, badge,
 * JSON, images. API keys are checked by the caller, since they need the database.
 */
#ifndef ACCESS_ADMISSION_H
#define ACCESS_ADMISSION_H

#include "access/visitor_token.h"

#define ADMISSION_COOKIE_NAME "daymark_page"

enum admission {
	ADMISSION_OPEN,		/* serve the file */
	ADMISSION_CLOSED,	/* respond as if there were no page */
	ADMISSION_ASK_PASSWORD, /* respond with the form for the password */
	ADMISSION_REDIRECT,	/* the link is valid: set a cookie, and redirect */
};

/* The tokens of a request. */
struct admission_tokens {
	const char *cookies;	 /* the Cookie header, or NULL; its first 1,000 cookies are tried */
	const char *link;	 /* the token of a link, from the query; NULL: not sent */
	const char *asset_token; /* from the query; NULL: not sent */
	bool is_asset;		 /* an asset token may give access to the requested file */
	struct instant now;
};

/* Decides by the tokens of a request. `key` may be NULL (no signing key exists): then no token is
 * valid. Sets *grant for ADMISSION_OPEN and ADMISSION_REDIRECT. */
enum admission admission_decide(const struct page_access *access, const struct signing_key *key,
				const struct admission_tokens *tokens, struct arena *arena,
				struct visitor_grant *grant) MUST_USE;

#endif
