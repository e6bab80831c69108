#include "mirror/origin_mark.h"

#include <stdio.h>
#include <string.h>

#include "base/lines.h"
void origin_mark_print(const struct origin_mark *mark, char text[ORIGIN_MARK_SIZE])
{
	snprintf(text, ORIGIN_MARK_SIZE, "%s %lld %s", mark->id, (long long)mark->step,
		 mark->token);
}

/* Removes an id or a token from the front of *text. */
static bool take_id(struct str *text, char id[SECRET_ID_SIZE])
{
	struct str word;
	if (!str_split(text, ' ', &word) || word.len != SECRET_ID_SIZE - 1)
		return false;
	for (size_t i = 0; i < word.len; i++)
		if (hex_digit(word.data[i]) < 0)
			return false;
	memcpy(id, word.data, word.len);
	id[word.len] = '\0';
	return true;
}

bool origin_mark_take(struct str *text, struct origin_mark *mark)
{
	*mark = (struct origin_mark){ 0 };
	bool is_mark = take_id(text, mark->id) && line_number(text, 0, &mark->step) &&
		       take_id(text, mark->token);
	if (!is_mark)
		*mark = (struct origin_mark){ 0 };
	return is_mark;
}

bool origin_mark_is_same(const struct origin_mark *a, const struct origin_mark *b)
{
	return strcmp(a->id, b->id) == 0 && a->step == b->step && strcmp(a->token, b->token) == 0;
}

bool origin_mark_follows(const struct origin_mark *last, const struct origin_mark *next)
{
	return strcmp(last->id, next->id) == 0 &&
	       (next->step > last->step || origin_mark_is_same(last, next));
}

const char *origin_digest_add(struct arena *arena, const char *digest, const uint8_t *body_sha256)
{
	uint8_t hash[SECRET_HASH_BYTES];
	struct secret_digest chain;
	secret_digest_init(&chain);
	secret_digest_add(&chain, digest, strlen(digest));
	secret_digest_add(&chain, body_sha256, SECRET_HASH_BYTES);
	secret_digest_end(&chain, hash);
	return secret_to_hex(arena, hash, sizeof(hash));
}
