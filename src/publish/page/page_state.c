#include "publish/page/page_state.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fd.h"
#include "base/lines.h"
#include "base/str.h"
#include "domain/page/uptime.h"
#include "publish/page/page_address.h"
#include "publish/page/pages_batch.h"

const char *page_state_folder(int64_t page_id, struct arena *arena)
{
	return arena_printf(arena, "%lld", (long long)page_id);
}

static bool read_file(struct page_state *state, struct str line, size_t *room, struct arena *arena)
{
	state->files =
		arena_grow(arena, state->files, state->file_count, room, sizeof(*state->files));
	struct file_state *file = &state->files[state->file_count++];
	file->name = line_text(&line, arena);
	file->digest = line_text(&line, arena);
	file->stamp = line_text(&line, arena);
	file->packed = line_text(&line, arena);
	return file->packed && (line_ends(&line) || line_number(&line, 1, &file->kept_until.s));
}

/*
 * Reads a line such as "epoch 1700000000000000" or "place 0". Skips lines with other names, which a
 * later version of the program may have written.
 */
static bool read_line(struct page_state *state, struct str line, struct arena *arena)
{
	int64_t place;
	struct str name;
	if (!line_word(&line, &name))
		return false;
	if (str_eq(name, STR("version")))
		return (state->version = line_text(&line, arena)) != NULL;
	if (str_eq(name, STR("epoch")))
		return line_number(&line, 0, &state->epoch);
	if (!str_eq(name, STR("place")))
		return true;
	if (!line_number(&line, 0, &place) || place > PAGES_PLACES)
		return false;
	state->place = (enum pages_place)place;
	return true;
}

static bool read_head(struct page_state *state, struct str line, struct arena *arena)
{
	if (!line_number(&line, 0, &state->revision) ||
	    !line_number(&line, INT64_MIN, &state->due.s))
		return false;
	state->slug = line_text(&line, arena);
	return state->slug && (line.len == 0 || line_optional(&line, arena, &state->domain));
}

void page_state_parse_head(struct str text, struct arena *arena, struct page_state *state)
{
	enum { HEAD_LINES = 3 };
	struct lines lines = lines_of(text);
	struct str line;
	*state = (struct page_state){ .place = PAGES_PLACES };
	state->is_known = lines_next(&lines, &line) && read_head(state, line, arena);
	while (state->is_known && lines.number < HEAD_LINES && lines_next(&lines, &line))
		state->is_known = str_starts(line, STR("file ")) || read_line(state, line, arena);
}

/* Returns the number of files, including their compressed twins. */
static size_t all_files(const struct page_state *state)
{
	size_t count = state->file_count;
	for (size_t i = 0; i < state->file_count; i++)
		count += strcmp(state->files[i].packed, "-") != 0;
	return count;
}

void page_state_parse(const char *text, bool is_whole, struct arena *arena,
		      struct page_state *state)
{
	struct lines lines = lines_of(str_from(text));
	struct str line;
	size_t room = 0;
	*state = (struct page_state){ .is_whole = is_whole, .place = PAGES_PLACES };
	state->is_known = lines_next(&lines, &line) && read_head(state, line, arena);
	while (state->is_known && lines_next(&lines, &line)) {
		struct str words = line;
		state->is_known = line_key(&words, "file") ? read_file(state, words, &room, arena)
							   : read_line(state, line, arena);
	}
	if (!state->is_known || lines_are_cut(&lines) || all_files(state) > PAGE_FILES_MAX) {
		*state = (struct page_state){ .is_broken = true, .place = PAGES_PLACES };
		return;
	}
	/* An unfinished note does not tell which files were already renamed. */
	if (!is_whole)
		state->file_count = 0;
}

