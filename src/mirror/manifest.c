#include "mirror/manifest.h"

#include <stdlib.h>
#include <string.h>

#include "access/page_access.h"
#include "base/lines.h"
#include "domain/domain_name.h"
#include "domain/page/published_file.h"
#include "domain/page/status_page.h"
#include "mirror/protocol.h"
#include "publish/page/page_state.h"

#define TWIN ".gz"

const char *manifest_place_name(enum pages_place place)
{
	switch (place) {
	case PAGES_PUBLIC:
		return "public";
	case PAGES_NOINDEX:
		return "noindex";
	case PAGES_PRIVATE:
		return "private";
	default:
		return "";
	}
}

void manifest_print(struct buf *out, const struct page_copy *page)
{
	static const char digits[] = "0123456789abcdef";
	if (page->is_gone) {
		buf_printf(out, "gone %lld\n", (long long)page->page_id);
		return;
	}
	buf_printf(out, "page %lld %s %s %s %s\n", (long long)page->page_id, page->version,
		   manifest_place_name(page->place), page->slug, line_or_none(page->domain));
	for (size_t i = 0; i < page->file_count; i++) {
		const struct page_copy_file *file = &page->files[i];
		buf_puts(out, "file ");
		for (size_t at = 0; at < sizeof(file->sha256); at++) {
			buf_putc(out, digits[file->sha256[at] >> 4]);
			buf_putc(out, digits[file->sha256[at] & 15]);
		}
		buf_printf(out, " %zu %s\n", file->size, file->name);
	}
	buf_puts(out, "end\n");
}

struct parsing {
	struct lines lines;
	struct arena *arena;
	struct manifest *manifest;
	size_t room; /* the size of the array of pages */
	struct error *error;
};

/* Returns the next word; NULL: there is none, or it is too long. */
static const char *take_word(struct parsing *parsing, struct str *line)
{
	enum { WORD_MAX_CHARS = 253 };
	const char *word = line_text(line, parsing->arena);
	return word && strlen(word) <= WORD_MAX_CHARS ? word : NULL;
}

static enum result refuse(const struct parsing *parsing, const char *what)
{
	return error_client(parsing->error, E_INVALID, "Line %zu: %s.", parsing->lines.number,
			    what);
}

static bool is_version(const char *text)
{
	size_t len = strspn(text, "0123456789abcdef");
	return len > 0 && len <= PAGE_COPY_VERSION_CHARS && text[len] == '\0';
}

static bool set_place(struct page_copy *page, const char *word)
{
	static const enum pages_place places[] = { PAGES_PUBLIC, PAGES_NOINDEX, PAGES_PRIVATE };
	for (size_t i = 0; i < ARRAY_LEN(places); i++) {
		page->place = places[i];
		if (strcmp(manifest_place_name(places[i]), word) == 0)
			return true;
	}
	return false;
}

/* Parses a line such as "page 7 <version> public acme status.acme.example". */
static enum result parse_head(struct parsing *parsing, struct str line, struct page_copy *page)
{
	bool has_id = line_number(&line, 1, &page->page_id);
	const char *version = take_word(parsing, &line), *place = take_word(parsing, &line);
	const char *slug = take_word(parsing, &line), *domain = take_word(parsing, &line);
	if (!has_id || !version || !place || !slug || !domain || !line_ends(&line))
		return refuse(parsing, "it is no page");
	if (!is_version(version))
		return refuse(parsing, "the version is not hexadecimal");
	memcpy(page->version, version, strlen(version) + 1);
	if (!set_place(page, place))
		return refuse(parsing, "the place is not public, noindex or private");
	if (!status_page_is_slug(slug))
		return refuse(parsing, "the slug is not allowed");
	page->slug = slug;
	if (strcmp(domain, LINE_NONE) == 0)
		return OK;
	page->domain = domain_name_ascii(parsing->arena, domain);
	return page->domain && strcmp(page->domain, domain) == 0
		       ? OK
		       : refuse(parsing, "the domain is not allowed");
}

static bool is_plain(const char *name)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789._-";
	return name[0] != '.' && name[strspn(name, plain)] == '\0' &&
	       strlen(name) <= MANIFEST_NAME_MAX;
}

/* Whether a page can have a file with this name: a file that web servers read, a compressed twin
 * (.gz) of such a file, or a file that only the program reads. */
static bool is_published(const char *name, struct arena *arena)
{
	size_t len = strlen(name), twin = strlen(TWIN);
	if (len > twin && strcmp(name + len - twin, TWIN) == 0)
		return published_file_type(arena_strndup(arena, name, len - twin)) != NULL;
	return published_file_type(name) || published_file_is_internal(name) ||
	       strcmp(name, PAGE_ACCESS_FILE) == 0;
}

static enum result parse_file(struct parsing *parsing, struct str line, struct page_copy_file *file)
{
	struct str hash;
	int64_t bytes = -1;
	bool has_hash = line_word(&line, &hash) &&
			secret_from_hex(hash, file->sha256, sizeof(file->sha256));
	bool has_size = line_number(&line, INT64_MIN, &bytes);
	file->name = take_word(parsing, &line);
	file->fd = -1;
	if (!has_hash || !has_size || !file->name || !line_ends(&line))
		return refuse(parsing, "it is no file");
	if (bytes < 0 || bytes > PROTOCOL_FILE_MAX)
		return refuse(parsing, "the size is not allowed");
	file->size = (size_t)bytes;
	return is_plain(file->name) && is_published(file->name, parsing->arena)
		       ? OK
		       : refuse(parsing, "the name of the file is not allowed");
}

