/*
 * Detects the type and size of a picture by its structure.
 *
 * Headers and the lengths of blocks are walked; no pixel is decoded and
 * nothing is inflated, so a hostile picture costs no more than its reading. A file that ends within
 * its structure is no picture.
 */
#ifndef DOMAIN_IMAGE_H
#define DOMAIN_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum image_type { IMAGE_NONE, IMAGE_PNG, IMAGE_JPEG, IMAGE_GIF, IMAGE_WEBP, IMAGE_ICO };

struct image {
	enum image_type type;
	uint32_t width_px; /* the largest picture's, where there are several */
	uint32_t height_px;
	bool is_clear; /* the picture may have transparent parts */
};

/* False, and type IMAGE_NONE, when the bytes are none of the five. */
bool image_identify(const void *bytes, size_t len, struct image *image);

/* "png", "jpg", "gif", "webp", "ico" */
const char *image_extension(enum image_type type);

#endif
