/*
 * The colours of a page's brand, from its accent_color, and their contrast with the backgrounds of
 * page.css.
 *
 * The line at the top and the buttons have exactly the accent colour. This colour needs a contrast
 * of 3:1 (WCAG 2.2, 1.4.11) in at least one mode of the page; otherwise it is refused. Links need
 * 4.5:1 (1.4.3). If the accent colour has a lower contrast in a mode, links get a darker or lighter
 * colour there.
 */
#ifndef DOMAIN_PAGE_BRAND_H
#define DOMAIN_PAGE_BRAND_H

#include <stdbool.h>

#include "base/violation.h"

enum brand_mode { BRAND_LIGHT, BRAND_DARK, BRAND_MODES };
enum { BRAND_COLOUR_SIZE = 8 }; /* "#1f6feb" */

/* The values of color_scheme: "auto", "light", "dark"; NULL ends the list. */
extern const char *const brand_schemes[];

/* Returns whether the text is "#" and six hexadecimal digits. */
bool brand_is_colour(const char *text);
/*
 * Returns whether a page with this color_scheme has this mode. A page with "auto" has both modes.
 * But if custom_css sets backgrounds or the colour of all texts, and does not mention modes, the
 * page has only the light mode. custom_css NULL: none.
 */
bool brand_has_mode(const char *scheme, const char *custom_css, enum brand_mode mode);
/* Returns the lower of the colour's contrasts with the two backgrounds of the mode, in
 * hundredths. */
int brand_contrast(const char *colour, enum brand_mode mode);
/* Sets `link` to the colour of links in the mode. */
void brand_link(const char *accent, enum brand_mode mode, char link[BRAND_COLOUR_SIZE]);
/* Returns the colour of texts on the accent colour: "#fff" or "#000". */
const char *brand_text_on(const char *accent);

/* Adds a violation for `field` if the accent colour has a contrast below 3:1 in every mode of the
 * color_scheme. accent NULL: no accent colour, no violation. */
void brand_check(const char *accent, const char *scheme, const char *field,
		 struct violations *violations);

#endif