enum result page_state_read(const struct pages_dir *dir, int64_t page_id, struct arena *arena,
			    struct page_state *state, struct error *error)
{
	/* Try the first name again: between the first two reads a publisher may rename the note. */
	static const char *const names[] = { PAGE_STATE_FILE, PAGE_STATE_UNFINISHED,
					     PAGE_STATE_FILE };
	const char *text = NULL;
	bool is_whole = false;
	enum result result = OK;
	*state = (struct page_state){ .place = PAGES_PLACES };
	for (size_t i = 0; result == OK && !text && i < ARRAY_LEN(names); i++) {
		is_whole = i != 1;
		result = pages_dir_load(dir, PAGES_STATE, page_state_folder(page_id, arena),
					names[i], PAGE_NOTE_MAX_BYTES, arena, &text, error);
	}
	if (text)
		page_state_parse(text, is_whole, arena, state);
	return result;
}

static enum result print_note(struct buf *text, const struct page_state *state, struct error *error)
{
	buf_printf(text, "%lld %lld %s %s\n", (long long)state->revision, (long long)state->due.s,
		   state->slug, state->domain ? state->domain : "");
	buf_printf(text, "epoch %lld\nplace %d\n", (long long)state->epoch, (int)state->place);
	if (state->version)
		buf_printf(text, "version %s\n", state->version);
	for (size_t i = 0; i < state->file_count; i++) {
		const struct file_state *file = &state->files[i];
		buf_printf(text, "file %s %s %s %s", file->name, file->digest, file->stamp,
			   file->packed);
		if (file->kept_until.s > 0)
			buf_printf(text, " %lld", (long long)file->kept_until.s);
		buf_putc(text, '\n');
	}
	if (all_files(state) > PAGE_FILES_MAX)
		return error_log(error, E_FAILED, "publish: a page has more than %d files",
				 PAGE_FILES_MAX);
	if (!buf_ok(text))
		return error_log(error, E_FAILED, "publish: the state of a page is too large");
	return OK;
}

enum result page_state_write(const struct pages_dir *dir, int64_t page_id,
			     const struct page_state *state, struct arena *arena,
			     struct error *error)
{
	struct buf text CLEANUP(buf_done) = BUF_INIT(PAGE_NOTE_MAX_BYTES);
	enum result result = print_note(&text, state, error);
	return result == OK
		       ? pages_dir_put(dir, PAGES_STATE, page_state_folder(page_id, arena),
				       state->is_whole ? PAGE_STATE_FILE : PAGE_STATE_UNFINISHED,
				       (struct str){ text.data, text.len }, arena, error)
		       : result;
}

enum result page_note_open(struct page_note *note, const struct pages_dir *dir, int64_t page_id,
			   const struct page_state *state, struct arena *arena, struct error *error)
{
	struct buf text CLEANUP(buf_done) = BUF_INIT(PAGE_NOTE_MAX_BYTES);
	const char *folder = page_state_folder(page_id, arena);
	bool is_new;
	*note = PAGE_NOTE_CLOSED;
	note->dir = dir;
	enum result result = print_note(&text, state, error);
	if (result != OK)
		return result;
	note->folder_fd = folder_make(dir->place_fds[PAGES_STATE], folder, false, &is_new);
	if (note->folder_fd < 0)
		return folder_failed(error, "cannot make the folder", folder);
	return folder_write(dir->new_fd, false, (struct str){ text.data, text.len }, &note->file,
			    error);
}

static enum result sync_note(const struct page_note *note, struct error *error)
{
	return !note->dir->syncs_folders || fsync(note->folder_fd) == 0
		       ? OK
		       : folder_failed(error, "cannot sync", "a note");
}

enum result page_note_begin(const struct page_note *note, struct error *error)
{
	if (renameat(note->folder_fd, PAGE_STATE_FILE, note->folder_fd, PAGE_STATE_UNFINISHED) !=
		    0 &&
	    errno != ENOENT)
		return folder_failed(error, "cannot rename", PAGE_STATE_FILE);
	return sync_note(note, error);
}

