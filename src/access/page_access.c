#include "access/page_access.h"

#define NO_PASSWORD "-"

void page_access_write(struct buf *out, const struct status_page *page)
{
	buf_printf(out, "%lld %lld %d %s\n", (long long)page->id, (long long)page->account_id,
		   page->privacy, page->password_hash ? page->password_hash : NO_PASSWORD);
}

bool page_access_parse(struct str text, struct arena *arena, struct page_access *access)
{
	struct str words[4];
	int64_t privacy;
	/* A file that was cut has no newline at its end. */
	if (text.len == 0 || text.data[text.len - 1] != '\n')
		return false;
	text.len--;
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (!str_split(&text, ' ', &words[i]))
			return false;
	if (!str_to_int64(words[0], &access->page_id) ||
	    !str_to_int64(words[1], &access->account_id) || !str_to_int64(words[2], &privacy))
		return false;
	access->privacy = (int)privacy;
	access->password_hash = str_eq(words[3], STR(NO_PASSWORD))
					? ""
					: arena_strndup(arena, words[3].data, words[3].len);
	return true;
}
