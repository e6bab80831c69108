#include "access/visitor_token.h"

/* The signatures cover these names: if a name is changed, all tokens of its kind become void. */
static const char *const kind_names[] = {
	[VISITOR_COOKIE] = "cookie",
	[VISITOR_ASSET_TOKEN] = "pass",
	[VISITOR_LINK] = "link",
};
static const char *const means_names[] = {
	[VISITOR_BY_PASSWORD] = " by password",
	[VISITOR_BY_LINK] = " by link",
	[VISITOR_BY_KEY] = " by key",
};

static const char *signed_text(enum visitor_token_kind kind, const struct page_access *access,
			       const struct visitor_grant *grant, struct arena *arena)
{
	bool is_password = grant->means == VISITOR_BY_PASSWORD && kind != VISITOR_LINK;
	const char *rest = is_password ? access->password_hash : "";
	if (grant->link_id > 0)
		rest = arena_printf(arena, "%lld", (long long)grant->link_id);
	return arena_printf(arena, "%s%s %lld %lld %s", kind_names[kind],
			    kind == VISITOR_LINK ? "" : means_names[grant->means],
			    (long long)access->page_id, (long long)grant->end.s, rest);
}

const char *visitor_token_sign(const struct signing_key *key, enum visitor_token_kind kind,
			       const struct page_access *access, const struct visitor_grant *grant,
			       struct arena *arena)
{
	char signature[SECRET_SIGNATURE_SIZE];
	secret_sign(key->bytes, str_from(signed_text(kind, access, grant, arena)), signature);
	if (grant->link_id > 0)
		return arena_printf(arena, "%lld.%lld.%s", (long long)grant->end.s,
				    (long long)grant->link_id, signature);
	return arena_printf(arena, "%lld.%s", (long long)grant->end.s, signature);
}

/* Splits a token. Returns false if the token is malformed or has expired. The caller must check the
 * signature before it uses the grant. */
static bool split_token(const struct visitor_token *token, struct visitor_grant *grant,
			struct str *signature)
{
	struct str end, id, rest = token->text;
	*grant = (struct visitor_grant){ 0 };
	if (!str_split(&rest, '.', &end) || !str_split(&rest, '.', &id))
		return false;
	*signature = rest.data ? rest : id;
	if (rest.data && (!str_to_int64(id, &grant->link_id) || grant->link_id <= 0))
		return false;
	/* Reject most texts that are not tokens before a signature is computed. */
	return signature->len == SECRET_SIGNATURE_SIZE - 1 && str_to_int64(end, &grant->end.s) &&
	       grant->end.s > token->now.s;
}

/* Whether the page now admits visitors by a token of this kind and by grant->means. */
static bool may_admit(enum visitor_token_kind kind, const struct page_access *access,
		      const struct visitor_grant *grant)
{
	switch (grant->means) {
	case VISITOR_BY_PASSWORD:
		return kind != VISITOR_LINK && access->privacy == PRIVACY_PASSWORD;
	case VISITOR_BY_LINK:
		return grant->link_id > 0 && !page_access_is_withdrawn(access, grant->link_id);
	case VISITOR_BY_KEY:
		return kind == VISITOR_ASSET_TOKEN;
	}
	return false;
}

bool visitor_token_check(const struct signing_key *key, enum visitor_token_kind kind,
			 const struct page_access *access, const struct visitor_token *token,
			 struct arena *arena, struct visitor_grant *grant)
{
	static const enum visitor_means all[] = { VISITOR_BY_PASSWORD, VISITOR_BY_LINK,
						  VISITOR_BY_KEY };
	struct str signature;
	if (!split_token(token, grant, &signature))
		return false;
	for (size_t i = 0; i < ARRAY_LEN(all); i++) {
		grant->means = all[i];
		if ((grant->link_id > 0 && grant->means != VISITOR_BY_LINK) ||
		    !may_admit(kind, access, grant) ||
		    !secret_is_signed(key->bytes, str_from(signed_text(kind, access, grant, arena)),
				      signature))
			continue;
		return true;
	}
	return false;
}
