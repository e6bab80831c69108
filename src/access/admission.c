#include "access/admission.h"

#include "wire/cookie.h"

/*
 * The maximum number of cookies of one request that are tried. It is more than a browser sends:
 * browsers keep at most 180 cookies per domain (RFC 6265 section 6.1 asks for 50).
 */
enum { COOKIES_MAX = 1000 };

/* Whether any cookie named ADMISSION_COOKIE_NAME is valid. A browser may send several cookies of
 * this name, in any order, and other servers of the domain may have set some of them. */
static bool has_valid_cookie(const struct page_access *access, const struct signing_key *key,
			     const struct admission_tokens *tokens, struct arena *arena,
			     struct visitor_grant *grant)
{
	struct str header = str_from(tokens->cookies);
	struct visitor_token token = { .now = tokens->now };
	for (int i = 0; i < COOKIES_MAX; i++) {
		if (!cookie_next(&header, STR(ADMISSION_COOKIE_NAME), &token.text))
			return false;
		if (visitor_token_check(key, VISITOR_COOKIE, access, &token, arena, grant))
			return true;
	}
	return false;
}

enum admission admission_decide(const struct page_access *access, const struct signing_key *key,
				const struct admission_tokens *tokens, struct arena *arena,
				struct visitor_grant *grant)
{
	struct visitor_token asset_token = { str_from(tokens->asset_token), tokens->now };
	struct visitor_token link = { str_from(tokens->link), tokens->now };
	if (key && has_valid_cookie(access, key, tokens, arena, grant))
		return ADMISSION_OPEN;
	if (key && tokens->is_asset &&
	    visitor_token_check(key, VISITOR_ASSET_TOKEN, access, &asset_token, arena, grant))
		return ADMISSION_OPEN;
	if (key && visitor_token_check(key, VISITOR_LINK, access, &link, arena, grant))
		return ADMISSION_REDIRECT;
	return access->privacy == PRIVACY_PASSWORD ? ADMISSION_ASK_PASSWORD : ADMISSION_CLOSED;
}
