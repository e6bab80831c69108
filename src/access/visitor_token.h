/*
 * Signed texts that admit visitors to a page that is not public: cookies, links and asset tokens.
 * With an asset token, a browser fetches the files of a page that it shows. Tokens are checked
 * without a database.
 *
 * A token is "<end>.<signature>", or "<end>.<link's id>.<signature>" if a link admitted the
 * visitor. The end is in seconds since 1970. The signature is an HMAC of the token's kind, the
 * page, the end and the means of admission. So a token of one kind is not valid as another kind.
 *
 * If a password admitted the visitor, the signature also covers the password's hash. A new password
 * or another privacy of the page makes the token void. If a link admitted the visitor, the
 * signature also covers the link's id. Withdrawing the link makes the token void.
 */
#ifndef ACCESS_VISITOR_TOKEN_H
#define ACCESS_VISITOR_TOKEN_H

#include "access/page_access.h"
#include "access/signing_key.h"
#include "base/clock.h"

enum visitor_token_kind {
	VISITOR_COOKIE,
	VISITOR_ASSET_TOKEN, /* for the files of a page whose document may send no cookies */
	VISITOR_LINK,
};

enum {
	VISITOR_COOKIE_S = 12 * 3600, /* the lifetime of a cookie given for a password */
	VISITOR_ASSET_TOKEN_S = 600,
};

enum visitor_means {
	VISITOR_BY_PASSWORD,
	VISITOR_BY_LINK,
	VISITOR_BY_KEY, /* an API key; for asset tokens only */
};

/* The means by which a visitor was admitted, and the end of the admission. */
struct visitor_grant {
	enum visitor_means means;
	struct instant end;
	int64_t link_id; /* 0: not by a link */
};

/* Returns the token for a grant, owned by the arena. The signature of a VISITOR_LINK does not
 * cover grant->means. */
const char *visitor_token_sign(const struct signing_key *key, enum visitor_token_kind kind,
			       const struct page_access *access, const struct visitor_grant *grant,
			       struct arena *arena);

/* A token in a request, and the time of the request. */
struct visitor_token {
	struct str text;
	struct instant now;
};
/* Whether the token is valid, is of this kind, and admits the visitor by the page's access record.
 * If true, sets *grant. */
bool visitor_token_check(const struct signing_key *key, enum visitor_token_kind kind,
			 const struct page_access *access, const struct visitor_token *token,
			 struct arena *arena, struct visitor_grant *grant) MUST_USE;

#endif
