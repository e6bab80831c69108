/*
 * Signed texts that admit visitors to a page that is not public: cookies, links, and the asset
 * tokens by which a browser fetches the files of a page that it shows. Tokens are checked without a
 * database.
 *
 * A token is "<end>.<signature>", with the end in seconds since 1970. A token by link is
 * "<end>.<link's id>.<signature>". The signature is an HMAC of the kind, the page, the end and the
 * means of admission. A token of one kind is therefore not valid as another kind.
 *
 * The signature of a token by password also covers the password's hash. The token becomes void if
 * the page gets a new password, or another privacy. The signature of a token by link also covers
 * the link's id. The token becomes void when the page's access record lists the link as withdrawn.
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

/* A text that a visitor has sent, and the time of the request. */
struct visitor_token {
	struct str text;
	struct instant now;
};
/* Whether the token is of this kind, and admits the visitor by the page's present access record. If
 * true, sets *grant. */
bool visitor_token_check(const struct signing_key *key, enum visitor_token_kind kind,
			 const struct page_access *access, const struct visitor_token *token,
			 struct arena *arena, struct visitor_grant *grant) MUST_USE;

#endif
