#include "domain/page/brand.h"

#include <stdio.h>
#include <string.h>

#include "base/attr.h"

const char *const brand_schemes[] = { "auto", "light", "dark", NULL };

/* Contrasts, in hundredths. */
enum { TEXT_CONTRAST = 450, LINE_CONTRAST = 300 };

/* The values of --bg and --card in page.css. tests/unit/view/test_brand_css.c compares them. */
static const struct {
	const char *name;
	const char *backgrounds[2];
} modes[] = {
	[BRAND_LIGHT] = { "light", { "#f5f7f9", "#ffffff" } },
	[BRAND_DARK] = { "dark", { "#0e1319", "#171d25" } },
};

bool brand_is_colour(const char *text)
{
	return text[0] == '#' && strspn(text + 1, "0123456789abcdefABCDEF") == 6 && !text[7];
}

static void read_colour(const char *colour, unsigned channels[3])
{
	if (sscanf(colour, "#%2x%2x%2x", &channels[0], &channels[1], &channels[2]) != 3)
		memset(channels, 0, 3 * sizeof(*channels));
}

/* Returns the fifth root of a number up to 1, by Newton's method. The program does not use libm. */
static double fifth_root(double of)
{
	enum { ROUNDS = 24 };
	double root = 1;
	for (int i = 0; i < ROUNDS; i++)
		root = (4 * root + of / (root * root * root * root)) / 5;
	return root;
}

/* Converts a channel from 0 to 1 to its part in the luminance (WCAG 2.2). Computes base^2.4 as
 * base^2 * (base^2)^(1/5). */
static double linear(double part)
{
	if (part <= 0.04045)
		return part / 12.92;
	double base = (part + 0.055) / 1.055;
	return base * base * fifth_root(base * base);
}

/* Relative luminance (WCAG 2.2). */
static double luminance(const char *colour)
{
	static const double weights[] = { 0.2126, 0.7152, 0.0722 };
	unsigned channels[3];
	double sum = 0;
	read_colour(colour, channels);
	for (size_t i = 0; i < ARRAY_LEN(weights); i++)
		sum += weights[i] * linear(channels[i] / 255.0);
	return sum;
}

static int contrast(const char *a, const char *b)
{
	double x = luminance(a) + 0.05, y = luminance(b) + 0.05;
	return (int)(100 * (x > y ? x / y : y / x));
}

int brand_contrast(const char *colour, enum brand_mode mode)
{
	int first = contrast(colour, modes[mode].backgrounds[0]);
	int second = contrast(colour, modes[mode].backgrounds[1]);
	return first < second ? first : second;
}

/* Mixes the colour with black in light mode, and with white in dark mode, until it has the contrast
 * for texts. */
void brand_link(const char *accent, enum brand_mode mode, char link[BRAND_COLOUR_SIZE])
{
	enum { STEPS = 64 };
	const unsigned target = mode == BRAND_LIGHT ? 0 : 255;
	unsigned from[3];
	read_colour(accent, from);
	for (unsigned step = 0; step <= STEPS; step++) {
		unsigned to[3];
		for (size_t i = 0; i < ARRAY_LEN(to); i++)
			to[i] = (from[i] * (STEPS - step) + target * step) / STEPS;
		snprintf(link, BRAND_COLOUR_SIZE, "#%02x%02x%02x", to[0] & 0xff, to[1] & 0xff,
			 to[2] & 0xff);
		if (brand_contrast(link, mode) >= TEXT_CONTRAST)
			return;
	}
}

const char *brand_text_on(const char *accent)
{
	return contrast(accent, "#ffffff") >= TEXT_CONTRAST ? "#fff" : "#000";
}

static bool names_grounds(const char *css)
{
	static const char *const words[] = { "background", "--bg", "--card", "--text" };
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (strstr(css, words[i]))
			return true;
	return false;
}

bool brand_has_mode(const char *scheme, const char *custom_css, enum brand_mode mode)
{
	if (scheme && strcmp(scheme, brand_schemes[0]) != 0)
		return strcmp(scheme, modes[mode].name) == 0;
	return mode == BRAND_LIGHT || !custom_css || strstr(custom_css, "prefers-color-scheme") ||
	       strstr(custom_css, "light-dark(") || !names_grounds(custom_css);
}

void brand_check(const char *accent, const char *scheme, const char *field,
		 struct violations *violations)
{
	int reached = 0;
	const char *name = "";
	for (int mode = 0; accent && mode < BRAND_MODES; mode++)
		if (brand_has_mode(scheme, NULL, (enum brand_mode)mode) &&
		    brand_contrast(accent, (enum brand_mode)mode) > reached) {
			reached = brand_contrast(accent, (enum brand_mode)mode);
			name = modes[mode].name;
		}
	if (accent && reached < LINE_CONTRAST)
		violations_add(violations, field,
			       "The accent color %s reaches a contrast of %d.%02d:1 with the "
			       "backgrounds of %s mode; it needs 3:1.",
			       accent, reached / 100, reached % 100, name);
}
