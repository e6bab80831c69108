/* Changes the shared style sheet for a page's colours, colour schemes and height of the logo. */
#include <string.h>

#include "base/secret.h"
#include "base/str.h"
#include "view/page.h"

enum { BRAND_CSS_MAX_BYTES = 2048 };

static const char dark_screen[] = "@media screen and (prefers-color-scheme:dark)";

static bool has_mode(const struct status_page *page, enum brand_mode mode)
{
	return brand_has_mode(page->color_scheme, page->custom_css, mode);
}

/* A replacement in the shared style sheet, for a page that has only the light or only the dark
 * mode. A dark page keeps the light colours for browsers that force their own colours. */
struct replacement {
	struct str from, to;
};

static const struct replacement *replacements_of(const struct status_page *page)
{
	static const struct replacement light[] = {
		{ STR("color-scheme:light dark"), STR("color-scheme:light") },
		{ STR("(prefers-color-scheme:dark)"), STR("(max-width:0)") },
		{ { 0 }, { 0 } },
	}, dark[] = {
		{ STR("color-scheme:light dark"), STR("color-scheme:dark") },
		{ STR("(prefers-color-scheme:dark)"), STR("(forced-colors:none)") },
		{ { 0 }, { 0 } },
	};
	if (!has_mode(page, BRAND_DARK))
		return light;
	return has_mode(page, BRAND_LIGHT) ? NULL : dark;
}

static void put_accent(struct buf *out, const struct status_page *page)
{
	char link[BRAND_COLOUR_SIZE];
	brand_link(page->accent_color, BRAND_LIGHT, link);
	buf_printf(out, ":root{--accent:%s;--on-accent:%s;--link:%s;--focus:%s}\n",
		   page->accent_color, brand_text_on(page->accent_color), link, link);
	brand_link(page->accent_color, BRAND_DARK, link);
	buf_printf(out, "%s{:root{--link:%s;--focus:%s}}\n", dark_screen, link, link);
	buf_puts(out, "body{border-block-start:.3rem solid var(--accent)}\n"
		      ".menu>summary{background:var(--accent);color:var(--on-accent);"
		      "border-color:var(--accent)}\n");
}

static void put_brand(struct buf *out, const struct status_page *page)
{
	if (page->accent_color)
		put_accent(out, page);
	if (page->logo_height > 0 && page->logo_height != STATUS_PAGE_LOGO_HEIGHT)
		buf_printf(out, ":root{--logo:%lldpx}\nheader img{max-width:100%%}\n",
			   (long long)page->logo_height);
}

/* Appends the text with the replacements. `all`: ends with an empty `from`; NULL: none. */
static void put_replaced(struct buf *out, const char *text, const struct replacement *all)
{
	while (*text) {
		const struct replacement *one = all;
		while (one && one->from.len > 0 &&
		       strncmp(text, one->from.data, one->from.len) != 0)
			one++;
		if (one && one->from.len > 0) {
			buf_add(out, one->to.data, one->to.len);
			text += one->from.len;
		} else {
			buf_putc(out, *text++);
		}
	}
}

void page_style_of(struct buf *out, const struct status_page *page)
{
	struct buf brand CLEANUP(buf_done) = BUF_INIT(BRAND_CSS_MAX_BYTES);
	const struct replacement *all = replacements_of(page);
	put_brand(&brand, page);
	put_replaced(out, page_asset(PAGE_STYLE), all);
	if (brand.len > 0)
		put_replaced(out, brand.data, all);
}

const char *page_style_name_of(const struct status_page *page, struct arena *arena)
{
	struct buf brand CLEANUP(buf_done) = BUF_INIT(BRAND_CSS_MAX_BYTES);
	const struct replacement *all = replacements_of(page);
	put_brand(&brand, page);
	if (!all && brand.len == 0)
		return page_asset_name(PAGE_STYLE);
	buf_printf(&brand, "%s %s", page_asset_name(PAGE_STYLE), all ? all->to.data : "");
	return arena_printf(arena, "page-%s.css",
			    secret_hash_hex(arena, brand.data, brand.len, 12));
}
