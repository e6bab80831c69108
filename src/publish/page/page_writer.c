#include "publish/page/page_writer.h"

#include <string.h>
#include <unistd.h>

#include "access/page_access.h"
#include "base/secret.h"
#include "publish/folder/former_address.h"
#include "publish/folder/gone.h"
#include "publish/page/page_address.h"
#include "publish/page/page_incidents.h"
#include "store/page/publication.h"
#include "view/page.h"
#include "view/page/page_markdown.h"

/* The most files of a page besides those of months, reports and incidents. Including twins
 * (compressed copies), a month has four files, a report four, an incident two. */
enum { OTHER_FILES_MAX = 128 };
_Static_assert(4 * (int)PAGE_MONTHS_MAX + 4 * (int)PAGE_REPORTS_MAX +
			       2 * (int)PAGE_INCIDENT_FILES_MAX + (int)OTHER_FILES_MAX <=
		       (int)PAGE_FILES_MAX,
	       "the note of a page has room for all files");

/* Adds a file whose name contains the hash of its content. */
static enum result put_asset(struct page_writing *writing, const char *name, const char *text,
			     struct error *error)
{
	if (!name || page_output_keep(&writing->output, name, PAGE_OUTPUT_HASHED))
		return OK;
	buf_puts(&writing->output.text, text);
	return page_output_text(&writing->output, name, PAGE_OUTPUT_HASHED, error);
}

static enum result put_assets(struct page_writing *writing, struct error *error)
{
	struct arena *arena = writing->publisher->arena;
	const struct status_page *page = &writing->snapshot->page;
	const char *style = page_style_name_of(page, arena);
	enum result result = OK;
	if (!page_output_keep(&writing->output, style, PAGE_OUTPUT_HASHED)) {
		page_style_of(&writing->output.text, page);
		result = page_output_text(&writing->output, style, PAGE_OUTPUT_HASHED, error);
	}
	if (result == OK)
		result = put_asset(writing, page_asset_name(PAGE_SCRIPT), page_asset(PAGE_SCRIPT),
				   error);
	if (result == OK && writing->snapshot->report_count > 0)
		result = put_asset(writing, page_asset_name(PAGE_REPORT_STYLE),
				   page_asset(PAGE_REPORT_STYLE), error);
	if (result == OK)
		result = put_asset(writing, page_custom_name(arena, page->custom_css, "css"),
				   page->custom_css, error);
	if (result == OK)
		result = put_asset(writing, page_custom_name(arena, page->custom_js, "js"),
				   page->custom_js, error);
	return result;
}

static enum result put_others(struct page_writing *writing, struct error *error)
{
	static const struct {
		const char *name;
		void (*print)(struct buf *out, const struct page_snapshot *snapshot,
			      struct arena *arena);
	} files[] = {
		{ "badge.svg", page_badge },	     { PAGE_BADGES_FILE, page_badges },
		{ "feed.html", page_feed_html },     { PAGE_ERROR_FILE, page_error },
		{ PAGE_AWAY_FILE, page_error_away }, { PAGE_REFUSED_FILE, page_error_refused },
		{ "widget.html", page_widget },	     { "widget.js", page_widget_script },
	};
	/* The last files of the list are for other sites and web servers. Only public pages need
	 * them. */
	enum { PUBLIC_FILES = 4 };
	size_t count = writing->output.batch.place == PAGES_PRIVATE
			       ? ARRAY_LEN(files) - PUBLIC_FILES
			       : ARRAY_LEN(files);
	enum result result = OK;
	for (size_t i = 0; result == OK && i < count; i++) {
		files[i].print(&writing->output.text, writing->snapshot, writing->publisher->arena);
		result = page_output_text(&writing->output, files[i].name, NULL, error);
	}
	return result;
}

static enum result put_feeds(struct page_writing *writing, struct error *error)
{
	struct page_output *output = &writing->output;
	struct buf rss CLEANUP(buf_done) = BUF_INIT(PAGE_FILE_MAX_BYTES);
	page_feeds(&(struct page_feeds){ &output->text, &rss }, writing->snapshot,
		   writing->publisher->arena);
	enum result result = page_output_text(output, "feed.atom", NULL, error);
	buf_add(&output->text, rss.data, rss.len);
	output->text.is_failed |= !buf_ok(&rss);
	return result == OK ? page_output_text(output, "history.rss", NULL, error) : result;
}

static enum result put_documents(struct page_writing *writing, struct error *error)
{
	struct arena *arena = writing->publisher->arena;
	struct page_json_parts parts CLEANUP(page_json_parts_done) = PAGE_JSON_PARTS;
	enum result result = OK;
	for (size_t i = 0; result == OK && page_document(i); i++) {
		page_json(&writing->output.text, writing->snapshot, i, &parts, arena);
		result = page_output_text(&writing->output,
					  arena_printf(arena, "%s.json", page_document(i)), NULL,
					  error);
	}
	if (result != OK)
		return result;
	result = put_others(writing, error);
	if (result == OK)
		result = put_feeds(writing, error);
	if (result != OK || !writing->snapshot->has_maintenance)
		return result;
	page_calendar(&writing->output.text, writing->snapshot, arena);
	return page_output_text(&writing->output, "calendar.ics", NULL, error);
}

