#include "publish/page_state.h"

#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "domain/uptime.h"

#define STATE_FILE	"page"
/* The note while the page's files are not all of one version. */
#define UNFINISHED_FILE "writing"

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

/* Reads a line such as "epoch 1700000000000000" or "place 0"; false for a month. */
static bool read_number(struct page_state *state, struct str line, struct arena *arena)
{
	int64_t number = 0;
	const char *name = take_word(&line, arena), *value = take_word(&line, arena);
	bool is_epoch = strcmp(name, "epoch") == 0, is_place = strcmp(name, "place") == 0;
	if ((is_epoch || is_place) && str_to_int64(str_from(value), &number)) {
		if (is_epoch)
			state->epoch = number;
		else if (number >= 0 && number < PAGES_PLACES)
			state->place = (enum pages_place)number;
	}
	return is_epoch || is_place;
}

static bool read_head(struct page_state *state, struct str line, struct arena *arena)
{
	if (!str_to_int64(str_from(take_word(&line, arena)), &state->revision) ||
	    !str_to_int64(str_from(take_word(&line, arena)), &state->due.s))
		return false;
	state->slug = take_word(&line, arena);
	const char *domain = take_word(&line, arena);
	state->domain = domain[0] != '\0' ? domain : NULL;
	return state->slug[0] != '\0';
}

static void parse_note(struct page_state *state, const char *text, struct arena *arena)
{
	struct str rest = str_from(text), line;
	bool is_whole = state->is_whole;
	*state = (struct page_state){ .place = PAGES_PLACES };
	if (!str_split(&rest, '\n', &line) || !read_head(state, line, arena)) {
		*state = (struct page_state){ .is_broken = true, .place = PAGES_PLACES };
		return;
	}
	state->is_known = true;
	state->is_whole = is_whole;
	state->months = ARENA_ARRAY(arena, STATE_MONTHS_MAX, struct month_state);
	while (state->month_count < STATE_MONTHS_MAX && str_split(&rest, '\n', &line))
		if (!read_number(state, line, arena))
			read_month(state, line, arena);
	/* The note does not say which months were renamed before the publisher died. */
	if (!is_whole)
		state->month_count = 0;
}

enum result page_state_read(const struct pages_dir *dir, int64_t page_id, struct arena *arena,
			    struct page_state *state, struct error *error)
{
	/* A publisher may finish, and rename the note, between the first two reads. */
	static const char *const names[] = { STATE_FILE, UNFINISHED_FILE, STATE_FILE };
	const char *text = NULL;
	enum result result = OK;
	*state = (struct page_state){ .place = PAGES_PLACES };
	for (size_t i = 0; result == OK && !text && i < ARRAY_LEN(names); i++) {
		state->is_whole = i != 1;
		result = pages_dir_load(dir, PAGES_STATE, folder_of(page_id, arena), names[i],
					STATE_MAX_BYTES, arena, &text, error);
	}
	if (text)
		parse_note(state, text, arena);
	else
		state->is_whole = false;
	return result;
}

enum result page_state_write(const struct pages_dir *dir, int64_t page_id,
			     const struct page_state *state, struct arena *arena,
			     struct error *error)
{
	struct buf text CLEANUP(buf_done) = BUF_INIT(STATE_MAX_BYTES);
	buf_printf(&text, "%lld %lld %s %s\n", (long long)state->revision, (long long)state->due.s,
		   state->slug, state->domain ? state->domain : "");
	buf_printf(&text, "epoch %lld\nplace %d\n", (long long)state->epoch, (int)state->place);
	for (size_t i = 0; i < state->month_count; i++)
		buf_printf(&text, "%s %s\n", state->months[i].name, state->months[i].digest);
	if (!buf_ok(&text))
		return error_log(error, E_FAILED, "publish: the state of a page is too large");
	return pages_dir_put(dir, PAGES_STATE, folder_of(page_id, arena),
			     state->is_whole ? STATE_FILE : UNFINISHED_FILE,
			     (struct str){ text.data, text.len }, arena, error);
}

enum result page_state_begin(const struct pages_dir *dir, int64_t page_id, struct arena *arena,
			     struct error *error)
{
	return pages_dir_rename(dir, PAGES_STATE, folder_of(page_id, arena), STATE_FILE,
				UNFINISHED_FILE, error);
}

enum result page_state_remove(const struct pages_dir *dir, int64_t page_id, struct arena *arena,
			      struct error *error)
{
	return pages_dir_remove(dir, PAGES_STATE, folder_of(page_id, arena), error);
}

int page_state_compare(const struct page_state *state, int64_t epoch, int64_t revision)
{
	if (state->epoch != epoch)
		return state->epoch < epoch ? -1 : 1;
	return (state->revision > revision) - (state->revision < revision);
}

bool page_state_is_there(const struct pages_dir *dir, const struct page_state *state)
{
	enum pages_place by_domain = state->place == PAGES_PUBLIC    ? PAGES_DOMAIN
				     : state->place == PAGES_NOINDEX ? PAGES_NOINDEX_DOMAIN
								     : PAGES_PLACES;
	if (!state->is_known)
		return false;
	if (state->place == PAGES_PLACES)
		return true;
	return pages_dir_has(dir, state->place, state->slug, PAGE_FIRST_FILE) &&
	       (!state->domain || by_domain == PAGES_PLACES ||
		pages_dir_has(dir, by_domain, state->domain, PAGE_FIRST_FILE));
}

bool page_state_is_due(const struct page_state *state, struct instant now)
{
	/* The clock changes every page within a day: a wrong clock has set a later time. */
	return state->due.s <= now.s || state->due.s > now.s + DAY_S;
}

bool page_state_is_current(const struct pages_dir *dir, const struct page_state *state,
			   const struct publication *row, struct instant now)
{
	return state->is_whole && !page_state_is_due(state, now) &&
	       page_state_compare(state, row->epoch, row->revision) == 0 &&
	       page_state_is_there(dir, state);
}

bool page_state_has_month(const struct page_state *state, const char *name, const char *digest)
{
	for (size_t i = 0; i < state->month_count; i++)
		if (strcmp(state->months[i].name, name) == 0)
			return strcmp(state->months[i].digest, digest) == 0;
	return false;
}
