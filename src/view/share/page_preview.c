#include "view/share/page_preview.h"

#include <math.h>
#include <pango/pangocairo.h>
#include <png.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/attr.h"
#include "base/library.h"
#include "base/secret.h"
#include "view/page.h"
#include "view/page/page_parts.h"

#define DRAWING_FUNCTIONS(X) \
	X(cairo_arc) \
	X(cairo_create) \
	X(cairo_destroy) \
	X(cairo_fill) \
	X(cairo_image_surface_create) \
	X(cairo_image_surface_get_data) \
	X(cairo_image_surface_get_stride) \
	X(cairo_move_to) \
	X(cairo_new_path) \
	X(cairo_rectangle) \
	X(cairo_set_source_rgb) \
	X(cairo_status) \
	X(cairo_surface_destroy) \
	X(cairo_surface_flush) \
	X(g_object_unref) \
	X(pango_cairo_create_layout) \
	X(pango_cairo_show_layout) \
	X(pango_font_description_free) \
	X(pango_font_description_from_string) \
	X(pango_font_description_set_absolute_size) \
	X(pango_layout_get_pixel_size) \
	X(pango_layout_get_unknown_glyphs_count) \
	X(pango_layout_set_ellipsize) \
	X(pango_layout_set_font_description) \
	X(pango_layout_set_height) \
	X(pango_layout_set_text) \
	X(pango_layout_set_width) \
	X(pango_layout_set_wrap) \
	X(png_image_write_to_memory)

/* The functions of the libraries, typed as in their headers. Use them only if is_loaded. */
static struct {
#define MEMBER(name) __typeof__(name) *name;
	DRAWING_FUNCTIONS(MEMBER)
#undef MEMBER
} draw;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_loaded;
/* Drawing a picture needs 10 MB of memory, so a process draws only one picture at a time. */
static pthread_mutex_t drawing = PTHREAD_MUTEX_INITIALIZER;

static void load_library(void)
{
#ifdef PANGO_LIBRARY
	/* Pango links the other libraries, so loading Pango finds their functions, too. */
	static const struct library_symbol symbols[] = {
#define SYMBOL(name) { #name, &draw.name },
		DRAWING_FUNCTIONS(SYMBOL)
#undef SYMBOL
	};
	char failure[LIBRARY_FAILURE_SIZE];
	is_loaded = !library_is_bundled() &&
		    library_load(PANGO_LIBRARY, symbols, ARRAY_LEN(symbols), failure);
#else
#define LINKED(name) draw.name = name;
	DRAWING_FUNCTIONS(LINKED)
#undef LINKED
	is_loaded = true;
#endif
}

bool page_preview_is_possible(void)
{
	pthread_once(&once, load_library);
	return is_loaded;
}

enum {
	MARGIN = 80,
	WIDTH = PAGE_PREVIEW_WIDTH_PX - 2 * MARGIN,
	LINE_HEIGHT = 24, /* the height of the line in the accent colour at the top */
	PANEL_TOP = 270,
	PANEL_HEIGHT = 220,
	CORNER = 28,
	PADDING = 48,
};

struct paper {
	cairo_t *cairo;
	bool is_legible;
};

/* `colour` is for example "#1f6feb" or "1f6feb". */
static void set_colour(struct paper *paper, const char *colour)
{
	unsigned long value = strtoul(colour + (*colour == '#'), NULL, 16);
	draw.cairo_set_source_rgb(paper->cairo, (double)(value >> 16 & 0xff) / 255,
				  (double)(value >> 8 & 0xff) / 255, (double)(value & 0xff) / 255);
}

/* Fills a band of this height at the top of the picture. */
static void put_band(struct paper *paper, int height)
{
	draw.cairo_rectangle(paper->cairo, 0, 0, PAGE_PREVIEW_WIDTH_PX, height);
	draw.cairo_fill(paper->cairo);
}

static void put_panel(struct paper *paper)
{
	enum { LEFT = MARGIN + CORNER, RIGHT = MARGIN + WIDTH - CORNER };
	enum { TOP = PANEL_TOP + CORNER, BOTTOM = PANEL_TOP + PANEL_HEIGHT - CORNER };
	draw.cairo_new_path(paper->cairo);
	draw.cairo_arc(paper->cairo, LEFT, TOP, CORNER, M_PI, 1.5 * M_PI);
	draw.cairo_arc(paper->cairo, RIGHT, TOP, CORNER, 1.5 * M_PI, 2 * M_PI);
	draw.cairo_arc(paper->cairo, RIGHT, BOTTOM, CORNER, 0, M_PI / 2);
	draw.cairo_arc(paper->cairo, LEFT, BOTTOM, CORNER, M_PI / 2, M_PI);
	draw.cairo_fill(paper->cairo);
}

struct line {
	const char *text, *font;
	int size, left, width;
	int top, height; /* the text is centred vertically between `top` and `top` + `height` */
	int rows;	 /* at most this many rows; a longer text ends in "…" */
};

static void put_text(struct paper *paper, const struct line *line)
{
	PangoLayout *layout = draw.pango_cairo_create_layout(paper->cairo);
	PangoFontDescription *font = draw.pango_font_description_from_string(line->font);
	int height;
	draw.pango_font_description_set_absolute_size(font, (double)line->size * PANGO_SCALE);
	draw.pango_layout_set_font_description(layout, font);
	draw.pango_layout_set_width(layout, line->width * PANGO_SCALE);
	draw.pango_layout_set_height(layout, -line->rows);
	draw.pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR);
	draw.pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END);
	draw.pango_layout_set_text(layout, line->text, -1);
	paper->is_legible &= draw.pango_layout_get_unknown_glyphs_count(layout) == 0;
	draw.pango_layout_get_pixel_size(layout, NULL, &height);
	draw.cairo_move_to(paper->cairo, line->left, line->top + (line->height - height) / 2);
	draw.pango_cairo_show_layout(paper->cairo, layout);
	draw.pango_font_description_free(font);
	draw.g_object_unref(layout);
}