static bool has_duplicate(const char **texts, size_t count)
{
	if (count > 0)
		qsort(texts, count, sizeof(*texts), str_compare_texts);
	for (size_t i = 1; i < count; i++)
		if (strcmp(texts[i - 1], texts[i]) == 0)
			return true;
	return false;
}

static bool has_file(const struct page_copy *page, const char *name)
{
	for (size_t i = 0; i < page->file_count; i++)
		if (strcmp(page->files[i].name, name) == 0)
			return true;
	return false;
}

/* Checks the files of the page after all its lines were read. */
static enum result check_files(const struct parsing *parsing, const struct page_copy *page)
{
	const char **names = ARENA_ARRAY(parsing->arena, page->file_count, const char *);
	size_t count = page->file_count;
	for (size_t i = 0; i < count; i++)
		names[i] = page->files[i].name;
	if (count == 0 || strcmp(page->files[count - 1].name, PAGE_FIRST_FILE) != 0)
		return refuse(parsing, PAGE_FIRST_FILE " is not the last file");
	if (has_file(page, PAGE_FIRST_FILE TWIN) &&
	    strcmp(page->files[count - 2].name, PAGE_FIRST_FILE TWIN) != 0)
		return refuse(parsing, PAGE_FIRST_FILE TWIN " is not before " PAGE_FIRST_FILE);
	if (has_file(page, PAGE_ACCESS_FILE) != (page->place == PAGES_PRIVATE))
		return refuse(parsing, "only private pages have an access record");
	return has_duplicate(names, count) ? refuse(parsing, "a file is named twice") : OK;
}

static enum result parse_files(struct parsing *parsing, struct page_copy *page)
{
	struct str line;
	size_t room = 0;
	while (lines_next(&parsing->lines, &line)) {
		if (str_eq(line, STR("end")))
			return check_files(parsing, page);
		if (!line_key(&line, "file"))
			return refuse(parsing, "it is no file, and not the end of the page");
		if (page->file_count == PAGE_FILES_MAX)
			return refuse(parsing, "the page has too many files");
		page->files = arena_grow(parsing->arena, page->files, page->file_count, &room,
					 sizeof(*page->files));
		enum result result = parse_file(parsing, line, &page->files[page->file_count++]);
		if (result != OK)
			return result;
	}
	parsing->lines.number++;
	return refuse(parsing, "the page has no end");
}

static enum result parse_page(struct parsing *parsing, struct str line)
{
	struct manifest *manifest = parsing->manifest;
	if (manifest->count == MANIFEST_PAGES_MAX)
		return refuse(parsing, "there are too many pages");
	manifest->pages = arena_grow(parsing->arena, manifest->pages, manifest->count,
				     &parsing->room, sizeof(*manifest->pages));
	struct page_copy *page = &manifest->pages[manifest->count++];
	*page = (struct page_copy){ .is_gone = str_starts(line, STR("gone ")) };
	if (!line_key(&line, page->is_gone ? "gone" : "page"))
		return refuse(parsing, "it is no page");
	if (page->is_gone)
		return line_number(&line, 1, &page->page_id) && line_ends(&line)
			       ? OK
			       : refuse(parsing, "it is no page that is gone");
	enum result result = parse_head(parsing, line, page);
	return result == OK ? parse_files(parsing, page) : result;
}

/* Refuses two pages with the same id or address. */
static enum result check_pages(const struct parsing *parsing)
{
	const struct manifest *manifest = parsing->manifest;
	struct arena *arena = parsing->arena;
	const char **ids = ARENA_ARRAY(arena, manifest->count, const char *);
	const char **slugs = ARENA_ARRAY(arena, manifest->count, const char *);
	const char **domains = ARENA_ARRAY(arena, manifest->count, const char *);
	size_t slug_count = 0, domain_count = 0;
	for (size_t i = 0; i < manifest->count; i++) {
		const struct page_copy *page = &manifest->pages[i];
		ids[i] = arena_printf(arena, "%lld", (long long)page->page_id);
		if (page->slug)
			slugs[slug_count++] = page->slug;
		if (page->domain)
			domains[domain_count++] = page->domain;
	}
	if (has_duplicate(ids, manifest->count))
		return error_client(parsing->error, E_INVALID, "A page is named twice.");
	if (has_duplicate(slugs, slug_count) || has_duplicate(domains, domain_count))
		return error_client(parsing->error, E_INVALID, "Two pages have one address.");
	return OK;
}

enum result manifest_parse(struct str body, struct arena *arena, struct manifest *manifest,
			   struct error *error)
{
	struct parsing parsing = {
		.lines = lines_of(body), .arena = arena, .manifest = manifest, .error = error
	};
	struct str line;
	*manifest = (struct manifest){ 0 };
	secret_hash(body, manifest->sha256);
	while (lines_next(&parsing.lines, &line)) {
		enum result result = parse_page(&parsing, line);
		if (result != OK)
			return result;
	}
	parsing.lines.number++;
	if (lines_are_cut(&parsing.lines))
		return refuse(&parsing, "it has no end");
	return check_pages(&parsing);
}