enum result page_note_commit(struct page_note *note, struct error *error)
{
	enum result result = folder_name_file(note->dir->new_fd, &note->file, note->folder_fd,
					      PAGE_STATE_FILE, error);
	if (result == OK && note->replaced)
		replaced_files_keep(note->replaced, note->folder_fd, PAGE_STATE_UNFINISHED);
	if (result == OK && unlinkat(note->folder_fd, PAGE_STATE_UNFINISHED, 0) != 0 &&
	    errno != ENOENT)
		result = folder_failed(error, "cannot remove", PAGE_STATE_UNFINISHED);
	return result == OK ? sync_note(note, error) : result;
}

enum result page_state_unfinish(const struct pages_dir *dir, int64_t page_id, struct arena *arena,
				struct error *error)
{
	int fd CLEANUP(close_fd) =
		folder_open(dir->place_fds[PAGES_STATE], page_state_folder(page_id, arena));
	const struct page_note note = { .dir = dir, .folder_fd = fd };
	return fd >= 0 ? page_note_begin(&note, error) : OK;
}

void page_note_close(struct page_note *note)
{
	if (note->dir)
		folder_drop_file(note->dir->new_fd, &note->file);
	close_fd(&note->folder_fd);
	*note = PAGE_NOTE_CLOSED;
}

enum result page_state_remove(const struct pages_dir *dir, int64_t page_id, struct arena *arena,
			      struct error *error)
{
	return pages_dir_remove(dir, PAGES_STATE, page_state_folder(page_id, arena), error);
}

int page_state_compare(const struct page_state *state, int64_t epoch, int64_t revision)
{
	if (state->epoch != epoch)
		return state->epoch < epoch ? -1 : 1;
	return (state->revision > revision) - (state->revision < revision);
}

bool page_state_is_there(const struct pages_dir *dir, const struct page_state *state)
{
	const struct page_address address = { state->slug, state->domain, state->place };
	enum pages_place by_domain = page_address_domain_place(&address);
	if (!state->is_known)
		return false;
	if (state->place == PAGES_PLACES)
		return true;
	return pages_dir_has(dir, state->place, state->slug, PAGE_FIRST_FILE) &&
	       (by_domain == PAGES_PLACES ||
		pages_dir_has(dir, by_domain, state->domain, PAGE_FIRST_FILE));
}

static bool has_files(const struct pages_dir *dir, const struct page_state *state,
		      struct arena *arena)
{
	int fd CLEANUP(close_fd) = folder_open(dir->place_fds[state->place], state->slug);
	bool is_there = fd >= 0 && state->file_count > 0;
	for (size_t i = 0; is_there && i < state->file_count; i++) {
		const struct file_state *file = &state->files[i];
		is_there = folder_has(fd, file->name, file->stamp) &&
			   (strcmp(file->packed, "-") == 0 ||
			    folder_has(fd, arena_printf(arena, "%s.gz", file->name), file->packed));
	}
	return is_there;
}

/* Compares only the files under the slug: the files under the domain are usually hard links to
 * them. */
bool page_state_is_intact(const struct pages_dir *dir, const struct page_state *state,
			  struct arena *arena)
{
	return state->place != PAGES_PLACES && has_files(dir, state, arena) &&
	       page_state_is_there(dir, state);
}

bool page_state_is_due(const struct page_state *state, struct instant now)
{
	/* A time that is more than a day ahead comes from a wrong clock: see
	 * page_snapshot_due(). */
	return state->due.s <= now.s || state->due.s > now.s + DAY_S;
}

bool page_state_is_current(const struct pages_dir *dir, const struct page_state *state,
			   const struct publication *row, struct instant now, struct arena *arena)
{
	return state->is_whole && !page_state_is_due(state, now) &&
	       page_state_compare(state, row->epoch, row->revision) == 0 &&
	       page_state_is_intact(dir, state, arena);
}
