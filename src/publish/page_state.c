#include "publish/page_state.h"

#include <string.h>

#include "base/buf.h"
#include "base/str.h"

#define STATE_FILE "page"

enum { STATE_MAX_BYTES = 64 << 10, STATE_MONTHS_MAX = 1024 };

static const char *folder_of(int64_t page_id, struct arena *arena)
{
	return arena_printf(arena, "%lld", (long long)page_id);
}

static const char *take_word(struct str *line, struct arena *arena)
{
	struct str word = { 0 };
	str_split(line, ' ', &word);
	return arena_strndup(arena, word.data ? word.data : "", word.len);
}

static void read_month(struct page_state *state, struct str line, struct arena *arena)
{
	struct month_state *month = &state->months[state->month_count];
	month->name = take_word(&line, arena);
	month->digest = take_word(&line, arena);
	state->month_count += month->digest[0] != '\0';
}

void page_state_read(const struct pages_dir *dir, int64_t page_id, struct arena *arena,
		     struct page_state *state)
{
	const char *text = pages_dir_read(dir, PAGES_STATE, folder_of(page_id, arena), STATE_FILE,
					  STATE_MAX_BYTES, arena);
	struct str rest = str_from(text), line;
	*state = (struct page_state){ 0 };
	if (!text || !str_split(&rest, '\n', &line) ||
	    !str_to_int64(str_from(take_word(&line, arena)), &state->revision) ||
	    !str_to_int64(str_from(take_word(&line, arena)), &state->day.s))
		return;
	state->slug = take_word(&line, arena);
	const char *domain = take_word(&line, arena);
	state->domain = domain[0] != '\0' ? domain : NULL;
	state->is_known = state->slug[0] != '\0';
	state->months = ARENA_ARRAY(arena, STATE_MONTHS_MAX, struct month_state);
	while (state->month_count < STATE_MONTHS_MAX && str_split(&rest, '\n', &line))
		read_month(state, line, arena);
}

enum result page_state_write(const struct pages_dir *dir, int64_t page_id,
			     const struct page_state *state, struct arena *arena,
			     struct error *error)
{
	struct buf text CLEANUP(buf_done) = BUF_INIT(STATE_MAX_BYTES);
	buf_printf(&text, "%lld %lld %s %s\n", (long long)state->revision, (long long)state->day.s,
		   state->slug, state->domain ? state->domain : "");
	for (size_t i = 0; i < state->month_count; i++)
		buf_printf(&text, "%s %s\n", state->months[i].name, state->months[i].digest);
	if (!buf_ok(&text))
		return error_log(error, E_FAILED, "publish: the state of a page is too large");
	return pages_dir_put(dir, PAGES_STATE, folder_of(page_id, arena), STATE_FILE,
			     (struct str){ text.data, text.len }, arena, error);
}

enum result page_state_remove(const struct pages_dir *dir, int64_t page_id, struct arena *arena,
			      struct error *error)
{
	return pages_dir_remove(dir, PAGES_STATE, folder_of(page_id, arena), error);
}

bool page_state_has_month(const struct page_state *state, const char *name, const char *digest)
{
	for (size_t i = 0; i < state->month_count; i++)
		if (strcmp(state->months[i].name, name) == 0)
			return strcmp(state->months[i].digest, digest) == 0;
	return false;
}
