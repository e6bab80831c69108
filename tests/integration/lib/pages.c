#include "integration/lib/pages.h"

#include <stdlib.h>
#include <sys/stat.h>

enum { TEXT_MAX_BYTES = 256 << 10 };

char pages_folder[FOLDER_MAX_BYTES];

void make_pages_folder(char path[FOLDER_MAX_BYTES])
{
	const char *parent = getenv("DAYMARK_TEST_DIR");
	snprintf(path, FOLDER_MAX_BYTES, "%s/pages-XXXXXX", parent ? parent : "/tmp");
	assert_non_null(mkdtemp(path));
}

int pages_clear(void **state)
{
	make_pages_folder(pages_folder);
	return database_clear(state);
}

struct publisher publisher(void)
{
	static struct site site = { .has_domains = true };
	return (struct publisher){ .db = db,
				   .settings = { .has_previews = true },
				   .path = pages_folder,
				   .base_url = "https://status.test",
				   .site = &site,
				   .now = at(5, 10),
				   .arena = &arena };
}

void publish(int64_t page)
{
	const struct publisher all = publisher();
	assert_ok(publish_page(&all, &(struct publish_order){ .page_id = page }, &error));
}

const char *path_of(const char *path)
{
	return arena_printf(&arena, "%s/%s", pages_folder, path);
}

bool is_published(const char *path)
{
	struct stat status;
	return stat(path_of(path), &status) == 0;
}

const char *published(const char *path)
{
	static char text[TEXT_MAX_BYTES];
	FILE *file = fopen(path_of(path), "r");
	if (!file)
		return "";
	size_t len = fread(text, 1, sizeof(text), file);
	fclose(file);
	return arena_strndup(&arena, text, len);
}

const char *text_of(const char *path)
{
	if (!is_published(path))
		fail_msg("%s is not there", path);
	return published(path);
}
