#include "publish/page/page_writer.h"

#include <stdio.h>
#include <string.h>

#include "domain/page/image.h"
#include "store/page/publication.h"
#include "view/page.h"
#include "view/share/page_preview.h"

/* The page's pictures from the database, read when the first picture is needed. */
struct stored_files {
	struct page_file files[STATUS_PAGE_PICTURES];
	size_t count;
	bool is_read;
};

static const struct page_file *file_named(const struct page_file *files, size_t count,
					  const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (files[i].name && strcmp(files[i].name, name) == 0)
			return &files[i];
	return NULL;
}

static enum result find_file(const struct page_writing *writing, const char *name,
			     struct stored_files *stored, const struct page_file **file,
			     struct error *error)
{
	const struct publish_order *order = writing->order;
	enum result result = OK;
	*file = file_named(order->at_hand, order->at_hand_count, name);
	if (*file)
		return OK;
	if (!stored->is_read)
		result = publication_files(writing->publisher->db, writing->snapshot->page.id,
					   writing->publisher->arena, stored->files, &stored->count,
					   error);
	stored->is_read = true;
	if (result != OK)
		return result;
	*file = file_named(stored->files, stored->count, name);
	return *file ? OK : error_log(error, E_FAILED, "publish: %s is not in the database", name);
}

/* The size in the note: "96x48", or "96x48-clear" for a picture with transparent parts. */
#define SIZE_FORMAT "%ux%u"
#define CLEAR	    "-clear"

static const char *size_text(const struct image *image, struct arena *arena)
{
	return arena_printf(arena, SIZE_FORMAT "%s", image->width_px, image->height_px,
			    image->is_clear ? CLEAR : "");
}

/* Reads the size of a picture from its digest in the note. Returns false if the digest is not a
 * size. */
static bool read_size(const char *text, struct image *image)
{
	int len = 0;
	if (sscanf(text, SIZE_FORMAT "%n", &image->width_px, &image->height_px, &len) != 2)
		return false;
	image->is_clear = strcmp(text + len, CLEAR) == 0;
	return image->is_clear || text[len] == '\0';
}

static enum result put_picture(struct page_writing *writing, const char *name,
			       struct stored_files *stored, struct image *image,
			       struct error *error)
{
	struct page_output *output = &writing->output;
	const struct page_file *file = NULL;
	const char *noted = page_output_noted(output, name);
	if (noted && read_size(noted, image) && page_output_keep(output, name, noted))
		return OK;
	enum result result = find_file(writing, name, stored, &file, error);
	if (result != OK)
		return result;
	/* If this version does not recognise the file as a picture, publish it without a size. */
	if (!image_identify(file->data, file->len, image))
		*image = (struct image){ 0 };
	return page_output_data(output, name, size_text(image, writing->publisher->arena),
				(struct str){ file->data, file->len }, error);
}

/*
 * Adds the preview of a public page, which other sites show. A page that is not public has no
 * preview, because other sites cannot read its files. If the machine cannot draw a preview,
 * publishes the page without it.
 */
static enum result put_preview(struct page_writing *writing, struct error *error)
{
	struct page_output *output = &writing->output;
	struct page_snapshot *snapshot = writing->snapshot;
	struct arena *arena = writing->publisher->arena;
	struct buf picture CLEANUP(buf_done) = BUF_INIT(PAGE_FILE_MAX_BYTES);
	enum result result = OK;
	snapshot->preview_file = NULL;
	if (snapshot->page.privacy != PRIVACY_PUBLIC || !writing->publisher->settings.has_previews)
		return OK;
	const char *name = page_preview_name(snapshot, arena);
	bool is_there = page_output_keep(output, name, PAGE_OUTPUT_HASHED), is_drawn = false;
	int64_t began_ms = clock_ms();
	if (!is_there)
		is_drawn = page_preview_draw(&picture, snapshot, arena) && buf_ok(&picture);
	/* Drawing may be slow because of the machine's fonts, so add its time to the time limit. */
	if (output->until_ms > 0)
		output->until_ms += clock_ms() - began_ms;
	if (is_drawn) {
		result = page_output_data(output, name, PAGE_OUTPUT_HASHED,
					  (struct str){ picture.data, picture.len }, error);
		is_there = true;
	}
	if (is_there)
		snapshot->preview_file = name;
	return result;
}

enum result page_pictures_put(struct page_writing *writing, struct error *error)
{
	struct page_snapshot *snapshot = writing->snapshot;
	struct stored_files stored = { .count = 0 };
	const struct {
		const char *name;
		struct image *image;
	} pictures[] = {
		{ snapshot->page.logo_file, &snapshot->logo },
		{ snapshot->page.logo_dark_file, &snapshot->logo_dark },
		{ snapshot->page.header_image_file, &snapshot->header_image },
		{ snapshot->page.favicon_file, &snapshot->favicon },
	};
	enum result result = OK;
	for (size_t i = 0; result == OK && i < ARRAY_LEN(pictures); i++)
		if (pictures[i].name)
			result = put_picture(writing, pictures[i].name, &stored, pictures[i].image,
					     error);
	return result == OK ? put_preview(writing, error) : result;
}
