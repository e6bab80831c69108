#include "access/page_access.h"

#include <string.h>

#define NO_PASSWORD "-"

void page_access_write(struct buf *out, const struct status_page *page)
{
	bool is_default = !page->language || strcmp(page->language, status_page_languages[0]) == 0;
	buf_printf(out, "%lld %lld %d %s%s%s\n", (long long)page->id, (long long)page->account_id,
		   page->privacy, page->password_hash ? page->password_hash : NO_PASSWORD,
		   is_default ? "" : " ", is_default ? "" : page->language);
}

bool page_access_parse(struct str text, struct arena *arena, struct page_access *access)
{
	struct str words[4], language;
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
	access->language = str_split(&text, ' ', &language)
				   ? arena_strndup(arena, language.data, language.len)
				   : status_page_languages[0];
	return true;
}