/* Adds files that visitors do not request. Only some pages have them. */
static enum result put_marks(struct page_writing *writing, struct error *error)
{
	const struct status_page *page = &writing->snapshot->page;
	struct page_output *output = &writing->output;
	if (output->batch.place != PAGES_PRIVATE) {
		if (!page->domain)
			return OK;
		page_robots(&output->text);
		return page_output_text(output, "robots.txt", NULL, error);
	}
	page_access_write(&output->text, page);
	enum result result = page_output_text(output, PAGE_ACCESS_FILE, NULL, error);
	/* Sync the changes: a former password must not open the page again after a loss of
	 * power. */
	output->batch.is_durable = output->written_count > 0;
	/* Remove replaced files at once: the visitors who may see the page have changed. */
	writing->removes_replaced = output->written_count > 0;
	return result;
}

static enum result put_all(struct page_writing *writing, struct error *error)
{
	enum result result = put_marks(writing, error);
	if (result == OK)
		result = page_pictures_put(writing, error);
	if (result == OK)
		result = put_assets(writing, error);
	if (result == OK)
		result = page_months_put(writing, error);
	if (result == OK)
		result = put_documents(writing, error);
	if (result != OK)
		return result;
	if (!writing->removes_replaced)
		page_output_keep_replaced(&writing->output, writing->snapshot->now,
					  &writing->snapshot->replaced_until);
	/* index.html comes last, because it refers to the other files. */
	page_html(&writing->output.text, writing->snapshot, writing->publisher->arena);
	return page_output_text(&writing->output, PAGE_FIRST_FILE, NULL, error);
}

static enum pages_place place_of(const struct status_page *page)
{
	if (page->privacy != PRIVACY_PUBLIC)
		return PAGES_PRIVATE;
	return page->noindex ? PAGES_NOINDEX : PAGES_PUBLIC;
}

static struct page_address address_of(const struct status_page *page)
{
	return (struct page_address){ page->slug, page->domain, place_of(page) };
}

static enum result remove_elsewhere(const struct pages_dir *dir, const struct status_page *page,
				    struct error *error)
{
	const struct page_address address = address_of(page);
	return page_address_remove_elsewhere(dir, &address, error);
}

enum result page_failure(enum result result)
{
	return result == E_REFUSED || result == E_RETRY ? E_FAILED : result;
}

static bool has_access_of(const struct pages_dir *dir, const struct status_page *page,
			  struct arena *arena)
{
	struct buf written CLEANUP(buf_done) = BUF_INIT(PAGE_FILE_MAX_BYTES);
	struct page_access there, wanted;
	const char *text;
	struct error ignored = { 0 };
	enum result result = pages_dir_load(dir, PAGES_PRIVATE, page->slug, PAGE_ACCESS_FILE,
					    PAGE_FILE_MAX_BYTES, arena, &text, &ignored);
	page_access_write(&written, page);
	return result == OK && page_access_parse(str_from(text), arena, &there) &&
	       page_access_parse((struct str){ written.data, written.len }, arena, &wanted) &&
	       page_access_is_as_strict(&there, &wanted);
}

/* Marks a complete note as unfinished if the page's files are missing, because a complete note says
 * that the files exist. */
static enum result settle_note(const struct pages_dir *dir, int64_t page_id, struct arena *arena,
			       struct error *error)
{
	struct page_state state;
	enum result result = page_state_read(dir, page_id, arena, &state, error);
	return result == OK && state.is_whole && !page_state_is_there(dir, &state)
		       ? page_state_unfinish(dir, page_id, arena, error)
		       : result;
}

void page_hide(const struct pages_dir *dir, const struct status_page *page, struct arena *arena)
{
	struct error error = { 0 };
	if (page->privacy == PRIVACY_PUBLIC)
		return;
	enum result result = remove_elsewhere(dir, page, &error);
	if (!has_access_of(dir, page, arena))
		result = pages_dir_remove(dir, PAGES_PRIVATE, page->slug, &error);
	if (result == OK)
		result = settle_note(dir, page->id, arena, &error);
	/* Ignore a failure here: the caller reports the failure for which it has called this
	 * function. */
	(void)result;
}

static bool has_recorded(const struct page_state *state, const struct status_page *page)
{
	return state->is_known && strcmp(state->slug, page->slug) == 0 &&
	       str_eq(str_from(state->domain), str_from(page->domain));
}

/*
 * Records the address before anything is published there. So after a crash the next publisher knows
 * which folders to remove if the page was deleted or moved. The former note is replaced, because
 * pages_dir_put() removes the other files of the folder.
 */
