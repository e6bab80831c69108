#include "unit/mirror/pages.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "access/page_access.h"
#include "publish/folder/filled.h"
#include "publish/folder/gone.h"
#include "publish/journal.h"
#include "unit/lib/unit.h"

struct pages_dir dir;
struct error error;

int pages_start(void **state)
{
	return folder_start(state) == 0 && pages_dir_open(&dir, test_folder, &error) == OK &&
			       filled_mark(&dir, NULL, 0, &error) == OK &&
			       mkdirat(dir.root_fd, "mirror", 0700) == 0
		       ? 0
		       : -1;
}

int pages_end(void **state)
{
	pages_dir_close(&dir);
	return folder_end(state);
}

static void add(struct pages_batch *batch, struct page_state *state, const char *name,
		const char *text)
{
	struct file_state *file = &state->files[state->file_count++];
	*file = (struct file_state){ .name = name, .packed = "-" };
	file->digest = secret_hash_hex(&arena, text, strlen(text), 32);
	assert_int_equal(OK, pages_batch_add(batch, name, str_from(text), &file->stamp, &error));
}

void publish_page_with(int64_t id, enum pages_place place, const char *slug, const char *text,
		       const char *access)
{
	struct pages_batch batch CLEANUP(pages_batch_close) = { .folder_fd = -1 };
	struct file_state files[4];
	struct page_state state = {
		.is_whole = true,
		.epoch = 1,
		.revision = 1,
		.slug = slug,
		.place = place,
		.files = files,
	};
	assert_int_equal(OK, pages_batch_open(&batch, &dir, place, slug, &arena, &error));
	if (place == PAGES_PRIVATE)
		add(&batch, &state, PAGE_ACCESS_FILE, access);
	add(&batch, &state, "style.css", "body {}");
	if (place == PAGES_PUBLIC) {
		assert_int_equal(OK, pages_batch_add(&batch, "index.html.gz", STR("packed"),
						     &files[state.file_count].packed, &error));
		const char *packed = files[state.file_count].packed;
		add(&batch, &state, "index.html", text);
		files[state.file_count - 1].packed = packed;
	} else {
		add(&batch, &state, "index.html", text);
	}
	assert_int_equal(OK, pages_batch_sync(&batch, &error));
	assert_int_equal(OK, pages_batch_commit(&batch, &error));
	for (enum pages_place other = PAGES_PUBLIC; other <= PAGES_PRIVATE; other++)
		if (other != place && !pages_place_is_by_domain(other))
			assert_int_equal(OK, pages_dir_remove(&dir, other, slug, &error));
	assert_int_equal(OK, page_state_write(&dir, id, &state, &arena, &error));
	journal_add(&dir, id);
}

void publish_public(int64_t id, const char *text)
{
	publish_page_with(id, PAGES_PUBLIC, arena_printf(&arena, "p%lld", (long long)id), text,
			  NULL);
}

void publish_many(int64_t id, size_t others)
{
	struct pages_batch batch CLEANUP(pages_batch_close) = { .folder_fd = -1 };
	struct page_state state = { .is_whole = true, .epoch = 1, .revision = 1 };
	state.slug = arena_printf(&arena, "p%lld", (long long)id);
	state.place = PAGES_PUBLIC;
	state.files = ARENA_ARRAY(&arena, others + 1, struct file_state);
	assert_int_equal(OK,
			 pages_batch_open(&batch, &dir, PAGES_PUBLIC, state.slug, &arena, &error));
	batch.closes_files = true;
	for (size_t i = 0; i <= others; i++) {
		const char *name = i < others ? arena_printf(&arena, "%zu.txt", i) : "index.html";
		const char *twin = arena_printf(&arena, "%s.gz", name), *packed;
		assert_int_equal(OK, pages_batch_add(&batch, twin, STR("p"), &packed, &error));
		add(&batch, &state, name, "x");
		state.files[i].packed = packed;
	}
	assert_int_equal(OK, pages_batch_commit(&batch, &error));
	assert_int_equal(OK, page_state_write(&dir, id, &state, &arena, &error));
}

void remove_page(int64_t id)
{
	struct page_state state;
	assert_int_equal(OK, page_state_read(&dir, id, &arena, &state, &error));
	for (enum pages_place place = PAGES_PUBLIC; place <= PAGES_PRIVATE; place++)
		if (!pages_place_is_by_domain(place))
			assert_int_equal(OK, pages_dir_remove(&dir, place, state.slug, &error));
	assert_int_equal(OK, page_state_unfinish(&dir, id, &arena, &error));
	assert_int_equal(OK, gone_add(&dir, id, &error));
	journal_add(&dir, id);
	assert_int_equal(OK, page_state_remove(&dir, id, &arena, &error));
}
