#include "access/visitor_token.h"

/* Part of what is signed: tokens in use are void when one of these changes. */
static const char *const kind_names[] = {
	[VISITOR_COOKIE] = "cookie",
	[VISITOR_ASSET_TOKEN] = "pass",
	[VISITOR_LINK] = "link",
};

static const char *signed_text(enum visitor_token_kind kind, const struct page_access *access,
			       const struct visitor_grant *grant, struct arena *arena)
{
	bool is_password = grant->means == VISITOR_BY_PASSWORD;
	const char *means = is_password ? " by password" : " by link";
	return arena_printf(arena, "%s%s %lld %lld %s", kind_names[kind],
			    kind == VISITOR_LINK ? "" : means, (long long)access->page_id,
			    (long long)grant->end.s, is_password ? access->password_hash : "");
}

const char *visitor_token_sign(const struct signing_key *key, enum visitor_token_kind kind,
			       const struct page_access *access, const struct visitor_grant *grant,
			       struct arena *arena)
{
	char signature[SECRET_SIGNATURE_SIZE];
	struct visitor_grant given = *grant;
	if (kind == VISITOR_LINK)
		given.means = VISITOR_BY_LINK;
	secret_sign(key->bytes, str_from(signed_text(kind, access, &given, arena)), signature);
	return arena_printf(arena, "%lld.%s", (long long)given.end.s, signature);
}

/* Splits a token that has not ended. The end is not trusted before the signature is checked. */
static bool split_token(const struct visitor_token *token, struct instant *end,
			struct str *signature)
{
	struct str number;
	*signature = token->text;
	return str_split(signature, '.', &number) && signature->data &&
	       str_to_int64(number, &end->s) && end->s > token->now.s;
}

bool visitor_token_check(const struct signing_key *key, enum visitor_token_kind kind,
			 const struct page_access *access, const struct visitor_token *token,
			 struct arena *arena, struct visitor_grant *grant)
{
	struct str signature;
	if (!split_token(token, &grant->end, &signature))
		return false;
	grant->means = VISITOR_BY_PASSWORD;
	if (kind != VISITOR_LINK && access->privacy == PRIVACY_PASSWORD &&
	    secret_is_signed(key->bytes, str_from(signed_text(kind, access, grant, arena)),
			     signature))
		return true;
	grant->means = VISITOR_BY_LINK;
	return secret_is_signed(key->bytes, str_from(signed_text(kind, access, grant, arena)),
				signature);
}