/* All data of the picture. */
struct preview {
	const char *title, *sentence, *address;
	const char *paper, *text, *soft, *accent, *state; /* colours */
};

static struct preview preview_of(const struct page_snapshot *snapshot, struct arena *arena)
{
	const struct status_page *page = &snapshot->page;
	bool is_dark = !brand_has_mode(page->color_scheme, page->custom_css, BRAND_LIGHT);
	const char *state = page_tone_colour(page_tone(snapshot));
	const char *scheme = strstr(snapshot->url, "://");
	struct str address = str_from(scheme ? scheme + 3 : snapshot->url);
	if (address.len > 0 && address.data[address.len - 1] == '/')
		address.len--;
	return (struct preview){
		.title = page_title(snapshot, arena),
		.sentence = page_summary(snapshot, arena),
		.address = arena_strndup(arena, address.data, address.len),
		.paper = is_dark ? "0e1319" : "ffffff",
		.text = is_dark ? "e6edf3" : "1b2430",
		.soft = is_dark ? "9aa6b2" : "57606a",
		.accent = page->accent_color ? page->accent_color : state,
		.state = state,
	};
}

const char *page_preview_name(const struct page_snapshot *snapshot, struct arena *arena)
{
	enum { HASH_CHARS = 16 };
	const struct preview preview = preview_of(snapshot, arena);
	const char *drawn = arena_printf(arena, "%s\n%s\n%s\n%s\n%s\n%s", preview.title,
					 preview.sentence, preview.address, preview.paper,
					 preview.accent, preview.state);
	return arena_printf(arena, "preview-%s.png",
			    secret_hash_hex(arena, drawn, strlen(drawn), HASH_CHARS));
}

static bool draw_preview(cairo_t *cairo, const struct preview *preview)
{
	struct paper paper = { .cairo = cairo, .is_legible = true };
	set_colour(&paper, preview->paper);
	put_band(&paper, PAGE_PREVIEW_HEIGHT_PX);
	set_colour(&paper, preview->accent);
	put_band(&paper, LINE_HEIGHT);
	set_colour(&paper, preview->text);
	put_text(&paper, &(struct line){ .text = preview->title,
					 .font = "sans-serif bold",
					 .size = 68,
					 .left = MARGIN,
					 .width = WIDTH,
					 .top = LINE_HEIGHT,
					 .height = PANEL_TOP - LINE_HEIGHT,
					 .rows = 2 });
	set_colour(&paper, preview->state);
	put_panel(&paper);
	set_colour(&paper, "ffffff");
	put_text(&paper, &(struct line){ .text = preview->sentence,
					 .font = "sans-serif bold",
					 .size = 56,
					 .left = MARGIN + PADDING,
					 .width = WIDTH - 2 * PADDING,
					 .top = PANEL_TOP,
					 .height = PANEL_HEIGHT,
					 .rows = 2 });
	set_colour(&paper, preview->soft);
	put_text(&paper,
		 &(struct line){ .text = preview->address,
				 .font = "sans-serif",
				 .size = 34,
				 .left = MARGIN,
				 .width = WIDTH,
				 .top = PANEL_TOP + PANEL_HEIGHT,
				 .height = PAGE_PREVIEW_HEIGHT_PX - PANEL_TOP - PANEL_HEIGHT,
				 .rows = 1 });
	return paper.is_legible && draw.cairo_status(cairo) == CAIRO_STATUS_SUCCESS;
}

static bool put_png(struct buf *out, cairo_surface_t *surface)
{
	enum { PNG_MAX_BYTES = 1 << 20 };
	png_image png = {
		.version = PNG_IMAGE_VERSION,
		.width = PAGE_PREVIEW_WIDTH_PX,
		.height = PAGE_PREVIEW_HEIGHT_PX,
		/* Cairo stores a pixel as a 32-bit integer, in the machine's byte order. */
		.format = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? PNG_FORMAT_BGRA
								    : PNG_FORMAT_ARGB,
		.flags = PNG_IMAGE_FLAG_FAST,
	};
	png_alloc_size_t len = PNG_MAX_BYTES;
	char *data = malloc(len);
	draw.cairo_surface_flush(surface);
	bool is_done = data &&
		       draw.png_image_write_to_memory(
			       &png, data, &len, 0, draw.cairo_image_surface_get_data(surface),
			       draw.cairo_image_surface_get_stride(surface), NULL) != 0;
	if (is_done)
		buf_add(out, data, len);
	free(data);
	return is_done;
}

bool page_preview_draw(struct buf *out, const struct page_snapshot *snapshot, struct arena *arena)
{
	const struct preview preview = preview_of(snapshot, arena);
	if (!page_preview_is_possible())
		return false;
	pthread_mutex_lock(&drawing);
	cairo_surface_t *surface = draw.cairo_image_surface_create(
		CAIRO_FORMAT_ARGB32, PAGE_PREVIEW_WIDTH_PX, PAGE_PREVIEW_HEIGHT_PX);
	cairo_t *cairo = draw.cairo_create(surface);
	bool is_drawn = draw_preview(cairo, &preview) && put_png(out, surface);
	draw.cairo_destroy(cairo);
	draw.cairo_surface_destroy(surface);
	pthread_mutex_unlock(&drawing);
	return is_drawn;
}