static enum result record_address(const struct pages_dir *dir, const struct status_page *page,
				  const struct page_state *state, struct arena *arena,
				  struct error *error)
{
	struct page_state ahead = { .epoch = state->epoch,
				    .revision = state->revision,
				    .slug = page->slug,
				    .domain = page->domain,
				    .place = place_of(page) };
	return has_recorded(state, page) ? OK
					 : page_state_write(dir, page->id, &ahead, arena, error);
}

/* Whether the note is complete, and has the page's present addresses. */
static bool is_note_of(const struct page_state *state, const struct status_page *page)
{
	return state->is_known && state->is_whole && state->place == place_of(page) &&
	       has_recorded(state, page);
}

void page_writing_prepare(const struct publisher *publisher, struct page_snapshot *snapshot,
			  struct arena *arena)
{
	const struct status_page *page = &snapshot->page;
	snapshot->url = status_page_url(page, publisher->base_url, arena);
	snapshot->takes_subscribers = publisher->settings.takes_subscribers &&
				      page->allow_subscribers;
	if (page->show_reports)
		page_report_find_months(snapshot, arena);
	page_markdown_begin(snapshot, arena);
}

enum result page_writing_open(struct page_writing *writing, const struct pages_dir *dir,
			      struct page_content *content, const struct page_state *state,
			      struct error *error)
{
	const struct publisher *publisher = writing->publisher;
	struct page_snapshot *snapshot = writing->snapshot = &content->view;
	writing->content = content;
	const struct status_page *page = &snapshot->page;
	struct arena *arena = publisher->arena;
	struct replaced_files *replaced = publisher->rest ? &publisher->rest->replaced : NULL;
	writing->dir = dir;
	writing->is_new_address = !has_recorded(state, page);
	writing->after = (struct page_state){
		.is_whole = true,
		.epoch = content->epoch,
		.revision = page->revision,
		.slug = page->slug,
		.domain = page->domain,
		.place = place_of(page),
	};
	page_writing_prepare(publisher, snapshot, arena);
	/*
	 * First remove files that visitors must not see any more. The former files of a public page
	 * stay until the new files are in place.
	 */
	enum result result = page->privacy == PRIVACY_PUBLIC ? OK
							     : remove_elsewhere(dir, page, error);
	if (result == OK && page->privacy == PRIVACY_PRIVATE)
		result = former_addresses_write(dir, content, publisher->site, arena, error);
	if (result == OK)
		result = record_address(dir, page, state, arena, error);
	if (result == OK && !state->is_known)
		result = gone_take_back(dir, page->id, error);
	if (result == OK)
		result = page_output_open(&writing->output, dir, place_of(page), page->slug,
					  is_note_of(state, page) ? state : NULL, &writing->after,
					  arena, error);
	writing->output.batch.closes_files = writing->is_grouped;
	writing->output.batch.replaced = replaced;
	writing->output.until_ms = publisher->until_ms;
	if (result == OK)
		result = put_all(writing, error);
	page_output_free_text(&writing->output);
	writing->after.due = page_snapshot_due(snapshot);
	if (result == OK)
		result = page_note_open(&writing->note, dir, page->id, &writing->after, arena,
					error);
	writing->note.replaced = replaced;
	if (writing->is_grouped)
		folder_close_file(&writing->note.file);
	return result;
}

enum result page_writings_sync(struct page_writing *const *writings, size_t count,
			       struct error *error)
{
	if (count == 1 && !writings[0]->is_grouped)
		return pages_batch_sync_with(&writings[0]->output.batch, &writings[0]->note.file,
					     error);
	if (count > 0 && syncfs(writings[0]->dir->new_fd) != 0)
		return folder_failed(error, "cannot sync", "the file system");
	return OK;
}

enum result page_writing_commit(struct page_writing *writing, struct error *error)
{
	const struct status_page *page = &writing->snapshot->page;
	struct pages_batch *batch = &writing->output.batch;
	const struct page_address address = address_of(page);
	enum pages_place by_domain = page_address_domain_place(&address);
	enum result result = page_note_begin(&writing->note, error);
	if (result == OK)
		result = pages_batch_commit(batch, error);
	if (result == OK && page->domain)
		result = page_address_record_host(writing->dir, &address, writing->publisher->arena,
						  error);
	if (result == OK && by_domain != PAGES_PLACES)
		result = pages_batch_mirror(batch, by_domain, page->domain, error);
	if (result == OK && writing->is_new_address)
		result = former_addresses_end(writing->dir, page, error);
	if (result == OK && page->privacy != PRIVACY_PRIVATE)
		result = former_addresses_write(writing->dir, writing->content,
						writing->publisher->site, writing->publisher->arena,
						error);
	/* If the page is not public, page_writing_open() has already removed these files. */
	if (result == OK && page->privacy == PRIVACY_PUBLIC)
		result = remove_elsewhere(writing->dir, page, error);
	return result == OK ? page_note_commit(&writing->note, error) : result;
}

void page_writing_close(struct page_writing *writing)
{
	page_output_close(&writing->output);
	page_note_close(&writing->note);
}
